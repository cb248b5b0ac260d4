"""Neighbour list (Verlet list) of pairs, kept within a skin.

Motions are relative to their mean, since a common motion brings no pair nearer. A motion that is longer
than the skin is looked at whole: pairs are those that come within reach on its way, or within the skin of it, so that what is
left of a motion, or one that is corrected a little, needs no other pairs.
"""

import numpy as np
import warp as wp

from ...energy.embedded_points import EmbeddedPoints
from ...runtime.device import Device, family
from ...runtime.vectors import Sums, Vectors, vector_kernels
from ..pairs.contact_surface import Surface
from .broad_phase import Candidates

SKIN = 1.0  # reaches: with 0.5 there are more searches, with 2 too many pairs
NARROWEST = 0.1  # of that skin: near it most pairs of a list are within reach
AHEAD, SLACK = 3.0, 4.0  # directions that a skin holds, and times that at which it is narrowed
CROWDED = 4  # pairs of a point, above which a search for fewer pays: two sheets have fifteen, blocks one or two
ENTRIES = 1 << 24  # of the matrix that pairs of one motion may take, which is shortened where they are more
SHORTEST = 1 / 1024  # of a motion that is shortened


@family
def neighbour_kernels(t):
    real, vec3, points = t.real, t.vec3, wp.array(dtype=t.vec3)

    @t.kernel
    def stray(start: int, share: real, mean: vec3, gone: points, way: points, out: wp.array(dtype=real)):
        """The length of what points have gone, less a share of a way and a mean, with a minus, for what finds the least."""
        i = start + wp.tid()
        out[i] = -wp.length(gone[i] - share * way[i] - mean)

    @t.kernel
    def go_without(start: int, share: real, mean: vec3, x: points, d: points, way: points, out: points):
        """way = α (d − the mean of all d), out = x + way."""
        i = start + wp.tid()
        way[i] = share * (d[i] - mean)
        out[i] = x[i] + way[i]

    return locals()


class NeighbourList:
    """Pairs of a surface that come within ``reach`` [m]; ``candidates`` has them, ``each`` the entries of one in the matrix."""

    def __init__(self, device: Device, surface: Surface, carrier: EmbeddedPoints, count: int, reach: float, each: int):
        points, position = surface.count, device.types.position
        self.device, self.count, self.carrier, self.each = device, points, carrier, each
        self.reach, self.widest = reach + float(surface.thickness.max(initial=0.0)), SKIN * reach
        self.skin = self.widest
        self.candidates, self.kernels = Candidates(device, surface, near=reach), neighbour_kernels("f64")
        self.vectors = Vectors(device, count)
        self.target = self.vectors.positions()
        self.at, self.then, self.direction = (device.zeros(points, position) for _ in range(3))
        self.seen, self.way, self.gone = (device.zeros(points, position) for _ in range(3))
        self.strays, self.sums = device.zeros(points, wp.float64), Sums(device, np.array([0, points]))
        # the square of the searched distance from ``seen``; negative before a first search
        self.reached = -1.0
        self.share = 1.0  # of the last direction, the searched part
        self.grown = False  # whether the arrays of candidates were reallocated

    @property
    def covers(self) -> bool:
        """Whether the pairs are those around a state, within the widest skin."""
        return self.reached == 0.0 and self.skin == self.widest

    def is_at(self, x: wp.array) -> bool:
        """Whether the pairs are those around x."""
        self.carrier.carry(x, self.at)
        self._go(self.at)
        return self.covers and self._longest(self.gone, wp.vec3d()) == 0.0

    def look_around(self, x: wp.array, rebuild: bool = False, trim: bool = False) -> None:
        """Find the pairs that come within reach as long as points stay within the skin of x; ``trim`` releases spare memory."""
        self.carrier.carry(x, self.at)
        self.skin = self.widest
        self._look_here(rebuild, trim)

    def _look_here(self, rebuild: bool = False, trim: bool = False) -> None:
        self.number(self.at, self.at, 2 * self.skin, rebuild)
        self._take(self.at, trim)
        self.reached, self.share = 0.0, 1.0

    def look_along(self, x: wp.array, d: wp.array) -> bool:
        """Find the pairs that come within reach on the way from x to x + d, where those at hand may not be all of them; False if
        they are.

        ``share`` is less than 1 where all of d would have many more pairs than x, perhaps too many for memory.
        """
        self.carrier.carry(x, self.at)
        self.carrier.carry(d, self.direction)
        self.vectors.advance(x, 1.0, d, self.target)
        self.carrier.carry(self.target, self.then)
        self.share = 1.0
        known = self.reached >= 0.0 and all(self._strayed(end) <= self.skin for end in (self.then, self.at))
        crowded = self.candidates.count > CROWDED * self.count and self.skin > SLACK * NARROWEST * self.widest
        if known and not crowded:
            return False
        longest = self._longest(self.direction, self._mean(self.direction))
        wanted = min(max(AHEAD * longest, NARROWEST * self.widest), self.widest)
        if known and self.skin <= SLACK * wanted:
            return False
        self.skin = wanted
        if longest <= 0.5 * self.widest:
            self._look_here()
        else:
            self.share = self._shorten()
            self.reached = self._dot(self.way, self.way)
            self._take(self.then)
        return True

    def number(self, before: wp.array, after: wp.array, more: float, rebuild: bool = False) -> int:
        """How many pairs come within reach, or ``more`` [m], where points go from ``before`` to ``after``."""
        return self.candidates.number(before, after, self.reach + more, rebuild)

    def _take(self, after: wp.array, trim: bool = False) -> None:
        """The pairs that were numbered last."""
        wp.copy(self.seen, self.at)
        self.grown = self.candidates.write(self.at, after, self.reach + 2 * self.skin, trim)

    def _strayed(self, end: wp.array) -> float:
        """The largest distance of points from the searched path [m], from ``seen`` on, relative to the mean.

        Points that are within the skin at both ends of a straight motion are so on all of it.
        """
        self._go(end)
        share = min(max(self._dot(self.gone, self.way) / self.reached, 0.0), 1.0) if self.reached > 0.0 else 0.0
        return self._longest(self.gone, self._mean(self.gone), share)

    def _go(self, end: wp.array) -> None:
        """gone = the displacement to ``end`` from the searched state."""
        self.device.launch(vector_kernels("f64").mix, self.count, 1.0, end, -1.0, self.seen, self.gone, grain=1024)

    def _dot(self, a: wp.array, b: wp.array) -> float:
        self.sums.parts(vector_kernels("f64").dot_chunk, a, b)
        return float(self.sums.read().sum())

    def _mean(self, vectors: wp.array) -> wp.vec3d:
        return wp.vec3d(wp.utils.array_sum(vectors) / self.count)

    def _longest(self, gone: wp.array, mean: wp.vec3d, share: float = 0.0) -> float:
        """The largest displacement of points [m], less a mean and a share of the way."""
        self.device.launch(self.kernels.stray, self.count, share, mean, gone, self.way, self.strays, grain=1024)
        self.sums.parts(vector_kernels("f64").min_chunk, self.strays)
        return -float(self.sums.read().min())

    def _shorten(self) -> float:
        """The share of the direction with no more pairs than there is room for; ``then`` is its end in the frame of the mean."""
        room, share, mean = ENTRIES // self.each, 1.0, self._mean(self.direction)
        if self._number_on(share, mean) > room:
            room = max(room, 2 * self.number(self.at, self.at, 2 * self.skin))
            # counted again the first time as well: the last counted pairs are taken
            while self._number_on(share, mean) > room and share > SHORTEST:
                share *= 0.5
        return share

    def _number_on(self, share: float, mean: wp.vec3d) -> int:
        given = (share, mean, self.at, self.direction, self.way, self.then)
        self.device.launch(self.kernels.go_without, self.count, *given, grain=1024)
        return self.number(self.at, self.then, 2 * self.skin)
