"""MuJoCo's own ground, tuned (docs/mujoco-tune.md), and soil under any model of MuJoCo's (docs/mujoco-plugin.md)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _footfall
from ._footfall import InputError, Soil, SoilModel, Tuned, TunedFoot
from ._soils import as_soil

if TYPE_CHECKING:
    import mujoco

__all__ = ["SoilModel", "Tuned", "TunedFoot", "add_soil", "load_plugin", "plugin_library", "tune"]

_loaded = False


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


def plugin_library() -> Path:
    """The library of MuJoCo's plugin footfall.soil, for mujoco.mj_loadPluginLibrary."""
    library = Path(__file__).parent / "libfootfall_plugin.so"
    if not library.is_file():
        raise InputError(f"{library} is not there: this build of footfall has no plugin")
    return library


def load_plugin() -> None:
    """Loads it, once in a process: before a model with soil is."""
    import mujoco

    global _loaded
    if not _loaded:
        mujoco.mj_loadPluginLibrary(os.fspath(plugin_library()))
    _loaded = True


def _region_line(region: Mapping[str, Any], soils: list[Soil]) -> str:
    if "soil" not in region:
        raise InputError(f"regions: {dict(region)} has no soil")
    soil = as_soil(region["soil"])
    if all(other.name != soil.name for other in soils):
        soils.append(soil)
    rest = (f"{key}={value}" for key, value in region.items() if key != "soil")
    return " ".join((f"soil={soil.name}", *rest))


def add_soil(
    spec: mujoco.MjSpec,
    *,
    soil: Soil | str | None = None,
    resistive_force: float | None = None,
    wrench_space: str | None = None,
    wrenches: str | os.PathLike[str] = "ground.wrenches",
    regions: Sequence[Mapping[str, Any]] = (),
    pad: Mapping[str, float] | None = None,
    feet: Sequence[str] = (),
    ground: str = "",
    prints: int = 64,
) -> SoilModel:
    """Puts soil under the feet of a model, in place, and loads the plugin that knows it. One of

    soil             of the library, or a soil file;  regions: others, {"soil": "concrete", "shape": "half_plane", …}
    resistive_force  dry grains: their scale
    wrench_space     a granular medium: its database; what is learned from it is written to the file `wrenches`

    pad     a soft layer under every foot: {"stiffness": 5e4, "damping": 200}, SI units
    feet    names of geoms; else they are found;  ground: name of a fixed plane or heightfield; else the only one, or added
    prints  how many footprints the ground remembers
    """
    import mujoco

    given = sum(ground_kind is not None for ground_kind in (soil, resistive_force, wrench_space))
    if given != 1:
        raise InputError(f"add_soil: {given} of soil, resistive_force and wrench_space are given, expected one")
    load_plugin()
    soils = [] if soil is None else [as_soil(soil)]
    law, file = "", ""
    if resistive_force is not None:
        law = f"law=resistive_force scale={resistive_force}"
    if wrench_space is not None:
        law, file = "law=wrench_space", str(Path(wrenches).absolute())
        _footfall.learn_medium_file(wrench_space, file)
    lines = "; ".join([_region_line(region, soils) for region in regions])
    pad_line = " ".join(f"{key}={value}" for key, value in (pad or {}).items())
    with tempfile.TemporaryDirectory() as folder:
        plain, soft = Path(folder) / "plain.xml", Path(folder) / "soft.xml"
        plain.write_text(_absolute(spec).to_xml(), encoding="utf-8")
        report = _footfall.write_soil_model(
            plain, soft, soils, law, lines, pad_line, file, list(feet), ground, prints
        )
        _take_over(mujoco.MjSpec.from_file(str(soft)), report, spec)
    return report


def _absolute(spec: mujoco.MjSpec) -> mujoco.MjSpec:
    """A copy whose folders of meshes and textures can be found from anywhere."""
    copied = spec.copy()
    base = Path(spec.modelfiledir or ".").absolute()
    copied.meshdir, copied.texturedir = str(base / spec.meshdir), str(base / spec.texturedir)
    copied.compile()  # to_xml() writes what was compiled
    return copied


def _take_over(soft: mujoco.MjSpec, report: SoilModel, spec: mujoco.MjSpec) -> None:
    """Copies what the model with soil has and the other has not."""
    if report.ground_added:
        plane = next(geom for geom in soft.geoms if geom.name == report.ground)
        spec.worldbody.add_geom(name=plane.name, type=plane.type, size=plane.size, rgba=plane.rgba)
    soft.compile()
    spec.compile()  # geoms have the same numbers in both now
    made = {geom.id: geom for geom in soft.geoms}
    for geom in spec.geoms:
        other = made[geom.id]
        geom.name, geom.contype, geom.conaffinity = other.name, other.contype, other.conaffinity
    for flex, other in zip(spec.flexes, soft.flexes, strict=True):
        flex.contype = other.contype
    feet = set(report.feet)
    for pair in list(spec.pairs):
        names = {pair.geomname1, pair.geomname2}
        if report.ground in names and names & feet:
            spec.delete(pair)
    instance = next(plugin for plugin in soft.plugins if plugin.plugin_name == "footfall.soil")
    spec.activate_plugin("footfall.soil")
    spec.add_plugin(name=instance.name, plugin_name="footfall.soil", active=True).config = dict(instance.config)
