"""footfall mujoco tune, as a user meets it: its numbers are tried in MuJoCo through Python."""

from __future__ import annotations

import json

import pytest

np = pytest.importorskip("numpy")
mujoco = pytest.importorskip("mujoco")

CROUCH = ("robots/humanoid.xml", "--keyframe", "crouch")


def error_of(footfall, *arguments) -> str:
    done = footfall("mujoco", *arguments, expect=2)
    assert done.stdout == ""
    assert done.stderr.startswith("footfall: error: "), done.stderr
    return done.stderr


def settled_depths(model_file, key, seconds=8.0):
    """Depth of every contact after standing on its own servos [m]."""
    model = mujoco.MjModel.from_xml_path(str(model_file))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
    return -np.array([c.dist for c in data.contact])


def test_the_written_model_sinks_as_wanted(footfall, tmp_path):
    output = tmp_path / "soft.xml"
    tuned = footfall.json(
        "mujoco", "tune", *CROUCH, "--sinkage-mm", 6, "--damping-ratio", 1.5, "--output", output
    )
    assert [foot["name"] for foot in tuned["feet"]] == ["left_foot", "right_foot"]
    for foot in tuned["feet"]:
        assert foot["wanted_sinkage_m"] == pytest.approx(0.006)
        assert foot["achieved_sinkage_m"] == pytest.approx(0.006, rel=0.01)
        assert foot["load_N"] == pytest.approx(1.762 * 9.81 / 2, rel=1e-3)
    assert len(tuned["solref"]) == 2 and tuned["solref"][0] < 0
    assert tuned["solref"][1] == pytest.approx(-3 * (-tuned["solref"][0]) ** 0.5)
    assert tuned["solimp"] == pytest.approx([0, 0.95, 0.012, 0.5, 2])
    assert any("does not follow the load" in warning for warning in tuned["warnings"])
    depths = settled_depths(output, "crouch")
    assert len(depths) == 8
    assert depths.mean() == pytest.approx(0.006, rel=0.01)


def test_meshes_are_found_from_another_folder(footfall, tmp_path):
    """Folders of assets are relative to the file that names them."""
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    lines = [f"v {0.05 * x} {0.05 * y} {0.02 * z}" for x, y, z in corners] + [f"f {f}" for f in faces]
    (tmp_path / "robot" / "meshes" / "block.obj").write_text("\n".join(lines) + "\n")
    robot = tmp_path / "robot" / "robot.xml"
    robot.write_text(
        """<mujoco><compiler meshdir="meshes"/><option cone="elliptic"/>
        <asset><mesh name="block" file="block.obj"/></asset>
        <worldbody><body name="block" pos="0 0 0.1"><freejoint/>
        <geom name="sole" type="mesh" mesh="block" mass="2"/></body></worldbody></mujoco>"""
    )
    output = tmp_path / "other" / "soft.xml"
    tuned = footfall.json("mujoco", "tune", robot, "--sinkage-mm", 4, "--output", output)
    assert tuned["feet"][0]["achieved_sinkage_m"] == pytest.approx(0.004, rel=0.01)
    model = mujoco.MjModel.from_xml_path(str(output))
    assert model.geom("ground").solref[0] == pytest.approx(tuned["solref"][0], rel=1e-5)


def test_the_lines_to_paste_are_mjcf(footfall):
    lines = footfall.json("mujoco", "tune", "robots/ball.xml", "--sinkage-mm", 10)["lines"]
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{lines}</mujoco>")
    ground = model.geom("ground")
    assert ground.priority[0] == 1
    assert ground.solref[0] == pytest.approx(-2059.47, abs=0.01)


def test_a_soil_gives_sinkage_and_damping(footfall):
    tuned = footfall.json("mujoco", "tune", *CROUCH, "--soil", "dry-sand")
    alone = footfall.json(
        "rig", "press", "--foot", "rectangle", "--length", 0.05, "--width", 0.04,
        "--soil", "dry-sand", "--load", 1.762 * 9.81 / 2,
    )  # fmt: skip
    for foot, soil in zip(tuned["feet"], tuned["soil"], strict=True):
        assert soil["sinkage_m"] == pytest.approx(alone["sinkage_m"], rel=1e-6)
        assert foot["achieved_sinkage_m"] == pytest.approx(alone["sinkage_m"], rel=0.01)
    assert tuned["damping_ratio_at_rest"] == pytest.approx(tuned["soil"][0]["damping_ratio"])


def test_a_curve_is_fitted_with_confidence(footfall, tmp_path):
    """Pressed in MuJoCo itself: 1 kg, so that the ball's S is 1 kg."""
    sinkage = np.linspace(1e-4, 0.02, 120)
    y = np.where(sinkage < 0.006, 2 * (sinkage / 0.012) ** 2, 1 - 2 * (1 - np.minimum(sinkage / 0.012, 1)) ** 2)
    d = 0.2 + 0.7 * y
    force = 3000 / 0.9**2 * d**2 * sinkage / (1 - d) + np.random.default_rng(1).normal(0, 0.2, 120)
    table = tmp_path / "press.csv"
    rows = "\n".join(f"{s:.9f},{f:.6f}" for s, f in zip(sinkage, force, strict=True))
    table.write_text(f"sinkage_m,normal_force_N\n{rows}\n")
    fit = footfall.json("mujoco", "tune", "robots/ball.xml", "--curve", table)
    truth = {"stiffness": 3000, "d0": 0.2, "d_width": 0.9, "width": 0.012, "power": 2}
    for parameter in fit["fit"]["parameters"]:
        error = abs(parameter["value"] - truth[parameter["name"]])
        assert error < 4 * parameter["standard_error"], parameter
        assert parameter["lower"] < parameter["value"] < parameter["upper"]
    foot = fit["feet"][0]
    assert foot["achieved_sinkage_m"] == pytest.approx(foot["wanted_sinkage_m"], rel=0.05)


def test_text_and_help(footfall):
    text = footfall("mujoco", "tune", "robots/box.xml", "--sinkage-mm", 6).stdout
    for word in ("solref", "one ball", "one box", "this robot", "box_foot", "priority=", "To paste"):
        assert word in text
    assert "--sinkage-mm" in footfall("mujoco", "tune", "--help").stdout


def test_errors_say_what_to_do(footfall):
    robot = "robots/ball.xml"
    assert "mujoco needs a command" in error_of(footfall)
    assert "mujoco has no command 'tun'" in error_of(footfall, "tun")
    assert "expected one of --sinkage-mm" in error_of(footfall, "tune", robot)
    assert "several targets" in error_of(footfall, "tune", robot, "--sinkage-mm", 3, "--soil", "sand")
    assert "sinkage = -0.001" in error_of(footfall, "tune", robot, "--sinkage-mm", -1)
    assert "keyframe 'leap'" in error_of(footfall, "tune", robot, "--sinkage-mm", 1, "--keyframe", "leap")
    assert "--sinkage-mm" in error_of(footfall, "tune", robot, "--sinkage-mm", 5000)
    assert "soil 'concrete'" in error_of(footfall, "tune", robot, "--soil", "concrete")
    assert "own file" in error_of(footfall, "tune", robot, "--sinkage-mm", 1, "--output", robot)
    assert "--power" in error_of(footfall, "tune", robot, "--curve", "press.csv", "--power", 3)
    output = ("--output", "/no/such/folder/x.xml")
    done = footfall("mujoco", "tune", robot, "--sinkage-mm", 1, *output, expect=3)
    assert "/no/such/folder/x.xml: cannot write" in done.stderr


def test_a_run_in_our_engine_sinks_as_tuned(footfall, tmp_path):
    """The same mean over touching contacts, and 0 for a foot that its margin carries."""
    soft = tmp_path / "soft.xml"
    footfall("mujoco", "tune", "robots/box.xml", "--sinkage-mm", 6, "--output", soft)
    scenario = tmp_path / "scenario.toml"
    text = f"""[robot]
file = "{soft}"
[contact]
model = "soft_constraint"
[step]
duration_s = 3
"""
    scenario.write_text(text)
    done = footfall("run", scenario, "--output", tmp_path / "out", "--json")
    assert "those of the file's plane, geom 'ground'" in done.stderr
    assert sinkages(done) == pytest.approx([0.006], rel=1e-3)
    scenario.write_text(text.replace("[step]", "margin_m = 0.05\n[step]"))
    done = footfall("run", scenario, "--output", tmp_path / "out", "--json")
    assert sinkages(done) == [0]


def sinkages(done):
    return [foot["sinkage_m"] for foot in json.loads(done.stdout)["feet"]]


BOX = ("--solref", -858.4, -87.9, "--solimp", 0, 0.95, 0.012, 0.5, 2)


def test_try_says_how_deep_and_whether_it_stands(footfall, tmp_path):
    """The paper's Fig. 5a for our humanoid: with the box's numbers it sinks too deep and tips over."""
    plot = tmp_path / "box.svg"
    tried = footfall.json("mujoco", "try", "robots/humanoid.xml", *BOX, "--plot", plot)
    assert tried["solref"] == [-858.4, -87.9] and tried["held_upright"]
    for foot in tried["feet"]:
        assert foot["inverse_sinkage_m"] == pytest.approx(7.426e-3, rel=1e-3)
    depth, force = np.array([(p["sinkage_m"], p["force_N"]) for p in tried["curve"]]).T
    assert np.interp(tried["weight_N"], force, depth) == pytest.approx(7.426e-3, rel=2e-3)
    assert "each foot, settled in mj_step" in plot.read_text()
    tuned = footfall.json("mujoco", "tune", *CROUCH, "--sinkage-mm", 6, "--plot", tmp_path / "own.svg")
    again = footfall.json(
        "mujoco", "try", *CROUCH, "--solref", *tuned["solref"], "--solimp", *tuned["solimp"]
    )  # fmt: skip
    assert again["feet"][0]["achieved_sinkage_m"] == pytest.approx(
        tuned["feet"][0]["achieved_sinkage_m"], rel=1e-6
    )
    assert not again["held_upright"]
    text = footfall("mujoco", "try", "robots/humanoid.xml", *BOX).stdout
    assert "stands                no, it tips over" in text
    assert "--solref 1 -1, expected two positive" in error_of(
        footfall, "try", "robots/ball.xml", "--solref", 1, -1
    )


def test_the_curve_is_the_law(footfall, tmp_path):
    plot = tmp_path / "curve.svg"
    curve = footfall.json("mujoco", "curve", *BOX, "--share-kg", 4, "--load-N", 9.81, "--plot", plot)
    r = np.array([p["sinkage_m"] for p in curve["curve"]])
    x = np.minimum(r / 0.012, 1)
    d = 1e-4 + (0.95 - 1e-4) * np.where(x < 0.5, 2 * x**2, 1 - 2 * (1 - x) ** 2)  # MuJoCo raises d0
    assert [p["impedance"] for p in curve["curve"]] == pytest.approx(d.tolist())
    k = 858.4 / 0.95**2 * d
    assert [p["stiffness_per_s2"] for p in curve["curve"]] == pytest.approx(k.tolist())
    assert [p["force_N"] for p in curve["curve"]] == pytest.approx((4 * d / (1 - d) * k * r).tolist())
    assert curve["damping_per_s"] == pytest.approx(87.9 / 0.95)
    assert curve["rest_sinkage_m"] == pytest.approx(0.006, rel=1e-3)
    assert curve["longest_step_s"] == pytest.approx(1 / 87.9)
    assert "impedance d" in plot.read_text()
    text = footfall("mujoco", "curve", "--solref", 0.001, 1, "--no-refsafe").stdout
    assert "a step of 0.5 ms would do" in text
    assert "--solimp d0 = 2" in error_of(footfall, "curve", "--solref", 1, 1, "--solimp", 2, 1, 1, 1, 1)


def test_forces_along_a_run_of_ours(footfall, tmp_path):
    """A run on tuned ground, back through inverse dynamics: the ground's forces of the run file."""
    soft = tmp_path / "soft.xml"
    tuned = footfall.json("mujoco", "tune", *CROUCH, "--sinkage-mm", 6, "--output", soft)
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(
        f"""[robot]
file = "{soft}"
keyframe = "crouch"
[contact]
model = "soft_constraint"
[step]
duration_s = 0.3
"""
    )
    footfall("run", scenario, "--output", tmp_path / "out")
    table = tmp_path / "forces.csv"
    forces = footfall.json(
        "mujoco", "inverse", soft, tmp_path / "out" / "run.h5", "--forward", "--csv", table, "--plot", tmp_path / "f.svg"
    )
    assert forces["weight_N"] == pytest.approx(tuned["weight_N"])
    assert forces["mean_ground_force_N"] == pytest.approx(tuned["weight_N"], rel=0.05)
    assert forces["base_rms_force_N"] < 0.02 * tuned["weight_N"]
    feet = [body for body in forces["bodies"] if body["largest_force_N"] > 0]
    assert {foot["name"] for foot in feet} == {"left_foot_link", "right_foot_link"}
    exported = tmp_path / "run.csv"
    footfall("export", tmp_path / "out" / "run.h5", exported)
    again = footfall.json("mujoco", "inverse", soft, exported, "--forward")
    assert again["bodies"] == forces["bodies"]
    assert len(table.read_text().splitlines()) == forces["rows"] + 1
