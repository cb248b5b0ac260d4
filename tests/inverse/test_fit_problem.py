"""What optimisers are told by runs forwards and by runs backwards is the same, for every kind of number that may be free."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Free, NodePositions
from pliant.inverse.fitting.fit_problem import Problem

from .test_adjoint import falling

FREE = {
    (0, "young"): Free(1e4, 1e5, log=True, prior=(3.5e4, 1e3)),
    (0, "density"): Free(500.0, 2000.0),
    (None, "obstacle 0.height"): Free(-0.1, 0.1),
    (None, "obstacle 0.normal"): Free(-1.2, 1.2),
    (0, "velocity"): Free(-1.0, 1.0),
    (0, "rotation"): Free(-1.0, 1.0),
    (0, "shift"): Free(-1.0, 1.0),
    (None, "observation 0.delay"): Free(-0.01, 0.01),
    (None, "gravity"): Free(-20.0, 20.0),
}


def test_both_ways_agree():
    def made(**values):
        return pl.Simulation(falling(**values), pl.BDF2(0.01, pl.Newton(tolerance=1e-12, linear=pl.linear.Direct())))

    seen = NodePositions(made(young=4e4, height=0.0).run(0.06).positions, sigma=1e-3)
    problem = Problem(made(), seen, FREE, keep_every=1)
    away = problem.start + 0.003 * np.random.default_rng(0).standard_normal(len(problem.start))
    (cost, slope), (same, gradient, normal) = problem.slope(away), problem.normal(away)
    assert abs(cost / same - 1) < 1e-9
    assert np.abs(slope - gradient).max() < 1e-7 * np.abs(slope).max()
    assert np.allclose(normal, normal.T) and np.linalg.eigvalsh(normal)[0] > -1e-9 * np.abs(normal).max()


def test_a_plane_that_leans_by_two_numbers():
    """The same plane by its tilt as by its normal, with slopes that agree forwards and backwards where it leans already."""
    solver = pl.Newton(tolerance=1e-12, linear=pl.linear.Direct())
    seen = NodePositions(pl.Simulation(falling(height=0.0), pl.BDF2(0.01, solver)).run(0.06).positions, sigma=1e-3)
    free = {(None, "obstacle 0.tilt"): Free(-0.5, 0.5), (None, "obstacle 0.height"): Free(-0.1, 0.1)}
    sim = pl.Simulation(falling(), pl.BDF2(0.01, solver))
    problem = Problem(sim, seen, free, keep_every=1)
    axes = sim.scene.obstacles[0].shape.program[0].rotation
    away = problem.start + np.array([0.1, -0.07, 0.01])
    (cost, slope), (same, gradient, normal) = problem.slope(away), problem.normal(away)
    leans = sim.scene.obstacles[0].shape.program[0].rotation[:, 2]
    assert np.allclose(leans @ axes / (leans @ axes[:, 2]), [0.1, -0.07, 1.0])
    assert abs(cost / same - 1) < 1e-9 and np.abs(slope - gradient).max() < 1e-7 * np.abs(slope).max()
    ends = [problem.slope(away + h)[0] for h in (np.array([1e-6, 0, 0]), np.array([-1e-6, 0, 0]))]
    assert slope[0] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5)
    assert np.linalg.eigvalsh(normal)[0] > 1e-6 * np.linalg.eigvalsh(normal)[-1]  # nothing is said twice
    both = {(None, "obstacle 0.normal"): Free(-1.2, 1.2)} | free
    with pytest.raises(InputError, match="are the same; expected one of them"):
        Problem(pl.Simulation(falling(), pl.BDF2(0.01)), seen, both, keep_every=1)
