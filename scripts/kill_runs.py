#!/usr/bin/env python3
"""Kills recorded runs at random moments and reads what is left of them.

    scripts/kill_runs.py --count 1000            SIGKILL, in mid-run and within the first 50 ms
    scripts/kill_runs.py --count 200 --power-cut also throws away what was written after the last fsync

Each time it checks that what was recorded up to the last flush can be read by `footfall export`, that the previous
result is still there and whole, and that the next run finds what is left. Ends with status 1 if any was lost.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLUSH_S = 1.0  # a run flushes every second at the latest


class Campaign:
    def __init__(self, program: Path, scenario: str, seed: int, folder: Path) -> None:
        self.program, self.scenario, self.folder = program, scenario, folder
        self.random = random.Random(seed)
        self.output = folder / "results"
        self.rows = self.empty = self.early = 0
        self.problems: list[str] = []

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [str(self.program), *map(str, arguments)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    def command(self, duration_s: float) -> list[str]:
        return [str(self.program), "run", self.scenario, "--json", "-o", str(self.output),
                "--set", f"step.duration_s={duration_s}"]

    def make_previous_result(self) -> None:
        done = subprocess.run(self.command(0.2), cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"the run that is to be kept failed: {done.stderr}")
        self.previous = {f.name: f.read_bytes() for f in self.output.iterdir() if f.is_file()}

    def check_previous_result(self, when: str) -> None:
        for name, content in self.previous.items():
            if not (self.output / name).exists() or (self.output / name).read_bytes() != content:
                self.problems.append(f"{when}: the previous {name} was lost")

    def kill_once(self, delay_s: float) -> None:
        when = f"killed after {1e3 * delay_s:.1f} ms"
        process = subprocess.Popen(self.command(1e5), cwd=ROOT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(delay_s)
        process.kill()
        process.wait()
        self.check_previous_result(when)
        left = self.output / ".run.h5.partial"
        if not left.exists():
            self.early += 1  # it had not begun to record
            return
        self.check_left(left, delay_s, when)
        left.unlink()

    def check_left(self, left: Path, delay_s: float, when: str) -> None:
        table = self.folder / "left.csv"
        table.unlink(missing_ok=True)
        done = self.run("export", left, table)
        rows = sum(1 for _ in table.open()) - 1 if table.exists() else 0
        self.rows += rows
        if done.returncode == 0 and rows > 0:
            return
        # Before the first flush there is nothing to be read; that must be said and no more.
        if rows == 0 and delay_s < FLUSH_S and "holds no rows" not in done.stderr and left.stat().st_size:
            self.empty += 1
            return
        self.problems.append(f"{when}: {left.stat().st_size} bytes are left: {done.stderr.strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=1.5, help="latest moment of a kill [s]")
    parser.add_argument("--scenario", default="scenarios/quadruped_sand.toml")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="footfall-kills-"))
