"""The command line, as a user meets it: runs, overrides, errors, JSON, failures, Ctrl-C."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

SCENARIO = "scenarios/quadruped_drop.toml"
SHORT = ("--set", "step.duration_s=0.05")


def error_of(footfall, *arguments, expect=2, **options) -> str:
    """The one error message of a command that must fail."""
    done = footfall(*arguments, expect=expect, **options)
    assert done.stderr.startswith("footfall: error: "), done.stderr
    return done.stderr.removeprefix("footfall: error: ").rstrip("\n")


# ---- what it says about itself ----


def test_version_names_build_and_mujoco(footfall):
    assert footfall("--version").stdout.startswith("footfall 0.")
    assert "MuJoCo 4.0.0" in footfall("--version").stdout


def test_kernels_are_chosen_by_the_environment(footfall, tmp_path, monkeypatch):
    """Every set of kernels gives the same run, but for rounding; any other word is an error."""
    widest = footfall("--version").stdout.split("kernels ")[1].split(",")[0].strip()

    def feet(kernels: str) -> list[dict]:
        monkeypatch.setenv("FOOTFALL_KERNELS", kernels)
        assert f"kernels {kernels}" in footfall("--version").stdout
        return footfall.json("run", SCENARIO, "--set", "step.duration_s=0.2", "--output",
                             tmp_path / kernels)["feet"]

    for narrow, wide in zip(feet("v2"), feet(widest), strict=True):
        assert narrow["sinkage_m"] == pytest.approx(wide["sinkage_m"], abs=1e-9)
        assert narrow["normal_force_N"] == pytest.approx(wide["normal_force_N"], abs=1e-4)
    monkeypatch.setenv("FOOTFALL_KERNELS", "sse9")
    error = error_of(footfall, "--version")
    assert error.startswith("FOOTFALL_KERNELS = 'sse9', expected one of: v2, v3, v4")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_the_commands(footfall, arguments):
    text = footfall(*arguments).stdout
    for word in ("run", "replay", "export", "inspect", "Examples:"):
        assert word in text


@pytest.mark.parametrize("command", ["run", "replay", "export", "inspect"])
def test_every_command_has_help(footfall, command):
    assert f"footfall {command}" in footfall(command, "--help").stdout


@pytest.mark.parametrize("gain", ["--kp=-1", "--kd=nan"])
def test_bench_refuses_gains_that_are_no_gains(footfall, gain):
    assert "expected 0 or more" in error_of(footfall, "bench", "robots/ball.xml", gain)


def test_bench_races_on_a_plane_that_the_feet_touch(footfall):
    text = footfall("bench", "robots/two_link_leg.urdf", "--repeats=1", "--steps=20", "--json").stdout
    standing = json.loads(text)["cases"][0]
    assert standing["touching_feet"] > 0
    assert standing["mujoco_contacts"] > 0


@pytest.mark.parametrize("arguments", [("walk",), ("run",), ("run", SCENARIO, "--nonsense")])
def test_wrong_usage_is_one_error(footfall, arguments):
    assert " --help lists " in error_of(footfall, *arguments)


# ---- runs ----


def test_run_prints_what_happened_and_where_it_lies(footfall, tmp_path):
    text = footfall("run", SCENARIO, *SHORT, "-o", tmp_path).stdout
    for word in ("quadruped", "front_left_foot (sphere)", "soft-ground", "sinkage",
                 f"Results: {tmp_path}/run.h5", f"Report:  {tmp_path}/report.html"):
        assert word in text
    assert (tmp_path / "run.h5").is_file()
    assert f"footfall view {tmp_path}/run.h5 --png" in text


def test_results_lie_in_the_working_folder_by_default(footfall, repository, tmp_path):
    summary = footfall.json("run", repository / SCENARIO, *SHORT, cwd=tmp_path)
    assert summary["result_file"] == "results/quadruped_drop/run.h5"
    assert (tmp_path / summary["result_file"]).is_file()


def scenarios() -> list[str]:
    return sorted(p.name for p in (Path(__file__).parents[2] / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("name", scenarios())
def test_every_scenario_runs(footfall, tmp_path, name):
    summary = footfall.json("run", f"scenarios/{name}", "-o", tmp_path)
    if "gait" in summary:
        assert not summary["gait"]["fell"]
        assert summary["solver"]["not_converged"] == 0
        return
    scenario = tomllib.loads((Path(__file__).parents[2] / "scenarios" / name).read_text())
    assert summary["time_s"] == pytest.approx(scenario["step"]["duration_s"])
    assert summary["solver"]["not_converged"] == 0
    assert summary["energy"]["change_J"] < 0
    assert summary["rms_velocity_m_per_s"] < 2e-3
    assert all(foot["touching"] for foot in summary["feet"])


def test_json_is_all_that_is_on_stdout_and_has_units(footfall, tmp_path):
    done = footfall("run", SCENARIO, *SHORT, "-o", tmp_path, "--json")
    summary = json.loads(done.stdout)
    assert done.stderr == ""
    assert summary["time_s"] == 0.05 and summary["steps"] == 50
    assert [foot["name"] for foot in summary["feet"]] == [
        "front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"]
    for foot in summary["feet"]:
        assert {"sinkage_m", "normal_force_N", "tangential_force_N"} <= foot.keys()
    assert {"iterations_mean", "iterations_max", "not_converged", "residual_max_N"} <= (
        summary["solver"].keys())
    assert {"settled", "settle_time_s", "rms_velocity_m_per_s", "base_height_m", "energy",
            "realtime_factor", "stage_times_s", "result_file", "report_file"} <= summary.keys()


def test_standing_feet_carry_the_weight(footfall, tmp_path):
    summary = footfall.json("run", SCENARIO, "--set", "step.duration_s=6", "-o", tmp_path)
    assert summary["settled"]
    assert sum(foot["force_N"][2] for foot in summary["feet"]) == pytest.approx(15 * 9.81, rel=1e-3)
    for foot in summary["feet"]:
        sinkage = (foot["normal_force_N"] / 1e4) ** (1 / 1.3)  # force = k sinkage^1.3
        assert foot["sinkage_m"] == pytest.approx(sinkage, rel=1e-3)


def test_overrides_change_the_run(footfall, tmp_path):
    def sinkage(*overrides):
        more = [word for change in overrides for word in ("--set", change)]
        summary = footfall.json("run", SCENARIO, *more, "-o", tmp_path)
        return summary["feet"][0]["sinkage_m"]

    assert sinkage("soil.name=sand") < 0.1 * sinkage()
    # force = k sinkage^1.3 on soft ground
    assert sinkage("soil.stiffness=5e3") == pytest.approx(2 ** (1 / 1.3) * sinkage(), rel=0.05)


def test_a_scenario_from_elsewhere_finds_robots_and_soils(footfall, tmp_path, repository):
    text = (repository / SCENARIO).read_text().replace("../robots/quadruped.xml", "quadruped")
    (tmp_path / "mine.toml").write_text(text)
    # beside the program (a build in the source tree) or through FOOTFALL_DATA
    command = [str(footfall.program), "run", "mine.toml", *SHORT, "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True,
                          env=os.environ | {"FOOTFALL_DATA": str(repository)})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scenario"] == "mine"

    soil = (repository / "soils/soft-ground.toml").read_text().replace("soft-ground", "my-clay")
    (tmp_path / "my-clay.toml").write_text(soil)
    (tmp_path / "mine.toml").write_text(text.replace("soft-ground", "my-clay"))
    done = subprocess.run(command[:-1], cwd=tmp_path, capture_output=True, text=True,
                          env=os.environ | {"FOOTFALL_DATA": str(repository)})
    assert done.returncode == 0, done.stderr
    assert "my-clay" in done.stdout


def test_export_writes_csv(footfall, tmp_path):
    footfall("run", SCENARIO, *SHORT, "-o", tmp_path)
    csv = tmp_path / "run.csv"
    assert footfall("export", tmp_path / "run.h5").stdout.strip() == str(csv)
    lines = csv.read_text().splitlines()
    assert len(lines) == 1 + 50
    assert lines[0].startswith("time")
    footfall("export", tmp_path / "run.h5", tmp_path / "other.csv")
    assert (tmp_path / "other.csv").read_text() == csv.read_text()
    assert "none.h5" in error_of(footfall, "export", tmp_path / "none.h5")


def test_export_never_replaces_a_run_file(footfall, tmp_path):
    footfall("run", SCENARIO, *SHORT, "-o", tmp_path)
    run = tmp_path / "run.h5"
    before = run.read_bytes()
    assert "choose another name for the CSV file" in error_of(footfall, "export", run, run)
    assert run.read_bytes() == before


def test_two_runs_are_the_same_to_the_last_bit(footfall, tmp_path):
    tables = []
    for name in ("a", "b"):
        footfall("run", SCENARIO, "--set", "step.duration_s=0.5", "-o", tmp_path / name)
        footfall("export", tmp_path / name / "run.h5")
        rows = [line.split(",") for line in (tmp_path / name / "run.csv").read_text().splitlines()]
        keep = [i for i, column in enumerate(rows[0]) if not column.startswith("stages")]
        assert len(keep) > 50
        tables.append([[row[i] for i in keep] for row in rows])
    assert tables[0] == tables[1]


# ---- wrong input ----


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("soil.stiffness=-3", "key 'soil.stiffness' = -3, expected above 0 and at most 1e12 N/m^n"),
        ("soil.stiffness=hard", "key 'soil.stiffness' = \"hard\", expected a number, above 0 and at most "
         "1e12 N/m^n"),
        ("soil.stifness=3", "unknown key 'soil.stifness', did you mean 'soil.stiffness'?"),
        ("soil.cohesion=500", "unknown key 'soil.cohesion', did you mean "
         "'soil.terramechanics.cohesion_kPa'?"),
        ("soil.shear_stiffness=3", "unknown key 'soil.shear_stiffness', did you mean "
         "'soil.shear_stiffness_N_per_m'?"),
        ("soil.name=snad", "soil 'snad' is not in the soil library, and there is no file 'snad.toml', "
         "did you mean 'sand'?"),
        ("contact.model=bekker", "key 'contact.model' = \"bekker\", expected one of: compliant, "
         "terramechanics, none, soft_constraint, feedback_linearized, spring_damper, wrench_space, "
         "resistive_force"),
        ("step.timestep_s=1", "key 'step.timestep_s' = 1, expected 1e-6 to 0.1 s"),
        ("stp.timestep_s=1", "unknown key 'stp', did you mean 'step'?"),
        ("robot.keyframe=stnd", "robot 'quadruped' has no keyframe 'stnd', did you mean 'stand'?"),
        ("robot.file=quadrupde", "robot 'quadrupde' is not in the robot library, and there is no file "
         "'quadrupde.xml', did you mean 'quadruped'?"),
        ("controller.kp=[1]", "key 'controller.kp' = [ 1 ], expected a number, 0 N m/rad or more, for "
         "all joints or by joint"),
    ],
)
def test_a_bad_override_is_named(footfall, override, message):
    assert error_of(footfall, "run", SCENARIO, "--set", override) == f"--set {override}: {message}"


def test_a_bad_file_is_named_with_line_and_column(footfall, tmp_path, repository):
    text = (repository / SCENARIO).read_text().replace("../robots/", f"{repository}/robots/")
    text = text.replace('name = "soft-ground"', f'file = "{repository}/soils/soft-ground.toml"')
    file = tmp_path / "bad.toml"
    line = 1 + text.splitlines().index("duration_s = 4")
    file.write_text(text.replace("duration_s = 4", "duration_s = 0"))
    assert error_of(footfall, "run", file) == (
        f"{file}:{line}:1: key 'step.duration_s' = 0, expected above 0 s, at most 1e6 s")
    file.write_text(text.replace("duration_s", "durations_s"))
    assert error_of(footfall, "run", file) == (
        f"{file}:{line}:1: unknown key 'step.durations_s', did you mean 'step.duration_s'?")
    file.write_text(text + "\n[[[")
    assert error_of(footfall, "run", file).startswith(f"{file}:")
    assert "cannot be opened" in error_of(footfall, "run", tmp_path / "none.toml")
    assert "is a folder" in error_of(footfall, "run", tmp_path)


def test_gains_for_servos_are_refused(footfall):
    assert "is a servo with gains of its own (kp 20, kv 0.4)" in error_of(
        footfall, "run", "scenarios/humanoid_stand.toml", "--set", "controller.kp=5")


def test_a_table_with_nan_is_refused(footfall, tmp_path):
    names = [f"{leg}_{joint}" for leg in ("front_left", "front_right", "rear_left", "rear_right")
             for joint in ("abduction", "flexion", "knee")]
    rows = ["time_s," + ",".join(names), "0," + ",".join(["0"] * 12), "1," + ",".join(["nan"] * 12)]
    table = tmp_path / "torques.csv"
    table.write_text("\n".join(rows))
    text = f'[robot]\nfile = "quadruped"\n[soil]\nname = "sand"\n[step]\nduration_s = 0.01\n' \
           f'[controller]\nkind = "torque_file"\nfile = "torques.csv"\n'
    (tmp_path / "torques.toml").write_text(text)
    done = subprocess.run([footfall.program, "run", "torques.toml"], cwd=tmp_path,
                          capture_output=True, text=True,
                          env=os.environ | {"FOOTFALL_DATA": str(Path(__file__).parents[2])})
    assert done.returncode == 2
    assert done.stderr == ("footfall: error: torques.csv:3:front_left_abduction: 'nan', expected a "
                           "number of size 1e+09 at most\n")
    table.write_text("\n".join(rows[:2]))
    done = subprocess.run([footfall.program, "run", "torques.toml"], cwd=tmp_path,
                          capture_output=True, text=True,
                          env=os.environ | {"FOOTFALL_DATA": str(Path(__file__).parents[2])})
    assert done.returncode == 0, done.stderr


def test_an_output_that_cannot_be_written_is_named(footfall, tmp_path):
    (tmp_path / "file").write_text("x")
    assert "cannot be made" in error_of(footfall, "run", SCENARIO, *SHORT, "-o", tmp_path / "file/x",
                                       expect=3)


def test_damaged_scenarios_never_crash(footfall, repository, tmp_path):
    # The robots are copied so that the text, and with it the damage, is the same wherever this runs.
    shutil.copytree(repository / "robots", tmp_path / "robots")
    (tmp_path / "scenarios").mkdir()
    good = (repository / "scenarios/quadruped_bumps.toml").read_bytes()
    good = good.replace(b"duration_s = 4", b"duration_s = 0.002")
    generator = random.Random(3)
    letters = b"=[]{}\"'.,-+#\n 0159eEnaif_mskxyz\\\x80\xff"
    counts = {0: 0, 1: 0, 2: 0}
    for _ in range(200):
        text = bytearray(good)
        for _ in range(generator.randint(1, 2)):
            at = generator.randrange(len(text))
            match generator.randrange(3):
                case 0:
                    text[at] = generator.choice(letters)
                case 1:
                    del text[at : at + generator.randint(1, 10)]
                case _:
                    text.insert(at, generator.choice(letters))
        (tmp_path / "scenarios/damaged.toml").write_bytes(text)
        done = subprocess.run([footfall.program, "run", "damaged.toml", "--json", "-o", "out"],
                              cwd=tmp_path / "scenarios", capture_output=True, timeout=60,
                              env=os.environ | {"FOOTFALL_DATA": str(repository)})
        assert done.returncode in (0, 2), (text, done)
        assert done.returncode == 0 or done.stderr.startswith(b"footfall: error: "), done
        counts[done.returncode] += 1
    assert counts[2] > 50 and counts[0] > 5, counts


# ---- failing runs ----

PENDULUM = """<mujoco model="pendulum"><worldbody><body name="arm" pos="0 0 1">
<joint name="swing" axis="0 1 0"/><geom name="bob" size="0.05" pos="0 0 -0.99"/></body></worldbody>
<actuator><motor name="swing" joint="swing" gear="1e291"/></actuator></mujoco>"""

EXPLOSION = """
[robot]
file = "pendulum.xml"
[contact]
model = "none"
[step]
duration_s = 1
[controller]
kind = "torque_file"
file = "torques.csv"
"""

# A gear that is legal and absurd: the square of the velocity after it is beyond all doubles.
TORQUES = "time_s,swing\n0,0\n0.02,1e9\n"


def test_a_failed_run_leaves_a_bundle_that_replays(footfall, tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    (tmp_path / "explosion.toml").write_text(EXPLOSION)
    (tmp_path / "torques.csv").write_text(TORQUES)
    override = ("--set", "step.timestep_s=0.002")
    message = error_of(footfall, "run", "explosion.toml", *override, expect=1, cwd=tmp_path)
    assert message.startswith("step ")
    assert "is not finite: joint 'swing' has" in message
    assert "foot" in message
    bundle = Path(message.split("footfall replay ")[1])
    assert bundle.parent == Path("results/explosion")
    assert f"step {bundle.name.removeprefix('failure-step-')} " in message

    assert "# --set step.timestep_s=0.002" in (tmp_path / bundle / "scenario.toml").read_text()
    record = json.loads((tmp_path / bundle / "step.json").read_text())
    assert record["command"] == "footfall run explosion.toml --set step.timestep_s=0.002"

    text = footfall("replay", tmp_path / bundle).stdout  # from another folder
    assert "swing" in text and "not finite, as in the run" in text
    assert footfall.json("replay", tmp_path / bundle)["reproduced"] is True

    assert footfall("export", tmp_path / "results/explosion/run.unfinished.h5").returncode == 0


def test_replay_of_something_else_is_refused(footfall, tmp_path):
    assert "step.json" in error_of(footfall, "replay", tmp_path)
    (tmp_path / "step.json").write_text("[1]")
    (tmp_path / "scenario.toml").write_text("")
    assert "is no bundle of a failed step" in error_of(footfall, "replay", tmp_path)


def test_ctrl_c_ends_after_the_step_and_keeps_the_file(footfall, tmp_path):
    command = [str(footfall.program), "run", SCENARIO, "--set", "step.duration_s=1e5", "--set",
               "step.record_every=1000", "-o", str(tmp_path)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not (tmp_path / ".run.h5.partial").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130, (stdout, stderr)
    assert "footfall: interrupted after step " in stderr
    assert f"what was done lies in {tmp_path}/run.unfinished.h5" in stderr
    assert f"Report:  {tmp_path}/report.unfinished.html" in stdout
    assert not (tmp_path / "run.h5").exists()
    footfall("export", tmp_path / "run.unfinished.h5", tmp_path / "run.csv")
    assert len((tmp_path / "run.csv").read_text().splitlines()) > 2
