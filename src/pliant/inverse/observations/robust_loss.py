"""Robust losses as residuals: g(d) with g² = ρ.

Distances are in metres, or in the unit of the measurement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arguments import checks
from ...errors import InputError

TINY = 1e-300


@dataclass(frozen=True)
class Loss:
    """The loss of a distance: ρ(d) = d²."""

    def root(self, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """√ρ of distances d ≥ 0, and its derivative."""
        return d, np.ones_like(d)

    def scalars(self, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) residuals of signed distances, and their derivatives."""
        g, slope = self.root(np.abs(d))
        return np.copysign(g, d), slope

    def vectors(self, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) residuals of vectors e, whose squares sum to ρ(|e|), and their (n, 3, 3) derivatives."""
        d = np.linalg.norm(e, axis=1)
        g, slope = self.root(d)
        ratio = np.where(d > TINY, g / np.maximum(d, TINY), slope)
        u = e / np.maximum(d, TINY)[:, None]
        by = ratio[:, None, None] * np.eye(3) + (slope - ratio)[:, None, None] * (u[:, :, None] * u[:, None, :])
        return ratio[:, None] * e, by

    def curvature(self, g: np.ndarray, axes: int) -> float:
        """The mean second derivative of ½ρ at distances whose roots are g, over that of the Gauss–Newton matrix.

        Along e the one is ψ' with ψ = ρ'/2 = g g' and the other g'²; across it they are ψ/d and (g/d)².
        """
        d = float(np.max(g, initial=TINY)) * np.geomspace(1e-4, 1e6, 4000)
        root, slope = self.root(d)
        psi = root * slope
        both = np.array([np.gradient(psi, d) + (axes - 1) * psi / d, slope**2 + (axes - 1) * (root / d) ** 2])
        at = np.clip(np.searchsorted(root, g), 0, len(d) - 1)
        true, taken = both[:, at].sum(axis=1)
        return float(true / taken)


@dataclass(frozen=True)
class Quadratic(Loss):
    """ρ = d²: right where noise is normal and there are no outliers."""


@dataclass(frozen=True)
class Huber(Loss):
    """ρ = d² up to ``width`` [m], and 2·width·d − width² beyond: outliers have bounded influence."""

    width: float

    def __post_init__(self):
        checks.positive("Huber(width=…)", self.width, "metres")

    def root(self, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        far = d > self.width
        g = np.sqrt(np.where(far, 2 * self.width * d - self.width**2, 1.0))
        return np.where(far, g, d), np.where(far, self.width / g, 1.0)


@dataclass(frozen=True)
class GemanMcClure(Loss):
    """ρ = d²/(1 + d²/width²), which outliers hardly affect, with a far field so that distant points keep a gradient.

    The share ``far`` of ρ is Huber's of the same ``width`` [m]. With 0, points beyond a few widths have no gradient.
    """

    width: float
    far: float = 0.05

    def __post_init__(self):
        checks.positive("GemanMcClure(width=…)", self.width, "metres")
        if not 0 <= checks.real(self.far) <= 1:
            raise InputError(f"GemanMcClure(far={checks.shown(self.far)}): expected a share from 0 to 1")

    def root(self, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        linear, linear_slope = Huber(self.width).root(d)
        under = 1 + (d / self.width) ** 2
        rho = (1 - self.far) * d**2 / under + self.far * linear**2
        half = (1 - self.far) * d / under**2 + self.far * linear * linear_slope  # ρ'/2
        g = np.sqrt(rho)
        return g, np.where(g > TINY, half / np.maximum(g, TINY), 1.0)
