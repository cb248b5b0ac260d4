"""Generated shapes: exact sizes, conforming cells, outward surfaces."""

import numpy as np
import pytest

from pliant import meshes
from pliant.errors import InputError
from pliant.geometry.inspection.mesh_inspection import inspect
from pliant.geometry.mesh.primitives import (
    cloth_grid,
    tet_grid,
)


@pytest.mark.parametrize("per_cell", [5, 6])
def test_tet_grid_conforms_and_fills_the_box(per_cell):
    grid = tet_grid((1.0, 0.5, 0.3), (3, 2, 4), per_cell, origin=(1, 2, 3))
    report = inspect(grid)
    assert report.ok and report.watertight and report.components == 1
    assert len(grid.tets) == 24 * per_cell and len(grid.vertices) == 4 * 3 * 5
    assert grid.volume == pytest.approx(0.15) and grid.volumes.min() > 0
    # Two neighbours that disagree on a diagonal would leave faces inside the box.
    assert grid.boundary.areas.sum() == pytest.approx(2 * (0.5 + 0.3 + 0.15))
    assert np.allclose(grid.bounds, [[1, 2, 3], [2, 2.5, 3.3]])


def test_tet_grid_numbers_z_fastest():
    grid = tet_grid((2, 2, 2), (2, 2, 2))
    assert np.allclose(grid.vertices[[1, 3, 9]], [[0, 0, 1], [0, 1, 0], [1, 0, 0]])


def test_cloth_faces_up_with_alternating_diagonals():
    cloth = cloth_grid((2.0, 1.0), (4, 3), origin=(0, 0, 5))
    assert len(cloth.triangles) == 24 and cloth.areas.sum() == pytest.approx(2.0)
    assert (cloth.area_vectors[:, 2] > 0).all() and (cloth.vertices[:, 2] == 5).all()
    degree = np.bincount(cloth.edges.ravel())
    assert {degree[6], degree[5]} == {8, 4}  # inner vertices with all diagonals, and with none


def test_rod_and_net():
    rod = meshes.rod((0, 0, 0), (0, 3, 4), 5)
    assert np.allclose(rod.lengths, 1.0) and len(rod.vertices) == 6
    net = meshes.net((3.0, 2.0), (3, 2))
    structural, shear, bend = 3 * 3 + 4 * 2, 2 * 6, 2 * 3 + 4 * 1
    assert len(net.edges) == structural + shear + bend
    assert np.allclose(net.lengths[:structural], 1.0)
    assert np.allclose(net.lengths[structural : structural + shear], np.sqrt(2))
    assert np.allclose(net.lengths[structural + shear :], 2.0)
    assert len(meshes.net((3.0, 2.0), (3, 2), bend=False).edges) == structural + shear
    assert inspect(net).duplicate_cells == 0


SURFACES = {
    "box": (meshes.box((1, 2, 3), centre=(1, 1, 1)), 6.0, 1e-12),
    "sphere": (meshes.sphere(0.5, 4, centre=(1, 0, 0)), np.pi / 6, 5e-3),
    "icosahedron": (meshes.sphere(1.0, 0), 2.53615071012, 1e-9),
    "torus": (meshes.torus(1.0, 0.25, 64, 32), 2 * np.pi**2 / 16, 1e-2),
}


@pytest.mark.parametrize("name", SURFACES)
def test_surfaces_are_closed_and_outward(name):
    mesh, volume, tolerance = SURFACES[name]
    report = inspect(mesh)
    assert report.ok and report.watertight and report.oriented and report.components == 1
    assert mesh.volume == pytest.approx(volume, rel=tolerance)
    handles = 1 - (len(mesh.vertices) - len(mesh.edges) + len(mesh.triangles)) // 2
    assert handles == (1 if name == "torus" else 0)


def test_sphere_vertices_lie_on_it():
    sphere = meshes.sphere(2.0, 3, centre=(1, 2, 3))
    assert len(sphere.triangles) == 20 * 4**3
    assert np.allclose(np.linalg.norm(sphere.vertices - [1, 2, 3], axis=1), 2.0)


BAD = {
    "size zero": (lambda: tet_grid((1, 0, 1), (1, 1, 1)), "size is"),
    "size NaN": (lambda: tet_grid((1, np.nan, 1), (1, 1, 1)), "size is"),
    "size short": (lambda: tet_grid((1, 1), (1, 1, 1)), "size is"),
    "size text": (lambda: tet_grid("big", (1, 1, 1)), "size is"),
    "cells half": (lambda: tet_grid((1, 1, 1), (1, 1.5, 1)), "whole number"),
    "cells zero": (lambda: tet_grid((1, 1, 1), (1, 0, 1)), "whole number of at least 1"),
    "cells true": (lambda: tet_grid((1, 1, 1), (1, True, 1)), "whole number"),
    "cells one": (lambda: tet_grid((1, 1, 1), 4), "one per axis"),
    "cells many": (lambda: tet_grid((1, 1, 1), (10**6, 10**6, 10**6)), "fewer cells"),
    "tets per cell": (lambda: tet_grid((1, 1, 1), (1, 1, 1), 7), "expected 5 or 6"),
    "origin": (lambda: tet_grid((1, 1, 1), (1, 1, 1), 5, (0, 0)), "origin is"),
    "cloth": (lambda: cloth_grid((1, -1), (2, 2)), "size is"),
    "net": (lambda: meshes.net((1, 1), (2, 2, 2)), "cells is"),
    "rod": (lambda: meshes.rod((1, 1, 1), (1, 1, 1), 3), "two different points"),
    "rod segments": (lambda: meshes.rod((1, 1, 1), (1, 1, 2), 0), "segments is 0"),
    "radius": (lambda: meshes.sphere(-1), "radius is"),
    "subdivisions": (lambda: meshes.sphere(1, 40), "from 0 to 12"),
    "tube": (lambda: meshes.torus(1, 2), "thinner"),
    "sides": (lambda: meshes.torus(1, 0.1, 3, 2), "from 3 to"),
    "centre": (lambda: meshes.sphere(1, 1, (0, 0, np.inf)), "centre is"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name):
    make, words = BAD[name]
    with pytest.raises(InputError, match=words):
        make()
