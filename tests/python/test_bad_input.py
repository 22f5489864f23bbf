"""What was once taken in silence, or took all memory, is one clear error."""

from __future__ import annotations

import json
import resource
import socket
import struct
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from test_view import serving

DROP = "scenarios/quadruped_drop.toml"
SHORT = ("--set", "step.duration_s=0.02")
DISC = ("--foot", "disc", "--radius", "0.05")


def message_of(done) -> str:
    assert done.stderr.count("footfall: error: ") == 1, done.stderr
    return done.stderr.split("footfall: error: ")[1].strip()


def small_mat(file: Path, rows: int) -> None:
    """A variable of so many rows, of which there is not one."""
    dims = struct.pack("<IIii", 5, 8, rows, 1)
    flags = struct.pack("<IIII", 6, 8, 6, 0)
    body = flags + dims + struct.pack("<HH4s", 1, 1, b"x") + struct.pack("<II", 9, 0)
    head = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H2s", 0x0100, b"IM")
    file.write_bytes(head + struct.pack("<II", 14, len(body)) + body)


def test_a_small_mat_file_takes_little_memory(program, repository, tmp_path):
    small_mat(tmp_path / "small.mat", 500_000_000)
    assert (tmp_path / "small.mat").stat().st_size < 200
    done = subprocess.run([program, "identify", tmp_path / "small.mat", *DISC], cwd=repository, capture_output=True,
                          text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    assert done.returncode == 2, done.stderr
    assert "variable 'x' claims to be larger than the file can hold" in message_of(done)


def test_a_file_without_end_is_refused(footfall):
    assert "'/dev/zero' does not end" in message_of(footfall("run", "/dev/zero", expect=2, timeout=20))


def test_a_key_of_many_parts_is_refused(footfall):
    key = ".".join(["a"] * 50_000)
    assert "its key has more than 32 parts" in message_of(footfall("run", DROP, "--set", key + "=1", expect=2))


def test_tiny_numbers_are_shown(footfall, repository, tmp_path):
    text = (repository / "soils/dry-sand.toml").read_text()
    line = next(line for line in text.splitlines() if line.startswith("cohesion_kPa"))
    (tmp_path / "tiny.toml").write_text(text.replace(line, "cohesion_kPa = 1e-317"))
    assert "e-317" in footfall("soils", tmp_path / "tiny.toml", "--json").stdout


def test_wrenches_beyond_all_feet_are_refused(footfall, repository, tmp_path):
    lines = (repository / "media/beads.csv").read_text().splitlines()
    fields = lines[-1].split(",")
    (tmp_path / "huge.csv").write_text("\n".join([*lines[:-1], ",".join([*fields[:-1], "1e308"])]) + "\n")
    done = footfall("granular", "show", tmp_path / "huge.csv", "--depth-m", "0.05", expect=2)
    assert "= 1e+308, expected -1e+09 to 1e+09" in message_of(done)


def test_a_timestep_without_end_is_refused(footfall, repository, tmp_path):
    text = (repository / "robots/quadruped.xml").read_text()
    assert "<option" not in text or 'timestep="' in text
    option = '<option timestep="inf"/>'
    (tmp_path / "robot.xml").write_text(text.replace("<worldbody>", option + "<worldbody>", 1))
    done = footfall("mujoco", "tune", tmp_path / "robot.xml", "--sinkage-mm", "6", expect=2)
    assert "timestep" in message_of(done)


@pytest.mark.parametrize("arguments, expected", [
    (("rig", "press", *DISC, "--soil", "dry-sand", "--load", ""), "is empty"),
    (("soils", "--foot", "disc", "--radius", "", "--load", "100"), "is empty"),
    (("run", DROP, *SHORT, "--time", "0.01"), "--time requires --png"),
    (("run", DROP, *SHORT, "--theme", "dark"), "--theme needs --png or --video"),
    (("run", DROP, *SHORT, "--camera", "side"), "--camera needs --png or --video"),
    (("run", DROP, *SHORT, "--png", "/tmp/x.png", "--camera", "moon"), "--camera = 'moon', expected overview, side"),
    (("run", DROP, *SHORT, "--png", "/tmp/x.png", "--time", "7"), "--time = 7 s is outside of the run, expected 0 to 0.02"),
])
def test_options_that_make_no_sense_are_refused(footfall, arguments, expected):
    assert expected in message_of(footfall(*arguments, expect=2))


def test_a_foot_of_fifty_metres_is_warned_of(footfall):
    done = footfall("rig", "press", "--foot", "disc", "--radius", "50", "--soil", "dry-sand", "--load", "100")
    assert "warning: --radius 50 m: feet have 0.001 to 1 m" in done.stderr


URDF = """<robot name="arm"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tip"><inertial><mass value="{mass}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/>
<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize("values, expected", [
    ({"lower": 1, "upper": -1, "mass": 1}, "joint 'elbow' has range 1 to -1, expected the lower limit first"),
    ({"lower": -1, "upper": 1, "mass": 1e300}, "body 'tip': mass = 1e+300 kg, expected a number of size 1e+09 at most"),
])
def test_robots_that_cannot_be_are_refused(footfall, tmp_path, values, expected):
    (tmp_path / "arm.urdf").write_text(URDF.format(**values))
    message = message_of(footfall("inspect", tmp_path / "arm.urdf", expect=2))
    assert "arm.urdf" in message and expected in message


MJCF = """<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint/>
<inertial pos="0 0 0" mass="1" diaginertia="{moment} {moment} {moment}"/><geom name="ball" type="sphere" size="0.1"/></body></worldbody>
<keyframe><key name="stand" qpos="0 0 {height} 1 0 0 0"/></keyframe></mujoco>"""


@pytest.mark.parametrize("values, expected", [
    ({"moment": 1e300, "height": 1}, "body 'trunk': a moment of inertia = 1e+300 kg m², expected a number of size 1e+09 at most"),
    ({"moment": 1, "height": "-inf"}, "keyframe 'stand': qpos[2] = -inf"),
    ({"moment": 1, "height": 1e308}, "keyframe 'stand': qpos[2] = 1e+308"),
])
def test_numbers_that_no_robot_has_are_refused(footfall, tmp_path, values, expected):
    (tmp_path / "ball.xml").write_text(MJCF.format(**values))
    message = message_of(footfall("inspect", tmp_path / "ball.xml", expect=2))
    assert "ball.xml" in message and expected in message


def test_decimal_commas_in_a_heightfield_are_refused(footfall, tmp_path):
    (tmp_path / "heights.csv").write_text("0,1 0,2\n0,3 0,4\n")
    done = footfall("run", DROP, *SHORT, "-o", tmp_path / "out", "--set", "ground.kind=heightfield", "--set",
                    f"ground.file={tmp_path / 'heights.csv'}", "--set", "ground.spacing_m=0.1", expect=2)
    assert "heights.csv:1:" in message_of(done) and "write decimal points" in message_of(done)


def test_errors_are_json_with_json(footfall, tmp_path):
    done = footfall("rig", "press", *DISC, "--soil", "no-such-soil", "--load", "1", "--json", expect=2)
    said = json.loads(done.stdout)
    assert said["schema_version"] == 1
    assert (said["error"]["kind"], said["error"]["status"]) == ("input", 2)
    assert said["error"]["message"] == message_of(done)
    done = footfall("run", DROP, *SHORT, "-o", "/proc/nothing", "--json", expect=3)
    assert json.loads(done.stdout)["error"]["kind"] == "output"
    assert footfall.json("rig", "press", *DISC, "--soil", "dry-sand", "--load", "1")["schema_version"] == 1


def test_hints_name_the_help_of_the_command(footfall):
    assert "footfall rig press --help lists its options" in message_of(footfall("rig", "press", "--sole", expect=2))
    assert "footfall --help lists its options" in message_of(footfall("--sole", expect=2))


def test_open_connections_block_nobody(program, repository, tmp_path, footfall):
    footfall("run", DROP, *SHORT, "-o", tmp_path)
    with serving(program, "view", tmp_path / "run.h5") as (_, address):
        place = urlsplit(address)
        silent = [socket.create_connection((place.hostname, place.port)) for _ in range(200)]
        for connection in silent:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        start = time.monotonic()
        with socket.create_connection((place.hostname, place.port), timeout=10) as mine:
            mine.sendall(f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            assert mine.recv(15).startswith(b"HTTP/1.1 200")
        assert time.monotonic() - start < 1.5  # sooner than the silent ones are given up
        for connection in silent:
            connection.close()


@pytest.mark.parametrize("piece", [b"a: b\r\n" * 1000, b"a" * 8000], ids=["headers", "one line"])
def test_headers_without_end_are_cut_off(program, tmp_path, footfall, piece):
    footfall("run", DROP, *SHORT, "-o", tmp_path)
    with serving(program, "view", tmp_path / "run.h5") as (_, address):
        place = urlsplit(address)
        with socket.create_connection((place.hostname, place.port), timeout=10) as endless:
            endless.sendall(f"GET {place.path} HTTP/1.1\r\n".encode())
            with pytest.raises(OSError):  # reset, long before 10 MB
                for _ in range(1000):
                    endless.sendall(piece)
                    time.sleep(0.001)


def test_a_request_that_drips_is_given_up(program, tmp_path, footfall):
    footfall("run", DROP, *SHORT, "-o", tmp_path)
    with serving(program, "view", tmp_path / "run.h5") as (_, address):
        place = urlsplit(address)
        start = time.monotonic()
        with socket.create_connection((place.hostname, place.port), timeout=10) as slow:
            with pytest.raises(OSError):
                while time.monotonic() - start < 30:
                    slow.sendall(b"a")
                    time.sleep(0.5)
        assert 9 < time.monotonic() - start < 25
