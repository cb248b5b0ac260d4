"""Needle constraints: rows along a shaft inside a body.

Points of the body that the tip has passed stay on the shaft with friction; at the tip the body sticks until it is cut.
After Duriez et al. 2009 and Zeng 2023, §4.3.1.5, whose constraints come from where a needle crosses the mesh of the volume.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...arguments import checks
from ...arguments.checks import floats
from ...arguments.typing_fields import Vector
from ...errors import InputError
from .joint_constraints import Bodies, Bound, sliding
from .narrow_phase import Rows

INSIDE = 1e-9  # of barycentric coordinates, and of a spacing
MOST = 10_000  # points added to a shaft in a step


@dataclass(frozen=True, eq=False)
class Needle:
    """A straight needle in the body named ``body``, of tets: ``tip(t)`` is its tip [m], ``direction`` its axis.

    Every ``spacing`` [m] of its shaft in the body holds on to it across, and along it by up to ``friction`` times the force
    across and ``hold`` [N/m] times the spacing; the tip cuts where it is pushed with more than ``cut`` [N].
    """

    body: str
    tip: Callable[[float], Vector]
    direction: Vector
    spacing: float
    friction: float = 0.0
    hold: float = 0.0
    cut: float = 0.0

    def __post_init__(self):
        checks.instance("Needle(body=…)", self.body, str, "the name of a body")
        if not callable(self.tip):
            raise checks.refusal("Needle(tip=…)", self.tip, "a function of time that returns three coordinates")
        way = floats(self.direction)
        if way.shape != (3,) or not 0 < np.abs(way).max() <= checks.FAR:
            raise checks.refusal("Needle(direction=…)", self.direction, "three numbers that are not all 0")
        checks.positive("Needle(spacing=…)", self.spacing, "metres")
        for name in ("friction", "hold", "cut"):
            checks.number(f"Needle({name}=…)", getattr(self, name), 0, expected="a number of at least 0")

    @property
    def held(self) -> str:
        """The body whose points it holds."""
        return self.body

    def bound(self, bodies: Bodies, number: int) -> Bound:
        """The needle over the nodes of a scene."""
        return Inserted(number, self, bodies.tets(self.body, "Needle(body=…)"), bodies.count)


class Inserted(Bound):
    """A needle with the points (p,) of the body that are on its shaft: nodes (p, 4) and weights (p, 4)."""

    def __init__(self, number: int, needle: Needle, tets: np.ndarray, count: int):
        self.number, self.needle, self.tets, self.count = number, needle, tets, count
        self.axis = floats(needle.direction) / np.linalg.norm(floats(needle.direction))
        self.nodes, self.weights = np.zeros((0, 4), np.int64), np.zeros((0, 4))
        self.moved, self.place, self.at_tip = np.zeros(3), np.zeros(3), None

    @property
    def state(self) -> np.ndarray:
        """(p, 8) nodes and weights of the points on the shaft."""
        return np.hstack([self.nodes.astype(float), self.weights])

    def recall(self, state: np.ndarray) -> None:
        """Restore these points."""
        self.nodes, self.weights = state[:, :4].astype(np.int64), state[:, 4:].copy()

    def tip(self, time: float) -> np.ndarray:
        """(3,) the tip at ``time`` [s], in metres."""
        place = floats(self.needle.tip(time))
        if place.shape != (3,) or not np.isfinite(place).all():
            raise InputError(f"Needle.tip returned shape {place.shape} at t = {time:g} s; expected (3,), finite")
        return place

    def begin(self, x: np.ndarray, before: float, now: float) -> None:
        """A step from ``before`` to ``now`` [s] begins with nodes at x: points are added to the shaft or removed."""
        start, self.place = self.tip(before), self.tip(now)
        self.moved = self.place - start
        ahead = (self._of(x) - start) @ self.axis > 0
        if ahead.any():  # the tip has been drawn back behind them
            self.nodes, self.weights = self.nodes[~ahead], self.weights[~ahead]
        self.at_tip = self.locate(x, start)
        if self.at_tip is None:
            return
        for back in self._unheld((start - self._of(x)) @ self.axis):
            found = self.locate(x, start - back * self.axis)
            if found is None:
                break  # beyond the surface of its entry
            self.nodes, self.weights = np.vstack([self.nodes, found[0]]), np.vstack([self.weights, found[1]])
        if self.moved @ self.axis < 0:
            self.at_tip = None  # it cuts, and does not pull

    def _unheld(self, depth: np.ndarray) -> Iterator[float]:
        """Distances behind the tip of missing points [m], one for every spacing ahead of those at ``depth``."""
        if not len(depth):
            yield from (k * self.needle.spacing for k in range(MOST))
        else:
            due = int(depth.min() / self.needle.spacing + INSIDE)
            yield from (depth.min() - (k + 1) * self.needle.spacing for k in range(min(due, MOST)))

    def _of(self, x: np.ndarray) -> np.ndarray:
        return np.einsum("pk,pkx->px", self.weights, x[self.nodes])

    def locate(self, x: np.ndarray, point: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Nodes (4,) and weights (4,) of a current position in the body; None outside."""
        corners = x[self.tets]
        near = np.flatnonzero(
            ((corners.min(axis=1) <= point) & (corners.max(axis=1) >= point)).all(axis=1)
        )  # of these boxes, few
        for tet in near:
            edges = (corners[tet, 1:] - corners[tet, 0]).T
            rest = np.linalg.solve(edges, point - corners[tet, 0])
            weights = np.array([1 - rest.sum(), *rest])
            if weights.min() >= -INSIDE:
                return self.tets[tet], weights
        return None

    def rows(self, begun: np.ndarray, x: np.ndarray) -> Rows:
        nodes, weights, given = self.nodes, self.weights, self.needle
        hold = np.full(len(nodes), given.hold * given.spacing)
        friction = np.full(len(nodes), float(given.friction))
        name = self.names(len(nodes))
        if self.at_tip is not None:
            nodes, weights = np.vstack([nodes, self.at_tip[0]]), np.vstack([weights, self.at_tip[1]])
            hold, friction = np.append(hold, given.cut), np.append(friction, 0.0)
            name = np.vstack([name, [[name_of_tip(self.number), 0, -1, -1]]]).astype(np.int32)
        c = len(nodes)
        entries = (weights.ravel(), (np.repeat(np.arange(c), 4), nodes.ravel()))
        mixture = sparse.csr_matrix(entries, shape=(c, self.count))
        axis, across = np.tile(self.axis, (c, 1)), np.tile(self.place, (c, 1))
        return sliding(name, mixture, axis, mixture @ begun + self.moved, friction, hold, across)


def name_of_tip(number: int) -> int:
    """The name of the row of a needle's tip."""
    return -1_000_000 - number
