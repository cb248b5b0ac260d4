"""Time integration as minimisation.

Every implicit scheme here asks for the z that minimises  c/(2h²) ‖z−y‖²_M + Σ E(z)  and then reads the new positions and
velocities off z. A scheme is its inertia factor c, its target y, the rate and anchor that give the velocity seen by
damping, v = rate (z − anchor), the time at which forces act, and the read-off. External forces are energies like all
others, so none appears in y.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ..errors import InputError
from ..solve.newton import Newton
from ..vectors import Vectors


class State:
    """Positions, velocities and accelerations now and one step ago, on the device."""

    FIELDS = ("x", "v", "a", "x_before", "v_before")

    def __init__(self, vectors: Vectors):
        for name in self.FIELDS:
            setattr(self, name, vectors.new())
        self.steps = 0

    x: wp.array
    v: wp.array
    a: wp.array
    x_before: wp.array
    v_before: wp.array


@dataclass(frozen=True, eq=False)
class Stage:
    """What one step minimises: c/h² and y in the inertia, rate and anchor in damping, the time of forces, the first guess."""

    inertia: float  # c/h² [1/s²]
    rate: float  # [1/s]
    time: float  # [s]


@dataclass(frozen=True)
class Implicit:
    """An implicit scheme with time step ``dt`` [s] and a solver."""

    dt: float = 1 / 60
    solver: Newton = field(default_factory=Newton)

    needs_acceleration = False
    order = 1

    def __post_init__(self):
        check_step(type(self).__name__, self.dt)
        if not hasattr(self.solver, "solve"):
            raise InputError(f"{type(self).__name__}(solver={self.solver!r}): expected a solver such as Newton()")

    def stage(self, state: State, vectors: Vectors, time: float, y: wp.array, anchor: wp.array) -> Stage:
        """Fill y and anchor from the state and say the rest."""
        raise NotImplementedError

    def read(self, state: State, vectors: Vectors, z: wp.array, x: wp.array, v: wp.array, a: wp.array) -> None:
        """Fill the new x, v (and a) from the solution z."""
        raise NotImplementedError

    def hold(self, now: np.ndarray, then: np.ndarray) -> np.ndarray:
        """Where held nodes are in z, given where they are now and at the end of the step."""
        return then


def check_step(name: str, dt: object) -> None:
    """A time step is a positive, finite number of seconds."""
    if isinstance(dt, bool) or not isinstance(dt, int | float | np.floating) or not 0 < dt < np.inf:
        raise InputError(f"{name}(dt={dt!r}): expected a positive number of seconds, such as 1/60")
