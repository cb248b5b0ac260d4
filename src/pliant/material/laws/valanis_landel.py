"""Valanis–Landel laws drawn by hand as splines (Xu et al. 2015).

Each derivative is a cubic spline on KNOTS even intervals, continued in a straight line outside, so any polynomial a′ up
to the third degree, such as that of a = μ(x−1)⁴, is represented without error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...runtime.device import Types
from ...runtime.math3 import svd
from ..base import Material, Parameter, lame
from ..functions import Functions
from ..spectral import of_dimension

KNOTS = 10  # intervals of each spline
COEFFICIENTS = KNOTS + 3  # of its uniform B-spline form
Curve = Callable[[np.ndarray], np.ndarray] | Vector | None


@wp.func
def integral_of_basis(u: Any):
    """∫₀ᵘ of the four cubic B-spline pieces on one interval, 0 ≤ u ≤ 1."""
    u2 = u * u
    u3 = u2 * u
    u4 = u2 * u2
    k = type(u)(1.0) / type(u)(24.0)
    return wp.vector(
        k * (type(u)(4.0) * u - type(u)(6.0) * u2 + type(u)(4.0) * u3 - u4),
        k * (type(u)(16.0) * u - type(u)(8.0) * u3 + type(u)(3.0) * u4),
        k * (type(u)(4.0) * u + type(u)(6.0) * u2 + type(u)(4.0) * u3 - type(u)(3.0) * u4),
        k * u4,
    )


@wp.func
def spline(x: Any, p: Any, offset: int):
    """(f, f′, ∫₁ˣ f) of the spline f whose numbers start at ``offset``: lower end, width of an interval, coefficients."""
    lower = p[offset]
    width = p[offset + 1]
    one = type(x)(1.0)
    clamped = wp.min(wp.max(x, lower), lower + type(x)(10.0) * width)
    z = (clamped - lower) / width
    i = wp.min(int(z), 9)
    u = z - type(x)(i)
    base = offset + 3 + i
    c0, c1, c2, c3 = p[base], p[base + 1], p[base + 2], p[base + 3]
    v = one - u
    sixth = one / type(x)(6.0)
    two = type(x)(2.0)
    three = type(x)(3.0)
    value = sixth * (
        v * v * v * c0
        + (three * u * u * u - type(x)(6.0) * u * u + type(x)(4.0)) * c1
        + (three * v * v * v - type(x)(6.0) * v * v + type(x)(4.0)) * c2
        + u * u * u * c3
    )
    slope = (
        type(x)(0.5)
        * (-v * v * c0 + (three * u * u - two * two * u) * c1 + (two * two * v - three * v * v) * c2 + u * u * c3)
        / width
    )
    total = p[offset + 2]  # −∫ from the lower end to 1, so that the integral vanishes at 1
    w = integral_of_basis(one)
    for k in range(i):
        b = offset + 3 + k
        total += width * (w[0] * p[b] + w[1] * p[b + 1] + w[2] * p[b + 2] + w[3] * p[b + 3])
    w = integral_of_basis(u)
    total += width * (w[0] * c0 + w[1] * c1 + w[2] * c2 + w[3] * c3)
    beyond = x - clamped
    return value + slope * beyond, slope, total + value * beyond + type(x)(0.5) * slope * beyond * beyond


@dataclass(frozen=True, kw_only=True, eq=False)
class ValanisLandel(Material):
    """An isotropic law from three curves a′(s), b′(sᵢsⱼ), c′(J) [Pa], each a function or 11 values over ``stretch``.

    The curves must balance at rest, a′(1) + 2b′(1) + c′(1) = 0. ``ValanisLandel.polynomial(mu)`` is a = μ(x−1)⁴.
    """

    a: Curve = None
    b: Curve = None
    c: Curve = None
    stretch: tuple[float, float] = (0.2, 2.2)

    PARAMETERS: ClassVar[dict[str, Parameter]] = Material.PARAMETERS
    DEVICE: ClassVar = ("numbers",)
    inversion_safe: ClassVar = True

    @classmethod
    def polynomial(cls, mu: float, **others: Any) -> "ValanisLandel":
        """a = μ(x−1)⁴, b = c = 0: no stiffness at rest, steep away from it."""
        mu = float(Parameter("Pa", "scale", 0.0).check(cls.__name__, "mu", mu))
        return cls(a=lambda x: 4 * mu * (x - 1) ** 3, **others)

    @classmethod
    def neo_hookean_like(
        cls, young: float, poisson: float, compression: float = 1.0, tension: float = 1.0, **others: Any
    ) -> "ValanisLandel":
        """A neo-Hookean law with a′ made steeper in compression (spline A) or in tension (spline B) by a factor."""
        mu, lam = (float(v) for v in lame(young, poisson))

        def derivative(x: np.ndarray) -> np.ndarray:
            d = x - 1  # the cube leaves slope and curvature at rest alone
            return mu * x + np.where(d < 0, compression - 1, tension - 1) * 4 * mu * d**3

        # the volume term of −μ(J−1) + (λ+μ)/2 (J−1)² is straight, so the splines hold it exactly
        return cls(a=derivative, c=lambda x: (lam + mu) * (x - 1) - mu, **others)

    def __post_init__(self):
        super().__post_init__()
        ends = checks.floats(self.stretch)
        lower, upper = ends.tolist() if ends.shape == (2,) else (np.nan, np.nan)
        if not 0 < lower < 1 < upper < np.inf:
            raise checks.refusal("ValanisLandel(stretch=…)", self.stretch, "0 < lower < 1 < upper")
        values = [self._samples(name, lower, upper) for name in "abc"]
        numbers = [self._coefficients(v, lower, upper) for v in values]
        object.__setattr__(self, "numbers", np.concatenate(numbers)[None, :])
        at_rest = [self._value(n, (1 - lower) / (upper - lower))[0] for n in numbers]
        rest = at_rest[0] + 2 * at_rest[1] + at_rest[2]
        size = max(np.abs(v).max() for v in values)
        if size == 0 or abs(rest) > 1e-2 * size:
            raise InputError(
                f"ValanisLandel: a′(1) + 2b′(1) + c′(1) is {rest:g} Pa; expected 0, so that the body rests at stretch 1"
            )
        # the spline of a curve differs a little from the curve: take the remainder at rest off a′
        numbers[0][3:] -= rest
        object.__setattr__(self, "numbers", np.concatenate([self._anchored(n) for n in numbers])[None, :])
        self._check_bounded(numbers, size)

    def _check_bounded(self, numbers: list[np.ndarray], size: float) -> None:
        """Refuse curves whose straight ends let the energy fall without bound.

        It grows as s² with a, s⁴ with b, s⁶ with c.
        """
        (_, a_end), (b_start, b_end), (c_start, c_end) = ([self._value(n, z) for z in (0.0, 1.0)] for n in numbers)
        small = 1e-6 * size
        falling = [name for name, (_, slope) in zip("abc", (a_end, b_end, c_end)) if slope < -small / self.stretch[1]]
        if c_start[1] < -small:
            falling.append("c, at its lower end,")
        flat = max(abs(b_end[1]), abs(b_start[1])) <= small  # then J itself, which grows as s³, outweighs a and b
        if flat and ((abs(c_end[1]) <= small and c_end[0] < -small) or (abs(c_start[1]) <= small and c_start[0] > small)):
            falling.append("c")
        if falling:
            raise InputError(
                f"ValanisLandel: beyond the stretches {self.stretch[0]:g} … {self.stretch[1]:g} the end of "
                f"{falling[0]}′ "
                "lets the energy fall without end; expected curves that rise at their ends"
            )

    @property
    def moduli(self) -> tuple[np.ndarray, np.ndarray] | None:
        """From ∂²ψ/∂s² at rest: λ, and 2μ more on the diagonal; None for a law as soft at rest as the polynomial."""
        (_, aa), (b, bb), (c, cc) = (self._value(n, (1 - n[0]) / n[1] / KNOTS) for n in self.numbers[0].reshape(3, -1))
        mu, lam = 0.5 * (aa + bb - b - c), b + bb + c + cc
        return (np.array([mu]), np.array([lam])) if mu > 1e-6 * np.abs(self.numbers).max() else None

    def without_volume(self) -> tuple["ValanisLandel", np.ndarray, str] | None:
        """κ/2 (J−1)² is taken out of c with κ = λ at rest; a straight line is a spline too, so nothing is lost."""
        if self.moduli is None or self.moduli[1][0] <= 0:
            return None
        kappa = float(self.moduli[1][0])
        lower, upper = (float(end) for end in self.stretch)
        x = np.linspace(lower, upper, KNOTS + 1)
        values = {name: self._samples(name, lower, upper) for name in "abc"}
        values["c"] = values["c"] - kappa * (x - 1)
        return _Isochoric(**values, stretch=self.stretch, density=self.density), np.asarray(kappa), "excess"

    def _samples(self, name: str, lower: float, upper: float) -> np.ndarray:
        curve = getattr(self, name)
        if curve is None:
            return np.zeros(KNOTS + 1)
        x = np.linspace(lower, upper, KNOTS + 1)
        values = checks.floats(checks.called(f"ValanisLandel({name}=…)", curve, x) if callable(curve) else curve)
        if values.shape != (KNOTS + 1,) or not np.all(np.isfinite(values)):
            raise InputError(
                f"ValanisLandel({name}=…) gives {values.shape} values; expected {KNOTS + 1} finite ones at even "
                f"steps over {lower:g} … {upper:g}"
            )
        return values

    @staticmethod
    def _coefficients(values: np.ndarray, lower: float, upper: float) -> np.ndarray:
        """[lower, width, 0, uniform B-spline coefficients] of the not-a-knot cubic through ``values``."""
        from scipy.interpolate import CubicSpline

        width = (upper - lower) / KNOTS
        cubic = CubicSpline(np.linspace(lower, upper, KNOTS + 1), values)
        rows, right = np.zeros((COEFFICIENTS, COEFFICIENTS)), np.zeros(COEFFICIENTS)
        for i in range(KNOTS + 1):
            rows[i, i : i + 3] = np.array([1, 4, 1]) / 6
            right[i] = values[i]
        for row, i in ((KNOTS + 1, 0), (KNOTS + 2, KNOTS)):
            rows[row, i : i + 3] = np.array([1, -2, 1]) / width**2
            right[row] = cubic(lower + i * width, 2)
        return np.concatenate([[lower, width, 0.0], np.linalg.solve(rows, right)])

    @staticmethod
    def _value(numbers: np.ndarray, share: float) -> tuple[float, float]:
        """The spline and its slope where ``share`` of its range has gone by."""
        z = share * KNOTS
        i = min(int(z), KNOTS - 1)
        u, v = z - i, 1 - z + i
        basis = np.array([v**3, 3 * u**3 - 6 * u**2 + 4, 3 * v**3 - 6 * v**2 + 4, u**3]) / 6
        slopes = np.array([-(v**2), 3 * u**2 - 4 * u, 4 * v - 3 * v**2, u**2]) / (2 * numbers[1])
        near = numbers[3 + i : 7 + i]
        return float(basis @ near), float(slopes @ near)

    @classmethod
    def _anchored(cls, numbers: np.ndarray) -> np.ndarray:
        """The same numbers with the constant that makes the integral vanish at 1."""
        from scipy.interpolate import BSpline

        lower, width, coefficients = numbers[0], numbers[1], numbers[3:]
        knots = lower + width * np.arange(-3, KNOTS + 4)
        total = BSpline(knots, coefficients, 3).integrate(lower, 1.0)
        return np.concatenate([[lower, width, -total], coefficients])

    @wp.func
    def energy(F: Any, p: Any):
        _U, s, _V = svd(F)
        total = F.dtype(0.0)
        for i in range(3):
            _f, _df, a = spline(s[i], p, 0)
            _g, _dg, b = spline(s[i] * s[(i + 1) % 3], p, 16)
            total += a + b
        _h, _dh, c = spline(s[0] * s[1] * s[2], p, 32)
        return total + c

    @wp.func
    def principal(s: Any, p: Any):
        slope, curvature, _c = spline(s[0] * s[1] * s[2], p, 32)
        k = wp.vector(s[1] * s[2], s[0] * s[2], s[0] * s[1])
        g = slope * k
        H = curvature * wp.outer(k, k)
        for i in range(3):
            j = (i + 1) % 3
            da, dda, _a = spline(s[i], p, 0)
            db, ddb, _b = spline(s[i] * s[j], p, 16)
            g[i] += da + db * s[j]
            g[j] += db * s[i]
            H[i, i] += dda + ddb * s[j] * s[j]
            H[j, j] += ddb * s[i] * s[i]
            mixed = db + ddb * s[i] * s[j] + slope * s[(i + 2) % 3]
            H[i, j] += mixed
            H[j, i] += mixed
        return g, H

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        return of_dimension("ValanisLandel", Functions(energy=self.energy, principal=self.principal), t, dimension)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Isochoric(ValanisLandel):
    """A spline law whose volume term is kept elsewhere, so that it need not have a lowest energy of its own."""

    @property
    def name(self) -> str:
        return "ValanisLandel"

    def _check_bounded(self, numbers: list[np.ndarray], size: float) -> None:
        return None
