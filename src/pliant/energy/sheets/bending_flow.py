"""Plates that stay bent: the curvature at rest of each follows where its moment is beyond yield.

With the moments M = D w (κ − κ_rest) of the three parts of a curvature (material/laws/bending_law.py), the yield moment of
a plate that flows through and through and von Mises' sum for plane stress,

    f = (½ M₀² + 3/2 (M₁² + M₂²))^½ ≤ (σ_y + H α) t²/4,

the curvature at rest goes by μ P M, P = diag(½, 3/2, 3/2), after each step: the return mapping of Simo and Taylor (1986), with
one unknown μ. α = ∫ t/4 |dκ_rest| is the mean over the thickness of the plastic strain that it makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.vectors import Sums
from ..base import Energy, Step, sums_over
from ..elastic.elastic_energy import GRAIN
from ..memory import Memory, Parents, Remembers
from ..plasticity.plastic_energy import BEGINS, Clock
from ..sensitivity import Differentiable
from .bending_energy import BendingEnergy
from .bending_flow_kernels import LIMITS, bending_flow_kernels


class BendingFlow(Clock, Remembers, Differentiable, Energy):
    """What has flowed in the plates of some ``BendingEnergy``; no energy of its own.

    ``triangles`` are the numbers of their plates among ``nodes`` (m,), one node of each triangle, and ``limits`` their (…, 5)
    ``LIMITS``. Memory is over triangles, so that it outlasts a tear, which sorts plates anew.
    """

    name = "bending flow"
    recordable = ()
    undifferentiable = BEGINS

    def __init__(
        self,
        device: Device,
        plates: Sequence[BendingEnergy],
        triangles: Sequence[np.ndarray],
        limits: Sequence[np.ndarray],
        nodes: np.ndarray,
    ):
        super().__init__(device)
        self.plates, self._nodes, self.count = tuple(plates), nodes, len(nodes)
        self.triangles = [device.array(own, wp.int32) for own in triangles]
        self.limits = [device.array(own, device.types.vector(LIMITS)) for own in limits]
        self.given = [device.array(one.material.table()[:, 2:5], wp.vec3d) for one in plates]
        self.bent, self.alpha = device.zeros(self.count, wp.vec3d), device.zeros(self.count, wp.float64)

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, self._nodes)

    @property
    def memory(self) -> Memory:
        return {"bent": self.bent, "alpha": self.alpha}

    def recall(self, memory: Memory) -> None:
        super().recall(memory)
        self.derive()

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """All of it: a tear leaves the triangles in their places."""
        return {name: wp.clone(a) for name, a in self.memory.items()}

    def derive(self) -> None:
        """Make the curvatures at rest what they are now."""
        for plates, own, given in zip(self.plates, self.triangles, self.given):
            kernel = bending_flow_kernels(plates.k, self.device.precision).derive
            self.device.launch(kernel, plates.count, own, given, self.bent, plates.table, grain=GRAIN)

    def begin(self, step: Step) -> None:
        self.set_clock(step)

    def accept(self, x: wp.array, time: float) -> None:
        """Flow to the end of the step."""
        for plates, own, limits in zip(self.plates, self.triangles, self.limits):
            mesh = (plates.nodes, plates.grad, plates.scale, own, plates.table, limits, self.seconds(time))
            kernel = bending_flow_kernels(plates.k, self.device.precision).flow
            self.device.launch(kernel, plates.count, *mesh, x, self.bent, self.alpha, grain=GRAIN)
        self.derive()
