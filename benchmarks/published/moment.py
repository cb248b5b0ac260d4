"""A moment on edges of a body that turns with them, in the x–z plane: for the cantilever that is rolled up."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from pliant.energy.base import sums_over
from pliant.energy.capabilities import Attached
from pliant.extend import Energy, Step, family
from pliant.linear.matrix.block_matrix import BlockGather, BlockMatrix
from pliant.linear.matrix.gather import gather_kernels, gather_lists
from pliant.runtime.vectors import Sums


@family
def moment_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    @t.kernel
    def angle(
        start: int,
        # mesh:
        ends: wp.array2d(dtype=wp.int32),
        # in: where edges pointed when the step began, and now
        x0: wp.array(dtype=t.position),
        x: wp.array(dtype=t.position),
        # out:
        value: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        a = vec3(x0[ends[1, e]] - x0[ends[0, e]])
        b = vec3(x[ends[1, e]] - x[ends[0, e]])
        value[e] = wp.atan2(a[0] * b[2] - a[2] * b[0], a[0] * b[0] + a[2] * b[2])

    @t.kernel
    def push(
        start: int,
        # mesh:
        ends: wp.array2d(dtype=wp.int32),
        # params:
        moment: real,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        e = start + wp.tid()
        b = vec3(x[ends[1, e]] - x[ends[0, e]])
        force = vec3(b[2], real(0.0), -b[0]) * (moment / (b[0] * b[0] + b[2] * b[2]))
        corner[0, e] = -force
        corner[1, e] = force

    def bend(b: vec3, moment: real):
        """−m ∂²θ/∂b²."""
        r = b[0] * b[0] + b[2] * b[2]
        s = -moment / (r * r)
        p = real(2.0) * b[0] * b[2] * s
        q = (b[2] * b[2] - b[0] * b[0]) * s
        zero = real(0.0)
        return mat33(p, zero, q, zero, zero, zero, q, zero, -p)

    bend = t.function("moment_bend", bend)

    @t.kernel
    def push_tangent(
        start: int,
        # mesh:
        ends: wp.array2d(dtype=wp.int32),
        # params:
        moment: real,
        # in:
        x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        e = start + wp.tid()
        i, j = ends[0, e], ends[1, e]
        change = bend(vec3(x[j] - x[i]), moment) * (d[j] - d[i])
        corner[0, e] = -change
        corner[1, e] = change

    @t.kernel
    def blocks(
        start: int,
        # mesh:
        ends: wp.array2d(dtype=wp.int32),
        # params:
        moment: real,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        block: wp.array2d(dtype=mat33),
    ):
        e = start + wp.tid()
        K = bend(vec3(x[ends[1, e]] - x[ends[0, e]]), moment)
        block[0, e] = K
        block[1, e] = -K
        block[2, e] = K

    return locals()


@dataclass(frozen=True, eq=False)
class Moment:
    """A moment [N m] that turns x towards z, shared by edges (e, 2) and growing to its full size in 1 s."""

    moment: float
    edges: Sequence[Sequence[int]]

    def energies(self, part: Any, device: Any) -> list:
        return [MomentEnergy(device, np.asarray(self.edges) + part.first, part.count, self.moment)]


class MomentEnergy(Attached, Energy):
    """E = −m Σ θ of edges whose angle θ is counted from the beginning of each step. Its tangent is left out when projecting."""

    name = "moment"

    def __init__(self, device: Any, edges: np.ndarray, count: int, moment: float):
        super().__init__(device)
        self.edges, self.count, self.each, self.now = edges, count, moment / len(edges), 0.0
        self.kernels, self.gathers = moment_kernels(device.precision), gather_kernels(device.precision)
        self.ends = device.array(edges.T, wp.int32)
        starts, lists = gather_lists(edges.T.reshape(-1), count)
        self.starts, self.lists = device.array(starts, wp.int32), device.array(lists, wp.int32)
        self.corner = device.zeros((2, len(edges)), device.types.vec3)
        self.flat = self.corner.flatten()
        self.angles = device.zeros(len(edges), device.types.real)
        self.begun: wp.array | None = None

    def begin(self, step: Step) -> None:
        self.now, self.begun = self.each * step.time, wp.clone(step.at)

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, self.edges[:, 0])

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        before = x if self.begun is None else self.begun
        self.device.launch(self.kernels.angle, len(self.edges), self.ends, before, x, self.angles)
        self.sums.add_to(out, -self.now, self.sums.kernels.sum_chunk, self.angles)

    def _gather(self, out: wp.array) -> None:
        self.device.launch(self.gathers.gather_vectors, self.count, self.starts, self.lists, 0, self.flat, out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.push, len(self.edges), self.ends, self.now, x, self.corner)
        self._gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if not project:
            self.device.launch(self.kernels.push_tangent, len(self.edges), self.ends, self.now, x, d, self.corner)
            self._gather(out)

    def cells(self) -> np.ndarray:
        return self.edges

    def attach(self, pattern: BlockMatrix) -> None:
        self.summed = BlockGather(self.device, pattern, self.edges, [(0, 0), (0, 1), (1, 1)])

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if not project:
            self.device.launch(self.kernels.blocks, len(self.edges), self.ends, self.now, x, self.summed.parts)
            self.summed.add_to(pattern)
