"""`footfall identify`: what it refuses, and what it says of data that it cannot use."""

from __future__ import annotations

import csv
import json
import random
import re

import pytest
from identify_support import CYLINDER, DISC, error_of, measure, value

# ---- what is wrong is said, and nothing is written ----


def press_table(change) -> str:
    """A press of 100 rows; `change` sees (row, time, depth, force) and gives three values."""
    lines = ["time_s,sinkage_m,normal_force_N"]
    for i in range(100):
        depth = 2e-4 * i
        lines.append(",".join(map(str, change(i, i / 10, depth, 12160 * depth**1.1))))
    return "\n".join(lines) + "\n"


BAD = {
    "kilonewton": (lambda i, t, z, f: (t, z, f / 1000), "is it in kN?"),
    "millimetre": (lambda i, t, z, f: (t, 1000 * z, f), "is it in mm?"),
    "nan": (lambda i, t, z, f: (t, z, "nan" if i == 40 else f), ":42: 'nan' in column 3 ('normal_force_N')"),
    "text": (lambda i, t, z, f: (t, z, "lost" if i == 40 else f), ":42: 'lost' in column 3"),
    "time": (lambda i, t, z, f: (t if i != 40 else 0.5, z, f), ":42: time_s = 0.5 s after 3.9 s in row 41"),
    "saturated": (lambda i, t, z, f: (t, z, min(f, 80)), "the sensor saturates"),
    "reversed": (lambda i, t, z, f: (t, -z, f), "the sign of the position is reversed"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_data_is_named_with_its_row(footfall, tmp_path, case):
    change, words = BAD[case]
    file = tmp_path / "bad.csv"
    file.write_text(press_table(change))
    outputs = ("--output", tmp_path / "soil.toml", "--report", tmp_path / "fit.html", "--plot", tmp_path / "fit.svg")
    message = error_of(footfall, file, *DISC, *outputs)
    assert words in message
    assert re.match(re.escape(str(file)) + r":\d+: ", message)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.csv"]


def test_implausible_data_can_be_accepted(footfall, tmp_path):
    file = tmp_path / "soft.csv"
    file.write_text(press_table(BAD["kilonewton"][0]))
    r = footfall.json("identify", file, *DISC, "--accept-implausible")
    assert any("is it in kN?" in w for w in r["warnings"])


def test_missing_columns_contact_and_points(footfall, tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text("time_s,sinkage_m\n0,0\n1,0.01\n")
    message = error_of(footfall, file, *DISC)
    assert "the columns are 'time_s', 'sinkage_m', expected a column of the normal force" in message
    file.write_text("\n".join(press_table(lambda i, t, z, f: (t, z, f)).splitlines()[:4]))
    assert "expected 5 or more" in error_of(footfall, file, *DISC)
    noise = random.Random(1)
    file.write_text("time_s,height_m,normal_force_N\n" +
                    "".join(f"{0.1 * i},{0.1 - 1e-4 * i},{noise.gauss(0, 0.2)}\n" for i in range(100)))
    error_of(footfall, file, *DISC, "--accept-implausible")


def test_columns_are_mapped(footfall, tmp_path):
    file = tmp_path / "lab.csv"
    rows = press_table(lambda i, t, z, f: (1e3 * t, -1e3 * z, -f / 1e3)).splitlines()[1:]
    file.write_text("clock;LVDT 2;cell A\n" + "\n".join(row.replace(",", ";") for row in rows) + "\n")
    columns = tmp_path / "columns.toml"
    columns.write_text('[columns]\ntime = {name = "clock", unit = "ms"}\nsinkage = {name = "LVDT 2", unit = "mm", sign = -1}\n'
                       'normal_force = {name = "cell A", unit = "kN", sign = -1}\n')
    r = footfall.json("identify", file, *DISC, "--columns", columns)
    assert value(r, "n") == pytest.approx(1.1, rel=1e-6)


def test_a_column_is_one_quantity(footfall, tmp_path):
    file = tmp_path / "lab.csv"
    file.write_text(press_table(lambda i, t, z, f: (t, z, f)))
    columns = tmp_path / "columns.toml"
    columns.write_text('[columns]\nsinkage = {column = 2, unit = "m"}\nnormal_force = {column = 2, unit = "N"}\n')
    done = footfall("identify", file, *DISC, "--columns", columns, expect=2)
    assert "'columns.sinkage' has already: expected a column of its own" in done.stderr \
        or "'columns.normal_force' has already: expected a column of its own" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--fit", "dynamic"), "--fit dynamic needs a drop, but noisy.csv is a press"),
        (("--fit", "statics"), "--fit 'statics', expected one of: static, equilibrium"),
        (("--fit", "auto,static"), "--fit auto stands alone"),
        (("--fix", "k"), "--fix 'k', expected NAME=VALUE"),
        (("--fix", "k=abc"), "--fix: 'abc' is no number"),
        (("--fix", "z=1"), "fix z: this law has no such parameter, expected one of k, n, foot_weight"),
        (("--output", "My_sand.toml"), "expected small letters, digits and single hyphens or underscores"),
        (("--output", "sand.txt"), "expected a name that ends in .toml"),
        (("--report", "fit.txt"), "expected a name that ends in .html"),
        (("--overwrite",), "--overwrite needs --output"),
        (("--soil", "dry-sand"), "--soil is for the dynamic fit"),
        (("--direct",), "--direct is for the dynamic fit"),
        (("--mass", "1,2"), "--mass 1,2 has 2 values, expected one, or one for each of the 1 files"),
        (("--mass", "-1"), "--mass -1 kg, expected"),
        (("--kind", "fall"), "--kind 'fall', expected one of: press, drop, drag, points"),
        (("--confidence", 1), "--confidence 1, expected 0.5 to 0.9999"),
        (("--base", "no-sand"), "soil 'no-sand' is not in the soil library"),
        (("--base", "marble"), "--base gives a soil what was not identified, and needs --output"),
        (("--mass", 20), "--mass is for the dynamic fit, which needs a drop"),
        (("--load", 20), "--load is for the dynamic fit, which needs a drop"),
        (("--shear", "tanh"), "--shear is for the shear and friction fits"),
        (("--fit", "series", "--model", "bernstein"), "--model is for static, equilibrium and dynamic fits"),
        (("--model", "hertz", "--form", "29c"), "--form is for laws of soil under a known sole"),
        (("--free", "k"), "free k: it is free already"),
        (("--fix", "n=1,n=2"), "--fix n=1,n=2 has n twice"),
        (("--output", "x.toml", "--report", "none/r.html"), "--report none/r.html: there is no folder none"),
        (("--base", "marble", "--output", "x.toml"), "--base marble has no section [terramechanics]"),
    ],
)
def test_wrong_options_are_one_sentence(footfall, noisy, tmp_path, arguments, words):
    done = footfall("identify", noisy, *DISC, *arguments, expect=2, cwd=tmp_path)
    assert words in done.stderr and done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_laws_of_soil_need_a_foot(footfall, noisy):
    assert "--model bekker is the law of a soil under a known sole" in error_of(footfall, noisy, "--model", "bekker")
    assert "sizes need --foot" in error_of(footfall, noisy, "--radius", 0.05)
    assert "cannot be opened" in error_of(footfall, "none.csv")


def test_a_drop_needs_its_mass(footfall, tmp_path):
    file = measure(footfall, tmp_path / "drop.csv", "drop", "--soil", "soft-ground", "--mass", 30, "--height", 0.01,
                   "--duration", 0.3)
    assert "drop.csv: the equation of motion of a drop needs --mass" in error_of(footfall, file)
    direct = footfall.json("identify", file, "--direct")
    whole = footfall.json("identify", file, "--mass", 30)
    for name, true in (("k", 1e4), ("n", 1.3), ("b", 500), ("p", 0.3), ("q", 1.1)):
        assert value(direct, name) == pytest.approx(true, rel=1e-6)
        assert value(whole, name) == pytest.approx(true, rel=1e-5)


def test_help_has_examples(footfall):
    text = footfall("identify", "--help").stdout
    for word in ("--columns", "--fit", "--report", "Examples:", "docs/identify.md"):
        assert word in text


def test_json_is_json_even_where_numbers_are_none(footfall, tmp_path):
    file = measure(footfall, tmp_path / "drop.csv", "drop", *DISC, "--soil", "dry-sand", "--mass", 10, "--height", 0.02,
                   "--duration", 0.3)
    text = footfall("identify", file, *DISC, "--mass", 10, "--starts", 1, "--json").stdout
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))


# ---- what counts, and what is said of the rest ----


def test_a_paper_formula_is_told_with_its_modulus(footfall, tmp_path):
    form = (*CYLINDER, "--form", "29c")
    file = measure(footfall, tmp_path / "press.csv", "press", *form, "--soil", "standard-sand", "--sinkage", 0.03)
    r = footfall.json("identify", file, *form, "--output", tmp_path / "sand.toml")
    words = "k and n belong to formula (29c) of Ding et al. 2013"
    assert words in (tmp_path / "sand.toml").read_text()
    assert sum(words in w for w in r["warnings"]) == 1
    half = footfall.json("identify", file, *CYLINDER, "--one-sided")
    assert "a foot of which one side carries" in half["soil"]["validity"]


def test_files_that_give_nothing_are_named(footfall, noisy, tmp_path):
    drag = measure(footfall, tmp_path / "drag.csv", "drag", *DISC, "--soil", "dry-sand", "--load", 200)
    shallow = tmp_path / "shallow.csv"
    shallow.write_text("time_s,sinkage_m,normal_force_N\n" + "".join(f"{i},{1e-7 * i},{1e-4 * i}\n" for i in range(100)))
    accept = (*DISC, "--fit", "static", "--free", "contact_offset", "--accept-implausible")
    r = footfall.json("identify", drag, shallow, noisy, *accept)
    assert any("drag.csv is a drag, which --fit static does not use" in w for w in r["warnings"])
    assert any("shallow.csv: the foot sinks 9.9 µm at most, and only samples deeper than 20 µm count" in w for w in r["warnings"])
    assert "contact_offset_3" in r["parameters"] and "contact_offset_1" not in r["parameters"]
    assert "sinks 9.9 µm at most" in error_of(footfall, shallow, *DISC, "--accept-implausible")
    twice = footfall.json("identify", noisy, noisy, *DISC)
    assert any("noisy.csv is given twice" in w for w in twice["warnings"])


def test_undetermined_values_are_no_soil(footfall, noisy, tmp_path):
    soil = tmp_path / "x.toml"
    done = footfall("identify", noisy, *DISC, "--model", "bekker", "--output", soil, "--json", expect=2)
    assert done.stderr.splitlines()[-1].startswith("footfall: error: ")
    assert "these data do not determine k_c, k_phi" in done.stderr and not soil.exists()
    result = json.loads(done.stdout)  # the values are there all the same
    assert value(result, "n") == pytest.approx(1.1, abs=0.05) and result["soil"] is None
    flat = tmp_path / "flat.csv"
    flat.write_text("sinkage_m,normal_force_N\n" + "0.01,100\n" * 20)
    assert "these data tell none of k, n" in error_of(footfall, flat)


def test_soil_without_a_foot_is_fitted_on_its_way_down(footfall, tmp_path):
    file = measure(footfall, tmp_path / "press.csv", "press", *DISC, "--soil", "dry-sand", "--load", 300, "--unload")
    r = footfall.json("identify", file)
    assert any("so only loading is fitted" in n for n in r["notes"])
    assert value(r, "n") == pytest.approx(1.1, rel=1e-6)
    scores = footfall.json("identify", file, "--compare", "--fix", "n=1.1")["models"]
    assert {m["model"]: m["unknowns"] for m in scores} == {"hertz": 1, "spring": 1}
    flat = footfall.json("identify", file, *DISC, "--compare")["models"]
    assert {m["model"] for m in flat} == {"spring", "bernstein"}


def test_round_off_is_no_scatter(footfall, tmp_path):
    file = measure(footfall, tmp_path / "press.csv", "press", *DISC, "--soil", "dry-sand", "--sinkage", 0.02)
    text = footfall("identify", file, *DISC).stdout
    assert "residuals        round-off" in text and "normal: p" not in text


def test_drags_of_one_load_tell_no_cohesion_alone(footfall, repository):
    files = [repository / "examples/rig_data" / name for name in ("drag_100N.csv", "drag_300N.csv")]
    fit = footfall.json("identify", *files, *DISC)["fits"][0]
    assert all(f["alone"]["c"]["fixed"] for f in fit["per_file"])  # at the value of both
    assert set(fit["spread"]) == {"phi", "K"}


def test_long_drops_are_quick(footfall, tmp_path):
    file = measure(footfall, tmp_path / "drop.csv", "drop", "--soil", "soft-ground", "--mass", 30, "--height", 0.1, "--duration", 3)
    r = footfall.json("identify", file, "--mass", 30)
    assert any("drop.csv: fitted until the foot lets go a second time or rests" in n for n in r["notes"])
    assert value(r, "k") == pytest.approx(1e4, rel=1e-4)
    simplex = footfall.json("identify", file, "--mass", 30, "--method", "nelder_mead", "--starts", 1)
    assert any("nelder_mead fits the force directly by (60)" in n for n in simplex["notes"])
