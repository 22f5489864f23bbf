"""Velocity tracking as Gymnasium environments: footfall/Velocity-v0. See footfall.learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ._episodes import Episode, EpisodeRanges, NoiseSource, draw_episode, make_world, ranges_from
from ._footfall import Batch, InputError

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
TRACKING = 0.25  # velocity error at which its reward has fallen by 1/e, squared [m²/s²]


def rotate_back(quaternion: Numbers, vector: Numbers) -> Numbers:
    """Vectors of the world in the base's axes; rows of quaternions w x y z. Row by row the same for any number of rows."""
    w, x, y, z = (quaternion[:, i] for i in range(4))
    a, b, c = (vector[:, i] for i in range(3))
    return np.stack([
        (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c,
        2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c,
        2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c,
    ], axis=1)  # fmt: skip


class VelocityTask:
    """`count` robots that are told velocities: what both environments are made of.

    Everything that is drawn for a robot comes from its own generator, and it moves alone in the batch: so its episodes
    depend on its seed only, not on how many others there are.
    """

    def __init__(
        self,
        count: int,
        robot: str,
        ranges: EpisodeRanges,
        *,
        episode_s: float,
        timestep: float,
        substeps: int,
        action_scale: float,
        kp: float | None,
        kd: float | None,
        threads: int,
    ) -> None:
        if episode_s <= 0 or substeps < 1:
            raise InputError(f"episode_s = {episode_s}, substeps = {substeps}, expected more than 0")
        self.count, self.robot, self.ranges = count, robot, ranges
        self.timestep, self.substeps, self.action_scale = timestep, substeps, action_scale
        self.control_dt = timestep * substeps
        self.most_steps = max(1, round(episode_s / self.control_dt))
        plain = Episode(ranges.soil_names[0], 0.0, 0.0, 0.0, 0, 1.0, 0, 0.0)
        world = make_world(robot, plain, timestep)
        if not world.base_is_free:
            raise InputError(f"robot '{robot}' has no free base, expected one that can walk")
        if world.nu == 0:
            raise InputError(f"robot '{robot}' has no actuators")
        self.batch = Batch([world] * count, threads=threads, lanes=False, feet=True)
        self.joints, self.speeds = np.array(world.actuator_qpos), np.array(world.actuator_qvel)
        self.motors = np.array(world.motors)
        self.stand = world.start_qpos
        self.stand_height = float(self.stand[2])
        stiffness = 0.4 * world.force_scale if kp is None else kp  # a lever of 0.4 m under the weight for 1 rad
        self.batch.servo_kp[:] = np.where(self.motors, stiffness, 0.0)
        self.batch.servo_kd[:] = np.where(self.motors, 0.05 * stiffness if kd is None else kd, 0.0)
        self.mass = world.mass

        nu = world.nu
        self.random = [np.random.default_rng() for _ in range(count)]
        self.noise = [NoiseSource(random, 6 + 2 * nu) for random in self.random]
        self.noise_rows = np.zeros((count, 6 + 2 * nu))
        self.episodes = [plain] * count
        self.worlds: list[Any] = [world] * count
        self.steps = np.zeros(count, dtype=np.int64)
        self.command = np.zeros((count, 3))
        self.action = np.zeros((count, nu))
        self.before = np.zeros((count, nu))
        self.deviation = np.repeat(np.array(ranges.noise), [3, 3, nu, nu])
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (nu,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (9 + 3 * nu,), np.float32)

    def seed(self, seeds: Sequence[int | None]) -> None:
        for i, seed in enumerate(seeds):
            if seed is not None:
                self.random[i] = np.random.default_rng(seed)

    def begin(self, robot: int) -> None:
        """A new episode of one robot."""
        random = self.random[robot]
        self.noise[robot] = NoiseSource(random, len(self.deviation))
        episode = draw_episode(self.ranges, self.timestep, random)
        if episode != self.episodes[robot] or self.batch.world(robot) is not self.worlds[robot]:
            self.worlds[robot] = make_world(self.robot, episode, self.timestep)
            self.batch.replace_world(robot, self.worlds[robot])
        else:
            mask = np.zeros(self.count, dtype=bool)
            mask[robot] = True
            self.batch.reset(mask)
        self.episodes[robot] = episode
        offset = random.uniform(-1, 1, len(self.joints)) * self.ranges.start_rad
        self.batch.qpos[robot, self.joints] += offset
        self.steps[robot] = 0
        self.action[robot] = self.before[robot] = 0
        self.draw_command(robot)
        self.noise_rows[robot] = self.noise[robot].draw()

    def draw_command(self, robot: int) -> None:
        self.command[robot] = [self.random[robot].uniform(*bounds) for bounds in self.ranges.command]

    def step(self, actions: Any, moving: Flags) -> tuple[Numbers, Flags, Flags]:
        """Reward, terminated and truncated of each robot; those that are not moving stay as they are."""
        actions = np.clip(np.asarray(actions, dtype=np.float64), -1, 1)
        if actions.shape != self.action.shape:
            raise InputError(f"actions have the shape {actions.shape}, expected {self.action.shape}")
        if not np.isfinite(actions).all():
            raise InputError("an action is not a finite number")
        self.before[moving], self.action[moving] = self.action[moving], actions[moving]
        self.move(moving)
        self.steps[moving] += 1
        self.disturb(moving)
        for i in np.flatnonzero(moving):
            self.noise_rows[i] = self.noise[i].draw()
        terminated = self.fallen() & moving
        truncated = (self.steps >= self.most_steps) & moving
        counts = moving & ~self.batch.failed
        with np.errstate(over="ignore"):  # of robots that do not count
            return np.where(counts, self.reward(), 0.0), terminated, truncated

    def move(self, moving: Flags) -> None:
        """The robots take the steps of one action, which reaches each motor after its delay."""
        delays = np.array([episode.delay_steps for episode in self.episodes])
        done = 0
        for until in sorted({0, *(int(d) for d in delays if d < self.substeps), self.substeps}):
            if until > done:
                self.batch.step(substeps=until - done, mask=moving)
                done = until
            if until < self.substeps:
                now = (np.minimum(delays, self.substeps) <= until)[:, None]
                self.aim(np.where(now, self.action, self.before))

    def aim(self, action: Numbers) -> None:
        targets = self.stand[self.joints] + self.action_scale * action
        self.batch.servo_position[:] = targets
        self.batch.control[:] = np.where(self.motors, 0.0, targets)

    def disturb(self, moving: Flags) -> None:
        """Pushes, and new commands."""
        push = max(1, round(self.ranges.push_every_s / self.control_dt))
        renew = max(1, round(self.ranges.command_every_s / self.control_dt))
        for i in np.flatnonzero(moving & (self.steps % push == 0)):
            size = self.episodes[i].push_m_per_s
            if size > 0 and not self.batch.failed[i]:
                self.batch.qvel[i, :2] += self.random[i].uniform(-size, size, 2)
        for i in np.flatnonzero(moving & (self.steps % renew == 0)):
            self.draw_command(int(i))

    def base_velocity(self) -> Numbers:
        return rotate_back(self.batch.qpos[:, 3:7], self.batch.qvel[:, :3])

    def gravity(self) -> Numbers:
        """Direction of gravity in the base's axes."""
        down = np.zeros((self.count, 3))
        down[:, 2] = -1
        return rotate_back(self.batch.qpos[:, 3:7], down)

    def base_height(self) -> Numbers:
        """Above the undisturbed ground [m]."""
        qpos = self.batch.qpos
        ground = [e.ground_height(x, y) for e, x, y in zip(self.episodes, qpos[:, 0], qpos[:, 1], strict=True)]
        height: Numbers = qpos[:, 2] - np.array(ground)
        return height

    def fallen(self) -> Flags:
        low = self.base_height() < 0.5 * self.stand_height
        fallen: Flags = low | (self.gravity()[:, 2] > -0.5) | self.batch.failed
        return fallen

    def reward(self) -> Numbers:
        """At most 1.5 for a step: tracking, less what wears out a robot."""
        velocity, turning = self.base_velocity(), self.batch.qvel[:, 5]
        missed = np.square(velocity[:, 0] - self.command[:, 0]) + np.square(velocity[:, 1] - self.command[:, 1])
        tracking = np.exp(-missed / TRACKING) + 0.5 * np.exp(-np.square(turning - self.command[:, 2]) / TRACKING)
        gravity = self.gravity()
        rolling = np.square(self.batch.qvel[:, 3]) + np.square(self.batch.qvel[:, 4])
        jerk = np.square(self.action - self.before).mean(axis=1)
        speed = np.square(self.batch.qvel[:, self.speeds]).mean(axis=1)
        cost = (
            np.square(velocity[:, 2]) + 0.05 * rolling + np.square(gravity[:, 0]) + np.square(gravity[:, 1])
            + 0.1 * jerk + 1e-3 * speed
        )  # fmt: skip
        reward: Numbers = tracking - np.minimum(cost, 2.0)
        return reward

    def observe(self) -> NDArray[np.float32]:
        """gyro 3, gravity 3, joint positions and velocities, last action, command 3: what a robot can know."""
        b = self.batch
        sensed = np.concatenate([
            b.qvel[:, 3:6], self.gravity(), b.qpos[:, self.joints] - self.stand[self.joints], b.qvel[:, self.speeds],
        ], axis=1)  # fmt: skip
        sensed = sensed + self.deviation * self.noise_rows
        return np.concatenate([sensed, self.action, self.command], axis=1).astype(np.float32)

    def privileged(self) -> dict[str, Numbers]:
        """What only a simulator knows, a row for each robot: for critics and teachers, not for policies."""
        e = self.episodes
        return {
            "base_velocity": self.base_velocity(),
            "base_height": self.base_height(),
            "foot_force": self.batch.foot_force.copy(),
            "foot_sinkage": self.batch.foot_sinkage.copy(),
            "foot_friction_use": self.batch.foot_friction_use.copy(),
            "soil": np.array([self.ranges.soil_names.index(x.soil) for x in e], dtype=np.float64),
            "slope": np.radians([[x.slope_deg, x.direction_deg] for x in e]),
            "roughness": np.array([x.roughness_m for x in e]),
            "mass_scale": np.array([x.mass_scale for x in e]),
            "delay": np.array([x.delay_steps * self.timestep for x in e]),
        }


DEFAULTS: dict[str, Any] = {
    "episode_s": 20.0, "timestep": 0.002, "substeps": 10, "action_scale": 0.3, "kp": None, "kd": None,
}  # fmt: skip


def make_task(count: int, robot: str, soil: Any, ranges: EpisodeRanges | None, threads: int,
              options: dict[str, Any]) -> VelocityTask:  # fmt: skip
    chosen = {name: options.pop(name, default) for name, default in DEFAULTS.items()}
    return VelocityTask(count, robot, ranges_from(soil, ranges, options), threads=threads, **chosen)


class VelocityEnv(gymnasium.Env[Any, Any]):
    """One robot that is told velocities. Options: footfall.learn."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  (as Gymnasium has it)

    def __init__(
        self, robot: str = "quadruped", soil: Any = None, ranges: EpisodeRanges | None = None,
        render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        if render_mode is not None:
            raise InputError(f"render_mode = '{render_mode}', expected None: `footfall view` shows runs")
        self.render_mode = None
        self.task = make_task(1, robot, soil, ranges, 1, options)
        self.action_space = self.task.action_space
        self.observation_space = self.task.observation_space
        self._seeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.task.seed([seed])
        self.task.begin(0)
        return self.task.observe()[0], self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        reward, terminated, truncated = self.task.step(np.asarray(action)[None, :], np.ones(1, dtype=bool))
        return self.task.observe()[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._info()

    def _info(self) -> dict[str, Any]:
        return {
            "privileged": {key: value[0] for key, value in self.task.privileged().items()},
            "soil": self.task.episodes[0].soil,
        }


class VelocityVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many robots at once, by one footfall.Batch. Row i is what VelocityEnv gives with the seed of row i.

    autoreset_mode  as Gymnasium's: NEXT_STEP (the step after the last one of an episode resets), SAME_STEP (the last
                    observation is in infos["final_obs"]), or DISABLED (reset(options={"reset_mask": mask}) resets some)
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self, num_envs: int = 1, robot: str = "quadruped", soil: Any = None, ranges: EpisodeRanges | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, threads: int = 0,
        render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        if num_envs < 1:
            raise InputError(f"num_envs = {num_envs}, expected 1 or more")
        if render_mode is not None:
            raise InputError(f"render_mode = '{render_mode}', expected None: `footfall view` shows runs")
        self.render_mode = None
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.task = make_task(num_envs, robot, soil, ranges, threads, options)
        self.single_action_space = self.task.action_space
        self.single_observation_space = self.task.observation_space
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.over = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        mask = np.ones(self.num_envs, dtype=bool)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != bool or mask.shape != (self.num_envs,):
                raise InputError(f"reset_mask: expected bools of shape ({self.num_envs},)")
        seeds: list[int | None]
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise InputError(f"seed has {len(seeds)} entries, expected {self.num_envs}")
        self.task.seed([s if chosen else None for s, chosen in zip(seeds, mask, strict=True)])
        for i in np.flatnonzero(mask):
            self.task.begin(int(i))
        self.over[mask] = False
        return self.task.observe(), self._infos(mask)

    def step(self, actions: Any) -> tuple[Any, Numbers, Flags, Flags, dict[str, Any]]:
        begun = self.over.copy() if self.autoreset_mode is AutoresetMode.NEXT_STEP else np.zeros_like(self.over)
        if self.autoreset_mode is AutoresetMode.DISABLED and self.over.any():
            raise InputError("an episode is over: reset it first, with options={'reset_mask': terminated | truncated}")
        for i in np.flatnonzero(begun):
            self.task.begin(int(i))
        reward, terminated, truncated = self.task.step(actions, ~begun)
        self.over = terminated | truncated
        observations = self.task.observe()
        infos = self._infos(np.ones(self.num_envs, dtype=bool))
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self.over.any():
            last, final = self.over.copy(), infos
            final_obs = np.empty(self.num_envs, dtype=object)
            for i in np.flatnonzero(last):
                final_obs[i] = observations[i]
                self.task.begin(int(i))
            observations = self.task.observe()
            infos = {**self._infos(np.ones(self.num_envs, dtype=bool)), "final_obs": final_obs, "_final_obs": last,
                     "final_info": final, "_final_info": last}  # fmt: skip
            self.over = np.zeros_like(last)
        return observations, reward, terminated, truncated, infos

    def _infos(self, mask: Flags) -> dict[str, Any]:
        return {
            "privileged": self.task.privileged(), "_privileged": mask,
            "soil": np.array([episode.soil for episode in self.task.episodes]), "_soil": mask,
        }  # fmt: skip
