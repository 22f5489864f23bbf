"""footfall identify, as a user meets it: what the rig measured gives its soil back."""

from __future__ import annotations

import csv
import json
import math
import random
import re
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from identify_support import CYLINDER, DISC, error_of, measure, value

SOLES = {
    "disc": DISC,
    "rectangle": ("--foot", "rectangle", "--length", 0.12, "--width", 0.08),
    "cylinder": CYLINDER,
    "sphere": ("--foot", "sphere", "--radius", 0.06),
}
WIDTH = {"disc": 0.05, "rectangle": 0.08, "cylinder": 0.08, "sphere": 0.06}  # b of the pressure law


@pytest.fixture(scope="module")
def soils(footfall) -> dict[str, dict]:
    return {s["name"]: s for s in footfall.json("soils")["soils"]}


def plastic_names() -> list[str]:
    folder = Path(__file__).resolve().parents[2] / "soils"
    return sorted(f.stem for f in folder.glob("*.toml") if "[terramechanics]" in f.read_text())


def modulus(soil: dict, width: float) -> float:
    """K_sigma of a soil in Pa/m^n."""
    t = soil["terramechanics"]
    if t["pressure_law"] == "bernstein":
        return 1e3 * t["k_kPa"]
    return 1e3 * (t["k_c_kPa"] / width + t["k_phi_kPa"])


# ---- the rig gives its soil back ----


def largest_force(file: Path) -> float:
    with file.open() as table:
        return max(float(row["normal_force_N"]) for row in csv.DictReader(table))


@pytest.mark.parametrize("sole", SOLES)
@pytest.mark.parametrize("soil", plastic_names())
def test_every_soil_comes_back_from_every_sole(footfall, soils, tmp_path, soil, sole):
    foot = SOLES[sole]
    file = measure(footfall, tmp_path / "press.csv", "press", *foot, "--soil", soil, "--sinkage", 0.02)
    r = footfall.json("identify", file, *foot, "--fit", "static")
    assert value(r, "n") == pytest.approx(soils[soil]["terramechanics"]["exponent_n"], rel=1e-6)
    assert value(r, "k") == pytest.approx(modulus(soils[soil], WIDTH[sole]), rel=1e-5)
    assert r["rms_residual_N"] < 1e-8 * largest_force(file)


def test_a_mesh_is_a_sole_too(footfall, soils, tmp_path):
    obj = tmp_path / "plate.obj"
    obj.write_text("v 0 0 0\nv 0.1 0 0\nv 0.1 0.06 0\nv 0 0.06 0\nf 4 3 2 1\n")
    foot = ("--foot", "mesh", "--mesh", obj, "--mesh-spacing", 0.01)
    file = measure(footfall, tmp_path / "press.csv", "press", *foot, "--soil", "dry-sand", "--sinkage", 0.01)
    r = footfall.json("identify", file, *foot)
    assert value(r, "k") == pytest.approx(modulus(soils["dry-sand"], 0.06), rel=1e-6)


def test_a_paper_formula_is_identified_by_itself(footfall, tmp_path):
    form = (*CYLINDER, "--form", "29c")
    file = measure(footfall, tmp_path / "press.csv", "press", *form, "--soil", "standard-sand", "--sinkage", 0.03)
    r = footfall.json("identify", file, *form)
    assert value(r, "k") == pytest.approx(497806, rel=1e-6)
    derived = r["fits"][0]["derived"]
    assert derived["n_TN"]["value"] == pytest.approx(1.132)


def test_several_plates_tell_kc_from_kphi(footfall, soils, tmp_path):
    radii = (0.03, 0.05, 0.08)
    files = [
        measure(footfall, tmp_path / f"{r}.csv", "press", "--foot", "disc", "--radius", r, "--soil", "dry-sand", "--sinkage", 0.02)
        for r in radii
    ]
    r = footfall.json("identify", *files, "--foot", "disc", "--radius", ",".join(map(str, radii)))
    truth = soils["dry-sand"]["terramechanics"]
    assert value(r, "k_c") == pytest.approx(1e3 * truth["k_c_kPa"], rel=1e-5)
    assert value(r, "k_phi") == pytest.approx(1e3 * truth["k_phi_kPa"], rel=1e-7)
    assert value(r, "n") == pytest.approx(1.1, rel=1e-9)
    assert r["soil"]["terramechanics"]["pressure_law"] == "bekker"
    assert [f["file"] for f in r["fits"][0]["per_file"]] == [f.name for f in files]


def test_feet_of_several_shapes_are_one_fit(footfall, soils, tmp_path):
    files = [
        measure(footfall, tmp_path / f"{name}.csv", "press", *SOLES[name], "--soil", "dry-sand", "--sinkage", 0.02)
        for name in ("disc", "cylinder")
    ]
    r = footfall.json("identify", *files, "--foot", "disc,cylinder", "--radius", 0.05, "--width", ",0.08")
    assert value(r, "n") == pytest.approx(1.1, rel=1e-8)
    assert value(r, "k_c") == pytest.approx(990, rel=1e-3)


def test_press_and_drop_give_standard_sand(footfall, tmp_path):
    press = measure(footfall, tmp_path / "press.csv", "press", *CYLINDER, "--soil", "standard-sand", "--sinkage", 0.05)
    drop = measure(footfall, tmp_path / "drop.csv", "drop", *CYLINDER, "--soil", "standard-sand", "--mass", 25,
                   "--height", 0.02, "--duration", 0.5)
    r = footfall.json("identify", press, drop, *CYLINDER, "--mass", 25)
    assert [fit["name"] for fit in r["fits"]] == ["static", "dynamic"]
    assert value(r, "k") == pytest.approx(497806, rel=1e-6)
    assert value(r, "b") == pytest.approx(205.07, rel=1e-6)
    assert value(r, "p") == pytest.approx(0.096, abs=1e-6)
    assert value(r, "q") == pytest.approx(0.075, abs=1e-6)
    assert any("fixed at the values of the static part" in note for note in r["notes"])
    assert r["fits"][1]["parameters"]["k"]["fixed"]
    known = footfall.json("identify", drop, *CYLINDER, "--mass", 25, "--soil", "standard-sand")
    assert value(known, "b") == pytest.approx(value(r, "b"), rel=1e-4)


def test_drags_give_cohesion_friction_and_modulus(footfall, soils, tmp_path):
    files = [
        measure(footfall, tmp_path / f"{load}.csv", "drag", *DISC, "--soil", "sandy-loam", "--load", load)
        for load in (100, 300)
    ]
    r = footfall.json("identify", *files, *DISC)
    truth = soils["sandy-loam"]["terramechanics"]
    assert r["fits"][0]["name"] == "shear"
    assert value(r, "c") == pytest.approx(1e3 * truth["cohesion_kPa"], rel=1e-6)
    assert value(r, "phi") == pytest.approx(math.radians(truth["friction_angle_deg"]), rel=1e-7)
    assert value(r, "K") == pytest.approx(1e-3 * truth["shear_modulus_K_mm"], rel=1e-7)
    fixed = footfall.json("identify", files[0], *DISC, "--fix", f"c={1e3 * truth['cohesion_kPa']}")
    assert fixed["parameters"]["c"]["fixed"]
    assert value(fixed, "phi") == pytest.approx(value(r, "phi"), rel=1e-6)
    assert "fix c, for example" in error_of(footfall, files[0], *DISC)


def test_friction_needs_no_foot(footfall, tmp_path):
    file = measure(footfall, tmp_path / "drag.csv", "drag", *DISC, "--soil", "dry-sand", "--load", 200)
    r = footfall.json("identify", file)
    strength = 1040 * math.pi * 0.05**2 + 200 * math.tan(math.radians(28))
    assert r["fits"][0]["name"] == "friction"
    assert value(r, "mu") == pytest.approx(strength / 200, rel=1e-8)
    assert value(r, "K") == pytest.approx(0.025, rel=1e-8)


def test_a_pad_and_soil_in_series(footfall, tmp_path):
    pad = ("--pad-stiffness", 1e4, "--load", 300, "--soil", "dry-sand")
    file = measure(footfall, tmp_path / "press.csv", "press", *DISC, *pad, "--unload")
    r = footfall.json("identify", file, *DISC, "--fit", "series", "--output", tmp_path / "sand.toml")
    assert value(r, "k_F") == pytest.approx(1e4, rel=1e-6)
    assert value(r, "k") == pytest.approx(990 / 0.05 + 1528430, rel=1e-5)
    assert "[robot.pad]" in (tmp_path / "sand.toml").read_text()


@pytest.mark.parametrize("soil", ["marble", "soft-ground", "sand"])
def test_ground_that_comes_back(footfall, soils, tmp_path, soil):
    file = measure(footfall, tmp_path / "press.csv", "press", "--soil", soil, "--load", 100, "--unload")
    r = footfall.json("identify", file, "--output", tmp_path / "my-ground.toml")
    truth = soils[soil]["compliant"]
    assert value(r, "k") == pytest.approx(truth["stiffness"], rel=1e-5)
    assert value(r, "n") == pytest.approx(truth["exponent"], rel=1e-6)
    back = footfall.json("rig", "press", "--soil", tmp_path / "my-ground.toml", "--load", 100)
    assert back["sinkage_m"] == pytest.approx(footfall.json("rig", "press", "--soil", soil, "--load", 100)["sinkage_m"], rel=1e-5)


def test_equilibrium_points(footfall, tmp_path):
    table = tmp_path / "points.csv"
    rows = [(d, 1.5e4 * d**1.2) for d in (0.002, 0.004, 0.007, 0.01, 0.015, 0.02)]
    table.write_text("sinkage_m,normal_force_N\n" + "".join(f"{d},{f}\n" for d, f in rows))
    r = footfall.json("identify", table)
    assert r["fits"][0]["name"] == "equilibrium"
    assert r["files"][0]["kind"] == "points"
    assert value(r, "k") == pytest.approx(1.5e4, rel=1e-7)
    assert value(r, "n") == pytest.approx(1.2, rel=1e-7)


def test_example_data_give_dry_sand_within_their_intervals(footfall, repository, tmp_path):
    data = repository / "examples/rig_data"
    files = [data / name for name in ("press.csv", "drag_100N.csv", "drag_300N.csv")]
    r = footfall.json("identify", *files, *DISC, "--plot", tmp_path / "identify.svg")
    truth = {"k": 990 / 0.05 + 1528430, "n": 1.1, "c": 1040, "phi": math.radians(28), "K": 0.025}
    for name, true in truth.items():
        p = r["parameters"][name]
        assert abs(p["value"] - true) < 2.6 * p["standard_error"], name
    picture = (repository / "docs/images/identify.svg").read_text()
    assert (tmp_path / "identify.svg").read_text().count("<circle") == picture.count("<circle")


# ---- what comes out ----


def test_json_has_what_programs_need(footfall, noisy):
    r = footfall.json("identify", noisy, *DISC)
    assert list(r)[:3] == ["schema_version", "parameters", "rms_residual_N"]
    n = r["parameters"]["n"]
    low, high = n["interval_95"]
    assert low < n["value"] < high and n["standard_error"] > 0 and n["unit"] == ""
    assert low < 1.1 < high
    assert r["parameters"]["k"]["unit"] == "Pa/m^n"
    assert r["rms_residual_N"] == pytest.approx(1, abs=0.15)
    assert r["correlations"]["k"]["n"] == r["correlations"]["n"]["k"] > 0.9
    file = r["files"][0]
    assert (file["kind"], file["rows"], file["contact"]["row"]) == ("press", 401, 2)
    assert file["phases"]["loading"] > 390 and file["cutoff_Hz"] > 0
    fit = r["fits"][0]
    assert fit["name"] == "static" and fit["converged"] and "Bernstein" in fit["law"]
    assert {"aicc", "diagnostics", "per_file", "spread", "derived"} <= set(fit)
    assert any("trade off" in w for w in r["warnings"])
    other = footfall.json("identify", noisy, *DISC, "--confidence", 0.8)
    assert "interval_95" not in other["parameters"]["n"]
    assert low < other["parameters"]["n"]["interval"][0] < other["parameters"]["n"]["interval"][1] < high


def test_people_get_a_table(footfall, noisy):
    done = footfall("identify", noisy, *DISC)
    assert re.search(r"noisy.csv: press, 401 rows, .*loading \d+.*touch given, row 2; position filtered at \d", done.stdout)
    assert re.search(r"parameter +value +± error +95 % interval +unit", done.stdout)
    assert re.search(r"\n  n +1\.1\d* +0\.0\d+ +1\.0\d+ to 1\.1\d*", done.stdout)
    assert "rms residual" in done.stdout and "correlations" in done.stdout
    assert done.stderr.startswith("footfall: warning: static: ")


def test_runs_that_differ_have_no_outliers(footfall, tmp_path):
    """Six clean drags whose strengths and K scatter: off the common law together, none off its neighbours."""
    files, jump = [], None
    for i, (strength, K_mm) in enumerate([(0.93, 10.8), (1.05, 14), (0.98, 12.8), (1, 11.5), (0.97, 10.4), (1.04, 10.7)]):
        load = 100 if i < 3 else 300
        rows = ["shear_displacement_mm,tangential_force_N,normal_force_N,sinkage_mm,time_s"]
        for k in range(301):
            j = 0.2 * k
            force = strength * (16 + load * math.tan(math.radians(30))) * (1 - math.exp(-j / K_mm))
            force += 0.05 * math.sin(97 * k * k)  # noise
            rows.append(f"{j:.3f},{force:.5f},{load},10,{0.02 * k:.3f}")
        files.append(tmp_path / f"drag_{i}.csv")
        files[-1].write_text("\n".join(rows) + "\n")
        if i == 4:
            rows[200] = rows[200].replace(rows[200].split(",")[1], "260")
            jump = "\n".join(rows) + "\n"
    done = footfall("identify", *files, *DISC, "--json")
    fit = json.loads(done.stdout)["fits"][0]
    assert fit["errors"]["from"] == "between_files"
    assert fit["diagnostics"]["outliers"] == 0
    assert "outlier" not in done.stderr
    files[4].write_text(jump)
    assert footfall.json("identify", *files, *DISC)["fits"][0]["diagnostics"]["outliers"] == 1


def test_plates_of_several_widths_with_negative_k_c(footfall, tmp_path):
    soil = tmp_path / "sand.toml"
    soil.write_text(
        'name = "sand"\n[terramechanics]\npressure_law = "bekker"\nexponent_n = 1.1\nk_c_kPa = -30\nk_phi_kPa = 1500\n'
        "cohesion_kPa = 1\nfriction_angle_deg = 30\nshear_modulus_K_mm = 20\nmeasured_width_mm = [25, 70]\n"
    )
    files = [
        measure(footfall, tmp_path / f"{r}.csv", "press", "--foot", "disc", "--radius", r, "--soil", soil, "--sinkage", 0.02)
        for r in (0.03, 0.045, 0.06)
    ]
    made = tmp_path / "my_sand.toml"
    r = footfall.json("identify", *files, "--foot", "disc", "--radius", "0.03,0.045,0.06", "--output", made)
    assert value(r, "k_c") == pytest.approx(-30e3, rel=1e-4)
    assert r["soil"]["terramechanics"]["measured_width_mm"] == [30, 60]
    assert [f["alone"]["k_c"].get("fixed") for f in r["fits"][0]["per_file"]] == [True] * 3
    press = ("rig", "press", "--foot", "disc", "--radius", 0.045, "--sinkage", 0.01)
    again = footfall.json(*press, "--soil", made)["normal_force_N"]
    assert again == pytest.approx(footfall.json(*press, "--soil", soil)["normal_force_N"], rel=1e-4)


def test_methods_and_losses_agree(footfall, noisy):
    best = footfall.json("identify", noisy, *DISC)
    simplex = footfall.json("identify", noisy, *DISC, "--method", "nelder_mead")
    robust = footfall.json("identify", noisy, *DISC, "--loss", "huber")
    assert value(simplex, "n") == pytest.approx(value(best, "n"), rel=1e-4)
    assert value(robust, "n") == pytest.approx(value(best, "n"), abs=2 * best["parameters"]["n"]["standard_error"])


def test_models_are_compared(footfall, noisy):
    models = footfall.json("identify", noisy, "--compare")["models"]
    scores = {m["model"]: m for m in models if "note" not in m}
    assert scores["hertz"]["delta_aicc"] < scores["spring"]["delta_aicc"]
    assert "AICc more" in footfall("identify", noisy, "--compare").stdout


def test_soil_file_is_used_at_once(footfall, noisy, repository, tmp_path):
    soil = tmp_path / "my-sand.toml"
    done = footfall("identify", noisy, *DISC, "--output", soil)
    assert f"Soil: {soil}" in done.stdout
    assert "not identified, so those of dry-sand: cohesion_kPa" in done.stderr
    text = soil.read_text()
    assert 'name = "my-sand"' in text and "# not identified: of dry-sand" in text and "noisy.csv: press, 401 rows" in text
    r = footfall.json("rig", "press", *DISC, "--soil", soil, "--sinkage", 0.02)
    assert r["normal_force_N"] == pytest.approx(12160 * 0.02**1.1, rel=0.01)
    scenario = tmp_path / "stand.toml"
    sand = (repository / "scenarios/quadruped_sand.toml").read_text()
    sand = sand.replace("../robots/quadruped.xml", "quadruped.xml")
    scenario.write_text(re.sub(r'(?m)^name = "dry-sand".*$', 'file = "my-sand.toml"', sand))
    run = footfall.json("run", scenario, "--set", "step.duration_s=0.02", "--output", tmp_path / "run")
    assert run
    assert "exists: choose another name, or add --overwrite" in error_of(footfall, noisy, *DISC, "--output", soil)
    footfall("identify", noisy, *DISC, "--output", soil, "--overwrite")
    assert soil.read_text() == text


def test_report_needs_nothing_else(footfall, noisy, tmp_path):
    page, plot = tmp_path / "fit.html", tmp_path / "fit.svg"
    r = footfall.json("identify", noisy, *DISC, "--compare", "--report", page, "--plot", plot)
    assert (r["report"], r["plot"]) == (str(page), str(plot))
    text = page.read_text()
    root = ElementTree.fromstring(text)
    assert len(root.findall(".//svg")) == 2
    assert "http" not in text and "<script" not in text
    for word in ("residuals", "Which law?", "correlation", "The soil file", "trade off", "loading", "Bernstein"):
        assert word in text, word
    ElementTree.parse(plot)
    assert len(text) < 1_000_000


def test_a_hundred_thousand_rows(footfall, tmp_path):
    noise = random.Random(5)
    file = tmp_path / "long.csv"
    lines = ["time_s,sinkage_m,normal_force_N"]
    lines += [f"{1e-3 * i:.3f},{2e-7 * i:.9f},{12160 * (2e-7 * i) ** 1.1 + noise.gauss(0, 1):.5f}" for i in range(100_000)]
    file.write_text("\n".join(lines) + "\n")
    start = time.monotonic()
    r = footfall.json("identify", file, *DISC, "--report", tmp_path / "long.html")
    assert time.monotonic() - start < 3  # under a second on a free machine
    assert value(r, "n") == pytest.approx(1.1, abs=1e-3)
    assert (tmp_path / "long.html").stat().st_size < 1_500_000
