"""Quasi-Newton with one matrix for the whole run, sharpened by L-BFGS (Alg 3 and 4).

The Hessian is replaced by A = c/h² M + L, a scalar matrix for each coordinate alike, factored once. Each iteration costs
one pass over the elements and one solve with three right-hand sides; a line search keeps the objective from rising.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ..errors import InputError
from ..linear.prefactored import Prefactored
from .line_search import Armijo, Point
from .objective import Objective
from .report import Report


@dataclass(frozen=True)
class QuasiNewton:
    """L-BFGS over the last ``window`` steps, started from the prefactored matrix.

    ``iterations`` is a budget (10 unless told), kept whatever it reached: the report says how far. With a ``tolerance`` on
    the scaled residual and no budget it converges or fails, 500 iterations at most. ``window=0`` is the plain
    quasi-Newton method, the same as projective dynamics for laws that have projections.
    """

    iterations: int | None = None
    window: int = 5
    tolerance: float | None = None
    line_search: Armijo = field(default_factory=lambda: Armijo(least=1e-5))

    BUDGET = 10
    MOST = 500

    def __post_init__(self):
        for name, least in (("iterations", 1), ("window", 0)):
            value = getattr(self, name)
            if name == "iterations" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(f"QuasiNewton({name}={value!r}): expected a whole number of at least {least}")
        if self.tolerance is not None and not (isinstance(self.tolerance, int | float) and 0 < self.tolerance < 1):
            raise InputError(f"QuasiNewton(tolerance={self.tolerance!r}): expected a number between 0 and 1")

    def solve(self, objective: Objective, x: wp.array) -> Report:
        """Minimise ``objective`` from and into ``x``."""
        vectors = objective.vectors
        seconds = {"matrix": 0.0, "elements": 0.0, "linear": 0.0, "vectors": 0.0}
        clock = time.perf_counter
        begin = clock()
        matrix = prefactored(objective)
        seconds["matrix"] = clock() - begin
        history = History(objective, self.window)
        g, d, trial, trial_g = (objective.work(f"quasi-newton {name}") for name in ("g", "d", "trial", "trial g"))
        begin = clock()
        here = Point(0.0, *objective.value_and_gradient(x, g))
        seconds["elements"] += clock() - begin
        if not np.isfinite(here.value):
            return Report(
                False, "the energy is not finite at the start; try a smaller dt or an inversion-safe material"
            )
        why, k = "", 0
        budget = self.iterations or (self.BUDGET if self.tolerance is None else self.MOST)
        for k in range(1, budget + 1):
            if self.tolerance is not None and self._residual(objective, x) <= self.tolerance:
                k -= 1
                break
            slope = history.direction(g, d, matrix, objective, seconds)
            if not slope < 0:  # nothing left to descend along
                k -= 1
                break
            begin = clock()
            found = self.line_search.search(objective, x, d, slope, here, trial, trial_g, fused=True)
            seconds["elements"] += clock() - begin
            if found is None:
                k -= 1
                why = "the line search found no further decrease"
                break
            begin = clock()
            history.push(found.alpha, d, trial_g, g)
            vectors.copy(trial, x)
            vectors.copy(trial_g, g)
            here = found
            seconds["vectors"] += clock() - begin
        residual = self._residual(objective, x)
        goal = self.tolerance or 0.0
        converged = self.tolerance is None or residual <= self.tolerance
        ok = converged or self.iterations is not None
        if not ok:
            why = (
                f"no convergence in {k} iterations (scaled residual {residual:.1e}, tolerance {goal:.0e}); "
                "try a smaller dt or Newton()"
            )
        elif not why:
            why = f"{k} iterations used, scaled residual {residual:.1e}"
        return Report(ok, why, k, residual, goal, k, converged, seconds)

    @staticmethod
    def _residual(objective: Objective, x: wp.array) -> float:
        g = objective.work("quasi-newton residual")
        scale = objective.gradient_and_scale(x, g)
        return objective.vectors.norm(g) / scale if scale > 0 else 0.0


def prefactored(objective: Objective) -> Prefactored:
    """The factor of the objective's constant matrix, made anew only where the matrix has changed."""
    stamp = objective.stamp
    kept = getattr(objective, "prefactored", None)
    if kept is None:
        kept = objective.prefactored = Prefactored(objective.device, objective.laplacian(), objective.positions)
    elif objective.prefactored_stamp != stamp:
        kept.refactor(objective.laplacian())
    objective.prefactored_stamp = stamp
    return kept


class History:
    """The last few steps s and changes of gradient t, and the direction they suggest (Alg 4; ρ = t·s is not inverted)."""

    def __init__(self, objective: Objective, window: int):
        self.vectors, self.window = objective.vectors, window
        self.pairs: list[tuple[wp.array, wp.array, float]] = []
        self.free = [(objective.work(f"lbfgs s{i}"), objective.work(f"lbfgs t{i}")) for i in range(window)]

    def direction(self, g: wp.array, d: wp.array, matrix: Prefactored, objective: Objective, seconds: dict) -> float:
        """d = −B g with B the L-BFGS inverse started from the matrix; returns the slope g·d, negative for descent."""
        clock = time.perf_counter
        begin = clock()
        vectors, q = self.vectors, objective.work("lbfgs q")
        vectors.copy(g, q)
        weights = []
        for s, t, rho in reversed(self.pairs):
            zeta = vectors.dot(s, q) / rho
            vectors.move(q, -zeta, t, q)
            weights.append(zeta)
        seconds["vectors"] += clock() - begin
        begin = clock()
        matrix.solve(q, d)
        objective.mask(d)
        seconds["linear"] += clock() - begin
        begin = clock()
        for (s, t, rho), zeta in zip(self.pairs, reversed(weights)):
            eta = vectors.dot(t, d) / rho
            vectors.move(d, zeta - eta, s, d)
        vectors.mix(-1.0, d, 0.0, d, d)
        slope = vectors.dot(g, d)
        seconds["vectors"] += clock() - begin
        if not slope < 0 and self.pairs:  # a history that misleads is forgotten
            self.forget()
            return self.direction(g, d, matrix, objective, seconds)
        return slope

    def push(self, alpha: float, d: wp.array, new_g: wp.array, g: wp.array) -> None:
        """Remember the step αd and the change of gradient along it, unless their product is not safely positive."""
        if not self.window:
            return
        if not self.free:
            s, t, _ = self.pairs.pop(0)
            self.free.append((s, t))
        s, t = self.free.pop()
        self.vectors.mix(alpha, d, 0.0, d, s)
        self.vectors.mix(1.0, new_g, -1.0, g, t)
        rho = self.vectors.dot(s, t)
        if rho > 1e-12 * self.vectors.norm(s) * self.vectors.norm(t):
            self.pairs.append((s, t, rho))
        else:
            self.free.append((s, t))

    def forget(self) -> None:
        self.free += [(s, t) for s, t, _ in self.pairs]
        self.pairs = []
