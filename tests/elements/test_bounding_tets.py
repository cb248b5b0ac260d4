"""Coarse tets around a detailed surface: what they hold, what they weigh, what stays apart, how they move."""

import dataclasses
import functools
import operator

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import pliant as pl
from pliant.elements import bounding_tets
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import TriMesh
from pliant.geometry.mesh.solid_moments import solid_moments
from pliant.geometry.mesh.surface_partition import partition
from pliant.geometry.tetrahedra.bounding_fill import crossings, filled
from pliant.geometry.tetrahedra.bounding_lattice import reached
from pliant.geometry.tetrahedra.bounding_pieces import pieces_of

JELLY = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)


def joined(*meshes: TriMesh) -> TriMesh:
    starts = np.cumsum([0, *(len(m.vertices) for m in meshes)])
    return TriMesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.triangles + s for m, s in zip(meshes, starts)]),
    )


def pieces_in(count: int, cells: np.ndarray) -> np.ndarray:
    """(count,) number of the connected piece of each node."""
    a, b = np.repeat(cells[:, 0], cells.shape[1] - 1), cells[:, 1:].ravel()
    return connected_components(sparse.coo_array((np.ones(len(a)), (a, b)), shape=(count, count)), directed=False)[1]


def fork(tines: int = 3, gap: float = 0.04) -> TriMesh:
    """A bar along x with tines that stand on it, so near each other that one cell holds two."""
    width, step = 0.08, 0.08 + gap
    solid = pl.box((tines * step, 0.08, 0.1))
    for i in range(tines):
        solid = solid | pl.box((width, 0.08, 0.4), ((i - (tines - 1) / 2) * step, 0, 0.24))
    return pl.surface(solid, 0.02)


def blob(seed: int) -> TriMesh:
    some = np.random.default_rng(seed)
    solid = pl.sphere(0.2)
    for _ in range(5):
        solid = solid | pl.sphere(some.uniform(0.08, 0.2), some.uniform(-0.3, 0.3, 3))
    return pl.surface(solid, 0.05)


def check(surface: TriMesh, tets) -> None:
    """Every vertex in its tet, all triangles within the tets, volume and centre those of the surface."""
    bound = tets.riding
    assert bound.weights.min() > -1e-12
    assert np.abs(bound.of(tets.rest) - surface.vertices).max() < 1e-12
    what, mass = solid_moments(surface), tets.lumped(np.array(7.0))
    moments = tets.moments.sum(), np.einsum("mk,mki->i", tets.moments, tets.rest[tets.nodes])
    assert moments[0] == pytest.approx(what.volume, rel=1e-9)
    assert np.abs(moments[1] / moments[0] - what.centre).max() < 1e-9
    assert mass.sum() == pytest.approx(7 * what.volume, rel=1e-12)
    assert np.abs(mass @ tets.rest / mass.sum() - what.centre).max() < 1e-6  # nodes have a least mass
    assert (mass > 0).all() and tets.ratio > 1
    share = tets.moments.sum(axis=1) / tets.mesh.volumes
    assert share.min() > -1e-12 and share.max() < 1 + 1e-12
    some = np.random.default_rng(0).dirichlet([1, 1, 1], 4)  # points between the vertices lie in tets, too
    points = np.einsum("sk,fki->sfi", some, surface.vertices[surface.triangles]).reshape(-1, 3)
    best = np.full(len(points), -np.inf)
    for tet in range(tets.count):
        best = np.maximum(best, tets._places(points, np.full(len(points), tet)).min(axis=1))
    assert best.min() > -1e-9
    assert tets.mesh.volumes.min() > 0


SHAPES = {
    "sphere": lambda: (pl.meshes.sphere(0.5, 2), 3),
    "cube of 12 triangles": lambda: (pl.meshes.box(1.0), 3),
    "torus": lambda: (pl.meshes.torus(0.5, 0.15, 24, 12), 5),
    "turned far away": lambda: (
        pl.meshes.torus(0.5, 0.15, 24, 12).rotated((1, 2, 3), 40).translated((30, -70, 11)),
        5,
    ),
    "hollow": lambda: (joined(pl.meshes.sphere(0.5, 2), inside_out(pl.meshes.sphere(0.3, 2))), 4),
    "thin plate": lambda: (pl.meshes.box((1.0, 0.7, 0.01)).rotated((1, 1, 0), 17), 5),
    "capsule that leaves a tet": lambda: (
        pl.surface(pl.capsule((-0.5, 0, 0), (0.5, 0, 0), 0.12).rotated((1, 2, 3), 33), 0.06),
        4,
    ),
    "blob 1": lambda: (blob(1), 4),
    "blob 2": lambda: (blob(2), 5),
}


def inside_out(mesh: TriMesh) -> TriMesh:
    return TriMesh(mesh.vertices, mesh.triangles[:, ::-1])


@pytest.mark.parametrize("name", SHAPES)
def test_holds_all_and_weighs_what_is_enclosed(name):
    surface, cells = SHAPES[name]()
    tets = pl.meshes.bounding_tets(surface, cells, fit=1)
    check(surface, tets)
    parts = pieces_in(len(tets.rest), tets.nodes).max() + 1
    assert parts == (1 if "blob" not in name else pieces_in(len(surface.vertices), surface.triangles).max() + 1)


def test_fitting_draws_the_boundary_in():
    surface = pl.meshes.sphere(0.5, 2)
    loose, tight = (pl.meshes.bounding_tets(surface, 3, fit) for fit in (0, 4))
    check(surface, tight)
    assert tight.ratio < 1.2 < 1.6 < loose.ratio


def test_two_bodies_a_hair_apart_share_no_node():
    ball = pl.meshes.sphere(0.5, 2)
    surface = joined(ball, ball.translated((1.001, 0.02, 0.01)))
    tets = pl.meshes.bounding_tets(surface, 4, fit=1)
    check(surface, tets)
    part = pieces_in(len(tets.rest), tets.nodes)
    assert part.max() == 1
    own = part[tets.nodes[tets.surface.holders, 0]]
    assert np.array_equal(own == own[0], np.arange(len(own)) < len(ball.vertices))
    where = np.round(tets.rest, 9)
    assert len(np.unique(where, axis=0)) < len(where)  # tets between them are there twice


def test_tines_of_a_fork_stay_apart():
    surface = fork()
    tets = pl.meshes.bounding_tets(surface, 4, fit=1)
    check(surface, tets)
    assert pieces_in(len(tets.rest), tets.nodes).max() == 0
    upper = tets.nodes[np.unique(tets.surface.holders[surface.vertices[:, 2] > 0.2])]
    part = pieces_in(len(tets.rest), upper)
    assert len(np.unique(part[upper[:, 0]])) == 3
    points = np.array([[x, 0.0, 0.4] for x in (-0.12, 0.0, 0.12)])  # each found in a tet of its own tine
    assert len(np.unique(part[tets.embedded(points)[0][:, 0]])) == 3


def test_numbering_of_the_corners_does_not_matter():
    """The same integrals from each corner of the tets."""
    surface = pl.meshes.torus(0.5, 0.2, 16, 9)
    start = reached(surface, 7, np.array([0.3, -0.2, 0.1]))
    found = []
    for order in ([0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1]):
        tets = start.tets[:, order]
        pieces = pieces_of(start.X, tets, surface, start.size)
        share = filled(pieces, pieces.tets, start.inside[tets[:, 0]], np.full(len(tets), -1.0))
        found.append(share[:, np.argsort(order)])
    assert np.abs(np.array(found) - found[0]).max() < 1e-14
    assert start.inside.any() and crossings(pieces, len(tets), np.full(len(tets), -1.0)).any()


def test_what_runs_through_itself_counts_twice():
    ball = pl.meshes.sphere(0.5, 2)
    surface = joined(ball, ball.translated((0.6, 0.01, 0.02)))
    tets = pl.meshes.bounding_tets(surface, 4, fit=0)
    assert tets.lumped(np.ones(())).sum() == pytest.approx(2 * solid_moments(ball).volume, rel=1e-9)
    assert pieces_in(len(tets.rest), tets.nodes).max() == 0  # they overlap, and so are one


def test_refusals():
    ball = pl.meshes.sphere(0.5, 1)
    with pytest.raises(pl.errors.InputError, match="not closed"):
        pl.meshes.bounding_tets(TriMesh(ball.vertices, ball.triangles[1:]))
    with pytest.raises(pl.errors.InputError, match="face inwards"):
        pl.meshes.bounding_tets(inside_out(ball))
    with pytest.raises(pl.errors.InputError, match="belong to no triangle"):
        pl.meshes.bounding_tets(TriMesh(np.vstack([ball.vertices, [[9.0, 9, 9]]]), ball.triangles))
    with pytest.raises(pl.errors.InputError, match="closed surface"):
        pl.meshes.bounding_tets(pl.tet_grid((1, 1, 1), (1, 1, 1)))
    with pytest.raises(pl.errors.InputError, match="from 1 to 64"):
        pl.meshes.bounding_tets(ball, cells=0)
    body = pl.Body(pl.meshes.bounding_tets(ball, 1, fit=0), JELLY)
    with pytest.raises(pl.errors.InputError, match="made of BoundingTets; expected Tets"):
        pl.Simulation(pl.Scene([body])).cut(pl.Blade([(0, 0, 1), (0, 1, 1)], depth=2.0))
    with pytest.raises(pl.errors.InputError, match="does not tear"):
        pl.Body(body.shape, JELLY, effects=[pl.Tearing(stretch=1.5)])
    with pytest.raises(pl.errors.InputError, match="no triangles for it"):
        pl.Simulation(pl.Scene([pl.Body(body.shape, JELLY, effects=[pl.Wind((1, 0, 0))])]))


def test_a_simpler_surface_touches_in_its_place():
    fine, simple = pl.meshes.sphere(0.5, 3), pl.meshes.sphere(0.49, 1)
    tets = pl.meshes.bounding_tets(fine, 2, fit=0, touching=simple)
    assert tets.outline.count == len(simple.vertices) and tets.drawn().count == len(fine.vertices)
    assert np.abs(tets.outline.of(tets.rest) - simple.vertices).max() < 1e-12
    assert tets.areas.sum() == pytest.approx(fine.areas.sum())
    with pytest.raises(pl.errors.InputError, match="lie outside the body"):
        pl.meshes.bounding_tets(fine, 2, fit=0, touching=simple.scaled(3.0))


def test_copies_in_other_places_are_the_same_body():
    """Moved and turned: the same weights, the same pieces, and the surface in the tets."""
    shape = pl.meshes.bounding_tets(pl.meshes.torus(0.5, 0.15, 24, 12), cells=3, fit=1, touching=pl.meshes.torus(0.5, 0.1, 12, 6))
    moved = shape.rotated((1, 2, 3), 40.0).translated((1.0, -2.0, 0.5))
    assert moved.cut is shape.cut and moved.ratio == pytest.approx(shape.ratio)
    assert moved.lumped(1000.0) == pytest.approx(shape.lumped(1000.0))
    for name in ("surface", "touching"):
        own, other = getattr(shape, name), getattr(moved, name)
        held = np.einsum("vk,vkc->vc", shape.bind(own).weights, moved.rest[shape.bind(own).nodes])
        assert held == pytest.approx(other.vertices, abs=1e-9)


def test_what_touches_is_held_by_tets_that_hang_together():
    """Of two tets in one place, a vertex of the simpler surface may be given the wrong one: its neighbours set it right."""
    bent = [pl.sphere(0.13, centre=(0.3 * np.cos(a), 0.3 * np.sin(a), 0.02 * a)) for a in np.linspace(0.2, 2 * np.pi - 0.2, 14)]
    solid = functools.reduce(operator.or_, bent)
    shape = pl.meshes.bounding_tets(pl.surface(solid, 0.05), cells=3, fit=0, touching=pl.surface(solid, 0.055))
    X, tets, held = shape.mesh.vertices, shape.mesh.tets, shape.touching
    middle = X[tets].mean(axis=1)
    near = np.linalg.norm(middle[:, None] - middle[None], axis=2) < 1e-9
    twin = np.where(near.sum(axis=1) > 1, np.argmax(near & ~np.eye(len(tets), dtype=bool), axis=1), -1)
    doubtful = np.flatnonzero(twin[held.holders] >= 0)
    assert len(doubtful) > 20
    spoilt = held.holders.copy()
    spoilt[doubtful[::20]] = twin[held.holders[doubtful[::20]]]
    wrong = dataclasses.replace(held, holders=spoilt)
    with pytest.raises(InputError, match="a corner lies outside of its tet"):
        partition(wrong, shape.mesh)
    mended = bounding_tets._agreed(wrong, shape)
    assert np.array_equal(mended.holders, held.holders)
    assert partition(mended, shape.mesh).loose < 10  # where what is in one place parts
