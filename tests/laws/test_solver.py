"""Newton's method: quadratic near the end, out of every hard start, the same answer by every linear solver."""

import numpy as np
import pytest

import pliant as pl
from pliant import linear, solve
from pliant.elements.tets import Tets

from .beams import beam, clamped
from .cases import LAWS, make


def hanging(solver, law=None, cells=(10, 2, 2), gravity=9.81, **options) -> pl.Simulation:
    """A soft clamped beam, to be brought to rest in one quasi-static step."""
    law = law or pl.StableNeoHookean(young=3e5, poisson=0.3, density=1000)
    scene = pl.Scene([pl.Body(beam(cells), law, pinned=clamped)], gravity=(0, 0, -gravity))
    return pl.Simulation(scene, pl.QuasiStatic(solver=solver), **options)


@pytest.mark.parametrize("hessian", [pl.solver.Exact(), pl.solver.Adaptive()])
def test_quadratic_tail(hessian):
    """Residuals after 1, 2, 3 … iterations: at the end each is about the square of the one before."""
    residuals = []
    for budget in range(1, 40):
        report = hanging(pl.Newton(tolerance=1e-11, iterations=budget, hessian=hessian, linear=pl.linear.Direct())).step()
        residuals.append(report.residual)
        if report.converged:
            break
    tail = np.log10([r for r in residuals if r < 1e-2])
    assert report.converged and len(tail) >= 2
    rates = tail[1:] / tail[:-1]
    assert rates.max() > 1.7, residuals
    assert len(residuals) <= 30


def test_projected_hessian_gets_there_too():
    exact, projected = (
        hanging(pl.Newton(hessian=h, linear=pl.linear.Direct())) for h in (pl.solver.Adaptive(), pl.solver.Projected())
    )
    reports = exact.step(), projected.step()
    assert all(r.kept for r in reports)
    assert np.abs(exact.x - projected.x).max() <= 1e-5


def test_linear_law_takes_one_direct_iteration():
    report = hanging(pl.Newton(linear=pl.linear.Direct()), pl.LinearElastic(young=1e7)).step()
    assert report.kept and report.iterations == 1


def test_every_linear_solver_gives_the_same_answer():
    """Every public one, and matrix-free conjugate gradients."""
    found = []
    solvers = [kind() for kind in map(linear.__dict__.get, linear.__all__) if hasattr(kind, "operator")]
    assert len(solvers) >= 2
    for solver in (pl.linear.PCG(assembled=False), *solvers):
        sim = hanging(pl.Newton(tolerance=1e-10, linear=solver))
        assert sim.step().kept
        found.append(sim.x)
    size = np.abs(found[0] - beam((10, 2, 2)).vertices).max()
    assert all(np.abs(x - found[0]).max() <= 1e-7 * size for x in found)


@pytest.mark.parametrize("law", [pl.StableNeoHookean(young=1e6), pl.Arap(young=1e6)], ids=lambda law: law.key)
def test_every_solver_gives_the_same_motion(law):
    """Every public class that minimises an objective, to the same tolerance over ten steps of a falling beam.

    Projective dynamics takes only laws with a projection; Mixed only lattices, on which
    tests/solve/test_mixed_solver.py compares it.
    """
    found = []
    for name in solve.__all__:
        takes = name != "Mixed" and (law.projective is not None or name != "ProjectiveDynamics")
        if hasattr(getattr(solve, name), "solve") and takes:
            scene = pl.Scene([pl.Body(beam((10, 2, 2)), law, pinned=clamped)])
            sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=getattr(solve, name)(tolerance=1e-8)))
            for _ in range(10):
                report = sim.step()
                assert report.kept and report.converged, report
            found.append(sim.x)
    assert len(found) >= 2 and all(np.abs(x - found[0]).max() <= 1e-6 for x in found)


def slider(start: float) -> pl.Simulation:
    """One vertex on the x axis between two springs of rest length √2 whose ends are 1 above and below: Fig 4.2."""
    mesh = pl.EdgeMesh([[1.0, 0, 0], [0, 0, 1], [0, 0, -1]], [[0, 1], [0, 2]])
    body = pl.Body(
        pl.Springs(mesh, radius=0.01),
        pl.Corotated(young=1e6, poisson=0.0),
        effects=[pl.Hold([1, 2]), pl.Hold([0], by=pl.hold.Rigidly("yz"))],
    )
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic())
    x = sim.x
    x[0] = [start, 0, 0]
    sim.x = x
    return sim


@pytest.mark.parametrize("start", [1e-4, 0.3, 0.999, 5.0, -1e-4, -0.3])
def test_toy_leaves_the_saddle(start):
    """E(x) = k(√(1+x²) − √2)² has a maximum at 0; raw Newton would climb it, this one goes to ±1."""
    sim = slider(start)
    k = 1e6 * np.pi * 0.01**2 / np.sqrt(2)
    assert sim.energies()["elastic"] == pytest.approx(k * (np.sqrt(1 + start**2) - np.sqrt(2)) ** 2, rel=1e-9)
    report = sim.step()
    assert report.kept, report
    assert sim.x[0, 0] == pytest.approx(np.sign(start), abs=1e-6)


def test_a_column_buckles_in_few_iterations():
    """Squeezed between its ends, it stands on a saddle at some moment; projected steps alone creep away from it (46 and 165)."""
    ends = pl.Hold(lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > 0.4 - 1e-9), lambda X, t: X - [0.6 * t, 0.0, 0.0] * (X[:, :1] > 0.2))
    body = pl.Body(pl.tet_grid((0.4, 0.1, 0.1), (12, 3, 3)), pl.Corotated(young=1e5, poisson=0.3), effects=ends)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 30))
    reports = [sim.step() for _ in range(15)]
    iterations = [report.iterations for report in reports]
    assert all(report.converged for report in reports)
    assert max(iterations) <= 25 and sum(iterations) <= 110, iterations


# --- hard starts
BLOCK = pl.tet_grid((0.4, 0.2, 0.2), (4, 2, 2), 6)
STARTS = {
    "random": lambda X: np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), X.shape),
    "flattened": lambda X: X * [1, 1, 0],
    "mirrored": lambda X: X * [-1, 1, 1],
}
SAFE = [n for n in LAWS if make(n).inversion_safe and np.all(np.asarray(make(n).density) > 0)]
# these untangle but may stay folded; for the mirrored block, a balanced start, rounding decides
FOLDED = {("random", name) for name in ("NeoHookean", "MooneyRivlin", "ValanisLandel")} | {("mirrored", "StrainLimit")}


def inverted_elements(x: np.ndarray) -> int:
    elements = Tets(BLOCK)
    F = np.einsum("mki,mkj->mij", x[elements.nodes], elements.gradients[:, 0])
    return int(np.count_nonzero(np.linalg.det(F) <= 0))


@pytest.mark.parametrize("start", list(STARTS))
@pytest.mark.parametrize("name", SAFE)
def test_hard_start(name, start):
    """Every step converges, nothing is left inverted after two seconds, and the body is near its rest energy again."""
    sim = pl.Simulation(pl.Scene([pl.Body(BLOCK, make(name))], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 30))
    sim.x = STARTS[start](BLOCK.vertices)
    assert inverted_elements(sim.x) > 20 or start == "flattened"
    before = sim.energies()["elastic"]
    for _ in range(60):
        report = sim.step()
        assert report.kept and report.converged, report
    assert inverted_elements(sim.x) == 0
    if (start, name) not in FOLDED:
        assert sim.energies()["elastic"] <= 1e-3 * before


def test_budget_is_kept_and_said():
    report = hanging(pl.Newton(iterations=2)).step()
    assert report.kept and not report.converged
    assert report.iterations == 2 and "budget of 2 iterations" in report.why


def test_no_convergence_is_no_step(monkeypatch):
    """Without a budget, a solve that does not get there fails and changes nothing."""
    monkeypatch.setattr(pl.Newton, "MOST", 2)
    sim = hanging(pl.Newton())
    x, v = sim.x, sim.v
    report = sim.step()
    assert not report.kept and not report.converged and "try" in report.why
    assert np.array_equal(sim.x, x) and np.array_equal(sim.v, v) and sim.t == 0.0
    with pytest.raises(pl.errors.StepError, match="step 1 of"):
        sim.run(seconds=0.1)


def test_barrier_law_that_starts_inverted_fails_with_a_remedy():
    law = pl.NeoHookean(young=1e4, extended_below=0.0)
    sim = pl.Simulation(pl.Scene([pl.Body(BLOCK, law)]), pl.ImplicitEuler())
    sim.x = BLOCK.vertices * [-1, 1, 1]
    x = sim.x
    report = sim.step()
    assert not report.kept
    assert "inver" in report.why and "try" in report.why
    assert np.array_equal(sim.x, x) and sim.t == 0.0


def test_barrier_law_never_inverts():
    """A hard squeeze between moving pins: with the true logarithm every accepted state has det F > 0."""
    law = pl.NeoHookean(young=1e4, poisson=0.3, extended_below=0.0)
    ends = pl.Hold(lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > 0.4 - 1e-9), motion=lambda X, t: X * [1 - 0.9 * min(t, 1.0), 1, 1])
    sim = pl.Simulation(pl.Scene([pl.Body(BLOCK, law, effects=ends)]), pl.ImplicitEuler(dt=1 / 60))
    for _ in range(60):
        report = sim.step()
        assert report.kept, report
        assert inverted_elements(sim.x) == 0


def test_newton_refuses_nonsense():
    for options in (
        {"tolerance": 0.0},
        {"tolerance": 2.0},
        {"iterations": 0},
        {"iterations": 1.5},
        {"hessian": "exact"},
        {"linear": "pcg"},
    ):
        with pytest.raises(pl.errors.InputError, match="Newton"):
            pl.Newton(**options)
    with pytest.raises(pl.errors.InputError, match="shrink"):
        pl.solver.Armijo(shrink=1.5)
    with pytest.raises(pl.errors.InputError, match="PCG"):
        pl.linear.PCG(iterations=0)
