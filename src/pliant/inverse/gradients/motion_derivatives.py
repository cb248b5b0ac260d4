"""Derivatives by the prescribed motions of holds, step by step."""

from __future__ import annotations

import numpy as np
import warp as wp

from ...effects.elasticity.holds import Hold
from ...energy.base import Energy
from ...energy.sensitivity import Public
from ...simulate.simulation import Simulation
from .pin_kernels import back_kernels


class Motions:
    """Gradients of a run's cost by the motions of its holds: gathered in the backward pass, by body and hold.

    A row belongs to the time of each state; that of springs and of surfaces to the time in each step at which forces act.
    """

    def __init__(self, sim: Simulation):
        self.sim = sim
        self.rigid = bool(sim.world.held) and sim.world.held.move
        self.soft: dict[int, Energy] = {}  # by number among the energies: those with a moving target
        for i, (_, energy) in enumerate(sim.world.differentiable):
            hold = getattr(energy, "hold", None)
            if isinstance(hold, Hold) and hold.motion is not None and "target" in energy.parameters:
                self.soft[i] = energy
        self._of_pins: wp.array | None = None
        self._of_targets: dict[int, list[wp.array]] = {}
        self._rows = sim.device.array(sim.world.held.rows, wp.int32) if self.rigid else None
        self._z, self._through = (sim.vectors.new() for _ in range(2)) if self.rigid else (None, None)

    def clear(self, steps: int) -> None:
        """Reset, for a run of so many steps."""
        device, count = self.sim.device, self.sim.world.count
        if self.rigid:
            self._of_pins = device.zeros((steps + 1, len(self.sim.world.held.rows)), device.types.vec3)
        self._of_targets = {
            i: [energy.parameters["target"].new(device, count) for _ in range(steps + 1)] for i, energy in self.soft.items()
        }

    def keep(self, z: wp.array) -> None:
        """Store the adjoint of a step's solution, before held components are removed from it."""
        if self.rigid:
            self.sim.vectors.copy(z, self._z)

    def target(self, i: int, number: int) -> dict[str, wp.array]:
        """In place of the energy's own: the array of its target in a step."""
        return {"target": self._of_targets[i][number]} if i in self.soft else {}

    def add(self, number: int, time: float, z: wp.array, d: wp.array) -> None:
        """Add step ``number``: held components of its solution z are (1 − time) of those now and time of those then."""
        if not self.rigid:
            return
        sim = self.sim
        sim.device.clear(self._through)
        for energy in sim.world.energies:
            energy.tangent(z, d, self._through, project=False)
        kernel, free = back_kernels(sim.device.precision).of_held, sim.world.objective.free
        for row, share in ((number, time), (number - 1, 1 - time)):
            if share:
                given = (self._rows, row, share, free, self._z, self._through, self._of_pins)
                sim.device.launch(kernel, len(sim.world.held.rows), *given)

    def public(self, by_x: np.ndarray) -> Public:
        """(body, "hold j.motion") → (steps + 1, nodes or points, 3); ``by_x`` (n, 3) is by positions at the start."""
        every: Public = {}
        if self.rigid:
            every |= self._public_pins(by_x)
        for i, energy in self.soft.items():
            rows = [_in_order(array.numpy().astype(float)) for array in self._of_targets[i]]
            every[energy.part, f"hold {energy.index}.motion"] = np.stack(rows)
        return every

    def _public_pins(self, by_x: np.ndarray) -> Public:
        world, every = self.sim.world, {}
        of_pins = self._of_pins.numpy().astype(float)
        of_pins[0] += (world.free[world.held.rows] == 0) * by_x[world.held.rows]
        taken = np.zeros(of_pins.shape[1:], bool)
        for part in reversed(world.layout.parts):
            for j, hold in reversed(list(enumerate(part.of(Hold)))):
                for prescribed in hold.holds(part) if hold.motion is not None else ():
                    here = np.searchsorted(world.held.rows, prescribed.rows)
                    own = np.zeros((len(here), 3), bool)
                    own[:, prescribed.axes] = True
                    own &= ~taken[here]  # of two motions of a component the last one applies
                    taken[here] |= own
                    every[part.index, f"hold {j}.motion"] = np.where(own, of_pins[:, here], 0.0)
        return every


def _in_order(targets: np.ndarray) -> np.ndarray:
    """(p, 3): those of a surface are stored point by point of every element, and given element by element."""
    return targets if targets.ndim == 2 else targets.swapaxes(0, 1).reshape(-1, 3)
