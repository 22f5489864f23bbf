"""Soils, rig and identification of the package, against exact integrals, the program, and known parameters."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest


def test_every_soil_of_the_library_reads_back_from_its_own_text(ff):
    soils = ff.soils()
    assert len(soils) >= 20 and soils["dry-sand"].is_plastic and not soils["concrete"].is_plastic
    for name, soil in soils.items():
        again = ff.Soil.from_toml(soil.to_toml(), name)
        assert again.to_toml() == soil.to_toml()
        assert again.name == name


def test_a_soil_made_of_values_is_checked_as_a_file_is(ff, tmp_path):
    values = {"pressure_law": "bernstein", "exponent_n": 1.1, "k_kPa": 1800.0, "cohesion_kPa": 0.5,
              "friction_angle_deg": 30, "shear_modulus_K_mm": 20}  # fmt: skip
    soil = ff.Soil("my-sand", terramechanics=values)
    # K = k for any width: F = k A δ^n
    assert ff.Disc(0.05).normal_force(soil, 0.02) == pytest.approx(1.8e6 * np.pi * 0.05**2 * 0.02**1.1, rel=1e-12)
    soil.save(tmp_path / "my-sand.toml")
    assert ff.Soil.load(tmp_path / "my-sand.toml").to_toml() == soil.to_toml()
    with pytest.raises(ff.InputError, match="exists"):
        soil.save(tmp_path / "my-sand.toml")
    with pytest.raises(ff.InputError, match=r"exponent_n' = 4, expected 0.05 to 3"):
        ff.Soil("my-sand", terramechanics={**values, "exponent_n": 4})
    with pytest.raises(ff.InputError, match="did you mean 'terramechanics.exponent_n'"):
        ff.Soil("my-sand", terramechanics={**values, "exponent": 1})


def test_a_soil_made_here_carries_a_robot_as_its_file_does(ff, tmp_path):
    sand = ff.soils()["dry-sand"]
    made = ff.Soil.from_toml(sand.to_toml(), "dry-sand")
    made.save(tmp_path / "copy.toml")
    ends = []
    for soil in ("dry-sand", sand, made, str(tmp_path / "copy.toml")):
        sim = ff.Simulation(ff.World(robot="quadruped", soil=soil))
        sim.step(300)
        ends.append(sim.qpos.copy())
    assert all((end == ends[0]).all() for end in ends)


def test_a_press_is_the_exact_integral_and_the_program_s(ff, footfall):
    foot = ff.Cylinder(radius=0.05, width=0.08)
    result = ff.rig.press(foot, "dry-sand", load=300)
    assert result.normal_force == pytest.approx(300, rel=1e-9)
    assert foot.normal_force(ff.soils()["dry-sand"], result.sinkage) == pytest.approx(300, rel=1e-6)
    program = footfall.json("rig", "press", "--foot", "cylinder", "--radius", 0.05, "--width", 0.08, "--soil",
                            "dry-sand", "--load", 300)  # fmt: skip
    assert (result.sinkage, result.work) == (program["sinkage_m"], program["work_J"])
    assert result.series["normal_force_N"].shape == result.series["sinkage_m"].shape
    with pytest.raises(AttributeError, match="has no 'sinkag'"):
        _ = result.sinkag


def test_a_drop_keeps_its_energy_and_a_drag_its_strength(ff, footfall):
    drop = ff.rig.drop(ff.Disc(0.04), "sandy-loam", mass=5, height=0.1)
    parts = ("motion", "pad_elastic", "pad_damping", "soil_elastic", "soil_plastic", "soil_damping", "jerk")
    assert sum(drop.energy[part] for part in parts) == pytest.approx(drop.energy["input"], rel=1e-5)
    assert drop.impact_speed == pytest.approx(np.sqrt(2 * 9.81 * 0.1), rel=1e-12)
    drag = ff.rig.drag(ff.Disc(0.05), "dry-sand", load=300, reverse=True)
    j = drag.series["shear_displacement_m"]
    out = slice(0, int(np.argmax(j)) + 1)
    exact = drag.shear_strength * (1 - np.exp(-j[out] / 0.025))
    assert np.allclose(-drag.series["tangential_force_N"][out], exact, atol=1e-9 * drag.shear_strength)
    assert drag.tangential_force_back > 0


def test_a_foot_beyond_its_laws_is_warned_of(ff):
    with pytest.warns(UserWarning, match="the laws hold to"):
        ff.rig.press(ff.Sphere(0.02), "dry-sand", sinkage=0.06)


def test_a_fit_finds_what_the_data_were_made_of(ff, footfall, noisy, tmp_path):
    """From a file, a dict and a DataFrame alike; as the program finds it."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(noisy)
    disc = ff.Disc(0.05)
    fits = [ff.identify(data, foot=disc, progress=False) for data in (noisy, frame, dict(frame))]
    n = fits[0].parameters["n"]
    assert n.interval_95[0] < 1.1 < n.interval_95[1] and n.standard_error < 0.01
    for fit in fits[1:]:
        assert fit.parameters["n"].value == n.value
        assert fit.parameters["n"].interval == n.interval
    program = footfall.json("identify", noisy, "--foot", "disc", "--radius", 0.05)["parameters"]["n"]
    assert [n.value, n.standard_error, *n.interval] == [program["value"], program["standard_error"],
                                                        *program["interval_95"]]  # fmt: skip
    curve = fits[0].parts[0].curves[0]
    assert curve.x.shape == curve.model.shape == curve.half_width.shape
    fits[0].soil.save(tmp_path / "fitted.toml")
    assert ff.Soil.load(tmp_path / "fitted.toml").is_plastic
    fits[0].save_soil(tmp_path / "with-sources.toml")
    assert "#" in (tmp_path / "with-sources.toml").read_text()
    assert list(fits[0].table().index)[:1] == [next(iter(fits[0].parameters))]


def test_several_tests_with_a_foot_each(ff):
    tests = []
    feet = [ff.Disc(0.03), ff.Disc(0.06)]
    for foot in feet:
        tests.append(dict(ff.rig.press(foot, "dry-sand", sinkage=0.02).series))
    fit = ff.identify(tests, foot=feet, progress=False)
    sand = {"k_c": 0.99e3, "k_phi": 1528.43e3, "n": 1.1}
    for name, value in sand.items():
        assert fit.parameters[name].value == pytest.approx(value, rel=1e-3)
    with pytest.raises(ff.InputError, match="foot has 2 values, expected one, or one for each of the 1 tests"):
        ff.identify(tests[0], foot=feet)
    with pytest.raises(ff.InputError, match="model 'bekker"):
        ff.identify(tests, foot=feet, model="bekkers")


def test_a_table_of_a_run_has_units(ff, tmp_path):
    pandas = pytest.importorskip("pandas")
    run = ff.run("scenarios/quadruped_drop.toml", {"step.duration_s": 0.1}, output=tmp_path, progress=False)
    table = run.table()
    assert isinstance(table, pandas.DataFrame) and len(table) == run.data.row_count == 100
    assert np.allclose(np.diff(table["time [s]"]), 0.001)
    assert sum(name.startswith("state/qpos/") for name in table.columns) == 19
    assert run.feet[0]["name"] == run.data.lists["foot_names"][0]
    shares = []
    ff.run("scenarios/quadruped_trot_sand.toml", {"step.duration_s": 3}, record=False, progress=shares.append)
    assert shares == sorted(shares) and all(0 < share <= 1 for share in shares)


def test_granular_media_are_those_of_the_program(ff, footfall):
    beads = ff.granular.load("beads")
    assert "beads" in ff.granular.media()
    d, t = beads.configurations[len(beads.configurations) // 2]
    directions = len(beads.wrenches) // len(beads.configurations)
    at = [tuple(c) for c in beads.configurations].index((d, t))
    measured = beads.wrenches[at * directions : (at + 1) * directions]
    predicted = beads.predict(d, t)
    assert predicted.shape == (directions, 3)
    # the interpolation goes through what was measured
    if t > 0:
        assert np.allclose(predicted, measured, rtol=1e-6, atol=1e-6 * np.abs(measured).max())
    with pytest.raises(ff.InputError, match="medium"):
        ff.granular.load("baeds")


def test_mujoco_s_ground_is_tuned_as_by_the_program(ff, footfall):
    tuned = ff.mujoco.tune("robots/humanoid.xml", sinkage=0.006)
    program = footfall.json("mujoco", "tune", "robots/humanoid.xml", "--sinkage-mm", 6)
    assert list(tuned.solref) == program["solref"] and list(tuned.solimp) == program["solimp"]
    assert tuned.feet[0].achieved_sinkage == pytest.approx(0.006, rel=0.02)
    assert json.dumps(program)  # it is JSON


def test_the_module_hides_the_names_of_the_library(ff):
    module = ff.__path__[0] + "/_footfall.abi3.so"
    visible = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in visible.splitlines() if "footfall" in line] == ["PyInit__footfall"]
