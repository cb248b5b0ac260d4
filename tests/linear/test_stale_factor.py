"""A factor that serves several steps: one iteration with its own matrix, a few with those of later steps."""

import numpy as np

import pliant as pl
from pliant.linear.krylov.stale_factor import StaleFactor
from pliant.solve.newton.linear_system import linearised


def test_a_new_factor_takes_one_iteration_and_one_of_five_steps_a_few(place):
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), pinned=lambda X: X[:, 0] < 0.01)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(0.01, pl.Newton(iterations=1)), device=place)
    objective, x, aged = sim.world.objective, sim.state.x, None
    b, d, out = (objective.vectors.new() for _ in range(3))
    weight = np.tile([0.0, 0.0, -1.0], (objective.count, 1)) * objective.free.numpy()
    counts = []
    for _ in range(6):
        system = linearised(objective, x, project=True)
        if aged is None:
            aged = StaleFactor(system)
            assert aged.take(system)
        b.assign(weight)
        counts.append(aged.solve(system, b, d))
        system.apply(d, out)
        assert np.abs(out.numpy() - weight).max() <= 1e-6
        sim.step()
    assert np.abs(sim.x - mesh.vertices).max() > 0.003  # it bends in between
    assert counts[0] == 1 and all(2 <= count <= 20 for count in counts[1:]), counts
