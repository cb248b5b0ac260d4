"""A solid at rest and the lattice nodes in and around it: what its signed distance is carried along with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import ndimage, sparse

from ..distance.sdf import Sdf
from .fragments import CORNERS

STEPS = np.concatenate([np.eye(3, dtype=int), -np.eye(3, dtype=int)])  # the six neighbours of a node


@dataclass(frozen=True, eq=False)
class Band:
    """Active nodes, which move with a body, and the nodes within ``reach`` steps along the lattice from them.

    Node (i, j, k) lies at ``origin`` + ``spacing`` (i, j, k) [m]. The band lists the active nodes first, in their
    order.
    """

    shape: Sdf  # the solid at rest
    origin: np.ndarray  # (3,) [m]
    spacing: float  # h [m]
    active: np.ndarray  # (n, 3) index of each active node
    reach: int = 5  # l1-distance, as in Weiß 2018, §4.4.5

    @classmethod
    def around(cls, rest: np.ndarray, spacing: float, shape: Sdf, reach: int = 5) -> Band:
        """From the rest positions (n, 3) of the active nodes [m]."""
        low = rest.min(axis=0)
        active = np.rint((rest - low) / spacing).astype(int) + reach
        return cls(shape, low - spacing * reach, spacing, active, reach)

    @cached_property
    def number(self) -> np.ndarray:
        """(nx, ny, nz) place of each node of the box in the band, −1 outside."""
        numbers = np.full(self.active.max(axis=0) + self.reach + 1, -1)
        numbers[tuple(self.active.T)] = 0
        near = numbers == 0
        if self.reach:
            near = ndimage.binary_dilation(near, ndimage.generate_binary_structure(3, 1), self.reach)
        numbers[near] = 0
        numbers[tuple(self.active.T)] = -1
        others = np.argwhere(numbers == 0)
        numbers[tuple(others.T)] = len(self.active) + np.arange(len(others))
        numbers[tuple(self.active.T)] = np.arange(len(self.active))
        return numbers

    @cached_property
    def index(self) -> np.ndarray:
        """(b, 3) index of each node of the band."""
        at = np.argwhere(self.number >= 0)
        return at[np.argsort(self.number[tuple(at.T)])]

    @cached_property
    def points(self) -> np.ndarray:
        """(b, 3) rest position of each node of the band [m]."""
        return self.origin + self.spacing * self.index

    @cached_property
    def phi(self) -> np.ndarray:
        """(b,) signed distance at rest [m]."""
        return self.shape(self.points)

    @cached_property
    def laplacian(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """A (p, p) and B (p, n) of the harmonic extension A u = B u_active to the p inactive nodes.

        Seven points; a neighbour outside the band is dropped, so nothing flows through its border (Weiß 2018,
        §2.5.2.5).
        """
        n, size = len(self.active), len(self.index)
        padded = np.pad(self.number, 1, constant_values=-1)
        beside = padded[tuple((self.index[n:, None] + 1 + STEPS).transpose(2, 0, 1))]  # (p, 6)
        there = beside >= 0
        rows = np.repeat(np.arange(size - n), there.sum(axis=1))
        full = sparse.csr_matrix((np.ones(len(rows)), (rows, beside[there])), shape=(size - n, size))
        degree = sparse.diags(there.sum(axis=1).astype(float))
        return sparse.csr_matrix(degree - full[:, n:]), full[:, :n]

    def samples(self, parts: int) -> tuple[np.ndarray, np.ndarray, sparse.csr_matrix | None]:
        """(m, 3) rest positions [m], (m,) distances at rest [m] and the (m, b) mixtures of nodes that move them.

        The nodes themselves (mixture None), or ``parts``³ points in every cell whose corners are all in the band.
        """
        kept = self.__dict__.setdefault("_samples", {})
        if parts not in kept:
            kept[parts] = (self.points, self.phi, None) if parts == 1 else self._inside(parts)
        return kept[parts]

    def _inside(self, parts: int) -> tuple[np.ndarray, np.ndarray, sparse.csr_matrix]:
        from .fragments import shape_functions

        padded = np.pad(self.number, ((0, 1), (0, 1), (0, 1)), constant_values=-1)
        corners = padded[tuple((self.index[:, None] + CORNERS).transpose(2, 0, 1))]  # (b, 8)
        corners = corners[(corners >= 0).all(axis=1)]
        at = (np.arange(parts) + 0.5) / parts
        N = shape_functions(np.stack(np.meshgrid(at, at, at, indexing="ij"), axis=-1).reshape(-1, 3))
        columns = np.repeat(corners, len(N), axis=0)
        starts = 8 * np.arange(len(columns) + 1)
        matrix = sparse.csr_matrix(
            (np.tile(N, (len(corners), 1)).ravel(), columns.ravel(), starts), shape=(len(columns), len(self.index))
        )
        points = matrix @ self.points
        return points, self.shape(points), matrix

    def on_box(self, values: np.ndarray) -> np.ndarray:
        """(nx, ny, nz, …) values of the band's nodes on the whole box; outside the band that of the nearest node."""
        _, near = ndimage.distance_transform_edt(self.number < 0, return_indices=True)
        return values[self.number[tuple(near)]]
