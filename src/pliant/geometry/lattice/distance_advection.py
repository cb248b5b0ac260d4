"""Advection of signed distances with a displacement (Weiß 2018, §2.5.2.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from ...arguments import checks
from ...errors import InputError
from ...runtime.device import Device
from .advection_kernels import Bins
from .band import Band

VARIANCE = 0.9178  # along one axis, of a Gaussian in space of variance 1 cut off at radius 3


@dataclass(frozen=True, eq=False)
class Grid:
    """Where the result is wanted: node (i, j, k) at ``origin`` + ``spacing`` (i, j, k) [m]."""

    origin: np.ndarray  # (3,) [m]
    spacing: float  # [m]
    shape: tuple[int, int, int]

    @classmethod
    def around(cls, points: np.ndarray, spacing: float, border: int, start: np.ndarray) -> Grid:
        """A box of nodes around (n, 3) points and ``border`` cells more, its nodes in step with ``start`` [m]."""
        low = np.floor((points.min(axis=0) - start) / spacing) - border
        high = np.ceil((points.max(axis=0) - start) / spacing) + border
        return cls(start + spacing * low, spacing, tuple(int(n) for n in high - low + 1))

    @property
    def points(self) -> np.ndarray:
        """(nx ny nz, 3) positions of the nodes [m]."""
        axes = [self.origin[i] + self.spacing * np.arange(n) for i, n in enumerate(self.shape)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


@dataclass(frozen=True)
class Advection:
    """A rule that gives the level set φ of a solid whose nodes have been displaced."""

    def advected(self, device: Device, band: Band, u: np.ndarray, grid: Grid) -> np.ndarray:
        """(nx, ny, nz) φ [m] on the grid, for displacements (b, 3) [m] of the nodes of a band."""
        raise NotImplementedError(f"{type(self).__name__} needs advected(device, band, u, grid), as every Advection has")


@dataclass(frozen=True)
class SemiLagrange(Advection):
    """φ(x) = φ₀(x − u(x)): looks up the displacement where a point has gone instead of where it came from.

    Right for translations alone, and for displacements much smaller than the body; here for comparison (Eq 2.5.22).
    """

    def advected(self, device: Device, band: Band, u: np.ndarray, grid: Grid) -> np.ndarray:
        box, points = band.on_box(u), grid.points
        at = ((points - band.origin) / band.spacing).T
        there = np.stack([ndimage.map_coordinates(box[..., k], at, order=1, mode="nearest") for k in range(3)], axis=1)
        return band.shape(points - there).reshape(grid.shape)


@dataclass(frozen=True)
class Shepard(Advection):
    """φ(x) = φ₀(x + u⁻¹(x)); the way back is a mean over the nodes that moved near x, weighted by (1/δ − 1/R)².

    ``radius`` R is in cells of the result (Eq 2.5.23–25); nodes that nothing came near take the way of their
    neighbours.
    """

    radius: float = 2.0

    def __post_init__(self):
        _check("Shepard", self.radius)

    def advected(self, device: Device, band: Band, u: np.ndarray, grid: Grid) -> np.ndarray:
        bins = Bins(device, (band.points + u - grid.origin) / grid.spacing, grid.shape, self.radius)
        back, known = bins.invert(u)
        _known(known)
        if not known.all():
            back = back[tuple(ndimage.distance_transform_edt(~known, return_indices=True)[1])]
        return band.shape(grid.points + back.reshape(-1, 3)).reshape(grid.shape)


@dataclass(frozen=True)
class DirectForward(Advection):
    """Every point carries its φ along and spreads it on nearby nodes by a Gaussian cut off at ``radius`` (Alg A.2).

    ``radius`` τ is in cells of the result, ``samples`` the number of points moved along the edge of one, at most 8 in a
    cell of the lattice. On a grid as fine as the lattice, 1 moves the nodes alone, as printed; 2 leaves no holes where
    the body is stretched to twice its length, and no trace of the lattice. ``sharpen`` takes back what a mean does to a
    curved φ.
    """

    radius: float = 1.5
    samples: int = 2
    sharpen: bool = True

    def __post_init__(self):
        _check("DirectForward", self.radius)
        checks.whole("DirectForward(samples=…)", self.samples, 1, 8, " for each cell edge")
        checks.flag("DirectForward(sharpen=…)", self.sharpen)

    def carried(
        self, device: Device, band: Band, u: np.ndarray, grid: Grid, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """(nx, ny, nz) φ [m], or other (b,) values of the band's nodes, and whether a node of the grid was reached."""
        points, phi, mixture = band.samples(min(8, int(np.ceil(self.samples * band.spacing / grid.spacing - 1e-9))))
        moved = u if mixture is None else mixture @ u
        taken = phi if values is None else values if mixture is None else mixture @ values
        return Bins(device, (points + moved - grid.origin) / grid.spacing, grid.shape, self.radius).splat(taken)

    def advected(self, device: Device, band: Band, u: np.ndarray, grid: Grid) -> np.ndarray:
        values, known = self.carried(device, band, u, grid)
        _known(known)
        phi = filled(values, known, grid.spacing)
        if not self.sharpen:
            return phi
        spread = VARIANCE * (self.radius / 3) ** 2  # the mean of φ is φ + ½ spread Δφ, in cells
        return np.where(known, phi - 0.5 * spread * ndimage.laplace(phi, mode="nearest"), phi)


def filled(phi: np.ndarray, known: np.ndarray, spacing: float) -> np.ndarray:
    """φ with its holes filled from the nearest known node; outside the solid the way there is added [m]."""
    if known.all():
        return phi
    away, near = ndimage.distance_transform_edt(~known, return_indices=True)
    nearest = phi[tuple(near)]
    return np.where(known, phi, nearest + np.where(nearest > 0, spacing * away, 0.0))


def _known(known: np.ndarray) -> None:
    if not known.any():
        raise InputError("no displaced point came near a node of the grid; expected finite displacements and a finer spacing")


def _check(name: str, radius: float) -> None:
    checks.number(f"{name}(radius=…)", radius, 1.0, 8.0, "a number of cells from 1 to 8")
