"""Lattice bodies cut in a running simulation: mass, energy and what acts on them go on, and both halves move apart."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.bench.judge import depth_in_one_another
from pliant.cut.lattice.lattice_cut import components
from pliant.errors import InputError, PliantWarning

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
BAR = pl.Lattice(pl.box((0.4, 0.1, 0.1)), 0.034)
RING = pl.Lattice(pl.torus(0.1, 0.04), 0.03, refine=2, origin=(0.004, 0.007, 0.001))
ACROSS = pl.Blade([(0.011, -1, 1), (0.03, 1, 1)], depth=3.0)
NEWTON = pl.ImplicitEuler(dt=0.02)


def held(
    lattice=BAR,
    gravity=(0, 0, -9.81),
    integrator=NEWTON,
    material=SOFT,
    effects=(),
    precision="f64",
    device="cpu",
    contact=None,
    **more,
):
    body = pl.Body(lattice, material, pinned=lambda X: X[:, 0] < X[:, 0].min() + 0.04, effects=effects, name="bar", **more)
    scene = pl.Scene([body], gravity=gravity, contact=contact or pl.Contact())
    return pl.Simulation(scene, integrator, precision=precision, device=device)


def parts(sim):
    shape = sim.scene.bodies[0].shape
    return components(shape.nodes, len(shape.rest))


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("shape", ["block", "ring"])
def test_halves_come_apart_and_nothing_else_changes(place, precision, shape):
    sim = held(BAR if shape == "block" else RING, precision=precision, device=place)
    for _ in range(4):
        assert sim.step().kept
    before, mass, volume = sim.energies(), sim.world.mass.sum(), sim.scene.bodies[0].shape.weights.sum()
    (done,) = sim.cut(ACROSS)
    after = sim.energies()
    assert done.components == 2 and done.new > 10
    assert sim.world.mass.sum() == pytest.approx(mass, rel=1e-13)
    assert sim.scene.bodies[0].shape.weights.sum() == pytest.approx(volume, rel=1e-13)
    assert after["elastic"] == pytest.approx(before["elastic"], rel=1e-3)
    assert after["kinetic"] == pytest.approx(before["kinetic"], rel=1e-4)
    for _ in range(60):
        assert sim.step().kept
    assert np.all(np.isfinite(sim.x)) and np.all(np.isfinite(sim.bodies[0].surface))
    shape, part = sim.scene.bodies[0].shape, parts(sim)
    free = np.isin(np.arange(len(sim.x)), shape.nodes[part != part[np.argmin(shape.lowest[:, 0])]])
    assert sim.x[free, 2].max() < -1.0 and sim.x[~free, 2].min() > -0.5  # one falls, the other hangs
    drawn, triangles = sim.bodies[0].surface, sim.skins[0].triangles
    edges = np.linalg.norm(drawn[triangles] - np.roll(drawn[triangles], 1, axis=1), axis=2)
    assert edges.max() < 0.1  # none is drawn out between the two


def test_a_body_at_rest_stays_there_and_an_even_stretch_keeps_its_energy():
    still = held(gravity=(0, 0, 0))
    still.cut(ACROSS)
    assert still.energies()["elastic"] < 1e-20
    assert still.step().kept and np.abs(still.x - still.world.rest).max() < 1e-12
    sim = held(gravity=(0, 0, 0))
    sim.x = sim.world.rest @ np.array([[1.2, 0.1, 0], [0, 0.95, 0], [0, 0.05, 0.9]])
    before = sim.energies()["elastic"]
    sim.cut(pl.Blade([(0.02, -1, 1), (0.05, 1, 1)], depth=3.0))
    assert before > 0.1 and sim.energies()["elastic"] == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("rule", [pl.quadrature.Gauss(), pl.quadrature.Corners()], ids=["gauss", "corners"])
def test_other_rules_and_averaged_volume_are_cut_too(rule):
    lattice = pl.Lattice(pl.box((0.4, 0.1, 0.1)), 0.034, quadrature=rule)
    body = pl.Body(lattice, SOFT)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), NEWTON)
    sim.x = sim.world.rest * [1.1, 1.0, 0.9]
    before, volume = sim.energies()["elastic"], lattice.weights.sum()
    sim.cut(ACROSS)
    assert sim.energies()["elastic"] == pytest.approx(before, rel=1e-12)
    assert sim.scene.bodies[0].shape.weights.sum() == pytest.approx(volume, rel=1e-13)


def test_what_acts_on_a_lattice_follows_the_cut(tmp_path):
    """Pins, springs, loads on the surface, a hand, values of single cells, a checkpoint and undo."""
    load = pl.Traction((0, 0, -30.0), lambda X: X[:, 0] > 0.2 - 1e-6)
    springs = pl.Hold(lambda X: np.abs(X[:, 0]) < 0.03, by=pl.hold.Springs(2.0), name="springs")
    middle = BAR.lowest[:, 0] + 0.5 * BAR.spacing
    law = pl.StableNeoHookean(young=np.where(middle < 0, 2e4, 4e4), poisson=0.4, density=np.where(middle < 0, 900.0, 1100.0))
    sim = held(material=law, effects=[load, springs])
    loaded = load.chosen(BAR, "")
    vertex = int(np.argmax(sim.bodies[0].surface[:, 0]))
    handle = sim.grab(vertex, (0.25, 0, 0.1), stiffness=5.0)
    for _ in range(3):
        assert sim.step().kept
    nodes, weights, _, _ = sim.hands.points[handle]
    place, mass, x = weights @ sim.x[nodes], sim.world.mass.sum(), sim.x
    (done,) = sim.cut(ACROSS)
    nodes, weights, stiffness, _ = sim.hands.points[handle]
    assert np.allclose(weights @ sim.x[nodes], place, rtol=0, atol=1e-9) and stiffness == 5.0
    body = sim.scene.bodies[0]
    assert sim.world.mass.sum() == pytest.approx(mass, rel=1e-13) and len(body.material.young) == body.shape.count
    assert np.array_equal(np.unique(done.origin[body.pinned]), np.flatnonzero(BAR.rest[:, 0] < BAR.rest[:, 0].min() + 0.04))
    assert np.array_equal(np.unique(done.patches[body.effects[0].where]), loaded)
    assert np.abs(body.shape.rest[body.effects[1].where][:, 0]).max() < 0.03
    sim.save(tmp_path / "cut.npz")
    again = pl.Simulation.load(tmp_path / "cut.npz")
    for one in (sim, again):
        assert one.step().kept
        (second,) = one.cut(pl.Blade([(-0.1, -1, 1), (-0.08, 1, 1)], depth=1.0))
        assert second.new and one.step().kept
    assert np.array_equal(sim.x, again.x) and np.array_equal(sim.bodies[0].surface, again.bodies[0].surface)
    sim.undo_cut()
    sim.undo_cut()
    assert np.array_equal(sim.x, x) and sim.scene.bodies[0].shape is BAR and sim.step().kept


def test_a_plastic_lattice_keeps_its_flow():
    law = pl.Plastic(pl.StableNeoHookean(young=2e4, poisson=0.4), yield_stress=200.0)
    sim = held(material=law, gravity=(0, 0, 0))
    sim.x = sim.world.rest * [1.15, 1, 1]
    assert sim.step().kept
    flowed, elastic = sim.field("plastic strain").max(), sim.energies()["elastic"]
    assert flowed > 0.01
    sim.cut(ACROSS)
    assert sim.field("plastic strain").max() == pytest.approx(flowed, rel=0.05)
    assert sim.energies()["elastic"] == pytest.approx(elastic, rel=0.02)
    assert sim.step().kept


@pytest.mark.parametrize("own", [False, True])
def test_both_halves_land_on_the_floor(own):
    """With the lattice's own surface, and with one that it carries."""
    given = pl.surface(RING.shape, 0.02)
    body = pl.Body(RING, SOFT, surface=None if own else given)
    sim = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=-0.045)]), NEWTON)
    sim.cut(ACROSS)
    drawn = sim.scene.bodies[0].shape.surface
    assert len(drawn.vertices) > len(RING.surface.vertices if own else given.vertices)
    assert np.array_equal(np.unique(parts(sim)[drawn.holders]), [0, 1])
    for _ in range(12):
        assert sim.step().kept
    low = [sim.bodies[0].surface[parts(sim)[drawn.holders] == k, 2].min() for k in range(2)]
    assert min(low) > -0.06 and max(low) < -0.04


def test_a_stroke_that_grows_as_planned():
    sim = held(gravity=(0, 0, 0))
    sim.plan_cut(pl.Blade([(0.01, -0.1, 1), (0.02, 0.1, 1)], depth=2.0), at=0.02, until=0.06)
    sim.run(0.08, fields=())
    assert parts(sim).max() == 1 and not sim.planned


def test_what_a_lattice_cannot_take_along_is_refused():
    weakly = pl.Body(BAR, SOFT, effects=[pl.Hold(lambda X: X[:, 0] < -0.19, by=pl.hold.Weakly())])
    centre = pl.Body(pl.Lattice(pl.box((0.4, 0.1, 0.1)), 0.034, quadrature=pl.quadrature.Centre()), SOFT)
    for body, word in ((weakly, "Weakly"), (centre, "Centre")):
        with pytest.raises(InputError, match=word):
            pl.Simulation(pl.Scene([body]), NEWTON).cut(ACROSS)
    averaged = pl.Body(pl.Lattice(pl.box((0.4, 0.1, 0.1)), 0.034, volume=pl.quadrature.Averaged()), SOFT)
    with pytest.raises(InputError, match="Mixed"):
        pl.Simulation(pl.Scene([averaged]), pl.ImplicitEuler(dt=0.02, solver=pl.Mixed())).cut(ACROSS)
    sim = held()
    with pytest.warns(PliantWarning, match="misses all bodies"):
        assert sim.cut(pl.Blade([(3, -1, 1), (3, 1, 1)], depth=3.0)) == (None,)
    sim.cut(ACROSS)
    with pytest.raises(InputError, match="Lattice"):
        sim.sdf()
    with pytest.warns(PliantWarning, match="cut there before"):
        sim.cut(ACROSS)


@pytest.mark.parametrize("seed, lattices", [(5, (BAR, RING)), (7, (BAR,))])
def test_what_touches_others_stays_closed(seed, lattices):
    """After each of several blades, with as much inside as there is material; each part has a surface of its own.

    Sides of the first cut with vertices in one place at rest were taken for one piece by the second."""
    rng = np.random.default_rng(seed)
    for lattice in lattices:
        sim = held(lattice, contact=pl.Contact(response=None))
        for _ in range(3):
            into, along = np.linalg.qr(rng.normal(size=(3, 2)))[0].T
            point = sim.x.mean(axis=0) + 0.03 * rng.normal(size=3)
            sim.cut(pl.Blade([point - along - into, point + along - into], 2.0, into))
            sim.run(0.1, fields=())
            shape, part = sim.scene.bodies[0].shape, parts(sim)
            mesh = shape.contact_surface
            edges = np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
            assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)
            own = part[mesh.holders]
            assert np.all(own[mesh.triangles] == own[mesh.triangles[:, :1]]) and set(own) == set(part)
            corners, weights = mesh.vertices[mesh.triangles], shape.weights.reshape(len(part), -1).sum(axis=1)
            volume = np.einsum("tc,tc->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
            inside, material = np.bincount(own[mesh.triangles[:, 0]], volume), np.bincount(part, weights)
            assert np.abs(inside - material).max() < 0.03 * material.sum()


def random_runs(lattice, count, seed, precision, response=None):
    """Moving bodies cut by one to three random blades, then 60 steps; returns how many blades cut something.

    With a barrier no vertex of a part is in another at the end of any step.
    """
    rng, done = np.random.default_rng(seed), 0
    for _ in range(count):
        sim = held(lattice, precision=precision, contact=pl.Contact(response=response))
        for _ in range(2):
            assert sim.step().kept
        mass = sim.world.mass.sum()
        for _ in range(rng.integers(1, 4)):
            low, high = sim.x.min(axis=0), sim.x.max(axis=0)
            point, along, into = rng.uniform(low, high), rng.normal(size=3), rng.normal(size=3)
            reach = float(np.linalg.norm(high - low)) * rng.choice([0.3, 2.0])
            along *= reach / np.linalg.norm(along)
            into /= np.linalg.norm(into)
            path = [point - along - reach * into, point + along - reach * into]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PliantWarning)
                done += sim.cut(pl.Blade(path, 2 * reach, into)) != (None,)
            assert sim.step().kept
        for _ in range(60):
            report = sim.step()
            assert report.kept, report.why
            if isinstance(response, pl.contact.Barrier) and parts(sim).any():
                shape = sim.scene.bodies[0].shape
                mesh = shape.contact_surface
                at, own = shape.outline.of(sim.x), parts(sim)[mesh.holders]
                assert not depth_in_one_another(mesh.triangles, own, at)[0]
        assert np.all(np.isfinite(sim.x)) and sim.world.mass.sum() == pytest.approx(mass, rel=1e-12)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("lattice", [BAR, RING], ids=["block", "ring"])
def test_random_blades_and_sixty_steps(lattice, precision):
    assert random_runs(lattice, 12, 3, precision) > 12


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("response", [pl.contact.Automatic(), pl.contact.Barrier()], ids=["default", "barrier"])
@pytest.mark.parametrize("lattice", [BAR, RING], ids=["block", "ring"])
def test_what_random_blades_separate_touches(lattice, response, seed):
    random_runs(lattice, 1, (3, seed), "f64", response)
