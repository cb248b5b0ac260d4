"""Tears in place: the same numbers as from a scene that is laid out anew, through checkpoints, resets and cuts."""

from __future__ import annotations

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.simulate.cutting import in_place, tear_commit
from pliant.solve.quasi_newton.constant_factor import constant_factor

WAYS = [pl.refactor.Kept(), pl.refactor.Bordered()]


def banner(way=WAYS[1], precision="f64", **parts):
    """A sheet between two poles that the wind tears from a weak spot on."""
    grid = pl.cloth_grid((1.2, 0.8), (14, 9)).rotated((1, 0, 0), 90)
    weak = lambda X: np.hypot(X[:, 0] - 0.6, X[:, 2] - 0.4) < 0.3
    effects = [pl.Wind((1.0, 20.0, 0.0), drag=1.2, lift=1.0), pl.Tearing(stretch=1.1, noise=0.2, seed=3, where=weak)]
    body = pl.Body(
        pl.Membrane(grid, 2e-4, bending=False), pl.Corotated(young=3e5, poisson=0.3, density=600.0),
        pinned=lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > 1.2 - 1e-9), effects=effects, **parts,
    )  # fmt: skip
    solver = pl.QuasiNewton(iterations=4, after_cut=way)
    scene = pl.Scene(body, contact=pl.Contact(response=None))  # pieces that touch are laid out with their contact
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver), precision=precision)


def laid_out_anew(monkeypatch):
    monkeypatch.setattr(tear_commit, "torn_in_place", lambda *_: "as asked")


def alike(one, other):
    return np.array_equal(one.x, other.x) and np.array_equal(one.v, other.v)


def torn(sim, steps):
    return [sim.step().torn for _ in range(steps)]


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("way", WAYS, ids=["kept", "bordered"])
def test_the_numbers_are_those_of_a_scene_that_is_laid_out_anew(way, precision, monkeypatch):
    here = banner(way, precision)
    world = here.world
    counts = torn(here, 14)
    assert sum(counts) > 6 and here.world is world and len(here.x) == world.alive > 150
    with monkeypatch.context() as patch:
        laid_out_anew(patch)
        there = banner(way, precision)
        first = there.world
        assert torn(there, 14) == counts and there.world is not first
    assert alike(here, there) and here.energies() == there.energies()
    assert np.array_equal(here.field("stretch"), there.field("stretch"))
    assert np.array_equal(here.scene.bodies[0].shape.mesh.triangles, there.scene.bodies[0].shape.mesh.triangles)
    assert all(np.array_equal(here.force(name), there.force(name)) for name in ("pinned", "body 0"))


def test_rows_to_spare_that_are_used_up_are_made_anew(monkeypatch):
    plain = banner()
    counts = torn(plain, 14)
    monkeypatch.setattr(in_place, "LEAST", 4)
    monkeypatch.setattr(in_place, "SHARE", 0.0)
    few = banner()
    first = few.world
    assert first.layout.spare == 4 and torn(few, 14) == counts
    assert few.world is not first and alike(few, plain)


def test_it_goes_on_from_a_checkpoint_bit_for_bit(tmp_path):
    sim = banner()
    torn(sim, 8)
    sim.save(tmp_path / "torn.npz")
    again = pl.Simulation.load(tmp_path / "torn.npz")
    assert alike(sim, again)
    counts = torn(sim, 8)
    assert sum(counts) > 2 and torn(again, 8) == counts and alike(sim, again)


def test_a_cut_among_tears_is_undone_bit_for_bit():
    sim = banner()
    torn(sim, 7)
    x, state = sim.x, sim.state.copy()
    sim.cut(pl.Blade([(0.2, 3.0, 0.1), (0.25, 3.0, 0.9)], 6.0, into=(0, -1, 0)))
    assert len(sim.x) > len(x)
    torn(sim, 2)
    sim.undo_cut()
    assert np.array_equal(sim.x, x) and sim.t == state.t
    other = banner()
    torn(other, 7)
    assert torn(sim, 5) == torn(other, 5) and alike(sim, other)


def test_reset_goes_back_to_rest_with_the_tears_and_states_from_before_are_refused():
    sim = banner()
    before = sim.state.copy()
    torn(sim, 8)
    with pytest.raises(pl.errors.InputError, match="expected a state copied after the last cut or tear"):
        sim.assign(before)
    sim.reset()
    mesh = sim.scene.bodies[0].shape.mesh
    assert sim.t == 0 and np.array_equal(sim.x, mesh.vertices) and len(mesh.vertices) > 150 and not sim.v.any()
    assert sim.step().kept


def test_a_run_has_the_nodes_of_each_moment_and_is_drawn():
    run = banner().run(0.25, fields=("stretch",))
    sizes = [len(chapter.rest) for chapter in run.chapters]
    assert (
        len(sizes) > 2 and sizes == sorted(sizes) and all(len(c.fields["stretch"][0]) == n for c, n in zip(run.chapters, sizes))
    )
    assert all(np.isfinite(chapter.positions).all() for chapter in run.chapters)


def test_launches_stay_those_of_before():
    sim = banner()
    counts = torn(sim, 10)
    known = set(sim.device._recorded)
    more = torn(sim, 3)
    assert sum(counts) > 0 and sum(more) > 0
    assert len(set(sim.device._recorded) - known) < 10


def test_grabs_hold_their_nodes_through_tears_and_tears_are_laid_out_anew_meanwhile():
    sim = banner()
    torn(sim, 5)
    node = sim.grab(20, sim.x[20] + (0.0, -0.05, 0.0))
    world = sim.world
    assert sum(torn(sim, 4)) > 0 and sim.world is not world and node in sim.hands.points
    sim.release(node)
    assert sim.step().kept


@pytest.mark.parametrize("way", [pl.refactor.Bordered(copies=3), pl.refactor.Bordered()])
def test_the_border_gives_what_a_new_factor_gives(way):
    """Until a tie between two nodes is broken the other way by rounding."""
    sim, exact = banner(way), banner(pl.refactor.Updated())
    seen = 0
    for _ in range(9):
        one, other = sim.step(), exact.step()
        if one.torn != other.torn or len(sim.x) != len(exact.x):
            break
        seen += one.torn
        assert np.abs(sim.x - exact.x).max() < 1e-9
    assert seen > 3


def test_the_matrix_in_use_is_that_of_the_torn_mesh():
    sim = banner()
    torn(sim, 10)
    objective, factor = sim.world.objective, constant_factor(sim.world.objective)
    n, moves = objective.alive, objective.moves[: objective.alive, 0]
    matrix = objective.laplacian(cut=False)[:n][:, :n].toarray()
    matrix = np.where(np.outer(moves, moves), matrix, 0.0) + np.diag(1.0 - moves)
    copies = factor.now.copies
    assert len(copies) > 6
    assert np.abs(objective.laplacian_rows(copies) - objective.laplacian(cut=False)[copies][:, :n]).max() < 1e-9
    b = np.zeros((objective.count, 3))
    b[:n] = np.random.default_rng(1).normal(size=(n, 3)) * moves[:, None]
    given, out = (sim.device.array(values, sim.device.types.vec3) for values in (b, 0 * b))
    factor.now.solve(given, out)
    expected = np.linalg.solve(matrix, b[:n])
    assert np.abs(out.numpy()[:n] - expected).max() < 1e-10 * np.abs(expected).max()


def test_what_rounding_makes_is_found_anew_where_a_tear_brings_other_energies_along():
    """As with plates, of which those around a tear may become an energy of their own."""
    sim = banner()
    torn(sim, 6)
    residuals = sim.world.objective.residuals
    given = residuals.carried(np.arange(150), 150, ())["sizes"].numpy()
    assert len(given) == 1 + 2 * len(residuals.energies)
    for other in (given[:-2], np.append(given[0] + 1, given[1:])):
        residuals.recall({"sizes": sim.device.array(other, wp.float64)})
        assert not residuals.memory["sizes"].size and sim.step().kept
    residuals.recall({"sizes": sim.device.array(given, wp.float64)})
    assert np.array_equal(residuals.memory["sizes"].numpy(), given) and sim.step().kept
