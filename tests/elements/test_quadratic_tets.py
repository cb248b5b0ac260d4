"""Ten-node tets as elements: masses, loads, places, and what they refuse."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.effects.effect_layout import Part
from pliant.effects.loads import enclosing, nodal_weights
from pliant.elements.inlay import inlay
from pliant.geometry.mesh import tet10

BALL = pl.sphere(0.1)


def bent(size: float = 0.02, seed: int = 0) -> pl.QuadraticTets:
    """A cube of tets of which every node was moved."""
    mesh = pl.tet_grid((1, 1, 1), (2, 2, 2)).quadratic()
    X = mesh.vertices + size * np.random.default_rng(seed).standard_normal(mesh.vertices.shape)
    return pl.QuadraticTets(replace(mesh, vertices=X))


def test_body_and_elements_take_either_mesh():
    grid = pl.tet_grid((1, 1, 1), (1, 1, 1))
    law = pl.Corotated(young=1e4)
    for shape in (pl.QuadraticTets(grid), pl.Body(grid.quadratic(), law).shape, pl.QuadraticTets(grid.quadratic())):
        assert type(shape) is pl.QuadraticTets and shape.nodes.shape == (5, 10) and shape.gradients.shape == (5, 4, 10, 3)
    assert type(pl.Body(grid, law).shape) is pl.Tets
    assert replace(pl.QuadraticTets(grid), mesh=grid.translated((1, 0, 0))).rest[:, 0].min() == 1


def test_constant_stress_is_integrated_exactly():
    """Σ w ∇N is ∫ ∇N, which cancels at inner nodes; so do bent tets pass the patch test. Volumes are exact."""
    elements = bent()
    assert elements.bent.all() and elements.volumes == pytest.approx(elements.mesh.volumes, rel=1e-12)
    total = np.zeros_like(elements.rest)
    np.add.at(total, elements.nodes, np.einsum("mq,mqkc->mkc", elements.weights, elements.gradients))
    inner = np.setdiff1d(np.arange(len(total)), elements.mesh.boundary_vertices)
    assert len(inner) == 19 and np.abs(total[inner]).max() < 1e-15 < np.abs(total).max()
    straight = pl.QuadraticTets(pl.tet_grid((1, 1, 1), (2, 2, 2)))
    assert not straight.bent.any() and straight.weights == pytest.approx(np.repeat(straight.volumes / 4, 4).reshape(-1, 4))


def test_quadratic_fields_are_reproduced():
    """Straight tets: ∇ of x² + 3xy − yz at every point, exactly."""
    mesh = pl.tet_grid((1, 2, 1), (2, 2, 1), 6)
    e = pl.QuadraticTets(pl.TetMesh(mesh.vertices @ [[1, 0.1, 0], [0, 1, 0.2], [0.1, 0, 1]], mesh.tets))
    x, y, z = e.rest.T
    found = np.einsum("mk,mqkc->mqc", (x * x + 3 * x * y - y * z)[e.nodes], e.gradients)
    x, y, z = np.einsum("qk,mkc->cmq", tet10.shape_functions(tet10.POINTS), e.rest[e.nodes])
    assert found == pytest.approx(np.stack([2 * x + 3 * y, 3 * x - z, -y], axis=-1), abs=1e-11)


def test_masses_are_positive_and_their_derivative_is_their_transpose():
    e = bent()
    density = np.linspace(500, 2000, e.count)
    assert e.lumped(density).sum() == pytest.approx(np.sum(density * e.mesh.volumes)) and e.lumped(density).min() > 0
    g = np.random.default_rng(1).standard_normal(len(e.rest))
    assert e.pulled_back_masses(g) @ density == pytest.approx(g @ e.lumped(density))
    middle = pl.QuadraticTets(pl.tet_grid((1, 1, 1), (2, 2, 2)))
    assert middle.lumped(np.array(1.0)) @ middle.rest == pytest.approx([0.5, 0.5, 0.5])  # the centre of gravity


def test_loads_are_integrated_over_bent_faces():
    """A traction's resultant is the area; of six nodes those half-way carry all of a flat face's."""
    ball = pl.QuadraticTets(pl.tetrahedralise(BALL, edge=0.05).quadratic(onto=BALL))
    part = Part(ball, pl.Corotated(young=1e4))
    everywhere = pl.Traction((1, 0, 0), lambda X: X[:, 0] > -1)
    assert nodal_weights(part, everywhere).sum() == pytest.approx(4 * np.pi * 0.01, rel=1e-3)
    cube = Part(pl.QuadraticTets(pl.tet_grid((1, 1, 1), (1, 1, 1))), pl.Corotated(young=1e4))
    top = nodal_weights(cube, pl.Traction((1, 0, 0), lambda X: X[:, 2] > 1 - 1e-9))
    corner = np.isin(np.arange(len(top)), cube.elements.mesh.tets)
    assert top.sum() == pytest.approx(1) and np.abs(top[corner]).max() < 1e-15
    assert np.sort(top[top > 1e-9]) == pytest.approx([1 / 6] * 4 + [1 / 3])
    assert cube.elements.areas.sum() == pytest.approx(6) and cube.elements.outline.areas.min() > 0


def test_pressure_acts_on_the_bent_surface():
    """Triangles with factors enclose the volume of the bent tets, and their gradient is ∫ N n dA."""
    elements = bent()
    triangles, factors = enclosing(Part(elements, pl.Corotated(young=1e4)))
    volume = lambda x: np.sum(factors * np.linalg.det(x[triangles])) / 6
    assert volume(elements.rest) == pytest.approx(elements.mesh.volume, rel=1e-12)
    x, d = elements.rest, np.random.default_rng(2).standard_normal(elements.rest.shape)
    slope = (volume(x + 1e-5 * d) - volume(x - 1e-5 * d)) / 2e-5
    faces = elements.mesh.boundary_faces
    tangents = np.einsum("fkc,qkd->fqdc", x[faces], tet10.face_derivatives(tet10.FACE_POINTS))
    vectors = 0.5 * np.cross(tangents[:, :, 0], tangents[:, :, 1]) * tet10.FACE_WEIGHTS[:, None]
    along = np.einsum("qk,fkc->fqc", tet10.face_functions(tet10.FACE_POINTS), d[faces])
    assert np.sum(vectors * along) == pytest.approx(slope, rel=1e-8)


def test_points_are_found_in_bent_tets():
    elements, random = bent(), np.random.default_rng(3)
    points = random.uniform(0.1, 0.9, (300, 3))
    nodes, weights, away = elements.locate(points)
    assert np.einsum("sk,skc->sc", weights, elements.rest[nodes]) == pytest.approx(points, abs=1e-12)
    assert np.all(away == 0) and weights.min() >= -0.126 and weights.max() <= 1
    far = pl.QuadraticTets(elements.mesh.translated((3e4, -2e4, 1e4)))
    assert far.embedded(points + np.array([3e4, -2e4, 1e4]))[1] == pytest.approx(weights, abs=1e-9)
    outside = random.uniform(-0.2, 1.2, (300, 3))
    nodes, weights = elements.embedded(outside)
    assert np.einsum("sk,skc->sc", weights, elements.rest[nodes]) == pytest.approx(outside, abs=1e-9)
    assert np.abs(weights).max() < 10  # they go on linearly: quadratic ones would grow with the square
    A = np.eye(3) + 0.1 * random.standard_normal((3, 3))
    assert np.einsum("sk,skc->sc", weights, (elements.rest @ A.T)[nodes]) == pytest.approx(outside @ A.T, abs=1e-9)


def test_a_solid_inside_counts_by_eighths():
    """Volume and centroid of a ball laid into ten-node tets are closer than in as many four-node ones."""
    mesh, ball = pl.tet_grid((0.3, 0.3, 0.3), (4, 4, 4)), pl.sphere(0.1, centre=(0.16, 0.15, 0.14))
    exact = 4 / 3 * np.pi * 1e-3
    ten, four = inlay(pl.QuadraticTets(mesh), ball), inlay(pl.Tets(mesh), ball)
    off = [abs(part.weights.sum() / exact - 1) for part in (ten, four)]
    assert off[0] < 0.08 and off[0] < 0.4 * off[1]
    assert ten.points.T @ ten.weights[:, 0] / ten.weights.sum() == pytest.approx([0.16, 0.15, 0.14], abs=1e-3)
    assert np.abs(ten.gradients.sum(axis=2)).max() < 1e-11


def test_refusals():
    grid = pl.tet_grid((1, 1, 1), (1, 1, 1))
    ten = grid.quadratic()
    flipped = pl.TetMesh(grid.vertices, grid.tets[:, [1, 0, 2, 3]])
    cases = [
        (lambda: pl.Tets(ten), r"QuadraticTets\(mesh\) or mesh.linear"),
        (lambda: pl.QuadraticTets(flipped), "5 of 5 ten-node tets are inverted"),
        (lambda: pl.QuadraticTets(replace(ten, middles=ten.middles[:, [0, 1, 2, 3, 5, 4]])), "turn over, first at"),
        (lambda: pl.QuadraticTets(grid.boundary), r"such as mesh.quadratic\(\)"),
        (lambda: pl.QuadraticTets(pl.TetMesh(grid.vertices, np.zeros((0, 4), int))), "no elements"),
    ]
    for make, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            make()
