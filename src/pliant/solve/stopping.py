"""When an iteration has come as far as it can: floors that rounding sets, and the patience to tell them from slow progress."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .residual import Residual

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
