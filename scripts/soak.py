#!/usr/bin/env python3
"""Runs a scenario for hours of simulated time, kills and resumes it at random, and holds it against the unbroken run.

    scripts/soak.py --hours 24 --kills 100

Both runs write checkpoints. Every column of the two run files but the stages' measured times, the ruts and the results
must be the same bits; the memory of the unbroken run must not grow. Status 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ("wall_time_s", "realtime_factor", "stage_times_s", "result_file", "report_file", "resumed_after_step")
WARM_UP = 0.25  # of the run, after which its memory counts as settled
MOST_GROWTH = 0.1


class Soak:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder

    def command(self, output: str) -> list[str]:
        o = self.options
        return [str(o.program), "run", o.scenario, "--json", "-o", str(self.folder / output), "--checkpoint",
                str(o.checkpoint), "--resume", "--set", f"step.duration_s={3600 * o.hours}", "--set",
                f"step.record_every={o.record_every}"]

    def start(self, output: str) -> subprocess.Popen[str]:
        return subprocess.Popen(self.command(output), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def unbroken(self) -> dict:
        """The results, and the memory in kB while it ran."""
        process, sizes, begin = self.start("whole"), [], time.monotonic()
        while process.poll() is None:
            status = Path(f"/proc/{process.pid}/status").read_text()
            sizes += [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")]
            time.sleep(0.2)
        out, err = process.communicate()
        if process.returncode != 0:
            sys.exit(f"the unbroken run failed: {err}")
        self.duration_s = time.monotonic() - begin
        settled = sizes[int(WARM_UP * len(sizes)) : int(0.98 * len(sizes))] or sizes[:1]
        self.memory_kb = (settled[0], max(settled))
        return json.loads(out)

    def broken(self) -> tuple[dict, int]:
        """The results, and how often it was killed."""
        moments = random.Random(self.options.seed)
        kills = 0
        while True:
            process = self.start("parts")
            try:
                longest = 2 * self.duration_s / max(self.options.kills, 1)
                out, err = process.communicate(timeout=moments.uniform(0, longest) if kills < self.options.kills else None)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                continue
            if process.returncode != 0:
                sys.exit(f"the run failed after {kills} kills: {err}")
            return json.loads(out), kills

    def differences(self, whole: dict, parts: dict) -> list[str]:
        found = [f"result {key}" for key in whole if key not in MEASURED and whole[key] != parts.get(key)]
        tables = []
        for output in ("whole", "parts"):
            table = self.folder / f"{output}.csv"
            subprocess.run([str(self.options.program), "export", str(self.folder / output / "run.h5"), str(table)],
                           cwd=ROOT, check=True, capture_output=True)
            tables.append(table.open())
        header = tables[0].readline().strip().split(",")
        if tables[1].readline().strip().split(",") != header:
            return [*found, "columns"]
        kept = [i for i, name in enumerate(header) if "stages" not in name]
        row = 0
        while (a := tables[0].readline()) or row == 0:
            b = tables[1].readline()
            x, y = a.strip().split(","), b.strip().split(",")
            if len(x) != len(y) or any(x[i] != y[i] for i in kept):
                names = [header[i] for i in kept if i < min(len(x), len(y)) and x[i] != y[i]]
                return [*found, f"row {row}: {', '.join(names[:5]) or 'length'}"]
            row += 1
        if tables[1].readline():
            found.append("number of rows")
        self.rows = row
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24, help="of simulated time")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    parser.add_argument("--record-every", type=int, default=1000, help="steps per row")
    parser.add_argument("--checkpoint", type=float, default=5, help="seconds between checkpoints")
    parser.add_argument("--scenario", default="scenarios/quadruped_course.toml")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="footfall-soak-") as folder:
        soak = Soak(options, Path(folder))
        whole = soak.unbroken()
        first, most = soak.memory_kb
        print(f"unbroken: {whole['steps']} steps in {soak.duration_s:.0f} s, memory {first / 1024:.1f} to {most / 1024:.1f} MB"
              f"{', fell' if whole['fallen'] else ''}", flush=True)
        parts, kills = soak.broken()
        found = soak.differences(whole, parts)
        if most > (1 + MOST_GROWTH) * first:
            found.append(f"memory grew by {100 * (most / first - 1):.0f} %")
    print(f"killed and resumed {kills} times, {soak.rows if hasattr(soak, 'rows') else '?'} rows:",
          "the same bits" if not found else "; ".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
