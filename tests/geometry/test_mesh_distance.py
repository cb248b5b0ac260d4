"""Distance to triangle surfaces: whole, broken, inside out, nested, far away."""

import numpy as np
import pytest

from pliant import meshes
from pliant.errors import InputError
from pliant.geometry.distance.mesh_distance import MeshDistance, from_mesh
from pliant.geometry.distance.sdf_orient import oriented_triangles, pieces_of
from pliant.geometry.mesh.mesh import TriMesh

BALL = meshes.sphere(1.0, subdivisions=3)
POINTS = np.random.default_rng(0).uniform(-1.4, 1.4, (3000, 3))
RADIUS = np.linalg.norm(POINTS, axis=1)


def flipped(mesh, part, seed=0):
    triangles = mesh.triangles.copy()
    chosen = np.random.default_rng(seed).random(len(triangles)) < part
    triangles[chosen] = triangles[chosen][:, ::-1]
    return TriMesh(mesh.vertices, triangles)


def thinned(mesh, part, seed=1):
    return TriMesh(mesh.vertices, mesh.triangles[np.random.default_rng(seed).random(len(mesh.triangles)) >= part])


def joined(*meshes):
    counts = np.cumsum([0, *(len(m.vertices) for m in meshes)])
    return TriMesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.triangles + n for m, n in zip(meshes, counts)]),
    )


def inverted(mesh):
    return TriMesh(mesh.vertices, mesh.triangles[:, ::-1])


def test_box_distance_is_exact():
    half = np.array([0.5, 0.4, 0.3])
    mesh = meshes.box(2 * half)
    q = np.abs(POINTS) - half
    exact = np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0)
    # the tree, in f32, may take one of two triangles for nearer that is not
    np.testing.assert_allclose(MeshDistance(mesh)(POINTS), exact, atol=1e-7)
    found = MeshDistance(mesh).nearest(POINTS)
    np.testing.assert_allclose(np.linalg.norm(found.points - POINTS, axis=1), np.abs(found.distances), atol=1e-14)
    from_corner = found.points - mesh.vertices[mesh.triangles[found.faces, 0]]
    assert np.abs(np.einsum("ij,ij->i", from_corner, mesh.area_vectors[found.faces])).max() < 1e-14


def test_far_and_tiny_shapes_lose_nothing():
    offset = np.array([1e3, -2e3, 5e2])
    mesh = BALL.scaled(1e-3).translated(offset)
    here = MeshDistance(BALL)(POINTS)
    there = MeshDistance(mesh)(POINTS * 1e-3 + offset)
    np.testing.assert_allclose(there, 1e-3 * here, atol=2e-9)


def test_sphere_error_is_that_of_the_facets():
    distance = MeshDistance(BALL)(POINTS)
    facet = 1.0 - np.linalg.norm(BALL.vertices[BALL.triangles].mean(axis=1), axis=1).min()
    assert np.abs(distance - (RADIUS - 1.0)).max() < 1.01 * facet


@pytest.mark.parametrize("mesh", [
    flipped(BALL, 0.1), flipped(BALL, 0.2), flipped(BALL, 0.4), inverted(BALL), thinned(BALL, 0.05),
    thinned(flipped(BALL, 0.2), 0.1), thinned(flipped(BALL, 0.15), 0.2), thinned(inverted(BALL), 0.1),
    TriMesh(BALL.vertices[BALL.triangles].reshape(-1, 3), np.arange(3 * len(BALL.triangles)).reshape(-1, 3)),
], ids=["flip 10 %", "flip 20 %", "flip 40 %", "inside out", "5 % missing", "flip 20 %, 10 % missing",
        "flip 15 %, 20 % missing", "inside out, 10 % missing", "not welded"])  # fmt: skip
def test_broken_spheres_keep_their_inside(mesh):
    clear = np.abs(RADIUS - 1.0) > 0.05
    distance = MeshDistance(mesh)(POINTS)
    np.testing.assert_array_equal(distance[clear] < 0, RADIUS[clear] < 1.0)


def test_a_missing_cap_is_bridged():
    mesh = TriMesh(BALL.vertices, BALL.triangles[BALL.vertices[BALL.triangles].mean(axis=1)[:, 2] < 0.8])
    clear = (np.abs(RADIUS - 1.0) > 0.02) & (POINTS[:, 2] < 0.5)
    distance = MeshDistance(mesh)
    assert not distance.closed
    np.testing.assert_array_equal(distance(POINTS)[clear] < 0, RADIUS[clear] < 1.0)


def test_cavities_and_neighbours():
    cavity = joined(BALL, inverted(BALL.scaled(0.5)))
    beside = joined(BALL.scaled(0.5).translated((-0.7, 0, 0)), inverted(BALL.scaled(0.5).translated((0.7, 0, 0))))
    clear = (np.abs(RADIUS - 1.0) > 0.01) & (np.abs(RADIUS - 0.5) > 0.01)
    for mesh in (cavity, flipped(cavity, 0.2)):
        inside = MeshDistance(mesh)(POINTS[clear]) < 0
        np.testing.assert_array_equal(inside, (RADIUS[clear] < 1.0) & (RADIUS[clear] > 0.5))
    d = np.minimum(*(np.linalg.norm(POINTS - [x, 0, 0], axis=1) for x in (-0.7, 0.7))) - 0.5
    clear = np.abs(d) > 0.01
    np.testing.assert_array_equal(MeshDistance(beside)(POINTS[clear]) < 0, d[clear] < 0)


def test_orientation_is_restored_face_by_face():
    ring = meshes.torus(1.0, 0.3)
    for mesh in (BALL, ring):
        triangles, kept = oriented_triangles(flipped(mesh, 0.3))
        assert len(kept) == len(mesh.triangles)
        np.testing.assert_allclose(TriMesh(mesh.vertices, triangles).area_vectors, mesh.area_vectors)


def test_pieces():
    piece, closed = pieces_of(*(lambda m: (m.vertices, m.triangles))(joined(BALL, BALL.translated((3, 0, 0)))))
    assert len(closed) == 2 and closed.all() and len(np.unique(piece)) == 2
    assert not pieces_of(BALL.vertices, BALL.triangles[1:])[1].any()


def test_triangles_without_area_are_left_out():
    mesh = TriMesh(BALL.vertices, np.concatenate([BALL.triangles, [[0, 0, 1], [2, 2, 2]]]))
    np.testing.assert_array_equal(MeshDistance(mesh)(POINTS), MeshDistance(BALL)(POINTS))


def test_sampled_mesh_follows_the_sphere():
    fine = meshes.sphere(1.0, subdivisions=4)
    inside = (RADIUS > 0.6) & (np.abs(POINTS).max(axis=1) < 1.2)  # of the grid, and away from the cusp at the centre
    errors = [np.abs(from_mesh(fine, h)(POINTS) - (RADIUS - 1.0))[inside].max() for h in (0.2, 0.1)]
    assert errors[1] < 0.005 and errors[1] < 0.4 * errors[0]
    shape = from_mesh(fine, 0.2)
    assert (shape.bounds[0] < -1.2).all() and (shape.bounds[1] > 1.2).all()


@pytest.mark.parametrize("call, text", [
    (lambda: from_mesh(BALL, 0.0), "spacing is 0.0"),
    (lambda: from_mesh(BALL, np.nan), "spacing is nan"),
    (lambda: from_mesh(BALL, 1e-4), "use a spacing of at least"),
    (lambda: from_mesh(TriMesh(np.zeros((3, 3)), [[0, 1, 2]])), "1 triangles, none with an area"),
    (lambda: from_mesh(TriMesh(np.zeros((0, 3)), np.zeros((0, 3), int))), "0 triangles"),
])  # fmt: skip
def test_refusals(call, text):
    with pytest.raises(InputError, match=text):
        call()
