"""Cubic cells with trilinear functions: which of them holds a point, and which nodes carry it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from ...geometry.lattice.fragments import shape_functions
from ..embedded_surface import Mixture

FEW = 16  # cells whose middles are nearest, among which the one is looked for that holds a point


@dataclass(frozen=True, eq=False)
class Cells:
    """m cells of edge ``spacing`` [m] on ``count`` nodes, corner 0 of each at ``lowest``."""

    nodes: np.ndarray  # (m, 8) x fastest
    lowest: np.ndarray  # (m, 3) [m]
    spacing: float
    count: int

    @cached_property
    def _tree(self) -> cKDTree:
        """The middles of the cells."""
        return cKDTree(self.lowest + 0.5 * self.spacing)

    def located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(s,) the cell that holds each point, or the nearest one, and (s, 3) ξ of the point in it."""
        middle = self.lowest + 0.5 * self.spacing
        few = min(FEW, len(self.nodes))
        near = self._tree.query(points, k=few)[1].reshape(len(points), few)
        away = np.maximum(np.abs(points[:, None] - middle[near]) - 0.5 * self.spacing, 0.0)
        cell = near[np.arange(len(points)), np.argmin(np.linalg.norm(away, axis=2), axis=1)]
        return cell, (points - self.lowest[cell]) / self.spacing

    def embedded(self, points: np.ndarray, within: bool = False) -> Mixture:
        """(s, 8) nodes and trilinear weights of the cell that holds each point, or of the nearest cell where none does.

        Outside its cell a point takes weights below 0, or with ``within`` those of the cell's nearest point.
        """
        cell, xi = self.located(points)
        return self.nodes[cell], shape_functions(np.clip(xi, 0.0, 1.0) if within else xi)

    def distances(self, points: np.ndarray) -> np.ndarray:
        """(s,) how far each point lies from the nearest cell, 0 in one [m]."""
        _, xi = self.located(points)
        return self.spacing * np.linalg.norm(xi - np.clip(xi, 0.0, 1.0), axis=1)

    def in_space(self, cells: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """(t, c, 3) positions [m] of points ξ (t, c, 3) in the given cells (t,)."""
        return self.lowest[cells][:, None] + self.spacing * xi
