"""footfall mujoco compare: our soft constraints against real MuJoCo."""

from __future__ import annotations

import json

SCENE = """<mujoco model="stone"><option cone="elliptic"/><worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
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
