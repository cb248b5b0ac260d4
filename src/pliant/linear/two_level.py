"""Two levels: inverse blocks of the nodes, and a small system of aggregates that move as rigid bodies.

M⁻¹ = D⁻¹ + Z C⁻¹ Zᵀ with C = Zᵀ A Z, where the columns of Z are the three shifts and three turns of each aggregate of
nodes (additive Schwarz with a coarse space of rigid motions: Nicolaides 1987; Vanek, Mandel, Brezina 1996). What block
Jacobi needs many iterations for, the bending and swinging of a body as a whole, C has at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from .. import checks
from .aggregates import aggregates, connected, length
from .gather import gather_lists
from .lists_native import pair_entries
from .pattern import Pattern
from .preconditioners import BlockJacobi
from .system import System
from .two_level_kernels import six, six_by_six, two_level_kernels

Pairs = tuple[np.ndarray, ...]
AT_ONCE = 32  # entries of the matrix that one thread adds up
WORTH = 256  # nodes that are worth a thread


@dataclass(frozen=True)
class TwoLevel:
    """Inverse 3×3 blocks and the rigid motions of some ``aggregates`` of nodes (None: one for 64 nodes, 32 at most).

    Several times fewer iterations than BlockJacobi() wherever bodies bend or swing; the small system is that of the
    first matrix of a solve. Bodies that nothing connects have aggregates of their own, at most 64 in all: for more of
    them, and where none is 12 nodes long, it is BlockJacobi(), unless a number is given.
    """

    aggregates: int | None = None

    assembled = True
    batch = 8
    NODES, MOST, WHOLE = 64, 32, 64
    FEW = 48  # nodes that are not worth it
    LONG = 12  # nodes from end to end that are: shorter bodies need few iterations without

    def __post_init__(self):
        if self.aggregates is not None:
            checks.whole("TwoLevel(aggregates=…)", self.aggregates)

    def prepare(self, system: System) -> wp.array[Any] | Coarse:
        """The two levels; inverse blocks alone for very few nodes, or where nobody knows where they are."""
        blocks = BlockJacobi().prepare(system)
        if system.positions is None or system.vectors.count < self.FEW:
            return blocks
        found = system.keep(f"aggregates {self}", lambda: self._aggregates(system.matrix.pattern, system.positions))
        if found is None:
            return blocks
        coarse = system.keep(f"coarse {self}", lambda: Coarse(system, blocks, *found))
        if system.first or system.again or not coarse.graph:  # a matrix may also be new in the middle of a solve
            coarse.take(system)
        return coarse

    def foresee(self, pattern: Pattern, positions: np.ndarray) -> None:
        """Find the aggregates of a pattern that a matrix has later, in a thread beside the steps."""
        pattern.foreseen["aggregates"] = (self, _aggregated(self, pattern, positions))

    def _aggregates(self, pattern: Pattern, positions: np.ndarray) -> tuple[np.ndarray, Pairs] | None:
        """(n,) the aggregate of each node, and the entries between them; None where they are not worth it."""
        whose, found = pattern.foreseen.pop("aggregates", (None, None))
        return found if whose == self else _aggregated(self, pattern, positions)


def _aggregated(settings: TwoLevel, pattern: Pattern, positions: np.ndarray) -> tuple[np.ndarray, Pairs] | None:
    count = settings.aggregates or min(settings.MOST, -(-pattern.count // settings.NODES))
    rows = (pattern.row_start, pattern.columns)
    part, firsts = connected(*rows)
    if settings.aggregates is None and length(*rows, part, firsts, settings.LONG) < settings.LONG:
        return None
    of = aggregates(positions, *rows, part, count)
    if settings.aggregates is None and of.max() >= settings.WHOLE:
        return None
    return of, _pairs(of, pattern)


def _pairs(of: np.ndarray, pattern: Pattern) -> Pairs:
    """Entries of the upper half by pair of aggregates, in parts that one thread adds up: bounds of the parts, entries and their
    rows, the first part of each pair, and the two aggregates of it."""
    count = int(of.max()) + 1
    starts, following = np.empty(count**2 + 1, np.int32), np.empty(count**2, np.int32)
    entries, rows = np.empty(pattern.entries, np.int32), np.empty(pattern.entries, np.int32)
    where = (of, pattern.rows, pattern.columns, pattern.entries, count)
    pair_entries(*where, starts, entries, rows, following)
    entries, rows = entries[: starts[-1]], rows[: starts[-1]]
    pairs = np.flatnonzero(np.diff(starts))  # those that have entries
    starts = np.append(starts[pairs], starts[-1])
    parts = -(-np.diff(starts) // AT_ONCE)
    first = np.concatenate([[0], np.cumsum(parts)])
    within = np.arange(first[-1]) - np.repeat(first[:-1], parts)
    bounds = np.append(np.repeat(starts[:-1], parts) + AT_ONCE * within, starts[-1])
    return bounds, entries, rows, first, pairs // count, pairs % count


class Coarse:
    """The aggregates of a matrix and the inverse of the system between them."""

    def __init__(self, system: System, blocks: wp.array, of: np.ndarray, pairs: Pairs | None = None):
        device, matrix, n = system.device, system.matrix, system.vectors.count
        self.device, self.matrix, self.blocks, self.free = device, matrix, blocks, system.free
        self.kernels = two_level_kernels(device.precision)
        self.count = k = int(of.max()) + 1
        starts, members = gather_lists(of, k)
        self.of, self.starts, self.members = (device.array(a, wp.int32) for a in (of, starts, members))
        pairs = pairs or _pairs(of, matrix.pattern)
        made = [device.array(array, wp.int32) for array in pairs]
        self.bounds, self.entries, self.rows, self.first_part, self.first, self.second = made
        self.parts = device.zeros((4, len(pairs[0]) - 1), wp.mat33d)
        self.rest = device.array(system.positions, device.types.position)
        self.centre, self.arm = device.zeros(k, wp.vec3d), device.zeros(n, device.types.vec3)
        self.inverse = [device.zeros((k, k), six_by_six) for _ in range(2)]
        self.last = 0 if device.is_cpu else k % 2  # on a GPU it goes to and fro, once for each aggregate
        self.row, self.sound = device.zeros(k, six_by_six), device.zeros(1, wp.float64)
        self.force, self.motion = (device.zeros(k, six) for _ in range(2))
        self.dots = device.zeros((1, k), wp.float64)
        self.graph: dict = {}

    def take(self, system: System) -> None:
        """C⁻¹ for the present values, at the present places."""
        x = self.rest if system.x is None else system.x
        self.device.replayed(lambda: self._take(x), (id(x),), self.graph)

    def _take(self, x: wp.array) -> None:
        launch, kernels, k, block = self.device.launch, self.kernels, self.count, self.device.block
        launch(kernels.centres, k * block, self.starts, self.members, x, self.centre, grain=4)
        launch(kernels.arms, len(self.of), self.of, self.centre, x, self.arm)
        mesh = (self.bounds, self.entries, self.rows, self.matrix.device_columns, self.free)
        summed = kernels.pair_parts_by_row if self.device.is_cpu else kernels.pair_parts
        launch(summed, self.parts.shape[1], *mesh, self.arm, self.matrix.values, self.parts, grain=8)
        here, there = self.inverse
        self.device.clear(here)
        pairs = (self.first_part, self.first, self.second)
        launch(kernels.coarse_matrix, len(self.first), *pairs, self.parts, here, grain=8)
        self.device.fill(self.sound, 1.0)
        for p in range(k):
            launch(kernels.pivot_row, k, p, here, self.row, self.sound)
            if self.device.is_cpu:
                launch(kernels.eliminate_in_place, k, p, k, self.row, here, grain=8)
            else:
                launch(kernels.eliminate, k * k, p, k, self.row, here, there, grain=64)
                here, there = there, here

    def __call__(self, r: wp.array, z: wp.array) -> None:
        """z = D⁻¹ r + Z C⁻¹ Zᵀ r."""
        launch, kernels, k, block = self.device.launch, self.kernels, self.count, self.device.block
        launch(kernels.restrict, k * block, self.starts, self.members, self.free, self.arm, r, self.force, grain=8)
        inverse = self.inverse[self.last]
        launch(kernels.correct, k * block, inverse, self.sound, self.force, self.motion, grain=32)
        launch(kernels.spread, len(self.of), self.of, self.free, self.arm, self.blocks, self.motion, r, z)

    def advance(
        self, s: wp.array[Any], p: wp.array[Any], q: wp.array[Any], x: wp.array[Any], r: wp.array[Any], z: wp.array[Any]
    ) -> wp.array[Any]:
        """x += step p, r −= step q and z = M⁻¹ r on the CPU, in two passes over the aggregates; returns their sums r·z."""
        launch, kernels, k = self.device.launch, self.kernels, self.count
        mesh, grain = (self.starts, self.members, self.free, self.arm), -(-WORTH * k // len(self.of))
        launch(kernels.forces_pass, k, *mesh, s, p, q, x, r, self.force, grain=grain)
        inverse = (self.blocks, self.inverse[self.last], self.sound)
        launch(kernels.motions_pass, k, k, *mesh, *inverse, self.force, r, z, self.dots, grain=grain)
        return self.dots
