"""The nouns of shape: what they derive, how they move, what they refuse."""

import warnings

import numpy as np
import pytest

from pliant import meshes
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh, unique_rows
from pliant.geometry.mesh.primitives import tet_grid

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


def test_tet_volume_boundary_and_edges():
    tet = TetMesh(CORNERS, [[0, 1, 2, 3]])
    assert tet.volume == pytest.approx(1 / 6)
    assert TetMesh(CORNERS, [[1, 0, 2, 3]]).volume == pytest.approx(-1 / 6)
    assert tet.boundary.volume == pytest.approx(1 / 6)  # so its faces look outwards
    assert tet.edges.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert tet.boundary_vertices.tolist() == [0, 1, 2, 3]


def test_boundary_keeps_only_outer_vertices():
    grid = tet_grid((1, 1, 1), (2, 2, 2))
    assert len(grid.vertices) == 27 and len(grid.boundary.vertices) == 26
    assert np.array_equal(grid.boundary.vertices, grid.vertices[grid.boundary_vertices])


def test_surface_areas_and_normals():
    box = meshes.box((1, 2, 3))
    assert box.areas.sum() == pytest.approx(22)
    assert box.volume == pytest.approx(6)
    assert len(box.edges) == 18
    outward = box.vertices - box.vertices.mean(axis=0)
    assert np.einsum("ij,ij->i", box.vertex_normals, outward).min() > 0
    assert np.allclose(np.linalg.norm(box.vertex_normals, axis=1), 1)
    loose = TriMesh(np.vstack([CORNERS, [[5, 5, 5]]]), [[0, 1, 2]])
    assert loose.vertex_normals[4].tolist() == [0, 0, 0]


def test_unique_rows_agrees_with_numpy(monkeypatch):
    rng = np.random.default_rng(3)
    for high in (4, 2**31):  # the second does not fit one key and is ranked first
        rows = rng.integers(0, high, (200, 3))
        rows[50:100] = rows[:50]
        first, inverse, count = unique_rows(rows)
        values, wanted_first, wanted_inverse, wanted_count = np.unique(
            rows, axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        assert np.array_equal(rows[first], values) and np.array_equal(first, wanted_first)
        assert np.array_equal(inverse, wanted_inverse.ravel()) and np.array_equal(count, wanted_count)


def test_moves_return_copies_and_carry_normals():
    cloud = PointCloud(CORNERS, np.tile([1.0, 0, 0], (4, 1)))
    turned = cloud.rotated((0, 0, 2), 90).translated((1, 2, 3))
    assert np.allclose(turned.vertices[1], [1, 3, 3])
    assert np.allclose(turned.normals, np.tile([0, 1, 0], (4, 1)))
    assert np.array_equal(cloud.normals[0], [1, 0, 0])  # the original stays
    slope = PointCloud([[0, 0, 0]], [[np.sqrt(0.5), np.sqrt(0.5), 0]]).scaled((1, 2, 1))
    assert np.allclose(slope.normals, [[2 / np.sqrt(5), 1 / np.sqrt(5), 0]])  # still upright on the stretched plane
    assert np.allclose(cloud.scaled(2).bounds, [[0, 0, 0], [2, 2, 2]])
    assert EdgeMesh(CORNERS, [[0, 1]]).scaled(3).lengths.tolist() == [3]


def test_moves_keep_regions():
    mesh = TetMesh(CORNERS, [[0, 1, 2, 3]], [4]).translated((1, 0, 0))
    assert mesh.regions.tolist() == [4]


def test_arrays_are_read_only():
    mesh = TetMesh(CORNERS, [[0, 1, 2, 3]], [0])
    for array in (mesh.vertices, mesh.tets, mesh.regions):
        with pytest.raises(ValueError):
            array[0] = 1


BAD = {
    "shape": (lambda: TriMesh([[0, 0]], []), r"shape \(1, 2\); expected \(n, 3\)"),
    "text": (lambda: TriMesh([["a", "b", "c"]], []), "cannot be read as numbers"),
    "ragged": (lambda: TriMesh([[0, 0, 0], [1]], []), "cannot be read as numbers"),
    "complex": (lambda: TriMesh(CORNERS * 1j, []), "cannot be read as numbers"),
    "nothing": (lambda: TriMesh(None, []), "expected"),
    "NaN": (lambda: PointCloud([[0, 0, 0], [0, np.nan, 0]]), "1 of 2 points are not finite, first at 1"),
    "infinite": (lambda: PointCloud([[np.inf, 0, 0]]), "not finite"),
    "index high": (lambda: TriMesh(CORNERS, [[0, 1, 4]]), "outside 0…3, first at 0"),
    "index low": (lambda: TriMesh(CORNERS, [[0, 1, -1]]), "outside 0…3"),
    "index huge": (lambda: TriMesh(CORNERS, [[0, 1, 2**70]]), "expected"),
    "index NaN": (lambda: TriMesh(CORNERS, [[0, 1, np.nan]]), "not whole"),
    "index half": (lambda: EdgeMesh(CORNERS, [[0, 1.5]]), "not whole"),
    "no vertices": (lambda: EdgeMesh(np.zeros((0, 3)), [[0, 1]]), "though there are none"),
    "width": (lambda: TetMesh(CORNERS, [[0, 1, 2]]), r"expected \(m, 4\)"),
    "regions shape": (lambda: TetMesh(CORNERS, [[0, 1, 2, 3]], [0, 1]), "one per tet"),
    "regions low": (lambda: TetMesh(CORNERS, [[0, 1, 2, 3]], [-1]), "first at 0"),
    "regions text": (lambda: TetMesh(CORNERS, [[0, 1, 2, 3]], ["liver"]), "whole numbers"),
    "normals": (lambda: PointCloud(CORNERS, [[0, 0, 1]]), "one per point"),
    "scale 0": (lambda: PointCloud(CORNERS).scaled(0), "expected one positive"),
    "scale text": (lambda: PointCloud(CORNERS).scaled("big"), "expected one positive number"),
    "scale two": (lambda: PointCloud(CORNERS).scaled((1, 2)), "expected one positive number"),
    "axis 0": (lambda: PointCloud(CORNERS).rotated((0, 0, 0), 3), "non-zero"),
    "axis short": (lambda: PointCloud(CORNERS).rotated((0, 1), 3), "three finite numbers"),
    "angle": (lambda: PointCloud(CORNERS).rotated((0, 0, 1), np.inf), "finite"),
    "offset": (lambda: PointCloud(CORNERS).translated((0, np.nan, 1)), "three finite numbers"),
    "bounds": (lambda: PointCloud(np.zeros((0, 3))).bounds, "no vertices"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name):
    make, words = BAD[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match=words):
            make()
