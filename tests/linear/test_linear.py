"""Linear solvers on systems with known answers: definite, held, indefinite and singular ones."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant import linear
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.linear.matrix.cg_kernels import linear_kernels
from pliant.linear.matrix.system import System
from pliant.runtime.device import Device
from pliant.runtime.vectors import Vectors

N = 30
DEFINITE = [name for name in linear.__all__ if hasattr(getattr(linear, name), "operator")]  # what Newton takes


def system(shift: float, free: np.ndarray | None = None, precision: str = "f64", place: str = "cpu"):
    """A random symmetric block matrix on a chain, its least eigenvalue moved to ``shift``; and the same as NumPy."""
    device = Device(place, precision)
    chain = np.column_stack([np.arange(N - 1), np.arange(1, N)])
    pattern = BlockMatrix(device, N, [chain])
    random = np.random.default_rng(0)
    A = np.zeros((3 * N, 3 * N))
    for i, j in [*chain, *[(k, k) for k in range(N)]]:
        A[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = random.standard_normal((3, 3))
    A = A + A.T
    A += (shift - np.linalg.eigvalsh(A)[0]) * np.eye(3 * N)
    rows = np.repeat(np.arange(N), np.diff(pattern.row_start))
    blocks = A.reshape(N, 3, N, 3).transpose(0, 2, 1, 3)[rows, pattern.columns]
    pattern.values.assign(blocks.astype(device.types.numpy))
    held = device.array(np.ones((N, 3)) if free is None else free, device.types.vec3)
    kernel = linear_kernels(precision).product

    def apply(d, out):
        device.launch(kernel, N, pattern.device_rows, pattern.device_columns, held, pattern.values, d, out)

    return System(device, Vectors(device, N), held, pattern, apply, stored=True), A


def solve(method, found: System, b: np.ndarray, tolerance: float):
    device = found.device
    x = found.vectors.new()
    result = method.solve(found, device.array(b, device.types.vec3), x, tolerance)
    return x.numpy().astype(float).reshape(-1), result


@pytest.mark.parametrize("name", DEFINITE)
def test_definite(name, place):
    found, A = system(0.5, place=place)
    b = np.random.default_rng(1).standard_normal((N, 3))
    x, result = solve(getattr(linear, name)(), found, b, 1e-12)
    assert np.abs(A @ x - b.reshape(-1)).max() <= 1e-9
    assert result.residual <= 1e-9 and not result.negative and result.iterations >= 1


@pytest.mark.parametrize("name", DEFINITE)
def test_held_components_stay_out(name):
    free = (np.random.default_rng(2).uniform(size=(N, 3)) > 0.3).astype(float)
    found, A = system(0.5, free)
    b = free * np.random.default_rng(1).standard_normal((N, 3))
    x, _ = solve(getattr(linear, name)(), found, b, 1e-12)
    keep = np.flatnonzero(free.reshape(-1))
    assert np.abs(x[free.reshape(-1) == 0]).max() == 0
    assert np.abs(A[np.ix_(keep, keep)] @ x[keep] - b.reshape(-1)[keep]).max() <= 1e-9


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_two_passes_are_conjugate_gradients(precision):
    """The CPU's two passes over a stored matrix find what the product as a function does, iteration by iteration."""
    free = (np.random.default_rng(2).uniform(size=(N, 3)) > 0.2).astype(float)
    found, _ = system(0.3, free, precision)
    b = free * np.random.default_rng(1).standard_normal((N, 3))
    for turns in (1, 2, 7, None):
        method = pl.linear.PCG(iterations=turns)
        (x, one), (y, other) = (solve(method, s, b, 1e-5) for s in (found, replace(found, stored=False, work={})))
        assert one.iterations == other.iterations and np.isclose(one.residual, other.residual, rtol=1e-3, atol=1e-6)
        assert np.abs(x - y).max() <= (1e-12 if precision == "f64" else 1e-4) * np.abs(y).max()


@pytest.mark.parametrize("name", DEFINITE)
def test_zero_right_side(name):
    x, result = solve(getattr(linear, name)(), system(0.5)[0], np.zeros((N, 3)), 1e-6)
    assert not x.any() and result.residual == 0.0


def test_pcg_tolerance_and_budget():
    found, _ = system(1e-3)
    b = np.random.default_rng(1).standard_normal((N, 3))
    loose, tight = (solve(pl.linear.PCG(), found, b, t)[1] for t in (1e-1, 1e-10))
    assert loose.iterations < tight.iterations and loose.residual <= 1e-1 and tight.residual <= 1e-10
    assert solve(pl.linear.PCG(iterations=3), found, b, 1e-10)[1].iterations == 3


def test_pcg_stops_at_negative_curvature_with_a_descent_direction():
    found, A = system(-3.0)
    b = np.random.default_rng(1).standard_normal((N, 3))
    x, result = solve(pl.linear.PCG(), found, b, 1e-10)
    assert result.negative
    assert x @ b.reshape(-1) > 0
    assert np.linalg.eigvalsh(A)[0] < 0


@pytest.mark.parametrize("preconditioner", [pl.linear.BlockJacobi(), pl.linear.TwoLevel()], ids=["blocks", "two levels"])
def test_pcg_says_that_a_matrix_is_indefinite_where_its_preconditioner_is(preconditioner):
    """r·z is negative, or not a number, before the first iteration: that is no solution."""
    found, A = system(-3.0)
    found.matrix.values.assign(found.matrix.values.numpy() * -1.0)
    _, result = solve(pl.linear.PCG(preconditioner=preconditioner), found, np.ones((N, 3)), 1e-10)
    assert np.linalg.eigvalsh(-A)[0] < 0 and result.negative and result.iterations <= 1


def test_direct_says_when_the_matrix_is_singular():
    found, _ = system(0.5)
    found.matrix.values.zero_()
    _, result = solve(pl.linear.Direct(), found, np.ones((N, 3)), 1e-10)
    assert result.residual == np.inf


def test_direct_says_when_the_matrix_is_indefinite():
    """And what it returns still descends: with a diagonal added where an answer is wanted, scaled where it is not."""
    found, A = system(-3.0)
    b = np.random.default_rng(1).standard_normal((N, 3))
    for insist in (True, False):
        x, result = solve(pl.linear.Direct(), replace(found, insist=insist), b, 1e-10)
        assert result.negative and x @ b.reshape(-1) > 0
        assert 0 < result.residual < np.inf
    assert np.linalg.eigvalsh(A)[0] < 0


def test_direct_counts_semidefinite_as_definite():
    """A matrix with a zero eigenvalue, and a right-hand side that it reaches."""
    for precision in ("f32", "f64"):
        found, A = system(0.0, precision=precision)
        b = A @ np.random.default_rng(1).standard_normal(3 * N)
        _, result = solve(pl.linear.Direct(), found, b.reshape(N, 3), 1e-10)
        assert not result.negative and result.residual < (1e-3 if precision == "f32" else 1e-6)


def test_direct_takes_new_values_and_other_held_nodes():
    """The order is kept with the pattern; values and held components are not."""
    found, A = system(0.5)
    b = np.random.default_rng(1).standard_normal((N, 3))
    solve(pl.linear.Direct(), found, b, 1e-10)
    kept = found.work[pl.linear.Direct]
    found.matrix.values.assign(2.0 * found.matrix.values.numpy())
    free = (np.random.default_rng(3).uniform(size=(N, 3)) > 0.3).astype(float)
    found.free.assign(free)
    x, _ = solve(pl.linear.Direct(), found, b, 1e-10)
    keep = np.flatnonzero(free.reshape(-1))
    assert found.work[pl.linear.Direct] is kept
    assert np.abs(2.0 * A[np.ix_(keep, keep)] @ x[keep] - b.reshape(-1)[keep]).max() <= 1e-9
    assert not x[free.reshape(-1) == 0].any()


def test_direct_with_nothing_free_and_with_numbers_that_are_none():
    found, _ = system(0.5, np.zeros((N, 3)))
    x, result = solve(pl.linear.Direct(), found, np.ones((N, 3)), 1e-10)
    assert not x.any() and result.residual == 0.0
    found, _ = system(0.5)
    found.matrix.values.fill_(np.nan)
    x, result = solve(pl.linear.Direct(), found, np.ones((N, 3)), 1e-10)
    assert np.isnan(x).all() and result.residual == np.inf


def test_direct_orders_by_place_where_it_is_known():
    """A grid of nodes with and without positions: the same answer, another order."""
    device = Device("cpu", "f64")
    mesh = pl.tet_grid((1.0, 1.0, 1.0), (6, 6, 6), 6)
    n = len(mesh.vertices)
    found = []
    for positions in (mesh.vertices, None):
        pattern = BlockMatrix(device, n, [np.asarray(mesh.tets)])
        values = np.zeros((pattern.entries, 3, 3))
        values[pattern.diagonal] = 40.0 * np.eye(3) + 1.0
        values[np.setdiff1d(np.arange(pattern.entries), pattern.diagonal)] = -np.eye(3)
        pattern.values.assign(values)
        free = device.array(np.ones((n, 3)), device.types.vec3)
        given = System(device, Vectors(device, n), free, pattern, lambda d, out: None, positions=positions)
        x, result = solve(pl.linear.Direct(), given, np.random.default_rng(0).standard_normal((n, 3)), 0.0)
        assert result.residual < 1e-13
        found.append((x, given.work[pl.linear.Direct].analysis.permutation))
    assert np.abs(found[0][0] - found[1][0]).max() < 1e-12
    assert not np.array_equal(found[0][1], found[1][1])


def test_single_precision():
    found, A = system(0.5, precision="f32")
    b = np.random.default_rng(1).standard_normal((N, 3))
    x, result = solve(pl.linear.PCG(), found, b, 1e-4)
    assert np.abs(A @ x - b.reshape(-1)).max() <= 1e-2 and result.residual <= 1e-4
