"""Ogden's law for rubber: a sum of powers of the principal stretches."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...arguments.checks import floats
from ...errors import InputError
from ...runtime.math3 import products, svd, volume_hessian
from ..isotropic import Isotropic
from .neo_hookean import log_volume


@wp.func
def power_terms(x: Any, p: Any):
    """Σ μₖ/αₖ (x^αₖ − 1) with its first and second derivative; p holds (μₖ, αₖ) from entry 1 on."""
    value = x * type(x)(0.0)
    slope = value
    curvature = value
    for k in range(3):
        mu = p[1 + 2 * k]
        alpha = p[2 + 2 * k]
        y = wp.pow(x, alpha)
        value += mu / alpha * (y - type(x)(1.0))
        slope += mu * y / x
        curvature += mu * (alpha - type(x)(1.0)) * y / (x * x)
    return value, slope, curvature


@dataclass(frozen=True, kw_only=True, eq=False)
class Ogden(Isotropic):
    """ψ = Σₖ μₖ/αₖ (s₀^αₖ + s₁^αₖ + s₂^αₖ − 3) − Σμₖ log J + λ/2 log²J, up to three terms. Elements must not invert.

    ``exponents`` are αₖ; ``weights`` share out Σ μₖαₖ = 2μ (they sum to 1). The defaults are Ogden's fit to rubber.
    """

    exponents: tuple[float, ...] = (1.3, 5.0, -2.0)
    weights: tuple[float, ...] = (0.9692, 0.0071, 0.0237)

    VOLUME: ClassVar = "log"
    DEVICE: ClassVar = ("lam", "mu1", "alpha1", "mu2", "alpha2", "mu3", "alpha3")

    def __post_init__(self):
        super().__post_init__()
        alpha, weight = (np.atleast_1d(floats(v)) for v in (self.exponents, self.weights))
        if alpha.shape != weight.shape or not 1 <= len(alpha) <= 3:
            raise InputError(
                f"Ogden has {alpha.size} exponents and {weight.size} weights; expected one to three of each, equally many"
            )
        if np.any(alpha == 0) or not np.all(np.isfinite(alpha)) or np.any(weight < 0) or abs(weight.sum() - 1) > 1e-6:
            raise InputError(
                f"Ogden exponents {alpha.tolist()}, weights {weight.tolist()}: expected non-zero exponents and "
                "weights of at least 0 that sum to 1"
            )
        object.__setattr__(self, "exponents", (*alpha.tolist(), *[1.0] * (3 - len(alpha))))
        object.__setattr__(self, "weights", (*weight.tolist(), *[0.0] * (3 - len(weight))))

    @property
    def least_poisson(self) -> float:
        """A negative λ of λ/2 log²J is outgrown by powers on both sides, small and large stretches; by logarithms it is not."""
        alpha, weight = (np.atleast_1d(floats(v)) for v in (self.exponents, self.weights))
        if alpha.shape != weight.shape:
            return -1.0  # refused below
        return -1.0 if np.any((alpha < 0) & (weight > 0)) and np.any((alpha > 0) & (weight > 0)) else 0.0

    @property
    def barrier(self) -> bool:
        return True

    # entries of the device vector
    mu1, mu2, mu3 = (
        property(lambda self, k=k: 2.0 * self.mu * self.weights[k] / self.exponents[k], doc=f"μₖ = 2μ wₖ/αₖ [Pa], k = {k + 1}.")
        for k in range(3)
    )
    alpha1, alpha2, alpha3 = (property(lambda self, k=k: self.exponents[k], doc=f"Exponent αₖ, k = {k + 1}.") for k in range(3))

    @wp.func
    def energy(F: Any, p: Any):
        _U, s, _V = svd(F)
        total, _slope, _curvature = log_volume(s[0] * s[1] * s[2] - F.dtype(1.0), p[1] + p[3] + p[5], p[0], F.dtype(0.0))
        if s[2] > F.dtype(0.0):
            for i in range(3):
                a, _da, _dda = power_terms(s[i], p)
                total += a
        return total

    @wp.func
    def principal(s: Any, p: Any):
        _c, slope, curvature = log_volume(s[0] * s[1] * s[2] - s.dtype(1.0), p[1] + p[3] + p[5], p[0], s.dtype(0.0))
        g = slope * products(s)
        H = volume_hessian(s, slope, curvature)
        if s[2] > s.dtype(0.0):
            for i in range(3):
                _a, da, dda = power_terms(s[i], p)
                g[i] += da
                H[i, i] += dda
        return g, H
