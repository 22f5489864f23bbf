"""Pictures by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._footfall import FootSole, Soil
from ._soils import as_soil

if TYPE_CHECKING:
    from ._identify import Identification
    from ._run import Run


def make_axes(axes: Any, count: int) -> Any:
    import numpy as np

    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(1, count, figsize=(5 * count, 3.6), layout="constrained", squeeze=False)
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
    (ax,) = make_axes(axes, 1)
    time = run.data["time"]
    for foot in run.data.lists["foot_names"]:
        column = run.data.column(f"feet/{foot}/{quantity}")
        factor, unit = scale(column.unit)
        ax.plot(time, factor * column.values, label=foot)
        ax.set(xlabel="time [s]", ylabel=f"{quantity.replace('_', ' ')} [{unit}]")
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
