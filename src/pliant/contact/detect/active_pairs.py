"""Active contact pairs, compacted out of fixed per-vertex slots.

Every edge has a slot for one pair, which identifies it from step to step, and every point two consecutive ones, as a
sheet between two others touches both; slots of a scene are contiguous. Pairs are listed in the order of their slots, so that
results do not depend on threads.
"""

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Device, Types, family
from ...runtime.kernel_structs import filled
from ...runtime.vectors import Sums
from ..pairs.closest_points import EDGE, FACE
from ..pairs.contact_surface import Surface
from ..pairs.edge_degeneracy import PLACES
from ..pairs.point_pairs import Pairs

# for pairs, at first: on a CPU or for many scenes, and on a GPU, where a launch costs the same whatever its size
ROOM = (64, 4096)


@alone
@functools.cache
def slot_structs(precision: str) -> SimpleNamespace:
    """Structs of slots: search results and memory of each slot, the same of active pairs, and their values at x."""
    t = Types(precision, "slot_structs")
    struct = functools.partial(wp.struct, module=t.module)
    ints, reals, quads = wp.array(dtype=wp.int32), wp.array(dtype=t.real), wp.array(dtype=wp.vec4i)

    @struct
    class Found:
        pairs: quads
        other: ints  # the face or edge, from 1 on
        side: reals  # of it, on which the first belongs
        apart: reals  # how far apart they rest
        stiffness: reals

    @struct
    class Memory:
        held: quads  # what is held together, with which weights, normal, stiffness and at most which force
        weight: wp.array(dtype=t.vec4)
        normal: wp.array(dtype=t.vec3)
        stiffness: reals
        limit: reals
        sides: ints  # of which body, from 1 on, and on which side, as the sign
        touched: ints  # the face or edge, from 1 on

    @struct
    class Evaluated:
        value: reals
        gradient: wp.array2d(dtype=t.vec3)
        weight: wp.array(dtype=t.vec4)
        blocks: wp.array(dtype=t.mat33)  # the positive part k n nᵀ of the tangent
        normals: wp.array(dtype=t.vec3)
        gaps: reals
        shift: reals  # by how much damping lets a gap begin earlier

    return SimpleNamespace(Found=Found, Memory=Memory, Evaluated=Evaluated)


def near_of(own: "Listed") -> Any:
    """Watched pairs, with their slots in place of the touched faces."""
    watched = (own["slots"], own["side"], own["apart"], own["stiffness"])
    return filled(slot_structs("f64").Found, own.pairs.pairs, *watched)


def evaluated_of(own: "Listed") -> Any:
    """Values of watched pairs at x."""
    of, here = own.pairs, (own["normals"], own["gaps"], own["shift"])
    return filled(slot_structs("f64").Evaluated, of.value, of.given, of.weight, of.stiffness, *here)


def held_of(own: "Listed") -> Any:
    """Pairs that are held together."""
    held = slot_structs("f64").Memory()
    held.held, held.weight, held.normal = own.pairs.pairs, own.pairs.weight, own["normals"]
    held.stiffness, held.limit = own["stiffness"], own["limit"]
    return held


@family
def chosen_kernels(t):
    ints, reals = wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    Found, Memory, zero = slot_structs(t.precision).Found, slot_structs(t.precision).Memory, t.real(0.0)

    @t.kernel
    def flag(start: int, found: Found, memory: Memory, flags: ints):
        """Where there are pairs, and after them where some are held together."""
        i = start + wp.tid()
        flags[i] = wp.where(found.stiffness[i] > zero, 1, 0)
        flags[found.stiffness.shape[0] + i] = wp.where(memory.limit[i] > zero, 1, 0)

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
    def collect_near(start: int, kind_of: ints, flags: ints, ends: ints, found: Found, near: Found, kinds: ints):
        i = start + wp.tid()
        if flags[i] != 0:
            at = ends[i] - 1
            near.pairs[at] = found.pairs[i]
            kinds[at] = kind_of[i]
            near.side[at] = found.side[i]
            near.apart[at] = found.apart[i]
            near.stiffness[at] = found.stiffness[i]
            near.other[at] = i

    @t.kernel
    def collect_held(start: int, flags: ints, ends: ints, memory: Memory, held: Memory):
        i = start + wp.tid()
        slots = memory.limit.shape[0]
        if flags[slots + i] != 0:
            at = ends[slots + i] - ends[slots - 1] - 1
            held.held[at] = memory.held[i]
            held.weight[at] = memory.weight[i]
            held.normal[at] = memory.normal[i]
            held.stiffness[at] = memory.stiffness[i]
            held.limit[at] = memory.limit[i]

    return locals()


class Slots:
    """The slots of the points and edges of a surface; ``group`` (bodies,) is the scene of each body."""

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
        self.sibling = np.arange(self.count)  # the other slot of a point, an edge's own
        first = slot[:points:PLACES]
        self.sibling[first], self.sibling[first + 1] = first + 1, first
        self.limits = np.where(order < points, len(surface.triangles), len(surface.edges))  # of what each may touch

    def merged(
        self, old: list[np.ndarray], new: list[np.ndarray], before: np.ndarray, now: np.ndarray, depth: np.ndarray
    ) -> tuple[list[np.ndarray], bool]:
        """The pairs of ``old`` with those of ``new`` that are deeper than ``depth`` (slots,) and not among them; whether any are.

        Both are search results of each slot, four points first; ``before`` and ``now`` (slots,) are gaps of the pairs that
        press. A pair takes the slot of one that does not press, or else its own.
        """
        same = np.all(new[0] == old[0], axis=1) | np.all(new[0] == old[0][self.sibling], axis=1)
        missed = np.flatnonzero((now < -depth) & ~same)
        free = (before[missed] == 0) | (before[self.sibling[missed]] < 0)
        place = np.where(free, missed, self.sibling[missed])
        for array, values in zip(old, new):
            array[place] = values[missed]
        return old, bool(len(missed))


class Listed:
    """Growable arrays of active pairs, by name; ``grown`` counts their reallocations.

    ``known`` is the ``struct`` of them for kernels.
    """

    def __init__(self, device: Device, points: int, groups: int, struct: Callable[["Listed"], Any], **kinds: type):
        self.device, self.points, self.groups, self._struct, self._kinds = device, points, groups, struct, kinds
        self.bounds = device.zeros(groups + 1, wp.int32)
        self.count = self.grown = 0
        self._allocate(ROOM[groups == 1 and not device.is_cpu])  # growth takes all recorded launches along

    def _allocate(self, room: int) -> None:
        self.pairs = Pairs(self.device, self.points, room)
        self.numbers = {name: self.device.zeros(room, kind) for name, kind in self._kinds.items()}
        self.nothing = self.device.zeros(room, wp.float64)
        # with the number of active pairs as bounds
        self.sums = Sums(self.device, np.arange(self.groups + 1) * room, self.bounds)
        self.pairs.sort(0)
        self.pairs.count, self.known = room, self._struct(self)

    def __getitem__(self, name: str) -> wp.array:
        return self.numbers[name]

    def take(self, count: int) -> None:
        """Set the number of pairs to be written next; entries beyond are cleared."""
        self.count = count
        if count > self.pairs.capacity:
            self._allocate(2 * count)
            self.grown += 1
        for values in self.numbers.values():
            values.zero_()
        self.pairs.weight.zero_()

    def sort(self) -> None:
        """List the corners of written pairs. Launches cover the full capacity, so that they may be recorded."""
        self.pairs.sort(self.count)
        self.pairs.count = self.pairs.capacity
