"""Run files grow old: one of every format_version lies here and stays readable."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("run_files")
NEWEST = 2  # kNewestRunFormat of include/footfall/record/rut_file.hpp


@pytest.fixture
def unpacked(tmp_path) -> dict[int, Path]:
    files = {}
    for version in range(1, NEWEST + 1):
        files[version] = tmp_path / f"version-{version}.h5"
        files[version].write_bytes(gzip.decompress((FOLDER / f"version-{version}.h5.gz").read_bytes()))
    return files


def columns_of(footfall, file: Path) -> dict[str, list[str]]:
    footfall("export", file, file.with_suffix(".csv"))
    with file.with_suffix(".csv").open() as text:
        rows = list(csv.reader(text))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0]) if not name.startswith("stages")}


def test_every_version_gives_the_same_numbers(footfall, unpacked):
    newest = columns_of(footfall, unpacked[NEWEST])
    assert len(newest) > 100 and len(newest["time [s]"]) == 5
    for file in unpacked.values():
        assert columns_of(footfall, file) == newest


@pytest.mark.parametrize("version", range(1, NEWEST + 1))
def test_every_version_has_a_report_with_results_and_ruts(footfall, repository, unpacked, tmp_path, version):
    footfall("report", unpacked[version], "-o", tmp_path / "report.html")
    assert "Base height" in (tmp_path / "report.html").read_text()
    ruts = ("--set", f"ground.ruts.file={unpacked[version]}", "--set", "step.duration_s=0.01")
    footfall("run", "scenarios/quadruped_sand.toml", *ruts, "-o", tmp_path / "next")


def test_a_new_version_comes_with_a_file(repository):
    header = (repository / "include/footfall/record/rut_file.hpp").read_text()
    assert f"kNewestRunFormat = {NEWEST};" in header
