"""Constrained Delaunay triangulation in a plane, by edge flips."""

from __future__ import annotations

import numpy as np
from scipy.spatial import Delaunay, QhullError

TURNS = 400  # most edge flips for a given edge


def triangulated(points: np.ndarray, segments: np.ndarray, free: np.ndarray) -> np.ndarray:
    """(t, 3) triangles of the region that closed polygons of segments (k, 2) bound, counter-clockwise; none if it is empty.

    Points ``free`` (f,) inside are triangulated too. Edges are recovered one after the other (Sloan 1993). One that
    crosses another edge is left out.
    """
    kept = np.concatenate([np.unique(segments), free[inside(points[free], points[segments])]])
    number = np.zeros(len(points), int)
    number[kept] = np.arange(len(kept))
    return kept[_triangulated(points[kept], number[segments])]


def _triangulated(points: np.ndarray, segments: np.ndarray) -> np.ndarray:
    # within a frame, as rounding may drop edges along the hull of all points
    count, low, high = len(points), points.min(axis=0), points.max(axis=0)
    frame = (low + high) / 2 + 2 * max(float((high - low).max()), 1e-300) * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    points = np.concatenate([points, frame])
    try:
        simplices = Delaunay(points).simplices
    except (QhullError, ValueError):
        return np.zeros((0, 3), int)
    a, b, c = points[simplices].transpose(1, 0, 2)
    turned = _cross(b - a, c - a) < 0
    simplices[turned] = simplices[turned][:, ::-1]
    beyond = {}
    for i, j, k in simplices.tolist():
        beyond[i, j], beyond[j, k], beyond[k, i] = k, i, j
    places = [tuple(p) for p in points.tolist()]
    for u, v in segments.tolist():
        if (u, v) not in beyond and (v, u) not in beyond:
            _recover(beyond, places, u, v)
    made = np.array([(i, j, k) for (i, j), k in beyond.items() if i < j and i < k < count > j], int).reshape(-1, 3)
    return made[inside(points[made].mean(axis=1), points[segments])]


def inside(points: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """(p,) whether points (p, 2) lie within the polygons of segments (k, 2, 2): a ray from there crosses an odd number."""
    (x, y), a, b = points.T[:, :, None], segments[:, 0], segments[:, 1]
    between = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(a[:, 1] == b[:, 1], 1.0, b[:, 1] - a[:, 1])
    return (between & (x < a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0]))).sum(axis=1) % 2 == 1


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _turn(p: tuple, q: tuple, r: tuple) -> float:
    """Twice the area of a triangle: positive where it is counter-clockwise."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _crosses(places: list, a: int, b: int, u: int, v: int) -> bool:
    """Whether two edges cross between their ends."""
    if {a, b} & {u, v}:
        return False
    p, q, s, t = places[a], places[b], places[u], places[v]
    return _turn(p, q, s) * _turn(p, q, t) < 0 and _turn(s, t, p) * _turn(s, t, q) < 0


def _recover(beyond: dict, places: list, u: int, v: int) -> None:
    """Flip the edges that cross from u to v until that is an edge."""
    queue = [(a, b) for a, b in beyond if a < b and _crosses(places, a, b, u, v)]
    for _ in range(TURNS):
        if not queue:
            return
        a, b = queue.pop(0)
        c, d = beyond.get((a, b)), beyond.get((b, a))
        if c is None or d is None:
            continue
        if _turn(places[a], places[d], places[c]) <= 0 or _turn(places[d], places[b], places[c]) <= 0:
            queue.append((a, b))  # not convex yet
            continue
        del beyond[a, b], beyond[b, a]
        for i, j, k in ((a, d, c), (d, b, c)):
            beyond[i, j], beyond[j, k], beyond[k, i] = k, i, j
        if _crosses(places, c, d, u, v):
            queue.append((min(c, d), max(c, d)))
