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

from ..geometry.mesh import rows_of
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
    some = rows_of(near[nodes])
    own = summed(nodes[some], blocks(gradients[some], factors[some]), count)
    old, moved = before[0].total, before[1]
    if (
        len(moved) and moved[-1] != len(moved) - 1
    ):  # rows have other numbers now: those of nodes before, and empty ones between
        sizes = np.zeros(count, int)
        sizes[moved] = np.diff(old.indptr)
        old = sparse.csr_matrix(
            (old.data, moved[old.indices].astype(np.int32), np.concatenate([[0], np.cumsum(sizes)])), (count, count)
        )
    return ElementMatrix(*parts, _spliced(old, own, near))


def _spliced(old: sparse.csr_matrix, own: sparse.csr_matrix, near: np.ndarray) -> sparse.csr_matrix:
    """The entries of ``own`` between two nodes that are ``near`` (n,), else those of ``old``, whose rows are the first."""
    count, touched = len(near), np.flatnonzero(near)
    starts = np.concatenate([old.indptr, np.full(count + 1 - len(old.indptr), old.indptr[-1])]).astype(np.int32)
    rows, indices, data = [], [], []
    for matrix, first, wants in ((old, starts, False), (own, own.indptr, True)):
        size = first[touched + 1] - first[touched]
        at = np.repeat(first[touched] - np.cumsum(size) + size, size) + np.arange(size.sum())
        kept = near[matrix.indices[at]] == wants
        rows.append(np.repeat(np.arange(len(touched)), size)[kept])
        indices.append(matrix.indices[at[kept]])
        data.append(matrix.data[at[kept]])
    rows, indices, data = (np.concatenate(each) for each in (rows, indices, data))
    order = np.lexsort((indices, rows))
    sizes = np.diff(starts)
    sizes[touched] = np.bincount(rows, minlength=len(touched))
    made = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    # rows of others lie between those that are new, as they were
    ends = np.concatenate([[0], np.cumsum(sizes[touched])])
    between = np.concatenate([[-1], touched, [count]])
    every = []
    for values, fresh in ((old.data, data[order]), (old.indices, indices[order])):
        parts = []
        for i in range(len(touched) + 1):
            parts.append(values[starts[between[i] + 1] : starts[between[i + 1]]])
            if i < len(touched):
                parts.append(fresh[ends[i] : ends[i + 1]])
        every.append(np.concatenate(parts))
    return sparse.csr_matrix((every[0], every[1].astype(np.int32, copy=False), made), shape=(count, count))


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
    now = then = slice(None)
    if not np.array_equal(numbers, before.numbers):
        _, now, then = np.intersect1d(numbers, before.numbers, assume_unique=True, return_indices=True)
    earlier, same = moved[before.nodes], np.ones(len(numbers[now]), bool)
    for mine, known in ((nodes, earlier), (factors, before.factors), (gradients, before.gradients)):
        differ = mine[now] != known[then]
        same[rows_of(differ.reshape(len(same), -1))] = False
    came, went = np.ones(len(numbers), bool), np.ones(len(before.numbers), bool)
    came[now] = ~same
    went[then] = ~same
    near = np.ones(count, bool)
    near[moved] = False
    near[nodes[came]] = near[earlier[went]] = True
    return near
