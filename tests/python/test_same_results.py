"""Six runs give the numbers that they gave before, to the last bit.

same_results.json holds a hash of each run's numbers per kind of build, since instruction sets and compilers round
differently, and a few numbers of each run for builds without a hash: those must agree within 0.1 %.

When a change of results is meant:  .venv/bin/python tests/python/test_same_results.py --update
renews the numbers and the hashes of this build, and forgets those of other builds, which no longer hold. The same
command adds the hashes of a build that has none.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from run_table import read_run, summarize, summary_differences  # noqa: E402

STORED = Path(__file__).with_name("same_results.json")
UPDATE = f".venv/bin/python {Path(__file__).relative_to(ROOT)} --update"
TOLERANCE = 1e-3  # of a run's numbers, for builds without a hash
HASHED = re.compile(r"qpos\[|qvel\[|(?!body_contacts\.).*\.(sinkage|normal_force|force\.[xyz]|moment\.[xyz]) ")

RUNS = {
    "quadruped_trot_sand": ("scenarios/quadruped_trot_sand.toml", "step.duration_s=3"),
    "quadruped_drop": ("scenarios/quadruped_drop.toml", "step.duration_s=0.6"),
    "humanoid_stand": ("scenarios/humanoid_stand.toml", "step.duration_s=0.4"),
    "biped_walk": ("scenarios/biped_walk.toml", "step.duration_s=1.5"),
    "foot_drop_beads": ("scenarios/foot_drop_beads.toml", "step.duration_s=0.5"),
    "quadruped_soft": ("tests/python/quadruped_soft.toml",),
}


def kind_of_build(program: Path) -> str:
    """What decides how numbers round: compiler and instruction set, as `GCC 12.2.0, native sapphirerapids`."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    compiler = re.search(r"(GCC|Clang) [\d.]+", version)
    kernels = re.search(r"\b(v[234]|native|generic)\b", version)
    assert compiler and kernels, version
    kind = f"{compiler[0]}, {kernels[0]}"
    return f"{kind} {native_processor()}" if kernels[0] == "native" else kind


def native_processor() -> str:
    """The processor as -march=native sees it here."""
    target = subprocess.run([os.environ.get("CXX", "c++"), "-march=native", "-Q", "--help=target"],
                            capture_output=True, text=True, check=False).stdout
    march = re.search(r"-march=\s+(\S+)", target)
    return march[1] if march else "processor of unknown kind"


def run(program: Path, name: str, folder: Path) -> dict[str, np.ndarray]:
    scenario, *settings = RUNS[name]
    command = [program, "run", scenario, "-o", folder]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return read_run(folder / "run.h5", program)


def hash_of(table: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for channel in sorted(filter(HASHED.match, table)):
        digest.update(channel.encode())
        digest.update((table[channel] + 0.0).astype("<f8").tobytes())  # -0 counts as 0
    return digest.hexdigest()


@pytest.mark.parametrize("name", RUNS)
def test_run_gives_the_numbers_it_gave(program: Path, name: str, tmp_path: Path, capsys):
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    table = run(program, name, tmp_path)
    kind = kind_of_build(program)
    hashes = stored["hashes"].get(kind)
    differences = summary_differences(stored["summaries"][name], summarize(table))
    worst = max(differences, key=differences.get)
    much = f"{worst} differs by {100 * differences[worst]:.3g} % from what is stored"
    if hashes is not None:
        assert hash_of(table) == hashes[name], (
            f"{name} gives other numbers than it did ({much}). If that is meant: {UPDATE}")
    else:
        with capsys.disabled():
            print(f"\nno hash for '{kind}': {name} is compared within 0.1 %; to store one: {UPDATE}")
        assert differences[worst] <= TOLERANCE, much


def test_hash_sees_the_last_bit():
    table = {"qpos[0] [m]": np.array([0.1, 0.2]), "stages.solve [s]": np.array([1.0, 2.0])}
    other = {**table, "qpos[0] [m]": np.array([0.1, np.nextafter(0.2, 1)])}
    later = {**table, "stages.solve [s]": np.array([3.0, 4.0])}
    assert hash_of(table) != hash_of(other)
    assert hash_of(table) == hash_of(later)


def update(program: Path) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    kind, hashes, summaries = kind_of_build(program), {}, {}
    for name in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            table = run(program, name, Path(folder))
        hashes[name], summaries[name] = hash_of(table), summarize(table)
    kept = stored.get("hashes", {})
    new_kind = kind not in kept and all(
        max(summary_differences(stored["summaries"][name], summaries[name]).values()) <= TOLERANCE
        for name in stored.get("summaries", {}))
    if new_kind and kept:  # results are what they were: this build's hashes join the others
        summaries = stored["summaries"]
    elif kept.get(kind) != hashes:
        kept = {}
    result = {"hashes": {**kept, kind: hashes}, "summaries": summaries}
    STORED.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(f"{STORED.relative_to(ROOT)}: hashes of {', '.join(result['hashes'])}")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(f"usage: {UPDATE}")
    update(Path(os.environ.get("FOOTFALL_PROGRAM", ROOT / "build/release/footfall")).resolve())
