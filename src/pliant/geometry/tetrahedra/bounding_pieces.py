"""Pieces of a surface, cut along the faces of tets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..mesh.mesh import TriMesh, unique_rows

SIDES = np.array([[0, 1], [1, 2], [2, 0]])  # edges of a triangle


@dataclass(frozen=True, eq=False)
class Pieces:
    """p pieces, each of one triangle in one tet; corners run around as those of the triangle do.

    A corner has bit k of ``marks`` set where it lies on the face λ_k = 0. Neighbours meet in the very same numbers: points are
    cut from inside outwards along the edges that two triangles share.
    """

    tets: np.ndarray  # (p,)
    faces: np.ndarray  # (p,) triangles
    whole: np.ndarray  # (p, 3, 4) λ of the triangle's own corners
    corners: np.ndarray  # (p, w, 4) λ of the piece
    marks: np.ndarray  # (p, w)
    counts: np.ndarray  # (p,) corners of each

    @cached_property
    def after(self) -> np.ndarray:
        """(p, w) the number of the corner that follows each."""
        width = self.corners.shape[1]
        return (np.arange(width) + 1) % np.maximum(self.counts, 1)[:, None]

    @cached_property
    def valid(self) -> np.ndarray:
        """(p, w) which corners there are."""
        return np.arange(self.corners.shape[1]) < self.counts[:, None]

    def along(self, k: int) -> np.ndarray:
        """(p, w) whether the edge from each corner to the next lies on face k of the tet."""
        on = (self.marks >> k & 1).astype(bool) & self.valid
        return on & np.take_along_axis(on, self.after, 1)


def inverse_sides(X: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """(m, 3, 3) D⁻¹ of D = [X₀−X₃, X₁−X₃, X₂−X₃], which gives λ₀, λ₁, λ₂."""
    return np.linalg.inv(np.stack([X[tets[:, i]] - X[tets[:, 3]] for i in range(3)], axis=2))


def coordinates(inverse: np.ndarray, base: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(…, 4) λ of points; sums in one order, so that a point has the same λ in a tet wherever it is asked for."""
    away = points - base
    first = [
        inverse[..., i, 0] * away[..., 0] + inverse[..., i, 1] * away[..., 1] + inverse[..., i, 2] * away[..., 2]
        for i in range(3)
    ]
    return np.stack([*first, 1 - first[0] - first[1] - first[2]], axis=-1)


def pieces_of(X: np.ndarray, tets: np.ndarray, surface: TriMesh, size: float) -> Pieces:
    """The pieces of a surface in tets of about ``size`` [m]."""
    corners = surface.vertices[surface.triangles]
    inverse, base = inverse_sides(X, tets), X[tets[:, 3]]
    t, f = _near(X[tets], corners, size)
    low, high = X[tets].min(axis=1), X[tets].max(axis=1)
    meets = np.all((corners[f].min(axis=1) <= high[t]) & (corners[f].max(axis=1) >= low[t]), axis=1)
    t, f = t[meets], f[meets]
    whole = coordinates(inverse[t][:, None], base[t][:, None], corners[f])
    meets = ~np.any(whole.max(axis=1) < 0, axis=1)
    t, f, whole = t[meets], f[meets], whole[meets]
    cut = whole.min(axis=(1, 2)) < 0
    points, marks, counts = clipped(whole[cut])
    width = points.shape[1]
    every = np.zeros((len(t), width, 4))
    every[:, :3], every[cut] = whole, points
    mark, count = np.zeros((len(t), width), np.int8), np.full(len(t), 3)
    mark[cut], count[cut] = marks, counts
    kept = count >= 3
    return Pieces(t[kept], f[kept], whole[kept], every[kept], mark[kept], count[kept])


def clipped(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p, w, 4) corners, (p, w) marks and (p,) counts of what lies in λ ≥ 0 of triangles (p, 3, 4)."""
    points, marks = triangles, np.zeros(triangles.shape[:2], np.int8)
    counts = np.full(len(points), 3)
    for k in (3, 2, 1, 0):
        points, marks, counts = _halved(points, marks, counts, k)
    return points, marks, counts


def _halved(points: np.ndarray, marks: np.ndarray, counts: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What of convex polygons lies in λ_k ≥ 0."""
    width = points.shape[1]
    number = np.arange(width)
    valid = number < counts[:, None]
    after = np.where(number + 1 < counts[:, None], number + 1, 0)
    depth = points[:, :, k]
    inside = (depth >= 0) & valid
    then = np.take_along_axis(points, after[..., None], 1)
    within = np.take_along_axis(depth >= 0, after, 1)
    crosses = (inside != within) & valid
    there = np.where(inside[..., None], points, then)  # the end inside, and the one outside
    away = np.where(inside[..., None], then, points)
    share = np.divide(there[..., k], there[..., k] - away[..., k], out=np.zeros(inside.shape), where=crosses)
    cuts = there + (away - there) * share[..., None]
    cuts[..., k] = 0.0
    both = marks & np.take_along_axis(marks, after, 1) | np.int8(1 << k)
    emitted = np.stack([inside, crosses], axis=2).reshape(len(points), -1)
    place = np.cumsum(emitted, axis=1) - 1
    total = emitted.sum(axis=1)
    row, column = np.nonzero(emitted)
    size = max(3, int(total.max(initial=0)))
    new, mark = np.zeros((len(points), size, 4)), np.zeros((len(points), size), np.int8)
    source = np.stack([points, cuts], axis=2).reshape(len(points), -1, 4)
    new[row, place[row, column]] = source[row, column]
    mark[row, place[row, column]] = np.stack([marks, both], axis=2).reshape(len(points), -1)[row, column]
    return new, mark, total


def _near(tets: np.ndarray, triangles: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of tets (m, 4, 3) and triangles (f, 3, 3) whose boxes share a cube of ``size``, each pair once."""
    first = tets.min(axis=(0, 1))
    cells, owner = _boxes((tets - first) / size, 1e-9)
    others, face = _boxes((triangles - first) / size, 0.0)
    most = np.maximum(cells.max(axis=0), 0) + 1
    fits = np.all((others >= 0) & (others < most), axis=1)
    others, face = others[fits], face[fits]
    weight = np.array([most[1] * most[2], most[2], 1])
    key, other = cells @ weight, others @ weight
    order = np.argsort(key, kind="stable")
    key, owner = key[order], owner[order]
    start, stop = np.searchsorted(key, other), np.searchsorted(key, other, "right")
    count = stop - start
    at = np.repeat(start - np.concatenate([[0], np.cumsum(count)[:-1]]), count) + np.arange(count.sum())
    pairs = np.stack([owner[at], np.repeat(face, count)], axis=1)
    pairs = pairs[unique_rows(pairs)[0]]
    return pairs[:, 0], pairs[:, 1]


def _boxes(points: np.ndarray, inset: float) -> tuple[np.ndarray, np.ndarray]:
    """(b, 3) unit cubes that the boxes of (n, k, 3) points reach into, and (b,) whose they are."""
    low = np.floor(points.min(axis=1) + inset).astype(np.int64)
    high = np.floor(points.max(axis=1) - inset).astype(np.int64)
    extent = np.maximum(high - low, 0) + 1
    count = extent.prod(axis=1)
    owner = np.repeat(np.arange(len(points)), count)
    index = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    wide = extent[owner]
    steps = [index // (wide[:, 1] * wide[:, 2]), index // wide[:, 2] % wide[:, 1], index % wide[:, 2]]
    return low[owner] + np.stack(steps, axis=1), owner
