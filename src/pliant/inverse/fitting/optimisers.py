"""Optimisers of fits: Gauss–Newton, L-BFGS, Barzilai–Borwein, multi-start.

All of them work with shares, from 0 to 1, of the bounds of each parameter, and with costs in units of the first one. A run that
fails, or is not finite, is a rejected step: they backtrack towards the last good one.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from scipy.optimize import lsq_linear, minimize
from scipy.stats import qmc

from ...arguments import checks
from ...distributed import check as check_executor
from ...errors import InputError

FAILURES = 12  # successive failed runs before a search gives up
FEW = 3  # and without a lower cost where the step is within the noise
NEAR = 0.5  # standard deviations of the parameters: such a step is within the noise
FLAT = 1e-15  # of the first cost: least gain of an iteration
STILL = 1e-10  # of the bounds: least motion of an iteration


class Rejected(Exception):
    """A run failed at these values, with its reason."""


class Outcome(NamedTuple):
    """The end of a search, and its reason."""

    shares: np.ndarray
    cost: float
    converged: bool
    why: str


class Problem(Protocol):
    """The problem of a search; ``numbers`` is the number of residuals, ``said`` a remark on batched runs."""

    numbers: int
    said: str

    def slope(self, shares: np.ndarray) -> tuple[float, np.ndarray]:
        """The cost and its gradient; raises Rejected."""
        ...

    def normal(self, shares: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """The cost, its gradient Jᵀr and JᵀJ; raises Rejected."""
        ...

    def costs(self, places: Sequence[np.ndarray], executor: Executor | None = None) -> list[float]:
        """The cost at each point, NaN where a run fails; by the workers of an executor, if any."""
        ...

    def accept(self, shares: np.ndarray, cost: float) -> None:
        """An iteration has ended here."""
        ...


class Optimiser(Protocol):
    """A method of minimisation."""

    @property
    def iterations(self) -> int:
        """The largest number of iterations."""
        ...

    @property
    def then(self) -> Optimiser:
        """The optimiser to continue with from its result."""
        ...

    def search(self, problem: Problem, start: np.ndarray) -> Outcome:
        """Look for the smallest cost from some shares on."""
        ...


@dataclass(frozen=True)
class _Search:
    """At most so many ``iterations``, or until no share of the bounds changes the cost by more than ``tolerance``."""

    iterations: int = 50
    tolerance: float = 1e-7

    def __post_init__(self):
        checks.whole(f"{type(self).__name__}(iterations=…)", self.iterations)
        checks.positive(f"{type(self).__name__}(tolerance=…)", self.tolerance)

    @property
    def then(self) -> Optimiser:
        """The optimiser to continue with from its result: itself."""
        return self

    def _flat(self, shares: np.ndarray, slope: np.ndarray) -> bool:
        return float(np.abs(np.clip(shares - slope, 0.0, 1.0) - shares).max()) <= self.tolerance


@dataclass(frozen=True)
class LBFGS(_Search):
    """SciPy's bounded quasi-Newton method, one run and one adjoint at a time: for any number of parameters.

    It ends after ``iterations``, or where no share of the bounds changes the cost by more than ``tolerance`` of the first.
    """

    def search(self, problem: Problem, start: np.ndarray) -> Outcome:
        """Look for the smallest cost from some shares on."""
        good: list[tuple[np.ndarray, float]] = []
        failures = [0]

        def asked(shares: np.ndarray) -> tuple[float, np.ndarray]:
            try:
                cost, slope = problem.slope(shares)
            except Rejected:
                if not good or failures[0] >= FAILURES:
                    raise
                failures[0] += 1
                return _wall(shares, *good[-1])
            failures[0] = 0
            if not good or cost < good[-1][1]:
                good.append((shares.copy(), cost))
            return cost, slope

        def after(shares: np.ndarray) -> None:
            problem.accept(*next((g for g in reversed(good) if np.array_equal(g[0], shares)), good[-1]))

        options = {"maxiter": self.iterations, "ftol": FLAT, "gtol": self.tolerance, "maxcor": 20}
        bounds = [(0.0, 1.0)] * len(start)
        try:
            answer = minimize(asked, start, jac=True, method="L-BFGS-B", bounds=bounds, callback=after, options=options)
        except Rejected as error:
            if not good:
                raise
            return Outcome(*good[-1], False, str(error))
        shares, cost = good[-1]
        return Outcome(shares, cost, bool(answer.success), str(answer.message))


def _wall(shares: np.ndarray, best: np.ndarray, cost: float) -> tuple[float, np.ndarray]:
    """A cost and slope for a run that failed, so that the line search backtracks towards the best."""
    away = shares - best
    height = 10 * max(cost, 1e-3)
    return cost + height, 2 * height * away / max(float(away @ away), 1e-30)


@dataclass(frozen=True)
class GaussNewton(_Search):
    """Gauss and Newton's method for least squares with Levenberg and Marquardt's damping: few iterations, for few parameters.

    Derivatives of every residual are carried along with the run, one linear solve in each step for each parameter. The first
    ``damping`` is a share of the diagonal of JᵀJ. It ends after ``iterations``, or where no share of the bounds changes the
    cost by more than ``tolerance`` of the first.
    """

    iterations: int = 30
    damping: float = 1e-3

    def __post_init__(self):
        super().__post_init__()
        checks.positive("GaussNewton(damping=…)", self.damping)

    def search(self, problem: Problem, start: np.ndarray) -> Outcome:
        """Look for the smallest cost from some shares on."""
        shares, damping, reach, failures, refused = start.copy(), float(self.damping), 1.0, 0, ""
        cost, slope, normal = problem.normal(shares)
        done = 0
        while done < self.iterations:
            if self._flat(shares, slope):
                return Outcome(shares, cost, True, "the gradient vanishes")
            step = reach * _bounded_step(normal, slope, shares, damping)
            if float(np.abs(step).max()) <= STILL * reach:
                return Outcome(shares, cost, True, "the steps have become small")
            promised = -float(slope @ step + 0.5 * step @ normal @ step)
            moved = np.clip(shares + step, 0.0, 1.0)
            try:
                trial = problem.normal(moved)
            except Rejected as error:
                failures, reach, refused = failures + 1, reach / 4, str(error)
                if failures >= FAILURES:
                    return Outcome(shares, cost, False, str(error))
                continue
            gain = (cost - trial[0]) / max(promised, 1e-300)
            if trial[0] < cost:
                small = reach == 1.0 and damping <= 1 and cost - trial[0] <= 1e-9 * cost
                shares, failures, reach = moved, 0, min(4 * reach, 1.0)
                cost, slope, normal = trial
                problem.accept(shares, cost)
                done += 1
                damping = damping / 5 if gain > 0.75 else damping * 2 if gain < 0.25 else damping
                if small or cost <= FLAT:
                    return Outcome(shares, cost, True, "the cost falls no further")
            else:
                failures, damping = failures + 1, 10 * max(damping, 1e-5)
                if reach < 1 and failures >= FEW:  # where runs fail, a short step does not bound the cost beyond it
                    return Outcome(shares, cost, False, refused)
                # a step of δ standard deviations predicts a gain of δ² times the residual variance, 2·cost/n, over 2
                within = promised <= 0.5 * NEAR**2 * 2 * cost / max(problem.numbers, 1)
                if promised <= 1e-9 * cost or failures >= (FEW if within else FAILURES):
                    return Outcome(shares, cost, within or promised <= 1e-6 * cost, "no step lowers the cost")
        return Outcome(shares, cost, False, f"{self.iterations} iterations were made")


def _bounded_step(normal: np.ndarray, slope: np.ndarray, shares: np.ndarray, damping: float) -> np.ndarray:
    """The step that minimises the quadratic model with damping between the bounds."""
    diagonal = np.diag(normal)
    scale = np.sqrt(np.maximum(diagonal, 1e-12 * max(diagonal.max(), 1e-300)))
    matrix = normal / np.outer(scale, scale) + damping * np.eye(len(shares))
    values, vectors = np.linalg.eigh(matrix)
    root = np.sqrt(np.maximum(values, 1e-14))
    factor = root[:, None] * vectors.T  # matrix = factorᵀ factor
    right = -(vectors.T @ (slope / scale)) / root
    step = np.linalg.lstsq(factor, right, rcond=None)[0] / scale
    low, high = -shares, 1 - shares
    if np.all(step >= low) and np.all(step <= high):
        return step
    room = np.maximum(high - low, 1e-12)
    answer = lsq_linear(factor, right, bounds=(low * scale, (low + room) * scale), method="bvls")
    return np.clip(answer.x / scale, low, high)


@dataclass(frozen=True)
class BarzilaiBorwein(_Search):
    """Steepest descent whose step is the last change of shares over that of the slopes, by turns as Barzilai and Borwein's two.

    The first step changes the steepest parameter by ``first`` of its bounds. A step after which the cost is above that of the
    last ``memory`` iterations is halved.
    """

    first: float = 0.05
    memory: int = 5

    def __post_init__(self):
        super().__post_init__()
        checks.positive("BarzilaiBorwein(first=…)", self.first)
        checks.whole("BarzilaiBorwein(memory=…)", self.memory)

    def search(self, problem: Problem, start: np.ndarray) -> Outcome:
        """Look for the smallest cost from some shares on."""
        shares = start.copy()
        cost, slope = problem.slope(shares)
        best, lately = (shares, cost), [cost]
        length = self.first / max(float(np.abs(slope).max()), 1e-300)
        for done in range(self.iterations):
            if self._flat(shares, slope):
                return Outcome(*best, True, "the gradient vanishes")
            for _ in range(FAILURES):
                moved = np.clip(shares - length * slope, 0.0, 1.0)
                try:
                    trial = problem.slope(moved)
                except Rejected as error:
                    why, length = str(error), length / 4
                    continue
                if trial[0] <= max(lately):
                    break
                why, length = "no step lowers the cost", length / 2
            else:
                return Outcome(*best, False, why)
            s, y = moved - shares, trial[1] - slope
            shares, (cost, slope) = moved, trial
            lately = [*lately, cost][-self.memory :]
            if cost < best[1]:
                best = shares, cost
            problem.accept(shares, cost)
            if float(np.abs(s).max()) <= STILL or cost <= FLAT:
                return Outcome(*best, True, "the steps have become small")
            if s @ y > 0:
                length = float(s @ s / (s @ y)) if done % 2 == 0 else float(s @ y / (y @ y))
        return Outcome(*best, False, f"{self.iterations} iterations were made")


@dataclass(frozen=True)
class MultiStart:
    """Starts at ``starts`` points spread evenly over the bounds, the present values first, and continues from the ``keep`` best.

    Where the scene allows a Batch, the starts run side by side in one; else one after the other, and the fit says why.
    ``optimiser`` continues each of those, None for GaussNewton(); ``seed`` chooses the points. The workers of an
    ``executor``, as distributed.processes(4), share the starts; the searches after them run here.
    """

    optimiser: Optimiser | None = None
    starts: int = 8
    keep: int = 2
    seed: int = 0
    executor: Executor | None = field(default=None, repr=False, compare=False)

    def __post_init__(self):
        check_executor("MultiStart(executor=…)", self.executor)
        checks.whole("MultiStart(starts=…)", self.starts)
        checks.whole("MultiStart(keep=…)", self.keep, 1, self.starts)
        checks.whole("MultiStart(seed=…)", self.seed, 0)
        if self.optimiser is not None:
            check("MultiStart(optimiser=…)", self.optimiser)

    @property
    def iterations(self) -> int:
        """Those of all searches together."""
        return self.keep * self.then.iterations

    @property
    def then(self) -> Optimiser:
        """The optimiser for each of those."""
        return self.optimiser if self.optimiser is not None else GaussNewton()

    def search(self, problem: Problem, start: np.ndarray) -> Outcome:
        """Search the smallest cost from several points."""
        drawn = qmc.Sobol(len(start), seed=self.seed).random_base2((self.starts - 1).bit_length())
        others = list(drawn[: self.starts - 1])
        costs = [problem.slope(start)[0], *(problem.costs(others, self.executor) if others else ())]
        good = [pair for pair in zip(costs, [start, *others]) if np.isfinite(pair[0])]
        kept = [place for _, place in sorted(good, key=lambda pair: pair[0])[: self.keep]]
        outcome = min((self.then.search(problem, place) for place in kept), key=lambda outcome: outcome.cost)
        return outcome._replace(why=f"{outcome.why}; {problem.said}") if problem.said else outcome


def check(what: str, optimiser: object) -> None:
    """Refuse values that are not optimisers."""
    if isinstance(optimiser, type) or not hasattr(optimiser, "search"):
        raise InputError(f"{what} is {checks.kind(optimiser)}; expected LBFGS(), GaussNewton() or another optimiser")
