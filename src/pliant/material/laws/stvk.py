"""St Venant–Kirchhoff: linear in the Green strain. Softens and folds over under strong compression."""

from dataclasses import dataclass
from typing import Any, ClassVar

import warp as wp

from ...runtime.math3 import double_dot
from ..isotropic import Isotropic


@wp.func
def green(F: Any):
    return F.dtype(0.5) * (wp.transpose(F) * F - wp.identity(n=3, dtype=F.dtype))


@dataclass(frozen=True, kw_only=True, eq=False)
class StVenantKirchhoff(Isotropic):
    """ψ = μ‖E‖² + λ/2 tr²E with E = ½(FᵀF − I). Not for strong compression: reflections are minima too."""

    VOLUME: ClassVar = "green"

    @wp.func
    def energy(F: Any, p: Any):
        E = green(F)
        trace = wp.trace(E)
        return p[0] * double_dot(E, E) + F.dtype(0.5) * p[1] * trace * trace

    @wp.func
    def stress(F: Any, p: Any):
        E = green(F)
        return F * (F.dtype(2.0) * p[0] * E + p[1] * wp.trace(E) * wp.identity(n=3, dtype=F.dtype))

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        E = green(F)
        W = wp.transpose(F) * dF
        dE = F.dtype(0.5) * (W + wp.transpose(W))
        I = wp.identity(n=3, dtype=F.dtype)
        two_mu = F.dtype(2.0) * p[0]
        return dF * (two_mu * E + p[1] * wp.trace(E) * I) + F * (two_mu * dE + p[1] * wp.trace(dE) * I)

    @wp.func
    def principal(s: Any, p: Any):
        e = s.dtype(0.5) * (wp.cw_mul(s, s) - wp.vector(s.dtype(1.0), s.dtype(1.0), s.dtype(1.0)))
        trace = e[0] + e[1] + e[2]
        two_mu = s.dtype(2.0) * p[0]
        inner = wp.vector(two_mu * e[0] + p[1] * trace, two_mu * e[1] + p[1] * trace, two_mu * e[2] + p[1] * trace)
        H = wp.diag(inner + two_mu * wp.cw_mul(s, s)) + p[1] * wp.outer(s, s)
        return wp.cw_mul(s, inner), H
