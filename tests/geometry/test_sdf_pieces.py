"""Pieces of signed distances: which shapes have hollow edges, and what their pieces are together."""

import numpy as np
import pytest

import pliant as pl
from pliant.geometry.distance.sdf_pieces import MOST, pieces

FLOOR, HOLE, TILE = pl.plane(z=0.0), pl.box(0.8), pl.box((1, 1, 0.1))
WALLS = [pl.plane(point=(-side * (axis == 0), -side * (axis == 1), 0), normal=(side * (axis == 0), side * (axis == 1), 0))
         for axis in (0, 1) for side in (1, -1)]  # fmt: skip


def leaning(angle: float) -> pl.Sdf:
    return pl.plane(normal=(np.sin(angle), 0, np.cos(angle)))


HOLLOW = {
    "corner": (FLOOR | WALLS[0] | WALLS[2], 3),
    "room of planes": (FLOOR | WALLS[0] | WALLS[1] | WALLS[2] | WALLS[3], 3),
    "room of boxes": (TILE | pl.box((0.1, 1, 1), centre=(-0.45, 0, 0.5)) | pl.box((1, 0.1, 1), centre=(0, -0.45, 0.5)), 3),
    "room": (pl.box(1.0) - HOLE, 3),
    "outside of a box": (~HOLE, 3),
    "pit": (FLOOR - HOLE, 3),
    "well": (pl.box(1.0) - pl.cylinder((0, 0, 0), (0, 0, 1.1), 0.4), 2),
    "two pits": (FLOOR - HOLE - HOLE.translated((2, 0, 0)), 3),
    "post": (FLOOR | pl.cylinder((0, 0, 0), (0, 0, 1), 0.1), 2),
    "step": (TILE | pl.box((0.5, 1, 0.1), centre=(0.25, 0, 0.1)), 2),
    "two balls": (pl.sphere(1.0) | pl.sphere(1.0, centre=(1, 0, 0)), 2),
    "valley": (FLOOR | leaning(0.3), 2),
    "grid on a floor": (FLOOR | pl.sphere(0.5).resampled(0.05), 2),
}
ROUND = {
    "tiles side by side": TILE | TILE.translated((1, 0, 0)),
    "tiles in one another": TILE | TILE.translated((0.7, 0, 0)),
    "box in a box": pl.box(1.0) | HOLE,
    "balls apart": pl.sphere(1.0) | pl.sphere(1.0, centre=(3, 0, 0)),
    "cut ball": pl.sphere(0.5) & pl.box(0.85),
    "shell": pl.sphere(1.0) - pl.sphere(0.5),
    "spindle": pl.sdf.spindle((0, 0, 0), (0, 0, 1), 0.2),
    "shallow valley": FLOOR | leaning(0.1),
    "ridge": FLOOR & leaning(0.3),
}


@pytest.mark.parametrize("name", HOLLOW)
def test_pieces_are_the_shape_together(name):
    shape, count = HOLLOW[name]
    points = np.random.default_rng(0).uniform(-1.2, 1.2, (20_000, 3))
    for turned in (False, True):
        if turned:
            shape, points = shape.rotated((1, 2, 3), 37).translated((5, -3, 2)), points + np.array([5, -3, 2])
        parts = pieces(shape)
        assert len(parts) == count
        whole, least = shape(points), np.min([part(points) for part in parts], axis=0)
        outside = whole > 0
        np.testing.assert_allclose(least[outside], whole[outside], atol=1e-12)
        assert np.all(least[~outside] <= 1e-12) and np.all(least[~outside] >= whole[~outside] - 1e-12)  # no deeper


@pytest.mark.parametrize("name", ROUND)
def test_shapes_without_hollow_edges_stay_whole(name):
    assert pieces(ROUND[name]) == (ROUND[name],)


def test_shapes_of_very_many_solids_stay_whole():
    heap = pl.sphere(0.1)
    for i in range(MOST):
        heap |= pl.sphere(0.1, centre=(0.1 * i, 0, 0))
    assert pieces(heap) == (heap,)
