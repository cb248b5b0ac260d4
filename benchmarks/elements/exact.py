"""Closed solutions of linear elasticity: a hollow ball under pressure (Lamé), and a thick plate under a sinusoidal load."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pliant.material.base import lame


@dataclass(frozen=True)
class HollowBall:
    """A ball with radii ``inner`` and ``outer`` [m] and pressure [Pa] inside."""

    inner: float
    outer: float
    pressure: float
    young: float
    poisson: float

    @property
    def _factor(self) -> float:
        return self.pressure * self.inner**3 / (self.outer**3 - self.inner**3)

    def displacement(self, X: np.ndarray) -> np.ndarray:
        """(…, 3) [m] at points (…, 3)."""
        r = np.linalg.norm(X, axis=-1, keepdims=True)
        even, odd = (1 - 2 * self.poisson) / self.young, (1 + self.poisson) / (2 * self.young)
        return self._factor * (even + odd * self.outer**3 / r**3) * X

    def stress(self, X: np.ndarray) -> np.ndarray:
        """(…, 3, 3) [Pa]."""
        r = np.linalg.norm(X, axis=-1)[..., None, None]
        n = X / r[..., 0]
        radial, hoop = (self._factor * (1 - c * self.outer**3 / r**3) for c in (1.0, -0.5))
        nn = n[..., :, None] * n[..., None, :]
        return radial * nn + hoop * (np.eye(3) - nn)


@dataclass(frozen=True)
class Plate:
    """A square of side L and thickness t [m], z from −t/2 to t/2, its rim on rollers, pressed from above by q φ [Pa].

    φ = sin(πx/L) sin(πy/L), u = U(z) ∇φ/γ and w = W(z) φ with γ = √2 π/L make Navier's equations ordinary ones in z, whose
    four solutions are e^{±γz} times polynomials of first degree; the loads on both faces choose among them (Vlasov 1957).
    """

    side: float
    thickness: float
    load: float
    young: float
    poisson: float

    @property
    def _gamma(self) -> float:
        return np.sqrt(2) * np.pi / self.side

    def _basis(self, z: np.ndarray) -> tuple[np.ndarray, ...]:
        """U, U', W and W' of the four solutions, (…, 4) each."""
        g, (mu, lam) = self._gamma, lame(self.young, self.poisson)
        d = -(lam + 3 * mu) / ((lam + mu) * g)
        U, dU, W, dW = [], [], [], []
        for s in (1.0, -1.0):
            e = np.exp(s * g * z)
            U += [e, z * e]
            dU += [s * g * e, (1 + s * g * z) * e]
            W += [s * e, (s * z + d) * e]
            dW += [g * e, (s + s * g * (s * z + d)) * e]
        return tuple(np.stack(parts, axis=-1) for parts in (U, dU, W, dW))

    @cached_property
    def _coefficients(self) -> np.ndarray:
        mu, lam = lame(self.young, self.poisson)
        rows = []
        for z in (-0.5 * self.thickness, 0.5 * self.thickness):
            U, dU, W, dW = self._basis(np.array(z))
            rows += [dU + self._gamma * W, lam * (dW - self._gamma * U) + 2 * mu * dW]
        return np.linalg.solve(np.array(rows), [0, 0, 0, -self.load])

    def _profiles(self, z: np.ndarray) -> list[np.ndarray]:
        return [part @ self._coefficients for part in self._basis(z)]

    def displacement(self, X: np.ndarray) -> np.ndarray:
        """(…, 3) [m] at points (…, 3)."""
        a = np.pi / self.side
        U, _, W, _ = self._profiles(X[..., 2])
        (sx, sy), (cx, cy) = ([f(a * X[..., i]) for i in (0, 1)] for f in (np.sin, np.cos))
        U = U * a / self._gamma
        return np.stack([U * cx * sy, U * sx * cy, W * sx * sy], axis=-1)

    def stress(self, X: np.ndarray) -> np.ndarray:
        """(…, 3, 3) [Pa]."""
        a, g, (mu, lam) = np.pi / self.side, self._gamma, lame(self.young, self.poisson)
        U, dU, W, dW = self._profiles(X[..., 2])
        (sx, sy), (cx, cy) = ([f(a * X[..., i]) for i in (0, 1)] for f in (np.sin, np.cos))
        grad = np.zeros((*X.shape[:-1], 3, 3))
        grad[..., 0, 0] = grad[..., 1, 1] = -U * a * a / g * sx * sy
        grad[..., 0, 1] = grad[..., 1, 0] = U * a * a / g * cx * cy
        grad[..., 0, 2], grad[..., 1, 2] = dU * a / g * cx * sy, dU * a / g * sx * cy
        grad[..., 2, 0], grad[..., 2, 1], grad[..., 2, 2] = W * a * cx * sy, W * a * sx * cy, dW * sx * sy
        strain = 0.5 * (grad + np.swapaxes(grad, -1, -2))
        return 2 * mu * strain + lam * np.trace(grad, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)

    def pressed(self, X: np.ndarray) -> np.ndarray:
        """(…,) q φ [Pa]."""
        a = np.pi / self.side
        return self.load * np.sin(a * X[..., 0]) * np.sin(a * X[..., 1])
