"""A quadruped learns to walk forward on dry sand, by Stable-Baselines3's PPO, in minutes on a few processors.

    pip install footfall[learn] stable-baselines3
    python examples/learn_to_step.py --save policy.zip

Before and after it the policy is tried without chance, on the same episodes: how long it stays up, how fast it walks, and how
often a foot steps.
"""

from __future__ import annotations

import argparse
import sys
import time

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback

import footfall.learn  # noqa: F401  (registers the environments)
from footfall.sb3 import as_vec_env

SPEED = 0.4  # told [m/s]
OPTIONS = {
    "soil": "dry-sand", "episode_s": 8.0, "action_scale": 0.4,
    "command": ((SPEED, SPEED), (0.0, 0.0), (0.0, 0.0)),
}  # fmt: skip


class Progress(BaseCallback):
    """Says ten times how it goes, and how long it will take."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.steps, self.told, self.start = steps, 0, time.monotonic()

    def _on_step(self) -> bool:
        share = self.num_timesteps / self.steps
        if 10 * share >= self.told + 1 and self.model.ep_info_buffer:
            self.told = int(10 * share)
            returns = [episode["r"] for episode in self.model.ep_info_buffer]
            left = (time.monotonic() - self.start) * (1 - share) / share
            print(f"{100 * share:3.0f} %: return {np.mean(returns):.0f} with exploration, {left:.0f} s left", flush=True)
        return True


def try_out(policy, count: int = 16, seconds: float = 6.0) -> dict[str, float]:
    """The policy without chance in `count` episodes, always the same."""
    envs = gymnasium.make_vec("footfall/Velocity-v0", num_envs=count, autoreset_mode=AutoresetMode.DISABLED, **OPTIONS)
    task = envs.unwrapped.task
    observations, _ = envs.reset(seed=1000)
    start = task.batch.qpos[:, 0].copy()
    up, steps, total = np.ones(count, dtype=bool), np.zeros(count), np.zeros(count)
    touched = np.ones((count, 4), dtype=bool)
    for _ in range(round(seconds / task.control_dt)):
        actions, _ = policy.predict(observations, deterministic=True)
        rewards, terminated, _ = task.step(actions, up)
        observations = task.observe()
        total += rewards
        up &= ~terminated
        touches = task.batch.foot_force[:, :, 2] > 1.0  # N
        steps += (touches & ~touched).sum(axis=1) * up
        touched = touches
    return {
        "up": float(up.mean()),
        "speed_m_per_s": float(np.where(up, task.batch.qpos[:, 0] - start, 0.0).mean() / seconds),
        "steps_per_s": float(steps.mean() / seconds),
        "return": float(total.mean()),
    }


def tell(title: str, tried: dict[str, float]) -> None:
    print(f"{title}: {100 * tried['up']:.0f} % stay up, {tried['speed_m_per_s']:.2f} m/s of {SPEED} m/s, "
          f"{tried['steps_per_s']:.1f} steps/s, return {tried['return']:.0f}", flush=True)  # fmt: skip


def main(arguments: list[str]) -> dict[str, dict[str, float]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000, help="of robots, all together, 1000000")
    parser.add_argument("--envs", type=int, default=256, help="robots at once, 256")
    parser.add_argument("--seed", type=int, default=0, help="of networks and episodes, 0")
    parser.add_argument("--save", help="file for the policy")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)  # networks are small: the processors are for the robots
    envs = gymnasium.make_vec(
        "footfall/Velocity-v0", num_envs=chosen.envs, autoreset_mode=AutoresetMode.SAME_STEP, **OPTIONS
    )
    model = PPO(
        "MlpPolicy", as_vec_env(envs), n_steps=32, batch_size=2048, n_epochs=4, learning_rate=lambda left: 1e-3 * left, gamma=0.98,
        gae_lambda=0.95, ent_coef=0.002, clip_range=0.2, target_kl=0.02, max_grad_norm=1.0, seed=chosen.seed, device="cpu",
        policy_kwargs={"net_arch": [128, 64], "log_std_init": -1.0, "activation_fn": torch.nn.ELU},
    )  # fmt: skip
    before = try_out(model)
    tell("untrained", before)
    start = time.monotonic()
    model.learn(chosen.steps, callback=Progress(chosen.steps))
    print(f"{model.num_timesteps} steps of robots in {time.monotonic() - start:.0f} s")
    after = try_out(model)
    tell("trained", after)
    if chosen.save:
        model.save(chosen.save)
    return {"before": before, "after": after}


if __name__ == "__main__":
    main(sys.argv[1:])
