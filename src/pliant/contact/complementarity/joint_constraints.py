"""Joint constraints as rows of contact by complementarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse

from ...arguments import checks
from ...arguments.checks import floats
from ...arguments.typing_fields import Vector
from ...errors import InputError
from .gauss_seidel_kernels import HOLDS, SLIDES
from .narrow_phase import Rows

FIRST = -1000  # joint numbers are below this


class Bodies(Protocol):
    """The bodies of a scene for joints, over ``count`` nodes."""

    count: int

    def bind(self, name: str, points: np.ndarray, what: str) -> sparse.csr_matrix:
        """(m, n) weights of the nodes of the scene in points (m, 3) of a body at rest."""

    def tets(self, name: str, what: str) -> np.ndarray:
        """(m, 4) nodes of the scene of the tets of a body."""


@dataclass(frozen=True, eq=False)
class Weld:
    """``points`` (m, 3) [m] of two bodies at rest stay together; with ``other`` None they stay in place."""

    one: str
    points: Sequence[Vector] | np.ndarray
    other: str | None = None

    def __post_init__(self):
        _named("Weld", self.one, self.other, optional=True)
        _points("Weld(points=…)", self.points)

    @property
    def held(self) -> str:
        """The body whose points it holds."""
        return self.one

    def bound(self, bodies: Bodies, number: int) -> Bound:
        """The joint over the nodes of a scene."""
        points = _points("Weld(points=…)", self.points)
        weights, goal = bodies.bind(self.one, points, "Weld(points=…)"), np.zeros_like(points)
        if self.other is None:
            goal = points
        else:
            weights = weights - bodies.bind(self.other, points, "Weld(points=…)")
        return Welded(number, weights.tocsr(), goal)


@dataclass(frozen=True, eq=False)
class Slide:
    """``points`` (m, 3) of body ``other`` stay on the line through two points ``line`` (2, 3) [m] of body ``one``, at rest.

    Along it they are held by up to ``friction`` times the force across, and ``hold`` [N].
    """

    one: str
    line: Sequence[Vector] | np.ndarray
    other: str
    points: Sequence[Vector] | np.ndarray
    friction: float = 0.0
    hold: float = 0.0

    def __post_init__(self):
        _named("Slide", self.one, self.other)
        line = _points("Slide(line=…)", self.line)
        if len(line) != 2 or np.linalg.norm(line[1] - line[0]) <= 0:
            raise InputError(f"Slide(line={self.line!r}): expected two different points, (2, 3)")
        _points("Slide(points=…)", self.points)
        checks.number("Slide(friction=…)", self.friction, 0, expected="a number of at least 0")
        checks.number("Slide(hold=…)", self.hold, 0, expected="newtons, at least 0")

    @property
    def held(self) -> str:
        """The body whose points it holds."""
        return self.other

    def bound(self, bodies: Bodies, number: int) -> Bound:
        """The joint over the nodes of a scene."""
        line = bodies.bind(self.one, _points("Slide(line=…)", self.line), "Slide(line=…)")
        points = bodies.bind(self.other, _points("Slide(points=…)", self.points), "Slide(points=…)")
        return Slid(number, line, points, float(self.friction), float(self.hold))


class Bound:
    """A joint over the nodes of a scene."""

    number: int

    @property
    def state(self) -> np.ndarray:
        """(p, 8) the state kept from step to step."""
        return np.zeros((0, 8))

    def recall(self, state: np.ndarray) -> None:
        """Restore a state."""

    def begin(self, x: np.ndarray, before: float, now: float) -> None:
        """A step from ``before`` to ``now`` [s] begins with nodes at x (n, 3)."""

    def rows(self, begun: np.ndarray, x: np.ndarray) -> Rows:
        """Its rows in a step that began with nodes at ``begun`` (n, 3), linearised at x (n, 3)."""
        raise NotImplementedError(f"{type(self).__name__} needs rows(begun, x), as every Bound has")

    def names(self, count: int) -> np.ndarray:
        """(count, 4) the names of its rows."""
        name = np.full((count, 4), -1, np.int32)
        name[:, 0], name[:, 1] = FIRST - self.number, np.arange(count)
        return name


class Welded(Bound):
    """Σ w x = goal (m, 3)."""

    def __init__(self, number: int, weights: sparse.csr_matrix, goal: np.ndarray):
        self.number, self.weights, self.goal = number, weights, goal

    def rows(self, begun: np.ndarray, x: np.ndarray) -> Rows:
        c = len(self.goal)
        normal = np.tile([0.0, 0.0, 1.0], (c, 1))
        law = (np.full(c, HOLDS, np.int32), np.zeros(c), np.zeros(c))
        height = self.goal[:, 2].copy()
        return Rows(self.names(c), self.weights, normal, height, height, self.goal.copy(), *law)


class Slid(Bound):
    """Points on the line through two others."""

    def __init__(self, number: int, line: sparse.csr_matrix, points: sparse.csr_matrix, friction: float, hold: float):
        self.number, self.line, self.points, self.friction, self.hold = number, line, points, friction, hold

    def rows(self, begun: np.ndarray, x: np.ndarray) -> Rows:
        (a, b), p = self.line @ x, self.points @ x
        axis = (b - a) / np.linalg.norm(b - a)
        share = (p - a) @ axis / np.linalg.norm(b - a)
        c = len(p)
        mixture = (self.points - sparse.csr_matrix(np.column_stack([1 - share, share])) @ self.line).tocsr()
        return sliding(self.names(c), mixture, np.tile(axis, (c, 1)), mixture @ begun, self.friction, self.hold)


def sliding(
    name: np.ndarray, mixture: sparse.csr_matrix, axis: np.ndarray, begun: np.ndarray,
    friction: float | np.ndarray, hold: float | np.ndarray, across: np.ndarray | None = None,
) -> Rows:  # fmt: skip
    """Rows that keep offsets across axes (c, 3) at ``across``, or at 0, with friction along them since ``begun``."""
    c, along = len(name), np.einsum("ij,ij->i", axis, begun)
    before = along[:, None] * axis
    if across is not None:
        before = before + across - np.einsum("ij,ij->i", axis, across)[:, None] * axis
    law = (np.full(c, SLIDES, np.int32), np.broadcast_to(friction, c).astype(float), np.broadcast_to(hold, c).astype(float))
    return Rows(name, mixture, axis, along, along.copy(), before, *law)


def _named(joint: str, one: object, other: object, optional: bool = False) -> None:
    if not isinstance(one, str) or not (isinstance(other, str) or (optional and other is None)) or one == other:
        expected = "the names of two bodies" + (", or None for other" if optional else "")
        raise InputError(f"{joint}(one={one!r}, other={other!r}): expected {expected}")


def _points(what: str, points: object) -> np.ndarray:
    given = floats(points)
    if given.ndim != 2 or given.shape[1] != 3 or not len(given) or not np.isfinite(given).all():
        raise InputError(f"{what} has shape {given.shape}; expected (m, 3), finite")
    return given
