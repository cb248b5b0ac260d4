"""A sparse factorisation of the assembled matrix: for slender or quasi-static bodies where iterations crawl."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..energy.base import Pattern
from .cholesky.numeric import NotPositiveDefinite, Numeric
from .cholesky.solve import Solver
from .cholesky.symbolic import Analysis, analyse_blocks
from .system import LinearResult, System

LEAF = 15  # nodes, of three unknowns each
SEMIDEFINITE = {
    "f32": 1e-5,
    "f64": 1e-10,
}  # what rounding may take from the diagonal of a matrix with a zero eigenvalue
GROWTH = 100.0  # of what is added to the diagonal of an indefinite matrix, from one attempt to the next
ATTEMPTS = 7


@dataclass(frozen=True)
class Direct:
    """Sparse Cholesky of the assembled matrix, in f64 on the CPU; up to some ten thousand nodes.

    Where the matrix A is not positive definite it says so, as conjugate gradients do. If an answer is wanted all the
    same (``Exact()``), it solves with A + τ |diag A|, τ growing a hundredfold until that is positive definite, so that
    x is a direction of descent (Nocedal & Wright 2006, Algorithm 3.3). A matrix that is semi-definite but for rounding
    counts as definite.
    """

    assembled = True

    def solve(self, system: System, b: wp.array, x: wp.array, tolerance: float) -> LinearResult:
        """Solve A x = b; ``tolerance`` plays no part."""
        pattern, real = system.pattern, system.device.types.numpy
        if not hasattr(pattern, "direct"):  # kept with the pattern it belongs to
            pattern.direct = Elimination(pattern, system.device.threads, system.positions)
        blocks = pattern.values.numpy().astype(np.float64)
        free = (system.free.numpy().reshape(-1) > 0).astype(np.float64)
        right = free * b.numpy().reshape(-1)
        held = Held(pattern.direct, blocks, free)
        found, negative = held.solve(right, SEMIDEFINITE[system.device.precision], system.insist)
        x.assign(found.reshape(-1, 3).astype(real))
        if not np.isfinite(found).all():
            return LinearResult(0, float("inf"))
        size = np.linalg.norm(right)
        residual = float(np.linalg.norm(held.product(found) - right) / size) if size > 0 else 0.0
        return LinearResult(1, residual, negative)


class Elimination:
    """All that depends on the pattern alone: order, fronts and room for the factor; made once."""

    def __init__(self, pattern: Pattern, threads: int, positions: np.ndarray | None):
        self.host = Device("cpu", "f64", threads)
        self.row_start, self.columns, self.count = pattern.row_start, pattern.columns, pattern.count
        rows = np.repeat(np.arange(pattern.count), np.diff(pattern.row_start))
        self.analysis: Analysis = analyse_blocks(rows, pattern.columns, 3, positions, pattern.count, LEAF)
        given = self.analysis.pattern
        lower = given.slot < len(given.lower_rows)
        self.source = np.empty(len(given.lower_rows), np.int64)  # the entry given for each entry of the lower triangle
        self.source[given.slot[lower]] = np.flatnonzero(lower)
        self.diagonal = np.flatnonzero(given.lower_rows == given.lower_cols)
        self.numeric = Numeric(self.analysis, self.host, 0)
        self.b, self.x = (self.host.zeros(self.analysis.count, wp.float64) for _ in range(2))

    @cached_property
    def solver(self) -> Solver:
        return Solver(self.analysis, self.host, self.numeric.packed, self.numeric.packed_start)

    def backsolve(self, right: np.ndarray) -> np.ndarray:
        """L⁻ᵀ L⁻¹ b with the factor of the last matrix."""
        self.b.numpy()[:] = right
        self.solver.solve(self.b, self.x, 1)
        return self.x.numpy().copy()


class Held:
    """A matrix of 3×3 ``blocks`` whose unknowns with ``free`` (3n,) 0 are cut off and stay 0."""

    def __init__(self, room: Elimination, blocks: np.ndarray, free: np.ndarray):
        self.room, self.free = room, free
        shape = (3 * room.count, 3 * room.count)
        self.matrix = sparse.bsr_matrix((blocks, room.columns, room.row_start), shape=shape)
        given = room.analysis.pattern
        self.lower = blocks.reshape(-1)[room.source] * free[given.lower_rows] * free[given.lower_cols]
        self.lower[room.diagonal] += 1.0 - free[given.lower_rows[room.diagonal]]

    def product(self, x: np.ndarray) -> np.ndarray:
        return self.free * (self.matrix @ x)

    def solve(self, right: np.ndarray, rounding: float, insist: bool) -> tuple[np.ndarray, bool]:
        """x, and whether the matrix has negative eigenvalues; not a number where there is no answer."""
        size = np.abs(self.lower[self.room.diagonal]) * self.free
        largest = size.max(initial=0.0)
        if not np.isfinite(self.lower).all() or (largest == 0.0 and self.free.any()):
            return np.full(len(right), np.nan), False
        if self._factor(0.0, size):
            found = self.room.backsolve(right)
            return found + self.room.backsolve(right - self.product(found)), False  # what rounding left is taken off
        size = np.maximum(size, 1e-6 * largest)
        shifts = rounding * GROWTH ** np.arange(ATTEMPTS if insist else 1)
        for shift in shifts:
            if self._factor(shift, size):
                return self.free * self.room.backsolve(right), shift > rounding
        return self.free * right / size, True  # scaled steepest descent, as conjugate gradients would begin

    def _factor(self, shift: float, size: np.ndarray) -> bool:
        """Factorise A + shift · size; False if that is not positive definite."""
        lower = self.lower.copy()
        lower[self.room.diagonal] += shift * self.free * size
        try:
            self.room.numeric.factor(lower)
        except NotPositiveDefinite:
            return False
        return True
