"""Triangular solves on CPU threads, by subtrees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from ....errors import InputError
from ....runtime.device import Device
from ....runtime.kernel_structs import filled
from ..symbolic.front_layout import COLUMNS, ROWS, front_sizes
from ..symbolic.symbolic_factor import Analysis
from .solve_kernels import SOLVE_KERNELS, Fronts
from .solve_native import FIELDS
from .thread_schedule import schedule


@dataclass(frozen=True)
class Buffers:
    """Working buffers of a solve of one width."""

    y: wp.array
    x: wp.array
    update: wp.array
    scratch: wp.array


@dataclass(frozen=True)
class Plan:
    """Items (begin, end, part, parts) over a list of fronts, and their number per launch."""

    order: wp.array
    items: wp.array
    launches: tuple[tuple[int, int], ...]  # (offset, count)

    @property
    def most(self) -> int:
        return max(count for _, count in self.launches)


@dataclass(frozen=True)
class Solver:
    """Applies a packed factor to vectors on a device; one solve at a time.

    ``packed``: the tiles of all fronts, those of each from ``packed_start`` (fronts,) on.
    """

    analysis: Analysis
    device: Device
    packed: wp.array
    packed_start: np.ndarray

    @cached_property
    def _buffers(self) -> dict[int, Buffers]:
        return {}

    def kind(self, width: int) -> type:
        """Type of an array of ``width`` right-hand sides."""
        return self.device.types.real if width == 1 else self.device.types.vector(width)

    def buffers(self, width: int) -> Buffers:
        if width not in self._buffers:
            a, d = self.analysis, self.device
            sizes = (a.count, a.count, max(1, len(a.rows)), self.plan.most * self.scratch_size)
            self._buffers[width] = Buffers(*[d.zeros(width * size, d.types.real) for size in sizes])
        return self._buffers[width]

    def prepare(self, width: int) -> None:
        """Allocate and compile for a solve, so that the first one does not wait."""
        self.buffers(width), self.fronts, self.everyone

    @cached_property
    def scratch_size(self) -> int:
        """Working size of the largest front per right-hand side."""
        a, high = self.analysis, ROWS[self.device.precision]
        wide = -(-a.pivots // COLUMNS) * COLUMNS
        return int((wide + -(-(a.pivots + a.below) // high) * high).max())

    @cached_property
    def fronts(self) -> Any:
        """The analysis on the device."""
        a, array = self.analysis, self.device.array
        begin, children = a.children
        columns = {
            "pivots": a.pivots,
            "below": a.below,
            "first": a.start[:-1],
            "row_start": a.row_start[:-1],
            "child_start": begin[:-1],
            "child_end": begin[1:],
            "packed": self.packed_start,
        }
        table = array(np.stack([columns[name] for name in FIELDS], axis=1).reshape(-1), wp.int64)
        lists = {"children": children, "relative": a.relative, "permutation": a.permutation, "rows": a.rows}
        lists = {name: array(values, wp.int32) for name, values in lists.items()}
        return filled(Fronts, table=table, scratch=self.scratch_size, **lists)

    @cached_property
    def everyone(self) -> wp.array:
        return self.device.array(np.ones(self.analysis.fronts), wp.int32)

    @cached_property
    def plan(self) -> Plan:
        """Subtrees for the threads first, then the fronts above them level by level, each shared by all."""
        a, threads = self.analysis, self.device.threads
        weight = front_sizes(a, self.device.precision) + 4.0 * (a.pivots + a.below)
        split = schedule(a, weight, threads)
        ends = np.cumsum([len(b) for b in split.bins])
        items = [(int(e) - len(b), int(e), 0, 1) for b, e in zip(split.bins, ends)]
        launches = [(0, len(items))]
        for depth in np.unique(a.depth[split.top])[::-1]:
            offset = len(items)
            for k in np.flatnonzero(a.depth[split.top] == depth):
                at = int(ends[-1] + k)
                items += [(at, at + 1, part, threads) for part in range(threads)]
            launches.append((offset, len(items) - offset))
        order = np.concatenate([*split.bins, split.top])
        return Plan(self.device.array(order, wp.int32), self.device.array(items, wp.vec4i), tuple(launches))

    def path_plan(self, fronts: np.ndarray) -> Plan:
        """A few fronts in their order, for one thread."""
        items = [(0, len(fronts), 0, 1)]
        return Plan(self.device.array(fronts, wp.int32), self.device.array(items, wp.vec4i), ((0, 1),))

    def solve(self, b: wp.array, out: wp.array, width: int) -> None:
        """out = A⁻¹ b; both (n,) arrays of ``kind(width)`` on the device of the factor, or one and the same."""
        check_vectors(self, b, out, width)
        self.forward(b, width, self.plan, self.everyone)
        self.backward(out, width, self.plan)

    def forward(self, b: wp.array, width: int, plan: Plan, active: wp.array) -> None:
        """L y = b on the fronts of a plan; children that are not ``active`` have no update."""
        held, kernel = self.buffers(width), SOLVE_KERNELS[width](self.device.precision).forward
        given = (plan.items, plan.order, self.fronts, active, self.packed, b, held.scratch, held.update, held.y)
        for offset, count in plan.launches:
            self.device.launch(kernel, count, offset, *given, grain=1)

    def backward(self, out: wp.array, width: int, plan: Plan) -> None:
        """Lᵀ x = y on the fronts of a plan, from the last to the first."""
        held, kernel = self.buffers(width), SOLVE_KERNELS[width](self.device.precision).backward
        given = (plan.items, plan.order, self.fronts, self.packed, held.y, held.scratch, held.x, out)
        for offset, count in plan.launches[::-1]:
            self.device.launch(kernel, count, offset, *given, grain=1)


def check_vectors(solver: object, b: object, out: object, width: int) -> None:
    """Refuse arrays that ``solver`` (this one, or that for a GPU) cannot take."""
    for name, array in (("b", b), ("out", out)):
        if not isinstance(array, wp.array):
            raise InputError(f"{name} is a {type(array).__name__}; expected a Warp array, or solve() for NumPy's")
        right = array.shape == (solver.analysis.count,) and array.dtype is solver.kind(width)
        if not right or array.device != solver.device.warp:
            raise InputError(
                f"{name} has shape {array.shape} and type {array.dtype.__name__} on {array.device}; expected "
                f"({solver.analysis.count},) and {solver.kind(width).__name__} in the precision of the factor on "
                f"{solver.device.name}"
            )
