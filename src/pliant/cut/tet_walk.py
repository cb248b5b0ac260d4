"""Walks of points through the tets of a mesh."""

from __future__ import annotations

import numpy as np

from .sides import neighbours

OPPOSITE = np.array([3, 2, 0, 1])  # corner of a tet opposite to each of its faces
STEPS = 100
INSIDE = -1e-9  # least barycentric coordinate of a point inside a tet


def beside(tets: np.ndarray) -> np.ndarray:
    """(m, 4) the tet beyond the face opposite to each corner, −1 where there is none."""
    found = np.full((len(tets), 4), -1)
    first, second = neighbours(tets)
    found[first // 4, OPPOSITE[first % 4]] = second // 4
    found[second // 4, OPPOSITE[second % 4]] = first // 4
    return found


def places(X: np.ndarray, corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(p, 4) barycentric coordinates of points (p, 3) in tets of ``corners`` (p, 4) among the vertices X."""
    sides = (X[corners[:, :3]] - X[corners[:, 3:]]).transpose(0, 2, 1)
    first = np.linalg.solve(sides, (points - X[corners[:, 3]])[:, :, None])[:, :, 0]
    return np.column_stack([first, 1 - first.sum(axis=1)])


def walked(X: np.ndarray, tets: np.ndarray, next_to: np.ndarray, start: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(p,) the tet that holds each point, reached from ``start`` (p,) through faces; outside, the tet where the walk ends."""
    at, best = start.copy(), start.copy()
    came, least = np.full(len(start), -1), np.full(len(start), -np.inf)
    left = np.arange(len(start))
    for _ in range(STEPS):
        if not len(left):
            break
        lam = places(X, tets[at[left]], points[left])
        better = lam.min(axis=1) > least[left]
        least[left[better]], best[left[better]] = lam.min(axis=1)[better], at[left[better]]
        onward = next_to[at[left]]
        open_to = (lam < INSIDE) & (onward >= 0) & (onward != came[left][:, None])
        corner = np.argmin(np.where(open_to, lam, np.inf), axis=1)
        goes = open_to.any(axis=1)
        left, onward = left[goes], onward[np.arange(len(left)), corner][goes]
        came[left], at[left] = at[left], onward
    return best


def brought_over(next_to: np.ndarray, of_tet: np.ndarray, start: int, side: int, rings: int) -> int:
    """A tet on one side of a blade within ``rings`` faces of ``start``; ``start`` where there is none."""
    seen, ring = {start}, [start]
    for _ in range(rings):
        ring = [int(t) for own in ring for t in next_to[own] if t >= 0]
        ring = [t for t in dict.fromkeys(ring) if t not in seen]
        for tet in ring:
            if of_tet[tet] == side:
                return tet
        seen |= set(ring)
    return start
