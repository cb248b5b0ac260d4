"""The depth buffer against brute force, and the camera against its own promise."""

from __future__ import annotations

import numpy as np
import pytest

from pliant.output.raster.depth_buffer import Camera, dome, draw, fitted, lamp_axes, looking
from pliant.runtime.device import Device


def brute(corners, width, height):
    """Nearest triangle at every sample centre, one at a time."""
    depth, nearest = np.full((height, width), -np.inf), np.full((height, width), -1)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    for i, (a, b, c) in enumerate(corners):
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area == 0:
            continue
        wb = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        wc = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        d = a[2] + wb * (b[2] - a[2]) + wc * (c[2] - a[2])
        better = (wb >= 0) & (wc >= 0) & (wb + wc <= 1) & (d > depth)
        depth[better], nearest[better] = d[better], i
    return depth, nearest


@pytest.mark.parametrize("threads", [1, 2])
def test_tiles_agree_with_brute_force(threads):
    rng = np.random.default_rng(5)
    centre = rng.uniform(-20, 120, (300, 1, 3)) * [1, 0.8, 0.01]
    corners = centre + rng.normal(0, 12, (300, 3, 3)) * [1, 1, 0.02]
    corners[0] = [[-500, -400, 0.1], [900, -300, 0.2], [100, 2000, 0.1]]  # over everything
    corners[1] = corners[1, [0, 0, 1]]  # no area
    depth, nearest = draw(Device("cpu", "f64", threads), corners, 101, 77)
    truth_depth, truth = brute(corners, 101, 77)
    np.testing.assert_array_equal(nearest.numpy(), truth)
    np.testing.assert_allclose(depth.numpy()[truth >= 0], truth_depth[truth >= 0], rtol=1e-9, atol=1e-12)


def test_neighbours_leave_no_seam():
    """Two triangles of a quad cover every sample of it, and the samples of their shared edge once."""
    a, b, c, d = [3.5, 2.5, 1], [40.5, 4.5, 1], [37.5, 30.5, 1], [1.5, 28.5, 1]
    quad = np.array([[a, b, c], [a, c, d]])
    _, nearest = draw(Device("cpu", "f32"), quad, 48, 36)
    found = nearest.numpy() >= 0
    for row in found:
        inside = np.flatnonzero(row)
        assert len(inside) == 0 or len(inside) == np.ptp(inside) + 1


def test_a_fitted_camera_holds_all_points_and_touches_two_sides():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(200, 3)) * [3, 1, 0.5] + 7
    half, room = 0.25, (0.25 * 4 / 3 * 0.9, 0.25 * 0.8)
    for view in ((0, 0), (37, 50), (-120, -20)):
        camera = fitted(points, looking(view), half, room, 0.0)
        local = (points - camera.eye) @ camera.axes.T
        used = np.abs(local[:, :2]) / local[:, 2:] / room
        assert local[:, 2].min() > 0 and used.max() <= 1 + 1e-9
        assert used.max(axis=0).max() == pytest.approx(1.0)


def test_triangles_across_the_eye_are_cut():
    camera = Camera(np.zeros(3), np.stack([[1.0, 0, 0], [0, 0, 1.0], [0, 1.0, 0]]), 0.5)
    before = np.array([[0, 1, 0], [1, 2, 0], [0, 2, 1]], float)
    signs = np.array([[1, 1, 1], [-1, 1, 1], [1, -1, -1], [-1, -1, -1]])  # of the depth of each corner
    triangles = np.repeat(before[None], 4, axis=0)
    triangles[:, :, 1] *= signs
    corners, source = camera.corners(triangles, 100, 100, 0.1)
    assert sorted(source.tolist()) == [0, 1, 1, 2]
    assert np.isfinite(corners).all() and corners[:, :, 2].max() <= 1 / 0.0999


def test_lamps_are_frames_and_cover_the_sky():
    directions = dome(30)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
    assert directions[:, 2].min() > 0.2 and np.abs(directions[:, :2].mean(axis=0)).max() < 0.1
    for towards in (*directions[:3], np.array([0, 0, 1.0])):
        axes = lamp_axes(towards)
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(axes[2], towards)
