"""Robot files: `inspect --export` writes a robot that every command runs to the same bits (docs/robot-file.md)."""

import json

import pytest

ROBOTS = ("ball", "biped", "box", "humanoid", "quadruped", "robosimian", "robosimian_planar", "single_foot")
# A scenario of each contact law that needs no model of MuJoCo's, with gaits, servos and motors.
SCENARIOS = {
    "quadruped_sand": "quadruped",
    "quadruped_trot_bumps": "quadruped",
    "humanoid_stand": "humanoid",
    "biped_walk": "biped",
    "box_on_slope": "box",
    "foot_drop_beads": "single_foot",
    "robosimian_slide": "robosimian_planar",
}


@pytest.fixture(scope="module")
def exported(footfall, tmp_path_factory):
    """The path of a robot's file; written once."""
    folder = tmp_path_factory.mktemp("robots")

    def export(name):
        file = folder / f"{name}.json"
        if not file.exists():
            footfall("inspect", f"robots/{name}.xml", "--export", file)
        return file

    return export


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_file_is_json_and_is_written_again_to_the_same_bytes(footfall, exported, tmp_path, name):
    robot = json.loads(exported(name).read_text())
    assert (robot["format"], robot["version"], robot["name"]) == ("footfall-robot", 1, name)
    again = tmp_path / "again.json"
    from_json = footfall("inspect", exported(name), "--export", again).stdout
    assert again.read_bytes() == exported(name).read_bytes()
    assert from_json == footfall("inspect", f"robots/{name}.xml").stdout
    shuffled = tmp_path / "shuffled.json"
    shuffled.write_text(json.dumps(robot, sort_keys=True, indent=1))
    footfall("inspect", shuffled, "--export", again)
    assert again.read_bytes() == exported(name).read_bytes()


def run_and_export(footfall, scenario, robot, folder):
    """The columns of a short run, but for the times that its stages took."""
    changes = ("--set", f'robot.file="{robot}"', "--set", "step.duration_s=0.4")
    footfall("run", f"scenarios/{scenario}.toml", *changes, "-o", folder)
    footfall("export", folder / "run.h5", folder / "run.csv")
    columns = zip(*(line.split(",") for line in (folder / "run.csv").read_text().splitlines()))
    return {column[0]: column[1:] for column in columns if not column[0].startswith("stages")}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_run_with_the_robot_file_has_the_same_bits(footfall, exported, repository, tmp_path, scenario):
    name = SCENARIOS[scenario]
    from_xml = run_and_export(footfall, scenario, repository / f"robots/{name}.xml", tmp_path / "xml")
    from_json = run_and_export(footfall, scenario, exported(name), tmp_path / "json")
    assert from_json == from_xml
    assert len(from_xml) > 20
    assert len(from_xml["time [s]"]) > 20


def test_a_scenario_finds_a_robot_file_beside_it(footfall, exported, repository, tmp_path):
    (tmp_path / "mine.json").write_bytes(exported("quadruped").read_bytes())
    text = (repository / "scenarios/quadruped_drop.toml").read_text()
    assert "../robots/quadruped.xml" in text
    (tmp_path / "mine.toml").write_text(text.replace("../robots/quadruped.xml", "mine.json"))
    footfall("run", tmp_path / "mine.toml", "--set", "step.duration_s=0.1", "-o", tmp_path / "out")


@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect", "ROBOT", "--compare-mujoco"),
        ("bench", "ROBOT"),
        ("mujoco", "compare", "ROBOT"),
        ("mujoco", "tune", "ROBOT", "--sinkage-mm", "6"),
        ("run", "scenarios/humanoid_walk.toml", "--set", 'robot.file="ROBOT"'),  # soft constraints
    ],
)
def test_what_needs_mujoco_says_so(footfall, exported, arguments):
    robot = str(exported("humanoid"))
    done = footfall(*(word.replace("ROBOT", robot) for word in arguments), expect=2)
    assert "humanoid.json' cannot be used here, where MuJoCo's own model of the robot is needed" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_mistake_has_its_place(footfall, exported, tmp_path):
    file = tmp_path / "robot.json"
    lines = exported("quadruped").read_text().splitlines(keepends=True)
    number = next(i for i, line in enumerate(lines) if '"mass_kg"' in line)
    lines[number] = lines[number].replace("mass_kg", "mas_kg")
    file.write_text("".join(lines))
    for command in (("inspect", file), ("run", "scenarios/quadruped_drop.toml", "--set", f'robot.file="{file}"')):
        error = footfall(*command, expect=2).stderr
        assert f"{file}:{number + 1}:5: unknown key 'bodies[0].mas_kg', did you mean 'bodies[0].mass_kg'?" in error


def test_export_refuses_other_names(footfall, tmp_path):
    error = footfall("inspect", "robots/ball.xml", "--export", tmp_path / "ball.xml", expect=2).stderr
    assert "its name must end in .json" in error
    assert not (tmp_path / "ball.xml").exists()
