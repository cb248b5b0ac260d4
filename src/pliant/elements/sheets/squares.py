"""Square cells over a planar section, cut at its boundary."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...geometry.distance.sdf import Sdf
from ...geometry.lattice.fragment_plane import SQUARE, polygons, square_functions, square_gradients, square_weights
from ...geometry.lattice.fragments import SNAP
from ..embedded_surface import Mixture, nearby
from ..quadrature import Averaged, Gauss, Quadrature
from .planar import Planar, PlaneState, PlaneStrain, Section

SLIVER = 0.02  # cells filled less than this are dropped
MANY = 10**8  # nodes of the grid that is sampled


@dataclass(frozen=True, eq=False)
class Squares(Planar):
    """Flat elements on the square cells that the section of a solid by a plane z = constant reaches into; no mesh is needed.

    Nodes lie at ``origin`` + ``spacing`` (i, j, 0) [m]; the third number of ``origin`` is the height of the plane. Cells at
    the outline are filled in part: their integrals take the four corners with the weights ∫ N_i over the material (Weiß
    2018, Table 2.1). ``quadrature=Corners()`` does the same for whole cells, Gauss() takes 2×2 Gauss points there.
    ``volume=Averaged()`` is for nearly incompressible bodies in plane strain. The outline is straight in each cell, and
    what is thinner than a cell may be lost.
    """

    shape: Sdf
    spacing: float
    thickness: float = 1.0
    state: PlaneState = field(default_factory=PlaneStrain)
    quadrature: Quadrature = None
    origin: Vector | None = None
    volume: Averaged | None = None
    values: np.ndarray = field(init=False, repr=False)  # (m, 4) φ at the corners of the cells, in units of h
    corner_weights: np.ndarray = field(init=False, repr=False)  # (m, 4) ∫ N_i over the material, as parts of a cell
    lowest: np.ndarray = field(init=False, repr=False)  # (m, 3) position of each cell's corner 0 [m]
    dropped: int = field(init=False, repr=False)  # slivers left out

    unlocked = "planar.Squares(…, volume=Averaged()) with Newton()"

    def __post_init__(self):
        quadrature = Gauss() if self.quadrature is None else self.quadrature
        thickness, h, start = self._check_plane("planar.Squares"), *_checked(self, quadrature)
        first, phi = _sampled(self.shape, h, start)
        cells, values = _active(phi)
        weights, _ = square_weights(values)
        kept = weights.sum(axis=1) >= SLIVER
        if not kept.any():
            raise InputError(
                f"no cell of {h:g} m is filled by {SLIVER:.0%} of this shape at z = {start[2]:g} m; take a smaller spacing, or "
                "another height, which is the third number of origin"
            )
        cells, values, weights = cells[kept], values[kept], weights[kept]
        nodes, at = _numbered(cells)
        rest = np.column_stack([first[:2] + h * at, np.full(len(at), start[2])])
        xi, parts = quadrature.in_squares(np.all(values <= 0, axis=1), weights)
        flat = square_gradients(xi) / h
        gradients = np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], axis=-1)
        self._derive(rest=rest, nodes=nodes, gradients=gradients, weights=parts * (h * h * thickness))
        self._derive(dimension=self.state.dimension, plane_strain=self.state.plane_strain, lowest=rest[nodes[:, 0]])
        self._derive(quadrature=quadrature, spacing=h, thickness=thickness, values=values, corner_weights=weights)
        self._derive(dropped=int(np.count_nonzero(~kept)))
        super().__post_init__()

    @property
    def locks_from(self) -> float | None:
        """In plane strain, on bars four across, unless the mean volume of cells is kept; plane stress does not lock."""
        return 0.44 if self.state.plane_strain and self.volume is None else None

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: ∫ ρ N_i over the material, for any quadrature."""
        share = np.broadcast_to(density, self.count)[:, None] * self._masses
        return np.bincount(self.nodes.ravel(), share.ravel(), len(self.rest))

    def pulled_back_masses(self, gradient: np.ndarray) -> np.ndarray:
        return (gradient[self.nodes] * self._masses).sum(axis=1)

    @property
    def _masses(self) -> np.ndarray:
        return self.corner_weights * (self.spacing**2 * self.thickness)

    @cached_property
    def section(self) -> Section:
        """The material as polygons, one or two in each cell, cut into triangles."""
        owner, corners, at = polygons(self.values)  # (t,), (t, 3, 2) corners of a cell and (t, 3) how far on from the first
        ends = self.nodes[owner[:, None, None], corners].reshape(-1, 2)
        at = at.ravel()
        turned = ends[:, 0] > ends[:, 1]
        ends[turned], at = ends[turned][:, ::-1], np.where(turned, 1 - at, at)
        ends[at <= 0, 1], ends[at >= 1, 0] = ends[at <= 0, 0], ends[at >= 1, 1]
        once, point = np.unique(ends, axis=0, return_index=True, return_inverse=True)[1:]
        triangles = point.reshape(-1, 3)
        proper = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
        weights = np.stack([1 - at[once], at[once]], axis=1)
        weights[ends[once, 0] == ends[once, 1]] = [1.0, 0.0]
        return Section(ends[once], weights, triangles[proper], owner[proper])

    def rim_shares(self) -> Mixture:
        """The thesis' boundary weights: N is quadratic along an edge of the outline, for which Simpson's rule is exact."""
        section = self.section
        ends = (section.of(self.rest)[section.rim] - self.lowest[section.rim_owner][:, None])[:, :, :2] / self.spacing
        N = (square_functions(ends).sum(axis=1) + 4 * square_functions(ends.mean(axis=1))) / 6
        return self.nodes[section.rim_owner], N * (self.thickness * self.rim_lengths)[:, None]

    def embedded(self, points: np.ndarray) -> Mixture:
        """(s, 4) nodes and bilinear weights of the cell whose middle is nearest to each point."""
        from scipy.spatial import cKDTree

        middle = self.lowest[:, :2] + 0.5 * self.spacing
        cell = cKDTree(middle).query(np.asarray(points, float)[:, :2], p=np.inf)[1]
        return self.nodes[cell], square_functions((points[:, :2] - self.lowest[cell, :2]) / self.spacing)

    def bind_points(self, points: np.ndarray, what: str) -> Mixture:
        points = np.asarray(points, float) * [1, 1, 0] + [0, 0, self.rest[0, 2]]
        nearby(points, self.shape(points), 0.5 * self.spacing, what, "half a cell")
        return self.embedded(points)


def _checked(squares: Squares, quadrature: Quadrature) -> tuple[float, np.ndarray]:
    """Spacing and (3,) where the cells begin [m]; arguments that do not fit are refused."""
    if not isinstance(squares.shape, Sdf):
        raise InputError(f"planar.Squares needs an Sdf, got {type(squares.shape).__name__}; see planar.Triangles for meshes")
    h = checks.length("planar.Squares(spacing=…)", squares.spacing)
    if not isinstance(quadrature, Quadrature):
        raise InputError(f"planar.Squares(quadrature={quadrature!r}): expected Gauss() or Corners()")
    if squares.volume is not None and not isinstance(squares.volume, Averaged):
        raise InputError(f"planar.Squares(volume={squares.volume!r}): expected Averaged(), or None")
    if squares.volume is not None:
        squares.volume.check_finite("planar.Squares")
    if squares.volume is not None and not squares.state.plane_strain:
        raise InputError("planar.Squares(volume=…): plane stress does not lock; leave volume out, or take PlaneStrain()")
    origin = (0.0, 0.0, 0.0) if squares.origin is None else squares.origin
    start = checks.floats(origin)
    if start.shape != (3,) or not np.all(np.isfinite(start)):
        raise InputError(f"planar.Squares(origin={origin!r}): expected three finite numbers in metres")
    low, high = squares.shape.bounds
    if not np.all(np.isfinite([low[:2], high[:2]])):
        raise InputError("this shape is not bounded in the plane, so no cells can hold it; cut it to size with & box(…)")
    room = min(start[2] - low[2], high[2] - start[2])
    if room < h:
        raise InputError(
            f"planar.Squares: the shape reaches {room:.3g} m beyond the plane z = {start[2]:g} m, less than a cell of {h:g} m, "
            "so its distance there tells little of its outline; expected a thicker shape: thickness= is that of the body"
        )
    return h, start


def _sampled(shape: Sdf, h: float, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(3,) where node (0, 0) is [m] and (nx, ny) φ at the nodes, in units of h."""
    low, high = shape.bounds[:, :2]
    counts = np.ceil((high - low) / h).astype(float) + 4
    if counts.prod() > MANY:
        raise InputError(f"{counts[0]:g} × {counts[1]:g} nodes are too many; expected at most {MANY:g}: take a larger spacing")
    first = start.copy()
    first[:2] += h * (np.floor((low - start[:2]) / h) - 1)
    x, y = (first[a] + h * np.arange(int(counts[a])) for a in range(2))
    points = np.stack(np.meshgrid(x, y, [start[2]], indexing="ij"), axis=-1).reshape(-1, 3)
    phi = shape(points).reshape(len(x), len(y)) / h
    return first, np.where(np.abs(phi) < SNAP, 0.0, phi)


def _active(phi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 2) cells with a corner inside, x fastest, and (m, 4) φ at their corners."""
    nx, ny = phi.shape
    corner = np.stack([phi[i : nx - 1 + i, j : ny - 1 + j] for i, j in SQUARE], axis=-1)
    cells = np.argwhere((corner < 0).any(axis=-1).T)[:, ::-1]
    return cells, corner[cells[:, 0], cells[:, 1]]


def _numbered(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 4) node numbers of the corners of cells, x fastest, and (n, 2) the index of each node."""
    corners = (cells[:, None] + SQUARE).reshape(-1, 2)
    width = corners[:, 0].max() + 1
    used, number = np.unique(corners[:, 1] * width + corners[:, 0], return_inverse=True)
    return number.reshape(-1, 4).astype(np.int32), np.stack([used % width, used // width], axis=1)
