"""Interior of bodies for clip planes."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from ...output.raster.plane_cuts import tets_of
from ...simulate.record.run import Skin
from ..protocol.messages import INSIDE

MOST = 400_000  # tets of all bodies; bodies that come after have lids of one colour


class Inside:
    """The tets that fill each body, cells and ten-node tets in parts; ``tets`` of ``nodes``, body k from ``first[k]``."""

    def __init__(self, skins: Sequence[Skin], most: int = MOST):
        own, left = [], most
        for skin in skins:
            tets = tets_of(skin) + skin.start
            own.append(tets if len(tets) <= left else tets[:0])
            left -= len(own[-1])
        self.first = np.concatenate([[0], np.cumsum([len(tets) for tets in own])]).astype(np.uint32)
        self.nodes, tets = np.unique(np.concatenate(own), return_inverse=True)
        self.tets = tets.reshape(-1, 4).astype(np.uint32)

    def of(self, x: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) float32 places [m] and (n,) values at the nodes, of those at all nodes; what is not finite is 0."""
        with np.errstate(over="ignore"):
            some = np.asarray(values[self.nodes], np.float32)
        some = np.nan_to_num(some, nan=0.0, posinf=0.0, neginf=0.0)
        return np.asarray(x[self.nodes], np.float32), some

    def packed(self, epoch: int) -> bytes:
        """The message that names the tets."""
        counts = (len(self.nodes), len(self.tets), len(self.first))
        return b"".join([struct.pack("<5I", INSIDE, epoch, *counts), self.first.astype("<u4").tobytes(), self.tets.tobytes()])
