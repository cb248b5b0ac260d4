"""Fragments of a solid in lattice cells, with exact integrals.

A cell of spacing h has its corners at ξ ∈ {0, 1}³, corner c at ξ = (c & 1, c >> 1 & 1, c >> 2 & 1), x fastest. φ is
negative inside; between the corners it is linear in 24 tetrahedra around the cell's centre, the centre and the face
centres taking the mean of their corners. Neighbours agree on their faces and no direction is preferred.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import InputError
from ..distance.sdf import Sdf

CORNERS = np.array([[c & 1, c >> 1 & 1, c >> 2 & 1] for c in range(8)])  # (8, 3) ξ of each corner
# monomials 1, x, y, z, xx, yy, zz, xy, xz, yz, xyz
POWERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0], [1, 0, 1],
                   [0, 1, 1], [1, 1, 1]])  # fmt: skip
_SQUARE = np.array([[0, 1, 2, 3], [1, 4, 7, 8], [2, 7, 5, 9], [3, 8, 9, 6]])  # monomial of each entry of Eq 9
SNAP = 1e-5  # a corner nearer to the surface than this part of h is on it
SLICE = 2048  # cut cells clipped at once


def _split() -> tuple[np.ndarray, np.ndarray]:
    """(15, 8) points of a cell as means of its corners: corners, centre, face centres; and (24, 4) tets of them."""
    points, tets = [*np.eye(8), np.full(8, 1 / 8)], []
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            face = np.flatnonzero(CORNERS[:, axis] == side)
            points.append(np.isin(np.arange(8), face) / 4)
            for along, across in ((b, c), (c, b)):
                for end in (0, 1):
                    edge = face[CORNERS[face, across] == end]
                    tets.append([8, len(points) - 1, *sorted(edge, key=lambda i: CORNERS[i, along])])
    return np.array(points), np.array(tets)


POINTS, TETS = _split()
# N_i as a combination of the monomials: Π over the axes of x or 1 − x
_SHAPE = np.zeros((8, 11))
for _c, _corner in enumerate(CORNERS):
    for _k, _power in enumerate(POWERS):
        if _power.max() <= 1 and np.all(_power >= _corner):
            _SHAPE[_c, _k] = (-1.0) ** int(np.sum(_power - _corner))


def interpolated(values: np.ndarray, xi: np.ndarray) -> np.ndarray:
    """(…,) φ at ξ (…, 3) in cells with corner values (…, 8), linear in each of the 24 tetrahedra."""
    rows = np.broadcast_shapes(values.shape[:-1], xi.shape[:-1])
    y, values = np.broadcast_to(xi - 0.5, (*rows, 3)), np.broadcast_to(values, (*rows, 8))
    order = np.argsort(-np.abs(y), axis=-1, kind="stable")
    size = np.take_along_axis(np.abs(y), order, axis=-1)
    _, b, c = (order[..., i] for i in range(3))
    signed = np.take_along_axis(y, order, axis=-1)
    bit = np.where(signed > 0, 1, 0) << order

    def at(corner):
        return np.take_along_axis(values, corner[..., None], axis=-1)[..., 0]

    base = bit[..., 0] + bit[..., 1]
    face = sum(at(bit[..., 0] + (i << b) + (j << c)) for i in (0, 1) for j in (0, 1)) / 4
    along = signed[..., 2]
    ends = (size[..., 1] - along) * at(base) + (size[..., 1] + along) * at(base + (1 << c))
    return (1 - 2 * size[..., 0]) * values.mean(axis=-1) + 2 * (size[..., 0] - size[..., 1]) * face + ends


def shape_functions(xi: np.ndarray) -> np.ndarray:
    """(…, 8) trilinear N at ξ (…, 3)."""
    return np.prod(np.where(CORNERS > 0, xi[..., None, :], 1 - xi[..., None, :]), axis=-1)


def shape_gradients(xi: np.ndarray) -> np.ndarray:
    """(…, 8, 3) ∂N/∂ξ at ξ (…, 3); divide by h for the gradient in space."""
    part = np.where(CORNERS > 0, xi[..., None, :], 1 - xi[..., None, :])
    sign = 2.0 * CORNERS - 1
    others = [part[..., 1] * part[..., 2], part[..., 0] * part[..., 2], part[..., 0] * part[..., 1]]
    return np.stack([sign[:, a] * others[a] for a in range(3)], axis=-1)


@dataclass(frozen=True, eq=False)
class Classes:
    """Nodes and cells of a lattice around a solid: nodes are inner where φ ≤ 0, cells active where a corner has φ < 0.

    The strict sign keeps out cells that the solid touches without entering; active nodes are the corners of active
    cells.
    """

    origin: np.ndarray  # (3,) position of node (0, 0, 0) [m]
    spacing: float  # h [m]
    phi: np.ndarray  # (nx, ny, nz) signed distance at the nodes, in units of h; 0 where it was snapped

    @cached_property
    def inner(self) -> np.ndarray:
        """(nx, ny, nz) whether φ ≤ 0."""
        return self.phi <= 0

    @cached_property
    def active_cells(self) -> np.ndarray:
        """(m, 3) index of the lowest corner of each active cell, x fastest."""
        strict = self.phi < 0
        x, y, z = self.phi.shape
        active = np.zeros((x - 1, y - 1, z - 1), bool)
        for i, j, k in CORNERS:
            active |= strict[i : x - 1 + i, j : y - 1 + j, k : z - 1 + k]
        return np.argwhere(active.transpose(2, 1, 0))[:, ::-1]

    def values(self, cells: np.ndarray) -> np.ndarray:
        """(m, 8) φ at the corners of cells (m, 3), in units of h."""
        return np.stack([self.phi[tuple((cells + corner).T)] for corner in CORNERS], axis=1)


def node_counts(bounds: np.ndarray, spacing: float, border: int = 1) -> np.ndarray:
    """(3,) nodes of a lattice that holds a box wherever it lies between nodes, with ``border`` layers to spare."""
    low, high = np.asarray(bounds, float)
    with np.errstate(over="ignore"):  # what is beyond all counting is refused for its number
        return np.minimum(np.ceil((high - low) / spacing), 1e9).astype(int) + 2 * border


def classes_of(shape: Sdf, spacing: float, origin: np.ndarray | None = None, snap: float = SNAP) -> Classes:
    """Sample a solid at the nodes origin + h (i, j, k); |φ| < ``snap`` h counts as 0, as on the surface."""
    bounds = shape.bounds
    if not np.all(np.isfinite(bounds)):
        raise InputError("this shape is not bounded, so no lattice can hold it; cut it to size with & box(…)")
    origin = np.zeros(3) if origin is None else np.asarray(origin, float)
    counts = node_counts(bounds, spacing, 2)
    if np.prod(counts.astype(float)) > 2e8:
        size = " × ".join(str(n) for n in counts)
        raise InputError(f"a lattice of {size} nodes is too large to sample; expected at most 2e8: take a larger spacing")
    first = np.floor((bounds[0] - origin) / spacing).astype(int) - 1
    origin = origin + spacing * first
    axes = [origin[a] + spacing * np.arange(counts[a]) for a in range(3)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    phi = shape(points).reshape(tuple(counts)) / spacing
    return Classes(origin, float(spacing), np.where(np.abs(phi) < snap, 0.0, phi))


@dataclass(frozen=True, eq=False)
class Fragments:
    """The material part of m cells, in each cell's own coordinates ξ ∈ [0, 1]³: multiply by h³, and surfaces by h²."""

    values: np.ndarray  # (m, 8) φ at the corners
    integrals: np.ndarray  # (m, 11) ∫ of the monomials
    owner: np.ndarray  # (t,) cell of each triangle of the surface
    triangles: np.ndarray  # (t, 3, 3) its corners, counter-clockwise from outside
    subcells: np.ndarray | None = None  # (b, r³, 8) φ at the corners of the r³ subcells of refined cells, x fastest
    rows: np.ndarray | None = None  # (m,) row of each cell in ``subcells``, −1 for those that are filled for certain

    @property
    def volumes(self) -> np.ndarray:
        """(m,) part of each cell that is filled."""
        return self.integrals[:, 0]

    @property
    def whole(self) -> np.ndarray:
        """(m,) whether the cell is filled."""
        inner = np.all(self.values <= 0, axis=1)
        if self.subcells is not None:
            inner[self.rows >= 0] = np.all(self.subcells <= 0, axis=(1, 2))[self.rows[self.rows >= 0]]
        return inner & (self.volumes == 1)

    @cached_property
    def moments(self) -> np.ndarray:
        """(m, 4, 4) ∫ [1 ξ]ᵀ[1 ξ] (Patterson, Mitchell & Sifakis 2012, Eq 9)."""
        return self.integrals[:, _SQUARE]

    @cached_property
    def corner_weights(self) -> np.ndarray:
        """(m, 8) w_v = ∫ N_i over the material."""
        return self.integrals @ _SHAPE.T

    @cached_property
    def area_vectors(self) -> np.ndarray:
        """(t, 3) outward normal times area of each triangle."""
        p = self.triangles
        return 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])

    @cached_property
    def normals(self) -> np.ndarray:
        """(m, 3) mean outward normal of the surface in each cell; 0 where there is none."""
        total = _added(self.owner, self.area_vectors, len(self.values))
        size = np.linalg.norm(total, axis=1, keepdims=True)
        return np.divide(total, size, out=np.zeros_like(total), where=size > 0)

    def of(self, cells: np.ndarray) -> Fragments:
        """Those of some cells, in ascending order."""
        number = np.full(len(self.values), -1)
        number[cells] = np.arange(len(cells))
        kept = number[self.owner] >= 0
        parts = (self.values[cells], self.integrals[cells], number[self.owner[kept]], self.triangles[kept])
        if self.subcells is None:
            return Fragments(*parts)
        rows = self.rows[cells]
        refined = rows >= 0
        return Fragments(*parts, self.subcells[rows[refined]], np.where(refined, np.cumsum(refined) - 1, -1))

    def level(self, cells: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """(r, p) φ at points ξ (r, p, 3) of the given cells (r,), in units of the (sub)cells' size."""
        if self.subcells is None:
            return interpolated(self.values[cells][:, None], xi)
        parts = round(self.subcells.shape[1] ** (1 / 3))
        lower = np.clip(np.floor(parts * xi), 0, parts - 1)
        number = (lower @ [1, parts, parts**2]).astype(int)
        rows = self.rows[cells]
        phi = interpolated(self.subcells[np.maximum(rows, 0)[:, None], number], parts * xi - lower)
        return np.where(rows[:, None] < 0, -float(parts), phi)


def simplex_integrals(p: np.ndarray, size: np.ndarray) -> np.ndarray:
    """(s, 11) ∫ of the monomials over simplices with corners p (s, k, 3), k = 4 or 3, of the given volume or area."""
    k = p.shape[1]
    S, Q = p.sum(axis=1), np.einsum("ska,skb->sab", p, p)
    out = np.empty((len(p), 11))
    out[:, 0], out[:, 1:4] = 1.0, S / k
    second = (S[:, :, None] * S[:, None, :] + Q) / (k * (k + 1))
    out[:, 4:7] = second[:, [0, 1, 2], [0, 1, 2]]
    out[:, 7:10] = second[:, [0, 0, 1], [1, 2, 2]]
    # E[λᵢλⱼλₖ] counts 1, 2 or 6 as the indices differ, pair up or agree
    mixed = S[:, 0] * Q[:, 1, 2] + S[:, 1] * Q[:, 0, 2] + S[:, 2] * Q[:, 0, 1] + 2 * np.prod(p, axis=2).sum(axis=1)
    out[:, 10] = (np.prod(S, axis=1) + mixed) / (k * (k + 1) * (k + 2))
    return out * size[:, None]


def triangle_weights(p: np.ndarray) -> np.ndarray:
    """(t, 8) ∫ N_i over triangles with corners ξ (t, 3, 3)."""
    area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
    return simplex_integrals(p, area) @ _SHAPE.T


def fragments_of(values: np.ndarray) -> Fragments:
    """Clip cells with corner values φ (m, 8) and integrate; exact where φ is linear across the cell.

    A face that lies in the surface (φ = 0 at its corners) belongs to the cell inside.
    """
    values = np.asarray(values, float)
    integrals, owners, triangles = np.zeros((len(values), 11)), [], []
    integrals[np.all(values <= 0, axis=1)] = 1 / np.prod(POWERS + 1, axis=1)
    cut = np.flatnonzero((values < 0).any(axis=1) & (values >= 0).any(axis=1))
    for start in range(0, len(cut), SLICE):
        cells = cut[start : start + SLICE]
        owner, tets, face_owner, faces = _clipped(values[cells])
        volume = np.abs(np.linalg.det(tets[:, 1:] - tets[:, :1])) / 6
        clipped = _added(owner, simplex_integrals(tets, volume), len(cells))
        mixed = (values[cells] > 0).any(axis=1)
        integrals[cells[mixed]] = clipped[mixed]
        owners.append(cells[face_owner])
        triangles.append(faces)
    if not owners:
        return Fragments(values, integrals, np.zeros(0, int), np.zeros((0, 3, 3)))
    return Fragments(values, integrals, np.concatenate(owners), np.concatenate(triangles))


def sampled_integrals(inside: np.ndarray, xi: np.ndarray) -> np.ndarray:
    """(m, 11) ∫ of the monomials by Monte Carlo: ``inside`` (m, s) says which of the points ξ (s, 3) are material."""
    monomials = np.prod(xi[:, None, :] ** POWERS, axis=2)
    return inside.astype(float) @ monomials / len(xi)


def _added(owner: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """(count, c) sums of rows by owner."""
    return np.stack([np.bincount(owner, column, count) for column in values.T], axis=1)


def _clipped(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Owners and corners (s, 4, 3) of tets that fill φ ≤ 0, and owners and corners (t, 3, 3) of triangles on φ = 0."""
    m = len(values)
    phi = (values @ POINTS.T)[:, TETS].reshape(-1, 4)
    owner = np.repeat(np.arange(m), len(TETS))
    keep = phi.min(axis=1) < 0
    corner = np.broadcast_to((POINTS @ CORNERS)[TETS], (m, len(TETS), 4, 3)).reshape(-1, 4, 3)[keep]
    phi, owner = phi[keep], owner[keep]
    order = np.argsort(phi, axis=1, kind="stable")  # inside first
    phi = np.take_along_axis(phi, order, axis=1)
    corner = np.take_along_axis(corner, order[:, :, None], axis=1)
    number = np.count_nonzero(phi <= 0, axis=1)
    tets, faces = [(owner[number == 4], corner[number == 4])], []
    flat = (number == 4) & (phi[:, 1] == 0)  # three corners on the surface, the first one inside
    faces.append((owner[flat], corner[flat][:, 1:], -corner[flat][:, 0] + corner[flat][:, 1:].mean(axis=1)))
    for n in (1, 2, 3):
        of, p, f = owner[number == n], corner[number == n], phi[number == n]

        def cut(i, j, p=p, f=f):
            at = (f[:, i] / (f[:, i] - f[:, j]))[:, None]
            return (1 - at) * p[:, i] + at * p[:, j]

        if n == 1:
            ring = [cut(0, 1), cut(0, 2), cut(0, 3)]
            tets.append((of, np.stack([p[:, 0], *ring], axis=1)))
        else:  # a prism between the triangles A and B
            if n == 2:
                A, B = [p[:, 0], cut(0, 2), cut(0, 3)], [p[:, 1], cut(1, 2), cut(1, 3)]
                ring = [A[1], A[2], B[2], B[1]]
            else:
                A, B = [p[:, 0], p[:, 1], p[:, 2]], [cut(0, 3), cut(1, 3), cut(2, 3)]
                ring = B
            for four in ((A[0], A[1], A[2], B[2]), (A[0], A[1], B[1], B[2]), (A[0], B[0], B[1], B[2])):
                tets.append((of, np.stack(four, axis=1)))
        for i in range(1, len(ring) - 1):
            triangle = np.stack([ring[0], ring[i], ring[i + 1]], axis=1)
            faces.append((of, triangle, p[:, 3] - triangle.mean(axis=1)))
    face_owner, triangles, out = (np.concatenate([face[i] for face in faces]) for i in range(3))
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inward = np.einsum("ij,ij->i", normal, out) < 0
    triangles[inward] = triangles[inward][:, [0, 2, 1]]
    kept = np.linalg.norm(normal, axis=1) > 0
    return (np.concatenate([tet[0] for tet in tets]), np.concatenate([tet[1] for tet in tets]), face_owner[kept], triangles[kept])
