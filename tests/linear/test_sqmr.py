"""The symmetric QMR over nodes and cells: the residuals of MINRES, held nodes, and what it says of itself."""

import numpy as np
import pytest
from scipy.sparse.linalg import minres

import pliant as pl
from pliant.linear.krylov.block_preconditioner import Coupling
from pliant.linear.krylov.saddle_point import Pair, Pairs, Saddle
from pliant.runtime.device import Device
from pliant.runtime.vectors import Vectors

N, M = 20, 24


def saddle(seed: int = 0, free: np.ndarray | None = None, spd: np.ndarray | None = None):
    """A random K = [A Bᵀ; B −D], as NumPy and as a system; ``spd`` is the matrix of a preconditioner."""
    random, device = np.random.default_rng(seed), Device()
    pairs = Pairs(Vectors(device, N), [M // 3, M - M // 3])
    A, B = random.standard_normal((3 * N, 3 * N)), random.standard_normal((M, 3 * N))
    K = np.block([[A @ A.T + np.eye(3 * N), B.T], [B, -np.diag(random.uniform(0.1, 1, M))]])
    free = np.ones((N, 3)) if free is None else free
    keep = np.diag(np.concatenate([free.ravel(), np.ones(M)]))
    inverse = np.eye(3 * N + M) if spd is None else np.linalg.inv(spd)

    def product(matrix):
        def apply(d: Pair, out: Pair) -> None:
            found = matrix @ np.concatenate([d.x.numpy().ravel(), d.p.numpy()])
            out.x.assign(found[: 3 * N].reshape(-1, 3))
            out.p.assign(found[3 * N :])

        return apply

    K = keep @ K @ keep
    system = Saddle(device, pairs, device.array(free, device.types.vec3), product(K), product(inverse), {})
    return system, K, random


def pair(system: Saddle, values: np.ndarray) -> Pair:
    found = system.pairs.new()
    found.x.assign(values[: 3 * N].reshape(-1, 3))
    found.p.assign(values[3 * N :])
    return found


def solved(system: Saddle, b: np.ndarray, tolerance: float, iterations: int = 2000):
    u = system.pairs.new()
    result = pl.linear.SQMR(iterations=iterations).solve(system, pair(system, b), u, tolerance)
    return np.concatenate([u.x.numpy().ravel(), u.p.numpy()]), result


@pytest.mark.parametrize("preconditioned", [False, True])
def test_residuals_are_those_of_minres(preconditioned):
    """Iteration by iteration, in the norm of the preconditioner, until rounding grows with them."""
    random = np.random.default_rng(5)
    G = random.standard_normal((3 * N + M, 3 * N + M))
    spd = G @ G.T / (3 * N + M) + np.eye(3 * N + M) if preconditioned else None
    system, K, random = saddle(spd=spd)
    b = random.standard_normal(3 * N + M)
    inverse = np.eye(len(b)) if spd is None else np.linalg.inv(spd)
    norms = []

    def norm(x):
        return np.sqrt((b - K @ x) @ inverse @ (b - K @ x))

    minres(K, b, M=inverse, maxiter=26, rtol=1e-14, callback=lambda x: norms.append(norm(x)))
    for k in range(1, 26):
        x, result = solved(system, b, 1e-14, k)
        assert norm(x) == pytest.approx(norms[k - 1], rel=1e-9)
        assert result.residual * norm(0 * b) == pytest.approx(norm(x), rel=1e-9)


def test_solves_and_leaves_held_components_out():
    free = (np.random.default_rng(2).uniform(size=(N, 3)) > 0.3).astype(float)
    system, K, random = saddle(1, free)
    keep = np.concatenate([free.ravel(), np.ones(M)]) > 0
    b = random.standard_normal(3 * N + M) * keep
    x, result = solved(system, b, 1e-12)
    assert np.abs(x[~keep]).max() == 0 and result.residual <= 1e-12
    np.testing.assert_allclose(x[keep], np.linalg.solve(K[np.ix_(keep, keep)], b[keep]), rtol=1e-7, atol=1e-9)


def test_nothing_to_solve():
    system, _K, _random = saddle()
    x, result = solved(system, np.zeros(3 * N + M), 1e-10)
    assert np.all(x == 0) and result.iterations == 0 and result.residual == 0


def test_the_answer_does_not_depend_on_what_was_solved_before():
    system, _K, random = saddle()
    b, other = random.standard_normal((2, 3 * N + M))
    first = solved(system, b, 1e-9)[0]
    solved(system, other, 1e-3)
    np.testing.assert_array_equal(solved(system, b, 1e-9)[0], first)


def test_cells_whose_nodes_are_held_keep_their_own_stiffness():
    """One cell alone, all held: its Schur complement is W/κ, and with some free it is more."""
    cell = Coupling(np.arange(8)[None], np.ones((1, 8, 3)), np.array([2.0]), np.array([10.0]), np.array([0.5]), np.zeros((1, 3)))
    diagonal = np.full(8, 4.0)
    held = cell.schur(diagonal, np.zeros((8, 3), bool)).toarray()
    assert held[0, 0] == pytest.approx(2.0 * 0.5, rel=1e-6)
    free = cell.schur(diagonal, np.ones((8, 3), bool)).toarray()
    assert free[0, 0] == pytest.approx(1.0 + 24 / 4.0 + 2.0 / 10.0, rel=1e-6)


BAD = {
    "no iterations": (lambda: pl.linear.SQMR(iterations=0), "whole number of at least 1"),
    "iterations yes": (lambda: pl.linear.SQMR(iterations=True), "whole number of at least 1"),
    "preconditioner by name": (lambda: pl.linear.SQMR(preconditioner="block"), "expected Block() or None"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case):
    make, said = BAD[case]
    with pytest.raises(pl.errors.InputError) as error:
        make()
    assert said in str(error.value)
