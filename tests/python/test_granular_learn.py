"""`footfall granular import, learn, show, select`: from measured wrenches to W."""

from __future__ import annotations

import math
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

FOOT = ("--medium", "formula", "--radius-m", 0.04, "--height-m", 0.3, "--reference-height-m", 0.15)
HEADER = "depth_m,tilt_rad,velocity_index,force_x_N,force_z_N,torque_y_Nm"


def rows() -> list[list[float]]:
    """Made-up measurements in the paper's signs: depths negative, zeros at the surface."""
    made = []
    for depth in (0.0, -0.02, -0.05, -0.08):
        for tilt in (0.0, 0.4):
            for i in range(26):
                size = -1e3 * depth
                angle = (i - 1) % 8 * math.pi / 4
                turn = math.cos((i + 7) // 8 * math.pi / 4)
                wrench = (
                    -math.sin(angle) * size + 0.2 * tilt * size,
                    (1.3 + math.cos(angle)) * size,
                    (0.1 * math.sin(angle) - 0.05 * turn + 0.02 * tilt) * size,
                )
                made.append([depth, tilt, i, *(part + 0.0 for part in wrench)])
    return made


def write(file: Path, table: list[list[float]]) -> Path:
    lines = [",".join(str(cell) for cell in row) for row in table]
    file.write_text("\n".join([HEADER, *lines]) + "\n")
    return file


@pytest.fixture(scope="module")
def database(footfall, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("granular")
    file = folder / "formula.csv"
    done = footfall("granular", "import", write(folder / "measured.csv", rows()), *FOOT, "-o", file)
    assert "their sign is turned" in done.stdout
    assert "52 rows at zero depth" in done.stdout
    assert "6 configurations in 26 directions" in done.stdout
    return file


def refusal(footfall, tmp_path, table) -> str:
    file = write(tmp_path / "bad.csv", table)
    done = footfall("granular", "import", file, *FOOT, "-o", tmp_path / "out.csv", expect=2)
    assert not (tmp_path / "out.csv").exists()
    return done.stderr


def test_import_says_what_is_wrong_with_measurements(footfall, tmp_path):
    good = rows()
    assert "has 24 of 26 directions: 3, 7 missing" in refusal(
        footfall, tmp_path, [r for r in good if not (r[:2] == [-0.02, 0.4] and r[2] in (3, 7))]
    )
    last = len(good) + 1
    good[-1][4] = float("nan")
    assert f"bad.csv:{last}: force_z_N = 'nan'" in refusal(footfall, tmp_path, good)
    good[-1][4] = 1
    good[0][3] = 2.0
    assert "bad.csv:2: a wrench of (2, 0, 0) at zero depth" in refusal(footfall, tmp_path, good)
    good[0][3] = 0
    good[-1][0] = 0.08
    assert "expected all depths of one sign" in refusal(footfall, tmp_path, good)
    good[-1] = good[-2]
    assert f"is in line {last - 1} too" in refusal(footfall, tmp_path, good)


def test_learn_compares_three_regressions(footfall, database, tmp_path):
    report = tmp_path / "learned.html"
    learned = footfall.json("granular", "learn", database, "--report", report)
    assert [r["name"] for r in learned["regressions"]] == ["rbf", "gp", "svr"]
    assert learned["regressions"][0]["error"] < 0.02  # a formula that is linear in tilt and depth
    assert learned["concavity"]["worst"] >= learned["concavity"]["average"] >= 0
    xml.fromstring(report.read_text())
    alone = footfall("granular", "learn", database, "--regression", "gp", "--folds", 3).stdout
    assert "matern 5/2" in alone and "svr" not in alone
    assert "has 6 configurations, expected at least as many as folds (7)" in footfall(
        "granular", "learn", database, "--folds", 7, expect=2
    ).stderr


def test_show_has_the_wrenches_and_their_hull(footfall, database, tmp_path):
    plot = tmp_path / "w.svg"
    at = ("--depth-m", 0.05, "--tilt-rad")
    shown = footfall.json("granular", "show", database, *at, 0.4, "--plot", plot)
    xml.fromstring(plot.read_text())
    for row, wrench in zip([r for r in rows() if r[:2] == [-0.05, 0.4]], shown["wrenches"]):
        assert wrench["force_x_N"] == pytest.approx(row[3], abs=1e-6)
        assert wrench["force_z_N"] == pytest.approx(row[4], abs=1e-6)
        assert wrench["torque_y_Nm"] == pytest.approx(row[5], abs=1e-6)
    mirrored = footfall.json("granular", "show", database, *at, -0.4)
    assert mirrored["volume_N2_Nm"] == pytest.approx(shown["volume_N2_Nm"], rel=1e-12)
    assert mirrored["wrenches"][16]["force_x_N"] == -shown["wrenches"][10]["force_x_N"]
    for facet in shown["half_spaces"]:
        assert facet["offset"] >= -1e-9  # zero is in W
    outside = footfall("granular", "show", database, "--depth-m", 0.2).stdout
    assert "outside the data: the nearest inside is depth 0.08 m" in outside


def test_select_prints_what_to_paste(footfall, database):
    text = footfall("granular", "select", database, "--directions", 12).stdout
    line = next(t for t in text.splitlines() if t.startswith("only_directions"))
    chosen = [int(i) for i in line.split("[")[1].rstrip("]").split(",")]
    assert chosen == sorted(chosen) and 11 <= len(chosen) <= 12
    order = footfall.json("granular", "select", database)["order"]
    losses = [step["support_loss"] for step in order]
    assert losses == sorted(losses, reverse=True) and losses[-1] == 0
    assert "expected 1 to 26" in footfall(
        "granular", "select", database, "--directions", 27, expect=2
    ).stderr


def test_path_leads_a_foot_through_what_was_learned(footfall, tmp_path):
    table, plot, gains = tmp_path / "led.csv", tmp_path / "led.svg", tmp_path / "pid.toml"
    command = ("granular", "path", "beads", "media/paths/beads_straight.csv")
    led = footfall.json(*command, "--pid", "media/paths/pid.toml", "--csv", table, "--plot", plot)
    assert led == {**footfall.json(*command)}  # the paper's gains are the default
    assert led["medium"] == "beads" and len(led["wrenches"]) == led["samples"] > 50
    assert led["wrenches"][-1]["depth_m"] == pytest.approx(0.11, abs=0.01)
    assert 50 < led["peak_force_z_N"] < 500
    xml.fromstring(plot.read_text())
    assert len([line for line in table.read_text().splitlines() if line[0].isdigit()]) == led["samples"]
    gains.write_text("kp = [80, 200, 3]\n")
    loose = footfall.json(*command, "--pid", gains)
    assert loose["wrenches"][-1]["depth_m"] < 0.09
    assert "--pid and --regression are for a learned medium" in footfall(
        "granular", "path", "media/beads.toml", "media/paths/straight.csv", "--pid", gains, expect=2
    ).stderr
    assert "expected a TOML file of grains" in footfall(*command, "--dry-run", expect=2).stderr
