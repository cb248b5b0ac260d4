"""Gymnasium environments, single and batched (extra)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arguments import checks
from ..errors import InputError
from ..geometry.mesh.primitives import sphere
from ..output.picture import image_of
from ..simulate.record.run import Prop
from .members import Members, Outcome
from .task import Task, checked

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    Env, SAME_STEP = gymnasium.Env, AutoresetMode.SAME_STEP
except ModuleNotFoundError as error:
    if error.name is None or error.name.split(".")[0] not in ("gymnasium", "cloudpickle", "farama_notifications"):
        raise
    gymnasium, Env, VectorEnv, SAME_STEP = None, object, object, None

SIZE = (480, 360)  # of pictures [px]
BALL = 0.03  # radius of a target that is drawn, by the size of the scene


def vector(
    task: Task, count: int, *, device: str = "cpu", precision: str = "f32", threads: int | None = None,
    render_mode: str | None = None,
) -> VectorEnvironment:  # fmt: skip
    """``count`` members of a task as a ``gymnasium.vector.VectorEnv`` on one Batch; needs the extra ``pliant[gym]``.

    Members whose episode is over begin another within the same step. Member i of ``reset(seed=s)`` has the seed s + i, and
    its episodes are those of ``single`` with that seed up to rounding; on one machine they are the same bit for bit again.
    """
    _check("vector", task, render_mode)
    return VectorEnvironment(Members(task, checks.whole("vector(count=…)", count, 1), device, precision, threads), render_mode)


def single(
    task: Task, *, device: str = "cpu", precision: str = "f32", threads: int | None = None,
    render_mode: str | None = None,
) -> Environment:  # fmt: skip
    """A task as a ``gymnasium.Env`` of one member; needs the extra ``pliant[gym]``."""
    _check("single", task, render_mode)
    return Environment(Members(task, 1, device, precision, threads), render_mode)


def _check(call: str, task: object, render_mode: object) -> None:
    checked(task, f"{call}(task)")
    checks.among(f"{call}(render_mode=…)", render_mode, (None, "rgb_array"))
    if gymnasium is None:
        raise InputError(f"{call}(): gymnasium is not installed; pip install 'pliant[gym]'")


class _Drawn:
    """What both kinds have in common: members, spaces of one of them, and pictures."""

    def _take(self, members: Members, render_mode: str | None) -> tuple[Any, Any]:
        self.members, self.task, self.render_mode = members, members.task, render_mode
        unbounded, one = np.full(self.task.observations, np.inf, np.float32), np.ones(self.task.actions, np.float32)
        self.metadata = self.metadata | {"render_fps": 1 / (self.task.dt * self.task.substeps)}
        box = gymnasium.spaces.Box
        return box(-unbounded, unbounded, dtype=np.float32), box(-one, one, dtype=np.float32)

    def _picture(self, member: int) -> np.ndarray:
        if self.render_mode is None:
            raise InputError("render(): made without pictures; expected render_mode='rgb_array' when it is made")
        run = self.members.batch.frame(member)
        places = self.members.targets()[member]
        ball = sphere(BALL * float(np.ptp(run.positions[0], axis=0).max()), 2)
        balls = [Prop(f"target {i}", ball.translated(place), np.eye(4)[None]) for i, place in enumerate(places)]
        return image_of(replace(run, props=(*run.props, *balls)), size=SIZE)


class VectorEnvironment(_Drawn, VectorEnv):
    """Many members at once; ``members.batch`` is the Batch, to look at and to draw."""

    metadata = {"autoreset_mode": SAME_STEP, "render_modes": ["rgb_array"]}

    def __init__(self, members: Members, render_mode: str | None = None):
        self.single_observation_space, self.single_action_space = self._take(members, render_mode)
        self.num_envs = members.count
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin anew, all members or those of ``options={"reset_mask": mask}``; one seed for each, or s, s + 1, …"""
        super().reset(seed=seed if isinstance(seed, int | np.integer) else None)
        mask = (options or {}).get("reset_mask")
        if mask is not None and (np.shape(mask) != (self.num_envs,) or np.asarray(mask).dtype != bool):
            raise InputError(f"reset(options): reset_mask has shape {np.shape(mask)}; expected ({self.num_envs},) of bool")
        if seed is None or isinstance(seed, int | np.integer):
            seed = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise InputError(f"reset(seed): got {len(seed)} seeds; expected one, or {self.num_envs}")
        chosen = np.ones(self.num_envs, bool) if mask is None else np.asarray(mask)
        self.members.seed([one if take else None for one, take in zip(seed, chosen)])
        if mask is None or not self.members.begun:
            self.members.reset()
        elif chosen.any():
            self.members.reset(chosen)
        now = self.members.moment()
        return self.members.seen(now), _told(self.members.told(now), chosen)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One action of each member; where an episode is over, ``info["final_obs"]`` has what was seen last."""
        outcome = self.members.act(actions)
        over, seen = outcome.ended | outcome.timed_out, outcome.observations
        told = _told(outcome.told, np.ones(self.num_envs, bool))
        if over.any():
            last = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(over):
                last[i] = seen[i]
            final = _told({name: np.where(over, values, np.zeros_like(values)) for name, values in outcome.told.items()}, over)
            self.members.reset(over)
            now = self.members.moment()
            seen = self.members.seen(now)
            fresh = {name: np.where(over, new, told[name]) for name, new in self.members.told(now).items()}
            told = told | fresh | {"final_obs": last, "_final_obs": over, "final_info": final, "_final_info": over}
        return seen, outcome.rewards, outcome.ended, outcome.timed_out, told

    def render(self) -> tuple[np.ndarray, ...]:
        """A picture (height, width, 3) of each member."""
        return tuple(self._picture(i) for i in range(self.num_envs))


class Environment(_Drawn, Env):
    """One member."""

    metadata = {"render_modes": ["rgb_array"]}

    def __init__(self, members: Members, render_mode: str | None = None):
        self.observation_space, self.action_space = self._take(members, render_mode)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin another episode; with a seed its random numbers begin anew."""
        super().reset(seed=seed)
        self.members.random[0] = self.np_random
        self.members.reset()
        now = self.members.moment()
        return self.members.seen(now)[0], _first(self.members.told(now))

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """One action."""
        outcome: Outcome = self.members.act(np.asarray(action)[None])
        flags = bool(outcome.ended[0]), bool(outcome.timed_out[0])
        return outcome.observations[0], float(outcome.rewards[0]), *flags, _first(outcome.told)

    def render(self) -> np.ndarray:
        """A picture (height, width, 3)."""
        return self._picture(0)


def _told(values: dict[str, np.ndarray], whom: np.ndarray) -> dict[str, np.ndarray]:
    """What is told, with a mask of whom it is about, as Gymnasium has it."""
    return values | {f"_{name}": whom.copy() for name in values}


def _first(values: dict[str, np.ndarray]) -> dict[str, Any]:
    return {name: column[0] for name, column in values.items()}
