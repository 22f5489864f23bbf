"""What differs between episodes of learning: ground, robot, sensors, commands. Nothing here needs Gymnasium."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from ._footfall import InputError, World
from ._soils import soils

Range = tuple[float, float]

# Soils that a quadruped of 15 kg can stand on, from firm to loose; "concrete" does not yield.
RANDOM_SOILS = ("concrete", "dry-sand", "sandy-loam", "lete-sand", "upland-sandy-loam", "clayed-soil")


@dataclass(frozen=True)
class EpisodeRanges:
    """From what an episode is drawn. A range with equal ends is a constant.

    soil           a soil's name, "random", or a list of names
    slope_deg      of a slope in a random direction [degree]
    roughness_m    amplitude of uneven ground [m]; an episode has a slope or uneven ground, not both
    mass_scale     of all masses of the robot [-]
    push_m_per_s   change of the base's velocity by a push, along x and y [m/s]
    push_every_s   between pushes [s]
    delay_s        from action to motors, in whole steps of the simulation [s]
    noise          standard deviation by quantity of the observation: gyro [rad/s], gravity [-], joint_position [rad],
                   joint_velocity [rad/s]
    start_rad      largest offset of each joint at the start [rad]
    command        of forward and sideways velocity [m/s] and turning rate [rad/s]
    command_every_s  a new command is drawn [s]
    """

    soil: str | Sequence[str] = "dry-sand"
    slope_deg: Range = (0.0, 0.0)
    roughness_m: Range = (0.0, 0.0)
    mass_scale: Range = (1.0, 1.0)
    push_m_per_s: Range = (0.0, 0.0)
    push_every_s: float = 4.0
    delay_s: Range = (0.0, 0.0)
    noise: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    start_rad: float = 0.02
    command: tuple[Range, Range, Range] = ((-0.3, 0.6), (-0.2, 0.2), (-0.5, 0.5))
    command_every_s: float = 5.0

    def __post_init__(self) -> None:
        for name, least in (("slope_deg", 0.0), ("roughness_m", 0.0), ("mass_scale", 0.01), ("push_m_per_s", 0.0),
                            ("delay_s", 0.0)):  # fmt: skip
            check_range(name, getattr(self, name), least)
        for name, bounds in zip(("forward", "sideways", "turning"), self.command, strict=True):
            check_range(f"command, {name}", bounds, -math.inf)
        if min(self.noise) < 0 or len(self.noise) != 4:
            raise InputError(f"noise = {self.noise!r}, expected four standard deviations, 0 or more")
        for name in ("push_every_s", "command_every_s"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} = {getattr(self, name)!r}, expected seconds above 0")
        known = soils()
        for name in self.soil_names:
            if name not in known and not name.endswith(".toml"):
                near = difflib.get_close_matches(name, known, 1)
                hint = f", did you mean '{near[0]}'?" if near else ": see footfall.soils()"
                raise InputError(f"soil '{name}' is not in the soil library{hint}")

    @property
    def soil_names(self) -> tuple[str, ...]:
        if isinstance(self.soil, str):
            return RANDOM_SOILS if self.soil == "random" else (self.soil,)
        return tuple(self.soil)


def check_range(name: str, bounds: Any, least: float) -> None:
    try:
        low, high = bounds
        fine = least <= low <= high < math.inf
    except (TypeError, ValueError):
        fine = False
    if not fine:
        over = f" of {least:g} or more" if least > -math.inf else ""
        raise InputError(f"{name} = {bounds!r}, expected two numbers{over}, the smaller one first")


ALL_RANDOM = EpisodeRanges(
    soil="random", slope_deg=(0, 6), roughness_m=(0, 0.015), mass_scale=(0.85, 1.15), push_m_per_s=(0, 0.4),
    delay_s=(0, 0.02), noise=(0.1, 0.03, 0.01, 0.5), start_rad=0.1,
)  # fmt: skip


@dataclass
class Episode:
    """What was drawn for one episode."""

    soil: str
    slope_deg: float
    direction_deg: float
    roughness_m: float
    ground_seed: int
    mass_scale: float
    delay_steps: int
    push_m_per_s: float

    def settings(self) -> dict[str, Any]:
        """What it says about the ground, as keys of a scenario."""
        if self.slope_deg > 0:
            return {"ground.kind": "slope", "ground.slope_deg": self.slope_deg,
                    "ground.direction_deg": self.direction_deg}  # fmt: skip
        if self.roughness_m > 0:
            return {"ground.kind": "noise", "ground.amplitude_m": self.roughness_m, "ground.wavelength_m": 0.6,
                    "ground.octaves": 3, "ground.seed": self.ground_seed}  # fmt: skip
        return {}

    def ground_height(self, x: float, y: float) -> float:
        """Of the slope below a place [m]; uneven ground is at 0."""
        d = math.radians(self.direction_deg)
        return math.tan(math.radians(self.slope_deg)) * (x * math.cos(d) + y * math.sin(d))


def draw_episode(ranges: EpisodeRanges, timestep: float, random: Generator) -> Episode:
    """Always as many draws, so that one range does not change what the others give."""
    names = ranges.soil_names
    soil = names[int(random.integers(len(names)))]
    slope, rough, mass, push, delay = (
        float(random.uniform(*bounds))
        for bounds in (ranges.slope_deg, ranges.roughness_m, ranges.mass_scale, ranges.push_m_per_s, ranges.delay_s)
    )
    direction, seed, sloped = float(random.uniform(0, 360)), int(random.integers(2**31)), bool(random.integers(2))
    if ranges.slope_deg[1] > 0 and ranges.roughness_m[1] > 0:
        slope, rough = (slope, 0.0) if sloped else (0.0, rough)
    return Episode(soil, slope, direction, rough, seed, mass, round(delay / timestep), push)


def make_world(robot: str, episode: Episode, timestep: float) -> World:
    settings = {"robot.drop_height_m": 0.005, **episode.settings()}
    world = World(robot=robot, soil=episode.soil, timestep=timestep, settings=settings)
    return world.scale_masses(episode.mass_scale) if episode.mass_scale != 1 else world


def ranges_from(soil: str | Sequence[str] | None, ranges: EpisodeRanges | None, changes: dict[str, Any]) -> EpisodeRanges:
    """soil="random" alone means that everything is random."""
    if ranges is None:
        ranges = ALL_RANDOM if soil == "random" else EpisodeRanges()
    if soil is not None:
        changes = {"soil": soil, **changes}
    known = {f.name for f in dataclasses.fields(EpisodeRanges)}
    for name in changes:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f", did you mean '{near[0]}'?" if near else ", expected one of " + ", ".join(sorted(known))
            raise InputError(f"unknown option '{name}'{hint}")
    return dataclasses.replace(ranges, **changes)


class NoiseSource:
    """Standard normal numbers of one environment, drawn many steps at a time."""

    STEPS = 64

    def __init__(self, random: Generator, width: int) -> None:
        self.random, self.width = random, width
        self.block = np.empty((0, width))
        self.at = 0

    def draw(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        if self.at == len(self.block):
            self.block, self.at = self.random.standard_normal((self.STEPS, self.width)), 0
        self.at += 1
        row: np.ndarray[Any, np.dtype[np.float64]] = self.block[self.at - 1]
        return row
