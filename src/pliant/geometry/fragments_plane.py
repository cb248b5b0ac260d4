"""The same in the plane: corner weights of a square cut by a straight line (Weiss 2018, Table 2.1, with its slips put right)."""

from __future__ import annotations

import itertools

import numpy as np

# corner c at (c & 1, c >> 1); the eight ways to turn and mirror the square, as corner orders
_TURNS = [p for p in itertools.permutations(range(4)) if {p[0], p[3]} in ({0, 3}, {1, 2})]


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
