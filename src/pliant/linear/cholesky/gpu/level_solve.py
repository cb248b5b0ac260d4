"""Level-by-level solves with a factor on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np
import warp as wp

from ....runtime.device import Device
from ..cpu.triangular_solve import check_vectors
from ..symbolic.symbolic_factor import Analysis
from .elimination_levels import Levels, levels_of
from .level_kernels import LEVEL_KERNELS, cholesky_block_kernels, padded


@dataclass(frozen=True)
class LevelBuffers:
    """Working buffers of a solve of one width."""

    line: wp.array
    lower_partial: wp.array
    upper_partial: wp.array


@dataclass(frozen=True)
class LevelSolver:
    """Applies a factor to vectors on a GPU, whole levels of the tree at a time; one solve at a time.

    ``packed_start`` (fronts,): where each front starts in the argument of ``take``. ``copies``: kernels that copy from
    there, from the tiles of ``Numeric`` or from the panels of ``FrontNumeric``. The CPU can run it too, slowly. A solve is
    the same launches on the same arrays every time, without the host.
    """

    analysis: Analysis
    device: Device
    packed_start: np.ndarray
    copies: Callable[[str], SimpleNamespace] = cholesky_block_kernels

    @cached_property
    def levels(self) -> Levels:
        return levels_of(self.analysis, self.packed_start, self.device)

    @cached_property
    def lower(self) -> wp.array:
        """Blocks for L, column after column."""
        return self.device.zeros(self.levels.lower.entries, self.device.types.real)

    @cached_property
    def upper(self) -> wp.array:
        """Blocks for Lᵀ, row after row."""
        return self.device.zeros(self.levels.upper.entries, self.device.types.real)

    @cached_property
    def _buffers(self) -> dict[int, LevelBuffers]:
        return {}

    def kind(self, width: int) -> type:
        """Type of an array of ``width`` right-hand sides."""
        return self.device.types.real if width == 1 else self.device.types.vector(width)

    def buffers(self, width: int) -> LevelBuffers:
        if width not in self._buffers:
            d, v = self.device, self.levels
            line = d.zeros(v.lines, self.kind(padded(width)))
            partials = [d.zeros(blocks.partials, self.kind(width)) for blocks in (v.lower, v.upper)]
            self._buffers[width] = LevelBuffers(line, *partials)
        return self._buffers[width]

    @property
    def bytes(self) -> int:
        """Bytes on the device: both copies of the factor, index lists, and buffers of the widths solved so far."""
        held = [array for b in self._buffers.values() for array in (b.line, b.lower_partial, b.upper_partial)]
        arrays = (self.lower, self.upper, *self.levels.arrays, *held)
        return sum(array.size * wp.types.type_size_in_bytes(array.dtype) for array in arrays)

    def take(self, packed: wp.array) -> None:
        """Copy a factor, from any device, into the blocks; it is not kept."""
        here = packed.device == self.device.warp
        given = packed if here else packed.to(self.device.warp)
        kernels, v = self.copies(self.device.precision), self.levels
        for kernel, blocks, matrix in ((kernels.copy_lower, v.lower, self.lower), (kernels.copy_upper, v.upper, self.upper)):
            self.device.launch(kernel, blocks.pieces, blocks.block_of, blocks.table, given, matrix, grain=256)
        if not here:
            self.device.forget()  # free the copy of this call

    def solve(self, b: wp.array, out: wp.array, width: int) -> None:
        """out = A⁻¹ b; both (n,) arrays of ``kind(width)`` on the device of the factor, or one and the same."""
        check_vectors(self, b, out, width)
        v, held, launch = self.levels, self.buffers(width), self.device.launch
        kernels = LEVEL_KERNELS[width](self.device.precision)
        line, lower_partial, upper_partial = held.line, held.lower_partial, held.upper_partial
        for (offset, lines), (at, pieces) in zip(v.line_spans, v.lower.spans):
            launch(kernels.collect, lines, offset, v.line_node, v.gather_start, v.gather, b, lower_partial, line)
            launch(kernels.lower_pieces, pieces, at, v.lower.block_of, v.lower.table, self.lower, line, lower_partial)
        for (offset, lines), (at, pieces) in zip(v.line_spans[::-1], v.upper.spans[::-1]):
            launch(kernels.hand_down, lines, offset, v.sources, lower_partial, upper_partial, line)
            launch(kernels.upper_pieces, pieces, at, v.upper.block_of, v.upper.table, self.upper, line, upper_partial)
        launch(kernels.finish, self.analysis.count, v.results, upper_partial, out)
