"""A solid inside a body, such as a muscle in flesh: one quadrature point in each element that it reaches.

The point is the centroid of the solid's part in the element and its weight the volume of that part (Patterson et al. 2012,
§5). It is an element like any other: nodes, gradients, a weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..geometry.fragments import SNAP, Fragments, fragments_of, interpolated, sampled_integrals, shape_gradients
from ..geometry.sdf import Sdf
from .base import Elements
from .lattice import Lattice
from .tets import Tets

FINE = 16  # points along each edge of a cell that both the body and the solid cut
LEAST = 1e-6  # parts smaller than this share of their element are left out


@dataclass(frozen=True, eq=False)
class Inlay(Elements):
    """The part of a solid inside a body, one point per element, in the body's nodes."""

    points: np.ndarray = None  # (m, 3) where the solid is sampled [m]
    cells: np.ndarray = None  # (m,) the body's element that holds each


def inlay(elements: Elements, shape: Sdf) -> Inlay | None:
    """The part of ``shape`` inside a lattice or tet body, or None where they do not meet.

    On a lattice volumes and centroids are exact where one plane cuts a cell; a cell that both surfaces cut is sampled. What
    has no node inside is not seen. In a tet the point is the tet's centroid, and the volume that of the linear distance.
    """
    if isinstance(elements, Lattice):
        return _in_lattice(elements, shape)
    if isinstance(elements, Tets):
        return _in_tets(elements, shape)
    raise InputError(f"a solid cannot be laid into {type(elements).__name__}; expected Lattice or Tets")


def _in_lattice(lattice: Lattice, shape: Sdf) -> Inlay | None:
    h = lattice.spacing
    phi = shape(lattice.rest) / h
    values = np.where(np.abs(phi) < SNAP, 0.0, phi)[lattice.nodes]
    cells = np.flatnonzero((values < 0).any(axis=1))
    integrals = _common(lattice.fragments, values, cells)
    kept = integrals[:, 0] > LEAST
    if not kept.any():
        return None
    cells, integrals = cells[kept], integrals[kept]
    xi = integrals[:, 1:4] / integrals[:, :1]
    points = lattice.lowest[cells] + h * xi
    gradients, weights = shape_gradients(xi)[:, None] / h, integrals[:, :1] * h**3
    return Inlay(lattice.rest, lattice.nodes[cells], gradients, weights, points=points, cells=cells)


def _common(body: Fragments, values: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """(r, 11) ∫ of the monomials over body and solid together; the solid has corner values (m, 8) in units of h."""
    solid = fragments_of(values[cells]).integrals
    whole, full = body.whole[cells], np.all(values[cells] <= 0, axis=1)
    out = np.where(full[:, None], body.integrals[cells], solid)
    both = np.flatnonzero(~whole & ~full)
    ticks = (np.arange(FINE) + 0.5) / FINE
    xi = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    for part in np.array_split(both, len(both) // 256 + 1):
        at = cells[part]
        outside = np.maximum(interpolated(body.values[at][:, None], xi), interpolated(values[at][:, None], xi))
        out[part] = sampled_integrals(outside <= 0, xi)
    return out


def _in_tets(tets: Tets, shape: Sdf) -> Inlay | None:
    share = filled_share(shape(tets.rest)[tets.nodes])
    cells = np.flatnonzero(share > LEAST)
    if not len(cells):
        return None
    points, weights = tets.rest[tets.nodes[cells]].mean(axis=1), (share * tets.volumes)[cells, None]
    return Inlay(tets.rest, tets.nodes[cells], tets.gradients[cells], weights, points=points, cells=cells)


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
