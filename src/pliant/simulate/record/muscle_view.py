"""Views of the muscles of a running simulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...effects.elasticity.muscle_effect import Muscles
from ...material.laws.fibres import Muscle
from ...material.mean_stiffness import principal_stress


class MuscleView:
    """One muscle of a running simulation, read at its points: one in each element that it reaches."""

    def __init__(self, muscles: Muscles, index: int, positions: Callable[[], np.ndarray]):
        self._muscles, self._index, self._positions = muscles, index, positions
        self._rows = muscles.owner == index
        self.name, self.shape = muscles.muscles[index].name, muscles.muscles[index].shape
        self.rest_volume = float(self.weights.sum())  # [m³]

    def __repr__(self) -> str:
        stretch, tension = (np.average(values, weights=self.weights) for values in (self.stretch, self.tension))
        return (
            f"{self.name}: activation {self.activation:.2f}, fibres at {stretch:.3f} of their length, tension "
            f"{tension / 1e3:.1f} kPa, volume {1e6 * self.rest_volume:.1f} cm³ "
            f"{self.volume / self.rest_volume - 1:+.2%}"
        )

    @property
    def weights(self) -> np.ndarray:
        """(m,) rest volume at each point [m³]."""
        return self._muscles.elements.weights[self._rows, 0]

    @property
    def points(self) -> np.ndarray:
        """(m, 3) rest positions of the points [m]."""
        return self._muscles.elements.points[self._rows]

    @property
    def fibres(self) -> np.ndarray:
        """(m, 3) unit vectors along the fibres at rest."""
        return self._muscles.directions[self._rows]

    @property
    def activation(self) -> float:
        """From 0 to 1, now."""
        return float(self._muscles.levels[self._index])

    @property
    def deformation(self) -> np.ndarray:
        """(m, 3, 3) F at the points."""
        E = self._muscles.elements
        return np.einsum("mia,mib->mab", self._positions()[E.nodes[self._rows]], E.gradients[self._rows, 0])

    @property
    def stretch(self) -> np.ndarray:
        """(m,) λ = ‖F w‖ of the fibres."""
        return np.linalg.norm(np.einsum("mab,mb->ma", self.deformation, self.fibres), axis=1)

    @property
    def tension(self) -> np.ndarray:
        """(m,) T(λ) of the fibres, per rest area [Pa]."""
        m = self._muscles.muscles[self._index]
        law = Muscle(peak_stress=m.peak_stress, activation=self.activation, optimal_stretch=m.optimal_stretch)
        return principal_stress(law, self.stretch)[0]

    @property
    def volume(self) -> float:
        """Volume now [m³]."""
        return float(self.weights @ np.linalg.det(self.deformation))
