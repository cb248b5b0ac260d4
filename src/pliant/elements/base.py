"""Every element is nodes, shape-function gradients and weights: F = Σ xᵢ ⊗ ∇Nᵢ at each quadrature point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import InputError


@dataclass(frozen=True, eq=False)
class Elements:
    """m elements with k nodes and q quadrature points each. The gradients at a point sum to zero.

    Cubic cells, their corners numbered with x fastest, also say where in them their points are: ``places`` and ``edges``.
    """

    rest: np.ndarray  # (n, 3) rest positions X [m]
    nodes: np.ndarray  # (m, k)
    gradients: np.ndarray  # (m, q, k, 3) ∇N [1/m]
    weights: np.ndarray  # (m, q) rest volume at each point [m³]
    dimension: int = 3  # 3 solid, 2 sheet, 1 thread
    places: np.ndarray | None = None  # (m, q, 3) of the points in cubic cells, s ∈ [−1, 1]³
    edges: np.ndarray | None = None  # (m,) lengths of cubic cells' edges [m]
    faces: np.ndarray | None = None  # (t, 3) nodes of the triangles that draw a new kind of element

    def __post_init__(self):
        if not len(self.nodes):
            raise InputError(f"{type(self).__name__} has no elements; expected at least one")

    @property
    def cubic(self) -> bool:
        return self.places is not None

    @property
    def count(self) -> int:
        return len(self.nodes)

    @cached_property
    def volumes(self) -> np.ndarray:
        """(m,) rest volume of each element [m³]."""
        return self.weights.sum(axis=1)

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: each element shares its mass equally among its nodes (row sums of linear elements)."""
        mass = np.zeros(len(self.rest))
        share = np.broadcast_to(density, self.count) * self.volumes / self.nodes.shape[1]
        for i in range(self.nodes.shape[1]):
            np.add.at(mass, self.nodes[:, i], share)
        return mass
