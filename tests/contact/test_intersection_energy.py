"""Contact of bodies inside of one another: what is found, what it is equal to, and that it pushes them out."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.intersection.intersection_energy import IntersectionContact
from pliant.contact.intersection.intersection_regions import BRUTE, Intersections
from pliant.contact.intersection.surface_pieces import Pieces, cofactors
from pliant.contact.pairs.pair_law import grips
from pliant.energy.base import Step
from pliant.errors import InputError
from pliant.geometry.mesh.surface_partition import partition
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
DT = 1 / 60


def ball(at, radius=0.1, fine=2, cells=(3, 3, 3), degrees=17.0, axis=(1, 2, 3)):
    """A ball in a coarse box of tets aligned with nothing."""
    side = 2.5 * radius
    mesh = pl.tet_grid(size=(side,) * 3, cells=cells, origin=(-0.5 * side,) * 3).rotated(axis, degrees)
    return pl.meshes.sphere(radius, fine).translated(at), mesh.translated(at)


ONE, OTHER = ball((0, 0, 0)), ball((0.03, 0.05, 0.09), 0.09, degrees=40.0, axis=(3, 1, 1))


def pieces_of(bodies):
    first = np.cumsum([0, *(len(mesh.vertices) for _, mesh in bodies)])
    X = np.concatenate([mesh.vertices for _, mesh in bodies])
    tets = [mesh.tets + i for (_, mesh), i in zip(bodies, first)]
    return Pieces([partition(*body) for body in bodies], tets, first[:-1], X), X


def found(bodies, device=None, x=None, **options):
    pieces, X = pieces_of(bodies)
    device = device or Device("cpu", "f64")
    finder = Intersections(device, pieces, np.zeros(len(bodies), int), **options)
    return pieces, finder.find(device.array(X if x is None else x, device.types.position))


def test_bounds_hold_under_any_deformation():
    """200 random maps of the tets, most of which turn some over: no triangle leaves the bounds of any node above it."""
    pieces, X = pieces_of([ball((0, 0, 0), fine=1, cells=(2, 2, 2))])
    trees, rng = pieces.trees, np.random.default_rng(3)
    owner = np.repeat(np.arange(len(trees.first)), trees.count)
    inside = trees.first[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(trees.count) - trees.count, trees.count)
    triangle = trees.order[inside]
    turned = 0
    for _ in range(200):
        x = X @ rng.normal(size=(3, 3)) + rng.normal(scale=0.1, size=X.shape)
        p = x[pieces.tets]
        turned += np.sum(np.linalg.det(p[:, 1:] - p[:, :1]) < 0)
        axis = rng.normal(size=3)
        height = np.einsum("vk,vk->v", pieces.weights, (x @ axis)[pieces.nodes])[pieces.triangles]
        shadow = (x @ axis)[pieces.tets[pieces.tet_of[triangle]]]
        least, most = shadow.min(axis=1), shadow.max(axis=1)
        low, high = trees.low[owner].astype(float), trees.high[owner].astype(float)
        a, b = (np.einsum("ni,ni->n", bound, shadow) for bound in (low, high))
        free_a, free_b = 1 - low.sum(axis=1), 1 - high.sum(axis=1)
        lower = np.maximum(a + free_a * least, b + free_b * most)
        upper = np.minimum(a + free_a * most, b + free_b * least)
        assert np.all(lower <= height[triangle].min(axis=1)) and np.all(upper >= height[triangle].max(axis=1))
    assert turned > 1000
    assert np.array_equal(np.sort(trees.order), np.arange(len(trees.order)))


def test_vector_areas_of_patches_follow_their_tets():
    """A.4: one product for each patch is the sum over its triangles, whether or not the tet is turned over."""
    pieces, X = pieces_of([ONE])
    x = X + np.random.default_rng(0).normal(scale=0.1, size=X.shape)
    assert np.linalg.det(cofactors(x[pieces.tets])).min() >= 0  # squares of determinants
    p = np.einsum("vk,vkc->vc", pieces.weights, x[pieces.nodes])[pieces.triangles]
    vector = 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    expected = np.add.reduceat(vector, pieces.patch_first[:-1])
    patches = np.arange(pieces.bounds[-1])
    assert pieces.vector_areas(patches, x) == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


@pytest.fixture(scope="module")
def crushed():
    """Two balls in one another, deformed until some tets are turned over."""
    X = np.concatenate([ONE[1].vertices, OTHER[1].vertices])
    return X + np.random.default_rng(5).normal(scale=0.012, size=X.shape)


@pytest.mark.parametrize("x", ["rest", "crushed"])
def test_trees_and_floods_find_the_same(x, crushed):
    """The same pairs without a tree and without leaves of several triangles; the same inside patch by patch and triangle by
    triangle; and what is inside of a rest shape is what the distance says."""
    x = crushed if x == "crushed" else None
    pieces, usual = found([ONE, OTHER], x=x)
    assert len(usual.pairs) > 100
    for options in ({"few": 1}, {"few": BRUTE}):
        assert np.array_equal(found([ONE, OTHER], x=x, **options)[1].pairs, usual.pairs)
    slow = found([ONE, OTHER], x=x, by_patch=False)[1]
    one, other = usual.inside, slow.inside
    assert np.array_equal(one.triangles, other.triangles)
    assert np.array_equal(one.patch, other.patch) and np.array_equal(one.sheet, other.sheet)
    assert np.all(one.whole > 0) and np.all(other.whole == 0)
    assert one.area == pytest.approx(other.area, abs=1e-7 * np.abs(one.area).max())
    if x is None:
        at = np.einsum("vk,vkc->vc", pieces.weights, np.concatenate([ONE[1].vertices, OTHER[1].vertices])[pieces.nodes])
        gap = np.linalg.norm(at - [0.03, 0.05, 0.09], axis=1)[pieces.triangles].max(axis=1) - 0.09
        expected = np.sum((pieces.body == 0) & (gap < -1e-3))
        assert expected <= usual.inside.triangles[0] <= np.sum((pieces.body == 0) & (gap < 2e-3))


def test_curves_close_and_normals_are_those_of_the_areas(crushed):
    """N_A + N_B = 0, along the line between two balls; every patch has at most one contact, as deep as they are."""
    _, usual = found([ONE, OTHER])
    (region,) = usual.regions
    assert usual.curves == 1 and usual.open == 0 and region.kind == "" and usual.lost == 0
    assert region.areas.sum(axis=0) == pytest.approx(0, abs=1e-6 * np.abs(region.areas).max())
    line = np.array([0.03, 0.05, 0.09]) / np.linalg.norm([0.03, 0.05, 0.09])
    assert region.normal == pytest.approx(line, abs=5e-3)
    contacts = usual.contacts
    assert len(np.unique(contacts.name, axis=0)) == len(contacts.gaps)
    assert len(contacts.gaps) <= len(usual.inside.patch) < 1.3 * len(contacts.gaps)
    depth = 0.19 - np.linalg.norm([0.03, 0.05, 0.09])
    assert 0.9 * depth < -contacts.gaps.min() < depth + 1e-3
    assert contacts.weights.sum(axis=1) == pytest.approx(0, abs=1e-12)
    bent = found([ONE, OTHER], x=crushed)[1]
    sums = np.sum([region.areas for region in bent.regions], axis=0)
    assert bent.open == 0 and sums.sum(axis=0) == pytest.approx(0, abs=1e-6 * np.abs(sums).max())


def test_many_bodies_have_the_contacts_of_each_two():
    """Three balls in one another, one of them in both others: what they have together is what each two have."""
    bodies = [ONE, OTHER, ball((-0.08, 0.06, 0.05), 0.08, degrees=70.0)]
    together = found(bodies)[1]
    assert together.curves >= 3 and len(together.inside.triangles) == 6
    for i, j in ((0, 1), (0, 2), (1, 2)):
        alone = found([bodies[i], bodies[j]])[1].contacts
        own = np.isin(together.contacts.bodies, (i, j)).all(axis=1)
        assert np.array_equal(together.contacts.bodies[own], np.array([i, j])[alone.bodies])
        for name in ("gaps", "areas", "normals"):
            value = getattr(alone, name)
            assert getattr(together.contacts, name)[own] == pytest.approx(value, abs=1e-5 * np.abs(value).max())


def test_an_edge_in_an_edge_has_the_normal_of_proximity():
    """A.3: of two wedges whose edges cross, the vector area is along the cross product of the edges."""
    X = np.array([[-1.0, 0, 0], [1, 0, 0], [0, 1, -1], [0, -1, -1.1]])
    wedge = pl.TetMesh(X, [[0, 1, 3, 2]])
    above = pl.TetMesh(X * [1, 1, -1] @ np.array([[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]]) - [0, 0.01, 0.1], [[0, 1, 2, 3]])
    wedge, above = (m if m.volume > 0 else pl.TetMesh(m.vertices, m.tets[:, [1, 0, 2, 3]]) for m in (wedge, above))
    _, usual = found([(wedge.boundary, wedge), (above.boundary, above)])
    (region,) = usual.regions
    assert np.abs(region.normal) == pytest.approx([0, 0, 1], abs=1e-6) and region.normal[2] > 0


def test_what_has_no_normal_is_told():
    """A body wholly inside of another, and a rod right through a ball."""
    _, usual = found([ball((0, 0, 0), fine=1), ball((0.02, 0, 0), 0.04, fine=1)])
    assert usual.contained == [(1, 0)] and not len(usual.pairs)
    assert usual.words(["large", "small"]) == "small is wholly inside large; pushed out along the shortest path"
    assert len(usual.contacts.gaps) > 3 and np.all(usual.contacts.bodies == [1, 0])
    out = -usual.contacts.normals[0]
    assert out @ [1, 0, 0] > 0.7  # the nearest way out
    rod = pl.tet_grid(size=(0.04, 0.04, 0.4), cells=(1, 1, 6), origin=(-0.02, -0.02, -0.2)).rotated((1, 1, 0.3), 11.0)
    _, usual = found([(rod.boundary, rod), ball((0, 0, 0), fine=1)])
    assert usual.curves == 2 and [region.kind for region in usual.regions] == ["balanced"]
    assert "passes right through" in usual.words(["rod", "ball"])
    _, apart = found([ball((0, 0, 0), fine=1), ball((0.3, 0, 0), fine=1)])
    assert not len(apart.contacts.gaps) and not apart.regions and apart.words(["a", "b"]) == ""


def springs(friction=0.0, precision="f64"):
    pieces, X = pieces_of([ONE, OTHER])
    device = Device("cpu", precision)
    numbers = (np.array([2e5, 1e5]), np.full(len(pieces.tets), 0.05))
    energy = IntersectionContact(device, pieces, len(X), *numbers, ["one", "other"], grips([], friction, ["one", "other"]))
    energy.begin(Step(device.array(X, device.types.position), 0.0))
    return energy, X + 0.002 * np.random.default_rng(1).normal(size=X.shape)


@pytest.mark.parametrize("friction", [0.0, 0.02, 0.5], ids=["smooth", "slides", "sticks"])
def test_gradient_and_tangent_are_derivatives(friction):
    energy, x = springs(friction)
    device, types = energy.device, energy.device.types
    u = np.random.default_rng(2).normal(size=x.shape)
    value = lambda y: energy.value(device.array(y, types.position))

    def gradient(y):
        out = device.zeros(len(x), types.vec3)
        energy.gradient(device.array(y, types.position), out)
        return out.numpy().copy()

    h = 1e-7
    slope = (value(x + h * u) - value(x - h * u)) / (2 * h)
    assert value(x) > 0 and np.sum(gradient(x) * u) == pytest.approx(slope, rel=1e-6)
    out, at, d = device.zeros(len(x), types.vec3), device.array(x, types.position), device.array(u, types.vec3)
    energy.tangent(at, d, out)
    change = (gradient(x + h * u) - gradient(x - h * u)) / (2 * h)
    assert out.numpy() == pytest.approx(change, abs=1e-5 * np.abs(change).max())
    assert gradient(x).sum(axis=0) == pytest.approx(0, abs=1e-9 * np.abs(gradient(x)).max())
    pattern, product = BlockMatrix(device, len(x), [energy.cells()]), device.zeros(len(x), types.vec3)
    energy.attach(pattern)
    energy.blocks(at, pattern)
    pattern.multiply(1.0, d, product)
    assert product.numpy() == pytest.approx(out.numpy(), abs=1e-9 * np.abs(change).max())


def simulated(bodies, device="cpu", precision="f64", friction=0.0, gravity=(0, 0, 0), obstacles=(), solver=None, **options):
    law = pl.Contact(friction=friction, response=pl.contact.Intersection(**options))
    scene = pl.Scene(bodies, list(obstacles), gravity, law)
    return pl.Simulation(scene, pl.ImplicitEuler(DT, solver or pl.Newton()), device=device, precision=precision)


def steps(sim, count):
    for _ in range(count):
        report = sim.step()
        assert report.kept, report.why
    return report


def middles(sim):
    return [sim.x[body.rows].mean(axis=0) for body in sim.bodies]


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_two_balls_deep_in_one_another_part_and_keep_their_momentum(place, precision):
    bodies = [pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, OTHER)]
    sim = simulated(bodies, place, precision, recovery=1.0)
    mass = sim.world.mass[:, None]
    report = sim.step()
    assert report.kept and report.contacts > 20 and report.worst_gap < -0.04
    report = steps(sim, 11)
    size = np.abs(mass * sim.v).sum()
    assert (mass * sim.v).sum(axis=0) == pytest.approx(0, abs=(1e-6 if precision == "f64" else 1e-4) * size)
    assert np.linalg.norm(middles(sim)[1] - middles(sim)[0]) > 0.18 and report.worst_gap > -0.01
    assert np.abs(sim.v).max() < 3.0  # not much faster than they are let


def test_bodies_of_very_different_size_and_stiffness():
    """A small hard ball deep in the side of a large soft one, in single precision."""
    hard = pl.StableNeoHookean(young=2e6, poisson=0.4, density=3000.0)
    large, small = ball((0, 0, 0), 0.5, cells=(4, 4, 4)), ball((0.48, 0.03, 0.02), 0.04, fine=1, cells=(2, 2, 2))
    bodies = [pl.Body(mesh, law, surface=surface) for (surface, mesh), law in ((large, SOFT), (small, hard))]
    sim = simulated(bodies, precision="f32", recovery=1.0)
    before = middles(sim)
    steps(sim, 8)
    way = middles(sim)[1] - before[1]
    assert way[0] > 0.03 and np.linalg.norm(way[1:]) < 0.5 * way[0]
    assert np.linalg.norm(middles(sim)[0] - before[0]) < 1e-3


def test_a_contained_body_leaves_and_the_report_says_so():
    bodies = [
        pl.Body(mesh, SOFT, surface=surface, name=name)
        for name, (surface, mesh) in (
            ("large", ball((0, 0, 0), fine=1)),
            ("small", ball((0.03, 0, 0), 0.04, fine=1, cells=(2, 2, 2))),
        )
    ]
    sim = simulated(bodies, recovery=2.0)
    report = steps(sim, 1)
    assert report.why.endswith("small is wholly inside large; pushed out along the shortest path")
    report = steps(sim, 7)
    assert middles(sim)[1][0] - middles(sim)[0][0] > 0.1
    assert "inside" not in report.why


def test_a_block_rests_on_another_with_friction():
    low = pl.tet_grid(size=(0.2, 0.2, 0.1), cells=(2, 2, 1), origin=(-0.1, -0.1, 0.0))
    high = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(2, 2, 2), origin=(-0.05, -0.05, 0.1)).rotated((0, 0, 1), 20.0)
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    bodies = [pl.Body(low, law, pinned=lambda X: X[:, 2] < 1e-6), pl.Body(high, law)]
    sim = simulated(bodies, friction=0.5, gravity=(1.0, 0, -9.81), damping=0.02)
    steps(sim, 25)
    before = middles(sim)[1]
    report = steps(sim, 10)
    assert report.contacts > 0 and -0.003 < report.worst_gap < 0
    assert np.abs(middles(sim)[1] - before)[2] < 1e-4
    assert np.abs(middles(sim)[1] - before)[0] < 1e-3  # friction holds it, but for a creep


@pytest.mark.parametrize("off", [(0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.02, 0.02, 0.02)], ids=["same", "half", "corner"])
def test_equal_boxes_in_one_another_part(off):
    """Edges in edges and faces in faces: nothing touches by chance, and two bodies in one place still part."""
    mesh = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(2, 2, 2))
    sim = simulated([pl.Body(mesh, SOFT), pl.Body(mesh.translated(off), SOFT)], recovery=1.0)
    report = steps(sim, 9)
    assert np.linalg.norm(middles(sim)[1] - middles(sim)[0]) > 0.09 and report.worst_gap > -0.01


def test_a_run_goes_on_from_a_file(tmp_path):
    fast = pl.Body(OTHER[1].translated((0, 0, 0.1)), SOFT, surface=OTHER[0].translated((0, 0, 0.1)), velocity=(0, 0, -5.0))
    sim = simulated([pl.Body(ONE[1], SOFT, surface=ONE[0]), fast], friction=0.3, solver=pl.QuasiNewton(iterations=10))
    steps(sim, 3)
    sim.save(tmp_path / "half.npz")
    other = pl.Simulation.load(tmp_path / "half.npz")
    reports = steps(sim, 3), steps(other, 3)
    assert np.array_equal(sim.x, other.x) and reports[0].contacts == reports[1].contacts
    assert middles(sim)[1][2] < 0.19


def test_between_steps_forces_are_those_of_what_is_inside_there(place):
    """Launches that a step recorded are not replayed where nodes have moved since: gradients are those of a new look."""
    bodies = [pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, OTHER)]
    sim = simulated(bodies, place, solver=pl.QuasiNewton(iterations=5), recovery=1.0)
    objective, (contact,) = sim.world.objective, sim.world["body contact"]
    gradients = [sim.device.zeros(len(sim.x), sim.device.types.vec3) for _ in range(2)]
    for _ in range(4):
        steps(sim, 1)
        objective.gradient(sim.state.x, gradients[0])
        contact.look(sim.state.x)
        objective.gradient(sim.state.x, gradients[1])
        assert contact.number > 0 and np.array_equal(*(own.numpy() for own in gradients))


def test_what_is_recorded_serves_any_number_of_contacts(place):
    """From none to dozens and back no launch of a step changes, on a GPU no graph; only more than there is room for do so."""
    bodies = [pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, OTHER)]
    sim = simulated(bodies, place, solver=pl.QuasiNewton(iterations=5), recovery=1.0)
    (contact,) = sim.world["body contact"]
    together = sim.x
    aside = together + np.where(np.arange(len(together)) < len(ONE[1].vertices), 0.0, 1.0)[:, None]
    numbers, baked = [], set()
    for x in (aside, together, aside, together):
        contact.look(sim.device.array(x, sim.device.types.position))
        numbers.append(contact.number)
        baked.add(contact.recordable)
    assert numbers[0] == numbers[2] == 0 and numbers[1] == numbers[3] > 5 and len(baked) == 1
    contact._allocate(2)
    contact.look(sim.device.array(together, sim.device.types.position))
    assert contact.number == numbers[1] <= contact.room and contact.recordable not in baked


def test_bounding_tets_meet_others_with_what_is_there_for_it():
    surface, simpler = pl.meshes.sphere(0.1, 2), pl.meshes.sphere(0.099, 1)
    shape = pl.meshes.bounding_tets(surface, cells=2, fit=0, touching=simpler)
    moved = pl.meshes.bounding_tets(surface.translated((0.12, 0.03, 0.02)), cells=2, fit=0)
    sim = simulated([pl.Body(shape, SOFT), pl.Body(moved, SOFT)], recovery=1.0)
    pieces = sim.world["body contact"][0].pieces
    at = np.einsum("vk,vkc->vc", pieces.weights, sim.x[pieces.nodes])
    own = np.unique(pieces.triangles[pieces.body == 0])
    assert np.linalg.norm(at[own], axis=1).max() == pytest.approx(0.099, rel=1e-6)
    assert steps(sim, 2).contacts > 5


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_as_a_fallback_it_parts_what_springs_pull_together(place, precision):
    """A ball with its middle in another: the nearest faces are on the far side, and springs alone draw it in."""
    bodies = [pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, ball((0.02, 0.015, 0.05), 0.09))]
    apart = lambda sim: np.linalg.norm(np.subtract(*middles(sim)))
    ends = []
    for fallback in (None, pl.contact.Intersection(recovery=1.0)):
        law = pl.Contact(response=pl.contact.Penalty(), fallback=fallback)
        scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=law)
        sim = pl.Simulation(scene, pl.ImplicitEuler(DT), device=place, precision=precision)
        report = steps(sim, 12)
        ends.append(apart(sim))
        assert fallback is None or (report.contacts == 0 and np.abs(sim.v).max() < 3.0)
    assert ends[0] < 0.03 and ends[1] > 0.18


def test_as_a_fallback_it_lets_springs_be_where_bodies_only_touch():
    bodies = [pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, ball((0.02, 0.015, 0.17), 0.09))]
    ends = []
    for fallback in (None, pl.contact.Intersection()):
        law = pl.Contact(response=pl.contact.Penalty(), fallback=fallback, friction=0.3)
        sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0), contact=law), pl.ImplicitEuler(DT))
        assert steps(sim, 2).contacts > 0
        ends.append(sim.x)
    assert np.array_equal(*ends)
    for response in (None, pl.contact.Complementarity(patches=True), pl.contact.Intersection()):
        with pytest.raises(InputError, match=r"for responses to close pairs; expected response=contact.Penalty"):
            pl.Contact(response=response, fallback=pl.contact.Intersection())
    with pytest.raises(InputError, match="body 1 is of Lattice; expected bodies of Tets"):
        others = [bodies[0], pl.Body(pl.Lattice(pl.sphere(0.1), spacing=0.05), SOFT)]
        pl.Simulation(pl.Scene(others, contact=law), pl.ImplicitEuler(DT))


def test_what_it_cannot_do_is_refused():
    surface, mesh = ONE
    for law in (
        pl.Contact(response=pl.contact.Intersection()),
        pl.Contact(response=pl.contact.Penalty(), fallback=pl.contact.Intersection()),
    ):
        scene = pl.Scene([pl.Body(mesh, SOFT, surface=surface)] * 2, contact=law)
        with pytest.raises(InputError, match=r"contact.Intersection\(\) does not support a Batch"):
            pl.Batch([scene, scene], pl.ImplicitEuler(DT))
    with pytest.raises(InputError, match="body 1 is of Lattice; expected bodies of Tets"):
        simulated([pl.Body(mesh, SOFT), pl.Body(pl.Lattice(pl.sphere(0.1), spacing=0.05), SOFT)])
    with pytest.raises(InputError, match=r"body 0: surface of 320 triangles: .* lie outside of the tets"):
        simulated([pl.Body(mesh, SOFT, surface=surface.scaled(1.3)), pl.Body(mesh, SOFT)])
