"""Clipping of tetrahedra by a level into two matching parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# a prism of corners 0 1 2 and 3 4 5 above them, rotated so that its smallest corner number comes first
_TURNS = np.array([[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], [2, 0, 1, 5, 3, 4], [3, 5, 4, 0, 2, 1], [4, 3, 5, 1, 0, 2],
                   [5, 4, 3, 2, 1, 0]])  # fmt: skip
# its tets where the last of its sides is halved from 1 to 5, and from 2 to 4 (Dompierre et al. 1999, table 2)
_TETS = np.array([[[0, 1, 2, 5], [0, 1, 5, 4], [0, 4, 5, 3]], [[0, 1, 2, 4], [0, 4, 2, 5], [0, 4, 5, 3]]])


@dataclass(frozen=True, eq=False)
class Clipped:
    """Tets on both sides of a level; new vertices come after the old ones."""

    points: np.ndarray  # (v, d)
    tets: np.ndarray  # (k, 4)
    parent: np.ndarray  # (k,) the tet that each comes from
    side: np.ndarray  # (k,) 1 where the level is above 0, −1 below
    between: np.ndarray  # (t, 3) triangles on the level inside of tets
    between_parent: np.ndarray  # (t,) the tet that each lies in


def clip(points: np.ndarray, tets: np.ndarray, f: np.ndarray) -> Clipped:
    """Cut tets (m, 4) of points (n, d) where the level f (n,), linear in each of them, is 0.

    A vertex at 0 belongs to neither side. Sides of prisms are split at their smallest vertex number, so that
    neighbours agree.
    """
    values = f[tets]
    mixed = (values > 0).any(axis=1) & (values < 0).any(axis=1)
    whole = np.flatnonzero(~mixed)
    some = np.flatnonzero(mixed)
    order = np.argsort(-values[some], axis=1, kind="stable")
    corner = np.take_along_axis(tets[some], order, axis=1)
    count = np.count_nonzero(values[some] > 0, axis=1)
    below = np.count_nonzero(values[some] < 0, axis=1)
    made, keys = _Cuts(f, len(points)), []
    parts = []
    for flip in (False, True):
        ends, inside = (corner[:, ::-1], below) if flip else (corner, count)
        for n in (1, 2, 3):
            rows = np.flatnonzero(inside == n)
            v = ends[rows].T
            if n == 1:
                shape = np.stack([v[0], *(made.between(v[0], v[j]) for j in (1, 2, 3))], axis=1)
                ring = shape[:, 1:]
            elif n == 2:
                a, b = ([made.between(v[i], v[j]) for j in (2, 3)] for i in (0, 1))
                shape = np.stack([v[0], *a, v[1], *b], axis=1)
                ring = np.stack([a[0], a[1], b[1], b[0]], axis=1)
            else:
                ring = np.stack([made.between(v[i], v[3]) for i in range(3)], axis=1)
                shape = np.concatenate([v[:3].T, ring], axis=1)
            parts.append((-1 if flip else 1, rows, shape))
            if not flip:
                keys.append((rows, ring))
    numbers, more = made.numbered(points)
    tets_of, parents, sides = [tets[whole]], [whole], [np.where(values[whole].sum(axis=1) >= 0, 1, -1)]
    for side, rows, shape in parts:
        four = numbers(shape)
        if four.shape[1] == 6:
            rows, four = np.repeat(rows, 3), _prisms(four)
        kept = _different(four)
        tets_of.append(four[kept])
        parents.append(some[rows[kept]])
        sides.append(np.full(int(kept.sum()), side))
    faces, owners = [np.zeros((0, 3), int)], [np.zeros(0, int)]
    for rows, ring in keys:
        ring = numbers(ring)
        for i in range(1, ring.shape[1] - 1):
            triangle = ring[:, [0, i, i + 1]]
            kept = _different(triangle)
            faces.append(triangle[kept])
            owners.append(some[rows[kept]])
    return Clipped(
        more,
        np.concatenate(tets_of),
        np.concatenate(parents),
        np.concatenate(sides),
        np.concatenate(faces),
        np.concatenate(owners),
    )


class _Cuts:
    """Intersections of edges with the level, keyed by both ends until numbered; an end at 0 is one itself."""

    def __init__(self, f: np.ndarray, count: int):
        self.f, self.count, self.keys = f, count, [np.zeros(0, np.int64)]

    def between(self, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
        """The point on each edge, as −1 − its key, or the number of the outer end."""
        low, high = np.minimum(inner, outer).astype(np.int64), np.maximum(inner, outer)
        key = low * self.count + high
        at_end = self.f[outer] == 0
        self.keys.append(key[~at_end])
        return np.where(at_end, outer, -1 - key)

    def numbered(self, points: np.ndarray):
        """A map from keys to point numbers, and all points."""
        known = np.unique(np.concatenate(self.keys))
        i, j = np.divmod(known, self.count)
        share = (self.f[i] / (self.f[i] - self.f[j]))[:, None]
        more = np.concatenate([points, (1 - share) * points[i] + share * points[j]])
        return lambda keys: np.where(keys >= 0, keys, self.count + np.searchsorted(known, -1 - keys)), more


def _prisms(six: np.ndarray) -> np.ndarray:
    """(3 p, 4) tets of prisms (p, 6)."""
    six = np.take_along_axis(six, _TURNS[np.argmin(six, axis=1)], axis=1)
    other = np.minimum(six[:, 1], six[:, 5]) > np.minimum(six[:, 2], six[:, 4])
    return np.take_along_axis(six[:, None, :], _TETS[other.astype(int)], axis=2).reshape(-1, 4)


def _different(rows: np.ndarray) -> np.ndarray:
    """Whether all numbers of a row differ."""
    ordered = np.sort(rows, axis=1)
    return np.all(ordered[:, 1:] != ordered[:, :-1], axis=1)
