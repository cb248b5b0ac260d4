"""One descent loop for every method: direction, Armijo's backtracking (β = 0.5, γ = 0.03), x⁽¹⁾ = y (Alg 1 to 4)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np

from .frame import Frame
from .incomplete import Jacobi, conjugate_gradients, dot
from .initial import Initial, Solve

SHRINK, SLOPE, LEAST = 0.5, 0.03, 1e-5


@dataclass(frozen=True)
class Curve:
    """Relative errors (Eq 7.15) after 0, 1, 2 … iterations and the seconds gone by, set-up of the frame included.

    ``once`` is the time of what is set up for a whole run, which ``seconds`` leave out.
    """

    errors: list[float]
    seconds: list[float]
    once: float
    evaluations: int
    x: np.ndarray = field(repr=False)

    def at(self, iteration: int) -> float:
        """The error after so many iterations, or the last one where the method stopped before."""
        return self.errors[min(iteration, len(self.errors) - 1)]

    def until(self, error: float) -> float:
        """Seconds to an error, infinite where it was not reached."""
        return next((s for e, s in zip(self.errors, self.seconds) if e <= error), np.inf)


class LBFGS:
    """Quasi-Newton with the last ``window`` steps (Alg 4); ρ = t·s is not inverted.

    ``restart``: a step shorter than this share of its direction drops the history, which has misled (not in the thesis).
    """

    def __init__(self, initial: Initial, window: int = 5, restart: float = 0.0):
        self.initial, self.window, self.restart, self.once = initial, window, restart, initial.once

    def prepare(self, frame: Frame, x: np.ndarray) -> None:
        self.initial.prepare(frame, x)
        self.frame, self.pairs = frame, []

    def direction(self, x: np.ndarray, g: np.ndarray) -> np.ndarray:
        q, weights = g.copy(), []
        for s, t, rho in reversed(self.pairs):
            weights.append(dot(s, q) / rho)
            q -= weights[-1] * t
        r = self.frame.free * self.initial.apply(q)
        for (s, t, rho), zeta in zip(self.pairs, reversed(weights)):
            r += s * (zeta - dot(t, r) / rho)
        return -r

    def learn(self, s: np.ndarray, t: np.ndarray, alpha: float) -> None:
        """Remember a step αd and the change of gradient along it."""
        if alpha < self.restart:
            self.pairs = []
            return
        rho = dot(s, t)
        if not rho > 1e-12 * np.sqrt(dot(s, s) * dot(t, t)):
            return
        self.initial.learn(s, t)
        self.pairs = [*self.pairs, (s, t, rho)][-self.window :] if self.window else []

    def forget(self) -> bool:
        """Drop the history; False where there is none."""
        had, self.pairs = bool(self.pairs), []
        return had


class Newton:
    """Newton with the projected Hessian, solved by our Cholesky (iterations None) or by so many conjugate gradients.

    ``exact`` is the method of Gast et al. (2015): the Hessian as it is, conjugate gradients to a forcing tolerance, ended
    by negative curvature.
    """

    once = True

    def __init__(self, iterations: int | None = None, exact: bool = False):
        self.iterations, self.exact = iterations, exact

    def prepare(self, frame: Frame, x: np.ndarray) -> None:
        self.frame, self.first = frame, None
        if self.iterations is None:
            self.solve = Solve(frame, frame.hessian(x).tocsr())  # finds the order, once

    def direction(self, x: np.ndarray, g: np.ndarray) -> np.ndarray:
        matrix = self.frame.hessian(x, project=not self.exact)
        if self.iterations is None:
            self.solve.refactor(matrix.tocsr())
            return -self.solve(g)
        size = float(np.sqrt(dot(g, g)))
        self.first = self.first or size
        forcing = min(0.5, np.sqrt(size / self.first)) if self.exact else 0.0
        d = conjugate_gradients(matrix, g.reshape(-1), Jacobi(matrix), self.iterations, forcing)
        return -d.reshape(g.shape)

    def learn(self, s: np.ndarray, t: np.ndarray, alpha: float) -> None:
        pass

    def forget(self) -> bool:
        return False


def descend(frame: Frame, method: LBFGS | Newton, best: float, iterations: int, least: float = 1e-12) -> Curve:
    """Minimise from ``frame.start``; ``best`` is g(x*). Ends early at the relative error ``least``."""
    x, clock, counted = frame.start.copy(), time.perf_counter, frame.evaluations
    begin = clock()
    method.prepare(frame, x)
    once, begin = clock() - begin, clock()
    if not method.once:
        method.prepare(frame, x)  # again, as at the start of every frame but the first
    value, g = frame.value_and_gradient(x)
    worst = value - best
    errors, seconds = [1.0], [clock() - begin]
    while len(errors) <= iterations and errors[-1] > least:
        d = method.direction(x, g)
        slope = dot(g, d)
        if not slope < 0:
            if method.forget():
                continue
            break
        alpha = 1.0
        trial = x + d
        there, new = frame.value_and_gradient(trial)
        while not there <= value + SLOPE * alpha * slope and alpha > LEAST:
            alpha *= SHRINK
            trial = x + alpha * d
            there, new = frame.value_and_gradient(trial)
        if not there < value:
            break  # rounding leaves nothing to gain
        method.learn(trial - x, new - g, alpha)
        x, value, g = trial, there, new
        errors.append(max((value - best) / worst, 1e-16))
        seconds.append(clock() - begin)
    return Curve(errors, seconds, once, frame.evaluations - counted, x)


def quickest(runs: list[Curve]) -> Curve:
    """One curve of several runs of the same descent: each iteration in its least time. What they find is the same."""
    steps = np.min([np.diff(r.seconds, prepend=0.0) for r in runs], axis=0)
    return replace(runs[0], seconds=np.cumsum(steps).tolist(), once=min(r.once for r in runs))
