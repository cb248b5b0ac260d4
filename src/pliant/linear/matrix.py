"""The matrix that energies are assembled into: symmetric, 3×3 blocks over nodes, sparsity fixed when it is made."""

from __future__ import annotations

import numpy as np
import warp as wp

from ..device import Device
from .gather import gather_kernels, gather_lists

AT_ONCE = 100_000  # entries looked up at a time


def _distinct(keys: np.ndarray) -> np.ndarray:
    """Each number once, ascending; sorting is several times faster here than the table that ``np.unique`` makes."""
    keys = np.sort(keys, axis=None)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


class BlockMatrix:
    """A fixed block-sparse symmetric matrix over nodes: rows, columns and 3×3 values.

    Without cells it is its diagonal.
    """

    def __init__(self, device: Device, count: int, cells: list[np.ndarray]):
        self.device, self.count = device, count
        keys = [np.arange(count, dtype=np.int64) * (count + 1)]
        for group in cells:
            group = group.astype(np.int64)
            keys += [_distinct(group[:, i, None] * count + group) for i in range(group.shape[1])]
        self.keys = _distinct(np.concatenate(keys))
        rows = self.keys // count
        self.row_start = np.searchsorted(rows, np.arange(count + 1)).astype(np.int32)
        self.columns = (self.keys % count).astype(np.int32)
        self.diagonal = self.find(np.arange(count), np.arange(count))
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

    def find(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Positions of (row, column) entries in ``values``, −1 for those it does not have."""
        keys = np.asarray(rows, dtype=np.int64) * self.count + np.asarray(columns, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), self.entries - 1)
        return np.where(self.keys[at] == keys, at, -1).astype(np.int32)

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
        nodes = cells.astype(np.int64)
        places = [(row, i, j, 0) for row, (i, j) in enumerate(pairs)]
        places += [(row, j, i, 1) for row, (i, j) in enumerate(pairs) if i != j]  # the transposes
        places.sort(key=lambda place: (place[0], place[3]))
        targets, sources, turns = [], [], []
        few = max(1, AT_ONCE // max(m, 1))
        # all blocks of an element lie side by side on the CPU; on a GPU the same block of all elements
        hop, step = (len(pairs), 1) if device.is_cpu else (1, m)
        for first in range(0, len(places), few):
            row, i, j, turned = np.array(places[first : first + few]).T
            here = np.arange(m) * hop + row[:, None] * step
            rows, columns = nodes.T[i], nodes.T[j]
            there = np.where((rows >= 0) & (columns >= rows), matrix.find(rows, columns), -1).ravel()
            targets.append(there[there >= 0])
            sources.append(here.ravel()[there >= 0])
            turns.append(np.broadcast_to(turned[:, None], here.shape).ravel()[there >= 0])
        target, source, turn = np.concatenate(targets), np.concatenate(sources), np.concatenate(turns)
        there = np.zeros(matrix.entries, bool)
        there[target] = True
        used, inverse = np.flatnonzero(there), (np.cumsum(there) - 1)[target]
        halves, order = gather_lists(
            2 * inverse + turn, 2 * len(used)
        )  # of each list what is as it is, then transposes
        starts, middles = halves[::2], halves[1::2]
        row, column = matrix.keys[used] // matrix.count, matrix.keys[used] % matrix.count
        mirrors = np.where(row < column, matrix.find(column, row), -1)
        self.targets, self.mirrors = device.array(used, wp.int32), device.array(mirrors, wp.int32)
        listed = (starts, middles, source[order])
        self.starts, self.middles, self.lists = (device.array(a, wp.int32) for a in listed)
        self._flat = device.zeros(len(pairs) * m, device.types.mat33)
        size, shape = wp.types.type_size_in_bytes(device.types.mat33), (len(pairs), m)
        self.parts = wp.array(  # (pairs, m) of them
            ptr=self._flat.ptr,
            dtype=device.types.mat33,
            shape=shape,
            strides=(step * size, hop * size),
            device=device.warp,
        )
        self.parts._ref = self._flat  # launches that were recorded keep the memory, too

    def add_to(self, matrix: BlockMatrix) -> None:
        """matrix.values += the sums of ``parts``."""
        kernel = gather_kernels(self.device.precision).gather_blocks
        count = self.targets.shape[0]
        mesh = (self.targets, self.mirrors, self.starts, self.middles, self.lists)
        self.device.launch(kernel, count, *mesh, self._flat, matrix.values, grain=128)
