"""The rig: one foot on one soil, without a robot. docs/rig.md

    ff.rig.press(foot=ff.Cylinder(radius=0.05, width=0.08), soil="dry-sand", load=300).sinkage
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _footfall
from ._footfall import FootSole, Pad, Soil
from ._soils import as_soil

if TYPE_CHECKING:
    import pandas


class RigResult:
    """What a test gave, in SI units: its values as attributes, its rows as arrays in `series`."""

    def __init__(self, title: str, values: dict[str, Any]) -> None:
        self.title = title
        self.series: dict[str, NDArray[np.float64]] = values.pop("series")
        warning = values.pop("warning")
        self.values = values
        if warning:
            warnings.warn(f"{title}: {warning}", stacklevel=3)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(f"a {self.__dict__.get('title', 'test')} has no '{name}'") from None

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.values]

    def table(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame, units in the names of the columns, as in the program's CSV."""
        import pandas

        return pandas.DataFrame(self.series)

    def __repr__(self) -> str:
        values = ", ".join(f"{k}={v:.6g}" for k, v in self.values.items() if isinstance(v, float))
        return f"<footfall.rig {self.title}: {values}>"


def press(
    foot: FootSole | None,
    soil: Soil | str,
    *,
    sinkage: float | None = None,
    load: float | None = None,
    cycles: int = 1,
    staged: bool = False,
    unload: bool = False,
    samples: int = 200,
    speed: float = 1e-3,
    pad: Pad | None = None,
    foot_mass: float = 0.0,
) -> RigResult:
    """Presses a foot slowly to a sinkage [m] or under a load [N], and lifts it again.

    cycles   times loaded;  staged: cycle i of N goes to i/N;  unload: the last cycle too ends with lift-off
    samples  rows per way down or up;  speed: for the rows' time only [m/s]
    pad      a soft layer under the foot;  foot_mass: of the foot below it [kg]
    """
    named = as_soil(soil)
    values = _footfall.press(foot, named, sinkage, load, cycles, staged, unload, samples, speed, pad, foot_mass)
    return RigResult(f"press on {named.name}", values)


def drop(
    foot: FootSole | None,
    soil: Soil | str,
    *,
    mass: float,
    height: float | None = None,
    speed: float | None = None,
    load: float = 0.0,
    duration: float = 1.0,
    timestep: float = 5e-5,
    sample_rate: float = 2000.0,
    pad: Pad | None = None,
    foot_mass: float = 0.0,
) -> RigResult:
    """Lets a mass [kg] fall from a height [m], or touch at a speed [m/s].

    load         a force beside its weight [N]
    duration     from the touch [s];  timestep [s];  sample_rate: rows per second [Hz]
    """
    named = as_soil(soil)
    values = _footfall.drop(
        foot, named, mass, height, speed, load, duration, timestep, sample_rate, pad, foot_mass
    )  # fmt: skip
    return RigResult(f"drop on {named.name}", values)


def drag(
    foot: FootSole | None,
    soil: Soil | str,
    *,
    sinkage: float | None = None,
    load: float | None = None,
    speed: float = 0.02,
    distance: float = 0.1,
    reverse: bool = False,
    samples: int = 500,
    pad: Pad | None = None,
    foot_mass: float = 0.0,
) -> RigResult:
    """Pulls a foot that is held at a sinkage [m] or under a load [N] over a distance [m], and back if `reverse`."""
    named = as_soil(soil)
    values = _footfall.drag(foot, named, sinkage, load, speed, distance, reverse, samples, pad, foot_mass)
    return RigResult(f"drag on {named.name}", values)


def tilt(
    shape: str, soil: Soil | str, *, tilt: float, depths: Iterable[float], direction: float = math.radians(25)
) -> dict[str, NDArray[np.float64]]:
    """Presses a tilted sole to depths [m] by the engine, beside the exact integral.

    shape  plate, disc or mesh;  tilt [rad];  direction: that it leans to, about the vertical [rad]
    """
    return _footfall.tilt(shape, tilt, direction, list(depths), as_soil(soil))
