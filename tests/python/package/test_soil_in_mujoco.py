"""Soil under MuJoCo models from Python: add_soil() does in place what `footfall mujoco soil` does to a file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mujoco
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]

SCENE = """<mujoco><worldbody>{0}<body pos="0 0 .05"><freejoint/><geom {1} size=".05" mass="1"/></body></worldbody>
  <contact/></mujoco>"""
PLANE = '<geom name="floor" type="plane" size="5 5 .1"/>'


def settle(spec: mujoco.MjSpec, steps: int = 2000) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, steps)
    return model, data


@pytest.mark.parametrize("plane", ["", PLANE])
def test_a_ball_sinks_as_on_the_rig(ff, plane):
    spec = mujoco.MjSpec.from_string(SCENE.format(plane, 'name="ball"'))
    report = ff.mujoco.add_soil(spec, soil="loose-clay")
    assert report.feet == ["ball"] and report.ground_added == (plane == "")
    _, data = settle(spec)
    pressed = ff.rig.press(ff.Sphere(0.05), "loose-clay", load=9.81)
    assert 0.05 - data.qpos[2] == pytest.approx(pressed.sinkage, rel=1e-6)
    assert np.abs(data.qvel).max() < 1e-9
    assert data.ncon == 0


def test_it_is_the_model_of_the_program(ff, program, tmp_path):
    """Masks and steps as of the file that the program writes, but for the digits of a number in a file."""
    soft = tmp_path / "soft.xml"
    robot = ROOT / "robots/quadruped.xml"
    command = [program, "mujoco", "soil", robot, "--soil", "dry-sand", "--output", soft]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    spec = mujoco.MjSpec.from_file(str(robot))
    ff.mujoco.add_soil(spec, soil="dry-sand")
    mine, theirs = spec.compile(), mujoco.MjModel.from_xml_path(str(soft))
    for field in ("geom_contype", "geom_conaffinity", "plugin_attr"):
        assert np.array_equal(getattr(mine, field), getattr(theirs, field))
    ends = []
    for model in (mine, theirs):
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 200)
        ends.append(data.qpos.copy())
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert ends[0][2] < 0.297  # its feet are in the sand


def test_errors_say_what_is_expected(ff):
    spec = mujoco.MjSpec.from_string(SCENE.format("", 'name="ball"'))
    with pytest.raises(ff.InputError, match="0 of soil, resistive_force and wrench_space are given, expected one"):
        ff.mujoco.add_soil(spec)
    with pytest.raises(ff.InputError, match="--feet has 'toe'"):
        ff.mujoco.add_soil(spec, soil="dry-sand", feet=["toe"])
    assert not list(spec.plugins)
