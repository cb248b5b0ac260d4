"""Stopping: convergence, rounding floors and stagnation."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ...arguments import checks
from ..objective.report import TOLERANCE
from ..objective.residual import Residual
from ..objective.step_objective import Objective
from .line_search import NOISE, Point

# of a step: shorter ones count as none. Energies of a rotated body do not resolve them, and a search that cuts steps down
# so far makes no progress
NEGLIGIBLE = 1e-6
# actual over predicted reduction of the energy along a step beyond rounding: by it landings on barriers in f32 at
# 50 m/s do not count as stalled iterations
REDUCTION = (0.05, 2.0)
CAUTIONS = 4  # in turn: tight linear solves, then a half, a quarter and an eighth of each step
LONG = 8  # iterations without decrease of residual or energy that indicate cycling

# scaled residuals at which rounding may end a solve: still called converged, and kept though not called so
FLOORS = {"f64": (1e-6, 1e-5), "f32": (1e-3, 2e-2)}

LEAST = {"f64": 1e-6, "f32": 1e-5}  # of the size of a scene: a step of the iteration that is small whatever the motion
FALL = 0.1  # largest residual fraction after a single step at which its tangent was accurate
SOLVED = 1e-3  # largest relative residual of a linear solve whose step estimates the distance to the solution


@dataclass(frozen=True)
class Distance:
    """Ends Newton's method when full steps are at most a ``share`` of the motion of the time step so far, or ``least``
    [m] (None: 1e-6 of the size of the scene, 1e-5 in f32); or where the residual is at its usual tolerance, if that comes first.

    The error is then about a step at most: forces must have fallen tenfold along the last one, or two in a row
    be so short, since a point that starts to slide or to separate has a short step before a long one.
    """

    share: float = 1e-4
    least: float | None = None

    def __post_init__(self):
        checks.number("Distance(share=…)", self.share, 1e-12, 0.5, "a share of the motion, such as 1e-4")
        if self.least is not None:
            checks.length("Distance(least=…)", self.least)


def residual_tolerance(given: float | Distance | None, precision: str) -> float:
    """The scaled residual at which a solve counts as converged."""
    return given if isinstance(given, int | float) else TOLERANCE[precision]


class Arrival:
    """Monitors full steps of one solve until they are as short as a ``Distance`` requires; ``near``: the last one was."""

    def __init__(self, rule: Distance, objective: Objective, x: wp.array):
        self.rule, self.objective, self.near = rule, objective, False
        vectors, room = objective.vectors, objective.state(_Way)
        self.way, self.start = room.way, room.start
        vectors.copy(x if objective.origin is None else objective.origin, self.start)
        usual = LEAST[objective.device.precision] * float(objective.extents.max())
        self.least = usual if rule.least is None else rule.least

    def looks(self, x: wp.array, d: wp.array, fall: float, blind: bool) -> bool:
        """Whether x is near enough, at the end of a full step d that left the fraction ``fall`` of the residual; ``blind``: that
        may be rounding, which does not fall."""
        vectors = self.objective.vectors
        vectors.apart(x, self.start, self.way)
        allowed = max(self.rule.share * vectors.longest(self.way), self.least)
        slow = fall / (1.0 - fall) if fall < 1.0 else math.inf  # of a geometric series at this rate
        rest = vectors.longest(d) * (1.0 if blind else max(1.0, slow))
        before, self.near = self.near, rest <= allowed
        return self.near and (before or fall <= FALL)

    def forget(self) -> None:
        """Count the next step as the first."""
        self.near = False


class _Way:
    """The start of a step, and its motion so far."""

    def __init__(self, objective: Objective):
        self.start, self.way = objective.vectors.positions(), objective.vectors.new()


@dataclass
class Patience:
    """Monitors the residuals of one solve; ``most`` steps without progress indicate rounding."""

    precision: str
    tolerance: float
    most: int = 3
    least: float = field(default=np.inf, init=False)
    stalled: int = field(default=0, init=False)
    since: int = field(default=0, init=False)  # the last progress, for any steps
    values: list[float] = field(default_factory=list, init=False)  # of the objective since then

    def spent(self, residual: Residual, moving: bool = False) -> bool:
        """Whether to stop and keep the current point; ``moving``: steps still make progress."""
        better = residual.value < 0.9 * self.least
        self.stalled = 0 if better or moving else self.stalled + 1
        self.since = 0 if better else self.since + 1
        self.least = min(self.least, residual.value)
        return self.stalled >= self.most and self.is_rounding(residual)

    def circles(self, value: float, blur: float) -> bool:
        """Whether iterations cycle: for LONG of them neither the residual nor the objective, of the present ``value``,
        has fallen by more than energies resolve."""
        self.values = [*self.values[-LONG:], value] if self.since else [value]
        return self.since >= LONG and len(self.values) > LONG and self.values[0] - value <= blur

    def renew(self) -> None:
        """Restart the counts, for another strategy."""
        self.stalled = self.since = 0
        self.values = []

    def is_rounding(self, residual: Residual) -> bool:
        """Whether the residual may be rounding, so that a step without progress is no failure."""
        return residual.unexplained <= FLOORS[self.precision][1]

    def is_small(self, residual: Residual) -> bool:
        """Whether the residual is acceptable, from any cause."""
        return residual.value <= FLOORS[self.precision][1]

    def converged(self, residual: Residual) -> bool:
        return residual.unexplained <= FLOORS[self.precision][0]

    def why(self, residual: Residual) -> str:
        left = f"scaled residual {residual.value:.1e}{residual.of}, tolerance {self.tolerance:.0e}"
        return f"as far as {self.precision} resolves: {left}"


class Stagnation:
    """When Newton's method ends for lack of progress, and with how much ``caution`` it continues otherwise.

    Errors of loose linear solves of stiff bodies are below their rounding, and a system between two states, as a node that
    sticks and slips in turn, needs tight solves, or half steps.
    """

    def __init__(self, patience: Patience, objective: Objective):
        self.patience, self.objective, self.caution = patience, objective, 0
        self.full = patience.most
        self.flat = 0  # iterations since the energy last fell as predicted

    def ends(self, residual: Residual, point: Point, falls: bool) -> bool:
        """Whether rounding lets the residual stagnate, so that neither full nor tiny steps improve it."""
        patience, blind = self.patience, residual.resolved <= self.patience.tolerance
        patience.most = 2 if blind else self.full
        lost = patience.spent(residual, moving=NEGLIGIBLE < point.alpha < 1.0 or falls)
        blur = NOISE[patience.precision] * point.magnitude + self.objective.resolution
        self.flat = 0 if falls else self.flat + 1
        if not ((patience.circles(point.value, blur) and self.flat >= self.full) or lost):
            return False
        if patience.is_rounding(residual) and (self.caution or blind or patience.is_small(residual)):
            return True
        self.caution = min(self.caution + 1, CAUTIONS)
        patience.renew()
        return False

    @staticmethod
    def is_honest(here: Point, there: Point, slope: float) -> bool:
        """Whether the energy fell along a step about as its slope predicts."""
        fall = (there.value - here.value) / (there.alpha * slope or 1.0)
        return REDUCTION[0] <= fall <= REDUCTION[1]
