"""Preconditioners of conjugate gradients: approximations of A⁻¹.

``prepare(system)`` returns the inverse for one solve: 3×3 blocks of the nodes, which the iteration's own kernels apply,
or a function apply(r, z) that only launches. ``assembled`` says whether the whole matrix is needed, ``batch`` the number of
iterations between two checks of the residual on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import warp as wp

from ..factor.block_factor_device import factored
from ..matrix.cg_kernels import linear_kernels
from ..matrix.system import System

__all__ = ["BlockJacobi", "Cholesky", "Jacobi"]

Apply = Callable[[wp.array[Any], wp.array[Any]], None]


class Preconditioner(Protocol):
    """z ≈ A⁻¹ r, symmetric and positive definite."""

    assembled: bool
    batch: int

    def prepare(self, system: System) -> wp.array[Any] | Apply:
        """The inverse for the present values: (n,) 3×3 blocks, or a function apply(r, z)."""


@dataclass(frozen=True)
class BlockJacobi:
    """The inverse 3×3 diagonal blocks."""

    of_rows = True
    assembled = False
    batch = 16

    def prepare(self, system: System) -> wp.array[Any]:
        """(n,) inverse blocks of the present values."""
        return _inverted(system, linear_kernels(system.device.precision).invert_diagonal)


@dataclass(frozen=True)
class Jacobi:
    """The inverse diagonal: cheaper to compute than BlockJacobi() and never better."""

    assembled = False
    batch = 16

    def prepare(self, system: System) -> wp.array[Any]:
        """(n,) inverse blocks of the present values."""
        return _inverted(system, linear_kernels(system.device.precision).invert_numbers)


def _inverted(system: System, kernel: wp.Kernel) -> wp.array:
    device, matrix = system.device, system.matrix
    inverse = system.keep(BlockJacobi, lambda: device.zeros(matrix.count, device.types.mat33))
    device.launch(kernel, matrix.count, matrix.device_diagonal, matrix.values, inverse)
    return inverse


@dataclass(frozen=True)
class Cholesky:
    """The factor of the first matrix of a solve, in f64, for all matrices of that solve.

    Few iterations at any stiffness and slenderness for one factorisation a step, where Direct() takes one each time.
    """

    assembled = True
    batch = 1

    def prepare(self, system: System) -> Apply:
        """A function apply(r, z); the factor is rebuilt for the first system of a solve."""
        inverse = system.keep(Cholesky, lambda: factored(system))
        if system.first or inverse.version == 0:
            inverse.take(system.free, system.device.precision)
        return inverse.apply
