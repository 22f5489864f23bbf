"""footfall rig, as a user meets it: one foot on one soil."""

from __future__ import annotations

import csv
import math
import os
import shutil
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

CYLINDER = ("--foot", "cylinder", "--radius", 0.05, "--width", 0.08, "--soil", "dry-sand")
DISC = ("--foot", "disc", "--radius", 0.05, "--soil", "dry-sand")
PAD = ("--pad-stiffness", 1.194e4, "--pad-damping", 398.21, "--pad-damping-exponent", 0.25)
PAD += ("--pad-rate-exponent", 0.76, "--foot-mass", 5.4)


def error_of(footfall, *arguments) -> str:
    """The one error message of a command that must fail."""
    done = footfall("rig", *arguments, expect=2)
    assert done.stdout == ""
    assert done.stderr.startswith("footfall: error: "), done.stderr
    return done.stderr.removeprefix("footfall: error: ").rstrip("\n")


def rows_of(file: Path) -> list[dict[str, float]]:
    with file.open() as table:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(table)]


@pytest.mark.parametrize(
    ("foot", "test", "limit"),
    [
        (("--foot", "disc", "--radius", 0.05), ("press", "--load", 1e6), "300 mm (three widths)"),
        (("--foot", "rectangle", "--length", 0.2, "--width", 0.04), ("press", "--sinkage", 0.13),
         "120 mm (three widths)"),
        (("--foot", "cylinder", "--radius", 0.05, "--width", 0.08), ("press", "--sinkage", 0.377),
         "50 mm (its radius)"),
        (("--foot", "sphere", "--radius", 0.02), ("drop", "--mass", 20, "--height", 0.1), "20 mm (its radius)"),
        (("--foot", "sphere", "--radius", 0.02), ("drag", "--sinkage", 0.03, "--distance", 0.05), "20 mm (its radius)"),
    ],
)
def test_depths_beyond_the_laws_are_warned_of_once(footfall, foot, test, limit):
    arguments = ("rig", test[0], *foot, "--soil", "dry-sand", *test[1:])
    done = footfall(*arguments)
    assert done.stderr.count("footfall: warning: ") == 1
    assert f"the laws hold to {limit}" in done.stderr
    assert len(footfall.json(*arguments)["warnings"]) == 1
    within = footfall("rig", "press", *foot, "--soil", "dry-sand", "--sinkage", 0.019)
    assert within.stderr == ""


def test_a_soil_outside_of_its_measured_range_is_warned_of(footfall, repository, tmp_path):
    text = (repository / "soils/dry-sand.toml").read_text().replace('name = "dry-sand"', 'name = "plate-sand"')
    text = text.replace("[terramechanics]\n", "[terramechanics]\nmeasured_sinkage_mm = 30\n", 1)
    (tmp_path / "plate-sand.toml").write_text(text)
    foot = ("--foot", "disc", "--radius", 0.05, "--soil", "plate-sand")
    done = footfall.json("rig", "press", *foot, "--sinkage", 0.05, cwd=tmp_path)
    assert len(done["warnings"]) == 1 and "sinkage 50 mm, measured to 30 mm" in done["warnings"][0]
    assert footfall.json("rig", "press", *foot, "--sinkage", 0.02, cwd=tmp_path)["warnings"] == []


@pytest.mark.parametrize("command", ["press", "drop", "drag", "path"])
def test_help(footfall, command):
    text = footfall("rig", command, "--help").stdout
    for word in ("--soil", "--json", "--csv", "--plot", "Example"):
        assert word in text


def test_press_answers_a_single_question(footfall):
    r = footfall.json("rig", "press", *CYLINDER, "--sinkage", 0.01)
    assert r["sinkage_m"] == 0.01
    assert 0 < r["plan_area_m2"] < r["contact_area_m2"]
    assert r["pressure_Pa"] * r["plan_area_m2"] == pytest.approx(r["normal_force_N"])
    back = footfall.json("rig", "press", *CYLINDER, "--load", r["normal_force_N"])
    assert back["sinkage_m"] == pytest.approx(0.01, rel=1e-12)


def test_press_of_a_sphere_is_the_closed_form(footfall):
    sphere = ("--foot", "sphere", "--radius", 0.05, "--soil", "dry-sand", "--sinkage", 0.01)
    force = {f: footfall.json("rig", "press", *sphere, "--form", f)["normal_force_N"] for f in ("exact", "34", "33")}
    assert force["exact"] == pytest.approx(13.671, abs=5e-4)
    assert force["34"] == pytest.approx(15.345, abs=5e-4)
    assert force["33"] == pytest.approx(19.494, abs=5e-4)


def test_a_load_on_clay_is_the_load_asked_for(footfall):
    clay = ("--foot", "disc", "--radius", 0.05, "--soil", "heavy-clay", "--load", 100)
    r = footfall.json("rig", "press", *clay)
    assert r["normal_force_N"] == pytest.approx(100, rel=1e-9)
    assert r["sinkage_m"] == pytest.approx(1.943e-6, rel=1e-3)
    assert footfall.json("rig", "drag", *clay)["normal_force_N"] == pytest.approx(100, rel=1e-9)


def test_press_tells_its_work(footfall):
    r = footfall.json("rig", "press", *DISC, "--sinkage", 0.01)
    assert r["work_J"] == pytest.approx(r["normal_force_N"] * 0.01 / 2.1, rel=1e-9)
    assert "loop_work_J" not in r
    r = footfall.json("rig", "press", *DISC, "--sinkage", 0.01, "--unload")
    assert r["loop_work_J"] == [r["work_J"]]
    assert "0 J lost" in footfall("rig", "press", "--soil", "marble", "--load", 100, "--unload").stdout.split("  ")[-1]


def test_without_a_library_rig_and_soils_say_the_same(program, tmp_path):
    alone = tmp_path / "here" / "bin" / "footfall"  # no soils/ beside it or above
    alone.parent.mkdir(parents=True)
    shutil.copy(program, alone)
    environment = {**os.environ, "FOOTFALL_DATA": str(tmp_path / "none")}
    for command in (("soils",), ("rig", "press", *DISC, "--load", 1)):
        done = subprocess.run([alone, *map(str, command)], cwd=alone.parent, env=environment, capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith("footfall: error: ")
        assert done.stderr.endswith("no folder soils/ was found, set FOOTFALL_DATA to the folder that holds it\n")


def test_path_refuses_a_column_in_another_unit(footfall, tmp_path):
    path = tmp_path / "step.csv"
    path.write_text("time_s,z_m,x_mm\n0,0,0\n1,-0.01,5\n")
    assert error_of(footfall, "path", path, *DISC) == f"{path}:1: column 'x_mm', expected x_m"
    path.write_text("time_s,sinkage_m\n0,0\n1,1e200\n")
    assert error_of(footfall, "path", path, *DISC) == f"{path}:3: 1e+200 m in column 2, expected -1000 to 10 m"


def test_press_loops_go_to_table_and_picture(footfall, tmp_path):
    files = ("--csv", tmp_path / "press.csv", "--plot", tmp_path / "press.svg")
    text = footfall("rig", "press", *DISC, "--load", 300, "--cycles", 3, "--staged", "--unload", *files).stdout
    assert "loop 3" in text
    rows = rows_of(tmp_path / "press.csv")
    assert rows[-1]["normal_force_N"] == 0
    assert max(row["normal_force_N"] for row in rows) == pytest.approx(300)
    assert all(b["time_s"] > a["time_s"] for a, b in zip(rows, rows[1:]))
    assert ElementTree.parse(tmp_path / "press.svg").getroot().tag.endswith("svg")


def test_drop_of_a_second_takes_less_and_comes_to_rest(footfall, tmp_path):
    soil = ("--foot", "cylinder", "--radius", 0.05, "--width", 0.08, "--soil", "standard-sand")
    start = time.monotonic()
    r = footfall.json("rig", "drop", *soil, "--mass", 25.484, "--foot-mass", 5.4, "--height", 0.005,
                      "--csv", tmp_path / "drop.csv", "--plot", tmp_path / "drop.svg")
    assert time.monotonic() - start < 1
    assert r["at_rest"]
    assert r["normal_force_N"] == pytest.approx(r["weight_N"], rel=1e-6)
    assert r["peak_force_N"] > 1.3 * r["weight_N"]
    assert r["rebound_m"] <= r["elastic_sinkage_m"]
    assert abs(r["energy"]["error_J"]) < 1e-6 * r["energy"]["input_J"]
    rows = rows_of(tmp_path / "drop.csv")
    assert rows[0]["sinkage_rate_m_per_s"] == pytest.approx(r["impact_speed_m_per_s"])
    assert rows[-1]["time_s"] == pytest.approx(1)


def test_drop_on_marble_swings_on_its_pad(footfall):
    r = footfall.json("rig", "drop", "--soil", "marble", "--mass", 25.484, "--height", 0.005, *PAD)
    assert r["pad_compression_m"] == pytest.approx(250 / 1.194e4, rel=1e-2)
    assert r["peak_pad_force_N"] > 400


def test_drag_is_the_exponential(footfall, tmp_path):
    r = footfall.json("rig", "drag", *DISC, "--load", 300, "--distance", 0.05, "--reverse",
                      "--csv", tmp_path / "drag.csv")
    strength = 1040 * math.pi * 0.05**2 + 300 * math.tan(math.radians(28))
    assert r["shear_strength_N"] == pytest.approx(strength)
    assert r["out"]["tangential_force_N"] == pytest.approx(-strength * (1 - math.exp(-2)))
    turned = -1 + (2 - math.exp(-2)) * math.exp(-2)
    assert r["back"]["tangential_force_N"] == pytest.approx(-strength * turned)
    rows = rows_of(tmp_path / "drag.csv")
    assert rows[-1]["shear_displacement_x_m"] == 0
    assert rows[-1]["time_s"] == pytest.approx(2 * 0.05 / 0.02)


def test_path_follows_what_the_rig_recorded(footfall, tmp_path):
    footfall("rig", "drag", *DISC, "--sinkage", 0.01, "--csv", tmp_path / "drag.csv")
    r = footfall.json("rig", "path", tmp_path / "drag.csv", *DISC, "--plot", tmp_path / "path.svg")
    rows = rows_of(tmp_path / "drag.csv")
    assert r["tangential_force_x_N"] == pytest.approx([row["tangential_force_x_N"] for row in rows])


def test_mesh_is_the_shape_that_it_draws(footfall, tmp_path):
    obj = tmp_path / "plate.obj"
    obj.write_text("v 0 0 0\nv 100 0 0\nv 100 60 0\nv 0 60 0\nf 4 3 2 1\n")
    size = ("--soil", "dry-sand", "--sinkage", 0.01)
    mesh = footfall.json("rig", "press", "--foot", "mesh", "--mesh", obj, "--mesh-scale", 0.001, *size)
    plate = footfall.json("rig", "press", "--foot", "rectangle", "--length", 0.1, "--width", 0.06, *size)
    assert mesh["normal_force_N"] == pytest.approx(plate["normal_force_N"], rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lift",), "rig has no command 'lift', did you mean 'tilt'?"),
        ((), "rig needs a test: expected press, drop, drag, path or tilt"),
        (("press", *DISC, "--load", 1, "--staged"), "staged loading in cycles = 1, expected 2 to 1000"),
        (("press", *DISC, "--load", 1, "--plot", "x.png"), "--plot x.png, expected a name that ends in .svg"),
        (("press", *DISC), "either a sinkage [m] or a load [N]"),
        (("press", *DISC, "--load", 1, "--sinkage", 1), "not both"),
        (("press", *DISC, "--load", -5), "load = -5 N, expected above 0"),
        (("press", "--foot", "disc", "--soil", "dry-sand", "--load", 1), "--foot disc needs --radius"),
        (("press", *DISC, "--width", 1, "--load", 1), "--width does not belong to --foot disc"),
        (("press", "--foot", "disc", "--radius", -1, "--soil", "dry-sand", "--load", 1), "radius = -1 m, expected 1e-6 to 100 m"),
        (("press", *DISC, "--form", "34", "--load", 1), "does not fit a disc"),
        (("press", "--soil", "dry-sand", "--load", 1), "no foot was given"),
        (("press", "--soil", "marble", "--form", "29c", "--load", 1), "expected neither a form"),
        (("press", "--soil", "dri-sand", "--load", 1), "did you mean 'dry-sand'"),
        (("press", "--soil", "none/such.toml", "--load", 1), "none/such.toml"),
        (("press", *DISC, "--load", 1, "--pad-damping", 3), "--pad-stiffness"),
        (("press", *DISC, "--load", 1, "--pad-stiffness", -3), "pad: stiffness = -3"),
        (("press", "--foot", "mesh", "--soil", "dry-sand", "--load", 1), "needs --mesh FILE"),
        (("drop", *DISC, "--mass", 10), "either a height [m] or a speed"),
        (("drop", *DISC, "--mass", 0, "--height", 1), "mass = 0 kg, expected"),
        (("drop", *DISC, "--mass", 1, "--height", 1, "--foot-mass", -1), "--foot-mass -1 kg, expected 0 to"),
        (("drag", *DISC, "--load", 1, "--speed", 0), "speed = 0 m/s, expected above 0"),
        (("path", "none.csv", *DISC), "file 'none.csv' cannot be opened"),
    ],
)
def test_wrong_input_is_one_sentence(footfall, arguments, words):
    assert words in error_of(footfall, *arguments)


def test_a_table_that_cannot_be_written_is_named(footfall):
    done = footfall("rig", "press", *DISC, "--load", 1, "--csv", "none/such.csv", expect=3)
    assert "none/such.csv: cannot write" in done.stderr
