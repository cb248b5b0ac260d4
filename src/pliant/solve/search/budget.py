"""Budget of a step: iterations or time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ...arguments import checks
from ...arguments.checks import is_positive
from ...errors import InputError

ITERATIONS = 100_000  # upper limit of one solve


@dataclass(frozen=True)
class Budget:
    """Iterations within ``seconds`` of wall time for each solve, between ``least`` and ``most``.

    The solver estimates the time of an iteration from earlier steps, and on the CPU reads the clock as well; the first
    step on a GPU takes ``least``. The report gives the residual reached.
    """

    seconds: float
    least: int = 1
    most: int = 200

    def __post_init__(self):
        if not is_positive(self.seconds):
            raise InputError(f"Budget(seconds={self.seconds!r}): expected a positive number of seconds, such as 0.008")
        for name in ("least", "most"):
            checks.whole(f"Budget({name}=…)", getattr(self, name))
        if self.least > self.most:
            raise InputError(f"Budget(least={self.least}, most={self.most}): expected least ≤ most")


class Pace:
    """The measured speed of a solver under a budget."""

    def __init__(self, budget: Budget):
        self.budget = budget
        self.each = 0.0  # seconds of an iteration, the whole solve divided by its iterations

    def begin(self, start: float, watched: bool) -> int:
        """Most iterations for a solve whose time counts from ``start``; ``watched`` if ``over`` is called as well."""
        self.start, budget = start, self.budget
        if watched:
            return budget.most
        if not self.each > 0:
            return budget.least
        left = budget.seconds - (time.perf_counter() - start)
        return max(budget.least, min(budget.most, int(left / self.each)))

    def over(self, turns: int) -> bool:
        """Whether another iteration would exceed the time, after so many."""
        return turns >= self.budget.least and time.perf_counter() + self.each > self.start + self.budget.seconds

    def end(self, turns: int) -> None:
        """Update the pace by a solve of so many iterations."""
        if turns > 0:
            self.each = (time.perf_counter() - self.start) / turns


def check_iterations(owner: str, iterations: object, tolerance: object, timed: bool = True) -> None:
    """A budget is a number of at least 1, a Budget where it may be ``timed``, or None; a tolerance is below 1, or None."""
    if iterations is not None and not (timed and isinstance(iterations, Budget)):
        checks.whole(f"{owner}(iterations=…)", iterations, high=ITERATIONS, more=", or a Budget of time" if timed else "")
    if tolerance is not None and (not is_positive(tolerance) or tolerance >= 1):
        raise InputError(f"{owner}(tolerance={tolerance!r}): expected a number between 0 and 1")
