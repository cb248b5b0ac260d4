"""Report of a step."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...runtime.launch_graph import RECORDING

TOLERANCE = {"f64": 1e-7, "f32": 1e-4}  # default scaled residual of convergence
SHARE = 0.01  # of the motion of a step: allowed error on a budget
UNBALANCED = 0.1  # scaled residual above which no step on a budget is ok, even with tiny iterations
NEGLIGIBLE = 1e-5  # of the size of a scene: negligible error on a budget
RATES = (0.8, 0.97)  # convergence rates assumed of quasi-Newton: the best, and the worst


@dataclass(frozen=True)
class Report:
    """Outcome of a solve or step: ``kept`` where the state was advanced, ``ok`` where that is a solution, ``why`` in words.

    A solution has met the tolerance or, with a budget of iterations or time, is within 1 % of the motion of the step, or
    1e-5 of the size of the scene, with at most a tenth of the forces out of balance: ``error`` estimates the distance left.
    """

    kept: bool
    why: str
    iterations: int = 0
    residual: float = 0.0  # scaled: |sum of forces| / sum of |forces|, of the body where that is largest
    tolerance: float = 0.0
    linear_iterations: int = 0
    converged: bool = True
    seconds: dict[str, float] = field(default_factory=dict)  # wall time by stage
    evaluations: int = 0  # passes over the elements for energy and gradient, where a solver counts them
    worst: str = ""  # the body whose residual this is, where the scene has several
    contacts: int = 0  # pressing points and pairs at the end of the step
    worst_gap: float = math.inf  # [m] the least gap of these, negative where something is inside another
    friction_loss: float = 0.0  # [J] dissipated by friction in the step
    torn: int = 0  # nodes at which bodies tore after the step
    inverted: int = 0  # points of solids with det F ≤ 0, and corners of averaged cells
    error: float = math.inf  # [m] the largest distance of a node from the solution, estimated where not converged
    motion: float = 0.0  # [m] the largest motion of a node in the step
    allowed: float = 0.0  # [m] allowed error of a step on a budget
    rounded: bool = False  # whether rounding explains the residual, as of a body that flies without any force
    splits: int = 0  # sub-steps that it was made in, 0 for a step in one

    @property
    def ok(self) -> bool:
        """Whether the step was kept, and met its tolerance or left an error that is small."""
        balanced = self.rounded or self.residual <= UNBALANCED
        return self.kept and (self.converged or (self.error <= self.allowed and balanced))

    def changed(self, **values: Any) -> Report:
        """The same with other values of some fields; dataclasses.replace takes ten times as long, in every step."""
        other = object.__new__(Report)
        other.__dict__.update(self.__dict__, **values)
        return other

    def __str__(self) -> str:
        state = "ok" if self.ok else "kept" if self.kept else "FAILED"
        touching = f", {self.contacts} contacts, worst gap {self.worst_gap:.2g} m" if self.contacts else ""
        touching += f", {self.inverted} points inverted" if self.inverted else ""
        touching += f", torn at {self.torn} nodes" if self.torn else ""
        return (
            f"{state}: {self.why} ({self.iterations} iterations, {self.linear_iterations} linear, "
            f"residual {self.residual:.1e} of {self.tolerance:.1e}{f', worst {self.worst!r}' if self.worst else ''}{touching})"
        )


def linear_error(step: float, rate: float) -> float:
    """Estimate the error [m] after a step [m] of iterations that converge linearly: the sum of a geometric series."""
    rate = min(max(rate, RATES[0]), RATES[1])
    return step * rate / (1.0 - rate) if math.isfinite(step) else math.inf


def newton_error(step: float, fall: float) -> float:
    """Estimate the error [m] after a Newton step [m] that left the fraction ``fall`` of the forces: the next step.

    It overestimates the error of bodies that are much stiffer along one mode than along others.
    """
    return step * min(fall, 1.0) if math.isfinite(step) else math.inf


def allowed(motion: float, size: float) -> float:
    """The error [m] that a budget may leave of a step with that largest motion [m], in a scene of that size [m]."""
    return float(max(SHARE * motion, NEGLIGIBLE * size))


def judged(report: Report, motion: float, size: float) -> Report:
    """The report of a step with its largest motion [m], in a scene of that size [m]; marked where it is no solution."""
    report = report.changed(motion=float(motion), allowed=allowed(motion, size))
    if report.ok or not report.kept:
        return report
    left = f"about {report.error:.2g} m" if math.isfinite(report.error) else "unknown"
    return report.changed(why=f"not converged: the error is {left} for a motion of {motion:.2g} m; {report.why}")


def restored(values: dict[str, Any]) -> Report:
    """A report from the values of its fields; older files call ``kept`` "ok"."""
    return Report(**{"kept" if name == "ok" else name: value for name, value in values.items()})


def worst(reports: Sequence[Report]) -> Report:
    """The worst report of the scenes."""
    return max(reports, key=lambda r: (not r.kept, not r.ok, not r.converged, r.residual))


class Clock:
    """Seconds by part: ``with clock(part): …`` adds to them. On a GPU this is the time to launch, not to run; in a program
    that is being recorded, what is inside counts whenever that is run."""

    def __init__(self, *parts: str):
        self.seconds = dict.fromkeys(parts, 0.0)

    @contextlib.contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        if RECORDING.program is not None:
            with RECORDING.program.timed(part):
                yield
            return
        begin = time.perf_counter()
        yield
        self.seconds[part] += time.perf_counter() - begin
