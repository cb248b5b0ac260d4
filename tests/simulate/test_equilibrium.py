"""Quasi-static steps that are too large are made in parts, so that averaged cells do not end folded; what is folded is told."""

import numpy as np
import pytest

import pliant as pl
from pliant.energy.capabilities import InversionPolicy
from pliant.simulate.step.equilibrium import _Path

LENGTH, WIDTH = 0.4, 0.1
SOLVERS = [pl.Mixed(), pl.Newton(linear=pl.linear.Direct())]


def squeezed(course=lambda t: t, law=None, by=0.3):
    """A bar of averaged cells between two plates on which it slides, squeezed ``by`` a part of its length at t = 1."""
    shape = pl.Lattice(pl.box((LENGTH, WIDTH, WIDTH)), spacing=WIDTH / 2, volume=pl.quadrature.Averaged())
    low = shape.rest.min(axis=0)

    def motion(X, t):
        moved = X.copy()
        moved[:, 0] = low[0] + (X[:, 0] - low[0]) * (1 - by * course(t))
        return moved

    ends = pl.Hold(lambda X: np.abs(X[:, 0]) > LENGTH / 2 - 1e-9, motion, by=pl.hold.Rigidly("x"))
    sides = [pl.Hold(lambda X, a=a: X[:, a] < low[a] + 1e-9, by=pl.hold.Rigidly("xyz"[a])) for a in (1, 2)]
    law = law or pl.NeoHookean(young=1e6, poisson=0.49)
    return pl.Scene([pl.Body(shape, law, effects=[ends, *sides])], gravity=(0, 0, 0))


def work_of_squeezing(law):
    """Energy [J] of the same bar stretched evenly, its sides free."""
    mu, lam = float(law.mu), float(law.lam)
    b = np.linspace(1.0, 1.4, 200001)  # stretch across, where it costs least
    J = 0.7 * b * b
    psi = 0.5 * mu * (0.49 + 2 * b * b - 3) - mu * np.log(J) + 0.5 * lam * np.log(J) ** 2
    return LENGTH * WIDTH**2 * psi.min()


@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
@pytest.mark.parametrize("course", [lambda t: t, lambda t: 1.0], ids=["moved", "jumped"])
def test_a_bar_squeezed_in_one_step_keeps_its_shape(solver, course):
    """In one solve both solvers find folded cells that look right at their points: of 300 and 429 J instead of 231."""
    sim = pl.Simulation(squeezed(course), pl.QuasiStatic(1.0, solver))
    report = sim.step()
    true = work_of_squeezing(sim.scene.bodies[0].material)
    assert report.converged and "in 2 parts" in report.why and "corners" in report.why
    assert sim.energies()["total"] == pytest.approx(true, rel=1e-6)
    assert all(count.sum() == 0 for count in sim.world.count_inverted(sim.state.x).values())


def test_steps_that_need_no_parts_take_none():
    sim = pl.Simulation(squeezed(), pl.QuasiStatic(0.25, pl.Mixed()))
    reports = [sim.step() for _ in range(4)]
    assert all(r.why == "converged" for r in reports)
    assert sim.energies()["total"] == pytest.approx(work_of_squeezing(sim.scene.bodies[0].material), rel=1e-6)


def test_loads_and_weight_are_reached_in_parts():
    """A quarter of the imbalance is taken away in each of four parts; in the end nothing is left of it."""
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1))
    load = pl.Load((0, 5.0, 0), lambda X: X[:, 0] > 0.4 - 1e-9)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5), pinned=lambda X: X[:, 0] < 1e-9, effects=[load])
    integrator = pl.QuasiStatic(1.0, pl.Newton(linear=pl.linear.Direct(), tolerance=1e-10))
    sims = [pl.Simulation(pl.Scene([body]), integrator) for _ in range(2)]
    assert sims[0].step().converged
    sim = sims[1]
    weight = sim.world["gravity"][0].forces.numpy().copy()
    path = _Path(sim.world, integrator, sim.state, sim.work, sim.state.remember(), sim.state.x)
    (report,), astray = path.follow(4, np.array([True]))
    assert report.converged and astray == [""]
    moved = np.abs(sims[0].x - mesh.vertices).max()
    assert moved > 0.01 and np.abs(sim.work["z"].numpy() - sims[0].x).max() < 1e-7 * moved
    assert np.array_equal(sim.world["gravity"][0].forces.numpy(), weight)


def test_a_step_that_fails_in_parts_too_leaves_everything_as_it_was():
    scene = squeezed(lambda t: 6 * t, pl.NeoHookean(young=1e6, poisson=0.4, extended_below=0.0))  # plates pass each other
    sim = pl.Simulation(scene, pl.QuasiStatic(1.0, SOLVERS[1]))
    report = sim.step()
    assert not report.kept and not report.converged
    assert np.array_equal(sim.x, scene.bodies[0].shape.rest) and sim.t == 0
    fresh = pl.Simulation(scene, pl.QuasiStatic(0.02, SOLVERS[1]))
    again = pl.Simulation(scene, pl.QuasiStatic(0.02, SOLVERS[1]))
    again.assign(sim.state.copy())
    assert fresh.step().kept and again.step().kept and np.array_equal(fresh.x, again.x)


def folded(law):
    """A block of averaged cells, one node of which was pushed through its cells."""
    shape = pl.Lattice(pl.box(0.2), spacing=0.1, volume=pl.quadrature.Averaged())
    body = pl.Body(shape, law, pinned=lambda X: X[:, 2] < -0.1 + 1e-9)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(1e-3, pl.Newton(linear=pl.linear.Direct())))
    x = sim.x
    x[np.argmin(np.abs(shape.rest).sum(axis=1))] += (0.18, 0, 0)
    sim.x = x
    return sim


def test_a_motion_passes_through_what_its_law_turns_back():
    sim = folded(pl.StableNeoHookean(young=1e4, poisson=0.45))
    first = sim.world.count_inverted(sim.state.x)
    assert first[InversionPolicy.AT_REST].sum() > 0 and first[InversionPolicy.REPORTED].sum() > 0
    report = sim.step()
    counts = sim.world.count_inverted(sim.state.x)
    points, corners = (int(counts[kind].sum()) for kind in (InversionPolicy.AT_REST, InversionPolicy.REPORTED))
    assert report.kept and f"{points} points and {corners} corners of averaged cells are inverted" in report.why
    for _ in range(300):
        report = sim.step()
        assert report.kept, report.why
        if report.why == "converged":
            break
    assert report.why == "converged" and all(c.sum() == 0 for c in sim.world.count_inverted(sim.state.x).values())


def test_no_motion_passes_through_a_barrier():
    report = folded(pl.NeoHookean(young=1e4, poisson=0.45, extended_below=0.0)).step()
    assert not report.kept


TIGHT = pl.QuasiNewton(tolerance=1e-7)


def test_scenes_of_a_batch_are_made_in_parts_each_by_itself():
    """The one that is squeezed far takes the end of the way in parts, its neighbours what they found in one."""
    scenes = [squeezed(by=0.02), squeezed(), squeezed(by=0.03)]
    batch = pl.Batch(scenes, pl.QuasiStatic(1.0, TIGHT))
    reports = batch.step()
    assert all(report.converged for report in reports), [report.why for report in reports]
    assert [" parts, since as one step " in report.why for report in reports] == [False, True, False]
    for one, x in zip(scenes, batch.x):
        alone = pl.Simulation(one, pl.QuasiStatic(1.0, TIGHT))
        report = alone.step()
        assert report.converged and np.abs(alone.x - x).max() < 1e-6 * LENGTH
    energies = [float(e) for e in batch._energies()["total"]]
    assert energies[1] == pytest.approx(work_of_squeezing(scenes[1].bodies[0].material), rel=1e-4)
    assert all(count.sum() == 0 for count in batch.world.count_inverted(batch.state.x).values())


def test_a_scene_of_a_batch_that_fails_in_parts_too_stays_where_it_was():
    far = squeezed(lambda t: 6 * t, pl.NeoHookean(young=1e6, poisson=0.4, extended_below=0.0))
    batch = pl.Batch([far, squeezed(by=0.02)], pl.QuasiStatic(1.0, pl.QuasiNewton(tolerance=1e-6)))
    reports = batch.step()
    assert [report.kept for report in reports] == [False, True]
    assert np.array_equal(batch.x[0], far.bodies[0].shape.rest)
    assert not np.array_equal(batch.x[1], far.bodies[0].shape.rest)


@pytest.mark.parametrize("many", [1, 2])
def test_a_budget_is_not_spent_on_parts(many):
    """It is a promise about the cost; the report says that a tolerance would do more."""
    scheme = pl.QuasiStatic(1.0, pl.QuasiNewton(iterations=100))
    scenes = [squeezed() for _ in range(many)]
    reports = pl.Batch(scenes, scheme).step() if many > 1 else [pl.Simulation(scenes[0], scheme).step()]
    for report in reports:
        assert report.kept and report.iterations <= 100 and not report.converged
        assert "a step with a budget is not split, unlike one with a tolerance" in report.why


def test_a_budget_that_ends_with_turned_points_fails_and_says_why():
    report = pl.Simulation(squeezed(), pl.QuasiStatic(1.0, pl.Newton(iterations=3, linear=pl.linear.Direct()))).step()
    assert not report.kept and "inverted" in report.why and "a step with a budget is not split" in report.why
