"""Gather kernels for sums over scattered points near grid nodes."""

import numpy as np
import warp as wp

from ...runtime.device import Device, Types, family
from ...runtime.kernel_structs import filled


@wp.struct
class Grid:
    """Nodes and bins along y and z, bins beyond the grid, and the first point of each bin."""

    ny: wp.int32
    nz: wp.int32
    rim: wp.int32
    by: wp.int32
    bz: wp.int32
    first: wp.array(dtype=wp.int32)


@family
def advection_kernels(t: Types) -> dict:
    """Points are in units of the grid, sorted by the bin (unit cube) that holds them.

    Bins reach ``rim`` beyond the grid.
    """
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    vecs = wp.array(dtype=t.vec3)

    @t.kernel
    def splat(
        start: int, grid: Grid, radius: real,
        # in:
        points: vecs, values: wp.array(dtype=t.real),
        # out: mean value and sum of weights
        out: wp.array(dtype=t.real), weight: wp.array(dtype=t.real),
    ):  # fmt: skip
        """Truncated Gaussian of standard deviation radius/3 (Weiß 2018, Alg A.2, with the minus sign)."""
        i = start + wp.tid()
        ny, nz, rim = grid.ny, grid.nz, grid.rim
        x, y, z = i // (ny * nz), (i // nz) % ny, i % nz
        here = vec3(real(x), real(y), real(z))
        scale = real(-4.5) / (radius * radius)
        total, mass = real(0.0), real(0.0)
        lx, hx = x + rim + int(wp.floor(-radius)), x + rim + int(wp.floor(radius))
        ly, hy = y + rim + int(wp.floor(-radius)), y + rim + int(wp.floor(radius))
        lz, hz = z + rim + int(wp.floor(-radius)), z + rim + int(wp.floor(radius))
        for bx in range(lx, hx + 1):
            for b in range(ly, hy + 1):
                row = (bx * grid.by + b) * grid.bz
                for k in range(grid.first[row + lz], grid.first[row + hz + 1]):  # bins along z lie side by side
                    away = points[k] - here
                    square = wp.dot(away, away)
                    if square <= radius * radius:
                        w = wp.exp(scale * square)
                        total += w * values[k]
                        mass += w
        weight[i] = mass
        out[i] = wp.where(mass > real(0.0), total / wp.max(mass, real(1.0e-30)), real(0.0))

    @t.kernel
    def invert(
        start: int, grid: Grid, radius: real,
        # in:
        points: vecs, moved: vecs,
        # out: mean of −u and sum of weights
        out: wp.array(dtype=vec4),
    ):  # fmt: skip
        """Shepard's weights (1/δ − 1/R)² of the way δ = |x_i + u_i − x| to where each point went (Weiß 2018, Eq 2.5.23–25)."""
        i = start + wp.tid()
        ny, nz, rim = grid.ny, grid.nz, grid.rim
        x, y, z = i // (ny * nz), (i // nz) % ny, i % nz
        here = vec3(real(x), real(y), real(z))
        total, mass = vec3(), real(0.0)
        lx, hx = x + rim + int(wp.floor(-radius)), x + rim + int(wp.floor(radius))
        ly, hy = y + rim + int(wp.floor(-radius)), y + rim + int(wp.floor(radius))
        lz, hz = z + rim + int(wp.floor(-radius)), z + rim + int(wp.floor(radius))
        for bx in range(lx, hx + 1):
            for b in range(ly, hy + 1):
                row = (bx * grid.by + b) * grid.bz
                for k in range(grid.first[row + lz], grid.first[row + hz + 1]):
                    away = wp.max(wp.length(points[k] - here), real(1.0e-4))
                    if away < radius:
                        w = real(1.0) / away - real(1.0) / radius
                        total -= w * w * moved[k]
                        mass += w * w
        total = total / wp.max(mass, real(1.0e-30))
        out[i] = vec4(total[0], total[1], total[2], mass)

    return locals()


class Bins:
    """Points sorted into the unit cubes of a grid, so that its nodes find those within ``radius`` of them.

    ``points`` (m, 3) are in units of the grid, node (0, 0, 0) at the origin; those too far out are left aside.
    """

    def __init__(self, device: Device, points: np.ndarray, shape: tuple[int, int, int], radius: float):
        self.device, self.shape, self.radius = device, shape, float(radius)
        self.rim = int(np.ceil(radius)) + 1
        size = np.array(shape) + 2 * self.rim
        bins = np.floor(points).astype(int) + self.rim
        near = np.flatnonzero(((bins >= 0) & (bins < size)).all(axis=1))
        flat = np.ravel_multi_index(tuple(bins[near].T), tuple(size))
        order = np.argsort(flat, kind="stable")
        self.order = near[order]
        first = np.searchsorted(flat[order], np.arange(np.prod(size) + 1))
        bins = {"by": int(size[1]), "bz": int(size[2]), "first": device.array(first, wp.int32)}
        self._grid = filled(Grid, ny=shape[1], nz=shape[2], rim=self.rim, **bins)
        self._points = device.array(points[self.order], device.types.vec3)

    def splat(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(nx, ny, nz) Gaussian means of (m,) values, and whether there was a point near enough to each node."""
        count, real = int(np.prod(self.shape)), self.device.types.real
        out, weight = self.device.zeros(count, real), self.device.zeros(count, real)
        given = self.device.array(values[self.order], real)
        kernel = advection_kernels(self.device.precision).splat
        self.device.launch(kernel, count, self._grid, self.radius, self._points, given, out, weight, grain=1024)
        means = out.numpy().reshape(self.shape), weight.numpy().reshape(self.shape) > 0
        self.device.forget()
        return means

    def invert(self, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(nx, ny, nz, 3) way back to where the points (m, 3) came from, and whether there was one near enough."""
        count, types = int(np.prod(self.shape)), self.device.types
        out = self.device.zeros(count, types.vec4)
        given = self.device.array(moved[self.order], types.vec3)
        kernel = advection_kernels(self.device.precision).invert
        self.device.launch(kernel, count, self._grid, self.radius, self._points, given, out, grain=1024)
        back = out.numpy().reshape(*self.shape, 4)
        self.device.forget()
        return back[..., :3], back[..., 3] > 0
