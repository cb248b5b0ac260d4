"""The inverse over free unknowns: against a dense one, and which factors are kept when values change."""

import numpy as np
import pytest
from scipy import sparse

from pliant.linear.factor.free_factor import FreeFactor, has_pattern, renewed
from pliant.linear.factor.scalar_factor import alike
from pliant.runtime.device import Device


def chain(n: int, extra: tuple[int, int] | None = None) -> sparse.csr_matrix:
    """A tridiagonal matrix, with one more pair of entries where one is asked for."""
    A = sparse.diags([-np.ones(n - 1), 3.0 + np.arange(n) / n, -np.ones(n - 1)], [-1, 0, 1]).tolil()
    if extra is not None:
        A[extra], A[extra[::-1]] = -0.5, -0.5
    return A.tocsr()


@pytest.fixture
def cpu() -> Device:
    return Device("cpu", "f64", threads=1)


def test_held_unknowns_have_no_inverse(cpu):
    A, free = chain(12), np.ones(12, bool)
    free[[2, 7]] = False
    cut = sparse.diags(free.astype(float))
    inner = FreeFactor()
    inner.free, inner.factor = free, renewed(None, (cut @ A @ cut + sparse.diags(1.0 - free)).tocsr(), cpu)
    inverse = np.zeros((12, 12))
    inverse[np.ix_(free, free)] = np.linalg.inv(A.toarray()[np.ix_(free, free)])
    assert np.allclose(inner.columns(np.eye(12)), inverse, atol=1e-14)
    rows = np.array([7, 0, 11, 3])
    assert np.allclose(inner.entries(rows), inverse[np.ix_(rows, rows)], atol=1e-14)
    assert not inner.entries(np.array([2, 7])).any()


def test_a_factor_is_kept_where_the_pattern_is(cpu):
    A, other = chain(9), chain(9, extra=(0, 8))
    first = renewed(None, A, cpu)
    assert has_pattern(first, 2 * A) and not has_pattern(first, other) and not has_pattern(first, chain(10))
    again = renewed(first, (2 * A).tocsr(), cpu)
    assert again is first and np.allclose(again.solve(np.eye(9)), np.linalg.inv(2 * A.toarray()), atol=1e-14)
    changed = renewed(first, other, cpu)
    assert changed is not first and np.allclose(changed.solve(np.eye(9)), np.linalg.inv(other.toarray()), atol=1e-14)


@pytest.mark.parametrize("columns", [(0, 0, 0), (0, 1, 0), (1, 0, 2), (2, 2, 1)])
def test_axes_that_hold_the_same_nodes_share_a_factor(columns):
    kinds = np.random.default_rng(3).integers(0, 2, (3, 50)) > 0
    moves = kinds[list(columns)].T
    expected, shared = np.unique(moves, axis=1, return_inverse=True)
    found = alike(moves)
    assert len(found) == expected.shape[1]
    for i, (column, axes) in enumerate(found):
        assert np.array_equal(column, expected[:, i]) and np.array_equal(axes, np.flatnonzero(np.ravel(shared) == i))
