"""Degeneration-aware polar decomposition (Dapd): corotated forces through collapse.

P = R̄ (2με + λ tr(ε) I) with ε = sym(R̄ᵀF) − I (Civit-Flores, A.46). Where R̄ is not the rotation of F itself,
ψ = μ‖ε‖² + λ/2 tr²ε has another derivative, so that P is no gradient: such a law says ``conservative = False``.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...errors import InputError
from ...runtime.device import Types
from ...runtime.math3 import double_dot
from ..base import Elastic
from ..functions import Functions, named
from .degenerate_rotations import QR, ROTATIONS, Identity, Polar, Project, Reflect, Smooth, rotation_functions
from .rotation_tangents import SHARES, Exact, Hybrid, Truncated, Warped, check_tangent, frozen

# the device vector: μ, λ, two numbers of the tangent, whether it is exact, five of the rotation, and the rest direction of an
# element's collapse
EXACT, ROTATION = wp.constant(4), 5
THRESHOLD, DIRECTION, WIDTH = ROTATION + 1, ROTATION + 5, ROTATION + 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Dapd(Elastic):
    """Corotated elasticity for linear tetrahedra that survive being crushed flat and turned inside out.

    ``rotation`` is where their frame comes from: rotations.Smooth(), or for comparison Project(), Reflect(), Polar() (that of
    Corotated), QR() or Identity(). ``tangent`` is what Newton's method takes for stiffness: rotations.Hybrid(), Truncated()
    or Warped(), positive semi-definite, or Exact(), unsymmetric where elements have collapsed. But for Polar() and Identity()
    its forces are no gradient of an energy: Newton takes them with ``line_search=None``.
    """

    rotation: Smooth | Project | Reflect | Polar | QR | Identity = field(default_factory=Smooth)
    tangent: Exact | Truncated | Warped | Hybrid = field(default_factory=Hybrid)

    DEVICE: ClassVar = ("mu", "lam")
    isotropic: ClassVar = False  # of a collapsed element, which has a direction
    inversion_safe: ClassVar = True
    alone: ClassVar = "its frame is that of single tetrahedra; use Corotated there"
    inexact: ClassVar = "Dapd has no derivatives: its forces depend on how elements collapsed; expected Corotated()"

    def __post_init__(self):
        super().__post_init__()
        check_tangent("Dapd", self.tangent)
        if not isinstance(self.rotation, ROTATIONS):
            raise InputError(
                f"Dapd(rotation=…) is a {type(self.rotation).__name__}; expected one of rotations.Smooth(), Project(), "
                "Reflect(), Polar(), QR() or Identity()"
            )

    @property
    def conservative(self) -> bool:
        """Whether its stress is the derivative of its energy."""
        return self.rotation.conservative

    @property
    def symmetric(self) -> bool:
        """Whether its tangent is."""
        return self.conservative or not isinstance(self.tangent, Exact)

    @property
    def rotation_invariant(self) -> bool:
        return self.rotation.invariant

    @property
    def name(self) -> str:
        return "Dapd" if isinstance(self.rotation, Smooth) else f"Dapd(rotation={type(self.rotation).__name__}())"

    @property
    def key(self) -> str:
        return "Dapd"  # one kernel for all of them

    @property
    def kind(self) -> tuple[str, str]:
        """What bodies that share a launch must have in common."""
        return type(self.rotation).__name__, type(self.tangent).__name__

    def table(self) -> np.ndarray:
        rows, exact = super().table(), float(isinstance(self.tangent, Exact))
        own = (*SHARES[type(self.tangent)], exact, *self.rotation.numbers, 0.0, 0.0, 0.0)
        return np.hstack([rows, np.tile(own, (len(rows), 1))])

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        if dimension != 3:
            raise InputError("Dapd works on tetrahedra only; use Corotated for sheets and threads")
        turn, real, mat33 = rotation_functions(ROTATION, t), t.real, t.mat33
        of, change = turn.of, turn.change

        def strain(F: mat33, R: mat33):
            S = wp.transpose(R) * F
            return real(0.5) * (S + wp.transpose(S)) - wp.identity(n=3, dtype=real)

        strain = t.function("dapd_strain", strain)

        def energy_stress(F: mat33, p: Any):
            R = of(F, p)
            e = strain(F, R)
            trace = wp.trace(e)
            psi = p[0] * double_dot(e, e) + real(0.5) * p[1] * trace * trace
            return psi, R * (real(2.0) * p[0] * e + p[1] * trace * wp.identity(n=3, dtype=real))

        both = t.function("Dapd_energy_stress", energy_stress)

        def energy(F: mat33, p: Any):
            psi, _P = both(F, p)
            return psi

        def stress(F: mat33, p: Any):
            _psi, P = both(F, p)
            return P

        def exact(F: mat33, dF: mat33, p: Any):
            """δP = μ(δF + δR FᵀR + R δFᵀR + R FᵀδR) − 2μ δR + λ tr(RᵀδF + δRᵀF) R + λ tr(ε) δR."""
            R, dR = change(F, dF, p)
            B, dB = wp.transpose(F), wp.transpose(dF)
            even = p[0] * (dF + dR * B * R + R * dB * R + R * B * dR) - real(2.0) * p[0] * dR
            trace = double_dot(R, F) - real(3.0)
            return even + p[1] * (double_dot(R, dF) + double_dot(dR, F)) * R + p[1] * trace * dR

        exact = t.function("Dapd_exact", exact)
        functions = frozen("Dapd", of, t)
        simple = functions.projected

        def differential(F: mat33, dF: mat33, p: Any):
            dP = mat33()
            if p[EXACT] > real(0.0):  # noqa: SIM108 (a kernel would evaluate both)
                dP = exact(F, dF, p)
            else:
                dP = simple(F, dF, p)
            return dP

        made = named(t, "Dapd", energy=energy, stress=stress, differential=differential)
        functions.energy, functions.stress, functions.energy_stress = made.energy, made.stress, both
        functions.differential = made.differential
        return functions
