"""Sides of a blade: tets on each, and faces between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..geometry.mesh.mesh import FACES, TetMesh
from ..geometry.mesh.vertex_cells import rows_at
from . import blade_native, face_native
from .blade import Blade

ON = 1e-9  # of the longest crossed edge: a vertex this close lies on the blade


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides of a blade in a mesh: heights of vertices, vertices to snap onto it, sides of tets, and the faces between."""

    height: np.ndarray  # (n,) signed distance of each vertex from the blade [m]
    crossed: int  # edges that the blade crosses
    on: np.ndarray  # (n,) whether a vertex is snapped onto the blade
    of_tet: np.ndarray  # (m,) 1 above, −1 below, 0 off the blade or around its rim
    between: np.ndarray  # (b, 2) tets above and below each face to open
    faces: np.ndarray  # (b, 3) its vertices
    # (k,) ascending, includes all tets at these vertices; None if unknown
    near: np.ndarray | None = None

    def turned(self, tets: np.ndarray, vertices: np.ndarray, others: np.ndarray) -> Sides:
        """The same with all tets at some vertices on their majority side, and some others on the other side."""
        of_tet = self.of_tet.copy()
        of_tet[others] *= -1
        for v in vertices.tolist():
            own = np.flatnonzero((tets == v).any(axis=1) & (self.of_tet != 0))
            of_tet[own] = 1 if of_tet[own].sum() >= 0 else -1
        between, faces = _between(tets, np.flatnonzero(of_tet), of_tet)
        return replace(self, of_tet=of_tet, between=between, faces=faces, near=None)

    @cached_property
    def around(self) -> np.ndarray:
        """(n,) whether a vertex belongs to the faces."""
        flags = np.zeros(len(self.on), bool)
        flags[self.faces] = True
        return flags

    def ring(self, tets: np.ndarray) -> np.ndarray:
        """(r,) the tets (m, 4) with a vertex of the faces, ascending."""
        return rows_at(tets, self.around, self.near)


def sides(mesh: TetMesh, x: np.ndarray, blade: Blade) -> Sides:
    """Sides of a blade in a mesh whose vertices are at ``x`` (n, 3) [m].

    One end of every crossed edge is snapped onto the blade, the nearer one first; no edge then runs from one
    side to the other, so each tet is on one of them, and the faces between lie on the blade.
    """
    height = blade.distances(x)
    x = np.ascontiguousarray(x, float)
    ends, shares, longest = _met(x, _passed(mesh.tets, x, height, blade), height, blade)
    of_tet = np.zeros(len(mesh.tets), np.int32)
    if not len(ends):
        none = np.zeros((0, 2), int)
        return Sides(height, 0, np.zeros(len(x), bool), of_tet, none, np.zeros((0, 3), int))
    height = np.where(np.abs(height) <= ON * longest, 0.0, height)
    on = cover(ends, shares, height >= 0)
    near, along = (np.empty(len(mesh.tets), np.int32) for _ in range(2))
    found = np.zeros(2, np.int64)
    blade_native.sided(mesh.tets, len(mesh.tets), on, height, of_tet, near, along, found)
    between, faces = _between(mesh.tets, along[: found[1]], of_tet, on)  # all vertices of a face between are on the blade
    return Sides(height, len(ends), on, of_tet, between, faces, near[: found[0]].copy())


def _passed(tets: np.ndarray, x: np.ndarray, height: np.ndarray, blade: Blade) -> np.ndarray:
    """(e, 2) edges with one end above, smaller index first: all that the blade may cross."""
    into = np.array(blade.into)
    top = blade.path @ into
    slack = 1e-6 * (blade.depth + np.ptp(blade.path, axis=0).sum())
    reach = np.array([top.min() - slack, top.max() + blade.depth + slack])
    count, found, size = len(x), np.zeros(1, np.int64), 1 << 14
    code = np.empty(count, np.uint8)
    while True:
        table, edges = np.full(size, -1, np.int64), np.empty(size, np.int64)
        blade_native.passed(tets, len(tets), count, x, height, into, reach, code, size - 1, table, edges, found)
        if found[0] >= 0:
            break
        size *= 4
    keys = np.sort(edges[: found[0]])
    return np.stack([keys // count, keys % count], axis=1)


def crossings(x: np.ndarray, edges: np.ndarray, height: np.ndarray, blade: Blade) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) edges that the blade crosses, the upper end first, and (e, 2) fractions of the edge from each end."""
    return _met(np.ascontiguousarray(x, float), edges, height, blade)[:2]


def _met(x: np.ndarray, edges: np.ndarray, height: np.ndarray, blade: Blade) -> tuple[np.ndarray, np.ndarray, float]:
    """The same, and the length of the longest of them [m]."""
    ends, shares = np.empty(edges.shape, np.int64), np.empty(edges.shape)
    longest, found = np.zeros(1), np.zeros(1, np.int64)
    edges = np.ascontiguousarray(edges, np.int32)
    blade_native.crossed(x, edges, len(edges), height, *blade.sheet, ends, shares, longest, found)
    return ends[: found[0]], shares[: found[0]], float(longest[0])


def cover(ends: np.ndarray, shares: np.ndarray, above: np.ndarray) -> np.ndarray:
    """(n,) a vertex cover of the crossed edges, those nearest to the blade first."""
    count, corners, found = len(above), ends.size, np.zeros(1, np.int64)
    met, starts, lists = (np.empty(corners + 1, np.int32) for _ in range(3))
    far, on, taken = np.empty(corners), np.zeros(count, bool), np.zeros(len(ends), bool)
    blade_native.ends(ends, shares, len(ends), count, np.zeros(count, np.int32), np.zeros(count), met, far, starts, lists, found)
    high = above[met[: found[0]]]
    order = np.concatenate([np.flatnonzero(high), np.flatnonzero(~high)])  # of equally near ones, those above come first
    order = order[np.argsort(far[order], kind="stable")]
    blade_native.cover(order, len(order), met, starts, lists, taken, on)
    return on


def _between(
    tets: np.ndarray, near: np.ndarray, of_tet: np.ndarray, on: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(b, 2) tets above and below of each face that parts the sides of tets ``near`` (k,), and (b, 3) its vertices; only of those
    all of whose vertices are ``on`` (n,), where that is given."""
    first, second = neighbours(tets[near], of_tet[near], on)
    faces = tets[near[first // 4][:, None], FACES[first % 4]]
    pair = np.stack([near[first // 4], near[second // 4]], axis=1)
    return np.where(of_tet[pair[:, :1]] > 0, pair, pair[:, ::-1]), faces


def neighbours(tets: np.ndarray, side: np.ndarray | None = None, on: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The two sides, each 4 · tet + face, of every face that two tets share, in ascending order of its vertices; only of those
    between tets whose ``side`` (m,) is of another sign, and of vertices ``on`` (n,), where these are given."""
    size = 1 << max(4, int(8 * len(tets)).bit_length())
    table, found = np.full(size, -1, np.int32), np.zeros(1, np.int64)
    first, second = (np.empty(2 * len(tets) + 1, np.int32) for _ in range(2))
    own = np.zeros(1, np.int32) if side is None else side.astype(np.int32)
    flags = np.zeros(1, bool) if on is None else on
    given, asked = np.ascontiguousarray(tets, np.int32), (int(side is not None), int(on is not None))
    face_native.twins(given, len(given), own, asked[0], flags, asked[1], size - 1, table, first, second, found)
    first, second = first[: found[0]], second[: found[0]]
    faces = np.sort(given[(first // 4)[:, None], FACES[first % 4]], axis=1)
    order = np.lexsort(faces.T[::-1])
    return first[order].astype(int), second[order].astype(int)
