"""Squares cut by a line: the weights of the thesis' table against polygons, and the polygons themselves."""

import numpy as np
import pytest

from pliant.geometry.lattice.fragment_plane import SQUARE, polygons, square_functions, square_gradients, square_weights


def clipped(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The polygon of φ ≤ 0 and the ends of its straight edge, by walking around one square."""
    ring, polygon, cut = [0, 1, 3, 2], [], []
    for i, j in zip(ring, ring[1:] + ring[:1]):
        if values[i] <= 0:
            polygon.append(SQUARE[i])
        if (values[i] <= 0) != (values[j] <= 0):
            cut.append(SQUARE[i] + values[i] / (values[i] - values[j]) * (SQUARE[j] - SQUARE[i]))
            polygon.append(cut[-1])
    return np.array(polygon, float), np.array(cut)


def lines(count: int) -> np.ndarray:
    """(count, 4) corner values of straight lines that cross the square."""
    random = np.random.default_rng(0)
    heights = random.standard_normal((count, 2)) @ SQUARE.T
    return heights - random.uniform(heights.min(axis=1), heights.max(axis=1))[:, None]


def test_weights_are_those_of_polygons():
    """Table 2.1 against polygons clipped and integrated on their own, every pattern that a line can make."""
    seen = set()
    for values in lines(300):
        seen.add(tuple(values <= 0))
        area, edge = square_weights(values[None])
        p, (a, b) = clipped(values)
        fan = np.stack([np.broadcast_to(p[0], (len(p) - 2, 2)), p[1:-1], p[2:]], axis=1)
        size = 0.5 * np.abs(np.linalg.det(fan[:, 1:] - fan[:, :1]))
        middle = 0.5 * (fan + fan[:, [1, 2, 0]])  # exact to the second degree, which N is
        assert np.abs(area[0] - np.einsum("s,sgk->k", size / 3, square_functions(middle))).max() <= 1e-12
        simpson = (square_functions(a) + 4 * square_functions(0.5 * (a + b)) + square_functions(b)) / 6
        assert np.abs(edge[0] - np.linalg.norm(b - a) * simpson).max() <= 1e-12
    assert len(seen) == 12  # a straight line cannot separate the two diagonals


def test_weights_of_special_cells():
    area, edge = square_weights(np.array([[1, 1, 1, 1], [-1, -1, -1, -1], [-1, -1, 0, 0], [-1, 1, 1, -1]], float))
    assert np.array_equal(area[0], np.zeros(4)) and np.array_equal(area[1], np.full(4, 0.25))
    assert np.array_equal(area[2], area[1]) and edge[2] == pytest.approx([0, 0, 0.5, 0.5])
    assert area[3].sum() == pytest.approx(0.25) and edge[3].sum() == pytest.approx(np.sqrt(2))


def test_the_straight_edge_costs_little_on_smooth_distances():
    """Random circles of 4 to 12 cells: the mean error of the area stays below that which the thesis states, 1.7 % of a cell."""
    random, errors = np.random.default_rng(1), []
    ticks = (np.arange(80) + 0.5) / 80
    places = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    for _ in range(200):
        radius, angle = random.uniform(4.0, 12.0), random.uniform(0, 2 * np.pi)
        centre = random.uniform(0.1, 0.9, 2) - radius * np.array([np.cos(angle), np.sin(angle)])
        true = np.mean(np.linalg.norm(places - centre, axis=1) <= radius)
        errors.append(abs(square_weights((np.linalg.norm(SQUARE - centre, axis=1) - radius)[None])[0].sum() - true))
    assert np.mean(errors) < 0.017


def test_triangles_fill_what_the_weights_measure():
    """All sixteen patterns, random values: areas agree, corners turn counter-clockwise, crossings are where φ = 0."""
    random = np.random.default_rng(2)
    values = random.uniform(0.05, 1, (160, 4)) * np.array(
        [[1 - 2 * (p >> c & 1) for c in range(4)] for p in np.tile(np.arange(16), 10)]
    )
    owner, corners, at = polygons(values)
    p = (1 - at)[:, :, None] * SQUARE[corners[:, :, 0]] + at[:, :, None] * SQUARE[corners[:, :, 1]]
    size = 0.5 * np.linalg.det(p[:, 1:] - p[:, :1])
    assert size.min() > 0
    assert np.abs(np.bincount(owner, size, len(values)) - square_weights(values)[0].sum(axis=1)).max() < 1e-12
    crossing = corners[:, :, 0] != corners[:, :, 1]
    bilinear = np.einsum("tck,tk->tc", square_functions(p), values[owner])
    assert np.abs(bilinear[crossing]).max() < 1e-12


def test_gradients_are_those_of_the_functions():
    xi, h = np.random.default_rng(0).random((20, 2)), 1e-6
    for axis in range(2):
        step = h * np.eye(2)[axis]
        slope = (square_functions(xi + step) - square_functions(xi - step)) / (2 * h)
        assert np.abs(slope - square_gradients(xi)[..., axis]).max() <= 1e-9
