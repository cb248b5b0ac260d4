"""Factors of block matrices computed where a GPU would, run here on the CPU: they answer as those of the CPU do."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.linear.factor.block_factor import SEMIDEFINITE, Factored
from pliant.linear.factor.block_factor_device import DeviceFactored

from .test_linear import N, solve, system

DIRECT = pl.linear.Direct()


def twins(shift: float, free: np.ndarray | None = None, precision: str = "f64", insist: bool = True):
    """The same system twice: the second keeps factors as on a GPU."""
    pair = [replace(system(shift, free, precision)[0], insist=insist, work={}) for _ in range(2)]
    pair[1].work[pl.linear.Direct] = pair[1].work[pl.linear.Cholesky] = DeviceFactored(pair[1].matrix, None)
    return pair


def right(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((N, 3))


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_direct_answers_alike(precision):
    (x, a), (y, b) = (solve(DIRECT, each, right(), 0.0) for each in twins(0.5, precision=precision))
    bound = 1e-5 if precision == "f32" else 1e-12
    assert np.abs(x - y).max() < bound * np.abs(x).max()
    assert b.residual < 1e-12 and (a.iterations, a.negative) == (b.iterations, b.negative) == (1, False)


def test_held_components_stay_out_and_new_values_are_taken():
    free = np.ones((N, 3))
    free[[0, 4], 1] = free[7] = 0.0
    pair = twins(0.5, free)
    for scale in (1.0, 3.0):
        for each in pair:
            each.matrix.values.assign(scale * each.matrix.values.numpy())
        (x, _), (y, _) = (solve(DIRECT, each, right(), 0.0) for each in pair)
        assert np.abs(x - y).max() < 1e-12 * np.abs(x).max()
        assert not y[free.reshape(-1) == 0].any()


@pytest.mark.parametrize(("shift", "insist"), [(-3.0, True), (-3.0, False), (-1e-11, True), (0.0, True)])
def test_the_same_is_added_to_the_diagonal(shift, insist):
    pair = twins(shift, insist=insist)
    (x, a), (y, b) = (solve(DIRECT, each, right(), 0.0) for each in pair)
    shifts = [each.work[pl.linear.Direct].shift for each in pair]
    assert a.negative == b.negative == (shift == -3.0)
    if shift == -3.0:  # where rounding decides, it may decide otherwise
        assert shifts[0] == shifts[1]
        assert shifts[0] is None if not insist else shifts[0] > SEMIDEFINITE["f64"]
        assert np.abs(x - y).max() < 1e-9 * np.abs(x).max()
        assert a.residual == pytest.approx(b.residual, rel=1e-9)


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_values_that_make_no_sense_are_told(value):
    for each in twins(0.5):
        blocks = each.matrix.values.numpy()
        blocks[each.matrix.diagonal[3]] = value
        each.matrix.values.assign(blocks if value != 0 else 0.0 * blocks)
        x, result = solve(DIRECT, each, right(), 0.0)
        assert result.iterations == 0 and result.residual == float("inf") and np.isnan(x).any()


def test_nothing_free():
    for each in twins(0.5, np.zeros((N, 3))):
        x, result = solve(DIRECT, each, right(), 0.0)
        assert not x.any() and result.residual == 0.0


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_conjugate_gradients_take_as_many_iterations(precision):
    method = pl.linear.PCG(preconditioner=pl.linear.Cholesky())
    tolerance = 1e-5 if precision == "f32" else 1e-10
    (x, a), (y, b) = (solve(method, each, right(), tolerance) for each in twins(0.5, precision=precision))
    assert a.iterations == b.iterations <= 3
    assert np.abs(x - y).max() < 10 * tolerance * np.abs(x).max()


def test_as_an_operator():
    free = np.ones((N, 3))
    free[2] = 0.0
    one, other = (DIRECT.operator(each) for each in twins(0.5, free))
    B, rows = np.random.default_rng(2).standard_normal((3 * N, 5)), np.array([0, 7, 8, 44])
    np.testing.assert_allclose(other.solve_many(B), one.solve_many(B), atol=1e-12)
    np.testing.assert_allclose(other.partial(rows), one.partial(rows), atol=1e-12)
    assert one.version == other.version == 1


def test_a_body_steps_alike(monkeypatch):
    """Newton with Direct() and with PCG(Cholesky()), on tets with a held end."""
    ends = []
    for device_side in (False, True):
        for linear in (DIRECT, pl.linear.PCG(preconditioner=pl.linear.Cholesky())):
            if device_side:
                for room in ("factor.direct", "preconditioner.preconditioners"):
                    path = f"pliant.linear.{room}.factored"
                    monkeypatch.setattr(path, lambda given: DeviceFactored(given.matrix, given.positions))
            body = pl.Body(
                pl.tet_grid(size=(1.0, 0.2, 0.2), cells=(10, 2, 2)),
                pl.StableNeoHookean(young=1e5, poisson=0.4),
                pinned=lambda X: X[:, 0] < 1e-9,
            )
            sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.05, solver=pl.Newton(linear=linear)))
            assert all(sim.step().converged for _ in range(3))
            ends.append(sim.x)
    for x in ends[1:]:
        assert np.abs(x - ends[0]).max() < 1e-6


def test_in_single_precision_a_solve_answers_as_the_part_of_the_inverse_does():
    """Halves of a matrix that are rounded each by itself: what is refined would be another matrix than the one factorised."""
    for each in twins(0.5, precision="f32"):
        blocks = each.matrix.values.numpy()
        each.matrix.values.assign(blocks * (1 + 1e-3 * np.random.default_rng(0).standard_normal(blocks.shape)))
        inverse = DIRECT.operator(each)
        b, x = (each.device.array(right(), each.device.types.vec3) for _ in range(2))
        inverse.solve(b, x)
        expected = inverse.solve_many(right().reshape(-1, 1)).reshape(-1, 3)
        assert np.abs(x.numpy() - expected).max() < 1e-6 * np.abs(expected).max()


def test_answers_are_refined_only_where_they_must_be(monkeypatch):
    each, spent = twins(0.5)[0], []
    backsolve = Factored.backsolve
    monkeypatch.setattr(Factored, "backsolve", lambda self, right: spent.append(1) or backsolve(self, right))
    for tolerance, solves in ((1e-6, 1), (0.0, 2)):
        spent.clear()
        _, result = solve(DIRECT, each, right(), tolerance)
        assert len(spent) == solves and result.residual <= 1e-12


def test_what_is_held_may_change_between_factors():
    each = twins(0.5)[0]
    for held in ([], [3], [3, 8], []):
        free = np.ones((N, 3))
        free[held] = 0.0
        each.free.assign(free)
        x, result = solve(DIRECT, each, free * right(), 0.0)
        assert result.residual < 1e-12 and not np.asarray(x).reshape(-1, 3)[held].any()
