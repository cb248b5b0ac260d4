"""Cells of a mesh at some of its vertices."""

from __future__ import annotations

import numpy as np

from ...runtime.host_native import Routines

_ROUTINES = Routines("near")
MANY = 4096  # cells from which those at some vertices are looked for first

# rows of which some corner i meets a condition, ascending
_ROWS = r"""
    long long k = 0;
    for (long long e = 0; e < count; ++e) {
        bool any = false;
        for (long long i = e * width; i < (e + 1) * width; ++i) any |= CONDITION;
        rows[k] = (int)e;
        k += any;
    }
    found[0] = k;
"""
_rows_at = _ROUTINES.add(
    "rows_at",
    "const int* cells, const bool* flags, long long count, long long width, int* rows, long long* found",
    r"""
    if (width == 4) {  // tets: without a loop in the loop
        long long k = 0;
        for (long long e = 0; e < count; ++e) {
            const int* c = cells + 4 * e;
            bool any;
            if ((c[0] | c[1] | c[2] | c[3]) >= 0) any = flags[c[0]] | flags[c[1]] | flags[c[2]] | flags[c[3]];
            else {
                any = false;
                for (int i = 0; i < 4; ++i) any |= c[i] >= 0 && flags[c[i]];
            }
            rows[k] = (int)e;
            k += any;
        }
        found[0] = k;
        return;
    }
"""
    + _ROWS.replace("CONDITION", "cells[i] >= 0 && flags[cells[i]]"),
)
_rows_among = _ROUTINES.add(
    "rows_among",
    "const int* cells, const bool* flags, const int* some, long long count, long long width, int* rows, long long* found",
    _ROWS.replace("CONDITION", "cells[i] >= 0 && flags[cells[i]]")
    .replace("long long i = e * width; i < (e + 1) * width", "long long i = some[e] * width; i < (some[e] + 1) * width")
    .replace("rows[k] = (int)e", "rows[k] = some[e]"),
)
_differing = _ROUTINES.add(
    "differing_rows",
    "const int* one, const int* other, long long count, long long width, int* rows, long long* found",
    r"""
    if (width == 4) {  // tets: without a loop in the loop
        long long k = 0;
        for (long long e = 0; e < count; ++e) {
            const int *a = one + 4 * e, *b = other + 4 * e;
            rows[k] = (int)e;
            k += ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) != 0;
        }
        found[0] = k;
        return;
    }
"""
    + _ROWS.replace("CONDITION", "one[i] != other[i]"),
)

# rows of ``now`` that are others than those of ``was``, or at vertices that are elsewhere or new
_changed = _ROUTINES.add(
    "changed_cells",
    "const int* was, const int* now, long long count, long long width, const double* from, long long before, "
    "const double* to, long long after, bool* elsewhere, int* rows, long long* found",
    r"""
    for (long long v = 0; v < after; ++v) elsewhere[v] = v >= before;
    for (long long v = 0; v < before; ++v)
        for (long long i = 3 * v; i < 3 * v + 3; ++i) elsewhere[v] |= from[i] != to[i];
    if (width == 4) {  // tets: without a loop in the loop
        long long k = 0;
        for (long long e = 0; e < count; ++e) {
            const int *a = was + 4 * e, *b = now + 4 * e;
            const bool other = ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) != 0;
            rows[k] = (int)e;
            k += other | elsewhere[b[0]] | elsewhere[b[1]] | elsewhere[b[2]] | elsewhere[b[3]];
        }
        found[0] = k;
        return;
    }
"""
    + _ROWS.replace("CONDITION", "was[i] != now[i] || elsewhere[now[i]]"),
)

_at_each = _ROUTINES.add(
    "cells_at_each",
    "const int* cells, long long count, long long width, const int* number, long long many, int* starts, int* lists",
    r"""
    for (long long v = 0; v < many + 2; ++v) starts[v] = 0;
    for (long long i = 0; i < count * width; ++i)
        if (number[cells[i]] >= 0) ++starts[number[cells[i]] + 2];
    for (long long v = 0; v < many; ++v) starts[v + 2] += starts[v + 1];
    for (long long i = 0; i < count * width; ++i)
        if (number[cells[i]] >= 0) lists[starts[number[cells[i]] + 1]++] = (int)(i / width);
""",
)

# each row of D⁻¹ is the cross product of the other two columns of D, over its determinant
_tet_gradients = _ROUTINES.add(
    "tet_gradients",
    "const double* X, const int* tets, long long count, double* out",
    r"""
    for (long long e = 0; e < count; ++e, out += 12) {
        double d[3][3];
        const double* last = X + 3LL * tets[4 * e + 3];
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 3; ++c) d[i][c] = X[3LL * tets[4 * e + i] + c] - last[c];
        for (int i = 0; i < 3; ++i) {
            const double *u = d[(i + 1) % 3], *v = d[(i + 2) % 3];
            for (int c = 0; c < 3; ++c)
                out[3 * i + c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
        }
        const double volume = d[0][0] * out[0] + d[0][1] * out[1] + d[0][2] * out[2];
        for (int k = 0; k < 9; ++k) out[k] /= volume;
        for (int c = 0; c < 3; ++c) out[9 + c] = -(out[c] + out[3 + c] + out[6 + c]);
    }
""",
)
_sums_at = _ROUTINES.add(
    "sums_at_vertices",
    "const int* cells, long long count, long long width, const double* values, double* sums",
    r"""
    for (long long i = 0; i < width; ++i)
        for (long long e = 0; e < count; ++e) sums[cells[e * width + i]] += values[e];
""",
)


def rows_at(cells: np.ndarray, flags: np.ndarray, some: np.ndarray | None = None) -> np.ndarray:
    """(r,) the cells (m, k) of which a vertex is flagged (n,), ascending; corners of number −1 are none. Of ``some`` (s,), where
    those alone may be."""
    rows, found = np.empty((len(cells) if some is None else len(some)) + 1, np.int32), np.zeros(1, np.int64)
    cells = np.ascontiguousarray(cells, np.int32)
    if some is None:
        _rows_at(cells, flags, len(cells), cells.shape[1], rows, found)
    else:
        _rows_among(cells, flags, np.ascontiguousarray(some, np.int32), len(some), cells.shape[1], rows, found)
    return rows[: found[0]].copy()


def equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays have the same numbers; most often they are one."""
    return one is other or np.array_equal(one, other)


def differing_rows(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(r,) the rows in which two tables (m, k) of whole numbers differ, ascending."""
    if one.shape != other.shape:
        raise ValueError(f"tables of {one.shape} and {other.shape}; expected as many rows")
    rows, found = np.empty(len(one) + 1, np.int32), np.zeros(1, np.int64)
    both = [np.ascontiguousarray(each, np.int32) for each in (one, other)]
    _differing(*both, len(one), one.shape[1], rows, found)
    return rows[: found[0]].copy()


def changed_cells(was: np.ndarray, now: np.ndarray, before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(r,) the rows in which cells (m, k) are others, or at vertices that are elsewhere ``after`` (n, 3) than ``before`` or were
    not there, ascending; and (n,) whether a vertex is."""
    if was.shape != now.shape or len(before) > len(after):
        raise ValueError(f"cells {was.shape} at {len(before)} vertices became {now.shape} at {len(after)}; expected as many")
    rows, found, elsewhere = np.empty(len(now) + 1, np.int32), np.zeros(1, np.int64), np.empty(len(after), bool)
    both = [np.ascontiguousarray(each, np.int32) for each in (was, now)]
    places = (np.ascontiguousarray(before, float), len(before), np.ascontiguousarray(after, float), len(after))
    _changed(*both, len(now), now.shape[1], *places, elsewhere, rows, found)
    return rows[: found[0]].copy(), elsewhere


def cells_at(cells: np.ndarray, vertices: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells (m, k) at each of some vertices (v,) of ``count``: where each list begins, and all of them, ascending in each."""
    number = np.full(count, -1, np.int32)
    number[vertices] = np.arange(len(vertices))
    some = rows_at(cells, number >= 0) if len(cells) > MANY else None  # of few, all are gone through as fast
    near = np.ascontiguousarray(cells if some is None else cells[some], np.int32)
    starts, lists = np.empty(len(vertices) + 2, np.int32), np.empty(near.size, np.int32)
    _at_each(near, len(near), near.shape[1], number, len(vertices), starts, lists)
    lists = lists[: starts[-2]]
    return starts[:-1], lists if some is None else some[lists]


def renumbered(cells: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(v,) the vertices of ``count`` that some cells (m, k) have, ascending, and the cells (m, k) as numbers among them."""
    used, number = np.zeros(count, bool), np.empty(count, np.int32)
    used[cells] = True
    vertices = np.flatnonzero(used)
    number[vertices] = np.arange(len(vertices))
    return vertices, number[cells]


def tet_gradients(X: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """(m, 1, 4, 3) ∇N of tets: D = [X₀−X₃, X₁−X₃, X₂−X₃], and the rows of D⁻¹ are ∇N₀, ∇N₁, ∇N₂ (Eq 3.13–3.15)."""
    out = np.empty((len(tets), 1, 4, 3))
    _tet_gradients(np.ascontiguousarray(X, float), np.ascontiguousarray(tets, np.int32), len(tets), out)
    return out


def sums_at(cells: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """(count,) sums at vertices of what each cell (m, k) gives to all of its own, first corners first."""
    sums = np.zeros(count)
    _sums_at(np.ascontiguousarray(cells, np.int32), len(cells), cells.shape[1], np.ascontiguousarray(values, float), sums)
    return sums
