"""scripts/robots.py: the table of robots that stand on soils, on robots of our own; and the soles of `inspect`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

BOX = '<geom type="box" size="0.06 0.03 0.01" pos="{} 0 0" mass="2"/>'
TEMPLATE = "<mujoco><worldbody><body name='plate' pos='0 0 0.01'><freejoint/>{}</body></worldbody></mujoco>"


def table(repository: Path, program: Path, folder: Path, out: Path, *options: str, status: int = 0) -> dict:
    command = [sys.executable, repository / "scripts/robots.py", folder, "--program", program, "--json", out]
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Columns:" in done.stdout
    return json.loads(out.read_text())


def test_our_robots_stand_on_their_feet(repository: Path, program: Path, tmp_path: Path) -> None:
    options = ["--robots", "ball", "box", "quadruped", "--duration", "0.5"]
    got = table(repository, program, repository / "robots", tmp_path / "t.json", *options)
    assert list(got) == ["ball", "box", "quadruped"]
    for robot in got.values():
        assert set(robot["soils"]) == {"concrete", "dry-sand", "sandy-loam", "heavy-clay"}
    for soil in ("concrete", "heavy-clay"):
        assert got["box"]["soils"][soil]["feet_share"] == pytest.approx(1, abs=0.01)
        assert got["box"]["soils"][soil]["energy_change_J"] <= 1e-6
    assert len(got["quadruped"]["soles"]) == 4


def test_a_robot_that_cannot_be_loaded_is_named(repository: Path, program: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "scene.xml").write_text("<mujoco><worldbody><body><geom/></body></worldbody></mujoco>")
    got = table(repository, program, tmp_path, tmp_path / "t.json", "--soils", "concrete", status=1)
    assert "error" in got["broken"]


def test_inspect_prints_soles(footfall, tmp_path: Path) -> None:
    robot = tmp_path / "plate.xml"
    robot.write_text(TEMPLATE.format(BOX.format(-0.05) + BOX.format(0.05)))
    text = footfall("inspect", robot).stdout
    assert "plate: 2 boxes of plate, 220 x 60 mm" in text
    (sole,) = footfall.json("inspect", robot)["soles"]
    assert sole["shapes"] == "2 boxes"
    assert len(sole["geoms"]) == 2
    assert sole["length_mm"] == pytest.approx(220)
    assert sole["width_mm"] == pytest.approx(60)
    assert sole["contact_width_mm"] == pytest.approx(60)
    assert sole["area_cm2"] == pytest.approx(132, rel=0.01)


def test_the_same_box_twice_sinks_like_one(footfall, tmp_path: Path) -> None:
    sunk = []
    for count in (1, 2):
        robot = tmp_path / "plate.xml"
        robot.write_text(TEMPLATE.format(count * BOX.format(0).replace('mass="2"', f'mass="{4 / count}"')))
        scenario = tmp_path / "plate.toml"
        scenario.write_text(
            f'[robot]\nfile = "{robot}"\ndrop_height_m = 0\n[soil]\nname = "dry-sand"\n[step]\nduration_s = 0.5\n'
        )
        run = footfall.json("run", scenario, "-o", tmp_path / "out")
        assert len(run["feet"]) == 1
        sunk.append(run["feet"][0]["sinkage_m"])
    assert sunk[0] > 1e-3
    assert sunk[1] == pytest.approx(sunk[0], rel=1e-6)
