"""Copies of nodes made by tears and lattice cuts."""

from __future__ import annotations

import numpy as np


class Copied:
    """Nodes, weights and values by ``origin`` (n,), the old node of each new one."""

    origin: np.ndarray

    @property
    def nodes(self) -> np.ndarray:
        """(n, 4) old nodes, of which each new one copies the first."""
        return np.repeat(self.origin[:, None], 4, axis=1)

    @property
    def weights(self) -> np.ndarray:
        """(n, 4) weights of these nodes."""
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(self.origin), 1))

    def carried(self, values: np.ndarray) -> np.ndarray:
        """(n, …) values at the nodes after, of those before."""
        return values[self.origin]
