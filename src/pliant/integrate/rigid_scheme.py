"""Rigid bodies in a time scheme, on the rotation group.

A body without forces flies: its momenta stay, and it turns as Euler's equations have it. In its place y inertia is measured from,
and what forces add to its momenta is k Σ m (z − y) and k Σ m (z − c) × (z − y), the impulse and its torque about the centre. So
a scheme's rows over v and a are taken over momenta and forces of a body, which are vectors in space, and one over positions
becomes a flight: x + Σ c v is where the body is after the time Σ c with the momentum Σ c P / Σ c. Of x₋ a row knows h/2 (v + v₋)
less than x. All this is the scheme itself for what only translates (but for BDF2's x₋, of which this is the trapezoidal rule).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from ..errors import InputError
from ..runtime.device import Device
from ..runtime.kernel_structs import Structs, filled
from ..solve.objective.step_objective import Objective
from .rigid_adjoint_kernels import rigid_back_kernels
from .rigid_kernels import four, mat46, rigid_kernels, rigid_structs
from .state import State
from .tableau import STATE, Tableau


class RigidBodies:
    """The bodies of four nodes, ``first`` of each, that fly; ``free`` is 1 where a component may move."""

    def __init__(self, device: Device, first: np.ndarray, free: wp.array, mass: wp.array, rest: wp.array):
        self.device, self.count = device, len(first)
        self.kernels = rigid_kernels(device.precision)
        self._kinds, self._structs = rigid_structs(device.precision), Structs()
        self._bodies = filled(self._kinds[0], device.array(first, wp.int32), free, mass, rest)
        self._known: dict[tuple[Tableau, float], wp.array] = {}

    def aim(self, rows: Tableau, dt: float, state: State, *targets: wp.array) -> None:
        """Fill ``targets`` = (y, anchor, at, origin) of the bodies."""
        given = (self._bodies, self._coefficients(rows, dt), self._arrays(state))
        self.device.launch(self.kernels.aim_bodies, self.count, *given, *targets, grain=8)

    def read(self, rows: Tableau, dt: float, state: State, y: wp.array, z: wp.array, *new: wp.array) -> None:
        """Fill ``new`` = (x, v, a) of the bodies."""
        given = (self._bodies, self._coefficients(rows, dt), self._arrays(state))
        self.device.launch(self.kernels.read_bodies, self.count, *given, y, z, *new, grain=8)

    # --- derivatives

    def take(self, of: Sequence[wp.array], some: bool) -> wp.array:
        """Move adjoints ``of`` three fields out of the rows of the bodies; ``some``: only where they may move."""
        kernels, own = rigid_back_kernels(self.device.precision), self.device.zeros((self.count, 3), four)
        self.device.launch(kernels.take_adjoints, self.count, self._bodies, int(some), *of, own)
        return own

    def back(
        self,
        rows: Tableau,
        dt: float,
        state: State,
        z: wp.array,
        own: wp.array,
        into: State,
        of_z: wp.array,
        ends: bool,
    ) -> None:
        """``into``, ``of_z`` += the transpose of ``read`` where the step ``ends``, or else of ``aim``, for adjoints ``own``."""
        kernels, slopes = rigid_back_kernels(self.device.precision), self.device.zeros((self.count, 72), wp.float64)
        given = (self._bodies, self._coefficients(rows, dt), int(ends), self._arrays(state))
        self.device.launch(kernels.slopes, 72 * self.count, *given, z, own, slopes, grain=8)
        self.device.launch(kernels.add_slopes, 4 * self.count, self._bodies, slopes, self._arrays(into), of_z)

    def along(self, rows: Tableau, dt: float, state: State, z: wp.array, change: State, of_z: wp.array, *new: wp.array) -> None:
        """Fill ``new``, derivatives of the new x, v and a, for those of the state, ``change``, and of the solution."""
        given = (self._bodies, self._coefficients(rows, dt), self._arrays(state), z, self._arrays(change), of_z)
        kernel = rigid_back_kernels(self.device.precision).along
        self.device.launch(kernel, self.count, *given, *new, grain=8)

    def _arrays(self, state: State) -> Any:
        return self._structs.of(self._kinds[1], *(getattr(state, name) for name in STATE))

    def _coefficients(self, rows: Tableau, dt: float) -> wp.array:
        if (rows, dt) not in self._known:
            self._known[rows, dt] = self.device.array(momenta(rows, dt)[None], mat46)
        return self._known[rows, dt]


def refuse_flights(objective: Objective, scheme: str) -> None:
    """Refuse rigid bodies that are not held, for schemes that would have to follow the law that keeps them rigid."""
    turning = objective.turning
    if turning is not None and any(objective.moves[n : n + 4].any() for n in turning.first):
        raise InputError(
            f"{scheme} is stable only for tiny steps where a contact.Rigid body moves, since a stiff law keeps it "
            "rigid; expected ImplicitEuler(), BDF2(), HHT(), Newmark(), NewmarkTheta() or ImplicitMidpoint()"
        )


def momenta(rows: Tableau, dt: float) -> np.ndarray:
    """(4, 6): rows over the momenta of v, a, v₋ and z − y, of the flight to y, of (z − anchor), of the new v and of the new a.

    The first has two numbers more: how long that flight is [s], and the one from z to the end of the step.
    """
    expanded = rows.expanded
    flight = _over_momenta(expanded["y"], dt)
    lasts = flight[0] + flight[2]
    if not lasts > 0:
        raise InputError(f"{rows!r}: y is not later than x, so rigid bodies cannot move; expected y = x + Σ c v with Σ c > 0")
    solution = flight + np.array([0.0, 0.0, 0.0, 1.0])
    out = np.zeros((4, 6))
    out[0, :4] = solution / lasts
    out[0, 4:] = lasts, (1 / rows.time - 1) * lasts
    out[1, :4] = solution - _over_momenta(expanded["anchor"], dt)
    for i, name in ((2, "new_v"), (3, "new_a")):
        row = expanded[name]
        out[i, :4] = row[5] * solution + _over_momenta(row, dt)
    return out


def _over_momenta(row: np.ndarray, dt: float) -> np.ndarray:
    """(4,) what a row over (x, v, a, x₋, v₋, z) takes of the momenta of v, a and v₋, less x; none of z."""
    _, v, a, x_before, v_before, _ = row
    past = -0.5 * dt * x_before
    return np.array([v + past, a, v_before + past, 0.0])
