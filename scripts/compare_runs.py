"""compare_runs.py A/run.h5 B/run.h5: how much two runs of one scenario differ.

Shows that a change of the code left results as they were. All recorded channels but measured times are compared
over the first rows, before a last bit can have grown, relative to the largest magnitude of the channel's quantity
(all feet, joints and axes together); summaries of the whole runs are compared too. Ends with 1 if either
differs by more than is allowed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from run_table import ROOT, SMALL, is_measured, quantity, read_run, summarize, summary_differences

# Left out beside measured times: how the solver got there may change without a change of the result.
SOLVER = ("solver.iterations", "solver.residual")


def channel_differences(
    a: dict[str, np.ndarray], b: dict[str, np.ndarray], rows: int
) -> dict[str, float]:
    names = [name for name in a
             if name in b and not is_measured(name) and not name.startswith(SOLVER)]
    scales: dict[str, float] = {}
    for name in names:
        largest = max(np.nan_to_num(np.abs(run[name][:rows])).max() for run in (a, b))
        scales[quantity(name)] = max(scales.get(quantity(name), SMALL), float(largest))
    differences = {}
    for name in names:
        x, y = a[name][:rows], b[name][:rows]
        apart = np.where(np.isnan(x) & np.isnan(y), 0, np.nan_to_num(np.abs(x - y), nan=np.inf))
        differences[name] = float(apart.max()) / scales[quantity(name)]
    return differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("a", type=Path)
    parser.add_argument("b", type=Path)
    parser.add_argument("--rows", type=int, default=100, help="rows to compare (100)")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="of these rows (1e-12)")
    parser.add_argument("--summary-tolerance", type=float, default=1e-3, help="of summaries (1e-3)")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall",
                        help="the program that reads both (build/release/footfall)")
    arguments = parser.parse_args()

    a, b = (read_run(run, arguments.program) for run in (arguments.a, arguments.b))
    if a.keys() != b.keys():
        print(f"channels of only one run: {', '.join(sorted(a.keys() ^ b.keys()))}")
    rows = min(arguments.rows, len(a["time [s]"]), len(b["time [s]"]))
    channels = channel_differences(a, b, rows)
    name, largest = max(channels.items(), key=lambda item: item[1])
    print(f"first {rows} rows, {len(channels)} channels: largest relative difference {largest:.2e}"
          + (f" of {name}" if largest > 0 else ""))
    summaries = summary_differences(summarize(a), summarize(b))
    name, summary = max(summaries.items(), key=lambda item: item[1])
    print(f"summaries, {len(summaries)} numbers: largest relative difference {summary:.2e}"
          + (f" of {name}" if summary > 0 else ""))
    same = (a.keys() == b.keys() and largest <= arguments.tolerance
            and summary <= arguments.summary_tolerance)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
