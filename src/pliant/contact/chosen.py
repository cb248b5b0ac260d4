"""Of all places for pairs of a surface, those where something may touch, in a list that is as long as it needs to be.

Every edge has a place for one pair, which identifies it from step to step, and every point two, one after the other, as a
sheet between two others touches both; those of a scene lie side by side. Pairs are listed in the order of their places, so that
results do not depend on threads.
"""

import numpy as np
import warp as wp

from ..device import Device, family
from ..vectors import Sums
from .closest import EDGE, FACE
from .pairs import Pairs
from .segments import PLACES
from .surface import Surface

# for pairs, at first: on a CPU or for many scenes, and on a GPU, where a launch costs the same whatever its size
ROOM = (64, 4096)


@family
def chosen_kernels(t):
    real, vec3 = t.real, t.vec3
    points, reals, ints = wp.array(dtype=vec3), wp.array(dtype=real), wp.array(dtype=wp.int32)
    quads, shares = wp.array(dtype=wp.vec4i), wp.array(dtype=t.vec4)
    zero = real(0.0)

    @t.kernel
    def flag(start: int, stiffness: reals, limit: reals, flags: ints):
        """Where there are pairs, and after them where some are held together."""
        i = start + wp.tid()
        flags[i] = wp.where(stiffness[i] > zero, 1, 0)
        flags[stiffness.shape[0] + i] = wp.where(limit[i] > zero, 1, 0)

    @t.kernel
    def bound_groups(start: int, first: ints, ends: ints, near: ints, held: ints):
        """Where the pairs of each group begin in the lists of those that are there, from the running sum of flags."""
        g = start + wp.tid()
        slots = ends.shape[0] // 2
        s = first[g]
        found = wp.where(s > 0, ends[wp.max(s - 1, 0)], 0)
        near[g] = found
        held[g] = ends[wp.max(slots + s - 1, 0)] - ends[slots - 1]

    @t.kernel
    def collect_near(
        start: int,
        # mesh: by slot
        kind_of: ints,
        flags: ints,
        ends: ints,
        # in:
        found: quads,
        side_of: reals,
        apart_of: reals,
        stiffness_of: reals,
        # out: of the pairs that are there
        pairs: quads,
        kinds: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
        slots: ints,
    ):
        i = start + wp.tid()
        if flags[i] != 0:
            at = ends[i] - 1
            pairs[at] = found[i]
            kinds[at] = kind_of[i]
            side[at] = side_of[i]
            apart[at] = apart_of[i]
            stiffness[at] = stiffness_of[i]
            slots[at] = i

    @t.kernel
    def collect_held(
        start: int,
        # mesh: by slot
        flags: ints,
        ends: ints,
        # in:
        held: quads,
        weight_of: shares,
        normal_of: points,
        stiffness_of: reals,
        limit_of: reals,
        # out: of the pairs that are there
        pairs: quads,
        weight: shares,
        normals: points,
        stiffness: reals,
        limit: reals,
    ):
        i = start + wp.tid()
        slots = limit_of.shape[0]
        if flags[slots + i] != 0:
            at = ends[slots + i] - ends[slots - 1] - 1
            pairs[at] = held[i]
            weight[at] = weight_of[i]
            normals[at] = normal_of[i]
            stiffness[at] = stiffness_of[i]
            limit[at] = limit_of[i]

    return locals()


class Slots:
    """The places of the points and edges of a surface; ``group`` (bodies,) is the scene of each body."""

    def __init__(self, device: Device, surface: Surface, group: np.ndarray):
        edges = surface.edges[:, 0] if len(surface.edges) else np.zeros(0, int)
        point = np.concatenate([np.repeat(np.arange(surface.count), PLACES), edges])  # of an edge, its first
        of, points = group[surface.body[point]], PLACES * surface.count
        order = np.argsort(of, kind="stable")
        slot = np.empty(len(order), int)
        slot[order] = np.arange(len(order))
        self.count = len(order)
        self.points, self.edges = device.array(slot[:points:PLACES], wp.int32), device.array(slot[points:], wp.int32)
        self.kinds = device.array(np.where(order < points, FACE, EDGE), wp.int32)
        self.bounds = np.searchsorted(of[order], np.arange(int(group.max()) + 2))
        self.body, self.node = surface.body[point[order]], surface.nodes[point[order], 0]
        self.sibling = np.arange(self.count)  # the other place of a point, an edge's own
        first = slot[:points:PLACES]
        self.sibling[first], self.sibling[first + 1] = first + 1, first
        self.limits = np.where(order < points, len(surface.triangles), len(surface.edges))  # of what each may touch

    def merged(
        self, old: list[np.ndarray], new: list[np.ndarray], before: np.ndarray, now: np.ndarray, depth: np.ndarray
    ) -> tuple[list[np.ndarray], bool]:
        """The pairs of ``old`` with those of ``new`` that are deeper than ``depth`` (slots,) and not among them; whether any are.

        Both are what was found for each place, four points first; ``before`` and ``now`` (slots,) are gaps of the pairs that
        press. A pair takes the place of one that does not press, or else its own.
        """
        same = np.all(new[0] == old[0], axis=1) | np.all(new[0] == old[0][self.sibling], axis=1)
        missed = np.flatnonzero((now < -depth) & ~same)
        free = (before[missed] == 0) | (before[self.sibling[missed]] < 0)
        place = np.where(free, missed, self.sibling[missed])
        for array, values in zip(old, new):
            array[place] = values[missed]
        return old, bool(len(missed))


class Listed:
    """Room for pairs that are there, with numbers of each, by name; it grows, and then ``grown`` counts."""

    def __init__(self, device: Device, points: int, groups: int, **kinds: type):
        self.device, self.points, self.groups, self._kinds = device, points, groups, kinds
        self.bounds = device.zeros(groups + 1, wp.int32)
        self.count = self.grown = 0
        self._allocate(ROOM[groups == 1 and not device.is_cpu])  # growth takes all recorded launches along

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
