"""Flat elements: areas, outlines, masses, loads on their edges, cells over a section, and what they refuse."""

import numpy as np
import pytest
from flat_meshes import crooked

import pliant as pl
from pliant.geometry.lattice.fragment_plane import square_weights

STRAIN, STRESS = pl.planar.PlaneStrain(), pl.planar.PlaneStress()


@pytest.mark.parametrize(
    "shape",
    [
        pl.planar.Triangles(crooked(), 0.02),
        pl.planar.Squares(pl.sphere(0.2, (0.3, 0.3, 0.5)), 0.03, 0.02, origin=(0, 0, 0.5)),
    ],
)
def test_affine_fields_are_exact_and_masses_add_up(shape):
    A = np.array([[1.1, 0.2, 0], [-0.1, 0.9, 0], [0, 0, 1]])
    F = np.einsum("mki,mqkj->mqij", (shape.rest @ A.T)[shape.nodes], shape.gradients)
    assert np.abs(F - A * [1, 1, 0]).max() < 1e-12 and np.abs(shape.gradients.sum(axis=2)).max() < 1e-12
    mass = shape.lumped(np.linspace(1, 2, shape.count))
    assert mass.sum() == pytest.approx(np.sum(np.linspace(1, 2, shape.count) * shape.volumes), rel=1e-12) and mass.min() > 0
    by = np.random.default_rng(0).standard_normal(len(mass))
    assert by @ mass == pytest.approx(np.linspace(1, 2, shape.count) @ shape.pulled_back_masses(by))
    section = shape.section
    drawn = pl.TriMesh(section.of(shape.rest), section.triangles)
    assert drawn.areas.sum() * 0.02 == pytest.approx(shape.volumes.sum()) and np.all(drawn.area_vectors[:, 2] > 0)
    assert shape.outline.areas.sum() == pytest.approx(shape.areas.sum()) == pytest.approx(0.02 * shape.rim_lengths.sum())
    assert shape.held_axes == (2,) and np.all(shape.rest[:, 2] == 0.5)
    ends = section.of(shape.rest)[section.rim]
    outward = np.cross(ends[:, 1] - ends[:, 0], [0, 0, 1.0])
    assert np.abs(outward.sum(axis=0)).max() < 1e-12  # closed
    assert 0.5 * np.sum(outward * ends.mean(axis=1)) == pytest.approx(drawn.areas.sum())  # the material on the left


def test_states_say_what_f_is():
    strain, stress = (pl.planar.Triangles(crooked(), 0.02, state) for state in (STRAIN, STRESS))
    assert (strain.dimension, strain.plane_strain, strain.normals) == (3, True, None)
    assert (stress.dimension, stress.plane_strain, stress.normals[0].tolist()) == (2, False, [0, 0, 1])
    assert strain.locks_from is not None and stress.locks_from is None and strain.pressed_inside and not stress.pressed_inside


def test_clockwise_meshes_are_turned():
    mesh = crooked()
    turned = pl.planar.Triangles(pl.TriMesh(mesh.vertices, mesh.triangles[:, ::-1]), 0.02)
    assert turned.volumes.sum() == pytest.approx(pl.planar.Triangles(mesh, 0.02).volumes.sum())
    assert np.all(np.cross(*np.diff(turned.rest[turned.nodes], axis=1).swapaxes(0, 1))[:, 2] > 0)


def test_cells_over_a_disc():
    """Area and outline of a disc fall with the square of the spacing; the weights are the thesis'."""
    errors = []
    for h in (0.1, 0.05):
        disc = pl.planar.Squares(pl.sphere(0.5, (0.013, 0.02, 0)), h)
        errors.append((abs(disc.volumes.sum() / (np.pi / 4) - 1), abs(disc.rim_lengths.sum() / np.pi - 1)))
    assert errors[1][0] < 0.4 * errors[0][0] < 0.02 and errors[1][1] < 0.03
    assert np.allclose(disc.corner_weights, square_weights(disc.values)[0])
    corners = pl.planar.Squares(pl.sphere(0.5, (0.013, 0.02, 0)), h, quadrature=pl.quadrature.Corners())
    assert corners.volumes.sum() == pytest.approx(disc.volumes.sum()) and np.allclose(
        corners.weights, disc.corner_weights * h * h
    )
    assert np.allclose(disc.weights[np.all(disc.values <= 0, axis=1)], h * h / 4)
    nodes, shares = disc.surface_shares(np.arange(len(disc.rim_lengths)))
    assert nodes.shape == shares.shape == (len(disc.rim_lengths), 4) and np.allclose(shares.sum(axis=1), disc.rim_lengths)
    place, noun = disc.load_places()
    assert np.abs(np.linalg.norm(place - [0.013, 0.02, 0], axis=1) - 0.5).max() < 0.05 and noun == "edge of the outline"


def test_whole_cells_and_holes():
    """A plate with a hole on lines of the grid: full cells to the rim, two loops of outline."""
    plate = pl.planar.Squares(pl.box((1, 0.6, 1)) - pl.sphere(0.15), 0.1)
    assert plate.volumes.sum() == pytest.approx(0.6 - np.pi * 0.15**2, rel=0.02)
    middle = plate.load_places()[0]
    assert np.isclose(np.abs(middle[:, 0]), 0.5).sum() == 12 and (np.linalg.norm(middle, axis=1) < 0.2).sum() >= 8


def test_points_hang_on_cells():
    disc = pl.planar.Squares(pl.sphere(0.5), 0.1)
    points = np.array([[0.13, -0.21, 0.0], [0.4, 0.05, 0.0]])
    nodes, weights = disc.bind_points(points, "Hold")
    assert np.abs(np.einsum("sk,skc->sc", weights, disc.rest[nodes]) - points).max() < 1e-12
    with pytest.raises(pl.errors.InputError, match="half a cell"):
        disc.bind_points(np.array([[2.0, 0, 0]]), "Hold")


def test_refusals():
    mesh, disc = crooked(), pl.sphere(0.5)
    bumpy = pl.TriMesh(mesh.vertices + np.eye(3)[2] * np.linspace(0, 0.1, len(mesh.vertices))[:, None], mesh.triangles)
    odd = mesh.triangles.copy()
    odd[3] = odd[3][::-1]
    cases = [
        (lambda: pl.planar.Triangles(bumpy), "vertices are at z = 0.5 … 0.6 m; expected a mesh in a plane"),
        (lambda: pl.planar.Triangles(pl.TriMesh(mesh.vertices, odd)), "1 of 24 triangles .* turned over .* first at 3"),
        (lambda: pl.planar.Triangles(mesh, 0.0), "thickness"),
        (lambda: pl.planar.Triangles(mesh, 0.1, "stress"), r"planar.PlaneStrain\(\) or planar.PlaneStress\(\)"),
        (lambda: pl.planar.Triangles(disc), "TriMesh"),
        (lambda: pl.planar.Squares(mesh, 0.1), "see planar.Triangles for meshes"),
        (lambda: pl.planar.Squares(disc, 0.1, quadrature=pl.quadrature.Moments()), r"expected Gauss\(\) or Corners\(\)"),
        (lambda: pl.planar.Squares(disc, 0.1, quadrature=4), r"expected Gauss\(\) or Corners\(\)"),
        (lambda: pl.planar.Squares(disc, 0.1, volume=3), r"expected Averaged\(\)"),
        (lambda: pl.planar.Squares(disc, 0.1, state=STRESS, volume=pl.quadrature.Averaged()), "plane stress does not lock"),
        (lambda: pl.planar.Squares(disc, 0.1, volume=pl.quadrature.Averaged(incompressible=True)), "is for lattices"),
        (lambda: pl.planar.Squares(disc, 0.1, origin=(0, 0)), "three finite numbers"),
        (lambda: pl.planar.Squares(disc, 0.1, origin=(0, 0, 0.45)), "expected a thicker shape"),
        (lambda: pl.planar.Squares(pl.plane(z=0), 0.1), "not bounded in the plane"),
        (lambda: pl.planar.Squares(pl.sphere(0.5, (3, 0, 0)) - pl.sphere(0.6, (3, 0, 0)), 0.1), "no cell of 0.1 m"),
        (lambda: pl.planar.Squares(disc, 1e-9), "take a larger spacing"),
        (lambda: pl.planar.Triangles(mesh).drawn(pl.meshes.sphere(0.1)), "carries no other surface"),
        (lambda: pl.planar.Triangles(mesh).inlaid(disc), "cannot be laid into Triangles"),
    ]  # fmt: skip
    for make, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            make()
