"""MuJoCo's own ground, tuned. docs/mujoco-tune.md"""

from __future__ import annotations

import os
from pathlib import Path

from . import _footfall
from ._footfall import Soil, Tuned, TunedFoot
from ._soils import as_soil

__all__ = ["Tuned", "TunedFoot", "tune"]


def tune(
    robot: str | os.PathLike[str],
    *,
    sinkage: float | None = None,
    soil: Soil | str | None = None,
    damping_ratio: float = 1.0,
    damping_ratio_at_rest: float | None = None,
    keyframe: str = "",
    ground: str = "",
    output: str | os.PathLike[str] | None = None,
) -> Tuned:
    """The solref and solimp at which this robot sinks by `sinkage` [m], or as deep as on `soil`, in MuJoCo.

    damping_ratio          of the reference, as MuJoCo's dampratio
    damping_ratio_at_rest  in place of it: of small bounces of the whole robot
    keyframe, ground       pose and geom, by their names;  output: a patched MJCF is written there
    """
    named = None if soil is None else as_soil(soil)
    file = "" if output is None else os.fspath(output)
    return _footfall.tune(Path(robot), sinkage, named, damping_ratio, damping_ratio_at_rest, keyframe, ground, file)
