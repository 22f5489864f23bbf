"""Names and paths of soils, robots and media: one rule in every command.

A name on the command line counts from the folder that the user stands in, one in a file from that file's folder.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

SHORT = ("--set", "step.duration_s=0.05")
FOOT = ("--foot", "disc", "--radius", "0.05")


@pytest.fixture(scope="module")
def bench(footfall, repository, tmp_path_factory) -> Path:
    """A folder outside of the project, with the soil that the README's two commands make in it."""
    folder = tmp_path_factory.mktemp("bench")
    footfall("rig", "press", *FOOT, "--soil", "dry-sand", "--sinkage", "0.02", "--csv", "press.csv", cwd=folder)
    footfall("identify", "press.csv", *FOOT, "--output", "my-sand.toml", "--report", "fit.html", cwd=folder)
    assert (folder / "my-sand.toml").is_file()
    return folder


@pytest.fixture(scope="module")
def scenario(repository) -> Path:
    return repository / "scenarios/quadruped_sand.toml"


def error_of(footfall, *arguments, **options) -> str:
    done = footfall(*arguments, expect=2, **options)
    assert done.stdout == "", done.stdout
    assert done.stderr.startswith("footfall: error: "), done.stderr
    return done.stderr.removeprefix("footfall: error: ").rstrip("\n")


# ---- README: identify, then run ----


@pytest.mark.parametrize(
    "setting",
    ["soil.name=my-sand", "soil.name=my-sand.toml", "soil.name=./my-sand.toml", "soil.name=./my-sand",
     "soil.file=my-sand.toml", "soil.file=./my-sand.toml", "soil.file=my-sand"],
)
def test_the_soil_just_identified_runs(footfall, bench, scenario, setting):
    summary = footfall.json("run", scenario, *SHORT, "--set", setting, cwd=bench)
    assert summary["steps"] == 50
    text = footfall("run", scenario, *SHORT, "--set", setting, cwd=bench).stdout
    assert "my-sand" in text


def test_the_soil_just_identified_carries_as_the_one_it_was_pressed_in(footfall, bench, scenario):
    """Real sand into the rig, the fitted sand under the robot: the same depths, within the fit's rounding."""
    deep = {}
    for soil in ("dry-sand", "./my-sand.toml"):
        feet = footfall.json("run", scenario, "--set", "step.duration_s=0.5", "--set", f"soil.name={soil}",
                             cwd=bench)["feet"]
        deep[soil] = [foot["sinkage_m"] for foot in feet]
    assert max(deep["dry-sand"]) > 0.01
    # one plate size: the fit knows k, not how k splits into k_c and k_phi (0.3 % of it at this foot)
    assert deep["./my-sand.toml"] == pytest.approx(deep["dry-sand"], rel=0.1)


def test_soils_and_files_are_compared(footfall, bench, scenario):
    done = footfall.json("compare", scenario, "--soil", "dry-sand,./my-sand.toml,my-sand", *SHORT, cwd=bench)
    assert [run["name"] for run in done["runs"]] == ["dry-sand", "./my-sand.toml", "my-sand"]
    assert not any("error" in run for run in done["runs"])
    folders = {Path(run["summary"]["result_file"]).parent.name for run in done["runs"]}
    assert folders == {"dry-sand", "my-sand", "my-sand_"}


@pytest.mark.parametrize("name", ["my-sand", "my-sand.toml", "./my-sand.toml"])
def test_other_commands_take_the_same_names(footfall, bench, name):
    press = footfall.json("rig", "press", *FOOT, "--soil", name, "--load", "100", cwd=bench)
    listed = footfall.json("soils", name, *FOOT, "--load", "100", cwd=bench)
    assert listed["soils"][0]["name"] == "my-sand"
    assert press["soil"] == "my-sand"


# ---- where names count from ----


def test_names_in_a_file_count_from_the_file(footfall, bench, scenario, tmp_path):
    text = scenario.read_text().replace('"dry-sand"', '"sands/mine.toml"').replace("../robots/", "")
    assert "sands/mine.toml" in text
    (tmp_path / "sands").mkdir()
    (tmp_path / "own.toml").write_text(text)
    shutil.copy(bench / "my-sand.toml", tmp_path / "sands/mine.toml")
    footfall.json("run", tmp_path / "own.toml", *SHORT, cwd=bench)
    error = error_of(footfall, "run", tmp_path / "own.toml", "--set", "soil.name=sands/mine.toml", cwd=bench)
    assert error == ("--set soil.name=sands/mine.toml: no file 'sands/mine.toml', but "
                     f"'{tmp_path}/sands/mine.toml' is one: names on the command line count from the current folder")
    (tmp_path / "own.toml").write_text(text.replace("sands/mine", "my-sand"))
    error = error_of(footfall, "run", tmp_path / "own.toml", cwd=bench)
    assert "soil 'my-sand.toml' is not in the soil library, and there is no file" in error


def test_a_library_of_ones_own_lies_where_one_stands(footfall, bench, scenario, tmp_path):
    (tmp_path / "soils").mkdir()
    text = (bench / "my-sand.toml").read_text().replace('"my-sand"', '"beach"')
    (tmp_path / "soils/beach.toml").write_text(text)
    for arguments in (("run", scenario, *SHORT, "--set", "soil.name=beach"),
                      ("rig", "press", *FOOT, "--soil", "beach", "--load", "10")):
        footfall(*arguments, cwd=tmp_path)


def test_the_recorded_scenario_finds_its_soil_again(footfall, bench, scenario, tmp_path):
    """The text of a run stands alone: it is read again from elsewhere, by replays and by the viewer."""
    done = footfall.json("run", scenario, *SHORT, "--set", "soil.file=my-sand.toml", "-o", tmp_path, cwd=bench)
    footfall("export", done["result_file"], tmp_path / "run.csv", cwd=tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert f"{bench}/my-sand.toml" in page


def test_robots_and_media_follow_the_rule(footfall, repository, tmp_path):
    shutil.copy(repository / "robots/ball.xml", tmp_path / "my-ball.xml")
    shutil.copy(repository / "media/play-sand.csv", tmp_path / "my-grains.csv")
    for name in ("my-ball", "my-ball.xml", "./my-ball.xml", "ball"):
        assert footfall.json("inspect", name, cwd=tmp_path)["bodies"]
        footfall("run", repository / "scenarios/quadruped_drop.toml", *SHORT, "--set", f"robot.file={name}",
                 "--set", "controller={kind='none'}", cwd=tmp_path)
    for name in ("my-grains", "./my-grains.csv", "play-sand"):
        shown = footfall.json("granular", "show", name, "--depth-m", "0.05", cwd=tmp_path)
        assert shown["medium"]
        footfall("run", repository / "scenarios/foot_drop_beads.toml", *SHORT, "--set", f"contact.database={name}",
                 cwd=tmp_path)


# ---- what is wrong is said ----


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("soil.name=my-snad", "soil 'my-snad' is not in the soil library, and there is no file 'my-snad.toml', "
                              "did you mean 'my-sand'?"),
        ("soil.file=./my-snad.toml", "no file 'my-snad.toml'"),
        ("robot.file=quadrupde", "robot 'quadrupde' is not in the robot library, and there is no file "
                                 "'quadrupde.xml', did you mean 'quadruped'?"),
    ],
)
def test_a_name_that_is_nothing_is_one_error(footfall, bench, scenario, setting, message):
    assert error_of(footfall, "run", scenario, "--set", setting, cwd=bench) == f"--set {setting}: {message}"


def test_name_and_file_by_set_are_refused(footfall, bench, scenario):
    for names in (("soil.name=snow-us", "soil.file=my-sand.toml"), ("soil.file=my-sand.toml", "soil.name=snow-us")):
        said = error_of(footfall, "run", scenario, "--set", names[0], "--set", names[1], cwd=bench)
        assert said == "--set soil.name=snow-us and --set soil.file=my-sand.toml: either 'name' or 'file', not both"


def test_name_and_file_in_one_file_are_refused(footfall, bench, scenario, tmp_path):
    text = scenario.read_text().replace("../robots/", "")
    at = tomllib.loads(text)["soil"]["name"]
    (tmp_path / "both.toml").write_text(text.replace(f'name = "{at}"', f'name = "{at}"\nfile = "x.toml"'))
    assert "expected either 'name' or 'file', not both" in error_of(footfall, "run", tmp_path / "both.toml")
