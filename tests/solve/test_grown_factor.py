"""Constant factors after cuts and tears redo the paths from what changed alone, and are those of a rebuild bit for bit."""

import numpy as np
import pytest

import pliant as pl
from pliant.linear.cholesky.cpu.numeric_factor import Numeric
from pliant.linear.factor.scalar_factor import Prefactored
from pliant.solve.quasi_newton.constant_factor import checked, constant_factor


@pytest.fixture
def counted(monkeypatch):
    """Fronts of each factorisation, and how many of them it redid."""
    counts, run = [], Numeric._run

    def counting(self, lower, plan, *rest):
        counts.append((self.analysis.fronts, sum(map(len, plan.schedule.bins)) + len(plan.schedule.top)))
        run(self, lower, plan, *rest)

    monkeypatch.setattr(Numeric, "_run", counting)
    return counts


LAW = pl.Corotated(young=1e5, poisson=0.3)


def bar(precision="f64", solver=None, law=LAW, **body):
    mesh = pl.tet_grid((0.1, 0.1, 0.8), (4, 4, 32), 5)
    made = pl.Body(mesh, law, pinned=lambda X: X[:, 2] < 1e-9, velocity=(0.5, 0, 0), **body)
    return pl.Simulation(
        pl.Scene([made]),
        pl.ImplicitEuler(dt=1 / 60, solver=solver or pl.QuasiNewton(iterations=2)),
        precision=precision,
    )


def blade(depth):
    return pl.Blade([(0.05, -1.0, 0.9), (0.06, 1.2, 0.9)], depth=depth)


def same(sim):
    """The factor in use is that of the matrix alone, in the same order."""
    o, constant = sim.world.objective, constant_factor(sim.world.objective)
    whole = Prefactored(o.device, checked(o), o.moves[: o.alive], order=constant.order, positions=o.positions)
    for mine, other in zip(constant.now.parts, whole.parts, strict=True):
        for f in range(other.factor.analysis.fronts):
            one, two = (
                s.array.numpy()[s.at[f] : s.at[f] + s.sizes[f]] for s in (mine.factor.numeric.tiles, other.factor.numeric.tiles)
            )
            assert np.array_equal(one, two), f"front {f}"
    rows = np.array([1, 5, 3 * o.alive - 2, 3 * o.alive - 1])
    constant.now.add(None)
    assert np.array_equal(constant.now.partial(rows), whole.partial(rows))
    return True


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_only_paths_from_a_cut_are_redone(counted, precision):
    sim = bar(precision)
    sim.step()
    for depth in (0.13, 0.18, 0.23):  # the stroke goes on
        counted.clear()
        (done,) = sim.cut(blade(depth))
        assert done.new > 0 and sim.step().kept
        ((fronts, redone),) = counted
        assert redone < 0.6 * fronts and same(sim)


def test_two_cuts_between_steps_and_undo(counted):
    """Both are caught up with at once; an undone cut begins from scratch; what comes after it is right again."""
    sim = bar()
    sim.step()
    sim.cut(blade(0.13))
    sim.cut(blade(0.18))
    counted.clear()
    sim.step()
    ((fronts, redone),) = counted
    assert redone < 0.6 * fronts and same(sim)
    sim.undo_cut()
    sim.step()
    assert same(sim)
    sim.cut(blade(0.2))
    sim.step()
    assert same(sim)


@pytest.mark.parametrize("linear", [pl.linear.Direct(), pl.linear.SparseInverse()], ids=repr)
def test_projective_dynamics(counted, linear):
    sim = bar(solver=pl.ProjectiveDynamics(iterations=2, linear=linear), law=pl.Arap(young=1e5))
    sim.step()
    counted.clear()
    sim.cut(blade(0.13))
    assert sim.step().kept
    ((fronts, redone),) = counted
    assert redone < 0.6 * fronts and same(sim)


def test_nodes_held_along_one_axis(counted):
    """Axes that hold different nodes have a factor each, and each is taken over."""
    wall = pl.Hold(lambda X: X[:, 2] > 0.8 - 1e-9, by=pl.hold.Rigidly(axes="x"))
    sim = bar(effects=[wall])
    sim.step()
    counted.clear()
    sim.cut(blade(0.13))
    assert sim.step().kept
    assert len(counted) == 2 and all(redone < 0.6 * fronts for fronts, redone in counted) and same(sim)


def test_another_material_of_one_body_redoes_that_body_alone(counted):
    mesh = pl.tet_grid((0.1, 0.1, 0.4), (4, 4, 16), 5)
    bodies = [pl.Body(mesh.translated((0.0, 0.3 * i, 0.0)), LAW, name=f"bar {i}") for i in range(3)]
    sim = pl.Simulation(pl.Scene(bodies), pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=2)))
    sim.step()
    counted.clear()
    sim.set(young=2e5, body=1)
    sim.step()
    ((fronts, redone),) = counted
    assert redone <= fronts / 3 and same(sim)


def test_a_sheet_that_is_held_in_a_plane_keeps_a_good_order():
    """The order of elimination comes from axes along which nodes move."""
    wall = pl.Hold(lambda X: X[:, 0] > -1.0, by=pl.hold.Rigidly(axes="z"))
    shape = pl.Membrane(pl.cloth_grid((1.0, 1.0), (24, 24)), thickness=1e-3)
    sheet = pl.Body(shape, pl.StVenantKirchhoff(young=1e5), pinned=lambda X: X[:, 0] < 1e-9, effects=[wall])
    solver = pl.QuasiNewton(iterations=2)
    sim = pl.Simulation(pl.Scene([sheet], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 60, solver=solver))
    sim.step()
    before = constant_factor(sim.world.objective).now.parts[1].factor.nnz
    sim.cut(pl.Blade([(0.4, -0.1, 1.0), (0.45, 0.5, 1.0)], depth=2.0))
    sim.step()
    assert constant_factor(sim.world.objective).now.parts[1].factor.nnz < 1.1 * before and same(sim)


@pytest.mark.parametrize("copies", [1, 40])
def test_bordered_takes_over_what_it_had(copies, counted):
    """From so many copies on, the factor from before the cut becomes the new one."""
    sim = bar(solver=pl.QuasiNewton(iterations=2, after_cut=pl.refactor.Bordered(copies)))
    sim.step()
    counted.clear()
    sim.cut(blade(0.13))
    assert sim.step().kept
    if copies == 1:
        ((fronts, redone),) = counted
        assert redone < 0.6 * fronts and same(sim)
    else:
        assert not counted


def test_tears_with_rows_to_spare(counted):
    """A sheet with few copies at most in its border goes over to a factor that has grown, again and again, in one scene."""
    grid = pl.cloth_grid((1.2, 0.8), (18, 12)).rotated((1, 0, 0), 90)
    weak = lambda X: np.hypot(X[:, 0] - 0.6, X[:, 2] - 0.4) < 0.3
    effects = [pl.Wind((1.0, 20.0, 0.0), drag=1.2, lift=1.0), pl.Tearing(stretch=1.1, noise=0.2, seed=3, where=weak)]
    poles = lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > 1.2 - 1e-9)
    law = pl.Corotated(young=3e5, poisson=0.3, density=600.0)
    body = pl.Body(pl.Membrane(grid, 2e-4, bending=False), law, pinned=poles, effects=effects)
    solver = pl.QuasiNewton(iterations=4, after_cut=pl.refactor.Bordered(4))
    scene = pl.Scene(body, contact=pl.Contact(response=None))  # pieces that touch are laid out with their contact
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver))
    world, grown = sim.world, 0
    for _ in range(14):
        counted.clear()
        assert sim.step().kept
        grown += any(redone < fronts for fronts, redone in counted)
        if isinstance(constant_factor(sim.world.objective).now, Prefactored):
            assert same(sim)
    assert sim.world is world and world.alive > len(grid.vertices) + 4 and world.alive < world.count and grown > 0
