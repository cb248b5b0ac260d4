"""Pressure on a closed surface: E = −p V(x)."""

from functools import cached_property

import numpy as np
import warp as wp

from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...linear.matrix.gather import gather_kernels, gather_lists
from ...runtime.device import Device, family
from ...runtime.vectors import Sums
from ..base import Energy, sums_over
from ..capabilities import Attached
from ..point_sensitivity import point_sensitivity_kernels
from ..sensitivity import Differentiable, Slot, add_sum


@family
def pressure_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    @t.kernel
    def volume(
        start: int,
        # mesh:
        tri: wp.array2d(dtype=wp.int32),
        factor: wp.array(dtype=real),
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=t.position),
        # out: p times the volume under the face, seen from a point on the surface
        value: wp.array(dtype=real),
    ):
        f = start + wp.tid()
        centre = x[tri[0, 0]]
        a, b, c = vec3(x[tri[0, f]] - centre), vec3(x[tri[1, f]] - centre), vec3(x[tri[2, f]] - centre)
        value[f] = pressure[0] * factor[f] * wp.dot(a, wp.cross(b, c)) / real(6.0)

    @t.kernel
    def push(
        start: int,
        # mesh:
        tri: wp.array2d(dtype=wp.int32),
        factor: wp.array(dtype=real),
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        f = start + wp.tid()
        a, b, c = x[tri[0, f]], x[tri[1, f]], x[tri[2, f]]
        force = wp.cross(vec3(b - a), vec3(c - a)) * (-pressure[0] * factor[f] / real(6.0))
        corner[0, f] = force
        corner[1, f] = force
        corner[2, f] = force

    @t.kernel
    def push_tangent(
        start: int,
        # mesh:
        tri: wp.array2d(dtype=wp.int32),
        factor: wp.array(dtype=real),
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        f = start + wp.tid()
        a, b, c = x[tri[0, f]], x[tri[1, f]], x[tri[2, f]]
        da, db, dc = d[tri[0, f]], d[tri[1, f]], d[tri[2, f]]
        k = -pressure[0] * factor[f] / real(6.0)
        change = wp.cross(db - da, vec3(c - a)) + wp.cross(vec3(b - a), dc - da)
        corner[0, f] = k * change
        corner[1, f] = k * change
        corner[2, f] = k * change

    @t.kernel
    def push_blocks(
        start: int,
        # mesh:
        tri: wp.array2d(dtype=wp.int32),
        factor: wp.array(dtype=real),
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=t.position),
        # out: of the corner pairs (0, 1), (0, 2), (1, 2)
        block: wp.array2d(dtype=mat33),
    ):
        """∂²(−pV)/∂x² of V = Σ a·(b×c)/6, which a closed surface has about any centre."""
        f = start + wp.tid()
        centre = x[tri[0, 0]]
        a, b, c = vec3(x[tri[0, f]] - centre), vec3(x[tri[1, f]] - centre), vec3(x[tri[2, f]] - centre)
        k = pressure[0] * factor[f] / real(6.0)
        block[0, f] = k * wp.skew(c)
        block[1, f] = -k * wp.skew(b)
        block[2, f] = k * wp.skew(a)

    return locals()


class PressureEnergy(Attached, Differentiable, Energy):
    """Constant pressure [Pa] inside a closed surface of the scene's nodes. Its tangent is left out when projecting.

    ``factors`` of the triangles, 1 by default, let their volumes add up to that inside a curved surface (Elements.enclosing).
    """

    name = "pressure"
    recordable = ()  # no number of its launches changes

    def __init__(self, device: Device, triangles: np.ndarray, count: int, pressure: float, factors: np.ndarray | None = None):
        super().__init__(device)
        self.faces, self.count = len(triangles), count
        self.factor = 1.0  # of a course in time, by which the pressure is larger than the one that is differentiated by
        self.pascals = device.array([pressure], device.types.real)
        self.kernels, self.gathers = pressure_kernels(device.precision), gather_kernels(device.precision)
        self.triangles = np.asarray(triangles)
        self.tri = device.array(self.triangles.T, wp.int32)
        self.shares = device.array(np.ones(self.faces) if factors is None else factors, device.types.real)
        starts, lists = gather_lists(triangles.T.reshape(-1), count)
        self.starts, self.lists = device.array(starts, wp.int32), device.array(lists, wp.int32)
        self.corner = device.zeros((3, self.faces), device.types.vec3)
        self.corner_flat = self.corner.flatten()
        self.scalar = device.zeros(self.faces, device.types.real)
        self._gather_blocks: BlockGather | None = None

    def set(self, pressure: float) -> None:
        self.pascals.fill_(pressure)

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, self.triangles[:, 0])

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.volume, self.faces, self.tri, self.shares, self.pascals, x, self.scalar)
        self.sums.add_to(out, -1.0, self.sums.kernels.sum_chunk, self.scalar)

    def _gather(self, out: wp.array) -> None:
        self.device.launch(self.gathers.gather_vectors, self.count, self.starts, self.lists, 0, self.corner_flat, out, grain=512)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.push, self.faces, self.tri, self.shares, self.pascals, x, self.corner)
        self._gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if not project:
            self.device.launch(self.kernels.push_tangent, self.faces, self.tri, self.shares, self.pascals, x, d, self.corner)
            self._gather(out)

    def cells(self) -> np.ndarray:
        return self.triangles

    def attach(self, pattern: BlockMatrix) -> None:
        if self._gather_blocks is None or self._gather_blocks.matrix is not pattern:
            self._gather_blocks = BlockGather(self.device, pattern, self.triangles, [(0, 1), (0, 2), (1, 2)])

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if not project:
            parts = self._gather_blocks.parts
            self.device.launch(self.kernels.push_blocks, self.faces, self.tri, self.shares, self.pascals, x, parts)
            self._gather_blocks.add_to(pattern)

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"pressure": Slot((1,), self.device.types.real)}

    @cached_property
    def _all(self) -> Sums:
        return Sums(self.device, np.array([0, self.faces]))

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "pressure" in into:
            kernel = point_sensitivity_kernels(self.device.precision).of_pressure
            self.device.launch(kernel, self.faces, self.tri, self.shares, x, d, self.scalar)
            add_sum(self._all, self.factor, self._all.parts(self._all.kernels.sum_chunk, self.scalar), into["pressure"])
