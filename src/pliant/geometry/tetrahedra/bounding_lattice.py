"""Tets of a cubic lattice around a surface, and which of them the solid inside it reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order

from ..lattice.fragments import CORNERS
from ..mesh.mesh import TriMesh, unique_rows
from .bounding_fill import EDGES, crossings
from .bounding_pieces import Pieces, pieces_of

MARGIN = 0.02  # of a cell, at least so much is left around the surface
# five tets of a cube, those of cubes beside each other mirrored: the faces then agree
_EVEN = np.array([[1, 2, 4, 7], [0, 1, 2, 4], [3, 1, 2, 7], [5, 1, 4, 7], [6, 2, 4, 7]])
_ODD = np.array([[0, 3, 5, 6], [1, 0, 3, 5], [2, 0, 3, 6], [4, 0, 5, 6], [7, 3, 5, 6]])


@dataclass(frozen=True, eq=False)
class Reached:
    """The tets that a solid reaches into, and how often it holds each of their nodes."""

    X: np.ndarray  # (n, 3) nodes [m]
    tets: np.ndarray  # (m, 4), all of positive volume
    inside: np.ndarray  # (n,) winding number
    size: float  # edge of the cubes [m]


class Degenerate(Exception):
    """The surface passes through an edge of tets in a way that leaves open which side a node is on."""


def reached(surface: TriMesh, cells: int, shift: np.ndarray) -> Reached:
    """Tets of ``cells`` cubes along the longest side; ``shift`` (3,) in −1 … 1 moves the lattice within its margin."""
    low, high = surface.bounds
    size = float((high - low).max()) / (cells - 4 * MARGIN)
    counts = np.maximum(np.ceil((high - low) / size + 4 * MARGIN - 1e-9).astype(int), 1)
    origin = (low + high) / 2 - size * counts / 2 + MARGIN * size * shift
    X, tets = _lattice(counts, origin, size)
    pieces = pieces_of(X, tets, surface, size)
    inside = windings(pieces, tets, len(X), None)
    touched = np.zeros(len(tets), bool)
    touched[pieces.tets] = True
    kept = tets[touched | (inside[tets[:, 0]] > 0)]
    used, number = np.unique(kept, return_inverse=True)
    return Reached(X[used], number.reshape(-1, 4), inside[used], size)


def windings(pieces: Pieces, tets: np.ndarray, count: int, known: np.ndarray | None) -> np.ndarray:
    """(n,) how often the solid holds each node, from the crossings of all edges; node 0 of a lattice is outside.

    ``known`` numbers are checked against the crossings. What does not fit together is Degenerate.
    """
    change = crossings(pieces, len(tets), np.full(len(tets), -1.0)).ravel()
    ends = tets[:, EDGES].reshape(-1, 2)
    back = ends[:, 0] > ends[:, 1]
    change = np.where(back, -change, change)
    ends = np.sort(ends, axis=1)
    first, inverse, _ = unique_rows(ends)
    if np.any(change != change[first][inverse]):
        raise Degenerate
    a, b, step = *ends[first].T, change[first]
    if known is None:
        known = np.zeros(count)
        graph = sparse.csr_array((np.arange(1, len(a) + 1), (a, b)), shape=(count, count))
        graph = graph + graph.T
        order, before = breadth_first_order(graph, 0, directed=False)
        at = {(int(i), int(j)): s for i, j, s in zip(a, b, step)}
        for node in order[1:].tolist():
            start = int(before[node])
            known[node] = known[start] + (at[start, node] if start < node else -at[node, start])
    if np.any(known[b] - known[a] != step):
        raise Degenerate
    return known


def _lattice(counts: np.ndarray, origin: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) nodes and (m, 4) tets of cubes."""
    places = np.stack(np.meshgrid(*(np.arange(c + 1) for c in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    cubes = np.stack(np.meshgrid(*(np.arange(c) for c in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    wide = counts + 1
    corner = (cubes[:, None] + CORNERS) @ np.array([wide[1] * wide[2], wide[2], 1])
    odd = cubes.sum(axis=1) % 2 == 1
    tets = np.where(odd[:, None, None], corner[:, _ODD], corner[:, _EVEN]).reshape(-1, 4)
    X = origin + size * places
    sides = X[tets[:, 1:]] - X[tets[:, :1]]
    flipped = np.linalg.det(sides) < 0
    tets[flipped] = tets[flipped][:, [1, 0, 2, 3]]
    return X, tets
