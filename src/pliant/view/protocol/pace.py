"""Fixed steps against the clock: when the next is due, and how fast they are."""

from __future__ import annotations

import time

from ...solve.objective.report import Report
from .session import PATIENCE

BEHIND = 0.1  # [s] of the clock that a slow simulation may owe; the rest is forgiven
SPAN = 0.5  # [s] over which rates are taken


class Pace:
    """How much simulated time is owed, and single steps that were requested."""

    def __init__(self) -> None:
        self.owed = 0.0  # [s]
        self.single = 0
        self._last = time.perf_counter()

    def begin(self) -> None:
        """From here on the clock counts."""
        self._last = time.perf_counter()

    def due(self, running: bool, speed: float, dt: float) -> float:
        """Seconds until the next step is due; 0 where it is due now."""
        now = time.perf_counter()
        if running:
            self.owed = min(self.owed + (now - self._last) * speed, dt + BEHIND * speed)
        self._last = now
        if self.single or (running and self.owed >= dt):
            return 0.0
        return (dt - self.owed) / speed if running else PATIENCE

    def step(self, dt: float) -> None:
        """One step is taken."""
        self.owed = max(self.owed - dt, 0.0)
        self.single = max(self.single - 1, 0)

    def forgive(self) -> None:
        """Owe nothing, and take no single step."""
        self.owed = 0.0
        self.single = 0


class Meter:
    """Mean times of the stages of a step, steps per second, and simulated seconds per second."""

    def __init__(self, t: float):
        self.report: Report | None = None
        self.stages: dict[str, float] = {}  # [s]
        self.factor = 0.0
        self.steps_per_second = 0.0
        self.restart(t)

    def restart(self, t: float) -> None:
        """Restart the count at a simulated time [s]."""
        self._begin = time.perf_counter()
        self._t = t
        self._steps = 0

    def count(self, report: Report, t: float) -> None:
        """Take in a step that ended at ``t`` [s]."""
        seconds = dict(report.seconds)
        total = seconds.pop("total", 0.0)
        seconds["other"] = max(total - sum(seconds.values()), 0.0)
        self.report = report
        self.stages = {k: 0.9 * self.stages.get(k, v) + 0.1 * v for k, v in seconds.items()}
        self._steps += 1
        passed = time.perf_counter() - self._begin
        if passed > SPAN:
            self.factor = (t - self._t) / passed
            self.steps_per_second = self._steps / passed
            self.restart(t)
