"""The implicit schemes: Euler, midpoint, BDF2, Newmark in both forms, and quasi-static."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ..errors import InputError
from ..vectors import Vectors
from .base import Implicit, Stage, State


@dataclass(frozen=True)
class ImplicitEuler(Implicit):
    """x⁺ = x + h v⁺, v⁺ = v + h M⁻¹ f(x⁺): first order, always stable, loses energy (Eq 3.25–3.26, 3.30)."""

    def stage(self, state: State, vectors: Vectors, time: float, y: wp.array, anchor: wp.array) -> Stage:
        vectors.move(state.x, self.dt, state.v, y)
        vectors.copy(state.x, anchor)
        return Stage(1 / self.dt**2, 1 / self.dt, time + self.dt)

    def read(self, state, vectors, z, x, v, a) -> None:
        vectors.mix(1 / self.dt, z, -1 / self.dt, state.x, v)
        vectors.copy(z, x)


@dataclass(frozen=True)
class ImplicitMidpoint(Implicit):
    """Forces at (x + x⁺)/2: second order, keeps energy nearly, not stable for every step even if solved exactly
    (Eq 3.27–3.28, 3.31)."""

    order = 2

    def stage(self, state, vectors, time, y, anchor) -> Stage:
        # z = (x + x⁺)/2 turns the inertia into 4/(2h²)‖z − (x + h v/2)‖²
        vectors.move(state.x, 0.5 * self.dt, state.v, y)
        vectors.copy(state.x, anchor)
        return Stage(4 / self.dt**2, 2 / self.dt, time + 0.5 * self.dt)

    def read(self, state, vectors, z, x, v, a) -> None:
        h = self.dt
        vectors.mix(2.0, z, -1.0, state.x, x)
        vectors.mix(2 / h, x, -2 / h, state.x, v)
        vectors.move(v, -1.0, state.v, v)

    def hold(self, now: np.ndarray, then: np.ndarray) -> np.ndarray:
        return 0.5 * (now + then)


@dataclass(frozen=True)
class BDF2(Implicit):
    """Second-order backward differences; damps high frequencies, hardly the low. Its first step is implicit Euler."""

    order = 2

    def stage(self, state, vectors, time, y, anchor) -> Stage:
        h = self.dt
        if state.steps == 0:
            return ImplicitEuler.stage(self, state, vectors, time, y, anchor)
        vectors.mix(4 / 3, state.x, -1 / 3, state.x_before, anchor)
        vectors.move(anchor, 8 * h / 9, state.v, y)
        vectors.move(y, -2 * h / 9, state.v_before, y)
        return Stage(9 / (4 * h**2), 1.5 / h, time + h)

    def read(self, state, vectors, z, x, v, a) -> None:
        if state.steps == 0:
            ImplicitEuler.read(self, state, vectors, z, x, v, a)
            return
        vectors.mix(4 / 3, state.x, -1 / 3, state.x_before, v)
        vectors.mix(1.5 / self.dt, z, -1.5 / self.dt, v, v)
        vectors.copy(z, x)


@dataclass(frozen=True)
class Newmark(Implicit):
    """Newmark's β–γ scheme: x⁺ = x + h v + h²((½−β) a + β a⁺), v⁺ = v + h((1−γ) a + γ a⁺).

    β = ¼, γ = ½ is the trapezoidal rule: second order, no damping. γ > ½ damps and is first order.
    """

    beta: float = 0.25
    gamma: float = 0.5

    needs_acceleration = True
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

    def stage(self, state, vectors, time, y, anchor) -> Stage:
        h, rate = self.dt, self.gamma / (self.beta * self.dt)
        vectors.move(state.x, h, state.v, y)
        vectors.move(y, h * h * (0.5 - self.beta), state.a, y)
        vectors.move(y, -1 / rate, state.v, anchor)
        vectors.move(anchor, -h * (1 - self.gamma) / rate, state.a, anchor)
        return Stage(1 / (self.beta * h * h), rate, time + h)

    def read(self, state, vectors, z, x, v, a) -> None:
        h = self.dt
        vectors.move(state.x, h, state.v, a)
        vectors.move(a, h * h * (0.5 - self.beta), state.a, a)
        vectors.mix(1 / (self.beta * h * h), z, -1 / (self.beta * h * h), a, a)
        vectors.move(state.v, h * (1 - self.gamma), state.a, v)
        vectors.move(v, h * self.gamma, a, v)
        vectors.copy(z, x)


@dataclass(frozen=True)
class NewmarkTheta(Implicit):
    """Newmark's θ form: v⁺ = v + h M⁻¹(θ f⁺ + (1−θ) f), x⁺ = x + h(θ v⁺ + (1−θ) v); θ = ½ second order, θ = 1 Euler.

    The sign of the (1−θ) h K term is that of the derivation (Eq 2.6.2 corrected).
    """

    theta: float = 0.6

    needs_acceleration = True

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.theta, int | float) or not 0.5 <= self.theta <= 1:
            raise InputError(f"NewmarkTheta(theta={self.theta!r}): expected ½ ≤ theta ≤ 1")

    def stage(self, state, vectors, time, y, anchor) -> Stage:
        h, theta = self.dt, self.theta
        vectors.move(state.x, h, state.v, y)
        vectors.move(y, theta * (1 - theta) * h * h, state.a, y)
        vectors.move(state.x, (1 - theta) * h, state.v, anchor)
        return Stage(1 / (theta * h) ** 2, 1 / (theta * h), time + h)

    def read(self, state, vectors, z, x, v, a) -> None:
        h, theta = self.dt, self.theta
        vectors.mix(1 / (theta * h), z, -1 / (theta * h), state.x, v)
        vectors.move(v, -(1 - theta) / theta, state.v, v)
        vectors.mix(1 / (theta * h), v, -1 / (theta * h), state.v, a)
        vectors.move(a, -(1 - theta) / theta, state.a, a)
        vectors.copy(z, x)


@dataclass(frozen=True)
class QuasiStatic(Implicit):
    """Equilibrium at every moment: no inertia, no velocity. ``dt`` [s] only moves time along. Bodies must be held."""

    order = 0

    def stage(self, state, vectors, time, y, anchor) -> Stage:
        vectors.copy(state.x, y)
        vectors.copy(state.x, anchor)
        return Stage(0.0, 0.0, time + self.dt)

    def read(self, state, vectors, z, x, v, a) -> None:
        v.zero_()
        vectors.copy(z, x)
