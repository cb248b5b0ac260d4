"""Implicit schemes as rows: Euler, BDF2, Newmark, HHT-α and others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arguments import checks
from ..arguments.checks import real, shown, whole
from ..errors import InputError
from .base import Implicit
from .tableau import Row, Tableau


@dataclass(frozen=True)
class ImplicitEuler(Implicit):
    """x⁺ = x + h v⁺, v⁺ = v + h M⁻¹ f(x⁺): first order, always stable, loses energy (Eq 3.25–3.26, 3.30).

    A step in which a solver without a budget does not converge is halved, and its halves again, up to ``splits`` times.
    """

    splits: int = 4

    patience = 0
    stops_at_contact = True
    keeps_rows = True

    def __post_init__(self):
        super().__post_init__()
        whole("ImplicitEuler(splits=…)", self.splits, 0)

    def rows(self) -> Tableau:
        h, x = self.dt, Row(x=1)
        return Tableau(y=Row(x=1, v=h), anchor=x, at=x, inertia=1 / h**2, rate=1 / h, v=Row(z=1 / h, x=-1 / h))


@dataclass(frozen=True)
class ImplicitMidpoint(Implicit):
    """Forces at (x + x⁺)/2: second order, keeps energy nearly, not stable for every step even if solved exactly
    (Eq 3.27–3.28, 3.31)."""

    order = 2

    def rows(self) -> Tableau:
        # z = (x + x⁺)/2 turns the inertia into 4/(2h²)‖z − (x + h v/2)‖²
        h = self.dt
        return Tableau(
            y=Row(x=1, v=0.5 * h),
            anchor=Row(x=1),
            at=Row(y=1),
            inertia=4 / h**2,
            rate=2 / h,
            time=0.5,
            x=Row(z=2, x=-1),
            v=Row(new_x=2 / h, x=-2 / h, v=-1),
        )


@dataclass(frozen=True)
class BDF2(Implicit):
    """Second-order backward differences; damps high frequencies, hardly the low. Its first step is implicit Euler.

    A step in which a solver without a budget does not converge is halved, and its halves again, up to ``splits`` times; the first
    half is implicit Euler.
    """

    splits: int = 4

    order = 2
    patience = 0
    stops_at_contact = True

    def __post_init__(self):
        super().__post_init__()
        whole("BDF2(splits=…)", self.splits, 0)

    def rows(self) -> Tableau:
        h = self.dt
        return Tableau(
            y=Row(x=4 / 3, x_before=-1 / 3, v=8 * h / 9, v_before=-2 * h / 9),
            anchor=Row(x=4 / 3, x_before=-1 / 3),
            at=Row(y=1),
            inertia=9 / (4 * h**2),
            rate=1.5 / h,
            v=Row(z=1.5 / h, anchor=-1.5 / h),
        )

    def first_rows(self) -> Tableau:
        return ImplicitEuler.rows(self)


@dataclass(frozen=True)
class Newmark(Implicit):
    """Newmark's β–γ scheme: x⁺ = x + h v + h²((½−β) a + β a⁺), v⁺ = v + h((1−γ) a + γ a⁺).

    β = ¼, γ = ½ is the trapezoidal rule: second order, no damping. γ > ½ damps and is first order.
    """

    beta: float = 0.25
    gamma: float = 0.5

    order = 2

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.beta, int | float) or not isinstance(self.gamma, int | float):
            raise InputError(f"Newmark(beta={self.beta!r}, gamma={self.gamma!r}): expected two numbers")
        if not 0 < self.beta <= 0.5 or not 0.5 <= self.gamma <= 1 or 2 * self.beta < self.gamma - 1e-12:
            raise InputError(
                f"Newmark(beta={self.beta}, gamma={self.gamma}): expected ½ ≤ gamma ≤ 1 and gamma/2 ≤ beta ≤ ½, "
                "the range in which it is stable for every step"
            )

    def rows(self) -> Tableau:
        return newmark_rows(self.dt, self.beta, self.gamma)


def newmark_rows(h: float, beta: float, gamma: float) -> Tableau:
    """Newmark's scheme with z = x⁺."""
    rate, inertia = gamma / (beta * h), 1 / (beta * h * h)
    return Tableau(
        y=Row(x=1, v=h, a=h * h * (0.5 - beta)),
        anchor=Row(y=1, v=-1 / rate, a=-h * (1 - gamma) / rate),
        at=Row(y=1),
        inertia=inertia,
        rate=rate,
        v=Row(v=1, a=h * (1 - gamma), new_a=h * gamma),
        a=Row(z=inertia, y=-inertia),
    )


@dataclass(frozen=True)
class HHT(Implicit):
    """Hilber, Hughes and Taylor's α scheme: Newmark's with forces a share α of the step before its end (Eq 2.6.9).

    0 ≤ α ≤ ⅓, with β = (1+α)²/4 and γ = ½ + α (others count α from 0 down to −⅓). Second order and stable for every
    step on linear bodies; motions too fast for the step are damped, each step leaving (1−α)/(1+α) of the fastest; slow
    ones are hardly touched. Forces are those at the averaged positions z = (1−α) x⁺ + α x, which on linear bodies are
    the averaged forces.
    """

    alpha: float = 0.1

    order = 2

    @property
    def patience(self) -> int:
        """Motions too fast for the step overshoot like n ((1−α)/(1+α))ⁿ before they die out."""
        return max(5, round(5 / max(self.alpha, 0.01)))

    def __post_init__(self):
        super().__post_init__()
        if not 0 <= real(self.alpha) <= 1 / 3:
            raise InputError(f"HHT(alpha={shown(self.alpha)}): expected 0 ≤ alpha ≤ 1/3; its sign is that of the damping")

    def rows(self) -> Tableau:
        h, c = self.dt, 1 - self.alpha
        beta, gamma = (1 + self.alpha) ** 2 / 4, 0.5 + self.alpha
        rate, inertia = gamma / (beta * h), 1 / (c * beta * h * h)
        return Tableau(
            y=Row(x=1, v=c * h, a=c * h * h * (0.5 - beta)),
            anchor=Row(y=1, v=-1 / rate, a=-c * h * (1 - gamma) / rate),  # damping sees (1−α) v⁺ + α v
            at=Row(y=1),
            inertia=inertia,
            rate=rate,
            time=c,
            x=Row(z=1 / c, x=1 - 1 / c),
            v=Row(v=1, a=h * (1 - gamma), new_a=h * gamma),
            a=Row(z=inertia, y=-inertia),
        )


@dataclass(frozen=True)
class LinearAcceleration(Implicit):
    """Newmark's scheme with β = ⅙, γ = ½: accelerations run straight from step to step (Eq 2.6.7).

    Second order, with half the trapezoidal rule's error in phase, but stable only while h < 2√3/ω_max. ``check_every``
    steps, and before the first, ω_max is measured; a step too large raises and names the largest stable.
    """

    check_every: int = 200

    order = 2
    patience = 0  # near the limit its energy swings far without being lost, and the limit is checked

    def __post_init__(self):
        super().__post_init__()
        whole("LinearAcceleration(check_every)", self.check_every)

    def rows(self) -> Tableau:
        return newmark_rows(self.dt, 1 / 6, 0.5)

    def largest_step(self, squared: float, drag: float, stiffness: float) -> float:
        """2√3/ω [s] for ω² = ``squared`` [1/s²]; at γ = ½ damping changes nothing."""
        return float(2 * np.sqrt(3 / squared)) if squared > 0 else np.inf


@dataclass(frozen=True)
class NewmarkTheta(Implicit):
    """Newmark's θ form: v⁺ = v + h M⁻¹(θ f⁺ + (1−θ) f), x⁺ = x + h(θ v⁺ + (1−θ) v); θ = ½ second order, θ = 1 Euler.

    The sign of the (1−θ) h K term is that of the derivation (Eq 2.6.2 corrected).
    """

    theta: float = 0.6

    def __post_init__(self):
        super().__post_init__()
        checks.number("NewmarkTheta(theta=…)", self.theta, 0.5, 1, "½ ≤ theta ≤ 1")

    def rows(self) -> Tableau:
        h, theta = self.dt, self.theta
        rate, past = 1 / (theta * h), (1 - theta) / theta
        return Tableau(
            y=Row(x=1, v=h, a=theta * (1 - theta) * h * h),
            anchor=Row(x=1, v=(1 - theta) * h),
            at=Row(y=1),
            inertia=1 / (theta * h) ** 2,
            rate=rate,
            v=Row(z=rate, x=-rate, v=-past),
            a=Row(new_v=rate, v=-rate, a=-past),
        )


@dataclass(frozen=True)
class QuasiStatic(Implicit):
    """Equilibrium at every moment: no inertia, no velocity. ``dt`` [s] only moves time along. Bodies must be held."""

    order = 0
    patience = 0
    stops_at_contact = True

    def rows(self) -> Tableau:
        x = Row(x=1)
        return Tableau(y=x, anchor=x, at=x, inertia=0.0, rate=0.0, v=Row())
