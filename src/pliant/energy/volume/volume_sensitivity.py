"""Derivatives of volume energies by modulus and pressure."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import warp as wp

from ...runtime.vectors import Sums
from ..sensitivity import Differentiable, Slot, add_sum, sensitivity_kernels


class OfModulus(Differentiable):
    """Part of AveragedVolume: d · ∂²E/∂x∂κ = W M̄ δM̄ of each element."""

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"kappa": Slot((self.count,), self.device.types.real)}

    @property
    def undifferentiable(self) -> str | None:
        if not self.rigid:
            return None
        return "Averaged(incompressible=True) has no bulk modulus to differentiate by; expected a finite one"

    @cached_property
    def _summands(self) -> tuple[wp.array, wp.array, wp.array]:
        """W of each element, W M̄, and what is added."""
        device, real = self.device, self.device.types.real
        volumes = device.array(self.elements.volumes, real)
        return volumes, device.zeros(self.count, real), device.zeros(self.count, real)

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "kappa" in into:
            volumes, mean, change = self._summands
            self.means(x, mean, volumes)
            self.changes(x, d, change, mean)
            kernel = sensitivity_kernels(self.device.precision).accumulate
            self.device.launch(kernel, self.count, 1.0, change, into["kappa"])


class OfPressure(Differentiable):
    """Part of CellPressure: d · ∂²E/∂x∂p = −Σ W δM̄."""

    factor = 1.0  # of a course in time, by which the pressure is larger than the one that is differentiated by

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"pressure": Slot((1,), self.device.types.real)}

    @cached_property
    def _summands(self) -> tuple[wp.array, wp.array, Sums]:
        device, real = self.device, self.device.types.real
        volumes = device.array(self.elements.volumes, real)
        return volumes, device.zeros(self.count, real), Sums(device, np.array([0, self.count]))

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "pressure" in into:
            volumes, change, sums = self._summands
            self.changes(x, d, change, volumes)
            add_sum(sums, -self.factor, sums.parts(sums.kernels.sum_chunk, change), into["pressure"])
