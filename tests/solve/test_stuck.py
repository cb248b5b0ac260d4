"""Solves that lead nowhere: they find another way, or fail with a sentence that fits."""

from dataclasses import dataclass

import numpy as np
import pytest

import pliant as pl
from pliant.energy.obstacles.obstacle_energy import ObstacleContact
from pliant.linear.matrix.system import LinearResult
from pliant.solve.mixed.mixed_solver import _MixedLoop
from pliant.solve.objective.advice import advice, floating
from pliant.solve.objective.residual import Residual
from pliant.solve.search.stopping import LONG, Patience

CUBE = pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3))


def cube(law, **options):
    return pl.Body(CUBE, law, **options)


def volume_ratios(sim):
    return sim.world["elastic"][0].element_mean("volume ratio", sim.state.x)


@pytest.mark.parametrize("law", [pl.NeoHookean, pl.MooneyRivlin])
@pytest.mark.parametrize("seed", range(2))
def test_quasi_newton_recovers_from_random_vertices(law, seed):
    """Turned inside out, elements with log J are 10¹⁰ times as stiff as the matrix knows: only tiny steps descend at first."""
    body = cube(law(young=1e5, poisson=0.4), pinned=lambda X: X[:, 2] < 1e-9)
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(solver=pl.QuasiNewton()))
    x = np.random.default_rng(seed).uniform(-0.05, 0.15, CUBE.vertices.shape)
    sim.x = np.where(CUBE.vertices[:, 2:] < 1e-9, CUBE.vertices, x)
    assert volume_ratios(sim).min() < -10
    for _ in range(60):
        report = sim.step()
        assert report.kept and report.iterations > 0, report
    assert volume_ratios(sim).min() > 0


def test_quasi_newton_that_cannot_begin_has_failed():
    """With steps that may not be short enough nothing moves: that is no step."""
    solver = pl.QuasiNewton(line_search=pl.solver.Armijo(least=1e-5))
    sim = pl.Simulation(pl.Scene(cube(pl.NeoHookean(young=1e5, poisson=0.4))), pl.ImplicitEuler(solver=solver))
    sim.x = start = np.random.default_rng(0).uniform(-0.05, 0.15, CUBE.vertices.shape)
    report = sim.step()
    assert not report.kept and not report.converged and report.iterations == 0
    assert "lowers the energy" in report.why and "Newton()" in report.why
    assert np.array_equal(sim.x, start)


@pytest.mark.parametrize("linear", [pl.linear.PCG(), pl.linear.Direct()])
@pytest.mark.parametrize("young", [1e6, 1e8])
def test_stiff_bodies_fall_freely_in_single_precision(young, linear):
    """Positions far away have forces of rounding that exceed the weight, which must be felt all the same."""
    mesh = CUBE.translated((0, 0, -40))
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4))
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(solver=pl.Newton(linear=linear)), precision="f32")
    steps, h = 30, 1 / 60
    for _ in range(steps):
        report = sim.step()
        assert report.kept and report.iterations < 30, report
    fallen = mesh.vertices[:, 2].mean() - sim.x[:, 2].mean()
    assert fallen == pytest.approx(0.5 * 9.81 * h**2 * steps * (steps + 1), rel=2e-3)


SOLVERS = [pl.QuasiNewton(), pl.Newton(), pl.ProjectiveDynamics()]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_equilibrium_of_a_body_that_nothing_holds(solver):
    still = pl.Body(CUBE, pl.Arap(young=1e5), name="held", pinned=lambda X: X[:, 2] < 1e-9)
    bodies = [still, cube(pl.Arap(young=1e5), name="loose")]
    scene = pl.Scene(bodies, contact=pl.Contact(response=None))  # they are in one place
    sim = pl.Simulation(scene, pl.QuasiStatic(solver=solver))
    report = sim.step()
    assert not report.kept and "holds 'loose'" in report.why and "inertia" in report.why
    assert "holds 'held'" not in report.why
    assert np.array_equal(sim.x[len(CUBE.vertices) :], CUBE.vertices)


def test_bodies_that_slide_along_an_axis_float():
    def named(**options):
        scene = pl.Scene(cube(pl.Corotated(young=1e5), name="slider", **options))
        sim = pl.Simulation(scene, pl.QuasiStatic(solver=pl.Newton()))
        sim.world.still(sim.state.x, 0.0)
        return floating(sim.world.objective, sim.world.objective.laplacian(cut=False))

    def base(X):
        return X[:, 2] < 1e-9

    assert named() == named(effects=pl.Hold(base, by=pl.hold.Rigidly("xy"))) == "'slider'"
    assert named(pinned=base) == named(effects=[pl.Hold(base, by=pl.hold.Springs(1e-3))]) == ""


def test_advice_names_nothing_that_is_in_use():
    def given(law, precision, *ideas):
        sim = pl.Simulation(pl.Scene(cube(law)), precision=precision)
        sim.step()
        return advice(sim.world.objective, *ideas)

    safe, unsafe = pl.StableNeoHookean(young=1e5), pl.StVenantKirchhoff(young=1e5)
    assert given(safe, "f64") == "try a smaller dt"
    assert given(safe, "f64", "Newton()") == "try a smaller dt or Newton()"
    assert given(safe, "f32") == 'try a smaller dt or precision="f64"'
    assert "inversion-safe" in given(unsafe, "f64") and "f64" not in given(unsafe, "f64")
    damped = pl.Simulation(pl.Scene(cube(safe, damping=pl.Damping(viscosity=5.0))))
    damped.step()
    assert advice(damped.world.objective) == "try a smaller dt"


@pytest.mark.parametrize("linear, most, helps", [(pl.linear.PCG(iterations=1), 12, True), (pl.linear.PCG(), 2, False)])
def test_a_direct_solver_is_advised_where_it_helps(linear, most, helps, monkeypatch):
    """Systems that were left unsolved are the fault of their solver; a step of too few iterations fails with any."""
    monkeypatch.setattr(pl.Newton, "MOST", most)
    law = pl.StableNeoHookean(young=1e5)
    bar = pl.Body(pl.tet_grid((0.5, 0.05, 0.05), (10, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)
    report, direct = (
        pl.Simulation(pl.Scene(bar), pl.ImplicitEuler(0.1, pl.Newton(linear=way), splits=0)).step()
        for way in (linear, pl.linear.Direct())
    )
    assert not report.kept and direct.kept is helps
    assert ("try a smaller dt or Newton(linear=Direct())" in report.why) is helps, report.why
    assert "Direct" not in direct.why


def test_a_direct_solver_is_not_advised_where_it_is_refused(monkeypatch):
    monkeypatch.setattr(pl.Newton, "MOST", 2)
    law = pl.Dapd(young=1e5, tangent=pl.rotations.Exact())
    body = cube(law, pinned=lambda X: X[:, 2] < 1e-9)
    solver = pl.Newton(linear=pl.linear.GMRES(iterations=1), line_search=None)
    report = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(0.1, solver, splits=0)).step()
    assert not report.kept and "no convergence in 2 iterations" in report.why and "Direct" not in report.why


def test_newton_is_not_advised_to_a_batch():
    law = pl.StableNeoHookean(young=1e5)
    scene = pl.Scene(cube(law, pinned=lambda X: X[:, 2] < 1e-9))
    static = pl.QuasiStatic(solver=pl.QuasiNewton(tolerance=1e-300))
    for sim, helps in ((pl.Simulation(scene, static), True), (pl.Batch([scene, scene], static), False)):
        reports = sim.step()
        for report in reports if isinstance(reports, list) else [reports]:
            assert not report.kept and ("Newton()" in report.why) is helps, report.why


def test_circles_are_told_from_slow_progress():
    def after(residuals, values):
        patience, found = Patience("f64", 1e-7), []
        for r, value in zip(residuals, values):
            patience.spent(Residual(r, r))
            found.append(patience.circles(value, 1e-9))
        return found

    n = 2 * LONG
    assert after([0.1, 0.2] * LONG, [1.0] * n).index(True) == LONG
    assert not any(after([0.1, 0.2] * LONG, 1.0 - 1e-3 * np.arange(n)))
    assert not any(after(0.8 ** np.arange(n), [1.0] * n))


@pytest.mark.parametrize("cells", [1, 2])
@pytest.mark.parametrize("dt", [1 / 30, 1 / 60])
def test_nodes_that_stick_and_slip_in_turn_are_left_by_shorter_steps(cells, dt, monkeypatch):
    """A cube on a slope of 20°, steps taken whole: friction has one tangent below its limit and another beyond, and the
    iteration jumped from one to the other for ever. Where no node is carried past its place of rest, or the force at which it
    comes to rest is expected, it does not even begin."""
    angle = np.deg2rad(20)
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (cells,) * 3), pl.StableNeoHookean(young=1e4, poisson=0.4))
    slope = {"gravity": (9.81 * np.sin(angle), 0, -9.81 * np.cos(angle)), "contact": pl.Contact(friction=0.5)}
    scene = pl.Scene(body, obstacles=[pl.plane(z=0.0)], **slope)
    most = []
    for hints in ({}, {"learns": False}, {"stops": False, "learns": False}):
        for name, value in hints.items():
            monkeypatch.setattr(ObstacleContact, name, value)
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=dt, solver=pl.Newton(line_search=None)))
        reports = [sim.step() for _ in range(6)]
        assert all(report.kept and report.converged for report in reports), reports
        most.append(max(report.iterations for report in reports))
    assert max(most[:2]) < 2 * LONG < most[2]  # where it did go round


@dataclass(frozen=True)
class Careless:
    """A linear solver whose answers lead nowhere unless it is asked for good ones."""

    assembled = True

    def solve(self, system, b, x, tolerance):
        if tolerance <= 1e-8:
            return pl.linear.Direct().solve(system, b, x, tolerance)
        right = b.numpy()
        across = np.random.default_rng(0).normal(size=right.shape) * (right != 0)
        across -= right * np.sum(across * right) / np.sum(right**2)
        x.assign(across + 1e-14 * right)
        return LinearResult(1, 1.0)

    def operator(self, system):
        return pl.linear.Direct().operator(system)


def test_a_better_linear_solve_comes_before_giving_up():
    sim = pl.Simulation(
        pl.Scene(cube(pl.StableNeoHookean(young=1e5), pinned=lambda X: X[:, 2] < 1e-9)),
        pl.ImplicitEuler(solver=pl.Newton(linear=Careless())),
    )
    report = sim.step()
    assert report.kept and report.converged, report
    once = pl.Simulation(sim.scene, pl.ImplicitEuler(solver=pl.Newton(linear=Careless(), iterations=1))).step()
    assert not once.kept and "no decrease" in once.why  # there was no time for another


def test_a_mixed_solve_advises_what_it_does_not_do():
    lattice = pl.Lattice(pl.box((0.2, 0.1, 0.1)), spacing=0.05, volume=pl.quadrature.Averaged(incompressible=True))
    law = pl.StableNeoHookean(young=1e5, poisson=0.4)
    body = pl.Body(lattice, law, pinned=lambda X: X[:, 0] < -0.07)
    sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic(solver=pl.Mixed()))
    methods = pl.Mixed(order=1), pl.Mixed(order=2), pl.Mixed(order=2, definiteness="psd")
    objective = sim.world.objective
    whys = [advice(objective, *_MixedLoop(method, objective, sim.state.x).others()) for method in methods]
    assert whys == [
        "try a smaller dt, Mixed(order=2) or Mixed(definiteness='psd')",
        "try a smaller dt or Mixed(definiteness='psd')",
        "try a smaller dt",
    ]
