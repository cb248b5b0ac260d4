"""Constant matrices assembled from elements, updated locally after cuts.

The sum of a pair goes by the numbers that elements keep, whatever else is summed: what is taken over is what a matrix made anew
has, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ..geometry.mesh.mesh import rows_of
from ..linear.matrix.gather import gather_lists
from .element_matrix_native import mark_other_rows, mirror_pairs, splice_rows, sum_pairs

MANY = 0.3  # of all nodes: where so many are touched all is made anew

Blocks = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (m, k, k) from gradients and factors of some elements


def summed(nodes: np.ndarray, blocks: np.ndarray, count: int) -> sparse.csr_matrix:
    """(count, count) sum of symmetric element matrices (m, k, k), each pair of nodes in the order of the elements; entries that
    cancel are there, as 0."""
    k, corners = nodes.shape[1], np.ascontiguousarray(nodes, np.int32)
    most, found = k * nodes.size, np.zeros(1, np.int64)
    begin, room, columns, values = (
        np.empty(count + 1, np.int32),
        np.empty(count, np.int32),
        np.empty(most, np.int32),
        np.empty(most),
    )
    given = np.ascontiguousarray(blocks, float), k, count, *gather_lists(corners.reshape(-1), count)
    sum_pairs(corners, *given, room, begin, columns, values, found)  # the rest is mirrored, so that what cancels does so twice
    whole = 2 * int(found[0])
    starts, every, data = np.empty(count + 1, np.int32), np.empty(whole, np.int32), np.empty(whole)
    mirror_pairs(begin, columns, values, count, room, starts, every, data)
    return sparse.csr_matrix((data[: starts[-1]], every[: starts[-1]], starts), shape=(count, count))


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
    if len(moved) and moved[-1] != len(moved) - 1:  # rows have other numbers now: those of nodes before, and empty ones between
        sizes = np.zeros(count, int)
        sizes[moved] = np.diff(old.indptr)
        begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        old = sparse.csr_matrix((old.data, moved[old.indices].astype(np.int32), begin), (count, count))
    return ElementMatrix(*parts, _spliced(old, own, near))


def _spliced(old: sparse.csr_matrix, own: sparse.csr_matrix, near: np.ndarray) -> sparse.csr_matrix:
    """The entries of ``own`` between two nodes that are ``near`` (n,), else those of ``old``, whose rows are the first."""
    count, most = len(near), old.nnz + own.nnz
    starts, columns, values = np.empty(count + 1, np.int32), np.empty(most, np.int32), np.empty(most)
    lists = (old.indptr, old.indices, old.data, old.shape[0], own.indptr, own.indices, own.data)
    splice_rows(*lists, near, count, starts, columns, values)
    return sparse.csr_matrix((values[: starts[-1]], columns[: starts[-1]], starts), shape=(count, count))


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
    stay = not len(moved) or moved[-1] == len(moved) - 1
    earlier = before.nodes if stay else moved[before.nodes]
    other = np.zeros(len(numbers[now]), bool)
    for mine, known in ((nodes, earlier), (factors, before.factors), (gradients, before.gradients)):
        one, two = (np.ascontiguousarray(a, np.result_type(mine, known, np.int64)) for a in (mine[now], known[then]))
        mark_other_rows(one.view(np.int64), two.view(np.int64), len(other), one.size // max(1, len(other)), other)
    came, went = np.ones(len(numbers), bool), np.ones(len(before.numbers), bool)
    came[now] = other
    went[then] = other
    near = np.ones(count, bool)
    near[moved] = False
    near[nodes[came]] = near[earlier[went]] = True
    return near
