"""Barrier contact energy (IPC), whose steps never cross it.

Incremental potential contact (Li et al. 2020): every pair of a point and a face, and of two edges, that is nearer than
``reach`` pushes itself apart, and no step of a solver goes further than pairs allow. What does not intersect at the start
never will. All of it is computed in double precision, in which positions are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ...arguments import checks
from ...energy.base import Energy, Step
from ...energy.capabilities import Fused, Placed, Touching, Wall
from ...energy.contact_forces import Pressed
from ...energy.contact_totals import add_contacts, timed
from ...energy.embedded_points import EmbeddedPoints
from ...energy.memory import Memory, Parents, Remembers
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ...runtime.vectors import vector_kernels
from ..detect.continuous_collision import advance_kernels
from ..detect.neighbour_list import NeighbourList
from ..pairs.contact_surface import Surface
from ..pairs.normal_curvature import curvature_kernels, curved_struct, mat43
from ..pairs.pair_coupling import Coupling
from ..pairs.pair_forces import pressed_and_rubbed
from ..pairs.point_pairs import DIFFERENCE, GRAIN, Pairs, padded
from .active_set import Active
from .barrier_kernels import barrier_kernels
from .barrier_structs import barrier_structs
from .pair_friction import friction_kernels
from .prediction import Prediction

SLIP = 0.1  # of the reach, at which what sticks begins to slide, where none is given; 0.01 takes half as many iterations more


@dataclass(frozen=True)
class Barrier:
    """Bodies, parts of one and obstacles never cross: they push each other apart from a distance ``reach`` [m] on.

    ``pressure`` [Pa] is what they feel at about half that distance. None takes a twentieth of the usual edge for the reach, a
    tenth with sheets or threads, or the least gap of two bodies, or of a body and an obstacle, at rest; and Young's modulus of
    the softer material for the pressure, of sheets and threads times their thickness over an edge. What touches sticks by a
    spring that gives way by ``slip`` [m] before it slides; None for a tenth of the reach. It is for ``Newton()``; what
    intersects at the start is refused.
    """

    reach: float | None = None
    pressure: float | None = None
    slip: float | None = None

    CHANGES: ClassVar[tuple[str, ...]] = ("pressure", "slip")  # in a running simulation

    def __post_init__(self):
        if self.reach is not None:
            checks.positive("Barrier(reach=…)", self.reach, "metres, or None")
        if self.pressure is not None:
            checks.positive("Barrier(pressure=…)", self.pressure, "Pa, or None")
        if self.slip is not None:
            checks.positive("Barrier(slip=…)", self.slip, "metres, or None")

    def slip_of(self, reach: float) -> float:
        """The slip [m] from which friction is full, with that reach [m]."""
        return SLIP * reach if self.slip is None else float(self.slip)


class BarrierContact(Wall, Touching, Placed, Fused, Remembers, Energy):
    """Pairs of a surface nearer than ``reach`` [m] press each other with ``pressure`` [Pa] (p,) times −B′ of their gap.

    ``friction`` takes the normal forces of the start of a step; it is full from a slip of ``slip`` [m] on.
    """

    name = "barrier"

    def __init__(
        self, device: Device, surface: Surface, pressure: np.ndarray, reach: float, count: int,
        friction: float = 0.0, slip: float = 1e-5,
    ):  # fmt: skip
        super().__init__(device)
        t, points = device.types, surface.count
        self.surface, self.reach, self.count = surface, float(reach), count
        self.friction, self.slip = float(friction), float(slip)
        self.kernels, self.advances = barrier_kernels("f64"), advance_kernels("f64")
        self.rubs = friction_kernels("f64")
        self.carrier = EmbeddedPoints(device, surface.nodes, surface.weights)
        each = (4 * surface.nodes.shape[1]) ** 2
        self.neighbours = NeighbourList(device, surface, self.carrier, count, self.reach, each)
        self.candidates = self.neighbours.candidates
        self.pressure = device.array(pressure, wp.float64)
        self.thickness, self.size = (device.array(own, wp.float64) for own in (surface.thickness, surface.sizes))
        parts, opened = surface.part[surface.body], surface.opened
        self._sides = tuple(device.array(own, wp.int32) for own in (surface.body, parts, opened))
        edge_area = device.array(surface.edge_area if len(surface.edges) else np.zeros(1), wp.float64)
        self._of_points = (device.array(surface.area, wp.float64), edge_area, self.thickness, self.pressure)
        self.at, self.begun, self.direction = (device.zeros(points, t.position) for _ in range(3))
        self.force, self.own = device.zeros(points, t.position), device.zeros(points, t.mat33)
        self.predicted = Prediction(device, points, self.carrier.device_nodes, self.carrier.device_weights)
        self._laid: np.ndarray | None = None  # the pairs that the matrix was laid out for, without any that were predicted
        self.activated: wp.array | None = None  # where the active pairs and their tangents are those of now
        self.kept = 0  # pairs that rubbed in the step before, and the slips at which they were held
        self.kept_names, self.kept_slip = device.zeros(1, wp.vec3i), device.zeros(1, wp.vec2d)
        self._allocate()

    def _allocate(self) -> None:
        """Room for as many pairs as there are candidates; what rubs has the same."""
        capacity, t, zeros = self.candidates.capacity, self.device.types, self.device.zeros
        near = Pairs(self.device, self.surface.count, capacity)
        where = (self.device, capacity, self.carrier.device_nodes, self.carrier.device_weights)
        self._couplings, self._pattern = (Coupling(*where), Coupling(*where)), None
        near.pairs, self.reaches = self.candidates.pairs, zeros(capacity, wp.float64)
        self.gaps, self.loss, self.ends = zeros(capacity, wp.float64), zeros(capacity, wp.float64), near.sums.bounds
        self.normals, whole = zeros(capacity, t.position), zeros(capacity, wp.mat33d)
        self.press, self.limits = (zeros(capacity, wp.float64) for _ in range(2))
        self._curved = filled(curved_struct("f64"), zeros(capacity, mat43), zeros(capacity, wp.vec2d), whole)
        self.near, self.rubbing = near, Pairs(self.device, self.surface.count, capacity)
        structs, found = barrier_structs("f64"), self.candidates
        self.active, self.all = Active(self.device, capacity), self.device.array(np.arange(capacity), wp.int32)
        names, slips = zeros(capacity, wp.vec3i), zeros(capacity, t.position)
        taken = (self.rubbing.pairs, self.rubbing.weight, zeros(capacity, t.position), zeros(capacity, wp.float64))
        self.rubbed = filled(structs.Rubbing, *taken, names, slips, self.begun)
        self._mesh = filled(structs.Mesh, found.kinds, found.items, found.rest, *self._of_points, self.reaches)
        pressing = (self.active.order, near.pairs, found.kinds, found.items, near.weight, self.normals, self.press)
        self._pressing = filled(structs.Pressing, *pressing)

    @timed
    def look(self, x: wp.array, rebuild: bool = False) -> None:
        """Find the pairs that come within reach as long as points stay near x."""
        self.neighbours.look_around(x, rebuild, trim=rebuild and not self.rubbing.count)
        self._take()

    @timed
    def _look_along(self, x: wp.array, d: wp.array) -> None:
        if self.neighbours.look_along(x, d):
            self._take()

    def _take(self) -> None:
        """The pairs that were found last."""
        self.activated = None
        if self.neighbours.grown:
            rubbing, kept = self.rubbing, self.rubbed
            self._allocate()
            for name in ("pairs", "weight", "normals", "press", "names", "anchored") if rubbing.count else ():
                wp.copy(getattr(self.rubbed, name), getattr(kept, name), count=rubbing.count)
            self.rubbing.sort(rubbing.count)
            self.device.forget()
        self.near.sort(self.candidates.count)
        if self.near.count:
            self.near.launch(self.kernels.reach_pairs, self._mesh, *self._sides, self.reach, self.surface.kerf)

    def seek_places(self, x: wp.array) -> None:
        """Find the active pairs at x; the matrix is laid out for all that are watched where it lacks a place for one."""
        if self.activated is x and self.predicted.placed:
            return
        if self.activated is not x:
            self._activate(x)
        if self._pattern is None or not self._list_places():
            self._pattern = None
            self.sparsity += 1

    def _list_places(self) -> bool:
        """List the places of the active pairs and of those that rub; False where the matrix lacks one."""
        (pressing, sliding), active, rubbing = self._couplings, self.active, self.rubbing
        pressed = pressing.listed or pressing.find(self.near.pairs, active.order, active.count)
        pressed &= sliding.listed or sliding.find(rubbing.pairs, self.all, rubbing.count)
        return pressed and self.predicted.place()

    def _activate(self, x: wp.array) -> None:
        self.carrier.carry(x, self.at)
        self._stiffen()
        self.active.choose(self.near.count, self.press)
        self._couplings[0].listed, self.activated = False, x

    def _evaluate(self, x: wp.array) -> None:
        """Energies and gradients of all pairs at x."""
        self.activated = None
        self.carrier.carry(x, self.at)
        if self.near.count:
            out = (self.near.value, self.gaps, self.near.given)
            self.near.launch(self.kernels.evaluate_pairs, self._mesh, self.at, *out)
        self._rub()

    def _rub(self, bent: float = 1.0) -> None:
        rubbing = self.rubbing
        if rubbing.count:
            out = (rubbing.value, rubbing.given, rubbing.stiffness, self.loss)  # which hold 0 beyond these pairs
            size = min(padded(rubbing.count), rubbing.capacity), rubbing.count
            params = (self.rubbed, self.friction, self.slip, bent, self.at)
            self.device.launch(self.rubs.rub, *size, *params, *out, grain=GRAIN)

    def _stiffen(self) -> None:
        """The positive tangents of the pairs at ``at``."""
        self.activated = None
        if self.near.count:
            out = (self.near.weight, self.near.stiffness, self.normals, self.press)
            self.near.launch(self.kernels.stiffen_pairs, self._mesh, self.at, *out)

    @property
    def _both(self) -> list[Pairs]:
        return [pairs for pairs in (self.near, self.rubbing) if pairs.count]

    def begin(self, step: Step) -> None:
        self.rubbing.sort(0)
        start = step.at if step.start is None else step.start
        if not self.neighbours.is_at(start):  # as it is after a step that was accepted
            self.look(start, rebuild=True)
        self.carrier.carry(start, self.at)
        if self.friction > 0 and step.rate > 0 and step.start is not None and self.near.count:
            self._remember()

    def _remember(self) -> None:
        """What presses at the start of the step, where the points are."""
        self._stiffen()
        wp.copy(self.begun, self.at)
        count = self.active.choose(self.near.count, self.press)
        if count:
            given = (self._pressing, self.at, self.kept, self.kept_names, self.kept_slip, self.rubbed)
            self.device.launch(self.rubs.take_up, padded(count), count, *given, grain=GRAIN)
        self.rubbing.sort(count)
        self._couplings[1].listed = False
        self.rubbing.value.zero_()
        self.loss.zero_()

    def touch(self, x: wp.array, out: wp.array) -> None:
        """The pairs are those of the last step of a solver, which ended at x."""
        if not self.near.count:
            return
        self._evaluate(x)
        if not self.rubbing.count:
            self.loss.zero_()
        add_contacts(self.device, self.ends, self.gaps, self.loss, out)

    def least_gap(self, points: np.ndarray) -> float:
        """The least gap [m] of two parts whose points (p, 3) are there; infinite where none is within reach."""
        self.at.assign(points)
        found, surface = self.candidates, self.surface
        if found.find(self.at, self.at, self.neighbours.reach, anew=True):
            self._allocate()
        self.near.sort(found.count)
        self.reaches.fill_(self.reach)
        out = (self.near.value, self.gaps, self.near.given)
        self.near.launch(self.kernels.evaluate_pairs, self._mesh, self.at, *out)
        quads, gaps = (array.numpy()[: found.count] for array in (self.near.pairs, self.gaps))
        other = surface.part[surface.body[quads[:, 0]]] != surface.part[surface.body[quads[:, 2]]]
        return float(gaps[other].min(initial=np.inf))

    def contacts(self, x: wp.array) -> Pressed:
        """Of the pairs around x; friction is of those that pressed as the step began, and may be all that is left."""
        self.look(x, rebuild=True)  # as where a step is accepted
        self._evaluate(x)
        self._stiffen()
        near, rubbing = self.near, self.rubbing
        of_near = (near.pairs, near.weight, self.normals, self.press, self.gaps)
        of_rubbing = (rubbing.pairs, rubbing.weight, self.rubbed.normals)
        pressing = (array.numpy()[: near.count] for array in of_near)
        given = rubbing.given.numpy()[:, : rubbing.count]
        return pressed_and_rubbed(self.surface, *pressing, *(array.numpy()[: rubbing.count] for array in of_rubbing), given)

    def accept(self, x: wp.array, time: float) -> None:
        self._keep(x)
        self.rubbing.sort(0)  # friction is no energy of a state
        self.look(x, rebuild=True)
        # the order of elimination, and the last bits, depend on the places: they are those that a checkpoint finds
        if self._pattern is not None and (self._laid is None or not np.array_equal(self._laid, self.near.quads())):
            self._pattern, self.sparsity = None, self.sparsity + 1

    def _keep(self, x: wp.array) -> None:
        """The slips at which pairs are held where a step ends at x."""
        rubbing, self.kept = self.rubbing, self.rubbing.count
        if self.kept:
            if len(self.kept_names) != rubbing.capacity:
                self.kept_names = self.device.zeros(rubbing.capacity, wp.vec3i)
                self.kept_slip = self.device.zeros(rubbing.capacity, wp.vec2d)
            self.carrier.carry(x, self.at)
            params = (rubbing.count, self.rubbed, self.slip, self.at, self.kept_slip)
            self.device.launch(self.rubs.keep, rubbing.capacity, *params, grain=GRAIN)
            wp.copy(self.kept_names, self.rubbed.names)

    @property
    def memory(self) -> Memory:
        count, none = self.kept, self.device.none
        if not count:
            return {"held": none(wp.vec3i), "held slip": none(wp.vec2d)}
        return {"held": self.kept_names[:count], "held slip": self.kept_slip[:count]}

    def recall(self, memory: Memory) -> None:
        if "held" in memory:
            self.kept = len(memory["held"])
            if self.kept:
                self.kept_names, self.kept_slip = wp.clone(memory["held"]), wp.clone(memory["held slip"])

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        return {}  # other points have other names

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        names, slips = (np.asarray(saved.get(name, ())) for name in ("held", "held slip"))
        if names.ndim != 2 or names.dtype.kind != "i" or names.shape[1] != 3:
            raise ValueError(f"held is {names.dtype} of shape {names.shape}; expected int32 of shape (c, 3)")
        if slips.shape != (len(names), 2) or slips.dtype.kind != "f" or not np.isfinite(slips).all():
            raise ValueError(f"held slip has shape {slips.shape}; expected ({len(names)}, 2), finite")

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> None:
        self._look_along(x, d)
        found = self.neighbours
        if self.near.count or found.share < 1.0:
            where = (self.candidates.kinds, self.thickness, found.share, found.at, found.direction, self.limits)
            self.near.launch(self.advances.advance, *where)
            self.near.take_least(self.limits, out)

    def overshoot(self) -> float:
        if not self.near.count:
            return 0.0
        found, beyond = self.neighbours, self.near.value
        given = (self.candidates.kinds, self.size, found.share, self.limits, found.at, found.direction, beyond)
        self.near.launch(self.advances.pass_by, *given)
        self.near.sums.parts(vector_kernels("f64").min_chunk, beyond)
        return -float(self.near.sums.read().min())

    def least_shares(self, share: wp.array) -> float:
        if self.near.count:
            self.near.least_at_points(self.limits, self.neighbours.strays)
            self.carrier.take_least(self.neighbours.strays, share)
        return self.neighbours.share

    def predict(self, x: wp.array, d: wp.array, compliance: wp.array) -> bool:
        found, predicted = self.neighbours, self.predicted
        self.carrier.soften(compliance, predicted.compliance)
        return predicted.take(self.near, self._mesh, found.share, self.limits, found.at, found.direction)

    def add_predicted(self, out: wp.array) -> None:
        if self.predicted.count:
            self.force.zero_()
            self.predicted.pairs.spread(self.force)
            self.carrier.spread(self.force, out)

    def forget_predicted(self) -> None:
        self.predicted.clear()

    # --- physics

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        for pairs in self._both:
            pairs.add_value(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        self._spread(out)

    def _spread(self, out: wp.array) -> None:
        self.force.zero_()
        for pairs in self._both:
            pairs.spread(self.force)
        self.carrier.spread(self.force, out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        for pairs in self._both:
            pairs.add_value(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if not self._both:
            return
        self.carrier.carry(x, self.at)
        self.carrier.carry(d, self.direction)
        self.force.zero_()
        if project:
            self._stiffen()
            self._rub(0.0)
            self.near.multiply(self.direction, self.force)
        else:
            params = (DIFFERENCE, self.at, self.direction, self.near.given)
            self.near.launch(self.kernels.difference_pairs, self._mesh, *params)
            self.near.spread(self.force)
            self._rub()
        if self.rubbing.count:
            self.rubbing.multiply(self.direction, self.force)
        if self.predicted.count:
            self.predicted.pairs.multiply(self.direction, self.force)
        self.carrier.spread(self.force, out)

    def cells(self) -> np.ndarray | None:
        """All pairs that are watched, those that rub and those that are predicted."""
        self._laid = None if self.predicted.count else self.near.quads().copy()
        every = (self.near, self.rubbing, self.predicted)
        return np.concatenate([pairs.cells(self.surface.nodes) for pairs in every]) if self._both else None

    def attach(self, pattern: BlockMatrix) -> None:
        if pattern.is_diagonal:
            self.carrier.attach(pattern)
        else:
            self._pattern = pattern
            for coupling in (*self._couplings, self.predicted):
                coupling.attach(pattern)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        """With ``project`` the positive part of the tangent, and on the diagonal always: preconditions and factors need it."""
        if not self._both:
            return
        bent = not project and not pattern.is_diagonal
        if self.activated is not x:
            self._activate(x)
        self._rub(float(bent))
        if pattern.is_diagonal:
            self.own.zero_()
            for pairs in (*self._both, self.predicted.pairs):
                if pairs.count:
                    pairs.add_diagonal(self.own)
            self.carrier.blocks(self.own, pattern)
        else:
            self._add_blocks(bent)

    def _add_blocks(self, bent: bool) -> None:
        """Add the blocks of the active pairs and of those that rub."""
        near, rubbing, active = self.near, self.rubbing, self.active
        pressing, sliding = self._couplings
        self._list_places()
        if active.count:
            given = (near.pairs, active.order, near.weight)
            if bent:
                pressing.add_curved(*given, self.normals, self._bent())
            else:
                pressing.add_to(*given, near.stiffness)
        if rubbing.count:
            sliding.add_to(rubbing.pairs, self.all, rubbing.weight, rubbing.stiffness)
        self.predicted.add_to_matrix()

    def _bent(self) -> Any:
        """How the normals of pairs turn where they were stiffened."""
        given = (self.candidates.kinds, self.near.weight, self.normals, self.press, self.at, self.near.stiffness)
        self.near.launch(curvature_kernels("f64").curve_nearest, *given, self._curved)
        return self._curved
