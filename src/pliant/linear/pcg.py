"""Preconditioned conjugate gradients that stop, usefully, at negative curvature (Gast et al. 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ..errors import InputError
from .kernels import linear_kernels
from .system import LinearResult, System


@dataclass(frozen=True)
class PCG:
    """Conjugate gradients with the inverse 3×3 diagonal blocks as preconditioner.

    ``assembled`` multiplies by the stored block-sparse matrix; False applies each energy's tangent afresh, which stores
    nothing but the diagonal. ``iterations`` bounds one solve; None means 20 √n + 200, or 3n if that is more.
    """

    assembled: bool = True
    iterations: int | None = None

    def __post_init__(self):
        if self.iterations is not None and (not isinstance(self.iterations, int) or self.iterations < 1):
            raise InputError(f"PCG(iterations={self.iterations!r}): expected a whole number of at least 1")

    def solve(self, system: System, b: wp.array, x: wp.array, tolerance: float) -> LinearResult:
        """Solve A x = b from x = 0 until the preconditioned residual has fallen by ``tolerance``."""
        device, vectors, n = system.device, system.vectors, system.vectors.count
        kernels = linear_kernels(device.precision)
        most = self.iterations or max(3 * n, int(20 * np.sqrt(n)) + 200)
        work = _workspace(system)
        r, z, p, q, inverse = work
        device.launch(kernels.invert_diagonal, n, system.pattern.device_diagonal, system.pattern.values, inverse)
        x.zero_()
        vectors.copy(b, r)
        device.launch(kernels.precondition, n, system.free, inverse, r, z)
        vectors.copy(z, p)
        rz = first = vectors.dot(r, z)
        if not first > 0:
            return LinearResult(0, 0.0)
        for k in range(1, most + 1):
            system.apply(p, q)
            curvature = vectors.dot(p, q)
            if not curvature > 0:
                if k == 1:
                    vectors.copy(z, x)
                return LinearResult(k, float(np.sqrt(rz / first)), negative=True)
            device.launch(kernels.advance, n, system.free, inverse, rz / curvature, p, q, x, r, z)
            previous, rz = rz, vectors.dot(r, z)
            if rz <= tolerance**2 * first:
                return LinearResult(k, float(np.sqrt(max(rz, 0.0) / first)))
            device.launch(kernels.turn, n, rz / previous, z, p)
        return LinearResult(most, float(np.sqrt(rz / first)))


def _workspace(system: System) -> tuple:
    """Vectors of one solve, kept with the pattern they belong to."""
    pattern = system.pattern
    if not hasattr(pattern, "_pcg_work"):
        new = system.vectors.new
        pattern._pcg_work = (new(), new(), new(), new(), system.device.zeros(pattern.count, system.device.types.mat33))
    return pattern._pcg_work
