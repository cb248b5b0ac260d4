"""Nodes that are copies of others: what a tear and a cut of a lattice leave behind."""

from __future__ import annotations

import numpy as np


class Copied:
    """What follows from ``origin`` (n,), the node before of each one after."""

    origin: np.ndarray

    @property
    def nodes(self) -> np.ndarray:
        """(n, 4) nodes before, of which each one after is the first."""
        return np.repeat(self.origin[:, None], 4, axis=1)

    @property
    def weights(self) -> np.ndarray:
        """(n, 4) how each node is mixed of them."""
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(self.origin), 1))

    def carried(self, values: np.ndarray) -> np.ndarray:
        """(n, …) values at the nodes after, of those before."""
        return values[self.origin]
