"""footfall mujoco compare: our soft constraints against real MuJoCo."""

from __future__ import annotations

import json

SCENE = """<mujoco model="stone"><option cone="elliptic"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
</worldbody></mujoco>"""

BLOWS_UP = """<mujoco><option timestep="0.01"/><worldbody>
<geom name="floor" type="plane" size="1 1 .1" solref="-1e9 -1e6"/>
<body pos="0 0 .04"><freejoint/><geom type="box" size=".05 .02 .05" euler="10 20 0"/></body>
</worldbody></mujoco>"""


def test_random_scenes_agree(footfall):
    result = json.loads(footfall("mujoco", "compare", "--random", 20, "--seed", 5, "--json").stdout)
    assert result["scenes"] == 20
    assert result["contacts"] > 0
    assert result["states_converged"] == result["states"]
    assert result["worst"]["contacts_that_only_one_has"] == 0
    assert result["worst"]["force_relative"] < 1e-6
    assert result["worst"]["acceleration_relative"] < 1e-6


def test_a_scene_is_compared_step_by_step(footfall, tmp_path):
    scene = tmp_path / "scene.xml"
    scene.write_text(SCENE)
    result = json.loads(footfall("mujoco", "compare", scene, "--steps", 30, "--json").stdout)
    assert len(result["steps"]) == 30
    assert result["steps"][29]["contacts"] == 4
    assert result["worst"]["force_relative"] < 1e-9
    table = footfall("mujoco", "compare", scene, "--steps", 30).stdout
    assert "worst" in table


def test_says_what_is_missing(footfall):
    assert "either a scene" in footfall("mujoco", "compare", expect=2).stderr


def test_options_that_would_do_nothing_are_refused(footfall, tmp_path):
    scene = tmp_path / "scene.xml"
    scene.write_text(SCENE)
    assert "--seed" in footfall("mujoco", "compare", scene, "--seed", 2, expect=2).stderr
    assert "--control" in footfall("mujoco", "compare", scene, "--control", "x", expect=2).stderr
    random = ("--random", 2, "--keyframe", "k")
    assert "--keyframe" in footfall("mujoco", "compare", *random, expect=2).stderr
    assert "--steps" in footfall("mujoco", "compare", "--random", 2, "--steps", 2, expect=2).stderr


def test_ends_with_status_1_where_the_two_differ(footfall, tmp_path):
    scene = tmp_path / "scene.xml"
    # damping far beyond what steps of 10 ms bear: MuJoCo blows up and resets itself
    scene.write_text(BLOWS_UP)
    result = footfall("mujoco", "compare", scene, "--steps", 300, expect=1)
    assert "worst" in result.stdout
    assert "do not agree" in result.stderr


def test_a_scenario_warns_of_what_its_ground_and_the_file_undo(footfall, tmp_path):
    robot = tmp_path / "robot.xml"
    robot.write_text("""<mujoco><option><flag override="enable"/></option><worldbody>
<geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 0.05"><freejoint/><geom name="ball" size="0.05"/></body></worldbody>
<contact><pair geom1="floor" geom2="ball"/></contact></mujoco>""")
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(f"""[robot]
file = "{robot}"
[contact]
model = "soft_constraint"
solref = [-500, -20]
[step]
duration_s = 0.01
""")
    result = footfall("run", scenario, "--output", tmp_path / "out")
    assert "<pair>s of the robot's file" in result.stderr
    assert "override = enable" in result.stderr
    assert "override = enable" in (tmp_path / "out" / "report.html").read_text()
