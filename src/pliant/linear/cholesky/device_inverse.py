"""The sparse inverse S = L⁻¹ where a GPU computes factors: made, and multiplied with, by launches alone."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import warp as wp

from .front_numeric import FrontNumeric
from .fronts import ragged
from .inverse import rows_of
from .inverse_kernels import FRONT, TALL, TILED_KERNELS, WIDE, cholesky_copy_kernels
from .level_solve import LevelSolver
from .path_kernels import cholesky_path_kernels
from .path_plan import path_plan
from .solve import check_vectors


class DeviceInverse:
    """S of a factor on the device of ``numeric``, as ``Inverse`` on the CPU: four launches to a solve, however many levels.

    S is made by the kernels of W along paths, those of all unknowns. The CPU can run it too, slowly.
    """

    def __init__(self, numeric: FrontNumeric, solver: LevelSolver):
        self.analysis, self.device, self.numeric = numeric.analysis, solver.device, numeric
        self.rows, self.kind = rows_of(self.analysis), solver.kind
        d, kind = self.device, numeric.packed.dtype
        self._plan = path_plan(self.analysis, self.analysis.permutation, d)
        self._one = d.array(np.ones(self.analysis.count), kind)
        self._handed = d.zeros(self._plan.handed, kind)
        self._made = d.zeros(self.rows.entries, kind)
        same = kind is d.types.real
        self.values = self._made if same else d.zeros(self.rows.entries, d.types.real)
        self._buffers: dict[int, tuple[wp.array, ...]] = {}
        self._graph: dict = {}

    @property
    def bytes(self) -> int:
        """Bytes of S and of its lists, without what making it and a solve need on their way."""
        arrays = (self.values, *self._lists)
        return sum(array.size * wp.types.type_size_in_bytes(array.dtype) for array in arrays)

    def take(self) -> None:
        """Make S of the present factor."""
        fronts = self.numeric.plan  # made before anything is captured
        given = (self.numeric.packed, fronts.table, fronts.gather_start, fronts.gather)
        self.device.replayed(lambda: self._make(*given), (), self._graph)

    def _make(self, panels: wp.array, fronts: wp.array, gather_start: wp.array, gather: wp.array) -> None:
        d, plan, lanes = self.device, self._plan, self.device.block
        kernels, mesh = cholesky_path_kernels(self.numeric.arithmetic), (plan.tasks, fronts, plan.table)
        given = (gather_start, gather, plan.pivot, self._one)
        for at, count in plan.levels:
            d.launch(kernels.gather_columns, count * lanes, lanes, at, *mesh, *given, self._handed, grain=1)
            d.launch(kernels.pass_on, count * lanes, lanes, at, *mesh, panels, self._handed, self._made, grain=1)
        if self._made is not self.values:
            d.launch(cholesky_copy_kernels(d.precision).narrow, self.rows.entries, self._made, self.values)

    @cached_property
    def _lists(self) -> tuple[wp.array, ...]:
        """Tiles, fronts, the unknown of each column, and its front."""
        r, d = self.rows, self.device
        tall, wide = -(-r.pivots // TALL), -(-r.width // WIDE)
        owner, at = ragged(tall * wide)
        tiles = np.stack([owner, TALL * (at // wide[owner]), WIDE * (at % wide[owner])], axis=1)
        along, down = r.pivots * wide, r.width * tall
        fields = {
            "pivots": r.pivots, "low": r.low, "width": r.width, "first": r.first, "place": r.place,
            "along": np.cumsum(along) - along, "down": np.cumsum(down) - down, "parent": self.analysis.parent,
        }  # fmt: skip
        table = np.stack([fields[name] for name in FRONT], axis=1).reshape(-1)
        self._sizes = len(tiles), int(along.sum()), int(down.sum())
        return (
            d.array(tiles, wp.vec3i), d.array(table, wp.int64), d.array(r.order, wp.int32), d.array(r.owner, wp.int32)
        )  # fmt: skip

    def prepare(self, width: int) -> tuple[wp.array, ...]:
        """Sums of tiles along rows, S b, and sums of tiles down columns."""
        if width not in self._buffers:
            _lists = self._lists
            sizes = (self._sizes[1], len(self.rows.order), self._sizes[2])
            self._buffers[width] = tuple(self.device.zeros(size, self.kind(width)) for size in sizes)
        return self._buffers[width]

    def solve(self, b: wp.array, out: wp.array, width: int) -> None:
        """out = Sᵀ S b; both (n,) arrays of ``kind(width)`` on the device of the factor, or one and the same."""
        check_vectors(self, b, out, width)
        d, lanes, kernels = self.device, self.device.block, TILED_KERNELS[width](self.device.precision)
        along, y, down = self.prepare(width)
        tiles, fronts, order, owner = self._lists
        count, n = self._sizes[0], len(self.rows.order)
        d.launch(kernels.multiply_along, count * lanes, lanes, tiles, fronts, order, self.values, b, along, grain=1)
        d.launch(kernels.add_along, n, fronts, owner, along, y)
        d.launch(kernels.multiply_down, count * lanes, lanes, tiles, fronts, self.values, y, down, grain=1)
        d.launch(kernels.add_down, n, fronts, owner, order, down, out)
