"""Cuts through running simulations: what was held, loaded, grabbed and recorded goes on, and no force comes from nothing."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.contact.detect.edge_crossings import crossings
from pliant.errors import InputError, PliantWarning
from pliant.runtime.device import Device

BEAM = pl.tet_grid((0.4, 0.1, 0.1), (12, 3, 3), 5)
SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
ACROSS = pl.Blade([(0.21, -1, 1), (0.24, 1, 1)], depth=2.0)
LEFT = pl.Hold(lambda X: X[:, 0] < 1e-9, name="left")
NEWTON = pl.ImplicitEuler(dt=0.02)


def beam(effects=(LEFT,), mesh=BEAM, gravity=(0, 0, 0), integrator=NEWTON, **options):
    body = pl.Body(mesh, SOFT, effects=effects, name="beam")
    return pl.Simulation(pl.Scene([body], gravity=gravity), integrator, **options)


def pulled(t):
    def motion(X, time):
        return X + np.array([0.1 * min(time / t, 1), 0, 0])

    return pl.Hold(lambda X: X[:, 0] > 0.4 - 1e-9, motion=motion, name="right")


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_halves_of_a_stretched_beam_return_to_their_shapes(place, precision):
    """A11: stretched by a quarter and cut right across, both halves come back to where they were at rest."""
    sim = beam([LEFT, pulled(0.4)], integrator=pl.ImplicitEuler(dt=0.04), device=place, precision=precision)
    sim.run(1.2, fields=())
    before, mass, t = sim.energies(), sim.world.mass.sum(), sim.t
    (done,) = sim.cut(pl.Blade([(0.26, -1, 1), (0.28, 1, 1)], depth=2.0))
    after = sim.energies()
    assert len(sim.world.rest) == len(BEAM.vertices) + done.new and sim.t == t
    assert after["elastic"] == pytest.approx(before["elastic"], rel=1e-2) and before["elastic"] > 0.5
    assert sim.world.mass.sum() == pytest.approx(mass, rel=1e-12)
    sim.run(3.0, fields=())
    X, u = sim.world.rest, sim.x - sim.world.rest
    right = np.isin(np.arange(len(X)), _part_of(sim, np.argmax(X[:, 0])))
    assert 10 < right.sum() < len(X) - 10
    assert np.abs(u[~right]).max() < 1e-3 * 0.1 and np.abs(u[right] - [0.1, 0, 0]).max() < 1e-3 * 0.1
    assert sim.energies()["elastic"] < 1e-4 * before["elastic"]


def _part_of(sim, node):
    """The nodes that hang together with one."""
    found, tets = {int(node)}, sim.scene.bodies[0].shape.tets
    while True:
        grown = set(tets[np.isin(tets, list(found)).any(axis=1)].ravel().tolist())
        if grown <= found:
            return sorted(found)
        found |= grown


def test_a_cut_of_a_sagging_body_keeps_its_energy_and_of_a_body_at_rest_has_none():
    sim = beam(gravity=(0, 0, -9.81))
    sim.run(2.0, fields=())
    before = sim.energies()
    middle = sim.x[np.abs(BEAM.vertices[:, 0] - 0.2) < 0.01].mean(axis=0)
    (done,) = sim.cut(pl.Blade(middle + np.array([(0.01, -1, 1), (0.03, 1, 1)]), depth=1.0))  # from above to the middle
    after = sim.energies()
    assert pl.inspect(done.mesh).components == 1 and np.linalg.norm(sim.x - sim.world.rest, axis=1).max() > 0.02
    assert -1e-2 < after["elastic"] / before["elastic"] - 1 < 2e-4
    relaxed = beam()
    relaxed.cut(ACROSS)
    assert relaxed.energies()["elastic"] < 1e-20
    relaxed.run(0.2, fields=())
    assert np.abs(relaxed.x - relaxed.world.rest).max() < 1e-12


def test_the_matrix_after_a_cut_is_that_of_a_simulation_built_anew():
    """A12: what goes on is bit for bit what a new simulation of the cut body does."""
    sim = beam(gravity=(0, 0, -9.81))
    sim.run(0.1, fields=())
    sim.cut(ACROSS)
    other = pl.Simulation(sim.scene, sim.integrator)
    other.x, other.v = sim.x, sim.v
    for _ in range(3):
        assert sim.step().kept and other.step().kept
    assert np.array_equal(sim.x, other.x) and np.array_equal(sim.v, other.v)


def test_hands_keep_their_point_where_the_vertex_goes_more_than_half_way_to_another():
    block = pl.tet_grid((0.4, 0.2, 0.2), (6, 3, 3), 5)
    sim = beam((), block)
    surface = sim.bodies[0].surface
    held = {sim.grab(v, surface[v], stiffness=5.0): surface[v] for v in range(len(surface))}
    normal, middle = np.array([-0.52, -0.844, -0.13]), np.array([0.221, 0.157, 0.105])
    into = np.cross(normal, (0.3, 0.5, 0.7))
    along = np.cross(normal, into)
    (done,) = sim.cut(pl.Blade([middle - along - into, middle + along - into], depth=4.0, into=into))
    assert done.new and set(sim.hands.points) == set(held)
    for handle, place in held.items():
        nodes, weights, stiffness, _ = sim.hands.points[handle]
        assert np.allclose(weights @ sim.x[nodes], place, rtol=0, atol=1e-9) and stiffness == 5.0


def test_what_acts_on_a_body_follows_the_cut():
    load = pl.Load((0, 0, -0.5), lambda X: X[:, 0] > 0.4 - 1e-9)
    spring = pl.Hold(lambda X: np.abs(X[:, 0] - 0.2) < 0.02, by=pl.hold.Springs(5.0), name="springs")
    speed = np.linspace(0, 0.1, len(BEAM.vertices))[:, None] * np.ones(3)
    body = pl.Body(
        BEAM,
        SOFT,
        pinned=lambda X: X[:, 0] < 1e-9,
        effects=[load, spring],
        velocity=speed,
        damping=pl.Damping(mass=2.0),
    )
    floor = pl.Obstacle(pl.plane(z=-0.3), name="floor")
    other = pl.Body(BEAM.translated((0, 1, 0)), SOFT, name="other")
    sim = pl.Simulation(pl.Scene([body, other], obstacles=[floor]), NEWTON)
    handle = sim.grab(vertex=len(sim.skins[0].parents) - 1, target=(0.5, 0, 0.2), stiffness=20.0)
    sim.run(0.1, fields=())
    held = sim.hands.points[handle]
    where = held[1] @ sim.x[held[0]]
    before, v, energies = sim.bodies[1].x, sim.bodies[1].v, sim.energies()
    done = sim.cut(ACROSS, body=0)
    assert done[1] is None and done[0].new > 0
    assert np.array_equal(sim.bodies[1].x, before) and np.array_equal(sim.bodies[1].v, v)
    assert sim.bodies[1].rows.start == len(BEAM.vertices) + done[0].new
    nodes, weights, stiffness, target = sim.hands.points[handle]
    assert np.allclose(weights @ sim.x[nodes], where, rtol=0, atol=1e-6) and (stiffness, list(target)) == (
        20.0,
        [0.5, 0, 0.2],
    )
    after = sim.energies()
    assert after["kinetic"] == pytest.approx(energies["kinetic"], rel=1e-2)
    assert after["gravity"] == pytest.approx(energies["gravity"], rel=1e-2)
    now = sim.scene.bodies[0]
    assert sorted(now.pinned) == sorted(np.flatnonzero(BEAM.vertices[:, 0] < 1e-9))
    chosen = now.effects[1].where
    assert np.all(np.abs(now.shape.rest[chosen][:, 0] - 0.2) < 0.08) and len(chosen) >= len(spring.chosen(body.shape, ""))
    assert np.asarray(now.velocity).shape == now.shape.rest.shape
    run = sim.run(0.4, fields=("stress",), forces=True)
    assert all(report.kept for report in run.reports) and {"pinned", "springs", "floor", "hand 0"} <= set(run.forces)


def test_hands_at_the_cut_keep_their_points_of_the_material():
    """Also those whose nodes are moved onto the blade, or doubled."""
    sim = beam([LEFT, pulled(0.05)])
    sim.run(0.2, fields=())
    handles = [sim.grab(vertex, (0.2, 0.0, 0.5), stiffness=1e-3) for vertex in range(0, len(sim.skins[0].parents), 3)]
    grabbed = sim.skins[0].parents[::3]
    before = [sim.hands.points[h][1] @ sim.x[sim.hands.points[h][0]] for h in handles]
    (done,) = sim.cut(pl.Blade([(0.26, -1, 1), (0.28, 1, 1)], depth=2.0))
    after = [sim.hands.points[h][1] @ sim.x[sim.hands.points[h][0]] for h in handles]
    assert np.isin(done.origin[len(BEAM.vertices) :], grabbed).any()
    assert np.abs(np.array(after) - before).max() < 1e-3 and sorted(sim.hands.points) == handles
    assert sim.step().kept


def test_a_blade_that_goes_on_cuts_as_one_at_once():
    """A stroke that grows from step to step, in a body that moves."""
    plate = pl.tet_grid((0.4, 0.4, 0.1), (10, 10, 3), 5)
    sim = beam([pl.Hold(lambda X: X[:, 1] < 1e-9)], mesh=plate)
    for end in np.linspace(0.05, 0.45, 5):
        sim.cut(pl.Blade([(-0.1, 0.19, 1), (end, 0.21, 1)], depth=2.0))
        assert sim.step().kept
    at_once = beam(mesh=plate)
    at_once.cut(pl.Blade([(-0.1, 0.19, 1), (0.45, 0.21, 1)], depth=2.0))
    for one in (sim, at_once):
        assert pl.inspect(one.scene.bodies[0].shape.mesh).components == 2
    assert len(sim.x) == len(at_once.x)


def test_regions_muscles_points_and_a_fine_surface_are_carried():
    regions = (BEAM.vertices[BEAM.tets].mean(axis=1)[:, 0] > 0.2).astype(int)
    mesh = pl.TetMesh(BEAM.vertices, BEAM.tets, regions)
    muscle = pl.muscles.EmbeddedMuscle(pl.capsule((0.05, 0.05, 0.05), (0.35, 0.05, 0.05), 0.04), (1, 0, 0), activation=0.2)
    points = pl.Hold([(0.01, 0.05, 0.05), (0.39, 0.05, 0.05)], by=pl.hold.Springs(50.0))
    law = pl.StableNeoHookean(young=[2e4, 4e4], poisson=0.4, density=[1000.0, 2000.0])
    body = pl.Body(mesh, law, effects=[muscle, points], surface=mesh.boundary)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), NEWTON)
    mass = sim.world.mass.sum()
    sim.cut(ACROSS)
    assert sim.world.mass.sum() == pytest.approx(mass, rel=1e-12)
    drawn = pl.TriMesh(sim.bodies[0].surface, sim.skins[0].triangles)
    assert pl.inspect(drawn).watertight and pl.inspect(drawn).components == 2
    assert all(sim.step().kept for _ in range(3)) and len(sim.bodies[0].muscles) == 1


def test_a_fine_surface_is_cut_drawn_touched_and_saved(tmp_path):
    """What comes off falls and lands with its drawn surface on the floor; a checkpoint keeps which tets carry what."""
    body = pl.Body(BEAM, SOFT, effects=[LEFT], surface=pl.surface(pl.box((0.4, 0.1, 0.1), (0.2, 0.05, 0.05)), 0.02))
    floor = pl.plane(z=-0.05)
    sim = pl.Simulation(pl.Scene([body], obstacles=[floor]), NEWTON)
    sim.cut(ACROSS)
    assert len(sim.skins[0].parents) == len(sim.scene.bodies[0].surface.vertices) > len(body.surface.vertices)
    run = sim.run(0.4, fields=())
    assert all(report.kept for report in run.reports)
    free = sim.bodies[0].surface[sim.world.rest[sim.skins[0].parents[:, 0], 0] > 0.26]
    assert -0.06 < free[:, 2].min() < -0.045 and free[:, 2].max() < 0.08
    sim.save(tmp_path / "cut.npz")
    again = pl.Simulation.load(tmp_path / "cut.npz")
    assert np.array_equal(again.bodies[0].surface, sim.bodies[0].surface)
    for one in (sim, again):
        one.cut(pl.Blade([(0.1, -1, 1), (0.12, 1, 1)], depth=2.0))
        one.step()
    assert np.array_equal(again.x, sim.x) and np.array_equal(again.bodies[0].surface, sim.bodies[0].surface)


def test_a_run_has_a_chapter_for_each_topology(tmp_path):
    sim = beam(gravity=(0, 0, -9.81))

    def on_step(now, report):
        if abs(now.t - 0.1) < 1e-9:
            now.cut(ACROSS)

    run = sim.run(0.2, on_step=on_step)
    assert [len(chapter) for chapter in run.chapters] == [5, 6] and len(run) == 11
    assert len(run.chapters[1].rest) > len(run.chapters[0].rest)
    pl.export(run, tmp_path / "cut.glb")
    pl.export(run, tmp_path / "cut.npz")
    assert len(pl.read(tmp_path / "cut.npz").chapters) == 2
    with pytest.raises(InputError, match="moves one mesh"):
        pl.export(run, tmp_path / "cut.pc2")
    sim.save(tmp_path / "after.npz")
    again = pl.Simulation.load(tmp_path / "after.npz")
    for one in (sim, again):
        one.step()
    assert np.array_equal(sim.x, again.x)
    sim.reset()
    assert sim.t == 0 and np.array_equal(sim.x, sim.world.rest) and len(sim.x) == len(run.chapters[1].rest)


@pytest.mark.parametrize(
    "integrator",
    [
        pl.ImplicitEuler(dt=0.01, solver=pl.QuasiNewton(iterations=10)),
        pl.ImplicitEuler(dt=0.01, solver=pl.ProjectiveDynamics(iterations=10)),
        pl.Newmark(dt=0.01),
        pl.BDF2(dt=0.01),
        pl.CentralDifferences(dt=1e-4),
    ],
    ids=lambda i: type(getattr(i, "solver", i)).__name__,
)
def test_solvers_and_schemes_go_on_after_a_cut(integrator):
    law = pl.Arap(young=2e4, density=1000.0)
    body = pl.Body(BEAM, law, pinned=lambda X: X[:, 0] < 1e-9)
    alone = isinstance(getattr(integrator, "solver", None), pl.ProjectiveDynamics)  # which has no contact of bodies
    contact = pl.Contact(response=None) if alone else pl.Contact()
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, -9.81), contact=contact), integrator)
    for _ in range(3):
        assert sim.step().kept
    sim.cut(ACROSS)
    for _ in range(5):
        assert sim.step().kept
    assert np.isfinite(sim.x).all()
    free = _part_of(sim, np.argmax(sim.world.rest[:, 0]))
    falling = np.average(sim.v[free], axis=0, weights=sim.world.mass[free])[2]
    assert falling < -0.5 * 9.81 * 8 * integrator.dt


def test_a_solver_without_contact_of_bodies_refuses_to_cut_through_and_goes_on():
    body = pl.Body(BEAM, pl.Arap(young=2e4, density=1000.0), pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.01, solver=pl.ProjectiveDynamics(iterations=10)))
    assert sim.step().kept
    x = sim.x
    with pytest.raises(InputError, match=r"body contact.*Contact\(response=None\)"):
        sim.cut(ACROSS)
    assert np.array_equal(sim.x, x) and sim.cuts == 0 and sim.step().kept


def test_cuts_that_cut_nothing_say_so_and_change_nothing():
    sim = beam()
    world, skins = sim.world, sim.skins
    with pytest.warns(PliantWarning, match="misses all bodies"):
        assert sim.cut(pl.Blade([(3, -1, 1), (3, 1, 1)], depth=2.0)) == (None,)
    thin = beam(mesh=pl.tet_grid((0.4, 0.1, 0.02), (12, 3, 1), 5))
    with pytest.warns(PliantWarning, match="too thin"):
        thin.cut(pl.Blade([(-1, -1, 0.009), (-1, 1, 0.009)], depth=3.0, into=(1, 0, 0)))
    assert sim.world is world and sim.skins is skins and sim.step().kept


def test_what_cannot_be_cut_is_refused():
    threads = pl.Body(pl.Springs(pl.meshes.net((1, 1), (4, 4)), radius=1e-3), SOFT, name="threads")
    hexes = pl.Body(pl.meshes.hex_box((0.4, 0.4, 0.4), (2, 2, 2)), SOFT, name="hexes")
    ten = pl.Body(BEAM.quadratic(), SOFT, name="ten")
    far = pl.Body(BEAM.translated((0, 0, 5)), SOFT, name="far")
    through = pl.Blade([(0.1, -3, 1), (0.1, 3, 1)], depth=2.0)
    for body, word in (
        (threads, "Springs"),
        (hexes, "Hexes.*tetrahedralise"),
        (ten, r"QuadraticTets.*mesh\.linear\(\)"),
    ):
        sim = pl.Simulation(pl.Scene([body, far]), NEWTON)
        with pytest.raises(InputError, match=word):
            sim.cut(through)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PliantWarning)
            sim.cut(pl.Blade([(0.1, -3, 6), (0.1, 3, 6)], depth=2.0))  # beside it, through the other
        assert len(sim.bodies[1].x) > len(BEAM.vertices)
    sim = beam()
    for bad in (7, True, "beam"):
        with pytest.raises(InputError, match="cut"):
            sim.cut(through, body=bad)
    with pytest.raises(InputError, match="Blade"):
        sim.cut("soft")


def test_memory_of_the_device_is_let_go():
    sim = beam()
    for k in range(4):
        sim.cut(pl.Blade([(0.1 + 0.05 * k, -1, 1), (0.11 + 0.05 * k, 1, 1)], depth=2.0))
        sim.step()
    assert pl.inspect(sim.scene.bodies[0].shape.mesh).components == 5


def test_undoing_cuts_goes_back_bit_for_bit():
    """State, bodies, hands and drawn surface are those before the cut, and what follows is what would have followed."""
    fine = pl.surface(pl.box((0.4, 0.1, 0.1), (0.2, 0.05, 0.05)), 0.03)
    body = pl.Body(BEAM, SOFT, effects=[LEFT], surface=fine)
    sims = [pl.Simulation(pl.Scene([body]), NEWTON) for _ in range(2)]
    for sim in sims:
        sim.grab(vertex=0, target=(0.0, 0.0, 0.2), stiffness=20.0)
        sim.run(0.1, fields=())
    sim, other = sims
    sim.cut(ACROSS)
    sim.step()
    sim.cut(pl.Blade([(0.1, -1, 1), (0.12, 1, 1)], depth=2.0))
    sim.step()
    assert sim.cuts == 2
    sim.set(gravity=(0, 0, -5.0))
    sim.undo_cut()
    assert sim.cuts == 1 and sim.t == pytest.approx(0.12) and sim.scene.gravity[2] == -5.0
    sim.set(gravity=(0, 0, -9.81))
    sim.undo_cut()
    assert sim.cuts == 0 and sim.t == other.t and sim.scene.bodies[0].shape is body.shape
    for _ in range(3):
        assert np.array_equal(sim.x, other.x) and np.array_equal(sim.v, other.v)
        assert np.array_equal(sim.bodies[0].surface, other.bodies[0].surface) and sorted(sim.hands.points) == [0]
        sim.step()
        other.step()
    with pytest.raises(InputError, match="no cut to undo"):
        sim.undo_cut()
    with pytest.warns(PliantWarning):
        sim.cut(pl.Blade([(3, -1, 1), (3, 1, 1)], depth=2.0))
    assert sim.cuts == 0


def test_planned_cuts_are_made_when_their_time_has_come(tmp_path):
    """At once, and with a stroke that grows; what is still planned is in a checkpoint, and goes on from there bit for bit."""
    plate = pl.tet_grid((0.4, 0.4, 0.1), (8, 8, 3), 5)
    sim = beam([pl.Hold(lambda X: X[:, 1] < 1e-9)], mesh=plate)
    sim.plan_cut(pl.Blade([(-0.1, 0.11, 1), (0.1, 0.11, 1), (0.5, 0.12, 1)], depth=2.0), at=0.06, until=0.2)
    sim.plan_cut(pl.Blade([(0.21, 0.06, 1), (0.22, 0.5, 1)], depth=2.0), at=0.1)
    counts = []
    for _ in range(7):
        assert sim.step().kept
        counts.append(len(sim.x))
    assert counts[0] == counts[1] == len(plate.vertices) < counts[4] < counts[6] and len(sim.planned) == 1
    sim.save(tmp_path / "half.npz")
    again = pl.Simulation.load(tmp_path / "half.npz")
    for _ in range(8):
        assert sim.step().kept and again.step().kept
        assert np.array_equal(sim.x, again.x)
    assert pl.inspect(sim.scene.bodies[0].shape.mesh).components == 3 and not sim.planned
    count = len(sim.x)
    sim.reset()
    sim.run(0.3, fields=())
    assert len(sim.x) == count
    for bad in ({"at": -1.0}, {"at": 0.1, "until": 0.1}, {"at": 0.1, "body": 3}, {"at": "soon"}):
        with pytest.raises(InputError, match="plan_cut"):
            sim.plan_cut(ACROSS, **bad)
    with pytest.raises(InputError, match="Blade"):
        sim.plan_cut("soft", at=0.1)
    sim.plan_cut(ACROSS, at=9.0)
    with pytest.raises(InputError, match="no derivative"):
        pl.inverse.Adjoint(sim)
    hexes = pl.Simulation(pl.Scene([pl.Body(pl.meshes.hex_box((0.4, 0.4, 0.4), (2, 2, 2)), SOFT)]), NEWTON)
    with pytest.raises(InputError, match="only Tets"):
        hexes.plan_cut(ACROSS, at=0.1)


def test_a_checkpoint_goes_on_where_the_sides_of_a_cut_press_each_other(tmp_path):
    """They lie in one place at rest, and do not cross with a barrier, before and after."""
    mesh = pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), origin=(0, 0, 0.01))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4), pinned=lambda X: X[:, 0] < 1e-9)
    contact = pl.Contact(response=pl.contact.Barrier())
    sim = pl.Simulation(pl.Scene([body], gravity=(-9.81, 0, -2.0), contact=contact), pl.ImplicitEuler(1 / 60))
    sim.cut(pl.Blade(path=[(0.13, -0.1, 0.2), (0.17, 0.2, 0.2)], depth=0.5))
    for _ in range(4):
        assert sim.step().kept
    surface = next(energy for energy in sim.world.energies if energy.name == "barrier").surface
    points = np.einsum("pk,pkx->px", surface.weights, sim.x[surface.nodes])
    assert len(surface.alone) == 2 and not len(crossings(Device("cpu", "f64"), surface, points))
    sim.save(tmp_path / "cut.npz")
    again = pl.Simulation.load(tmp_path / "cut.npz")
    assert sim.step().kept and again.step().kept
    assert np.abs(again.x - sim.x).max() < 1e-8
