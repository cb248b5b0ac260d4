"""The factorisation for a GPU, run here on the CPU: against dense algebra, the CPU's own factor, and itself."""

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.linear.cholesky import analyse, factorise
from pliant.linear.cholesky.factor import on_device
from pliant.linear.cholesky.gpu.front_native import TILE
from pliant.linear.cholesky.gpu.level_solve import LevelSolver
from pliant.runtime.device import Device

from .matrices import cases, grid

KINDS = [("f64", "f64"), ("f32", "f64"), ("f32", "f32")]  # precision of the factor kept and of the arithmetic
BOUND = {("f64", "f64"): 1e-12, ("f32", "f64"): 1e-5, ("f32", "f32"): 1e-4}


@pytest.fixture(scope="module")
def block():
    """A grid with fronts of several tiles and levels of several fronts."""
    X, matrix = grid(13)
    analysis = analyse(matrix, positions=X)
    assert analysis.pivots.max() > 2 * TILE and analysis.below.max() > 2 * TILE
    return matrix, analysis


def made(analysis, matrix, kept="f64", arithmetic="f64", threads=None):
    factor = on_device(analysis, Device("cpu", kept, threads), arithmetic)
    factor.refactor(matrix)
    return factor


@pytest.mark.parametrize(("kept", "arithmetic"), KINDS)
@pytest.mark.parametrize("leaf", [1, 25])
@pytest.mark.parametrize("name", sorted(cases()))
def test_agrees_with_dense(name, leaf, kept, arithmetic):
    matrix = cases()[name]
    factor = made(analyse(matrix, leaf=leaf), matrix, kept, arithmetic)
    b = np.random.default_rng(0).standard_normal((matrix.shape[0], 3))
    expected = np.linalg.solve(matrix.toarray(), b)
    assert np.abs(factor.solve(b) - expected).max() < 10 * BOUND[kept, arithmetic] * np.abs(expected).max()


@pytest.mark.parametrize(("kept", "arithmetic"), KINDS)
def test_every_entry_is_that_of_the_cpu(block, kept, arithmetic):
    """Both copies that solves read, zeros and padding included."""
    matrix, analysis = block
    reference = factorise(analysis, matrix, kept)
    expected = LevelSolver(analysis, reference.solver.device, reference.numeric.packed_start)
    expected.take(reference.numeric.packed)
    found = made(analysis, matrix, kept, arithmetic).solver
    for one, other in ((found.lower, expected.lower), (found.upper, expected.upper)):
        one, other = one.numpy().astype(float), other.numpy().astype(float)
        assert np.array_equal(one == 0, other == 0)
        assert np.abs(one - other).max() < BOUND[kept, arithmetic] * np.abs(other).max()


def test_single_precision_is_that_of_the_storage_and_not_of_the_sums(block):
    """A factor kept in f32 is rounded once, from one computed in f64."""
    matrix, analysis = block
    double, single = made(analysis, matrix), made(analysis, matrix, "f32")
    assert np.array_equal(double.solver.lower.numpy().astype(np.float32), single.solver.lower.numpy())


def test_new_values_and_repeated_runs_bit_for_bit(block):
    matrix, analysis = block
    factor = made(analysis, matrix, threads=1)
    first = factor.solver.lower.numpy().copy()
    changed = matrix.copy()
    changed.setdiag(4.0 * matrix.diagonal())
    factor.refactor(changed)
    assert not np.array_equal(factor.solver.lower.numpy(), first)
    factor.refactor(matrix)
    assert np.array_equal(factor.solver.lower.numpy(), first)
    assert np.array_equal(made(analysis, matrix, threads=2).solver.lower.numpy(), first)


def test_refuses_an_indefinite_matrix_as_the_cpu_does_and_stays_as_it_was(block):
    matrix, analysis = block
    factor = made(analysis, matrix)
    b = np.ones(matrix.shape[0])
    before = factor.solve(b)
    bad = matrix.copy()
    bad[700, 700] = -1.0
    sentences = []
    for one in (factor, factorise(analysis, matrix)):
        with pytest.raises(InputError, match="not positive definite") as refusal:
            one.refactor(bad)
        sentences.append(str(refusal.value))
    assert sentences[0] == sentences[1]
    assert np.array_equal(factor.solve(b), before)


def test_a_zero_and_no_number_are_refused(block):
    matrix, analysis = block
    factor = made(analysis, matrix)
    for value in (0.0, np.nan):
        with pytest.raises(InputError, match="not positive definite"):
            factor.take(np.full_like(factor.lower, value))


def test_updates_redo_everything(block):
    matrix, analysis = block
    factor = made(analysis, matrix)
    assert factor.update([5], [5], [1e4]) == analysis.fronts
    changed = matrix.copy()
    changed[5, 5] += 1e4
    b = np.ones(matrix.shape[0])
    np.testing.assert_allclose(factor.solve(b), factorise(analysis, changed).solve(b), rtol=1e-9)


def test_bytes_on_the_device_are_stated(block):
    matrix, analysis = block
    factor = made(analysis, matrix)
    panels = 8 * int(((2 * analysis.pivots + analysis.below) * analysis.pivots).sum())
    squares = 8 * int((analysis.below**2).sum())
    assert panels < factor.numeric.bytes < panels + squares + 16 * len(factor.lower) + 2**22
    assert factor.bytes > factor.numeric.bytes + factor.solver.bytes
