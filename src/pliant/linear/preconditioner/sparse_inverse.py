"""Products with the sparse inverse of a Cholesky factor in place of its substitutions (after Zeng 2025)."""

from __future__ import annotations

from dataclasses import dataclass

from ..factor.block_factor_device import factored
from ..matrix.system import System
from .preconditioners import Apply


@dataclass(frozen=True)
class SparseInverse:
    """A⁻¹ = Sᵀ S with the inverse S = L⁻¹ of the Cholesky factor, kept sparse: two products in place of substitutions.

    They need no order among rows, so that a GPU is done in four launches, however deep the elimination tree. S takes some times
    the memory of L and the time to make it, and it is made anew whenever the factor is: after a cut, a tear, another material,
    and where other nodes touch than before. It is for one factor that serves many solves on a GPU,
    ``QuasiNewton(linear=SparseInverse())`` on a body that is not cut, up to some hundred thousand tets. As a preconditioner it is
    Cholesky() by products. On a CPU, where substitutions are faster, it is Direct(), or Cholesky().
    """

    assembled = True
    batch = 1

    def prepare(self, system: System) -> Apply:
        """A function apply(r, z); factor and inverse are rebuilt for the first system of a solve."""
        inverse = system.keep(SparseInverse, lambda: factored(system, inverse=True))
        if system.first or inverse.version == 0:
            inverse.take(system.free, system.device.precision)
        return inverse.apply
