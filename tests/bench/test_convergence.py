"""The convergence study: its L-BFGS is the library's, its incomplete factor is what it says, and every method descends."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import pliant as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.convergence import report, studies
from benchmarks.convergence.frame import Frame
from benchmarks.convergence.incomplete import IncompleteCholesky, conjugate_gradients
from benchmarks.convergence.initial import Ours
from benchmarks.convergence.methods import LBFGS, descend
from benchmarks.convergence.scenes import twisting_bar


@pytest.fixture(scope="module")
def frame():
    return Frame(twisting_bar(1_920, steps=3))


@pytest.fixture(scope="module")
def best(frame):
    return frame.minimum()[1]


@pytest.mark.parametrize("window", [0, 5])
def test_driver_takes_the_steps_of_the_library(frame, best, window):
    x = frame.objective.vectors.new()
    for iterations in (1, 2, 4, 8):
        x.assign(frame.start)
        pl.QuasiNewton(iterations=iterations, window=window).solve(frame.objective, x)
        curve = descend(frame, LBFGS(Ours(), window), best, iterations)
        assert len(curve.errors) == iterations + 1
        assert np.abs(x.numpy() - curve.x).max() <= 1e-10


@pytest.mark.parametrize("name", [n for methods in studies.FIGURES.values() for n in methods])
def test_every_method_descends(frame, best, name):
    make = next(methods[name] for methods in studies.FIGURES.values() if name in methods)
    curve = descend(frame, make(), best, 6)
    assert np.all(np.diff(curve.errors) < 0) and curve.errors[-1] < 0.5
    assert np.all(np.diff(curve.seconds) > 0)


def test_frame_is_not_moved_by_looking_at_it():
    sim = twisting_bar(1_920, steps=1)
    x, v, t = sim.x, sim.v, sim.t
    frame = Frame(sim)
    assert np.array_equal(sim.x, x) and np.array_equal(sim.v, v) and sim.t == t
    # the step then taken ends at the minimum of what was looked at
    found, _ = frame.minimum()
    assert sim.step().converged
    assert np.abs(sim.x - found).max() < 1e-7


def test_incomplete_cholesky_without_fill():
    """Exact where the true factor has no fill; elsewhere L Lᵀ agrees with A on A's pattern."""
    chain = sparse.diags([-1.0, 2.5, -1.0], [-1, 0, 1], (40, 40), format="csr")
    factor = IncompleteCholesky(chain)
    b = np.random.default_rng(0).standard_normal(40)
    assert factor.shift == 0.0 and np.abs(chain @ factor(b) - b).max() < 1e-13
    grid = sparse.kronsum(chain, chain, format="csr")
    factor = IncompleteCholesky(grid)
    product = factor.factor @ factor.factor.T
    off = abs((product - grid).multiply(grid != 0)).max()
    assert factor.shift == 0.0 and off < 1e-12 and factor.factor.nnz == sparse.tril(grid).nnz


def test_incomplete_cholesky_speeds_up_conjugate_gradients(frame):
    matrix = frame.laplacian()
    b = np.random.default_rng(1).standard_normal((frame.count, 3))
    residuals = []
    for precondition in (lambda r: r, IncompleteCholesky(matrix)):
        x = conjugate_gradients(matrix, b, precondition, 15)
        residuals.append(np.linalg.norm(matrix @ x - b))
    assert residuals[1] < 0.2 * residuals[0]


def test_negative_curvature_ends_conjugate_gradients():
    matrix, b = sparse.diags([1.0, -1.0]).tocsr(), np.array([1.0, 2.0])
    assert np.array_equal(conjugate_gradients(matrix, b, lambda r: r, 10), b)


def test_charts_and_tables_of_a_small_study():
    few = {"errors": [1.0, 1e-2, 1e-5], "seconds": [0.0, 0.1, 0.2], "once": 0.1, "evaluations": 3}
    figures = {figure: dict.fromkeys(methods, few) for figure, methods in studies.FIGURES.items()}
    solver = {"a": 1.0, "b": 2.0, "c": 3.0}
    results = {
        "calm": figures, "jolted": figures, "curtain": {"local/global": few, "L-BFGS": few, "Newton, PCG": few},
        "stiffness": {"25 N/m": [1.0] * 101}, "resolution": {"121 nodes": [1.0] * 101},
        "condition": {"ours": [3.72, 3.72]}, "claim": [{"tets": 10, "frame": "calm", "error": solver, "ms": solver}],
    }  # fmt: skip
    assert "3.72 | 3.72" in report.tables(results)["condition"]
    assert "| 2 |" in report.tables(results)["claim"]
    for made in report.charts(results).values():
        assert made.svg().startswith("<svg")
