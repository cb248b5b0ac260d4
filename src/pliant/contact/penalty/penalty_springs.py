"""Penalty springs between surfaces, growing with depth.

Every point of a surface has at most one pair, with a candidate face of another body in this step, and every edge one
with another edge. Pairs are chosen at the start of the step; within it a pair is that of the point and the plane of the face, or
of two lines, so that the energy is smooth except at the onset of contact. All of it is computed in double precision, in which
positions are kept.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import warp as wp

from ...energy.base import Energy, Step, sums_over
from ...energy.capabilities import Attached, Lagged, LaggedFriction, Rechecked
from ...energy.contact_forces import Pressed
from ...energy.contact_totals import FAR, add_contacts, timed
from ...energy.embedded_points import EmbeddedPoints
from ...energy.memory import Memory, Parents, Remembers
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device
from ...runtime.vectors import Sums, vector_kernels
from ..detect.active_pairs import Listed, Slots, chosen_kernels, evaluated_of, held_of, near_of, slot_structs
from ..detect.edge_edge import Edges
from ..detect.point_face import Nearest
from ..detect.self_contact import seed_itself
from ..pairs.contact_surface import Surface
from ..pairs.pair_coupling import Coupling
from ..pairs.pair_forces import pressed_pairs
from ..pairs.pair_law import Grips
from ..pairs.point_pairs import DIFFERENCE, Gathered, first_side
from .penalty_friction import held_kernels
from .penalty_kernels import penalty_kernels

MISSED = 0.03  # of an edge: depth up to which pairs missed in a step are left to the next


class PenaltyContact(Rechecked, Lagged, LaggedFriction, Attached, Gathered, Remembers, Energy):
    """Points of a surface against the faces of other bodies, and its edges against theirs.

    ``modulus`` (bodies,) times ``length`` (p,) is the stiffness of a point [Pa, m]; ``scene`` and ``closed`` (bodies,) say to
    which scene each belongs and whether it has an inside; ``itself`` lets parts of one body touch each other.
    """

    name = "body contact"

    def __init__(
        self, device: Device, surface: Surface, modulus: np.ndarray, length: np.ndarray, reach: float, count: int,
        scene: np.ndarray, closed: np.ndarray, friction: float = 0.0, itself: bool = False, damping: float = 0.0,
    ):  # fmt: skip
        super().__init__(device)
        t, points, real = device.types, surface.count, wp.float64
        self.surface, self.reach, self.count = surface, float(reach), count
        self.damping, self._share = float(damping), 0.0
        grips = surface.grips or Grips(np.zeros(len(surface.alone), int), np.full((1, 1), float(friction)), np.zeros((0, 1)))
        self.kernels, self.held_kernels = penalty_kernels("f64"), held_kernels("f64")
        self.carrier = EmbeddedPoints(device, surface.nodes, surface.weights)
        self.slots = Slots(device, surface, np.asarray(scene))
        own = ~surface.alone & bool(itself)
        given = (surface, self.slots, scene, closed, grips, own, (modulus, length))
        self.nearest, self.within = Nearest(device, *given), bool(own.any())
        self.edges = Edges(device, surface, self.nearest) if len(surface.edges) else None
        self.skin, self.motion = self.nearest.skin, self.nearest.motion
        self.friction = grips.largest
        self.at, self.thickest = self.motion.x, float(surface.thickness.max(initial=0.0))
        self.direction, self.force, self.arrived = (device.zeros(points, t.position) for _ in range(3))
        self.own = device.zeros(points, t.mat33)
        slots, groups, zeros = self.slots.count, len(self.slots.bounds) - 1, device.zeros
        self._sizes = self.nearest.size[self.slots.body]
        # search results of each slot, and its memory
        found, memory = self.found, self.remembered = slot_structs("f64").Found(), slot_structs("f64").Memory()
        found.pairs, found.other = zeros(slots, wp.vec4i), zeros(slots, wp.int32)
        found.side, found.apart, found.stiffness = (zeros(slots, real) for _ in range(3))
        memory.held, memory.weight = zeros(slots, wp.vec4i), zeros(slots, wp.vec4d)
        memory.normal, memory.stiffness = zeros(slots, t.position), zeros(slots, real)
        memory.limit, memory.sides, memory.touched = zeros(slots, real), zeros(slots, wp.int32), zeros(slots, wp.int32)
        # active pairs among these
        self._flags, self._ends = zeros(2 * slots, wp.int32), zeros(2 * slots, wp.int32)
        self._bounds = device.array(self.slots.bounds, wp.int32)
        kinds = {"kinds": wp.int32, "side": real, "apart": real, "stiffness": real, "slots": wp.int32, "shift": real}
        kinds |= {"gaps": real, "gap": real, "normals": t.position}
        self._near = Listed(device, points, groups, near_of, **kinds)
        kinds = {"normals": t.position, "stiffness": real, "limit": real, "loss": real, "drag": t.position}
        self._held = Listed(device, points, groups, held_of, **kinds)
        # for the first that touch
        device.prepare(self._near.pairs.kernels.round_blocks, vector_kernels("f64").sum_chunk)
        self._start: wp.array | None = None  # start of the current step, if it has inertia
        self.is_near = False  # whether bodies come near enough to touch
        self.version = 0  # counts changes of arrays in launches
        self._stale = self._remembers = False  # whether pairs are those of a finished step, and whether any are remembered
        self._pattern: BlockMatrix | None = None  # the matrix that ``blocks`` was last prepared for
        self._couple()

    # --- life

    def begin(self, step: Step) -> None:
        self._start = step.start if step.inertia > 0 else None
        end = step.target if step.inertia > 0 and step.target is not None else step.at
        start, self._share = end if step.start is None else step.start, 0.0
        if self.damping > 0 and step.rate > 0:
            explicit = step.start is None  # which has the old positions of bodies
            start = step.anchor if explicit else start
            self._share = self.damping * (step.rate if explicit else 1 / (step.time - step.begun))
        self.look(start, end)

    @timed
    def look(self, start: wp.array, end: wp.array, lay: bool = True) -> None:
        """Find candidate pairs of the expected motion from ``start`` to ``end``, and ``lay`` them into the matrix."""
        self._stale = False
        self.carrier.carry(start, self.motion.begun)
        self.carrier.carry(end, self.at)
        self.is_near = self.nearest.meet(self.reach + self.thickest) or self.within
        if self.is_near:
            given = (self.reach, self.remembered, self.found)
            self.nearest.seed(*given)
            if self.within:
                seed_itself(self.nearest, *given)
            if self.edges is not None:
                self.edges.seed(*given)
        else:
            self.found.stiffness.zero_()
            for array in self.memory.values() if self._remembers else ():
                array.zero_()
            self._remembers = False
        self._list(lay)

    def rub(self, grips: Grips) -> None:
        """Take other frictions of the same groups."""
        self.friction = grips.largest
        self.skin.grip.assign(grips.bodies)

    def leave(self, pairs: np.ndarray) -> None:
        """Skip two bodies where ``pairs`` (bodies, bodies) says so, for this step: another response handles them."""
        points, numbers = self.found.pairs.numpy(), (self.found.stiffness, self.remembered.limit)
        left = pairs[self.surface.body[points[:, 0]], self.surface.body[points[:, 3]]]
        if any(np.any(array.numpy()[left] > 0) for array in numbers):
            for array in numbers:
                array.assign(np.where(left, 0.0, array.numpy()))
            self._list()

    def _list(self, lay: bool = True) -> None:
        """List all slots with pairs, and ``lay`` them into the matrix, if there is one."""
        near, held, device, choose = self._near, self._held, self.device, chosen_kernels("f64")
        if not self.is_near and not near.count and not held.count:
            return
        slots, lists = self.slots.count, (self._flags, self._ends)
        device.launch(choose.flag, slots, self.found, self.remembered, self._flags)
        wp.utils.array_scan(*lists, inclusive=True)
        device.launch(choose.bound_groups, len(self._bounds), self._bounds, self._ends, near.bounds, held.bounds)
        grown = near.grown, held.grown
        for own in (near, held):
            own.take(int(own.bounds.numpy()[-1]))
        if near.count:
            kinds = (self.slots.kinds, *lists, self.found)
            device.launch(choose.collect_near, slots, *kinds, near.known, near["kinds"])
            if self._share > 0:
                params = (near["kinds"], near.known, self.motion, self._share, near["shift"])
                device.launch(self.kernels.damp_pairs, near.pairs.capacity, *params)
        if held.count:
            device.launch(choose.collect_held, slots, *lists, self.remembered, held.known)
        for own in (near, held):
            own.sort()
        if (near.grown, held.grown) != grown:
            self.version += 1
            device.forget()  # launches that hold the old arrays
            self._couple()
        if self._pattern is not None:
            self._lay(lay)

    def _couple(self) -> None:
        """Allocate the matrix indices of all pairs."""
        where = (self.carrier.device_nodes, self.carrier.device_weights)
        self._couplings = [Coupling(self.device, own.pairs.capacity, *where) for own in (self._near, self._held)]
        self._evaluated = evaluated_of(self._near)
        self._blocks = self.device.zeros((16, self._near.pairs.capacity), wp.mat33d)
        most = max(own.pairs.capacity for own in (self._near, self._held))
        self._all = self.device.array(np.arange(most), wp.int32)
        if self._pattern is not None:
            for coupling in self._couplings:
                coupling.attach(self._pattern)

    def _lay(self, lay: bool = True) -> None:
        """Find the matrix indices of the pairs; the matrix is rebuilt where one is missing."""
        both = zip(self._couplings, (self._near, self._held))
        there = [coupling.find(own.pairs.pairs, self._all, own.count) for coupling, own in both]
        if lay and not all(there):
            self.sparsity += 1

    def refresh_lagged(self, x: wp.array) -> bool:
        """A state at rest may touch other faces than where the search for it began."""
        found, before = self.found.pairs.numpy().copy(), self._pressed()
        self.look(x, x)
        self._evaluate(x)
        return bool(np.any((self.found.pairs.numpy() != found)[(before < 0) | (self._pressed() < 0)]))

    def missed_contact(self, x: wp.array) -> bool:
        """Bodies pushed within a step may touch others than in free motion: these pairs are added."""
        found = self.found
        arrays = (found.pairs, found.other, found.side, found.apart, found.stiffness)
        old, before = [array.numpy().copy() for array in arrays], self._pressed()
        self.look(self._start, x, lay=False)
        self._evaluate(x)
        new = [array.numpy() for array in arrays]
        merged, missed = self.slots.merged(old, new, before, self._pressed(), MISSED * self._sizes)
        for array, values in zip(arrays, merged):
            array.assign(values)
        self._list(missed)
        return missed

    def _pressed(self) -> np.ndarray:
        """(slots,) the gaps of pairs that press [m], 0 elsewhere."""
        gaps, near = np.zeros(self.slots.count), self._near
        gaps[near["slots"].numpy()[: near.count]] = self.gaps.numpy()[: near.count]
        return gaps

    def touch(self, x: wp.array, out: wp.array) -> None:
        if self._start is not None and not self._stale:  # the current state, not the expected one
            self.look(self._start, x, lay=False)
        self._evaluate(x)
        near, held, device = self._near, self._held, self.device
        if near.count:
            of = (near["kinds"], near.pairs.weight, near["gaps"], near["shift"], near["gap"])
            device.launch(self.kernels.tell, near.pairs.capacity, *of)
            add_contacts(device, near.bounds, near["gap"], near.nothing, out)
        if held.count:
            device.launch(self.held_kernels.tell_loss, held.pairs.capacity, held.known, self.at, held["loss"])
            held.nothing.fill_(FAR)
            add_contacts(device, held.bounds, held.nothing, held["loss"], out)

    def accept(self, x: wp.array, time: float) -> None:
        self._evaluate(x)
        if self.is_near:
            near = self._near
            found = (self._flags, self._ends, self.found, near["kinds"], near.known, self.skin, self.motion)
            self.device.launch(self.kernels.settle, self.slots.count, *found, self._evaluated, self.remembered)
            self._remembers = True
        self._stale = True

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, self.slots.node)

    @property
    def memory(self) -> Memory:
        own = self.remembered
        return {
            "held": own.held, "held weight": own.weight, "held normal": own.normal, "held stiffness": own.stiffness,
            "limit": own.limit, "sides": own.sides, "touched": own.touched,
        }  # fmt: skip

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        return {}  # other surfaces: friction restarts

    def recall(self, memory: Memory) -> None:
        super().recall(memory)
        self._remembers = self._stale = True

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        super().check(saved, count)
        for name, low, high in (("held", 0, self.surface.count - 1), ("touched", 0, self.slots.limits)):
            if np.any((saved[name] < low) | (saved[name] > high)):
                raise ValueError(f"{name} names a point or face that does not exist")

    # --- physics

    @property
    def gaps(self) -> wp.array:
        """Gaps of the pairs that are watched [m], 0 of those that do not press."""
        return self._near["gaps"]

    @property
    def recordable(self) -> tuple | None:
        """No replay between steps, where pairs must be found first."""
        return None if self._stale else (self.version, *(bool(own.count) for own in (self._near, self._held)))

    def _evaluate(self, x: wp.array) -> None:
        """Energies, gradients and positive tangents of all pairs at x; between steps, of pairs in contact there."""
        if self._stale:
            self._share = 0.0
            self.look(x, x)
        near, held = self._near, self._held
        if near.count or held.count:
            self.carrier.carry(x, self.at)
        if near.count:
            near.pairs.launch(self.kernels.evaluate_pairs, *self._mesh(), self._evaluated)
        if held.count:
            pairs, springs = held.pairs, (held.known, held["drag"], self.at)
            pairs.launch(self.held_kernels.hold_pairs, *springs, pairs.value, pairs.given, pairs.stiffness)

    @property
    def learns(self) -> bool:
        return self.friction > 0

    def update_lagged(self, x: wp.array, after: wp.array) -> None:
        held = self._held
        if held.count:
            self.carrier.carry(x, self.at)
            self.carrier.carry(after, self.arrived)
            ends = (self.at, self.arrived, held["drag"])
            held.pairs.launch(self.held_kernels.expect_pairs, held.known, *ends)

    def clear_lagged(self) -> None:
        self.device.clear(self._held["drag"])

    def _mesh(self) -> tuple:
        return self._near["kinds"], self._near.known, self.skin, self.motion

    @property
    def _both(self) -> list[Listed]:
        return [own for own in (self._near, self._held) if own.count]

    def _add_value(self, out: wp.array) -> None:
        for own in self._both:
            own.sums.add_to(out, 1.0, vector_kernels("f64").sum_chunk, own.pairs.value)

    def _spread(self, out: wp.array) -> None:
        if self._both:
            self.device.clear(self.force)
            for own in self._both:
                own.pairs.spread(self.force)
            self.carrier.spread(self.force, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._evaluate(x)
        self.multiply(d, out, exact=not project)

    def linearise(self, x: wp.array) -> None:
        self._evaluate(x)

    def multiply(self, d: wp.array, out: wp.array, exact: bool = False) -> None:
        """``exact``: including the rotation of normals, at the last evaluation of pairs."""
        if not self._both:
            return
        self.carrier.carry(d, self.direction)
        self.device.clear(self.force)
        for own in self._both:
            pairs = own.pairs
            if own is self._held:
                pairs.multiply(self.direction, self.force)
                continue
            if exact:
                params = (DIFFERENCE, own["gaps"], self.direction, pairs.product)
                pairs.launch(self.kernels.difference_pairs, *self._mesh(), *params)
            else:
                pairs.launch(self.kernels.multiply_pairs, pairs.value, pairs.given, self.direction, pairs.product)
            pairs.spread(self.force, pairs.product)
        self.carrier.spread(self.force, out)

    def contacts(self, x: wp.array) -> Pressed:
        """Pressing pairs with the friction of their slots, and those with friction alone."""
        self._evaluate(x)
        near, held = self._near, self._held
        slots, gaps, shift = (own.numpy()[: near.count] for own in (near["slots"], near["gaps"], near["shift"]))
        rubs = np.flatnonzero(self.remembered.limit.numpy() > 0)  # in the order in which they are listed
        rubbing, of = np.full(self.slots.count, -1), self.surface.body
        rubbing[rubs] = np.arange(len(rubs))
        quads, held_quads = near.pairs.pairs.numpy()[: near.count], held.pairs.pairs.numpy()[: held.count]
        own = rubbing[slots]
        here = (gaps < 0) & (own >= 0)
        here[here] = (of[quads[here]] == of[held_quads[own[here]]])[:, [0, 2]].all(axis=1)
        drag, friction = self._on_first(held, rubs), np.zeros((near.count, 3))
        friction[here] = drag[own[here]]
        left = np.setdiff1d(np.arange(held.count), own[here])
        numbers = lambda of, rows: (of.pairs.weight.numpy()[rows], of["normals"].numpy()[rows])
        weight, normal = numbers(near, slice(near.count))
        given = (weight, self._on_first(near, slots), friction, gaps + shift, normal)
        pressing = pressed_pairs(self.surface, quads, *given)
        weight, normal = numbers(held, left)
        given = (weight, np.zeros((len(left), 3)), drag[left], np.full(len(left), FAR), normal)
        return Pressed.all_of([pressing, pressed_pairs(self.surface, held_quads[left], *given)])

    def _on_first(self, own: Listed, slots: np.ndarray) -> np.ndarray:
        """(c, 3) the force of pairs on their first sides [N]."""
        first = first_side(self.slots.kinds.numpy()[slots])
        return -np.einsum("ci,ick->ck", first, own.pairs.given.numpy()[:, : own.count])

    # --- matrices

    def cells(self) -> np.ndarray | None:
        quads = [own.pairs.pairs.numpy()[: own.count] for own in self._both]
        return self.surface.nodes[np.concatenate(quads)].reshape(sum(map(len, quads)), -1) if quads else None

    def attach(self, pattern: BlockMatrix) -> None:
        if pattern.is_diagonal:
            self.carrier.attach(pattern)
            return
        self._pattern, self.version = pattern, self.version + 1
        for coupling in self._couplings:
            coupling.attach(pattern)
        self._lay(False)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        """With ``project``, and always on the diagonal, the positive part of the tangent, for preconditioners and factors."""
        self._evaluate(x)
        if not self._both:
            return
        if pattern.is_diagonal:
            self.device.clear(self.own)
            for own in self._both:
                own.pairs.add_diagonal(self.own)
            self.carrier.blocks(self.own, pattern)
            return
        pressing, sliding = self._couplings
        near, held = self._near, self._held
        if near.count:
            of = (0.0 if project else DIFFERENCE, self._evaluated, self._blocks)
            near.pairs.launch(self.kernels.curve_pairs, *self._mesh(), *of)
            pressing.add_whole(near.pairs.pairs, self._all, self._blocks)
        if held.count:
            sliding.add_to(held.pairs.pairs, self._all, held.pairs.weight, held.pairs.stiffness)
