"""A surface cut along tets: nothing is lost, nothing comes apart, and every piece lies in its tet."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import unique_rows
from pliant.geometry.mesh.surface_partition import partition


def grid(cells, degrees=0.0):
    """Tets of a box about the origin."""
    return pl.tet_grid(size=(0.26, 0.26, 0.26), cells=cells, origin=(-0.13, -0.13, -0.13)).rotated((1, 2, 3), degrees)


def areas(p):
    return 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)


CASES = {
    "ball": (pl.meshes.sphere(0.1, 2), grid((3, 4, 2), 17.0)),
    "ball aligned": (pl.meshes.sphere(0.1, 2), grid((4, 4, 4))),  # with vertices and edges in faces of tets
    "ring": (pl.meshes.torus(0.08, 0.03), grid((2, 3, 3), 40.0)),
    "coarse ball in fine tets": (pl.meshes.sphere(0.1, 0), grid((6, 5, 7), 5.0)),
    "box along the tets": (pl.meshes.box((0.13, 0.13, 0.13)), grid((4, 4, 4))),
}


@pytest.mark.parametrize("name", CASES)
def test_area_and_topology_are_kept(name):
    surface, mesh = CASES[name]
    parts = partition(surface, mesh)
    at = parts.at(mesh.vertices)
    own = areas(at[parts.triangles])
    assert own.sum() == pytest.approx(surface.areas.sum(), rel=1e-6)
    assert np.bincount(parts.source, own) == pytest.approx(surface.areas, abs=1e-4 * surface.areas.max())
    euler = lambda vertices, edges, faces: len(np.unique(vertices)) - len(edges) + len(faces)
    assert parts.loose == 0
    given = euler(surface.triangles, surface.edges, surface.triangles)
    assert euler(parts.triangles, parts.edges, parts.triangles) == given
    half = parts.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    assert np.all(unique_rows(np.sort(half, axis=1))[2] == 2)  # closed
    assert np.all(unique_rows(half)[2] == 1)  # and turned the same way
    normals = np.cross(*(at[parts.triangles[:, i]] - at[parts.triangles[:, 0]] for i in (1, 2)))
    large = own > 1e-6 * own.max()
    assert np.all(np.einsum("ic,ic->i", normals, surface.area_vectors[parts.source])[large] > 0)


@pytest.mark.parametrize("name", CASES)
def test_every_piece_lies_in_its_tet(name):
    surface, mesh = CASES[name]
    parts = partition(surface, mesh)
    assert parts.corners.min() >= 0 and parts.corners.sum(axis=2) == pytest.approx(1)
    x = mesh.vertices + np.random.default_rng(0).normal(scale=0.1, size=mesh.vertices.shape)  # turned over in places
    by_tet = np.einsum("tki,tic->tkc", parts.corners, x[mesh.tets[parts.tets]])
    assert by_tet == pytest.approx(parts.at(x)[parts.triangles], abs=1e-12)  # whichever tet a corner is taken from
    assert np.all(np.diff(parts.patches) >= 0) and np.all(np.diff(parts.patches) <= 1)
    for patch in range(0, parts.patches[-1] + 1, 7):
        assert len(np.unique(parts.tets[parts.patches == patch])) == 1


def test_the_boundary_of_tets_is_not_cut():
    mesh = grid((2, 3, 2), 30.0)
    parts = partition(mesh.boundary, mesh)
    assert parts.count == len(mesh.boundary.triangles)
    assert parts.at(mesh.vertices)[parts.triangles] == pytest.approx(
        mesh.boundary.vertices[mesh.boundary.triangles[parts.source]]
    )
    assert parts.corners.max() == 1 and np.sum(parts.corners, axis=2) == pytest.approx(1)


def test_what_lies_outside_is_refused():
    with pytest.raises(InputError, match="vertices lie outside of the tets"):
        partition(pl.meshes.sphere(0.15, 2), grid((3, 3, 3)))
    two = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(1, 1, 1), origin=(0, 0, 0))
    apart = pl.TetMesh(
        np.concatenate([two.vertices, two.vertices + np.array([0.3, 0, 0])]), np.concatenate([two.tets, two.tets + 8])
    )
    corners = np.array([[0.05, 0.02, 0.05], [0.35, 0.05, 0.05], [0.05, 0.07, 0.06]])
    with pytest.raises(InputError, match="of its area lies outside"):
        partition(pl.TriMesh(corners, [[0, 1, 2]]), apart)
