"""Of all places for pairs of a surface, those where something may touch, in a list that is as long as it needs to be.

Every point and every edge has a place for one pair, which identifies it from step to step; those of a scene lie side by
side. Pairs are listed in the order of their places, so that results do not depend on threads.
"""

import numpy as np
import warp as wp

from ..device import Device
from ..vectors import Sums
from .closest import EDGE, FACE
from .pairs import Pairs
from .surface import Surface

ROOM = 64  # for pairs, at first


class Slots:
    """The places of the points and edges of a surface; ``group`` (bodies,) is the scene of each body."""

    def __init__(self, device: Device, surface: Surface, group: np.ndarray):
        of_points = group[surface.body]
        of_edges = of_points[surface.edges[:, 0]] if len(surface.edges) else np.zeros(0, int)
        points = surface.count
        order = np.argsort(np.concatenate([of_points, of_edges]), kind="stable")
        slot = np.empty(len(order), int)
        slot[order] = np.arange(len(order))
        self.count = len(order)
        self.points, self.edges = device.array(slot[:points], wp.int32), device.array(slot[points:], wp.int32)
        self.kinds = device.array(np.where(order < points, FACE, EDGE), wp.int32)
        grouped = np.concatenate([of_points, of_edges])[order]
        self.bounds = np.searchsorted(grouped, np.arange(int(group.max()) + 2))
        self.limits = np.where(order < points, len(surface.triangles), len(surface.edges))  # of what each may touch


class Listed:
    """Room for pairs that are there, with numbers of each, by name; it grows, and then ``grown`` counts."""

    def __init__(self, device: Device, points: int, groups: int, **kinds: type):
        self.device, self.points, self.groups, self._kinds = device, points, groups, kinds
        self.bounds = device.zeros(groups + 1, wp.int32)
        self.count = self.grown = 0
        self._allocate(ROOM)

    def _allocate(self, room: int) -> None:
        self.pairs = Pairs(self.device, self.points, room)
        self.numbers = {name: self.device.zeros(room, kind) for name, kind in self._kinds.items()}
        self.nothing = self.device.zeros(room, wp.float64)
        self.sums = Sums(self.device, np.arange(self.groups + 1) * room)
        self.sums.bounds = self.bounds  # whose values are those of the pairs that are there
        self.pairs.sort(0)
        self.pairs.count = room

    def __getitem__(self, name: str) -> wp.array:
        return self.numbers[name]

    def take(self, count: int) -> None:
        """There are so many now, to be written next; what lies beyond has nothing."""
        self.count = count
        if count > self.pairs.capacity:
            self._allocate(2 * count)
            self.grown += 1
        for values in self.numbers.values():
            values.zero_()
        self.pairs.weight.zero_()

    def sort(self) -> None:
        """They are written: list their corners. Launches are over all of the room, so that they may be recorded."""
        self.pairs.sort(self.count)
        self.pairs.count = self.pairs.capacity
