"""Uses an installed wheel, far from the clone, without compiler or programs: called by scripts/wheel.sh check."""

import subprocess
import sys

from pathlib import Path

# The import in a process of its own, timed inside it, twice: the first fills caches of the disk.
TIMED = "import time; t = time.perf_counter(); import footfall; print(time.perf_counter() - t)"
for _ in range(3):
    seconds = float(subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, check=True).stdout)
print(f"-- import footfall: {seconds:.3f} s")
assert seconds < 0.3, seconds

import footfall as ff  # noqa: E402

assert Path(ff.__file__).is_relative_to(Path.cwd()), ff.__file__
world = ff.World(robot="quadruped", soil="dry-sand", timestep=0.001)
sim = ff.Simulation(world)
sim.step(200)
assert sim.feet[0].sinkage > 0
saved = sim.save()
sim.step(50)
after = sim.qpos.copy()
sim.restore(saved)
sim.step(50)
assert (sim.qpos == after).all()

batch = ff.Batch([world] * 3, lanes=False)
batch.step(substeps=200)
fresh = ff.Simulation(world)
fresh.step(200)
assert (batch.qpos == fresh.qpos).all()

run = ff.run(ff.find_data("scenarios/quadruped_trot_sand.toml"), {"step.duration_s": 0.3}, output="run", progress=False)
assert run.data.row_count == 300
assert run.report("trot.html").stat().st_size > 100_000  # with the viewer in it

press = ff.rig.press(ff.Disc(radius=0.05), "dry-sand", sinkage=0.02)
fit = ff.identify(dict(press.series), foot=ff.Disc(radius=0.05), progress=False)
low, high = fit.parameters["n"].interval_95
assert low <= 1.1 <= high or abs(fit.parameters["n"].value - 1.1) < 1e-6
fit.soil.save("my-sand.toml")
assert ff.Simulation(ff.World(robot="quadruped", soil="./my-sand.toml")).step(10).converged
assert ff.granular.load("beads").predict(0.05).shape[1] == 3

print(f"-- {ff.build_description()}")
for name in ("LICENSE", "BUNDLED.txt"):
    assert list(Path(ff.__file__).parents[1].glob(f"footfall-*.dist-info/licenses/**/{name}")), name
print("-- the installed wheel works")
