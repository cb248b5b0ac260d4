"""The energy of scenes as they stand: potentials, motion, and the least that is no rest."""

from __future__ import annotations

import numpy as np
import warp as wp

from ..solve.objective.step_objective import Objective

STILL = {"f64": 1e-6, "f32": 1e-5}  # of a scene's size: what moves less in a step counts as at rest


class Totals:
    """Sums of the energies of an objective, whose nodes have ``mass`` (n,) [kg]: rows of (groups, 2) values and sizes [J]."""

    def __init__(self, objective: Objective, mass: wp.array):
        self.objective, self.mass, self._zero = objective, mass, objective.vectors.new()

    def still(self) -> np.ndarray:
        """(groups,) the energy that counts as none, times the square of the step [J s²], with the masses as they are now."""
        mass = np.add.reduceat(self.mass.numpy().astype(float), self.objective.bounds[:-1])
        return mass * (STILL[self.objective.device.precision] * self.objective.extents) ** 2

    def add_potential(self, x: wp.array, sums: wp.array) -> None:
        """Add all energies at positions x that do not depend on a step."""
        for energy in self.objective.potentials:
            energy.evaluate(x, sums)

    def add_kinetic(self, v: wp.array, sums: wp.array) -> None:
        """Add ½ Σ m v²."""
        vectors = self.objective.vectors
        vectors.sums.add_to(sums, 0.5, vectors.kernels.weighted_chunk, self.mass, v, self._zero)
