"""`footfall soils`: the library as a table, single soils, filters, a foot on them, curves."""

from __future__ import annotations

import math
import tomllib
import xml.etree.ElementTree as xml

import pytest

FOOT = ("--foot", "disc", "--radius", "0.05", "--load", "100")


def error_of(footfall, *arguments) -> str:
    """The one error message of a call that must fail."""
    done = footfall("soils", *arguments, expect=2)
    assert done.stderr.startswith("footfall: error: "), done.stderr
    assert done.stdout == ""
    return done.stderr.removeprefix("footfall: error: ").rstrip("\n")


def names_of(footfall, *arguments) -> list[str]:
    return [soil["name"] for soil in footfall.json("soils", *arguments)["soils"]]


def files(repository) -> dict[str, dict]:
    return {f.stem: tomllib.loads(f.read_text()) for f in (repository / "soils").glob("*.toml")}


def test_lists_every_soil_with_its_values(footfall, repository):
    text = footfall("soils").stdout
    for name in files(repository):
        assert f"\n{name} " in text
    dry_sand = next(line for line in text.splitlines() if line.startswith("dry-sand "))
    assert dry_sand.split()[1:8] == ["1.1", "0.99", "1528.43", "1.04", "28", "25", "0"]
    assert dry_sand.endswith("Ding et al. 2013, Table 6")
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_json_has_the_values_of_the_files(footfall, repository):
    shown = {soil["name"]: soil for soil in footfall.json("soils")["soils"]}
    written = files(repository)
    assert sorted(shown) == sorted(written)
    for name, file in written.items():
        for key in ("description", "source", "validity"):
            assert shown[name][key] == file[key]
        assert shown[name].get("moisture_percent") == file.get("moisture_percent")
        for section in ("terramechanics", "compliant"):
            assert (section in shown[name]) == (section in file)
            for key, value in file.get(section, {}).items():
                if key != "law":
                    assert shown[name][section][key] == value, (name, key)


def test_kinds_and_search_choose(footfall, repository):
    plastic = names_of(footfall, "--kind", "plastic")
    elastic = names_of(footfall, "--kind", "elastic")
    assert plastic == sorted(n for n, f in files(repository).items() if "terramechanics" in f)
    assert elastic == sorted(n for n, f in files(repository).items() if "compliant" in f)
    assert names_of(footfall, "--search", "SNOW") == ["snow-sweden", "snow-us"]
    assert names_of(footfall, "--search", "no such soil") == []
    assert footfall("soils", "--search", "no such soil").stdout == "No soil fits.\n"
    assert "elastic" not in footfall("soils", "--kind", "plastic").stdout


def test_one_soil_in_full(footfall):
    text = footfall("soils", "standard-sand", "brick").stdout
    for words in ("497.806 kPa/m^0.632", "40.43 degrees", "155.13 mm", "bulldozing", "205.07 N s^0.075/m^0.171",
                  "1640.7 N/m", "3.4e9 N/m\n", "assumed", "soils/brick.toml"):
        assert words in text
    assert text.index("standard-sand:") < text.index("brick:")


def test_a_file_of_ones_own(footfall, repository, tmp_path):
    text = (repository / "soils/dry-sand.toml").read_text()
    mine = tmp_path / "mine.toml"
    mine.write_text(text.replace('"dry-sand"', '"mine"').replace("28.0", "33"))
    (soil,) = footfall.json("soils", mine)["soils"]
    assert soil["name"] == "mine"
    assert soil["terramechanics"]["friction_angle_deg"] == 33
    mine.write_text(text.replace("28.0", "133"))
    assert "mine.toml:" in error_of(footfall, mine)
    assert "key 'terramechanics.friction_angle_deg' = 133, expected 0 to 89.9 degrees" in error_of(footfall, mine)


def test_sinkage_of_a_disc_is_that_of_the_law(footfall):
    for soil in footfall.json("soils", *FOOT)["soils"]:
        if "terramechanics" in soil:
            s = soil["terramechanics"]
            modulus = s["k_kPa"] if "k_kPa" in s else s["k_c_kPa"] / 0.05 + s["k_phi_kPa"]
            pressure = 100 / (math.pi * 0.05**2) / 1000
            expected = (pressure / modulus) ** (1 / s["exponent_n"])
            if expected < 1e-3:  # where V is steep at first, the line of unloading carries
                measured = s["unload_modulus_k0_kPa_per_m"] + s["unload_modulus_slope_Au_kPa_per_m2"] * 1e-3
                bound = modulus * 1e-3 ** s["exponent_n"] / ((0.2 if measured > 0 else 0.01) * 1e-3)
                expected = max(expected, pressure / max(bound, measured))
        else:
            s = soil["compliant"]
            expected = (100 / s["stiffness"]) ** (1 / s["exponent"])
        assert soil["sinkage_m"] == pytest.approx(expected, rel=1e-10)


def test_sinkage_is_that_of_the_rig(footfall):
    for soil in footfall.json("soils", *FOOT)["soils"]:
        pressed = footfall.json("rig", "press", *FOOT, "--soil", soil["name"])
        assert pressed["sinkage_m"] == soil["sinkage_m"]
        assert pressed["normal_force_N"] == pytest.approx(100, rel=1e-9)


def test_a_foot_beyond_its_law_is_warned_of(footfall):
    done = footfall("soils", "dry-sand", *FOOT[:-1], 1e6)
    assert "footfall: warning: dry-sand:" in done.stderr and "the laws hold to" in done.stderr
    rows = footfall.json("soils", "dry-sand", *FOOT[:-1], 1e6)["soils"]
    assert "the laws hold to" in rows[0]["beyond_validity"]
    assert "beyond_validity" not in footfall.json("soils", "dry-sand", *FOOT)["soils"][0]


def test_sorts(footfall):
    sinkages = [s["sinkage_m"] for s in footfall.json("soils", *FOOT, "--sort", "sinkage")["soils"]]
    assert sinkages == sorted(sinkages)
    by_cohesion = names_of(footfall, "--sort", "cohesion")
    assert by_cohesion[0] == "standard-sand"
    assert by_cohesion.index("heavy-clay") < by_cohesion.index("wood")  # that has none
    assert names_of(footfall, "wood", "brick") == ["wood", "brick"]  # as asked for


def test_draws_curves(footfall, tmp_path):
    file = tmp_path / "soils.svg"
    text = footfall("soils", "dry-sand", "lete-sand", "--plot", file).stdout
    assert f"Plot: {file}" in text
    words = "".join(xml.parse(file).getroot().itertext())
    for label in ("dry-sand", "lete-sand", "sinkage [mm]", "pressure [kPa]", "shear stress [kPa]"):
        assert label in words
    footfall("soils", "--kind", "plastic", *FOOT, "--plot", file)
    words = "".join(xml.parse(file).getroot().itertext())
    assert "normal force [N]" in words and "Tangential force under 100 N" in words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dry-snad",), "soil 'dry-snad' is not in the soil library, and there is no file 'dry-snad.toml', "
                        "did you mean 'dry-sand'?"),
        (("--load", "5"), "--load = 5 N, expected --foot beside it"),
        (("--radius", "5"), "--radius = 5 m, expected --foot beside it"),
        (("--foot", "disc", "--load", "5"), "--foot disc needs --radius in metres"),
        (("--foot", "disc", "--radius", "0.1"), "--foot needs --load in newtons, or --plot"),
        (("--foot", "disc", "--radius", "0.1", "--width", "1", "--load", "5"),
         "--width = 1 m, expected it left out: it does not belong to --foot disc"),
        (("--foot", "disc", "--radius", "0.1", "--load", "-5"), "--load = -5 N, expected 0 to 1e9 N"),
        (("--sort", "sinkage"), "--sort sinkage needs --foot and --load"),
        (("wood", "--plot", "x.svg"), "--plot draws plastic soils, and none of those selected is plastic"),
        (("dry-sand", "--plot", "x.png"), "--plot x.png, expected a name that ends in .svg"),
        (("./nowhere.toml",), "no file 'nowhere.toml'"),
    ],
)
def test_says_what_is_wrong(footfall, arguments, message):
    assert error_of(footfall, *arguments) == message


@pytest.mark.parametrize("arguments", [("--kind", "wet"), ("--foot", "shoe"), ("--nonsense",), ("--radius", "x")])
def test_wrong_usage_is_one_error(footfall, arguments):
    assert " --help lists " in error_of(footfall, *arguments)


def test_a_foot_with_no_size_is_refused(footfall):
    assert "radius" in error_of(footfall, "--foot", "disc", "--radius", "-1", "--load", "5")


def test_help_has_examples_and_units(footfall):
    text = footfall("soils", "--help").stdout
    for words in ("Examples:", "[N]", "[m]", "--kind", "docs/soil-file.md"):
        assert words in text
