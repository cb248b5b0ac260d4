"""Sparse inverse products in place of substitutions (after Zeng 2025)."""

from __future__ import annotations

from dataclasses import dataclass

from ..factor.block_factor_device import factored
from ..matrix.system import System
from .preconditioners import Apply


@dataclass(frozen=True)
class SparseInverse:
    """A⁻¹ = Sᵀ S with the sparse inverse S = L⁻¹ of the Cholesky factor: two products in place of substitutions.

    Rows are independent, so that a GPU needs four launches, for any depth of the elimination tree. S takes several times
    the memory of L and its time, and it is recomputed with the factor: after a cut, a tear, another material,
    and where the nodes in contact change. It is for one factor with many solves on a GPU,
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
