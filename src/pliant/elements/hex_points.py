"""Which of some trilinear cells of any shape holds a point, and where in it: the inverse of the trilinear map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from ..geometry.lattice.fragments import shape_functions, shape_gradients

NEAR = 8  # cells whose middles are nearest, which are tried first
TURNS = 40  # of Newton's method; points inside take four or five
INSIDE = 1e-9  # gap below which a point is in its cell, in diagonals
MANY = 400_000  # pairs of a point and a cell looked at at once


@dataclass(frozen=True, eq=False)
class CellPlaces:
    """m cells with corners (m, 8, 3) [m], x fastest, none of them folded over."""

    corners: np.ndarray

    @cached_property
    def middles(self) -> np.ndarray:
        return self.corners.mean(axis=1)

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.middles)

    @cached_property
    def radii(self) -> np.ndarray:
        """(m,) from the middle to the furthest corner [m]: a point further off is in another cell."""
        return np.linalg.norm(self.corners - self.middles[:, None], axis=2).max(axis=1)

    def located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(s,) the cell that holds each point, or one nearly nearest, (s, 3) its place ξ there, and (s,) the gap left [m]."""
        points = np.asarray(points, float)
        near = self._tree.query(points, k=min(NEAR, len(self.corners)))[1].reshape(len(points), -1)
        cell, xi, gap = near[:, 0].copy(), np.full((len(points), 3), 0.5), np.full(len(points), np.inf)
        for column in near.T:
            todo = np.flatnonzero(gap > 0)
            self._try(points, todo, column[todo], cell, xi, gap)
        left = np.flatnonzero(gap > 0)  # those in long cells whose middles are far, and those outside
        for part in np.array_split(left, max(1, len(left) * 64 // MANY)):
            every = self._tree.query_ball_point(points[part], self.radii.max())
            owner = np.repeat(part, [len(cells) for cells in every])
            other = np.concatenate([np.asarray(cells, int) for cells in every]) if len(owner) else np.zeros(0, int)
            close = np.linalg.norm(points[owner] - self.middles[other], axis=1) <= self.radii[other]
            owner, other = owner[close], other[close]
            turn = np.arange(len(owner)) - np.searchsorted(owner, owner)  # the how-manieth cell of its point
            for i in range(turn.max(initial=-1) + 1):
                own = (turn == i) & (gap[owner] > 0)
                self._try(points, owner[own], other[own], cell, xi, gap)
        return cell, xi, gap

    def _try(self, points, todo, cells, cell, xi, gap) -> None:
        """Look for points ``todo`` in ``cells``, and keep what is closer than what was found before."""
        found, away = closest(self.corners[cells], points[todo])
        away = np.where(away <= INSIDE * self.radii[cells], 0.0, away)
        better = away < gap[todo] * (1 - 1e-12)
        chosen = todo[better]
        cell[chosen], xi[chosen], gap[chosen] = cells[better], found[better], away[better]

    def weights(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The cell of each point, (s, 8) the weights of its corners there, and the gap [m]: outside the map goes on linearly."""
        cell, xi, gap = self.located(points)
        corners, N, slopes = self.corners[cell], shape_functions(xi), shape_gradients(xi)
        J = np.einsum("sic,sia->sca", corners, slopes)
        rest = points - np.einsum("si,sic->sc", N, corners)
        return cell, N + np.einsum("sia,sa->si", slopes, np.linalg.solve(J, rest[:, :, None])[:, :, 0]), gap


def closest(corners: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(s, 3) ξ ∈ [0, 1]³ that trilinear cells (s, 8, 3) map to points (s, 3), or nearly nearest to them, and (s,) the gaps [m].

    Newton's method with halved steps, kept inside the cell, where the map can be inverted.
    """
    xi = np.full((len(points), 3), 0.5)
    rest = points - corners.mean(axis=1)
    gap, scale = np.linalg.norm(rest, axis=1), np.linalg.norm(corners - corners[:, :1], axis=2).max(axis=1)
    todo = np.arange(len(points))
    for _ in range(TURNS):
        todo = todo[gap[todo] > 0.01 * INSIDE * scale[todo]]
        if not len(todo):
            break
        J = np.einsum("sic,sia->sca", corners[todo], shape_gradients(xi[todo]))
        step = np.linalg.solve(J, rest[todo][:, :, None])[:, :, 0]
        moved = np.zeros(len(todo), bool)
        length = 1.0
        for _ in range(4):
            new = np.clip(xi[todo] + length * step, 0.0, 1.0)
            left = points[todo] - np.einsum("si,sic->sc", shape_functions(new), corners[todo])
            size = np.linalg.norm(left, axis=1)
            better = ~moved & (size < gap[todo] * (1 - 1e-6))
            at = todo[better]
            xi[at], rest[at], gap[at] = new[better], left[better], size[better]
            moved |= better
            length *= 0.5
        todo = todo[moved]
    return xi, gap
