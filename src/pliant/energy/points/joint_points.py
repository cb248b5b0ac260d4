"""Joint points held together by multipliers: C x = goal.

An augmented Lagrangian: springs of a moderate stiffness k and the forces λ found so far, E = λ·(Cx − g) + ½ k |Cx − g|², which
are the springs of tethers whose targets are moved by −λ/k. After a solve λ ← λ + k (Cx − g), and what is left of the gap falls
by 1/(1 + k/S) in the next one, S being the stiffness that the rest of the scene has there (Hestenes 1969, Powell 1969).
"""

from __future__ import annotations

import numpy as np
import warp as wp

from ...runtime.device import Device
from ..base import Step
from ..capabilities import Multiplied, OfStep
from ..memory import Memory, Parents, Remembers
from ..sensitivity import Slot
from .joint_kernels import joint_kernels
from .tethers import TetherEnergy

# k over c/h² of the mass that hangs together: 7 iterations of Newton a step for chains of 2 to 10 links,
# of equal masses and of 1 : 1000; 13 with 10, 6 with 1000 but twice the turns of CG
OVER_INERTIA = 100.0
NO_DERIVATIVES = "Joints have no derivatives with respect to parameters; expected a scene without joints"


class JoinedPoints(OfStep, Multiplied, Remembers, TetherEnergy):
    """Σ w x = goal for points on nodes (p, k) with weights (p, k), those of one body positive and of another negative.

    ``mass`` and ``firm`` (p,) are the effective mass [kg] and stiffness [N/m] of each, of which k is OVER_INERTIA c/h² times the
    one and the other once; ``least`` (p,) is how far apart they may stay [m].
    """

    name = "joined points"
    undifferentiable = NO_DERIVATIVES

    def __init__(
        self, device: Device, rest: np.ndarray, nodes: np.ndarray, weights: np.ndarray, goal: np.ndarray,
        mass: np.ndarray, firm: np.ndarray, least: np.ndarray,
    ):  # fmt: skip
        super().__init__(device, rest, nodes, weights, firm)
        t = device.types
        self.joint_kernels, self.mass, self.firm, self.least = joint_kernels(device.precision), mass, firm, least
        self.goal = device.array(goal, t.position)
        self.found = device.array(goal, t.position)
        self.gap = device.zeros(self.count, wp.float64)
        self._kept, self._force = (device.zeros((3, self.count), wp.float64) for _ in range(2))
        self._inertia = 0.0
        self._load()

    def _load(self, force: wp.array | None = None) -> None:
        """Let forces (3, p) act, those that are remembered unless told."""
        given = (self.stiffness, self.goal, self._kept if force is None else force)
        self.device.launch(self.joint_kernels.load_points, self.count, *given, self.target)
        self.device.copy(self.target, self.found)

    @property
    def memory(self) -> Memory:
        return {"force": self._kept}

    def recall(self, memory: Memory) -> None:
        super().recall(memory)
        self._load()

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """Joints are the same on a new mesh."""
        return dict(self.memory)

    def begin(self, step: Step) -> None:
        """A step begins with the forces of the one before; where there is none, those of the last one stay."""
        if step.lasts <= 0:
            return
        if step.inertia != self._inertia:
            self._inertia = step.inertia
            self.set_stiffness(OVER_INERTIA * step.inertia * self.mass if step.inertia > 0 else self.firm)
        self._load()

    def accept(self, x: wp.array, time: float) -> None:
        self._keep(self._kept)

    def _keep(self, force: wp.array) -> None:
        """Write the forces found into ``force`` (3, p)."""
        given = (self.stiffness, self.goal, self.found)
        self.device.launch(self.joint_kernels.keep_points, self.count, *given, force)

    def find_multipliers(self, x: wp.array) -> np.ndarray:
        given = (self.nodes, self.weight, self.goal, self.target, x)
        self.device.launch(self.joint_kernels.find_points, self.count, *given, self.found, self.gap)
        return self.device.read(self.gap) / self.least

    def take_multipliers(self, firmer: float = 1.0) -> None:
        if firmer == 1.0:
            self.device.copy(self.found, self.target)
            return
        self._keep(self._force)
        self.set_stiffness(firmer * self.constants)
        self._load(self._force)
        self._inertia = np.nan  # the next step begins with its own

    def add_values(self, out: wp.array) -> None:
        given = (self.stiffness, self.goal, self.target)
        self.device.launch(self.joint_kernels.unloaded, self.count, *given, self.scalar)
        super().add_values(out)

    @property
    def parameters(self) -> dict[str, Slot]:
        return {}
