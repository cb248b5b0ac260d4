"""Quasi-Newton: the fitted stiffness, equivalence with projective dynamics, descent, and Newton's solution in the end."""

import itertools

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

import pliant as pl
from pliant.material.mean_stiffness import fitted_stiffness
from pliant.solve.objective.step_objective import Objective
from pliant.solve.quasi_newton.constant_factor import prefactored
from pliant.solve.quasi_newton.quasi_newton_solver import QuasiNewton

LAWS = {
    "corotated": pl.Corotated(young=1e5, poisson=0.3),
    "neo-Hookean": pl.NeoHookean(young=1e5, poisson=0.3),
    "stable neo-Hookean": pl.StableNeoHookean(young=1e5, poisson=0.3),
    "St Venant–Kirchhoff": pl.StVenantKirchhoff(young=1e5, poisson=0.3),
}


def bar(law, solver, **options):
    """A short bar held at one end, pushed into a bent and stretched shape."""
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2), 5)
    sim = pl.Simulation(
        pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9, **options)),
        pl.ImplicitEuler(dt=1 / 30, solver=solver),
    )
    X = mesh.vertices
    sim.x = X + np.column_stack([0.1 * X[:, 0], 0.5 * X[:, 0] ** 2, -0.8 * X[:, 0] ** 2])
    return sim


@pytest.mark.parametrize(
    ("law", "shear", "volume"),
    [(pl.Corotated, 2.0, 1.0), (pl.StVenantKirchhoff, 2.1530, 1.0765), (pl.NeoHookean, 2.1878, 1.3626)],
)
def test_stiffness_fitted_over_half_to_three_halves(law, shear, volume):
    """k = shear μ + volume λ, by regression on samples 0.01 apart."""
    first = fitted_stiffness(law.from_lame(1.0, 1e-9))[0]
    second = fitted_stiffness(law.from_lame(1.0, 1.0))[0]
    assert (first, second - first) == pytest.approx((shear, volume), abs=1e-4)


def test_stiffness_of_the_worked_example_and_of_the_polynomial():
    assert fitted_stiffness(pl.NeoHookean.from_lame(1.0, 1.0), stretches=(0.8, 1.2))[0] == pytest.approx(3.0739, abs=2e-4)
    assert fitted_stiffness(pl.ValanisLandel.polynomial(1.0))[0] == pytest.approx(0.6119, abs=1e-4)


def test_one_plain_iteration_is_one_local_global_step_of_arap():
    """x − A⁻¹∇g with k = 2μ is the projective step: R by polar decomposition, then one solve (Eq 7.10–7.11)."""
    law = pl.Arap(young=1e5)
    sim = bar(law, QuasiNewton(iterations=1, window=0))
    world, x, h = sim.world, sim.x, sim.integrator.dt
    elements, mass = sim.scene.bodies[0].shape, world.mass
    g, w = elements.gradients[:, 0], elements.weights[:, 0]
    y = x + h * sim.v
    F = np.einsum("mki,mkj->mij", y[elements.nodes], g)
    U, _, Vt = np.linalg.svd(F)
    flip = np.linalg.det(U @ Vt) < 0
    U[flip, :, 2] *= -1
    R = U @ Vt
    k = 2 * float(law.mu)
    right = mass[:, None] / h**2 * y + mass[:, None] * np.asarray(sim.scene.gravity)
    for i in range(4):
        np.add.at(right, elements.nodes[:, i], k * w[:, None] * np.einsum("mij,mj->mi", R, g[:, i]))
    n = len(x)
    rows, columns = np.repeat(elements.nodes, 4, axis=1), np.tile(elements.nodes, (1, 4))
    values = (k * w[:, None, None] * np.einsum("mia,mja->mij", g, g)).reshape(len(w), -1)
    from scipy import sparse

    A = sparse.coo_matrix((values.reshape(-1), (rows.reshape(-1), columns.reshape(-1))), shape=(n, n)).tocsc()
    A = A + sparse.diags(mass / h**2)
    free = x[:, 0] > 1e-9
    expected = y.copy()
    moved = right[free] - A[free][:, ~free] @ sim.world.held.everywhere(h)[~free]
    expected[free] = spsolve(A[free][:, free].tocsc(), moved)
    expected[~free] = sim.world.held.everywhere(h)[~free]
    assert sim.step().kept
    assert np.abs(sim.x - expected).max() < 1e-12


@pytest.mark.parametrize("name", LAWS)
def test_converges_to_newtons_solution(name):
    newton, quasi = (
        bar(LAWS[name], pl.Newton(tolerance=1e-10)),
        bar(LAWS[name], QuasiNewton(tolerance=1e-9)),
    )
    assert newton.step().kept
    report = quasi.step()
    assert report.kept and report.converged, report.why
    assert np.abs(newton.x - quasi.x).max() < 1e-7


@pytest.mark.parametrize("name", LAWS)
def test_objective_never_rises_and_history_helps(name):
    residual = {}
    for window in (0, 5):
        values = []
        for iterations in (1, 2, 4, 8, 12):
            sim = bar(LAWS[name], QuasiNewton(iterations=iterations, window=window))
            report = sim.step()
            assert report.kept
            values.append(sim.world.objective.value(sim.work["z"]))
        assert all(b <= a + 1e-12 * abs(a) for a, b in itertools.pairwise(values))
        residual[window] = report.residual
    assert residual[5] < residual[0]


def test_factor_is_kept_until_the_matrix_changes(monkeypatch):
    """And a matrix that has changed is summed once."""
    made, laplacian = [], Objective.laplacian
    monkeypatch.setattr(Objective, "laplacian", lambda *given, **named: made.append(1) or laplacian(*given, **named))
    sim = bar(LAWS["corotated"], QuasiNewton())
    sim.step()
    assert len(made) == 1
    kept = prefactored(sim.world.objective)
    sim.step()
    assert prefactored(sim.world.objective) is kept and kept.factorisations == 1
    sim.set(young=2e5)
    sim.step()
    assert kept.factorisations == 2 and len(made) == 2


def test_sheets_threads_fibres_contact_and_integrators():
    cloth = pl.Membrane(pl.cloth_grid((0.2, 0.2), (6, 6), origin=(0, 0, 0.02)), thickness=1e-3)
    soft = pl.StableNeoHookean(young=3e4, poisson=0.4) + pl.laws.Fibres(stiffness=1e4)
    bodies = [
        pl.Body(cloth, pl.Corotated(young=1e5)),
        pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0.3, 0, 0.01)), soft, damping=pl.Damping(0.1, 1e-3, 1.0)),
        pl.Body(pl.Springs(pl.meshes.rod((0.5, 0, 0.1), (0.7, 0, 0.1), 6), radius=2e-3), pl.Corotated(young=1e6), pinned=[0]),
    ]
    for scheme in (pl.ImplicitEuler, pl.ImplicitMidpoint, pl.BDF2, pl.Newmark, pl.NewmarkTheta):
        scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
        sim = pl.Simulation(scene, scheme(dt=1 / 120, solver=QuasiNewton(iterations=20)))
        for _ in range(20):
            report = sim.step()
            assert report.kept, report.why
        assert np.isfinite(sim.x).all() and sim.x[:, 2].min() > -5e-3


def test_budget_is_kept_and_a_tolerance_out_of_reach_is_a_failure():
    law = LAWS["corotated"]
    kept = bar(law, QuasiNewton(iterations=2, tolerance=1e-9)).step()
    assert kept.kept and not kept.ok and not kept.converged and kept.iterations == 2
    sim = bar(law, QuasiNewton(tolerance=1e-30))
    before = sim.x
    failed = sim.step()
    assert not failed.kept and "no convergence" in failed.why and np.array_equal(sim.x, before)


@pytest.mark.parametrize("options", [{"iterations": 0}, {"window": -1}, {"iterations": 2.5}, {"tolerance": 2.0}])
def test_refuses_bad_options(options):
    with pytest.raises(pl.errors.InputError, match="expected"):
        QuasiNewton(**options)


def test_a_grab_leans_on_the_factor_without_a_new_one():
    """With the spring in the matrix by Woodbury's identity, one plain step is exact for a quadratic law and its grab."""
    from pliant.linear.factor.scalar_factor import Prefactored

    sim = bar(LAWS["corotated"], QuasiNewton(tolerance=1e-8))
    sim.step()
    kept = prefactored(sim.world.objective)
    handle = sim.grab(40, (0.5, 0.2, 0.3), stiffness=1e5)
    turns = []
    for k in range(4):
        sim.grab(40, (0.5, 0.2, 0.3 + 0.01 * k), stiffness=1e5, handle=handle)
        turns.append(sim.step().iterations)
    assert prefactored(sim.world.objective) is kept and kept.factorisations == 1
    tethers, matrix = sim.world.objective.tethers, sim.world.objective.laplacian().toarray()
    u = np.zeros(len(matrix))
    np.add.at(u, tethers.nodes[0], tethers.weights[0])
    b = np.random.default_rng(0).standard_normal((len(matrix), 3))
    given, out = (sim.device.array(b, sim.device.types.vec3) for _ in range(2))
    kept.solve(given, out)
    assert np.allclose(out.numpy(), np.linalg.solve(matrix + 1e5 * np.outer(u, u), b), atol=1e-9 * np.abs(b).max())
    add, Prefactored.add = Prefactored.add, lambda self, springs: add(self, None)
    try:
        without = sim.step().iterations
    finally:
        Prefactored.add = add
    assert without > 1.5 * np.median(turns)
    sim.release(handle)
    assert sim.step().kept and prefactored(sim.world.objective).added is None


@pytest.mark.alone
def test_a_budget_of_time_is_used_and_not_overrun():
    """As many iterations as fit: more in a longer time, none too many in a short one, and the report says what was reached."""
    law = LAWS["neo-Hookean"]
    found = {}
    for seconds in (0.003, 0.03):
        sim = bar(law, QuasiNewton(iterations=pl.solver.Budget(seconds, most=10_000)))
        sim.step()  # factors and compiles
        reports = [sim.step() for _ in range(9)]
        found[seconds] = np.median([r.iterations for r in reports])
        assert np.median([r.seconds["total"] - r.seconds["matrix"] for r in reports]) < seconds + 0.01
        assert all(r.kept and r.residual >= 0 for r in reports)
    assert found[0.03] > 2 * found[0.003] >= 2
    fixed = bar(law, QuasiNewton(iterations=pl.solver.Budget(1e-9, least=3))).step()
    assert fixed.iterations == 3
    assert bar(law, QuasiNewton(iterations=pl.solver.Budget(10.0, most=4))).step().iterations == 4
    for bad in ({"seconds": 0.0}, {"seconds": 1.0, "least": 0}, {"seconds": 1.0, "least": 5, "most": 4}):
        with pytest.raises(pl.errors.InputError):
            pl.solver.Budget(**bad)


@pytest.mark.parametrize("name", LAWS)
def test_single_precision_goes_on_where_energies_no_longer_tell(name):
    """Near the minimum f32 energies are all noise; the slope decides then, and the residual comes down to that of Newton."""
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2), 5)
    residual = {}
    for solver in (pl.Newton(tolerance=1e-9, iterations=30), QuasiNewton(iterations=150), QuasiNewton(iterations=10)):
        body = pl.Body(mesh, LAWS[name], pinned=lambda X: X[:, 0] < 1e-9)
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 30, solver=solver), precision="f32")
        sim.x = mesh.vertices + np.column_stack([0.1 * mesh.vertices[:, 0], *(0 * mesh.vertices[:, 1:].T)])
        report = sim.step()
        assert report.kept, report.why
        residual[solver] = report.residual
    newton, many, ten = residual.values()
    assert many < 0.05 * ten and many < 10 * newton
