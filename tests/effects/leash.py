"""An effect on one body, from outside the package: a leash."""

from dataclasses import dataclass

import numpy as np

from pliant.energy.points.tethers import TetherEnergy


@dataclass(frozen=True)
class Leash:
    """A spring [N/m] from the first node of a body to where it rests."""

    stiffness: float = 5.0

    def energies(self, part, device):
        return [TetherEnergy(device, part.elements.rest, np.array([[0]]), np.ones((1, 1)), self.stiffness, part.first)]
