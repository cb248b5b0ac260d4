"""Fused Newton iteration on the CPU, in one call.

Small scenes spend more time between launches than in them. Exceptional cases, such as negative curvature
or a step that is too long, are left to the solver, which sees how far this came.
"""

from __future__ import annotations

import itertools

import warp as wp

from ...linear.krylov.pcg import PCG
from ...linear.matrix.system import System
from ..objective.capabilities import has_barrier
from ..objective.report import Clock
from ..objective.step_objective import Objective
from ..search.line_search import Point, Seen
from .linear_system import linearised, system_of

# of the slope of a step, left after single points stop before its end, as sliding ones that come to rest: with less
# the whole step is taken. Blocks that stick and slip took fewer iterations at 0.1 than without stops
SHORTENED = 0.1


class Work:
    """The vectors of Newton's method, kept from solve to solve: gradient, direction, the same where it stops short, and the end
    of a trial with its gradient."""

    def __init__(self, objective: Objective):
        self.g, self.d, self.short, self.trial_g = (objective.vectors.new() for _ in range(4))
        self.trial = objective.vectors.positions()


class Iteration:
    """The launches of an iteration from x with the gradient in ``work``: ``work.d`` becomes the step, ``work.trial`` its end."""

    _numbers = itertools.count()

    def __init__(self, objective: Objective, linear: PCG):
        device, self.number = objective.device, next(self._numbers)
        self.objective, self.device, self.linear = objective, device, linear
        self.work = objective.state(Work)
        self.slopes, self.limits = device.zeros(3, wp.float64), device.zeros((1, 2), wp.float64)
        self.sums, self.sizes = device.zeros((1, 2), wp.float64), objective.new_sizes()
        self.good = device.zeros(1, wp.int32)
        self._read = [device.reader(array) for array in (self.slopes, self.limits, self.sums, self.sizes)]
        self._system: System | None = None
        self.system: System | None = None  # for reuse in the next iteration
        self.clock = Clock("matrix", "linear", "line search")
        self.turns, self.left = 0, 0.0  # linear iterations, and the relative residual of the last solve
        self.barrier = has_barrier(objective)
        self.turning = None if self.barrier else objective.turning  # with a barrier a search checks whether it may

    def run(self, x: wp.array, forcing: float, first: bool, again: bool, ahead: tuple[bool, bool]) -> Seen | None:
        """Values at the end of the step; None where the matrix is not positive definite.

        ``first``: no other iteration of the same solve went before; ``again``: the matrix of the one before is tried first.
        ``ahead``: whether gradients are those ahead of a matrix, at x and at the end of the step.
        """
        self.turns = 0
        seen = self._run(x, forcing, first, not again, ahead)
        if seen is None and again:
            seen, again = self._run(x, forcing, first, True, ahead), False
        self.system = None if again else self._system
        return seen

    def _run(self, x: wp.array, forcing: float, first: bool, fresh: bool, ahead: tuple[bool, bool]) -> Seen | None:
        objective, linear, matrix = self.objective, self.linear, self.objective.matrix()
        told = {"insist": False, "first": first, "of_step": True}
        if self._system is None or self._system.matrix is not matrix or self._system.x is not x:
            self._system = system_of(objective, x, matrix, **told)
        linear.aim(self._system, forcing)

        def work() -> None:
            with self.clock("matrix"):
                made = linearised(objective, x, ahead=ahead[0], **told) if fresh else None
                system = made or system_of(objective, x, matrix, **told)
            self._launch(system, ahead[1], x)

        stops = len(objective.stops)  # the launches are those of so many
        name = f"newton {self.number} {first} {fresh} {ahead} {stops}"
        objective.replay(work, name, x, matrix.values, clock=self.clock)
        objective.assemblies += fresh
        result = linear.reached(self._system)
        self.turns, self.left = self.turns + result.iterations, result.residual
        if result.negative:
            return None
        slopes, limits, sums, sizes = (read() for read in self._read)
        slope, shorter, end = slopes.tolist()
        if stops and shorter <= SHORTENED * slope:
            slope = shorter
        point = Point(float(limits[0, 0]), *sums[0].tolist(), objective.residuals.read(sizes[0]))
        return Seen(slope, point, end, arcs=not self.barrier)

    def _launch(self, system: System, ahead: bool, x: wp.array) -> None:
        with self.clock("linear"):
            self.linear.launch(system, self.work.g, self.work.d)
        kernels = self.objective.kernels
        self.device.launch(kernels.positive, 1, system.work[PCG].scalars, self.good)
        self.device.loop(self.good, lambda: self._look(ahead, x))

    def _look(self, ahead: bool, x: wp.array) -> None:
        """Negate d, shorten it if needed, and evaluate at its end."""
        objective, vectors, kernels = self.objective, self.objective.vectors, self.objective.kernels
        launch, n, work = self.device.launch, self.objective.count, self.work
        g, d, short, trial, trial_g = work.g, work.d, work.short, work.trial, work.trial_g
        self.device.clear(self.good)
        with self.clock("line search"):
            vectors.mix(-1.0, d, 0.0, d, d)
            launch(kernels.note, 1, 0, vectors.dots(g, d), self.slopes)
            if objective.stops:
                objective.stop(x, d, short)
                launch(kernels.note, 1, 1, vectors.dots(g, short), self.slopes)
                launch(kernels.shorten, n, SHORTENED, self.slopes, short, d)
            objective.safe(x, d, self.limits)
            launch(kernels.go, n, self.limits, x, d, trial)
            if self.turning is not None:
                self.turning.launch(x, d, trial, limits=self.limits)
            objective.sizes(trial, trial_g, self.sizes, values=self.sums, ahead=ahead)
            launch(kernels.note, 1, 2, vectors.dots(trial_g, d), self.slopes)
