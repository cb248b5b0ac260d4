"""Deformed solid of a lattice body, with its signed distance."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...arguments.checks import floats, is_positive
from ...elements.lattice.lattice import Lattice
from ...errors import InputError
from ...geometry.distance.level_set import distances_to_level
from ...geometry.distance.sdf import SAMPLES, Sdf, host
from ...geometry.lattice.band import Band
from ...geometry.lattice.distance_advection import Advection, DirectForward, Grid
from ...linear.cholesky import Factor, analyse, factorise
from ...runtime.device import Device

BORDER = 3  # cells of the result beyond the displaced nodes


class Solid:
    """What does not change while a lattice body moves: its distance at rest, the nodes around it, and one factor.

    Everything is made when it is first asked for. ``cells`` (m, 8) are the body's nodes at the corners of its cells.
    """

    def __init__(self, band: Band, cells: np.ndarray):
        self.band, self.cells = band, cells

    @classmethod
    def of(cls, lattice: Lattice, reach: int = 5) -> Solid:
        """The solid of a lattice, with the nodes within ``reach`` steps around it."""
        return cls(Band.around(lattice.rest, lattice.spacing, lattice.shape, reach), lattice.nodes)

    def arrays(self) -> dict[str, np.ndarray]:
        """What a file needs to hold; the distance at rest as samples, since it may be any combination of shapes."""
        band = self.band
        grid = Grid(band.origin, band.spacing, band.number.shape)
        phi = band.shape(grid.points).reshape(grid.shape)
        place = np.array([*band.origin, band.spacing])
        return {"cells": self.cells, "active": band.active, "place": place, "phi": phi, "reach": np.array(band.reach)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Solid:
        """From what ``arrays`` gave, or one sentence about what does not fit."""
        cells, active, place, phi, reach = (arrays[name] for name in ("cells", "active", "place", "phi", "reach"))
        whole = all(np.issubdtype(a.dtype, np.integer) for a in (cells, active, reach)) and 0 <= reach <= 64
        if not whole or cells.ndim != 2 or cells.shape[1] != 8 or active.ndim != 2 or active.shape[1] != 3 or len(place) != 4:
            raise InputError("the lattice of a body is damaged; expected cells of eight nodes and nodes of three numbers")
        if cells.min() < 0 or active.min() < 0 or np.any(active.max(axis=0) + int(reach) >= phi.shape):
            raise InputError("the lattice of a body names nodes outside its samples")
        shape = Sdf.from_grid(phi, place[:3], float(place[3]))
        return cls(Band(shape, place[:3], float(place[3]), active, int(reach)), cells)

    @cached_property
    def depth(self) -> np.ndarray:
        """(n,) signed distance of the body's nodes at rest, negative inside [m]."""
        return self.band.shape(self.band.points[: len(self.band.active)])

    @cached_property
    def _factor(self) -> Factor:
        matrix, _ = self.band.laplacian
        return factorise(analyse(matrix, positions=self.band.points[len(self.band.active) :]), matrix)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """(b, …) values of the nodes (n, …) and of those around them, into which they are continued harmonically.

        Δu = 0 on the inactive nodes, with the active ones held and nothing lost at the border (Weiß 2018, §2.5.2.5,
        §4.4.5).
        """
        if not self.band.reach:
            return values
        return np.concatenate([values, self._factor.solve(self.band.laplacian[1] @ values)])

    def displacements(self, x: np.ndarray) -> np.ndarray:
        """(b, 3) displacements [m] of the band's nodes, for positions (n, 3) [m] of the body's.

        The affine map nearest to them goes on as it is and only the rest harmonically, so that a turned body stays
        round it.
        """
        x, active = floats(x), len(self.band.active)
        if x.shape != (active, 3) or not np.all(np.isfinite(x)):
            raise InputError(f"positions have shape {x.shape}; expected ({active}, 3), finite")
        X = np.column_stack([self.band.points - self.band.points[0], np.ones(len(self.band.points))])
        u = x - self.band.points[:active]
        affine = np.linalg.lstsq(X[:active], u, rcond=None)[0]
        return X @ affine + self.spread(u - X[:active] @ affine)

    def grid(self, x: np.ndarray, spacing: float | None = None) -> Grid:
        """The grid of the result, around node positions (n, 3) [m]; ``spacing`` [m] defaults to the lattice's."""
        if spacing is not None and not is_positive(spacing):
            raise InputError(f"spacing is {spacing!r}; expected a positive number of metres, or None for that of the lattice")
        h = self.band.spacing if spacing is None else float(spacing)
        count = float(np.prod(np.ptp(x, axis=0) / h + 2 * BORDER + 2))
        if count > SAMPLES:
            least = h * (count / SAMPLES) ** (1 / 3) * 1.02
            raise InputError(f"spacing {h:g} m needs {count:.3g} samples; expected at most {SAMPLES:.3g}: take {least:.3g} m")
        return Grid.around(x, h, BORDER, self.band.origin)

    def sdf(
        self,
        x: np.ndarray,
        advection: Advection | None = None,
        spacing: float | None = None,
        reinitialise: bool = True,
        device: Device | None = None,
    ) -> Sdf:
        """The signed distance of the solid with its nodes at ``x`` (n, 3) [m], sampled on a grid around them.

        Without ``reinitialise`` it is the level set as carried: 0 in the same places, but no distance where the body
        has been stretched or squeezed.
        """
        advection = DirectForward() if advection is None else advection
        if not isinstance(advection, Advection):
            raise InputError(f"advection={advection!r}: expected DirectForward(), Shepard() or SemiLagrange()")
        u, grid = self.displacements(x), self.grid(floats(x), spacing)
        phi = advection.advected(host() if device is None else device, self.band, u, grid)
        if reinitialise:
            phi = distances_to_level(-np.asarray(phi, float), np.full(3, grid.spacing))
        return Sdf.from_grid(phi, grid.origin, grid.spacing)
