"""Scenes side by side move as they would alone."""

import numpy as np
import pytest

import pliant as pl

FLOOR = pl.plane(z=-0.02)


def scene(young=1e5, gravity=-9.81, cells=(6, 2, 2), law=pl.StableNeoHookean, **options):
    mesh = pl.tet_grid((0.3, 0.1, 0.1), cells)
    body = pl.Body(mesh, law(young=young, poisson=0.3), pinned=lambda X: X[:, 0] < 1e-9, **options)
    return pl.Scene(body, gravity=(0, 0, gravity), obstacles=[FLOOR])


SWEEP = [scene(), scene(young=3e4), scene(young=1e6, gravity=-2.0), scene(young=5e4, gravity=4.0)]


def alone(one, integrator, steps):
    sim = pl.Simulation(one, integrator)
    reports = [sim.step() for _ in range(steps)]
    return sim.x, reports[-1]


@pytest.mark.parametrize("scheme", [pl.ImplicitEuler, pl.BDF2, pl.Newmark])
@pytest.mark.parametrize("window", [0, 5])
def test_each_scene_moves_as_if_alone(scheme, window):
    integrator = scheme(dt=1 / 60, solver=pl.QuasiNewton(iterations=8, window=window))
    batch = pl.Batch(SWEEP, integrator)
    for _ in range(6):
        reports = batch.step()
    assert batch.x.shape == (4, len(SWEEP[0].bodies[0].shape.rest), 3)
    for i, one in enumerate(SWEEP):
        x, report = alone(one, integrator, 6)
        assert np.abs(batch.x[i] - x).max() < 1e-9  # one factor for all has another elimination order than each alone
        assert reports[i].iterations == report.iterations
        assert reports[i].residual == pytest.approx(report.residual, rel=1e-6)


@pytest.mark.parametrize("precision, first, later", [("f64", 1e-15, 1e-11), ("f32", 1e-6, 1e-5)])
def test_scenes_of_two_bodies_differ_from_those_alone_by_rounding(precision, first, later):
    """Sums over a scene are made in another order, and what a solve leaves over depends on them."""
    integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-9 if precision == "f64" else 1e-5))
    pairs = []
    for young in (3e4, 1e5, 4e5):
        other = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0.5, 0.0, 0.1))
        bodies = [scene(young=young).bodies[0], pl.Body(other, pl.Corotated(young=young))]
        pairs.append(pl.Scene(bodies, obstacles=[FLOOR]))
    batch = pl.Batch(pairs, integrator, precision=precision)
    sims = [pl.Simulation(pair, integrator, precision=precision) for pair in pairs]
    for limit in (first, later, later, later):
        batch.step()
        for i, sim in enumerate(sims):
            sim.step()
            assert np.abs(batch.x[i] - sim.x).max() <= limit  # of 0.6 m


def test_a_scene_whose_step_fails_says_that_it_is_not_split(monkeypatch):
    monkeypatch.setattr(pl.QuasiNewton, "MOST", 6)
    solver = pl.QuasiNewton(tolerance=1e-6)
    scenes = [scene(young=1e5), scene(young=1e5, gravity=0.0)]
    for splits, says in ((4, True), (0, False)):
        batch = pl.Batch(scenes, pl.ImplicitEuler(dt=1 / 60, solver=solver, splits=splits))
        failed, kept = batch.step()
        assert not failed.kept and kept.kept and not failed.splits
        assert ("a Batch does not split steps" in failed.why) is says, failed.why
        assert "not split" not in kept.why
        assert np.array_equal(batch.x[0], batch.world.rest[: len(batch.x[0])])
    alone = pl.Simulation(scenes[0], pl.ImplicitEuler(dt=1 / 60, solver=solver)).step()
    assert "split into" in alone.why


def test_scenes_of_different_size_law_and_damping():
    cloth = pl.Membrane(pl.cloth_grid((0.2, 0.2), (4, 4), origin=(0, 0, 0.1)), thickness=1e-3)
    mixed = [
        scene(cells=(4, 1, 1), damping=pl.Damping(stiffness=0.01)),
        scene(law=pl.NeoHookean, damping=pl.Damping(mass=2.0, viscosity=1.0)),
        scene(young=2e4, damping=pl.Damping(stiffness=0.01)),
        pl.Scene([pl.Body(cloth, pl.Corotated(young=1e5), pinned=[0, 4])], obstacles=[FLOOR]),
    ]
    integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-9))
    batch = pl.Batch(mixed, integrator)
    for _ in range(4):
        assert all(report.converged for report in batch.step())
    for i, one in enumerate(mixed):
        assert np.abs(batch.x[i] - alone(one, integrator, 4)[0]).max() < 1e-7


def test_a_scene_that_fails_stays_and_the_others_go_on():
    batch = pl.Batch([scene(), scene()], pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton()))
    mad = batch.v
    mad[0, 5:] = 1e200  # squares of it are beyond numbers
    batch.v = mad
    before = batch.x
    first, second = batch.step()
    assert not first.kept and "not finite" in first.why and second.kept
    assert np.array_equal(batch.x[0], before[0]) and not np.array_equal(batch.x[1], before[1])


def test_reset_and_assignment():
    batch = pl.Batch(SWEEP)
    start = batch.x
    batch.step()
    moved = batch.v
    assert np.abs(moved).max() > 0 and not np.array_equal(batch.x, start)
    batch.reset()
    assert np.array_equal(batch.x, start) and batch.t == 0.0 and not batch.v.any()
    batch.v = moved
    assert np.array_equal(batch.v, moved)
    with pytest.raises(pl.errors.InputError, match=r"expected finite \(n, 3\)"):
        batch.x = start[:2]


def test_what_cannot_be_batched_is_said():
    with pytest.raises(pl.errors.InputError, match="scene 1 has other obstacles"):
        pl.Batch([SWEEP[0], pl.Scene(SWEEP[0].bodies)])
    with pytest.raises(pl.errors.InputError, match="one scene at a time"):
        pl.Batch(SWEEP, pl.ImplicitEuler(solver=pl.Newton()))
    with pytest.raises(pl.errors.InputError, match="expected a list"):
        pl.Batch([])


def test_projective_dynamics_in_a_batch():
    shape = SWEEP[0].bodies[0].shape
    scenes = [pl.Scene(pl.Body(shape, pl.Arap(young=young), pinned=[0, 1, 2])) for young in (1e5, 3e4)]
    integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.ProjectiveDynamics(iterations=5))
    batch = pl.Batch(scenes, integrator)
    for _ in range(4):
        reports = batch.step()
    for i, one in enumerate(scenes):
        x, report = alone(one, integrator, 4)
        assert np.abs(batch.x[i] - x).max() < 1e-12 and reports[i].residual == pytest.approx(report.residual, rel=1e-6)


def test_runs_of_a_batch_are_those_of_its_scenes():
    integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-10))
    runs = pl.Batch(SWEEP[:2], integrator).run(0.1, frames_per_second=30)
    for one, run in zip(SWEEP, runs):
        expected = pl.Simulation(one, integrator).run(0.1, frames_per_second=30)
        assert np.allclose(run.times, expected.times) and len(run.reports) == 6
        assert np.abs(run.positions - expected.positions).max() < 1e-8
        assert run.energies.keys() == expected.energies.keys()
        for name, values in expected.energies.items():
            assert np.allclose(run.energies[name], values, atol=1e-8), name
        assert np.allclose(run.fields["stress"], expected.fields["stress"], rtol=1e-4, atol=1.0)
    both = runs[0].beside(runs[1], (0, 0.2, 0))
    assert len(both.skins) == 2 and len(both.rest) == 2 * len(runs[0].rest)
    with pytest.raises(pl.errors.InputError, match="positive number of seconds"):
        pl.Batch(SWEEP[:1]).run(0)
