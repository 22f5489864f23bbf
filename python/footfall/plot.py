"""Pictures by matplotlib: fits with their bands, feet over time, soils, presses. Units are in the labels.

    with ff.plot.for_paper():
        ax = ff.plot.plot_soils(["dry-sand", "sandy-loam"], ff.Disc(radius=0.05))
    ax.figure.savefig("soils.pdf")
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ._footfall import FootSole, InputError, Soil
from ._soils import as_soil

if TYPE_CHECKING:
    from ._identify import Identification
    from ._run import Run


__all__ = ["for_paper", "plot_feet", "plot_identification", "plot_press", "plot_soils"]


@contextmanager
def for_paper(width: float = 0.086, height: float | None = None) -> Iterator[None]:
    """Figures made inside fit a column of a paper: size [m], text of 8 pt, fonts that journals take in PDF.

    width   of the figure, by default a column of 86 mm;  height: by default 0.7 of it
    """
    from matplotlib import rc_context

    inch = 0.0254
    size = (width / inch, (0.7 * width if height is None else height) / inch)
    style: Any = {
        "figure.figsize": size, "font.size": 8, "axes.labelsize": 8, "legend.fontsize": 7, "xtick.labelsize": 7,
        "ytick.labelsize": 7, "axes.linewidth": 0.6, "lines.linewidth": 1.0, "pdf.fonttype": 42, "ps.fonttype": 42,
        "svg.fonttype": "none", "savefig.dpi": 600, "axes.spines.top": False, "axes.spines.right": False,
    }  # fmt: skip
    with rc_context(style):
        yield


def make_axes(axes: Any, count: int) -> Any:
    import numpy as np

    if axes is None:
        from matplotlib import pyplot, rcParams

        width, height = rcParams["figure.figsize"]
        _, axes = pyplot.subplots(1, count, figsize=(width * count, height), layout="constrained", squeeze=False)
    return np.atleast_1d(axes).ravel()


def scale(unit: str) -> tuple[float, str]:
    """Lengths are shown in millimetres."""
    return (1e3, "mm") if unit == "m" else (1.0, unit)


def plot_identification(found: Identification, axes: Any = None) -> Any:
    """Data, law, its band and that of a new run, one picture per part."""
    axes = make_axes(axes, len(found.parts))
    for ax, part in zip(axes, found.parts, strict=False):
        factor, unit = scale(part.x_unit)
        for i, curve in enumerate(part.curves):
            x, color = factor * curve.x, f"C{i}"
            ax.plot(x, curve.data, ".", ms=2, color=color, label=curve.name)
            ax.plot(x, curve.model, color=color)
            for width, alpha in ((curve.half_width, 0.3), (curve.prediction, 0.12)):
                if len(width):
                    ax.fill_between(x, curve.model - width, curve.model + width, color=color, alpha=alpha, lw=0)
        ax.set(title=part.name, xlabel=f"{part.x_label} [{unit}]", ylabel=f"{part.y_label} [{part.y_unit}]")
        ax.legend(frameon=False)
    return axes


def plot_feet(run: Run, quantity: str = "sinkage", axes: Any = None) -> Any:
    """A quantity of each foot over time: "sinkage", "normal_force", …"""
    known = sorted({name.split("/")[2] for name in run.data.columns if name.startswith("feet/")})
    if quantity not in known:
        raise InputError(f"quantity = '{quantity}', expected one of {', '.join(known)}")
    (ax,) = make_axes(axes, 1)
    time = run.data["time"]
    for foot in run.data.lists["foot_names"]:
        column = run.data.column(f"feet/{foot}/{quantity}")
        factor, unit = scale(column.unit)
        ax.plot(time, factor * column.values, label=foot)
        ax.set(xlabel="time [s]", ylabel=f"{quantity.replace('_', ' ')} [{unit}]")
    ax.legend(frameon=False)
    return ax


def plot_press(tests: Any, axes: Any = None) -> Any:
    """Normal force over sinkage of one press of ff.rig, or of a list of them."""
    (ax,) = make_axes(axes, 1)
    for test in tests if isinstance(tests, list | tuple) else [tests]:
        ax.plot(1e3 * test.series["sinkage_m"], test.series["normal_force_N"], label=test.title)
    ax.set(xlabel="sinkage [mm]", ylabel="normal force [N]")
    ax.legend(frameon=False)
    return ax


def plot_soils(soils: list[Soil | str], foot: FootSole, deepest: float = 0.03, axes: Any = None) -> Any:
    """Force on a foot over its sinkage, on plastic soils; `deepest` [m]."""
    import numpy as np

    (ax,) = make_axes(axes, 1)
    depths = np.linspace(0, deepest, 61)
    for soil in map(as_soil, soils):
        ax.plot(1e3 * depths, [foot.normal_force(soil, depth) for depth in depths], label=soil.name)
    ax.set(xlabel="sinkage [mm]", ylabel="normal force [N]")
    ax.legend(frameon=False)
    return ax
