"""Cuts in place: rows to spare become nodes, and everything is as if the scene had been laid out anew, bit for bit."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant.simulate.cutting import cut_commit
from pliant.simulate.cutting import in_place as spare

SOLVERS = {
    "newton": pl.Newton(iterations=2),
    "linearised": pl.solver.LinearlyImplicit(),
    "eight": pl.Newton(iterations=1, linear=pl.linear.PCG(preconditioner=pl.linear.TwoLevel(aggregates=8))),
    "blocks": pl.Newton(iterations=1, linear=pl.linear.PCG(preconditioner=pl.linear.BlockJacobi())),
}
GRID = pl.tet_grid((0.4, 0.1, 0.1), (20, 5, 5), 5)
SKEW = GRID.vertices + 0.003 * np.sin(np.arange(GRID.vertices.size).reshape(-1, 3) ** 1.3)  # aligned with nothing
MESH = pl.TetMesh(SKEW, GRID.tets)
ALONE = pl.Contact(response=None)  # pieces that touch are laid out with their contact


@pytest.fixture(autouse=True)
def many_rows(monkeypatch):
    monkeypatch.setattr(spare, "LEAST", 160)


def beam(solver="newton", precision="f64", young=2e4, surface=None, obstacles=(), contact=ALONE, scheme=None, **options):
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=1000.0)
    body = pl.Body(MESH, law, pinned=np.flatnonzero(MESH.vertices[:, 0] < 0.01), surface=surface)
    scheme = scheme or pl.ImplicitEuler(dt=0.02, solver=SOLVERS.get(solver, solver))
    scene = pl.Scene([body], obstacles=list(obstacles), gravity=(0, 0, -0.3), contact=contact)
    return pl.Simulation(scene, scheme, precision=precision, **options)


def blade(share):
    """Along the beam, from its free end to its middle and beyond."""
    return pl.Blade([(0.5, -0.1, 0.047), (0.5, 0.2, 0.055)], depth=0.1 + 0.3 * share, into=(-1, 0, 0))


def cut(sim, shares, steps=1):
    """How many nodes there are after each share, and in how many worlds the steps were made."""
    counts, worlds = [], []
    for share in shares:
        sim.cut(blade(share))
        assert all(sim.step().kept for _ in range(steps))
        counts.append(len(sim.x))
        worlds.append(sim.world)
    return counts, len({id(world) for world in worlds})


def alike(one, other):
    return np.array_equal(one.x, other.x) and np.array_equal(one.v, other.v)


SHARES = (0.1, 0.25, 0.4, 0.5, 0.65, 0.8)


@pytest.mark.parametrize("solver, precision, young", [
    ("newton", "f64", 2e4), ("newton", "f32", 1e8), ("linearised", "f32", 2e4), ("blocks", "f64", 2e4),
])  # fmt: skip
def test_the_numbers_are_those_of_a_scene_that_is_laid_out_anew(place, solver, precision, young, monkeypatch):
    here, there = (beam(solver, precision, young, device=place) for _ in range(2))
    counts, worlds = cut(here, SHARES)
    assert worlds == 1 and counts[-1] > counts[0] + 20 and here.world.count == here.world.alive + here.world.layout.spare
    with monkeypatch.context() as patch:
        patch.setattr(cut_commit, "cut_in_place", lambda *_: "as asked")
        assert cut(there, SHARES) == (counts, len(SHARES))
    assert alike(here, there) and here.energies() == there.energies()
    assert np.array_equal(here.world.mass[: counts[-1]], there.world.mass[: counts[-1]])
    assert all(np.array_equal(here.force(name), there.force(name)) for name in ("pinned", "body 0"))
    assert np.array_equal(here.field("stress"), there.field("stress"))


FLOORS = {
    "far": ([pl.plane(z=-1.0)], ALONE),
    "touched": ([pl.plane(z=-0.002)], pl.Contact(response=None, friction=0.5)),
    "curved": ([pl.sphere(0.2, (0.3, 0.05, -0.2))], pl.Contact(friction=0.3)),
}


@pytest.mark.parametrize("floor, precision", [("far", "f64"), ("touched", "f64"), ("touched", "f32"), ("curved", "f64")])
def test_obstacles_stay_where_a_body_is_cut_above_them(place, floor, precision, monkeypatch):
    """What touches one, and what friction remembers there, goes on as if the scene had been laid out afresh."""
    obstacles, contact = FLOORS[floor]
    here, there = (beam("newton", precision, 2e4, None, obstacles, contact, device=place) for _ in range(2))
    counts, worlds = cut(here, SHARES[:4], steps=2)
    assert worlds == 1 and counts[-1] > counts[0]
    with monkeypatch.context() as patch:
        patch.setattr(cut_commit, "cut_in_place", lambda *_: "as asked")
        assert cut(there, SHARES[:4], steps=2) == (counts, 4)
    assert alike(here, there) and here.energies() == there.energies()
    (energy,), (other,) = here.world["contact"], there.world["contact"]
    rows = slice(len(here.x))
    assert np.array_equal(energy.stiffness.numpy()[rows], other.stiffness.numpy()[rows])
    for name in energy.memory:
        assert np.array_equal(energy.memory[name].numpy()[:, rows], other.memory[name].numpy()[:, rows])
    assert bool(energy.limit.numpy().any()) == (floor != "far")


def test_friction_is_kept_by_checkpoints_and_undone_cuts(tmp_path):
    obstacles, contact = FLOORS["touched"]
    sim, other = (beam(obstacles=obstacles, contact=contact) for _ in range(2))
    for each in (sim, other):
        cut(each, SHARES[:3], steps=2)
    sim.save(tmp_path / "cut.npz")
    again = pl.Simulation.load(tmp_path / "cut.npz")
    assert alike(sim, again) and again.world.layout.spare == 0 < sim.world.layout.spare
    cut(sim, SHARES[3:4])
    sim.undo_cut()
    for _ in range(3):
        assert sim.step().kept and again.step().kept and other.step().kept
        assert alike(sim, other) and alike(again, other)


@pytest.mark.parametrize("options, why", [
    ({}, "the first cut reserves rows for later ones"),
    ({"solver": pl.Newton(linear=pl.linear.Direct())}, "Newton(linear=Direct()) reserves no rows for new nodes"),
    ({"solver": pl.QuasiNewton()}, "QuasiNewton(linear=Direct()) reserves no rows for new nodes"),
    ({"scheme": pl.BDF2(dt=0.02)}, "BDF2() reserves no rows for new nodes"),
    ({"obstacles": [pl.plane(z=-1.0)], "contact": pl.Contact(response=pl.contact.Barrier())},
     "Obstacles() reserves no rows for new nodes"),
])  # fmt: skip
def test_a_cut_that_lays_the_scene_out_afresh_says_why(options, why):
    sim = beam(**options)
    (done,) = sim.cut(blade(0.3))
    assert done.afresh == why
    (done,) = sim.cut(blade(0.4))
    assert done.afresh == ("" if not options else why)


def test_no_launch_is_recorded_anew(place):
    sim = beam("eight", device=place)
    cut(sim, (0.1, 0.2), steps=3)
    known, programs = set(sim.device._recorded), dict(sim.world.objective._programs)
    nodes = len(sim.x)
    sim.cut(blade(0.3))
    assert sim.step().kept and len(sim.x) > nodes
    assert set(sim.world.objective._programs) == set(programs)
    assert len(set(sim.device._recorded) - known) < 12  # the energies of the tets around, before and after


def test_rows_to_spare_that_are_used_up_are_made_anew(monkeypatch):
    plain, few = beam(), beam()
    counts, _ = cut(plain, SHARES)
    monkeypatch.setattr(spare, "LEAST", 12)
    monkeypatch.setattr(spare, "SHARE", 0.0)
    again, worlds = cut(few, SHARES)
    assert again == counts and 1 < worlds < len(SHARES) and alike(few, plain)


def test_entries_to_spare_that_are_used_up_are_made_anew(monkeypatch):
    plain, few = beam(), beam()
    cut(plain, SHARES)
    monkeypatch.setattr(type(few.world.objective), "ENTRIES", 1)
    _, worlds = cut(few, SHARES)
    assert worlds == 1 and alike(few, plain)


def test_a_body_that_falls_apart_has_other_aggregates_and_goes_on(monkeypatch):
    """Right across, piece by piece: in the end there are two bodies, with aggregates of their own."""

    def across(sim):
        for depth in (0.92, 0.95, 0.98, 1.2):
            sim.cut(pl.Blade([(0.2, -1, 1.0), (0.22, 1, 1.0)], depth=depth))
            assert sim.step().kept
        return sim

    here = across(beam())
    monkeypatch.setattr(cut_commit, "cut_in_place", lambda *_: "as asked")
    assert alike(here, across(beam()))


def test_it_goes_on_from_a_checkpoint_bit_for_bit(place, tmp_path):
    sim = beam(device=place)
    cut(sim, SHARES[:3])
    sim.save(tmp_path / "cut.npz")
    again = pl.Simulation.load(tmp_path / "cut.npz", device=place)
    assert alike(sim, again)
    assert cut(sim, SHARES[3:])[0] == cut(again, SHARES[3:])[0] and alike(sim, again)


def test_cuts_are_undone_bit_for_bit():
    sim, other = beam(), beam()
    cut(sim, SHARES[:3])
    cut(other, SHARES[:3])
    x = sim.x
    cut(sim, SHARES[3:5])
    sim.undo_cut()
    sim.undo_cut()
    assert np.array_equal(sim.x, x)
    assert all(sim.step().kept and other.step().kept for _ in range(3)) and alike(sim, other)
    assert cut(sim, SHARES[3:])[0] == cut(other, SHARES[3:])[0] and alike(sim, other)
    for _ in range(sim.cuts):
        sim.undo_cut()
    assert len(sim.x) == len(MESH.vertices) and sim.step().kept


def test_reset_goes_back_to_rest_with_the_cuts():
    sim = beam()
    cut(sim, SHARES[:3])
    sim.reset()
    mesh = sim.scene.bodies[0].shape.mesh
    assert sim.t == 0 and np.array_equal(sim.x, mesh.vertices) and not sim.v.any() and sim.step().kept


def test_a_hand_holds_on_through_cuts(place, monkeypatch):
    def pulled(sim):
        cut(sim, SHARES[:2])
        vertex = int(np.argmax(sim.bodies[0].surface[:, 0]))
        sim.grab(vertex, sim.bodies[0].surface[vertex] + (0.02, 0.0, 0.05))
        assert sim.step().kept
        _, worlds = cut(sim, SHARES[2:5])
        assert len(sim.hands.points) == 1 and np.linalg.norm(sim.force("hand 0")) > 1e-3
        return sim, worlds

    here, worlds = pulled(beam(device=place))
    monkeypatch.setattr(cut_commit, "cut_in_place", lambda *_: "as asked")
    assert worlds == 1 and alike(here, pulled(beam(device=place))[0])


def test_a_thread_that_cuts_foresees_the_matrix_in_place(monkeypatch):
    """What it found is taken, and leads to the numbers of a cut at once."""
    one, other = beam(threads=2), beam(threads=1)
    for sim in (one, other):
        cut(sim, SHARES[:2])
        sim.v = np.zeros_like(sim.v)
    taken, renew = [], type(other.world.objective).renew

    def watched(objective):
        foreseen = objective.foreseen
        renew(objective)
        taken.append(objective._matrices[False].pattern is foreseen)

    monkeypatch.setattr(type(other.world.objective), "renew", watched)
    world = other.world
    one.cut(blade(0.5))
    other.cut(blade(0.5), wait=False)
    while not other._beside._under_way[2].ready:
        time.sleep(0.005)
    other.finish_cuts()
    assert taken == [True, True] and other.world is world
    assert one.step().kept and other.step().kept and alike(one, other)


def test_a_finer_surface_follows(monkeypatch):
    fine = pl.tet_grid((0.36, 0.08, 0.08), (30, 8, 8), 5).boundary.translated((0.02, 0.01, 0.01))

    def drawn(in_place):
        with monkeypatch.context() as patch:
            if not in_place:
                patch.setattr(cut_commit, "cut_in_place", lambda *_: "as asked")
            sim = beam(surface=fine)
            _, worlds = cut(sim, SHARES[:4])
        return sim, worlds

    (here, one), (there, many) = drawn(True), drawn(False)
    assert one == 1 < many and len(here.bodies[0].surface) > len(fine.vertices)
    assert np.array_equal(here.bodies[0].surface, there.bodies[0].surface)


def test_modes_and_derivatives_of_a_body_that_was_cut():
    """Whoever works on all rows finds none to spare, and cuts go on."""
    sim = beam()
    cut(sim, SHARES[:2])
    x = sim.x
    assert sim.world.layout.spare > 0
    ringing = pl.modes(sim, 3)
    assert sim.world.layout.spare == 0 and np.array_equal(sim.x, x)
    body = sim.scene.bodies[0]
    scene = pl.Scene([pl.Body(body.shape, body.material, pinned=body.pinned)])
    assert ringing.frequencies == pytest.approx(pl.modes(scene, 3).frequencies, rel=0.02)
    assert cut(sim, SHARES[2:4])[1] == 2
    other = beam(pl.Newton())
    other.cut(blade(0.2))
    down = lambda k, x, v: (float(x[:, 2].sum()), np.tile((0.0, 0.0, 1.0), (len(x), 1)), None)
    found = pl.inverse.gradient(other, down, [(0, "young")], steps=2)
    assert found.x.shape == other.x.shape and abs(found.parameters[0, "young"]) > 0


def test_a_cut_through_what_is_held_lays_the_scene_out_anew():
    sim = beam()
    cut(sim, SHARES[:2])
    world = sim.world
    sim.cut(pl.Blade([(-0.1, -0.1, 0.047), (-0.1, 0.2, 0.055)], depth=0.15, into=(1, 0, 0)))
    assert sim.world is not world and sim.step().kept
