"""Steps along which rigid bodies turn: a straight one would stretch them.

A direction d moves the four nodes of a rigid body by ċ + (Ω + S)(x − c), with Ω skew and S symmetric. Along x + αd it grows by
α²|Ω|²/2, which so stiff an element resists: steps would be limited to angles of √(m/h² / k), a thousandth of a
right angle for a box of some centimetres. Along c + αċ + exp(αΩ)(1 + αS)(x − c), which begins the same way, it turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import warp as wp

from ...energy.base import Energy
from ...energy.capabilities import Wall
from ...runtime.vectors import Vectors
from .rigid_arc_kernels import turning_kernels

if TYPE_CHECKING:
    from .step_objective import Objective


class Turning:
    """The rigid bodies among energies, ``first`` (r,) of their four nodes each; ``free`` is 1 for free components, ``of``
    the group of each node."""

    def __init__(self, first: np.ndarray, energies: Sequence[Energy], vectors: Vectors, free: wp.array, of: wp.array):
        self.device, self.count, self.first, self.free, self.of = vectors.device, len(first), first, free, of
        self._one = self.device.zeros(1, wp.int32)
        self.walls = any(isinstance(energy, Wall) for energy in energies)  # barriers that no step may cross
        self._first = self.device.array(first, wp.int32)
        self._whole, self.way = self.device.array(np.ones((1, 2)), wp.float64), vectors.new()

    def launch(
        self, x: wp.array, d: wp.array, out: wp.array, share: float = 1.0, limits: wp.array | None = None, column: int = 0
    ):
        """Move the rigid bodies of ``out``, which is x + αd, along the arc; α is ``share`` times that ``column`` of
        ``limits``, which has a row for each group."""
        kernel, given = turning_kernels(self.device.precision).turn, self._whole if limits is None else limits
        of = self._one if limits is None else self.of
        self.device.launch(kernel, self.count, self._first, self.free, of, column, float(share), given, x, d, out)


def turning(energies: Sequence[Energy], vectors: Vectors, free: wp.array, of: wp.array) -> Turning | None:
    """The arcs of the rigid bodies among these; None where there are none."""
    first = sorted({row for energy in energies for row in energy.rigid_rows})
    return Turning(np.array(first), energies, vectors, free, of) if first else None


def advance(objective: Objective, x: wp.array, alpha: float, d: wp.array, out: wp.array) -> None:
    """out = x + αd, but along arcs for rigid bodies, unless a barrier is in the way."""
    vectors, turns = objective.vectors, objective.turning
    vectors.advance(x, alpha, d, out)
    if turns is None:
        return
    turns.launch(x, d, out, alpha)
    if turns.walls:
        vectors.apart(out, x, turns.way)
        if objective.step_limit(x, turns.way) < 1.0:
            vectors.advance(x, alpha, d, out)
