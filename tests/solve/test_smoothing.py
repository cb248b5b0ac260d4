"""Sweeps over nodes at the ends of trial steps, where sheets buckle."""

import numpy as np
import pytest

import pliant as pl
from pliant.solve.search import smoothing
from pliant.solve.search.smoothing import Smoothing

LAW = pl.StableNeoHookean(young=1e6, poisson=0.3, density=500.0)


def _draped(nodes: int = 14, linear=None, **where) -> pl.Simulation:
    """A sheet above a ball, aligned with nothing."""
    flat = pl.cloth_grid((0.4, 0.4), (nodes - 1, nodes - 1)).translated((-0.2, -0.2, 0.0))
    body = pl.Body(pl.Membrane(flat.rotated((0, 0, 1), 22.0).translated((0.007, 0.002, 0.262)), thickness=5e-4), LAW)
    ball = pl.Obstacle(pl.sphere(0.1).translated((0, 0, 0.15)))
    scene = pl.Scene([body], [ball], contact=pl.Contact(friction=0.3, thickness=True, response=None))
    solver = pl.Newton(linear=linear or pl.linear.Direct())
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver=solver), **where)


def _held() -> pl.Simulation:
    """A sheet held at one edge, and out of shape."""
    flat = pl.cloth_grid((0.3, 0.2), (9, 6))
    body = pl.Body(pl.Membrane(flat, thickness=1e-3), LAW, effects=[pl.Hold(flat.vertices[:, 0] < 1e-9)])
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(1 / 60, solver=pl.Newton(linear=pl.linear.Direct())))
    rng = np.random.default_rng(3)
    sim.x = sim.x + 4e-3 * rng.normal(size=sim.x.shape) * (flat.vertices[:, :1] > 1e-9)
    return sim


@pytest.mark.parametrize("make", [_draped, _held], ids=["falling", "held"])
def test_sweeps_lower_the_energy_and_leave_held_nodes(make):
    sim = make()
    sim.step()
    objective, x = sim.world.objective, sim.state.x
    g = objective.vectors.new()
    before, start = x.numpy().copy(), objective.value(x)
    rng = np.random.default_rng(0)
    away = before + 2e-3 * rng.normal(size=before.shape)
    if make is _held:
        held = before[:, 0] < 1e-9
        away[held] = before[held]
    x.assign(away)
    crumpled = objective.value(x)
    value, _, residual = Smoothing(objective).look(x, g)
    assert start < value < 0.5 * crumpled
    assert value == pytest.approx(objective.value(x), rel=1e-12)
    fresh = objective.vectors.new()
    assert residual.value == pytest.approx(objective.residual(x, fresh).value, rel=1e-9)
    np.testing.assert_array_equal(fresh.numpy(), g.numpy())
    if make is _held:
        np.testing.assert_array_equal(x.numpy()[held], before[held])


def test_sweeps_that_lead_up_are_taken_back(monkeypatch):
    sim = _held()
    sim.step()
    objective, x = sim.world.objective, sim.state.x
    x.assign(x.numpy() + 2e-3 * np.sin(50 * x.numpy()[:, [2, 0, 1]]) * (x.numpy()[:, :1] > 1e-9))
    monkeypatch.setattr(smoothing, "DAMPING", 5.0)
    before, g, plain = x.numpy().copy(), objective.vectors.new(), objective.vectors.new()
    value, _, residual = Smoothing(objective).look(x, g)
    np.testing.assert_array_equal(x.numpy(), before)
    found = objective.value_and_residual(x, plain)
    assert (value, residual.value) == (found[0], found[2].value)
    np.testing.assert_array_equal(g.numpy(), plain.numpy())


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_buckling_sheet_takes_half_the_iterations(monkeypatch, precision):
    swept, plain = _draped(precision=precision), _draped(precision=precision)
    counts = [sum(swept.step().iterations for _ in range(24))]
    monkeypatch.setattr("pliant.solve.newton.newton_solver._NewtonLoop._folds", lambda *_: False)
    counts.append(sum(plain.step().iterations for _ in range(24)))
    assert counts[0] < 0.7 * counts[1], counts


def test_steps_end_within_the_tolerance():
    """Sweeps change the way to a minimum, not the minimum."""
    sim = _draped()
    for _ in range(20):
        report = sim.step()
        assert report.ok and report.converged, report.why
        assert report.residual <= 1e-7
    body = sim.bodies[0]
    depth = 0.1 - np.linalg.norm(body.x - (0, 0, 0.15), axis=1).min()
    assert depth < 1e-3
