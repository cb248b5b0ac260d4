"""A sparse factorisation of the assembled matrix: for slender or quasi-static bodies where iterations crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import warp as wp

from ..matrix.system import LinearResult, System
from .block_factor import SEMIDEFINITE, Factored
from .block_factor_device import DeviceFactored, factored

ENOUGH = 1e-9  # relative residual at which an answer is not refined, however little is asked


@dataclass(frozen=True)
class Direct:
    """Sparse Cholesky of the assembled matrix, in f64 on the device; up to some ten thousand nodes on the CPU.

    Where the matrix A is not positive definite it says so, as conjugate gradients do. If an answer is wanted all the
    same (``Exact()``), it solves with A + τ |diag A|, τ growing a hundredfold until that is positive definite, so that
    x is a direction of descent (Nocedal & Wright 2006, Algorithm 3.3). A matrix that is semi-definite but for rounding
    counts as definite.
    """

    assembled = True

    def solve(self, system: System, b: wp.array[Any], x: wp.array[Any], tolerance: float) -> LinearResult:
        """Solve A x = b; the answer is refined only where rounding has left more than the ``tolerance``, and more than ENOUGH."""
        inverse = self.operator(system)
        residual = inverse.solve_measured(b, x, min(tolerance, ENOUGH))
        if residual == float("inf"):
            return LinearResult(0, residual)
        negative = inverse.shift is None or inverse.shift > SEMIDEFINITE[system.device.precision]
        return LinearResult(1, residual, negative)

    def operator(self, system: System) -> Factored | DeviceFactored:
        """The factor of the present values of the system; room for it is kept with the system."""
        inverse = system.keep(Direct, lambda: factored(system))
        inverse.take(system.free, system.device.precision, system.insist)
        return inverse
