"""How far to go along a direction: backtracking until the objective has fallen enough (Alg 1)."""

from __future__ import annotations

from dataclasses import dataclass

import warp as wp

from ..errors import InputError, positive
from .objective import Objective

NOISE = {"f64": 1e-9, "f32": 1e-4}  # share of the energies below which they cannot tell two points apart


@dataclass(frozen=True)
class Point:
    """A point that was accepted: the fraction of the direction gone, the objective there and the size of its terms."""

    alpha: float
    value: float
    magnitude: float


@dataclass(frozen=True)
class Armijo:
    """Backtracking: accept x + αd once g falls by at least ``slope`` · α |∇g·d|; α shrinks by ``shrink`` down to ``least``."""

    shrink: float = 0.5
    slope: float = 0.03
    least: float = 1e-10

    def __post_init__(self):
        if not all(positive(v) for v in (self.shrink, self.slope, self.least)):
            raise InputError(f"{self}: expected three positive numbers")
        if not 0 < self.shrink < 1 or not 0 < self.slope < 0.5 or not 0 < self.least < 1:
            raise InputError(f"{self}: expected 0 < shrink < 1, 0 < slope < 0.5 and 0 < least < 1")

    def search(
        self,
        objective: Objective,
        x: wp.array,
        d: wp.array,
        slope: float,
        here: Point,
        trial: wp.array,
        trial_g: wp.array,
    ) -> Point | None:
        """Leave the accepted point in ``trial``; None where there is none. ``slope`` is ∇g·d < 0 at x, ``here`` the value."""
        noise = NOISE[objective.device.precision]
        alpha = objective.step_limit(x, d)
        while alpha >= self.least:
            objective.vectors.move(x, alpha, d, trial)
            value, magnitude = objective.value_and_scale(trial)
            accepted = value <= here.value + self.slope * alpha * slope
            if not accepted and value <= here.value + noise * max(here.magnitude, magnitude):
                # the energies no longer resolve so small a step: judge by the slope at its end, which does
                # (approximate Wolfe condition of Hager & Zhang 2005)
                objective.gradient(trial, trial_g)
                accepted = objective.vectors.dot(trial_g, d) <= (2 * self.slope - 1) * slope
            if accepted:
                return Point(alpha, value, magnitude)
            alpha *= self.shrink
        return None
