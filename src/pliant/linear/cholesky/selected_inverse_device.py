"""Selected inverse on the device, grown by unknowns.

Nothing is read back. The launch lists are built on the host for each new set of unknowns, and are
kept: with another factor and the same unknowns the same launches are replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ..matrix.block_factor_kernels import factored_kernels
from .gpu.front_numeric import FrontNumeric
from .gpu.selected_inverse_kernels import cholesky_path_kernels, columns_struct
from .gpu.selected_inverse_plan import Meeting, PathPlan, meeting, path_plan
from .selected_inverse import MOST, ROOM

BATCHES = 8  # of successively added unknowns; more are merged
SPARE = 2.0  # known unknowns over wanted ones, up to which a new factor computes all of them


@dataclass(frozen=True)
class Batch:
    """Unknowns added together: their columns of L⁻¹ and their products with earlier batches and themselves."""

    plan: PathPlan
    columns: Any  # arguments of products
    one: wp.array
    unknowns: wp.array
    meetings: tuple[Meeting, ...]


class DevicePaths:
    """A⁻¹ between unknowns of an ``operator`` whose factor is computed on a GPU: ``inverse[i · size + j]`` for places i ≥ j."""

    def __init__(self, operator: Any):
        self.operator, self.version = operator, operator.version
        self.numeric: FrontNumeric = operator.factor.numeric
        own = self.numeric.device
        self.device = Device(own.name, own.precision, own.threads)  # whose launches are discarded as unknowns change
        self.kernels = cholesky_path_kernels(self.numeric.arithmetic)
        self.place = np.full(self.numeric.analysis.count, -1)
        self.known, self.batches = np.zeros(0, np.int64), []
        self.size, self.inverse = 0, None
        self.solved = 0  # unknowns whose columns were computed
        self._handed: wp.array | None = None
        self._graph: dict = {}

    @property
    def is_stale(self) -> bool:
        """Whether the factor has changed."""
        return self.version != self.operator.version

    def spoil(self) -> None:
        """Forget all values: the next call computes them again."""
        self.version = None

    def refresh(self) -> None:
        """Recompute all known entries with the present factor."""
        self.version = self.operator.version
        self.solved += len(self.known)
        self.device.replayed(self._compute_all, (len(self.known), self.size, len(self.batches)), self._graph)

    def between(self, unknowns: np.ndarray) -> np.ndarray:
        """Compute missing entries of A⁻¹ between distinct unknowns; returns their indices in ``inverse``."""
        missing = unknowns[self.place[unknowns] < 0]
        whole = not len(missing) and len(self.known) <= SPARE * len(unknowns)
        if self.is_stale and whole:
            self.refresh()
        elif self.is_stale or (len(missing) and (len(self.known) + len(missing) > MOST or len(self.batches) == BATCHES)):
            wanted = unknowns
            if not self.is_stale and len(self.known) + len(missing) <= MOST:
                wanted = np.concatenate([self.known, missing])  # all batches in one
            self._begin()
            self._grow(wanted)
        elif len(missing):
            self._grow(missing)
        return self.place[unknowns]

    def _begin(self) -> None:
        self.version = self.operator.version
        self.place[:] = -1
        self.known, self.batches = np.zeros(0, np.int64), []
        self._graph.clear()
        self.device.forget()
        if self.inverse is not None:
            self.device.clear(self.inverse)

    def _grow(self, new: np.ndarray) -> None:
        """Add unknowns to the known ones."""
        d, first = self.device, len(self.known)
        plan = path_plan(self.numeric.analysis, new, d)
        self.place[plan.unknowns] = np.arange(first, first + len(new))
        self.known = np.concatenate([self.known, plan.unknowns])
        self._make_room(len(self.known))
        if self._handed is None or len(self._handed) < plan.handed:
            self._handed = d.zeros(plan.handed, self.numeric.packed.dtype)
        kind = self.numeric.packed.dtype
        one, solved = d.zeros(len(new), kind), d.zeros(plan.solved, kind)
        earlier = [batch.plan for batch in self.batches]
        meetings = tuple(meeting(self.numeric.analysis.pivots, other, plan, d) for other in (*earlier, plan))
        columns = filled(columns_struct(self.numeric.arithmetic), first=first, table=plan.table, solved=solved)
        batch = Batch(plan, columns, one, d.array(plan.unknowns, wp.int32), meetings)
        self.batches.append(batch)
        self._graph.clear()
        self.solved += len(new)
        self._compute(batch)

    def _make_room(self, count: int) -> None:
        if count <= self.size:
            return
        size = -(-max(count, int(1.25 * self.size)) // ROOM) * ROOM
        inverse = self.device.zeros(size * size, self.numeric.packed.dtype)
        if self.inverse is not None:
            old = self.size
            there = inverse.reshape((size, size))[:old, :old]
            wp.copy(there, self.inverse.reshape((old, old)))
        self.size, self.inverse = size, inverse

    def _compute_all(self) -> None:
        self.device.clear(self.inverse)
        for batch in self.batches:
            self._compute(batch)

    def _compute(self, batch: Batch) -> None:
        """Columns of a batch level by level, then their products with all columns so far."""
        d, kernels, plan, handed = self.device, self.kernels, batch.plan, self._handed
        fronts, lanes, panels = self.numeric.plan, self.device.block, self.numeric.packed
        picked = factored_kernels(self.operator.device.precision).pick_free
        d.launch(picked, len(batch.unknowns), batch.unknowns, self.operator.held, batch.one)
        lists, given = (fronts.gather_start, fronts.gather), (plan.pivot, batch.one)
        mesh = (plan.tasks, fronts.table, plan.table)
        for at, count in plan.levels:
            d.launch(kernels.gather_columns, count * lanes, lanes, at, *mesh, *lists, *given, handed, grain=1)
            d.launch(kernels.pass_on, count * lanes, lanes, at, *mesh, panels, handed, batch.columns.solved, grain=1)
        for other, tiles in zip(self.batches, batch.meetings):
            places = (lanes, self.size, tiles.tasks, tiles.segments, fronts.table, other.columns, batch.columns)
            d.launch(kernels.multiply_columns, tiles.count * lanes, *places, self.inverse, grain=1)
