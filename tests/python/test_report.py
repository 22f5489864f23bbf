"""Reports, as a user meets them: pages of runs and comparisons."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

SCENARIO = "scenarios/quadruped_drop.toml"
SHORT = ("--set", "step.duration_s=0.2")


def element(html: str, name: str) -> str:
    found = re.findall(rf'<script id="{name}"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert len(found) == 1
    return found[0]


def read_page(file: Path) -> tuple[dict, bytes]:
    """The page's JSON and the bytes of its arrays."""
    html = file.read_text()
    if "footfall-page" not in html:
        assert "built without the viewer" in html
        pytest.skip("the program was built without the viewer")
    return json.loads(element(html, "footfall-page")), zlib.decompress(base64.b64decode(element(html, "footfall-data")))


def read_array(ref: dict, data: bytes) -> np.ndarray:
    types = {"f32": np.float32, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u8": np.uint8}
    width = ref.get("width", 1)
    values = np.frombuffer(data, types[ref["type"]], ref["length"], ref["offset"]).reshape(-1, width)
    if ref.get("delta"):
        values = np.cumsum(values, axis=0, dtype=values.dtype)
    return ref.get("bias", 0) + ref.get("scale", 1) * values.astype(float)


@pytest.fixture(scope="module")
def recorded(footfall, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    footfall("run", SCENARIO, *SHORT, "-o", folder)
    return folder


def test_run_leaves_a_page_that_holds_it(recorded):
    page, data = read_page(recorded / "report.html")
    run = page["runs"][0]
    assert page["format"] == "footfall page"
    assert run["duration"] == pytest.approx(0.2)
    assert read_array(run["frames"]["time"], data)[-1, 0] == pytest.approx(0.2)
    assert {t["title"] for t in page["tables"]} >= {"Feet", "Run", "Solver"}
    assert page["texts"][0]["text"].startswith("#")
    for channel in run["channels"]:
        assert len(read_array(channel["values"], data)) == len(read_array(channel["time"], data))


def test_report_of_a_run_file_is_the_same_page(footfall, recorded, tmp_path):
    first, data = read_page(recorded / "report.html")
    footfall("report", recorded / "run.h5", "-o", tmp_path / "again.html")
    second, again = read_page(tmp_path / "again.html")
    assert data == again
    assert first == second
    done = footfall("report", SCENARIO, expect=2)
    assert "cannot open as a run file" in done.stderr


def test_terminal_shows_lines_of_blocks(footfall, tmp_path):
    lines = footfall("run", SCENARIO, *SHORT, "-o", tmp_path).stdout.splitlines()
    drawn = [line for line in lines if "▁" in line or "█" in line]
    assert drawn[0].startswith("base")
    assert sum("sinkage" in line for line in drawn) == 4
    assert len({line.index(" to ") for line in drawn}) == 1  # aligned


def test_compare_goes_on_when_one_fails(footfall, tmp_path):
    done = footfall("compare", SCENARIO, "--soil", "sand,nowhere,concrete", *SHORT, "-o", tmp_path, expect=1)
    table = done.stdout
    assert "nowhere failed" in table
    assert table.index("\nsand ") < table.index("\nconcrete ")
    page, _ = read_page(tmp_path / "report.html")
    assert [run["name"] for run in page["runs"]] == ["sand", "concrete"]
    assert page["runs"][0]["ground"]["color"] != page["runs"][1]["ground"]["color"]
    assert any("nowhere" in text for text in page["warnings"])
    assert page["tables"][0]["rows"][1][:2] == ["nowhere", "failed"]


def test_compare_numbers_are_those_of_the_runs(footfall, tmp_path):
    heights = "0.01,0.1"
    r = footfall.json("compare", SCENARIO, "--set", f"robot.drop_height_m={heights}", *SHORT, "-o", tmp_path)
    assert [run["name"] for run in r["runs"]] == heights.split(",")
    alone = footfall.json("run", SCENARIO, "--set", "robot.drop_height_m=0.1", *SHORT, "-o", tmp_path / "alone")
    assert r["runs"][1]["summary"]["base_height_m"] == alone["base_height_m"]
    assert r["runs"][0]["largest_normal_force_N"] < r["runs"][1]["largest_normal_force_N"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "nothing to compare"),
        (("--soil", "sand"), "nothing to compare"),
        (("--soil", "sand,concrete", "--contact", "compliant,none"), "both have several values"),
        (("--soil", "sand,sand"), "each value once"),
        (("--set", "step"), "expected key.path=value"),
    ],
)
def test_compare_says_what_is_wrong(footfall, options, message):
    assert message in footfall("compare", SCENARIO, *options, expect=2).stderr
