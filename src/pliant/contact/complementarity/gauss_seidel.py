"""Gauss–Seidel over contacts until forces satisfy Signorini and Coulomb."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ...runtime.device import Device
from .contact_compliance import Delassus
from .gauss_seidel_kernels import TOUCHES, gauss_seidel_kernels

# active set of slow solves with many contacts, swept alone in between: how many contacts are many, sweeps of all
# of them at first, sweeps of the others between two of all, and of how many contacts they may be at most
SMALL, FIRST, ALONE, HALF = 48, 20, 100, 0.7


@dataclass(frozen=True, eq=False)
class Forces:
    """Forces λ (3c,) [N] in the frames of the contacts, the resulting gaps and slips (3c,) [m], and iteration counts."""

    force: np.ndarray
    gap: np.ndarray
    sweeps: int
    change: float


def solve_contacts(
    device: Device, W: Delassus, b: np.ndarray, kind: np.ndarray, friction: np.ndarray, bound: np.ndarray,
    start: np.ndarray, sweeps: int, enough: float, gap: np.ndarray | None = None, alone: bool = False,
) -> Forces:  # fmt: skip
    """Sweep from the forces ``start`` (3c,) until no contact moves by more than ``enough`` [m], or ``sweeps`` times.

    ``b`` (3c,) are gaps and slips without forces; ``kind`` and ``friction`` (c,) say what a contact is and its coefficient,
    ``bound`` (c,) [N] the friction limit of slides without normal force. ``gap`` (3c,) are the
    gaps and slips with the forces ``start``, if known. With ``alone`` pushing contacts are swept alone
    in between where there are many others, on a CPU: another order of the same sweeps.
    """
    matrix = W.numpy() if gap is None or device.is_cpu else None
    gap = b + matrix @ start if gap is None else gap
    force, law, count, done = start, (kind, friction, bound), len(kind), 0
    few = min(FIRST, sweeps) if alone and device.is_cpu and count > SMALL else sweeps
    while True:
        answer = _swept(device, W.values, gap, law, force, few, enough)
        gap, force, done = answer.gap, answer.force, done + answer.sweeps
        if answer.change <= enough or done >= sweeps:
            return Forces(force, gap, done, answer.change)
        # most inactive contacts stay inactive: the active ones are swept alone, and then all once more
        own = np.flatnonzero((force.reshape(-1, 3)[:, 0] != 0) | (kind != TOUCHES) | (gap[::3] < 0))
        few = min(FIRST, sweeps - done)
        if sweeps - done > FIRST and len(own) <= HALF * count:
            rows = (3 * own[:, None] + np.arange(3)).ravel()
            part = device.array(np.ascontiguousarray(matrix[np.ix_(rows, rows)]).ravel(), wp.float64)
            some = tuple(values[own] for values in law)
            inner = _swept(device, part, gap[rows], some, force[rows], min(ALONE, sweeps - done - 1), enough)
            gap = gap + matrix[:, rows] @ (inner.force - force[rows])
            force = force.copy()
            force[rows], done, few = inner.force, done + inner.sweeps, 1


def _swept(
    device: Device, W: wp.array, gap: np.ndarray, law: tuple[np.ndarray, ...], start: np.ndarray, sweeps: int,
    enough: float,
) -> Forces:  # fmt: skip
    """Sweeps of all contacts of W (3c · 3c,), whose gaps and slips with the forces ``start`` are ``gap`` (3c,)."""
    array = device.array
    gap, force = array(gap, wp.float64), array(start, wp.float64)
    status = device.zeros(2, wp.float64)
    given = tuple(array(values, of) for values, of in zip(law, (wp.int32, wp.float64, wp.float64)))
    threads = 1 if device.is_cpu else 256
    params = (len(law[0]), int(sweeps), float(enough), *given, W)
    device.launch(gauss_seidel_kernels("f64").sweep_contacts, threads, *params, gap, force, status)
    count, change = status.numpy()
    answer = Forces(force.numpy().copy(), gap.numpy().copy(), int(count), float(change))
    device.forget(status)  # free the arrays of this call
    return answer
