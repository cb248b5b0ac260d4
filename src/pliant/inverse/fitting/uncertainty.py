"""Uncertainty of a fit from residuals and their derivatives.

Near the minimum the residuals are r + J δ, and with independent noise of equal size s the shares scatter with the covariance
(JᵀJ/s² + P)⁻¹, P being that of priors; s² = r·r/(n − p) is estimated by the fit. Intervals are those of Student's t. Where
residuals are not independent, or outliers have bounded influence, it is s² B⁻¹ (Jᵀ F J + s² P) B⁻¹ with B = JᵀJ + s² P and the
factors F of goodness_of_fit.py, and s² and t have n_eff in place of n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ..observations.goodness_of_fit import Worth

LEVEL = 0.95
BLIND = 1e-6  # of the largest singular value of the scaled J: directions below it are not identifiable
ALIKE = 0.98  # correlations above this are reported
EDGE = 1e-6  # of the bounds: values this close to one are at it
WIDE = 0.5  # of the bounds: values with wider intervals are undetermined


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Of the p numbers of a fit, as shares of their bounds.

    ``noise`` is the size of the residuals, in standard deviations of the observations; ``covariance`` (p, p) has infinite
    variances where a number has no influence, and 0 where it ended at a bound; ``half`` (p,) is half the 95 % interval.
    """

    shares: np.ndarray
    residuals: np.ndarray
    jacobian: np.ndarray
    prior: np.ndarray  # (p, p) JᵀJ of priors
    noise: float
    covariance: np.ndarray
    half: np.ndarray
    blind: np.ndarray  # (p,) whether it lies in an unidentifiable direction
    at_bound: np.ndarray
    factors: np.ndarray  # (n,) variance factors of residuals

    @property
    def correlations(self) -> np.ndarray:
        """(p, p), 0 where a variance is 0 or infinite."""
        variance = np.diag(self.covariance).copy()
        known = np.isfinite(variance) & (variance > 0)
        size = np.where(known, np.sqrt(np.where(known, variance, 1.0)), 1.0)
        both = known[:, None] & known[None, :]
        return np.where(both, np.where(both, self.covariance, 0.0) / np.outer(size, size), np.eye(len(size)))

    def warnings(self, labels: Sequence[str]) -> list[str]:
        """Warnings about the values, one sentence each."""
        said = []
        blind = [label for label, hidden in zip(labels, self.blind) if hidden]
        if blind:
            said.append(
                f"{' and '.join(blind)} cannot be told apart from what was observed: changing them together changes nothing; "
                "fix one of them, or give it a prior"
            )
        correlations = self.correlations
        for i in range(len(labels)):
            for j in range(i):
                if abs(correlations[i, j]) > ALIKE and not (self.blind[i] or self.blind[j]):
                    said.append(
                        f"{labels[j]} and {labels[i]} can hardly be told apart (correlation {correlations[i, j]:+.3f}): "
                        "their values are surer together than each alone"
                    )
        for i, label in enumerate(labels):
            if self.at_bound[i]:
                side = "lower" if self.shares[i] < 0.5 else "upper"
                said.append(f"{label} ended at its {side} bound, where the interval says nothing; widen the bounds")
            elif not self.blind[i] and self.half[i] > WIDE:
                said.append(f"{label} is hardly determined: its interval is wider than its bounds")
        return said

    def samples(self, count: int, seed: int) -> np.ndarray:
        """(count, p) shares, each by one Gauss–Newton step of a fit to resampled residuals.

        Priors are resampled as well; dependent residuals are scaled up by their variance factors.
        """
        draw = np.random.default_rng(seed)
        live = ~(self.blind | self.at_bound)
        out = np.tile(self.shares, (count, 1))
        jacobian = self.jacobian[:, live]
        n = len(self.residuals)
        pulls = np.sqrt(self.factors) * self.residuals
        own, ways = np.linalg.eigh(self.prior[np.ix_(live, live)])
        root = ways * np.sqrt(np.maximum(own, 0.0))
        for k in range(count):
            weights = np.bincount(draw.integers(0, n, n), minlength=n).astype(float)
            normal = (jacobian * weights[:, None]).T @ jacobian + self.noise**2 * self.prior[np.ix_(live, live)]
            slope = jacobian.T @ ((weights - 1) * pulls)  # at the minimum Jᵀr and the pull of priors cancel
            slope -= self.noise**2 * (root @ draw.standard_normal(len(own)))
            out[k, live] -= np.linalg.lstsq(normal, slope, rcond=None)[0]
        return np.clip(out, 0.0, 1.0)


def uncertainty(
    shares: np.ndarray,
    residuals: np.ndarray,
    jacobian: np.ndarray,
    prior: np.ndarray,
    bend: np.ndarray | None = None,
    worth: Worth | None = None,
) -> Uncertainty:
    """That of a minimum: residuals (n,) there, their derivatives (n, p) and the (p, p) of priors.

    ``bend`` (p, p) is the derivative of Jᵀr by the shares where that is not JᵀJ. The root of Jᵀr = 0 then has the covariance
    B⁻¹ (σ² JᵀJ) B⁻ᵀ, and that of JᵀJ alone is enlarged until no variance is below that. ``worth`` is that of residuals
    that are independent and of equal size, unless something else is known.
    """
    p, n = len(shares), len(residuals)
    if worth is None:
        worth = Worth(float(np.sqrt(residuals @ residuals / max(n - p, 1))), float(n), np.ones(n))
    noise, freedom = worth.noise, max(worth.effective - p, 1.0)
    slope = jacobian.T @ residuals
    at_bound = ((shares <= EDGE) & (slope >= 0)) | ((shares >= 1 - EDGE) & (slope <= 0))
    size = np.sqrt(np.sum(jacobian**2, axis=0) + noise**2 * np.diag(prior))
    live = ~at_bound & (size > 0)
    covariance, blind = np.zeros((p, p)), ~at_bound & (size == 0)
    if live.any():
        which = np.flatnonzero(live)
        normal = jacobian[:, live].T @ jacobian[:, live] + noise**2 * prior[np.ix_(live, live)]
        values, vectors = np.linalg.eigh(normal / np.outer(size[live], size[live]))
        hidden = values <= BLIND**2 * values[-1]
        blind[which] |= (np.abs(vectors[:, hidden]) > 0.1).any(axis=1)
        seen = vectors[:, ~hidden] / np.sqrt(values[~hidden])
        inverse = (seen @ seen.T) / np.outer(size[live], size[live])
        pulls = jacobian[:, live] * np.sqrt(worth.factors)[:, None]
        pulled = pulls.T @ pulls + noise**2 * prior[np.ix_(which, which)]
        block = noise**2 * (inverse @ pulled @ inverse)
        if bend is not None and not hidden.any():
            root = np.linalg.pinv(bend[np.ix_(which, which)] + noise**2 * prior[np.ix_(which, which)])
            other = noise**2 * root @ pulled @ root.T
            block *= max(1.0, float(np.max(np.diag(other) / np.diag(block))))
        covariance[np.ix_(which, which)] = block
    covariance[blind, blind] = np.inf
    half = float(stats.t.ppf(0.5 + LEVEL / 2, freedom)) * np.sqrt(np.diag(covariance))
    half[at_bound] = np.inf
    return Uncertainty(shares, residuals, jacobian, prior, noise, covariance, half, blind, at_bound, worth.factors)
