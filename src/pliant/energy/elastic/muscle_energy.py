"""Energy of the muscles in one body: E(x) = Σ W ψ(‖F w‖), one point per muscle and element, with fibres along w."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...elements.inlay import Inlay
from ...material.laws.fibres import Muscle
from ...runtime.device import Device
from .elastic_energy import ElasticEnergy


class MuscleEnergy(ElasticEnergy):
    """The elastic energy of the law ``Muscle``, a row of parameters for each point: P = (T(λ)/λ) F w wᵀ, λ = ‖F w‖."""

    name = "muscles"
    inversion = None  # the law of the body counts its points

    def __init__(self, device: Device, elements: Inlay, law: Muscle, first: int = 0):
        super().__init__(device, elements, law, first, np.arange(elements.count))

    def set_parameters(self, material: Muscle) -> None:
        """Change activation and strength; only strength changes the matrix below."""
        before, as_strong = self.version, np.array_equal(self.material.peak_stress, material.peak_stress)
        super().set_parameters(material)
        if as_strong:
            self.version = before

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Σ W T/λ (w·∇Nᵢ)(w·∇Nⱼ), the part of the Hessian that tension brings, at the peak stress."""
        along = np.einsum("mia,ma->mi", self.elements.gradients[:, 0], self.material.direction)
        weight = self.elements.weights[:, 0] * self.material.peak_stress
        return self.assembled(weight[:, None, None] * along[:, :, None] * along[:, None, :], count)
