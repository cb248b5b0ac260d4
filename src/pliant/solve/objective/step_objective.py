"""Step objective ½ c/h² ‖x−y‖²_M + Σ E(x) over free nodes."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import warp as wp
from scipy import sparse

from ...energy import capabilities as can
from ...energy.base import Energy
from ...energy.elastic.elastic_energy import attach
from ...energy.quadratic_bound import Majorised
from ...linear.factor.low_rank import LowRank
from ...linear.matrix.block_matrix import BlockMatrix
from ...linear.matrix.sparsity_pattern import Pattern, fitting, renewed_pattern
from ...runtime.device import Device
from ...runtime.vectors import Vectors
from .loose_cells import LooseCells, cells_of
from .objective_kernels import objective_kernels
from .residual import WIDTH, Residual, Residuals
from .rigid_arc import turning

State = TypeVar("State")
Instead = dict[Energy, Callable[[wp.array, wp.array], None]]

Capability = TypeVar("Capability")


class Objective:
    """Energies over n nodes; ``free`` is (n, 3), 1 where a component may move and 0 where it is held.

    ``positions`` (n, 3) say where nodes are at rest, for solvers that order them by place. ``bounds`` cuts the nodes into
    groups that share nothing, the scenes of a batch: the sums of group g are row g of what ``evaluate`` and ``sizes`` fill.
    ``bodies`` are the first rows of the bodies, whose forces are judged apart (the groups, unless told), with their ``names``.
    """

    ENTRIES = 24  # to spare in the matrix for each row to spare
    MOST_PROGRAMS = 64  # kept; more than any solver needs, a bound for callers whose arrays come and go

    def __init__(
        self,
        device: Device,
        energies: Sequence[Energy],
        free: np.ndarray,
        positions: np.ndarray | None = None,
        bounds: np.ndarray | None = None,
        bodies: np.ndarray | None = None,
        names: Sequence[str] = (),
    ):
        self.device, self.energies = device, list(energies)
        self._having: dict[type, list] = {}
        self.count = self.alive = len(free)  # rows, and those of them that are nodes: others to spare come after them
        self.bounds = np.array([0, self.count]) if bounds is None else np.asarray(bounds)
        self.groups = len(self.bounds) - 1
        self.vectors = Vectors(device, self.count, self.bounds)
        of = np.repeat(np.arange(self.groups), np.diff(self.bounds)) if self.groups > 1 else np.zeros(1)
        self.of = device.array(of, wp.int32)  # group of each node, one entry for one group
        for energy in self.energies:
            energy.bounds = self.bounds if self.groups > 1 else None
        self.kernels = objective_kernels(device.precision)
        self.free = device.array(free, device.types.vec3)
        self.moves = np.asarray(free) > 0  # (n, 3) the same on the host
        self.turning = turning(self.energies, self.vectors, self.free, self.of)
        self._part = self.vectors.new()
        self._states: dict[tuple, Any] = {}
        self._programs: dict[tuple, dict] = {}
        self._matrices: dict[bool, BlockMatrix] = {}
        self._attached: BlockMatrix | None = None
        self._before: tuple[Objective, np.ndarray, Pattern | None] | None = None
        self._sparsity: tuple | None = None
        self._loose = LooseCells(self.energies)
        self._linear: dict[bool, dict[Hashable, Any]] = {False: {}, True: {}}
        self.lasting: dict[type, Any] = {}  # what linear solvers keep from step to step, whatever the matrix
        self.inherited: dict[type, Any] = {}  # what they kept for one that this follows, until they have taken it over
        self.foreseen: Pattern | None = None  # the pattern of the matrix after a cut that is under way
        self.assemblies = 0
        self.positions = positions
        rest = np.zeros((self.count, 3)) if positions is None else positions
        self.rest = device.array(rest, device.types.position)
        self.begun = 0.0  # when the step began, for solvers that have a budget of time
        self.moving = True  # whether the step has inertia
        self.origin: wp.array | None = None  # where the bodies are as it begins
        self.residuals = Residuals(device, self.energies, self.bounds, self.bounds if bodies is None else bodies, names)
        self._sums, self._other_sums = (device.zeros((self.groups, 2), wp.float64) for _ in range(2))
        self._sizes = self.new_sizes()
        self._read_sums, self._read_sizes = device.reader(self._sums), device.reader(self._sizes)

    @cached_property
    def extents(self) -> np.ndarray:
        """(groups,) the longest side of the box around each group at rest [m]."""
        ends = np.minimum(self.bounds, self.alive)
        rest = np.zeros((self.count, 3)) if self.positions is None else self.positions
        return np.array([np.ptp(rest[a:b], axis=0).max() if b > a else 0.0 for a, b in pairwise(ends)])

    def having(self, capability: type[Capability]) -> list[Capability]:
        """The energies of that capability (energy/capabilities.py)."""
        if capability not in self._having:
            self._having[capability] = [energy for energy in self.energies if isinstance(energy, capability)]
        return self._having[capability]

    def matrix(self, diagonal: bool = False) -> BlockMatrix:
        """Room for the Hessian, or for its diagonal alone; made on first use and whenever the cells have changed."""
        sparsity = tuple((id(energy), energy.sparsity) for energy in self.energies)
        if sparsity != self._sparsity:
            self._lay_out(sparsity)
        if diagonal not in self._matrices:
            cells, spare = cells_of(self.energies), self.ENTRIES * (self.count - self.alive)
            if diagonal:
                matrix = BlockMatrix(self.device, self.count, [])
            elif self._before is None:
                pattern, loose = self._loose.pattern(cells)
                matrix = BlockMatrix(self.device, self.count, cells, pattern=pattern, spare=spare, loose=loose)
            else:
                before, numbers, foreseen = self._before
                earlier = before._matrices[False]
                known = fitting(foreseen, earlier.pattern, numbers, self.count, cells)
                matrix = BlockMatrix(self.device, self.count, cells, earlier, numbers, known, spare)
            self._matrices[diagonal] = matrix
            matrix.pattern.alive = self.alive
        matrix = self._matrices[diagonal]
        if self._attached is not matrix:
            attach(self.energies, matrix)
            self._attached = matrix
            matrix.settle()
        if not diagonal:
            self._before = None
        return matrix

    def renew(self) -> None:
        """Go on with other cells of the same energies, on rows to spare, in the same matrix, or one of it with more room."""
        matrix, foreseen, self.foreseen = self._matrices.get(False), self.foreseen, None
        if matrix is None:
            return
        cells, numbers = cells_of(self.energies), np.arange(self.count)
        known = fitting(foreseen, matrix.pattern, numbers, self.count, cells)
        pattern = known or renewed_pattern(matrix.pattern, numbers, self.count, cells)
        pattern.alive = self.alive
        self._loose.forget()
        if not matrix.renew(pattern):
            self._drop()
            given = (matrix, numbers, pattern, self.ENTRIES * (self.count - self.alive))
            self._matrices[False] = BlockMatrix(self.device, self.count, cells, *given)
            return
        kept = self._linear[False]
        told = [each for each in kept.values() if each is None or hasattr(each, "renew")]
        if not all(each is not None and each.renew(self.positions) for each in told):
            kept.clear()  # and what was recorded with it
            self._programs.clear()
            self.device.forget()

    def _lay_out(self, sparsity: tuple) -> None:
        """Lay the matrix out for other cells of some energies, in its own arrays where there is room."""
        matrix, before, self._sparsity = self._matrices.get(False), self._sparsity, sparsity
        joined = matrix is not None and before is not None and self._before is None
        self._drop(joined and self._loose.lay_out(matrix, before, sparsity, self._linear[False], self.positions))

    def _drop(self, but_matrix: bool = False) -> None:
        """Forget the matrix, ``but_matrix`` only what was recorded with its arrays and which energies are attached to it."""
        gone, self._attached = self._matrices.get(False), None
        if gone is not None:
            self._programs = {k: v for k, v in self._programs.items() if id(gone.values) not in k}
        if not but_matrix:
            self._matrices.pop(False, None)
            self._linear[False] = {}
            self.device.forget()  # launches that hold its arrays

    def forget_places(self) -> None:
        """Forget the matrix where pairs have changed its places: the order of elimination, and the last bits, hang on them."""
        if any(energy.sparsity for energy in self.energies):
            self._drop()

    def follow(self, before: Objective, numbers: np.ndarray) -> None:
        """Make the matrix of that of another objective, whose node i is node ``numbers[i]`` here: what has not changed of it is
        not made anew."""
        before._before = None
        self.inherited = dict(before.lasting)
        if list(map(type, before.energies)) == list(map(type, self.energies)):
            for old, new in zip(before.energies, self.energies):
                if isinstance(new, can.Following):
                    new.follow(old, numbers)
        if False in before._matrices:
            self._before, before.foreseen = (before, numbers, before.foreseen), None

    def work_of(self, matrix: BlockMatrix) -> dict[Hashable, Any]:
        """What linear solvers keep with one of the two matrices."""
        return self._linear[matrix.is_diagonal and matrix is self._matrices.get(True)]

    def state(self, kind: type[State], *settings: Hashable) -> State:
        """The state of a solver from one solve to the next, ``kind(self, *settings)``, made on first use."""
        key = (kind, *settings)
        if key not in self._states:
            self._states[key] = kind(self, *settings)
        return self._states[key]

    def replay(self, work: Callable[[], None], name: str, *arrays: wp.array, clock: Any = None) -> None:
        """Run ``work``: launches that are always the same for this name and these arrays. They are recorded, so that they cost
        one call; ``clock`` learns what their parts took."""
        if len(self._programs) >= self.MOST_PROGRAMS:
            self._programs.clear()
        kept = self._programs.setdefault((name, *map(id, arrays)), {})
        self.device.replayed(work, self.recordable, kept, clock)

    # --- on the device alone

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        """out[g] = (sum, sum of magnitudes) of the energies of group g."""
        self.device.clear(out)
        for energy in self.energies:
            energy.evaluate(x, out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        """Both in one pass over the elements."""
        self.device.clear(out)
        self.device.clear(gradient)
        for energy in self.energies:
            can.evaluate_with_gradient(energy, x, out, gradient)
        self.mask(gradient)

    def refresh(self, instead: Container[Energy] = ()) -> None:
        """Take over what ``sizes`` must know of the energies; not inside a captured graph."""
        self.residuals.refresh(self.rest, self.mask, instead)

    def new_sizes(self) -> wp.array:
        """Room for what ``sizes`` finds."""
        return self.device.zeros((self.groups, WIDTH), wp.float64)

    def sizes(
        self,
        x: wp.array,
        gradient: wp.array,
        out: wp.array,
        instead: Instead | None = None,
        values: wp.array | None = None,
        ahead: bool = False,
    ) -> None:
        """The gradient, and out[g] = (its size over the worst body of group g, what it would be if no force there cancelled
        another, …), as ``residuals`` reads it; ``refresh()`` first.

        ``instead`` names other gradients for some of the energies. ``values`` takes what ``evaluate`` finds, in the same pass;
        ``ahead``: the matrix at x comes next.
        """
        instead = instead or {}
        self.residuals.begin(x)
        if values is not None:
            self.device.clear(values)
        self.device.clear(gradient)
        self.device.clear(self._part)
        for i, energy in enumerate(self.energies):
            if values is not None:
                can.evaluate_with_gradient(energy, x, values, self._part, ahead)
            else:
                instead.get(energy, energy.gradient)(x, self._part)
            self.residuals.take(i, self.free, self._part, gradient)
        self.residuals.end(gradient, out)

    def safe(self, x: wp.array, d: wp.array, out: wp.array, walls: bool = True) -> None:
        """out[g, 0] = the largest safe fraction of d for group g, at most 1; ``walls``: these count."""
        self.device.fill(out, 1.0)
        for energy in self.having(can.Limited):
            if walls or not isinstance(energy, can.Wall):
                energy.safe(x, d, out)

    def prefer(self, other: wp.array, x: wp.array) -> None:
        """Replace x by ``other`` in the groups where the objective is smaller there."""

        def work() -> None:
            self.evaluate(other, self._other_sums)  # first: mostly the end of the step before, which is known
            self.evaluate(x, self._sums)
            self.device.launch(self.kernels.prefer, self.count, self.of, self._sums, self._other_sums, other, x)

        self.replay(work, "prefer", other, x)

    # --- numbers for the host

    def value(self, x: wp.array) -> float:
        """The sum of all energies [J]."""
        return self.value_and_magnitude(x)[0]

    def value_and_magnitude(self, x: wp.array) -> tuple[float, float]:
        """The sum, and the sum of magnitudes: the size against which rounding must be judged."""
        self.replay(lambda: self.evaluate(x, self._sums), "value", x)
        return tuple(self._read_sums().sum(axis=0).tolist())

    def residual(self, x: wp.array, out: wp.array, instead: Instead | None = None) -> Residual:
        """The gradient; and how far the forces of the worst body are from cancelling."""
        self.refresh(instead or ())
        if instead:
            self.sizes(x, out, self._sizes, instead)
        else:
            self.replay(lambda: self.sizes(x, out, self._sizes), "residual", x, out)
        return self._worst()

    def value_and_residual(self, x: wp.array, out: wp.array, ahead: bool = False) -> tuple[float, float, Residual]:
        """The sum and the sum of magnitudes, the gradient in ``out``, and its residual: one pass over the elements;
        ``refresh()`` first. ``ahead``: ``assemble`` with the same word comes next."""
        sizes, name = (x, out, self._sizes, None, self._sums, ahead), f"value and residual {ahead}"
        self.replay(lambda: self.sizes(*sizes), name, x, out)
        return *self._read_sums().sum(axis=0).tolist(), self._worst()

    def _worst(self) -> Residual:
        return max((self.residuals.read(row) for row in self._read_sizes()), key=lambda r: r.value)

    @property
    def has_walls(self) -> bool:
        """Whether there is something that no step may pass through."""
        return bool(self.having(can.Wall))

    @property
    def constraint(self) -> can.Constraint | None:
        """The contact whose forces a solver must find, if there is one."""
        return next(iter(self.having(can.Constraint)), None)

    @property
    def resolution(self) -> float:
        """What rounding may make of the energy of bodies at rest [J], once ``refresh`` has been called."""
        return self.residuals.coarsest

    def step_limit(self, x: wp.array, d: wp.array, walls: bool = True) -> float:
        """Largest safe fraction of d, at most 1; ``walls``: these count."""
        self.replay(lambda: self.safe(x, d, self._sums, walls), f"safe {walls}", x, d)
        return float(self._read_sums()[:, 0].min())

    def stopped(self, x: wp.array, d: wp.array, out: wp.array) -> bool:
        """out = the step d from x, shorter at points where a force would turn around; False where none can."""
        stops = self.stops
        if stops:
            self.replay(lambda: self.stop(x, d, out), f"stopped {len(stops)}", x, d, out)
        return bool(stops)

    @property
    def stops(self) -> list[can.Stopping]:
        """Those whose forces may turn around at points on the way."""
        return [energy for energy in self.having(can.Stopping) if energy.stops]

    def stop(self, x: wp.array, d: wp.array, out: wp.array) -> None:
        """The launches of ``stopped``."""
        self.device.copy(d, out)
        for energy in self.stops:
            energy.stop(x, out)

    def towards(self, x: wp.array, out: wp.array) -> bool:
        """out = the way from x to where inertia alone would lead, 0 in held components; False where there is none."""
        ahead = next((energy.ahead for energy in self.energies if energy.ahead is not None), None)

        def work() -> None:
            self.vectors.apart(ahead, x, out)
            self.mask(out)

        if ahead is not None:
            self.replay(work, "towards", x, ahead, out)
        return ahead is not None

    def mask(self, out: wp.array) -> None:
        """Set held components to 0."""
        self.device.launch(self.kernels.mask, self.count, self.free, out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        """out = the sum of all gradients [N], 0 in held components."""

        def work() -> None:
            self.device.clear(out)
            for energy in self.energies:
                energy.gradient(x, out)
            self.mask(out)

        self.replay(work, "gradient", x, out)

    @property
    def potentials(self) -> list[Energy]:
        """The energies of a state: all that exist outside of steps too."""
        return [energy for energy in self.energies if not isinstance(energy, can.OfStep)]

    @property
    def majorised(self) -> list[Majorised]:
        """The energies that put something into a constant matrix."""
        return self.having(Majorised)

    def laplacian(self, cut: bool = True) -> sparse.csr_matrix:
        """The constant n×n matrix that stands in for the Hessian; ``cut``: without nodes that are held along all axes."""
        total = sparse.csr_matrix((self.count, self.count))
        for energy in self.majorised:
            part = energy.laplacian(self.count)
            if part is not None:
                total = total + part
        if not cut:
            return total
        keep = self.moves.any(axis=1).astype(float)
        return (sparse.diags(keep) @ total @ sparse.diags(keep) + sparse.diags(1.0 - keep)).tocsr()

    def laplacian_rows(self, nodes: np.ndarray) -> sparse.csr_matrix:
        """(k, alive) rows of that matrix at some nodes."""
        parts = [energy.laplacian_rows(nodes, self.count) for energy in self.majorised]
        if any(part is NotImplemented for part in parts):
            return self.laplacian(cut=False)[nodes][:, : self.alive]
        total = sparse.csr_matrix((len(nodes), self.count))
        return sum((part for part in parts if part is not None), total).tocsr()[:, : self.alive]

    @property
    def stamp(self) -> tuple:
        """Changes whenever the laplacian does."""
        return tuple(energy.stamp for energy in self.majorised)

    @property
    def recordable(self) -> tuple | None:
        """Plain numbers in the launches of all energies: what is recorded holds for one set of them; None where an energy does
        not say."""
        numbers = tuple([energy.recordable for energy in self.energies])
        return None if None in numbers else numbers

    @property
    def tethers(self) -> LowRank | None:
        """Springs that come and go, for solvers that keep them out of their matrix."""
        springs = [energy.tethers for energy in self.majorised if energy.tethers is not None]
        if not springs:
            return None
        nodes, weights, stiffness = (
            np.concatenate([getattr(s, name) for s in springs]) for name in ("nodes", "weights", "stiffness")
        )
        return LowRank(nodes, weights, stiffness, sum(s.version for s in springs))

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool) -> None:
        """out = H d, with H positive semi-definite where ``project`` is set; 0 in held components."""
        self.device.clear(out)
        for energy in self.energies:
            energy.tangent(x, d, out, project=project)
        self.mask(out)

    def assemble(self, x: wp.array, project: bool, diagonal: bool = False, ahead: bool = False) -> BlockMatrix:
        """The Hessian at x, or only its diagonal blocks; ``ahead``: the exact one, after gradients with the same word."""
        for energy in () if diagonal else self.having(can.Placed):
            energy.seek_places(x)
        matrix = self.matrix(diagonal)

        def work() -> None:
            matrix.clear()
            for energy in self.energies:
                if ahead and isinstance(energy, can.Lookahead):
                    energy.blocks_ahead(x, matrix)
                else:
                    energy.blocks(x, matrix, project=project and not ahead)

        self.replay(work, f"matrix {diagonal} {project} {ahead}", x, matrix.values)
        self.assemblies += 1
        return matrix
