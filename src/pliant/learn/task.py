"""What is to be learnt: the scene of each member, and how it is seen, rewarded and ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments import checks
from ..errors import InputError
from ..integrate.base import Implicit
from ..integrate.schemes import ImplicitEuler
from ..simulate.scene.body import Scene
from ..solve.quasi_newton.quasi_newton_solver import QuasiNewton


@dataclass(frozen=True, eq=False)
class Moment:
    """What a task sees of all members at once, member by member along the first axis.

    ``x`` and ``v`` are (n, nodes, 3) positions [m] and velocities [m/s], lists where members differ in size; ``goals`` is
    (n, g), what ``goal`` returned for each; ``actions`` is (n, a), what acts now, from −1 to 1.
    """

    x: np.ndarray | Any
    v: np.ndarray | Any
    goals: np.ndarray
    actions: np.ndarray


class Task:
    """A task for ``gym.vector`` and ``gym.single``: derive from it, and say what is seen, done and rewarded.

    ``actions`` and ``observations`` are how many numbers act and are seen; one action lasts ``substeps`` steps of ``dt`` [s],
    and an episode ``limit`` actions. ``scene``, ``observe`` and ``reward`` must be given; the rest may be.
    """

    actions: int = 1
    observations: int = 1
    dt: float = 1 / 60
    substeps: int = 3
    limit: int = 24

    def __init__(self):
        checked(self, type(self).__name__)

    def scene(self, action: np.ndarray, member: int) -> Scene:
        """The scene of a member; ``action`` (a,) is changed in place as it goes on, for courses and motions that read it.

        For instance ``EmbeddedMuscle(…, activation=lambda t: max(0.0, action[0]))`` or
        ``Hold(where, motion=lambda X, t: X + 0.1 * action)``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no scene(action, member)")

    def observe(self, now: Moment) -> np.ndarray:
        """(n, o) what is seen of each member."""
        raise NotImplementedError(f"{type(self).__name__} has no observe(now)")

    def reward(self, now: Moment) -> np.ndarray:
        """(n,) what each member is given for where it is now."""
        raise NotImplementedError(f"{type(self).__name__} has no reward(now)")

    def goal(self, random: np.random.Generator) -> np.ndarray:
        """(g,) what one member is to reach in its next episode."""
        return np.zeros(0)

    def gravity(self, now: Moment) -> np.ndarray | None:
        """(n, 3) acceleration of everything in each member [m/s²] while ``now.actions`` act; None leaves that of the scenes.

        ``now.goals`` has what is drawn anew for each episode: let ``goal`` return a random tilt, and gravity follow it.
        """
        return None

    def targets(self, now: Moment) -> np.ndarray | None:
        """(n, k, 3) places [m] that pictures show as small balls, k for each member; None shows none."""
        return None

    def ended(self, now: Moment) -> np.ndarray:
        """(n,) whether an episode is over before its limit."""
        return np.zeros(len(now.actions), bool)

    def measures(self, now: Moment) -> dict[str, np.ndarray]:
        """Name → (n,) numbers that learners are told beside the reward."""
        return {}

    def integrator(self) -> Implicit:
        """How steps are taken: implicit Euler with eight quasi-Newton iterations."""
        return ImplicitEuler(dt=self.dt, solver=QuasiNewton(iterations=8))


def checked(task: object, call: str) -> Task:
    """The task, or what is wrong with it."""
    if not isinstance(task, Task):
        raise InputError(f"{call}: got {type(task).__name__}; expected a task, such as gym.Reach()")
    for name in ("actions", "observations", "substeps", "limit"):
        checks.whole(f"{type(task).__name__}.{name}", getattr(task, name), 1)
    return task
