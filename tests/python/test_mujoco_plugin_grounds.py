"""All kinds of ground under MuJoCo models, each against another route: our engine, the rig, or a balance of forces."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from plugin_support import BALL, EULER, IMPLICIT, IMPLICITFAST, SPRINGY, feet, load, plugin, prepare  # noqa: F401

SOILS = sorted(path.stem for path in (Path(__file__).parents[2] / "soils").glob("*.toml"))
G = 9.81


@pytest.mark.parametrize("soil", SOILS)
def test_every_soil_carries_a_robot_at_any_step(prepare, soil):
    """Steps of 0.5 to 5 ms under three integrators: it comes to rest under its weight, and is never pulled."""
    xml = prepare(SPRINGY, soil)
    for integrator in (EULER, IMPLICITFAST, IMPLICIT):
        for timestep in (0.0005, 0.001, 0.002, 0.005):
            model, data = load(xml, timestep, integrator)
            for _ in range(60):
                mujoco.mj_step(model, data, round(0.05 / timestep))
                assert feet(data)[:, 2].min() > -1e-6
            assert feet(data)[:, 2].sum() == pytest.approx(G * model.body_subtreemass[1], rel=2e-3)
            assert np.sqrt(np.mean(data.qvel**2)) < 2e-3
            assert data.warning.number.sum() == 0


def engine_run(footfall, tmp_path: Path, robot: Path, timestep: float, lines: str, *, duration: float = 2) -> np.ndarray:
    """Columns of a run in our own engine: a row of names to numbers for each step."""
    scenario = tmp_path / "run.toml"
    scenario.write_text(
        f'[robot]\nfile = "{robot}"\n{lines}\n[step]\ntimestep_s = {timestep}\nduration_s = {duration}\n'
    )
    footfall("run", scenario, "-o", tmp_path / "run")
    footfall("export", tmp_path / "run/run.h5", tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


def test_it_moves_as_in_our_engine(footfall, prepare, tmp_path):
    """A drop of 5 cm onto sand: the base's height over two seconds, resting forces, and the order of the step."""
    xml = prepare(SPRINGY, "dry-sand")
    differences = []
    for timestep in (0.0005, 0.001, 0.002):
        model, data = load(xml, timestep)
        heights = []
        for _ in range(round(2 / timestep)):
            mujoco.mj_step(model, data)
            heights.append(data.qpos[2])
        ours = engine_run(
            footfall, tmp_path, tmp_path / "robot.xml", timestep, 'body_contacts = false\n[soil]\nname = "dry-sand"'
        )
        theirs = ours["qpos[2] [m]"]
        assert np.abs(np.array(heights) / theirs - 1).max() < 0.02
        forces = sum(v[-1] for key, v in ours.items() if key.endswith("force.z [N]"))
        assert feet(data)[:, 2].sum() == pytest.approx(forces, rel=5e-3)
        differences.append(np.abs(np.array(heights) - theirs).max())
    assert differences[1] < 1e-3
    assert differences[1] / differences[0] == pytest.approx(2, rel=0.2)
    assert differences[2] / differences[1] == pytest.approx(2, rel=0.2)


@pytest.mark.parametrize("keyframe", ["drop", "drop_tilted"])
def test_wrench_spaces_are_the_engine_s(footfall, prepare, repository, tmp_path, keyframe):
    robot = repository / "robots/single_foot.xml"
    model, data = load(prepare(robot, None, "--wrench-space", "play-sand"), 0.001)
    mujoco.mj_resetDataKeyframe(model, data, model.key(keyframe).id)
    path = []
    for _ in range(1500):
        mujoco.mj_step(model, data)
        path.append(data.qpos.copy())
    lines = f'keyframe = "{keyframe}"\n[contact]\nmodel = "wrench_space"\ndatabase = "play-sand"\ndimensions = 3'
    ours = engine_run(footfall, tmp_path, robot, 0.001, lines, duration=1.5)
    theirs = np.stack([v for key, v in ours.items() if key.startswith("qpos")], axis=1)
    assert np.abs(np.array(path) - theirs).max() < 1e-4
    assert data.qpos[1] < 0.1  # it has sunk by more than 5 cm
    assert feet(data)[0, 2] == pytest.approx(G * model.body_subtreemass[1], rel=1e-6)


def test_resistive_force_is_the_engine_s(footfall, prepare, repository, tmp_path):
    robot = repository / "robots/single_foot.xml"
    model, data = load(prepare(robot, None, "--resistive-force", 0.5), 0.001)
    mujoco.mj_resetDataKeyframe(model, data, model.key("drop_tilted").id)
    path = []
    for _ in range(1000):
        mujoco.mj_step(model, data)
        path.append(data.qpos.copy())
    lines = 'keyframe = "drop_tilted"\n[contact]\nmodel = "resistive_force"\nscale = 0.5\n'
    ours = engine_run(footfall, tmp_path, robot, 0.001, lines, duration=1)
    theirs = np.stack([v for key, v in ours.items() if key.startswith("qpos")], axis=1)
    assert np.abs(np.array(path) - theirs).max() < 2e-3  # it topples, by 1.25 rad
    assert np.abs(data.qpos[2]) > 1
    assert feet(data)[0, 2] == pytest.approx(G * model.body_subtreemass[1], rel=5e-3)


def test_a_pad_is_pressed_beside_the_ground(footfall, prepare):
    """On concrete all of the way is the pad's."""
    xml = prepare(BALL.format(0, 0.05, "ball"), "concrete", "--pad", "stiffness=5000 damping=100")
    model, data = load(xml, 0.001)
    mujoco.mj_step(model, data, 4000)
    pressed = footfall.json(
        *("rig", "press", "--foot", "sphere", "--radius", 0.05, "--soil", "concrete", "--load", G),
        *("--pad-stiffness", 5000),
    )
    assert 0.05 - data.qpos[2] == pytest.approx(pressed["body_sinkage_m"], rel=1e-6)
    assert pressed["body_sinkage_m"] == pytest.approx(G / 5000, rel=1e-3)
    assert feet(data)[0, 3] == pytest.approx(pressed["sinkage_m"], rel=1e-3)


@pytest.mark.parametrize("integrator", [EULER, IMPLICITFAST, IMPLICIT])
def test_joint_friction_lets_no_foot_drift(prepare, integrator):
    """MuJoCo's poses are as deep as elastic ground is pressed, though its rows move the joints otherwise than foreseen."""
    xml = prepare(SPRINGY.replace('damping="3"', 'damping="3" frictionloss=".5"'), "concrete")
    model, data = load(xml, 0.002, integrator)
    mujoco.mj_step(model, data, 1500)
    now = feet(data).copy()
    mujoco.mj_kinematics(model, data)
    depths = [0.03 - data.geom(name).xpos[2] for name in xml.split('key="feet" value="')[1].split('"')[0].split()]
    assert depths == pytest.approx(now[:, 2] / 3.4e9, rel=1e-3)
    assert depths == pytest.approx(now[:, 3], rel=1e-3)


def test_regions_of_several_soils(footfall, prepare):
    xml = prepare(
        BALL.format(2, 0.05, "ball"), "dry-sand", "--region", "soil=loose-clay shape=half_plane a=1 b=0 c=1.5"
    )
    depths = {}
    for x in (1, 2):
        model, data = load(xml, 0.001)
        data.qpos[0] = x
        mujoco.mj_step(model, data, 2000)
        depths[x] = feet(data)[0, 3]
    press = ("rig", "press", "--foot", "sphere", "--radius", 0.05)
    clay = footfall.json(*press, "--soil", "loose-clay", "--load", G)["sinkage_m"]
    assert depths[2] == pytest.approx(clay, rel=1e-3)
    assert depths[1] > 100 * depths[2]


FIELD = """<mujoco><asset><hfield name="field" nrow="41" ncol="41" size="2 2 1 .1" elevation="{0}"/></asset><worldbody>
  <geom name="land" type="hfield" hfield="field" pos="0 0 .3"/>{1}</worldbody></mujoco>"""
FOOT = """<body pos="0 0 {0}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
  <geom name="ball" size=".05" mass="1"/></body>"""


@pytest.mark.parametrize("tilt_deg", [0, 10])
def test_a_heightfield_is_the_plane_that_it_holds(prepare, tilt_deg):
    """A foot that cannot roll rests on both, as deep; MuJoCo makes heights from 0 to 1 m of any elevations."""
    angle = math.radians(tilt_deg)
    if tilt_deg:
        angle, height, values = math.atan(1 / 4), 0.3 + 0.5, np.tile(np.linspace(0, 1, 41), (41, 1))
    else:
        height, values = 0.3, np.zeros((41, 41))
    start = height + 0.05 / math.cos(angle)
    field = FIELD.format(" ".join(f"{v:.9g}" for v in values.ravel()), FOOT.format(start))
    plane = (
        f'<mujoco><worldbody><geom name="land" type="plane" size="5 5 .1" pos="0 0 {height}" '
        f'euler="0 {-math.degrees(angle)} 0"/>{FOOT.format(start)}</worldbody></mujoco>'
    )
    ends = []
    for text in (field, plane):
        model, data = load(prepare(text, "sandy-loam"), 0.001)
        mujoco.mj_step(model, data, 2000)
        assert feet(data)[0, :3] == pytest.approx([0, 0, G], abs=1e-3)
        assert np.abs(data.qvel).max() < 1e-6
        ends.append(data.qpos.copy())
    assert ends[1][1] < -1e-3
    assert ends[0] == pytest.approx(ends[1], rel=0.01, abs=1e-6)


def test_sensors_tell_what_a_dragged_foot_feels(footfall, prepare):
    """Force, slip and friction use of a ball that is pulled over sand, as on the rig."""
    text = """<mujoco><option integrator="implicitfast"/><worldbody><body pos="0 0 .05">
      <joint name="x" type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom name="ball" size=".05" mass="5"/>
      </body></worldbody><actuator><velocity joint="x" kv="1e5"/></actuator></mujoco>"""
    model, data = load(prepare(text, "lete-sand", "--feet", "ball"), 0.001, IMPLICITFAST)
    mujoco.mj_step(model, data, 500)
    assert feet(data)[0, [0, 1, 4, 5]] == pytest.approx([0, 0, 0, 0], abs=1e-9)
    data.ctrl[0] = 0.02
    mujoco.mj_step(model, data, 4000)
    force, sinkage, slip, use = feet(data)[0, :3], *feet(data)[0, 3:]
    rig = footfall.json(
        *("rig", "drag", "--foot", "sphere", "--radius", 0.05, "--soil", "lete-sand", "--sinkage", sinkage),
        *("--speed", 0.02, "--distance", data.qpos[0]),
    )
    assert slip == pytest.approx(0.02, rel=0.02)
    assert force[2] == pytest.approx(5 * G, rel=1e-6)
    assert use == pytest.approx(rig["out"]["mobilized_shear"], rel=1e-3)
    # the rig's foot is held at this depth and carries more than 5 kg: cohesion is the same, friction that of the load
    friction = math.tan(math.radians(31.1))
    assert -force[0] == pytest.approx(rig["shear_strength_N"] - friction * (rig["normal_force_N"] - 5 * G), rel=0.01)
