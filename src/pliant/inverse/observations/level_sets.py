"""Level set observations of a moved lattice body.

φ(p) ≈ φ⁰(X(p)) with X the inverse of the trilinear map of the cell that p lies in (Weiß 2018, §5.4.3): a distance as far as
the body is not stretched, 0 in the right places in any case. Points in no cell are outside, and have the distance to the
surface, so that they have gradients too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...geometry.distance.sdf import Sdf
from ...geometry.lattice.fragments import CORNERS
from ...simulate.simulation import Simulation
from .alignment import Placed, by_placing, placed
from .clouds import LOSSES, check_cloud_units, checked_clouds
from .markers import body_rows
from .observation import BoundObservation, Own, Residual, checked_times, of_places
from .robust_loss import Loss, Quadratic
from .surface_places import Surfaces

CANDIDATES = 27  # nearest cells by centre, searched for the one around a point
NEWTON = 20
EDGE = 1e-9  # tolerance of a point outside a cell
SAMPLES = 200_000  # largest number of places of a level set


class RestLevels:
    """φ of a lattice body at points now, with derivatives by its nodes and by the points."""

    def __init__(self, sim: Simulation, body: int, what: str):
        rows, shape = body_rows(sim, body, what), sim.scene.bodies[body].shape
        if not shape.has_cut:
            raise InputError(
                f"{what}: {type(shape).__name__} has no level set at rest; expected a Lattice, or use Clouds(points, times)"
            )
        self.nodes, self.depth = shape.nodes + rows.start, np.zeros(sim.world.count)
        self.depth[rows] = shape.depth
        self.surfaces = Surfaces([sim.skins[body]], sim.world.count)

    def __call__(self, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, sparse.csr_array, np.ndarray]:
        """(n,) φ, its (n, 3·nodes) derivatives by positions, and (n, 3) by the points."""
        cell, xi = self._held(x, q)
        n, inside = len(q), np.flatnonzero(cell >= 0)
        phi, by_point = np.zeros(n), np.zeros((n, 3))
        nodes = self.nodes[cell[inside]]
        N, dN = _functions(xi[inside])
        phi[inside] = np.einsum("nk,nk->n", N, self.depth[nodes])
        A = np.einsum("nkc,nka->nca", x[nodes], dN)  # ∂x/∂ξ
        by_xi = np.einsum("nka,nk->na", dN, self.depth[nodes])
        way = np.linalg.solve(np.swapaxes(A, 1, 2), by_xi[:, :, None])[:, :, 0]  # ∇φ now
        by_point[inside] = way
        entries = -N[:, :, None] * way[:, None, :]
        rows = [np.repeat(inside, 24)]
        columns, values = [(3 * nodes[:, :, None] + np.arange(3)).ravel()], [entries.ravel()]
        outside = np.flatnonzero(cell < 0)
        if len(outside):
            near = self.surfaces.away(x, q[outside])
            phi[outside], by_point[outside] = near.values, near.by_point
            mixture = sparse.kron(self.surfaces.matrix, sparse.eye_array(3), format="csr")
            whole = sparse.coo_array(near.rows @ mixture)
            rows.append(outside[whole.row])
            columns.append(whole.col)
            values.append(whole.data)
        coordinates = (np.concatenate(rows), np.concatenate(columns))
        return phi, sparse.csr_array((np.concatenate(values), coordinates), shape=(n, x.size)), by_point

    def _held(self, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) the cell that each point lies in, −1 for none, and (n, 3) ξ in it."""
        corners = x[self.nodes]
        few = min(CANDIDATES, len(corners))
        near = cKDTree(corners.mean(axis=1)).query(q, k=few)[1].reshape(len(q), few)
        low, high = corners.min(axis=1), corners.max(axis=1)
        cell, place = np.full(len(q), -1), np.zeros((len(q), 3))
        for j in range(few):
            open_ = np.flatnonzero(cell < 0)
            around = near[open_, j]
            slack = EDGE * (high[around] - low[around])
            within = np.all((q[open_] >= low[around] - slack) & (q[open_] <= high[around] + slack), axis=1)
            points, cells = open_[within], around[within]
            xi, found = _inverse(corners[cells], q[points])
            cell[points[found]], place[points[found]] = cells[found], xi[found]
        return cell, place


def _functions(xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 8) trilinear functions at ξ (n, 3), and their (n, 8, 3) derivatives."""
    factor = np.where(CORNERS[None], xi[:, None], 1 - xi[:, None])  # (n, 8, 3)
    slope = np.where(CORNERS[None], 1.0, -1.0)
    x, y, z = np.moveaxis(factor, 2, 0)
    by = slope * np.stack([y * z, x * z, x * y], axis=2)
    return x * y * z, by


def _inverse(corners: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) ξ with Σ N(ξ) x = q, by Newton's method from the middle, and whether it was found in the cell."""
    xi = np.full((len(q), 3), 0.5)
    found = np.zeros(len(q), bool)
    if not len(q):
        return xi, found
    size = np.ptp(corners, axis=1).max(axis=1)
    for _ in range(NEWTON):
        N, dN = _functions(xi)
        off = np.einsum("nk,nkc->nc", N, corners) - q
        A = np.einsum("nkc,nka->nca", corners, dN)
        singular = np.abs(np.linalg.det(A)) < 1e-12 * size**3
        A[singular] = np.eye(3)
        change = np.linalg.solve(A, off[:, :, None])[:, :, 0]
        xi = np.clip(xi - change, -1.0, 2.0)
        if np.abs(change).max() < 1e-13:
            break
    N, _ = _functions(xi)
    off = np.linalg.norm(np.einsum("nk,nkc->nc", N, corners) - q, axis=1)
    found = (off <= 1e-9 * size) & np.all((xi >= -EDGE) & (xi <= 1 + EDGE), axis=1)
    return xi, found


@dataclass(frozen=True, eq=False)
class SparsePoints(Placed):
    """``points`` of the surface of a lattice body at ``times`` [s], for each frame (n, 3) [m]: ½ Σ φ(p)² of the level set.

    Smooth from cell to cell; it knows lattices only. A distance that is trilinear in a cell is too large on a curved surface, the
    more so the coarser the cells, so that fits are biased: prefer ``Clouds`` unless cells are small against its radii.
    """

    points: Sequence[np.ndarray]
    times: Vector
    body: int = 0
    loss: Loss = field(default_factory=Quadratic)

    def __post_init__(self):
        self._check_placed()
        object.__setattr__(self, "points", checked_clouds("SparsePoints", self.points))
        object.__setattr__(self, "times", checked_times("SparsePoints", self.times, len(self.points)))
        checks.instance("SparsePoints(loss=…)", self.loss, Loss, LOSSES)

    @property
    def bodies(self) -> tuple[int]:
        """The one body it is of."""
        return (self.body,)

    def bound(self, sim: Simulation) -> BoundObservation:
        levels = RestLevels(sim, self.body, "SparsePoints")
        check_cloud_units(self, sim)
        return _SeenPoints(self, levels)


class _SeenPoints(BoundObservation):
    def __init__(self, given: SparsePoints, levels: RestLevels):
        self.times, self.parameters, self.given, self.levels = given.times, given.own, given, levels
        self.numbers = sum(map(len, given.points))

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        points, sigma = self.given.points[frame], self.given.scale
        phi, by_x, by_point = self.levels(x, placed(points, own))
        r, slope = self.given.loss.scalars(phi)
        scale = slope / sigma
        by_own = by_placing(points, own, scale[:, None] * by_point)
        return Residual(r / sigma, sparse.diags_array(scale) @ by_x, by_own, sites=lambda: of_places(points))


@dataclass(frozen=True, eq=False)
class LevelSets(Placed):
    """``shapes`` of a lattice body at ``times`` [s], each an Sdf: level sets compared where that shape's surface is near.

    Places are ``spacing`` [m] apart, within three ``width`` [m] of the surface; compared is γ(φ) = width·atan(φ/width), which far
    from it does not grow (Weiß 2018, §5.4.2).
    """

    shapes: Sequence[Sdf]
    times: Vector
    spacing: float
    width: float
    body: int = 0

    def __post_init__(self):
        self._check_placed()
        shapes = self.shapes
        if not isinstance(shapes, list | tuple) or not shapes or not all(isinstance(s, Sdf) for s in shapes):
            raise InputError(f"LevelSets(shapes={checks.shown(shapes)}): expected a list of solids such as sphere(0.1)")
        object.__setattr__(self, "times", checked_times("LevelSets", self.times, len(shapes)))
        for name in ("spacing", "width"):
            object.__setattr__(self, name, checks.length(f"LevelSets({name}=…)", getattr(self, name)))
        object.__setattr__(self, "_places", tuple(self._sampled(i) for i in range(len(shapes))))

    def _sampled(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) places near the surface of a shape, and γ of its distance there."""
        shape, reach = self.shapes[frame], 3 * self.width
        low, high = shape.bounds + np.array([[-reach], [reach]])
        if not np.all(np.isfinite([low, high])):
            raise InputError(f"LevelSets: the shape of frame {frame} has no end; expected a closed solid")
        with np.errstate(over="ignore"):
            count = np.prod(np.floor((high - low) / self.spacing) + 1)
        if not count <= 50 * SAMPLES:
            raise InputError(
                f"LevelSets(spacing={self.spacing:g}): {count:.3g} places around frame {frame}; expected fewer than "
                f"{50 * SAMPLES:.0e}: use a larger spacing"
            )
        axes = [np.arange(a, b, self.spacing) for a, b in zip(low, high)]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        phi = shape(points)
        near = np.abs(phi) <= reach
        if not near.any() or near.sum() > SAMPLES:
            raise InputError(
                f"LevelSets: {near.sum()} places are near the surface of frame {frame}; expected 1 … {SAMPLES}: change "
                "spacing or width"
            )
        return points[near], self.width * np.arctan(phi[near] / self.width)

    def bound(self, sim: Simulation) -> BoundObservation:
        return _SeenLevels(self, RestLevels(sim, self.body, "LevelSets"))


class _SeenLevels(BoundObservation):
    def __init__(self, given: LevelSets, levels: RestLevels):
        self.times, self.parameters, self.given, self.levels = given.times, given.own, given, levels
        self.numbers = sum(len(points) for points, _ in given._places)

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        points, wanted = self.given._places[frame]
        sigma, width = self.given.scale, self.given.width
        phi, by_x, by_point = self.levels(x, placed(points, own))
        scale = 1 / (1 + (phi / width) ** 2) / sigma
        r = (width * np.arctan(phi / width) - wanted) / sigma
        by_own = by_placing(points, own, scale[:, None] * by_point)
        return Residual(r, sparse.diags_array(scale) @ by_x, by_own, sites=lambda: of_places(points))
