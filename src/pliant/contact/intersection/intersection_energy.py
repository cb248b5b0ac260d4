"""Contact energy of intersecting bodies, along mean normals of regions.

What is found where a step begins, a contact for each patch of a surface, with a normal and a depth, is kept for the step. Bodies
that do not intersect feel nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import warp as wp

from ...arguments import checks
from ...energy.base import Energy, Step
from ...energy.capabilities import Attached, Lagged, Touching
from ...energy.contact_forces import Pressed
from ...energy.contact_totals import FAR, add_contacts, timed
from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...linear.matrix.gather import gather_lists
from ...runtime.device import Device
from ...runtime.vectors import Sums, vector_kernels
from ..pairs.growable import Sent
from ..pairs.pair_law import Grips
from ..pairs.point_pairs import Gathered
from .intersection_regions import Intersections
from .intersection_result import Contacts, Found
from .mixture_kernels import WIDE, mixture_kernels, mixture_struct
from .surface_pieces import Pieces

ROOM = (256, 2048)  # for contacts, at first: on a CPU, and on a GPU, where a launch costs the same whatever its size
UPPER = [(i, j) for i in range(WIDE) for j in range(i, WIDE)]


@dataclass(frozen=True)
class Intersection:
    """Bodies of tets that are deep in one another are pushed apart along the mean normal of what is inside: the contact of games.

    ``stiffness`` [Pa/m] is the pressure for each metre of depth; None takes 10 E/h, E being that of the softer body and h the
    size of the tets. ``recovery`` [m/s] is how fast at most bodies are pushed out of one another; None for as fast as the
    springs do. ``damping`` [s] lets a spring resist being pressed with so many times its stiffness times the speed. With
    ``Contact(self_contact=True)`` parts of one body push each other out as well, where their tets have no node in common; where a
    fold goes on into tets that have, it has no closed curve and is left, and the report says so. Surfaces must lie in their tets
    and intersect to be felt: no distance is kept. A body wholly inside of another, or right through it, is pushed out the
    shortest way, and the report says so.
    """

    stiffness: float | None = None
    recovery: float | None = None
    damping: float = 0.0

    CHANGES: ClassVar[tuple[str, ...]] = ("stiffness", "recovery", "damping")  # while a simulation runs

    def __post_init__(self):
        if self.stiffness is not None:
            checks.positive("Intersection(stiffness=…)", self.stiffness, "Pa/m, or None")
        if self.recovery is not None:
            checks.positive("Intersection(recovery=…)", self.recovery, "m/s, or None")
        checks.number("Intersection(damping=…)", self.damping, 0, expected="seconds, at least 0")


class IntersectionContact(Touching, Lagged, Attached, Gathered, Energy):
    """Springs between what is inside of one another.

    The lesser ``modulus`` (bodies,) [Pa] over the ``width`` (tets,) [m] of the tet of a patch is its stiffness for each area.
    What is inside is pushed out, and on by ``clearance`` [m].
    """

    name = "body contact"

    def __init__(
        self, device: Device, pieces: Pieces, count: int, modulus: np.ndarray, width: np.ndarray, names: list[str],
        grips: Grips, recovery: float | None = None, damping: float = 0.0, clearance: float = 0.0, itself: bool = False,
    ):  # fmt: skip
        super().__init__(device)
        self.pieces, self.count, self.names = pieces, count, names
        self.modulus, self.width = modulus, width
        self.grips, self.recovery, self.damping = grips, recovery, float(damping)
        self.clearance = float(clearance)
        self.intersections = Intersections(device, pieces, np.zeros(pieces.bodies, int), itself=itself, apart=grips.apart)
        self.kernels = mixture_kernels(device.precision)
        self.found: Found | None = None
        self._looked: np.ndarray | None = None  # where nodes were when it was found
        self.names_of = np.zeros((0, 2), int)  # patches that push, and the bodies that they are in
        self.number = self.version = 0
        self._stale, self._pattern = False, None
        self._cells = self._laid = np.zeros((0, 8), int)
        self._gather: BlockGather | None = None
        self._allocate(ROOM[0 if device.is_cpu else 1])

    def _allocate(self, room: int) -> None:
        device, position, real = self.device, self.device.types.position, wp.float64
        self.room = room
        self._sent = Sent(
            device, starts=(self.count + 1, wp.int32), bounds_of=(2, wp.int32), lists=(8 * room, wp.int32),
            nodes=((room, 8), wp.int32), weights=((room, 8), real), normals=(room, position), before=(room, position),
            stiffness=(room, real), rest=(room, real), limit=(room, real),
        )  # fmt: skip
        self.mixed, arrays = mixture_struct()(), self._sent.arrays
        self.bounds_of = arrays.pop("bounds_of")
        for name, array in arrays.items():
            setattr(self.mixed, name, array)
        self.pull, self.block = device.zeros(room, position), device.zeros(room, wp.mat33d)
        self.each, self.gap, self.loss = (device.zeros(room, real) for _ in range(3))
        self._sums = Sums(device, np.array([0, room]))

    # --- life

    def begin(self, step: Step) -> None:
        self.look(step.at if step.start is None else step.start, step.lasts or max(step.time - step.begun, 0.0), step.rate)

    @timed
    def look(self, x: wp.array, lasts: float = 0.0, rate: float = 0.0) -> None:
        """Find what is inside of one another where nodes are at x, for a step that ``lasts`` so long [s]."""
        self._stale, here = False, self.device.read(x)
        if self._looked is None or not np.array_equal(here, self._looked):  # as after a step and before the next
            self.found, self._looked = self.intersections.find(x), here.copy()
        contacts = self.chosen(self.found)
        self.names_of = contacts.name
        count = self.number = len(contacts.gaps)
        if count > self.room:
            self._allocate(2 << (count - 1).bit_length())
            self.version += 1
            self.device.forget()  # launches that hold the old arrays
        self._write(contacts, lasts, rate, here)
        self._cells = np.where(contacts.weights != 0, contacts.nodes, -1)
        if self._pattern is not None:
            self._lay()

    def chosen(self, found: Found) -> Contacts:
        """Which contacts are to push."""
        return found.contacts

    def _write(self, contacts: Contacts, lasts: float, rate: float, x: np.ndarray) -> None:
        count = self.number
        tet = self.pieces.patch_tet[contacts.name[:, 0]]
        softer = self.modulus[contacts.bodies].min(axis=1)
        k = 0.5 * contacts.areas * softer / self.width[tet]  # half, since either body has contacts
        d = np.einsum("cj,cjk->ck", contacts.weights, x[contacts.nodes])
        gaps = np.einsum("ck,ck->c", contacts.normals, d)
        rest = np.full(count, self.clearance)
        if self.recovery is not None and lasts > 0:
            rest = np.minimum(gaps + self.recovery * lasts, rest)
        share = self.damping / lasts if lasts > 0 and rate > 0 else 0.0
        limit = self.grips.between(*contacts.bodies.T) * k * np.maximum(rest - gaps, 0.0)
        rest, k = (rest + share * gaps) / (1 + share), k * (1 + share)
        starts, lists = gather_lists(contacts.nodes.ravel(), self.count)
        rows = {"nodes": contacts.nodes, "weights": contacts.weights, "normals": contacts.normals, "before": d}
        rows |= {
            "stiffness": k,
            "rest": rest,
            "limit": limit,
            "lists": lists,
            "starts": starts,
            "bounds_of": (0, count),
        }
        for name, values in rows.items():
            host = self._sent.hosts[name]
            host[: len(values)], host[len(values) :] = values, 0
        self._sent.send()

    def _lay(self) -> None:
        """Have ``blocks`` prepared anew where other nodes meet, and the matrix where it has no place for them."""
        if self._pattern.is_diagonal or np.array_equal(self._cells, self._laid):
            return
        cells = self._cells
        rows, columns = np.broadcast_arrays(cells[:, :, None], cells[:, None, :])
        there = (rows >= 0) & (columns >= 0)
        if np.all(self._pattern.find(rows[there], columns[there]) >= 0):
            self.attach(self._pattern)
        else:
            self._laid = cells
            self.sparsity += 1

    def refresh_lagged(self, x: wp.array) -> bool:
        """A state at rest may have other parts inside than where the search for it began."""
        before = {tuple(name) for name in self.names_of}
        self.look(x)
        return {tuple(name) for name in self.names_of} != before

    def accept(self, x: wp.array, time: float) -> None:
        self._stale = True

    def touch(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        add_contacts(self.device, self.bounds_of, self.gap, self.loss, out)

    @property
    def remark(self) -> str:
        return self.found.words(self.names) if self.found is not None else ""

    # --- physics

    @property
    def recordable(self) -> tuple | None:
        """Nothing is replayed between steps, where what is inside has to be found first."""
        return None if self._stale else (self.version,)

    @property
    def stamp(self) -> tuple:
        return (self.version, self.number > 0)

    def _evaluate(self, x: wp.array) -> None:
        if self._stale:
            self.look(x)
        out = (self.each, self.pull, self.block, self.gap, self.loss)
        self.device.launch(self.kernels.evaluate_mixtures, self.room, self.mixed, x, *out, grain=128)

    def _add_value(self, out: wp.array) -> None:
        self._sums.add_to(out, 1.0, vector_kernels("f64").sum_chunk, self.each)

    def _spread(self, out: wp.array) -> None:
        self.device.launch(self.kernels.spread_mixtures, self.count, self.mixed, self.pull, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._evaluate(x)
        self.device.launch(self.kernels.turn_mixtures, self.room, self.mixed, self.block, d, self.pull, grain=128)
        self._spread(out)

    def contacts(self, x: wp.array) -> Pressed:
        self._evaluate(x)
        own = slice(self.number)
        pull, normals, gap = (array.numpy()[own] for array in (self.pull, self.mixed.normals, self.gap))
        push = np.where(gap < FAR, np.einsum("cj,cj->c", pull, normals), 0.0)  # normals point out of the first
        along = push[:, None] * normals
        given = (self.mixed.nodes.numpy()[own], -self.mixed.weights.numpy()[own])
        return Pressed.of(*given, along, pull - along, gap, -normals)

    # --- matrices

    def cells(self) -> np.ndarray | None:
        """With the first node of each in the place of those that have no weight."""
        return np.where(self._cells >= 0, self._cells, self._cells.max(axis=1, keepdims=True)) if self.number else None

    def attach(self, pattern: BlockMatrix) -> None:
        self._pattern, self._laid = pattern, self._cells
        if pattern.is_diagonal:  # the same launches whatever touches
            return
        self.version += 1
        if self._gather is not None:
            self.device.forget(self._gather.parts, self._gather.targets)
        self._gather = BlockGather(self.device, pattern, self._cells, UPPER) if self.number else None

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        self._evaluate(x)
        if pattern.is_diagonal:
            self.device.launch(self.kernels.spread_blocks, self.count, self.mixed, self.block, pattern.values)
        elif self._gather is not None:
            params = (self.mixed, self.block, self._gather.parts)
            self.device.launch(self.kernels.couple_mixtures, len(self._cells), *params, grain=64)
            self._gather.add_to(pattern)
