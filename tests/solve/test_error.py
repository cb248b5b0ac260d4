"""The error that a budget leaves: its estimate beside the converged step, and what is called ok."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl

LAW = pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000)
BEAM = pl.tet_grid((0.4, 0.05, 0.05), (12, 2, 2))
SOLVERS = {f"QuasiNewton {n}": pl.QuasiNewton(iterations=n) for n in (2, 5, 10, 20, 40)}
SOLVERS |= {f"Newton {n}": pl.Newton(iterations=n) for n in (1, 2)} | {"linearised": pl.solver.LinearlyImplicit()}


def held(X):
    return X[:, 0] < 1e-9


def beam(young: float = 1e5) -> pl.Scene:
    return pl.Scene([pl.Body(BEAM, replace(LAW, young=young), pinned=held)])


def dropped() -> pl.Scene:
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3), origin=(0, 0, 0.005)), replace(LAW, young=2e4))
    return pl.Scene([cube], [pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))


def piled() -> pl.Scene:
    size, law = (0.1, 0.1, 0.1), replace(LAW, young=2e4)
    cubes = [pl.Body(pl.tet_grid(size, (2, 2, 2), origin=(0.01 * i, 0, 0.005 + 0.11 * i)), law) for i in range(2)]
    return pl.Scene(cubes, [pl.plane(z=0.0)], contact=pl.Contact(friction=0.3, response=pl.contact.Penalty()))


SCENES = {"beam": (beam(), 3), "stiff beam": (beam(1e7), 3), "drop": (dropped(), 4), "pile": (piled(), 5)}


def stepped(scene: pl.Scene, solver, x, v):
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver))
    sim.x, sim.v = x, v
    return sim.step(), sim.x


@pytest.mark.parametrize("name", SCENES)
def test_what_is_ok_is_near_the_converged_step_and_what_is_not_is_named(name):
    """Every solver with a budget from the same state, against Newton's method to 1e-9."""
    scene, steps = SCENES[name]
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    for _ in range(steps):
        sim.step()
    x, v = sim.x, sim.v
    _, solution = stepped(scene, pl.Newton(tolerance=1e-9), x, v)
    said = []
    for solver in SOLVERS.values():
        report, reached = stepped(scene, solver, x, v)
        error = np.linalg.norm(reached - solution, axis=1).max()
        assert report.kept and report.motion == pytest.approx(np.linalg.norm(reached - x, axis=1).max(), rel=1e-6)
        small = report.error <= report.allowed and report.residual <= 0.1
        assert report.ok == (report.converged or small)
        assert report.ok or report.why.startswith("not converged: the error is about ")
        assert not report.ok or error <= 4 * report.allowed, (solver, error, report)
        assert error <= 0.02 * report.motion or not report.ok, (solver, error, report)
        said.append(report.ok)
    assert any(said) or name == "pile"
    assert not all(said)


def test_a_static_step_iterates_to_its_tolerance_unless_a_budget_is_given():
    """The tip of a cantilever: ten iterations leave more than half of its deflection."""
    tip = {}
    for name, solver in {
        "Newton": pl.Newton(),
        "quasi": pl.QuasiNewton(),
        "ten": pl.QuasiNewton(iterations=10),
    }.items():
        sim = pl.Simulation(beam(4e5), pl.QuasiStatic(1.0, solver))
        report = sim.step()
        tip[name] = sim.x[:, 2].min()
        assert report.ok == report.converged == (name != "ten")
    assert tip["quasi"] == pytest.approx(tip["Newton"], rel=1e-4) and tip["ten"] > 0.7 * tip["Newton"]


def test_a_batch_converges_by_default_and_in_statics():
    scenes = [beam(young) for young in (1e5, 4e5)]
    batch = pl.Batch(scenes)
    assert all(report.converged for report in batch.step())
    for i, scene in enumerate(scenes):
        alone = pl.Simulation(scene)
        alone.step()
        assert np.allclose(batch.x[i], alone.x, atol=1e-7)
    static = pl.Batch(scenes, pl.QuasiStatic(1.0, pl.QuasiNewton()))
    assert all(report.converged for report in static.step())


def test_a_run_says_how_many_steps_have_not_converged():
    sim = pl.Simulation(beam(1e7), pl.ImplicitEuler(1 / 60, pl.QuasiNewton(iterations=3)))
    run = sim.run(0.1)
    assert "6 of 6 steps not converged" in repr(run) and str(run.reports[0]).startswith("kept: not converged")
    assert "not converged" not in repr(pl.Simulation(beam(1e7)).run(0.1))


def test_a_body_at_rest_is_ok_though_next_to_nothing_moves():
    sim = pl.Simulation(dropped(), pl.ImplicitEuler(1 / 60, pl.QuasiNewton(iterations=20)))
    for _ in range(150):
        report = sim.step()
    assert report.ok and report.motion < 1e-3


@pytest.mark.parametrize("law", [pl.StVenantKirchhoff, pl.Corotated, pl.LinearElastic, pl.StableNeoHookean])
def test_inverted_elements_are_counted_for_every_law(law):
    """A cube with one corner pushed through it; the step is too short for the corner to come back."""
    grid = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2))
    sim = pl.Simulation(pl.Scene([pl.Body(grid, law(young=1e4, poisson=0.3, density=1000))]), pl.ImplicitEuler(1e-4))
    corner = np.linalg.norm(grid.vertices - [0.1, 0.1, 0.1], axis=1) < 1e-9
    sim.x = np.where(corner[:, None], 0.02, sim.x)
    report, x, X = sim.step(), sim.x, grid.vertices
    volume, rest = (np.linalg.det(at[grid.tets[:, 1:]] - at[grid.tets[:, :1]]) for at in (x, X))
    assert report.kept and report.inverted == (volume / rest <= 0).sum() > 0
    assert f"{report.inverted} points are inverted" in report.why
