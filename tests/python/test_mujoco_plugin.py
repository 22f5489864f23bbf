"""MuJoCo's plugin footfall.soil in real MuJoCo, on models that `footfall mujoco soil` writes."""

from __future__ import annotations

import copy
import re
import subprocess
import sys

import mujoco
import numpy as np
import pytest
from mujoco import batch, rollout
from plugin_support import EULER, IMPLICIT, IMPLICITFAST, SPRINGY, load, plugin, prepare  # noqa: F401

def hold(model: mujoco.MjModel, data: mujoco.MjData, pose: np.ndarray) -> None:
    """Joint servos of a robot with a free base, explicit: more damping is unstable at 5 ms in MuJoCo itself."""
    data.ctrl[:] = 60 * (pose[7:] - data.qpos[7:]) - 2 * data.qvel[6:]


@pytest.mark.parametrize("integrator", [EULER, IMPLICITFAST, IMPLICIT])
@pytest.mark.parametrize("timestep", [0.0005, 0.001, 0.002, 0.005])
def test_ball_rests_as_deep_as_the_rig_presses(footfall, prepare, repository, integrator, timestep):
    for soil in ("dry-sand", "concrete"):
        model, data = load(prepare(repository / "robots/ball.xml", soil), timestep, integrator)
        largest = 0.0
        for _ in range(int(1.5 / timestep)):
            mujoco.mj_step(model, data)
            largest = max(largest, data.sensordata[2])
        # plastic soil has yielded to the largest load, elastic ground answers to the present one
        load_N = largest if soil == "dry-sand" else 9.81
        pressed = footfall.json(
            *("rig", "press", "--foot", "sphere", "--radius", 0.05, "--soil", soil, "--load", load_N)
        )
        assert data.sensordata[3] == pytest.approx(pressed["sinkage_m"], rel=0.01)
        assert data.sensordata[2] == pytest.approx(9.81, rel=1e-9)
        assert np.abs(data.qvel).max() < 1e-9
        assert data.warning.number.sum() == 0


@pytest.mark.parametrize("integrator", [EULER, IMPLICITFAST, IMPLICIT])
@pytest.mark.parametrize("soil", ["dry-sand", "concrete"])
def test_quadruped_stands(prepare, repository, soil, integrator):
    xml = prepare(repository / "robots/quadruped.xml", soil)
    heights = []
    for timestep in (0.001, 0.002, 0.005):
        model, data = load(xml, timestep, integrator)
        pose = data.qpos.copy()
        for _ in range(int(5 / timestep)):
            hold(model, data, pose)
            mujoco.mj_step(model, data)
        weight = 9.81 * model.body_subtreemass[1]
        assert data.sensordata.reshape(-1, 6)[:, 2].sum() == pytest.approx(weight, rel=1e-3)
        assert np.sqrt(np.mean(data.qvel**2)) < 1e-3
        assert data.warning.number.sum() == 0
        heights.append(data.qpos[2])
    # plastic soil keeps the depth of the largest load, whose error falls with the step: first order
    coarse, fine = heights[2] - heights[1], heights[1] - heights[0]
    assert np.ptp(heights) < 2e-3
    assert abs(coarse) < 1e-6 or coarse / fine == pytest.approx(3, rel=0.2)


def test_copies_of_a_state_take_the_same_steps(prepare, repository):
    """Bit by bit: copied, restored into new data, rolled out; with more prints than the ground keeps."""
    model, data = load(prepare(repository / "robots/quadruped.xml", "dry-sand", "--prints", 6), 0.002)
    controls = np.random.default_rng(1).normal(0, 5, (500, model.nu))

    def run(d: mujoco.MjData, first: int, last: int) -> mujoco.MjData:
        for control in controls[first:last]:
            d.ctrl[:] = control
            mujoco.mj_step(model, d)
        return d

    run(data, 0, 200)
    signature = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, signature))
    mujoco.mj_getState(model, data, state, signature)
    copied, restored = copy.copy(data), mujoco.MjData(model)
    mujoco.mj_setState(model, restored, state, signature)
    restored.qacc_warmstart[:] = data.qacc_warmstart
    run(data, 200, 500)
    for other in (copied, restored):
        run(other, 200, 500)
        assert np.array_equal(other.qpos, data.qpos)
        assert np.array_equal(other.plugin_state, data.plugin_state)
    workers = [mujoco.MjData(model) for _ in range(2)]
    starts = np.tile(state, (64, 1))
    starts[:, 1 + model.nq : 1 + model.nq + model.nv] += np.linspace(0, 0.1, 64)[:, None]  # velocities
    states, _ = rollout.rollout(model, workers, starts, np.tile(controls[200:], (64, 1, 1)))
    for start, many in zip(starts, states, strict=True):
        alone, _ = rollout.rollout(model, workers[:1], start[None], controls[None, 200:])
        assert np.array_equal(alone[0], many)


def test_half_on_a_rigid_step(prepare, tmp_path):
    """MuJoCo's own contact carries the foot on the step, though step and ground are in one body."""
    robot = tmp_path / "two_feet.xml"
    robot.write_text("""<mujoco><option timestep="0.002"/><worldbody>
      <geom name="floor" type="plane" size="5 5 .1"/><geom name="step" type="box" size=".2 .3 .05" pos=".3 0 0"/>
      <body pos="0 0 .13"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
      <geom name="left" type="sphere" size=".05" pos="-.2 0 0" mass="2"/>
      <geom name="right" type="sphere" size=".05" pos=".2 0 0" mass="2"/></body></worldbody></mujoco>""")
    model, data = load(prepare(robot, "dry-sand", "--feet", "left,right"), 0.002)
    for _ in range(2000):
        mujoco.mj_step(model, data)
    assert {model.geom(g).name for g in data.contact.geom.ravel()} == {"right", "step"}
    force = np.zeros(6)
    mujoco.mj_contactForce(model, data, 0, force)
    assert force[0] + data.sensordata[2] == pytest.approx(4 * 9.81, rel=1e-3)
    assert force[0] == pytest.approx(2 * 9.81, rel=0.02)


def test_only_feet_and_ground_are_parted(prepare, repository, tmp_path):
    """Every other pair of geoms meets as before: by masks, for a geom that has them one-sided, and by a pair."""
    robot = tmp_path / "masks.xml"
    robot.write_text("""<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1" contype="1" conaffinity="4"/>
      <geom name="wall" type="box" size=".1 1 1" pos="2 0 0"/>
      <body pos="0 0 1"><freejoint/><geom name="trunk" size=".1" contype="4" conaffinity="0"/>
        <body pos="0 0 -.5"><joint/><geom name="foot" size=".1"/></body></body>
      <body pos="1 0 1"><freejoint/><geom name="stone" size=".1"/></body>
      <body pos="1 1 1"><freejoint/><geom name="ghost" size=".1" contype="0" conaffinity="2"/></body>
      </worldbody><contact><pair geom1="foot" geom2="floor"/><pair geom1="ghost" geom2="floor"/></contact></mujoco>""")

    def pairs(model: mujoco.MjModel) -> set[tuple[str, str]]:
        found = set()
        for g in range(model.ngeom):
            for h in range(g):
                a, b = model.geom(g), model.geom(h)
                masks = (a.contype[0] & b.conaffinity[0]) | (b.contype[0] & a.conaffinity[0])
                listed = {frozenset((model.pair_geom1[p], model.pair_geom2[p])) for p in range(model.npair)}
                if masks or frozenset((g, h)) in listed:
                    found.add((b.name, a.name))
        return found

    before = pairs(mujoco.MjModel.from_xml_path(str(robot)))
    after = pairs(mujoco.MjModel.from_xml_string(prepare(robot, "dry-sand", "--feet", "foot")))
    static = {("floor", "wall")}
    assert before - after - static == {("floor", "foot")}
    assert after - before - static == set()
    assert ("floor", "ghost") in after and ("floor", "stone") in after and ("wall", "foot") in after


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("law=bekker", "law=bekkr", "law = 'bekkr', expected one of bernstein, bekker, reece, compliant"),
        ("exponent=1.1", "exponent=11", "exponent = 11, expected 0.05 to 3"),
        ('value="ground"', 'value="grond"', "ground = 'grond', expected the name of a geom"),
        ('value="ball_foot"', 'value="foot"', "feet = 'foot', expected the name of a geom"),
        ('key="prints" value="64"', 'key="prints" value="1"', "prints = 1, expected a whole number from 2"),
        ('key="numbers" value="', 'key="numbers" value="1', "expected"),
        ("implicitfast", "RK4", "integrator = RK4 asks for forces between steps, expected Euler"),
        ("implicitfast", "discrete", "integrator = discrete changes MuJoCo's own rows"),
        ('contype="0"', 'contype="3"', "still touches the ground in MuJoCo"),
    ],
)
def test_a_wrong_configuration_ends_the_load(prepare, repository, old, new, text):
    xml = prepare(repository / "robots/ball.xml", "dry-sand")
    assert old in xml
    with pytest.raises(ValueError, match=re.escape(text)):
        mujoco.MjModel.from_xml_string(xml.replace(old, new))


def test_transition_derivatives_see_the_ground(prepare, repository):
    """mjd_transitionFD leaves the state as it was, and finds that concrete stops a ball's fall."""
    model, data = load(prepare(repository / "robots/ball.xml", "concrete"), 0.001)
    for _ in range(500):
        mujoco.mj_step(model, data)
    before = data.plugin_state.copy()
    A = np.zeros((12, 12))
    mujoco.mjd_transitionFD(model, data, 1e-7, True, A, None, None, None)
    assert np.array_equal(data.plugin_state, before)
    assert abs(A[8, 8]) < 1e-3  # a vertical velocity is gone after one step
    assert A[6, 6] < 1


def test_it_is_drawn(prepare, repository):
    model, data = load(prepare(repository / "robots/quadruped.xml", "dry-sand"), 0.002)
    for k in range(600):
        data.ctrl[:] = 15 * np.sin(0.05 * k)
        mujoco.mj_step(model, data)
    option, scene = mujoco.MjvOption(), mujoco.MjvScene(model, 1000)
    option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
    mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, scene)
    types = [scene.geoms[i].type for i in range(scene.ngeom)]
    assert types.count(mujoco.mjtGeom.mjGEOM_CYLINDER) > (model.geom_type == mujoco.mjtGeom.mjGEOM_CYLINDER).sum()


def test_a_batch_is_one_by_one(prepare):
    """Bit by bit, with other velocities for each: 64 robots on two threads, and each alone in its own MjData."""
    model, _ = load(prepare(SPRINGY, "dry-sand", "--prints", 8), 0.002)
    robots, steps = 64, 200
    speeds = np.random.default_rng(3).normal(0, 0.3, (robots, model.nv))
    many = batch.Batch(model, nsim=robots, nthread=2)
    many.bind("qvel")[:] = speeds
    many.bind("qpos")[:, 2] += np.linspace(0, 0.1, robots)
    many.step(nstep=steps)
    for k in range(robots):
        data = mujoco.MjData(model)
        data.qvel[:] = speeds[k]
        data.qpos[2] += np.linspace(0, 0.1, robots)[k]
        mujoco.mj_step(model, data, steps)
        assert np.array_equal(many.bind("qpos")[k], data.qpos)
        assert np.array_equal(many.bind("plugin_state")[k], data.plugin_state)


@pytest.mark.parametrize("soil", ["dry-sand", "concrete"])
def test_sleepers_rest_on_right_forces(prepare, soil):
    """A ball that MuJoCo puts to sleep keeps its weight and its print to the last bit, lets the other one alone, and when
    it is pushed it wakes and goes as deep as one that never slept."""
    text = """<mujoco><option timestep="0.001" sleep_tolerance="1e-7"><flag sleep="{0}"/></option><worldbody>
      <body pos="0 0 .05"><freejoint/><geom name="left" size=".05" mass="1"/></body>
      <body pos="1 0 .45"><freejoint/><geom name="right" size=".05" mass="2"/></body></worldbody></mujoco>"""
    runs = []
    for flag in ("enable", "disable"):
        model, data = load(prepare(text.format(flag), soil, "--feet", "left,right"), 0.001)
        seen = []
        for k in range(3000):
            data.xfrc_applied[1, 2] = -30 if k >= 1500 else 0
            mujoco.mj_step(model, data)
            seen.append((data.tree_asleep[0] >= 0, data.sensordata[2], data.plugin_state.copy(), data.qpos.copy()))
        assert data.sensordata[[2, 8]] == pytest.approx([39.81, 2 * 9.81], rel=1e-5)
        runs.append(seen)
    slept, awake = runs
    asleep = [k for k in range(1500) if slept[k][0] and slept[k - 1][0]]
    assert len(asleep) > 100 and asleep[-1] == 1499
    assert not any(step[0] for step in slept[1501:1600]) and not any(step[0] for step in awake)
    for k in asleep:
        assert slept[k][1] == pytest.approx(9.81, rel=1e-5)
        assert np.array_equal(slept[k][3][:7], slept[k - 1][3][:7])
    if soil == "dry-sand" and slept[-1][0]:  # both sleep: the ground remembers what it did
        assert np.array_equal(slept[-1][2], slept[-2][2])
    for k in range(3000):
        assert slept[k][3] == pytest.approx(awake[k][3], rel=1e-6, abs=1e-7)


def test_resets_forget_the_footprints(prepare, repository):
    """After mj_resetData and a keyframe the ground is untouched: the same steps as of new data."""
    model, data = load(prepare(repository / "robots/quadruped.xml", "dry-sand"), 0.002)
    for reset in (mujoco.mj_resetData, lambda m, d: mujoco.mj_resetDataKeyframe(m, d, 0)):
        reset(model, data)
        fresh = data.plugin_state.copy()
        mujoco.mj_step(model, data, 300)
        first = data.qpos.copy()
        assert not np.array_equal(data.plugin_state, fresh)
        reset(model, data)
        assert np.array_equal(data.plugin_state, fresh)
        mujoco.mj_step(model, data, 300)
        assert np.array_equal(data.qpos, first)


def test_it_wants_the_mujoco_that_it_was_built_for(plugin, tmp_path):
    """Loaded without MuJoCo, or beside another version of it, it says so and registers nothing."""
    code = "import ctypes, sys\nfor library in sys.argv[1:]: ctypes.CDLL(library, ctypes.RTLD_GLOBAL)"

    def load_after(*libraries: object) -> str:
        command = [sys.executable, "-c", code, *map(str, libraries), str(plugin)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert "no MuJoCo in this process" in load_after()
    source, other = tmp_path / "other.c", tmp_path / "libmujoco.so.3.9.9"
    source.write_text("int mj_version(void) { return 3009009; }")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", other, source], check=True)
    assert "this is MuJoCo 3009009, expected 4000000: the plugin is not registered" in load_after(other)


def test_a_stock_script_runs_unchanged(prepare, plugin, repository, tmp_path):
    """The trot of the examples, which knows MuJoCo alone: on MuJoCo's own ground, and on models with soil."""
    script = (repository / "examples/mujoco_trot.py").read_text()
    assert "footfall" not in script.lower()
    stock = mujoco.MjSpec.from_file(str(repository / "robots/quadruped.xml"))
    stock.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    stock.compile()
    model = tmp_path / "trot.xml"
    for text in (stock.to_xml(), *(prepare(repository / "robots/quadruped.xml", s) for s in ("concrete", "sandy-loam"))):
        model.write_text(text)
        command = [sys.executable, "-", model, "--plugin", plugin, "--duration", "2"]
        done = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
        way, upright = re.fullmatch(r"([-.0-9]+) m in 2.0 s, .*(upright|fallen)\n", done.stdout).groups()
        assert upright == "upright"
        assert 0.15 < float(way) < 0.8
