"""Stencils of isosurface stuffing: how each sign pattern of a BCC tetrahedron is filled (Labelle & Shewchuk 2007).

A BCC tetrahedron spans the edge A–B of the square between two neighbouring cells and their centres C and D. A–B and
C–D are long edges, the four others short. Its corners are local points 0–3, the cut points of its edges 4–9.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

EDGES = np.array(list(combinations(range(4), 2)))  # AB AC AD BC BD CD: local point 4 + row
POWERS = 3 ** np.arange(4)  # pattern = Σ (sign + 1) · 3^corner


def _orientation(points: np.ndarray) -> float:
    return float(np.linalg.det(points[1:] - points[0]))


@cache
def bcc_tets() -> np.ndarray:
    """(12, 4, 3) the tets between a cell and its upper neighbours, in half cells from the cell's lower corner.

    Row ``4 d + m`` lies between the cell and its neighbour along axis ``d``; all have positive volume.
    """
    tets = []
    for d in range(3):
        along, first, second = np.eye(3, dtype=int)[[d, (d + 1) % 3, (d + 2) % 3]]
        low, high = np.ones(3, dtype=int), np.ones(3, dtype=int) + 2 * along
        for a, b in ((0, first), (first, second), (second, first), (0, second)):
            ends = [2 * along + 2 * a, 2 * along + 2 * a + 2 * b]
            tet = np.array([*ends, low, high])
            tets.append(tet if _orientation(tet) > 0 else tet[[1, 0, 2, 3]])
    return np.array(tets)


def _cut(i: int, j: int) -> int:
    """Local point where edge i–j is cut."""
    return 4 + EDGES.tolist().index(sorted((i, j)))


def _diagonal(at: np.ndarray, p: int, q: int, m: int) -> frozenset[int]:
    """Diagonal of the quadrilateral that remains of face p, q, m when m is cut off.

    It leaves from the cut point of a long edge. Where both cut edges are short the face is symmetric, and the parity
    rule decides: around a long edge the four faces choose its lower and upper end in turn, so that in the tet
    between two of them the diagonals leave from different ends. Both tets of a face see the same choice.
    """
    long_p, long_q = (np.count_nonzero(at[m] - at[i]) == 1 for i in (p, q))
    if long_p or long_q:
        return frozenset((q, _cut(p, m)) if long_p else (p, _cut(q, m)))
    low, high = sorted((p, q), key=lambda i: at[i].sum())
    offset = 2 * at[m] - at[p] - at[q]
    return frozenset((low, _cut(high, m)) if np.prod(offset[offset != 0]) > 0 else (high, _cut(low, m)))


def _fill_prism(top: list[int], bottom: list[int], diagonals: list[frozenset[int]]) -> list[tuple[int, ...]]:
    """Three tets of the prism top–bottom, given one diagonal on each of its three sides; [] if they form a cycle."""
    for here, there in ((top, bottom), (bottom, top)):
        for i in range(3):
            if sum(here[i] in diagonal for diagonal in diagonals) < 2:
                continue
            j, k = (n for n in range(3) if n != i)
            side = {here[j], here[k], there[j], there[k]}
            (across,) = (diagonal for diagonal in diagonals if diagonal <= side)
            corners = side - across
            return [(here[i], *there), *((here[i], corner, *across) for corner in corners)]
    return []


def _fill(at: np.ndarray, sign: np.ndarray) -> list[tuple[int, ...]]:
    """Tets, in local points, that fill the part of one BCC tet where the sign is positive."""
    plus, zero, minus = ([i for i in range(4) if sign[i] == s] for s in (1, 0, -1))
    if not plus:
        return []  # also four zeros: such a tet has no inside of its own and may be flat
    if not minus:
        return [(0, 1, 2, 3)]
    if len(plus) == 1:
        p = plus[0]
        return [(p, *zero, *(_cut(p, m) for m in minus))]
    if len(plus) == 3:
        m = minus[0]
        diagonals = [_diagonal(at, p, q, m) for p, q in combinations(plus, 2)]
        return _fill_prism(plus, [_cut(p, m) for p in plus], diagonals)
    p, q = plus
    if zero:
        m = minus[0]
        diagonal = _diagonal(at, p, q, m)
        return [(zero[0], corner, *diagonal) for corner in {p, q, _cut(p, m), _cut(q, m)} - diagonal]
    m, n = minus
    diagonals = [_diagonal(at, p, q, m), _diagonal(at, p, q, n)]
    top, bottom = [p, _cut(p, m), _cut(p, n)], [q, _cut(q, m), _cut(q, n)]
    for free in (frozenset((top[1], bottom[2])), frozenset((top[2], bottom[1]))):
        tets = _fill_prism(top, bottom, [*diagonals, free])
        if tets:
            return tets
    raise AssertionError("the outer side of a prism always has a diagonal that fits")


@cache
def stencils() -> tuple[np.ndarray, np.ndarray]:
    """(12, 81) number of tets, and (12, 81, 3, 4) their local points, for each kind of BCC tet and sign pattern."""
    count, tets = np.zeros((12, 81), dtype=np.int8), np.zeros((12, 81, 3, 4), dtype=np.int8)
    for kind, at in enumerate(bcc_tets()):
        points = np.concatenate([at, 0.5 * (at[EDGES[:, 0]] + at[EDGES[:, 1]])])
        for pattern in range(81):
            sign = pattern // POWERS % 3 - 1
            for row, tet in enumerate(_fill(at, sign)):
                ordered = list(tet) if _orientation(points[list(tet)]) > 0 else [tet[1], tet[0], *tet[2:]]
                tets[kind, pattern, row] = ordered
                count[kind, pattern] = row + 1
    return count, tets
