"""When an iteration has come as far as it can: floors that rounding sets, and the patience to tell them from slow progress."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .line_search import NOISE, Point
from .objective import Objective
from .residual import Residual

# of a step: shorter ones count as none. Energies of a body that has turned do not resolve them, and a search that cuts steps down
# so far does not lead on
NEGLIGIBLE = 1e-6
# actual over predicted reduction of the energy along a step that is no matter of rounding: by it landings on barriers in f32 at
# 50 m/s are no longer taken for iterations that stall
REDUCTION = (0.25, 2.0)
CAUTIONS = 4  # in turn: linear systems solved well, then a half, a quarter and an eighth of each step
LONG = 8  # iterations in which neither residual nor energy has fallen show that an iteration goes round in circles

# scaled residuals at which rounding may end a solve: still called converged, and kept though not called so
FLOORS = {"f64": (1e-6, 1e-5), "f32": (1e-3, 2e-2)}


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

    def ends(self, residual: Residual, point: Point, falls: bool) -> bool:
        """Whether rounding lets the residual wander, so that full steps, or steps cut down to nothing, do not improve on it."""
        patience, blind = self.patience, residual.resolved <= self.patience.tolerance
        patience.most = 2 if blind else self.full
        lost = patience.spent(residual, moving=NEGLIGIBLE < point.alpha < 1.0 or falls)
        blur = NOISE[patience.precision] * point.magnitude + self.objective.resolution
        if not ((patience.circles(point.value, blur) and not falls) or lost):
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
