#!/usr/bin/env python3
"""Stands robots on eight soils in MuJoCo with the plugin footfall.soil, and prints a table: `make plugin-table MENAGERIE=folder`.

The folder is one that `make robots` takes too. Each robot is put down so that its lowest foot touches, at its file's
timestep and integrator, its joints held by servos or by joint PD, once on MuJoCo's own ground and once on each soil. After
a second, when its feet have sunk, a hand stops it once; then it stands for five seconds. If it still sways then, it goes
on four times as long: if it falls, it was tipping over. A run is in order if

  - it ends with finite numbers and without a warning of MuJoCo's,
  - its velocities (m/s and rad/s, rms of the last half second) are below 1e-3 if it stays up and they are so on MuJoCo's
    own ground,
  - each foot that stands on one shape, of a robot that stays up on MuJoCo's own ground, is as deep as
    `footfall rig press --load` says, within 1 %: at its largest load on soil that yields to it, at its resting load on
    elastic ground (plugin_feet.py).

The status is 1 if one is not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import mujoco
import numpy as np
from plugin_feet import Loads, clearance, deviations
from robots import ROOT, call, find_robots, strip_pictures

SOILS = ["concrete", "gravel", "loose-clay", "dry-sand", "sandy-loam", "heavy-clay", "lete-sand", "snow-us"]
SENSOR = '<sensor><plugin name="feet" plugin="footfall.soil" instance="soil"/></sensor>'
SETTLE = 1  # after which a hand stops the robot once [s]
STILL = 1e-3  # rms of all velocities [m/s, rad/s]
DEVIATION = 0.01  # of a sinkage from the rig's


@dataclass
class Run:
    up: bool = False
    rms: float = np.inf  # of all velocities in the last half second
    warnings: int = 0
    finite: bool = False
    rest_sinkages_mm: list[float] = field(default_factory=list)  # of each foot
    deviations: list[float] = field(default_factory=list)  # of the feet that the rig has, from its sinkage
    largest: Loads = field(default_factory=Loads)
    rest: Loads = field(default_factory=Loads)


def add_floor(made: Path, out: Path, report: dict) -> Path:
    """The model with MuJoCo's own ground: a plane where the file has none."""
    if not report["ground_added"]:
        return made
    spec = mujoco.MjSpec.from_file(str(made))
    spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    spec.compile()
    file = out / f"floor_{made.name}"
    file.write_text(spec.to_xml(), encoding="utf-8")
    return file


def clearance(model: mujoco.MjModel, data: mujoco.MjData, geom: int, ground: int) -> float:
    """Of a geom's lowest point above the plane [m]."""
    floor, frame, kind = data.geom(ground), data.geom(geom), model.geom_type[geom]
    up = floor.xmat.reshape(3, 3)[:, 2]
    down = -frame.xmat.reshape(3, 3).T @ up
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        mesh = model.mesh(model.geom_dataid[geom])
        first, count = mesh.vertadr[0], mesh.vertnum[0]
        reach = (model.mesh_vert[first : first + count] @ down).max()
    else:
        reach = support(kind, model.geom_size[geom], down)
    return up @ (frame.xpos - floor.xpos) - reach


def place(model: mujoco.MjModel, data: mujoco.MjData, feet: list[int], ground: int) -> None:
    """The first keyframe, or the file's pose, moved so that the lowest foot touches the ground."""
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    if model.jnt_type[0] != mujoco.mjtJoint.mjJNT_FREE:
        return
    lowest = min(clearance(model, data, foot, ground) for foot in feet)
    data.qpos[:3] -= lowest * data.geom(ground).xmat.reshape(3, 3)[:, 2]
    mujoco.mj_kinematics(model, data)


def support(kind: int, size: np.ndarray, u: np.ndarray) -> float:
    """How far a shape reaches along a unit vector from its middle."""
    level = np.hypot(u[0], u[1])
    match kind:
        case mujoco.mjtGeom.mjGEOM_SPHERE:
            return size[0]
        case mujoco.mjtGeom.mjGEOM_CAPSULE:
            return size[0] + size[1] * abs(u[2])
        case mujoco.mjtGeom.mjGEOM_CYLINDER:
            return size[0] * level + size[1] * abs(u[2])
        case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            return np.linalg.norm(size * u)
    return np.abs(u) @ size


class Holder:
    """Holds the pose: servos get it as their target, motors are driven by joint PD."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.target = data.qpos.copy()
        data.ctrl[:] = model.key_ctrl[0] if model.nkey else 0
        mujoco.mj_forward(model, data)
        inertia = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, inertia)
        self.motors = []  # actuator, position, velocity, gain [N m/rad], damping [N m s/rad]
        share = model.body_subtreemass[1] / 15
        for a in range(model.nu):
            joint = model.actuator_trnid[a, 0]
            if model.actuator_trntype[a] != mujoco.mjtTrn.mjTRN_JOINT or joint < 0:
                continue
            q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            gear = model.actuator_gear[a, 0]
            if model.actuator_biastype[a] == mujoco.mjtBias.mjBIAS_AFFINE:
                if not model.nkey:
                    data.ctrl[a] = gear * self.target[q]
                continue
            strength = gear * model.actuator_gainprm[a, 0]
            # explicit damping: no more than a step of the joint alone can take
            damping = min(8 * share, 0.3 * inertia[v, v] / model.opt.timestep)
            self.motors.append((a, q, v, 150 * share / strength, damping / strength))

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        for a, q, v, gain, damping in self.motors:
            data.ctrl[a] = gain * (self.target[q] - data.qpos[q]) - damping * data.qvel[v]


def base_of(model: mujoco.MjModel, feet: list[int]) -> int:
    return int(model.body_rootid[model.geom_bodyid[feet[0]]])


def base_height(model: mujoco.MjModel, data: mujoco.MjData, feet: list[int], ground: int) -> float:
    """Of the base above the lowest foot [m]."""
    return data.body(base_of(model, feet)).xpos[2] - min(clearance(model, data, foot, ground) for foot in feet)


def is_up(model: mujoco.MjModel, data: mujoco.MjData, feet: list[int], ground: int, start: float) -> bool:
    upright = data.body(base_of(model, feet)).xmat[8]
    return bool(base_height(model, data, feet, ground) > 0.7 * start and upright > 0.8)


def stand(model: mujoco.MjModel, feet: list[int], ground: int, duration: float) -> Run:
    data = mujoco.MjData(model)
    place(model, data, feet, ground)
    hold = Holder(model, data)
    start = base_height(model, data, feet, ground)
    speeds = []
    sensor = model.sensor("feet") if model.nplugin else None
    numbers = slice(sensor.adr[0], sensor.adr[0] + sensor.dim[0]) if sensor else slice(0, 0)
    count = (numbers.stop - numbers.start) // 6
    largest, poses = np.zeros(count), [data.qpos.tolist()] * count
    while data.time < SETTLE + duration:
        if abs(data.time - SETTLE) < 0.5 * model.opt.timestep:
            data.qvel[:] = 0
        hold(model, data)
        mujoco.mj_step(model, data)
        speeds.append(np.mean(data.qvel**2))
        loads = data.sensordata[numbers].reshape(-1, 6)[:, 2]
        for foot in np.flatnonzero(loads > largest):
            largest[foot], poses[foot] = loads[foot], data.qpos.tolist()
    run = Run(rms=float(np.sqrt(np.mean(speeds[-int(0.5 / model.opt.timestep) :]))))
    if sensor:
        last = data.sensordata[numbers].reshape(-1, 6)
        run.rest_sinkages_mm = (1e3 * last[:, 3]).tolist()
        run.largest = Loads(largest.tolist(), poses)
        if run.rms < STILL:
            run.rest = Loads(last[:, 2].tolist(), [data.qpos.tolist()] * count)
    run.up = is_up(model, data, feet, ground, start)
    while sensor and run.up and run.rms > STILL and data.time < 4 * duration:
        hold(model, data)
        mujoco.mj_step(model, data)
        run.up = is_up(model, data, feet, ground, start)
    run.warnings, run.finite = int(data.warning.number.sum()), bool(np.isfinite(data.qpos).all())
    return run


def examine(program: Path, file: Path, soils: list[str], duration: float) -> dict:
    out: dict = {"file": file.name, "runs": {}}
    with tempfile.TemporaryDirectory() as folder:
        made, soft = strip_pictures(file, Path(folder)), Path(folder) / "soft.xml"
        for soil in soils:
            report = call(program, "mujoco", "soil", made, "--soil", soil, "--output", soft)
            text = soft.read_text(encoding="utf-8")
            soft.write_text(text.replace("</mujoco>", SENSOR + "</mujoco>"), encoding="utf-8")
            model = mujoco.MjModel.from_xml_path(str(soft))
            # geoms have the same numbers in both models
            feet, ground = [model.geom(foot).id for foot in report["feet"]], model.geom(report["ground"]).id
            if "own" not in out["runs"]:
                floor = mujoco.MjModel.from_xml_path(str(add_floor(made, Path(folder), report)))
                out["runs"]["own"] = stand(floor, feet, ground, duration)
                out |= {"geoms": len(feet), "timestep_s": model.opt.timestep, "integrator": integrator_name(model)}
            run = stand(model, feet, ground, duration)
            if out["runs"]["own"].up and run.finite:
                run.deviations = deviations(program, model, feet, ground, soil, run.largest, run.rest)
            out["runs"][soil] = run
    return out


def integrator_name(model: mujoco.MjModel) -> str:
    return mujoco.mjtIntegrator(model.opt.integrator).name.removeprefix("mjINT_").lower()


def faults(robot: dict) -> list[str]:
    own, found = robot["runs"]["own"], []
    for name, run in robot["runs"].items():
        if name == "own":
            continue
        if not run.finite:
            found.append(f"{name}: not finite")
        if run.warnings:
            found.append(f"{name}: {run.warnings} warnings of MuJoCo's")
        if run.up and own.rms < STILL and not run.rms < STILL:
            found.append(f"{name}: {run.rms:.1e} rms at the end")
        worst = max(map(abs, run.deviations), default=0)
        if worst > DEVIATION:
            found.append(f"{name}: sinkage {100 * worst:.1f} % from the rig's")
    return found


def print_robot(name: str, robot: dict) -> None:
    own = robot["runs"]["own"]
    print(
        f"{name}: feet of {robot['geoms']} geoms, step {1e3 * robot['timestep_s']:g} ms, {robot['integrator']}; "
        f"on MuJoCo's own ground {'up' if own.up else 'falls'}, {own.rms:.1e} rms"
    )
    for soil, run in robot["runs"].items():
        if soil == "own":
            continue
        worst = max(map(abs, run.deviations), default=None)
        rig = "-" if worst is None else f"{len(run.deviations)} feet {100 * worst:.2f} % from the rig"
        print(
            f"  {soil:<11} {'up' if run.up else 'falls':<6} {run.rms:8.1e} rms "
            f"{min(run.rest_sinkages_mm):9.3g} to {max(run.rest_sinkages_mm):9.3g} mm  {rig}"
        )
    for fault in faults(robot):
        print(f"  NOT IN ORDER  {fault}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="robots, as a copy of the MuJoCo Menagerie has them")
    parser.add_argument("--robots", nargs="+", default=[], help="only these")
    parser.add_argument("--soils", nargs="+", default=SOILS, help="of soils/")
    parser.add_argument("--duration", type=float, default=5, help="of each run [s]")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table into this file too")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder: expected one with robots")
    mujoco.mj_loadPluginLibrary(str(options.program.resolve().parent / "libfootfall_plugin.so"))
    table, status = {}, 0
    for name, file in find_robots(options.folder, options.robots).items():
        try:
            table[name] = examine(options.program, file, options.soils, options.duration)
        except (RuntimeError, ValueError) as error:  # whatever a file of others has in it
            print(f"{name}: NOT IN ORDER  {error}", flush=True)
            status = 1
            continue
        print_robot(name, table[name])
        sys.stdout.flush()
        status = 1 if faults(table[name]) else status
    if not table:
        parser.error(f"{options.folder} has no robots: expected .xml files, or folders with a scene.xml")
    if options.json:
        plain = {n: r | {"runs": {s: asdict(x) for s, x in r["runs"].items()}} for n, r in table.items()}
        options.json.write_text(json.dumps(plain, indent=2), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
