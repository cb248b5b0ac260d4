"""Two-level preconditioner: nodal blocks and rigid aggregates.

M⁻¹ = D⁻¹ + Z C⁻¹ Zᵀ with C = Zᵀ A Z, where the columns of Z are the three shifts and three turns of each aggregate of
nodes (additive Schwarz with a coarse space of rigid motions: Nicolaides 1987; Vanek, Mandel, Brezina 1996). C solves at once
for low modes, the bending and swinging of a body, which take block Jacobi many iterations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ...runtime.scatter_writes import write
from ..matrix.background import Pass
from ..matrix.block_matrix import roomy
from ..matrix.gather import gather_lists
from ..matrix.sparsity_pattern import Pattern
from ..matrix.system import System
from .aggregates import AT_ONCE, Aggregates
from .preconditioners import BlockJacobi
from .two_level_kernels import aggregates_struct, six, six_by_six, two_level_kernels

WORTH = 256  # least nodes per thread


@dataclass(frozen=True)
class TwoLevel:
    """Inverse 3×3 blocks and the rigid motions of some ``aggregates`` of nodes (None: one for 64 nodes, 32 at most).

    Several times fewer iterations than BlockJacobi() wherever bodies bend or swing; the small system is that of the
    first matrix of a solve. Disconnected bodies have separate aggregates, at most 64 in all: for more of
    them, and where none is 12 nodes long, it is BlockJacobi(), unless a number is given.
    """

    aggregates: int | None = None

    assembled = True
    batch = 8
    NODES, MOST, WHOLE = 64, 32, 64
    FEW = 48  # nodes up to which it does not pay
    LONG = 12  # least nodes from end to end: shorter bodies need few iterations without it

    def __post_init__(self):
        if self.aggregates is not None:
            checks.whole("TwoLevel(aggregates=…)", self.aggregates)

    def prepare(self, system: System) -> wp.array[Any] | Coarse:
        """The two levels; inverse blocks alone for very few nodes, or without positions."""
        blocks = BlockJacobi().prepare(system)
        if system.positions is None or system.vectors.count < self.FEW:
            return blocks
        coarse = system.keep(self, lambda: self._coarse(system, blocks))
        if coarse is None:
            return blocks
        if system.first or system.again or coarse.fresh:  # a matrix may also be new in the middle of a solve
            coarse.take(system)
        return coarse

    def _coarse(self, system: System, blocks: wp.array) -> Coarse | None:
        """The aggregates of a matrix; None where they do not pay."""
        found = self._aggregates(system.matrix.pattern, system.positions)
        return Coarse(system, blocks, found, self) if found.count else None

    def foresee(self, pattern: Pattern, positions: np.ndarray, wait: bool) -> None:
        """Compute the aggregates of a later pattern, or start to in a thread."""
        found = self._of(pattern, positions)
        pattern.foreseen["aggregates"] = (self, found, Pass(found.find, wait=wait))

    def _aggregates(self, pattern: Pattern, positions: np.ndarray) -> Aggregates:
        """The aggregates of a pattern, from ``foresee`` if available."""
        whose, found, thread = pattern.foreseen.pop("aggregates", (None, None, None))
        if whose == self:
            thread.end()
        else:
            found = self._of(pattern, positions)
            found.find()
        return found

    def _of(self, pattern: Pattern, positions: np.ndarray) -> Aggregates:
        """New aggregates of a pattern."""
        rows = (positions[: pattern.alive], pattern.row_start, pattern.columns)
        if self.aggregates is not None:
            return Aggregates(*rows, self.aggregates)
        return Aggregates(*rows, min(self.MOST, -(-pattern.alive // self.NODES)), self.LONG, self.WHOLE)


def _with_numbers(blocks: wp.array) -> tuple[wp.array, wp.array]:
    """Blocks, and their values as a flat view of the same memory."""
    made = wp.array(ptr=blocks.ptr, dtype=wp.float64, shape=(36 * blocks.size,), device=blocks.device)
    made._ref = blocks
    return blocks, made


def sweep(device: Device, matrices: list[tuple], pivots: list[tuple], sound: wp.array) -> None:
    """The inverse of the first of two (k, k) matrices of blocks, on a GPU: alternating between them, once per row, as are the
    inverse pivots. It is in the one of number k mod 2; ``sound`` is 0 then where it is not positive definite."""
    (here, there), (pivot, following), kernels = matrices, pivots, two_level_kernels(device.precision)
    k = here[0].shape[0]
    device.launch(kernels.first_pivot, 1, here[0], pivot[0], sound)
    for p in range(k):
        device.launch(kernels.eliminate, 36 * k * k + 1, p, k, *pivot, *here, there[1], following[0], sound)
        here, there, pivot, following = there, here, following, pivot


class Coarse:
    """The aggregates of a matrix and the inverse of the system between them."""

    def __init__(self, system: System, blocks: wp.array, found: Aggregates, settings: TwoLevel):
        self.settings, self.count = settings, found.count
        device, matrix, n, k = system.device, system.matrix, system.vectors.count, found.count
        self.device, self.matrix, self.blocks, self.free = device, matrix, blocks, system.free
        self.kernels = two_level_kernels(device.precision)
        self.of, self.starts, self.members = (device.array(a, wp.int32) for a in (found.of, *self._members(found.of)))
        self.room = len(found.pairs[0]) - 1 + -(-(matrix.room - matrix.entries) // AT_ONCE)
        bounds, entries, rows, first_part = found.pairs  # with space for unused values
        entries, rows = (roomy(a, matrix.room, 0) for a in (entries, rows))
        pairs = (self._with_nothing(bounds), entries, rows, first_part, *np.triu_indices(k))
        self.pairs = [device.array(array, wp.int32) for array in pairs]
        self.parts = device.zeros((4, self.room), wp.mat33d)
        self.rest = device.array(system.positions, device.types.position)
        self.centre, self.arm = device.zeros(k, wp.vec3d), device.zeros(n, device.types.vec3)
        mesh = {"starts": self.starts, "members": self.members, "free": self.free, "arm": self.arm}
        self.known = filled(aggregates_struct(device.precision), **mesh)
        self.inverse = [device.zeros((k, k), six_by_six) for _ in range(1 if device.is_cpu else 2)]
        self.scratch = device.zeros((3, k), six_by_six)
        self.last = 0 if device.is_cpu else k % 2  # on a GPU it alternates, once for each aggregate
        self.both = [_with_numbers(array) for array in self.inverse]
        self.pivots = [_with_numbers(device.zeros(1, six_by_six)) for _ in self.inverse]
        self.sound = device.zeros(1, wp.float64)
        self.force, self.motion = (device.zeros(k, six) for _ in range(2))
        self.dots = device.zeros((1, k), wp.float64)
        self.graph: dict = {}
        self.fresh = True  # whether C is not yet that of this matrix

    def _members(self, of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Offsets of the members of each aggregate, and the members, without spare rows."""
        starts, members = gather_lists(of[: self.matrix.pattern.alive], self.count)
        return starts, np.concatenate([members, np.zeros(len(of) - len(members), members.dtype)])

    def _with_nothing(self, bounds: np.ndarray) -> np.ndarray:
        """Bounds of parts, padded by empty parts."""
        return roomy(bounds, self.room + 1, bounds[-1])

    def renew(self, positions: np.ndarray, at_once: bool = False) -> bool:
        """Find the aggregates of the matrix again, whose pattern has changed, and keep them in the same arrays; False where
        their number changes, or arrays are too small. ``at_once``: the change comes within a solve."""
        found = self.settings._aggregates(self.matrix.pattern, positions)
        if found.count != self.count or len(found.pairs[0]) > self.room + 1:
            return False
        bounds, *others = found.pairs
        arrays = (self.of, self.starts, self.members, self.rest, *self.pairs)
        values = (found.of, *self._members(found.of), positions, self._with_nothing(bounds), *others)
        for array, own in zip(arrays, values):  # the aggregates of each pair do not change
            write(self.device, array, own)
        self.fresh |= at_once
        return True  # and C is computed in the first iteration of the next solve, by recorded launches

    def take(self, system: System) -> None:
        """C⁻¹ for the present values and positions."""
        x = self.rest if system.x is None else system.x
        self.device.replayed(lambda: self._take(x), (id(x),), self.graph)
        self.fresh = False

    def _take(self, x: wp.array) -> None:
        launch, kernels, k, block = self.device.launch, self.kernels, self.count, self.device.block
        launch(kernels.centres, k * block, self.starts, self.members, x, self.centre, grain=4)
        launch(kernels.arms, len(self.of), self.of, self.centre, x, self.arm)
        bounds, entries, rows, *pairs = self.pairs
        mesh = (bounds, entries, rows, self.matrix.device_columns, self.free)
        summed = kernels.pair_parts_by_row if self.device.is_cpu else kernels.pair_parts
        launch(summed, self.parts.shape[1], *mesh, self.arm, self.matrix.values, self.parts, grain=8)
        here = self.inverse[0]
        self.device.clear(here)
        launch(kernels.coarse_matrix, len(pairs[1]), *pairs, self.parts, here, grain=8)
        self.device.fill(self.sound, 1.0)
        if self.device.is_cpu:
            launch(kernels.invert, 1, k, here, self.scratch, self.sound)
            return
        sweep(self.device, self.both, self.pivots, self.sound)

    def __call__(self, r: wp.array, z: wp.array) -> None:
        """z = D⁻¹ r + Z C⁻¹ Zᵀ r."""
        launch, kernels, k, block = self.device.launch, self.kernels, self.count, self.device.block
        launch(kernels.restrict, k * block, self.known, r, self.force, grain=8)
        inverse = self.inverse[self.last]
        launch(kernels.correct, k * block, inverse, self.sound, self.force, self.motion, grain=32)
        launch(kernels.spread, len(self.of), self.of, self.free, self.arm, self.blocks, self.motion, r, z)

    def advance(
        self, s: wp.array[Any], p: wp.array[Any], q: wp.array[Any], x: wp.array[Any], r: wp.array[Any], z: wp.array[Any]
    ) -> wp.array[Any]:
        """x += step p, r −= step q and z = M⁻¹ r on the CPU, in two passes over the aggregates; returns their sums r·z."""
        launch, kernels, k = self.device.launch, self.kernels, self.count
        grain = -(-WORTH * k // len(self.of))
        launch(kernels.forces_pass, k, self.known, s, p, q, x, r, self.force, grain=grain)
        inverse = (self.blocks, self.inverse[self.last], self.sound)
        launch(kernels.motions_pass, k, self.known, *inverse, self.force, r, z, self.dots, grain=grain)
        return self.dots
