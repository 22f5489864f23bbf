"""What it buys a robot to expect that it will sink: the same trot over the same soils, once planned for hard ground
and once for feet as deep as the soil under them says.

Cost of transport is the motors' work over weight and way, slip what a foot slides while it carries, both per run of
8 s at 0.5 m/s.
"""

import math
import sys

import footfall as ff

SPEED = 0.5  # commanded [m/s]
SCENARIO = """
contact = "terramechanics"
[robot]
file = "quadruped"
drop_height_m = 0
[soil]
name = "dry-sand"
[step]
timestep_s = 0.001
duration_s = 8
[controller]
kind = "trot"
kp = 60
kd = 3
speed_m_per_s = 0.5
"""
SOILS = ["dry-sand", "standard-sand", "upland-sandy-loam", "sandy-loam", "clayed-soil", "heavy-clay", "lete-sand",
         "sandy-loam-michigan"]  # fmt: skip


def trot(soil: str, expects: bool) -> dict:
    settings = {"soil.name": soil, "controller.expected_sinkage_m": "soil" if expects else 0}
    scenario = ff.parse_scenario(SCENARIO, "expected_sinkage.toml", "scenarios", settings)
    return ff.run(scenario, record=False).summary["gait"]


def print_row(soil: str, plan: str, g: dict) -> None:
    print(
        f"{soil:<20} {plan:<13} {g['speed_m_per_s']:6.3f} {1e3 * g['sinkage_mean_m']:9.1f} "
        f"{1e3 * g['slip_per_footfall_m']:9.1f} {g['cost_of_transport'] or 0:9.2f} "
        f"{math.degrees(g['tilt_max_rad']):9.1f}   " + (f"after {g['fall']['time_s']:.1f} s" if g["fell"] else "no")
    )


def compare_plans(soils: list[str]) -> bool:
    print("                                    speed   sinkage      slip   cost of      tilt")
    print("soil                 planned for    [m/s]      [mm]      [mm] transport     [deg]   fell")
    held = True
    for soil in soils:
        print_row(soil, "hard ground", trot(soil, False))
        expecting = trot(soil, True)
        print_row(soil, "its sinkage", expecting)
        held = held and not expecting["fell"] and expecting["speed_m_per_s"] > 0.95 * SPEED
    return held


if __name__ == "__main__":
    sys.exit(0 if compare_plans(sys.argv[1:] or SOILS) else 1)
