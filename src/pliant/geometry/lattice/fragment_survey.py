"""A solid sampled more finely than by a lattice's corners: cells it overlaps, its volume, and the refinement needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..distance.sdf import Sdf
from .fragments import CORNERS, SNAP, Classes, classes_of

PARTS = 4  # the solid is sampled this many times along each side of a cell that its surface may reach
REACH = 0.5 * np.sqrt(3.0)  # no point of a cell is further than this from the nearest of its corners [h]
VOLUME = 0.005  # share of the solid's volume that subcells may misjudge in all
THIN = 0.2  # part of one cell that they may misjudge
POINTS = 2_000_000  # sampled at once


@dataclass(frozen=True, eq=False)
class Survey:
    """Cells of a lattice that are certainly full, and those near the surface; (i, j, k) begins at origin + h (i, j, k).

    A distance φ at a corner bounds it in half a cell around: cells with all corners deeper than ``REACH`` are filled,
    those with all corners further out are empty, and the others are sampled.
    """

    shape: Sdf
    spacing: float  # h [m]
    origin: np.ndarray  # (3,) [m]
    classes: Classes  # of its nodes
    filled: np.ndarray  # (f, 3)
    near: np.ndarray  # (b, 3)

    @cached_property
    def phi(self) -> np.ndarray:
        """(b, 5, 5, 5) φ in the cells near the surface, in units of h."""
        phi = self._sampled(self.near, PARTS)
        return np.where(np.abs(phi) < SNAP / PARTS, 0.0, phi)

    def _sampled(self, cells: np.ndarray, parts: int) -> np.ndarray:
        """(c, p + 1, p + 1, p + 1) φ in some cells, in units of h."""
        steps = np.arange(parts + 1) / parts
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1)
        points = self.origin + self.spacing * (cells[:, None, None, None] + grid)
        return np.concatenate(
            [np.zeros((0, *grid.shape[:-1]))]
            + [
                self.shape(part.reshape(-1, 3)).reshape(part.shape[:-1]) / self.spacing
                for part in np.array_split(points, max(1, len(points) * len(steps) ** 3 // POINTS))
            ]
        )

    @cached_property
    def parts(self) -> np.ndarray:
        """(b,) part of each cell near the surface that the solid fills, from its own distance."""
        return _filled(self.phi)

    @property
    def volume(self) -> float:
        """The solid's own volume, in cells."""
        return len(self.filled) + float(self.parts.sum())

    def closer_volume(self) -> float:
        """The same, from 27 times as many samples where the surface may pass."""
        cut = (self.parts > 0) & (self.parts < 1)
        total = len(self.filled) + float(self.parts[~cut].sum())
        cells = self.near[cut]
        for part in np.array_split(cells, max(1, len(cells) * (3 * PARTS + 1) ** 3 // POINTS)):
            total += float(_filled(self._sampled(part, 3 * PARTS)).sum())
        return total

    def refinement(self) -> int:
        """1, 2 or 4: the fewest subcells per side that keep the solid's volume in total, and nearly so in each cell."""
        for refine in (1, 2):
            every = PARTS // refine
            error = _filled(_upsampled(self.phi[:, ::every, ::every, ::every])) - self.parts
            if abs(error.sum()) <= VOLUME * self.volume and np.abs(error).max(initial=0.0) <= THIN:
                return refine
        return PARTS


def surveyed(shape: Sdf, spacing: float, origin: np.ndarray) -> Survey:
    """The cells of a lattice that a solid fills, or may reach into."""
    classes = classes_of(shape, spacing, origin)
    x, y, z = classes.phi.shape
    corners = [classes.phi[i : x - 1 + i, j : y - 1 + j, k : z - 1 + k] for i, j, k in CORNERS]
    least, most = np.minimum.reduce(corners), np.maximum.reduce(corners)
    first = np.rint((classes.origin - origin) / spacing).astype(int)
    filled = most < -REACH
    near = (least < REACH) & ~filled
    places = (np.argwhere(kind.transpose(2, 1, 0))[:, ::-1] + first for kind in (filled, near))
    return Survey(shape, float(spacing), np.asarray(origin, float), classes, *places)


def _filled(phi: np.ndarray) -> np.ndarray:
    """(b,) part of each cell where φ < 0, by the trapezoidal rule on a step that is as wide as the samples are apart.

    Exact for faces along the lattice, and for slabs along it that are no thinner than the samples are apart.
    """
    parts = phi.shape[1] - 1
    ends = np.full(parts + 1, 1.0 / parts)
    ends[[0, -1]] /= 2
    return np.einsum("bijk,i,j,k->b", np.clip(0.5 - parts * phi, 0.0, 1.0), ends, ends, ends, optimize=True)


def _upsampled(phi: np.ndarray) -> np.ndarray:
    """(b, 5, 5, 5) values that are linear along each axis between those given."""
    parts = phi.shape[1] - 1
    at = np.arange(PARTS + 1) * parts / PARTS
    matrix = np.maximum(1.0 - np.abs(at[:, None] - np.arange(parts + 1)), 0.0)
    return np.einsum("bijk,xi,yj,zk->bxyz", phi, matrix, matrix, matrix, optimize=True)
