"""Embedding of a surface in a lattice: trilinear or tricubic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import permutations, product

import numpy as np
from scipy import sparse

from ...geometry.lattice.fragments import CORNERS
from ..embedded_surface import Mixture
from .lattice_cells import Cells


@dataclass(frozen=True)
class Embedding:
    """A rule that makes points of a lattice fixed mixtures of its nodes; affine maps are followed exactly."""

    def mixtures(self, cells: Cells, points: np.ndarray) -> Mixture:
        """(s, k) nodes and weights that carry (s, 3) points [m]."""
        raise NotImplementedError(f"{type(self).__name__} needs mixtures(cells, points), as every Embedding has")


@dataclass(frozen=True)
class Trilinear(Embedding):
    """Eight nodes per point, as the elements themselves move; the surface has faint creases between cells."""

    def mixtures(self, cells: Cells, points: np.ndarray) -> Mixture:
        return cells.embedded(points)


@dataclass(frozen=True)
class Tricubic(Embedding):
    """Up to 64 nodes per point: tangents and shading are continuous from cell to cell (Lekien and Marsden 2005).

    Each node has a value, three slopes and four mixed slopes. A slope is the central difference along the lattice,
    one-sided at its rim; nodes count as neighbours where a cell joins them, so that parts with a gap between them do
    not pull at each other. Beyond the last cell the map goes on linearly.
    """

    def mixtures(self, cells: Cells, points: np.ndarray) -> Mixture:
        cell, xi = cells.located(points)
        inside = np.clip(xi, 0.0, 1.0)
        H = _hermite(inside)  # (2, s, 3, 2) for each kind, point, axis and end; then its derivative
        slope = _hermite(inside, derivative=True)
        differences = _differences(cells.nodes, cells.count)
        total = sparse.csr_array((len(points), cells.count))
        for kinds in product((0, 1), repeat=3):
            axes = [axis for axis in range(3) if kinds[axis]]
            part = _product([H[k, :, a] for a, k in enumerate(kinds)])
            for axis in range(3):  # u(q) + ∇u(q)·(ξ − q) outside
                along = [(slope if a == axis else H)[k, :, a] for a, k in enumerate(kinds)]
                part += _product(along) * (xi - inside)[:, axis, None]
            rows = np.repeat(np.arange(len(points)), 8)
            basis = sparse.csr_array((part.ravel(), (rows, cells.nodes[cell].ravel())), shape=total.shape)
            total = total + basis @ _mixed(differences, axes)
        return _padded(total)


def _hermite(t: np.ndarray, derivative: bool = False) -> np.ndarray:
    """(2, …, 2) cubics that carry the values and the slopes of the two ends of 0…1, or their derivatives."""
    if derivative:
        value, first, last = 6 * t - 6 * t**2, 3 * t**2 - 4 * t + 1, 3 * t**2 - 2 * t
        return np.stack([np.stack([-value, value], -1), np.stack([first, last], -1)])
    value, first, last = 3 * t**2 - 2 * t**3, t**3 - 2 * t**2 + t, t**3 - t**2
    return np.stack([np.stack([1 - value, value], -1), np.stack([first, last], -1)])


def _product(factors: list[np.ndarray]) -> np.ndarray:
    """(s, 8) products over the axes of (s, 2) factors of the two ends, corner by corner."""
    x, y, z = (factor[:, CORNERS[:, axis]] for axis, factor in enumerate(factors))
    return x * y * z


def _differences(cells: np.ndarray, count: int) -> list[sparse.csr_array]:
    """(n, n) slopes along each axis per spacing: central where cells join both neighbours, else one-sided."""
    slopes = []
    for axis in range(3):
        low = np.flatnonzero(CORNERS[:, axis] == 0)
        before, after = np.full(count, -1), np.full(count, -1)
        first, second = cells[:, low].ravel(), cells[:, low + (1 << axis)].ravel()
        after[first], before[second] = second, first
        node = np.arange(count)
        plus, minus = np.where(after < 0, node, after), np.where(before < 0, node, before)
        scale = np.where((after < 0) | (before < 0), 1.0, 0.5)
        entries = np.concatenate([scale, -scale])
        rows, columns = np.concatenate([node, node]), np.concatenate([plus, minus])
        slopes.append(sparse.csr_array((entries, (rows, columns)), shape=(count, count)))
    return slopes


def _mixed(differences: list[sparse.csr_array], axes: list[int]) -> sparse.csr_array:
    """The slope along several axes one after the other, the mean over all orders: at a ragged rim they differ."""
    if not axes:
        return sparse.csr_array(sparse.identity(differences[0].shape[0]))
    orders = [reduce(lambda a, b: a @ b, [differences[axis] for axis in order]) for order in permutations(axes)]
    return sum(orders[1:], orders[0]) / len(orders)


def _padded(matrix: sparse.csr_array) -> Mixture:
    """The rows of a sparse matrix as two rectangles; short rows repeat their first node with weight 0."""
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    counts = np.diff(matrix.indptr)
    column = np.arange(counts.max())
    there = column < counts[:, None]
    at = matrix.indptr[:-1, None] + np.where(there, column, 0)
    return matrix.indices[at], np.where(there, matrix.data[at], 0.0)
