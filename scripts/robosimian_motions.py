"""Writes the joint targets and the ground of the RoboSimian scenarios in granular media.

    python scripts/robosimian_motions.py            into scenarios/
    python scripts/robosimian_motions.py --kneel    prints the joints of the keyframe `kneel`

The limbs are those of robots/robosimian_planar.xml: soles are led on paths below the trunk, joints follow by inverse
kinematics, feet stay upright. See scenarios/robosimian_*.toml.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

UPPER, LOWER, FOOT = 0.35, 0.30, 0.25  # hip to knee, knee to ankle, ankle to sole [m]
HIP_X = 0.32                           # of the front hips, from the trunk's centre [m]
STAND = (0.505506, 0.754164)           # keyframe stand: x of the front soles, height of the trunk over them [m]
CROUCH = (0.487847, 0.591225)          # keyframe crouch
LIMBS = ("front_left", "front_right", "rear_left", "rear_right")
FIRST_PAIR = ("front_left", "rear_right")  # of the trot: diagonal limbs move together
INTERVAL = 0.02                            # between rows [s]


def bend(limb: str, sole_x: float, sole_z: float, tilt: float = 0.0) -> list[float]:
    """Hip, knee and ankle angles [rad] that bring the sole's centre there, seen from the trunk's centre [m]."""
    front = limb.startswith("front")
    x = sole_x + FOOT * math.sin(tilt) - (HIP_X if front else -HIP_X)
    down = -(sole_z + FOOT * math.cos(tilt))
    reach = math.hypot(x, down)
    if reach >= UPPER + LOWER:
        raise ValueError(f"{limb}: the ankle would be {reach:.3f} m from the hip")
    knee = math.acos((reach**2 - UPPER**2 - LOWER**2) / (2 * UPPER * LOWER))
    side = 1 if front else -1  # front knees point forwards, rear knees backwards
    hip = -(math.atan2(x, down) + side * math.asin(LOWER * math.sin(knee) / reach))
    return [hip, side * knee, tilt - hip - side * knee]


def smooth(share: float) -> float:
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def trot(time: float, limb: str) -> tuple[float, float]:
    """Where a sole is from its place in keyframe stand [m]: forwards, up."""
    start, period, swing, strides, stride, lift = 0.5, 1.6, 0.40, 2, 0.20, 0.26
    phase = (time - start) / period
    trunk = stride * min(max(phase, 0.0), strides)  # moves evenly
    own = phase - (0.0 if limb in FIRST_PAIR else 0.5)
    done = min(max(math.floor(own), 0), strides)
    share = (own - done) / swing
    if own < 0 or done == strides or share >= 1:
        landed = 0 if own < 0 else min(done + 1, strides)
        return landed * stride - trunk, 0.0
    return (done + smooth(share)) * stride - trunk, lift * math.sin(math.pi * share) ** 2


def push(time: float, limb: str) -> tuple[float, float]:
    """From its place in keyframe crouch: the trunk moves 0.15 m back; then the front feet go 0.2 m forwards."""
    forwards = 0.15 * smooth((time - 0.2) / 1.0)
    if limb.startswith("front"):
        forwards += 0.20 * smooth((time - 1.7) / 1.0)
    return forwards, 0.0


def write_motion(file: Path, motion, pose: tuple[float, float], duration: float) -> None:
    joints = [f"{limb}_{joint}" for limb in LIMBS for joint in ("hip", "knee", "ankle")]
    lines = ["time_s," + ",".join(joints)]
    for row in range(round(duration / INTERVAL) + 1):
        time = row * INTERVAL
        angles: list[float] = []
        for limb in LIMBS:
            forwards, up = motion(time, limb)
            place = pose[0] if limb.startswith("front") else -pose[0]
            angles += bend(limb, place + forwards, up - pose[1])
        lines.append(f"{time:.2f}," + ",".join(f"{angle:.6f}" for angle in angles))
    file.write_text("\n".join(lines) + "\n")


def write_slope(file: Path) -> None:
    """25 degrees down to x = 1 m, level from 2.5 m on, a parabola between; from x = -1 m, every 20 mm, twice."""
    spacing, first, last, end, flat = 0.02, -1.0, 6.0, 1.0, 2.5
    tan = math.tan(math.radians(25))

    def height(x: float) -> float:
        over = min(max(x - end, 0.0), flat - end)
        return -tan * (min(x, end) + over - over**2 / (2 * (flat - end)))

    row = ",".join(f"{height(first + i * spacing):.5f}" for i in range(round((last - first) / spacing) + 1))
    file.write_text(f"{row}\n{row}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parents[1] / "scenarios")
    parser.add_argument("--kneel", action="store_true", help="print the joints of the keyframe `kneel` instead")
    arguments = parser.parse_args()
    if arguments.kneel:
        tilt = 1.2
        height = UPPER * math.cos(1.3) + LOWER * math.cos(0.35) + FOOT * math.cos(tilt)
        print("front", *bend("front", HIP_X + 0.44 - FOOT * math.sin(tilt), -height, tilt))
        print("rear", 1.3, -1.65, tilt + 0.35)  # an ankle turns by 1.6 rad at most
        print("height", height)
        return
    write_motion(arguments.output / "robosimian_trot.csv", trot, STAND, 5.0)
    write_motion(arguments.output / "robosimian_push.csv", push, CROUCH, 4.0)
    write_slope(arguments.output / "robosimian_slide_ground.csv")


if __name__ == "__main__":
    main()
