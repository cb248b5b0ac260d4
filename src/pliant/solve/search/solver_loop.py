"""Solver loop: terminate or step, with state as a value."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import warp as wp

from ..objective.advice import advice
from ..objective.report import Clock, Report, newton_error
from ..objective.residual import Residual
from ..objective.step_objective import Objective
from .stopping import Patience, residual_tolerance


@dataclass(frozen=True)
class End:
    """Why an iteration ends, whether its last point is kept and counts as a solution, and then the ``error`` [m] that is left."""

    kept: bool
    why: str
    converged: bool = True
    error: float = 0.0


@dataclass(frozen=True)
class Iterate:
    """State of an iteration: the residual at x and at the last point, and the fraction of the last direction taken."""

    residual: Residual
    before: float = 1.0
    alpha: float = 0.0
    count: int = 0  # iterations
    spent: int = 0  # linear iterations
    end: End | None = None  # of a failed step


State = TypeVar("State", bound=Iterate)


class Loop(ABC, Generic[State]):
    """One solve from and into x: ``start``, then ``step`` until ``terminate`` names an end or the budget is used.

    ``settings`` is the solver, with its ``tolerance``, its budget of ``iterations`` or None, and ``MOST`` of them.
    """

    d: wp.array  # the last direction

    def __init__(self, settings: Any, objective: Objective, x: wp.array, *parts: str):
        self.settings, self.objective, self.x = settings, objective, x
        self.precision = objective.device.precision
        self.tolerance = residual_tolerance(settings.tolerance, self.precision)
        self.budget = settings.iterations or settings.MOST
        self.clock = Clock(*parts)
        self.patience = Patience(self.precision, self.tolerance, settings.PATIENCE)

    @abstractmethod
    def start(self) -> State:
        """The state before the first iteration."""

    @abstractmethod
    def terminate(self, state: State) -> End | None:
        """The end of the iteration at x, if reached."""

    @abstractmethod
    def step(self, state: State) -> State:
        """The state after an iteration, or the same with its end."""

    def error(self, state: State) -> float:
        """Estimate the distance left [m] to the solution, of steps that shrink as residuals do."""
        fall = state.residual.value / state.before if math.isfinite(state.before) and state.before > 0 else 1.0
        return newton_error(state.alpha * self.objective.vectors.longest(self.d), fall)

    def others(self) -> tuple[str, ...]:
        """Settings to try where this one fails."""
        return ()

    def run(self) -> Report:
        """Iterate to the end."""
        state = self.start()
        while (end := state.end or self.terminate(state) or self.exhausted(state)) is None:
            state = self.step(state)
        return self.report(state, end)

    def report(self, state: State, end: End) -> Report:
        known = (state.count, state.residual.value, self.tolerance, state.spent, end.converged and end.kept)
        error = end.error if end.converged else self.error(state)
        return Report(end.kept, end.why, *known, self.clock.seconds, worst=state.residual.body, error=error)

    def rounded(self, state: State) -> End:
        """The end at the limit of precision; whether it counts as converged depends on the residual."""
        return End(True, self.patience.why(state.residual), self.patience.converged(state.residual))

    def stuck(self, state: State) -> State:
        """The end of an iteration whose search found no decrease: rounding, or a failure."""
        if self.patience.is_rounding(state.residual):
            return replace(state, end=self.rounded(state))
        why = f"the line search found no decrease after {state.count} iterations at scaled residual "
        why += f"{state.residual.value:.1e}{state.residual.of}{self.failing(state)}"
        return replace(state, end=End(False, why))

    def exhausted(self, state: State) -> End | None:
        """The end of the budget."""
        if state.count < self.budget:
            return None
        if self.settings.iterations is not None:
            return End(True, f"budget of {self.budget} iterations used; {self.reached(state)}", converged=False)
        why = f"no convergence in {self.budget} iterations ({self.reached(state)}){self.failing(state)}"
        return End(self.patience.is_small(state.residual), why, converged=False)

    def reached(self, state: State) -> str:
        residual = state.residual
        return f"scaled residual {residual.value:.1e}{residual.of}, tolerance {self.tolerance:.0e}"

    def failing(self, state: State) -> str:
        """The advice after the sentence of an iteration that did not converge."""
        return f"; {advice(self.objective, *self.others())}"
