"""A factor made beside the steps: few iterations however the body turns, runs that repeat, and no thread left behind."""

import gc
import threading
import time

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.linear.factor.block_factor import Factored
from pliant.linear.preconditioner.background_cholesky import AsyncFactor
from pliant.solve.newton.linear_system import linearised

MESH = pl.tet_grid(size=(1.0, 0.1, 0.1), cells=(12, 2, 2))


def spinning(preconditioner, precision="f64", young=1e6, solver=None):
    """A free bar that turns by 20° a step about an axis across it, and bends a little."""
    body = pl.Body(MESH, pl.StableNeoHookean(young=young, poisson=0.4))
    linear = pl.linear.PCG(preconditioner=preconditioner)
    scheme = pl.ImplicitEuler(dt=0.01, solver=solver or pl.Newton(linear=linear))
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), scheme, precision=precision)
    arm = MESH.vertices - MESH.vertices.mean(axis=0)
    sim.v = np.cross([0.0, 35.0, 0.0], arm) + 0.5 * np.sin(8 * MESH.vertices[:, :1]) * [0, 1, 0]
    return sim


def counted(sim, steps):
    reports = [sim.step() for _ in range(steps)]
    assert all(report.converged for report in reports)
    return [report.linear_iterations / max(report.iterations, 1) for report in reports]


def factor_of(sim):
    return sim.world.objective.lasting[AsyncFactor]


def workers():
    return [thread for thread in threading.enumerate() if thread.name == "pliant-factor"]


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_an_old_factor_turns_with_the_body(precision):
    """It is up to 15 steps old, some 300°, and takes about as many iterations as the one of the same step."""
    old, exact = spinning(pl.linear.AsyncCholesky(steps=8), precision), spinning(pl.linear.Cholesky(), "f64")
    turns = counted(old, 20)
    counted(exact, 20)
    assert max(turns) < 20
    assert np.abs(old.x - exact.x).max() < (1e-3 if precision == "f32" else 1e-6)


def test_without_rotations_the_same_factor_would_be_useless():
    sim = spinning(pl.linear.AsyncCholesky(steps=8))
    counted(sim, 7)
    objective, method = sim.world.objective, pl.linear.PCG(iterations=5000)
    front = factor_of(sim).front
    system = linearised(objective, sim.state.x, project=True)
    b, d = objective.vectors.new(), objective.vectors.new()
    b.assign(np.random.default_rng(0).standard_normal((objective.count, 3)))

    class Given:
        assembled, batch = True, 1

        def prepare(self, system):
            return front.apply

    found = []
    for x in (sim.state.x, front.x):  # turned, and not
        front.follow(x)
        found.append(pl.linear.PCG(iterations=5000, preconditioner=Given()).solve(system, b, d, 1e-6).iterations)
    plain = method.solve(system, b, d, 1e-6).iterations
    assert found[0] < 0.25 * found[1] and found[0] < 0.25 * plain


def test_a_run_does_not_depend_on_how_fast_the_thread_is(monkeypatch):
    ends, take = [], Factored.take
    for pause in (0.0, 0.05):

        def slow(self, *args, pause=pause, **options):
            time.sleep(pause)
            take(self, *args, **options)

        monkeypatch.setattr(Factored, "take", slow)
        sim = spinning(pl.linear.AsyncCholesky(steps=2))
        counted(sim, 9)
        ends.append(sim.x)
    assert np.array_equal(*ends)


def test_factors_come_and_go_at_their_time():
    sim = spinning(pl.linear.AsyncCholesky(steps=3))
    fronts = []
    for _ in range(9):
        sim.step()
        fronts.append(factor_of(sim).front)
    changes = [i for i in range(1, 9) if fronts[i] is not fronts[i - 1]]
    assert changes == [4, 7]  # taken in steps 1 and 4, counted from 0, and used three steps later
    eager = spinning(pl.linear.AsyncCholesky(steps=1000, eager=True))
    counted(eager, 2)
    first = factor_of(eager).front
    for _ in range(200):
        time.sleep(0.01)
        eager.step()
        if factor_of(eager).front is not first:
            break
    assert factor_of(eager).front is not first


def test_a_run_goes_on_from_a_checkpoint_and_from_a_copy_bit_for_bit(tmp_path):
    sim = spinning(pl.linear.AsyncCholesky(steps=3))
    counted(sim, 6)  # one factor in use, another on its way
    kept = sim.state.copy()
    sim.save(str(tmp_path / "half.npz"))
    counted(sim, 5)
    end = sim.x.copy()
    other = pl.Simulation.load(str(tmp_path / "half.npz"))
    counted(other, 5)
    assert np.array_equal(other.x, end)
    sim.assign(kept)
    counted(sim, 5)
    assert np.array_equal(sim.x, end)


def test_a_run_repeats_after_a_reset():
    sim = spinning(pl.linear.AsyncCholesky(steps=2))
    v = sim.v.copy()
    counted(sim, 5)
    end = sim.x.copy()
    sim.reset()
    sim.v = v
    counted(sim, 5)
    assert np.array_equal(sim.x, end)


def test_a_checkpoint_with_a_broken_memory_is_refused(tmp_path):
    sim = spinning(pl.linear.AsyncCholesky(steps=3))
    counted(sim, 3)
    file = tmp_path / "broken.npz"
    sim.save(str(file))
    with np.load(file, allow_pickle=False) as saved:
        arrays = dict(saved)
    arrays["memory.solver.front x"] = arrays["memory.solver.front x"][:-1]
    np.savez(file, **arrays)
    with pytest.raises(InputError, match="the saved memory of 'solver' does not fit: front x is of shape"):
        pl.Simulation.load(str(file))


def test_no_thread_outlives_its_work():
    sim = spinning(pl.linear.AsyncCholesky(steps=4))
    counted(sim, 3)
    del sim
    gc.collect()
    for thread in workers():
        thread.join(10.0)
    assert not workers()


def test_what_a_thread_cannot_do_is_told_by_the_step_that_wants_it(monkeypatch):
    sim = spinning(pl.linear.AsyncCholesky(steps=2))
    counted(sim, 1)

    def broken(self, *args, **options):
        raise MemoryError("no room for the factor")

    monkeypatch.setattr(Factored, "take", broken)
    with pytest.raises(MemoryError, match="no room"):
        counted(sim, 3)


def test_outside_of_steps_it_is_the_factor_of_the_matrix_at_hand():
    linear = pl.linear.PCG(preconditioner=pl.linear.AsyncCholesky())
    sim = spinning(pl.linear.AsyncCholesky())
    counted(sim, 2)
    age = factor_of(sim).age
    system = linearised(sim.world.objective, sim.state.x, project=True)
    B = np.random.default_rng(0).standard_normal((3 * sim.world.count, 2))
    X = linear.operator(system).solve_many(B)
    exact = pl.linear.Direct().operator(system).solve_many(B)
    assert np.abs(X - exact).max() < 1e-6 * np.abs(exact).max()
    assert factor_of(sim).age == age


@pytest.mark.parametrize("steps", [0, -1, 2.5])
def test_bad_values(steps):
    with pytest.raises(InputError, match="AsyncCholesky"):
        pl.linear.AsyncCholesky(steps=steps)


BLADE = [(0.05, -1.0, 0.5), (0.06, 1.2, 0.5)]


def cut_beam(preconditioner, precision="f64", speed=1.0, depth=0.3):
    """A bar on its way to the side, cut along from above after two steps."""
    mesh = pl.tet_grid((0.1, 0.1, 0.4), (4, 4, 12), 5)
    law = pl.StableNeoHookean(young=1e5, poisson=0.4)
    body = pl.Body(mesh, law, pinned=lambda X: X[:, 2] < 1e-9, velocity=(speed, 0, 0))
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(linear=pl.linear.PCG(preconditioner=preconditioner)))
    sim = pl.Simulation(pl.Scene([body]), scheme, precision=precision)
    sim.step(), sim.step()
    assert sim.cut(pl.Blade(BLADE, depth))[0].new >= 5
    return sim


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_the_factor_from_before_a_cut_goes_on_until_the_new_one_is_there(precision, monkeypatch):
    """No step waits for the thread before its time, all converge to what a fresh factor gives, for a few times its iterations."""
    takes, take = [], Factored.take

    def noted(self, *args):
        takes.append(threading.current_thread().name)
        take(self, *args)

    monkeypatch.setattr(Factored, "take", noted)
    sim = cut_beam(pl.linear.AsyncCholesky(steps=3, through_cuts=True), precision)
    takes.clear()
    kinds, turns = [], []
    for _ in range(5):
        turns += counted(sim, 1)
        kinds.append(type(factor_of(sim).front).__name__)
    assert kinds == ["CutFactor"] * 3 + ["CorotationalFactor"] * 2
    assert set(takes) == {"pliant-factor"}
    fresh = cut_beam(pl.linear.Cholesky())
    least = counted(fresh, 5)
    assert max(turns[:3]) < 25 * max(least) and max(turns[3:]) < 5 * max(least)
    assert np.abs(sim.x - fresh.x).max() < (1e-3 if precision == "f32" else 1e-6)
    again = cut_beam(pl.linear.AsyncCholesky(steps=3, through_cuts=True), precision)
    counted(again, 5)
    assert np.array_equal(again.x, sim.x)


def test_cuts_that_follow_each_other_do_not_make_a_factor_old():
    sim, ages = cut_beam(pl.linear.AsyncCholesky(steps=1, through_cuts=True), speed=0.01, depth=0.15), []
    for k in range(6):
        counted(sim, 1)
        ages.append(factor_of(sim).glued_for)
        assert sim.cut(pl.Blade(BLADE, depth=0.19 + 0.04 * k))[0] is not None
    assert ages == [1, 2, 3, 4, 0, 1]
    sim.undo_cut()
    counted(sim, 3)


def test_a_checkpoint_right_after_a_cut_goes_on_to_the_tolerance(tmp_path):
    sim = cut_beam(pl.linear.AsyncCholesky(steps=3, through_cuts=True))
    sim.step()
    kept = sim.state.copy()
    sim.save(tmp_path / "a.npz")
    other = pl.Simulation.load(tmp_path / "a.npz")
    counted(sim, 4), counted(other, 4)
    assert np.abs(sim.x - other.x).max() < 1e-6
    sim.assign(kept)
    counted(sim, 4)
    assert np.abs(sim.x - other.x).max() < 1e-6


def test_unless_told_the_first_step_after_a_cut_makes_its_own():
    sim, fresh = cut_beam(pl.linear.AsyncCholesky(steps=3)), cut_beam(pl.linear.Cholesky())
    (turns,), (least,) = counted(sim, 1), counted(fresh, 1)
    assert type(factor_of(sim).front).__name__ == "CorotationalFactor" and turns <= 2 * least
