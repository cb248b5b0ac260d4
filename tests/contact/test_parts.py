"""Parts of a body that a cut or a tear has separated touch each other as bodies do; winding numbers are the judge."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.bench.judge import depth_in_one_another
from pliant.contact import Barrier, Complementarity, Intersection, Penalty
from pliant.contact.detect.edge_crossings import crossings
from pliant.cut import split
from pliant.runtime.device import Device
from tests.winding import boundary, components

ITSELF = pl.Contact(response=Penalty(), self_contact=True)  # the one response that knows slits only where it is told
RESPONSES = [Penalty(), ITSELF, Intersection(), Barrier(), Complementarity()]
EXACT = Barrier, Complementarity
DEEP = 0.02  # of an edge of the grid: how deep springs ten times as stiff as the material let a piece of the block in,
DEEPER = 0.06  # and those that push whole regions, where a corner may be deeper than its region
BUDGET = pl.ImplicitEuler(1 / 60, solver=pl.Newton(iterations=5))
FIRM = pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000)
LEVEL = pl.Blade([(-0.2, -0.2, 0.061), (0.2, -0.2, 0.061)], 0.4, into=(0, 1, 0))


def named(response):
    return "Penalty itself" if response is ITSELF else type(response).__name__


def law_of(response, friction=0.3):
    """The law of contact with a response, or with that of ITSELF."""
    return replace(response, friction=friction) if response is ITSELF else pl.Contact(friction, response=response)


def simulation(response, cells=2, size=0.1, law=FIRM, integrator=BUDGET, **others):
    mesh = pl.tet_grid((size,) * 3, (cells,) * 3, origin=(-size / 2, -size / 2, 0.002))
    body = pl.Body(mesh, law, damping=pl.Damping(stiffness=0.005), **others)
    return pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=law_of(response)), integrator)


def random_blade(seed, middle):
    """A plane through a block, near its middle."""
    rng = np.random.default_rng(seed)
    normal, other = rng.normal(size=(2, 3))
    along = np.cross(normal, other) / np.linalg.norm(np.cross(normal, other))
    into = np.cross(normal, along) / np.linalg.norm(normal)
    at = middle + rng.uniform(-0.02, 0.02, 3) - 0.3 * into
    return pl.Blade([at - 0.3 * along, at + 0.3 * along], 0.6, into=into)


def inside(sim):
    """How many vertices of a part are inside another, and how deep [m]; the number of parts."""
    nodes = sim.scene.bodies[0].shape.nodes
    part = components(nodes)
    return *depth_in_one_another(boundary(nodes), part, sim.bodies[0].x), int(part.max()) + 1


def check_apart(response, seed, steps, cells, integrator):
    sim = simulation(response, cells, integrator=integrator)
    sim.run(0.1, fields=())
    sim.cut(random_blade(seed, sim.x.mean(axis=0)))
    for _ in range(steps):
        assert sim.step().kept
    count, depth, parts = inside(sim)
    assert parts == 2
    most = DEEPER if isinstance(response, Intersection) else DEEP
    assert (not count) if isinstance(response, EXACT) else depth < most * 0.1 / cells


@pytest.mark.parametrize("response", RESPONSES, ids=named)
def test_what_a_blade_separates_stays_apart(response):
    for seed in range(2 if isinstance(response, EXACT) else 4):
        check_apart(response, seed, 15, 2, BUDGET)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("response", RESPONSES, ids=named)
def test_what_any_blade_separates_stays_apart_for_a_second(response, seed):
    few = isinstance(response, Complementarity)  # vertex upon vertex, its forces take very long to settle
    check_apart(response, seed, 60, 3, BUDGET if few else pl.ImplicitEuler(1 / 60))


@pytest.mark.parametrize(
    "response", [*RESPONSES[:3], *(pytest.param(each, marks=pytest.mark.slow) for each in RESPONSES[3:])], ids=named
)
def test_the_upper_half_of_a_block_lies_on_the_lower_one(response):
    """Two separate bodies have it at 0.0869 m with springs, and at 0.0908 m with a barrier."""
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    sim = simulation(response, 6, 0.12, law, pl.ImplicitEuler(0.01))
    sim.run(0.1, fields=())
    sim.cut(LEVEL)
    sim.run(0.3, fields=())
    upper = sim.x[components(sim.scene.bodies[0].shape.nodes) == 1]
    assert 0.086 < upper[:, 2].mean() < 0.0915


def test_one_body_of_two_boxes_moves_as_two_bodies_do():
    low = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, 0.001))
    high = pl.tet_grid((0.08, 0.08, 0.08), (2, 2, 2), origin=(0.013, 0.017, 0.12))
    both = pl.TetMesh(np.concatenate([low.vertices, high.vertices]), np.concatenate([low.tets, high.tets + len(low.vertices)]))
    for response in (Penalty(), Intersection()):
        ends = []
        for meshes in ([both], [low, high]):
            contact = pl.Contact(response=response)
            scene = pl.Scene([pl.Body(mesh, FIRM) for mesh in meshes], obstacles=[pl.plane(z=0.0)], contact=contact)
            sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
            for _ in range(12):
                report = sim.step()
            assert report.kept and report.contacts > 12
            ends.append(sim.x)
        assert np.abs(ends[0] - ends[1]).max() < 1e-7
        assert ends[0][len(low.vertices) :, 2].min() > 0.08


def test_components_are_numbered_alike_before_and_after_a_first_cut():
    """By SciPy, and by the loop that cuts are compiled with."""
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (4, 2, 2)).tets
    far = np.concatenate([mesh + 60, mesh[::-1], mesh[:7] + 130])
    for tets in (mesh, far):
        found = split.joined(np.repeat(tets[:, 0], 3), tets[:, 1:], 200)[1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(split.face_native.ROUTINES), "ready", False)
            assert np.array_equal(split.components(tets, 200), found)
        assert np.array_equal(split.components(tets, 200), found)


def test_bodies_that_hang_together_are_as_they_were():
    sim = simulation(Barrier())
    (part,) = sim.world.layout.parts
    assert part.touching is part.elements.outline and part.components == 1
    surface = sim.world["barrier"][0].surface
    assert np.array_equal(surface.twin, np.arange(surface.count)) and not surface.opened.any()
    assert np.array_equal(sim.x, part.elements.rest)


def test_springs_come_to_life_when_a_body_comes_apart_in_place():
    """A scene that is cut in the arrays it has: a slit leaves it so, the rest of the cut does not."""
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3))
    body = pl.Body(mesh, FIRM, pinned=lambda X: X[:, 2] < 1e-9)
    solver = pl.Newton(linear=pl.linear.PCG(preconditioner=pl.linear.BlockJacobi()))
    scene = pl.Scene([body], contact=pl.Contact(response=Penalty()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver=solver))
    for x, parts in ((0.02, 1), (0.04, 1), (0.2, 2)):
        sim.cut(pl.Blade([(-0.1, -0.1, 0.052), (x, -0.1, 0.052)], 0.4, into=(0, 1, 0)))
        assert bool(sim.world["body contact"]) == (parts > 1)
        assert bool(sim.world.layout.spare) == (parts == 1)
    for _ in range(20):
        assert sim.step().kept
    _, depth, parts = inside(sim)
    assert parts == 2 and depth < DEEP * 0.033
    sim.undo_cut()
    assert not sim.world["body contact"]


def test_a_body_that_tears_in_two_touches_itself():
    mesh = pl.tet_grid((0.3, 0.05, 0.05), (6, 1, 1))
    pulled = pl.Hold(lambda X: X[:, 0] > 0.299, motion=lambda X, t: X + np.array([min(0.6 * t, 0.2), 0, 0]))
    tearing = pl.Tearing(stretch=1.2)
    body = pl.Body(mesh, FIRM, pinned=lambda X: X[:, 0] < 1e-9, effects=[pulled, tearing])
    scene = pl.Scene([body], gravity=(0, 0, 0), contact=pl.Contact(response=Penalty()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    for _ in range(30):
        sim.step()
    nodes = sim.scene.bodies[0].shape.nodes
    assert components(nodes).max() > 0 and len(sim.world["body contact"]) == 1
    assert len(sim.world["body contact"][0].surface.alone) == components(nodes).max() + 1


@pytest.mark.parametrize("response", [ITSELF, Barrier()], ids=named)
def test_the_sides_of_a_slit_meet(response):
    """A flap that is heavy enough to bend down through what lies below; nodes doubled by the cut keep their order."""
    mesh = pl.tet_grid((0.2, 0.05, 0.1), (6, 2, 4))
    law = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000)
    held = lambda X: (X[:, 0] < 1e-9) | (X[:, 2] < 1e-9)
    body = pl.Body(mesh, law, pinned=held, damping=pl.Damping(stiffness=0.005))
    scene = pl.Scene([body], gravity=(0, 0, -39.0), contact=law_of(response, 0.0))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    sim.cut(pl.Blade([(0.08, -0.1, 0.051), (0.3, -0.1, 0.051)], 0.4, into=(0, 1, 0)))
    shape = sim.scene.bodies[0].shape
    assert components(shape.nodes).max() == 0
    for _ in range(15):
        assert sim.step().kept
    above = np.zeros(len(shape.rest), bool)
    above[shape.nodes[shape.rest[shape.nodes].mean(axis=1)[:, 2] > 0.051]] = True
    order = np.lexsort(shape.rest.T)
    same = np.flatnonzero(np.all(shape.rest[order][1:] == shape.rest[order][:-1], axis=1))
    upper, lower = order[same], order[same + 1]
    upper, lower = np.where(above[upper], upper, lower), np.where(above[upper], lower, upper)
    gaps = sim.x[upper, 2] - sim.x[lower, 2]
    assert len(gaps) == 9 and gaps.min() > (0 if isinstance(response, Barrier) else -0.01 * 0.033)


@pytest.mark.parametrize("response", [Barrier(), Complementarity()], ids=named)
def test_a_cut_body_goes_back_and_on(response, tmp_path):
    """Undone, reset and read from a file, with a cut through nodes that are held and one across it."""
    sim = simulation(response, pinned=lambda X: X[:, 0] < -0.049)
    sim.step()
    before = sim.x.copy()
    sim.cut(pl.Blade([(-0.2, -0.2, 0.05), (0.2, -0.2, 0.055)], 0.4, into=(0, 1, 0)))
    first = sim.x.copy()
    sim.cut(pl.Blade([(0.01, -0.2, 0.3), (0.013, 0.2, 0.3)], 0.6, into=(0, 0, -1)))
    assert inside(sim)[2] == 4
    for _ in range(3):
        assert sim.step().kept
    sim.save(tmp_path / "cut.npz")
    again = pl.Simulation.load(tmp_path / "cut.npz")
    for each in (sim, again):
        assert each.step().kept
    assert np.array_equal(sim.x, again.x)
    for each in (sim, again):
        each.reset()
        for _ in range(4):
            assert each.step().kept
        assert inside(each)[0] == 0
    sim.undo_cut()
    assert np.array_equal(sim.x, first)
    sim.undo_cut()
    assert np.array_equal(sim.x, before)


@pytest.mark.parametrize("thick", [False, True])
@pytest.mark.parametrize("response", [Penalty(), Barrier(), Complementarity()], ids=named)
def test_halves_of_a_sheet_fall_side_by_side(response, thick):
    grid = np.linspace(-0.1, 0.1, 5)
    vertices = np.array([(x, y, 0.05) for y in grid for x in grid])
    corner = np.array([5 * j + i for j in range(4) for i in range(4)])
    triangles = np.concatenate([corner[:, None] + [0, 1, 5], corner[:, None] + [1, 6, 5]])
    shape = pl.Membrane(pl.TriMesh(vertices, triangles), thickness=0.001)
    body = pl.Body(shape, pl.StableNeoHookean(young=1e5, poisson=0.3, density=500))
    contact = pl.Contact(thickness=thick, response=response)
    sim = pl.Simulation(pl.Scene([body], contact=contact), pl.ImplicitEuler(1 / 60))
    sim.cut(pl.Blade([(-0.01, -0.3, 0.3), (0.013, 0.3, 0.3)], 0.4, into=(0, 0, -1)))
    for _ in range(10):
        assert sim.step().kept
    surface = next(energy.surface for energy in sim.world.energies if hasattr(energy, "surface"))
    assert len(surface.alone) == 2
    assert not len(crossings(Device("cpu", "f64"), surface, sim.x[surface.nodes[:, 0]]))
    middles = [sim.x[surface.nodes[surface.body == k, 0]].mean(axis=0) for k in (0, 1)]
    assert abs(middles[0][2] - middles[1][2]) < 0.006 and 0.09 < abs(middles[0][0] - middles[1][0]) < 0.112
