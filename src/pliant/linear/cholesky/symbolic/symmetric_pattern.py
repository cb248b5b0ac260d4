"""Sparsity pattern of a symmetric matrix, validated once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ....arguments.checks import floats
from ....errors import InputError, first_few
from .symbolic_native import expand_blocks, lower_triangle

SYMMETRY = 1e-9  # largest difference between a_ij and a_ji, over the largest entry of the matrix


@dataclass(frozen=True)
class Pattern:
    """Entries of a symmetric (n, n) matrix as given, and their indices in its lower triangle.

    ``rows``, ``cols`` (nnz,): the entries as given, both triangles, repeated ones to be added. ``lower_rows``,
    ``lower_cols``: the distinct entries with row ≥ column. ``slot`` (nnz,): where a given entry goes, counted over the
    lower triangle first and then over the strictly upper one. ``mirror``: the lower entry of each upper one.
    """

    count: int
    rows: np.ndarray
    cols: np.ndarray
    lower_rows: np.ndarray
    lower_cols: np.ndarray
    slot: np.ndarray
    mirror: np.ndarray

    def lower_values(self, given: object) -> np.ndarray:
        """Values (nnz,) as given, or a sparse matrix of this pattern → values of the lower triangle.

        Refuses values that are not finite or not symmetric.
        """
        values = self._of_matrix(given) if sparse.issparse(given) else floats(given)
        if values.shape != self.rows.shape:
            raise InputError(f"values have shape {values.shape}; expected ({len(self.rows)},), one for each entry analysed")
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise InputError(f"{len(bad)} values are not finite, at entries {first_few(bad)}; expected numbers")
        split = len(self.lower_rows)
        summed = np.bincount(self.slot, weights=values, minlength=split + len(self.mirror))
        lower, upper = summed[:split], summed[split:]
        gap = np.abs(upper - lower[self.mirror])
        bound = SYMMETRY * np.abs(lower).max(initial=0.0)
        if gap.max(initial=0.0) > bound:
            worst = self.mirror[np.argmax(gap)]
            i, j = int(self.lower_rows[worst]), int(self.lower_cols[worst])
            raise InputError(
                f"the matrix is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ by {gap.max():.3g}; "
                "expected a symmetric matrix"
            )
        return lower

    def _of_matrix(self, matrix: sparse.spmatrix) -> np.ndarray:
        listed = matrix.tocoo()
        same = matrix.shape == (self.count, self.count) and len(listed.data) == len(self.rows)
        if not (same and np.array_equal(listed.row, self.rows) and np.array_equal(listed.col, self.cols)):
            raise InputError(
                f"a matrix of shape {matrix.shape} with {len(listed.data)} entries does not have the pattern analysed "
                f"({self.count} rows, {len(self.rows)} entries, in its order); analyse it first"
            )
        return listed.data.astype(np.float64)

    @cached_property
    def _both(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row starts and columns of the whole matrix by rows, and the lower entry behind each of its entries."""
        off = np.flatnonzero(self.lower_rows != self.lower_cols)
        rows = np.concatenate([self.lower_rows, self.lower_cols[off]])
        cols = np.concatenate([self.lower_cols, self.lower_rows[off]])
        order = np.lexsort((cols, rows))
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=self.count))])
        return starts, cols[order], np.concatenate([np.arange(len(self.lower_rows)), off])[order]

    def matrix(self, lower: np.ndarray) -> sparse.csr_matrix:
        """The whole matrix from the values of its lower triangle."""
        starts, cols, source = self._both
        return sparse.csr_matrix((lower[source], cols, starts), shape=(self.count, self.count))

    def find(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Indices among the lower entries of pairs in either order; refuses pairs that are not in the pattern."""
        keys = self.lower_rows * self.count + self.lower_cols
        wanted = np.maximum(rows, cols) * self.count + np.minimum(rows, cols)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        absent = np.flatnonzero(keys[at] != wanted)
        if len(absent):
            i, j = int(rows[absent[0]]), int(cols[absent[0]])
            raise InputError(
                f"{len(absent)} entries are not in the pattern analysed, the first ({i}, {j}); analyse again with them included"
            )
        return at

    def of_blocks(self, size: int) -> Pattern:
        """The pattern of the unknowns, ``size`` to a node, where each entry is a dense block whose entries are given by rows."""
        lower, n, square = len(self.lower_rows), self.count, size * size
        low = np.concatenate([np.arange(lower), self.mirror])[self.slot]
        begin = np.searchsorted(self.lower_rows, np.arange(n + 1))
        entries = square * lower - n * (square - size * (size + 1) // 2)
        rows, cols, slot = np.empty((3, square * len(self.rows)), np.int64)
        lower_rows, lower_cols = np.empty((2, entries), np.int64)
        made = (rows, cols, lower_rows, lower_cols, slot)
        expand_blocks(self.rows, self.cols, low, len(low), begin, self.lower_cols, n, size, *made)
        return Pattern(size * n, *made, np.flatnonzero(lower_rows != lower_cols))

    def graph(self) -> sparse.csr_matrix:
        """Neighbours of each node, without itself."""
        off = self.lower_rows != self.lower_cols
        i, j = self.lower_rows[off], self.lower_cols[off]
        ones = np.ones(2 * len(i), np.float32)
        pairs = (np.concatenate([i, j]), np.concatenate([j, i]))
        return sparse.coo_matrix((ones, pairs), shape=(self.count, self.count)).tocsr()


def read_pattern(rows: object, cols: object = None, count: int | None = None) -> Pattern:
    """The pattern of a SciPy sparse matrix, or of row and column indices (nnz,) with both triangles given.

    ``count``: number of rows, where no matrix says so; by default the largest index and one.
    """
    if cols is None:
        known = _by_rows(rows)
        if known is not None:
            return known
        rows, cols, count = _of_matrix(rows)
    i, j = indices("rows", rows), indices("cols", cols)
    if i.shape != j.shape:
        raise InputError(f"rows and cols have {len(i)} and {len(j)} entries; expected as many of each")
    if count is not None and (not isinstance(count, int | np.integer) or count < 1):
        raise InputError(f"count is {count!r}; expected the number of rows, at least 1")
    n = int(max(i.max(initial=-1), j.max(initial=-1)) + 1) if count is None else count
    if n < 1:
        raise InputError("the matrix has no rows; expected at least one")
    outside = np.flatnonzero((i < 0) | (j < 0) | (i >= n) | (j >= n))
    if len(outside):
        raise InputError(f"{len(outside)} entries lie outside the {n} rows and columns, the first at {first_few(outside)}")
    upper = i < j
    here, there = np.flatnonzero(~upper), np.flatnonzero(upper)
    back = np.empty(len(i), np.int64)
    lower, back[here] = _ranked(i[here] * n + j[here])
    above, back[there] = _ranked(j[there] * n + i[there])
    back[there] += len(lower)
    lower_rows, lower_cols = lower // n, lower % n
    strict = lower[lower_rows != lower_cols]
    if len(strict) != len(above) or not np.array_equal(strict, above):
        alone = np.setxor1d(strict, above)
        raise InputError(
            f"the pattern is not symmetric: {len(alone)} entries lie on one side of the diagonal only, "
            f"the first at ({alone[0] // n}, {alone[0] % n}); expected both triangles"
        )
    present = np.zeros(n, bool)
    present[lower_rows[lower_rows == lower_cols]] = True
    if not present.all():
        missing = np.flatnonzero(~present)
        raise InputError(
            f"{len(missing)} rows have no diagonal entry, the first {first_few(missing)}; expected a positive definite matrix"
        )
    return Pattern(n, i, j, lower_rows, lower_cols, back, np.flatnonzero(lower_rows != lower_cols))


def _ranked(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct keys, ascending, and the index of each."""
    order = np.argsort(keys, kind="stable")  # sorted input, or a few sorted runs, takes no time
    ordered = keys[order]
    first = np.diff(ordered, prepend=-1) > 0
    slot = np.empty(len(keys), np.int64)
    slot[order] = np.cumsum(first) - 1
    return ordered[first], slot


def _by_rows(matrix: object) -> Pattern | None:
    """The pattern of a matrix by rows, each of them in order; None for another, and for one to be refused."""
    if not isinstance(matrix, sparse.csr_matrix | sparse.csr_array) or matrix.indices.dtype != np.int32:
        return None
    n, nnz = matrix.shape[0], matrix.nnz
    if n < 1 or matrix.shape != (n, n) or not matrix.has_canonical_format:
        return None
    rows, cols = np.empty((2, nnz), np.int64)
    slot, cursor, found = np.empty(nnz, np.int64), np.empty(n + 1, np.int64), np.zeros(1, np.int64)
    lower_triangle(matrix.indptr, matrix.indices, n, rows, cols, slot, cursor, found)
    if found[0] < 0:
        return None
    lower_rows, lower_cols = rows[: found[0]].copy(), cols[: found[0]].copy()
    i, j = np.repeat(np.arange(n), np.diff(matrix.indptr)), matrix.indices.astype(np.int64)
    return Pattern(n, i, j, lower_rows, lower_cols, slot, np.flatnonzero(lower_rows != lower_cols))


def _of_matrix(matrix: object) -> tuple[np.ndarray, np.ndarray, int]:
    if not sparse.issparse(matrix):
        raise InputError(f"the matrix is a {type(matrix).__name__}; expected a SciPy sparse matrix, or rows and cols")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"the matrix has shape {matrix.shape}; expected a square one")
    listed = matrix.tocoo()
    return listed.row, listed.col, matrix.shape[0]


def indices(name: str, given: object) -> np.ndarray:
    """A list of whole numbers, or a refusal."""
    array = np.asarray(given)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InputError(f"{name} has shape {array.shape} and type {array.dtype}; expected a list of whole numbers")
    return array.astype(np.int64)
