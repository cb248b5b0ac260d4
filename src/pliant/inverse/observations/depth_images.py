"""Depth image observations of a camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...runtime.device import Device
from ...simulate.simulation import Simulation
from .alignment import PLACING, Placed, by_placing, check_units, placed, turning
from .clouds import LOSSES
from .observation import Asked, BoundObservation, Later, Own, Pull, Residual, checked_times, of_places
from .robust_loss import Loss, Quadratic
from .surface_hits import ByNodes, Met, pulled
from .surface_places import Rays, Surfaces, surfaces_of

GRAZING = 0.1  # cosine: surfaces at grazing angles beyond it have no reliable depth


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera of ``size`` (width, height) pixels, ``focal`` lengths and ``centre`` in pixels, None for the middle.

    ``pose`` (4, 4) takes its coordinates into the scene: x to the right, y down, z into the picture [m].
    """

    size: Sequence[int]
    focal: float | Vector
    pose: np.ndarray
    centre: Vector | None = None

    def __post_init__(self):
        size = self.size
        if not isinstance(size, list | tuple) or len(size) != 2:
            raise InputError(f"Camera(size={checks.shown(size)}): expected the width and height in pixels")
        size = tuple(checks.whole("Camera(size=…)", edge, 1, 100_000) for edge in size)
        focal = np.broadcast_to(f, 2) if (f := checks.floats(self.focal)).shape in ((), (2,)) else f
        if focal.shape != (2,) or not np.all((focal > 0) & (focal < np.inf)):
            raise InputError(f"Camera(focal={checks.shown(self.focal)}): expected one or two positive numbers of pixels")
        middle = [0.5 * (edge - 1) for edge in size]
        centre = checks.floats(middle if self.centre is None else self.centre)
        if centre.shape != (2,) or not np.all(np.isfinite(centre)):
            raise InputError(f"Camera(centre={checks.shown(self.centre)}): expected two numbers of pixels, or None")
        pose = checks.floats(self.pose)
        if pose.shape != (4, 4) or not np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-5):
            raise InputError(f"Camera(pose of shape {pose.shape}): expected (4, 4) with a rotation in it, from camera to scene")
        for name, value in (("size", size), ("focal", focal), ("centre", centre), ("pose", pose)):
            object.__setattr__(self, name, value)

    @classmethod
    def looking(
        cls,
        eye: Vector,
        at: Vector,
        size: Sequence[int] = (100, 100),
        focal: float | Vector | None = None,
        up: Vector = (0, 0, 1),
    ) -> Camera:
        """A camera at ``eye`` that looks ``at`` a point [m]; the focal length is by default the width of the picture."""
        eye = checks.vector("Camera.looking(eye=…)", eye, "metres")
        way = checks.direction("Camera.looking(at − eye)", checks.vector("Camera.looking(at=…)", at, "metres") - eye)
        right = np.cross(way, checks.direction("Camera.looking(up=…)", up))
        if np.linalg.norm(right) < 1e-9:
            right = np.cross(way, (1.0, 0.0, 0.0) if abs(way[0]) < 0.9 else (0.0, 1.0, 0.0))
        right = right / np.linalg.norm(right)
        pose = np.eye(4)
        pose[:3] = np.column_stack([right, np.cross(way, right), way, eye])
        given = size[0] if focal is None and isinstance(size, list | tuple) and size else focal
        return cls(size, given, pose)

    @property
    def eye(self) -> np.ndarray:
        """(3,) its position [m]."""
        return self.pose[:3, 3]

    @property
    def ways(self) -> np.ndarray:
        """(height·width, 3) along the rays of the pixels, row by row, one metre deep each."""
        v, u = np.divmod(np.arange(self.size[0] * self.size[1]), self.size[0])
        flat = (np.column_stack([u, v]) - self.centre) / self.focal
        return np.column_stack([flat, np.ones(len(u))]) @ self.pose[:3, :3].T

    def points(self, image: np.ndarray) -> np.ndarray:
        """(n, 3) points in the scene of the pixels of a depth image (height, width) [m], without those of NaN or 0."""
        depth = checks.floats(image)
        if depth.shape != self.size[::-1]:
            raise InputError(f"points(image of shape {depth.shape}): expected {self.size[::-1]}, height and width")
        seen = np.flatnonzero(np.isfinite(depth.ravel()) & (depth.ravel() > 0))
        return self.eye + depth.ravel()[seen, None] * self.ways[seen]


@dataclass(frozen=True, eq=False)
class DepthImages(Placed):
    """``images`` (frames, height, width) [m] of a ``camera`` at ``times`` [s]: depth along its axis, NaN or 0 for none.

    Compared is the depth of the surface of bodies (None: all) along each ray. Where a ray misses it, the observed point is
    compared with the nearest place instead, so that it has a gradient. Empty and grazing pixels do not count.
    """

    images: np.ndarray
    camera: Camera
    times: Vector
    bodies: Sequence[int] | None = None
    loss: Loss = field(default_factory=Quadratic)

    def __post_init__(self):
        self._check_placed()
        checks.instance("DepthImages(camera=…)", self.camera, Camera, "a Camera")
        checks.indices("DepthImages(bodies=…)", self.bodies)
        checks.instance("DepthImages(loss=…)", self.loss, Loss, LOSSES)
        images, size = checks.floats(self.images), self.camera.size[::-1]
        if images.ndim != 3 or images.shape[1:] != size or not len(images):
            raise InputError(f"DepthImages(images of shape {images.shape}): expected (frames, {size[0]}, {size[1]})")
        images = np.where(np.isfinite(images) & (images > 0), images, np.nan)
        empty = np.flatnonzero(np.isnan(images).all(axis=(1, 2)))
        if len(empty):
            raise InputError(f"DepthImages: frame {empty[0]} saw nothing; expected depths: leave it and its time out")
        object.__setattr__(self, "images", images)
        object.__setattr__(self, "times", checked_times("DepthImages", self.times, len(images)))

    def bound(self, sim: Simulation) -> BoundObservation:
        surfaces = surfaces_of(sim, self.bodies, "DepthImages")
        seen = placed(self.camera.points(self.images[0]), self.own)
        check_units("DepthImages: the first frame", seen, sim, slice(0, sim.world.count))
        return _SeenDepths(self, surfaces)


class _SeenDepths(BoundObservation):
    def __init__(self, given: DepthImages, surfaces: Surfaces):
        self.times, self.parameters, self.given, self.surfaces = given.times, given.own, given, surfaces
        self.ways = given.camera.ways
        depths = given.images.reshape(len(given.images), -1)
        self._pixels = [np.flatnonzero(np.isfinite(depth)) for depth in depths]
        self._depths = [depth[pixels] for depth, pixels in zip(depths, self._pixels)]
        self.numbers = sum(map(len, self._pixels))
        self._tables: dict[int, _Table] = {}

    @property
    def shared(self) -> Surfaces:
        return self.surfaces

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        return self._all([(self, frame, own)], x)[0]

    def at_once(self, asked: Sequence[Asked], x: np.ndarray) -> tuple[list[Residual], Pull]:
        found = self._all(asked, x)
        return found, lambda r: pulled([residual.by_x for residual in found], r)

    def _all(self, asked: Sequence[Asked], x: np.ndarray) -> list[Residual]:
        """Residuals of frames of several cameras, the first of which is this one."""
        table = self._tables.get(asked[0][1])
        if table is None or not table.is_of(asked):
            table = self._tables[asked[0][1]] = _Table(asked, self.surfaces.tree.device)
        mets = self.surfaces.along(x, table.rays(asked), GRAZING)
        return [seen._compared(frame, met, own) for (seen, frame, own), met in zip(asked, mets)]

    def _compared(self, frame: int, met: Met, own: Own) -> Residual:
        """Residuals of the hits of a frame's rays."""
        given, pixels, own = self.given, self._pixels[frame], dict(own)
        r, slope = given.loss.scalars(met.values)
        scale = slope / given.scale

        def by_own() -> dict[str, np.ndarray]:
            hit = given.camera.eye + met.reached[:, None] * self.ways[pixels]
            return by_placing(hit, own, scale[:, None] * met.by_point)

        def sites() -> tuple[np.ndarray, np.ndarray]:
            v, u = np.divmod(pixels, given.camera.size[0])
            return of_places(np.column_stack([u, v, 0 * u]).astype(float))

        return Residual(r / given.scale, ByNodes(met, scale), Later(PLACING, by_own), sites=sites)


class _Table:
    """Rays of frames of several cameras on a device, concatenated."""

    def __init__(self, asked: Sequence[Asked], device: Device):
        self._of = [(seen, frame) for seen, frame, _ in asked]
        pixels, depths = ([getattr(seen, name)[frame] for seen, frame in self._of] for name in ("_pixels", "_depths"))
        counts = tuple(map(len, pixels))
        ways = np.concatenate([seen.ways[chosen] for (seen, _), chosen in zip(self._of, pixels)])
        position = device.types.position
        eyes, turns = (device.zeros(len(asked), kind) for kind in (position, wp.mat33d))
        cameras = device.array(np.repeat(np.arange(len(asked)), counts), wp.int32)
        depths = device.array(np.concatenate(depths), wp.float64)
        self._rays = Rays(counts, eyes, turns, cameras, device.array(ways, position), depths)
        self._placed: list[bytes] = []

    def is_of(self, asked: Sequence[Asked]) -> bool:
        """Whether these are its frames."""
        return len(asked) == len(self._of) and all(
            seen is own and frame == number for (seen, frame, _), (own, number) in zip(asked, self._of)
        )

    def rays(self, asked: Sequence[Asked]) -> Rays:
        """The rays of cameras at their current poses."""
        now = [np.asarray(own[name], float).tobytes() for _, _, own in asked for name in PLACING]
        if now != self._placed:
            self._rays.eyes.assign(np.array([placed(seen.given.camera.eye, own) for seen, _, own in asked]))
            self._rays.turns.assign(np.array([turning(own["rotation"]) for _, _, own in asked]))
            self._placed = now
        return self._rays
