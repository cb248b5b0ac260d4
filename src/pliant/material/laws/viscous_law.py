"""The law behind viscosity: ψ = k ‖E − E₀‖², a quadratic in the Green strain about the strain a step ago."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...runtime.device import Types
from ...runtime.math3 import double_dot
from ..base import Material
from ..functions import Functions, named
from .stvk import green


@wp.func
def strain_change(F: Any, p: Any):
    """E(F) − E₀."""
    E0 = wp.matrix_from_rows(wp.vector(p[1], p[4], p[5]), wp.vector(p[4], p[2], p[6]), wp.vector(p[5], p[6], p[3]))
    return green(F) - E0


@dataclass(frozen=True, kw_only=True, eq=False)
class Viscous(Material):
    """Internal: p = (k, E₀ as xx, yy, zz, xy, xz, yz) per element, refilled every step."""

    elements: int = 1
    isotropic: ClassVar = False

    @property
    def numbers(self) -> np.ndarray:
        return np.zeros((self.elements, 7))

    DEVICE: ClassVar = ("numbers",)

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        real, mat33, mat99 = t.real, t.mat33, t.mat99

        def energy(F: mat33, p: Any):
            D = strain_change(F, p)
            return p[0] * double_dot(D, D)

        def stress(F: mat33, p: Any):
            return real(2.0) * p[0] * F * strain_change(F, p)

        def tangent(F: mat33, dF: mat33, p: Any, project: bool):
            W = wp.transpose(F) * dF
            dP = p[0] * F * (W + wp.transpose(W))  # Gauss–Newton part, positive semi-definite
            if not project:
                dP += real(2.0) * p[0] * dF * strain_change(F, p)
            return dP

        tangent = t.function("Viscous_tangent", tangent)

        def differential(F: mat33, dF: mat33, p: Any):
            return tangent(F, dF, p, False)

        def projected(F: mat33, dF: mat33, p: Any):
            return tangent(F, dF, p, True)

        def stiffness(F: mat33, p: Any, project: bool):
            M = mat99()
            c = int(0)
            while c < 9:
                dF = mat33()
                dF[c // 3, c % 3] = real(1.0)
                dP = tangent(F, dF, p, project)
                for r in range(9):
                    M[r, c] = dP[r // 3, r % 3]
                c += 1
            return M

        return named(
            t,
            "Viscous",
            energy=energy,
            stress=stress,
            differential=differential,
            projected=projected,
            stiffness=stiffness,
        )
