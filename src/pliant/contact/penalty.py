"""Springs between surfaces: what has gone into another body is pushed out by a force that grows with its depth.

Every point of a surface has at most one pair, with the face of another body that it may touch in this step. Which face is
decided where the step begins; within it the pair is that of the point and the plane of the face, so that the energy is
smooth but for the onset of touching. All of it is computed in double precision, in which positions are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import warp as wp

from .. import checks
from ..device import Device
from ..energy.base import Energy, Step
from ..energy.carried import Carrier
from ..energy.memory import Memory
from ..energy.touching import add_contacts
from ..linear.matrix import BlockMatrix
from ..vectors import Sums, vector_kernels
from .nearest import Nearest
from .pairs import Pairs
from .penalty_kernels import penalty_kernels
from .penalty_matrix import ChosenPairs, listed
from .surface import Surface

DIFFERENCE = 1e-6  # of the size of a pair, over which gradients are compared for the exact tangent


@dataclass(frozen=True)
class Penalty:
    """Bodies push each other out, the harder the deeper they are in one another: the contact of real time, for every solver.

    ``stiffness`` [N/m] is that of each point of a surface; None takes 10 E V^⅓ or 10 E A/h as against obstacles, E being that
    of the softer of the two. ``reach`` [m] is how far from a face a point may be where a step is expected to end and still be
    watched; None takes half of the usual edge. Parts of one body pass through each other.
    """

    stiffness: float | None = None
    reach: float | None = None

    CHANGES: ClassVar[tuple[str, ...]] = ("stiffness",)  # while a simulation runs

    def __post_init__(self):
        if self.stiffness is not None:
            checks.positive("Penalty(stiffness=…)", self.stiffness, "N/m, or None")
        if self.reach is not None:
            checks.positive("Penalty(reach=…)", self.reach, "metres, or None")


class PenaltyContact(Energy):
    """Points of a surface against the faces of other bodies.

    ``modulus`` (bodies,) times ``length`` (p,) is the stiffness of a point [Pa, m]; ``scene`` and ``closed`` (bodies,) say to
    which scene each belongs and whether it has an inside.
    """

    name = "body contact"
    touches = True

    def __init__(
        self, device: Device, surface: Surface, modulus: np.ndarray, length: np.ndarray, reach: float, count: int,
        scene: np.ndarray, closed: np.ndarray, friction: float = 0.0,
    ):  # fmt: skip
        super().__init__(device)
        t, slots = device.types, surface.count
        self.surface, self.reach, self.count, self.friction = surface, float(reach), count, float(friction)
        self.kernels, self.slots, self.scene = penalty_kernels("f64"), slots, np.asarray(scene)
        self.carrier = Carrier(device, surface.nodes, surface.weights)
        self.nearest = Nearest(device, surface, scene, closed)
        self.thickness = device.array(surface.thickness, wp.float64)
        self.modulus, self.length = device.array(modulus, wp.float64), device.array(length, wp.float64)
        self.at, self.begun, self.direction, self.force = (device.zeros(slots, t.position) for _ in range(4))
        self.own = device.zeros(slots, t.mat33)
        self.near, self.held = Pairs(device, slots, slots), Pairs(device, slots, slots)
        self.kinds, self.sides = device.zeros(slots, wp.int32), device.zeros(slots, wp.int32)
        self.face, self.touched = device.zeros(slots, wp.int32), device.zeros(slots, wp.int32)
        self.side, self.apart, self.stiffness, self.gaps = (device.zeros(slots, wp.float64) for _ in range(4))
        self.normals, self.held_normal = device.zeros(slots, t.position), device.zeros(slots, t.position)
        self.held_stiffness, self.limit = device.zeros(slots, wp.float64), device.zeros(slots, wp.float64)
        self.gap, self.loss = device.zeros(slots, wp.float64), device.zeros(slots, wp.float64)
        self.version = 0  # counts changes of what launches hold
        self._stale = False  # whether pairs are those of a step that is over
        self._pattern: BlockMatrix | None = None  # the matrix that ``blocks`` was last prepared for
        self._coupled: list[np.ndarray] | None = None
        for pairs in (self.near, self.held):
            pairs.sort(slots)

    # --- life

    def begin(self, step: Step) -> None:
        end = step.target if step.inertia > 0 and step.target is not None else step.at
        self.look(end if step.start is None else step.start, end)

    def look(self, start: wp.array, end: wp.array) -> None:
        """Find what may touch where nodes are expected to go from ``start`` to ``end``."""
        self._stale = False
        self.carrier.carry(start, self.begun)
        self.carrier.carry(end, self.at)
        numbers = (self.thickness, self.modulus, self.length)
        before, out = (self.sides, self.touched), (self.near.pairs, self.face, self.side, self.apart, self.stiffness)
        self.nearest.seed(self.begun, self.at, self.reach, numbers, before, out)
        for pairs in (self.near, self.held):
            pairs.sort(self.slots)
        if self._pattern is not None:
            self._lay()

    def _lay(self) -> None:
        """Have ``blocks`` prepared anew where pairs are others than before, and the matrix where it has no place for them."""
        quads = [pairs.pairs.numpy().copy() for pairs in (self.near, self.held)]
        if self._coupled is not None and all(map(np.array_equal, quads, self._coupled)):
            return
        self._coupled, cells = quads, self.cells()
        if cells is None or np.all(self._pattern.find(cells[:, :, None], cells[:, None, :]) >= 0):
            self.attach(self._pattern)
        else:
            self.sparsity += 1

    def renew(self, x: wp.array) -> bool:
        """A state at rest may touch other faces than where the search for it began."""
        before = self.near.pairs.numpy().copy()
        touched = self.gaps.numpy() < 0
        self.look(x, x)
        self._evaluate(x)
        touched |= self.gaps.numpy() < 0
        return bool(np.any((self.near.pairs.numpy() != before)[touched]))

    def touch(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        held = (self.held.pairs, self.held.weight, self.held_normal, self.held_stiffness, self.limit)
        self.device.launch(self.kernels.tell, self.slots, self.gaps, *held, self.at, self.gap, self.loss)
        add_contacts(self.device, self.sums.bounds, self.gap, self.loss, out)

    def accept(self, x: wp.array, time: float) -> None:
        self._evaluate(x)
        near, held = self.near, self.held
        found = (near.pairs, self.kinds, self.face, self.side, self.stiffness, near.weight, self.normals, self.gaps)
        mesh = (self.nearest.body, self.nearest.closed, self.friction, self.at)
        memory = (held.pairs, held.weight, self.held_normal, self.held_stiffness, self.limit)
        memory += (self.sides, self.touched)
        self.device.launch(self.kernels.settle, self.slots, *found, *mesh, *memory)
        held.sort(self.slots)
        self._stale = True

    @property
    def memory(self) -> Memory:
        return {
            "held": self.held.pairs, "held weight": self.held.weight, "held normal": self.held_normal,
            "held stiffness": self.held_stiffness, "limit": self.limit, "sides": self.sides,
            "touched": self.touched,
        }  # fmt: skip

    def carried(self, nearest: np.ndarray, count: int) -> Memory:
        return {}  # other surfaces: friction begins anew

    def recall(self, memory: Memory) -> None:
        super().recall(memory)
        self.held.sort(self.slots)

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        super().check(saved, count)
        for name, low, high in (("held", 0, self.slots - 1), ("touched", 0, len(self.surface.triangles))):
            if np.any((saved[name] < low) | (saved[name] > high)):
                raise ValueError(f"{name} names a point or face that is not there")

    # --- physics

    def items(self) -> np.ndarray:
        return self.surface.nodes[:, 0]

    @property
    def baked(self) -> tuple:
        return self.version, self.friction > 0

    @cached_property
    def sums(self) -> Sums:
        """Sums over the pairs of each group, which is that of its point."""
        of = self.scene[self.surface.body]
        return Sums(self.device, np.searchsorted(of, np.arange(self.scene.max() + 2)))

    def _mesh(self) -> tuple:
        return self.kinds, self.side, self.apart, self.stiffness

    def _evaluate(self, x: wp.array) -> None:
        """Energies, gradients and positive tangents of all pairs at x; between steps, of what touches there."""
        if self._stale:
            self.look(x, x)
        self.carrier.carry(x, self.at)
        near, held = self.near, self.held
        out = (near.value, near.given, near.weight, near.stiffness, self.normals, self.gaps)
        near.launch(self.kernels.evaluate_pairs, *self._mesh(), self.at, *out)
        if self.friction > 0:
            springs = (held.weight, self.held_normal, self.held_stiffness, self.limit)
            held.launch(self.kernels.hold_pairs, *springs, self.at, held.value, held.given, held.stiffness)

    @property
    def _both(self) -> list[Pairs]:
        return [self.near, self.held] if self.friction > 0 else [self.near]

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        self._add_values(out)

    def _add_values(self, out: wp.array) -> None:
        for pairs in self._both:
            self.sums.add_to(out, 1.0, vector_kernels("f64").sum_chunk, pairs.value)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        self._spread(self._both, out)

    def _spread(self, every: list[Pairs], out: wp.array) -> None:
        self.device.clear(self.force)
        for pairs in every:
            pairs.spread(self.force)
        self.carrier.spread(self.force, out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        self._add_values(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._evaluate(x)
        self.carrier.carry(d, self.direction)
        self.device.clear(self.force)
        if project:
            self.near.multiply(self.direction, self.force)
        else:
            params = (DIFFERENCE, self.at, self.direction, self.near.given)
            self.near.launch(self.kernels.difference_pairs, *self._mesh(), *params)
            self.near.spread(self.force)
        if self.friction > 0:
            self.held.multiply(self.direction, self.force)
        self.carrier.spread(self.force, out)

    def pressing(self, x: wp.array) -> np.ndarray:
        self._evaluate(x)
        inside = self.gaps.numpy() < 0
        return np.hstack([self.at.numpy()[inside], self.normals.numpy()[inside]])

    # --- matrices

    def cells(self) -> np.ndarray | None:
        quads = np.concatenate([listed(pairs) for pairs in self._both])
        return self.surface.nodes[quads].reshape(len(quads), -1) if len(quads) else None

    def attach(self, pattern: BlockMatrix) -> None:
        if pattern.is_diagonal:
            self.carrier.attach(pattern)
            return
        self._pattern, self.version = pattern, self.version + 1
        self.device.forget()  # launches that hold the old lists
        mesh = (self.surface.nodes, self.surface.weights)
        self._chosen = [ChosenPairs(self.device, pattern, pairs, *mesh) for pairs in (self.near, self.held)]

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        """The positive part of the tangent, whether or not ``project`` is set: what preconditions and factors need."""
        self._evaluate(x)
        if pattern.is_diagonal:
            self.device.clear(self.own)
            for pairs in self._both:
                pairs.add_diagonal(self.own)
            self.carrier.blocks(self.own, pattern)
        else:
            for chosen, _ in zip(self._chosen, self._both):
                chosen.couple(pattern, self.carrier.device_weights)
