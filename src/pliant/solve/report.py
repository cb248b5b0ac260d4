"""What a step says about itself."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..program import RECORDING

TOLERANCE = {"f64": 1e-7, "f32": 1e-4}  # scaled residual at which a solve counts as converged unless told


@dataclass(frozen=True)
class Report:
    """Outcome of a solve or step. ``ok`` is False where the state was not advanced; ``why`` is a sentence."""

    ok: bool
    why: str
    iterations: int = 0
    residual: float = 0.0  # scaled: |sum of forces| / sum of |forces|, of the body where that is largest
    tolerance: float = 0.0
    linear_iterations: int = 0
    converged: bool = True
    seconds: dict[str, float] = field(default_factory=dict)  # wall time by stage
    evaluations: int = 0  # passes over the elements for energy and gradient, where a solver counts them
    worst: str = ""  # the body whose residual this is, where the scene has several
    contacts: int = 0  # points and pairs that press where the step ends
    worst_gap: float = math.inf  # [m] the least gap of these, negative where something is inside another
    friction_loss: float = 0.0  # [J] what friction took in the step
    torn: int = 0  # nodes at which bodies tore after the step

    def __str__(self) -> str:
        state = "ok" if self.ok else "FAILED"
        touching = f", {self.contacts} contacts, worst gap {self.worst_gap:.2g} m" if self.contacts else ""
        touching += f", torn at {self.torn} nodes" if self.torn else ""
        return (
            f"{state}: {self.why} ({self.iterations} iterations, {self.linear_iterations} linear, "
            f"residual {self.residual:.1e} of {self.tolerance:.1e}{f', worst {self.worst!r}' if self.worst else ''}{touching})"
        )


def worst(reports: Sequence[Report]) -> Report:
    """The report of the scene that fared worst."""
    return max(reports, key=lambda r: (not r.ok, not r.converged, r.residual))


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
