"""Cells of a mesh at some of its vertices, found in one pass over them."""

from __future__ import annotations

import numpy as np

from ..routine import Routines

_ROUTINES = Routines("near")

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
    _ROWS.replace("CONDITION", "cells[i] >= 0 && flags[cells[i]]"),
)
_differing = _ROUTINES.add(
    "differing_rows",
    "const int* one, const int* other, long long count, long long width, int* rows, long long* found",
    _ROWS.replace("CONDITION", "one[i] != other[i]"),
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


def rows_at(cells: np.ndarray, flags: np.ndarray) -> np.ndarray:
    """(r,) the cells (m, k) of which a vertex is flagged (n,), ascending; corners of number −1 are none."""
    rows, found = np.empty(len(cells) + 1, np.int32), np.zeros(1, np.int64)
    _rows_at(np.ascontiguousarray(cells, np.int32), flags, len(cells), cells.shape[1], rows, found)
    return rows[: found[0]].copy()


def differing_rows(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(r,) the rows in which two tables (m, k) of whole numbers differ, ascending."""
    rows, found = np.empty(len(one) + 1, np.int32), np.zeros(1, np.int64)
    both = [np.ascontiguousarray(each, np.int32) for each in (one, other)]
    _differing(*both, len(one), one.shape[1], rows, found)
    return rows[: found[0]].copy()


def cells_at(cells: np.ndarray, vertices: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The cells (m, k) at each of some vertices (v,) of ``count``: where each list begins, and all of them, ascending in each."""
    number = np.full(count, -1, np.int32)
    number[vertices] = np.arange(len(vertices))
    flags = number >= 0
    some = rows_at(cells, flags)
    near = np.ascontiguousarray(cells[some], np.int32)
    starts, lists = np.empty(len(vertices) + 2, np.int32), np.empty(near.size, np.int32)
    _at_each(near, len(near), near.shape[1], number, len(vertices), starts, lists)
    return starts[:-1], some[lists[: starts[-2]]]
