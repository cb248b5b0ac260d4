"""Cells of a lattice that were cut: copies of cells, each with a part of the material, which may be held as tetrahedra."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from .fragments import POWERS, Fragments, simplex_integrals

ROUND = 1e-9  # of a cell: points so near to its faces are on them
FEW = 8  # pieces that are tried for a point
APART = 100.0


@dataclass(frozen=True, eq=False)
class Carved:
    """m copies of cells on n nodes. A copy that a blade has passed holds its material as ``pieces``, the others as they were
    clipped from the solid; ``values``, ``subcells`` and ``rows`` are those of ``Fragments``.

    Pieces may lie outside their cell, by less than another cell: slivers that a cut has left beside it.
    """

    rest: np.ndarray  # (n, 3) [m]
    nodes: np.ndarray  # (m, 8) x fastest
    lowest: np.ndarray  # (m, 3) where corner 0 lies [m]
    values: np.ndarray  # (m, 8) φ at the corners, in units of a cell
    integrals: np.ndarray  # (m, 11) ∫ of the monomials over the material
    pieces: np.ndarray  # (k, 4, 3) corners ξ of tets
    piece_of: np.ndarray  # (k,) the copy of each, ascending
    patches: np.ndarray  # (t, 3, 3) triangles of the material's surface [m]
    patch_of: np.ndarray  # (t,) the copy that each hangs on
    patch_shares: np.ndarray  # (t, 8) ∫ N_i over each [m²]
    subcells: np.ndarray | None = None
    rows: np.ndarray | None = None

    @cached_property
    def is_carved(self) -> np.ndarray:
        """(m,) whether a copy has pieces."""
        carved = np.zeros(len(self.nodes), bool)
        carved[self.piece_of] = True
        return carved

    @property
    def fragments(self) -> Fragments:
        """The material of the copies, without triangles of its surface; of carved ones its integrals alone."""
        none = np.zeros(0, int), np.zeros((0, 3, 3))
        return Fragments(self.values, self.integrals, *none, self.subcells, self.rows)

    @cached_property
    def _tree(self) -> cKDTree:
        """The middles of the pieces, those of different copies far apart."""
        return cKDTree(np.column_stack([self.pieces.mean(axis=1), APART * self.piece_of]))

    def away(self, cells: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """(p,) how far points ξ (p, 3) of copies lie outside the material of each, or of its cell where that is whole; 0 in
        it. In parts of a cell, and found among the pieces whose middles are nearest."""
        away = np.linalg.norm(xi - np.clip(xi, 0.0, 1.0), axis=1)
        own = np.flatnonzero(self.is_carved[cells])
        few = min(FEW, len(self.pieces))
        if not len(own):
            return away
        near = self._tree.query(np.column_stack([xi[own], APART * cells[own]]), k=few)[1].reshape(len(own), few)
        point, column = np.nonzero(self.piece_of[near] == cells[own][:, None])
        far = np.full(near.shape, np.inf)
        far[point, column] = outside(self.pieces[near[point, column]], xi[own[point]])
        away[own] = far.min(axis=1)
        return away


def outside(tets: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(p,) the largest distance of each point from the planes of a tet (p, 4, 3) that it lies beyond, 0 inside."""
    away = np.zeros(len(points))
    for i, (a, b, c) in enumerate(((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))):
        p, q, r = tets[:, b] - tets[:, a], tets[:, c] - tets[:, a], points - tets[:, a]
        normal = np.stack([p[:, k] * q[:, m] - p[:, m] * q[:, k] for k, m in ((1, 2), (2, 0), (0, 1))], axis=1)
        within = ((tets[:, i] - tets[:, a]) * normal).sum(axis=1)
        size = np.sqrt((normal * normal).sum(axis=1))
        np.maximum(away, -np.sign(within) * (r * normal).sum(axis=1) / np.maximum(size, 1e-300), out=away)
    return away


def volumes_of(pieces: np.ndarray) -> np.ndarray:
    """(k,) volumes of tets (k, 4, 3)."""
    return np.abs(np.linalg.det(pieces[:, 1:] - pieces[:, :1])) / 6


def integrals_of(pieces: np.ndarray, piece_of: np.ndarray, count: int) -> np.ndarray:
    """(count, 11) ∫ of the monomials over pieces; the volume of one outside its cell is at the cell's nearest point."""
    size, middle = volumes_of(pieces), pieces.mean(axis=1)
    own = simplex_integrals(pieces, size)
    off = np.any((middle < -ROUND) | (middle > 1 + ROUND), axis=1)
    near = np.clip(middle[off], 0.05, 0.95)  # so that all corners have mass
    own[off] = size[off][:, None] * np.prod(near[:, None, :] ** POWERS, axis=2)
    return np.stack([np.bincount(piece_of, column, count) for column in own.T], axis=1)
