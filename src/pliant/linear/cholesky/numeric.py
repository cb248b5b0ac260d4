"""Multifrontal factorisation on the CPU: all of a matrix, or only what a change reaches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp

from ...device import Device
from ...errors import InputError
from .blas import addresses, one_thread_each
from .layout import front_sizes
from .numeric_native import (
    ASSEMBLE,
    BLOCK,
    FACTOR,
    FIELDS,
    INVERT,
    MULTIPLY,
    PACK,
    SOLVE,
    UPDATE,
    cholesky_factor_kernels,
)
from .schedule import Room, Schedule, schedule
from .symbolic import Analysis


class NotPositiveDefinite(InputError):
    """Elimination met a pivot that is not positive."""


@dataclass(frozen=True)
class Numeric:
    """Factorises matrices of one pattern into one packed array.

    ``analysis``: the fronts; ``device``: a CPU device whose precision is that of the packed factor (the arithmetic
    is in double precision either way); ``keep``: bytes spent on updates kept for later changes, topmost fronts first.
    """

    analysis: Analysis
    device: Device
    keep: int

    @cached_property
    def packed_start(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(front_sizes(self.analysis, self.device.precision))])

    @cached_property
    def packed(self) -> wp.array:
        return self.device.zeros(int(self.packed_start[-1]), self.device.types.real)

    @cached_property
    def is_kept(self) -> np.ndarray:
        """Fronts whose update outlives the factorisation (fronts,)."""
        squares = self.analysis.below**2
        order = np.argsort(self.analysis.depth, kind="stable")
        kept = np.zeros(self.analysis.fronts, bool)
        kept[order] = 8 * np.cumsum(squares[order]) <= self.keep
        return kept

    @cached_property
    def kept(self) -> wp.array:
        return self.device.zeros(max(1, int((self.analysis.below**2)[self.is_kept].sum())), wp.float64)

    @cached_property
    def _lists(self) -> tuple[wp.array, ...]:
        """Children, relative places, entry places and addresses, which never change."""
        a, d = self.analysis, self.device
        return (
            d.array(a.children[1], wp.int32),
            d.array(a.relative, wp.int32),
            d.array(a.entry_place, wp.int64),
            d.array(addresses(), wp.uint64),
        )

    @cached_property
    def _whole(self) -> tuple[Schedule, wp.array, int]:
        return self._planned(None)

    def factor(self, lower: np.ndarray) -> None:
        """Factorise the matrix whose lower triangle has the values ``lower``, in the order of the pattern."""
        self._run(lower, *self._whole)

    def refactor(self, lower: np.ndarray, fronts: np.ndarray) -> None:
        """Factorise again only ``fronts``, as ``reached`` found them."""
        self._run(lower, *self._planned(fronts))

    def reached(self, fronts: np.ndarray) -> np.ndarray:
        """All fronts to redo when entries of some change: paths to the root, and updates that were not kept."""
        a = self.analysis
        begin, listed = a.children
        marked = np.zeros(a.fronts, bool)
        stack = list(a.paths(fronts))
        marked[stack] = True
        while stack:
            f = stack.pop()
            for child in listed[begin[f] : begin[f + 1]]:
                if not marked[child] and not self.is_kept[child]:
                    marked[child] = True
                    stack.append(child)
        return np.flatnonzero(marked)

    def _planned(self, wanted: np.ndarray | None) -> tuple[Schedule, wp.array, int]:
        """The schedule, the table of fronts and the working doubles that it needs."""
        a = self.analysis
        plan = schedule(a, a.flops + 3.0 * (a.pivots + a.below) ** 2, self.device.threads, wanted)
        table = np.zeros((a.fronts, len(FIELDS)), np.int64)
        field = {name: table[:, k] for k, name in enumerate(FIELDS)}
        begin, listed = a.children
        field["pivots"][:], field["below"][:] = a.pivots, a.below
        field["row_start"][:] = a.row_start[:-1]
        field["child_start"][:], field["child_end"][:] = begin[:-1], begin[1:]
        field["entry_start"][:], field["entry_end"][:] = a.entry_start[:-1], a.entry_start[1:]
        field["is_kept"][:], field["packed"][:] = self.is_kept, self.packed_start[:-1]
        squares = a.below**2
        field["update"][self.is_kept] = np.cumsum(squares[self.is_kept]) - squares[self.is_kept]
        base = 0
        for fronts in (*plan.bins, plan.top):
            room, here = Room(base), set()
            for f in fronts.tolist():
                c, height = int(a.pivots[f]), int(a.pivots[f] + a.below[f])
                if not self.is_kept[f]:
                    here.add(f)
                    field["update"][f] = room.take(int(squares[f]))
                scratch = room.take(c * (height + c))
                field["panel"][f], field["inverse"][f] = scratch, scratch + c * height
                room.give(scratch, c * (height + c))
                for child in listed[begin[f] : begin[f + 1]]:
                    if child in here:
                        room.give(int(field["update"][child]), int(squares[child]))
            base = room.peak
        return plan, self.device.array(table.reshape(-1), wp.int64), base

    def _run(self, lower: np.ndarray, plan: Schedule, table: wp.array, doubles: int) -> None:
        a, device = self.analysis, self.device
        kernels = cholesky_factor_kernels(device.precision)
        children, relative, place, blas = self._lists
        group_start = device.array(np.concatenate([[0], np.cumsum([len(b) for b in plan.bins])]), wp.int32)
        group = device.array(np.concatenate(plan.bins), wp.int32)
        values = device.array(lower[a.entry_order], wp.float64)
        work = wp.empty(max(1, doubles), dtype=wp.float64, device=device.warp)
        status = device.zeros(a.fronts, wp.int32)
        fixed = (table, children, relative, place, values, work, self.kept, self.packed, status)
        with one_thread_each():
            device.launch(kernels.factor_fronts, len(plan.bins), blas, group_start, group, *fixed, grain=1)
            for f in plan.top.tolist():
                for stage, block in _stages(int(a.pivots[f])):
                    parts = device.threads
                    device.launch(kernels.factor_stage, parts, f, stage, block, parts, blas, *fixed, grain=1)
        device.forget(status)  # the arrays of this call go
        check_pivots(a, status.numpy())

    @property
    def bytes(self) -> int:
        """Bytes of the packed factor and of the updates kept for local changes."""
        kept = 8 * int((self.analysis.below**2)[self.is_kept].sum())
        return self.packed.size * wp.types.type_size_in_bytes(self.packed.dtype) + kept


def check_pivots(analysis: Analysis, status: np.ndarray) -> None:
    """Refuse a matrix where a front met a pivot that is not positive, at the place ``status`` (fronts,), from 1."""
    failed = np.flatnonzero(status)
    if len(failed):
        row = int(analysis.permutation[analysis.start[failed[0]] + status[failed[0]] - 1])
        raise NotPositiveDefinite(
            f"the matrix is not positive definite: elimination met a pivot that is not positive at row {row}; "
            "expected a positive definite matrix, so add mass or stiffness there"
        )


def _stages(pivots: int) -> list[tuple[int, int]]:
    """Stages of a front and their blocks, in order."""
    blocks = range(-(-pivots // BLOCK))
    elimination = [(stage, k) for k in blocks for stage in (FACTOR, SOLVE, UPDATE)]
    return [(ASSEMBLE, 0), *elimination, (INVERT, 0), (MULTIPLY, 0), (PACK, 0)]
