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
        points = np.array(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} cannot be read as numbers; expected an (n, 3) array of metres") from None
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(f"{name} has shape {points.shape}; expected (n, 3)")
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise InputError(f"{len(bad)} of {len(points)} {name} are not finite, first at {first_few(bad)}")
    points.setflags(write=False)
    return points


def _cells(name: str, data: object, width: int, count: int) -> np.ndarray:
    """Return (m, width) int32 vertex indices, read-only, or say which are wrong."""
    try:
        cells = np.array(data)
        if cells.size == 0:
            cells = cells.reshape(0, width)
        if not np.issubdtype(cells.dtype, np.integer) and cells.size:
            whole = cells.astype(np.int64)
            if not np.array_equal(whole, cells):
                raise InputError(f"{name} holds numbers that are not whole; expected vertex indices")
            cells = whole
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} cannot be read as indices; expected an (m, {width}) array") from None
    if cells.ndim != 2 or cells.shape[1] != width:
        raise InputError(f"{name} has shape {cells.shape}; expected (m, {width})")
    bad = np.flatnonzero(((cells < 0) | (cells >= count)).any(axis=1))
    if len(bad):
        raise InputError(
            f"{len(bad)} of {len(cells)} {name} name a vertex outside 0…{count - 1}, first at {first_few(bad)}"
        )
    cells = cells.astype(np.int32)
    cells.setflags(write=False)
    return cells


class _Placed:
    """Moves that every shape with ``vertices`` understands; each returns a copy."""

    vertices: np.ndarray

    def _moved(self, vertices: np.ndarray) -> Self:
        return replace(self, vertices=vertices)  # type: ignore[type-var]

    def translated(self, offset: Sequence[float]) -> Self:
        """A copy moved by ``offset`` [m]."""
        return self._moved(self.vertices + np.asarray(offset, dtype=float))

    def scaled(self, factor: float | Sequence[float]) -> Self:
        """A copy scaled about the origin by one positive factor, or three."""
        factor = np.asarray(factor, dtype=float)
        if not np.all(np.isfinite(factor)) or np.any(factor <= 0):
            raise InputError(f"scale factor is {factor.tolist()}; expected positive numbers")
        return self._moved(self.vertices * factor)

    def rotated(self, axis: Sequence[float], degrees: float) -> Self:
        """A copy turned about an axis through the origin."""
        from scipy.spatial.transform import Rotation

        axis = np.asarray(axis, dtype=float)
        length = np.linalg.norm(axis)
        if not length > 0:
            raise InputError(f"rotation axis is {axis.tolist()}; expected a direction of non-zero length")
        turn = Rotation.from_rotvec(axis / length * np.deg2rad(degrees))
        return self._moved(self.vertices @ turn.as_matrix().T)

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
        pairs = self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        return np.unique(np.sort(pairs, axis=1), axis=0)

    @property
    def vertex_normals(self) -> np.ndarray:
        """(n, 3) unit normals, area-weighted; zero for vertices of no triangle."""
        total = np.zeros_like(self.vertices)
        for i in range(3):
            np.add.at(total, self.triangles[:, i], self.area_vectors)
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
            regions = np.array(self.regions, dtype=np.int32)
            if regions.shape != (len(self.tets),) or (len(regions) and regions.min() < 0):
                raise InputError(
                    f"regions have shape {regions.shape}; expected ({len(self.tets)},), one number from 0 up per tet"
                )
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
        pairs = self.tets[:, [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]].reshape(-1, 2)
        return np.unique(np.sort(pairs, axis=1), axis=0)

    @cached_property
    def boundary_triangles(self) -> np.ndarray:
        """(f, 3) faces that belong to one tet only, counter-clockwise from outside, in this mesh's vertex numbers."""
        faces = self.tets[:, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]].reshape(-1, 3)
        key = np.sort(faces, axis=1)
        _, first, count = np.unique(key, axis=0, return_index=True, return_counts=True)
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
