"""Cholesky factor of a block matrix without held components."""

from __future__ import annotations

import numpy as np
import warp as wp
from scipy import sparse

from ...runtime.device import Device
from ..cholesky.cpu.numeric_factor import NotPositiveDefinite
from ..cholesky.factor import Factor, prepare
from ..cholesky.symbolic.symbolic_factor import Analysis, analyse_blocks
from ..matrix.block_factor_kernels import factored_kernels
from ..matrix.block_matrix import BlockMatrix
from .free_factor import FreeFactor

LEAF = 15  # nodes, of three unknowns each
# rounding of the diagonal of a matrix with a zero eigenvalue
SEMIDEFINITE = {"f32": 1e-5, "f64": 1e-10}
GROWTH = 100.0  # growth of the shift of an indefinite matrix, from one attempt to the next
ATTEMPTS = 7


def block_analysis(matrix: BlockMatrix, positions: np.ndarray | None) -> tuple[Analysis, np.ndarray, np.ndarray]:
    """The fronts of a block matrix, the entry of its blocks for each of the lower triangle, and the diagonal there."""
    rows = np.repeat(np.arange(matrix.count), np.diff(matrix.row_start))
    analysis = analyse_blocks(rows, matrix.columns, 3, positions, matrix.count, LEAF)
    given = analysis.pattern
    lower = given.slot < len(given.lower_rows)
    source = np.empty(len(given.lower_rows), np.int64)
    source[given.slot[lower]] = np.flatnonzero(lower)
    return analysis, source, np.flatnonzero(given.lower_rows == given.lower_cols)


class Factored(FreeFactor):
    """A⁻¹ of a block matrix, in f64 on the CPU; the analysis is done once, ``take`` factorises the present values.

    Where A is not positive definite, A + τ |diag A| is factorised, with τ growing a hundredfold until that is (Nocedal
    & Wright 2006, Algorithm 3.3). ``shift`` is that τ: 0 for A as it is, None where none was found: then what is
    factorised is the size of the diagonal, so that the launches of ``apply`` are the same and may be recorded.
    ``like`` is a factor of the same pattern, whose analysis is shared. ``alone`` factorises on the calling thread, for
    use in background threads.
    """

    def __init__(
        self, matrix: BlockMatrix, threads: int, positions: np.ndarray | None, like: Factored | None = None, alone: bool = False
    ):
        self.block, self.version, self.shift = matrix, 0, None
        self.host = Device("cpu", "f64", threads)
        known = block_analysis(matrix, positions) if like is None else (like.analysis, like._source, like._diagonal)
        self.analysis, self._source, self._diagonal = known
        self.factor: Factor = prepare(self.analysis, "f64", threads=threads, factoring=1 if alone else None)
        self._b, self._x = self.room(), self.room()
        self._held = matrix.device.zeros(matrix.count, matrix.device.types.vec3)
        self.free, self._inside = np.zeros(0), None  # until values are taken
        room = np.zeros((matrix.entries, 3, 3))
        self.matrix = sparse.bsr_matrix((room, matrix.columns, matrix.row_start), shape=(3 * matrix.count,) * 2)

    @property
    def held(self) -> wp.array:
        """(n,) vectors that are 0 in held components, on the device of the matrix."""
        return self._held

    def room(self) -> wp.array:
        """Buffer for a right-hand side or solution of the factor."""
        return self.host.zeros(self.analysis.count, wp.float64)

    def take(self, free: wp.array, precision: str, insist: bool = True) -> None:
        """Factorise the present values of the matrix; with at most one shift, for rounding, unless a factor is required."""
        self.version += 1
        self._hold(free)
        blocks = self.block.blocks
        self.matrix.data[:] = blocks
        lower = blocks.reshape(-1)[self._source].astype(np.float64, copy=False)
        if self._inside is not None:
            lower *= self._inside
            lower[self._diagonal] += 1.0 - self.free
        self.lower = lower
        self.size = np.abs(lower[self._diagonal]) * self.free
        largest, self.shift = self.size.max(initial=0.0), None
        self.finite = bool(np.isfinite(lower).all()) and (largest > 0.0 or not self.free.any())
        if not self.finite:
            self._take_diagonal(np.ones(len(self.size)))
            return
        if self._try(0.0):
            return
        self.size = np.maximum(self.size, 1e-6 * largest)
        for shift in SEMIDEFINITE[precision] * GROWTH ** np.arange(ATTEMPTS if insist else 1):
            if self._try(float(shift)):
                return
        self._take_diagonal(self.size)

    def _hold(self, free: wp.array) -> None:
        """Set the free unknowns: (3n,) 1 where free; ``_inside`` is 1 for entries between these, None where all are."""
        now = (free.numpy().reshape(-1) > 0).astype(np.float64)
        if np.array_equal(now, self.free):
            return
        given, self.free = self.analysis.pattern, now
        self.block.device.copy(free, self._held)
        self._inside = None if now.all() else now[given.lower_rows] * now[given.lower_cols]

    def _try(self, shift: float) -> bool:
        """Factorise A + shift · size; False if that is not positive definite."""
        lower = self.lower
        if shift:
            lower = lower.copy()
            lower[self._diagonal] += shift * self.free * self.size
        try:
            self.factor.take(lower)
        except NotPositiveDefinite:
            return False
        self.shift = shift
        return True

    def _take_diagonal(self, size: np.ndarray) -> None:
        lower = np.zeros(len(self.lower))
        lower[self._diagonal] = size
        self.factor.take(lower)

    @property
    def refines(self) -> bool:
        """Whether solutions are refined: where A itself is factorised, to the last bit of f64."""
        return self.shift == 0 and self.block.device.precision == "f64"

    def product(self, x: np.ndarray) -> np.ndarray:
        return self.free * (self.matrix @ x)

    def backsolve(self, right: np.ndarray) -> np.ndarray:
        """L⁻ᵀ L⁻¹ b with the factor."""
        self._b.numpy()[:] = right
        self.factor.solve_device(self._b, self._x)
        return self._x.numpy().copy()

    def answer(self, right: np.ndarray) -> np.ndarray:
        """x for b (3n,), 0 where held: refined once for A as it is, scaled steepest descent without a factor.

        Not refined in f32: the halves of A on either side of its diagonal are rounded each by itself, of which the factor is of
        one, and to refine would draw x to another matrix than that of ``entries`` and ``columns``, farther than f64 rounds.
        """
        if not self.finite:
            return np.full(len(right), np.nan)
        if self.shift is None:
            return self.free * right / self.size  # like the start of conjugate gradients
        if not self.refines:
            return self.free * self.backsolve(right)
        first, rest = self._first(right)
        return first + self.backsolve(rest)  # subtract the rounding error

    def apply(self, r: wp.array, z: wp.array) -> None:
        """z = L⁻ᵀ L⁻¹ r, by launches alone."""
        device, kernels, n = self.block.device, factored_kernels(self.block.device.precision), self.block.count
        device.launch(kernels.widen, n, self._held, r, self._b)
        self.factor.solve_device(self._b, self._x)
        device.launch(kernels.narrow, n, self._held, self._x, z)

    def solve_measured(self, b: wp.array, x: wp.array, enough: float = 0.0) -> float:
        """x for b, and its relative residual; infinite where x is not finite. Not refined where that is ``enough``."""
        right = self.free * b.numpy().reshape(-1)
        size = float(np.linalg.norm(right))
        solution, rest = self._first(right) if self.refines and enough > 0 else (None, right)
        if solution is None or not np.linalg.norm(rest) <= enough * size:
            solution = self.answer(right) if solution is None else solution + self.backsolve(rest)
            rest = right - self.product(solution)
        x.assign(solution.reshape(-1, 3).astype(x.numpy().dtype, copy=False))
        if not np.isfinite(solution).all():
            return float("inf")
        return float(np.linalg.norm(rest) / size) if size > 0 else 0.0

    def _first(self, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The unrefined solution, and its residual."""
        first = self.backsolve(right)
        return first, right - self.product(first)

    # --- as an operator

    def solve(self, b: wp.array, out: wp.array) -> None:
        right = self.free * b.numpy().reshape(-1)
        out.assign(self.answer(right).reshape(-1, 3).astype(out.numpy().dtype))
