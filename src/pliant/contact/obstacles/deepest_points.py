"""Deepest points of faces in obstacles that are not flat.

Corners of faces are asked for their distance anyway, and of a half space they are the deepest. On anything else a face may
go in between them. Such a point is a mixture of its corners that changes from step to step and stays within one: to a solver
it is a point like others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...energy.embedded_points import EmbeddedPoints
from ...energy.obstacles.obstacle_energy import Obstacle
from ...energy.obstacles.obstacle_functions import shapes_at
from ...geometry.distance.sdf_kernels import DeviceSdf
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ..pairs.contact_surface import Surface
from .deepest_kernels import deepest_kernels, face_mixture_kernels, places_struct

GRAIN = 64


def curved(obstacles: Sequence[Obstacle]) -> list[int]:
    """Those that faces may enter though no corner does: all but half spaces."""
    return [o for o, obstacle in enumerate(obstacles) if not obstacle.flat]


def posed(shapes: DeviceSdf, obstacles: Sequence[Obstacle], poses: np.ndarray, device: Device) -> object:
    """Obstacles at ``poses`` (o, 4, 4) as kernels take them, in double precision."""
    turn, shift = device.array(poses[:, :3, :3].copy(), wp.mat33d), device.array(poses[:, :3, 3].copy(), wp.vec3d)
    return shapes_at(shapes, [o.shape.slope for o in obstacles], turn, shift, device)


def spans(surface: Surface) -> np.ndarray:
    """(f, 3) corners of its faces, and of its edges, which are faces whose last two corners are one.

    Where an obstacle is hollow one way and round the other, as within a ring, a face is deepest at two of its edges.
    """
    return np.concatenate([surface.triangles, surface.edges[:, [0, 1, 1]]]).astype(np.int32).reshape(-1, 3)


class Deepest:
    """The deepest place of each of f faces and edges in each of ``many`` obstacles: item f · many + number."""

    def __init__(self, device: Device, surface: Surface, many: int):
        self.device, self.many, self.spans = device, many, spans(surface)
        self.faces = len(self.spans)
        self.kernels, count = deepest_kernels("f64"), self.faces * many
        self.triangles = device.array(self.spans, wp.vec3i)
        self.offset = device.array(-0.5 * surface.thickness, wp.float64)
        self.share, self.normal, self.place = (device.zeros(count, wp.vec3d) for _ in range(3))
        self.bulge, self.gap = (device.zeros(count, wp.float64) for _ in range(2))
        self.places = filled(places_struct("f64"), self.share, self.bulge, self.normal, self.gap, self.place)
        corners = surface.rest[self.spans]
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1, initial=0.0)
        self.edge = device.array(np.repeat(edges, many), wp.float64)

    def aim(self, o: int, number: int, obstacles: object, near: float, x: wp.array, then: wp.array) -> None:
        """Find them for obstacle o, where points are, or where they first come ``near`` [m] on the way from x to ``then``."""
        given = (self.triangles, self.offset, o, obstacles, near, number, self.many, x, then)
        self.device.launch(self.kernels.aim, self.faces, *given, self.places, grain=GRAIN)

    def keep_out(self, obstacles: object, reach: float, x: wp.array, before: wp.array) -> None:
        """Go there from the places ``before`` only as far as that is outside of all obstacles."""
        given = (self.triangles, self.offset, self.many, obstacles, reach, x, before, self.share)
        self.device.launch(self.kernels.keep_out, self.faces * self.many, *given, grain=GRAIN)

    def weigh(self, full: wp.array, out: wp.array) -> None:
        """out = ``full``, or less of it for places that are hardly deeper than a corner, and nothing where one is as deep."""
        kernel = face_mixture_kernels("f64" if out.dtype is wp.float64 else "f32").weigh
        self.device.launch(kernel, len(out), self.edge, self.bulge, full, out)


def of_faces(surface: Surface, many: int, carrier: EmbeddedPoints) -> Surface:
    """The points of ``carrier``, ``many`` of each face, as a surface: each stands for as much as a corner of its face."""
    corners, none = spans(surface), np.zeros((0, 3), np.int32)
    mean = lambda values: np.repeat(values[corners].mean(axis=1), many, axis=0)
    body = np.repeat(surface.body[corners[:, 0]], many)
    return Surface(
        carrier.nodes, carrier.weights, none, none[:, :2], body,
        mean(surface.area), mean(surface.thickness), mean(surface.rest), surface.alone, surface.part, None, surface.grips,
    )  # fmt: skip


class FaceCarrier(EmbeddedPoints):
    """A point of each face ``many`` times, whose shares of the corners change."""

    def __init__(self, device: Device, surface: Surface, many: int):
        faces, k = spans(surface), surface.nodes.shape[1]
        f = len(faces)
        corners = np.where(surface.weights != 0, surface.nodes, -1)[faces].reshape(f, 3 * k)
        ordered = np.sort(corners, axis=1)
        new = (ordered >= 0) & (np.diff(ordered, axis=1, prepend=-1) != 0)
        wide, column = int(new.sum(axis=1).max(initial=1)), np.cumsum(new, axis=1) - 1
        nodes = np.repeat(ordered[np.arange(f), np.argmax(new, axis=1)][:, None], wide, axis=1)
        row, at = np.nonzero(new)
        nodes[row, column[row, at]] = ordered[row, at]
        own = np.zeros((3, f, wide))
        weights = surface.weights[faces].reshape(f, 3 * k)
        for j in range(3 * k):
            there = np.argmax(nodes == corners[:, j, None], axis=1)
            own[j // k, np.arange(f), there] += weights[:, j]
        used = np.any(own != 0, axis=0)
        nodes, used, own = np.repeat(nodes, many, axis=0), np.repeat(used, many, axis=0), np.repeat(own, many, axis=1)
        super().__init__(device, nodes, used.astype(float))
        point, column = np.nonzero(used)
        order = np.argsort(self.nodes[point, column], kind="stable")
        self._columns = device.array(column[order], wp.int32)
        self.mixing = face_mixture_kernels(device.precision)
        self.corners = tuple(device.array(part.T, device.types.real) for part in own)

    def take(self, share: wp.array) -> None:
        """Shares (f · many,) of the corners."""
        self.device.launch(self.mixing.mix, self.count, *self.corners, share, self.device_weights)
        listed = (self._points, self._columns, self.device_weights, self._shares)
        self.device.launch(self.mixing.list_weights, len(self._columns), *listed)
