#!/usr/bin/env python3
"""What the plugin footfall.soil costs: mj_step with it over mj_step with MuJoCo's own contact, of standing robots.

Both stand for two seconds, then steps of both are timed in turn, each time from the same state: medians of the
repeats, one thread. Beside them stands MuJoCo's own deformable ground, a plastic flex patch under the same robot
(9 × 7 × 3 points, 12 cm apart, under MuJoCo's integrator `discrete`): how long its step takes is measured, not what
it does.

    .venv/bin/python scripts/plugin_bench.py robots/quadruped.xml robots/humanoid.xml
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import mujoco
import numpy as np
from plugin_table import Holder, add_floor, place
from robots import ROOT, call, strip_pictures

STEPS = 50  # of a repeat
FLEX = """<mujoco><worldbody><flexcomp name="patch" type="grid" dim="3" count="9 7 3" spacing="{0} {0} .05"
  pos="0 0 -.05" mass="{1}" radius=".005"><elasticity young="2e6" poisson=".3" damping=".002" yield=".01"/>
  <contact selfcollide="none"/><pin gridrange="0 0 0 8 6 0"/></flexcomp></worldbody></mujoco>"""


class Stand:
    """A robot that stands, and the state from which its steps are timed."""

    def __init__(self, model: mujoco.MjModel, feet: list[int], ground: int, settle: float) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        place(model, self.data, feet, ground)
        hold = Holder(model, self.data)
        for _ in range(int(settle / model.opt.timestep)):
            hold(model, self.data)
            mujoco.mj_step(model, self.data)
        self.height = self.data.qpos[2]
        self.signature = mujoco.mjtState.mjSTATE_INTEGRATION
        self.state = np.empty(mujoco.mj_stateSize(model, self.signature))
        mujoco.mj_getState(model, self.data, self.state, self.signature)
        self.times: list[float] = []

    def time_steps(self) -> None:
        mujoco.mj_setState(self.model, self.data, self.state, self.signature)
        mujoco.mj_step(self.model, self.data)
        start = time.perf_counter()
        mujoco.mj_step(self.model, self.data, STEPS)
        self.times.append((time.perf_counter() - start) / STEPS)

    @property
    def step_us(self) -> float:
        return 1e6 * float(np.median(self.times))


def flex_model(floor: Path, ground: str, mass: float) -> mujoco.MjModel:
    """The robot on a plastic flex patch instead of the ground."""
    spec = mujoco.MjSpec.from_file(str(floor))
    patch = mujoco.MjSpec.from_string(FLEX.format(0.12, 3 * mass))
    spec.attach(patch, prefix="flex_", frame=spec.worldbody.add_frame())
    plane = next(g for g in spec.geoms if g.name == ground)
    plane.pos = plane.pos - np.array([0, 0, 0.3])
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_DISCRETE  # the others refuse a flex, or diverge
    return spec.compile()


def measure(program: Path, file: Path, soils: list[str], repeats: int, settle: float) -> list[tuple[str, float, float]]:
    """Name, step [µs] and height of the base [m]: MuJoCo's own ground first, the flex patch last."""
    with tempfile.TemporaryDirectory() as folder:
        made, soft = strip_pictures(file, Path(folder)), Path(folder) / "soft.xml"
        stands: dict[str, Stand] = {}
        for soil in soils:
            report = call(program, "mujoco", "soil", made, "--soil", soil, "--output", soft)
            model = mujoco.MjModel.from_xml_path(str(soft))
            feet, ground = [model.geom(foot).id for foot in report["feet"]], model.geom(report["ground"]).id
            if not stands:
                floor = add_floor(made, Path(folder), report)
                own = mujoco.MjModel.from_xml_path(str(floor))
                stands["MuJoCo's own ground"] = Stand(own, feet, ground, settle)
                mass = float(own.body_subtreemass[1])
                flex_file, flex_ground = floor, own.geom(ground).name
            stands[soil] = Stand(model, feet, ground, settle)
        stands["plastic flex patch"] = Stand(flex_model(flex_file, flex_ground, mass), feet, ground, settle)
        for _ in range(repeats):
            for stand in stands.values():
                stand.time_steps()
    return [(name, stand.step_us, stand.height) for name, stand in stands.items()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", type=Path, help="MJCF files; default: the project's quadruped and humanoid")
    parser.add_argument("--soils", nargs="+", default=["concrete", "sandy-loam", "dry-sand"], help="of soils/")
    parser.add_argument("--quick", action="store_true", help="few repeats, to see that it runs")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/footfall")
    options = parser.parse_args()
    mujoco.mj_loadPluginLibrary(str(options.program.resolve().parent / "libfootfall_plugin.so"))
    repeats, settle = (3, 0.2) if options.quick else (51, 2)
    for robot in options.robots or [ROOT / "robots/quadruped.xml", ROOT / "robots/humanoid.xml"]:
        print(f"{robot.stem if robot.stem != 'flat' else robot.parent.name}")
        rows = measure(options.program, robot, options.soils, repeats, settle)
        for name, step, height in rows:
            print(f"  {name:<20} {step:8.2f} us a step  {step / rows[0][1]:5.2f}x  base at {height:.3f} m")
    return 0


if __name__ == "__main__":
    sys.exit(main())
