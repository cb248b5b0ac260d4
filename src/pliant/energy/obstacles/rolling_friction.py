"""Friction of rigid bodies on obstacles: that of the points which press where a step ends, at their velocity there.

A body that rolls by an angle in a step lifts the points that pressed as it began, and others come down. So a step is solved
with the normal forces that are known, and again with those that it ended with, until they are the same: each point sticks or
slides by the way z − ``origin`` of a step, its velocity times its time, beyond what its spring had before.
"""

from __future__ import annotations

import numpy as np
import warp as wp

from ..base import Step
from ..capabilities import Rolling
from .rolling_kernels import rolling_kernels

OTHER = 0.01  # of all normal forces that is elsewhere, for a step to be solved again


class Rolls(Rolling):
    """Part of ObstacleContact: ``acting`` is what friction remembers, as the step under way sees it."""

    rolling: wp.array | None = None  # 1 at points of rigid bodies; None where there are none

    def roll_at(self, points: np.ndarray) -> None:
        """These points (p,) belong to rigid bodies."""
        if points.any() and self.friction > 0:
            self.rolling = self.device.array(points, wp.int32)
            self.acting = tuple(wp.clone(array) for array in self.acting)
            self._rolled = [self.device.zeros(self.count, wp.float64) for _ in range(2)]
            self._rolls = rolling_kernels(self.device.precision)

    def take_up(self, step: Step) -> None:
        """Friction as a step finds it, where obstacles are as it begins."""
        if self.rolling is None:
            return
        for kept, acting in zip(self.memory.values(), self.acting):
            self.device.copy(kept, acting)
        if step.origin is not None:
            anchor, _, limit = self.acting
            self.carrier.carry(step.start, self.at)
            self.device.launch(self._rolls.seat, self.count, self.rolling, self.posed, self.at, limit, anchor)

    def lean(self, step: Step) -> None:
        """The same where they are as it ends."""
        if self.rolling is not None and step.origin is not None:
            self.carrier.carry(step.origin, self.arrived)
            given = (self.rolling, self.turn, self.at, self.arrived, self.acting[0])
            self.device.launch(self._rolls.lean, self.count, *given)

    def roll(self, x: wp.array) -> bool:
        if self.rolling is None:
            return False
        self.carrier.carry(x, self.at)
        given = (self.rolling, *self._shapes(), self.at, *self.acting[1:], *self._rolled)
        self.device.launch(self._rolls.press_where_it_ends, self.count, *given)
        change, size = self.device.reads(*self._rolled)
        return bool(change.sum() > OTHER * size.sum())
