"""A solve hands back the operator that it solved with, and every solver's says the same as the dense matrix."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.solve.newton.linear_system import linearised

LAW = pl.StableNeoHookean(young=5e4, poisson=0.4)
PINS = [pl.Hold(lambda X: X[:, 0] < 1e-9), pl.Hold(lambda X: X[:, 0] > 0.4 - 1e-9, by=pl.hold.Rigidly("z"))]


def stepped(solver, pins=PINS, hand=False):
    """A beam after a step, and the solution of that step solved again."""
    beam = pl.Body(pl.tet_grid(size=(0.4, 0.1, 0.1), cells=(4, 1, 1)), LAW, effects=pins)
    sim = pl.Simulation(pl.Scene([beam]), pl.ImplicitEuler(dt=1 / 30, solver=solver))
    if hand:
        sim.grab(3, (0.1, 0.2, 0.3), stiffness=500.0)
    assert sim.step().kept
    objective, z = sim.world.objective, sim.device.array(sim.x, sim.device.types.vec3)
    return sim, objective, z, solver.solve(objective, z)


def dense(solution, count):
    """A⁻¹ column by column."""
    return solution.operator.solve_many(np.eye(count))


def hessian(sim, objective, z):
    """∂²/∂x² by products with unit vectors, free unknowns only."""
    n, keep = objective.count, np.flatnonzero(objective.moves.reshape(-1))
    H, out = np.zeros((3 * n, 3 * n)), objective.vectors.new()
    for j in keep:
        d = np.zeros(3 * n)
        d[j] = 1
        objective.tangent(z, sim.device.array(d.reshape(-1, 3), sim.device.types.vec3), out, False)
        H[:, j] = out.numpy().reshape(-1)
    inverse = np.zeros_like(H)
    inverse[np.ix_(keep, keep)] = np.linalg.inv(H[np.ix_(keep, keep)])
    return inverse


@pytest.mark.parametrize(
    "linear",
    [
        pl.linear.Direct(),
        pl.linear.PCG(),
        pl.linear.PCG(assembled=False),
        pl.linear.PCG(preconditioner=pl.linear.Cholesky()),
    ],
    ids=repr,
)
def test_newtons_operator_is_the_inverse_of_the_hessian_at_the_answer(linear):
    sim, objective, z, solution = stepped(pl.Newton(linear=linear))
    known = hessian(sim, objective, z)
    size = np.abs(known).max()
    assert np.abs(dense(solution, len(known)) - known).max() < 1e-8 * size
    rows = np.array([40, 3, 17, 58, 2])
    assert np.abs(solution.operator.partial(rows) - known[np.ix_(rows, rows)]).max() < 1e-8 * size
    b = np.random.default_rng(0).standard_normal((objective.count, 3))
    out = objective.vectors.new()
    solution.operator.solve(sim.device.array(b, sim.device.types.vec3), out)
    assert np.abs(out.numpy().reshape(-1) - known @ b.reshape(-1)).max() < 1e-7 * size


@pytest.mark.parametrize("hand", [False, True])
def test_quasi_newtons_operator_is_the_inverse_of_its_matrix(hand):
    sim, objective, _z, solution = stepped(pl.QuasiNewton(), hand=hand)
    L = objective.laplacian(cut=False).toarray()
    if hand:
        springs = objective.tethers
        U = springs.columns(objective.count, np.ones(objective.count, bool))
        L = L + U @ np.diag(springs.stiffness) @ U.T
    A, keep = np.kron(L, np.eye(3)), np.flatnonzero(objective.moves.reshape(-1))
    known = np.zeros_like(A)
    known[np.ix_(keep, keep)] = np.linalg.inv(A[np.ix_(keep, keep)])
    size = np.abs(known).max()
    assert np.abs(dense(solution, len(known)) - known).max() < 1e-10 * size
    rows = np.array([40, 3, 17, 58, 2, 43])
    assert np.abs(solution.operator.partial(rows) - known[np.ix_(rows, rows)]).max() < 1e-10 * size
    b = np.random.default_rng(0).standard_normal((objective.count, 3)) * objective.moves
    out = objective.vectors.new()
    solution.operator.solve(sim.device.array(b, sim.device.types.vec3), out)
    assert np.abs((out.numpy() * objective.moves).reshape(-1) - known @ b.reshape(-1)).max() < 1e-10 * size


def test_versions_change_with_the_matrix():
    sim, objective, z, first = stepped(pl.QuasiNewton())
    again = pl.QuasiNewton().solve(objective, z)
    assert again.operator.version == first.operator.version
    before = first.operator.version
    sim.set(young=6e4)
    assert pl.QuasiNewton().solve(objective, z).operator.version > before
    sim, objective, z, first = stepped(pl.Newton())
    sim.set(young=6e4)
    assert pl.Newton().solve(objective, z).operator.version > first.operator.version


def test_what_is_asked_for_wrongly_is_refused():
    for solver in (pl.Newton(linear=pl.linear.Direct()), pl.Newton(), pl.QuasiNewton()):
        operator = stepped(solver)[3].operator
        for rows in ([0, 0], [10_000], [[1]], []):
            with pytest.raises(InputError, match="distinct unknowns"):
                operator.partial(np.array(rows))
        with pytest.raises(InputError, match="expected finite numbers"):
            operator.solve_many(np.ones((4, 2)))


def test_linearised_is_the_tangent():
    sim, objective, z, _ = stepped(pl.Newton())
    d = sim.device.array(np.random.default_rng(0).standard_normal((objective.count, 3)), sim.device.types.vec3)
    outs = [objective.vectors.new() for _ in range(3)]
    linearised(objective, z).apply(d, outs[0])
    linearised(objective, z, assembled=False).apply(d, outs[1])
    objective.tangent(z, d, outs[2], False)
    for out in outs[:2]:
        assert np.abs(out.numpy() - outs[2].numpy()).max() < 1e-9 * np.abs(outs[2].numpy()).max()
