"""Elements: gradients, weights, masses; and what they refuse."""

import numpy as np
import pytest

import pliant as pl
from pliant import elements
from pliant.elements.membrane import Hinges

TET = pl.TetMesh(np.concatenate([np.zeros((1, 3)), np.eye(3)]), [[0, 1, 2, 3]])


def shapes():
    random = np.random.default_rng(0)
    grid = pl.tet_grid((1, 2, 3), (2, 2, 2), 5)
    cloth = pl.cloth_grid((1, 2), (3, 2))
    return {
        "Tets": pl.Tets(pl.TetMesh(grid.vertices + 0.05 * random.standard_normal(grid.vertices.shape), grid.tets)),
        "Membrane": pl.Membrane(pl.TriMesh(cloth.vertices + 0.05 * random.standard_normal((12, 3)), cloth.triangles), 0.1),
        "Lattice": pl.Lattice(pl.torus(0.5, 0.2), 0.21),
        "Springs": pl.Springs(pl.net_grid((1, 1), (2, 2)), 0.1),
    }


def test_no_element_escapes():
    assert set(shapes()) == set(elements.__all__) - {"Elements", "Tricubic", "Trilinear"}


@pytest.mark.parametrize("name", list(shapes()))
def test_gradients_reproduce_affine_fields(name):
    """Σ ∇Nᵢ = 0, and F of an affine map is that map, seen by vectors inside the element."""
    e = shapes()[name]
    assert np.abs(e.gradients.sum(axis=2)).max() <= 1e-12
    A = np.random.default_rng(1).standard_normal((3, 3))
    F = np.einsum("mki,mqkj->mqij", (e.rest @ A.T)[e.nodes], e.gradients)
    corners = e.rest[e.nodes]
    for i in range(1, e.nodes.shape[1]):
        edge = corners[:, i] - corners[:, 0]
        assert np.abs(np.einsum("mij,mj->mi", F[:, 0], edge) - edge @ A.T).max() <= 1e-11
    rank = {"Tets": 3, "Lattice": 3, "Membrane": 2, "Springs": 1}[name]
    assert np.all(np.linalg.matrix_rank(F[:, 0], tol=1e-9) == rank) and e.dimension == rank


@pytest.mark.parametrize("name", list(shapes()))
def test_masses_add_up(name):
    e = shapes()[name]
    assert e.lumped(np.array(7.0)).sum() == pytest.approx(7 * e.volumes.sum(), rel=1e-12)
    density = np.linspace(1, 2, e.count)
    assert e.lumped(density).sum() == pytest.approx(np.sum(density * e.volumes), rel=1e-12)
    assert np.all(e.lumped(density) > 0)


def test_volumes():
    assert pl.Tets(TET).volumes[0] == pytest.approx(1 / 6)
    assert pl.Membrane(pl.cloth_grid((1, 2), (3, 3)), 0.01).volumes.sum() == pytest.approx(0.02)
    assert pl.Springs(pl.rod_grid((0, 0, 0), (0, 0, 2), 4), 0.1).volumes.sum() == pytest.approx(2 * np.pi * 0.01)


def test_refusals():
    flipped = pl.TetMesh(TET.vertices, [[1, 0, 2, 3]])
    flat = pl.TriMesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
    point = pl.EdgeMesh([[0, 0, 0], [0, 0, 0]], [[0, 1]])
    cases = [
        (lambda: pl.Tets(flipped), "1 of 1 tets are inverted"), (lambda: pl.Tets(flat), "TetMesh"),
        (lambda: pl.Tets(pl.TetMesh(TET.vertices, np.zeros((0, 4), int))), "no elements"),
        (lambda: pl.Membrane(flat, 0.1), "no area"), (lambda: pl.Membrane(TET, 0.1), "TriMesh"),
        (lambda: pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), 0.0), "thickness"), (lambda: pl.Springs(point), "no length"),
        (lambda: pl.Springs(pl.rod_grid((0, 0, 0), (1, 0, 0), 2), [0.1] * 3), "radius"), (lambda: pl.Springs(TET), "EdgeMesh"),
    ]  # fmt: skip
    for make, words in cases:
        with pytest.raises(pl.InputError, match=words):
            make()


def test_hinges_see_folds_only():
    """The curvature vector vanishes for flat sheets, however stretched, and is the same from every side."""
    mesh = shapes()["Membrane"].mesh
    flat = pl.TriMesh(mesh.vertices * [1, 1, 0], mesh.triangles)
    hinges = Hinges(flat)
    assert hinges.count == 3 * len(flat.triangles) - len(flat.edges)
    curvature = lambda x: np.linalg.norm(np.einsum("mk,mkc->mc", hinges.gradients[:, 0, :, 0], x[hinges.nodes]), axis=1)
    assert hinges.curvature.max() <= 1e-12
    assert curvature(flat.vertices @ np.array([[1.3, 0.2, 0], [0.1, 0.8, 0], [0.5, 0.4, 1]]).T).max() <= 1e-12
    folded = flat.vertices + np.column_stack([np.zeros((len(flat.vertices), 2)), 0.1 * flat.vertices[:, 0] ** 2])
    assert np.allclose(curvature(folded), curvature(folded * [1, 1, -1]))
    assert curvature(folded).max() > 1e-3


def test_one_triangle_has_no_hinge():
    sheet = pl.Membrane(pl.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), 0.01)
    assert Hinges(sheet.mesh).count == 0
    sim = pl.Simulation(pl.Scene([pl.Body(sheet, pl.Corotated(young=1e5), pinned=[0, 1])]))
    assert sim.step().ok
