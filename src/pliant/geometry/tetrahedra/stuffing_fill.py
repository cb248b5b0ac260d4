"""Isosurface stuffing steps: cut, warp, fill (Labelle & Shewchuk 2007, §3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arguments import checks
from ...errors import InputError
from ..distance.sdf import Sdf
from ..mesh.mesh import TriMesh
from .stuffing_lattice import POINTS, Lattice, enclosing_lattice
from .stuffing_octree import coarse_tets, fine_cells, merged_cells
from .stuffing_table import EDGES, POWERS, stencils

# A lattice point nearer than this part of an edge to a cut moves there. The pair that makes the worst dihedral angle
# over all stencils the largest, 10.78° (tests/geometry/test_stuffing.py searches them).
ALPHA_LONG, ALPHA_SHORT = 0.2851, 0.3988
ON = 1e-6  # a point nearer than this part of an edge is on the surface


@dataclass(frozen=True, eq=False)
class Stuffed:
    """Tets in the numbers of a lattice, followed by those of its cut points."""

    lattice: Lattice
    sign: np.ndarray  # (lattice points,) 1 inside, 0 on the surface, -1 outside
    cuts: Cuts
    tets: np.ndarray  # (m, 4)

    def positions(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) places [m] of ascending point numbers."""
        inner = points[points < self.lattice.size]
        cut = points[len(inner) :] - self.lattice.size
        places = np.concatenate([self.lattice.positions(inner), self.cuts.points[cut]])
        place = np.searchsorted(inner, self.cuts.moved)
        kept = np.flatnonzero(inner[np.minimum(place, len(inner) - 1)] == self.cuts.moved) if len(inner) else []
        places[place[kept]] = self.cuts.moved_to[kept]
        return places


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where the surface crosses lattice edges, and the lattice points that moved onto it."""

    edges: np.ndarray  # (m, 2) lattice points
    long: np.ndarray  # (m,)
    at: np.ndarray  # (m,) part of the way from the first end
    points: np.ndarray  # (m, 3) [m]
    moved: np.ndarray  # (k,) lattice points
    moved_to: np.ndarray  # (k, 3) [m]


def stuffed(shape: TriMesh | Sdf, edge: float, levels: int) -> Stuffed:
    """Fill a solid; ``levels``: how often cells may double inside."""
    distance, bounds, true_size = solid_of(shape)
    lattice = enclosing_lattice(bounds, edge, 2**levels)
    value = -lattice.sampled(distance, true_size)
    sign = np.where(np.abs(value) < ON * edge, 0, np.sign(value)).astype(np.int8)
    if not (sign > 0).any():
        raise InputError(nothing_inside(bounds, edge))
    cuts = _warped(lattice, sign, _found_cuts(lattice, sign, value, distance))
    allowed, tets = None, []
    if levels:
        merged = merged_cells(lattice, sign, levels)
        allowed = fine_cells(merged)
        tets.append(coarse_tets(lattice, merged))
    tets.extend(_filled(lattice, sign, cuts, allowed))
    tets = np.concatenate(tets)
    if not len(tets):  # every point inside moved onto the surface
        raise InputError(nothing_inside(bounds, edge))
    return Stuffed(lattice, sign, cuts, tets)


def solid_of(shape: TriMesh | Sdf) -> tuple[Callable[[np.ndarray], np.ndarray], np.ndarray, bool]:
    """A function that gives signed distances [m] at (n, 3) points, the (2, 3) bounds, and whether sizes are true.

    They are not across the holes of a surface, nor on a grid, which may hold anything.
    """
    if isinstance(shape, Sdf):
        return shape, shape.bounds, False
    if isinstance(shape, TriMesh):
        from ..distance.mesh_distance import MeshDistance

        distance = MeshDistance(shape)
        return distance, distance.bounds, distance.closed
    raise InputError(f"shape is {checks.kind(shape)}; expected a TriMesh or an Sdf")


def nothing_inside(bounds: np.ndarray, edge: float) -> str:
    """Why no tets of an edge [m] fit into a shape with these bounds (2, 3) [m], and what to do about it."""
    size = bounds[1] - bounds[0]
    sides = " × ".join(f"{s:.3g}" for s in size)
    thin = float(size.min())
    if thin < 1e-6 * float(size.max()):
        return (
            f"no lattice point lies inside the shape: it is a sheet of {sides} m without an inside; expected a solid: "
            "Membrane(mesh, thickness) is cloth of a sheet"
        )
    shorter = min(0.5 * edge, 0.25 * thin)
    needed = float(np.prod(size / shorter + 3)) * 2
    if needed > POINTS:
        return (
            f"no lattice point lies inside the shape: a solid of {sides} m is so thin that tets of {shorter:.2g} m would be "
            f"needed, more than there is room for; expected a thicker one, or a Membrane(mesh, thickness={thin:.2g})"
        )
    return f"no lattice point lies inside the shape: edge {edge:g} m is too long for a solid of {sides} m; try edge={shorter:.2g}"


def _found_cuts(lattice: Lattice, sign: np.ndarray, value: np.ndarray, distance: Callable) -> Cuts:
    """Cut points by regula falsi (Illinois), which needs no more than a sign change."""
    edges, long = lattice.cut_edges(sign)
    a, b = (lattice.positions(edges[:, i]) for i in (0, 1))
    ends, f_ends = np.tile([0.0, 1.0], (len(edges), 1)), value[edges]
    at = f_ends[:, 0] / (f_ends[:, 0] - f_ends[:, 1])
    kept = np.full(len(edges), -1)  # the end that stayed last time
    todo = np.arange(len(edges))
    for _ in range(6):
        f = -distance(a[todo] + at[todo, None] * (b[todo] - a[todo]))
        far = np.abs(f) > ON * lattice.edge
        todo, f = todo[far], f[far]
        moves = np.where((f > 0) == (f_ends[todo, 0] > 0), 0, 1)
        stays = 1 - moves
        f_ends[todo, stays] *= np.where(stays == kept[todo], 0.5, 1.0)  # an end that stays twice would stay for good
        kept[todo] = stays
        ends[todo, moves], f_ends[todo, moves] = at[todo], f
        (low, high), (f_low, f_high) = ends[todo].T, f_ends[todo].T
        at[todo] = low + (high - low) * f_low / (f_low - f_high)
    return Cuts(edges, long, at, a + at[:, None] * (b - a), np.zeros(0, dtype=np.int32), np.zeros((0, 3)))


def _warped(lattice: Lattice, sign: np.ndarray, cuts: Cuts) -> Cuts:
    """Move lattice points onto cuts that are too near them, and drop the cuts of their edges; ``sign`` becomes 0.

    Points that share an edge must move one after the other. Four colours (corner or centre, even or odd) tell
    neighbours apart, so all points of one colour move at once.
    """
    colour = lattice.indices(cuts.edges.ravel())
    colour = (2 * (colour[:, 0] % 2) + colour.sum(axis=1) // 2 % 2).reshape(-1, 2)
    reach = np.where(cuts.long, ALPHA_LONG, ALPHA_SHORT)
    length = np.where(cuts.long, 1.0, np.sqrt(0.75))
    alive = np.ones(len(cuts.edges), dtype=bool)
    moved, moved_to = [], []
    for turn in range(4):
        near = [
            np.flatnonzero(alive & (colour[:, end] == turn) & (part < reach)) for end, part in enumerate((cuts.at, 1.0 - cuts.at))
        ]
        cut = np.concatenate(near)
        point = np.concatenate([cuts.edges[near[0], 0], cuts.edges[near[1], 1]])
        way = np.concatenate([cuts.at[near[0]], 1.0 - cuts.at[near[1]]]) * length[cut]
        order = np.lexsort((cut, way, point))
        first = order[np.flatnonzero(np.diff(point[order], prepend=-1))]  # the nearest cut of each point
        moved.append(point[first])
        moved_to.append(cuts.points[cut[first]])
        sign[point[first]] = 0
        alive &= (sign[cuts.edges] != 0).all(axis=1)
    return Cuts(
        cuts.edges[alive], cuts.long[alive], cuts.at[alive], cuts.points[alive],
        np.concatenate(moved), np.concatenate(moved_to),
    )  # fmt: skip


def _filled(lattice: Lattice, sign: np.ndarray, cuts: Cuts, allowed: np.ndarray | None) -> list[np.ndarray]:
    """Tets of the uniform lattice: whole where nothing is outside, by stencil where the surface passes."""
    count, stencil = stencils()
    size = np.int64(lattice.size)
    key = cuts.edges.min(axis=1) * size + cuts.edges.max(axis=1)
    order = np.argsort(key, kind="stable")
    key = key[order]
    pieces = []
    for kind in range(12):
        tets = lattice.tets(kind, allowed, sign)
        signs = sign[tets]
        crossed = (signs < 0).any(axis=1)
        pieces.append(tets[~crossed])
        tets, signs = tets[crossed], signs[crossed]
        local = np.zeros((len(tets), 10), dtype=np.int32)
        local[:, :4] = tets
        for row, (i, j) in enumerate(EDGES):
            cut = np.flatnonzero(signs[:, i] * signs[:, j] < 0)
            ends = tets[cut][:, [i, j]].astype(np.int64)
            place = np.searchsorted(key, ends.min(axis=1) * size + ends.max(axis=1))
            local[cut, 4 + row] = size + order[place]
        pattern = (signs + 1) @ POWERS
        numbers = np.take_along_axis(local, stencil[kind, pattern].reshape(-1, 12).astype(np.int64), axis=1)
        used = np.arange(3) < count[kind, pattern][:, None]
        pieces.append(numbers.reshape(-1, 3, 4)[used])
    return pieces
