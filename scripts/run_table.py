"""Reads the numbers of a run file (HDF5) by way of `footfall export`, whose digits are exact."""

from __future__ import annotations

import csv
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
SMALL = 1e-3  # magnitudes below this, in SI units, count as this much: what is 1e-18 instead of 0 is no difference


def read_run(run: Path, program: Path) -> dict[str, np.ndarray]:
    """Channel, as `qpos[2] [m]` or `front_left_foot.force.z [N]`, to its values, one per step."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "run.csv"
        subprocess.run([program, "export", run, table], check=True, stdout=subprocess.DEVNULL)
        with table.open(encoding="utf-8", newline="") as file:
            names = next(csv.reader(file))
            values = np.loadtxt(file, delimiter=",", ndmin=2)
    return dict(zip(names, values.T, strict=True))


def quantity(channel: str) -> str:
    """What a channel is one component of, over all feet, joints and axes, with its unit: `force [N]`."""
    name, unit = channel.rsplit(" [", 1)
    name = re.sub(r"\[\d+\]$|\.[xyz]$", "", name)
    return f"{name.rsplit('.', 1)[-1]} [{unit}"


def is_measured(channel: str) -> bool:
    """Times that the stages of a step took: no two runs agree on them."""
    return channel.startswith("stages.")


def summarize(run: dict[str, np.ndarray]) -> dict[str, float]:
    """Some numbers that say how the run went: where it ended, how deep and how hard the feet stood."""
    summary = {"steps": float(len(run["time [s]"]))}
    for channel, values in run.items():
        name = quantity(channel).split(" [")[0]
        if name == "qpos":
            summary[f"final {channel}"] = float(values[-1])
        elif name == "sinkage":
            summary[f"largest {channel}"] = float(values.max())
        elif name == "normal_force":
            summary[f"mean {channel}"] = float(values.mean())
    return summary


def summary_differences(a: dict[str, float], b: dict[str, float]) -> dict[str, float]:
    """Entry to |a - b| over the largest magnitude of the same quantity; infinite where one lacks the entry."""
    def kind(name: str) -> str:
        return f"{name.split(' ')[0]} {quantity(name)}" if " [" in name else name

    scales: dict[str, float] = {}
    for name, value in (*a.items(), *b.items()):
        scales[kind(name)] = max(scales.get(kind(name), SMALL), abs(value))
    return {name: abs(a[name] - b[name]) / scales[kind(name)] if name in a and name in b else np.inf
            for name in a.keys() | b.keys()}
