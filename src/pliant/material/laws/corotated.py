"""Corotational laws by F = R S: Corotated, FixedCorotated, Arap."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...errors import InputError
from ...runtime.device import Types
from ...runtime.math3 import (
    cofactor,
    cofactor_differential,
    double_dot,
    invert_symmetric,
    polar_rotation,
    products,
    rotation_differential,
    rotation_second_differential,
    volume_hessian,
)
from ..functions import Functions
from ..isotropic import Isotropic
from .rotation_tangents import SHARES, Exact, Hybrid, Truncated, Warped, check_tangent, frozen


@wp.func
def own_rotation(F: Any, p: Any):
    """R of F = R S, whatever the parameters."""
    return polar_rotation(F)


@dataclass(frozen=True, kw_only=True, eq=False)
class Corotated(Isotropic):
    """Linear elasticity in the rotated frame: ψ = μ‖S−I‖² + λ/2 tr²(S−I). Weak against total collapse.

    ``tangent`` is what Newton's method takes for its stiffness: rotations.Exact(), or of solids Truncated(), Warped() or
    Hybrid(), which keep R fixed and are positive semi-definite. Forces and energy are the same.
    """

    tangent: Exact | Truncated | Warped | Hybrid = field(default_factory=Exact)

    VOLUME: ClassVar = "stretch"
    inversion_safe: ClassVar = True

    def __post_init__(self):
        super().__post_init__()
        check_tangent("Corotated", self.tangent)

    @property
    def is_exact(self) -> bool:
        """Whether the tangent is the derivative of the stress."""
        return isinstance(self.tangent, Exact)

    @property
    def name(self) -> str:
        return "Corotated" if self.is_exact else f"Corotated(tangent={type(self.tangent).__name__}())"

    @property
    def alone(self) -> str:
        return "" if self.is_exact else "its tangent is its own; use rotations.Exact() there"

    @property
    def inexact(self) -> str:
        return "" if self.is_exact else f"{self.name} has an approximate tangent; use rotations.Exact() there"

    @property
    def key(self) -> str:
        return "Corotated" if self.is_exact else "Corotated_frozen"

    def table(self) -> np.ndarray:
        rows = super().table()
        return rows if self.is_exact else np.hstack([rows, np.tile(SHARES[type(self.tangent)], (len(rows), 1))])

    def without_volume(self) -> tuple[Isotropic, np.ndarray, str] | None:
        return super().without_volume() if self.is_exact else None

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        functions = super().functions(t, dimension)
        functions.lanes = dimension == 3 and type(self) is Corotated
        if self.is_exact:
            return functions
        if dimension != 3:
            raise InputError(f"{self.name} works on solids only; use rotations.Exact() for sheets and threads")
        own = frozen("Corotated", own_rotation, t)
        for part in ("differential", "projected", "stiffness", "linearise", "turned"):
            setattr(functions, part, getattr(own, part))
        functions.polar = None
        return functions

    @wp.func
    def energy(F: Any, p: Any):
        R = polar_rotation(F)
        D = F - R
        trace = double_dot(R, D)
        return p[0] * double_dot(D, D) + F.dtype(0.5) * p[1] * trace * trace

    @wp.func
    def stress(F: Any, p: Any):
        R = polar_rotation(F)
        D = F - R
        return F.dtype(2.0) * p[0] * D + p[1] * double_dot(R, D) * R

    @wp.func
    def energy_stress(F: Any, p: Any):
        R = polar_rotation(F)
        D = F - R
        trace = double_dot(R, D)
        psi = p[0] * double_dot(D, D) + F.dtype(0.5) * p[1] * trace * trace
        return psi, F.dtype(2.0) * p[0] * D + p[1] * trace * R

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        # δP = 2μ δF + λ tr(RᵀδF) R + (λ tr(S−I) − 2μ) δR
        R = polar_rotation(F)
        S = wp.transpose(R) * F
        dR = rotation_differential(R, S, dF)
        two_mu = F.dtype(2.0) * p[0]
        return two_mu * dF + p[1] * double_dot(R, dF) * R + (p[1] * (wp.trace(S) - F.dtype(3.0)) - two_mu) * dR

    @wp.func
    def polar(F: Any, p: Any):
        """The same three terms for element matrices."""
        R = polar_rotation(F)
        S = wp.transpose(R) * F
        trace = wp.trace(S)
        D = R * invert_symmetric(trace * wp.identity(n=3, dtype=F.dtype) - S) * wp.transpose(R)
        two_mu = F.dtype(2.0) * p[0]
        return R, D, wp.vector(two_mu, p[1], p[1] * (trace - F.dtype(3.0)) - two_mu)

    @wp.func
    def second_differential(F: Any, A: Any, B: Any, p: Any):
        """∂²P/∂F² : A : B, with tr S as the one function of F that is not quadratic: its derivatives are R, δR and δ²R."""
        R = polar_rotation(F)
        S = wp.transpose(R) * F
        along_a, along_b = rotation_differential(R, S, A), rotation_differential(R, S, B)
        bend = (p[1] * (wp.trace(S) - F.dtype(3.0)) - F.dtype(2.0) * p[0]) * rotation_second_differential(R, S, A, B)
        turn = double_dot(along_b, A) * R + double_dot(R, A) * along_b + double_dot(R, B) * along_a
        return bend + p[1] * turn

    @wp.func
    def stretched(s: Any, p: Any):
        D = s - wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        trace = D[0] + D[1] + D[2]
        return p[0] * wp.dot(D, D) + s.dtype(0.5) * p[1] * trace * trace

    @wp.func
    def principal(s: Any, p: Any):
        one = wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        trace = s[0] + s[1] + s[2] - s.dtype(3.0)
        two_mu = s.dtype(2.0) * p[0]
        H = two_mu * wp.identity(n=3, dtype=s.dtype) + p[1] * wp.outer(one, one)
        return two_mu * (s - one) + p[1] * trace * one, H


@dataclass(frozen=True, kw_only=True, eq=False)
class FixedCorotated(Isotropic):
    """Corotated with a volume term that sees inversion: ψ = μ‖F−R‖² + λ/2 (J−1)² (Stomakhin et al. 2012)."""

    VOLUME: ClassVar = "excess"
    inversion_safe: ClassVar = True

    @property
    def least_poisson(self) -> float:
        return 0.0  # a negative λ of λ/2 (J−1)², of sixth order in the stretches, outgrows the second order of the rest

    @wp.func
    def energy(F: Any, p: Any):
        D = F - polar_rotation(F)
        J = wp.determinant(F) - F.dtype(1.0)
        return p[0] * double_dot(D, D) + F.dtype(0.5) * p[1] * J * J

    @wp.func
    def stress(F: Any, p: Any):
        J = wp.determinant(F) - F.dtype(1.0)
        return F.dtype(2.0) * p[0] * (F - polar_rotation(F)) + p[1] * J * cofactor(F)

    @wp.func
    def energy_stress(F: Any, p: Any):
        D = F - polar_rotation(F)
        K = cofactor(F)
        J = wp.dot(F[0], K[0]) - F.dtype(1.0)
        return p[0] * double_dot(D, D) + F.dtype(0.5) * p[1] * J * J, F.dtype(2.0) * p[0] * D + p[1] * J * K

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        R = polar_rotation(F)
        K = cofactor(F)
        dR = rotation_differential(R, wp.transpose(R) * F, dF)
        J = wp.determinant(F) - F.dtype(1.0)
        return F.dtype(2.0) * p[0] * (dF - dR) + p[1] * (double_dot(K, dF) * K + J * cofactor_differential(F, dF))

    @wp.func
    def stretched(s: Any, p: Any):
        D = s - wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        J = s[0] * s[1] * s[2] - s.dtype(1.0)
        return p[0] * wp.dot(D, D) + s.dtype(0.5) * p[1] * J * J

    @wp.func
    def principal(s: Any, p: Any):
        one = wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        slope = p[1] * (s[0] * s[1] * s[2] - s.dtype(1.0))
        two_mu = s.dtype(2.0) * p[0]
        H = two_mu * wp.identity(n=3, dtype=s.dtype) + volume_hessian(s, slope, p[1])
        return two_mu * (s - one) + slope * products(s), H


@dataclass(frozen=True, kw_only=True, eq=False)
class Arap(Isotropic):
    """As rigid as possible: ψ = μ‖F−R‖², the corotated law with λ = 0, so Poisson's ratio is 0 and cannot be set.

    It is the distance to the rotations with k = 2μ (Eq 6.1), and on springs Hooke's law k = E A / l₀ (Eq 5.1).
    """

    poisson: float = 0.0
    FIXED: ClassVar = ("poisson",)
    inversion_safe: ClassVar = True

    def __post_init__(self):
        super().__post_init__()
        if np.any(np.asarray(self.poisson) != 0.0):
            raise InputError(
                f"Arap(poisson={float(np.max(self.poisson)):g}): this law has Poisson's ratio 0; use Corotated for another"
            )

    @property
    def projective(self) -> np.ndarray:
        return np.atleast_1d(2 * self.mu)

    @wp.func
    def nearest(s: Any, p: Any):
        two_mu = s.dtype(2.0) * p[0]
        return wp.vector(two_mu, two_mu, two_mu)

    @wp.func
    def projection(F: Any, p: Any):
        return F.dtype(2.0) * p[0] * polar_rotation(F)

    @wp.func
    def energy(F: Any, p: Any):
        D = F - polar_rotation(F)
        return p[0] * double_dot(D, D)

    @wp.func
    def stress(F: Any, p: Any):
        return F.dtype(2.0) * p[0] * (F - polar_rotation(F))

    @wp.func
    def energy_stress(F: Any, p: Any):
        D = F - polar_rotation(F)
        return p[0] * double_dot(D, D), F.dtype(2.0) * p[0] * D

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        R = polar_rotation(F)
        return F.dtype(2.0) * p[0] * (dF - rotation_differential(R, wp.transpose(R) * F, dF))

    @wp.func
    def second_differential(F: Any, A: Any, B: Any, p: Any):
        """∂²P/∂F² : A : B."""
        R = polar_rotation(F)
        return F.dtype(-2.0) * p[0] * rotation_second_differential(R, wp.transpose(R) * F, A, B)

    @wp.func
    def stretched(s: Any, p: Any):
        D = s - wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        return p[0] * wp.dot(D, D)

    @wp.func
    def principal(s: Any, p: Any):
        one = wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        two_mu = s.dtype(2.0) * p[0]
        return two_mu * (s - one), two_mu * wp.identity(n=3, dtype=s.dtype)
