"""Runs of scenarios: run(), and what it gives."""

from __future__ import annotations

import functools
import html
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _footfall
from ._footfall import RunFile, Scenario, World
from ._scenario import PathText, Settings, as_world, load_scenario

if TYPE_CHECKING:
    import pandas

Progress = Callable[[float], None]


class ProgressBar:
    """A bar in a notebook or on a terminal, once a call takes longer than a second."""

    QUIET = 1.0  # before it appears [s]

    def __init__(self, title: str) -> None:
        self.title = title
        self.start = time.monotonic()
        self.shown = False
        self.display: Any = None
        self.in_notebook = "ipykernel" in sys.modules
        self.on = self.in_notebook or sys.stderr.isatty()

    def __call__(self, share: float) -> None:
        elapsed = time.monotonic() - self.start
        if not self.on or elapsed < self.QUIET or share <= 0:
            return
        left = int(elapsed * (1 - share) / share + 0.999)
        text = f"{self.title}: {100 * share:3.0f} %, {left // 60}:{left % 60:02} left"
        if self.in_notebook:
            from IPython.display import HTML, display

            bar = HTML(f"<progress value='{share:.3f}'></progress> {html.escape(text)}")
            if self.display is None:
                self.display = display(bar, display_id=True)
            else:
                self.display.update(bar)
        else:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
        self.shown = True

    def clear(self) -> None:
        if self.shown and self.in_notebook:
            from IPython.display import HTML

            self.display.update(HTML(""))
        elif self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def choose_progress(progress: bool | Progress, title: str) -> tuple[Progress | None, Callable[[], None]]:
    """What is told the share done, and what takes the bar away."""
    if callable(progress):
        return progress, lambda: None
    if not progress:
        return None, lambda: None
    bar = ProgressBar(title)
    return bar, bar.clear


class Run:
    """A run that is over.

    summary   how it ended: what `footfall run --json` prints, with its keys and units
    file      the run file; None where it was not recorded
    """

    def __init__(self, summary: dict[str, Any]) -> None:
        self.summary = summary
        self.file: Path | None = Path(summary["result_file"]) if summary.get("result_file") else None

    @property
    def feet(self) -> list[dict[str, Any]]:
        """How each foot stands at the end."""
        feet: list[dict[str, Any]] = self.summary["feet"]
        return feet

    @property
    def warnings(self) -> list[str]:
        warnings: list[str] = self.summary["warnings"]
        return warnings

    @functools.cached_property
    def data(self) -> RunFile:
        """All that was recorded, step by step."""
        if self.file is None:
            raise _footfall.InputError("the run was not recorded: run it with record=True")
        return _footfall.read_run(self.file)

    def table(self) -> pandas.DataFrame:
        """What was recorded as a pandas DataFrame: a row per step, units in the names of the columns."""
        return run_table(self.data)

    def report(self, file: PathText | None = None) -> Path:
        """Writes the report, one HTML file that opens from disk; by default beside the run file."""
        data = self.data
        target = Path(file) if file is not None else Path(data.file).parent / "report.html"
        data.write_report(target)
        return target

    def _repr_html_(self) -> str:
        if self.file is None:
            return f"<pre>{html.escape(repr(self))}</pre>"
        page = html.escape(self.data.report_html(), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self) -> str:
        s = self.summary
        end = "fallen" if s["fallen"] else "at rest" if s["settled"] else "moving"
        return f"<footfall.Run '{s['scenario']}': robot '{s['robot']}', {s['time_s']:g} s, {end} at the end>"


def column_name(name: str, part: str, unit: str) -> str:
    full = f"{name}/{part}" if part else name
    return f"{full} [{unit}]" if unit else full


def run_table(data: RunFile) -> pandas.DataFrame:
    """A run file as a pandas DataFrame: a row per step, units in the names of the columns."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables are pandas DataFrames: pip install pandas") from error
    columns: dict[str, Any] = {}
    for name in data.columns:
        column = data.column(name)
        values = column.values
        if values.ndim == 1:
            columns[column_name(name, "", column.unit)] = values
            continue
        for i in range(column.width):
            part = column.names[i] if i < len(column.names) else str(i)
            unit = column.units[i] if i < len(column.units) else column.unit
            columns[column_name(name, part, unit)] = values[:, i]
    return pandas.DataFrame(columns)


def run(
    scenario: PathText | Scenario | World,
    settings: Settings | None = None,
    *,
    speed: float | None = None,
    output: PathText | None = None,
    record: bool = True,
    progress: bool | Progress = True,
) -> Run:
    """Runs a scenario from its first step to its last.

    scenario  a scenario file, a Scenario, or a World
    settings  values that replace those of a file: {"soil.name": "snow-us"}
    speed     of a gait: short for {"controller.speed_m_per_s": speed} [m/s]
    output    folder of the results; by default what the scenario says, results/<name>
    record    write the run file
    progress  a bar once it takes longer than a second; or a function that is told the share done

    Ctrl-C ends it after the present step; what was done lies in run.unfinished.h5 then.
    """
    if speed is not None:
        settings = [*_override_list(settings), f"controller.speed_m_per_s={float(speed)!r}"]
    if isinstance(scenario, str | os.PathLike):
        scenario = load_scenario(scenario, settings)
    elif settings:
        raise _footfall.InputError("settings replace values of a scenario file; this scenario is already read")
    world = as_world(scenario)
    tell, clear = choose_progress(progress, world.scenario.name)
    try:
        summary = _footfall.run_world(world, "" if output is None else os.fspath(output), record, "footfall.run", tell)
    finally:
        clear()
    return Run(summary)


def _override_list(settings: Settings | None) -> list[str]:
    from ._toml import override_texts

    return override_texts(settings)


def read_run(file: PathText) -> Run:
    """A run from its run file, of Python or of the program."""
    import json

    data = _footfall.read_run(Path(file))
    summary = json.loads(data.texts["summary"]) if "summary" in data.texts else {"result_file": str(file)}
    summary["result_file"] = str(file)
    found = Run(summary)
    found.__dict__["data"] = data
    return found
