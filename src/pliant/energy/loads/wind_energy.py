"""Wind on triangles: drag and lift, linear within a step.

A plate of area A and unit normal n feels, with s = n·u/|u| (drag ∝ sin α, lift ∝ sin α cos α of the angle of attack α),

    f = ½ρA |u|² ( C_D |s| u/|u|  +  C_L s (n − s u/|u|) )  =  K u,    K = ½ρA|u| ( (C_D |s| − C_L s²) I + C_L n nᵀ ).

K is that of the velocity with which the step begins. It is symmetric, and positive semi-definite for C_L ≤ C_D, so
E = (w − v)ᵀ K (w − v) / 2 rate has these forces and damps. A plate that only slows down, v' = −c|v|v, does so exactly.
"""

import functools
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...linear.matrix.gather import gather_kernels, gather_lists
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types, family
from ...runtime.kernel_structs import filled
from ...runtime.scatter_writes import write
from ...runtime.vectors import Sums
from ..base import Energy, Step, sums_over
from ..capabilities import Attached, Lagged, WorkSource
from ..sensitivity import Differentiable

STEADY = 1e-5  # of the largest force on a triangle: a body at rest feels no other wind than this


@alone
@functools.cache
def drawn_struct(precision: str) -> Any:
    t = Types(precision, "wind_structs")

    @functools.partial(wp.struct, module=t.module)
    class Drawn:
        """K of each triangle, K w and the place at which E is counted from."""

        stiff: wp.array(dtype=t.mat33)
        pull: wp.array(dtype=t.vec3)
        centre: wp.array(dtype=t.position)

    return Drawn


@family
def wind_kernels(t):
    real, vec3, mat33, Drawn = t.real, t.vec3, t.mat33, drawn_struct(t.precision)
    triangles, places, third = wp.array2d(dtype=wp.int32), wp.array(dtype=t.position), 1.0 / 3.0

    @t.kernel
    def lag(
        start: int,
        # mesh:
        tri: triangles, two_sided: int,
        # params: ½ρ C_D, ½ρ C_L
        drag: real, lift: real, rate: real,
        # in:
        at: places, target: places, anchor: places, wind: wp.array(dtype=vec3),
        # out:
        drawn: Drawn,
    ):  # fmt: skip
        f = start + wp.tid()
        i, j, k = tri[0, f], tri[1, f], tri[2, f]
        a, b, c = at[i], at[j], at[k]
        of = (anchor[i] + anchor[j] + anchor[k]) * wp.float64(third)
        way = vec3((target[i] + target[j] + target[k]) * wp.float64(third) - of)
        w = wind[f]
        u = w - rate * way
        speed = wp.length(u)
        normal = wp.cross(vec3(b - a), vec3(c - a))
        double = wp.length(normal)
        made = mat33()
        if speed > real(0.0) and double > real(0.0):
            n = normal / double
            s = wp.dot(n, u) / speed
            if two_sided != 0 or s < real(0.0):
                size = real(0.5) * double * speed
                along = drag * wp.abs(s) - lift * s * s
                made = size * (along * wp.identity(n=3, dtype=real) + lift * wp.outer(n, n))
        drawn.stiff[f] = made
        drawn.pull[f] = made * w
        drawn.centre[f] = of

    @t.kernel
    def values(
        start: int,
        # mesh:
        tri: triangles,
        # params:
        rate: real, drawn: Drawn,
        # in:
        x: places,
        # out:
        value: wp.array(dtype=real),
    ):  # fmt: skip
        f = start + wp.tid()
        d = vec3((x[tri[0, f]] + x[tri[1, f]] + x[tri[2, f]]) * wp.float64(third) - drawn.centre[f])
        value[f] = wp.dot(d, real(0.5) * rate * (drawn.stiff[f] * d) - drawn.pull[f])

    @t.kernel
    def slopes(
        start: int,
        # mesh:
        tri: triangles,
        # params:
        rate: real, drawn: Drawn,
        # in:
        x: places,
        # out: the same for all three corners
        corner: wp.array(dtype=vec3),
    ):  # fmt: skip
        f = start + wp.tid()
        d = vec3((x[tri[0, f]] + x[tri[1, f]] + x[tri[2, f]]) * wp.float64(third) - drawn.centre[f])
        corner[f] = (rate * (drawn.stiff[f] * d) - drawn.pull[f]) * real(third)

    @t.kernel
    def bends(
        start: int,
        # mesh:
        tri: triangles,
        # params:
        rate: real, drawn: Drawn,
        # in:
        d: wp.array(dtype=vec3),
        # out:
        corner: wp.array(dtype=vec3),
    ):  # fmt: skip
        f = start + wp.tid()
        corner[f] = (rate / real(9.0)) * (drawn.stiff[f] * (d[tri[0, f]] + d[tri[1, f]] + d[tri[2, f]]))

    @t.kernel
    def fill(
        start: int,
        # params:
        rate: real, drawn: Drawn,
        # out: the same for all pairs of corners
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        f = start + wp.tid()
        made = (rate / real(9.0)) * drawn.stiff[f]
        for p in range(block.shape[0]):
            block[p, f] = made

    return locals()


class WindEnergy(WorkSource, Lagged, Attached, Differentiable, Energy):
    """The wind on triangles (m, 3) of the scene's nodes, of which there are ``count``; ``blow`` says what it is."""

    name = "wind"
    undifferentiable = "Wind has no derivatives with respect to parameters; expected a scene without it"

    def __init__(self, device: Device, triangles: np.ndarray, count: int, two_sided: bool = True):
        super().__init__(device)
        self.faces, self.count, self.two_sided = len(triangles), count, int(two_sided)
        self.drag = self.lift = self.rate = 0.0  # ½ρ C_D, ½ρ C_L [kg/m³] and that of the scheme [1/s]
        self.kernels, self.gathers, t = wind_kernels(device.precision), gather_kernels(device.precision), device.types
        self.triangles = np.asarray(triangles)
        self.tri = device.array(self.triangles.T, wp.int32)
        starts, lists = gather_lists(self.triangles.T.reshape(-1), count)
        self.starts, self.lists = device.array(starts, wp.int32), device.array(lists % self.faces, wp.int32)
        self.wind, self.pull, self.corner = (device.zeros(self.faces, t.vec3) for _ in range(3))
        self.stiff, self.centre = device.zeros(self.faces, t.mat33), device.zeros(self.faces, t.position)
        self.drawn = filled(drawn_struct(device.precision), stiff=self.stiff, pull=self.pull, centre=self.centre)
        self.scalar = device.zeros(self.faces, t.real)
        self._blocks: BlockGather | None = None

    def on_more_nodes(self, triangles: np.ndarray) -> None:
        """Go on with as many triangles on other nodes, in the same arrays."""
        self.triangles = np.asarray(triangles)
        starts, lists = gather_lists(self.triangles.T.reshape(-1), self.count)
        for array, values in ((self.tri, self.triangles.T), (self.starts, starts), (self.lists, lists % self.faces)):
            write(self.device, array, np.ascontiguousarray(values, np.int32))

    def blow(self, drag: float, lift: float, density: float, velocity: np.ndarray | None = None) -> None:
        """Take coefficients, the density of the air [kg/m³], and its velocity (3,) or (m, 3) [m/s] unless it is as before."""
        self.drag, self.lift = 0.5 * density * drag, 0.5 * density * lift
        if velocity is not None:
            self.wind.assign(np.broadcast_to(velocity, (self.faces, 3)).astype(self.device.types.numpy))

    def begin(self, step: Step) -> None:
        self.rate = step.rate
        target = step.at if step.target is None else step.target  # the velocity is that of the free flight
        self._lag(step.at, target, step.anchor if step.rate > 0 else step.at)

    def _lag(self, at: wp.array, target: wp.array, anchor: wp.array) -> None:
        given = (self.tri, self.two_sided, self.drag, self.lift, self.rate, at, target, anchor, self.wind)
        self.device.launch(self.kernels.lag, self.faces, *given, self.drawn)

    def refresh_lagged(self, x: wp.array) -> bool:
        """At rest the wind is that on the shape which was found."""
        if self.rate > 0:
            return False
        before = self.pull.numpy().copy()
        self._lag(x, x, x)
        now = self.pull.numpy()
        return bool(np.abs(now - before).max() > STEADY * np.abs(now).max())

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, self.triangles[:, 0])

    @property
    def recordable(self) -> tuple:
        return (self.rate,)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.values, self.faces, self.tri, self.rate, self.drawn, x, self.scalar)
        self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self.scalar)

    def _gather(self, out: wp.array) -> None:
        self.device.launch(self.gathers.gather_vectors, self.count, self.starts, self.lists, 0, self.corner, out, grain=512)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.slopes, self.faces, self.tri, self.rate, self.drawn, x, self.corner)
        self._gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if self.rate > 0:
            self.device.launch(self.kernels.bends, self.faces, self.tri, self.rate, self.drawn, d, self.corner)
            self._gather(out)

    def cells(self) -> np.ndarray:
        return self.triangles

    def attach(self, pattern: BlockMatrix) -> None:
        if self._blocks is not None and self._blocks.matrix is pattern:
            return
        pairs = [(i, i) for i in range(3)] if pattern.is_diagonal else [(i, j) for i in range(3) for j in range(i, 3)]
        self._blocks = BlockGather(self.device, pattern, self.triangles, pairs)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if self.rate > 0:
            parts = self._blocks.parts
            self.device.launch(self.kernels.fill, self.faces, self.rate, self.drawn, parts)
            self._blocks.add_to(pattern)
