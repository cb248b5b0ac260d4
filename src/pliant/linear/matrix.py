"""The matrix that energies are assembled into: symmetric, 3×3 blocks over nodes, sparsity fixed when it is made."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np
import warp as wp

from ..device import Device
from .gather import gather_kernels
from .pattern import Pattern, Sums, renewed_pattern


class BlockMatrix:
    """A fixed block-sparse symmetric matrix over nodes: rows, columns and 3×3 values.

    Without cells or a ``pattern`` it is its diagonal. ``before`` is a matrix whose rows are rows ``numbers`` of this one: of its
    pattern, and of the lists of the ``BlockGather``s made for it, only what differs is made anew, until ``settle()``.
    """

    def __init__(
        self,
        device: Device,
        count: int,
        cells: list[np.ndarray],
        before: BlockMatrix | None = None,
        numbers: np.ndarray | None = None,
        pattern: Pattern | None = None,
    ):
        self.device, self.count = device, count
        if pattern is not None:
            self.pattern = pattern
        elif before is None or numbers is None:
            self.pattern = Pattern(count, cells)
        else:
            self.pattern = renewed_pattern(before.pattern, numbers, count, cells)
        self._gathers: list[weakref.ref[BlockGather]] = []
        self._earlier = before.gathers if self.pattern.renewal is not None and before is not None else []
        self.keys, self.columns, self.row_start = self.pattern.keys, self.pattern.columns, self.pattern.row_start
        self.diagonal = self.pattern.diagonal
        mat33 = device.types.mat33
        self.device_rows = device.array(self.row_start, wp.int32)
        self.device_columns = device.array(self.columns, wp.int32)
        self.device_diagonal = device.array(self.diagonal, wp.int32)
        self.values = device.zeros(len(self.columns), mat33)

    @property
    def entries(self) -> int:
        return len(self.columns)

    @property
    def is_diagonal(self) -> bool:
        return self.entries == self.count

    @property
    def gathers(self) -> list[BlockGather]:
        """What is added up in it, in the order in which that was made."""
        return [gather for gather in (each() for each in self._gathers) if gather is not None]

    def follow(
        self, gather: BlockGather, shape: tuple[int, ...], pairs: Sequence[tuple[int, int]]
    ) -> BlockGather | None:
        """Note what is added up in it; returns its like of the matrix before, if there is one."""
        self._gathers = [each for each in self._gathers if each() is not None] + [weakref.ref(gather)]
        for i, other in enumerate(self._earlier):
            if (other.sums.cells.shape, other.sums.pairs) == (shape, list(pairs)):
                return self._earlier.pop(i)
        return None

    def settle(self) -> None:
        """Forget the matrix before."""
        self._earlier, self.pattern.renewal, self.pattern.sums = [], None, []

    def find(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Positions of (row, column) entries in ``values``, −1 for those it does not have."""
        return self.pattern.find(rows, columns)

    def clear(self) -> None:
        self.device.clear(self.values)

    def multiply(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale A x."""
        kernel = gather_kernels(self.device.precision).add_product
        mesh = (self.device_rows, self.device_columns)
        self.device.launch(kernel, self.count, *mesh, float(scale), self.values, x, out, grain=128)


class BlockGather:
    """Element matrices summed into a block matrix by pairs of corners: its upper half, of which the lower is the mirror.

    Corners of number −1 are left out.
    """

    def __init__(self, device: Device, matrix: BlockMatrix, cells: np.ndarray, pairs: list[tuple[int, int]]):
        self.device, m = device, len(cells)
        # all blocks of an element lie side by side on the CPU; on a GPU the same block of all elements
        hop, step = (len(pairs), 1) if device.is_cpu else (1, m)
        before = matrix.follow(self, cells.shape, pairs)
        known = [each for each in matrix.pattern.sums if each.is_of(cells, pairs, (hop, step))]
        earlier = None if before is None else before.sums
        self.sums = known[0] if known else Sums(matrix.pattern, cells, pairs, (hop, step), earlier)
        listed = (self.sums.targets, self.sums.mirrors, self.sums.halves[::2], self.sums.halves[1::2], self.sums.lists)
        self.targets, self.mirrors, self.starts, self.middles, self.lists = (device.array(a, wp.int32) for a in listed)
        # blocks are written before they are added up, so that those of the matrix before may be written on
        size, shape = wp.types.type_size_in_bytes(device.types.mat33), (len(pairs), m)
        self._flat = device.zeros(len(pairs) * m, device.types.mat33) if before is None else before._flat
        self.parts = wp.array(  # (pairs, m) of them
            ptr=self._flat.ptr,
            dtype=device.types.mat33,
            shape=shape,
            strides=(step * size, hop * size),
            device=device.warp,
        )
        self.parts._ref = self._flat  # launches that were recorded keep the memory, too

    def add_by(self, kernel: wp.Kernel, of_elements: wp.array, matrix: BlockMatrix) -> None:
        """matrix.values += the sums of what ``kernel`` finds in an array of the elements for pairs of corners."""
        mesh = (self.targets, self.mirrors, self.starts, self.middles, self.lists)
        self.device.launch(kernel, self.targets.shape[0], *mesh, of_elements, matrix.values, grain=128)

    def add_to(self, matrix: BlockMatrix) -> None:
        """matrix.values += the sums of ``parts``."""
        kernel = gather_kernels(self.device.precision).gather_blocks
        count = self.targets.shape[0]
        mesh = (self.targets, self.mirrors, self.starts, self.middles, self.lists)
        self.device.launch(kernel, count, *mesh, self._flat, matrix.values, grain=128)
