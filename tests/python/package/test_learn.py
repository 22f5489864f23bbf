"""Learning environments: Gymnasium's own checks; episodes that depend on their seeds alone."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

ID = "footfall/Velocity-v0"


@pytest.fixture(scope="module")
def learn(ff):
    import footfall.learn

    return footfall.learn


def actions_of(seed: int, count: int, steps: int) -> np.ndarray:
    """Of each robot by its number alone."""
    return np.stack([np.random.default_rng([seed, i]).uniform(-1, 1, (steps, 12)) for i in range(count)], axis=1)


@pytest.mark.parametrize("options", [{}, {"soil": "random"}, {"robot": "humanoid", "soil": "concrete"}])
def test_the_environment_passes_gymnasium_s_checks(learn, options):
    env = gymnasium.make(ID, **options).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # observations are not bounded, which the checker says it does not like
        warnings.filterwarnings("ignore", message=".*(infinity|precision|we recommend|not within).*")
        check_env(env, skip_render_check=True)


def test_rows_of_the_vector_are_environments_of_their_own(learn):
    """Whatever the size and the number of threads: everything random, resets included."""
    steps = 70
    actions = actions_of(1, 5, steps)
    options = {"soil": "random", "episode_s": 1.0}
    envs = gymnasium.make_vec(ID, num_envs=5, threads=3, **options)
    few = gymnasium.make_vec(ID, num_envs=2, threads=1, **options)
    seen, _ = envs.reset(seed=[40, 7, 42, 43, 44])
    seen_few, _ = few.reset(seed=[44, 7])  # another order
    assert np.array_equal(seen_few, seen[[4, 1]])
    alone = gymnasium.make(ID, **options).unwrapped
    one, info = alone.reset(seed=7)
    assert np.array_equal(one, seen[1])
    over = False
    ends = 0
    for step in range(steps):
        rows, reward, terminated, truncated, infos = envs.step(actions[step])
        rows_few, *_ = few.step(actions[step][[4, 1]])
        assert np.array_equal(rows_few, rows[[4, 1]]), step
        if over:
            one, info = alone.reset()
            assert reward[1] == 0 and not terminated[1] and not truncated[1]
            over = False
        else:
            one, one_reward, one_terminated, one_truncated, info = alone.step(actions[step][1])
            assert (one_reward, one_terminated, one_truncated) == (reward[1], terminated[1], truncated[1])
            over = one_terminated or one_truncated
            ends += over
        assert np.array_equal(one, rows[1]), step
        for key, value in info["privileged"].items():
            assert np.array_equal(value, infos["privileged"][key][1]), key
        assert info["soil"] == infos["soil"][1]
    assert ends >= 1


def test_a_new_episode_has_a_new_ground(learn):
    env = gymnasium.make(ID, soil="random").unwrapped
    episodes = []
    for seed in (3, None, None, None, None, None):
        env.reset(seed=seed)
        episodes.append(env.task.episodes[0])
        assert env.task.batch.world(0).mass == pytest.approx(episodes[-1].mass_scale * env.task.mass)
    assert len({e.soil for e in episodes}) > 1
    assert len({e.mass_scale for e in episodes}) == 6
    assert any(e.slope_deg > 0 for e in episodes) and any(e.roughness_m > 0 for e in episodes)
    assert not any(e.slope_deg > 0 and e.roughness_m > 0 for e in episodes)
    env.reset(seed=3)
    assert env.task.episodes[0] == episodes[0]


def test_terminated_and_truncated_are_apart(learn):
    env = gymnasium.make(ID, episode_s=0.2).unwrapped
    env.reset(seed=0)
    ends = [env.step(np.zeros(12))[2:4] for _ in range(10)]
    assert ends == [(False, False)] * 9 + [(False, True)]
    env.reset(seed=0)
    env.task.batch.qpos[0, 3:7] = [0, 1, 0, 0]  # on its back
    assert env.step(np.zeros(12))[2:4] == (True, False)
    env.reset(seed=0)
    env.task.batch.qvel[0, :3] = 1e300
    observation, reward, terminated, truncated, _ = env.step(np.zeros(12))
    assert terminated and not truncated and reward == 0 and np.isfinite(observation).all()


def test_a_step_later_the_vector_resets_itself(learn):
    envs = gymnasium.make_vec(ID, num_envs=3, episode_s=0.1)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    first, _ = envs.reset(seed=5)
    for _ in range(5):
        last, reward, _, truncated, _ = envs.step(np.zeros((3, 12)))
    assert truncated.all() and (reward != 0).all()
    begun, reward, terminated, truncated, _ = envs.step(np.ones((3, 12)))
    assert (reward == 0).all() and not terminated.any() and not truncated.any()
    assert not np.array_equal(begun, last) and (begun[:, 30:42] == 0).all()  # no last action
    assert (envs.task.steps == 0).all()


def test_in_the_same_step_the_last_observation_is_kept(learn):
    options = {"num_envs": 3, "episode_s": 0.1, "soil": "random"}
    same = gymnasium.make_vec(ID, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    later = gymnasium.make_vec(ID, **options)
    same.reset(seed=5)
    later.reset(seed=5)
    for _ in range(5):
        seen, reward, _, truncated, infos = same.step(np.zeros((3, 12)))
        last, reward_later, *_ = later.step(np.zeros((3, 12)))
    assert truncated.all() and np.array_equal(reward, reward_later)
    assert infos["_final_obs"].all() and np.array_equal(np.stack(list(infos["final_obs"])), last)
    begun, *_ = later.step(np.zeros((3, 12)))
    assert np.array_equal(seen, begun)


def test_some_are_reset_by_a_mask_and_the_others_go_on(learn):
    options = {"num_envs": 4, "soil": "random", "autoreset_mode": AutoresetMode.DISABLED}
    actions = actions_of(2, 4, 10)
    some, none = gymnasium.make_vec(ID, **options), gymnasium.make_vec(ID, **options)
    some.reset(seed=1)
    none.reset(seed=1)
    for step in range(5):
        before, *_ = some.step(actions[step])
        none.step(actions[step])
    mask = np.array([False, True, False, True])
    seen, infos = some.reset(seed=[0, 77, 0, 78], options={"reset_mask": mask})
    assert np.array_equal(seen[~mask], before[~mask]) and (seen[mask] != before[mask]).any(axis=1).all()
    assert np.array_equal(infos["_privileged"], mask)
    for step in range(5, 10):
        a, *_ = some.step(actions[step])
        b, *_ = none.step(actions[step])
        assert np.array_equal(a[~mask], b[~mask])
        assert (a[mask] != b[mask]).any(axis=1).all()
    some.task.batch.qpos[0, 3:7] = [0, 1, 0, 0]
    _, _, terminated, *_ = some.step(actions[0])
    assert terminated[0]
    with pytest.raises(ValueError, match="an episode is over"):
        some.step(actions[0])


def test_actions_come_late_and_observations_are_noisy(learn):
    def follow(**options):
        env = gymnasium.make(ID, start_rad=0.0, **options).unwrapped
        env.reset(seed=0)
        rows = [env.step(np.full(12, 0.5))[0] for _ in range(3)]
        return np.array(rows), env.task.batch.qpos[0].copy()

    prompt, there = follow()
    late, behind = follow(delay_s=(0.01, 0.01))
    assert np.abs(late - prompt)[0, 6:18].max() > 1e-3  # joints have not gone so far
    noisy, same = follow(noise=(0.1, 0.03, 0.01, 0.5))
    assert np.array_equal(same, there)  # noise is of the sensors alone
    assert 0.001 < (noisy - prompt)[:, 6:18].std() < 0.03
    assert np.array_equal(noisy[:, 30:], prompt[:, 30:])  # action and command are known
    assert not np.array_equal(behind, there)


def test_pushes_move_the_base_and_commands_change(learn):
    env = gymnasium.make(ID, push_m_per_s=(0.3, 0.3), push_every_s=0.1, command_every_s=0.2).unwrapped
    quiet = gymnasium.make(ID).unwrapped
    commands = set()
    env.reset(seed=2)
    quiet.reset(seed=2)
    for _ in range(30):
        observation, *_ = env.step(np.zeros(12))
        quiet.step(np.zeros(12))
        commands.add(tuple(observation[-3:]))
    assert len(commands) == 4
    assert np.abs(env.task.batch.qpos[0, :2] - quiet.task.batch.qpos[0, :2]).max() > 5e-3


def test_velocities_and_gravity_are_in_the_base_s_axes(ff, learn):
    from footfall._velocity import rotate_back

    random = np.random.default_rng(0)
    q = random.standard_normal((20, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    v = random.standard_normal((20, 3))
    for quaternion, vector, rotated in zip(q, v, rotate_back(q, v), strict=True):
        w, u = quaternion[0], -quaternion[1:]  # the inverse rotation: v + 2w u×v + 2 u×(u×v)
        assert np.allclose(rotated, vector + 2 * w * np.cross(u, vector) + 2 * np.cross(u, np.cross(u, vector)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"soil": "dry-snad"}, "did you mean 'dry-sand'?"),
        ({"slope": (0, 5)}, "unknown option 'slope', did you mean 'slope_deg'?"),
        ({"slope_deg": (5, 0)}, "slope_deg = (5, 0), expected two numbers"),
        ({"mass_scale": (0, 1)}, "mass_scale"),
        ({"robot": "ball"}, "has no actuators"),
        ({"robot": "single_foot"}, "has no free base"),
        ({"episode_s": 0}, "episode_s = 0"),
        ({"render_mode": "human"}, "render_mode"),
    ],
)
def test_wrong_input_is_one_clear_error(ff, learn, options, message):
    with pytest.raises(ff.InputError) as error:
        learn.VelocityEnv(**options)
    assert message in str(error.value)
