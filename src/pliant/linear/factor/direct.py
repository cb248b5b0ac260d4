"""Direct solver: sparse factorisation of the assembled matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import warp as wp

from ..matrix.system import LinearResult, System
from .block_factor import SEMIDEFINITE, Factored
from .block_factor_device import DeviceFactored, factored

ENOUGH = 1e-9  # relative residual at which a solution is not refined, for any tolerance


@dataclass(frozen=True)
class Direct:
    """Sparse Cholesky of the assembled matrix, in f64 on the device; up to some ten thousand nodes on the CPU.

    It reports where the matrix A is not positive definite, as conjugate gradients do. If a solution is required
    nevertheless (``Exact()``), it solves with A + τ |diag A|, τ growing a hundredfold until that is positive definite, so that
    x is a direction of descent (Nocedal & Wright 2006, Algorithm 3.3). A matrix that is semi-definite up to rounding
    counts as definite.
    """

    assembled = True

    def solve(self, system: System, b: wp.array[Any], x: wp.array[Any], tolerance: float) -> LinearResult:
        """Solve A x = b; refined only where rounding leaves more than the ``tolerance`` and ENOUGH."""
        inverse = self.operator(system)
        residual = inverse.solve_measured(b, x, min(tolerance, ENOUGH))
        if residual == float("inf"):
            return LinearResult(0, residual)
        negative = inverse.shift is None or inverse.shift > SEMIDEFINITE[system.device.precision]
        return LinearResult(1, residual, negative)

    def operator(self, system: System) -> Factored | DeviceFactored:
        """The factor of the present values of the system; its storage is kept with the system."""
        inverse = system.keep(Direct, lambda: factored(system))
        inverse.take(system.free, system.device.precision, system.insist)
        return inverse
