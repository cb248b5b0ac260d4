"""Newton's iteration as one call, beside the same one made of many."""

import numpy as np
import pytest

import pliant as pl
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.solve.newton.direction import Direction
from pliant.solve.newton.hessian_choice import NewtonSystem

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4)


def sliding(precision):
    """A block that lands askew on a floor with friction, where points stop before the end of a step."""
    block = pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), origin=(0, 0, 0.02)).rotated((1, 2, 3), 20)
    body = pl.Body(block.translated((0, 0, 0.1)), SOFT, damping=pl.Damping(stiffness=0.002))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.4))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision)
    sim.v = np.tile([1.0, 0.0, -3.0], (len(sim.x), 1))
    return sim


def crushed(precision):
    """A column that is pressed beyond where it buckles: negative curvature in some iterations."""
    column = pl.tet_grid((0.06, 0.06, 0.6), (2, 2, 10))
    press = pl.Hold(lambda X: X[:, 2] > 0.59, lambda X, t: X - np.array([0.002, 0.0, 0.1 * t]))
    body = pl.Body(column, SOFT, pinned=lambda X: X[:, 2] < 0.01, effects=[press])
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(0.2), precision=precision)


def buckling(solver):
    """A column of tets whose forces are found ahead of their matrix, pressed until steps are cut short and curvature negative."""
    column = pl.tet_grid((0.06, 0.06, 0.6), (2, 2, 10)).rotated((1, 2, 3), 1.0)
    press = pl.Hold(lambda X: X[:, 2] > 0.57, lambda X, t: X - np.array([0.002, 0.0, 0.3 * t]))
    law = pl.Corotated(young=2e4, poisson=0.4)
    body = pl.Body(column, law, pinned=lambda X: X[:, 2] < 0.02, effects=[press])
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(0.1, solver=solver))


def ran(make, precision, steps):
    sim = make(precision)
    reports = [sim.step() for _ in range(steps)]
    assert all(report.kept for report in reports), [report.why for report in reports if not report.kept]
    return sim.x, reports


@pytest.mark.parametrize(("make", "precision"), [(sliding, "f64"), (crushed, "f64"), (sliding, "f32")])
def test_one_call_is_as_many(make, precision, monkeypatch):
    others, direction = [], NewtonSystem.solve
    with monkeypatch.context() as patch:
        patch.setattr(NewtonSystem, "solve", lambda *given, **told: (others.append(1), direction(*given, **told))[1])
        x, reports = ran(make, precision, 12)
    assert bool(others) == (make is crushed)  # where curvature is negative, more is needed
    monkeypatch.setattr(Direction, "_fused", lambda self: None)
    expected, others = ran(make, precision, 12)
    for now, before in zip(reports, others):
        assert abs(now.iterations - before.iterations) <= 1
        assert all(now.seconds[part] > 0 for part in ("gradient", "matrix", "linear", "line search")), now.seconds
    assert np.abs(x - expected).max() <= (1e-6 if precision == "f64" else 1e-3) * np.abs(expected).max()


def test_most_iterations_are_one_call(monkeypatch):
    from pliant.runtime.launch_graph import Program

    calls, run = [], Program.run
    sim = sliding("f64")
    for _ in range(8):
        sim.step()
    monkeypatch.setattr(Program, "run", lambda self: (calls.append(1), run(self))[1])
    iterations = sum(sim.step().iterations for _ in range(5))
    assert len(calls) <= 5 * 10 + 2 * iterations, (len(calls), iterations)


@pytest.mark.parametrize("solver", [pl.Newton(), pl.Newton(iterations=2), pl.Newton(line_search=None, iterations=1)])
def test_what_is_found_ahead_of_a_matrix_is_of_its_place(solver, monkeypatch):
    """The same steps with forces and matrices that share nothing."""
    ahead, blocks = [], ElasticEnergy.blocks_ahead
    with monkeypatch.context() as patch:
        patch.setattr(ElasticEnergy, "blocks_ahead", lambda *given: (ahead.append(1), blocks(*given)))
        x, reports = ran(buckling, solver, 4)
    assert ahead
    monkeypatch.setattr(ElasticEnergy, "evaluate_ahead", ElasticEnergy.evaluate_with_gradient)
    monkeypatch.setattr(ElasticEnergy, "blocks_ahead", lambda self, x, pattern: self.blocks(x, pattern, project=False))
    expected, others = ran(buckling, solver, 4)
    assert [r.iterations for r in reports] == [r.iterations for r in others]
    assert np.abs(x - expected).max() <= 1e-7 * np.abs(expected).max()
