"""Pictures show the numbers, with units, and become files."""

from __future__ import annotations

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def close():
    yield
    pyplot.close("all")


def test_a_fit_is_shown_with_data_law_and_band(ff):
    disc = ff.Disc(radius=0.05)
    series = dict(ff.rig.press(disc, "dry-sand", sinkage=0.02).series)
    series["normal_force_N"] = series["normal_force_N"] + np.random.default_rng(0).normal(0, 1, len(series["normal_force_N"]))
    fit = ff.identify(series, foot=disc, progress=False)
    (ax,) = fit.plot()
    data, law = ax.lines
    curve = fit.parts[0].curves[0]
    assert np.array_equal(data.get_ydata(), curve.data) and np.array_equal(law.get_ydata(), curve.model)
    assert np.allclose(data.get_xdata(), 1e3 * curve.x)
    assert ax.get_xlabel().endswith("[mm]") and ax.get_ylabel().endswith("[N]")
    band = ax.collections[0].get_paths()[0].vertices
    middle = len(curve.x) // 2
    at = band[np.isclose(band[:, 0], 1e3 * curve.x[middle]), 1]
    assert np.allclose([at.min(), at.max()], curve.model[middle] + np.array([-1, 1]) * curve.half_width[middle])


def test_feet_are_shown_over_time(ff, tmp_path):
    run = ff.run("scenarios/quadruped_drop.toml", {"step.duration_s": 0.1}, output=tmp_path, progress=False)
    ax = ff.plot.plot_feet(run, "normal_force")
    assert [line.get_label() for line in ax.lines] == run.data.lists["foot_names"]
    for line in ax.lines:
        assert np.array_equal(line.get_ydata(), run.data[f"feet/{line.get_label()}/normal_force"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time [s]", "normal force [N]")
    with pytest.raises(ff.InputError, match="quantity = 'sinking', expected one of .*sinkage"):
        ff.plot.plot_feet(run, "sinking")


def test_soils_and_presses_agree(ff, tmp_path):
    disc = ff.Disc(radius=0.04)
    press = ff.rig.press(disc, "dry-sand", sinkage=0.02)
    pressed = ff.plot.plot_press([press])
    soil = ff.plot.plot_soils(["dry-sand"], disc, deepest=0.02)
    x, y = soil.lines[0].get_data()
    down = slice(0, int(np.argmax(press.series["sinkage_m"])) + 1)
    assert np.allclose(np.interp(x, 1e3 * press.series["sinkage_m"][down], press.series["normal_force_N"][down]), y,
                       rtol=2e-3, atol=0.05)  # fmt: skip
    assert pressed.get_xlabel() == soil.get_xlabel() == "sinkage [mm]"


def test_a_figure_for_a_paper_has_its_width_and_its_fonts(ff, tmp_path):
    before = matplotlib.rcParams["font.size"]
    with ff.plot.for_paper(width=0.086):
        ax = ff.plot.plot_soils(["dry-sand", "sandy-loam"], ff.Disc(radius=0.05))
        ax.figure.savefig(tmp_path / "soils.pdf")
    assert ax.figure.get_size_inches()[0] * 0.0254 == pytest.approx(0.086)
    assert ax.xaxis.label.get_size() == 8 and matplotlib.rcParams["font.size"] == before
    page = (tmp_path / "soils.pdf").read_bytes()
    assert page.startswith(b"%PDF") and b"/Type3" not in page  # fonts are TrueType
