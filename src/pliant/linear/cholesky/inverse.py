"""The sparse inverse S = L⁻¹ of a factor, and A⁻¹ b = Sᵀ S b as products without an order among them (after Zeng 2025).

The column of S of an unknown is nothing but on the path from its front to the root, so the rows of a front are one dense block
over all unknowns below it and its own. In an order in which these follow one another, S is a list of such blocks and needs no
indices. It has more entries than L, the more the larger the mesh.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp
from scipy.linalg.blas import dgemm, dtrmm

from ...errors import InputError
from .blas import one_thread_each
from .inverse_kernels import AT_ONCE, PIECE, THREADED_KERNELS
from .numeric import Numeric
from .panels import Panels
from .path_plan import columns_of
from .solve import Solver, check_vectors
from .symbolic import Analysis

GROUP = 100_000  # entries of S that are worth sums of their own,
MOST_GROUPS = 16  # of so many groups at most, whatever the number of threads
MOST_ENTRIES = 2**31 - 1  # of S, which is one array


@dataclass(frozen=True)
class Rows:
    """Where the rows of S lie: those of front f are ``pivots[f]`` of ``width[f]`` numbers each, from ``place[f]`` on.

    They stand for the columns from ``low[f]`` on, the last of which are those of the front itself, from ``first[f]`` on.
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


class Inverse:
    """S of a factor on the CPU; ``take`` makes it of the factor as it is, ``solve`` is one solve at a time.

    Each row of S is read once: its product with b, times the row itself, is added to x. Rows are shared out to groups that do
    not depend on the number of threads, each with sums of its own.
    """

    def __init__(self, numeric: Numeric, solver: Solver):
        self.analysis, self.device, self.kind = numeric.analysis, solver.device, solver.kind
        self.rows = rows_of(self.analysis)
        self.values = self.device.zeros(self.rows.entries, self.device.types.real)
        self._panels, self._buffers = Panels(solver), {}

    @property
    def bytes(self) -> int:
        """Bytes of S and of its lists, without what a solve writes on its way."""
        lists = (self._order, *self._pieces)
        return sum(array.size * wp.types.type_size_in_bytes(array.dtype) for array in (self.values, *lists))

    def take(self) -> None:
        """Make S of the present factor: of every front, L₁₁⁻¹ times what those below hand over."""
        a, rows, out = self.analysis, self.rows, self.values.numpy()
        handed: dict[int, list[tuple[int, np.ndarray]]] = {}
        with one_thread_each():
            for f in range(a.fronts):
                c, b, width = int(a.pivots[f]), int(a.below[f]), int(rows.width[f])
                given = np.zeros((c + b, width))
                given[np.arange(c), width - c + np.arange(c)] = 1.0
                for child, values in handed.pop(f, []):
                    places = a.relative[a.row_start[child] : a.row_start[child + 1]]
                    begin = int(rows.low[child] - rows.low[f])
                    given[places, begin : begin + values.shape[1]] += values
                right, rest = given[:c], given[c:]
                inverse, under = self._panels.of(f)
                if b:
                    dgemm(-1.0, right.T, under, 1.0, rest.T, trans_b=1, overwrite_c=1)
                    handed.setdefault(int(a.parent[f]), []).append((f, rest))
                own = dtrmm(1.0, inverse, right.T, side=1, lower=1, trans_a=1, overwrite_b=1).T
                out[rows.place[f] : rows.place[f] + c * width] = own.reshape(-1)

    @cached_property
    def _order(self) -> wp.array:
        return self.device.array(self.rows.order, wp.int32)

    @cached_property
    def _pieces(self) -> tuple[wp.array, wp.array]:
        """Rows of S, ``AT_ONCE`` or one to a piece, as ``PIECE`` says, and the first piece of each group."""
        r = self.rows
        pieces = []
        for f in range(len(r.pivots)):
            c, width = int(r.pivots[f]), int(r.width[f])
            firsts = [*range(0, c - AT_ONCE + 1, AT_ONCE), *range(c - c % AT_ONCE, c)]
            for first in firsts:
                count = AT_ONCE if first + AT_ONCE <= c else 1
                length = width - c + first + count  # nothing stands above the diagonal
                pieces.append((r.place[f] + first * width, r.low[f], length, width, count))
        table = np.array(pieces, np.int64)
        work = np.cumsum(table[:, PIECE.index("length")] * table[:, PIECE.index("count")])
        groups = int(np.clip(work[-1] // GROUP, 1, MOST_GROUPS))
        starts = np.searchsorted(work, work[-1] * np.arange(groups) / groups, side="right")
        starts[0] = 0
        return (
            self.device.array(table.reshape(-1), wp.int64),
            self.device.array(np.append(starts, len(table)), wp.int32),
        )

    def prepare(self, width: int) -> tuple[wp.array, wp.array]:
        """The right-hand side in the order of S, and the sums of each group: each coordinate by itself."""
        if width not in self._buffers:
            size, groups = width * len(self.rows.order), len(self._pieces[1]) - 1
            self._buffers[width] = tuple(self.device.zeros(k * size, self.device.types.real) for k in (1, groups))
        return self._buffers[width]

    def solve(self, b: wp.array, out: wp.array, width: int) -> None:
        """out = Sᵀ S b; both (n,) arrays of ``kind(width)`` on the device of the factor, or one and the same."""
        check_vectors(self, b, out, width)
        kernels, n = THREADED_KERNELS[width](self.device.precision), len(self.rows.order)
        right, sums = self.prepare(width)
        table, starts = self._pieces
        groups = len(starts) - 1
        self.device.launch(kernels.gather, n, n, self._order, b, right)
        self.device.launch(kernels.multiply, groups, n, starts, table, self.values, right, sums, grain=1)
        self.device.launch(kernels.scatter, n, n, groups, self._order, sums, out)
