"""Results appear whole or not at all, and nothing that was there before is lost."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCENARIO = "scenarios/quadruped_drop.toml"
SHORT = ("--set", "step.duration_s=0.05")
PRESS = ("rig", "press", "--foot", "disc", "--radius", "0.05", "--soil", "dry-sand", "--sinkage", "0.02")


def files_in(folder: Path) -> dict[str, bytes]:
    return {f.name: f.read_bytes() for f in folder.iterdir() if f.is_file()}


def run_with_full_disk(program: Path, repository: Path, *arguments: object, most_bytes: int):
    """As on a disk that takes no file beyond so many bytes."""
    return subprocess.run(
        [str(program), *map(str, arguments)], cwd=repository, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)))


def test_killed_runs_lose_nothing(repository, program):
    script = [sys.executable, repository / "scripts/kill_runs.py", "--count", "9", "--latest", "0.6"]
    done = subprocess.run([*script, "--program", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing was lost" in done.stdout


@pytest.mark.parametrize("most_bytes", [0, 100_000, 3_000_000])
def test_a_full_disk_leaves_the_results_of_the_run_before(program, footfall, repository, tmp_path, most_bytes):
    footfall("run", SCENARIO, *SHORT, "-o", tmp_path)
    before = files_in(tmp_path)
    assert set(before) == {"run.h5", "report.html"}
    done = run_with_full_disk(program, repository, "run", SCENARIO, "-o", tmp_path, most_bytes=most_bytes)
    assert done.returncode == 3
    assert "File too large" in done.stderr
    after = files_in(tmp_path)
    assert {name: after[name] for name in before} == before
    unfinished = tmp_path / "run.unfinished.h5"
    assert set(after) - set(before) <= {unfinished.name}
    assert unfinished.exists() == ("what was recorded: " in done.stderr)
    if unfinished.exists():
        footfall("export", unfinished, tmp_path / "left.csv")


def test_a_killed_run_is_found_by_the_next(program, footfall, repository, tmp_path):
    footfall("run", SCENARIO, *SHORT, "-o", tmp_path)
    before = files_in(tmp_path)
    process = subprocess.Popen([str(program), "run", SCENARIO, "--set", "step.duration_s=1e4", "-o", str(tmp_path)],
                               cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    left = tmp_path / ".run.h5.partial"
    deadline = time.monotonic() + 30
    while not (left.exists() and left.stat().st_size > 0) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert {k: v for k, v in files_in(tmp_path).items() if not k.startswith(".")} == before
    done = footfall("run", SCENARIO, *SHORT, "-o", tmp_path)
    assert f"what it recorded lies in {tmp_path}/run.unfinished.h5" in done.stderr
    footfall("export", tmp_path / "run.unfinished.h5", tmp_path / "left.csv")
    assert len((tmp_path / "left.csv").read_text().splitlines()) > 100
    assert not left.exists()


def test_two_runs_never_share_a_folder(program, footfall, repository, tmp_path):
    process = subprocess.Popen([str(program), "run", SCENARIO, "--set", "step.duration_s=1e4", "-o", str(tmp_path)],
                               cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (tmp_path / ".run.h5.partial").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        done = footfall("run", SCENARIO, *SHORT, "-o", tmp_path, expect=2)
        assert f"{tmp_path}/run.h5: is being written by another program" in done.stderr
    finally:
        process.kill()
        process.wait()


def test_tables_and_pictures_appear_together(footfall, repository, program, tmp_path):
    csv, plot = tmp_path / "press.csv", tmp_path / "press.svg"
    csv.write_text("the only copy\n")
    plot.write_text("the only picture\n")
    done = run_with_full_disk(program, repository, *PRESS, "--csv", csv, "--plot", plot, most_bytes=8_000)
    assert done.returncode == 3 and "File too large" in done.stderr
    assert files_in(tmp_path) == {"press.csv": b"the only copy\n", "press.svg": b"the only picture\n"}
    footfall(*PRESS, "--csv", csv, "--plot", plot)
    assert csv.read_text().startswith("time_s") and "<svg" in plot.read_text()
    assert sorted(files_in(tmp_path)) == ["press.csv", "press.svg"]


@pytest.fixture(scope="module")
def inputs(footfall, repository, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    footfall("run", SCENARIO, *SHORT, "-o", folder)
    footfall(*PRESS, "--csv", folder / "press.csv")
    (folder / "path.csv").write_text("time_s,z_m\n0,0.01\n1,-0.01\n2,0.01\n")
    shutil.copy(repository / "soils/dry-sand.toml", folder / "soil.toml")
    shutil.copy(repository / "media/beads.csv", folder / "beads.csv")
    shutil.copy(repository / "robots/quadruped.xml", folder / "robot.xml")
    os.symlink("run.h5", folder / "link.html")
    os.link(folder / "path.csv", folder / "hard.csv")
    return folder


@pytest.mark.parametrize("arguments", [
    ("report", "run.h5", "-o", "run.h5"),
    ("report", "run.h5", "-o", "./run.h5"),
    ("report", "run.h5", "-o", "link.html"),
    ("rig", "path", "path.csv", "--foot", "disc", "--radius", "0.05", "--soil", "soil.toml", "--csv", "path.csv"),
    ("rig", "path", "path.csv", "--foot", "disc", "--radius", "0.05", "--soil", "soil.toml", "--csv", "hard.csv"),
    ("rig", "path", "path.csv", "--foot", "disc", "--radius", "0.05", "--soil", "soil.toml", "--csv", "soil.toml"),
    ("identify", "press.csv", "--foot", "disc", "--radius", "0.05", "--soil", "soil.toml", "--output", "soil.toml",
     "--overwrite"),
    ("inspect", "robot.xml", "--export", "robot.xml"),
    ("mujoco", "tune", "robot.xml", "--sinkage-mm", "6", "--output", "robot.xml"),
    ("granular", "import", "beads.csv", "--output", "beads.csv"),
])
def test_no_output_replaces_an_input(footfall, inputs, arguments):
    before = files_in(inputs)
    done = footfall(*arguments, cwd=inputs, expect=None)
    assert done.returncode == 2, done.stdout + done.stderr
    assert files_in(inputs) == before
