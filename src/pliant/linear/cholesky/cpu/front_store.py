"""Front store: the values of all fronts in one array."""

from __future__ import annotations

import numpy as np

from ....runtime.device import Device
from .thread_schedule import Room

SPARE = 0.12  # spare capacity over that of fronts; the system allocates it on first write


class Store:
    """``sizes`` (fronts,) values of a ``kind`` from ``at`` (fronts,) on in ``array``, initially 0, front by front."""

    def __init__(self, device: Device, kind: type, sizes: np.ndarray):
        self.device, self.kind, self.sizes = device, kind, np.asarray(sizes, np.int64)
        self.at = np.cumsum(self.sizes) - self.sizes
        self._room = Room(int(self.sizes.sum()))
        self.array = device.zeros(max(1, int((1 + SPARE) * self._room.end)), kind)

    @property
    def bytes(self) -> int:
        """Bytes of the array, without pages never written."""
        return self._room.peak * self.array.numpy().itemsize

    def fit(self, sizes: np.ndarray, redone: np.ndarray) -> None:
        """Give the fronts ``redone``, which are recomputed, other ``sizes`` (fronts,); values of the others stay."""
        other = redone[sizes[redone] != self.sizes[redone]]
        at, room = self.at.copy(), self._room
        for f in other.tolist():
            room.give(int(at[f]), int(self.sizes[f]))
        for f in other[np.argsort(-sizes[other], kind="stable")].tolist():
            at[f] = room.take(int(sizes[f]))
        if room.end > len(self.array):
            at = self._moved(sizes, redone)
        self.at, self.sizes = at, sizes

    def _moved(self, sizes: np.ndarray, redone: np.ndarray) -> np.ndarray:
        """Offsets in a larger array, with the values of all fronts except those ``redone``."""
        at, total = np.cumsum(sizes) - sizes, int(sizes.sum())
        before, self.array = self.array.numpy(), self.device.zeros(int((1 + SPARE) * total), self.kind)
        self._room, now = Room(total), self.array.numpy()
        stays = np.ones(len(sizes), bool)
        stays[redone] = False
        for f in np.flatnonzero(stays).tolist():
            now[at[f] : at[f] + sizes[f]] = before[self.at[f] : self.at[f] + sizes[f]]
        return at
