"""Gauss–Seidel over contacts: forces that keep Signorini's and Coulomb's laws, block by block, until nothing moves any more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ..device import Device
from .compliance import Delassus
from .gauss_seidel_kernels import gauss_seidel_kernels


@dataclass(frozen=True, eq=False)
class Forces:
    """Forces λ (3c,) [N] in the frames of the contacts, what gaps and slips (3c,) [m] they leave, and how they were found."""

    force: np.ndarray
    gap: np.ndarray
    sweeps: int
    change: float


def solve_contacts(
    device: Device, W: Delassus, b: np.ndarray, kind: np.ndarray, friction: np.ndarray, bound: np.ndarray,
    start: np.ndarray, sweeps: int, enough: float, gap: np.ndarray | None = None,
) -> Forces:  # fmt: skip
    """Sweep from the forces ``start`` (3c,) until no contact moves by more than ``enough`` [m], or ``sweeps`` times.

    ``b`` (3c,) are gaps and slips without forces; ``kind`` and ``friction`` (c,) say what a contact is and its coefficient,
    ``bound`` (c,) [N] how much one that slides along a line holds whatever presses. ``gap`` (3c,) is what
    gaps and slips are with the forces ``start``, where that is known.
    """
    array = device.array
    begun = b + W.numpy() @ start if gap is None else gap
    gap, force = array(begun, wp.float64), array(start, wp.float64)
    status = device.zeros(2, wp.float64)
    law = (array(kind, wp.int32), array(friction, wp.float64), array(bound, wp.float64))
    threads = 1 if device.is_cpu else 256
    given = (len(kind), int(sweeps), float(enough), *law, W.values)
    device.launch(gauss_seidel_kernels("f64").sweep_contacts, threads, *given, gap, force, status)
    count, change = status.numpy()
    answer = Forces(force.numpy().copy(), gap.numpy().copy(), int(count), float(change))
    device.forget(status)  # the arrays of this call go
    return answer
