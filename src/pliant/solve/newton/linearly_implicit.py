"""Linearly implicit step: one linear system (Baraff & Witkin 1998)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...energy.capabilities import Lookahead
from ...errors import InputError
from ...linear.factor.direct import Direct
from ...linear.krylov.gmres import GMRES
from ...linear.krylov.pcg import PCG
from ...linear.matrix.operator import Lazy
from ..objective.advice import advice
from ..objective.capabilities import constraint_of
from ..objective.report import TOLERANCE, Clock, Report, newton_error
from ..objective.solution import Solution
from ..objective.step_objective import Objective
from .factor_memory import KeepsFactors
from .hessian_choice import Adaptive, NewtonSystem
from .iteration import SHORTENED, Work
from .linear_system import system_of
from .newton_solver import Newton


@dataclass(frozen=True)
class LinearlyImplicit(KeepsFactors):
    """One linear system a step, from the current state, solved to a relative residual of ``tolerance``; a full step.

    The cheapest step with a matrix: no line search, and the residual is measured once, at the end.
    Large steps of bodies that turn fast lose energy.
    """

    tolerance: float = 0.04
    linear: PCG | Direct | GMRES = field(default_factory=PCG)

    compares = False  # whether energies may set another start of the step

    def __post_init__(self):
        checks.positive("LinearlyImplicit(tolerance=…)", self.tolerance)
        if self.tolerance >= 1:
            raise InputError(f"LinearlyImplicit(tolerance={self.tolerance!r}): expected a number below 1")
        if not hasattr(self.linear, "solve") or not hasattr(self.linear, "assembled"):
            raise InputError(f"LinearlyImplicit(linear={self.linear!r}): expected PCG(), Direct() or GMRES()")

    @property
    def _system(self) -> NewtonSystem:
        """The directions are those of Newton's method."""
        return NewtonSystem(Adaptive(), self.linear)

    def check(self, objective: Objective) -> None:
        """Refuse terms that one linear system cannot solve."""
        Newton(iterations=1, linear=self.linear, line_search=None).check(objective)
        if constraint_of(objective) is not None:
            raise InputError("LinearlyImplicit() cannot solve contact.Complementarity(); expected Newton(iterations=1)")

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Step from x to the solution of the system there."""
        operator = Lazy(lambda: self._system.operator(objective, x), objective.assemblies)
        return Solution((self._step(objective, x),), operator)

    def _step(self, objective: Objective, x: wp.array) -> Report:
        vectors, clock, work = objective.vectors, Clock("gradient", "matrix", "linear"), objective.state(Work)
        g, d, short, start = work.g, work.d, work.short, work.trial_g
        with clock("gradient"):
            (_gradient if self.linear.assembled else Objective.gradient)(objective, x, g)
            on = objective.towards(x, start)  # approximately the solution, up to its sign
        turns = self._direction(objective, x, g, d, start if on else None, clock)
        slope, force = -vectors.dot(g, d), vectors.dot(g, g)
        if not np.isfinite(slope):
            why = "forces or the solution of the linear system are not finite; use Newton() to see which"
            return Report(False, why, 1, 1.0, self.tolerance, turns, False, clock.seconds)
        vectors.mix(-1.0, d, 0.0, d, d)
        if objective.stopped(x, d, short) and vectors.dot(g, short) <= SHORTENED * slope:
            vectors.copy(short, d)
        part = objective.step_limit(x, d)
        vectors.advance(x, part, d, x)
        residual = objective.residual(x, g)
        if not np.isfinite(residual.value):
            return Report(False, f"a force is not finite after the step; {advice(objective)}", 1, residual.value, converged=False)
        rate = np.sqrt(vectors.dot(g, g) / force) if force > 0 else 0.0
        goal = TOLERANCE[objective.device.precision]
        why = f"one linear system, to {self.tolerance:.0e}; scaled residual {residual.value:.1e}{residual.of}"
        known = (1, residual.value, goal, turns, residual.value <= goal, clock.seconds)
        return Report(True, why, *known, worst=residual.body, error=newton_error(part * vectors.longest(d), float(rate)))

    def _direction(self, objective: Objective, x, g, d, start: wp.array | None, clock: Clock) -> int:
        """Solve H d = g where the gradient was found; if H is not positive definite, with a part of its projection, as Newton's
        method does. Returns the linear iterations."""
        turns, tried = 0, False
        if self.linear.assembled:
            with clock("matrix"):
                matrix, tried = objective.assemble(x, project=False, ahead=True), True
                system = system_of(objective, x, matrix, insist=False, first=True, of_step=True, start=start)
            with clock("linear"):
                result = self.linear.solve(system, g, d, self.tolerance)
            turns = result.iterations
            if not result.negative:
                return turns
        return turns + self._system.solve(objective, x, g, d, self.tolerance, clock, tried=tried, start=start).spent


def _gradient(objective: Objective, x: wp.array, g: wp.array) -> None:
    """The gradient at x, from energies that keep intermediate results for the matrix there."""

    def work() -> None:
        objective.device.clear(g)
        for energy in objective.energies:
            (energy.gradient_ahead if isinstance(energy, Lookahead) else energy.gradient)(x, g)
        objective.mask(g)

    objective.replay(work, "gradient ahead", x, g)
