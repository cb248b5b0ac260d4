"""Automatic contact response: barrier or springs, chosen by a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..arguments import checks
from .barrier.barrier_energy import Barrier
from .penalty.penalty_law import Penalty


@dataclass(frozen=True)
class Automatic(Penalty):
    """The default response of Contact(): Barrier() between two bodies or more where possible, else springs.

    It is possible in a Simulation with ``Newton()`` to convergence whose bodies begin apart from each other and obstacles;
    ``sim.response`` says which was chosen, and why springs. Those are Penalty() between bodies, and at points alone against
    obstacles; bodies without faces, such as threads, are left out. A scene of one connected body has no contact
    between bodies, and keeps its derivatives. ``barrier`` is the one that a simulation chose, None for springs.
    """

    barrier: Barrier | None = None

    meets_faces: ClassVar[bool] = False

    def __post_init__(self):
        super().__post_init__()
        if self.barrier is not None:
            checks.instance("Automatic(barrier=…)", self.barrier, Barrier, "contact.Barrier() or None")
