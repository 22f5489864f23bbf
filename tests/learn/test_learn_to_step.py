"""The example that trains a network: a quadruped that only stands learns to walk. `make test-learn`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "build/release/python"))
pytest.importorskip("stable_baselines3", reason="make test-learn installs it")


def load_example():
    spec = importlib.util.spec_from_file_location("learn_to_step", ROOT / "examples/learn_to_step.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_quadruped_learns_to_stand_and_step(tmp_path):
    result = load_example().main(["--save", str(tmp_path / "policy.zip")])
    before, after = result["before"], result["after"]
    assert after["up"] > 0.9
    assert after["return"] > before["return"] + 20
    assert after["speed_m_per_s"] > before["speed_m_per_s"] + 0.1
    assert after["steps_per_s"] > 1
    assert (tmp_path / "policy.zip").is_file()


def test_the_adapter_hands_on_last_observations_and_truncation():
    import gymnasium
    from gymnasium.vector import AutoresetMode

    import footfall.learn  # noqa: F401
    from footfall.sb3 import as_vec_env

    make = {"num_envs": 2, "episode_s": 0.06, "soil": "dry-sand"}
    envs = as_vec_env(gymnasium.make_vec("footfall/Velocity-v0", autoreset_mode=AutoresetMode.SAME_STEP, **make))
    twin = gymnasium.make_vec("footfall/Velocity-v0", autoreset_mode=AutoresetMode.DISABLED, **make)
    envs.seed(3)
    first = envs.reset()
    begun, _ = twin.reset(seed=[3, 4])
    assert np.array_equal(first, begun)
    for step in range(3):
        seen, rewards, over, infos = envs.step(np.zeros((2, 12), dtype=np.float32))
        last, twin_rewards, *_ = twin.step(np.zeros((2, 12)))
        assert np.allclose(rewards, twin_rewards)
        assert over.all() == (step == 2)
    assert np.array_equal([info["terminal_observation"] for info in infos], last)
    assert all(info["TimeLimit.truncated"] for info in infos)
    assert infos[0]["episode"]["l"] == 3
    assert not np.array_equal(seen, last)
    with pytest.raises(ValueError, match="SAME_STEP"):
        as_vec_env(gymnasium.make_vec("footfall/Velocity-v0", **make))
