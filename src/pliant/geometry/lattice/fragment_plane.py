"""Squares cut by a straight line: their shape functions, corner weights (Weiß 2018, Table 2.1, with its slips put right) and
the polygons of what is inside."""

from __future__ import annotations

import itertools

import numpy as np

SQUARE = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])  # (4, 2) ξ of each corner
_RING = (0, 1, 3, 2)  # counter-clockwise
# corner c at (c & 1, c >> 1); the eight ways to turn and mirror the square, as corner orders
_TURNS = [p for p in itertools.permutations(range(4)) if {p[0], p[3]} in ({0, 3}, {1, 2})]


def square_functions(xi: np.ndarray) -> np.ndarray:
    """(…, 4) bilinear N at ξ (…, 2)."""
    return np.prod(np.where(SQUARE > 0, xi[..., None, :], 1 - xi[..., None, :]), axis=-1)


def square_gradients(xi: np.ndarray) -> np.ndarray:
    """(…, 4, 2) ∂N/∂ξ at ξ (…, 2)."""
    part = np.where(SQUARE > 0, xi[..., None, :], 1 - xi[..., None, :])
    return (2.0 * SQUARE - 1) * part[..., ::-1]


def square_weights(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 4) ∫ N_i over the part with φ ≤ 0 and ∫ N_i along its edge, for unit squares with corner values (m, 4).

    Multiply by h² and h. Two opposite corners inside count as two separate corners.
    """
    values = np.asarray(values, float)
    area, edge = np.zeros_like(values), np.zeros_like(values)
    pattern = (values <= 0) @ np.array([1, 2, 4, 8])
    for number in np.unique(pattern):
        inside = [c for c in range(4) if number >> c & 1]
        rows = np.flatnonzero(pattern == number)
        if len(inside) == 4:
            area[rows], edge[rows] = 0.25, _flush(values[rows])
        elif len(inside) == 1 or len(inside) == 3:
            lone = inside[0] if len(inside) == 1 else next(c for c in range(4) if c not in inside)
            turn = next(t for t in _TURNS if t[0] == lone)
            a, b = _corner(values[rows][:, turn])
            area[np.ix_(rows, turn)], edge[np.ix_(rows, turn)] = (a if len(inside) == 1 else 0.25 - a), b
        elif inside in ([0, 3], [1, 2]):
            for lone in inside:
                turn = next(t for t in _TURNS if t[0] == lone)
                a, b = _corner(values[rows][:, turn])
                area[np.ix_(rows, turn)] += a
                edge[np.ix_(rows, turn)] += b
        elif inside:
            turn = next(t for t in _TURNS if {t[0], t[1]} == set(inside))
            area[np.ix_(rows, turn)], edge[np.ix_(rows, turn)] = _side(values[rows][:, turn])
    return area, edge


def _corner(f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cases 2 and 3: corner 0 cut off."""
    a, b = f[:, 0] / (f[:, 0] - f[:, 1]), f[:, 0] / (f[:, 0] - f[:, 2])
    area = [a * b * (a * (b - 4) - 4 * (b - 3)), -(a**2) * b * (b - 4), -a * b**2 * (a - 4), a**2 * b**2]
    edge = [6 + a * (b - 3) - 3 * b, -a * (b - 3), -b * (a - 3), a * b]
    return np.stack(area, axis=1) / 24, np.stack(edge, axis=1) / 6 * np.hypot(a, b)[:, None]


def _side(f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Case 4: corners 0 and 1 inside."""
    a, b = f[:, 0] / (f[:, 0] - f[:, 2]), f[:, 1] / (f[:, 1] - f[:, 3])
    area = [
        -(3 * a**2 + 2 * a * (b - 4) + b * (b - 4)), b * (8 - 3 * b) - 2 * a * (b - 2) - a**2,
        3 * a**2 + 2 * a * b + b**2, a**2 + 2 * a * b + 3 * b**2,
    ]  # fmt: skip
    edge = [3 - 2 * a - b, 3 - a - 2 * b, 2 * a + b, a + 2 * b]
    return np.stack(area, axis=1) / 24, np.stack(edge, axis=1) / 6 * np.hypot(1.0, a - b)[:, None]


def _flush(f: np.ndarray) -> np.ndarray:
    """Case 1: a filled square; its own edges along which φ = 0 are surface."""
    out = np.zeros_like(f)
    for i, j in ((0, 1), (0, 2), (1, 3), (2, 3)):
        on = (f[:, i] == 0) & (f[:, j] == 0)
        out[on, i] += 0.5
        out[on, j] += 0.5
    return out


def polygons(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The part with φ ≤ 0 of unit squares with corner values (m, 4), as triangles: (t,) the square of each, (t, 3, 2) two
    corners of that square for each of its own corners, and (t, 3) how far that one is on the way between them.

    Two opposite corners inside are two triangles, as in ``square_weights``.
    """
    pattern = (values <= 0) @ np.array([1, 2, 4, 8])
    owners, ends = [], []
    for number in np.unique(pattern):
        rows = np.flatnonzero(pattern == number)
        for polygon in _walks(int(number)):
            fan = np.array([[polygon[0], polygon[i], polygon[i + 1]] for i in range(1, len(polygon) - 1)])
            owners.append(np.repeat(rows, len(fan)))
            ends.append(np.tile(fan, (len(rows), 1, 1)))
    if not owners:
        return np.zeros(0, int), np.zeros((0, 3, 2), int), np.zeros((0, 3))
    owner, corners = np.concatenate(owners), np.concatenate(ends)
    a, b = (np.take_along_axis(values[owner], corners[:, :, i], axis=1) for i in (0, 1))
    return owner, corners, np.divide(a, a - b, out=np.zeros_like(a), where=a != b)


def _walks(number: int) -> list[list[tuple[int, int]]]:
    """The polygons of one pattern of inner corners: a corner is a pair of itself, a crossing its inner and outer end."""
    inside = [number >> c & 1 for c in range(4)]
    if number in (0b0110, 0b1001):  # two opposite corners, each for itself
        lone = [c for c in range(4) if inside[c]]
        around = {c: (_RING[_RING.index(c) - 3], _RING[_RING.index(c) - 1]) for c in lone}  # the next, the last
        return [[(c, c), (c, around[c][0]), (c, around[c][1])] for c in lone]
    walk: list[tuple[int, int]] = []
    for i, c in enumerate(_RING):
        following = _RING[(i + 1) % 4]
        if inside[c]:
            walk.append((c, c))
        if inside[c] != inside[following]:
            walk.append((c, following) if inside[c] else (following, c))
    return [walk] if len(walk) > 2 else []
