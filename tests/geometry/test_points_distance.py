"""Closed surfaces from points with normals."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError


def ball(rng, count, noise):
    """Points of a unit sphere, three times as dense above as below, off by ``noise``."""
    p = rng.normal(size=(4 * count, 3))
    p /= np.linalg.norm(p, axis=1)[:, None]
    p = p[rng.random(len(p)) < np.where(p[:, 2] > 0, 1.0, 1 / 3)][:count]
    return shaken(rng, p, p, noise)


def ring(rng, count, noise):
    """Points of a torus of radii 1 and 0.4, three times as dense on one side."""
    u, v = rng.uniform(0, 2 * np.pi, (2, 6 * count))
    keep = rng.random(len(u)) < (1 + 0.4 * np.cos(v)) / 1.4 * np.where(np.cos(u) > 0, 1.0, 1 / 3)
    u, v = u[keep][:count], v[keep][:count]
    out = np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=1)
    return shaken(rng, np.stack([np.cos(u), np.sin(u), 0 * u], axis=1) + 0.4 * out, out, noise)


def shaken(rng, points, normals, noise):
    wrong = normals + 3 * noise * rng.normal(size=normals.shape)
    return pl.PointCloud(points + noise * normals * rng.normal(size=(len(points), 1)), wrong)


SHAPES = {
    "ball": (ball, pl.sphere(1.0), 4 / 3 * np.pi),
    "ring": (ring, pl.torus(1.0, 0.4), 2 * np.pi**2 * 0.4**2),
}


@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize("name", SHAPES)
def test_uneven_and_noisy_points(name, noise):
    """Exact points: a quarter of a spacing; noise of a fifth of a spacing is averaged down to a third of itself."""
    make, true, size = SHAPES[name]
    found = pl.sdf.from_points(make(np.random.default_rng(3), 2000, noise), spacing=0.05)
    skin = pl.surface(found, 0.05)
    error = true(skin.vertices)
    report = pl.inspect(skin)
    assert report.watertight and report.components == 1
    assert np.abs(error).max() < (0.25 if noise == 0 else 0.4) * 0.05
    assert np.sqrt((error**2).mean()) < (0.002 if noise == 0 else 0.005)
    assert skin.volume == pytest.approx(size, rel=0.01)


def test_distances_are_those_of_the_ball():
    found = pl.sdf.from_points(ball(np.random.default_rng(3), 2000, 0.0))
    points = np.random.default_rng(1).uniform(-1.2, 1.2, (2000, 3))
    spacing = found.program[0].shape[0]
    assert np.abs(found(points) - pl.sphere(1.0)(points)).max() < 0.25 * spacing


def test_a_hole_is_bridged():
    """Without the points of a cap the surface is still closed, and bulges little."""
    cloud = ball(np.random.default_rng(3), 2000, 0.0)
    keep = cloud.vertices[:, 2] < 0.9
    skin = pl.surface(pl.sdf.from_points(pl.PointCloud(cloud.vertices[keep], cloud.normals[keep]), 0.05), 0.05)
    assert pl.inspect(skin).watertight and skin.volume == pytest.approx(4 / 3 * np.pi, rel=0.03)


def test_scale_does_not_matter():
    cloud = ball(np.random.default_rng(3), 500, 0.0)
    far = cloud.scaled(1e-3).translated((5, 0, 0))
    points = np.random.default_rng(1).uniform(-1.1, 1.1, (500, 3))
    a, b = pl.sdf.from_points(cloud, 0.1), pl.sdf.from_points(far, 1e-4)
    assert np.allclose(1e3 * b(points * 1e-3 + [5, 0, 0]), a(points), atol=1e-6)


CLOUD = ball(np.random.default_rng(3), 400, 0.0)


@pytest.mark.parametrize(
    "cloud, given, words",
    [
        (CLOUD.vertices, {}, "expected a PointCloud with normals"),
        (pl.PointCloud(CLOUD.vertices), {}, "has no normals; expected one for each point, pointing outward"),
        (pl.PointCloud(CLOUD.vertices, -CLOUD.normals), {}, "the normals point inwards"),
        (pl.PointCloud(CLOUD.vertices, 0 * CLOUD.normals), {}, "400 of 400 normals are zero"),
        (pl.PointCloud(CLOUD.vertices[:9], CLOUD.normals[:9]), {}, "9 points; expected at least 16"),
        (pl.PointCloud(0 * CLOUD.vertices, CLOUD.normals), {}, "coincide"),
        (CLOUD, {"spacing": 0}, "spacing is 0"),
        (CLOUD, {"spacing": 1e-4}, "use at least"),
        (CLOUD, {"smooth": 0.1}, "smooth is 0.1"),
    ],
)
def test_what_cannot_be_used(cloud, given, words):
    with pytest.raises(InputError) as caught:
        pl.sdf.from_points(cloud, **given)
    assert words in str(caught.value)
