"""A step of one linear system."""

import numpy as np
import pytest

import pliant as pl
from pliant.solve.newton.hessian_choice import NewtonSystem
from pliant.solve.newton.linearly_implicit import _gradient
from pliant.solve.objective.report import Clock

MESH = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2))


def beam(solver, law, dt=1 / 60, precision="f64", **parts):
    body = pl.Body(MESH, law, pinned=lambda X: X[:, 0] < 1e-9, **parts)
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=dt, solver=solver), precision=precision)


def test_of_a_linear_law_it_is_the_whole_step():
    law = pl.LinearElastic(young=2e4, poisson=0.3, density=1000.0)
    one, many = beam(pl.solver.LinearlyImplicit(tolerance=1e-12), law), beam(pl.Newton(tolerance=1e-11), law)
    for _ in range(5):
        report = one.step()
        assert report.ok and report.converged and report.iterations == 1
        assert many.step().kept
    assert np.abs(many.x - many.world.rest).max() > 1e-3
    np.testing.assert_allclose(one.x, many.x, atol=1e-9 * 0.4)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_its_error_falls_with_the_step(precision):
    """Towards the same motion by small steps that converge; a step of one system is of first order, as implicit Euler is."""
    law = pl.Corotated(young=2e4, poisson=0.3, density=1000.0, tangent=pl.rotations.Warped())
    reference = beam(pl.Newton(), law, dt=1 / 960).run(0.1).positions[-1]
    errors = []
    for steps in (60, 240):
        sim = beam(pl.solver.LinearlyImplicit(tolerance=1e-3), law, dt=1 / steps, precision=precision)
        errors.append(np.abs(sim.run(0.1).positions[-1] - reference).max())
    assert errors[1] < 0.4 * errors[0] and errors[0] < 0.02


def test_it_comes_to_rest_where_newton_does():
    law = pl.StableNeoHookean(young=5e4, poisson=0.4, density=1000.0)
    heavy = {"damping": pl.Damping(mass=8.0)}
    places = [beam(solver, law, 1 / 60, **heavy).run(3.0).positions[-1] for solver in (pl.solver.LinearlyImplicit(), pl.Newton())]
    assert np.abs(places[0] - places[1]).max() < 1e-4


def test_a_state_that_is_broken_fails_and_is_not_kept():
    sim = beam(pl.solver.LinearlyImplicit(), pl.Ogden(young=2e4, poisson=0.3))
    x = sim.x
    x[:, 2] *= -1  # turns its tets over
    sim.x = x
    report = sim.step()
    assert not report.kept and "inverted" in report.why
    np.testing.assert_array_equal(sim.x, x)


def test_contact_whose_forces_are_found_is_refused():
    ball = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), pl.StableNeoHookean(young=2e4))
    contact = pl.Contact(response=pl.contact.Complementarity())
    scene = pl.Scene([ball], obstacles=[pl.plane(z=0.0)], contact=contact)
    with pytest.raises(pl.errors.InputError, match=r"expected Newton\(iterations=1\)"):
        pl.Simulation(scene, pl.ImplicitEuler(solver=pl.solver.LinearlyImplicit()))


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_body_that_flies_on_is_nearly_solved_where_it_starts(precision):
    """The way of the step before is the first guess: a body on its way needs no iteration, and the step is as good."""
    law = pl.Corotated(young=2e4, poisson=0.3, density=1000.0, tangent=pl.rotations.Warped())
    body = pl.Body(MESH, law, velocity=(0.3, 0.1, 0.5))
    scheme = pl.ImplicitEuler(solver=pl.solver.LinearlyImplicit(tolerance=1e-3))
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), scheme, precision=precision)
    spent = [sim.step().linear_iterations for _ in range(3)]
    assert spent == [0, 0, 0]
    way = 3 / 60 * np.array([0.3, 0.1, 0.5])
    np.testing.assert_allclose(sim.x - MESH.vertices, np.broadcast_to(way, MESH.vertices.shape), atol=2e-6)


def test_the_first_guess_changes_no_solution(monkeypatch):
    law = pl.LinearElastic(young=2e4, poisson=0.3, density=1000.0)
    one, other = (beam(pl.solver.LinearlyImplicit(tolerance=1e-11), law) for _ in range(2))
    monkeypatch.setattr(other.world.objective, "towards", lambda x, out: False)
    for _ in range(5):
        assert one.step().kept and other.step().kept
    assert np.abs(one.x - one.world.rest).max() > 1e-3
    np.testing.assert_allclose(one.x, other.x, atol=1e-10)


def test_where_the_matrix_is_indefinite_it_goes_where_newton_does():
    solver = pl.solver.LinearlyImplicit(tolerance=1e-8)
    sim = beam(solver, pl.Corotated(young=2e6, poisson=0.3, density=1.0))
    sim.step()
    objective = sim.world.objective
    x, g, d, other = objective.vectors.positions(), *(objective.vectors.new() for _ in range(3))
    x.assign(sim.world.rest * (1.0, 0.4, 0.4))  # pressed, so that rotations are unstable
    for _ in range(2):  # once as it is recorded, too
        _gradient(objective, x, g)
        clock = Clock("gradient", "matrix", "linear")
        turns = solver._direction(objective, x, g, d, None, clock)
        same, level, *_ = NewtonSystem(pl.solver.Adaptive(), solver.linear).solve(objective, x, g, other, 1e-8, clock)
        assert level > 0 and turns == same
        np.testing.assert_allclose(d.numpy(), other.numpy(), atol=1e-6 * np.abs(other.numpy()).max())
