"""What the tests of MuJoCo's plugin share: the library, prepared models, a robot that needs no controls."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

EULER, IMPLICIT, IMPLICITFAST = (
    mujoco.mjtIntegrator.mjINT_EULER,
    mujoco.mjtIntegrator.mjINT_IMPLICIT,
    mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
)
SENSOR = '<sensor><plugin name="feet" plugin="footfall.soil" instance="soil"/></sensor></mujoco>'

LEG = """<body pos="{x} {y} 0"><joint axis="0 1 0" stiffness="150" damping="3"/>
  <geom type="capsule" fromto="0 0 0 .1 0 -.15" size=".01" mass=".3" contype="0" conaffinity="0"/>
  <body pos=".1 0 -.15"><joint axis="0 1 0" stiffness="150" damping="3"/>
  <geom name="{name}" size=".03" pos="-.1 0 -.15" mass=".2"/></body></body>"""
# Four legs with springs in their joints, nothing driven: 12 kg, feet of 30 mm radius.
SPRINGY = (
    '<mujoco><option timestep="0.001"/><worldbody><body pos="0 0 .36"><freejoint/>'
    '<geom type="box" size=".2 .1 .04" mass="10" contype="0" conaffinity="0"/>'
    + "".join(LEG.format(x=x, y=y, name=f"foot_{x}_{y}") for x in (-0.2, 0.2) for y in (-0.12, 0.12))
    + "</body></worldbody></mujoco>"
)
BALL = """<mujoco><worldbody><body pos="{0} 0 {1}"><freejoint/><geom name="{2}" size=".05" mass="1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="session")
def plugin(program: Path) -> Path:
    library = program.parent / "libfootfall_plugin.so"
    assert library.is_file(), f"{library} is not built"
    mujoco.mj_loadPluginLibrary(str(library))
    return library


@pytest.fixture
def prepare(footfall, plugin, tmp_path):
    """The text of a model with soil, and a sensor of its feet; `robot` is a file or the text of one."""

    def run(robot, soil: str | None, *options: object) -> str:
        if isinstance(robot, str) and robot.startswith("<"):
            text, robot = robot, tmp_path / "robot.xml"
            robot.write_text(text)
        output = tmp_path / "soft.xml"
        ground = ("--soil", soil) if soil else ()
        footfall("mujoco", "soil", robot, *ground, *options, "--output", output)
        return output.read_text().replace("</mujoco>", SENSOR)

    return run


def load(xml: str, timestep: float, integrator: int = EULER) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(xml)
    model.opt.timestep, model.opt.integrator = timestep, integrator
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    return model, data


def feet(data: mujoco.MjData) -> np.ndarray:
    """Of each foot: force x, y, z [N], sinkage [m], slip [m/s], friction use."""
    return data.sensordata.reshape(-1, 6)
