"""Obstacles as surfaces to draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...energy.obstacles.obstacle_energy import Obstacle
from ...geometry.distance.sdf import Sdf, box
from ...geometry.distance.sdf_codes import PLANE
from ...geometry.distance.sharp_surface import sharpened
from ...geometry.mesh.mesh import TriMesh
from ...geometry.tetrahedra.isosurface import surface
from .run import Prop

FINENESS = 48  # cells along the longest side of a drawn obstacle


def props_of(obstacles: Sequence[Obstacle], poses: list[list[np.ndarray]], positions: np.ndarray) -> tuple[Prop, ...]:
    """A surface of each obstacle, cut to the neighbourhood of the bodies where it is endless, and its poses."""
    if not obstacles:
        return ()
    lower, upper = positions.min(axis=(0, 1)), positions.max(axis=(0, 1))
    reach = 1.5 * float((upper - lower).max()) + 1e-3
    return tuple(
        Prop(obstacle.name, _drawn(obstacle.shape, lower, upper, reach), np.array([frame[i] for frame in poses]))
        for i, obstacle in enumerate(obstacles)
    )


def _drawn(shape: Sdf, lower: np.ndarray, upper: np.ndarray, reach: float) -> TriMesh:
    first = shape.program[0]
    if len(shape.program) == 1 and first.op == PLANE:
        far = 4 * reach  # a flat sheet, wide enough to pass for endless
        square = np.array([[-far, -far, 0.0], [far, -far, 0.0], [far, far, 0.0], [-far, far, 0.0]])
        middle, normal = (lower + upper) / 2, first.rotation[:, 2]
        centre = middle - np.dot(middle - first.origin, normal) * normal
        return TriMesh(square @ first.rotation.T + centre, [[0, 1, 2], [0, 2, 3]])
    if not np.all(np.isfinite(shape.bounds)):
        near = np.where(np.isfinite(shape.bounds), shape.bounds, np.stack([lower - reach, upper + reach]))
        shape = shape & box(near[1] - near[0], (near[0] + near[1]) / 2)
    spacing = float((shape.bounds[1] - shape.bounds[0]).max()) / FINENESS
    return sharpened(surface(shape, spacing), shape, spacing)
