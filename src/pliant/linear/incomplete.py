"""Incomplete Cholesky factor of a block matrix: elimination that keeps only the entries that the matrix has.

Nodes are gathered into runs of neighbours, and runs are coloured so that no two of one colour are coupled. Runs of one
colour are eliminated at once, the nodes of a run one after the other: in the same order however many threads there are.
A GPU, which has more threads than there are nodes, takes runs of one node.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp
from scipy import sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from .incomplete_kernels import incomplete_kernels
from .matrix import BlockMatrix
from .preconditioners import Apply
from .system import System

LEAST, MOST = 400, 32  # nodes of a run, and runs, on the CPU: long runs take fewer iterations, many give threads work
SHIFTS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0)  # added to the diagonal, as a share of it, until elimination goes through


@dataclass(frozen=True)
class Incomplete:
    """L D Lᵀ with the entries of the matrix and no others (IC(0) of 3×3 blocks), anew for every system.

    Some third of the iterations of BlockJacobi(), each at twice the cost. Where elimination meets a pivot that is not
    positive, a share of the diagonal is added to all of it (Manteuffel 1980).
    """

    assembled = True
    batch = 8

    def prepare(self, system: System) -> Apply:
        """A function apply(r, z) for the present values."""
        factor = system.keep(Incomplete, lambda: IncompleteFactor(system.matrix))
        factor.take(system.free)
        return factor.apply


class IncompleteFactor:
    """The factor of one pattern; ``take`` eliminates the present values of its matrix. ``shift`` is what that needed."""

    def __init__(self, matrix: BlockMatrix, run: int | None = None):
        d = self.device = matrix.device
        self.block, self.kernels, self.shift = matrix, incomplete_kernels(d.precision), 0.0
        n = matrix.count
        size = run or (max(LEAST, -(-n // MOST)) if d.is_cpu else 1)
        rows = np.repeat(np.arange(n), np.diff(matrix.row_start))
        nodes, runs, self.colours = runs_of(rows, matrix.columns, n, size)
        rank = np.empty(n, np.int64)
        rank[nodes] = np.arange(n)
        entries = np.lexsort((rank[matrix.columns], rows))  # each row by rank
        columns, place = matrix.columns[entries], np.empty(len(entries), np.int64)
        place[entries] = np.arange(len(entries))
        lower = np.bincount(rows, weights=rank[columns] < rank[rows], minlength=n)
        ints = {"runs": runs, "nodes": nodes, "rows": matrix.row_start, "columns": columns, "lower": lower}
        ints |= {"entries": entries, "mirrors": place[matrix.find(columns, rows)], "rank": rank}
        self._lists = {name: d.array(values, wp.int32) for name, values in ints.items()}
        self._W, self._inverse = d.zeros(len(entries), d.types.mat33), d.zeros(n, d.types.mat33)
        self._u, self._free = d.zeros(n, d.types.vec3), d.zeros(n, d.types.vec3)
        self._bad, self._shift = d.zeros(1, wp.int32), d.zeros(1, d.types.real)
        self._graph: dict = {}
        self._grain = max(1, 128 // size)

    @property
    def levels(self) -> list[tuple[int, int]]:
        """First run, and number of runs, of each colour."""
        return [(int(a), int(b - a)) for a, b in zip(self.colours[:-1], self.colours[1:])]

    def take(self, free: wp.array) -> None:
        """Eliminate the present values of the matrix, without the components that are held."""
        self.device.copy(free, self._free)
        for shift in SHIFTS:
            self.shift = shift
            self._shift.fill_(shift)
            self.device.replayed(self._eliminate, (), self._graph)
            if not self._bad.numpy()[0]:
                return

    def _eliminate(self) -> None:
        names = ("runs", "nodes", "rows", "entries", "columns", "mirrors", "lower", "rank")
        mesh = tuple(self._lists[name] for name in names)
        fixed = (*mesh, self._free, self._shift, self.block.values, self._W, self._inverse, self._bad)
        self.device.clear(self._bad)
        for first, count in self.levels:
            self.device.launch(self.kernels.eliminate, count, first, *fixed, grain=self._grain)

    def apply(self, r: wp.array, z: wp.array) -> None:
        """z = (L D Lᵀ)⁻¹ r."""
        mesh = tuple(self._lists[name] for name in ("runs", "nodes", "rows", "columns", "lower"))
        factor = (*mesh, self._free, self._W, self._inverse)
        for first, count in self.levels:
            self.device.launch(self.kernels.forward, count, first, *factor, r, self._u, grain=self._grain)
        for first, count in self.levels[::-1]:
            self.device.launch(self.kernels.backward, count, first, *factor, self._u, z, grain=self._grain)


def runs_of(rows: np.ndarray, columns: np.ndarray, count: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nodes in the order of elimination, where each run of ``size`` begins in it, and each colour among the runs.

    ``rows`` and ``columns`` are the couplings. Runs are cut from an order of small bandwidth (Cuthill & McKee 1969).
    """
    graph = sparse.csr_matrix((np.ones(len(rows), np.int8), (rows, columns)), (count, count))
    order = reverse_cuthill_mckee(graph, symmetric_mode=True) if size > 1 else np.arange(count)
    of = np.empty(count, np.int64)
    of[order] = np.arange(count) // size
    pairs = np.unique(of[rows] * count + of[columns])
    colour = _colours(pairs // count, pairs % count, int(of.max()) + 1)
    by_colour = np.argsort(colour, kind="stable")
    lengths = np.bincount(of)[by_colour]
    nodes = np.concatenate([order[run * size : (run + 1) * size] for run in by_colour])
    return nodes, np.concatenate([[0], np.cumsum(lengths)]), np.concatenate([[0], np.cumsum(np.bincount(colour))])


def _colours(rows: np.ndarray, columns: np.ndarray, count: int) -> np.ndarray:
    """(count,) each takes the least colour that no neighbour before it has; couplings are given by row."""
    start = np.searchsorted(rows, np.arange(count + 1)).tolist()
    neighbours, colour = columns.tolist(), [-1] * count
    for i in range(count):
        taken = {colour[j] for j in neighbours[start[i] : start[i + 1]]}
        own = 0
        while own in taken:
            own += 1
        colour[i] = own
    return np.array(colour)
