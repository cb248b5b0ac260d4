"""Which tets lie on which side of a blade, and the faces between the two sides."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.mesh import FACES, TetMesh
from ..geometry.near import rows_at
from . import native
from .blade import Blade

ON = 1e-9  # of the longest crossed edge: a vertex so near to the blade lies on it


@dataclass(frozen=True, eq=False)
class Sides:
    """Where a blade passes: heights of vertices above it, those to lie on it, sides of tets, and the faces between."""

    height: np.ndarray  # (n,) signed distance of each vertex from the blade [m]
    crossed: int  # edges that the blade meets
    on: np.ndarray  # (n,) whether a vertex shall lie on the blade
    of_tet: np.ndarray  # (m,) 1 above, −1 below, 0 away from the blade or around its rim
    between: np.ndarray  # (b, 2) tets above and below each face to open
    faces: np.ndarray  # (b, 3) its vertices

    def turned(self, tets: np.ndarray, vertices: np.ndarray, others: np.ndarray) -> Sides:
        """The same with the tets at some vertices all on the side that more of them are on, and some others on the other side."""
        of_tet = self.of_tet.copy()
        of_tet[others] *= -1
        for v in vertices.tolist():
            own = np.flatnonzero((tets == v).any(axis=1) & (self.of_tet != 0))
            of_tet[own] = 1 if of_tet[own].sum() >= 0 else -1
        return replace(self, of_tet=of_tet, **dict(zip(("between", "faces"), _between(tets, of_tet))))


def sides(mesh: TetMesh, x: np.ndarray, blade: Blade) -> Sides:
    """How a blade passes through a mesh whose vertices are at ``x`` (n, 3) [m].

    Every edge that the blade meets gets one of its ends onto the blade, the nearer one first; no edge then runs from one
    side to the other, so each tet is on one of them, and the faces between lie on the blade.
    """
    height, _ = blade.heights(x)
    ends, shares = crossings(x, _passed(mesh.tets, np.ascontiguousarray(x, float), height, blade), height, blade)
    of_tet = np.zeros(len(mesh.tets), int)
    if not len(ends):
        none = np.zeros((0, 2), int)
        return Sides(height, 0, np.zeros(len(x), bool), of_tet, none, np.zeros((0, 3), int))
    longest = np.linalg.norm(x[ends[:, 0]] - x[ends[:, 1]], axis=1).max()
    height = np.where(np.abs(height) <= ON * longest, 0.0, height)
    above = height >= 0
    on = cover(ends, shares, above)
    near = rows_at(mesh.tets, on)
    tets = mesh.tets[near]
    signs = np.where(on, 0, np.where(above, 1, -1))[tets]
    of_tet[near] = np.sign(
        signs.max(axis=1) + signs.min(axis=1)
    )  # 0 where both signs meet: beyond the rim of the blade
    flat = (signs == 0).all(axis=1)
    of_tet[near[flat]] = np.where(height[tets[flat]].sum(axis=1) >= 0, 1, -1)
    between, faces = _between(mesh.tets, of_tet)
    return Sides(height, len(ends), on, of_tet, between, faces)


def _passed(tets: np.ndarray, x: np.ndarray, height: np.ndarray, blade: Blade) -> np.ndarray:
    """(e, 2) edges with one end above, smaller index first: all that the blade may meet."""
    into = np.array(blade.into)
    deep, top = x @ into, blade.path @ into
    slack = 1e-6 * (blade.depth + np.ptp(blade.path, axis=0).sum())
    reach = np.array([top.min() - slack, top.max() + blade.depth + slack])
    count, found, size = len(x), np.zeros(1, np.int64), 1 << 14
    while True:
        table, edges = np.full(size, -1, np.int64), np.empty(size, np.int64)
        native.passed(tets, len(tets), count, x, height, deep, reach, size - 1, table, edges, found)
        if found[0] >= 0:
            break
        size *= 4
    keys = np.sort(edges[: found[0]])
    return np.stack([keys // count, keys % count], axis=1)


def crossings(x: np.ndarray, edges: np.ndarray, height: np.ndarray, blade: Blade) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) edges that the blade meets, the end above first, and (e, 2) how far from each end, as shares of the edge."""
    above = height >= 0
    edges = edges[above[edges[:, 0]] != above[edges[:, 1]]]
    edges = np.where(above[edges[:, :1]], edges, edges[:, ::-1])
    first, second = height[edges[:, 0]], -height[edges[:, 1]]
    # an edge that passes far from the blade changes sides where another piece of the path becomes the nearest
    met = first + second <= (1 + 1e-9) * np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1)
    edges, first, second = edges[met], first[met], second[met]
    share = first / (first + second)
    _, within = blade.heights((1 - share)[:, None] * x[edges[:, 0]] + share[:, None] * x[edges[:, 1]])
    return edges[within], np.stack([share, 1 - share], axis=1)[within]


def cover(ends: np.ndarray, shares: np.ndarray, above: np.ndarray) -> np.ndarray:
    """(n,) vertices of which every crossed edge has one, those that are nearest to the blade first."""
    count, corners = len(above), ends.ravel()
    degree = np.bincount(corners, minlength=count)
    far = np.bincount(corners, shares.ravel(), count) / np.maximum(degree, 1)
    met = np.flatnonzero(degree)
    order = met[np.lexsort((met, ~above[met], far[met].round(9)))]
    by_corner = np.argsort(corners, kind="stable")
    starts = np.searchsorted(corners[by_corner], order)
    on, taken = np.zeros(len(above), bool), np.zeros(len(ends), bool)
    lists = [each.astype(np.int32) for each in (order, starts, degree[order])]
    native.cover(*lists, len(order), (by_corner // 2).astype(np.int32), taken, on)
    return on


def _between(tets: np.ndarray, of_tet: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(b, 2) tets above and below of each face that parts the sides, and (b, 3) its vertices."""
    near = np.flatnonzero(of_tet)
    first, second = neighbours(tets[near], of_tet[near])
    faces = tets[near[first // 4][:, None], FACES[first % 4]]
    pair = np.stack([near[first // 4], near[second // 4]], axis=1)
    return np.where(of_tet[pair[:, :1]] > 0, pair, pair[:, ::-1]), faces


def neighbours(tets: np.ndarray, side: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The two sides, each 4 · tet + face, of every face that two tets share, in ascending order of its vertices; only of those
    between tets whose ``side`` (m,) is of another sign, where that is given."""
    size = 1 << max(4, int(8 * len(tets)).bit_length())
    table, found = np.full(size, -1, np.int32), np.zeros(1, np.int64)
    first, second = (np.empty(2 * len(tets) + 1, np.int32) for _ in range(2))
    own = np.zeros(1, np.int32) if side is None else side.astype(np.int32)
    given = np.ascontiguousarray(tets, np.int32)
    native.twins(given, len(given), own, int(side is not None), size - 1, table, first, second, found)
    first, second = first[: found[0]], second[: found[0]]
    faces = np.sort(given[(first // 4)[:, None], FACES[first % 4]], axis=1)
    order = np.lexsort(faces.T[::-1])
    return first[order].astype(int), second[order].astype(int)
