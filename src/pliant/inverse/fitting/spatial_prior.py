"""Spatial priors of values by element: smoothness, total variation.

Both are residuals between the values of neighbouring elements, as shares s of the bounds, so that fits weigh them against
observations: squares of differences let a field change slowly everywhere, absolute differences let it jump in few places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...arguments import checks
from ...elements.base import Elements


@dataclass(frozen=True)
class Smooth:
    """Neighbouring elements differ by about ``deviation``, a standard deviation as a share of the bounds."""

    deviation: float

    def __post_init__(self):
        checks.positive(f"{type(self).__name__}(deviation=…)", self.deviation, "shares of the bounds")

    def residuals(self, difference: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """r of the differences, with ½ r² minimised, and its derivative by each."""
        return difference / self.deviation, np.full_like(difference, 1 / self.deviation)


@dataclass(frozen=True)
class TotalVariation(Smooth):
    """Neighbouring elements are alike except in few places: the cost is |difference| / ``deviation``, without a square.

    ``rounding``, a share of the bounds too, is the difference below which the corner of |·| is rounded.
    """

    rounding: float = 1e-3

    def __post_init__(self):
        super().__post_init__()
        checks.positive("TotalVariation(rounding=…)", self.rounding, "shares of the bounds")

    def residuals(self, difference: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """½ r² = (√(Δ² + ε²) − ε)/deviation, with the sign of Δ, so that r has a slope where Δ is 0."""
        e = self.rounding
        root = np.hypot(difference, e)
        half = difference**2 / ((root + e) * self.deviation)
        r = np.sign(difference) * np.sqrt(2 * half)
        at_rest = 1 / np.sqrt(self.deviation * e)
        by = np.divide(difference / (root * self.deviation), r, out=np.full_like(r, at_rest), where=r != 0)
        return r, by


def neighbours(elements: Elements) -> np.ndarray:
    """(p, 2) elements that share a face, or else the most nodes."""
    nodes = elements.nodes
    owner = np.repeat(np.arange(len(nodes)), nodes.shape[1])
    touching = sparse.csr_matrix((np.ones(nodes.size), (owner, nodes.ravel())), shape=(len(nodes), len(elements.rest)))
    shared = sparse.triu(touching @ touching.T, k=1).tocoo()
    most = shared.data.max(initial=0)
    here = shared.data >= most if most else np.zeros(0, bool)
    return np.stack([shared.row[here], shared.col[here]], axis=1)
