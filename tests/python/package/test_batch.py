"""Batches in Python: views, shapes, masks, the same bits as simulations."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest


@pytest.fixture(scope="module")
def world(ff):
    return ff.World(robot="quadruped", soil="dry-sand", timestep=0.001)


def hold(batch, world) -> np.ndarray:
    batch.servo_kp[:], batch.servo_kd[:] = 60, 3
    return np.tile(world.start_qpos[world.actuator_qpos], (len(batch), 1))


def test_alone_a_robot_has_the_bits_of_a_simulation(ff, world):
    random = np.random.default_rng(3)
    batch = ff.Batch(world, 5, lanes=False, feet=True)
    targets = hold(batch, world)
    sims = [ff.Simulation(world) for _ in range(5)]
    for sim in sims:
        sim.servo_kp[:], sim.servo_kd[:] = 60, 3
    for _ in range(20):
        aim = targets + random.uniform(-0.2, 0.2, targets.shape)
        batch.step(aim, substeps=10)
        for sim, row in zip(sims, aim, strict=True):
            sim.servo_position[:] = row
            sim.step(10)
    assert np.array_equal(batch.qpos, [sim.qpos for sim in sims])
    assert np.array_equal(batch.qvel, [sim.qvel for sim in sims])
    assert np.array_equal(batch.foot_force, [[foot.force for foot in sim.feet] for sim in sims])
    assert np.array_equal(batch.foot_sinkage, [[foot.sinkage for foot in sim.feet] for sim in sims])
    assert np.array_equal(batch.time, [sim.time for sim in sims])
    sims[0].restore(batch.save(3))
    batch.restore(1, sims[0].save())
    assert np.array_equal(batch.qpos[1], batch.qpos[3])


def test_threads_change_no_bit_and_lanes_only_round_off(ff, world):
    rows = {}
    for threads, lanes in ((1, True), (3, True), (2, False)):
        batch = ff.Batch(world, 20, threads=threads, lanes=lanes)
        targets = hold(batch, world) + np.linspace(-0.1, 0.1, 20)[:, None]
        batch.step(targets, substeps=150)
        rows[threads, lanes] = batch.qpos.copy()
    assert np.array_equal(rows[1, True], rows[3, True])
    assert np.abs(rows[1, True] - rows[2, False]).max() < 1e-8


def test_arrays_are_views_and_go_through_dlpack(ff, world):
    batch = ff.Batch(world, 9)
    assert batch.qpos.shape == (9, 19) and batch.qvel.shape == (9, 18) and batch.control.shape == (9, 12)
    seen = batch.qpos
    through = np.from_dlpack(batch.qpos)
    before = seen.copy()
    batch.step(substeps=30)
    assert (seen[:, 2] != before[:, 2]).all()
    assert through.ctypes.data == seen.ctypes.data == batch.qpos.ctypes.data
    batch.qvel[4, 0] = 0.5
    assert batch.qvel[4, 0] == 0.5
    batch.control = np.full(12, 1.5)  # one row for all
    assert (batch.control == 1.5).all()
    with pytest.raises((ValueError, TypeError)):
        batch.failed[0] = True
    del batch
    assert np.isfinite(seen).all()


def test_a_lost_robot_says_so_and_is_reset_by_mask(ff, world):
    batch = ff.Batch(world, 12)
    targets = hold(batch, world)
    batch.step(targets, substeps=20)
    batch.qvel[7, :3] = 1e300
    batch.step(targets, substeps=20)
    assert batch.failed.tolist() == [i == 7 for i in range(12)]
    batch.reset(batch.failed)
    assert not batch.failed.any()
    assert np.array_equal(batch.qpos[7], world.start_qpos)
    assert batch.time[7] == 0 and batch.time[6] == pytest.approx(0.04)
    batch.step(targets, substeps=20)
    assert not batch.failed.any()


def test_worlds_differ_and_are_replaced(ff, world):
    clay = ff.World(robot="quadruped", soil="heavy-clay", timestep=0.001)
    batch = ff.Batch([world, clay, world], lanes=False, feet=True)
    assert batch.world(1) is clay
    targets = hold(batch, world)
    batch.step(targets, substeps=300)
    assert np.array_equal(batch.qpos[0], batch.qpos[2])
    assert batch.foot_sinkage[0].mean() != batch.foot_sinkage[1].mean()
    batch.replace_world(0, clay)
    assert batch.time[0] == 0
    before = batch.qpos[1].copy()
    batch.step(targets, substeps=300, mask=np.array([True, False, False]))
    assert np.array_equal(batch.qpos[0], before)  # what the other did on clay
    assert np.array_equal(batch.qpos[1], before)  # which stood still
    heavy = world.scale_masses(1.2)
    assert heavy.mass == pytest.approx(1.2 * world.mass) and heavy.force_scale == pytest.approx(1.2 * world.force_scale)


def test_other_threads_run_meanwhile(ff, world):
    batch = ff.Batch(world, 64)
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    batch.step(substeps=1500)
    during = counted
    stop.set()
    thread.join()
    assert during > 3


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda ff, w: ff.Batch(w, 0), "count = 0, expected 1"),
        (lambda ff, w: ff.Batch(w, 8, feet=True), "lanes = false"),
        (lambda ff, w: ff.Batch(w, 8).step(np.zeros((8, 12))), "servo_kp is all zero"),
        (lambda ff, w: ff.Batch(w, 8).step(control=np.zeros((3, 12))), "shape (3, 12), expected (8, 12), or (12,)"),
        (lambda ff, w: ff.Batch(w, 8).step(control=np.full(12, np.inf)), "control[0, 0] = inf, expected a finite"),
        (lambda ff, w: ff.Batch(w, 8).step(substeps=0), "substeps = 0, expected 1"),
        (lambda ff, w: ff.Batch(w, 8).reset(np.ones(3, dtype=bool)), "mask has 3 entries, expected 8"),
        (lambda ff, w: ff.Batch(w, 8).save(8), "robot = 8, expected 0 to 7"),
        (lambda ff, w: ff.Batch(w, 8).foot_force, "make the batch with feet=True"),
        (lambda ff, w: ff.Batch([w, ff.World(robot="humanoid", soil="dry-sand")]), "robot 1 of the batch"),
    ],
)
def test_wrong_input_is_one_clear_error(ff, world, act, message):
    with pytest.raises(ff.InputError) as error:
        act(ff, world)
    assert message in str(error.value)
