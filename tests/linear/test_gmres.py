"""GMRES on systems that conjugate gradients cannot solve, beside NumPy."""

import numpy as np
import pytest

from pliant.linear.krylov.gmres import GMRES
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.linear.matrix.system import System
from pliant.runtime.device import Device
from pliant.runtime.vectors import Vectors


def system(A, n, precision="f64", place="cpu"):
    """A (3n, 3n) with the last node held, and its diagonal blocks for the preconditioner."""
    device = Device(place, precision)
    free = np.ones((n, 3))
    free[-1] = 0
    diagonal = BlockMatrix(device, n, [])
    diagonal.values.assign(np.array([A[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] for i in range(n)]).astype(device.types.numpy))

    def apply(d, out):
        out.assign((free * (A @ d.numpy().astype(float).reshape(-1)).reshape(-1, 3)).astype(device.types.numpy))

    return System(device, Vectors(device, n), device.array(free, device.types.vec3), diagonal, apply), free


@pytest.mark.parametrize("kind", ["unsymmetric", "indefinite"])
@pytest.mark.parametrize(("precision", "tolerance"), [("f64", 1e-10), ("f32", 1e-4)])
def test_solution(kind, precision, tolerance, place):
    random, n = np.random.default_rng(1), 12
    A = 0.15 * random.standard_normal((3 * n, 3 * n)) + 2 * np.eye(3 * n)
    if kind == "indefinite":
        A = A + A.T
        A[:9, :9] -= 8 * np.eye(9)
        assert np.linalg.eigvalsh(A).min() < -0.5
    made, free = system(A, n, precision, place)
    b = free * random.standard_normal((n, 3))
    vectors, device = made.vectors, made.device
    right, x = device.array(b, device.types.vec3), vectors.new()
    result = GMRES().solve(made, right, x, tolerance)
    keep = free.reshape(-1) > 0
    expected = np.linalg.solve(A[np.ix_(keep, keep)], b.reshape(-1)[keep])
    assert result.residual <= tolerance and 0 < result.iterations <= keep.sum() + 1
    assert np.abs(x.numpy().reshape(-1)[keep] - expected).max() <= 20 * tolerance * np.abs(expected).max()
    assert not x.numpy()[-1].any()


def test_restarts_and_its_bound():
    random, n = np.random.default_rng(2), 12
    A = 0.1 * random.standard_normal((3 * n, 3 * n)) + 2 * np.eye(3 * n)
    made, free = system(A, n)
    right, x = made.device.array(free * random.standard_normal((n, 3)), made.device.types.vec3), made.vectors.new()
    short = GMRES(restart=5).solve(made, right, x, 1e-9)
    whole = GMRES(restart=40).solve(made, right, x, 1e-9)
    assert short.residual <= 1e-9 and short.iterations > whole.iterations > 5
    assert GMRES(iterations=3).solve(made, right, x, 1e-9).iterations == 3


def test_nothing_to_solve():
    made, _ = system(2 * np.eye(9), 3)
    x = made.vectors.new()
    assert GMRES().solve(made, made.vectors.new(), x, 1e-6).iterations == 0 and not x.numpy().any()
