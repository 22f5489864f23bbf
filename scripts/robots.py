#!/usr/bin/env python3
"""Stands robots of a folder on several soils and prints what their feet do: `make robots MENAGERIE=folder`.

The folder has a robot in each of its folders (scene.xml, or the only .xml file), as the MuJoCo Menagerie has, or robots
as files of its own. Only what can touch matters: shapes that are there to be looked at are taken out, so that a folder
without their meshes will do too. Each robot stands on its soles for a while and holds its pose.

A robot is in order if it loads, has feet, and every run ends with finite numbers. The status is 1 if one is not. Robots
that Footfall does not simulate (closed loops, coupled joints) are left out, with the reason.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOILS = ["concrete", "dry-sand", "sandy-loam", "heavy-clay"]
LEGGED = [  # the robots of the Menagerie that stand on feet
    "agility_cassie", "anybotics_anymal_b", "anybotics_anymal_c", "apptronik_apollo", "berkeley_humanoid",
    "booster_t1", "boston_dynamics_spot", "fourier_n1", "google_barkour_v0", "google_barkour_vb", "pal_talos",
    "pndbotics_adam_lite", "robotis_op3", "toddlerbot_2xc", "toddlerbot_2xm", "unitree_a1", "unitree_g1",
    "unitree_go1", "unitree_go2", "unitree_h1",
]  # fmt: skip


def find_robots(folder: Path, names: list[str]) -> dict[str, Path]:
    """Name to file."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            files = sorted(path.glob("*.xml"))
            scenes = [f for f in files if f.name == "scene.xml"] or [f for f in files if f.name.startswith("scene")]
            if scenes or len(files) == 1:
                found[path.name] = (scenes or files)[0]
        elif path.suffix in (".xml", ".urdf"):
            found[path.stem] = path
    if names:
        return {name: found.get(name, folder / name) for name in names}
    legged = {name: file for name, file in found.items() if name in LEGGED}
    return legged or found


def strip_pictures(file: Path, out: Path) -> Path:
    """The robot without shapes and meshes that cannot touch anything."""
    if file.suffix != ".xml":
        return file.resolve()
    import mujoco

    spec = mujoco.MjSpec.from_file(str(file))
    is_mesh = mujoco.mjtGeom.mjGEOM_MESH
    for geom in list(spec.geoms):
        if geom.type == is_mesh and not (geom.contype or geom.conaffinity):
            spec.delete(geom)
    used = {geom.meshname for geom in spec.geoms if geom.type == is_mesh}
    for mesh in list(spec.meshes):
        if mesh.name not in used:
            spec.delete(mesh)
    spec.meshdir = str((file.parent / spec.meshdir).resolve())
    spec.texturedir = str((file.parent / spec.texturedir).resolve())
    spec.compile()
    made = out / f"{file.parent.name}_{file.stem}.xml"
    made.write_text(spec.to_xml(), encoding="utf-8")
    return made


def call(program: Path, *arguments: str | Path) -> dict:
    environment = {"FOOTFALL_DATA": str(ROOT)} | os.environ
    command = [program.resolve(), *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or ["no message"]
        raise RuntimeError(lines[-1])
    return json.loads(done.stdout)


def gains(robot: dict) -> str:
    """What a robot that is driven by motors needs to hold its pose; servos have gains of their own."""
    if not any(a["kind"] == "motor" for a in robot["actuators"]):
        return ""
    share = robot["total_mass_kg"] / 15
    return f"kp = {150 * share}\nkd = {8 * share}\n"


def stand(program: Path, file: Path, robot: dict, soil: str, duration: float, out: Path) -> dict:
    scenario = out / "stand.toml"
    scenario.write_text(
        f'[robot]\nfile = "{file}"\ndrop_height_m = 0\n[soil]\nname = "{soil}"\n'
        f'[step]\ntimestep_s = 0.001\nduration_s = {duration}\n[controller]\nkind = "hold"\n{gains(robot)}',
        encoding="utf-8",
    )
    run = call(program, "run", scenario, "-o", out / "run")
    feet = run["feet"]
    weight = robot["total_mass_kg"] * math.dist(robot["gravity_m_s2"], (0, 0, 0))
    return {
        "feet_share": sum(f["force_N"][2] for f in feet) / weight,
        "sinkage_mm": [1e3 * f["sinkage_m"] for f in feet],
        "settled": run["settled"],
        "energy_change_J": run["energy"]["change_J"],
        "step_time_us": 1e6 * sum(run["stage_times_s"].values()),
    }


def examine(program: Path, file: Path, soils: list[str], duration: float) -> dict:
    """All that is known of one robot; with "error" where it failed."""
    out: dict = {"file": str(file), "soles": [], "soils": {}}
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = strip_pictures(file, Path(folder))
            robot = call(program, "inspect", made)
        except Exception as error:  # whatever a file of others has in it
            left_out = "does not simulate" in str(error)  # closed loops, coupled joints: said clearly
            return out | {"left_out" if left_out else "error": str(error)}
        out["soles"] = robot.get("soles", [])
        out["feet"] = robot["feet"]
        if not out["feet"]:
            return out | {"error": "no feet were found"}
        if not any(joint["type"] in ("free", "slide") for joint in robot["joints"][:2]):
            return out | {"left_out": "its base is fixed"}
        for soil in soils:
            try:
                out["soils"][soil] = stand(program, made, robot, soil, duration, Path(folder))
            except RuntimeError as error:
                out["soils"][soil] = {"error": str(error)}
    return out


def sole_text(robot: dict) -> str:
    """The first foot's sole; the others are as a rule like it."""
    if not robot["soles"]:
        return f"{len(robot.get('feet', []))} feet"
    sole = robot["soles"][0]
    others = f" + {len(sole['other_geoms'])}" if sole["other_geoms"] else ""
    return (
        f"{len(robot['soles'])} x ({sole['shapes']}{others}) {sole['length_mm']:.0f} x {sole['width_mm']:.0f} mm, "
        f"{sole['area_cm2']:.1f} cm2, {sole['points']} points, b {sole['contact_width_mm']:.0f} mm"
    )


def run_text(run: dict) -> str:
    if "error" in run:
        return f"FAILED: {run['error']}"
    deepest, least = max(run["sinkage_mm"]), min(run["sinkage_mm"])
    return (
        f"{100 * run['feet_share']:6.1f} %  {least:6.1f} to {deepest:6.1f} mm  {run['energy_change_J']:8.2f} J  "
        f"{run['step_time_us']:6.1f} us  {'at rest' if run['settled'] else 'moves'}"
    )


def print_table(table: dict[str, dict]) -> None:
    for name, robot in table.items():
        print(f"{name}: {robot.get('error') or robot.get('left_out') or sole_text(robot)}")
        for soil, run in robot["soils"].items():
            print(f"  {soil:<12} {run_text(run)}")
    print("Columns: weight on the feet, sinkage of the feet, change of energy, time of a step, end of the run")


def is_in_order(robot: dict) -> bool:
    return "error" not in robot and not any("error" in run for run in robot["soils"].values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="robots, as a copy of the MuJoCo Menagerie has them")
    parser.add_argument("--robots", nargs="+", default=[], help="only these")
    parser.add_argument("--soils", nargs="+", default=SOILS, help="of soils/")
    parser.add_argument("--duration", type=float, default=1, help="of each run [s]")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table into this file too")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder: expected one with robots")
    table = {
        name: examine(options.program, file, options.soils, options.duration)
        for name, file in find_robots(options.folder, options.robots).items()
    }
    if not table:
        parser.error(f"{options.folder} has no robots: expected .xml files, or folders with a scene.xml")
    print_table(table)
    if options.json:
        options.json.write_text(json.dumps(table, indent=2), encoding="utf-8")
    return 0 if all(is_in_order(robot) for robot in table.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
