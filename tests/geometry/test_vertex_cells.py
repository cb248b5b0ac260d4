"""Passes over the cells of a mesh, against NumPy."""

import numpy as np

import pliant as pl
from pliant.cut.mesh_cut import opened
from pliant.geometry.mesh.vertex_cells import changed_cells, differing_rows, equal, tet_gradients


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


def test_cells_at_vertices_that_are_elsewhere_or_new():
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (12, 3, 3))
    for was in (mesh.tets, mesh.boundary_triangles):
        now, after = was.copy(), np.append(mesh.vertices, mesh.vertices[:1], axis=0)
        now[7, 1], now[9] = len(mesh.vertices), was[9][::-1]
        after[30] += 1e-15
        rows, elsewhere = changed_cells(was, now, mesh.vertices, after)
        assert np.flatnonzero(elsewhere).tolist() == [30, len(mesh.vertices)]
        assert np.array_equal(rows, np.flatnonzero((was != now).any(axis=1) | elsewhere[now].any(axis=1)))


def test_masses_after_a_cut_are_summed_again_where_it_was_to_the_bit():
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (12, 3, 3), 6)
    density = np.random.default_rng(2).uniform(500, 2000, len(mesh.tets))
    for given in (np.array(1000.0), density):
        shape, whole = pl.Tets(mesh), pl.Tets(mesh).lumped(given)
        done = opened(mesh, pl.Blade([(0.17, -0.1, 0.2), (0.19, 0.2, 0.2)], depth=0.15))
        after = pl.Tets(done.mesh)
        mass = after.lumped_since(shape, whole, given)
        assert done.new and np.array_equal(mass, pl.Tets(done.mesh).lumped(given)) and np.sum(mass[: len(whole)] != whole) > 9
