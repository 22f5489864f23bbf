"""Drops a ball on soft ground and waits until it rests: the shortest program that uses the package."""

import sys

import footfall as ff

STIFFNESS = 5e3  # N/m

soft = ff.Soil(
    "soft",
    compliant={
        "law": "linear",
        "stiffness": STIFFNESS,
        "damping": 60,  # N s/m
        "shear_stiffness_N_per_m": 4e3,
        "shear_damping_Ns_per_m": 50,
        "friction_coefficient": 0.6,
    },
)
world = ff.World(
    robot=sys.argv[1] if len(sys.argv) > 1 else "robots/ball.xml",
    soil=soft,
    settings={"contact.model": "compliant", "contact.sole_friction": "soil"},
)
pose = world.start_qpos
pose[2] += 0.1  # m above the ground
sim = ff.Simulation(world, pose)
while sim.time < 3:
    if not sim.step(300).converged:
        sys.exit(1)
    print(f"{sim.time:5.2f} s  height {sim.qpos[2]:8.5f} m")
sinkage = sim.feet[0].sinkage
expected = world.force_scale / STIFFNESS  # weight over stiffness
print(f"sinkage {1e3 * sinkage:.6f} mm, weight/stiffness {1e3 * expected:.6f} mm")
sys.exit(0 if abs(sinkage - expected) < 1e-6 * expected else 1)
