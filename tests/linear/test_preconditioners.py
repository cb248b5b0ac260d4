"""Preconditioners change the number of iterations and never the answer."""

import numpy as np
import pytest

import pliant as pl
from pliant.solve.newton.linear_system import linearised

SLENDER = pl.Body(
    pl.tet_grid(size=(1.0, 0.05, 0.05), cells=(40, 2, 2)),
    pl.StableNeoHookean(young=1e6, poisson=0.3),
    pinned=lambda X: X[:, 0] < 1e-9,
)
KINDS = [
    pl.linear.Jacobi(), pl.linear.BlockJacobi(), pl.linear.TwoLevel(), pl.linear.TwoLevel(3),
    pl.linear.Cholesky(),
]  # fmt: skip


def settled(linear, precision="f64"):
    sim = pl.Simulation(pl.Scene([SLENDER]), pl.ImplicitEuler(dt=0.1, solver=pl.Newton(linear=linear)), precision=precision)
    reports = [sim.step() for _ in range(3)]
    assert all(report.kept for report in reports)
    return sim.x, sum(report.linear_iterations for report in reports)


def test_the_answer_is_the_same_and_the_factor_takes_fewest_iterations():
    exact, _ = settled(pl.linear.Direct())
    found = {repr(kind): settled(pl.linear.PCG(preconditioner=kind)) for kind in KINDS}
    for x, _ in found.values():
        assert np.abs(x - exact).max() < 2e-6
    counts = {name.replace("()", ""): count for name, (_, count) in found.items()}
    assert counts["TwoLevel(aggregates=None)"] < counts["TwoLevel(aggregates=3)"] < 0.5 * counts["BlockJacobi"], counts
    assert counts["Cholesky"] < 0.1 * counts["BlockJacobi"] and counts["BlockJacobi"] <= 1.1 * counts["Jacobi"]


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_single_precision(kind):
    exact, _ = settled(pl.linear.Direct())
    assert np.abs(settled(pl.linear.PCG(preconditioner=kind), "f32")[0] - exact).max() < 1e-3


def test_a_run_goes_on_from_a_checkpoint_bit_for_bit(tmp_path):
    """The factor that preconditions is of the first matrix of each step, and of no step before it."""
    scheme = pl.ImplicitEuler(dt=0.1, solver=pl.Newton(linear=pl.linear.PCG(preconditioner=pl.linear.Cholesky())))
    sim = pl.Simulation(pl.Scene([pl.Body(SLENDER.shape, SLENDER.material, pinned=[0, 1, 2, 3, 4, 5])]), scheme)
    sim.step()
    sim.save(str(tmp_path / "half.npz"))
    sim.step()
    other = pl.Simulation.load(str(tmp_path / "half.npz"))
    other.step()
    assert np.array_equal(sim.x, other.x)


def test_newton_without_a_line_search_takes_whole_steps():
    ends = []
    for search in (pl.solver.Armijo(), None):
        solver = pl.Newton(line_search=search, linear=pl.linear.Direct())
        sim = pl.Simulation(pl.Scene([SLENDER]), pl.ImplicitEuler(dt=0.02, solver=solver))
        assert all(sim.step().converged for _ in range(3))
        ends.append(sim.x)
    assert np.abs(ends[0] - ends[1]).max() < 1e-8


@pytest.mark.parametrize("linear", [pl.linear.PCG(preconditioner=pl.linear.Cholesky()), pl.linear.PCG(assembled=False)])
def test_a_solve_is_recorded_and_its_replay_is_the_same(linear):
    """From the second one on, a solve is one call of compiled code."""
    sim = pl.Simulation(pl.Scene([SLENDER]), pl.ImplicitEuler(dt=0.1, solver=pl.Newton(linear=linear)))
    sim.step()
    objective, ends = sim.world.objective, []
    b, d = objective.vectors.new(), objective.vectors.new()
    b.assign(np.random.default_rng(0).standard_normal((objective.count, 3)))
    objective.mask(b)
    for _ in range(3):
        system = linearised(objective, sim.state.x, True, linear.assembled)
        linear.solve(system, b, d, 1e-8)
        ends.append(d.numpy().copy())
    programs = [kept["program"] for kept in system.work[pl.linear.PCG].graphs.values()]
    assert programs and all(program is not None for program in programs)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


def test_an_operator_factorises_once_for_all_right_hand_sides():
    linear = pl.linear.PCG(preconditioner=pl.linear.Cholesky())
    sim = pl.Simulation(pl.Scene([SLENDER]), pl.ImplicitEuler(dt=0.1, solver=pl.Newton(linear=linear)))
    system = linearised(sim.world.objective, sim.state.x, True)
    operator = linear.operator(system)
    B = np.random.default_rng(0).standard_normal((3 * sim.world.count, 4))
    X = operator.solve_many(B)
    assert system.work[pl.linear.Cholesky].version == 1
    exact = pl.linear.Direct().operator(system).solve_many(B)
    assert np.abs(X - exact).max() < 1e-6 * np.abs(exact).max()
