"""Points of surfaces that nobody has named: scans, each point of which belongs to whatever place of the body is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import checks
from ..errors import InputError, first_few
from ..geometry.mesh import PointCloud, TriMesh
from ..simulate.simulation import Simulation
from .loss import Loss, Quadratic
from .observation import Own, Residual, Seen, checked_times
from .placing import Placed, by_placing, check_units, placed
from .surfaces import Surfaces, signed_ways, surfaces_of

LOSSES = "Quadratic(), Huber(width) or GemanMcClure(width)"


@dataclass(frozen=True, eq=False)
class Clouds(Placed):
    """``points`` of the surface of bodies (None: all) at ``times`` [s]: for each frame (n, 3) [m] or a PointCloud.

    What is made small is how far each point is from the surface that is drawn, by ``loss``. Every point has a nearest place, so
    that those far from everything pull as well, as hard as the loss lets them.
    """

    points: Sequence[Any]
    times: Sequence[float] | np.ndarray
    bodies: Sequence[int] | None = None
    loss: Loss = field(default_factory=Quadratic)

    def __post_init__(self):
        self._check_placed()
        what = type(self).__name__
        object.__setattr__(self, "points", checked_clouds(what, self.points))
        object.__setattr__(self, "times", checked_times(what, self.times, len(self.points)))
        checks.instance(f"{what}(loss=…)", self.loss, Loss, LOSSES)

    def bound(self, sim: Simulation) -> Seen:
        surfaces = surfaces_of(sim, self.bodies, "Clouds")
        check_cloud_units(self, sim)
        return _SeenClouds(self, surfaces)


class _SeenClouds(Seen):
    def __init__(self, clouds: Clouds, surfaces: Surfaces):
        self.times, self.parameters, self.clouds, self.surfaces = clouds.times, clouds.own, clouds, surfaces
        self.points = sum(map(len, clouds.points))

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        points = self.clouds.points[frame]
        d, chosen, by_vertex, by_point = from_surface(self.surfaces, self.surfaces.of(x), placed(points, own))
        r, slope = self.clouds.loss.scalars(d)
        scale = slope / self.clouds.sigma
        by_x = self.surfaces.carried(chosen, scale[:, None, None] * by_vertex)
        return Residual(r / self.clouds.sigma, by_x, by_placing(points, own, scale[:, None] * by_point))


def from_surface(
    surfaces: Surfaces, vertices: np.ndarray, q: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(n,) signed distances of points, the (n, 3) vertices next to each, and derivatives by those (n, 3, 3) and it (n, 3).

    The nearest place is one of least distance, so that moving it along the surface changes nothing.
    """
    chosen, weights = surfaces.nearest(vertices, q)
    d, u = signed_ways(q, vertices[chosen], weights)
    return d, chosen, -weights[:, :, None] * u[:, None, :], u


def checked_clouds(what: str, points: Any) -> tuple[np.ndarray, ...]:
    """A finite (n, 3) array for each frame, none of them empty."""
    if isinstance(points, np.ndarray) and points.ndim == 3:
        points = list(points)
    if not isinstance(points, list | tuple) or not len(points):
        raise InputError(f"{what}(points={checks.kind(points)}): expected a list of (n, 3) arrays, one for each frame")
    frames = []
    for i, given in enumerate(points):
        array = given.vertices if isinstance(given, PointCloud | TriMesh) else checks.floats(given)
        if array.ndim != 2 or array.shape[1:] != (3,):
            raise InputError(f"{what}: frame {i} has shape {array.shape}; expected (n, 3), points in metres")
        if not len(array):
            raise InputError(f"{what}: frame {i} has no points; expected one or more: leave it and its time out")
        bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
        if len(bad):
            raise InputError(
                f"{what}: {len(bad)} of {len(array)} points of frame {i} are not finite, first {first_few(bad)}; expected "
                "numbers: leave out points that were not seen"
            )
        frames.append(array)
    return tuple(frames)


def check_cloud_units(clouds: Any, sim: Simulation) -> None:
    """Points of the first frame are about as large as the bodies, and where they are."""
    bodies = range(len(sim.bodies)) if clouds.bodies is None else clouds.bodies
    rows = slice(min(sim.bodies[b].rows.start for b in bodies), max(sim.bodies[b].rows.stop for b in bodies))
    check_units(f"{type(clouds).__name__}: the first frame", placed(clouds.points[0], clouds.own), sim, rows)
