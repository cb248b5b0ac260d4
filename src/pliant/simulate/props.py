"""Obstacles as surfaces to draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..energy.obstacles import Obstacle
from ..geometry.isosurface import surface
from ..geometry.sdf import box
from .run import Prop


def props_of(obstacles: Sequence[Obstacle], poses: list[list[np.ndarray]], positions: np.ndarray) -> tuple[Prop, ...]:
    """A closed surface of each obstacle, cut to the neighbourhood of the bodies where it is endless, and its poses."""
    if not obstacles:
        return ()
    lower, upper = positions.min(axis=(0, 1)), positions.max(axis=(0, 1))
    reach = 1.5 * float((upper - lower).max()) + 1e-3
    made = []
    for i, obstacle in enumerate(obstacles):
        shape = obstacle.shape
        if not np.all(np.isfinite(shape.bounds)):
            room = np.stack([lower - reach, upper + reach])
            near = np.where(np.isfinite(shape.bounds), shape.bounds, room)
            shape = shape & box(near[1] - near[0], (near[0] + near[1]) / 2)
        extent = float((shape.bounds[1] - shape.bounds[0]).max())
        made.append(Prop(obstacle.name, surface(shape, extent / 48), np.array([frame[i] for frame in poses])))
    return tuple(made)
