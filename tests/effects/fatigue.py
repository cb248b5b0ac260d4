"""An effect from outside the package: a wind that tires with every step."""

from dataclasses import dataclass

import numpy as np

from pliant.energy.points.node_energies import DeadForces


@dataclass(frozen=True)
class Gale:
    """An acceleration [m/s²] of everything, which every step leaves at ``kept`` of what it was."""

    acceleration: tuple[float, float, float]
    kept: float = 0.9

    def energies(self, layout, device):
        return [Blowing(device, layout.mass[:, None] * np.array(self.acceleration), self.kept)]


class Blowing(DeadForces):
    def __init__(self, device, forces, kept):
        super().__init__(device, forces, name="gale")
        self.kept = kept

    @property
    def memory(self):
        return {"forces": self.forces}

    def accept(self, x, time):
        self.vectors.mix(self.kept, self.forces, 0.0, self.forces, self.forces)
