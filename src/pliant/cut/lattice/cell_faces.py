"""Connectivity of cell material across the faces of a lattice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...geometry.lattice.cut_cells import ROUND
from ...geometry.lattice.fragments import CORNERS
from ...geometry.mesh.mesh import unique_rows
from ..blade import Blade
from .cell_material import FACES
from .cell_parts import Split

LEAST = 1e-9  # of a face: cells that share less are not connected
SAME = 1e-7  # of a cell: tolerance of centroids and areas of equal triangles


@dataclass(frozen=True, eq=False)
class Contacts:
    """Parts of neighbouring cells connected across a face, and the triangles of such faces that a blade opens."""

    parts: np.ndarray  # (c, 2)
    corners: np.ndarray  # (c, 2, 4) corners of the two cells on the face
    areas: np.ndarray  # (c,) shared fraction of the face
    open_faces: np.ndarray  # (b, 3) numbers of points
    open_parts: np.ndarray  # (b, 2) the part that has the triangle, and the one across
    open_out: np.ndarray  # (b, 3) from the first to the second


def contacts(nodes: np.ndarray, split: Split, blade: Blade, side: np.ndarray) -> Contacts:
    """The contacts of all cells (m, 8) that a blade touched, with each other and their neighbours; ``side`` (p,) are
    those of all parts.

    Parts on its two sides share area on the blade, and at its bends area of tets of one cell beyond those of the other:
    neither connects them.
    """
    first, second, axis = _beside(nodes, split.touched)
    looked = np.zeros(len(nodes), bool)
    looked[split.touched] = True
    prints = _Prints(split)
    begin = np.searchsorted(split.of_part, np.arange(len(nodes)))
    found: list[tuple[int, int, int, float]] = []
    opened: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for a, b, along in zip(first.tolist(), second.tolist(), axis.tolist()):
        if not looked[a] or not looked[b]:  # the material on the face is that of the untouched cell
            own = prints.of(a, along, 1) if looked[a] else prints.of(b, along, 0)
            other = int(begin[b if looked[a] else a])
            opposite = side[prints.part[own]] * side[other] < 0
            opposite[opposite] = prints.within(own[opposite], blade)
            own = own[~opposite]
            for part, area in _sums(prints.part[own], prints.area[own]):
                found.append((part, other, along, area) if looked[a] else (other, part, along, area))
            continue
        p, q = prints.of(a, along, 1), prints.of(b, along, 0)
        if not len(p) or not len(q):
            continue
        one, other, area = prints.shared(p, q)
        crossed = side[prints.part[one]] * side[prints.part[other]] < 0
        crossed[crossed] = prints.within(one[crossed], blade)
        if crossed.any():
            on = crossed & prints.on[one] & prints.on[other]
            out = np.eye(3)[along]
            for mine, its, way in ((one, other, out), (other, one, -out)):
                rows, once = np.unique(mine[on], return_index=True)
                pairs = np.stack([prints.part[rows], prints.part[its[on][once]]], axis=1)
                opened.append((prints.faces[rows], pairs, np.tile(way, (len(rows), 1))))
        one, other, area = one[~crossed], other[~crossed], area[~crossed]
        key = prints.part[one] * len(split.of_part) + prints.part[other]
        for pair, size in _sums(key, area):
            found.append((pair // len(split.of_part), pair % len(split.of_part), along, size))
    rows = np.array([each[:3] for each in found], int).reshape(-1, 3)
    on = np.stack([[np.flatnonzero(CORNERS[:, k] == side) for side in (1, 0)] for k in range(3)])  # (3, 2, 4)
    blank = (np.zeros((0, 3), int), np.zeros((0, 2), int), np.zeros((0, 3)))
    return Contacts(
        rows[:, :2],
        on[rows[:, 2]],
        np.array([each[3] for each in found]),
        *(np.concatenate(columns) for columns in zip(blank, *opened)),
    )


def _beside(nodes: np.ndarray, touched: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells (p,), those beyond their upper faces that share all four nodes, and the axis; one of the two is touched."""
    hit = np.zeros(int(nodes.max()) + 1, bool)
    hit[nodes[touched]] = True
    some = np.flatnonzero(hit[nodes].any(axis=1))
    looked = np.zeros(len(nodes), bool)
    looked[touched] = True
    firsts, seconds, axes = [], [], []
    for axis in range(3):
        upper = nodes[some][:, np.flatnonzero(CORNERS[:, axis] == 1)]
        lower = nodes[some][:, np.flatnonzero(CORNERS[:, axis] == 0)]
        _, inverse, _ = unique_rows(np.concatenate([upper, lower]))
        up, low = inverse[: len(some)], inverse[len(some) :]
        order = np.argsort(low, kind="stable")
        start, end = np.searchsorted(low[order], up), np.searchsorted(low[order], up, "right")
        many = end - start
        one = np.repeat(np.arange(len(some)), many)
        other = order[np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + np.repeat(start, many)]
        kept = looked[some[one]] | looked[some[other]]
        firsts.append(some[one[kept]])
        seconds.append(some[other[kept]])
        axes.append(np.full(int(kept.sum()), axis))
    return np.concatenate(firsts), np.concatenate(seconds), np.concatenate(axes)


def _sums(keys: np.ndarray, sizes: np.ndarray) -> list[tuple[int, float]]:
    """Keys and the sums of their sizes, without negligible ones."""
    known, inverse = np.unique(keys, return_inverse=True)
    total = np.bincount(inverse, sizes, len(known))
    return [(int(key), float(size)) for key, size in zip(known, total) if size > LEAST]


class _Prints:
    """Triangles of the material on the faces of cells."""

    def __init__(self, split: Split):
        xi, tets = split.clipped.points[:, :3], split.clipped.tets
        corners = tets[:, FACES]  # (k, 4, 3)
        keys, faces, parts = [], [], []
        for axis in range(3):
            for upper in range(2):
                on = (np.abs(xi[:, axis] - upper) < ROUND)[corners].all(axis=2)
                tet, face = np.nonzero(on)
                keys.append(6 * split.of_tet[tet] + 2 * axis + upper)
                faces.append(corners[tet, face])
                parts.append(split.part[tet])
        key = np.concatenate(keys)
        order = np.argsort(key, kind="stable")
        self.key, self.faces, self.part = key[order], np.concatenate(faces)[order], np.concatenate(parts)[order]
        across = np.array([[1, 2], [0, 2], [0, 1]])[self.key % 6 // 2]
        self.flat = np.take_along_axis(xi[self.faces], np.repeat(across[:, None], 3, axis=1), axis=2)  # (t, 3, 2)
        a, b = self.flat[:, 1] - self.flat[:, 0], self.flat[:, 2] - self.flat[:, 0]
        self.twice = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        self.area = 0.5 * np.abs(self.twice)
        self.middle = self.flat.mean(axis=1)
        self.on = (split.f[self.faces] == 0).all(axis=1)
        self._now = split.now

    def of(self, cell: int, axis: int, upper: int) -> np.ndarray:
        key = 6 * cell + 2 * axis + upper
        found = np.arange(np.searchsorted(self.key, key), np.searchsorted(self.key, key, "right"))
        return found[self.area[found] > 0]

    def within(self, some: np.ndarray, blade: Blade) -> np.ndarray:
        """Whether the projections of some centroids are on a blade."""
        return blade.heights(self._now[self.faces[some]].mean(axis=1))[1]

    def shared(self, p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pairs of triangles that are equal or contain the centroid of the other, and the smaller area."""
        keys = [np.rint(self.middle[rows] / SAME).astype(np.int64) @ [1, 1 << 32] for rows in (p, q)]
        _, i, j = np.intersect1d(*keys, return_indices=True)
        same = np.abs(self.area[p[i]] - self.area[q[j]]) <= SAME
        first, second = p[i[same]], q[j[same]]
        p, q = np.setdiff1d(p, first), np.setdiff1d(q, second)
        i, j = np.nonzero(self._holds(q, self.middle[p]))
        k, m = np.nonzero(self._holds(p, self.middle[q]))
        one, other = np.concatenate([first, p[i], p[m]]), np.concatenate([second, q[j], q[k]])
        return one, other, np.minimum(self.area[one], self.area[other])

    def _holds(self, triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
        """(p, t) whether triangles hold points (p, 2)."""
        c = self.flat[triangles]
        offset = points[:, None, None] - c  # (p, t, 3, 2)
        side = np.roll(c, -1, axis=1) - c
        turn = side[:, :, 0] * offset[..., 1] - side[:, :, 1] * offset[..., 0]
        return np.all(turn * np.sign(self.twice[triangles])[:, None] >= -ROUND, axis=2)
