"""Steps along which rigid bodies turn: a straight one would stretch them.

A direction d moves the four nodes of a rigid body by ċ + (Ω + S)(x − c), with Ω skew and S symmetric. Along x + αd it grows by
α²|Ω|²/2, which so stiff an element does not let happen: steps would be cut down to angles of √(m/h² / k), a thousandth of a
right angle for a box of some centimetres. Along c + αċ + exp(αΩ)(1 + αS)(x − c), which begins the same way, it turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import warp as wp

from ..energy.base import Energy
from ..vectors import Vectors
from .turning_kernels import turning_kernels

if TYPE_CHECKING:
    from .objective import Objective


class Turning:
    """The rigid bodies that have one of the energies, ``first`` being their nodes; ``free`` is 1 where a component may move."""

    def __init__(self, first: np.ndarray, energies: Sequence[Energy], vectors: Vectors, free: wp.array):
        self.device, self.count, self.free = vectors.device, len(first), free
        self.walls = any(energy.is_wall for energy in energies)  # what no step may pass through
        self._first = self.device.array(first, wp.int32)
        self._whole, self.way = self.device.array(np.ones((1, 2)), wp.float64), vectors.new()

    def launch(self, x: wp.array, d: wp.array, out: wp.array, share: float = 1.0, limits: wp.array | None = None):
        """Put the rigid bodies of ``out``, which is x + αd, where the arc leads; α is ``share`` times what ``limits`` allows."""
        kernel, given = turning_kernels(self.device.precision).turn, self._whole if limits is None else limits
        self.device.launch(kernel, self.count, self._first, self.free, float(share), given, x, d, out)


def turning(energies: Sequence[Energy], vectors: Vectors, free: wp.array) -> Turning | None:
    """How the rigid bodies among these turn; None where there are none."""
    rigid = [energy for energy in energies if getattr(getattr(energy, "elements", None), "held_whole", False)]
    return Turning(np.unique([energy.first for energy in rigid]), energies, vectors, free) if rigid else None


def advance(objective: Objective, x: wp.array, alpha: float, d: wp.array, out: wp.array) -> None:
    """out = where α of a step d leads from x: straight on, but for rigid bodies, where nothing stands in the way of their arc."""
    vectors, turns = objective.vectors, objective.turning
    vectors.advance(x, alpha, d, out)
    if turns is None:
        return
    turns.launch(x, d, out, alpha)
    if turns.walls:
        vectors.apart(out, x, turns.way)
        if objective.step_limit(x, turns.way) < 1.0:
            vectors.advance(x, alpha, d, out)
