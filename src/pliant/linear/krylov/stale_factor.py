"""Stale factor as preconditioner of conjugate gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import warp as wp

from ..factor.block_factor import Factored
from ..factor.block_factor_device import DeviceFactored, factored
from ..matrix.system import System
from ..preconditioner.preconditioners import Apply
from .pcg import PCG

TOLERANCE = {"f64": 1e-9, "f32": 1e-5}  # reduction of residuals; Zeng 2023, §3.3.1
MOST = 200


@dataclass(frozen=True, eq=False)
class StaleInverse:
    """The factor of an older matrix as a preconditioner."""

    inverse: Factored | DeviceFactored
    assembled: ClassVar[bool] = True
    batch: ClassVar[int] = 2

    def prepare(self, system: System) -> Apply:
        return self.inverse.apply


class StaleFactor:
    """The factor of a system's matrix as it was when ``take`` was called last, ``age`` steps ago.

    ``values`` are those of that matrix, so that a resumed run has the same factor.
    """

    def __init__(self, system: System):
        self.inverse: Factored | DeviceFactored = factored(system)
        self.values = wp.clone(system.matrix.values)
        self.made = 0  # factors so far
        self._pcg = PCG(iterations=MOST, preconditioner=StaleInverse(self.inverse))

    def take(self, system: System) -> bool:
        """Factorise the present matrix; False if it is not positive definite."""
        system.device.copy(system.matrix.values, self.values)
        self.inverse.take(system.free, system.device.precision, system.insist)
        self.made += 1
        return self.usable

    def restore(self, system: System, values: wp.array) -> bool:
        """Factorise the matrix with these values; those of the system do not change."""
        present = wp.clone(system.matrix.values)
        system.device.copy(values, system.matrix.values)
        self.take(system)
        system.device.copy(present, system.matrix.values)
        return self.usable

    @property
    def usable(self) -> bool:
        return self.inverse.finite and self.inverse.shift is not None

    def solve(self, system: System, b: wp.array[Any], x: wp.array[Any]) -> int:
        """x = A⁻¹ b with the present A; returns the number of iterations. b is 0 where unknowns are held."""
        return self._pcg.solve(system, b, x, TOLERANCE[system.device.precision]).iterations

    def corrected(self, b: wp.array, x: wp.array) -> None:
        """x = P b with the stale factor, as in W."""
        self.inverse.apply(b, x)
