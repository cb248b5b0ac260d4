"""Depth buffers by tiles, for camera and lights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from .raster_kernels import raster
from .shading import structures

SIDE = 32  # samples along the edge of a tile


def draw(device: Device, corners: np.ndarray, width: int, height: int) -> tuple[wp.array, wp.array]:
    """Draw (m, 3, 3) screen corners and return (height, width) depth and number of the nearest triangle, or −1.

    A corner is x and y in samples and a depth that is linear on the screen and grows towards the eye.
    """
    across, down = -(-width // SIDE), -(-height // SIDE)
    a, b, c = (corners[:, k, :2] for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    inside = (high > 0).all(axis=1) & (low[:, 0] < width) & (low[:, 1] < height)
    # A triangle between two rows or columns of sample centres touches none.
    inside &= (np.ceil(low - 0.5) <= np.floor(high - 0.5)).all(axis=1)
    which = np.flatnonzero(inside)
    first = np.clip(low[which] // SIDE, 0, [across - 1, down - 1]).astype(np.int64)
    last = np.clip(high[which] // SIDE, 0, [across - 1, down - 1]).astype(np.int64)
    span = last - first + 1
    many = span[:, 0] * span[:, 1]
    row = np.repeat(np.arange(len(which)), many)
    step = np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)
    tile = (first[row, 1] + step // span[row, 0]) * across + first[row, 0] + step % span[row, 0]
    order = np.argsort(tile, kind="stable")
    begins = np.searchsorted(tile[order], np.arange(across * down + 1))
    real, vec3 = device.types.real, device.types.vec3
    depth = wp.empty((height, width), dtype=real, device=device.warp)
    nearest = wp.empty((height, width), dtype=int, device=device.warp)
    device.launch(
        raster(device.precision).fill_tiles, across * down, width, height, across, SIDE,
        device.array(begins, wp.int32), device.array(which[row[order]], wp.int32), device.array(corners, vec3),
        depth, nearest, grain=64,
    )  # fmt: skip
    return depth, nearest


@dataclass(frozen=True, eq=False)
class Camera:
    """An eye in perspective: place, direction and the tangent of half the vertical angle of view."""

    eye: np.ndarray  # (3,) [m]
    axes: np.ndarray  # (3, 3) rows: right, up, forward
    half: float
    shift: float = 0.0  # the picture's centre, moved right by this fraction of the width

    def seen(self, device: Device, size: tuple[int, int], samples: int) -> Any:
        """What kernels are told of it."""
        eye, right, up, forward = (device.types.vec3(*row) for row in (self.eye, *self.axes))
        axes = {"eye": eye, "right": right, "up": up, "forward": forward, "half": self.half, "shift": float(self.shift)}
        return filled(structures(device.precision)[0], width=size[0], height=size[1], samples=samples, **axes)

    def corners(self, triangles: np.ndarray, width: int, height: int, near: float) -> tuple[np.ndarray, np.ndarray]:
        """Project (m, 3, 3) triangles [m] to screen corners; also return which triangle each came from.

        Triangles that reach nearer than ``near`` [m] are cut there, so one may become two.
        """
        local = np.einsum("mkc,dc->mkd", triangles - self.eye, self.axes)
        front = local[:, :, 2] > near
        count = front.sum(axis=1)
        source = np.flatnonzero(count == 3)
        pieces, sources = [local[source]], [source]
        for many in (1, 2):
            cut = np.flatnonzero(count == many)
            if not len(cut):
                continue
            # Turn each so that the odd corner out comes first.
            odd = np.argmax(front[cut] == (many == 1), axis=1)
            a, b, c = (local[cut, (odd + k) % 3] for k in range(3))
            ab = a + (b - a) * ((near - a[:, 2]) / (b[:, 2] - a[:, 2]))[:, None]
            ac = a + (c - a) * ((near - a[:, 2]) / (c[:, 2] - a[:, 2]))[:, None]
            new = [(a, ab, ac)] if many == 1 else [(ab, b, c), (ab, c, ac)]
            pieces += [np.stack(corners, axis=1) for corners in new]
            sources += [cut] * len(new)
        local, source = np.concatenate(pieces), np.concatenate(sources)
        depth = 1.0 / np.maximum(local[:, :, 2], 0.999 * near)
        x = (0.5 + self.shift + 0.5 * local[:, :, 0] * depth / (self.half * width / height)) * width
        y = (0.5 - 0.5 * local[:, :, 1] * depth / self.half) * height
        return np.stack([x, y, depth], axis=2), source


def looking(view: tuple[float, float]) -> np.ndarray:
    """Return (3, 3) rows right, up, forward of an eye that looks inward from (azimuth, elevation) [degrees]."""
    azimuth, elevation = np.deg2rad(view)
    outward = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return np.stack([right, np.cross(outward, right), -outward])


def fitted(points: np.ndarray, axes: np.ndarray, half: float, room: tuple[float, float], shift: float) -> Camera:
    """Return the nearest camera that holds all (n, 3) points.

    ``room`` is the tangent of half the angle that may be used across and up; ``half`` that of the whole picture.
    """
    local = points @ axes.T
    eye, back = np.zeros(3), 0.0
    for k in range(2):
        low = (local[:, k] - room[k] * local[:, 2]).max()
        high = (local[:, k] + room[k] * local[:, 2]).min()
        eye[k] = 0.5 * (low + high)
        back = max(back, 0.5 * (low - high) / room[k])
    eye[2] = -back
    return Camera(eye @ axes, axes, half, shift)


def lamp_axes(towards: np.ndarray) -> np.ndarray:
    """Return (3, 3) rows u, v, towards: the frame in which a far lamp sees the scene."""
    towards = np.asarray(towards, dtype=float) / np.linalg.norm(towards)
    side = np.cross([0.0, 0.0, 1.0] if abs(towards[2]) < 0.9 else [1.0, 0.0, 0.0], towards)
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(towards, side), towards])


def lamp_corners(triangles: np.ndarray, axes: np.ndarray, centre: np.ndarray, reach: float, size: int) -> np.ndarray:
    """Project (m, 3, 3) triangles [m] onto a lamp's square map of ``size`` texels about ``centre`` ± ``reach`` [m]."""
    scale = np.array([0.5 * size / reach, 0.5 * size / reach, 1.0])
    turn = (axes * scale[:, None]).T
    offset = np.array([0.5 * size, 0.5 * size, 0.0]) - centre @ turn
    # einsum, not @: a thin product of many rows is where threaded BLAS stumbles over other threads
    return np.einsum("mkc,cd->mkd", triangles, turn) + offset


def dome(count: int) -> np.ndarray:
    """Return (count, 3) directions spread evenly over the upper half of the sky, none below 14 degrees."""
    k = np.arange(count) + 0.5
    z = 0.25 + 0.75 * k / count
    turn = np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=1)
