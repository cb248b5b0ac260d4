"""Neo-Hookean laws: classic, stable (Smith et al. 2018), Mooney–Rivlin."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...runtime.math3 import cofactor, cofactor_differential, double_dot, excess, excess_cofactor, products, volume_hessian
from ..base import Elastic, Parameter, Values, engineering
from ..isotropic import Isotropic


@wp.func
def log1p(x: Any):
    """log(1 + x), accurate for small x."""
    one = type(x)(1.0)
    u = one + x
    value = x
    if u != one:
        value = wp.log(u) * (x / (u - one))
    return value


@wp.func
def log1p_by(x: Any, inverse: Any):
    """The same where 1/(1 + x) is known: with q = (x + x/(1+x))/2 = sinh log(1+x) it is asinh q, a short series of small x."""
    one = type(x)(1.0)
    value = x
    if wp.abs(x) < one / type(x)(8.0):
        q = (x + x * inverse) / type(x)(2.0)
        z = q * q
        w = z * z
        # quotients of whole numbers, which single precision has exactly: Warp would round a quotient of plain numbers to it
        a = one - z / type(x)(6.0) + w * (type(x)(3.0) / type(x)(40.0) - z * (type(x)(5.0) / type(x)(112.0)))
        b = type(x)(35.0) / type(x)(1152.0) - z * (type(x)(63.0) / type(x)(2816.0))
        c = type(x)(231.0) / type(x)(13312.0) - z * (type(x)(143.0) / type(x)(10240.0))
        value = q * (a + w * w * (b + w * (c + w * (type(x)(6435.0) / type(x)(557056.0)))))
    else:
        value = wp.log(one + x)
    return value


@wp.func
def extended_log(j: Any, J0: Any):
    """log J of J = 1 + j with its two derivatives; below J₀ the parabola that meets it there, so inversion costs energy."""
    J = type(j)(1.0) + j
    value = J * type(J)(0.0)
    slope = value
    curvature = value
    if J > J0:
        value = log1p(j)
        slope = type(J)(1.0) / J
        curvature = -slope * slope
    elif type(J)(0.0) < J0:
        r = J / J0 - type(J)(1.0)
        value = wp.log(J0) + r - type(J)(0.5) * r * r
        slope = (type(J)(1.0) - r) / J0
        curvature = -type(J)(1.0) / (J0 * J0)
    else:
        value = -type(J)(1.0e30)  # a barrier law asked about an inverted element: an energy no step accepts
    return value, slope, curvature


@wp.func
def log_volume(j: Any, linear: Any, lam: Any, J0: Any):
    """c(J) = −linear log J + λ/2 log²J at J = 1 + j, with its two derivatives by J."""
    L, dL, ddL = extended_log(j, J0)
    value = type(j)(0.5) * lam * L * L - linear * L
    return value, (lam * L - linear) * dL, lam * dL * dL + (lam * L - linear) * ddL


@dataclass(frozen=True, kw_only=True, eq=False)
class _LogVolume(Isotropic):
    """A law whose volume term is made of log J, continued below ``extended_below`` so that it can start inverted."""

    extended_below: Values = 0.1  # J under which log J is continued by a parabola; 0 keeps the true barrier

    PARAMETERS: ClassVar = Elastic.PARAMETERS | {
        "extended_below": Parameter("", "volume ratio below which log J is continued", 0.0, 0.9, open=False)
    }

    @property
    def least_poisson(self) -> float | np.ndarray:
        return 0.0  # a negative λ of λ/2 log²J outgrows −μ log J as J → 0, and the parabola below J₀ all else as J → −∞

    @property
    def inversion_safe(self) -> bool:
        return bool(np.all(np.asarray(self.extended_below) > 0))

    @property
    def barrier(self) -> bool:
        return not self.inversion_safe


@dataclass(frozen=True, kw_only=True, eq=False)
class NeoHookean(_LogVolume):
    """ψ = μ/2 (tr FᵀF − 3) − μ log J + λ/2 log²J."""

    DEVICE: ClassVar = ("mu", "lam", "extended_below")
    VOLUME: ClassVar = "log"

    @wp.func
    def energy(F: Any, p: Any):
        x, j = excess(F)
        c, _slope, _curvature = log_volume(j, p[0], p[1], p[2])
        return F.dtype(0.5) * p[0] * x + c

    @wp.func
    def stress(F: Any, p: Any):
        _c, slope, _curvature = log_volume(wp.determinant(F) - F.dtype(1.0), p[0], p[1], p[2])
        return p[0] * F + slope * cofactor(F)

    @wp.func
    def energy_stress(F: Any, p: Any):
        x, j = excess(F)
        c, slope, _curvature = log_volume(j, p[0], p[1], p[2])
        return F.dtype(0.5) * p[0] * x + c, p[0] * F + slope * cofactor(F)

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        K = cofactor(F)
        _c, slope, curvature = log_volume(wp.determinant(F) - F.dtype(1.0), p[0], p[1], p[2])
        return p[0] * dF + curvature * double_dot(K, dF) * K + slope * cofactor_differential(F, dF)

    @wp.func
    def closed(F: Any, p: Any):
        zero = F.dtype(0.0)
        _c, slope, curvature = log_volume(wp.determinant(F) - F.dtype(1.0), p[0], p[1], p[2])
        return F, cofactor(F), wp.vector(p[0], zero, curvature, slope)

    @wp.func
    def principal(s: Any, p: Any):
        _c, slope, curvature = log_volume(s[0] * s[1] * s[2] - s.dtype(1.0), p[0], p[1], p[2])
        return p[0] * s + slope * products(s), p[0] * wp.identity(n=3, dtype=s.dtype) + volume_hessian(s, slope, curvature)


@dataclass(frozen=True, kw_only=True, eq=False)
class StableNeoHookean(Isotropic):
    """ψ = μ̂/2 (I−3) − μ̂/2 log(I+1) + λ̂/2 (J−α)², I = tr FᵀF; defined everywhere and at rest at F = I.

    μ̂ = 4/3 μ, λ̂ = λ + 5/6 μ and α = 1 + 3μ̂/(4λ̂) make Young's modulus and Poisson's ratio those of small strains.
    """

    DEVICE: ClassVar = ("mu_hat", "lam_hat")
    PARAMETERS: ClassVar = Elastic.PARAMETERS
    VOLUME: ClassVar = "excess"
    inversion_safe: ClassVar = True

    @property
    def mu_hat(self) -> np.ndarray:
        """μ̂ [Pa] at which small strain has the given μ."""
        return self.mu * 4.0 / 3.0

    @property
    def lam_hat(self) -> np.ndarray:
        """λ̂ [Pa] at which small strain has the given λ."""
        return self.lam + self.mu * 5.0 / 6.0

    @wp.func
    def energy(F: Any, p: Any):
        x, j = excess(F)
        half = F.dtype(0.5)
        return half * p[0] * (x - log1p(F.dtype(0.25) * x)) + half * p[1] * j * j - F.dtype(0.75) * p[0] * j

    @wp.func
    def stress(F: Any, p: Any):
        I = double_dot(F, F)
        j = wp.determinant(F) - F.dtype(1.0)
        return p[0] * (I / (I + F.dtype(1.0))) * F + (p[1] * j - F.dtype(0.75) * p[0]) * cofactor(F)

    @wp.func
    def energy_stress(F: Any, p: Any):
        x, j, K = excess_cofactor(F)
        half = F.dtype(0.5)
        y = F.dtype(0.25) * x  # I + 1 = 4 (1 + y)
        inverse = F.dtype(1.0) / (F.dtype(1.0) + y)
        psi = half * (p[0] * (x - log1p_by(y, inverse)) + p[1] * j * j) - F.dtype(0.75) * p[0] * j
        slope = p[1] * j - F.dtype(0.75) * p[0]
        return psi, (p[0] * (F.dtype(1.0) - F.dtype(0.25) * inverse)) * F + slope * K

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        I = double_dot(F, F)
        w = F.dtype(1.0) / (I + F.dtype(1.0))
        j = wp.determinant(F) - F.dtype(1.0)
        K = cofactor(F)
        return (
            p[0] * (I * w * dF + F.dtype(2.0) * w * w * double_dot(F, dF) * F)
            + p[1] * double_dot(K, dF) * K
            + (p[1] * j - F.dtype(0.75) * p[0]) * cofactor_differential(F, dF)
        )

    @wp.func
    def closed(F: Any, p: Any):
        I = double_dot(F, F)
        w = F.dtype(1.0) / (I + F.dtype(1.0))
        K = cofactor(F)
        slope = p[1] * (wp.dot(F[0], K[0]) - F.dtype(1.0)) - F.dtype(0.75) * p[0]
        return F, K, wp.vector(p[0] * I * w, F.dtype(2.0) * p[0] * w * w, p[1], slope)

    @wp.func
    def principal(s: Any, p: Any):
        I = wp.dot(s, s)
        w = s.dtype(1.0) / (I + s.dtype(1.0))
        slope = p[1] * (s[0] * s[1] * s[2] - s.dtype(1.0)) - s.dtype(0.75) * p[0]
        H = p[0] * (I * w * wp.identity(n=3, dtype=s.dtype) + s.dtype(2.0) * w * w * wp.outer(s, s))
        return p[0] * I * w * s + slope * products(s), H + volume_hessian(s, slope, p[1])


@dataclass(frozen=True, kw_only=True, eq=False)
class MooneyRivlin(_LogVolume):
    """ψ = μ₁₀(I₁−3) + μ₀₁(I₂−3) + c(J), with log J in c; ``split`` is the share of μ₀₁ in μ = 2(μ₁₀ + μ₀₁)."""

    split: Values = 0.25

    DEVICE: ClassVar = ("mu10", "mu01", "lam_volume", "extended_below")
    VOLUME: ClassVar = "log"
    PARAMETERS: ClassVar = _LogVolume.PARAMETERS | {
        "split": Parameter("", "share of the second invariant in the shear modulus", 0.0, 1.0, open=False)
    }

    _instead: ClassVar = "; use a smaller split, or StableNeoHookean"

    @property
    def least_poisson(self) -> np.ndarray:
        return np.asarray(self.split) / (1 + 2 * np.asarray(self.split))  # where lam_volume is 0

    @property
    def mu10(self) -> np.ndarray:
        """μ₁₀ [Pa], the weight of I₁."""
        return 0.5 * self.mu * (1 - self.split)

    @property
    def mu01(self) -> np.ndarray:
        """μ₀₁ [Pa], the weight of I₂."""
        return 0.5 * self.mu * self.split

    @property
    def lam_volume(self) -> np.ndarray:
        """The I₂ term brings 4μ₀₁ of λ at small strain, so the volume term has the rest."""
        return self.lam - 4.0 * self.mu01

    def _split(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return *engineering(self.mu, 4.0 * self.mu01), self.lam_volume

    @wp.func
    def energy(F: Any, p: Any):
        x, j = excess(F)
        y, _det = excess(cofactor(F))
        c, _slope, _curvature = log_volume(j, F.dtype(2.0) * p[0] + F.dtype(4.0) * p[1], p[2], p[3])
        return p[0] * x + p[1] * y + c

    @wp.func
    def stress(F: Any, p: Any):
        # ∂I₂/∂F with I₂ = ½(I₁² − tr C²)
        two = F.dtype(2.0)
        _c, slope, _curvature = log_volume(wp.determinant(F) - F.dtype(1.0), two * p[0] + F.dtype(4.0) * p[1], p[2], p[3])
        C = wp.transpose(F) * F
        return two * p[0] * F + two * p[1] * (wp.trace(C) * F - F * C) + slope * cofactor(F)

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        two = F.dtype(2.0)
        _c, slope, curvature = log_volume(wp.determinant(F) - F.dtype(1.0), two * p[0] + F.dtype(4.0) * p[1], p[2], p[3])
        K = cofactor(F)
        C = wp.transpose(F) * F
        dC = wp.transpose(dF) * F + wp.transpose(F) * dF
        second = wp.trace(dC) * F + wp.trace(C) * dF - dF * C - F * dC
        return two * p[0] * dF + two * p[1] * second + curvature * double_dot(K, dF) * K + slope * cofactor_differential(F, dF)

    @wp.func
    def principal(s: Any, p: Any):
        two = s.dtype(2.0)
        _c, slope, curvature = log_volume(s[0] * s[1] * s[2] - s.dtype(1.0), two * p[0] + s.dtype(4.0) * p[1], p[2], p[3])
        I = wp.dot(s, s)
        q = wp.cw_mul(s, s)
        ones = wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0))
        g = two * p[0] * s + two * p[1] * wp.cw_mul(s, I * ones - q) + slope * products(s)
        H = (
            two * p[0] * wp.identity(n=3, dtype=s.dtype)
            + two * p[1] * (wp.diag(I * ones - s.dtype(3.0) * q) + two * wp.outer(s, s))
            + volume_hessian(s, slope, curvature)
        )
        return g, H
