"""When an iteration ends: near enough to the solution, or as far as it can come, by the floors that rounding sets and the
patience to tell them from slow progress."""

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

# of a step: shorter ones count as none. Energies of a body that has turned do not resolve them, and a search that cuts steps down
# so far does not lead on
NEGLIGIBLE = 1e-6
# actual over predicted reduction of the energy along a step that is no matter of rounding: by it landings on barriers in f32 at
# 50 m/s are no longer taken for iterations that stall
REDUCTION = (0.05, 2.0)
CAUTIONS = 4  # in turn: linear systems solved well, then a half, a quarter and an eighth of each step
LONG = 8  # iterations in which neither residual nor energy has fallen show that an iteration goes round in circles

# scaled residuals at which rounding may end a solve: still called converged, and kept though not called so
FLOORS = {"f64": (1e-6, 1e-5), "f32": (1e-3, 2e-2)}

LEAST = {"f64": 1e-6, "f32": 1e-5}  # of the size of a scene: a step of the iteration that is small whatever the motion
FALL = 0.1  # of the residual that a single step leaves at most, which shows that the forces on its way were those of its tangent
SOLVED = 1e-3  # of the right-hand side that a linear solve leaves at most of a step that says how far the solution is


@dataclass(frozen=True)
class Distance:
    """Ends Newton's method where whole steps are no longer than a ``share`` of the motion of the time step so far, or ``least``
    [m] (None: 1e-6 of the size of the scene, 1e-5 in f32); or where the residual is at its usual tolerance, if that comes first.

    What is left to the solution is then about a step at most: forces must have fallen tenfold along the last one, or two in a row
    be so short, since a point that begins to slide or to part has a short step before a long one.
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
    """Watches whole steps of one solve until they are as short as a ``Distance`` asks; ``near``: the last one was."""

    def __init__(self, rule: Distance, objective: Objective, x: wp.array):
        self.rule, self.objective, self.near = rule, objective, False
        vectors, room = objective.vectors, objective.state(_Way)
        self.way, self.start = room.way, room.start
        vectors.copy(x if objective.origin is None else objective.origin, self.start)
        usual = LEAST[objective.device.precision] * float(objective.extents.max())
        self.least = usual if rule.least is None else rule.least

    def looks(self, x: wp.array, d: wp.array, fall: float, blind: bool) -> bool:
        """Whether x is near enough, at the end of a whole step d that left the share ``fall`` of the residual; ``blind``: that
        may be rounding, which does not fall."""
        vectors = self.objective.vectors
        vectors.apart(x, self.start, self.way)
        allowed = max(self.rule.share * vectors.longest(self.way), self.least)
        slow = fall / (1.0 - fall) if fall < 1.0 else math.inf  # of a series that goes on like this
        rest = vectors.longest(d) * (1.0 if blind else max(1.0, slow))
        before, self.near = self.near, rest <= allowed
        return self.near and (before or fall <= FALL)

    def forget(self) -> None:
        """Count the next step as the first."""
        self.near = False


class _Way:
    """Where a step began, and how far it has come."""

    def __init__(self, objective: Objective):
        self.start, self.way = objective.vectors.positions(), objective.vectors.new()


@dataclass
class Patience:
    """Watches the residuals of one solve; ``most`` steps without progress show rounding to be the limit."""

    precision: str
    tolerance: float
    most: int = 3
    least: float = field(default=np.inf, init=False)
    stalled: int = field(default=0, init=False)
    since: int = field(default=0, init=False)  # the last progress, however the steps were
    values: list[float] = field(default_factory=list, init=False)  # of the objective since then

    def spent(self, residual: Residual, moving: bool = False) -> bool:
        """Whether to give up on getting better and keep what there is; ``moving`` says that steps still lead somewhere."""
        better = residual.value < 0.9 * self.least
        self.stalled = 0 if better or moving else self.stalled + 1
        self.since = 0 if better else self.since + 1
        self.least = min(self.least, residual.value)
        return self.stalled >= self.most and self.is_rounding(residual)

    def circles(self, value: float, blur: float) -> bool:
        """Whether iterations lead nowhere: for LONG of them neither the residual nor the objective, of the present ``value``,
        has fallen, by more than what energies resolve."""
        self.values = [*self.values[-LONG:], value] if self.since else [value]
        return self.since >= LONG and len(self.values) > LONG and self.values[0] - value <= blur

    def renew(self) -> None:
        """Begin to count anew, where something else is tried."""
        self.stalled = self.since = 0
        self.values = []

    def is_rounding(self, residual: Residual) -> bool:
        """Whether what is left may be rounding, so that a step that leads nowhere is no failure."""
        return residual.unexplained <= FLOORS[self.precision][1]

    def is_small(self, residual: Residual) -> bool:
        """Whether the residual may stay as it is, whatever made it."""
        return residual.value <= FLOORS[self.precision][1]

    def converged(self, residual: Residual) -> bool:
        return residual.unexplained <= FLOORS[self.precision][0]

    def why(self, residual: Residual) -> str:
        left = f"scaled residual {residual.value:.1e}{residual.of}, tolerance {self.tolerance:.0e}"
        return f"as far as {self.precision} resolves: {left}"


class Stagnation:
    """When Newton's method ends for want of progress, and with how much ``caution`` it goes on where it need not.

    Loose linear solves of stiff bodies hide in their rounding, and a system between two states, such as a node that sticks and
    slips in turn, is left by solving it well, or going half the way.
    """

    def __init__(self, patience: Patience, objective: Objective):
        self.patience, self.objective, self.caution = patience, objective, 0
        self.full = patience.most
        self.flat = 0  # iterations since the energy last fell as slopes say

    def ends(self, residual: Residual, point: Point, falls: bool) -> bool:
        """Whether rounding lets the residual wander, so that full steps, or steps cut down to nothing, do not improve on it."""
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
