"""Scalar matrix factored once, applied to three coordinates."""

from collections.abc import Sequence

import numpy as np
import warp as wp
from scipy import sparse

from ...runtime.device import Device, family
from ..cholesky.factor import Factor
from ..cholesky.symbolic.symbolic_factor import Analysis, Order, analyse
from ..cholesky.symbolic.symbolic_native import held_entries
from ..matrix.operator import columns_of, unknowns
from .free_factor import FreeFactor, renewed
from .low_rank import LowRank, Woodbury


@family
def prefactored_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def put_axes(start: int, axes: vec3, part: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """Replace the components along ``axes``, which are 1 there and 0 elsewhere."""
        i = start + wp.tid()
        one = vec3(real(1.0), real(1.0), real(1.0))
        out[i] = wp.cw_mul(axes, part[i]) + wp.cw_mul(one - axes, out[i])

    return locals()


class Prefactored:
    """A⁻¹ on (n,) vec3 arrays, for a symmetric positive definite n×n matrix A whose values change rarely.

    ``free`` (n, 3) is 0 in held components: rows and columns of nodes held along an axis are eliminated for that
    axis, so axes with different held nodes have a factor each. ``positions`` (n, 3) of the nodes guide the elimination
    order, unless an ``order`` is given; without them it comes from the graph alone. ``stamp`` identifies a set of
    values. ``alone`` factorises on the calling thread, for use in background threads; ``analyses`` are those of
    ``analysed`` if known. ``inverse`` multiplies with S = L⁻¹ on a GPU. ``earlier``: an unused
    factor, and (n,) the origins of the nodes in it; on the CPU only its changed part is factorised.
    """

    def __init__(
        self,
        device: Device,
        matrix: sparse.csr_matrix,
        free: np.ndarray,
        stamp: tuple = (),
        positions: np.ndarray | None = None,
        order: Order | None = None,
        alone: bool = False,
        analyses: Sequence[Analysis] = (),
        inverse: bool = False,
        earlier: "tuple[Prefactored, np.ndarray] | None" = None,
    ):
        self.inverse, self.earlier = inverse, earlier
        self.device, self.positions, self.count = device, positions, matrix.shape[0]
        self.order, self.alone, self.analyses = order, alone, analyses
        self.factorisations = self.version = 0
        self._buffer = device.zeros(self.count, device.types.vec3)
        self.parts: list[AxisFactor] = []
        self.refactor(matrix, free, stamp)

    def refactor(self, matrix: sparse.csr_matrix, free: np.ndarray, stamp: tuple = ()) -> None:
        """Set other values and held components; a changed pattern is analysed again."""
        old, self.parts = self.parts, []
        self.matrix, self.moves = matrix, np.asarray(free) > 0
        groups = alike(self.moves)
        order, made = self.order, {}
        for i in freest_first(groups):
            (keep, axes), known = groups[i], self.analyses[i] if self.analyses else None
            made[i] = AxisFactor(self, held(matrix, keep), keep, axes, old[i] if i < len(old) else None, known, order)
            order = made[i].factor.analysis.order if order is None else order
        self.parts = [made[i] for i in range(len(groups))]
        self.analyses, self.earlier = (), None
        self.factorisations += 1
        self.version += 1
        self.stamp, self.added = stamp, None

    def add(self, springs: LowRank | None) -> None:
        """Replace the springs added to the matrix; ``added`` is their version, None for none."""
        state = springs.version if springs is not None else None
        if state != self.added:
            self.added = state
            self.version += 1
            for part in self.parts:
                part.woodbury.take(part.factor, springs, part.free)

    @property
    def elimination(self) -> Order:
        """The elimination order of the axes with most free nodes, and of the others unless they have their own."""
        return self.parts[freest_first([(part.free, part.numbers) for part in self.parts])[0]].factor.analysis.order

    @property
    def factor(self) -> Factor:
        """The factor of the first axis; the same for all unless nodes are held along some axes only."""
        return self.parts[0].factor

    @property
    def diagonal(self) -> np.ndarray:
        """(n,) of the matrix, held nodes included."""
        return self.matrix.diagonal()

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b."""
        self.parts[0].solve(b, out)
        kernel = prefactored_kernels(self.device.precision).put_axes
        for part in self.parts[1:]:
            part.solve(b, self._buffer)
            self.device.launch(kernel, self.count, part.axes, self._buffer, out)

    def solve_many(self, B: np.ndarray) -> np.ndarray:
        """A⁻¹ B for B (3n, k), rows 3 node + axis; 0 where components are held."""
        B = columns_of(B, 3 * self.count).reshape(self.count, 3, -1)
        out = np.zeros(B.shape)
        for part in self.parts:
            answer = part.columns(B[:, part.numbers].reshape(self.count, -1))
            out[:, part.numbers] = answer.reshape(self.count, len(part.numbers), -1)
        return out.reshape(3 * self.count, -1)

    def partial(self, rows: np.ndarray) -> np.ndarray:
        """(m, m) entries of A⁻¹ between the unknowns 3 node + axis in ``rows``; axes are uncoupled."""
        rows = unknowns(rows, 3 * self.count)
        inverse = np.zeros((len(rows), len(rows)))
        for part in self.parts:
            for axis in part.numbers:
                own = np.flatnonzero(rows % 3 == axis)
                inverse[np.ix_(own, own)] = part.entries(rows[own] // 3)
        return inverse


def held(matrix: sparse.csr_matrix, keep: np.ndarray) -> sparse.csr_matrix:
    """The matrix with the rows and columns of nodes that ``keep`` (n,) leaves out replaced by those of the identity."""
    n, moves = len(keep), np.ascontiguousarray(keep, bool)
    if moves.all():
        return matrix
    starts, columns, values, found = (
        np.empty(n + 1, np.int32),
        np.empty(matrix.nnz, np.int32),
        np.empty(matrix.nnz),
        np.full(1, -1),
    )
    if matrix.indices.dtype == np.int32 and matrix.has_canonical_format:
        held_entries(matrix.indptr, matrix.indices, matrix.data, moves, n, starts, columns, values, found)
    if found[0] < 0:
        cut = sparse.diags(moves.astype(float))
        return (cut @ matrix @ cut + sparse.diags(1.0 - moves)).tocsr()
    return sparse.csr_matrix((values[: found[0]], columns[: found[0]], starts), shape=matrix.shape)


def analysed(matrix: sparse.csr_matrix, free: np.ndarray, positions: np.ndarray | None, order: Order | None) -> list[Analysis]:
    """The analyses of Prefactored before a numeric factorisation, for a background thread."""
    groups, made = alike(np.asarray(free) > 0), {}
    for i in freest_first(groups):
        made[i] = analyse(held(matrix, groups[i][0]), positions=positions, order=order)
        order = made[i].order if order is None else order
    return [made[i] for i in range(len(groups))]


def freest_first(groups: list[tuple[np.ndarray, np.ndarray]]) -> list[int]:
    """Numbers of groups of axes, as ``alike`` gives them: most free nodes first, whose order the others share."""
    return sorted(range(len(groups)), key=lambda i: -int(groups[i][0].sum()))


def alike(moves: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The distinct columns of ``moves`` (n, 3), in order, and the numbers of the axes that have each."""
    columns = [column.tobytes() for column in moves.T]  # NumPy's treats each row as a field: fifty times as slow
    groups = [np.flatnonzero([column == key for column in columns]) for key in sorted(set(columns))]
    return [(moves[:, axes[0]], axes) for axes in groups]


class AxisFactor(FreeFactor):
    """The factor for the axes along which the same nodes are held, and the springs added to it."""

    def __init__(
        self,
        whole: Prefactored,
        matrix: sparse.csr_matrix,
        free: np.ndarray,
        axes: np.ndarray,
        old: "AxisFactor | None",
        analysis: Analysis | None,
        order: Order | None,
    ):
        device = whole.device
        self.free, self.matrix = free, matrix
        self.numbers, self.axes = axes, device.types.vec3(*[float(a in axes) for a in range(3)])
        given = (matrix, device, whole.positions, order, whole.alone, analysis, whole.inverse)
        self.factor = renewed(old.factor if old else None, *given, self._earlier(whole))
        self.woodbury = old.woodbury if old and self.factor is old.factor else Woodbury(device)
        self.woodbury.take(self.factor, None, free)

    def _earlier(self, whole: Prefactored) -> tuple[Factor, np.ndarray] | None:
        """The reused factor of the same axes."""
        if whole.earlier is None:
            return None
        before, origin = whole.earlier
        same = [part.factor for part in before.parts if np.array_equal(part.numbers, self.numbers)]
        return (same[0], origin) if same else None

    def solve(self, b: wp.array, out: wp.array) -> None:
        self.factor.solve_device(b, out)
        self.woodbury.correct(out)

    def corrected(self, X: np.ndarray) -> np.ndarray:
        return self.woodbury.corrected(X)

    def taken_off(self, rows: np.ndarray) -> np.ndarray | float:
        return self.woodbury.share(rows)
