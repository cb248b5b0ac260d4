"""Block matrix over nodes, symmetric, sparsity fixed."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np
import warp as wp

from ...geometry.mesh.vertex_cells import equal
from ...runtime.device import Device
from ...runtime.scatter_writes import write
from .gather import gather_kernels
from .sparsity_pattern import Pattern, Sums, renewed_pattern


class BlockMatrix:
    """A fixed block-sparse symmetric matrix over nodes: rows, columns and 3×3 values.

    Without cells or a ``pattern`` it is its diagonal. ``before`` is a matrix whose rows are rows ``numbers`` of this one: of its
    pattern, and of the lists of the ``BlockGather``s made for it, only what differs is made anew, until ``settle()``.
    ``spare`` entries and as many sums more have room in its arrays, for ``renew``, and ``loose`` entries for ``join``.
    """

    def __init__(
        self,
        device: Device,
        count: int,
        cells: list[np.ndarray],
        before: BlockMatrix | None = None,
        numbers: np.ndarray | None = None,
        pattern: Pattern | None = None,
        spare: int = 0,
        loose: int = 0,
    ):
        self.device, self.count, self.spare = device, count, spare
        if pattern is not None:
            self.pattern = pattern
        elif before is None or numbers is None:
            self.pattern = Pattern(count, cells)
        else:
            self.pattern = renewed_pattern(before.pattern, numbers, count, cells)
        self._gathers: list[weakref.ref[BlockGather]] = []
        self._earlier = before.gathers if self.pattern.renewal is not None and before is not None else []
        # after the entries to spare come those on which sums to spare are written
        self.room = self.entries + spare + loose
        self.device_rows = device.array(self.row_start, wp.int32)
        self.device_columns = device.array(roomy(self.columns, self.room, 0), wp.int32)
        self.device_diagonal = device.array(self.diagonal, wp.int32)
        self.values = device.zeros(self.room + spare, device.types.mat33)

    @property
    def entries(self) -> int:
        return len(self.columns)

    @property
    def keys(self) -> np.ndarray:
        return self.pattern.keys

    @property
    def columns(self) -> np.ndarray:
        return self.pattern.columns

    @property
    def row_start(self) -> np.ndarray:
        return self.pattern.row_start

    @property
    def diagonal(self) -> np.ndarray:
        """(n,) where the blocks of the nodes themselves are."""
        return self.pattern.diagonal

    def renew(self, pattern: Pattern) -> bool:
        """Go on with a pattern that follows from its own, in the same arrays, so that launches that were recorded stay valid;
        False, with nothing changed, where there is no room."""
        if pattern.renewal is None or pattern.count != self.count or pattern.entries > self.room:
            return False
        made = [(gather, gather.renewed(pattern)) for gather in self.gathers]
        if any(sums is None for _, sums in made):
            return False
        self._write(pattern)
        for gather, sums in made:
            gather.take(sums)
        self.settle()
        return True

    def _write(self, pattern: Pattern) -> None:
        self.pattern = pattern
        for array, values in ((self.device_rows, self.row_start), (self.device_diagonal, self.diagonal)):
            write(self.device, array, values)
        write(self.device, self.device_columns, self.columns)

    def join(self, pattern: Pattern) -> bool:
        """Go on with a join of the pattern that lasts, in the same arrays; False, with nothing changed, where there is no room.
        Gathers of cells that do not last are released."""
        if pattern.lasting is None or pattern.place is None or pattern.entries > self.room:
            return False
        lasting, back = pattern.lasting, np.full(self.entries, -1, np.int32)
        known = self.pattern.lasting is lasting
        back[self.pattern.place if known else self.find(lasting.rows, lasting.columns)] = np.arange(lasting.entries)
        gone = [cells for cells in self.pattern.cells if not any(equal(cells, own) for own in lasting.cells)]
        for gather in self.gathers:
            if any(equal(gather.sums.cells, cells) for cells in gone):
                gather.matrix = None
            else:
                gather.lasting = gather.lasting if known and gather.lasting else gather.sums.moved(back)
                gather.take(gather.lasting.moved(pattern.place))
        self._gathers = [each for each in self._gathers if (own := each()) is not None and own.matrix is self]
        self._write(pattern)
        return True

    def places_of(self, owner: object, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """``find``, for entries that are the same whenever the owner asks, until its cells change."""
        lasting, place = self.pattern.lasting, self.pattern.place
        if lasting is None or place is None:
            return self.find(rows, columns)
        if id(owner) not in lasting.memo:
            lasting.memo[id(owner)] = lasting.find(rows, columns)
        at = lasting.memo[id(owner)]
        return np.where(at < 0, -1, place[at])

    @property
    def is_diagonal(self) -> bool:
        return self.entries == self.count

    @property
    def gathers(self) -> list[BlockGather]:
        """What is added up in it, in the order in which that was made."""
        return [gather for gather in (each() for each in self._gathers) if gather is not None]

    def follow(self, gather: BlockGather, shape: tuple[int, ...], pairs: Sequence[tuple[int, int]]) -> BlockGather | None:
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

    @property
    def blocks(self) -> np.ndarray:
        """(entries, 3, 3) its values on the host."""
        return self.values.numpy()[: self.entries]

    def multiply(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale A x."""
        kernel = gather_kernels(self.device.precision).add_product
        mesh = (self.device_rows, self.device_columns)
        self.device.launch(kernel, self.count, *mesh, float(scale), self.values, x, out, grain=128)


def roomy(values: np.ndarray, length: int, filling: int) -> np.ndarray:
    """Values, and the same number again and again up to a length."""
    if len(values) == length:
        return values
    return np.concatenate([values, np.full(length - len(values), filling, values.dtype)])


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
        self.matrix, self.room = matrix, len(self.sums.targets) + matrix.spare
        self.lasting: Sums | None = None  # in the pattern that lasts, after a join
        listed = [device.array(a, wp.int32) for a in self._roomy(self.sums)]
        self.targets, self.mirrors, self.starts, self.middles, self.lists = listed
        # blocks are written before they are added up, so that those of the matrix before may be written on
        size, shape = wp.types.type_size_in_bytes(device.types.mat33), (len(pairs), m)
        self._flat = device.zeros(len(pairs) * m, device.types.mat33) if before is None else before._flat
        self.parts = wp.array(  # (pairs, m) of them
            ptr=self._flat.ptr, dtype=device.types.mat33, shape=shape, strides=(step * size, hop * size), device=device.warp
        )
        self.parts._ref = self._flat  # launches that were recorded keep the memory, too

    def _roomy(self, sums: Sums) -> tuple[np.ndarray, ...]:
        """Targets, mirrors, starts, middles and lists, with sums of nothing, each on an entry of its own, as far as there is
        room."""
        count, last = len(sums.targets), sums.halves[-1]
        beyond = np.arange(self.matrix.room, self.matrix.room + self.room - count, dtype=np.int32)
        halves = roomy(sums.halves, 2 * self.room + 1, last)
        return (np.concatenate([sums.targets, beyond]), roomy(sums.mirrors, self.room, -1), halves[::2], halves[1::2], sums.lists)

    def renewed(self, pattern: Pattern) -> Sums | None:
        """Its sums in a pattern that follows from the matrix's own; None where there is no room for them, or there are fewer."""
        both = zip(self.matrix.pattern.cells, pattern.cells)
        cells = next((now for old, now in both if equal(old, self.sums.cells)), None)
        if cells is None:
            return None
        given = (cells, self.sums.pairs, self.sums.layout)
        sums = next((each for each in pattern.sums if each.is_of(*given)), None) or Sums(pattern, *given, self.sums)
        fits = len(self.sums.targets) <= len(sums.targets) <= self.room and len(sums.lists) == len(self.sums.lists)
        return sums if fits else None

    def take(self, sums: Sums) -> None:
        """Go on with other sums in the same arrays; those of nothing after them stay what they are."""
        halves, same = sums.halves, sums.halves is self.sums.halves
        arrays = (self.targets, self.mirrors, self.starts, self.middles, self.lists)[: 2 if same else 5]
        for array, values in zip(arrays, (sums.targets, sums.mirrors, halves[::2], halves[1::2], sums.lists)):
            write(self.device, array, values)
        self.sums = sums

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
