"""Triangles on the surface of signed distances: closed, outward, on the surface, the right volume."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.geometry.distance.sdf import Sdf, box, capsule, cylinder, plane, sphere, torus
from pliant.geometry.distance.sharp_surface import sharpened
from pliant.geometry.tetrahedra.isosurface import surface

SHAPES = {
    "sphere": (sphere(0.5, (1, 2, 3)), np.pi / 6),
    "torus": (torus(0.5, 0.2), 2 * np.pi**2 * 0.5 * 0.04),
    "box": (box((1.0, 0.8, 0.6)), 0.48),
    "turned box": (box((1.0, 0.8, 0.6)).rotated((1, 2, 3), 40), 0.48),
    "shell": (sphere(0.5) - sphere(0.25), np.pi / 6 * (1 - 0.125)),
    "half": (sphere(0.5) & plane(0.0), np.pi / 12),
    "capsule": (capsule((0, 0, 0), (0.6, 0.3, 0), 0.2), np.pi * 0.04 * np.hypot(0.6, 0.3) + 4 / 3 * np.pi * 0.008),
}


@pytest.mark.parametrize("name", SHAPES)
def test_surface_is_closed_outward_and_encloses_the_volume(name):
    shape, volume = SHAPES[name]
    mesh = surface(shape, 0.05)
    ends = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    there, back = (set(map(tuple, e)) for e in (ends, ends[:, ::-1]))
    assert len(there) == len(ends) and there == back  # each side once each way: closed, oriented, two at an edge
    assert mesh.volume == pytest.approx(volume, rel=0.025)
    assert np.abs(shape(mesh.vertices)).max() < 1e-5
    middle, outward = mesh.vertices[mesh.triangles].mean(axis=1), mesh.area_vectors
    smooth = np.abs(shape(middle)) < 0.002
    assert (np.einsum("ij,ij->i", shape.gradient(middle), outward)[smooth] > 0).all()
    assert mesh.areas.min() > 0.02 * 0.05**2


def test_volume_converges_with_order_two():
    errors = [abs(surface(sphere(0.5), h).volume / (np.pi / 6) - 1) for h in (0.1, 0.05, 0.025)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 1.8).all() and (orders < 2.3).all()


def test_thin_noise_stays_closed():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(9, 9, 9))
    values[[0, -1]] = values[:, [0, -1]] = values[:, :, [0, -1]] = 1.0
    mesh = surface(Sdf.from_grid(values, (0, 0, 0), 0.1), 0.06)
    ends = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    number = len(mesh.vertices)
    there, back = (np.sort(e[:, 0] * number + e[:, 1]) for e in (ends, ends[:, ::-1]))
    np.testing.assert_array_equal(there, back)
    np.testing.assert_allclose(mesh.area_vectors.sum(axis=0), 0.0, atol=1e-12)


def test_twice_the_same():
    a, b = (surface(cylinder((0, 0, 0), (0, 0, 1), 0.3), 0.1) for _ in range(2))
    np.testing.assert_array_equal(a.vertices, b.vertices)
    np.testing.assert_array_equal(a.triangles, b.triangles)


@pytest.mark.parametrize("call, text", [
    (lambda: surface(plane(0.0), 0.1), "not bounded; intersect it with a box"),
    (lambda: surface(sphere(1.0), 0.0), "spacing is 0.0"),
    (lambda: surface(sphere(1.0), "fine"), "spacing is 'fine'"),
    (lambda: surface(3.0, 0.1), "sdf is 3.0"),
    (lambda: surface(sphere(1.0), 1e-4), "use an edge of at least"),
    (lambda: surface(sphere(0.5) & sphere(0.5, (3, 0, 0)), 0.1), "no lattice point lies inside"),
])  # fmt: skip
def test_refusals(call, text):
    with pytest.raises(InputError, match=text):
        call()


def test_sharp_edges_and_corners_come_back():
    """A turned box and a bowl: every triangle on the surface, its extent to the corners, a ball as it was."""
    brick, spacing = pl.box((0.2, 0.1, 0.3)).rotated((1, 2, 3), 25), 0.3 / 24
    ball = pl.sphere(0.16, centre=(0, 0, 0.16))
    bowl = ball - pl.sphere(0.14, centre=(0, 0, 0.16)) - pl.box((0.4, 0.4, 0.2), centre=(0, 0, 0.245))
    for solid in (brick, bowl):
        blunt = pl.surface(solid, spacing)
        sharp = sharpened(blunt, solid, spacing)
        off = [np.abs(solid(mesh.vertices[mesh.triangles].mean(axis=1))).max() for mesh in (blunt, sharp)]
        assert off[0] > 0.1 * spacing and off[1] < 0.05 * spacing
    found = sharpened(surface(brick, spacing), brick, spacing).rotated((1, 2, 3), -25).bounds
    assert found == pytest.approx(np.array([[-0.1, -0.05, -0.15], [0.1, 0.05, 0.15]]), abs=0.02 * spacing)
    mesh = pl.surface(ball, spacing)
    assert np.abs(sharpened(mesh, ball, spacing).vertices - mesh.vertices).max() < 0.1 * spacing
