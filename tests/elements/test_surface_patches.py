"""The surface of a lattice body: faces of cells in the solid close the cut surface, in each cell and around the body."""

import warnings

import numpy as np
import pytest
from cut_cells import random_values

import pliant as pl
from pliant.geometry.lattice.fragment_faces import FACES, face_parts
from pliant.geometry.lattice.fragments import fragments_of


def test_faces_and_cut_surface_enclose_the_fragment():
    """In every cell the area vectors sum to zero and the divergence theorem gives the volume."""
    values = random_values(200, 5)
    values = values[~((values == 0).sum(axis=1) >= 4)]  # faces that lie in the surface are its own
    fragments = fragments_of(values)
    cell, face, corners = face_parts(values)
    cells, triangles = np.concatenate([fragments.owner, cell]), np.concatenate([fragments.triangles, corners])
    area = 0.5 * np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    total = np.stack([np.bincount(cells, a, len(values)) for a in area.T], axis=1)
    assert np.abs(total).max() <= 1e-13
    volume = np.bincount(cells, np.sum(area * triangles.mean(axis=1), axis=1) / 3, len(values))
    assert np.abs(volume - fragments.volumes).max() <= 1e-13
    outward = np.sum(area[len(fragments.owner) :] * FACES[face], axis=1)
    assert np.all(outward >= 0) and len(np.unique(face)) == 6


@pytest.mark.parametrize("spacing", [0.035, 0.021])
def test_surfaces_of_a_body(spacing):
    """The cut surface and the boundary of the cells kept are both closed; the one holds the solid, the other the material."""
    body = pl.Lattice(pl.sphere(0.1, centre=(0.003, 0.001, 0.15)) - pl.box((0.1, 0.1, 0.1), (0, 0, 0.2)), spacing)
    kept, h = body.fragments.volumes.sum(), spacing
    assert body.dropped
    for surface, volume in ((body.cut, kept + body.slivers.volumes.sum()), (body.boundary, kept)):
        assert np.abs(surface.area_vectors.sum(axis=0)).max() <= 1e-13 * surface.areas.sum()
        inside = np.sum(surface.corners.mean(axis=1) * surface.area_vectors) / 3
        assert inside == pytest.approx(volume * h**3, rel=1e-12)
        assert surface.shares.sum(axis=1) == pytest.approx(surface.areas, rel=1e-9, abs=1e-18)
    xi = (body.boundary.corners - body.lowest[body.boundary.cells][:, None]) / h
    assert xi.min() >= -1e-12 and xi.max() <= 1 + 1e-12


@pytest.mark.parametrize("refine", [2, 4])
def test_boundary_of_refined_cells_is_closed(refine):
    """Slivers of refined cells are left out too, and the faces where they were close the surface."""
    with warnings.catch_warnings(action="ignore"):  # two subcells lose 4 % of it
        shape = pl.Lattice(pl.torus(0.1, 0.03), 0.03, origin=(0.004, 0.011, -0.006), refine=refine)
    surface = shape.boundary
    assert shape.dropped
    assert np.abs(surface.area_vectors.sum(axis=0)).max() <= 1e-12 * surface.areas.sum()
    enclosed = np.sum(surface.corners.mean(axis=1) * surface.area_vectors) / 3
    assert enclosed == pytest.approx(shape.fragments.volumes.sum() * 0.03**3)
