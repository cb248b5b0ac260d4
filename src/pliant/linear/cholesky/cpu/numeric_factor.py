"""Multifrontal factorisation on the CPU, whole or local."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from ....errors import InputError
from ....runtime.device import Device
from ....runtime.kernel_structs import filled
from ..symbolic.front_layout import front_sizes
from ..symbolic.symbolic_factor import Analysis
from .blas import addresses, one_thread_each
from .front_store import Store
from .numeric_native import (
    ASSEMBLE,
    BLOCK,
    FACTOR,
    FIELDS,
    INVERT,
    KEEP,
    MULTIPLY,
    PACK,
    SOLVE,
    UPDATE,
    Fronts,
    cholesky_factor_kernels,
)
from .thread_schedule import Room, Schedule, schedule

KEPT_ROOM = 2**22  # most doubles of working memory kept between factorisations


class NotPositiveDefinite(InputError):
    """Elimination met a pivot that is not positive."""


@dataclass(frozen=True)
class Plan:
    """A schedule and the arguments of its launches: the ``fronts``, the ``group`` of each thread, the ``values`` of the matrix
    front by front, ``status`` (fronts,) and the number of working ``doubles``, whose ``room`` is kept if small."""

    schedule: Schedule
    fronts: Any
    group_start: wp.array
    group: wp.array
    values: wp.array
    status: wp.array
    doubles: int
    room: wp.array | None

    def working(self, device: Device) -> wp.array:
        """Uninitialised memory for the fronts."""
        return _doubles(device, self.doubles) if self.room is None else self.room


def _doubles(device: Device, count: int) -> wp.array:
    return wp.empty(max(1, count), dtype=wp.float64, device=device.warp)


@dataclass(frozen=True)
class Numeric:
    """Factorises matrices of one pattern into one packed array.

    ``analysis``: the fronts; ``device``: a CPU device whose precision is that of the packed factor (the arithmetic
    is in double precision either way). ``tiles``: the factor; ``updates``: the updates of fronts for their parents, where
    ``is_kept`` (fronts,), for reuse by later changes.
    """

    analysis: Analysis
    device: Device
    is_kept: np.ndarray
    tiles: Store
    updates: Store

    @property
    def packed(self) -> wp.array:
        return self.tiles.array

    @property
    def packed_start(self) -> np.ndarray:
        """(fronts,) where the tiles of each front begin."""
        return self.tiles.at

    def grown(self, analysis: Analysis, redone: np.ndarray) -> Numeric:
        """For the same fronts with other rows, in the same arrays: this one becomes invalid, and ``redone`` have no values
        until ``refactor``."""
        if "_whole" in self.__dict__:
            self.device.forget(self._whole.status)
        self.tiles.fit(front_sizes(analysis, self.device.precision), redone)
        self.updates.fit(_triangles(analysis, self.is_kept), redone)
        return Numeric(analysis, self.device, self.is_kept, self.tiles, self.updates)

    @cached_property
    def _lists(self) -> dict[str, wp.array]:
        """Lists of the fronts, which are constant."""
        a, array = self.analysis, self.device.array
        lists = {"children": array(a.children[1], wp.int32), "relative": array(a.relative, wp.int32)}
        return lists | {"place": array(a.entry_place, wp.int64), "blas": array(addresses(), wp.uint64)}

    @cached_property
    def _whole(self) -> Plan:
        return self._planned(None)

    def factor(self, lower: np.ndarray) -> None:
        """Factorise the matrix whose lower triangle has the values ``lower``, in the order of the pattern."""
        self._run(lower, self._whole)

    def refactor(self, lower: np.ndarray, fronts: np.ndarray) -> None:
        """Refactorise only ``fronts``, from ``reached``."""
        plan = self._planned(fronts)
        try:
            self._run(lower, plan)
        finally:
            self.device.forget(plan.status)  # free the arrays of this call

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

    def _planned(self, wanted: np.ndarray | None) -> Plan:
        """The plan for some fronts, or for all."""
        a = self.analysis
        plan = schedule(a, a.flops + 3.0 * (a.pivots + a.below) ** 2, self.device.threads, wanted)
        table = np.zeros((a.fronts, len(FIELDS)), np.int64)
        field = {name: table[:, k] for k, name in enumerate(FIELDS)}
        begin, listed = a.children
        field["pivots"][:], field["below"][:] = a.pivots, a.below
        field["row_start"][:] = a.row_start[:-1]
        field["child_start"][:], field["child_end"][:] = begin[:-1], begin[1:]
        field["entry_start"][:], field["entry_end"][:] = a.entry_start[:-1], a.entry_start[1:]
        field["kept"][:], field["packed"][:] = np.where(self.is_kept, self.updates.at, -1), self.packed_start
        squares = a.below**2
        base = 0
        for fronts in (*plan.bins, plan.top):
            room, here = Room(base), set()
            for f in fronts.tolist():
                c, height = int(a.pivots[f]), int(a.pivots[f] + a.below[f])
                update, scratch = room.take(int(squares[f])), room.take(c * (height + c))
                field["update"][f], field["panel"][f], field["inverse"][f] = update, scratch, scratch + c * height
                room.give(scratch, c * (height + c))
                if self.is_kept[f]:
                    room.give(update, int(squares[f]))
                else:
                    here.add(f)
                for child in listed[begin[f] : begin[f + 1]]:
                    if child in here:
                        room.give(int(field["update"][child]), int(squares[child]))
            base = room.peak
        d, ends = self.device, np.cumsum([0, *map(len, plan.bins)])
        return Plan(
            plan,
            filled(Fronts, table=d.array(table.reshape(-1), wp.int64), **self._lists),
            group_start=d.array(ends, wp.int32),
            group=d.array(np.concatenate(plan.bins), wp.int32),
            values=d.zeros(len(a.entry_order), wp.float64),
            status=d.zeros(a.fronts, wp.int32),
            doubles=base,
            room=_doubles(d, base) if wanted is None and base <= KEPT_ROOM else None,
        )

    def _run(self, lower: np.ndarray, plan: Plan) -> None:
        a, device, work = self.analysis, self.device, plan.working(self.device)
        kernels = cholesky_factor_kernels(device.precision)
        np.take(lower, a.entry_order, out=plan.values.numpy(), mode="clip")  # "raise" would take a copy
        plan.status.zero_()
        fixed = (plan.fronts, plan.values, work, self.updates.array, self.packed, plan.status)
        with one_thread_each():
            bins = (plan.group_start, plan.group)
            device.launch(kernels.factor_fronts, len(plan.schedule.bins), *bins, *fixed, grain=1)
            for f in plan.schedule.top.tolist():
                for stage, block in _stages(int(a.pivots[f]), self.is_kept[f]):
                    parts = device.threads
                    device.launch(kernels.factor_stage, parts, f, stage, block, parts, *fixed, grain=1)
        if plan.room is None:
            device.forget(work)  # free the memory of this call
        check_pivots(a, plan.status.numpy())

    @property
    def bytes(self) -> int:
        """Bytes of the packed factor and of the updates kept for local changes."""
        return self.tiles.bytes + self.updates.bytes


def numeric(analysis: Analysis, device: Device, keep: int = 0) -> Numeric:
    """Storage for the factors of a pattern; ``keep``: bytes for kept updates, those of the topmost fronts first."""
    order = np.argsort(analysis.depth, kind="stable")
    sizes = _triangles(analysis, np.ones(analysis.fronts, bool))
    is_kept = np.zeros(analysis.fronts, bool)
    is_kept[order] = 8 * np.cumsum(sizes[order]) <= keep
    tiles = Store(device, device.types.real, front_sizes(analysis, device.precision))
    return Numeric(analysis, device, is_kept, tiles, Store(device, wp.float64, np.where(is_kept, sizes, 0)))


def _triangles(analysis: Analysis, is_kept: np.ndarray) -> np.ndarray:
    """Entries in the lower triangle of the kept update of each front (fronts,)."""
    return np.where(is_kept, analysis.below * (analysis.below + 1) // 2, 0)


def check_pivots(analysis: Analysis, status: np.ndarray) -> None:
    """Refuse a matrix with a pivot that is not positive in a front, at index ``status`` (fronts,), from 1."""
    failed = np.flatnonzero(status)
    if len(failed):
        row = int(analysis.permutation[analysis.start[failed[0]] + status[failed[0]] - 1])
        raise NotPositiveDefinite(
            f"the matrix is not positive definite: the pivot of row {row} is not positive; expected "
            "a positive definite matrix, so add mass or stiffness there"
        )


def _stages(pivots: int, is_kept: bool) -> list[tuple[int, int]]:
    """Stages of a front and their blocks, in order."""
    blocks = range(-(-pivots // BLOCK))
    elimination = [(stage, k) for k in blocks for stage in (FACTOR, SOLVE, UPDATE)]
    elimination += [(KEEP, 0)] if is_kept else []
    return [(ASSEMBLE, 0), *elimination, (INVERT, 0), (MULTIPLY, 0), (PACK, 0)]
