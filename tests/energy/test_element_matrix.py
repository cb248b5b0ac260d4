"""Constant matrices summed of element matrices, and of those before where only some elements are others."""

import numpy as np
import pytest

from pliant.energy.element_matrix import element_matrix, summed


def elements(count, m, k, seed=0):
    rng = np.random.default_rng(seed)
    nodes = np.array([rng.choice(count, k, replace=False) for _ in range(m)])
    return nodes, rng.standard_normal((m, 1, k, 3)), rng.uniform(1.0, 2.0, (m, 1))


def blocks(gradients, factors):
    return np.einsum("mqac,mqbc,mq->mab", gradients, gradients, factors)


@pytest.mark.parametrize("k", [2, 3, 4, 8])
def test_the_sum_of_all_pairs(k):
    nodes, gradients, factors = elements(60, 90, k)
    own = blocks(gradients, factors)
    expected, there = np.zeros((60, 60)), np.zeros((60, 60), bool)
    for e in range(90):
        expected[np.ix_(nodes[e], nodes[e])] += own[e]
        there[np.ix_(nodes[e], nodes[e])] = True
    made = summed(nodes, own, 60)
    assert np.allclose(made.toarray(), expected, rtol=0, atol=1e-13) and made.has_canonical_format
    assert made.nnz == there.sum() and abs(made - made.T).max() == 0.0


def test_entries_that_cancel_are_there():
    made = summed(np.array([[0, 1], [1, 0]]), np.array([[[1.0, -1.0], [-1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]), 3)
    assert made.nnz == 4 and made[0, 1] == 0.0 and list(np.diff(made.indptr)) == [2, 2, 0]


@pytest.mark.parametrize("between", [False, True])
def test_what_was_not_touched_is_taken_over_bit_for_bit(between):
    """Some elements are others, some go, some come, with nodes that are new, at the end or before those of a second body."""
    count, m = 200, 300
    nodes, gradients, factors = elements(count, m, 4, 1)
    before = element_matrix(np.arange(m), nodes, gradients, factors, blocks, count)
    moved = np.arange(count)
    if between:
        moved[150:] += 3
    now, numbers = moved[nodes], np.arange(m)
    now[5] = [150, 151, 152, moved[-1]] if between else [200, 201, 202, 3]
    other, weights = gradients.copy(), factors.copy()
    other[7], weights[9] = 0.5, 3.0
    stay = np.flatnonzero(~np.isin(numbers, [11, 12]))
    more = (np.array([[0, 1, 2, 3]]), np.ones((1, 1, 4, 3)), np.ones((1, 1)))
    parts = [np.append(stay, m), *(np.concatenate([a[stay], b]) for a, b in zip((now, other, weights), more))]
    made = element_matrix(*parts, blocks, count + 3, (before, moved))
    whole = element_matrix(*parts, blocks, count + 3)
    assert len(np.unique(np.concatenate([now[[5, 7, 9, 11, 12]].ravel(), range(4)]))) < 0.3 * count  # else all is made anew
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(made.total, name), getattr(whole.total, name)), name
    assert made.matrix.nnz == whole.matrix.nnz
