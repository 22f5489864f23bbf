"""What Python costs over C++: importing, one step, a batch. Prints a line each; --check fails beyond the limits.

    make bench-python

A quadruped stands on dry sand, its motors hold the joints. One step: `sim.step()` called from Python against
`sim.step(200)`, whose loop is in C++. A batch of 1024: `batch.step(targets, substeps=10)` with fresh targets against
calls that stay in C++ for 60 substeps, on one thread; what it costs to read and write the rows counts as Python's too. Both take
turns, and the fastest turn of each counts, since others use the same machine.
"""

from __future__ import annotations

import subprocess
import sys
import time

IMPORT_LIMIT = 0.3  # [s]
STEP_LIMIT = 1e-6  # [s]
BATCH_LIMIT = 0.03  # [-]
TIMED = "import time; t = time.perf_counter(); import footfall; print(time.perf_counter() - t)"


def import_time() -> float:
    """The fastest of several, each in a process of its own [s]."""
    command = [sys.executable, "-c", TIMED]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(5))


def seconds(act, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        act()
    return time.perf_counter() - start


def fastest(acts, turns: int) -> list[float]:
    """Of each the fastest of several turns."""
    return [min(times) for times in zip(*([act() for act in acts] for _ in range(turns)), strict=True)]


def step_times(ff, world, turns: int) -> list[float]:
    """From Python and in C++, of one step [s]."""
    sim = ff.Simulation(world)
    sim.servo_kp[:], sim.servo_kd[:] = 60, 3
    sim.servo_position[:] = sim.qpos[7:]
    sim.step(2000)
    return fastest([lambda: seconds(sim.step, 200) / 200, lambda: seconds(lambda: sim.step(200), 1) / 200], 20 * turns)


def batch_times(ff, world, turns: int) -> list[float]:
    """From Python and in C++, of ten substeps of 1024 robots [s]."""
    batch = ff.Batch(world, 1024, threads=1)
    batch.servo_kp[:], batch.servo_kd[:] = 60, 3
    targets = batch.qpos[:, 7:].copy()
    batch.step(targets, substeps=1000)
    from_python = lambda: seconds(lambda: batch.step(targets, substeps=10), 1)  # noqa: E731
    in_cpp = lambda: seconds(lambda: batch.step(substeps=60), 1) / 6  # noqa: E731
    return fastest([from_python, in_cpp], 2 * turns)


def main() -> int:
    turns = 5 if "--quick" in sys.argv else 20
    imported = import_time()
    import footfall as ff

    world = ff.World(robot="quadruped", soil="dry-sand", timestep=0.001)
    python, cpp = step_times(ff, world, turns)
    many, many_cpp = batch_times(ff, world, turns)
    share = many / many_cpp - 1
    print(f"import footfall      {imported:.3f} s (limit {IMPORT_LIMIT} s)")
    print(f"one step             {1e6 * python:.2f} µs from Python, {1e6 * cpp:.2f} µs in C++: "
          f"{1e6 * (python - cpp):.2f} µs more (limit {1e6 * STEP_LIMIT:.0f} µs)")  # fmt: skip
    print(f"1024 robots, 10 steps {1e3 * many:.2f} ms from Python, {1e3 * many_cpp:.2f} ms in C++: "
          f"{100 * share:.1f} % more (limit {100 * BATCH_LIMIT:.0f} %)")  # fmt: skip
    fine = imported < IMPORT_LIMIT and python - cpp < STEP_LIMIT and share < BATCH_LIMIT
    return 0 if fine or "--check" not in sys.argv else 1


if __name__ == "__main__":
    sys.exit(main())
