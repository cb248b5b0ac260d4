"""What a published problem is: its source, the numbers found there, and a function that finds ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pliant as pl

LIMITS = {"solid": 0.01, "shell": 0.02, "contact": 0.03, "dynamics": 0.01}  # of each kind, as a part of the number


@dataclass(frozen=True)
class Quantity:
    """A number of the literature and its unit; "" where the source has none."""

    name: str
    reference: float
    unit: str = ""


@dataclass(frozen=True)
class Solved:
    """Our numbers in the order of the quantities, and what a picture is drawn of."""

    values: Sequence[float]
    drawn: object  # a Simulation, a Run or Modes


@dataclass(frozen=True)
class Problem:
    """A problem of the literature. ``settings`` says the mesh and all that differs from the defaults; ``note`` why it misses."""

    name: str
    kind: str  # one of LIMITS
    source: str
    quantities: tuple[Quantity, ...]
    settings: str
    solve: Callable[[], Solved]
    note: str = ""
    slow: bool = True  # more than three seconds
    view: tuple[float, float] = (-60, 25)  # (azimuth, elevation) of the picture [degrees]

    @property
    def limit(self) -> float:
        return LIMITS[self.kind]

    def errors(self, values: Sequence[float]) -> list[float]:
        """Of each number, as a part of the published one."""
        return [float(value / q.reference - 1) for value, q in zip(values, self.quantities, strict=True)]


def still(bodies: pl.Body | Sequence[pl.Body], steps: int = 1, linear: object = None, **scene) -> pl.Simulation:
    """Bodies brought to rest by Newton's method with sparse factors, their loads in equal steps from 0 to those at 1 s."""
    bodies = [bodies] if isinstance(bodies, pl.Body) else list(bodies)
    given = {"gravity": (0, 0, 0)} | scene
    solver = pl.Newton(linear=pl.linear.Direct() if linear is None else linear)
    sim = pl.Simulation(pl.Scene(bodies, **given), pl.QuasiStatic(dt=1 / steps, solver=solver))
    for _ in range(steps):
        report = sim.step()
        if not report.ok:
            raise pl.errors.StepError(report.why)
    return sim
