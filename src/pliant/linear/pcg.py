"""Preconditioned conjugate gradients that stop, usefully, at negative curvature (Gast et al. 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

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
        work = workspace(system)
        pattern = system.pattern
        device.launch(kernels.invert_diagonal, n, pattern.device_diagonal, pattern.values, work.inverse)
        work.x.zero_()
        vectors.copy(b, work.r)
        device.launch(kernels.precondition, n, system.free, work.inverse, work.r, work.z)
        vectors.copy(work.z, work.p)
        vectors.sums.use(kernels.begin_scalars, tolerance**2, vectors.dots(work.r, work.z), work.scalars)
        batch = device.repeated(
            lambda: _iterate(system, kernels, work), 1 if device.is_cpu else 16, work.graphs if system.fixed else None
        )
        done, steps = work.read(), 0
        while done[0] > done[6] and not done[4] and steps < most:
            steps += batch()
            done = work.read()
        if done[4] and done[3] <= 1:
            vectors.copy(work.z, x)  # negative curvature at once: the preconditioned gradient still descends
        else:
            vectors.copy(work.x, x)
        residual = float(np.sqrt(max(done[0], 0.0) / done[5])) if done[5] > 0 else 0.0
        return LinearResult(int(done[3]), residual, negative=bool(done[4]))


def _iterate(system: System, kernels: SimpleNamespace, work: SimpleNamespace) -> None:
    """One iteration, with all its scalars on the device."""
    device, vectors, n = system.device, system.vectors, system.vectors.count
    system.apply(work.p, work.q)
    vectors.sums.use(kernels.choose_step, vectors.dots(work.p, work.q), work.scalars)
    device.launch(kernels.advance, n, system.free, work.inverse, work.scalars, work.p, work.q, work.x, work.r, work.z)
    vectors.sums.use(kernels.choose_beta, vectors.dots(work.r, work.z), work.scalars)
    device.launch(kernels.turn, n, work.scalars, work.z, work.p)


def workspace(system: System) -> SimpleNamespace:
    """Vectors and scalars of a solve, kept with the pattern they belong to."""
    pattern, device = system.pattern, system.device
    if not hasattr(pattern, "solver_work"):
        vectors = {name: system.vectors.new() for name in ("x", "r", "z", "p", "q")}
        scalars = device.zeros(7, wp.float64)
        view = scalars.numpy() if device.is_cpu else None
        pattern.solver_work = SimpleNamespace(
            **vectors,
            inverse=device.zeros(pattern.count, device.types.mat33),
            scalars=scalars,
            read=(lambda: view) if device.is_cpu else scalars.numpy,
            graphs={},
        )
    return pattern.solver_work
