"""Passes over the cells of a mesh, against NumPy."""

import numpy as np

import pliant as pl
from pliant.geometry.near import differing_rows, equal, tet_gradients


def test_gradients_of_tets_are_the_rows_of_an_inverse():
    mesh = pl.tetrahedralise(pl.meshes.sphere(0.1), edge=0.04).rotated((1, 2, 3), 40).translated((3, -2, 1))
    corners = mesh.vertices[mesh.tets]
    inverse = np.linalg.inv((corners[:, :3] - corners[:, 3:]).transpose(0, 2, 1))
    found = tet_gradients(mesh.vertices, mesh.tets)
    assert found.shape == (len(mesh.tets), 1, 4, 3)
    assert np.allclose(found[:, 0, :3], inverse, rtol=1e-9, atol=1e-9 * np.abs(inverse).max())
    assert np.abs(found.sum(axis=2)).max() < 1e-12 * np.abs(found).max()
    assert tet_gradients(mesh.vertices, mesh.tets[:0]).shape == (0, 1, 4, 3)


def test_rows_that_differ_and_arrays_that_do_not():
    one = np.arange(24, dtype=np.int32).reshape(6, 4)
    other = one.copy()
    assert equal(one, one) and equal(one, other) and not len(differing_rows(one, other))
    other[4, 3] = other[1, 0] = 0
    assert not equal(one, other) and differing_rows(one, other).tolist() == [1, 4]
