"""Point cloud observations without correspondences, matched to nearest places."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError, PliantWarning
from ...geometry.mesh.mesh import PointCloud, TriMesh
from ...simulate.simulation import Simulation
from .alignment import PLACING, Placed, by_placing, check_units, placed
from .noise_bias import distances, expected
from .observation import BoundObservation, Later, Own, Residual, checked_times, of_places
from .robust_loss import Loss, Quadratic
from .surface_hits import ByNodes
from .surface_places import Surfaces, surfaces_of

LOSSES = "Quadratic(), Huber(width) or GemanMcClure(width)"


@dataclass(frozen=True, eq=False)
class Clouds(Placed):
    """``points`` of the surface of bodies (None: all) at ``times`` [s]: for each frame (n, 3) [m] or a PointCloud.

    Minimised is the distance of each point from the drawn surface, by ``loss``. Every point has a nearest place, so
    that distant points count as well, as far as the loss allows. ``noise`` [m] is the standard deviation of each
    coordinate where that is not small against radii of the surface: its mean effect on distances is subtracted.
    """

    points: Sequence[Any]
    times: Vector
    bodies: Sequence[int] | None = None
    loss: Loss = field(default_factory=Quadratic)
    noise: float = 0.0

    def __post_init__(self):
        self._check_placed()
        what = type(self).__name__
        checks.indices(f"{what}(bodies=…)", self.bodies)
        object.__setattr__(self, "points", checked_clouds(what, self.points))
        object.__setattr__(self, "times", checked_times(what, self.times, len(self.points)))
        checks.instance(f"{what}(loss=…)", self.loss, Loss, LOSSES)
        checks.number(f"{what}(noise=…)", self.noise, 0.0, expected="a number of metres of at least 0")

    def bound(self, sim: Simulation) -> BoundObservation:
        surfaces = surfaces_of(sim, self.bodies, "Clouds")
        check_cloud_units(self, sim)
        return _SeenClouds(self, surfaces)


class _SeenClouds(BoundObservation):
    def __init__(self, clouds: Clouds, surfaces: Surfaces):
        self.times, self.parameters, self.clouds, self.surfaces = clouds.times, clouds.own, clouds, surfaces
        self.numbers = sum(map(len, clouds.points))
        self._first = np.cumsum([0, *map(len, clouds.points)])
        self._expected: dict[int, np.ndarray] = {}
        self._where: tuple[bytes, wp.array] | None = None

    @property
    def settles(self) -> bool:
        return self.clouds.noise > 0

    def settle(self) -> None:
        self._expected.clear()

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        points, surfaces, noise, own = self.clouds.points[frame], self.surfaces, self.clouds.noise, dict(own)
        met = surfaces.near(x, self._placed(own), int(self._first[frame]), len(points))
        if noise > 0 and frame not in self._expected:
            near = distances(met, placed(points, own))
            self._expected[frame] = expected(surfaces, x, near, noise, frame)
        r, slope = self.clouds.loss.scalars(met.values - self._expected.get(frame, 0.0))
        scale = slope / self.clouds.scale
        by_own = Later(PLACING, lambda: by_placing(points, own, scale[:, None] * met.by_point))
        return Residual(r / self.clouds.scale, ByNodes(met, scale), by_own, sites=lambda: of_places(points))

    def _placed(self, own: Own) -> wp.array:
        """The points of all frames in the scene, on the device."""
        device, key = self.surfaces.tree.device, b"".join(np.asarray(own[name], float).tobytes() for name in PLACING)
        if self._where is None or self._where[0] != key:
            there = placed(np.concatenate(self.clouds.points), own)
            if self._where is None:
                self._where = key, device.array(there, device.types.position)
            else:
                self._where[1].assign(there)
                self._where = key, self._where[1]
        return self._where[1]


def timed_clouds(what: str, observed: Any, fps: float | None) -> Any:
    """A list of PointCloud as Clouds, the first at the start of a run; observations as they are."""
    shapes = isinstance(observed, list | tuple) and len(observed) and all(isinstance(o, PointCloud) for o in observed)
    if not shapes:
        if fps is not None and not (isinstance(observed, list | tuple) and not observed):
            raise InputError(f"{what}(fps={fps!r}): observations have times of their own; fps is for a list of PointCloud")
        return observed
    if fps is None:
        raise InputError(
            f"{what}(observed=…): {len(observed)} PointCloud have no times; expected fps=, how many there are a second"
        )
    return Clouds(observed, np.arange(len(observed)) / checks.positive(f"{what}(fps=…)", fps))


def checked_clouds(what: str, points: Any) -> tuple[np.ndarray, ...]:
    """A finite (n, 3) array for each frame, none of them empty; points with NaN were not seen, and a warning counts them."""
    if isinstance(points, np.ndarray) and points.ndim == 3:
        points = list(points)
    if not isinstance(points, list | tuple) or not len(points):
        raise InputError(f"{what}(points={checks.kind(points)}): expected a list of (n, 3) arrays, one for each frame")
    frames, dropped = [], 0
    for i, given in enumerate(points):
        array = given.vertices if isinstance(given, PointCloud | TriMesh) else checks.floats(given)
        if array.ndim != 2 or array.shape[1:] != (3,):
            raise InputError(f"{what}: frame {i} has shape {array.shape}; expected (n, 3), points in metres")
        if not len(array):
            raise InputError(f"{what}: frame {i} has no points; expected one or more: leave it and its time out")
        seen = np.isfinite(array).all(axis=1)
        if not seen.any():
            raise InputError(f"{what}: no point of frame {i} is finite; expected one or more: leave it and its time out")
        dropped += len(seen) - int(seen.sum())
        frames.append(array if seen.all() else array[seen])
    if dropped:
        total = dropped + sum(map(len, frames))
        warnings.warn(f"{what}: {dropped} of {total} points are not finite and were dropped", PliantWarning, stacklevel=4)
    return tuple(frames)


def check_cloud_units(clouds: Any, sim: Simulation) -> None:
    """Check that points of the first frame match the bodies in size and place."""
    bodies = range(len(sim.bodies)) if clouds.bodies is None else clouds.bodies
    rows = slice(min(sim.bodies[b].rows.start for b in bodies), max(sim.bodies[b].rows.stop for b in bodies))
    check_units(f"{type(clouds).__name__}: the first frame", placed(clouds.points[0], clouds.own), sim, rows)
