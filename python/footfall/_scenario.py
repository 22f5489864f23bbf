"""Scenarios and worlds from files, from text, from a robot and a soil."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _footfall, _toml
from ._footfall import Scenario, Soil, World

PathText = str | os.PathLike[str]
Settings = Mapping[str, Any] | Sequence[str]


def load_scenario(file: PathText, settings: Settings | None = None) -> Scenario:
    """Reads and checks a scenario file; `settings` replace its values: {"soil.name": "snow-us"}.

    Keys and units are those of docs/scenario.md. Names of files in `settings` count from the current folder.
    """
    return _footfall.load_scenario(Path(file), _toml.override_texts(settings))


def parse_scenario(
    text: str, name: str = "scenario", folder: PathText = ".", settings: Settings | None = None
) -> Scenario:
    """A scenario from TOML. `name` stands for the file in messages; names of files in it count from `folder`."""
    return _footfall.parse_scenario(text, name, Path(folder), _toml.override_texts(settings))


def find_data(name: str) -> Path:
    """A file or folder of the package's data: "scenarios/quadruped_trot_sand.toml", "robots", "soils"."""
    return Path(__file__).parent / "share" / "footfall" / name


def soil_section(soil: Soil | str) -> str:
    """A soil as the section [soil] of a scenario."""
    if isinstance(soil, str):
        return _toml.section("soil", {"name": soil})
    if soil.file != Path():
        return _toml.section("soil", {"file": Path(soil.file).absolute()})
    parts: dict[str, Any] = tomllib.loads(soil.to_toml())
    compliant: dict[str, Any] = parts.get("compliant", {})
    text = _toml.section("soil", without_sources(compliant))
    if "terramechanics" in parts:
        text += _toml.section("soil.terramechanics", without_sources(parts["terramechanics"]))
    return text


def without_sources(values: Mapping[str, Any]) -> dict[str, Any]:
    """Soil files say where their values are from, scenarios do not."""
    return {key: value for key, value in values.items() if not key.endswith("_source")}


def describe_world(robot: PathText, soil: Soil | str | None, timestep: float, settings: Settings | None) -> Scenario:
    """The scenario of World(robot=…); it needs a duration, which nothing of a world depends on."""
    text = _toml.section("robot", {"file": robot})
    if soil is not None:
        text += soil_section(soil)
    text += _toml.section("step", {"timestep_s": timestep, "duration_s": 1.0})
    says_more = any(t.startswith(("soil.", "contact")) for t in _toml.override_texts(settings))
    if soil is None and not says_more:
        text = 'contact = "none"\n' + text
    return parse_scenario(text, "World", ".", settings)


def as_world(world: World | Scenario) -> World:
    return World(world) if isinstance(world, Scenario) else world
