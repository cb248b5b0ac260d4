"""Projective laws ψ = k/2 min ‖F − p‖² (Eq 6.1).

The nearest p keeps the singular vectors of F, p = U diag(q) Vᵀ, so a law is a map q(s) of the principal stretches. Its
stress is k (F − p). A sheet has two stretches and a thread has one: their thickness plays no part. With Arap, whose set
is the rotations, these are the laws that projective dynamics takes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...runtime.device import Types
from ...runtime.math3 import diagonal, perpendicular, svd
from ..base import Material, Parameter, Values
from ..functions import Functions, named
from ..spectral import of_dimension


@dataclass(frozen=True, kw_only=True, eq=False)
class _Projective(Material):
    """A law given by the stretches q nearest to s in its set, and their derivative ∂q/∂s."""

    stiffness: Values  # k [Pa]

    PARAMETERS: ClassVar = Material.PARAMETERS | {"stiffness": Parameter("Pa", "weight k of the squared distance", 0.0)}
    DEVICE: ClassVar = ("stiffness",)
    inversion_safe: ClassVar = True
    thins: ClassVar = False

    @property
    def projective(self) -> np.ndarray:
        return np.atleast_1d(self.stiffness)

    def clamped(self, t: Types, dimension: int) -> Callable[..., Any]:
        """The device function (s, p) → (q, ∂q/∂s); where the element has no stretch, q = 1 and ∂q/∂s = 0."""
        raise NotImplementedError(f"{type(self).__name__} needs clamped(t, dimension), as every _Projective has")

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        name, vec3, mat33, real = f"{type(self).__name__}{dimension}", t.vec3, t.mat33, t.real
        clamped = t.function(f"{name}_clamped", self.clamped(t, dimension))

        def principal(s: vec3, p: Any):
            q, D = clamped(s, p)
            return p[0] * (s - q), p[0] * (wp.identity(n=3, dtype=real) - D)

        def nearest(s: vec3, p: Any):
            q, _D = clamped(s, p)
            return p[0] * q

        def energy(F: mat33, p: Any):
            _U, s, _V = svd(F)
            q, _D = clamped(s, p)
            return real(0.5) * p[0] * wp.dot(s - q, s - q)

        def flat_energy(F: mat33, p: Any):
            s = diagonal(F)  # stretches in the order of the element, the free ones last
            q, _D = clamped(s, p)
            return real(0.5) * p[0] * wp.dot(s - q, s - q)

        law = named(t, name, principal=principal, nearest=nearest, energy=energy if dimension == 3 else flat_energy)
        return of_dimension(name, law, t, dimension)


@dataclass(frozen=True, kw_only=True, eq=False)
class StrainLimit(_Projective):
    """Free between two principal stretches, elastic beyond them: ψ = k/2 Σ (sᵢ − clamp(sᵢ, low, high))².

    Without another law it does not resist strain between the limits; both limits at 1 make it Arap with young = k.
    """

    low: Values = 0.9
    high: Values = 1.1

    PARAMETERS: ClassVar = _Projective.PARAMETERS | {
        "low": Parameter("", "least stretch that is free", 0.0, 1.0, open=False),
        "high": Parameter("", "largest stretch that is free", 1.0, np.inf, open=False),
    }
    DEVICE: ClassVar = ("stiffness", "low", "high")

    def clamped(self, t: Types, dimension: int) -> Callable[..., Any]:
        real, vec3, mat33 = t.real, t.vec3, t.mat33

        def clamped(s: vec3, p: Any):
            q = vec3(real(1.0), real(1.0), real(1.0))
            D = mat33()
            for i in range(dimension):
                q[i] = wp.min(wp.max(s[i], p[1]), p[2])
                if s[i] > p[1] and s[i] < p[2]:
                    D[i, i] = real(1.0)
            return q, D

        return clamped


@dataclass(frozen=True, kw_only=True, eq=False)
class VolumePreservation(_Projective):
    """Resists change of volume only: ψ = k/2 min ‖s − q‖² over q with q₀q₁q₂ = 1.

    On sheets it keeps area, on threads length. Any shape of the same volume is at rest, so it needs another law beside
    it, which brings the mass. Stretches near 1.9 in all directions have several nearest shapes, and the stress jumps
    there.
    """

    density: Values = 0.0

    PARAMETERS: ClassVar = _Projective.PARAMETERS | {"density": Parameter("kg/m³", "mass per rest volume", 0.0, open=False)}

    def clamped(self, t: Types, dimension: int) -> Callable[..., Any]:
        real, vec3, mat33 = t.real, t.vec3, t.mat33
        last = dimension - 1
        close = real(2.0e-15 if t.precision == "f64" else 5.0e-7)

        def volume(v: real, s: vec3):
            """q with the smallest stretch v, its product, and d log product / d log v.

            Eq 6.1 with a multiplier gives qᵢ(qᵢ − sᵢ) = v(v − s_last) for every i, of which qᵢ is the larger root.
            """
            q = vec3(real(1.0), real(1.0), real(1.0))
            q[last] = v
            product = v
            slope = real(1.0)
            for i in range(last):
                root = wp.sqrt(wp.max(s[i] * s[i] + real(4.0) * v * (v - s[last]), real(0.0)))
                q[i] = real(0.5) * (s[i] + root)
                product *= q[i]
                slope += v * (real(2.0) * v - s[last]) / wp.max(q[i] * root, real(1.0e-30))
            return q, product, slope

        volume = t.function(f"VolumePreservation_volume_{dimension}", volume)

        def bracketed(s: vec3, low: real, high: real, start: real):
            """v between low and high with product 1: Newton's method, halving the bracket where it leaves it."""
            v = start
            a = low
            b = high
            turn = int(0)
            while turn < 60:
                _q, product, slope = volume(v, s)
                if product > real(1.0):
                    b = v
                else:
                    a = v
                step = v
                if slope > real(0.0) and product > real(0.0):
                    step = (product - real(1.0)) * v / (product * slope)
                if wp.abs(step) <= close * v:
                    turn = int(60)  # as near as rounding lets it come
                elif v - step <= a or v - step >= b:
                    v = real(0.5) * (a + b)
                else:
                    v = v - step
                turn += 1
            return v

        bracketed = t.function(f"VolumePreservation_bracketed_{dimension}", bracketed)

        def smallest(s: vec3):
            """The v of the nearest q. Products grow with v above s_last/2, so that one lies there unless the product is
            above 1 already at that point; below it another may be nearer, in bodies swollen nearly twofold."""
            middle = wp.max(real(0.5) * s[last], real(0.0))
            others = real(1.0)
            for i in range(last):
                others *= s[i]
            q, product, slope = volume(middle, s)
            v = real(1.0)
            if middle > real(0.0) and product > real(1.0):
                v = bracketed(s, wp.min(real(1.0) / others, middle), middle, wp.min(real(1.0) / others, middle))
            else:
                v = bracketed(s, middle, real(1.0), real(1.0))
                if s[last] > real(1.0) and others > real(0.0):
                    # from below, where log product is concave in log v, Newton's method does not overshoot
                    u = real(1.0) / others
                    turn = int(0)
                    while turn < 40 and u < middle:
                        q, product, slope = volume(u, s)
                        step = real(1.0)
                        if slope > real(1.0e-6):
                            step = -wp.log(product) / slope
                        u = u * wp.exp(wp.min(step, real(1.0)))
                        if wp.abs(step) <= close:
                            turn = int(40)
                        turn += 1
                    if u < middle:
                        far, product, slope = volume(v, s)
                        q, product, slope = volume(u, s)
                        if wp.length(q - s) < wp.length(far - s) and wp.abs(product - real(1.0)) < real(1.0e-4):
                            v = u
            return v

        smallest = t.function(f"VolumePreservation_smallest_{dimension}", smallest)

        def clamped(s: vec3, p: Any):
            v = smallest(s)
            q, _product, _slope = volume(v, s)
            # s − q = λ ∇C: within the set's tangent plane ∂q/∂s is the inverse of B = I + λ C″
            lam = -v * (v - s[last])
            o = real(0.0)
            n = wp.normalize(vec3(real(1.0) / q[0], real(1.0) / q[1], real(1.0) / q[2]))
            B = wp.identity(n=3, dtype=real) + lam * mat33(o, q[2], q[1], q[2], o, q[0], q[1], q[0], o)
            a = perpendicular(n)
            b = wp.cross(n, a)
            aa, ab, bb = wp.dot(a, B * a), wp.dot(a, B * b), wp.dot(b, B * b)
            floor = real(1.0e-6) * (aa + bb) * (aa + bb)
            det = wp.max(aa * bb - ab * ab, wp.max(floor, real(1.0e-12)))
            D = (bb * wp.outer(a, a) + aa * wp.outer(b, b) - ab * (wp.outer(a, b) + wp.outer(b, a))) / det
            return q, D

        def area(s: vec3, p: Any):
            v = smallest(s)
            q, _product, _slope = volume(v, s)
            a = wp.normalize(vec3(-q[0], q[1], real(0.0)))
            # aᵀ(I + λ C″)a, C″ swapping the two
            along = real(1.0) - real(2.0) * v * (v - s[last]) * a[0] * a[1]
            return q, wp.outer(a, a) / wp.max(along, real(1.0e-6))

        def length(s: vec3, p: Any):
            return vec3(real(1.0), real(1.0), real(1.0)), mat33()

        return {3: clamped, 2: area, 1: length}[dimension]
