"""Sheets cut by random blades: no triangle is made, areas stay, and every vertex has one fan."""

import numpy as np
import pytest

import pliant as pl
from pliant.cut.sheet_cut import _rim, opened_sheet


def sheet(kind, rng):
    grid = pl.cloth_grid((1.0, 0.8), (17, 13))
    X = grid.vertices.copy()
    inside = (np.abs(X[:, 0] - 0.5) < 0.49) & (np.abs(X[:, 1] - 0.4) < 0.39)
    if kind != "even":
        X[inside, :2] += rng.uniform(-0.012, 0.012, (inside.sum(), 2))
    if kind == "curved":
        X[:, 2] = 0.2 * np.sin(4 * X[:, 0]) * X[:, 1]
    return pl.TriMesh(X, grid.triangles)


def has_single_fans(mesh):
    """Whether the triangles at each vertex make one fan: an open one has a triangle more than edges inside, a closed one none."""
    pairs, times = np.unique(np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0, return_counts=True)
    inner = np.bincount(pairs[times == 2].ravel(), minlength=len(mesh.vertices))
    more = np.bincount(mesh.triangles.ravel(), minlength=len(mesh.vertices)) - inner
    return bool((times <= 2).all() and np.isin(more, (0, 1)).all())


@pytest.mark.parametrize("kind", ["even", "shaken", "curved"])
def test_random_strokes_leave_valid_sheets(kind):
    rng = np.random.default_rng(5)
    opened, slack = 0, 2e-3 if kind == "curved" else 1e-12
    for _ in range(12):
        mesh = whole = sheet(kind, rng)
        for turn in range(3):
            ends, middle = rng.uniform([-0.2, -0.2], [1.2, 1.0], (2, 2)), rng.uniform([0, 0], [1, 0.8])
            path = [ends[0], middle, ends[1]] if turn else ends
            cut = opened_sheet(mesh, pl.Blade([(*p, 1.0) for p in path], 2.0))
            areas = cut.mesh.areas
            assert len(cut.mesh.triangles) == len(whole.triangles) and has_single_fans(cut.mesh)
            assert abs(areas.sum() - whole.areas.sum()) <= slack * whole.areas.sum()
            assert areas.min() > 0.05 * whole.areas.min()
            assert np.array_equal(cut.origin[cut.mesh.triangles], mesh.triangles)
            assert np.allclose(cut.carried(mesh.vertices), cut.mesh.vertices)
            mesh, opened = cut.mesh, opened + len(cut.faces)
    assert opened > 100


def test_a_plane_across_parts_a_grid_and_adds_a_row_of_vertices():
    mesh = pl.cloth_grid((1.0, 0.8), (10, 8))
    cut = opened_sheet(mesh, pl.Blade([(0.512, -1, 1), (0.512, 2, 1)], 2.0))
    assert cut.new == 9 and len(cut.faces) == 8 and cut.closed == 0 and cut.away < 1e-12
    assert pl.inspect(cut.mesh).components == 2
    assert np.isclose(cut.mesh.areas.sum(), 0.8, rtol=1e-14) and "160 triangles, 8 edges" in repr(cut)


def test_blades_that_miss_and_vertices_that_are_fixed():
    mesh = pl.cloth_grid((1.0, 0.8), (10, 8))
    missed = opened_sheet(mesh, pl.Blade([(3, -1, 1), (3, 2, 1)], 2.0))
    assert missed.crossed == 0 and missed.new == 0 and missed.mesh is mesh
    held = opened_sheet(mesh, pl.Blade([(0.512, -1, 1), (0.512, 2, 1)], 2.0), fixed=np.ones(99, bool))
    assert not held.moved.any() and held.new == 9 and np.isclose(held.away, 0.012)


def test_edges_of_large_sheets_have_numbers_of_their_own():
    """Pairs of 60,000 vertices do not fit into 32 bits."""
    rim, _ = _rim(pl.cloth_grid((1.0, 1.0), (299, 199)))
    assert rim.min() > 0 and len(np.unique(rim)) == len(rim) == 2 * 2 * (299 + 199)
