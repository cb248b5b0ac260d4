"""Constant matrices summed of those of elements, a number for each pair of nodes; after a cut only what it touched is new.

The sum of a pair goes by the numbers that elements keep, whatever else is summed: what is taken over is what a matrix made anew
has, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ..linear.gather import gather_lists

MANY = 0.3  # of all nodes: where so many are touched all is made anew

Blocks = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (m, k, k) from gradients and factors of some elements


def summed(nodes: np.ndarray, blocks: np.ndarray, count: int) -> sparse.csr_matrix:
    """(count, count) sum of symmetric element matrices (m, k, k), each pair of nodes in the order of the elements; entries that
    cancel are there, as 0."""
    k = nodes.shape[1]
    starts, corners = gather_lists(nodes.reshape(-1), count)
    columns, values = nodes[corners // k].reshape(-1).astype(np.int32), blocks.reshape(-1, k)[corners].reshape(-1)
    rows = np.repeat(np.arange(count, dtype=np.int32), k * np.diff(starts))
    half = columns <= rows  # the rest is mirrored, so that what cancels does so on both sides
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[half], minlength=count))]).astype(np.int32)
    many = sparse.csr_matrix((values[half], columns[half], starts), shape=(count, count))
    many = many.tocsc().tocsr()  # by columns now, and of one column as before: both sort by counting
    rows = np.repeat(np.arange(count, dtype=np.int32), np.diff(many.indptr))
    first = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(many.indices, prepend=-1))
    rows, columns, values = rows[first], many.indices[first], np.add.reduceat(many.data, first)
    upper = rows != columns
    order = np.argsort(columns[upper], kind="stable")  # rows and columns change places
    below = np.bincount(rows, minlength=count)
    beyond = np.bincount(columns[upper], minlength=count)
    starts = np.concatenate([[0], np.cumsum(below + beyond)]).astype(np.int32)
    place = np.arange(len(rows)) + (np.cumsum(beyond) - beyond)[rows]
    other = np.arange(len(order)) + np.cumsum(below)[columns[upper][order]]
    data, indices = np.empty(starts[-1]), np.empty(starts[-1], np.int32)
    data[place], indices[place] = values, columns
    data[other], indices[other] = values[upper][order], rows[upper][order]
    return sparse.csr_matrix((data, indices, starts), shape=(count, count))


def without_zeros(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """A copy with the entries alone that are not 0."""
    made = matrix.copy()
    made.eliminate_zeros()
    return made


@dataclass(frozen=True, eq=False)
class ElementMatrix:
    """A sum, and what it was summed of: elements by ascending ``numbers`` that they keep across cuts."""

    numbers: np.ndarray  # (m,)
    nodes: np.ndarray  # (m, k)
    gradients: np.ndarray  # (m, q, k, 3)
    factors: np.ndarray  # (m, f)
    total: sparse.csr_matrix  # with entries that cancel

    @cached_property
    def matrix(self) -> sparse.csr_matrix:
        """Without them."""
        return without_zeros(self.total)


def element_matrix(
    numbers: np.ndarray,
    nodes: np.ndarray,
    gradients: np.ndarray,
    factors: np.ndarray,
    blocks: Blocks,
    count: int,
    before: tuple[ElementMatrix, np.ndarray] | None = None,
) -> ElementMatrix:
    """The sum over elements; ``before`` is another one and (n before,) where its nodes are now, in ascending order."""
    parts = (numbers, nodes, gradients, factors)
    near = None if before is None else _near(*parts, count, *before)
    if near is None or near.sum() > MANY * count:
        return ElementMatrix(*parts, summed(nodes, blocks(gradients, factors), count))
    some = near[nodes].any(axis=1)
    own = summed(nodes[some], blocks(gradients[some], factors[some]), count).tocoo()
    fresh = near[own.row] & near[own.col]
    old, moved = before[0].total.tocoo(), before[1]
    rows, columns = moved[old.row], moved[old.col]
    kept = ~(near[rows] & near[columns])
    keys, others = rows[kept] * np.int64(count) + columns[kept], own.row[fresh] * np.int64(count) + own.col[fresh]
    place = np.searchsorted(keys, others) + np.arange(len(others))
    taken = np.zeros(len(keys) + len(others), bool)
    taken[place] = True
    data, indices = np.empty(len(taken)), np.empty(len(taken), np.int32)
    data[place], data[~taken] = own.data[fresh], old.data[kept]
    indices[place], indices[~taken] = own.col[fresh], columns[kept]
    sizes = np.bincount(rows[kept], minlength=count) + np.bincount(own.row[fresh], minlength=count)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    return ElementMatrix(*parts, sparse.csr_matrix((data, indices, starts), shape=(count, count)))


def _near(
    numbers: np.ndarray,
    nodes: np.ndarray,
    gradients: np.ndarray,
    factors: np.ndarray,
    count: int,
    before: ElementMatrix,
    moved: np.ndarray,
) -> np.ndarray | None:
    """(count,) nodes of elements that came, went or are others now; None where they are of another kind."""
    if (gradients.shape[1:], factors.shape[1:]) != (before.gradients.shape[1:], before.factors.shape[1:]):
        return None
    now, then = np.arange(len(numbers)), np.arange(len(before.numbers))
    if not np.array_equal(numbers, before.numbers):
        _, now, then = np.intersect1d(numbers, before.numbers, assume_unique=True, return_indices=True)
    earlier = moved[before.nodes]
    other = (nodes[now] != earlier[then]).any(axis=1) | (factors[now] != before.factors[then]).any(axis=1)
    other |= (gradients[now] != before.gradients[then]).reshape(len(now), -1).any(axis=1)
    came, went = np.ones(len(numbers), bool), np.ones(len(before.numbers), bool)
    came[now[~other]] = went[then[~other]] = False
    near = np.ones(count, bool)
    near[moved] = False
    near[nodes[came]] = near[earlier[went]] = True
    return near
