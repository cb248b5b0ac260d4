"""The nouns of shape: triangle, tetrahedral and edge meshes, and point clouds. SI units, z up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from ..errors import InputError, first_few


def _points(name: str, data: object) -> np.ndarray:
    """Return (n, 3) float64 points, read-only, or say which are wrong."""
    try:
        points = np.array(data)
        if points.dtype.kind not in "biuf":
            points = np.array(points.tolist(), dtype=np.float64)  # objects and text; refuses complex numbers
        points = points.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} cannot be read as numbers; expected an (n, 3) array of metres") from None
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(f"{name} has shape {points.shape}; expected (n, 3)")
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise InputError(f"{len(bad)} of {len(points)} {name} are not finite, first at {first_few(bad)}")
    points.setflags(write=False)
    return points


def _whole(name: str, data: object, shape: str) -> np.ndarray:
    """Return an array of whole numbers, whatever type they came in, or say that they are not whole."""
    try:
        values = np.array(data)
        if values.dtype.kind not in "biuf":
            values = np.array(values.tolist(), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} cannot be read as whole numbers; expected an {shape} array") from None
    if values.dtype.kind == "f":
        bad = np.flatnonzero(~(np.abs(values) < 2.0**53) | (values != np.floor(values)))
        if len(bad):
            raise InputError(f"{len(bad)} of the {values.size} numbers in {name} are not whole; expected integers")
        values = values.astype(np.int64)
    return values


def _cells(name: str, data: object, width: int, count: int) -> np.ndarray:
    """Return (m, width) int32 vertex indices, read-only, or say which are wrong."""
    cells = _whole(name, data, f"(m, {width})")
    if cells.size == 0:
        cells = cells.reshape(0, width)
    if cells.ndim != 2 or cells.shape[1] != width:
        raise InputError(f"{name} has shape {cells.shape}; expected (m, {width})")
    bad = np.flatnonzero(((cells < 0) | (cells >= count)).any(axis=1))
    if len(bad):
        valid = f"outside 0…{count - 1}" if count else "though there are none"
        raise InputError(f"{len(bad)} of {len(cells)} {name} name a vertex {valid}, first at {first_few(bad)}")
    cells = cells.astype(np.int32)
    cells.setflags(write=False)
    return cells


def _triple(name: str, data: object) -> np.ndarray:
    """Return three finite numbers, or say what was given."""
    try:
        values = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.shape != (3,) or not np.isfinite(values).all():
        raise InputError(f"{name} is {data!r}; expected three finite numbers")
    return values


def unique_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find equal rows of non-negative integers: first index, inverse and count of each, in ascending row order.

    Much faster than ``np.unique(axis=0)``: the columns are packed into one 64-bit key, ranked first where they
    would not fit.
    """
    if not len(rows):
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    base = int(rows.max()) + 1
    key, size = rows[:, 0].astype(np.int64), base
    for column in rows.T[1:]:
        if size * base >= 2**63:
            values, key = np.unique(key, return_inverse=True)
            key, size = key.astype(np.int64), len(values)
        key, size = key * base + column, size * base
    _, first, inverse, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return first, inverse, count


class _Placed:
    """Moves that every shape with ``vertices`` understands; each returns a copy."""

    vertices: np.ndarray

    def _moved(self, vertices: np.ndarray, normal_map: np.ndarray | None = None) -> Self:
        """A copy at new vertices; ``normal_map`` (3, 3) carries normals, where the shape has them."""
        return replace(self, vertices=vertices)  # type: ignore[type-var]

    def translated(self, offset: Sequence[float]) -> Self:
        """A copy moved by ``offset`` [m]."""
        return self._moved(self.vertices + _triple("offset", offset))

    def scaled(self, factor: float | Sequence[float]) -> Self:
        """A copy scaled about the origin by one positive factor, or three."""
        try:
            factors = np.broadcast_to(np.asarray(factor, dtype=float), 3)
        except (TypeError, ValueError):
            raise InputError(f"scale factor is {factor!r}; expected one positive number, or three") from None
        if not np.all(np.isfinite(factors)) or np.any(factors <= 0):
            raise InputError(f"scale factor is {factor!r}; expected positive numbers")
        return self._moved(self.vertices * factors, np.diag(factors.min() / factors))

    def rotated(self, axis: Sequence[float], degrees: float) -> Self:
        """A copy turned about an axis through the origin."""
        from scipy.spatial.transform import Rotation

        direction = _triple("rotation axis", axis)
        length = np.linalg.norm(direction)
        if not length > 0:
            raise InputError(f"rotation axis is {direction.tolist()}; expected a direction of non-zero length")
        if not np.isfinite(degrees):
            raise InputError(f"rotation angle is {degrees} degrees; expected a finite number")
        turn = Rotation.from_rotvec(direction / length * np.deg2rad(degrees)).as_matrix()
        return self._moved(self.vertices @ turn.T, turn)

    @property
    def bounds(self) -> np.ndarray:
        """(2, 3) lower and upper corner of the bounding box [m]."""
        if not len(self.vertices):
            raise InputError(f"this {type(self).__name__} has no vertices, so it has no bounds")
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])


@dataclass(frozen=True, eq=False)
class PointCloud(_Placed):
    """Points in space, with unit normals where they are known."""

    vertices: np.ndarray  # (n, 3) [m]
    normals: np.ndarray | None = None  # (n, 3)

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("points", self.vertices))
        if self.normals is not None:
            normals = _points("normals", self.normals)
            if normals.shape != self.vertices.shape:
                raise InputError(f"normals have shape {normals.shape}; expected {self.vertices.shape}, one per point")
            object.__setattr__(self, "normals", normals)

    def _moved(self, vertices: np.ndarray, normal_map: np.ndarray | None = None) -> Self:
        if self.normals is None or normal_map is None:
            return replace(self, vertices=vertices)
        before = np.linalg.norm(self.normals, axis=1, keepdims=True)
        turned = self.normals @ normal_map.T
        after = np.linalg.norm(turned, axis=1, keepdims=True)
        scale = np.divide(before, after, out=np.ones_like(after), where=after > 0)
        return replace(self, vertices=vertices, normals=turned * scale)


@dataclass(frozen=True, eq=False)
class EdgeMesh(_Placed):
    """Vertices joined by straight edges: rods, nets and mass–spring cloth."""

    vertices: np.ndarray  # (n, 3) [m]
    edges: np.ndarray  # (m, 2)

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "edges", _cells("edges", self.edges, 2, len(self.vertices)))

    @cached_property
    def lengths(self) -> np.ndarray:
        """(m,) edge lengths [m]."""
        return np.linalg.norm(np.diff(self.vertices[self.edges], axis=1)[:, 0], axis=1)


@dataclass(frozen=True, eq=False)
class TriMesh(_Placed):
    """A triangle surface, closed or open; triangles are counter-clockwise seen from outside."""

    vertices: np.ndarray  # (n, 3) [m]
    triangles: np.ndarray  # (m, 3)

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "triangles", _cells("triangles", self.triangles, 3, len(self.vertices)))

    @cached_property
    def area_vectors(self) -> np.ndarray:
        """(m, 3) triangle normals times area [m²]."""
        a, b, c = (self.vertices[self.triangles[:, i]] for i in range(3))
        return 0.5 * np.cross(b - a, c - a)

    @cached_property
    def areas(self) -> np.ndarray:
        """(m,) triangle areas [m²]."""
        return np.linalg.norm(self.area_vectors, axis=1)

    @cached_property
    def volume(self) -> float:
        """Enclosed volume [m³]; means something for closed surfaces only."""
        if not len(self.triangles):
            return 0.0
        corners = self.vertices[self.triangles] - self.vertices.mean(axis=0)
        return float(np.linalg.det(corners).sum() / 6.0)

    @cached_property
    def edges(self) -> np.ndarray:
        """(e, 2) unique edges, smaller index first."""
        pairs = np.sort(self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        return pairs[unique_rows(pairs)[0]]

    @property
    def vertex_normals(self) -> np.ndarray:
        """(n, 3) unit normals, area-weighted; zero for vertices of no triangle."""
        corners, weights = self.triangles.T.ravel(), np.tile(self.area_vectors, (3, 1))
        total = np.stack([np.bincount(corners, w, minlength=len(self.vertices)) for w in weights.T], axis=1)
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return np.divide(total, length, out=np.zeros_like(total), where=length > 0)


@dataclass(frozen=True, eq=False)
class TetMesh(_Placed):
    """A solid cut into tetrahedra; each has positive volume where (b−a)×(c−a)·(d−a) > 0."""

    vertices: np.ndarray  # (n, 3) [m]
    tets: np.ndarray  # (m, 4)
    regions: np.ndarray | None = None  # (m,) region of each tet, 0 … r−1

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "tets", _cells("tets", self.tets, 4, len(self.vertices)))
        if self.regions is not None:
            regions = _whole("regions", self.regions, f"({len(self.tets)},)")
            if regions.shape != (len(self.tets),):
                raise InputError(f"regions have shape {regions.shape}; expected ({len(self.tets)},), one per tet")
            bad = np.flatnonzero((regions < 0) | (regions >= 2**31))
            if len(bad):
                raise InputError(
                    f"{len(bad)} of {len(regions)} regions are not in 0…2147483647, first at {first_few(bad)}"
                )
            regions = regions.astype(np.int32)
            regions.setflags(write=False)
            object.__setattr__(self, "regions", regions)

    @cached_property
    def volumes(self) -> np.ndarray:
        """(m,) signed tet volumes [m³]."""
        if not len(self.tets):
            return np.zeros(0)
        a, b, c, d = (self.vertices[self.tets[:, i]] for i in range(4))
        return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6.0

    @property
    def volume(self) -> float:
        """Total volume [m³]."""
        return float(self.volumes.sum())

    @cached_property
    def edges(self) -> np.ndarray:
        """(e, 2) unique edges, smaller index first."""
        pairs = np.sort(self.tets[:, [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]].reshape(-1, 2), axis=1)
        return pairs[unique_rows(pairs)[0]]

    @cached_property
    def boundary_triangles(self) -> np.ndarray:
        """(f, 3) faces that belong to one tet only, counter-clockwise from outside, in this mesh's vertex numbers."""
        faces = self.tets[:, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]].reshape(-1, 3)
        first, _, count = unique_rows(np.sort(faces, axis=1))
        return faces[np.sort(first[count == 1])]

    @cached_property
    def boundary(self) -> TriMesh:
        """The outer surface on its own vertices; ``boundary_vertices`` maps them back."""
        _, inverse = np.unique(self.boundary_triangles, return_inverse=True)
        return TriMesh(self.vertices[self.boundary_vertices], inverse.reshape(-1, 3))

    @cached_property
    def boundary_vertices(self) -> np.ndarray:
        """Vertices on the outer surface, ascending."""
        return np.unique(self.boundary_triangles)
