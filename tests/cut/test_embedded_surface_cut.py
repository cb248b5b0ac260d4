"""Finer surfaces cut with the tets that carry them: closed, as smooth as they were, and each part on its own side."""

import numpy as np
import pytest

import pliant as pl
from pliant.cut.embedded_surface_cut import cut_surface
from pliant.cut.mesh_cut import opened
from pliant.cut.planar_delaunay import triangulated

MESH = pl.tetrahedralise(pl.sphere(0.5), edge=0.25)
FINE = pl.surface(pl.sphere(0.5), 0.06)
TURNED = np.array([[1.3, 0.2, 0.0], [0.0, 0.9, 0.1], [0.1, 0.0, 1.1]])


def straight(point, normal, depth=2.0, half=1.0):
    normal = np.asarray(normal, float) / np.linalg.norm(normal)
    along = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    along /= np.linalg.norm(along)
    into = np.cross(normal, along)
    start = np.asarray(point, float) - into
    return pl.Blade([start - half * along, start + half * along], depth, into)


def cut_once(surface, mesh, blade, x=None):
    x = mesh.vertices if x is None else x
    done = opened(mesh, blade, x)
    return cut_surface(surface, mesh, x, blade, done), done


def unbalanced(surface):
    """Edges along which triangles do not meet others that run the other way: none of a closed surface."""
    pairs = surface.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(int)
    key = np.sort(pairs, axis=1) @ [len(surface.vertices), 1]
    return int((np.bincount(np.unique(key, return_inverse=True)[1], np.where(pairs[:, 0] < pairs[:, 1], 1, -1)) != 0).sum())


def test_a_blade_right_through_leaves_two_closed_parts_that_are_flat_where_they_were_cut():
    """In a deformed body: each part lies on its side of the blade, where it is now, and rides on tets of that side."""
    x = MESH.vertices @ TURNED.T
    blade = straight((0.05, 0.02, 0.0), (1.0, 0.3, 0.2))
    held = pl.Tets(MESH).held(FINE)
    surface, done = cut_once(held, MESH, blade, x)
    report = pl.inspect(pl.TriMesh(surface.vertices, surface.triangles))
    assert report.watertight and report.components == 2 and report.non_manifold == 0
    assert surface.volume == pytest.approx(FINE.volume, rel=1e-3)
    binding = pl.Tets(done.mesh).bind(surface)
    now = binding.of(done.carried(x))
    assert np.allclose(now, surface.vertices @ TURNED.T, rtol=0, atol=1e-9)
    height = blade.heights(now)[0]
    corners = height[surface.triangles]
    assert not np.any((corners.max(axis=1) > 1e-9) & (corners.min(axis=1) < -1e-9))
    part = _parts(done.mesh)[surface.holders]
    side = [np.unique(part[sign * height > 1e-9]) for sign in (1, -1)]
    assert len(side[0]) == len(side[1]) == 1 and side[0] != side[1]
    flat = np.abs(corners).max(axis=1) < 1e-9
    assert surface.areas[flat].sum() > 1.5 * np.pi * 0.45**2  # the two inner faces


def _parts(mesh):
    from pliant.cut.split import parts

    return parts(mesh.tets)


def test_a_blade_that_ends_inside_leaves_a_slit_with_a_bottom():
    surface, done = cut_once(pl.Tets(MESH).held(FINE), MESH, straight((0, 0, 0), (1, 0.1, 0.2), depth=1.1))
    report = pl.inspect(pl.TriMesh(surface.vertices, surface.triangles))
    assert report.watertight and report.components == 1 and report.area > pl.inspect(FINE).area + 0.4
    assert surface.volume == pytest.approx(FINE.volume, rel=1e-3) and len(done.mesh.tets) == len(MESH.tets)


def test_random_strokes_one_after_the_other_leave_closed_surfaces():
    rng = np.random.default_rng(4)
    for _ in range(3):
        mesh, surface = MESH, pl.Tets(MESH).held(FINE)
        for _ in range(3):
            turn, share = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.linspace(-1, 1, 7)[:, None]
            local = np.concatenate([share, rng.uniform(-0.4, 0.4) * share**2, np.full_like(share, -1.0)], axis=1)
            blade = pl.Blade(rng.uniform(-0.2, 0.2, 3) + local @ turn.T, rng.uniform(0.6, 2.0), turn[:, 2])
            surface, done = cut_once(surface, mesh, blade)
            mesh = done.mesh
            assert unbalanced(surface) == 0 and surface.volume == pytest.approx(FINE.volume, rel=3e-3)
            assert surface.holders.max() < len(mesh.tets) and np.all(surface.areas >= 0)
        assert len(surface.triangles) > len(FINE.triangles) + 200


def bent():
    share = np.linspace(-1, 1, 9)
    return pl.Blade(np.stack([share, 0.05 + 0.2 * share**2, np.ones(9)], axis=1), depth=2.0)


def askew():
    random = np.random.default_rng(13)
    return straight(random.uniform(-0.1, 0.1, 3), random.normal(size=3))


@pytest.mark.parametrize(("whole", "pieces"), [(bent, 10), (askew, 8)])
def test_a_stroke_that_grows_leaves_no_teeth(whole, pieces):
    """What the blade parts before its tets come apart goes to its own side when they do; the last tets, which come apart before
    the blade is through, take what lies over them along."""
    mesh, surface, whole = MESH, pl.Tets(MESH).held(FINE), whole()
    for k in range(1, pieces + 1):
        blade = whole.part(0.0, k / pieces)
        done = opened(mesh, blade, mesh.vertices)
        if len(done.faces):
            surface, mesh = cut_surface(surface, mesh, mesh.vertices, blade, done), done.mesh
    assert unbalanced(surface) <= 8  # none here; 40 and 102 without, and rounding may let a tet go another way
    assert surface.volume == pytest.approx(FINE.volume, rel=3e-3)
    part, height = _parts(mesh)[surface.holders], whole.heights(surface.vertices)[0]
    assert len(np.unique(part[height > 0.01])) == len(np.unique(part[height < -0.01])) == 1


def test_a_surface_far_from_the_blade_stays_what_it_was():
    held = pl.Tets(MESH).held(FINE)
    small = straight((0.5, 0, 0), (1, 0, 0), depth=0.2, half=0.01)
    surface, _ = cut_once(held, MESH, small)
    assert np.array_equal(surface.triangles, FINE.triangles) and np.array_equal(surface.vertices, FINE.vertices)


def test_given_edges_are_among_the_triangles_also_around_a_hole_and_in_a_comb():
    """A square with a hole, and a comb whose teeth Delaunay's triangles would cross."""
    square = np.array([(0, 0), (4, 0), (4, 4), (0, 4), (1, 1), (3, 1), (3, 3), (1, 3), (0.5, 2.0)], float)
    loops = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)])
    made = triangulated(square, loops, np.array([8]))
    assert _area(square, made) == pytest.approx(12.0) and _has(made, loops) and 8 in made
    comb = np.array([(0, 0), (7, 0), (7, 5), (6.9, 0.1), (5, 0.1), (5, 5), (4.9, 0.1), (0.1, 0.1), (0.1, 5), (0, 5)])
    ring = np.stack([np.arange(10), np.roll(np.arange(10), -1)], axis=1)
    made = triangulated(comb, ring, np.zeros(0, int))
    assert _has(made, ring) and len(made) == 8


def _area(points, made):
    a, b, c = points[made].transpose(1, 0, 2)
    return 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]).sum()


def _has(made, edges):
    there = {tuple(sorted(pair)) for t in made.tolist() for pair in zip(t, [*t[1:], t[0]])}
    return all(tuple(sorted(edge)) in there for edge in edges.tolist())


def test_points_of_an_unrolled_blade_lie_on_it():
    blade = pl.Blade([(0, 0, 1), (1, 0, 1.2), (1.5, 1, 1)], depth=1.0, into=(0.1, 0, -1))
    flat = np.random.default_rng(0).uniform(-0.5, 2.5, (30, 2))
    points = blade.rolled(flat)
    assert np.abs(blade.heights(points)[0]).max() < 1e-12 and np.allclose(blade.unrolled(points), flat, atol=1e-9)
