"""Worlds and simulations of the package: the same bits as the program's, views without copies, states restored."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

STAGE = Path(__file__).resolve().parents[3] / "build/release/python"


@pytest.fixture(scope="module")
def world(ff):
    return ff.World(robot="quadruped", soil="dry-sand", timestep=0.001)


def drive(sim, steps: int) -> np.ndarray:
    """Random torques, always the same."""
    random = np.random.default_rng(1)
    rows = []
    for _ in range(steps):
        sim.control[:] = random.uniform(-5, 5, sim.control.size)
        sim.step()
        rows.append(np.concatenate([sim.qpos, sim.qvel, *(foot.force for foot in sim.feet)]))
    return np.array(rows)


def test_a_world_says_what_it_is(world):
    assert (world.nq, world.nv, world.nu) == (19, 18, 12)
    assert world.timestep == 0.001
    assert len(world.foot_names) == 4 and len(world.actuator_names) == 12
    assert world.control_range.shape == (12, 2)
    assert world.force_scale == pytest.approx(9.81 * world.mass)


def test_views_are_the_simulation(ff, world):
    sim = ff.Simulation(world)
    height, torque = sim.qpos, sim.control
    before = height[2]
    sim.step(50)
    assert height[2] != before and height[2] == sim.qpos[2]
    torque[:] = 2.5
    assert (sim.control == 2.5).all()
    sim.qvel = np.arange(18.0)
    assert (sim.qvel == np.arange(18.0)).all()
    saved = sim.save()
    sim.step(5)
    sim.restore(saved)
    assert (height == sim.qpos).all() and height.base is not None
    del sim
    gc.collect()
    assert np.isfinite(height).all()  # it keeps the simulation alive


def test_a_restored_state_goes_on_bit_by_bit_footprints_included(ff, world):
    sim = ff.Simulation(world)
    drive(sim, 150)
    saved = sim.save()
    first = drive(sim, 200)
    sim.restore(saved)
    assert (drive(sim, 200) == first).all()
    other = ff.Simulation(world)
    other.restore(saved)
    assert (drive(other, 200) == first).all()
    # without what the ground remembers it goes elsewhere
    bare = ff.Simulation(world, saved.qpos)
    bare.qvel = saved.qvel
    assert (drive(bare, 200) != first).any()


def test_a_run_of_the_package_has_the_bits_of_the_program(ff, footfall, tmp_path):
    settings = {"step.duration_s": 0.4}
    ours = ff.run("scenarios/quadruped_trot_sand.toml", settings, output=tmp_path / "ours", progress=False)
    footfall("run", "scenarios/quadruped_trot_sand.toml", "--set", "step.duration_s=0.4", "-o", tmp_path / "program")
    program = ff.read_run(tmp_path / "program/run.h5")
    assert ours.data.columns == program.data.columns
    for name in ours.data.columns:
        if not name.startswith("stages/"):  # times
            assert np.array_equal(ours.data[name], program.data[name]), name
    timed = {"wall_time_s", "realtime_factor", "stage_times_s", "result_file", "report_file"}
    assert {k: v for k, v in ours.summary.items() if k not in timed} == {
        k: v for k, v in program.summary.items() if k not in timed
    }


def test_energy_follows_from_masses_and_heights(ff):
    world = ff.World(robot="ball", settings={"contact": "none"})
    sim = ff.Simulation(world)
    sim.qvel[:] = 0
    start, height = sim.energy(), sim.qpos[2]
    sim.step(100)
    fallen = start.gravity - sim.energy().gravity
    assert fallen == pytest.approx(world.mass * 9.81 * (height - sim.qpos[2]), rel=1e-12)
    assert sim.energy().kinetic == pytest.approx(0.5 * world.mass * np.sum(sim.qvel[:3] ** 2), rel=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda ff, w: ff.World(robot="quadrupde"), "robot 'quadrupde' is not in the robot library"),
        (lambda ff, w: ff.World(robot="quadruped", soil="dry-snad"), "did you mean 'dry-sand'?"),
        (lambda ff, w: ff.World(robot="quadruped", soil="dry-sand", settings={"step.timestp_s": 1}), "did you mean"),
        (lambda ff, w: ff.World(robot="quadruped", soil="dry-sand", timestep=-1), "'step.timestep_s' = -1"),
        (lambda ff, w: ff.Simulation(w, np.zeros(3)), "qpos has 3 numbers, expected 19"),
        (lambda ff, w: ff.Simulation(w).step(0), "count = 0, expected 1 or more"),
        (lambda ff, w: setattr(ff.Simulation(w), "control", np.zeros(2)), "control has 2 numbers, expected 12"),
    ],
)
def test_wrong_input_is_one_clear_error(ff, world, make, message):
    with pytest.raises(ff.InputError) as error:
        make(ff, world)
    assert message in str(error.value)


def test_a_control_that_is_no_number_is_refused(ff, world):
    sim = ff.Simulation(world)
    sim.control[3] = np.nan
    with pytest.raises(ff.InputError, match=r"control\[3\] = nan, expected a finite number"):
        sim.step()


def test_errors_have_the_text_of_the_program(ff, footfall):
    setting = "soil.stifness=3"
    done = footfall("run", "scenarios/quadruped_drop.toml", "--set", setting, expect=2)
    with pytest.raises(ff.InputError) as error:
        ff.run("scenarios/quadruped_drop.toml", [setting])
    assert done.stderr == f"footfall: error: {error.value}\n"


@pytest.mark.parametrize("example", [["drop_a_ball"], ["expected_sinkage", "sandy-loam"], ["walks", "concrete"]])
def test_the_example_has_the_output_of_its_twin(repository, example):
    name, *words = example
    twin = repository / "build/release/examples" / name
    if not twin.is_file():
        pytest.skip("the C++ examples are not built")
    ours = subprocess.run(
        [sys.executable, f"examples/{name}.py", *words], cwd=repository, env={"PYTHONPATH": str(STAGE)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    theirs = subprocess.run([twin, *words], cwd=repository, capture_output=True, text=True, check=True)
    assert ours.stdout == theirs.stdout


def test_ctrl_c_ends_a_run_and_keeps_what_was_done(ff, repository, tmp_path):
    code = (
        "import signal, os, threading, footfall as ff\n"
        "threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    ff.run('scenarios/quadruped_trot_sand.toml', {'step.duration_s': 3600}, output='run')\n"
        "except KeyboardInterrupt:\n"
        "    print(ff.read_run('run/run.unfinished.h5').data.row_count > 0)\n"
    )
    (tmp_path / "scenarios").symlink_to(repository / "scenarios")
    (tmp_path / "robots").symlink_to(repository / "robots")
    (tmp_path / "soils").symlink_to(repository / "soils")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(STAGE)},
                          capture_output=True, text=True, timeout=60, check=True)  # fmt: skip
    assert done.stdout == "True\n"
