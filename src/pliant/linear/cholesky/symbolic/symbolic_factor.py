"""Symbolic factorisation: fronts, their rows and fill-in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....arguments.checks import floats
from ....errors import InputError
from .graph_embedding import embed
from .ordering import LEAF, Dissection, directions
from .satellites import satellites_first
from .symbolic_native import front_places, front_rows
from .symmetric_pattern import Pattern, read_pattern

FILL = 2  # initial capacity: rows of all fronts per entry of the matrix


@dataclass(frozen=True, eq=False)
class Order:
    """An order of elimination: the old node of each new one, and the first column of each front.

    ``dissected`` is the number of nodes when it was found by dissection; since then nodes were doubled.
    """

    permutation: np.ndarray  # (n,)
    start: np.ndarray  # (fronts + 1,)
    dissected: int

    def grown(self, origin: np.ndarray) -> Order:
        """The order of a mesh whose node i is a copy of ``origin[i]``: copies are eliminated consecutively, in the same front.

        Coupled copies have coupled origins, so that fronts reach copies of their old rows.
        """
        place = np.empty(len(self.permutation), np.int64)
        place[self.permutation] = np.arange(len(place))
        placed = place[origin]
        permutation = np.argsort(placed, kind="stable")
        start = np.searchsorted(placed[permutation], self.start)
        return Order(permutation, np.unique(start), self.dissected)


@dataclass(frozen=True)
class Analysis:
    """The fronts of a factorisation, for every matrix of one pattern.

    Front f owns the columns ``start[f]`` to ``start[f + 1]`` of the permuted matrix (its pivots) and reaches the rows
    ``rows[row_start[f] : row_start[f + 1]]`` below them. ``relative`` is, for each of these rows, its index among the
    pivots and rows of the front ``parent[f]`` (−1 at a root), to which f hands its update. Children come first.
    ``entry_front`` and ``entry_place`` put each entry of the lower triangle into the pivot columns of a front, one
    column after the other.
    """

    pattern: Pattern
    permutation: np.ndarray  # (n,) old node of each new one
    start: np.ndarray  # (fronts + 1,)
    parent: np.ndarray  # (fronts,)
    row_start: np.ndarray  # (fronts + 1,)
    rows: np.ndarray
    relative: np.ndarray
    entry_order: np.ndarray  # (entries,) lower entries front by front
    entry_start: np.ndarray  # (fronts + 1,)
    entry_place: np.ndarray  # (entries,)

    @property
    def count(self) -> int:
        """Number of unknowns."""
        return self.pattern.count

    @property
    def order(self) -> Order:
        """Its elimination order, as if newly computed."""
        return Order(self.permutation, self.start, self.count)

    @property
    def fronts(self) -> int:
        return len(self.parent)

    @cached_property
    def pivots(self) -> np.ndarray:
        """Number of columns of each front."""
        return np.diff(self.start)

    @cached_property
    def below(self) -> np.ndarray:
        """Number of rows of each front under its pivots."""
        return np.diff(self.row_start)

    @cached_property
    def nnz(self) -> int:
        """Entries of the factor on and below the diagonal, dense inside each front."""
        return int((self.pivots * (self.pivots + 1) // 2 + self.pivots * self.below).sum())

    @cached_property
    def flops(self) -> np.ndarray:
        """Multiplications of each front: factor, update, inverse of the pivot block and its product with the rest."""
        c, b = self.pivots.astype(float), self.below.astype(float)
        return c**3 / 3 + b * c**2 + b**2 * c / 2

    @cached_property
    def inverse(self) -> np.ndarray:
        """New number of each old node."""
        numbers = np.empty(self.count, np.int64)
        numbers[self.permutation] = np.arange(self.count)
        return numbers

    @cached_property
    def owner(self) -> np.ndarray:
        """Front of each permuted column."""
        return np.repeat(np.arange(self.fronts), self.pivots)

    @cached_property
    def lower_columns(self) -> np.ndarray:
        """Permuted column of each entry of the lower triangle, in the order of the pattern."""
        return np.minimum(self.inverse[self.pattern.lower_rows], self.inverse[self.pattern.lower_cols])

    @cached_property
    def lower_owner(self) -> np.ndarray:
        """Front of each entry of the lower triangle, in the order of the pattern."""
        return self.owner[self.lower_columns]

    @cached_property
    def children(self) -> tuple[np.ndarray, np.ndarray]:
        """Starts (fronts + 1,) and list of the children of each front, in order."""
        listed = np.argsort(self.parent, kind="stable")
        counts = np.bincount(self.parent + 1, minlength=self.fronts + 1)
        return np.cumsum(counts) - counts[0], listed[counts[0] :]

    @cached_property
    def depth(self) -> np.ndarray:
        """Distance of each front from its root."""
        depths = np.zeros(self.fronts, np.int64)
        for front in range(self.fronts - 1, -1, -1):
            if self.parent[front] >= 0:
                depths[front] = depths[self.parent[front]] + 1
        return depths

    def paths(self, fronts: np.ndarray) -> np.ndarray:
        """The given fronts and all above them, in increasing order."""
        marked = np.zeros(self.fronts, bool)
        for front in np.unique(fronts):
            while front >= 0 and not marked[front]:
                marked[front] = True
                front = self.parent[front]
        return np.flatnonzero(marked)


def analyse(
    rows: object,
    cols: object = None,
    positions: object = None,
    count: int | None = None,
    leaf: int = LEAF,
    order: Order | None = None,
) -> Analysis:
    """Order a symmetric pattern and lay out its factor.

    ``rows``: a SciPy sparse matrix, or row indices (nnz,) together with ``cols`` (nnz,); both triangles, repeated
    entries allowed. ``positions`` (n, 3) [m] of the nodes give a better and faster order than the graph alone.
    ``count``: number of rows where only indices are given. ``leaf``: largest piece kept as one dense block. ``order`` is
    one that is known already.
    """
    pattern = read_pattern(rows, cols, count)
    if order is not None:
        return _lay_out(pattern, order.permutation, order.start)
    dissection = _dissected(pattern, positions, leaf)
    return _lay_out(pattern, dissection.permutation, dissection.start)


def analyse_blocks(
    rows: object, cols: object, size: int, positions: object = None, count: int | None = None, leaf: int = LEAF
) -> Analysis:
    """Order the nodes of a matrix of dense blocks, and lay out the factor of its unknowns, ``size`` to a node.

    ``rows``, ``cols`` (blocks,) say where the blocks stand, both triangles; the entries of each are given row by row.
    The unknowns of node i are ``size · i`` and those after it. Otherwise as ``analyse``.
    """
    nodes = read_pattern(rows, cols, count)
    dissection = _dissected(nodes, positions, leaf)
    each = np.arange(size)
    return _lay_out(nodes.of_blocks(size), (size * dissection.permutation[:, None] + each).reshape(-1), size * dissection.start)


def _dissected(pattern: Pattern, positions: object, leaf: int) -> Dissection:
    """The elimination order, geometric where positions are known."""
    if not isinstance(leaf, int) or leaf < 1:
        raise InputError(f"leaf is {leaf!r}; expected a whole number of at least 1")
    graph = pattern.graph()
    if positions is None:
        return satellites_first(graph, leaf, lambda left, nodes: embed(left))
    placed = floats(positions)
    if placed.ndim != 2 or len(placed) != pattern.count or not np.isfinite(placed).all():
        raise InputError(f"positions have shape {placed.shape}; expected finite numbers, ({pattern.count}, 3)")
    return satellites_first(graph, leaf, lambda left, nodes: directions(placed[nodes]))


def _lay_out(pattern: Pattern, permutation: np.ndarray, start: np.ndarray) -> Analysis:
    """Rows, parents and maps of the fronts whose pivots are given."""
    n, fronts, entries = pattern.count, len(start) - 1, len(pattern.lower_rows)
    start = np.ascontiguousarray(start, np.int64)
    inverse = np.empty(n, np.int64)
    inverse[permutation] = np.arange(n)
    owner = np.repeat(np.arange(fronts), np.diff(start))
    i, j = inverse[pattern.lower_rows], inverse[pattern.lower_cols]
    matrix = (np.maximum(i, j), np.minimum(i, j), entries, start, owner, fronts, n)
    row_start, bounds = np.zeros((2, fronts + 1), np.int64)
    parent, child, sibling = np.empty((3, fronts), np.int64)
    order, place, other = np.empty((3, entries), np.int64)
    mark, found, room = np.empty(n + 1, np.int64), np.full(1, -1), max(1, FILL * entries)
    while found[0] < 0:
        rows = np.empty(room, np.int64)
        front_rows(*matrix, room, rows, row_start, parent, bounds, other, mark, child, sibling, found)
        room *= 2
    rows = rows[: found[0]].copy()
    relative = np.empty(len(rows), np.int64)
    front_places(*matrix, rows, row_start, parent, relative, order, place, mark, other)
    return Analysis(
        pattern=pattern,
        permutation=permutation,
        start=start,
        parent=parent,
        row_start=row_start,
        rows=rows,
        relative=relative,
        entry_order=order,
        entry_start=bounds,
        entry_place=place,
    )
