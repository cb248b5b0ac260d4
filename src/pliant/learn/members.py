"""Members of a batch as learners see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arguments import checks
from ..errors import InputError
from ..simulate.batch import Batch
from .task import Moment, Task


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one action led to, for each member: seen, rewarded, over before its limit or at it, and what else is told."""

    observations: np.ndarray
    rewards: np.ndarray
    ended: np.ndarray
    timed_out: np.ndarray
    told: dict[str, np.ndarray]


class Members:
    """``count`` members of one task on a batch, each with its own random numbers, goal and clock."""

    def __init__(self, task: Task, count: int, device: str, precision: str, threads: int | None):
        self.task, self.count = task, count
        self.actions = np.zeros((count, task.actions))
        scenes = [task.scene(self.actions[i], i) for i in range(count)]
        self.batch = Batch(scenes, task.integrator(), device, precision, threads)
        self.random: list[np.random.Generator | None] = [None] * count
        self.steps = np.zeros(count, int)
        self.goals = np.zeros((count, 0))
        self.begun = False  # whether all of them have been in an episode

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Begin the random numbers of members anew; where there is None they go on, or begin somewhere."""
        for i, seed in enumerate(seeds):
            if seed is not None or self.random[i] is None:
                self.random[i] = np.random.default_rng(seed)

    def reset(self, members: np.ndarray | None = None) -> None:
        """Begin another episode of all members, at t = 0, or of those of a mask, while the others go on."""
        chosen = np.arange(self.count) if members is None else np.flatnonzero(members)
        goals = [np.atleast_1d(np.asarray(self.task.goal(self.random[i]), float)) for i in chosen]
        if members is None:
            self.goals, self.begun = np.stack(goals), True
        else:
            self.goals[chosen] = goals
        self.actions[chosen], self.steps[chosen] = 0.0, 0
        self.batch.reset(None if members is None else chosen)
        self._pull()

    def act(self, actions: np.ndarray) -> Outcome:
        """Let actions (n, a), clipped to −1 … 1, act for ``substeps`` steps; a member whose step fails ends its episode."""
        if not self.begun:
            raise InputError("step(…): no episode has begun; call reset() first")
        given = checks.floats(actions)
        if given.shape != self.actions.shape or not np.isfinite(given).all():
            raise InputError(f"step(actions): got shape {given.shape}; expected {self.actions.shape}, finite")
        self.actions[:] = np.clip(given, -1.0, 1.0)
        self._pull()
        failed = np.zeros(self.count, bool)
        for _ in range(self.task.substeps):
            failed |= [not report.kept for report in self.batch.step()]
        self.steps += 1
        now = self.moment()
        ended = np.asarray(self.task.ended(now), bool) | failed
        rewards = np.asarray(self.task.reward(now), float)
        if rewards.shape != (self.count,):
            raise InputError(f"{type(self.task).__name__}.reward: got shape {rewards.shape}; expected ({self.count},)")
        over = self.steps >= self.task.limit
        return Outcome(self.seen(now), rewards, ended, over & ~ended, {**self.told(now), "failed": failed})

    def _pull(self) -> None:
        """Let gravity be what the task asks for, where it does."""
        if type(self.task).gravity is Task.gravity:
            return
        asked = self.task.gravity(self.moment())
        if asked is not None:
            if np.shape(asked) != (self.count, 3):
                raise InputError(f"{type(self.task).__name__}.gravity: got shape {np.shape(asked)}; expected ({self.count}, 3)")
            self.batch.gravity = asked

    def targets(self) -> np.ndarray:
        """(n, k, 3) places [m] that pictures show."""
        asked = self.task.targets(self.moment())
        places = np.zeros((self.count, 0, 3)) if asked is None else np.asarray(asked, float)
        if places.ndim != 3 or places.shape[::2] != (self.count, 3) or not np.isfinite(places).all():
            raise InputError(
                f"{type(self.task).__name__}.targets: got shape {places.shape}; expected ({self.count}, k, 3), finite"
            )
        return places

    def moment(self) -> Moment:
        return Moment(self.batch.x, self.batch.v, self.goals.copy(), self.actions.copy())

    def seen(self, now: Moment) -> np.ndarray:
        """(n, o) observations."""
        seen, expected = np.asarray(self.task.observe(now), np.float32), (self.count, self.task.observations)
        if seen.shape != expected:
            raise InputError(f"{type(self.task).__name__}.observe: got shape {seen.shape}; expected {expected}")
        return seen

    def told(self, now: Moment) -> dict[str, np.ndarray]:
        return {name: np.asarray(values) for name, values in self.task.measures(now).items()}
