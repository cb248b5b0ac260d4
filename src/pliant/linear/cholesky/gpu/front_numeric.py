"""Multifrontal factorisation on a GPU, all fronts of a level at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp

from ....runtime.device import Device, Types
from ..cpu.numeric_factor import check_pivots
from ..symbolic.symbolic_factor import Analysis
from .front_kernels import cholesky_front_kernels
from .front_launches import FrontPlan, front_plan


@dataclass(frozen=True)
class FrontNumeric:
    """Factorises matrices of one pattern into panels, one for each front, that ``LevelSolver`` copies from.

    ``device``: where; the CPU can run it too, slowly. ``arithmetic``: "f64", or "f32" where precision suffices. A
    factorisation is the same launches on the same arrays every time, replayed as a graph, and one check of the pivots.
    """

    analysis: Analysis
    device: Device
    arithmetic: str = "f64"

    @cached_property
    def plan(self) -> FrontPlan:
        return front_plan(self.analysis, self.device)

    @cached_property
    def values(self) -> wp.array:
        """Values of the lower triangle, in the order of the pattern."""
        return self.device.zeros(len(self.analysis.pattern.lower_rows), self._real)

    @cached_property
    def packed(self) -> wp.array:
        """Panels [L₁₁; L₂₁ L₁₁⁻¹; L₁₁⁻ᵀ] of all fronts, column after column."""
        return self.device.zeros(self.plan.panels, self._real)

    @property
    def packed_start(self) -> np.ndarray:
        return self.plan.panel_start[:-1]

    @cached_property
    def status(self) -> wp.array:
        """Place of the first pivot of each front that is not positive, counted from 1; 0 where there is none."""
        return self.device.zeros(self.analysis.fronts, wp.int32)

    @cached_property
    def _updates(self) -> wp.array:
        return self.device.zeros(self.plan.updates, self._real)

    @cached_property
    def _graph(self) -> dict:
        return {}

    @property
    def _real(self) -> type:
        return Types(self.arithmetic, "types").real

    @property
    def bytes(self) -> int:
        """Bytes on the device."""
        arrays = (self.values, self.packed, self.status, self._updates, *self.plan.arrays)
        return sum(array.size * wp.types.type_size_in_bytes(array.dtype) for array in arrays)

    def factor(self, lower: np.ndarray) -> None:
        """Factorise the matrix whose lower triangle has the values ``lower``, in the order of the pattern."""
        self.values.assign(lower.astype(wp.dtype_to_numpy(self._real)))
        self.run()

    def reached(self, fronts: np.ndarray) -> np.ndarray:
        """All fronts: a local change costs as much as a new matrix."""
        return np.arange(self.analysis.fronts)

    @cached_property
    def arguments(self) -> dict[str, tuple[wp.array, ...]]:
        """Arguments of each kernel after the tasks and the table."""
        plan, panels, updates = self.plan, self.packed, self._updates
        return {
            "assemble": (plan.gather_start, plan.gather, updates, panels),
            "eliminate_diagonal": (panels, self.status),
            "solve_rows": (panels,),
            "subtract_step": (panels,),
            "subtract_update": (panels, updates),
            "multiply_inverse": (panels,),
        }

    def run(self) -> None:
        """Factorise the matrix whose lower triangle is ``values``."""
        self.launch()
        self.check()

    def launch(self) -> None:
        """The same, without a check of the pivots."""
        given = (self.values, self.arguments)  # allocated before any capture
        self.device.replayed(lambda: self._launch(*given), (), self._graph)

    def check(self) -> None:
        """Refuse a matrix with a pivot that is not positive."""
        check_pivots(self.analysis, self.status.numpy())

    def _launch(self, values: wp.array, arguments: dict[str, tuple[wp.array, ...]]) -> None:
        kernels, plan, d = cholesky_front_kernels(self.arithmetic), self.plan, self.device
        d.clear(self.packed)
        d.clear(self.status)
        d.launch(kernels.put_entries, len(plan.place), plan.place, values, self.packed)
        for name, offset, count in plan.launches:
            kernel, fixed = getattr(kernels, name), (plan.tasks, plan.table, *arguments[name])
            d.launch(kernel, count * d.block, d.block, offset, *fixed, grain=1)
