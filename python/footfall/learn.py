"""Learning: Gymnasium environments. Importing this module registers them.

    import gymnasium, footfall.learn
    env = gymnasium.make("footfall/Velocity-v0", robot="quadruped", soil="dry-sand")
    envs = gymnasium.make_vec("footfall/Velocity-v0", num_envs=256, soil="random")

footfall/Velocity-v0: a robot is told velocities of its base and learns to follow them. Actions are offsets of joint
targets from the standing pose, in units of `action_scale`; observations are what a robot can know. What only a simulator
knows is in info["privileged"]. Options:

robot         an MJCF, URDF or robot file, or the name of one in the library
soil          a soil's name, a list of names, or "random": any of RANDOM_SOILS, and everything else is drawn too (ALL_RANDOM)
ranges        an EpisodeRanges; each of its fields is an option as well: slope_deg=(0, 5), push_m_per_s=(0, 0.3), …
episode_s     until an episode is truncated [s], 20
timestep      of the simulation [s], 0.002;  substeps: of one action, 10
action_scale  [rad or m], 0.3;  kp, kd: of motors' servos [N m/rad], [N m s/rad]; by default from the robot's weight
threads       of the vector environment; 0: one per processor
"""

from __future__ import annotations

import gymnasium

from ._episodes import ALL_RANDOM, RANDOM_SOILS, Episode, EpisodeRanges
from ._velocity import VelocityEnv, VelocityVectorEnv

__all__ = ["ALL_RANDOM", "RANDOM_SOILS", "Episode", "EpisodeRanges", "VelocityEnv", "VelocityVectorEnv"]

if "footfall/Velocity-v0" not in gymnasium.registry:
    gymnasium.register(
        "footfall/Velocity-v0",
        entry_point="footfall._velocity:VelocityEnv",
        vector_entry_point="footfall._velocity:VelocityVectorEnv",
    )
