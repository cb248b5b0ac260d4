"""What a gradient costs beside a run, and how exact it is over many steps of a body of ten thousand cells."""

import resource

import numpy as np
import pytest

import pliant as pl
from pliant.inverse.gradients.free_values import Values

from .agreement import Squares

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def tets() -> pl.Scene:
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1100)
    damping = pl.Damping(0.5, 2e-3, exact=True)
    return pl.Scene(pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (26, 9, 9)), law, lambda X: X[:, 0] < 1e-9, damping=damping))


def lattice() -> pl.Scene:
    law = pl.Corotated(young=2e4, poisson=0.3, density=1100)
    return pl.Scene(pl.Body(pl.Lattice(pl.sphere(0.1), 0.2 / 27), law, lambda X: X[:, 2] > 0.08))


def user() -> float:
    """Seconds of processor time."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


@pytest.mark.parametrize("case", [tets, lattice])
@pytest.mark.parametrize(("keep_every", "most"), [(1, 3.0), (6, 4.0)])
def test_a_gradient_costs_no_more_than_three_runs(case, keep_every, most):
    """Twice a run, and one run more where states are made again."""
    steps, sim = 30, pl.Simulation(case(), pl.ImplicitEuler(0.01))
    assert sum(e.count for e in sim.world["elastic"]) >= 9_000
    adjoint, cost = pl.inverse.Adjoint(sim, keep_every), Squares(sim)
    adjoint.gradient(1, cost)  # compiles
    begun = user()
    for _ in range(steps):
        assert sim.step().converged
    run = user() - begun
    sim.reset()
    begun = user()
    adjoint.gradient(steps, cost)
    assert (user() - begun) / run <= most


def test_three_hundred_steps():
    """Along a direction that changes every number by a part of its size, beside two runs."""
    steps, sim = 300, pl.Simulation(tets(), pl.BDF2(1 / 60, pl.Newton(tolerance=1e-9)))
    values, cost = Values(sim), Squares(sim)
    keys = [
        (0, "young"),
        (0, "poisson"),
        (0, "density"),
        (0, "damping.mass"),
        (0, "damping.stiffness"),
        (None, "gravity"),
    ]
    gradient = pl.inverse.Adjoint(sim, keep_every=20).gradient(steps, cost)
    signs = dict(zip(keys, (1, 1, -1, 1, 1, 1)))
    along = {key: signs[key] * values.known[key] for key in keys}
    found = sum(np.sum(gradient.parameters[key] * along[key]) for key in keys)
    costs = []
    for h in (1e-5, -1e-5):  # what swings so long turns with any change
        values.put({key: values.known[key] + h * along[key] for key in keys})
        total, first = cost(0, sim.x, sim.v)[0], sim.state.copy()
        for k in range(1, steps + 1):
            assert sim.step().converged
            total += cost(k, sim.x, sim.v)[0]
        sim.assign(first)
        costs.append(total)
    assert found == pytest.approx((costs[0] - costs[1]) / 2e-5, rel=1e-3)
