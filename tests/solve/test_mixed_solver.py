"""Positions and pressures together: the same answers as Newton's method, in few steps, for any incompressibility."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh

import pliant as pl
from pliant.solve.mixed.mixed_system import MixedSystem

LENGTH, WIDTH = 9 / 32, 3 / 32  # [m], of whole cells of 1/32 m
LAW = pl.NeoHookean(young=2e5, poisson=0.498)


def bar(law=LAW, h=1 / 32, volume=None, load=20.0, rule=None, **options) -> pl.Scene:
    """A bar held at x = 0, pulled down at its end [N]."""
    shape = pl.Lattice(
        pl.box((LENGTH, WIDTH, WIDTH), (LENGTH / 2, WIDTH / 2, WIDTH / 2)),
        h,
        rule,
        volume=volume or pl.quadrature.Averaged(),
    )
    loads = [pl.Load((0, 0, -load), where=lambda X: X[:, 0] > LENGTH - 1e-9)] if load else []
    options = {"pinned": lambda X: X[:, 0] < 1e-9} | options
    return pl.Scene(pl.Body(shape, law, **{"effects": loads} | options), gravity=(0, 0, 0))


def ball(law=LAW, h=0.03, **options) -> pl.Scene:
    """A ball whose lower part is held and whose upper part is pulled aside: cut cells all around."""
    shape = pl.Lattice(pl.sphere(0.05), h, volume=pl.quadrature.Averaged(**options), origin=(0.003, 0.001, 0.002))
    loads = [pl.Load((2.0, 0, 0), where=lambda X: X[:, 2] > 0.02)]
    return pl.Scene(pl.Body(shape, law, effects=loads, pinned=lambda X: X[:, 2] < -0.02), gravity=(0, 0, 0))


def settled(scene: pl.Scene, solver, precision: str = "f64") -> tuple[pl.Simulation, pl.extend.Report]:
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=solver), precision=precision)
    report = sim.step()
    assert report.kept, report.why
    return sim, report


def mixed_system(sim: pl.Simulation, method: pl.Mixed) -> MixedSystem:
    system = method.system(sim.world.objective)
    system.refresh()
    return system


def volumes(sim: pl.Simulation) -> np.ndarray:
    """(m,) J of each cell."""
    cells = sim.scene.bodies[0].shape
    F = np.einsum("mki,mqkj->mqij", sim.x[cells.nodes], cells.gradients)
    return (np.linalg.det(F) * cells.weights).sum(axis=1) / cells.volumes


@pytest.mark.parametrize("aggregate", [False, True])
def test_forces_and_tangent_are_derivatives(aggregate):
    """∂Ê/∂x and ∂Ê/∂p by differences of Ê (Eq 7), and K₂ by differences of those (Eq 12)."""
    sim = pl.Simulation(ball(aggregate=aggregate), pl.QuasiStatic(dt=1.0))
    system = mixed_system(sim, pl.Mixed(alpha=3e6))
    objective, device = sim.world.objective, sim.device
    random = np.random.default_rng(0)
    free = objective.moves
    x = sim.x + 1e-3 * free * random.standard_normal(sim.x.shape)
    p, d, dp = (
        1e-3 * random.standard_normal(system.count),
        free * random.standard_normal(x.shape),
        random.standard_normal(system.count),
    )
    kappa, W = float(LAW.lam), sim.scene.bodies[0].shape.volumes

    def energy(x, p):
        at = device.array(x, device.types.vec3)
        own = sum(e.value(at) for e in objective.energies if e.name != "volume")
        s = system.alpha * p
        return own + np.sum(W * (s * system.means(at).numpy() - s * s / (2 * kappa)))

    def forces(x, p):
        g = system.pairs.new()
        system.s.assign(system.alpha * p)
        system.forces(device.array(x, device.types.vec3), g)
        return g.x.numpy().copy(), g.p.numpy().copy()

    gx, gp = forces(x, p)
    step = 1e-6
    for direction, change in (((d, 0 * dp), np.sum(gx * d)), ((0 * d, dp), np.sum(gp * dp))):
        ahead, behind = (energy(x + sign * step * direction[0], p + sign * step * direction[1]) for sign in (1, -1))
        assert (ahead - behind) / (2 * step) == pytest.approx(change, rel=1e-5)
    u, out = system.pairs.new(), system.pairs.new()
    u.x.assign(d)
    u.p.assign(dp)
    system.s.assign(system.alpha * p)
    system.saddle(device.array(x, device.types.vec3), "none").apply(u, out)
    step = 1e-7
    ahead, behind = forces(x + step * d, p + step * dp), forces(x - step * d, p - step * dp)
    for mine, a, b in zip((out.x.numpy(), out.p.numpy()), ahead, behind, strict=True):
        expected = (a - b) / (2 * step)
        np.testing.assert_allclose(mine, expected, atol=1e-5 * np.abs(expected).max())


def _methods(cut: bool):
    yield pl.Mixed(tolerance=1e-9)
    yield pl.Mixed(tolerance=1e-9, definiteness="psd")
    if not cut:
        yield pl.Mixed(tolerance=1e-8, order=1)
        yield pl.Mixed(tolerance=1e-8, linear=pl.linear.SQMR(preconditioner=None))


@pytest.mark.parametrize("make", [bar, ball])
def test_saddle_point_is_the_minimum_of_the_energy(make):
    """As Newton's method finds it; K₂, the definite tangent, K₁ and the plain linear solver all get there."""
    reference, _ = settled(make(), pl.Newton(linear=pl.linear.Direct(), tolerance=1e-9))
    size = np.abs(reference.x - reference.world.rest).max()
    for method in _methods(cut=make is ball):
        sim, report = settled(make(), method)
        assert report.converged and np.abs(sim.x - reference.x).max() <= 1e-6 * size, method
        s = mixed_system(sim, method).s.numpy()
        M = mixed_system(sim, method).means(sim.state.x).numpy()
        assert np.abs(s - float(LAW.lam) * M).max() <= 1e-4 * np.abs(s).max()


def test_defect_correction_on_cut_cells():
    """K₁ is slow where cells hold little material, but five steps bring the surface near; counting whole cells is worse."""
    scene = replace(ball(h=0.02), gravity=(200.0, 0.0, 0.0))
    scene = replace(scene, bodies=(replace(scene.bodies[0], effects=()),))
    reference, exact = settled(scene, pl.Mixed())
    there, X = reference.bodies[0].surface, scene.bodies[0].shape.surface.vertices
    off = {}
    for weights in ("filled", "half", "whole"):
        sim, report = settled(scene, pl.Mixed(order=1, weights=weights, iterations=5))
        off[weights] = np.abs(sim.bodies[0].surface - there).max() / np.abs(there - X).max()
        assert not report.converged
    assert exact.iterations <= 6
    assert off["filled"] < 0.03 and off["filled"] < off["half"] < off["whole"]


def test_alpha_changes_nothing_but_the_way():
    alone = pl.linear.SQMR(preconditioner=None, iterations=5000)
    found = [settled(bar(), pl.Mixed(tolerance=1e-9, alpha=alpha, linear=alone)) for alpha in (None, 1e5, 3e7)]
    for sim, _ in found[1:]:
        np.testing.assert_allclose(sim.x, found[0][0].x, atol=1e-8)
    assert len({report.linear_iterations for _, report in found}) == 3
    block = [settled(bar(), pl.Mixed(alpha=alpha))[1] for alpha in (None, 1e5)]
    assert block[0].linear_iterations == pytest.approx(block[1].linear_iterations, abs=3)


def krylov(scene: pl.Scene, linear: pl.linear.SQMR, order: int = 2, tolerance: float = 1e-6) -> int:
    """Iterations of the first linear system, by a factor of ``tolerance``."""
    method = pl.Mixed(order=order, linear=linear)
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=method))
    sim.world.still(sim.state.x, 1.0)
    system = mixed_system(sim, method)
    g, d = system.pairs.new(), system.pairs.new()
    system.forces(sim.state.x, g)
    return linear.solve(system.saddle(sim.state.x, "none"), g, d, tolerance).iterations


@pytest.mark.parametrize("order", [1, 2])
def test_iterations_hardly_depend_on_incompressibility(order):
    counts = [krylov(bar(replace(LAW, poisson=nu)), pl.linear.SQMR(), order) for nu in (0.3, 0.49, 0.49999)]
    counts.append(krylov(bar(volume=pl.quadrature.Averaged(incompressible=True)), pl.linear.SQMR(), order))
    assert max(counts) <= 1.5 * min(counts) and max(counts) <= 90


def test_iterations_hardly_depend_on_the_number_of_cells():
    """A cube of 6³ and of 12³ cells; without the preconditioner there are more at the start."""

    def cube(n):
        shape = pl.Lattice(pl.box((0.125, 0.125, 0.125), (0.0625, 0.0625, 0.0625)), 0.125 / n, volume=pl.quadrature.Averaged())
        loads = [pl.Load((0, 0, -20.0), where=lambda X: X[:, 0] > 0.125 - 1e-9)]
        return pl.Scene(pl.Body(shape, LAW, pinned=lambda X: X[:, 0] < 1e-9, effects=loads), gravity=(0, 0, 0))

    counts = [krylov(cube(n), pl.linear.SQMR()) for n in (6, 12)]
    assert counts[1] <= 1.25 * counts[0] and counts[1] <= 80
    assert krylov(cube(6), pl.linear.SQMR(preconditioner=None)) > 2 * counts[0]


@pytest.mark.parametrize("make", [lambda: bar(replace(LAW, poisson=0.4999)), lambda: ball(replace(LAW, poisson=0.4999), 0.0175)])
def test_the_cells_factor_is_like_their_schur_complement(make):
    """Eigenvalues of Ŝ⁻¹S, S = B A⁻¹ Bᵀ + W/κ, stay within fixed bounds; those of the volumes over μ do not."""
    sim, method = pl.Simulation(make(), pl.QuasiStatic(dt=1.0)), pl.Mixed()
    system = mixed_system(sim, method)
    operator, u, v = system.saddle(sim.state.x, "none"), system.pairs.new(), system.pairs.new()
    n = 3 * sim.world.count
    K = np.zeros((n + system.count, n + system.count))
    for i, unit in enumerate(np.eye(n + system.count)):
        u.x.assign(unit[:n].reshape(-1, 3))
        u.p.assign(unit[n:])
        operator.apply(u, v)
        K[:, i] = np.concatenate([v.x.numpy().ravel(), v.p.numpy()])
    free = sim.world.objective.moves.ravel()
    A, B = K[:n, :n][np.ix_(free, free)], K[n:, :n][:, free]
    S = B @ np.linalg.solve(A, B.T) - K[n:, n:]
    schur = system.alpha**2 * system._coupling().schur(system._matrix().diagonal(), sim.world.objective.moves).toarray()
    least, *_, most = eigh(S, schur, eigvals_only=True)
    assert least > 0.4 and most < 4.5
    W = np.diag(system.alpha**2 * system._volume / system._stiffness)
    assert eigh(S, W, eigvals_only=True)[0] < 0.25


TURN = np.deg2rad(120)


def stretched(X, t):
    return X * [1 + t, 1, 1]


def squeezed(X, t):
    return X * [1 - 0.5 * t, 1, 1]


def bent(X, t):
    """The far end follows an arc of the bar's length."""
    a = max(TURN * t, 1e-6)
    radius, middle = LENGTH / a, WIDTH / 2
    c, s = np.cos(a * X[:, 0] / LENGTH), np.sin(a * X[:, 0] / LENGTH)
    z = X[:, 2] - middle
    return np.column_stack([(radius - z) * s, X[:, 1], middle + radius - (radius - z) * c])


@pytest.mark.parametrize("motion", [stretched, squeezed, bent])
@pytest.mark.parametrize("order", [1, 2])
def test_large_loads_in_one_step(motion, order):
    """Twice as long, half as long, bent by 120°: in one quasi-static step each, from the rest position."""
    ends = pl.Hold(lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > LENGTH - 1e-9), motion=motion)
    scene = bar(load=0, pinned=None, effects=ends)
    sim, report = settled(scene, pl.Mixed(order=order, tolerance=1e-7 if order == 2 else 1e-4))
    assert report.converged and report.iterations <= (15 if order == 2 else 40)
    assert volumes(sim).min() > 0.9 and volumes(sim).max() < 1.1


def test_incompressible():
    """κ = ∞: every cell keeps its measure, the answer is the limit of nearly incompressible ones, and others decline."""
    mu = float(LAW.mu)
    sim, report = settled(bar(volume=pl.quadrature.Averaged(incompressible=True)), pl.Mixed())
    assert report.converged and np.abs(mixed_system(sim, pl.Mixed()).means(sim.state.x).numpy()).max() < 1e-7
    near, _ = settled(bar(pl.NeoHookean.from_lame(mu, 1e6 * mu)), pl.Mixed())
    np.testing.assert_allclose(sim.x, near.x, atol=1e-6)
    assert sim.energies()["volume"] == 0
    with pytest.raises(pl.errors.InputError, match=r"expected the solver Mixed\(\)"):
        pl.Simulation(bar(volume=pl.quadrature.Averaged(incompressible=True)), pl.QuasiStatic(dt=1.0, solver=pl.Newton())).step()


def test_few_steps_where_newton_needs_many():
    """At ν = 0.4999 the stiff energy makes Newton's method creep; with pressures of their own it does not."""
    law = replace(LAW, poisson=0.4999)
    _, slow = settled(bar(law, load=80.0), pl.Newton(linear=pl.linear.Direct()))
    _, fast = settled(bar(law, load=80.0), pl.Mixed())
    assert fast.iterations <= 15 and slow.iterations > 4 * fast.iterations


def test_single_precision():
    law = replace(LAW, poisson=0.4999)
    double, single = (settled(bar(law), pl.Mixed(), precision)[0] for precision in ("f64", "f32"))
    assert np.abs(single.x - double.x).max() < 1e-3 * np.abs(double.x - double.world.rest).max()


@pytest.mark.parametrize("order", [1, 2])
def test_one_point_cells(order):
    """Centre() brings its own stabilisation, which is then part of K."""
    reference, _ = settled(bar(rule=pl.quadrature.Centre()), pl.Newton(linear=pl.linear.Direct(), tolerance=1e-9))
    sim, report = settled(bar(rule=pl.quadrature.Centre()), pl.Mixed(tolerance=1e-9, order=order))
    assert report.iterations <= 10
    np.testing.assert_allclose(sim.x, reference.x, atol=1e-8)


def test_pressures_are_kept_and_follow_the_material():
    sim, report = settled(bar(), pl.Mixed())
    assert report.iterations > 2
    again = sim.step()
    assert again.kept and again.iterations == 0
    sim.set(young=4e5)
    assert sim.step().iterations > 0
    other, _ = settled(bar(pl.NeoHookean(young=4e5, poisson=0.498)), pl.Mixed())
    np.testing.assert_allclose(sim.x, other.x, atol=1e-7)


def swing(solver, damping: float):
    scene = replace(bar(load=0, damping=pl.Damping(stiffness=damping)), gravity=(0, 0, -9.81))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver))
    reports = [sim.step() for _ in range(8)]
    assert all(report.kept for report in reports)
    return sim


def test_dynamics_with_damping_are_those_of_newton():
    """Implicit Euler with Rayleigh damping (Eq 14–17 with the 1/Δt that is missing there)."""
    for damping in (0.0, 0.01):
        mixed, newton = (
            swing(s, damping) for s in (pl.Mixed(tolerance=1e-9), pl.Newton(linear=pl.linear.Direct(), tolerance=1e-9))
        )
        np.testing.assert_allclose(mixed.x, newton.x, atol=1e-8)
        np.testing.assert_allclose(mixed.v, newton.v, atol=1e-6)
    calm, lively = swing(pl.Mixed(), 0.03), swing(pl.Mixed(), 0.0)
    assert calm.energies()["total"] < lively.energies()["total"]


def test_bodies_side_by_side():
    """Two of one law and one of another, that share nothing: each as if it were alone."""
    alone, _ = settled(bar(), pl.Mixed(tolerance=1e-9))
    bodies = [bar().bodies[0], bar(replace(LAW, young=3e5)).bodies[0], ball().bodies[0]]
    apart = pl.Contact(response=None)  # they are in one place
    together, report = settled(pl.Scene(bodies, gravity=(0, 0, 0), contact=apart), pl.Mixed(tolerance=1e-9))
    assert report.converged
    np.testing.assert_allclose(together.bodies[0].x, alone.bodies[0].x, atol=1e-7)


def test_full_steps_without_line_search():
    """The paper's way, with 150 iterations each and no preconditioner: near the answer of a gentle load after five steps."""
    reference, _ = settled(bar(load=2.0), pl.Mixed(tolerance=1e-9))
    paper = pl.Mixed(
        iterations=5,
        order=1,
        definiteness="paper",
        line_search=None,
        linear=pl.linear.SQMR(iterations=150, preconditioner=None),
    )
    sim, report = settled(bar(load=2.0), paper)
    assert report.iterations == 5 and not report.converged
    size = np.abs(reference.x - reference.world.rest).max()
    assert np.abs(sim.x - reference.x).max() < 0.1 * size


def _points() -> pl.Lattice:
    return pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05)


REFUSED = {
    "no averaged volume": (pl.Scene(pl.Body(_points(), LAW)), "expected Lattice(…, volume=Averaged()), or use Newton()"),
    "some points, some cells": (
        pl.Scene([pl.Body(_points(), LAW), bar().bodies[0]]), "give the others volume=Averaged() as well"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_what_it_cannot_solve(case):
    scene, said = REFUSED[case]
    with pytest.raises(pl.errors.InputError) as error:
        pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=pl.Mixed())).step()
    assert said in str(error.value)


BAD = {
    "tolerance": ({"tolerance": 2.0}, "number between 0 and 1"),
    "iterations": ({"iterations": 0}, "whole number from 1 to 100000"),
    "order": ({"order": 3}, "expected 1 or 2"),
    "weights": ({"weights": "some"}, "'filled' or 'half' or 'whole'"),
    "definiteness": ({"definiteness": "all"}, "'adaptive' or 'none' or 'paper' or 'psd'"),
    "linear": ({"linear": pl.linear.PCG()}, "expected SQMR()"),
    "alpha": ({"alpha": -1.0}, "positive number of Pa/m"),
    "line search": ({"line_search": "armijo"}, "expected Armijo() or None"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case):
    options, said = BAD[case]
    with pytest.raises(pl.errors.InputError) as error:
        pl.Mixed(**options)
    assert said in str(error.value)


def test_checkpoints_go_on(tmp_path):
    """The solver with its options is part of a checkpoint."""
    shape = pl.Lattice(pl.sphere(0.1), 0.05, volume=pl.quadrature.Averaged())
    body = pl.Body(shape, pl.NeoHookean(young=1e4, poisson=0.49), pinned=lambda X: X[:, 2] > 0.05)
    solver = pl.Mixed(linear=pl.linear.SQMR(iterations=500, preconditioner=pl.linear.Block()))
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(1 / 60, solver))
    assert sim.step().kept
    sim.save(tmp_path / "ball.npz")
    again = pl.Simulation.load(tmp_path / "ball.npz")
    assert again.integrator.solver == solver
    assert sim.step().kept and again.step().kept and np.abs(sim.x - again.x).max() < 1e-7


BESIDE = {
    "NeoHookean + Fibres": lambda law: law + pl.laws.Fibres(stiffness=2e5, direction=(1, 0, 1)),
    "NeoHookean + Muscle": lambda law: law + pl.laws.Muscle(peak_stress=5e4, activation=0.5, direction=(1, 0, 0)),
    "Ogden": lambda law: pl.Ogden(young=law.young, poisson=law.poisson),
    "ValanisLandel": lambda law: pl.ValanisLandel.neo_hookean_like(float(law.young), float(law.poisson)),
}


@pytest.mark.parametrize("name", BESIDE)
def test_sums_and_splines_settle_where_newton_does(name):
    law = BESIDE[name](LAW)
    mixed, report = settled(bar(law), pl.Mixed())
    newton, _ = settled(bar(law), pl.Newton(linear=pl.linear.Direct(), tolerance=1e-9))
    assert report.converged and report.iterations <= 15
    moved = np.abs(newton.x - newton.scene.bodies[0].shape.rest).max()
    assert moved > 1e-3 and np.abs(mixed.x - newton.x).max() < 1e-4 * moved
    assert np.abs(volumes(mixed) - 1).max() < 0.02


def test_pressures_of_an_incompressible_body_are_seen():
    """They are what is solved for, and near those of a body that nearly keeps its volume."""
    rigid, nearly = bar(volume=pl.quadrature.Averaged(incompressible=True)), bar(replace(LAW, poisson=0.49999))
    fields = [settled(scene, pl.Mixed())[0].field("pressure") for scene in (rigid, nearly)]
    assert np.abs(fields[0]).max() > 1e3
    assert np.abs(fields[0] - fields[1]).max() < 0.01 * np.abs(fields[1]).max()


def test_points_that_a_mean_may_hide_are_counted():
    """A bar of averaged cells driven through itself in one step: 3 × 3 × 9 cells with eight points each, all turned over."""
    driven = pl.Hold(lambda X: X[:, 0] > -1, lambda X, t: X * np.array([1 - 2 * t, 1, 1]))
    scene = bar(load=0.0, pinned=None, effects=driven)
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=pl.Newton(linear=pl.linear.Direct())))
    report = sim.step()
    points = scene.bodies[0].shape.weights.size
    assert not report.kept and f"{points} points" in report.why and "inverted" in report.why
    assert np.array_equal(sim.x, scene.bodies[0].shape.rest)


def test_no_solution_is_turned_over_under_a_barrier():
    cube = pl.Body(
        pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)),
        pl.Ogden(young=1e4),
        effects=pl.Hold(lambda X: X[:, 0] > -1, lambda X, t: -X),
    )
    report = pl.Simulation(pl.Scene(cube, gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0)).step()
    assert not report.kept
