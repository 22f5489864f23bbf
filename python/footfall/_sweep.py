"""Many runs of one scenario: sweep()."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _footfall, _toml
from ._footfall import InputError, Scenario
from ._run import Progress, choose_progress
from ._scenario import PathText, Settings

if TYPE_CHECKING:
    import pandas

Results = Generator[tuple[int, dict[str, Any]], None, None]  # a case's number and what it gave
ATTEMPTS = 3  # at one run, where processes die
SERVE = "from footfall._sweep import serve_cases; serve_cases()"
START_SPEED = 0.05  # largest velocity along x and y that repeats start with [m/s]


def sweep(
    scenario: PathText | Scenario,
    over: Mapping[str, Sequence[Any]],
    *,
    repeats: int = 1,
    vary: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    processes: int | None = None,
    client: Any = None,
    progress: bool | Progress = True,
) -> pandas.DataFrame:
    """Runs a scenario with every combination of values, and returns a row for each run.

    scenario   a scenario file or a Scenario
    over       values by key: {"soil.name": ["dry-sand", "snow-us"], "controller.speed_m_per_s": [0.3, 0.5]}
    repeats    runs of each combination
    vary       what differs between repeats: numbers drawn evenly between two bounds, {"robot.drop_height_m": (0, 0.02)};
               whole numbers between whole bounds. By default another small velocity along x and y at the start
               (up to 0.05 m/s), and on ground of kind "noise" another seed
    seed       of what is drawn; a run's draw depends on its combination and repeat alone, not on who runs it
    settings   values for all runs
    processes  on this machine; by default one per processor
    client     a dask.distributed.Client: its workers, which need footfall too, run the sweep in place of processes
    progress   a bar with the time left; or a function that is told the share done

    Columns are the keys of `over`, `repeat`, what was drawn, and the numbers and flags that `footfall run --json` prints:
    "fallen", "gait.speed_m_per_s", "feet.front_left_foot.sinkage_m". A run that fails leaves its message in "error".
    A run whose process dies is done again, up to three times.
    """
    cases = make_cases(scenario, over, repeats, vary, seed, settings)
    tell, clear = choose_progress(progress, f"sweep of {len(cases)} runs")
    rows: list[dict[str, Any] | None] = [None] * len(cases)
    done = 0
    if client is not None:
        results = run_on_cluster(cases, client)
    else:
        results = run_on_this_machine(cases, processes)
    try:
        for number, result in results:
            assert rows[number] is None  # nothing twice
            rows[number] = {**cases[number]["labels"], **result}
            done += 1
            if tell is not None:
                tell(done / len(cases))
    finally:
        results.close()
        clear()
    return to_frame(rows)


def to_frame(rows: Sequence[dict[str, Any] | None]) -> pandas.DataFrame:
    import pandas

    frame = pandas.DataFrame(rows)
    if "error" in frame:
        frame["error"] = frame.pop("error").fillna("")
    else:
        frame["error"] = ""
    return frame


def make_cases(
    scenario: PathText | Scenario,
    over: Mapping[str, Sequence[Any]],
    repeats: int,
    vary: Mapping[str, tuple[float, float]] | None,
    seed: int,
    settings: Settings | None,
) -> list[dict[str, Any]]:
    """Every run as a text that any process understands."""
    if repeats < 1:
        raise InputError(f"repeats = {repeats}, expected 1 or more")
    for key, values in over.items():
        if isinstance(values, str) or not isinstance(values, Iterable) or len(list(values)) == 0:
            raise InputError(f"over: '{key}' has {values!r}, expected a list of values")
    read = scenario if isinstance(scenario, Scenario) else _footfall.load_scenario(
        Path(scenario).absolute(), _toml.override_texts(settings))  # fmt: skip
    if isinstance(scenario, Scenario) and settings:
        raise InputError("settings replace values of a scenario file; this scenario is already read")
    where = {"text": read.text, "name": read.name, "folder": os.fspath(Path(read.file).parent.absolute())}
    cases = []
    for combination, values in enumerate(itertools.product(*over.values())):
        labels = dict(zip(over, values, strict=True))
        chosen = _toml.override_texts(labels)
        parsed = _footfall.parse_scenario(where["text"], where["name"], Path(where["folder"]), chosen)
        for repeat in range(repeats):
            drawn = draw(vary, seed, combination, repeat, parsed.text) if repeats > 1 or vary else {}
            cases.append({
                **where,
                "settings": chosen + _toml.override_texts(drawn),
                "labels": {**labels, "repeat": repeat, **drawn},
            })  # fmt: skip
    return cases


def draw(
    vary: Mapping[str, tuple[float, float]] | None, seed: int, combination: int, repeat: int, text: str
) -> dict[str, Any]:
    """What is particular about a repeat."""
    random = np.random.default_rng([seed, combination, repeat])
    if vary is None:
        import tomllib

        x, y = random.uniform(-START_SPEED, START_SPEED, 2)
        drawn: dict[str, Any] = {"robot.linear_velocity_m_per_s": [float(x), float(y), 0.0]}
        if tomllib.loads(text).get("ground", {}).get("kind") == "noise":
            drawn["ground.seed"] = repeat
        return drawn
    drawn = {}
    for key, bounds in vary.items():
        if len(bounds) != 2 or not bounds[0] <= bounds[1]:
            raise InputError(f"vary: '{key}' has {bounds!r}, expected two bounds, the smaller one first")
        low, high = bounds
        if isinstance(low, int) and isinstance(high, int):
            drawn[key] = int(random.integers(low, high, endpoint=True))
        else:
            drawn[key] = float(random.uniform(low, high))
    return drawn


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Numbers, flags and short texts of a summary, with paths as names; feet by their names."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        elif isinstance(value, list) and value and all(isinstance(v, Mapping) and "name" in v for v in value):
            for entry in value:
                flat |= flatten({k: v for k, v in entry.items() if k != "name"}, f"{prefix}{key}.{entry['name']}.")
        elif isinstance(value, list) and value and all(isinstance(v, int | float) for v in value):
            flat |= {f"{prefix}{key}.{i}": v for i, v in enumerate(value)}
        elif isinstance(value, bool | int | float | str):
            flat[f"{prefix}{key}"] = value
    return flat


NOT_A_RESULT = ("scenario", "result_file", "report_file", "footfall", "command", "stage_times_s")


def run_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """One run, here; its results, or why there are none."""
    try:
        scenario = _footfall.parse_scenario(case["text"], case["name"], Path(case["folder"]), case["settings"])
        world = _footfall.World(scenario)
        summary = _footfall.run_world(world, "", False, "footfall.sweep", None)
    except (InputError, _footfall.RunFailure) as error:
        return {"error": str(error)}
    return flatten({key: value for key, value in summary.items() if key not in NOT_A_RESULT})


def run_on_cluster(cases: Sequence[Mapping[str, Any]], client: Any) -> Results:
    """Runs of a Dask cluster as they come. It gives those of a worker that is lost to another one."""
    from uuid import uuid4

    from distributed import as_completed

    name = f"footfall-sweep-{uuid4().hex[:8]}"
    futures = {
        client.submit(run_case, case, key=f"{name}-{number}", pure=False, retries=ATTEMPTS - 1): number
        for number, case in enumerate(cases)
    }
    try:
        for future in as_completed(list(futures)):
            yield futures[future], future.result()
    finally:
        client.cancel(list(futures))


class Worker:
    """A process that runs cases: one line of JSON in, one out."""

    def __init__(self) -> None:
        folder = os.fspath(Path(__file__).parents[1])
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, start_new_session=True,
        )  # fmt: skip

    def run(self, case: Mapping[str, Any]) -> dict[str, Any] | None:
        """None: the process has died."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(case) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            return None
        if not line.endswith("\n"):
            return None
        result: dict[str, Any] = json.loads(line)
        return result

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def run_on_this_machine(
    cases: Sequence[Mapping[str, Any]], processes: int | None
) -> Results:
    """Runs of processes of their own, as they come. What a process that dies was doing is done again by a new one."""
    wanted = len(os.sched_getaffinity(0)) if processes is None else processes
    if wanted < 1:
        raise InputError(f"processes = {processes}, expected 1 or more")
    waiting: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()  # number of a case, attempts
    results: queue.SimpleQueue[tuple[int, dict[str, Any] | BaseException]] = queue.SimpleQueue()
    for number in range(len(cases)):
        waiting.put((number, 0))
    workers: list[Worker] = []
    stop = threading.Event()
    plain = [{key: value for key, value in case.items() if key != "labels"} for case in cases]

    def serve() -> None:
        worker: Worker | None = None
        while not stop.is_set():
            try:
                number, attempts = waiting.get_nowait()
            except queue.Empty:
                break
            if worker is None:
                worker = Worker()
                workers.append(worker)
            result = worker.run(plain[number])
            if result is not None:
                results.put((number, result))
                continue
            worker.close()
            worker = None
            if stop.is_set():
                break
            if attempts + 1 < ATTEMPTS:
                waiting.put((number, attempts + 1))
            else:
                results.put((number, {"error": f"the process of this run died {ATTEMPTS} times"}))
        if worker is not None:
            worker.close()

    def guarded() -> None:
        try:
            serve()
        except BaseException as error:
            results.put((-1, error))

    threads = [threading.Thread(target=guarded, daemon=True) for _ in range(min(wanted, len(cases)))]
    for thread in threads:
        thread.start()
    try:
        for _ in range(len(cases)):
            number, result = results.get()
            if isinstance(result, BaseException):
                raise result
            yield number, result
    finally:
        stop.set()
        for worker in list(workers):
            worker.process.kill()
        for thread in threads:
            thread.join()


def serve_cases() -> None:
    """What a process of run_on_this_machine() does until nobody asks any more."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else prints
    for line in sys.stdin:
        out.write(json.dumps(run_case(json.loads(line))) + "\n")
        out.flush()

