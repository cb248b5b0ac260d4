"""Line search by backtracking (Alg 1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import warp as wp

from ...arguments.checks import is_positive
from ...errors import InputError
from ..objective.residual import Residual
from ..objective.rigid_arc import advance
from ..objective.step_objective import Objective

# least Armijo constant, once iterations cycled: from one side of a kink to the other, as of a point that
# sticks and slips in turn, the energy does not fall by so much of the slope
STRICT = 0.25
# how a step off a saddle grows, at most by 4⁸: a projected Hessian is far too stiff along the directions in which a body buckles,
# and steps that are not longer creep
EXPANSION, EXPANSIONS = 4.0, 8
NOISE = {"f64": 1e-9, "f32": 1e-4}  # of the energies: differences below it are rounding


@dataclass(frozen=True)
class Point:
    """An accepted point: the fraction of the direction gone, the objective there, the size of its terms, and the
    residual where it was computed with them: then the gradient is there as well."""

    alpha: float
    value: float
    magnitude: float
    residual: Residual | None = None


@dataclass(frozen=True)
class Seen:
    """Values at the end of the longest allowed step d: ∇g·d at its start, ``slope``, and at its ``end``;
    ``arcs``: rigid bodies turned on it, where there are any."""

    slope: float
    point: Point
    end: float
    arcs: bool = True


Look = Callable[[wp.array[Any], wp.array[Any]], tuple[float, float, Residual]]


@dataclass(frozen=True)
class WholeStep:
    """No search: the full step, as far as elements allow. Newton(line_search=None) is the same."""

    def search(
        self,
        objective: Objective,
        x: wp.array[Any],
        d: wp.array[Any],
        slope: float,
        here: Point,
        trial: wp.array[Any],
        trial_g: wp.array[Any],
        look: Look | None = None,
        seen: Seen | None = None,
        free: bool = False,
    ) -> Point | None:
        """Leave x + d in ``trial``; None where that has no finite energy. ``free``: no wall is in the way."""
        if seen is not None:
            return seen.point if math.isfinite(seen.point.value) else None
        alpha = objective.step_limit(x, d, walls=not free)
        advance(objective, x, alpha, d, trial)
        point = Point(alpha, *(look(trial, trial_g) if look else objective.value_and_magnitude(trial)))
        return point if math.isfinite(point.value) else None


@dataclass(frozen=True)
class Armijo:
    """Backtracking: accept x + αd once g falls by at least ``slope`` · α |∇g·d|; α shrinks by ``shrink`` down to ``least``."""

    shrink: float = 0.5
    slope: float = 0.03
    least: float = 1e-10

    def __post_init__(self):
        if not all(is_positive(v) for v in (self.shrink, self.slope, self.least)):
            raise InputError(f"{self}: expected three positive numbers")
        if not 0 < self.shrink < 1 or not 0 < self.slope < 0.5 or not 0 < self.least < 1:
            raise InputError(f"{self}: expected 0 < shrink < 1, 0 < slope < 0.5 and 0 < least < 1")

    def search(
        self,
        objective: Objective,
        x: wp.array[Any],
        d: wp.array[Any],
        slope: float,
        here: Point,
        trial: wp.array[Any],
        trial_g: wp.array[Any],
        look: Look | None = None,
        seen: Seen | None = None,
        free: bool = False,
        smooth: Look | None = None,
    ) -> Point | None:
        """Leave the accepted point in ``trial``; None where there is none. ``slope`` is ∇g·d < 0 at x, ``here`` the value.

        ``look`` computes value, magnitude and residual at once and the gradient; for the first trial, mostly the last.
        Where that has been ``seen``, ``trial`` and ``trial_g`` hold it. ``free``: no wall is in the way. ``smooth`` moves each
        trial on before it looks.
        """
        noise = NOISE[objective.device.precision]
        look, seen = (smooth, None) if smooth else (look, seen)
        alpha = objective.step_limit(x, d, walls=not free) if seen is None else seen.point.alpha
        while alpha >= self.least:
            if seen is None:
                advance(objective, x, alpha, d, trial)
                found = look(trial, trial_g) if look else objective.value_and_magnitude(trial)
                point = Point(alpha, *found)
            else:
                point = seen.point
            finite = math.isfinite(point.value)
            accepted = finite and point.value <= here.value + self.slope * alpha * slope
            size = noise * max(here.magnitude, point.magnitude) + objective.resolution
            if finite and not accepted and point.value <= here.value + size:
                # the energies do not resolve so small a step: use the slope at its end, which does
                # (approximate Wolfe condition of Hager & Zhang 2005)
                if point.residual is None:
                    objective.gradient(trial, trial_g)
                end = objective.vectors.dot(trial_g, d) if seen is None else seen.end
                accepted = end <= (2 * self.slope - 1) * slope
            if accepted:
                return point
            if seen is None or seen.arcs or objective.turning is None:
                alpha *= self.shrink  # or else rigid bodies moved straight, and may rotate
            look, seen = smooth, None
        return None


class Expansion:
    """The expansion phase of a search: longer steps while the slope stays as steep, where the Hessian is indefinite."""

    def __init__(self, objective: Objective):
        self.objective = objective
        self.far, self.far_g = objective.vectors.positions(), objective.vectors.new()

    def search(self, x: wp.array, d: wp.array, slope: float, here: Point, trial: wp.array, trial_g: wp.array) -> Point:
        """Continue along d from ``here``; ``trial`` is x + d or where sweeps led, and ``trial_g`` its gradient."""
        objective, vectors = self.objective, self.objective.vectors
        for _ in range(EXPANSIONS):
            if vectors.dot(trial_g, d) > 0.5 * slope:
                break
            vectors.mix(EXPANSION, d, 0.0, d, d)
            slope *= EXPANSION
            if objective.step_limit(x, d) < 1.0:
                break
            vectors.advance(x, 1.0, d, self.far)
            beyond = Point(1.0, *objective.value_and_residual(self.far, self.far_g))
            if not beyond.value < here.value:
                break
            vectors.copy(self.far, trial)
            vectors.copy(self.far_g, trial_g)
            here = beyond
        return here


def safeguarded(rule: Armijo | WholeStep | None, caution: int) -> Armijo | WholeStep:
    """The line search of an iteration: stricter than given where iterations cycled."""
    rule = rule or WholeStep()
    return replace(rule, slope=max(rule.slope, STRICT)) if caution and isinstance(rule, Armijo) else rule
