"""Environments as Stable-Baselines3 wants them: PPO("MlpPolicy", footfall.sb3.as_vec_env(envs)). Needs stable-baselines3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from ._footfall import InputError
from ._velocity import VelocityVectorEnv

__all__ = ["as_vec_env"]


def as_vec_env(envs: VelocityVectorEnv) -> VecEnv:
    """The same environments by Stable-Baselines3's interface; made with autoreset_mode=AutoresetMode.SAME_STEP."""
    bare = getattr(envs, "unwrapped", envs)
    if bare.autoreset_mode is not AutoresetMode.SAME_STEP:
        raise InputError("Stable-Baselines3 resets in the same step: make the environments with "
                         "autoreset_mode=AutoresetMode.SAME_STEP")  # fmt: skip
    return _Adapter(bare)


class _Adapter(VecEnv):  # type: ignore[misc,unused-ignore]
    def __init__(self, envs: VelocityVectorEnv) -> None:
        self.envs = envs
        self.actions: Any = None
        self.returns = np.zeros(envs.num_envs)
        self.lengths = np.zeros(envs.num_envs, dtype=np.int64)
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        seeds = [None if seed is None else int(seed) for seed in self._seeds]
        observations, _ = self.envs.reset(seed=None if all(s is None for s in seeds) else seeds)
        self._reset_seeds()
        self.returns[:] = 0
        self.lengths[:] = 0
        return observations

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        observations, rewards, terminated, truncated, infos = self.envs.step(self.actions)
        self.returns += rewards
        self.lengths += 1
        over = terminated | truncated
        rows: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over):
            rows[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                "episode": {"r": float(self.returns[i]), "l": int(self.lengths[i])},
            }
        self.returns[over] = 0
        self.lengths[over] = 0
        return observations, rewards.astype(np.float32), over, rows

    def close(self) -> None:
        self.envs.close()

    def _rows(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name) for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return [getattr(self.envs, method_name)(*args, **kwargs) for _ in self._rows(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._rows(indices)]
