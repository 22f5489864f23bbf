"""Where a run starts: what is refused is refused at once, and costs nothing that is there; an early fall is told."""

from __future__ import annotations

import json
import time

SCENARIO = """contact = "terramechanics"
[robot]
file = "quadruped"
keyframe = "stand"
[ground]
kind = "heightfield"
file = "waves.csv"
spacing_m = 0.05
[soil]
name = "dry-sand"
[step]
duration_s = 0.02
[controller]
kind = "hold"
kp = 150
kd = 8
"""


def test_a_start_metres_below_a_heightfield_is_refused_at_once(footfall, tmp_path):
    rows = [",".join(f"{0.02 * ((i + j) % 3):.2f}" for j in range(60)) for i in range(60)]
    (tmp_path / "waves.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "deep.toml").write_text(SCENARIO)
    footfall("run", tmp_path / "deep.toml", "-o", tmp_path / "out")
    before = (tmp_path / "out/run.h5").read_bytes()
    for height, depth in ((-3, "2.96"), (-30, "29.6")):
        start = time.monotonic()
        done = footfall("run", tmp_path / "deep.toml", "--set", f"robot.drop_height_m={height}",
                        "-o", tmp_path / "out", "--json", expect=2)
        assert time.monotonic() - start < 20
        assert json.loads(done.stdout)["error"]["status"] == 2
        assert done.stderr.startswith(f"footfall: error: the robot starts {depth} m underground, expected at most 1 m")
    assert (tmp_path / "out/run.h5").read_bytes() == before


def test_a_robot_that_falls_before_it_walks_has_fallen(footfall, repository, tmp_path):
    arguments = ("run", repository / "scenarios/biped_walk.toml", "--set", "soil.name=snow-us",
                 "--set", "step.duration_s=2", "-o", tmp_path)
    lines = footfall(*arguments).stdout.splitlines()
    summary = footfall.json(*arguments)
    assert summary["fallen"] is True and summary["gait"]["fall"]["time_s"] < 1.3
    at = lines.index("Gait    the robot fell before the gait was at its speed, at 1.3 s")
    assert lines[at + 1].startswith("Fell    after ")
    assert summary["gait"]["fall"]["reason"] in lines[at + 1]


def test_a_comparison_says_who_lies_on_its_side(footfall, repository, tmp_path):
    text = footfall("compare", repository / "scenarios/humanoid_stand.toml", "--soil", "concrete,snow-us",
                    "--set", "step.duration_s=3", "-o", tmp_path).stdout
    rows = [line for line in text.splitlines() if line.startswith(("soil.name", "concrete", "snow-us"))]
    ends = rows[0].index("fell") + len("fell")
    assert [row[:ends].split()[-1] for row in rows] == ["fell", "no", "yes"]
