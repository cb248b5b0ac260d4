"""The triangles a frame is made of: body surfaces, rods as tubes, and obstacles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...simulate.record.run import Moment, Prop, Run, Skin
from .creases import CREASE
from .raster_kernels import raster

_SIDES = 8  # of a tube


@dataclass(frozen=True, eq=False)
class Soup:
    """Triangles ready to shade: corners [m], normals, values in 0…1 and what colours them."""

    place: np.ndarray  # (m, 3, 3)
    normal: np.ndarray  # (m, 3, 3)
    value: np.ndarray  # (m, 3)
    kind: np.ndarray  # (m,)
    edged: bool | np.ndarray = False  # (m,) whether its edges may be drawn

    @staticmethod
    def joined(soups: list[Soup]) -> Soup:
        parts = [np.concatenate([getattr(s, n) for s in soups]) for n in ("place", "normal", "value", "kind")]
        return Soup(*parts, np.concatenate([np.full(len(s.kind), s.edged, np.int32) for s in soups]))


class Surface:
    """A triangle mesh whose vertices move and whose triangles stay."""

    def __init__(self, triangles: np.ndarray, count: int):
        self.triangles, self.count = np.asarray(triangles, dtype=np.int32), count

    @cached_property
    def _around(self) -> tuple[np.ndarray, np.ndarray]:
        """Triangles about each vertex, as (first, list)."""
        flat = self.triangles.reshape(-1)
        order = np.argsort(flat, kind="stable")
        return np.searchsorted(flat[order], np.arange(self.count + 1)), order // 3

    def soup(self, device: Device, x: np.ndarray, value: np.ndarray | None, kind: int) -> Soup:
        """Return the triangles with vertices at ``x`` (n, 3) [m]."""
        corners = x[self.triangles]
        area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        vec3 = device.types.vec3
        normal = device.zeros((len(self.triangles), 3), vec3)
        first, around = self._around
        device.launch(
            raster(device.precision).corner_normals, len(self.triangles), device.array(self.triangles, wp.int32),
            device.array(first, wp.int32), device.array(around, wp.int32), float(np.cos(np.deg2rad(CREASE))),
            device.array(area / max(np.abs(area).max(initial=0.0), 1e-30), vec3), normal,
        )  # fmt: skip
        values = np.zeros((len(corners), 3)) if value is None else value[self.triangles]
        return Soup(corners, normal.numpy().astype(float), values, np.full(len(corners), kind, np.int32), True)


class Tubes:
    """Edges drawn as thin round tubes with balls at the joints."""

    def __init__(self, edges: np.ndarray, radius: float):
        self.edges, self.radius = np.asarray(edges), radius
        self.joints = np.unique(self.edges)
        turn = 2 * np.pi * np.arange(_SIDES) / _SIDES
        self.ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)

    def soup(self, device: Device, x: np.ndarray, value: np.ndarray | None, kind: int) -> Soup:
        """Return the triangles of tubes and balls about nodes at ``x`` (n, 3) [m]."""
        a, b = x[self.edges[:, 0]], x[self.edges[:, 1]]
        along = b - a
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-30)
        helper = np.where(np.abs(along[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
        u = np.cross(along, helper)
        u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-30)
        v = np.cross(along, u)
        out = u[:, None] * self.ring[:, :1] + v[:, None] * self.ring[:, 1:]  # (e, sides, 3)
        turned = np.roll(out, -1, axis=1)
        low, high = a[:, None] + self.radius * out, b[:, None] + self.radius * out
        low2, high2 = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
        place = np.stack([low, low2, high2, low, high2, high], axis=2).reshape(-1, 3, 3)
        normal = np.stack([out, turned, turned, out, turned, out], axis=2).reshape(-1, 3, 3)
        ends = [0, 0, 1, 0, 1, 1]
        balls, ball_normals = _ball()
        centres = x[self.joints]
        place = np.concatenate([place, (centres[:, None, None] + self.radius * balls).reshape(-1, 3, 3)])
        normal = np.concatenate([normal, np.broadcast_to(ball_normals, (len(centres), *balls.shape)).reshape(-1, 3, 3)])
        values = np.zeros((len(place), 3))
        if value is not None:
            tube = np.broadcast_to(value[self.edges][:, None, ends], (len(a), _SIDES, 6)).reshape(-1, 3)
            values = np.concatenate([tube, np.repeat(value[self.joints], len(balls))[:, None] * np.ones(3)])
        return Soup(place, normal, values, np.full(len(place), kind, np.int32))


def _ball() -> tuple[np.ndarray, np.ndarray]:
    """Return (32, 3, 3) corners of an octahedron cut once and blown up to a unit ball, and its normals."""
    corners = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=float)
    faces = corners[[[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]]
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    ab, bc, ca = a + b, b + c, c + a
    parts = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
    parts = parts / np.linalg.norm(parts, axis=2, keepdims=True)
    return parts, parts


def is_rod(skin: Skin) -> bool:
    """Whether a body has edges to draw and no triangles."""
    return not len(skin.triangles) and skin.edges is not None and len(skin.edges) > 0


def vertices(skin: Skin, x: np.ndarray) -> np.ndarray:
    """(s, 3) positions [m] of a body's surface vertices, or of its nodes for a rod, with nodes at ``x`` (n, 3)."""
    return x[skin.start : skin.stop] if is_rod(skin) else skin.of(x)


def vertex_values(skin: Skin, values: np.ndarray) -> np.ndarray:
    """(s,) nodal values of one frame, (n,), at the vertices that draw a body.

    What is negative at no node of it is negative at no vertex, which may lie outside of the elements.
    """
    own = values[skin.start : skin.stop]
    if is_rod(skin):
        return own
    carried = skin.of(values)
    return np.maximum(carried, 0.0) if len(own) and own.min() >= 0 else carried


def vertex_count(skin: Skin) -> int:
    """How many vertices draw a body."""
    return skin.stop - skin.start if is_rod(skin) else len(skin.parents)


def surface_places(moment: Moment) -> np.ndarray:
    """(s, 3) places [m] of the vertices that draw all bodies, one body after the other."""
    return np.concatenate([vertices(skin, moment.x) for skin in moment.skins])


def surface_values(moment: Moment, name: str) -> np.ndarray:
    """(s,) a field at the vertices that draw all bodies."""
    values = moment.values(name)
    return np.concatenate([vertex_values(skin, values) for skin in moment.skins])


def rod_radius(rest: np.ndarray, skin: Skin, extent: float) -> float:
    """Radius [m] to draw a rod with: thin beside its edges and beside the scene."""
    ends = rest[skin.start : skin.stop][skin.edges]
    length = float(np.median(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)))
    return min(0.14 * length, 0.008 * extent) if length > 0 else 0.004 * extent


def posed(prop: Prop, frame: int) -> np.ndarray:
    """(n, 3) places [m] of an obstacle's vertices."""
    pose = prop.poses[frame]
    return prop.mesh.vertices @ pose[:3, :3].T + pose[:3, 3]


def ground_of(run: Run, extent: float) -> tuple[Prop | None, float]:
    """Return the obstacle that is a wide level floor at rest, and its height [m]; (None, 0) where there is none."""
    for prop in run.props:
        first, last = posed(prop, 0), posed(prop, len(run) - 1)
        wide = np.ptp(first[:, :2], axis=0).min(initial=np.inf) if len(first) else 0.0
        if wide > 2.5 * extent and np.ptp(first[:, 2]) < 1e-6 * wide and np.allclose(first, last):
            return prop, float(first[:, 2].mean())
    return None, 0.0
