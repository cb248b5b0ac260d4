"""Neighbour list: the pairs that may come within reach, kept as long as no point has gone further than a skin (Verlet 1967).

Motions are those in the frame of their mean, since what all points do together brings nothing nearer. A motion that is longer
than the skin is looked at whole: pairs are those that come within reach on its way.
"""

import numpy as np
import warp as wp

from ..device import Device, family
from ..energy.carried import Carrier
from ..vectors import Sums, Vectors, vector_kernels
from .candidates import Candidates
from .surface import Surface

SKIN = 1.0  # reaches: with 0.5 pairs are looked for more often, with 2 there are too many
ENTRIES = 1 << 24  # of the matrix that pairs of one motion may take, which is shortened where they are more
SHORTEST = 1 / 1024  # of a motion that is shortened


@family
def neighbour_kernels(t):
    real, vec3, points = t.real, t.vec3, wp.array(dtype=t.vec3)

    @t.kernel
    def stray(start: int, shift: vec3, before: points, after: points, out: wp.array(dtype=real)):
        """The length of each way without a shift that all have in common, with a minus, for what finds the least."""
        i = start + wp.tid()
        out[i] = -wp.length(after[i] - before[i] - shift)

    @t.kernel
    def go_without(start: int, share: real, mean: vec3, x: points, d: points, out: points):
        """out = x + α (d − the mean of all d)."""
        i = start + wp.tid()
        out[i] = x[i] + share * (d[i] - mean)

    return locals()


class NeighbourList:
    """Pairs of a surface that come within ``reach`` [m]; ``candidates`` has them, ``each`` the entries of one in the matrix."""

    def __init__(self, device: Device, surface: Surface, carrier: Carrier, count: int, reach: float, each: int):
        points, position = surface.count, device.types.position
        self.device, self.count, self.carrier, self.each = device, points, carrier, each
        self.reach, self.skin = reach + float(surface.thickness.max(initial=0.0)), SKIN * reach
        self.candidates, self.kernels = Candidates(device, surface, near=reach), neighbour_kernels("f64")
        self.vectors = Vectors(device, count)
        self.target = self.vectors.positions()
        self.at, self.then, self.direction, self.seen = (device.zeros(points, position) for _ in range(4))
        self.strays, self.sums = device.zeros(points, wp.float64), Sums(device, np.array([0, points]))
        self.covers = False  # whether the pairs are all within the skin of ``seen``
        self.share = 1.0  # of the last direction, on which pairs were looked for
        self.grown = False  # whether the arrays of candidates are others than before

    def is_at(self, x: wp.array) -> bool:
        """Whether the pairs are those around x."""
        self.carrier.carry(x, self.at)
        return self.covers and self._longest(self.seen, self.at, wp.vec3d()) == 0.0

    def look_around(self, x: wp.array, rebuild: bool = False) -> None:
        """Find the pairs that come within reach as long as points stay within the skin of x."""
        self.carrier.carry(x, self.at)
        wp.copy(self.seen, self.at)
        self.number(self.at, self.at, 2 * self.skin, rebuild)
        self._take(self.at, 2 * self.skin)
        self.covers, self.share = True, 1.0

    def look_along(self, x: wp.array, d: wp.array) -> bool:
        """Find the pairs that come within reach on the way from x to x + d, where those at hand may not be all of them; False if
        they are.

        ``share`` is less than 1 where all of d would bring many more than there are at x, which may be more than memory holds.
        """
        self.carrier.carry(x, self.at)
        self.carrier.carry(d, self.direction)
        self.vectors.advance(x, 1.0, d, self.target)
        self.carrier.carry(self.target, self.then)
        self.share = 1.0
        if self.covers and max(self.farthest(self.seen, own) for own in (self.at, self.then)) <= self.skin:
            return False
        if self.farthest(self.at, self.then) <= 0.5 * self.skin:
            self.look_around(x)
        else:
            self.share = self._shorten()
            self._take(self.then, 0.0)
            self.covers = False
        return True

    def number(self, before: wp.array, after: wp.array, more: float, rebuild: bool = False) -> int:
        """How many pairs come within reach, or ``more`` [m], where points go from ``before`` to ``after``."""
        return self.candidates.number(before, after, self.reach + more, rebuild)

    def _take(self, after: wp.array, more: float) -> None:
        """The pairs that were numbered last."""
        self.grown = self.candidates.write(self.at, after, self.reach + more)

    def farthest(self, before: wp.array, after: wp.array) -> float:
        """The longest way of a point from ``before`` to ``after`` [m], in the frame of the mean one."""
        total = wp.utils.array_sum
        return self._longest(before, after, wp.vec3d((total(after) - total(before)) / self.count))

    def _longest(self, before: wp.array, after: wp.array, shift: wp.vec3d) -> float:
        """The longest way of a point, less a shift."""
        self.device.launch(self.kernels.stray, self.count, shift, before, after, self.strays, grain=1024)
        self.sums.parts(vector_kernels("f64").min_chunk, self.strays)
        return -float(self.sums.read().min())

    def _shorten(self) -> float:
        """The share of the direction with no more pairs than there is room for; ``then`` is its end in the frame of the mean."""
        room, share = ENTRIES // self.each, 1.0
        mean = wp.vec3d(wp.utils.array_sum(self.direction) / self.count)
        if self._number_on(share, mean) > room:
            room = max(room, 2 * self.number(self.at, self.at, 0.0))
            # counted again the first time as well: those that were counted last are taken
            while self._number_on(share, mean) > room and share > SHORTEST:
                share *= 0.5
        return share

    def _number_on(self, share: float, mean: wp.vec3d) -> int:
        given = (share, mean, self.at, self.direction, self.then)
        self.device.launch(self.kernels.go_without, self.count, *given, grain=1024)
        return self.number(self.at, self.then, 0.0)
