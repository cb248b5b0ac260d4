"""A step that cannot be solved is made in halves: the same as steps of that length, with all that is driven in its place."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import LinearNDInterpolator

import pliant as pl
from pliant.bench.judge import Judge
from pliant.errors import InputError, StepError
from pliant.solve.newton.newton_solver import Newton
from pliant.solve.objective.report import Report

SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
DT = 1 / 60


def driven(integrator):
    """A bar that is swung at one end, above a plate that rises."""
    bar = pl.tet_grid((0.3, 0.06, 0.06), (5, 1, 1)).translated((0, 0, 0.05))
    swing = pl.Hold(lambda X: X[:, 0] < 1e-9, motion=lambda X, t: X + np.array([0, 0.02 * np.sin(20 * t), 0.5 * t**2]))
    rise = lambda t: np.block([[np.eye(3), np.array([[0], [0], [0.3 * t]])], [np.zeros(3), 1.0]])
    plate = pl.Obstacle(pl.box((1, 1, 0.1), (0, 0, -0.05)), motion=rise)
    scene = pl.Scene([pl.Body(bar, SOFT, effects=[swing])], [plate], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, integrator)


def fails_above(monkeypatch, sim, longest):
    """Newton's method fails in steps that last longer."""
    honest = Newton._minimise

    def minimise(self, objective, x):
        if sim.world.begun.lasts > longest * (1 + 1e-9):
            return Report(False, "too long", 7, 1.0, converged=False)
        return honest(self, objective, x)

    monkeypatch.setattr(Newton, "_minimise", minimise)


@pytest.mark.parametrize("parts", [2, 4, 16])
def test_sub_steps_are_the_steps_of_that_length(parts, monkeypatch):
    whole, fine = driven(pl.ImplicitEuler(DT)), driven(pl.ImplicitEuler(DT / parts))
    spent = 0
    for _ in range(3 * parts):
        report = fine.step()
        assert report.kept
        spent += report.iterations
    fails_above(monkeypatch, whole, DT / parts)
    reports = [whole.step() for _ in range(3)]
    assert all(r.kept and r.converged and r.splits == parts for r in reports)
    assert reports[0].why.startswith(f"split into {parts} steps: ")
    assert whole.x == pytest.approx(fine.x, abs=1e-12) and whole.v == pytest.approx(fine.v, abs=1e-9)
    assert whole.t == pytest.approx(fine.t) and whole.state.steps == 3
    assert sum(r.iterations for r in reports) == spent + 3 * 7 * (parts - 1)


def test_motion_and_error_are_those_of_the_whole_step(monkeypatch):
    """A body that flies off, with sub-steps that each leave an error: motions and errors add up, and are judged together."""
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), SOFT, velocity=(3.0, 0, 0))
    honest, errors = Newton._minimise, [1e-4, 2e-4, 4e-4, 1e-4]

    def after(errors):
        sim, left = pl.Simulation(pl.Scene([cube], gravity=(0, 0, 0)), pl.ImplicitEuler(DT)), iter(errors)

        def minimise(self, objective, x):
            if sim.world.begun.lasts > 1.001 * DT / 4:
                return Report(False, "too long", 7, 1.0, converged=False)
            error = next(left)
            why = f"{error:g} m left"
            return replace(honest(self, objective, x), error=error, converged=error == 0, residual=1e3 * error, why=why)

        with monkeypatch.context() as patched:
            patched.setattr(Newton, "_minimise", minimise)
            return sim.step()

    report = after(errors)
    assert report.kept and report.splits == 4 and report.motion == pytest.approx(3.0 * DT, rel=1e-9)
    assert report.allowed == pytest.approx(0.01 * report.motion) and report.error == pytest.approx(sum(errors))
    assert not report.ok and not report.converged and report.residual == pytest.approx(0.4) and "0.0004 m left" in report.why
    assert after([0.5e-4, 0, 1e-4, 0]).ok  # each within 1 % of its own motion, and all within that of the whole
    poor = after([2e-4, 0, 0, 0])  # beyond that of its own motion, not of the whole, but out of balance
    assert not poor.ok and poor.error < poor.allowed and poor.residual > 0.1
    good = after([0.0] * 4)
    assert good.ok and good.converged and good.error == 0 and good.motion == pytest.approx(3.0 * DT, rel=1e-9)


def test_bdf2_begins_the_halves_and_goes_on_after_them_with_steps_of_one_length(monkeypatch):
    """In free fall: implicit Euler and BDF2 of half the length, then BDF2 from where the whole step began and ended."""
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), SOFT)
    sim = pl.Simulation(pl.Scene([cube]), pl.BDF2(DT))
    for _ in range(3):
        assert sim.step().kept
    x, v = sim.x, sim.v
    fails_above(monkeypatch, sim, DT / 2)
    assert sim.step().splits == 2
    assert np.array_equal(sim.state.x_before.numpy(), x) and np.array_equal(sim.state.v_before.numpy(), v)
    h, g = DT / 2, np.array([0, 0, -9.81])
    euler, at = v + h * g, x + h * (v + h * g)  # the first half, and BDF2 from it
    target = (4 * at - x) / 3 + 8 * h / 9 * euler - 2 * h / 9 * v
    assert sim.x == pytest.approx(target + 4 * h**2 / 9 * g, abs=1e-10)
    monkeypatch.undo()
    before, now, speeds = x, sim.x, (v, sim.v)
    assert sim.step().splits == 0
    target = (4 * now - before) / 3 + 8 * DT / 9 * speeds[1] - 2 * DT / 9 * speeds[0]
    assert sim.x == pytest.approx(target + 4 * DT**2 / 9 * g, abs=1e-10)


def test_what_fails_in_halves_too_leaves_everything_as_it_was(monkeypatch):
    sim = driven(pl.ImplicitEuler(DT, splits=3))
    for _ in range(2):
        assert sim.step().kept
    x, v, t = sim.x, sim.v, sim.t
    other = pl.Simulation(sim.scene, sim.integrator)
    other.assign(sim.state.copy())
    fails_above(monkeypatch, sim, 1e-6)
    report = sim.step()
    assert not report.kept and not report.converged and not report.splits and report.iterations == 4 * 7
    assert report.why == "too long; split into steps of down to 0.0021 s: too long"
    assert np.array_equal(sim.x, x) and np.array_equal(sim.v, v) and sim.t == t and sim.state.steps == 2
    monkeypatch.undo()
    assert sim.step().kept and other.step().kept
    assert np.array_equal(sim.x, other.x)


def test_the_second_half_alone_may_fail(monkeypatch):
    """The state goes back to the beginning of the whole step, not to the middle."""
    sim = driven(pl.ImplicitEuler(DT, splits=1))
    assert sim.step().kept
    x, calls, honest = sim.x, [], Newton._minimise

    def minimise(self, objective, place):
        calls.append(sim.world.begun.time)
        return honest(self, objective, place) if len(calls) == 2 else Report(False, "no", 1, 1.0, converged=False)

    monkeypatch.setattr(Newton, "_minimise", minimise)
    assert not sim.step().kept and calls == pytest.approx([2 * DT, 1.5 * DT, 2 * DT])
    assert np.array_equal(sim.x, x) and sim.t == pytest.approx(DT)


def test_what_is_not_split(monkeypatch):
    """Nothing at splits=0, under a budget, or with schemes that carry more than positions and velocities along."""
    for integrator in (
        pl.ImplicitEuler(DT, splits=0), pl.ImplicitEuler(DT, pl.Newton(iterations=5)), pl.Newmark(DT)
    ):  # fmt: skip
        with monkeypatch.context() as patched:
            sim = driven(integrator)
            fails_above(patched, sim, 1e-6)
            report = sim.step()
            assert not report.kept and report.iterations == 7 and report.why == "too long"
    with pytest.raises(InputError, match=r"ImplicitEuler\(splits=…\).*whole number"):
        pl.ImplicitEuler(DT, splits=0.5)
    with pytest.raises(InputError, match=r"BDF2\(splits=…\).*whole number"):
        pl.BDF2(DT, splits=-1)


def test_derivatives_of_a_split_step_are_refused(monkeypatch):
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), SOFT, pinned=lambda X: X[:, 2] < 1e-9)
    sim = pl.Simulation(pl.Scene([cube]), pl.ImplicitEuler(DT))
    adjoint = pl.inverse.Adjoint(sim)
    fails_above(monkeypatch, sim, DT / 2)
    with pytest.raises(StepError, match="split into 2"):
        adjoint.gradient(2, lambda k, x, v: (0.0, None, None))


@pytest.mark.slow
def test_fast_sheets_stop_each_other():
    """At 20 m/s relative and 50 mm apart they would be past each other in a sixth of the step.

    Iterates of the whole step lead them around each other without a crossing, to where they fly freely: that is refused."""
    bodies = []
    for z, speed in ((0.0, 10.0), (0.05, -10.0)):
        mesh = pl.cloth_grid((0.2, 0.2), (12, 12), origin=(-0.1, -0.1, z))
        law = pl.Corotated(young=1e5, poisson=0.3, density=500.0)
        bodies.append(pl.Body(pl.Membrane(mesh, thickness=1e-3), law, velocity=(0, 0, speed)))
    scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=pl.Contact(response=pl.contact.Barrier()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(DT))
    report = sim.step()
    assert report.ok and report.error < 1e-5 and report.splits >= 2, report.why
    low, high = (body.x for body in sim.bodies)
    below = LinearNDInterpolator(low[:, :2], low[:, 2])(high[:, :2])
    middle = np.abs(mesh.vertices[:, :2]).max(axis=1) < 0.06  # they buckle and slip: borders fold around each other
    assert middle.sum() > 40 and np.all(high[middle, 2] > below[middle]) and report.worst_gap > 0
    assert Judge.of(sim).look(sim.x, (), sim.t).crossings == 0
    momentum = sim.world.mass @ sim.v
    assert np.abs(momentum).max() < 1e-3 * sim.world.mass.sum() * 10.0
