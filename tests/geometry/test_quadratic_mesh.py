"""Ten-node tets: their functions, how they are made, bent onto a surface and kept from turning over."""

import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pliant import meshes, sdf
from pliant.errors import InputError, PliantWarning
from pliant.geometry.distance.sdf import box, sphere
from pliant.geometry.inspection.mesh_inspection import inspect
from pliant.geometry.mesh import tet10
from pliant.geometry.mesh.mesh import TetMesh
from pliant.geometry.mesh.primitives import tet_grid
from pliant.geometry.tetrahedra.stuffing import tetrahedralise

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.elements.meshes import hollow_octant

BALL = sphere(0.1)


def shaken(size: float = 0.02, seed: int = 0) -> TetMesh:
    """A cube of ten-node tets, all of them bent."""
    mesh = tet_grid((1, 1, 1), (2, 2, 2)).quadratic()
    return replace(mesh, vertices=mesh.vertices + size * np.random.default_rng(seed).standard_normal(mesh.vertices.shape))


def mean_of(powers: np.ndarray) -> float:
    """The mean of λ₀ᵃ λ₁ᵇ λ₂ᶜ λ₃ᵈ over a tet: 3! a! b! c! d! / (3 + a + b + c + d)!"""
    factorial = np.vectorize(lambda n: float(np.prod(np.arange(1, n + 1))))
    return 6 * factorial(powers).prod() / factorial(3 + powers.sum())


def test_functions_are_one_at_their_own_node():
    assert tet10.shape_functions(tet10.NODES) == pytest.approx(np.eye(10), abs=1e-15)
    lam, step = np.array([0.1, 0.2, 0.3, 0.4]), 1e-6
    assert tet10.shape_functions(lam).sum() == pytest.approx(1)
    for i in range(3):
        along = np.array([-1.0, 0, 0, 0]) + np.eye(4)[i + 1]
        slope = (tet10.shape_functions(lam + step * along) - tet10.shape_functions(lam - step * along)) / (2 * step)
        assert tet10.shape_derivatives(lam)[:, i] == pytest.approx(slope, abs=1e-9)


def test_rules_are_exact_to_their_degree():
    for powers in np.ndindex(4, 4, 4, 4):
        exact = mean_of(np.array(powers))
        two = np.mean(np.prod(tet10.POINTS ** np.array(powers), axis=1))
        three = tet10._CUBIC_WEIGHTS @ np.prod(tet10._CUBIC ** np.array(powers), axis=1)
        assert sum(powers) > 2 or two == pytest.approx(exact)
        assert sum(powers) > 3 or three == pytest.approx(exact)


def test_masses_are_in_proportion_to_the_diagonal_of_the_mass_matrix():
    """∫ N² of a corner is ∫ λ²(2λ − 1)², of a middle ∫ 16 λ²μ²."""
    corner = 4 * mean_of(np.array([4, 0, 0, 0])) - 4 * mean_of(np.array([3, 0, 0, 0])) + mean_of(np.array([2, 0, 0, 0]))
    middle = 16 * mean_of(np.array([2, 2, 0, 0]))
    diagonal = np.array([corner] * 4 + [middle] * 6)
    assert diagonal / diagonal.sum() == pytest.approx(tet10.LUMPED)


def test_volume_is_that_inside_the_bent_faces():
    """By ∫ det J of each tet, and by the faces of the boundary, wherever the origin is."""
    mesh = shaken()
    faces = mesh.boundary_faces
    for offset in (0.0, 3.0):
        X = mesh.vertices[faces[:, tet10.ENCLOSING]] + offset
        assert np.sum(np.linalg.det(X) * tet10.ENCLOSING_FACTORS) / 6 == pytest.approx(mesh.volume, rel=1e-12)
    assert abs(mesh.boundary.volume - mesh.volume) > 1e-4  # flat triangles between the nodes enclose another


def test_faces_look_outwards_and_are_drawn_as_four_triangles():
    mesh = tet_grid((1, 2, 3), (2, 1, 1)).quadratic()
    assert mesh.boundary.volume == pytest.approx(6) == pytest.approx(mesh.volume)
    assert len(mesh.boundary_triangles) == 4 * len(mesh.boundary_faces) == 4 * len(mesh.linear().boundary_triangles)
    assert tet10.face_shares(mesh.vertices[mesh.boundary_faces]).sum() == pytest.approx(22)
    shares = tet10.face_shares(mesh.vertices[mesh.boundary_faces[:1]])[0]
    assert shares / shares.sum() == pytest.approx([0, 0, 0, 1 / 3, 1 / 3, 1 / 3], abs=1e-14)
    parts = mesh.vertices[mesh.cells[:, tet10.EIGHT]].reshape(-1, 4, 3)
    eighths = np.linalg.det(parts[:, 1:] - parts[:, :1]).reshape(-1, 8) / 6
    assert eighths == pytest.approx(np.repeat(mesh.volumes[:, None] / 8, 8, axis=1))


def test_every_edge_has_one_node_half_way():
    grid = tet_grid((1, 1, 1), (3, 2, 2))
    grid = replace(grid, regions=np.arange(len(grid.tets)) % 3)
    mesh = grid.quadratic()
    assert len(mesh.vertices) == len(grid.vertices) + len(grid.edges)
    ends = mesh.vertices[mesh.tets[:, tet10.EDGES]]
    assert np.array_equal(mesh.vertices[mesh.middles], 0.5 * (ends[:, :, 0] + ends[:, :, 1]))
    back = mesh.linear()
    assert np.array_equal(back.tets, grid.tets) and np.array_equal(back.vertices, grid.vertices)
    assert np.array_equal(mesh.regions, grid.regions) and np.array_equal(back.regions, grid.regions)
    assert mesh.linear().linear().middles is None
    moved = mesh.translated((1, 2, 3)).rotated((0, 0, 1), 30)
    assert moved.middles is not None and moved.volume == pytest.approx(1)
    assert inspect(mesh).ok and inspect(mesh).evenness == pytest.approx(1) and inspect(mesh).area == pytest.approx(6)


@pytest.mark.parametrize("onto", [BALL, meshes.sphere(0.1, 5)], ids=["distance", "mesh"])
def test_nodes_are_moved_onto_the_surface(onto):
    """The volume is off by 0.04 % in place of 5.7 %; nodes inside stay."""
    straight = tetrahedralise(BALL, edge=0.05)
    mesh = straight.quadratic(onto)
    fine = 4e-4 if onto is BALL else 2e-3  # facets of the finer sphere lie inside it
    assert np.abs(BALL(mesh.boundary.vertices)).max() < (1e-8 if onto is BALL else 1e-4)
    exact = 4 / 3 * np.pi * 1e-3
    assert abs(mesh.volume / exact - 1) < fine < 0.05 < abs(straight.volume / exact - 1)
    inside = np.setdiff1d(mesh.middles, mesh.boundary_vertices)
    assert np.array_equal(mesh.vertices[inside], straight.quadratic().vertices[inside])
    assert inspect(mesh).ok and inspect(mesh).evenness > 0.9


def test_edges_that_cross_the_solid_stay_straight():
    """On a cut through a hollow ball edges go from its inner to its outer surface, or lie in the plane of the cut."""
    shell = sphere(1.0) - sphere(0.5)
    mesh = hollow_octant(4, 2, 0.5, 1.0)
    assert inspect(mesh).ok
    bent = mesh.quadratic(shell)
    assert bent.boundary.vertices.min() > -1e-12  # the three planes of the cut stay flat
    r = np.linalg.norm(bent.vertices, axis=1)
    outer, inner = np.abs(r - 1) < 1e-9, np.abs(r - 0.5) < 1e-9
    assert np.all(outer | inner | ((r > 0.52) & (r < 0.95))) and outer.sum() == inner.sum() == 45
    exact = np.pi / 6 * (1 - 0.5**3)
    assert abs(bent.volume / exact - 1) < 0.02 * abs(mesh.volume / exact - 1)


def test_tets_that_would_turn_over_are_bent_less():
    """Under a hollow the surface goes into the solid, here deeper than the tet below it is high."""
    hollow = ~sphere(1.0, centre=(0.0, 0.0, np.sqrt(0.75)))
    angle = 2 * np.pi * np.arange(3) / 3
    rim = 0.5 * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    flat = TetMesh(np.vstack([rim, [[0, 0, -0.02]]]), [[0, 2, 1, 3]])
    deep = TetMesh(np.vstack([rim, [[0, 0, -0.5]]]), [[0, 2, 1, 3]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bent = deep.quadratic(hollow)
    assert np.abs(hollow(bent.vertices[[4, 5, 7]])).max() < 1e-9
    with pytest.warns(PliantWarning, match="3 of 3 edges on the surface are bent less") as caught:
        less = flat.quadratic(hollow)
    assert caught[0].filename == __file__
    assert tet10.evenness(less.vertices[less.cells]).min() >= 0.1
    assert np.abs(less.vertices[[4, 5, 7], 2]).max() < 0.02 < np.abs(bent.vertices[[4, 5, 7], 2]).min()


def test_refusals():
    grid = tet_grid((1, 1, 1), (1, 1, 1))
    cases = [
        (lambda: grid.quadratic().quadratic(), "ten nodes already"),
        (lambda: grid.quadratic(onto=grid), "the TriMesh or Sdf"),
        (lambda: TetMesh(grid.vertices, grid.tets[:, [1, 0, 2, 3]]).quadratic(box(1.0)), "tets are inverted or flat"),
        (lambda: TetMesh(grid.vertices, grid.tets, middles=[[0] * 6]), "one per tet"),
        (lambda: TetMesh(grid.vertices, grid.tets, middles=[[99] * 6] * len(grid.tets)), "outside 0…"),
    ]
    for make, words in cases:
        with pytest.raises(InputError, match=words):
            make()


def test_inspect_names_what_is_wrong_with_ten_nodes():
    mesh = shaken(0.0)
    swapped = replace(mesh, middles=mesh.middles[:, [0, 1, 2, 3, 5, 4]])
    report = inspect(swapped)
    assert not report.ok and report.inverted == len(mesh.tets) and report.evenness < 0
    assert any("turn over, so much are they bent" in sentence for sentence in report.problems)
    middles = mesh.middles.copy()
    extra = np.concatenate([mesh.vertices, mesh.vertices[middles[0, :1]] + 1e-3])
    middles[0, 0] = len(mesh.vertices)
    torn = inspect(TetMesh(extra, mesh.tets, middles=middles))
    assert any("torn" in sentence for sentence in torn.problems)
    assert "least det J" in str(report)


def test_bent_onto_a_scan():
    """A distance sampled on a grid, as scans give it."""
    solid = sdf.from_mesh(meshes.sphere(0.1, 4), 0.01)
    mesh = tetrahedralise(solid, edge=0.05).quadratic(solid)
    assert np.abs(solid(mesh.boundary.vertices)).max() < 0.01 * 0.05
