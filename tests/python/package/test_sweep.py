"""Sweeps: every run once, whoever runs it and whatever dies meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
ROOT = Path(__file__).resolve().parents[3]
STAGE = ROOT / "build/release/python"
SCENARIO = "scenarios/quadruped_trot_sand.toml"
OVER = {"soil.name": ["dry-sand", "sandy-loam"], "controller.speed_m_per_s": [0.3, 0.5]}
SHORT = {"step.duration_s": 0.3}
TIMED = ("wall_time_s", "realtime_factor")


def results(table):
    kept = table.drop(columns=[name for name in TIMED if name in table])
    return kept.sort_values([*OVER, "repeat"], kind="stable").reset_index(drop=True)


@pytest.fixture(scope="module")
def table(ff):
    return ff.sweep(SCENARIO, OVER, repeats=2, settings=SHORT, processes=2, progress=False)


def test_every_combination_is_run_and_in_order(ff, table):
    assert len(table) == 8
    assert list(zip(table["soil.name"], table["controller.speed_m_per_s"], table["repeat"], strict=True)) == [
        (soil, speed, repeat) for soil in OVER["soil.name"] for speed in OVER["controller.speed_m_per_s"] for repeat in (0, 1)
    ]  # fmt: skip
    assert (table["error"] == "").all() and not table["fallen"].any()
    # repeats differ, and are what a run of its own gives
    first = table.iloc[0]
    assert table["base_height_m"].nunique() == 8
    velocity = list(first["robot.linear_velocity_m_per_s"])
    run = ff.run(SCENARIO, {**SHORT, "soil.name": "dry-sand", "controller.speed_m_per_s": 0.3,
                            "robot.linear_velocity_m_per_s": velocity}, record=False, progress=False)  # fmt: skip
    assert run.summary["base_height_m"] == first["base_height_m"]
    foot = run.feet[0]
    assert first[f"feet.{foot['name']}.sinkage_m"] == foot["sinkage_m"]


def test_the_number_of_processes_changes_nothing(ff, table):
    one = ff.sweep(SCENARIO, OVER, repeats=2, settings=SHORT, processes=1, progress=False)
    pandas.testing.assert_frame_equal(results(one), results(table))


def children(of: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{of}/task/{of}/children").read_text().split()]


def test_a_process_that_dies_costs_no_run(ff, table):
    killed = []

    def kill(share: float) -> None:
        if killed:
            return
        for thread in Path("/proc/self/task").iterdir():
            for pid in map(int, (thread / "children").read_text().split()):
                if b"serve_cases" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    return

    again = ff.sweep(SCENARIO, OVER, repeats=2, settings=SHORT, processes=2, progress=kill)
    assert killed
    pandas.testing.assert_frame_equal(results(again), results(table))


def test_a_dask_cluster_gives_the_same_also_where_a_worker_is_killed(ff, table, tmp_path):
    distributed = pytest.importorskip("distributed")
    environment = {**os.environ, "PYTHONPATH": str(STAGE)}
    # --no-nanny: a worker that is killed stays dead
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
         "--scheduler-file", tmp_path / "scheduler.json", "--host", "127.0.0.1"],
        env=environment, stderr=subprocess.DEVNULL)  # fmt: skip
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", tmp_path / "scheduler.json",
             "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", tmp_path, "--host", "127.0.0.1"],
            env=environment, cwd=ROOT, stderr=subprocess.DEVNULL)
        for _ in range(2)
    ]  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "scheduler.json").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(tmp_path / "scheduler.json"), timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            shares: list[float] = []

            def kill(share: float) -> None:
                shares.append(share)
                if len(shares) == 2:
                    workers[0].kill()

            again = ff.sweep(SCENARIO, OVER, repeats=2, settings=SHORT, client=client, progress=kill)
        assert workers[0].wait(10) == -signal.SIGKILL
        assert workers[1].poll() is None
        assert len(shares) == 8 and shares == sorted(shares) and shares[-1] == 1
        pandas.testing.assert_frame_equal(results(again), results(table))
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_a_run_that_fails_is_a_row_with_its_message(ff):
    over = {"controller.speed_m_per_s": [0.3, 90.0]}
    with pytest.raises(ff.InputError, match="speed_m_per_s"):  # before anything runs
        ff.sweep(SCENARIO, over, settings=SHORT, progress=False)
    # what only shows when the world is made
    over = {"robot.keyframe": ["stand", "fly"]}
    table = ff.sweep(SCENARIO, over, settings=SHORT, processes=1, progress=False)
    assert table["error"][0] == "" and "fly" in table["error"][1]


@pytest.mark.parametrize(
    ("over", "options", "message"),
    [
        ({"soil.nmae": ["x"]}, {}, "did you mean"),
        ({"soil.name": "dry-sand"}, {}, "expected a list of values"),
        ({"soil.name": ["dry-sand"]}, {"repeats": 0}, "repeats = 0"),
        ({"soil.name": ["dry-sand"]}, {"processes": 0}, "processes = 0"),
        ({"soil.name": ["dry-sand"]}, {"vary": {"robot.drop_height_m": (1, 0)}}, "two bounds, the smaller one first"),
    ],
)
def test_wrong_input_is_one_clear_error(ff, over, options, message):
    with pytest.raises(ff.InputError) as error:
        ff.sweep(SCENARIO, over, progress=False, **options)
    assert message in str(error.value)


def test_what_varies_is_drawn_by_seed(ff):
    options = {"settings": SHORT, "processes": 1, "progress": False, "repeats": 3}
    vary = {"robot.drop_height_m": (0.0, 0.02), "ruts.cell_mm": (5, 5)}
    over = {"soil.name": ["dry-sand"]}
    a = ff.sweep(SCENARIO, over, vary=vary, **options)
    b = ff.sweep(SCENARIO, over, vary=vary, **options)
    c = ff.sweep(SCENARIO, over, vary=vary, seed=1, **options)
    assert (a["robot.drop_height_m"] == b["robot.drop_height_m"]).all()
    assert (a["robot.drop_height_m"] != c["robot.drop_height_m"]).all()
    assert a["robot.drop_height_m"].between(0, 0.02).all() and a["robot.drop_height_m"].nunique() == 3
    assert (a["ruts.cell_mm"] == 5).all()
