#!/usr/bin/env python3
"""A quadruped trots in MuJoCo: joint PD along foot paths, nothing else. MuJoCo and NumPy are all that it needs.

    python examples/mujoco_trot.py scene.xml
    python examples/mujoco_trot.py soft.xml --plugin libplugin.so --picture trot.png

The model is a scene with a ground and a quadruped of motors: for each leg abduction, flexion and knee, the legs in the
order front left, front right, rear left, rear right, links straight down at zero angles, as robots/quadruped.xml.
"""

from __future__ import annotations

import argparse
import struct
import zlib

import mujoco
import numpy as np

STRIDE_HZ = 2.5
LIFT_M = 0.06
GAIN, DAMPING = 120, 3  # of a joint [N m/rad, N m s/rad]


def foot_path(phase: float, step_m: float, height_m: float) -> tuple[float, float]:
    """Where a foot is below its hip: half of the time it stands and goes back, then it swings forward."""
    phase %= 1
    if phase < 0.5:
        return step_m * (0.5 - 2 * phase), -height_m
    swing = 2 * phase - 1
    return step_m * (swing - np.sin(2 * np.pi * swing) / np.pi - 0.5), -height_m + LIFT_M * np.sin(np.pi * swing) ** 2


def leg_angles(x: float, z: float, thigh: float, calf: float) -> tuple[float, float]:
    """Flexion and knee that bring a foot to (x, z) in the plane of its leg, the knee pointing backwards."""
    reach = min(np.hypot(x, z), 0.999 * (thigh + calf))
    knee = -np.arccos((reach**2 - thigh**2 - calf**2) / (2 * thigh * calf))
    return np.arctan2(-x, -z) - np.arctan2(calf * np.sin(knee), thigh + calf * np.cos(knee)), knee


class Trot:
    """Torques of all joints: legs on a diagonal go together; turning is held against by the step lengths of the sides."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, speed: float) -> None:
        self.joints = model.actuator_trnid[:, 0]
        self.q, self.v = model.jnt_qposadr[self.joints], model.jnt_dofadr[self.joints]
        self.speed = speed
        knee = model.jnt_bodyid[self.joints[2]]
        self.thigh = float(np.linalg.norm(model.body_pos[knee]))
        self.calf = self.thigh
        flexion, bend = data.qpos[self.q[1]], data.qpos[self.q[2]]
        self.height = self.thigh * np.cos(flexion) + self.calf * np.cos(flexion + bend)

    def __call__(self, data: mujoco.MjData) -> np.ndarray:
        w, x, y, z = data.qpos[3:7]
        heading = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        faster = min(data.time, 1)  # it starts on the spot
        targets = []
        for leg in range(4):
            side = 1 if leg % 2 == 0 else -1
            step = faster * (self.speed + side * 0.6 * heading) / (2 * STRIDE_HZ)
            phase = STRIDE_HZ * data.time + (0 if leg in (0, 3) else 0.5)
            targets += [0, *leg_angles(*foot_path(phase, step, self.height), self.thigh, self.calf)]
        return GAIN * (np.array(targets) - data.qpos[self.q]) - DAMPING * data.qvel[self.v]


def write_png(file: str, image: np.ndarray) -> None:
    rows = b"".join(b"\0" + row.tobytes() for row in image)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 2, 0, 0, 0)
    with open(file, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def draw(model: mujoco.MjModel, data: mujoco.MjData, file: str) -> None:
    """A picture of the end, with contact forces."""
    model.vis.global_.offwidth, model.vis.global_.offheight = 896, 504
    model.vis.headlight.ambient, model.vis.headlight.diffuse = [0.45] * 3, [0.5] * 3
    renderer = mujoco.Renderer(model, 504, 896)
    camera, option = mujoco.MjvCamera(), mujoco.MjvOption()
    camera.lookat, camera.distance, camera.azimuth, camera.elevation = data.qpos[:3] - [0.25, 0, 0.12], 1.5, 120, -22
    option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTFORCE] = True
    renderer.update_scene(data, camera, option)
    write_png(file, renderer.render())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="MJCF file")
    parser.add_argument("--plugin", help="a plugin of MuJoCo's that the model wants, to be loaded first")
    parser.add_argument("--speed", type=float, default=0.4, help="of the feet that stand [m/s]")
    parser.add_argument("--duration", type=float, default=4, help="[s]")
    parser.add_argument("--picture", metavar="PNG", help="draw the end")
    options = parser.parse_args()
    if options.plugin:
        mujoco.mj_loadPluginLibrary(options.plugin)
    model = mujoco.MjModel.from_xml_path(options.model)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    trot = Trot(model, data, options.speed)
    while data.time < options.duration:
        data.ctrl[:] = trot(data)
        mujoco.mj_step(model, data)
    upright = data.xmat[1].reshape(3, 3)[2, 2]
    print(
        f"{data.qpos[0]:.2f} m in {data.time:.1f} s, {data.qpos[1]:.2f} m to the left, base at {data.qpos[2]:.3f} m, "
        f"{'upright' if upright > 0.8 else 'fallen'}"
    )
    if options.picture:
        draw(model, data, options.picture)


if __name__ == "__main__":
    main()
