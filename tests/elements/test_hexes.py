"""Hexahedral elements: points in them, masses, faces, embedded surfaces and muscles, and what they refuse."""

import numpy as np
import pytest
from hexahedra import bent

import pliant as pl
from pliant.elements.hex_points import CellPlaces
from pliant.elements.hexes import quad_shares
from pliant.geometry.lattice.fragments import shape_functions
from pliant.geometry.lattice.hex_mesh import HexMesh, hex_box


def test_points_are_found_where_they_are():
    hexes, random = pl.Hexes(bent(amount=0.09)), np.random.default_rng(0)
    cell, xi = np.repeat(np.arange(hexes.count), 40), random.random((40 * hexes.count, 3))
    points = np.einsum("si,sic->sc", shape_functions(xi), hexes.rest[hexes.nodes[cell]])
    found, place, gap = hexes.places_in_cells.located(points)
    assert np.array_equal(found, cell) and gap.max() == 0 and np.abs(place - xi).max() < 1e-8
    nodes, weights, away = hexes.locate(points)
    assert np.array_equal(nodes, hexes.nodes[cell]) and away.max() == 0
    assert np.abs(weights - shape_functions(xi)).max() < 1e-8


def test_points_in_long_cells_are_found():
    """A long cell's middle may be further from a point in it than the middles of many small cells beside it."""
    small = hex_box((1.0, 0.5, 1.0), (20, 1, 1), (0, 0.5, 0))
    corners = np.concatenate(
        [
            small.vertices[small.hexes][:, [0, 1, 3, 2, 4, 5, 7, 6]],
            [np.array([[0, 0, 0], [1, 0, 0], [0, 0.5, 0], [1, 0.5, 0], [0, 0, 1], [1, 0, 1], [0, 0.5, 1], [1, 0.5, 1.0]])],
        ]
    )
    points = np.array([[0.02, 0.45, 0.5], [0.97, 0.45, 0.5], [0.5, 0.2, 0.1]])
    cell, _, gap = CellPlaces(corners).located(points)
    assert cell.tolist() == [20, 20, 20] and gap.max() == 0


def test_the_map_goes_on_linearly_outside():
    hexes = pl.Hexes(bent())
    points = np.random.default_rng(1).uniform(-0.5, 2.0, (200, 3))
    A = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.05, 0.0, 1.2]])
    nodes, weights, away = hexes.locate(points)
    assert np.abs(np.einsum("sk,skc->sc", weights, hexes.rest[nodes] @ A.T) - points @ A.T).max() < 1e-12
    assert np.abs(weights.sum(axis=1) - 1).max() < 1e-12 and (away > 0).any()
    box = np.clip(points, hexes.rest.min(axis=0), hexes.rest.max(axis=0))
    assert np.all(away >= np.linalg.norm(points - box, axis=1) - 1e-12)


def test_masses_and_faces():
    """∫ N_i over warped cells and faces: masses add up, about the true centre of mass; faces close."""
    hexes = pl.Hexes(bent())
    mass = hexes.lumped(np.array(3.0))
    assert mass.sum() == pytest.approx(3 * hexes.mesh.volume, rel=1e-13) and np.all(mass > 0)
    by = np.random.default_rng(0).standard_normal(len(mass))
    assert by @ hexes.lumped(np.linspace(1, 2, hexes.count)) == pytest.approx(
        np.linspace(1, 2, hexes.count) @ hexes.pulled_back_masses(by)
    )
    box = pl.Hexes(hex_box((1, 2, 3), (1, 2, 3)))
    assert box.areas.sum() == pytest.approx(22) and box.areas[0] == pytest.approx(3 / 4)
    nodes, shares = box.surface_shares(np.flatnonzero(box.rest[:, 2] > 2.99))
    assert len(nodes) == 2 and np.allclose(shares, 0.25) and np.all(box.rest[nodes][:, :, 2] == 3)
    warped = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0.4], [0, 1, 0]]], float)
    u, v = np.meshgrid((np.arange(60) + 0.5) / 60, (np.arange(60) + 0.5) / 60)
    area = np.sqrt(1 + (0.4 * u) ** 2 + (0.4 * v) ** 2).mean()
    assert quad_shares(warped).sum() == pytest.approx(area, rel=2e-4)


def test_a_surface_rides_along():
    hexes = pl.Hexes(bent())
    ball = pl.meshes.sphere(0.2, 2, (0.6, 0.6, 0.6))
    bound = hexes.drawn(ball)
    A = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.05, 0.0, 1.2]])
    assert np.abs(bound.of(hexes.rest @ A.T) - ball.vertices @ A.T).max() < 1e-12
    with pytest.raises(pl.errors.InputError, match="outside the body"):
        hexes.drawn(ball.translated((3, 0, 0)))
    with pytest.raises(pl.errors.InputError, match="half a cell"):
        hexes.bind_points(np.array([[5.0, 0, 0]]), "Hold")
    assert hexes.drawn().triangles.max() < len(hexes.mesh.boundary_vertices) == hexes.drawn().count


def test_a_muscle_inside():
    """Volume and centroid of a ball, and F at its points."""
    hexes = pl.Hexes(bent((6, 6, 6), 0.02))
    part = hexes.inlaid(pl.sphere(0.25, (0.6, 0.6, 0.6)))
    assert part.weights.sum() == pytest.approx(4 / 3 * np.pi * 0.25**3, rel=0.01)
    assert np.average(part.points, axis=0, weights=part.weights[:, 0]) == pytest.approx([0.6] * 3, abs=2e-3)
    A = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.05, 0.0, 1.2]])
    F = np.einsum("mki,mkj->mij", (hexes.rest @ A.T)[part.nodes], part.gradients[:, 0])
    assert np.abs(F - A).max() < 1e-12
    assert hexes.inlaid(pl.sphere(0.1, (9, 0, 0))) is None


def test_folded_cells_are_refused_by_name():
    mesh = bent()
    inside_out = mesh.hexes.copy()
    inside_out[7] = inside_out[7][[4, 5, 6, 7, 0, 1, 2, 3]]
    with pytest.raises(
        pl.errors.InputError,
        match=r"1 of 12 hexahedra are folded over .*1 of them inside out, first at 7, the worst is 7",
    ):
        pl.Hexes(HexMesh(mesh.vertices, inside_out))
    cube = hex_box((1, 1, 1), (1, 1, 1))
    dented = cube.vertices.copy()
    dented[-1] = (0.2, 0.2, 0.2)  # the volume is still positive, the map is not one to one
    assert HexMesh(dented, cube.hexes).volume > 0
    with pytest.raises(pl.errors.InputError, match="1 of 1 hexahedra are folded over"):
        pl.Hexes(HexMesh(dented, cube.hexes))
    wedge = cube.vertices.copy()
    wedge[1] = wedge[0]  # two nodes in one place
    for mesh in (HexMesh(wedge, cube.hexes), HexMesh(cube.vertices, np.zeros((0, 8), int))):
        with pytest.raises(pl.errors.InputError, match=r"folded over|no elements"):
            pl.Hexes(mesh)
    for make, words in (
        (lambda: pl.Hexes(pl.tet_grid((1, 1, 1), (1, 1, 1))), "a HexMesh; see meshes.hex_box"),
        (lambda: pl.Hexes(cube, volume="averaged"), r"Averaged\(\), or None"),
        (
            lambda: pl.Hexes(cube, pl.quadrature.Averaged(incompressible=True)),
            r"Mixed\(\), which alone can hold it, is for lattices",
        ),
    ):
        with pytest.raises(pl.errors.InputError, match=words):
            make()
