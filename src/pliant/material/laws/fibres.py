"""Laws of one direction: passive fibres, and muscle that contracts along it."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...runtime.device import Types
from ..base import Material, Parameter, Values
from ..functions import Functions, named


@wp.func
def fibre_direction(p: Any):
    return wp.vector(p[0], p[1], p[2])


@dataclass(frozen=True, kw_only=True, eq=False)
class _Directed(Material):
    """A law of the stretch ‖F d‖ of one rest direction d, (3,) for all or (rows, 3)."""

    density: Values = 0.0  # reinforces another material, which brings the mass
    direction: Vector = (1.0, 0.0, 0.0)

    PARAMETERS: ClassVar = {"density": Parameter("kg/m³", "mass per rest volume", 0.0, open=False)}
    isotropic: ClassVar = False
    inversion_safe: ClassVar = True

    def __post_init__(self):
        super().__post_init__()
        name = type(self).__name__
        direction = Parameter("", "rest direction", -checks.FAR, checks.FAR).check(name, "direction", self.direction, rank=2)
        if direction.shape[-1:] != (3,) or direction.ndim > 2:
            raise InputError(f"{name}(direction=…) has shape {direction.shape}; expected (3,) or (rows, 3)")
        length = np.linalg.norm(direction, axis=-1, keepdims=True)
        if np.any(length == 0):
            raise InputError(f"{name}(direction=…) has a direction of zero length; expected any other length")
        object.__setattr__(self, "direction", direction / length)

    def table(self) -> np.ndarray:
        rows = np.atleast_2d(self.direction)
        others = [np.atleast_1d(getattr(self, name)) for name in self.DEVICE]
        count = max(len(rows), *[len(o) for o in others])
        if any(len(o) not in (1, count) for o in (rows, *others)):
            raise InputError(
                f"{type(self).__name__}: parameters have {len(rows)} and {[len(o) for o in others]} rows; "
                "expected one or the same number"
            )
        return np.column_stack([np.broadcast_to(rows, (count, 3)), *[np.broadcast_to(o, count) for o in others]])

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        law = type(self)
        tension = law.tension
        real, mat33, mat99 = t.real, t.mat33, t.mat99

        def energy(F: mat33, p: Any):
            value, _T, _dT = tension(wp.length(F * fibre_direction(p)), p)
            return value

        def stress(F: mat33, p: Any):
            d = fibre_direction(p)
            f = F * d
            length = wp.max(wp.length(f), real(1.0e-12))
            _value, T, _dT = tension(length, p)
            return wp.outer(f * (T / length), d)

        def slopes(F: mat33, p: Any, project: bool):
            """Deformed direction, stiffness along it T′, and across it T/l."""
            f = F * fibre_direction(p)
            length = wp.max(wp.length(f), real(1.0e-12))
            _value, T, along = tension(length, p)
            across = T / length
            if project:
                across = wp.max(across, real(0.0))
                along = wp.max(along, real(0.0))
            return f / length, along, across

        slopes = t.function(f"{law.__name__}_slopes", slopes)

        def differential(F: mat33, dF: mat33, p: Any):
            n, along, across = slopes(F, p, False)
            df = dF * fibre_direction(p)
            return wp.outer(across * df + (along - across) * wp.dot(n, df) * n, fibre_direction(p))

        def projected(F: mat33, dF: mat33, p: Any):
            n, along, across = slopes(F, p, True)
            df = dF * fibre_direction(p)
            return wp.outer(across * df + (along - across) * wp.dot(n, df) * n, fibre_direction(p))

        def stiffness(F: mat33, p: Any, project: bool):
            n, along, across = slopes(F, p, project)
            d = fibre_direction(p)
            K = across * wp.identity(n=3, dtype=real) + (along - across) * wp.outer(n, n)
            M = mat99()
            for r in range(9):
                for c in range(9):
                    M[r, c] = K[r // 3, c // 3] * d[r % 3] * d[c % 3]
            return M

        return named(
            t,
            law.__name__,
            energy=energy,
            stress=stress,
            differential=differential,
            projected=projected,
            stiffness=stiffness,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Fibres(_Directed):
    """Reinforcement along one direction: ψ = κ/2 (‖F d‖ − 1)², in tension and compression alike."""

    stiffness: Values  # κ [Pa]

    PARAMETERS: ClassVar = _Directed.PARAMETERS | {"stiffness": Parameter("Pa", "fibre stiffness κ", 0.0, open=False)}
    DEVICE: ClassVar = ("stiffness",)

    @wp.func
    def tension(stretch: Any, p: Any):
        """Energy, its first and its second derivative by the fibre stretch."""
        e = stretch - type(stretch)(1.0)
        return type(stretch)(0.5) * p[3] * e * e, p[3] * e, p[3]


@wp.func
def active_curve(e: Any):
    """Hill's active force–length curve at e = stretch − 1, its integral from −∞ and its derivative; 1 at e = 0."""
    one = type(e)(1.0)
    zero = type(e)(0.0)
    m = wp.abs(e)
    sign = wp.where(e < zero, -one, one)
    # integral from the centre outwards: odd in e
    value = zero
    slope = zero
    area = zero
    if m < type(e)(0.4):
        value = one - (type(e)(25.0) / type(e)(6.0)) * e * e
        slope = -type(e)(25.0) / type(e)(3.0) * e
        area = m - type(e)(25.0) / type(e)(18.0) * m * m * m
    elif m < type(e)(0.6):
        r = type(e)(0.6) - m
        value = type(e)(25.0) / type(e)(3.0) * r * r
        slope = -sign * type(e)(50.0) / type(e)(3.0) * r
        area = type(e)(1.0) / type(e)(3.0) - type(e)(25.0) / type(e)(9.0) * r * r * r
    else:
        area = type(e)(1.0) / type(e)(3.0)
    return value, slope, sign * area


@wp.func
def passive_curve(e: Any):
    """Passive tension at e = stretch − 1, its derivative and its integral from 0: exponential, then straight from 0.4."""
    zero = type(e)(0.0)
    one = type(e)(1.0)
    a = type(e)(0.05)
    b = type(e)(6.6)
    value = zero
    slope = zero
    area = zero
    if e > zero:
        x = wp.min(e, type(e)(0.4))
        y = wp.exp(b * x)
        value = a * (y - b * x - one)
        slope = a * b * (y - one)
        area = a * ((y - one) / b - type(e)(0.5) * b * x * x - x)
        beyond = e - x
        area += value * beyond + type(e)(0.5) * slope * beyond * beyond
        value += slope * beyond
    return value, slope, area


@dataclass(frozen=True, kw_only=True, eq=False)
class Muscle(_Directed):
    """Hill-type muscle along one direction: tension = peak_stress (activation · active(l) + passive(l)).

    l = ‖F d‖ / optimal_stretch, and the active tension is largest at l = 1. Activation runs from 0 to 1 and may change
    every step.
    """

    peak_stress: Values = 3.0e5  # [Pa]
    activation: Values = 0.0
    optimal_stretch: Values = 1.0

    PARAMETERS: ClassVar = _Directed.PARAMETERS | {
        "peak_stress": Parameter("Pa", "largest active tension", 0.0),
        "activation": Parameter("", "share of the muscle that is active", 0.0, 1.0, open=False),
        "optimal_stretch": Parameter("", "stretch of the largest active tension", 0.0),
    }
    DEVICE: ClassVar = ("peak_stress", "activation", "optimal_stretch")

    @wp.func
    def tension(stretch: Any, p: Any):
        e = stretch / p[5] - type(stretch)(1.0)
        active, d_active, area = active_curve(e)
        passive, d_passive, passive_area = passive_curve(e)
        return (
            p[3] * p[5] * (p[4] * area + passive_area),
            p[3] * (p[4] * active + passive),
            p[3] / p[5] * (p[4] * d_active + d_passive),
        )
