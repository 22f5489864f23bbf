"""Legged robots on ground that gives way.

    import footfall as ff
    world = ff.World(robot="quadruped", soil="dry-sand", timestep=0.001)
    sim = ff.Simulation(world)
    sim.step(100)
    sim.feet[0].sinkage                                  # m

Words and units are those of the library and of scenario files: SI and radians, degrees and kPa only where a key says
so. Wrong input raises InputError with the program's message. docs/python.md is the tour.
"""

from . import _library  # isort: skip
from . import granular, mujoco, plot, rig
from ._footfall import (
    Batch,
    Cylinder,
    Disc,
    Energy,
    Foot,
    FootSole,
    InputError,
    Mesh,
    Pad,
    Rectangle,
    RunFailure,
    RunFile,
    Scenario,
    Simulation,
    Soil,
    SolverReport,
    Sphere,
    State,
    World,
    build_description,
)
from ._identify import Identification, Parameter, identify
from ._recording import read_recording, recorded_topics
from ._run import Run, read_run, run, run_table
from ._scenario import find_data, load_scenario, parse_scenario
from ._soils import soils
from ._sweep import sweep

__all__ = [
    "Batch",
    "Cylinder",
    "Disc",
    "Energy",
    "Foot",
    "FootSole",
    "Identification",
    "InputError",
    "Mesh",
    "Pad",
    "Parameter",
    "Rectangle",
    "Run",
    "RunFailure",
    "RunFile",
    "Scenario",
    "Simulation",
    "Soil",
    "SolverReport",
    "Sphere",
    "State",
    "World",
    "build_description",
    "find_data",
    "granular",
    "identify",
    "load_scenario",
    "mujoco",
    "parse_scenario",
    "plot",
    "read_recording",
    "read_run",
    "recorded_topics",
    "rig",
    "run",
    "run_table",
    "soils",
    "sweep",
]

del _library
