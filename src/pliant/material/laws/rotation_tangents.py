"""Tangents of rotation laws: exact and approximate.

With R fixed the stress differential is 2μ δF or 2μ R sym(RᵀδF), plus λ tr(RᵀδF) R. Both are positive semi-definite at every
F, so that conjugate gradients never meet negative curvature. Near rest the second is the exact one; under large strain the first
is the stiffer, and the hybrid goes from one to the other (Civit-Flores).
"""

from dataclasses import dataclass
from typing import Any

import warp as wp

from ...errors import InputError
from ...runtime.device import Types
from ...runtime.math3 import double_dot
from ..functions import Functions, named
from ..spectral import from_linearisation


@dataclass(frozen=True)
class Exact:
    """The differential as it is: 2μ δF + λ tr(RᵀδF) R + (λ tr ε − 2μ) δR; indefinite under compression (Civit-Flores, A.47)."""


@dataclass(frozen=True)
class Truncated:
    """Without the term of δR: 2μ δF + λ tr(RᵀδF) R. Too stiff against rotations, the more so near rest."""


@dataclass(frozen=True)
class Warped:
    """Stiffness at rest in the rotated frame, R K Rᵀ: 2μ R sym(RᵀδF) + λ tr(RᵀδF) R. No stiffness against rotations."""


@dataclass(frozen=True)
class Hybrid:
    """Warped() at rest, Truncated() where the strain ‖S − I‖/√3 is 1 or more, and the straight mean of both between.

    The strain is the root mean square of the principal ones, which no choice of axes changes.
    """


# share of Truncated() at rest, and how it grows with the strain; the matrix of Exact(), where there is one, is that of Hybrid()
SHARES = {Exact: (0.0, 1.0), Truncated: (1.0, 0.0), Warped: (0.0, 0.0), Hybrid: (0.0, 1.0)}
Tangent = Exact | Truncated | Warped | Hybrid
TANGENTS = (Exact, Truncated, Warped, Hybrid)


def check_tangent(owner: str, tangent: object) -> None:
    """Refuse anything but one of the four."""
    if not isinstance(tangent, TANGENTS):
        raise InputError(
            f"{owner}(tangent=…) is a {type(tangent).__name__}; expected one of rotations.Exact(), Truncated(), Warped() or "
            "Hybrid()"
        )


def frozen(name: str, rotation: wp.Function, t: Types) -> Functions:
    """differential, projected, stiffness and linearise of a law with the rotation(F, p) taken for constant.

    p begins with μ, λ and the two numbers of ``shares``, so that one kernel serves all three.
    """
    real, mat33 = t.real, t.mat33

    def share(F: mat33, R: mat33, p: Any):
        """How much of Truncated() there is beside Warped(); the strain is ‖RᵀF − I‖/√3."""
        D = F - R
        return wp.min(p[2] + p[3] * wp.sqrt(double_dot(D, D) / real(3.0)), real(1.0))

    share = t.function(f"{name}_share", share)

    def differential(F: mat33, dF: mat33, p: Any):
        R = rotation(F, p)
        s = share(F, R, p)
        even = p[0] * ((real(1.0) + s) * dF + (real(1.0) - s) * (R * wp.transpose(dF) * R))
        return even + p[1] * double_dot(R, dF) * R

    def linearise(F: mat33, p: Any, project: bool):
        """δP = R B with B of A = RᵀδF: as in spectral.py, with R and I for the frames."""
        R = rotation(F, p)
        s = share(F, R, p)
        o = real(0.0)
        a = p[0] * (real(1.0) + s)
        x = p[0] * (real(1.0) - s)
        d = real(2.0) * p[0] + p[1]
        H = mat33(d, p[1], p[1], p[1], d, p[1], p[1], p[1], d)
        return R, wp.identity(n=3, dtype=real), H, mat33(o, a, a, a, o, a, a, a, o), mat33(o, x, x, x, o, x, x, x, o)

    def turned(F: mat33, p: Any):
        R = rotation(F, p)
        s = share(F, R, p)
        return R, t.vec3(p[0] * (real(1.0) + s), p[0] * (real(1.0) - s), p[1])

    full = f"{name}_frozen"
    made = named(t, full, differential=differential, linearise=linearise, turned=turned)
    functions = from_linearisation(full, made.linearise, t)
    functions.differential = functions.projected = made.differential
    functions.turned = made.turned
    return functions
