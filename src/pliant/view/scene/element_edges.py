"""Edges of the elements, inside and on the surface: pairs of nodes, sent once, and their positions in each frame."""

from __future__ import annotations

import struct

import numpy as np

from ...elements.base import Elements
from ...geometry.mesh.tet10 import HALVES
from ...simulate.simulation import Simulation
from ..protocol.messages import EDGES

MOST = 60_000  # edges drawn; of bodies with more, those of every so many elements
AT_ONCE = 2_000_000  # pairs of corners that are sorted at once
# corners of an element → which of them are joined; the eight of a cell are numbered along x, then y, then z
JOINED = {
    2: [(0, 1)],
    3: [(0, 1), (1, 2), (2, 0)],
    4: [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
    10: HALVES.tolist(),
    8: [(a, a + step) for step in (1, 2, 4) for a in range(8) if not a & step],
}
SQUARE = [(0, 1), (2, 3), (0, 2), (1, 3)]  # the four of a square cell, along x, then y


def _joined(elements: Elements) -> list[tuple[int, int]]:
    k = elements.nodes.shape[1]
    return SQUARE if k == 4 and (elements.plane_strain or elements.dimension == 2) else JOINED[k]


class Edges:
    """The edges of a simulation's elements: ``pairs`` of ``nodes``, from one in ``share`` of them."""

    def __init__(self, sim: Simulation, most: int = MOST):
        self.sim, self.share = sim, 1
        corners = [(e.elements.nodes + e.first, _joined(e.elements)) for e in sim.world["elastic"]]
        total = sum(len(nodes) * len(joined) for nodes, joined in corners)
        while total // self.share > AT_ONCE:
            self.share *= 2
        while len(edges := self._distinct(corners)) > most:
            self.share *= 2
        self.nodes, pairs = np.unique(edges, return_inverse=True)
        self.pairs = pairs.reshape(-1, 2).astype(np.uint32)

    def _distinct(self, corners: list[tuple[np.ndarray, list[tuple[int, int]]]]) -> np.ndarray:
        pairs = np.concatenate([nodes[:: self.share][:, joined].reshape(-1, 2) for nodes, joined in corners])
        pairs = np.sort(pairs.astype(np.int64), axis=1)
        keys = np.unique(pairs[:, 0] * self.sim.world.count + pairs[:, 1])
        return np.stack(np.divmod(keys, self.sim.world.count), axis=1)

    def positions(self) -> np.ndarray:
        """(n, 3) float32 [m]."""
        return np.asarray(self.sim.state.x.numpy()[self.nodes], np.float32)

    def packed(self, epoch: int) -> bytes:
        """The message that names the pairs."""
        counts = (len(self.nodes), len(self.pairs), self.share)
        return struct.pack("<5I", EDGES, epoch, *counts) + self.pairs.astype("<u4").tobytes()
