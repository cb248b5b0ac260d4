"""Factor update after nodes were doubled.

A front without added, removed or changed entries, in itself and below it, keeps its rows, and
its values and its update for the parent do not change. The rest are paths to the root.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .cpu.numeric_factor import Numeric
from .factor import Factor, on_host
from .factor_update_native import grown_places, grown_rows, match_entries
from .symbolic.symbolic_factor import FILL, Analysis, Order
from .symbolic.symmetric_pattern import Pattern, read_pattern


def grown(factor: Factor, matrix: sparse.csr_matrix, order: Order, origin: np.ndarray) -> Factor | None:
    """The factor of ``matrix``, whose node i is a copy of the node ``origin[i]`` before, in the ``order`` that has grown so.

    It takes the arrays of ``factor``, which is of no more use after that. None, with nothing changed, where the order is not the
    one of before with copies in it, or on a GPU.
    """
    if not isinstance(factor.numeric, Numeric) or len(origin) != matrix.shape[0]:
        return None
    numbers = first_copies(origin, factor.analysis.count)
    if numbers is None or not _goes_on(factor.analysis, order, numbers):
        return None
    pattern = read_pattern(matrix)
    lower = pattern.lower_values(matrix.data)
    analysis, touched = analyse_grown(factor.analysis, pattern, order, numbers, factor.lower, lower)
    redone = np.flatnonzero(touched)
    made = on_host(factor.numeric.grown(analysis, redone), factor.solver.device)
    factor.lower[:] = np.nan
    made.take_changed(lower, redone)
    return made


def first_copies(origin: np.ndarray, count: int) -> np.ndarray | None:
    """(count,) the first node of now that is a copy of each before; None where one has none, or they are in another order."""
    numbers = np.full(count, -1)
    if len(origin) == 0 or origin.min() < 0 or origin.max() >= count:
        return None
    numbers[origin[::-1]] = np.arange(len(origin))[::-1]
    return numbers if numbers[0] >= 0 and (np.diff(numbers) > 0).all() else None


def _goes_on(before: Analysis, order: Order, numbers: np.ndarray) -> bool:
    """Whether an order has the fronts of before, and the nodes of before in their order."""
    if len(order.start) != len(before.start):
        return False
    moved = _inverse(order.permutation)[numbers[before.permutation]]
    owner = np.searchsorted(order.start, moved, side="right") - 1
    return bool((np.diff(moved) > 0).all() and np.array_equal(owner, before.owner))


def _inverse(permutation: np.ndarray) -> np.ndarray:
    inverse = np.empty(len(permutation), np.int64)
    inverse[permutation] = np.arange(len(permutation))
    return inverse


def analyse_grown(
    before: Analysis, pattern: Pattern, order: Order, numbers: np.ndarray, old: np.ndarray, lower: np.ndarray
) -> tuple[Analysis, np.ndarray]:
    """The fronts of a pattern, and which of them (fronts,) are not those before; values before and now tell them apart."""
    n, fronts, entries = pattern.count, before.fronts, len(pattern.lower_rows)
    start = np.ascontiguousarray(order.start, np.int64)
    inverse = _inverse(order.permutation)
    owner = np.repeat(np.arange(fronts), np.diff(start))
    was, touched = before.pattern, np.zeros(fronts, bool)
    partner = np.empty(len(was.lower_rows), np.int64)
    match_entries(
        was.lower_rows, was.lower_cols, old, len(partner), numbers,
        pattern.lower_rows, pattern.lower_cols, lower, entries, inverse, owner, partner, touched,
    )  # fmt: skip
    i, j = inverse[pattern.lower_rows], inverse[pattern.lower_cols]
    matrix = (np.maximum(i, j), np.minimum(i, j), entries, start, owner, fronts, n)
    moved = inverse[numbers[before.permutation]]
    known = (before.row_start, before.rows, before.parent, moved)
    row_start, bounds = np.zeros((2, fronts + 1), np.int64)
    parent, child, sibling = np.empty((3, fronts), np.int64)
    order_, place, some, other = np.empty((4, entries), np.int64)
    mark, found, room = np.empty(n + 1, np.int64), np.full(1, -1), max(1, FILL * entries)
    while found[0] < 0:
        rows = np.empty(room, np.int64)
        grown_rows(*matrix, *known, room, touched, rows, row_start, parent, bounds, other, mark, child, sibling, found)
        room *= 2
    rows = rows[: found[0]].copy()
    relative = np.empty(len(rows), np.int64)
    grown_places(
        *matrix, rows, row_start, parent, bounds, touched,
        before.relative, before.row_start, before.entry_order, before.entry_place, before.entry_start, partner,
        relative, order_, place, mark, some, other,
    )  # fmt: skip
    analysis = Analysis(
        pattern=pattern,
        permutation=order.permutation,
        start=start,
        parent=parent,
        row_start=row_start,
        rows=rows,
        relative=relative,
        entry_order=order_,
        entry_start=bounds,
        entry_place=place,
    )
    return analysis, touched
