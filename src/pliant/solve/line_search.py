"""How far to go along a direction: backtracking until the objective has fallen enough (Alg 1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import warp as wp

from ..checks import is_positive
from ..errors import InputError
from .objective import Objective
from .residual import Residual
from .turning import advance

NOISE = {"f64": 1e-9, "f32": 1e-4}  # share of the energies below which they cannot tell two points apart


@dataclass(frozen=True)
class Point:
    """A point that was accepted: the fraction of the direction gone, the objective there, the size of its terms, and the
    residual where that was found along with them: then the search has left the gradient as well."""

    alpha: float
    value: float
    magnitude: float
    residual: Residual | None = None


@dataclass(frozen=True)
class Seen:
    """What was found at the end of a step d that is as long as it may be: ∇g·d where it begins, ``slope``, and at its ``end``;
    ``arcs``: rigid bodies turned on it, where there are any."""

    slope: float
    point: Point
    end: float
    arcs: bool = True


Look = Callable[[wp.array[Any], wp.array[Any]], tuple[float, float, Residual]]


@dataclass(frozen=True)
class WholeStep:
    """No search: as far as the direction goes and elements allow. Newton(line_search=None) is the same."""

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
    ) -> Point | None:
        """Leave x + d in ``trial``; None where that has no finite energy."""
        if seen is not None:
            return seen.point if math.isfinite(seen.point.value) else None
        alpha = objective.step_limit(x, d)
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
    ) -> Point | None:
        """Leave the accepted point in ``trial``; None where there is none. ``slope`` is ∇g·d < 0 at x, ``here`` the value.

        ``look`` finds value, magnitude and residual at once and leaves the gradient; for the first trial, mostly the last.
        Where that has been ``seen``, ``trial`` and ``trial_g`` hold it.
        """
        noise = NOISE[objective.device.precision]
        alpha = objective.step_limit(x, d) if seen is None else seen.point.alpha
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
                # the energies no longer resolve so small a step: judge by the slope at its end, which does
                # (approximate Wolfe condition of Hager & Zhang 2005)
                if point.residual is None:
                    objective.gradient(trial, trial_g)
                end = objective.vectors.dot(trial_g, d) if seen is None else seen.end
                accepted = end <= (2 * self.slope - 1) * slope
            if accepted:
                return point
            if seen is None or seen.arcs or objective.turning is None:
                alpha *= self.shrink  # or else rigid bodies went straight, and may turn
            look = seen = None
        return None
