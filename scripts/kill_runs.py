#!/usr/bin/env python3
"""Kills runs at random moments and reads what is left of them.

    scripts/kill_runs.py --count 1000               a third within the first 50 ms, in mid-run, near the end

After each kill the result of the run before must be there to the last byte, and what the killed run has flushed
must be readable: once there are rows they lie in .run.h5.partial, where the next run finds them. Prints the counts;
status 1 if anything was lost.
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
EARLY_S = 0.05  # after the start: a third of the kills
SHORT_RUN_S = 1.0  # of simulated time, for kills around the end of a run


class Campaign:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.output = folder / "results"
        self.counts = {"before the first rows": 0, "with rows": 0, "rows read": 0}
        self.lost: list[str] = []

    def command(self, duration_s: float) -> list[str]:
        return [str(self.options.program), "run", self.options.scenario, "--json", "-o", str(self.output),
                "--set", f"step.duration_s={duration_s}"]

    def make_previous_result(self) -> None:
        start = time.monotonic()
        done = subprocess.run(self.command(SHORT_RUN_S), cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"the run whose result is to be kept failed: {done.stderr}")
        self.short_run_s = time.monotonic() - start
        self.previous = {f.name: f.read_bytes() for f in self.output.iterdir() if f.is_file()}

    def check_whole_result(self, when: str) -> None:
        """Of a run that may have ended: the previous result or the new one."""
        done = subprocess.run([str(self.options.program), "report", str(self.output / "run.h5"), "-o",
                               str(self.folder / "report.html")], cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            self.lost.append(f"{when}, near the end: {done.stderr.strip()}")
        for name, content in self.previous.items():
            (self.output / name).write_bytes(content)

    def check_previous_result(self, when: str) -> None:
        for name, content in self.previous.items():
            file = self.output / name
            if not file.exists() or file.read_bytes() != content:
                self.lost.append(f"{when}: the previous {name} is lost")

    def kill_one(self, delay_s: float, duration_s: float = 1e5) -> None:
        when = f"killed after {1e3 * delay_s:.1f} ms"
        process = subprocess.Popen(self.command(duration_s), cwd=ROOT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(delay_s)
        process.kill()
        process.wait()
        if duration_s == SHORT_RUN_S:
            self.check_whole_result(when)
        else:
            self.check_previous_result(when)
        left = self.output / ".run.h5.partial"
        if not left.exists() or left.stat().st_size == 0:
            self.counts["before the first rows"] += 1
        else:
            self.check_rows(left, when)
        left.unlink(missing_ok=True)

    def check_rows(self, left: Path, when: str) -> None:
        self.counts["with rows"] += 1
        table = self.folder / "left.csv"
        table.unlink(missing_ok=True)
        done = subprocess.run([str(self.options.program), "export", str(left), str(table)], cwd=ROOT,
                              capture_output=True, text=True)
        rows = table.read_bytes().count(b"\n") - 1 if table.exists() else 0
        self.counts["rows read"] += rows
        if done.returncode != 0 or rows < 1:
            self.lost.append(f"{when}: {left.stat().st_size} bytes, {rows} rows: {done.stderr.strip()}")
            shutil.copy(left, self.folder / f"lost-{len(self.lost)}.h5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="kills")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    parser.add_argument("--latest", type=float, default=1.0, help="latest moment of a kill after the start [s]")
    parser.add_argument("--scenario", default="scenarios/quadruped_trot_sand.toml")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall")
    options = parser.parse_args()
    moments = random.Random(options.seed)
    folder = Path(tempfile.mkdtemp(prefix="footfall-kills-"))
    campaign = Campaign(options, folder)
    campaign.make_previous_result()
    done = 0
    try:
        for done in range(options.count):
            if done % 3 == 2:
                campaign.kill_one(moments.uniform(0.5, 1.1) * campaign.short_run_s, SHORT_RUN_S)
            else:
                campaign.kill_one(moments.uniform(0, EARLY_S if done % 3 == 0 else options.latest))
        done = options.count
    except KeyboardInterrupt:
        pass  # what was done until now counts
    print(f"{done} kills:", ", ".join(f"{n} {name}" for name, n in campaign.counts.items()))
    for text in campaign.lost:
        print(text, file=sys.stderr)
    if campaign.lost:
        sys.exit(f"{len(campaign.lost)} of {done} lost something; see {folder}")
    shutil.rmtree(folder)
    print("nothing was lost")


if __name__ == "__main__":
    main()
