"""Sparse inverse S = L⁻¹ on the device (after Zeng 2025).

The column of S of an unknown is zero off the path from its front to the root, so the rows of a front are one dense block
over all unknowns below it and its own. In an order in which these are contiguous, S is a list of such blocks and needs no
indices. Its fill-in over L grows with the mesh. A GPU
computes it, and multiplies with it, by launches alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp

from ....errors import InputError
from ..cpu.triangular_solve import check_vectors
from ..symbolic.symbolic_factor import Analysis
from .front_launches import ragged
from .front_numeric import FrontNumeric
from .level_solve import LevelSolver
from .selected_inverse_kernels import cholesky_path_kernels
from .selected_inverse_plan import columns_of, path_plan
from .sparse_inverse_kernels import FRONT, TALL, TILED_KERNELS, WIDE, cholesky_copy_kernels

MOST_ENTRIES = 2**31 - 1  # of S, which is one array


@dataclass(frozen=True)
class Rows:
    """Layout of the rows of S: front f has ``pivots[f]`` rows of ``width[f]`` values each, from ``place[f]`` on.

    They cover the columns from ``low[f]`` on, of which the front's own begin at ``first[f]``.
    Column j is that of the unknown ``order[j]``, of the front ``owner[j]``.
    """

    order: np.ndarray
    owner: np.ndarray
    pivots: np.ndarray
    low: np.ndarray
    width: np.ndarray
    first: np.ndarray
    place: np.ndarray
    entries: int


def rows_of(a: Analysis) -> Rows:
    """Lay out the inverse of the factors of a pattern."""
    laid = columns_of(a, a.permutation)
    sizes = a.pivots * laid.width
    if sizes.sum() > MOST_ENTRIES:
        raise InputError(
            f"the sparse inverse of {a.count} unknowns would have {sizes.sum()} entries, {sizes.sum() / a.nnz:.0f} times those "
            "of the factor; expected a smaller mesh, or linear=Direct(), which substitutes"
        )
    first = laid.low + laid.width - a.pivots
    owner = a.owner[a.inverse[laid.unknowns]]
    place = np.cumsum(sizes) - sizes
    return Rows(laid.unknowns, owner, a.pivots, laid.low, laid.width, first, place, int(sizes.sum()))


class DeviceInverse:
    """S of a factor on the device of ``numeric``: four launches per solve, for any number of levels. One solve at a time.

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
        """Bytes of S and of its lists, without working memory."""
        arrays = (self.values, *self._lists)
        return sum(array.size * wp.types.type_size_in_bytes(array.dtype) for array in arrays)

    def take(self) -> None:
        """Make S of the present factor."""
        fronts = self.numeric.plan  # computed before any capture
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
