"""Inlay: a solid inside a body, such as a muscle.

The point is the centroid of the solid's part in the element and its weight the volume of that part (Patterson et al.
2012, §5). It is an element like any other: nodes, gradients, a weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.distance.sdf import Sdf
from ..geometry.lattice.fragments import CORNERS, SNAP, fragments_of, sampled_integrals, shape_functions, shape_gradients
from ..geometry.mesh.mesh import TetMesh
from .base import Elements

if TYPE_CHECKING:
    from .hexes import Hexes
    from .lattice.lattice import Lattice
    from .tets import Tets

PARTS = 3  # a cell is cut into this many parts along each edge, as muscles are often hardly wider than a cell
FINE = 16  # points along each edge of a cell that both the body and the solid cut
SLICE = 256  # such cells sampled at once
LEAST = 1e-6  # parts smaller than this share of their element are left out


@dataclass(frozen=True, eq=False)
class Inlay(Elements):
    """The part of a solid inside a body, points in the body's elements, on its nodes."""

    points: np.ndarray = None  # (m, 3) where the solid is sampled [m]
    cells: np.ndarray = None  # (m,) the body's element that holds each


def inlay(elements: Elements, shape: Sdf) -> Inlay | None:
    """The part of ``shape`` inside a solid body, or None where they do not meet.

    On a lattice volumes and centroids are exact where one plane cuts a cell; a cell that both surfaces cut is sampled.
    What is thinner than a third of a cell may be missed. In a tet the point is the tet's centroid, and the volume that
    of the linear distance; a ten-node tet counts as the eight between its nodes. Hexahedra are sampled.
    """
    return elements.inlaid(shape)


def in_lattice(lattice: Lattice, shape: Sdf) -> Inlay | None:
    h, body = lattice.spacing, lattice.fragments
    cells = np.flatnonzero(shape(lattice.lowest + 0.5 * h) < np.sqrt(0.75) * h)  # the others cannot be reached
    phi = _sampled(lattice, shape, cells, np.arange(PARTS + 1) / PARTS)
    full = np.all(phi <= 0, axis=1)
    moments = np.where(full[:, None], body.integrals[cells, :4], 0.0)  # ∫ 1 and ∫ ξ
    cut = np.flatnonzero(~full & body.whole[cells])
    moments[cut] = _clipped(phi[cut])
    both = np.flatnonzero(~full & ~body.whole[cells] & (phi < 0).any(axis=1))
    ticks = (np.arange(FINE) + 0.5) / FINE
    for start in range(0, len(both), SLICE):
        part = both[start : start + SLICE]
        places = np.broadcast_to(_grid(ticks), (len(part), len(ticks) ** 3, 3))
        material = body.level(cells[part], places) <= 0
        inside = material & (_sampled(lattice, shape, cells[part], ticks) <= 0)
        moments[part] = sampled_integrals(inside, _grid(ticks))[:, :4]
    kept = moments[:, 0] > LEAST
    if not kept.any():
        return None
    cells, moments = cells[kept], moments[kept]
    xi = moments[:, 1:] / moments[:, :1]
    points = lattice.lowest[cells] + h * xi
    gradients, weights = shape_gradients(xi)[:, None] / h, moments[:, :1] * h**3
    cubes = {"places": 2 * xi[:, None] - 1, "edges": np.full(len(cells), h)}
    return Inlay(lattice.rest, lattice.nodes[cells], gradients, weights, points=points, cells=cells, **cubes)


def _grid(ticks: np.ndarray) -> np.ndarray:
    """(p³, 3) points of a cell, z fastest."""
    return np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)


def _sampled(lattice: Lattice, shape: Sdf, cells: np.ndarray, ticks: np.ndarray) -> np.ndarray:
    """(m, p³) φ/h of a solid at such points of some cells."""
    points = lattice.lowest[cells][:, None] + lattice.spacing * _grid(ticks)
    phi = shape(points.reshape(-1, 3)).reshape(len(cells), len(ticks) ** 3) / lattice.spacing
    return np.where(np.abs(phi) < SNAP, 0.0, phi)


def _clipped(phi: np.ndarray) -> np.ndarray:
    """(m, 4) ∫ 1 and ∫ ξ where φ < 0, from its values at (PARTS + 1)³ points: exact where φ is linear in each part."""
    phi = phi.reshape(-1, PARTS + 1, PARTS + 1, PARTS + 1)
    total = np.zeros((len(phi), 4))
    for first in np.ndindex(PARTS, PARTS, PARTS):
        part = fragments_of(np.stack([phi[(slice(None), *(first + corner))] for corner in CORNERS], axis=1)).integrals
        total[:, 0] += part[:, 0] / PARTS**3
        total[:, 1:] += (part[:, :1] * first + part[:, 1:4]) / PARTS**4
    return total


def in_tets(tets: Tets, shape: Sdf) -> Inlay | None:
    corners, owner, gradients = tets.filling()
    share = filled_share(shape(tets.rest)[corners])
    kept = np.flatnonzero(share > LEAST)
    if not len(kept):
        return None
    volumes, cells = TetMesh(tets.rest, corners).volumes, owner[kept]
    points, weights = tets.rest[corners[kept]].mean(axis=1), (share * volumes)[kept, None]
    return Inlay(tets.rest, tets.nodes[cells], gradients[kept][:, None], weights, points=points, cells=cells)


def in_hexes(hexes: Hexes, shape: Sdf) -> Inlay | None:
    """The part of ``shape`` inside hexahedra, from samples of each cell that it may reach."""
    corners = hexes.rest[hexes.nodes]
    middle = corners.mean(axis=1)
    reach = np.linalg.norm(corners - middle[:, None], axis=2).max(axis=1)
    cells = np.flatnonzero(shape(middle) < reach)
    places = _grid((np.arange(FINE // 2) + 0.5) / (FINE // 2))
    N, slopes = shape_functions(places), shape_gradients(places)
    moments = np.zeros((len(cells), 4))  # ∫ 1 [m³] and ∫ ξ
    for start in range(0, len(cells), SLICE):
        part = slice(start, start + SLICE)
        own = corners[cells[part]]
        size = np.linalg.det(np.einsum("mic,qia->mqca", own, slopes)) / len(places)
        inside = shape(np.einsum("qi,mic->mqc", N, own).reshape(-1, 3)).reshape(size.shape) <= 0
        moments[part] = (size * inside) @ np.column_stack([np.ones(len(places)), places])
    kept = moments[:, 0] > LEAST * hexes.volumes[cells]
    if not kept.any():
        return None
    cells, moments = cells[kept], moments[kept]
    xi = moments[:, 1:] / moments[:, :1]
    slopes = shape_gradients(xi)
    gradients = slopes @ np.linalg.inv(np.einsum("mic,mia->mca", corners[cells], slopes))
    points = np.einsum("mi,mic->mc", shape_functions(xi), corners[cells])
    return Inlay(hexes.rest, hexes.nodes[cells], gradients[:, None], moments[:, :1], points=points, cells=cells)


def filled_share(phi: np.ndarray) -> np.ndarray:
    """(m,) share of tets in which a linear φ with corner values (m, 4) is negative."""
    phi = np.sort(phi, axis=1)
    inside = np.count_nonzero(phi < 0, axis=1)
    share = np.where(inside == 4, 1.0, 0.0)
    a, b, c, d = phi[inside == 1].T
    share[inside == 1] = a**3 / ((a - b) * (a - c) * (a - d))
    a, b, c, d = phi[inside == 2].T  # the sum of that over a and b, with a − b divided out
    top = (a * b) ** 2 - a * b * (a + b) * (c + d) + c * d * (a * a + a * b + b * b)
    share[inside == 2] = top / ((a - c) * (a - d) * (b - c) * (b - d))
    a, b, c, d = phi[inside == 3].T
    share[inside == 3] = 1 - d**3 / ((d - a) * (d - b) * (d - c))
    return share
