"""Constant factor of an objective, kept across steps and cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import warp as wp
from scipy import sparse

from ...energy.memory import Memory, Parents, Remembers
from ...linear.cholesky.cpu.numeric_factor import NotPositiveDefinite
from ...linear.cholesky.symbolic.symbolic_factor import Analysis, Order
from ...linear.factor.bordered_factor import Border
from ...linear.factor.cut_factor import Glued
from ...linear.factor.scalar_factor import Prefactored, analysed
from ...linear.matrix.background import BackgroundWork
from ..objective.advice import floating
from ..objective.step_objective import Objective
from .factor_after_cut import Background, Bordered, Kept, Updated

MOST_GROWN = 1.25  # nodes over those at the last dissection, above which the ordering is computed again
MOST_COPIES = 1.05  # nodes over those of the factor in use, above which cuts in a row no longer wait for a thread
Left = tuple[Prefactored, np.ndarray] | None


@dataclass(frozen=True, eq=False)
class Before:
    """The matrix before a cut, its elimination order, and the origins of the current nodes."""

    matrix: sparse.csr_matrix
    moves: np.ndarray  # (n₀, 3)
    order: Order
    origin: np.ndarray  # (n,)

    def is_of(self, factor: Prefactored) -> bool:
        """Whether a factor is that of the matrix, in the same order."""
        own, mine = factor.matrix, self.matrix
        order = factor.elimination
        return (
            own.shape == mine.shape
            and all(np.array_equal(getattr(own, a), getattr(mine, a)) for a in ("indptr", "indices", "data"))
            and np.array_equal(factor.moves, self.moves)
            and np.array_equal(order.permutation, self.order.permutation)
            and np.array_equal(order.start, self.order.start)
        )


class ConstantFactor(Remembers):
    """The A⁻¹ of solvers with a constant matrix; the memory is the state left by a cut.

    ``order`` is the elimination order after a cut, None for one from scratch; ``before`` the factor in use as long
    as the factor of the current mesh is not ready, for ``age`` solves. ``inverse``: with a sparse inverse of each factor.
    ``left`` is an unused factor from before tears, with the origins of the nodes in it; ``leaves`` the one that the next
    factor may reuse in the same way.
    """

    def __init__(self, objective: Objective):
        self.objective, self.policy, self.inverse = objective, Updated(), False
        self.now: Prefactored | Glued | None = None
        self.order: Order | None = None
        self.before: Before | None = None
        self.left: Left = None
        self.leaves: Left = None
        self.age, self._job = 0, None
        self._padded: Glued | None = None
        self._numbers = objective.device.array(np.zeros(0), wp.int64)
        self._values = objective.device.array(np.zeros(0), wp.float64)

    def exact(self) -> Prefactored:
        """The factor of the current matrix, recomputed only where that has changed; NotPositiveDefinite is raised where
        nothing in it holds a body."""
        objective = self.objective
        if not isinstance(self.now, Prefactored) or self.now.inverse != self.inverse:
            known, left = self._known(), self._left()
            self._put(self._made(*known, False, earlier=left))
        elif self.now.stamp != objective.stamp:
            self.now.refactor(checked(objective), objective.moves[: objective.alive], objective.stamp)
        return self._ready()

    def approximate(self) -> Prefactored | Glued:
        """The same, or its replacement by ``policy`` after a cut; once for each solve."""
        if self.before is None:
            return self._whole(self.exact())
        if not isinstance(self.now, Glued):
            known = self.objective.inherited.get(ConstantFactor)
            border = getattr(known.now, "border", None) if known is not None else None
            self.now = Glued(self._base(), self.before.origin, self.objective.stamp, self.objective.count)
            if isinstance(self.policy, Bordered) and not self._bordered(self.now, border):
                self.before = None
                return self._whole(self.exact())
        elif self.now.stamp != self.objective.stamp:  # other values: discard the factor in progress
            return self._whole(self.exact())
        if isinstance(self.policy, Background):
            # a body that is cut or tears in every step would discard each thread's work: it starts in the second
            if self._job is None and (self.age > 0 or self.policy.eager or self.policy.steps < 2):
                # only one thread reads a GPU: Warp's streams are those of the process
                known = None if self.objective.device.is_cpu else self._known()
                self._job = BackgroundWork(self._made_beside, known)
            if self.age >= self.policy.steps or (self.policy.eager and self._job.ready):
                answer = self._job.end()
                self._put(answer if isinstance(answer, Prefactored) else self._made(*answer))
                return self._whole(self.exact())
            self.age += 1
            self._note()
        return self._ready()

    def _whole(self, factor: Prefactored) -> Prefactored | Glued:
        """The factor for vectors with spare rows."""
        count, alive = self.objective.count, self.objective.alive
        if count == alive:
            return factor
        known = self._padded
        if known is None or known.base is not factor or known.factorisations != factor.factorisations:
            self._padded = Glued(factor, np.arange(alive), self.objective.stamp, count)
            self._padded.factorisations = factor.factorisations
            self._padded.add(self.objective.tethers)
            if isinstance(self.policy, Bordered):
                self._bordered(self._padded)
        return self._padded

    def _bordered(self, factor: Glued, before: Border | None = None) -> bool:
        """Make a factor exact for the current copies by a border; False if impossible."""
        copies = factor.copies
        if len(copies) > self.policy.copies:
            return False
        return factor.exact(self.objective.laplacian_rows(copies), copies, self.policy.copies, before)

    def _ready(self) -> Prefactored | Glued:
        self.now.add(self.objective.tethers)
        self.objective.refresh()
        return self.now

    def _known(self) -> tuple:
        """The matrix and its values' stamp, from the host alone."""
        return self.objective.stamp, checked(self.objective)

    def _made(
        self, stamp: tuple, matrix: sparse.csr_matrix, alone: bool, analyses: Sequence[Analysis] = (), earlier: Left = None
    ) -> Prefactored:
        o, n = self.objective, self.objective.alive
        given = (o.device, matrix, o.moves[:n], stamp, self._positions, self.order, alone, analyses)
        return Prefactored(*given, self.inverse, earlier)

    def _left(self) -> Left:
        """A factor from before cuts, whose data the next one may reuse: it then has no other owner."""
        known, left = self.objective.inherited.get(ConstantFactor), self.left
        if isinstance(self.now, Glued):
            left = self.now.base, self.now.origin
        elif left is None and known is not None:
            left, known.now, known.leaves = known.leaves, None, None
        self.now, self.left, self._padded = None, None, None
        return left

    @property
    def _positions(self) -> np.ndarray | None:
        o = self.objective
        return None if o.positions is None else o.positions[: o.alive]

    def _made_beside(self, known: tuple | None) -> Prefactored | tuple:
        """The factor, by one thread; for a GPU, which that thread does not use, all but its values."""
        o, (stamp, matrix) = self.objective, known or self._known()
        if o.device.is_cpu:
            factor = self._made(stamp, matrix, True)
            for part in factor.parts:
                (part.factor.inverse or part.factor.solver).prepare(3)
            return factor
        return stamp, matrix, False, analysed(matrix, o.moves[: o.alive], self._positions, self.order)

    def _put(self, factor: Prefactored) -> None:
        factor.alone = False
        self.now, self.before, self._job, self.age = factor, None, None, 0
        self.objective.inherited.clear()
        self._note()

    def _base(self) -> Prefactored:
        """The factor from before the cut: the existing one, else recomputed."""
        known = self.objective.inherited.pop(ConstantFactor, None)
        factor = known.now if known is not None else None
        factor = factor.base if isinstance(factor, Glued) else factor
        if isinstance(factor, Prefactored) and self.before.is_of(factor):
            return factor
        before = self.before
        given = (self.objective.device, before.matrix, before.moves)
        return Prefactored(*given, order=before.order, inverse=self.inverse)

    # --- as a memory

    @property
    def memory(self) -> Memory:
        return {"numbers": self._numbers, "values": self._values}

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """The memory of ``policy`` on the mesh after a cut; empty before the first factor."""
        nearest = whose_copies(nearest, np.append(self.objective.residuals.starts[:-1], self.objective.alive))
        self.leaves = self._leaves(nearest)
        if self.now is None and self.before is None:
            return self._packed(self._grown(nearest), None, 0)
        grown = self._grown(nearest)
        if isinstance(self.policy, Updated):
            return self._packed(grown, None, 0)
        before = self._before(nearest)
        again = self.before is not None and isinstance(self.policy, Background)  # the factor of the last cut was not ready
        if again and len(before.origin) > MOST_COPIES * len(before.moves):
            before = None
        return self._packed(grown, before, 0)

    def _grown(self, nearest: np.ndarray) -> Order | None:
        """The order of elimination with copies of nodes, None for one from scratch."""
        order = self.order
        if order is None and isinstance(self.now, Prefactored):
            order = self.now.elimination
        grown = None if order is None else order.grown(nearest)
        return None if grown is None or len(nearest) > MOST_GROWN * grown.dissected else grown

    def _leaves(self, nearest: np.ndarray) -> Left:
        """The last factor, for the nodes after another cut."""
        known = self.objective.inherited.get(ConstantFactor)
        base, origin = self.left or (known.leaves if known is not None else None) or (None, None)
        if isinstance(self.now, Glued):
            base, origin = self.now.base, self.now.origin
        elif isinstance(self.now, Prefactored):
            base, origin = self.now, np.arange(self.now.count)
        return None if base is None else (base, origin[nearest])

    def _before(self, nearest: np.ndarray) -> Before:
        """The factor in use, for the nodes after another cut."""
        if self.before is not None:
            return Before(self.before.matrix, self.before.moves, self.before.order, self.before.origin[nearest])
        base = self.now.base if isinstance(self.now, Glued) else self.now
        return Before(base.matrix, base.moves, base.elimination, nearest)

    @property
    def tears(self) -> bool:
        """Whether ``tear`` is possible."""
        ready = isinstance(self.now, Glued) or (self._padded is not None and self._padded.base is self.now)
        return isinstance(self.policy, Kept | Bordered) and ready and self.now.stamp == self.objective.stamp

    def tear(self, nearest: np.ndarray) -> None:
        """Continue after a tear with the existing factor, ``nearest`` (n,) being the origins of the nodes."""
        grown, before = self._grown(nearest), self._before(nearest)
        self.now = self.now if isinstance(self.now, Glued) else self._padded
        self.now.take(before.origin)
        if isinstance(self.policy, Bordered) and not self._bordered(self.now):
            self.left = self.now.base, before.origin
            before = self.now = None  # too many copies: a new factor
        self.order, self.before, self.age = grown, before, 0
        self._note()

    def recall(self, memory: Memory) -> None:
        """Restore another memory; for the same one, keep the existing factor."""
        numbers, values = (memory[name].numpy() for name in ("numbers", "values"))
        if np.array_equal(numbers, self._numbers.numpy()) and np.array_equal(values, self._values.numpy()):
            return
        self.order, self.before, self.age = unpacked(numbers, values)
        self.now = self._job = None
        self._note()

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        """Raise ValueError where arrays from a file cannot be a memory in a scene of ``count`` nodes."""
        if set(saved) != {"numbers", "values"} or saved["numbers"].ndim != 1 or saved["values"].ndim != 1:
            raise ValueError(f"found {sorted(saved)}; expected lists of numbers and values")
        if not np.isfinite(saved["values"]).all():
            raise ValueError("values are not finite")
        order, before, _ = unpacked(saved["numbers"], saved["values"])
        for name, given, nodes in (
            ("order", order, count),
            ("order before", before and before.order, before and len(before.moves)),
        ):
            if given is not None and not is_order(given, nodes):
                raise ValueError(f"the {name} of elimination is not a permutation of {nodes} nodes")
        if before is not None:
            size, origin = len(before.moves), before.origin
            if len(origin) != count or origin.min() < 0 or origin.max() >= size or before.matrix.shape != (size, size):
                raise ValueError(f"the origins of {len(origin)} nodes do not fit; expected {count}, each among {size}")

    def _note(self) -> None:
        """Store the memory."""
        made = self._packed(self.order, self.before, self.age)
        self._numbers, self._values = made["numbers"], made["values"]

    def _packed(self, order: Order | None, before: Before | None, age: int) -> Memory:
        """Concatenated lists of integers, each preceded by its length, and the values of a matrix."""
        lists, values = _lists(order), np.zeros(0)
        if before is not None:
            m = before.matrix
            lists += [*_lists(before.order), before.origin, m.indptr, m.indices, before.moves.ravel(), np.array([age])]
            values = m.data
        numbers = [n for each in lists for n in (np.array([len(each)]), each)]
        device = self.objective.device
        whole = np.concatenate([np.zeros(0, np.int64), *numbers]).astype(np.int64)
        return {"numbers": device.array(whole, wp.int64), "values": device.array(values, wp.float64)}


def whose_copies(nearest: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """(n,) the old node that each is a copy of, ``nearest`` being the nearest old ones, and ``starts`` the first of each
    old body: old nodes come first in a body, wherever a cut has moved them, unless most of them are elsewhere."""
    before = np.arange(starts[-1])
    body = np.searchsorted(starts, nearest, side="right") - 1
    now = before + np.repeat(np.searchsorted(body, np.arange(len(starts) - 1)) - starts[:-1], np.diff(starts))
    if now.max(initial=0) >= len(nearest) or np.mean(nearest[now] == before) < 0.5:
        return nearest
    made = nearest.copy()
    made[now] = before
    return made


def _lists(order: Order | None) -> list[np.ndarray]:
    if order is None:
        return []
    return [np.array([order.dissected]), order.permutation, order.start]


def unpacked(numbers: np.ndarray, values: np.ndarray) -> tuple[Order | None, Before | None, int]:
    """The unpacked memory; ValueError where it is invalid."""
    lists, at = [], 0
    while at < len(numbers):
        size = int(numbers[at])
        if not 0 <= size <= len(numbers) - at - 1:
            raise ValueError("numbers are not lists, each preceded by its length")
        lists.append(numbers[at + 1 : at + 1 + size])
        at += 1 + size
    if len(lists) not in (0, 3, 8, 11) or (len(values) > 0) != (len(lists) > 3):
        raise ValueError(f"numbers are {len(lists)} lists; expected 0, 3, 8 or 11")
    order = _order(lists[:3]) if len(lists) in (3, 11) else None
    if len(lists) < 8:
        return order, None, 0
    origin, starts, columns, moves, age = lists[-5:]
    size = len(starts) - 1
    if len(columns) != len(values) or len(moves) != 3 * size or len(age) != 1 or size < 1:
        raise ValueError("numbers are not the lists of a matrix")
    matrix = sparse.csr_matrix((values.copy(), columns.copy(), starts.copy()), shape=(size, size))
    return order, Before(matrix, moves.reshape(-1, 3) > 0, _order(lists[-8:-5]), origin), int(age[0])


def _order(lists: Sequence[np.ndarray]) -> Order:
    dissected, permutation, start = lists
    if len(dissected) != 1 or len(start) < 2:
        raise ValueError("an order of elimination is not made of lists of numbers")
    return Order(permutation, start, int(dissected[0]))


def is_order(order: Order, count: int) -> bool:
    """Whether each of ``count`` nodes is eliminated once."""
    start = order.start
    whole = len(order.permutation) == count and np.array_equal(np.sort(order.permutation), np.arange(count))
    return bool(whole and start[0] == 0 and start[-1] == count and (np.diff(start) > 0).all())


def checked(objective: Objective) -> sparse.csr_matrix:
    """The constant matrix; NotPositiveDefinite is raised where it does not hold a body."""
    matrix, n = objective.laplacian(cut=False), objective.alive
    matrix = matrix if n == objective.count else matrix[:n][:, :n]
    free = floating(objective, matrix)
    if free:
        raise NotPositiveDefinite(
            f"nothing in the constant matrix holds {free}, which has no pinned=…, no Hold and hardly any inertia; hold it, use "
            "Newton() if contact or grabs hold it, or an integrator with inertia and a smaller dt"
        )
    return matrix


def constant_factor(objective: Objective) -> ConstantFactor:
    """The constant factor of an objective."""
    if ConstantFactor not in objective.lasting:
        objective.lasting[ConstantFactor] = ConstantFactor(objective)
    return objective.lasting[ConstantFactor]


def prefactored(objective: Objective, inverse: bool | None = None) -> Prefactored:
    """The factor of the objective's constant matrix as it is; with its sparse ``inverse`` or without, None as it was."""
    factor = constant_factor(objective)
    factor.inverse = factor.inverse if inverse is None else inverse
    return factor.exact()
