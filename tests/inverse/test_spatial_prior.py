"""Fields of one value per element: their neighbours, what keeps them alike, and a stiff part found inside a soft body."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Free, NodePositions, Smooth, TotalVariation
from pliant.inverse.fitting.fit_problem import Problem
from pliant.inverse.fitting.spatial_prior import neighbours


def test_neighbours_share_faces():
    assert neighbours(pl.Hexes(pl.meshes.hex_box((0.2, 0.1, 0.1), (2, 1, 1)))).tolist() == [[0, 1]]
    tets = pl.Tets(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)))
    assert len(neighbours(tets)) == 4  # the middle one of five has four
    sheet = pl.Membrane(pl.cloth_grid((0.2, 0.1), (2, 1)), thickness=0.01)
    assert len(neighbours(sheet)) == 3
    assert len(neighbours(pl.Springs(pl.meshes.rod((0, 0, 0), (0.3, 0, 0), 3), radius=0.01))) == 2


@pytest.mark.parametrize("kind", [Smooth(0.1), TotalVariation(0.1, 0.01)])
def test_residuals_and_their_slopes(kind):
    d = np.array([-0.3, -1e-3, 0.0, 1e-9, 0.2])
    r, by = kind.residuals(d)
    up, down = (kind.residuals(d + h)[0] for h in (1e-7, -1e-7))
    assert np.allclose(by, (up - down) / 2e-7, rtol=1e-5)
    assert np.all(np.sign(r) == np.sign(d))
    expected = (d / 0.1) ** 2 / 2 if type(kind) is Smooth else (np.hypot(d, 0.01) - 0.01) / 0.1
    assert np.allclose(r**2 / 2, expected, atol=1e-12)


def bar(young):
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1100)
    return pl.Body(pl.meshes.hex_box((0.4, 0.1, 0.1), (4, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)


def simulation(young):
    return pl.Simulation(pl.Scene(bar(young)), pl.ImplicitEuler(0.03, pl.Newton(tolerance=1e-11)))


def frames(sim, steps):
    seen = [sim.x]
    for _ in range(steps):
        assert sim.step().converged
        seen.append(sim.x)
    return np.array(seen)


@pytest.mark.parametrize("across", [Smooth(0.1), TotalVariation(0.1)])
def test_they_are_part_of_the_cost(across):
    seen = frames(simulation(np.array([2e4, 2e4, 8e4, 2e4])), 3)
    start = np.array([3e4, 4e4, 3e4, 2e4])
    free = {(0, "young"): Free(1e3, 1e6, log=True, spatial_prior=across)}
    problem = Problem(simulation(start), NodePositions(seen, sigma=1e-3), free, 1)
    at = problem.start
    _, slope = problem.slope(at)
    d, h = np.array([0.3, -0.5, 0.8, 0.2]), 1e-5
    costs = [problem.slope(at + sign * h * d)[0] for sign in (1, -1)]
    assert slope @ d == pytest.approx((costs[0] - costs[1]) / (2 * h), rel=1e-6)
    r, own = problem.priors(problem.parameters.values(at))
    assert r.shape == (3,) and own.shape == (3, 4) and np.any(own.T @ r)


def test_a_stiff_part_is_found():
    truth = np.array([2e4, 2e4, 8e4, 2e4])
    seen = frames(simulation(truth), 4)
    free = {(0, "young"): Free(1e3, 1e6, log=True, spatial_prior=TotalVariation(1.0))}
    found = pl.fit(simulation(np.full(4, 4e4)), NodePositions(seen, sigma=1e-4), free, progress=False)
    assert np.allclose(found.values[0, "young"], truth, rtol=0.02)


def test_a_field_needs_elements():
    sim = simulation(2e4)
    observed = NodePositions(frames(simulation(2e4), 1))
    with pytest.raises(InputError, match="one for all; expected one number for each element"):
        pl.fit(sim, observed, {(0, "young"): Free(1e3, 1e6, spatial_prior=Smooth(0.1))})
    with pytest.raises(InputError, match=r"inverse\.Smooth"):
        Free(1.0, 2.0, spatial_prior=3)
