"""Elements: gradients, weights, masses; and what they refuse."""

from functools import cache

import numpy as np
import pytest

import pliant as pl
from pliant import elements
from pliant.elements.hexes import RECOVERY
from pliant.geometry.lattice.fragments import CORNERS
from pliant.geometry.lattice.hex_mesh import GAUSS
from pliant.geometry.mesh import tet10

TET = pl.TetMesh(np.concatenate([np.zeros((1, 3)), np.eye(3)]), [[0, 1, 2, 3]])


@cache
def bounding():
    return pl.meshes.bounding_tets(pl.meshes.torus(0.5, 0.2, 12, 6), cells=3, fit=0)


def shapes():
    random = np.random.default_rng(0)
    grid = pl.tet_grid((1, 2, 3), (2, 2, 2), 5)
    cloth, bricks = pl.cloth_grid((1, 2), (3, 2)), pl.meshes.hex_box((1, 2, 3), (2, 2, 2))
    ten = grid.quadratic()
    return {
        "Tets": pl.Tets(pl.TetMesh(grid.vertices + 0.05 * random.standard_normal(grid.vertices.shape), grid.tets)),
        "QuadraticTets": pl.QuadraticTets(
            pl.TetMesh(ten.vertices + 0.05 * random.standard_normal(ten.vertices.shape), ten.tets, middles=ten.middles)
        ),
        "BoundingTets": bounding(),
        "Membrane": pl.Membrane(pl.TriMesh(cloth.vertices + 0.05 * random.standard_normal((12, 3)), cloth.triangles), 0.1),
        "Hexes": pl.Hexes(pl.meshes.HexMesh(bricks.vertices + 0.05 * random.standard_normal((27, 3)), bricks.hexes)),
        "Lattice": pl.Lattice(pl.torus(0.5, 0.2), 0.21),
        "Rigid": pl.contact.Rigid(pl.meshes.torus(0.5, 0.2), density=1.0),
        "Springs": pl.Springs(pl.meshes.net((1, 1), (2, 2)), 0.1),
        "Triangles": pl.planar.Triangles(cloth, 0.1),
        "Squares": pl.planar.Squares(pl.torus(0.5, 0.2), 0.1, 0.1, pl.planar.PlaneStress()),
    }


def test_no_element_escapes():
    assert set(shapes()) == set(elements.__all__) - {"Elements", "PlaneStrain", "PlaneStress", "Tricubic", "Trilinear"}


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
        assert np.abs(np.einsum("mqij,mj->mqi", F, edge) - (edge @ A.T)[:, None]).max() <= 1e-11
    rank = {"Membrane": 2, "Triangles": 2, "Squares": 2, "Springs": 1}.get(name, 3)
    assert np.all(np.linalg.matrix_rank(F[:, 0], tol=1e-9) == rank) and e.dimension == rank + e.plane_strain


def test_fields_are_extrapolated_to_the_nodes():
    """From the points of a rule to the nodes, a linear function of the place in the element goes on as it is."""
    assert np.abs(tet10.RECOVERY @ tet10.POINTS - tet10.NODES).max() < 1e-14
    assert np.abs(RECOVERY @ GAUSS - CORNERS).max() < 1e-14
    for name, e in shapes().items():
        assert (e.recovery is not None) == (name in ("QuadraticTets", "Hexes"))
        assert e.recovery is None or e.recovery.sum(axis=1) == pytest.approx(1)


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
    assert pl.Springs(pl.meshes.rod((0, 0, 0), (0, 0, 2), 4), 0.1).volumes.sum() == pytest.approx(2 * np.pi * 0.01)


def test_refusals():
    flipped = pl.TetMesh(TET.vertices, [[1, 0, 2, 3]])
    flat = pl.TriMesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
    point = pl.EdgeMesh([[0, 0, 0], [0, 0, 0]], [[0, 1]])
    cases = [
        (lambda: pl.Tets(flipped), "1 of 1 tets are inverted"), (lambda: pl.Tets(flat), "TetMesh"),
        (lambda: pl.Tets(pl.TetMesh(TET.vertices, np.zeros((0, 4), int))), "no elements"),
        (lambda: pl.Membrane(flat, 0.1), "no area"), (lambda: pl.Membrane(TET, 0.1), "TriMesh"),
        (lambda: pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), 0.0), "thickness"), (lambda: pl.Springs(point), "no length"),
        (lambda: pl.Springs(pl.meshes.rod((0, 0, 0), (1, 0, 0), 2), [0.1] * 3), "radius"), (lambda: pl.Springs(TET), "EdgeMesh"),
    ]  # fmt: skip
    for make, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            make()
