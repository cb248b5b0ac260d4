"""Cuts that a thread works out while steps go on."""

import gc
import threading
import time

import numpy as np
import pytest

import pliant as pl
from pliant.linear.matrix.sparsity_pattern import Pattern
from pliant.runtime.device import Device
from pliant.simulate.cutting import background_cut
from pliant.simulate.scene.body import Body
from pliant.simulate.scene.world import World

MESH = pl.tet_grid((0.4, 0.1, 0.1), (16, 4, 4), 5)
SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
ACROSS = pl.Blade([(0.21, -1, 1), (0.24, 1, 1)], depth=2.0)
TOUCHING = pl.Contact().response
SOLVERS = {
    "newton": pl.Newton(),
    "one system": pl.solver.LinearlyImplicit(),
    "quasi-newton": pl.QuasiNewton(iterations=10),
}


def beam(solver=SOLVERS["newton"], gravity=(0, 0, 0), bodies=1, device="cpu", response=TOUCHING, **parts):
    every = [
        pl.Body(MESH.translated((0, 0, 0.3 * i)), SOFT, pinned=lambda X: X[:, 0] < 1e-9, name=f"beam {i}", **parts)
        for i in range(bodies)
    ]
    scene = pl.Scene(every, gravity=gravity, contact=pl.Contact(response=response))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=0.02, solver=solver), device=device)


def until_made(sim, most=200):
    for _ in range(most):
        if not sim.cutting:
            return
        assert sim.step().kept
        time.sleep(0.005)
    raise AssertionError("the cut was never made")


@pytest.fixture
def gate(monkeypatch):
    """The thread waits for it before it works."""
    opened, found = threading.Event(), background_cut._found

    def slow(*args):
        opened.wait(300)  # as long as a busy machine may take for some steps
        return found(*args)

    monkeypatch.setattr(background_cut, "_found", slow)
    yield opened
    opened.set()


@pytest.mark.parametrize("bodies", [1, 2])
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_it_is_the_cut_made_at_once(solver, bodies, monkeypatch, place):
    """At rest, where all moments are alike: the same mesh, and then the same steps bit for bit; all that was foreseen is used."""
    # which pairs of pieces touch is not foreseen
    one, other = (beam(solver, bodies=bodies, device=place, response=None) for _ in range(2))
    for sim in (one, other):  # both have a matrix, and are at rest
        sim.v = np.broadcast_to((0.0, 0.0, 1.0), sim.v.shape)
        sim.step()
        sim.reset()
    one.cut(ACROSS, wait=False)
    assert one.cutting == 1 and one.cuts == 0
    until_made(one)
    assert one.cuts == 1
    if solver is not SOLVERS["quasi-newton"]:  # its matrix is another
        monkeypatch.setattr(pl.linear.matrix.block_matrix, "renewed_pattern", None)
        monkeypatch.setattr(pl.linear.preconditioner.two_level, "Aggregates", None)
    one.reset()
    one.v = np.broadcast_to((0.0, 0.0, 1.0), one.v.shape)
    seen = [one.step().kept and one.x for _ in range(3)]
    monkeypatch.undo()
    other.cut(ACROSS)
    other.reset()
    other.v = np.broadcast_to((0.0, 0.0, 1.0), other.v.shape)
    for k in range(bodies):
        np.testing.assert_array_equal(one.scene.bodies[k].shape.mesh.tets, other.scene.bodies[k].shape.mesh.tets)
    for x in seen:
        assert other.step().kept
        np.testing.assert_array_equal(x, other.x)


def test_pieces_that_touch_move_as_after_a_cut_made_at_once():
    one, other = beam(), beam()
    one.cut(ACROSS, wait=False)
    one.finish_cuts()
    other.cut(ACROSS)
    for sim in (one, other):
        sim.v = np.where(sim.world.rest[:, :1] > 0.22, (-0.5, 0.0, 0.0), 0.0)
        assert all(sim.step().kept for _ in range(3)) and sim.step().contacts > 0
    np.testing.assert_array_equal(one.x, other.x)


def test_it_lies_where_the_blade_was_in_the_body_when_it_was_drawn():
    sim, apart = beam(), 0.3
    sim.step()
    sim.cut(pl.Blade([(0.2, -1, 1), (0.2, 1, 1)], depth=2.0), wait=False)
    sim.x = sim.x + np.array([0.0, apart, 0.0])  # far from the blade by now
    until_made(sim)
    moved = sim.scene.bodies[0].shape.mesh
    assert pl.inspect(moved).components == 2 and len(moved.vertices) == len(MESH.vertices) + 25


def test_the_thread_touches_nothing_of_the_device(monkeypatch):
    whose = set()

    def noted(name):
        whole = getattr(Device, name)

        def told(self, *args, **kwargs):
            whose.add(threading.current_thread().name)
            return whole(self, *args, **kwargs)

        return told

    sim = beam(surface=pl.meshes.box((0.4, 0.1, 0.1), (0.2, 0.05, 0.05)))
    sim.step()
    for name in ("launch", "array", "zeros", "reads", "copy"):
        monkeypatch.setattr(Device, name, noted(name))
    sim.cut(ACROSS, wait=False)
    until_made(sim)
    sim.step()
    assert sim.cuts == 1 and "MainThread" in whose and "pliant-cut" not in whose


def test_a_stroke_that_grows_waits_once_and_is_cut_to_its_end(gate):
    sim = beam()
    sim.step()
    for depth in (0.95, 0.97, 1.0, 1.2):
        sim.cut(pl.Blade([(0.21, -1, 1), (0.24, 1, 1)], depth=depth), wait=False)
        assert sim.step().kept
    assert sim.cutting == 2
    gate.set()
    sim.finish_cuts()
    assert sim.cutting == 0 and pl.inspect(sim.scene.bodies[0].shape.mesh).components == 2


def test_a_cut_made_meanwhile_is_taken_account_of(gate):
    sim = beam()
    sim.step()
    sim.plan_cut(pl.Blade([(0.11, -1, 1), (0.11, 1, 1)], depth=2.0), at=sim.t)
    sim.cut(ACROSS, wait=False)
    sim.step()
    assert sim.cuts == 1
    gate.set()
    sim.finish_cuts()
    assert sim.cuts == 2 and pl.inspect(sim.scene.bodies[0].shape.mesh).components == 3
    assert all(sim.step().kept for _ in range(3))


def test_checkpoints_and_undo_wait_for_it(tmp_path):
    sim = beam(gravity=(0, 0, -9.81))
    sim.step()
    sim.cut(ACROSS, wait=False)
    sim.save(tmp_path / "cut.npz")
    assert sim.cutting == 0 and sim.cuts == 1
    loaded = pl.Simulation.load(tmp_path / "cut.npz")
    for _ in range(3):
        sim.step(), loaded.step()
    np.testing.assert_array_equal(sim.x, loaded.x)
    before = sim.x
    sim.cut(pl.Blade([(0.11, -1, 1), (0.11, 1, 1)], depth=2.0), wait=False)
    sim.undo_cut()
    np.testing.assert_array_equal(sim.x, before)
    assert sim.cutting == 0 and sim.cuts == 1


def test_no_step_waits_but_the_last_that_may(gate, monkeypatch):
    monkeypatch.setattr(background_cut, "MOST", 3)
    sim = beam()
    sim.step()
    sim.cut(ACROSS, wait=False)
    sim.step(), sim.step()
    assert sim.cutting == 1
    threading.Timer(0.1, gate.set).start()
    sim.step()
    assert sim.cutting == 0 and sim.cuts == 1


def test_what_cannot_be_cut_is_refused_at_once():
    sim = beam()
    with pytest.raises(pl.errors.InputError, match="expected"):
        sim.cut(ACROSS, body=7, wait=False)
    with pytest.raises(pl.errors.InputError, match="wait"):
        sim.cut(ACROSS, wait=2)
    assert sim.cutting == 0


def test_cuts_that_are_undone_leave_nothing_behind():
    """Of all that cuts beside the steps make, what is at work is kept, and no more."""
    sim = beam(SOLVERS["one system"])
    kinds, counts = (World, Pattern, background_cut.Known, Body), []
    for k in range(7):
        at = 0.1 + 0.04 * k
        sim.cut(pl.Blade([(at, -1, 1), (at, 1, 1)], depth=2.0), wait=False)
        until_made(sim)
        assert sim.cuts == 1 and sim.step().kept
        sim.undo_cut()
        sim.step(), sim.step()
        if k in (1, 6):
            gc.collect()
            found = [type(each) for each in gc.get_objects()]
            counts.append([found.count(kind) for kind in kinds])
    assert counts[0] == counts[1]
