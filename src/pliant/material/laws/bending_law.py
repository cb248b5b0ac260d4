"""The laws behind bending: Kirchhoff's plate, and its viscosity.

Here F's columns are curvature vectors (elements/sheets/plates.py).
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...runtime.device import Types
from ...runtime.math3 import double_dot
from ..base import Material, Parameter, Values
from ..functions import Functions, named


@wp.func
def column_weights(p: Any):
    """What the mean curvature, and the two that are free of it, count for in ψ/D: 1+ν, 1−ν and 1−ν."""
    one = p.dtype(1.0)
    return wp.vector(one + p[1], one - p[1], one - p[1])


@wp.func
def rest_curvature(p: Any):
    return wp.vector(p[2], p[3], p[4])


@wp.func
def nearest_direction(F: Any, p: Any):
    """The unit vector n nearest to F, and the length of what it is the direction of; zero where F is."""
    d = F * wp.cw_mul(column_weights(p), rest_curvature(p))
    length = wp.length(d)
    if length > F.dtype(0.0):
        d = d / length
    return d, length


@wp.func
def turned_part(F: Any, p: Any, project: bool):
    """n, and s of the tangent D [dF w − s (I − nnᵀ) dF q ⊗ q] with w the weights of columns and q = w·rest.

    s is one over the length; where ``project`` is set it is no more than what leaves the tangent positive.
    """
    n, s = nearest_direction(F, p)
    r = rest_curvature(p)
    if project:
        s = wp.max(s, wp.dot(r, wp.cw_mul(column_weights(p), r)))
    if s > F.dtype(0.0):
        s = F.dtype(1.0) / s
    return n, s


@dataclass(frozen=True, kw_only=True, eq=False)
class Bending(Material):
    """A plate of stiffness D and Poisson's ratio ν: ψ = D/2 min ‖F − n⊗rest‖² over unit vectors n, ‖·‖ of ``column_weights``.

    For F = n⊗κ that is D/2 [(κ₁+κ₂)² − 2(1−ν)(κ₁κ₂ − κ₁₂²)] of the change of curvature, whichever way n points; flat at rest it
    is quadratic in F. The distance to a set that rotations keep, so it is projective.
    energy/sheets/bending_energy.py makes its matrix.
    """

    density: Values = 0.0
    stiffness: Values = 1.0  # D [J]
    poisson: Values = 0.0
    rest: np.ndarray = field(default_factory=lambda: np.zeros((1, 3)))  # (rows, 3) curvatures [1/m]

    PARAMETERS: ClassVar = {"density": Parameter("kg/m³", "mass per rest volume", 0.0, open=False)}
    DEVICE: ClassVar = ("stiffness", "poisson", "rest")
    isotropic: ClassVar = False
    inversion_safe: ClassVar = True

    @property
    def projective(self) -> np.ndarray:
        """The largest weight of a column; energy/sheets/bending_energy.py has each."""
        return np.atleast_1d(np.asarray(self.stiffness) * (1 + np.abs(self.poisson)))

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        real, mat33 = t.real, t.mat33

        def energy(F: mat33, p: Any):
            n, _length = nearest_direction(F, p)
            r, w = rest_curvature(p), column_weights(p)
            G = F - wp.outer(n, r)
            lost = (real(1.0) - wp.dot(n, n)) * wp.dot(r, wp.cw_mul(w, r))  # no n is nearer than another where F is zero
            return real(0.5) * p[0] * (double_dot(G, G * wp.diag(w)) + lost)

        def stress(F: mat33, p: Any):
            n, _length = nearest_direction(F, p)
            return p[0] * (F - wp.outer(n, rest_curvature(p))) * wp.diag(column_weights(p))

        def tangent(F: mat33, dF: mat33, p: Any, project: bool):
            n, s = turned_part(F, p, project)
            w = column_weights(p)
            q = wp.cw_mul(w, rest_curvature(p))
            d = dF * q
            return p[0] * (dF * wp.diag(w) - wp.outer(s * (d - wp.dot(n, d) * n), q))

        tangent = t.function("Bending_tangent", tangent)

        def differential(F: mat33, dF: mat33, p: Any):
            return tangent(F, dF, p, False)

        def projected(F: mat33, dF: mat33, p: Any):
            return tangent(F, dF, p, True)

        def projection(F: mat33, p: Any):
            n, _length = nearest_direction(F, p)
            return wp.outer(p[0] * n, wp.cw_mul(column_weights(p), rest_curvature(p)))

        return named(
            t,
            "Bending",
            energy=energy,
            stress=stress,
            differential=differential,
            projected=projected,
            projection=projection,
        )


@wp.func
def turning(F: Any, A: Any):
    """Σ F_c × A_c over columns."""
    return wp.vector(
        wp.dot(F[1], A[2]) - wp.dot(F[2], A[1]),
        wp.dot(F[2], A[0]) - wp.dot(F[0], A[2]),
        wp.dot(F[0], A[1]) - wp.dot(F[1], A[0]),
    )


@wp.func
def spins(F: Any, floor: Any):
    """From ``turning`` to the spin ω that it is of: the inverse of Σ F_c × (ω × F_c), which leaves out spins about F itself."""
    size = double_dot(F, F) * F.dtype(1.000001) + floor
    return wp.inverse(size * wp.identity(n=3, dtype=F.dtype) - F * wp.transpose(F))


@dataclass(frozen=True, kw_only=True, eq=False)
class ViscousBending(Bending):
    """A plate whose stiffness matrix takes rates of curvature, less what turns as a whole; all else is the flat plate's.

    Of rates A it is the least of D ‖A − ω×F‖² over all spins ω. Curvatures whose squares are under ``floor`` [1/m²] have no
    direction yet, and nothing is taken off.
    """

    floor: Values = 0.0

    DEVICE: ClassVar = ("stiffness", "poisson", "rest", "floor")

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        real, mat33, mat99 = t.real, t.mat33, t.mat99
        functions = super().functions(t, dimension)

        def unit(i: int):
            A = mat33()
            A[i // 3, i % 3] = real(1.0)
            return A

        unit = t.function("ViscousBending_unit", unit)

        def stiffness(F: mat33, p: Any, project: bool):
            M = mat99()
            S = spins(F, p[5])
            c = int(0)
            while c < 9:
                spin = S * turning(F, unit(c))
                r = int(0)
                while r < 9:
                    M[r, c] = -p[0] * wp.dot(turning(F, unit(r)), spin)
                    r += 1
                M[c, c] = M[c, c] + p[0]
                c += 1
            return M

        functions.stiffness = t.function("ViscousBending_stiffness", stiffness)
        return functions
