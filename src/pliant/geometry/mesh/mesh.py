"""Meshes of triangles, tets and edges, and point clouds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...arguments import checks
from ...arguments.short_repr import extent
from ...arguments.typing_fields import Array, Becomes, Vector
from ...errors import InputError, first_few
from . import tet10
from .groups import Group, Groups
from .mesh_looks import Looks
from .vertex_cells import rows_at

if TYPE_CHECKING:
    from ..distance.sdf import Sdf
else:
    Sdf = Any  # distances need a device, meshes none; scene files read the annotations

Named = Becomes[Sequence[Group], Groups]
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])  # of a tet, opposite to corners 3, 2, 0, 1
MORE = ("normals", "regions", "middles", "looks", "groups")  # what a mesh may have beside its vertices and cells


def _points(name: str, data: object) -> np.ndarray:
    """Return (n, 3) float64 points, read-only, or say which are wrong."""
    points = checks.points(name, data)
    points.setflags(write=False)
    return points


def _whole(name: str, data: object, shape: str) -> np.ndarray:
    """Return an array of whole numbers, whatever type they came in, or say that they are not whole."""
    try:
        values = np.array(data)
        if values.dtype.kind not in "biuf":
            values = np.array(values.tolist(), dtype=np.float64)
    except Exception:  # rows that differ in length, and whatever the methods of a stranger's class raise
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


def numbered_regions(data: object, count: int, noun: str) -> np.ndarray:
    """Return (count,) int32 region numbers, read-only, one for each ``noun``, or say which are wrong."""
    regions = _whole("regions", data, f"({count},)")
    if regions.shape != (count,):
        raise InputError(f"regions have shape {regions.shape}; expected ({count},), one per {noun}")
    bad = np.flatnonzero((regions < 0) | (regions >= 2**31))
    if len(bad):
        raise InputError(f"{len(bad)} of {len(regions)} regions are not in 0…2147483647, first at {first_few(bad)}")
    regions = regions.astype(np.int32)
    regions.setflags(write=False)
    return regions


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


def rows_of(true: np.ndarray) -> np.ndarray:
    """Rows of a table of flags in which one is true, ascending; where few are, faster than ``any``."""
    rows = np.flatnonzero(true) // true.shape[1]
    return rows[np.concatenate([[True], rows[1:] != rows[:-1]])] if len(rows) else rows


def edges_of(triangles: np.ndarray) -> np.ndarray:
    """(e, 2) edges of triangles, each once, smaller index first."""
    pairs = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    return pairs[unique_rows(pairs)[0]]


class _Placed:
    """Moves that every shape with ``vertices`` understands; each returns a copy."""

    vertices: np.ndarray

    def __repr__(self) -> str:
        given = {f.name: getattr(self, f.name) for f in fields(self)[1:]}  # type: ignore[arg-type]
        own = [name for name, values in given.items() if values is not None and (name != "groups" or values)]
        said = [f"with {name}" if name in MORE else f"{len(given[name]):,} {name}" for name in own]
        size = [extent(self.bounds)] if len(self.vertices) else []
        return f"{type(self).__name__}({', '.join([f'{len(self.vertices):,} vertices', *said, *size])})"

    def _moved(self, vertices: np.ndarray, normal_map: np.ndarray | None = None) -> Self:
        """A copy at new vertices; ``normal_map`` (3, 3) carries normals, where the shape has them."""
        return replace(self, vertices=vertices)  # type: ignore[type-var]

    def translated(self, offset: Vector) -> Self:
        """A copy moved by ``offset`` [m]."""
        return self._moved(self.vertices + checks.vector("offset", offset))

    def scaled(self, factor: float | Vector) -> Self:
        """A copy scaled about the origin by one positive factor, or three."""
        factors = checks.floats(factor)
        if factors.shape not in ((), (3,)) or not np.all((factors > 0) & (factors < checks.FAR)):
            raise checks.refusal("scale factor", factor, "one positive number, or three positive numbers")
        factors = np.broadcast_to(factors, 3)
        return self._moved(self.vertices * factors, np.diag(factors.min() / factors))

    def rotated(self, axis: Vector, degrees: float) -> Self:
        """A copy turned about an axis through the origin."""
        from scipy.spatial.transform import Rotation

        angle = np.deg2rad(checks.number("rotation angle in degrees", degrees))
        turn = Rotation.from_rotvec(checks.direction("rotation axis", axis) * angle).as_matrix()
        return self._moved(self.vertices @ turn.T, turn)

    @property
    def bounds(self) -> np.ndarray:
        """(2, 3) lower and upper corner of the bounding box [m]."""
        if not len(self.vertices):
            raise InputError(f"this {type(self).__name__} has no vertices, so it has no bounds")
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])


@dataclass(frozen=True, eq=False, repr=False)
class PointCloud(_Placed):
    """Points in space, with unit normals where they are known."""

    vertices: Array  # (n, 3) [m]
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


@dataclass(frozen=True, eq=False, repr=False)
class EdgeMesh(_Placed):
    """Vertices joined by straight edges: rods, nets and mass–spring cloth."""

    vertices: Array  # (n, 3) [m]
    edges: Array  # (m, 2)
    groups: Named = field(default=Groups(), kw_only=True)

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "edges", _cells("edges", self.edges, 2, len(self.vertices)))
        object.__setattr__(self, "groups", Groups(self.groups).checked(len(self.vertices), len(self.edges)))

    @cached_property
    def lengths(self) -> np.ndarray:
        """(m,) edge lengths [m]."""
        return np.linalg.norm(np.diff(self.vertices[self.edges], axis=1)[:, 0], axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class TriMesh(_Placed):
    """A triangle surface, closed or open; triangles are counter-clockwise seen from outside.

    ``looks`` are its faces as a file has them, with texture points, colours, materials and names, where it says more than
    triangles.
    """

    vertices: Array  # (n, 3) [m]
    triangles: Array  # (m, 3)
    looks: Looks | None = field(default=None, kw_only=True)
    groups: Named = field(default=Groups(), kw_only=True)

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "triangles", _cells("triangles", self.triangles, 3, len(self.vertices)))
        object.__setattr__(self, "groups", Groups(self.groups).checked(len(self.vertices), len(self.triangles)))
        if self.looks is not None:
            checks.instance("TriMesh(looks=…)", self.looks, Looks, "Looks")
            if not self.looks.fits(self.triangles):
                raise InputError("TriMesh(looks=…) has other faces than the triangles; expected fans around first corners")

    def with_vertices(self, chosen: np.ndarray) -> TriMesh:
        """The triangles all of whose vertices are chosen (n,), with their looks."""
        chosen = np.asarray(chosen, bool)
        numbers = np.cumsum(chosen) - 1
        kept = chosen[self.triangles].all(axis=1)
        looks = self.looks
        if looks is not None:
            inside = np.zeros(len(looks.sizes), bool)
            inside[looks.owners[kept]] = True
            inside[looks.owners[~kept]] = False  # a face goes as a whole
            kept = inside[looks.owners]
            own = looks.of(np.flatnonzero(inside))
            looks = replace(own, corners=numbers[own.corners])
        return TriMesh(self.vertices[chosen], numbers[self.triangles[kept]], looks=looks)

    @property
    def parts(self) -> dict[str, TriMesh]:
        """The objects of a file that named them, each on vertices of its own; faces without a name are in none."""
        looks = self.looks
        if looks is None or looks.part is None:
            return {}
        found = {}
        for number, name in enumerate(looks.parts):
            own = looks.of(np.flatnonzero(looks.part == number))
            used, corners = np.unique(own.corners, return_inverse=True)
            own = replace(own, corners=corners)
            if len(used):
                found[name] = TriMesh(self.vertices[used], corners[own.fans], looks=own)
        return found

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
        return edges_of(self.triangles)

    @property
    def vertex_normals(self) -> np.ndarray:
        """(n, 3) unit normals, area-weighted; zero for vertices of no triangle."""
        corners, weights = self.triangles.T.ravel(), np.tile(self.area_vectors, (3, 1))
        total = np.stack([np.bincount(corners, w, minlength=len(self.vertices)) for w in weights.T], axis=1)
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return np.divide(total, length, out=np.zeros_like(total), where=length > 0)


def _volumes(vertices: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """(m,) signed volumes of tets of four corners [m³]."""
    a, b, c, d = (vertices[tets[:, i]] for i in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6.0


@dataclass(frozen=True, eq=False, repr=False)
class TetMesh(_Placed):
    """A solid cut into tetrahedra; each has positive volume where (b−a)×(c−a)·(d−a) > 0.

    With ``middles`` they have ten nodes: the corners and a vertex on each edge, in the order 01, 12, 02, 03, 13, 23 of its
    ends; off the middle of its edge such a vertex bends the faces there. ``quadratic`` makes them, ``linear`` drops them.
    """

    vertices: Array  # (n, 3) [m]
    tets: Array  # (m, 4) corners
    regions: np.ndarray | None = None  # (m,) region of each tet, 0 … r−1
    middles: np.ndarray | None = None  # (m, 6) vertices on the edges
    groups: Named = field(default=Groups(), kw_only=True)  # named parts, groups["clamp"]

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "tets", _cells("tets", self.tets, 4, len(self.vertices)))
        object.__setattr__(self, "groups", Groups(self.groups).checked(len(self.vertices), len(self.tets)))
        if self.middles is not None:
            middles = _cells("middles", self.middles, 6, len(self.vertices))
            if len(middles) != len(self.tets):
                raise InputError(f"middles have {len(middles)} rows; expected {len(self.tets)}, one per tet")
            object.__setattr__(self, "middles", middles)
        if self.regions is not None:
            object.__setattr__(self, "regions", numbered_regions(self.regions, len(self.tets), "tet"))

    @cached_property
    def cells(self) -> np.ndarray:
        """(m, 4) or (m, 10) all vertices of each tet."""
        return self.tets if self.middles is None else np.concatenate([self.tets, self.middles], axis=1)

    @cached_property
    def volumes(self) -> np.ndarray:
        """(m,) signed tet volumes [m³], those of bent tets exactly."""
        if not len(self.tets):
            return np.zeros(0)
        if self.middles is not None:
            return tet10.volumes(self.vertices[self.cells])
        return _volumes(self.vertices, self.tets)

    @property
    def volume(self) -> float:
        """Total volume [m³]."""
        return float(self.volumes.sum())

    @cached_property
    def edges(self) -> np.ndarray:
        """(e, 2) unique edges between corners, smaller index first."""
        pairs = np.sort(self.tets[:, [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]].reshape(-1, 2), axis=1)
        return pairs[unique_rows(pairs)[0]]

    @cached_property
    def outer(self) -> np.ndarray:
        """(f,) faces that belong to one tet only, as 4 · tet + its number among 021, 013, 123 and 032, ascending."""
        first, _, count = unique_rows(np.sort(self.tets[:, FACES].reshape(-1, 3), axis=1))
        return np.sort(first[count == 1])

    @cached_property
    def boundary_faces(self) -> np.ndarray:
        """(f, 3) or (f, 6) vertices of the faces that belong to one tet only, corners counter-clockwise from outside.

        Of six vertices the last three lie on the edges, the first of them between the first two corners.
        """
        tet, face = self.outer // 4, self.outer % 4
        corners = self.cells[tet]
        return np.take_along_axis(corners, (FACES if self.middles is None else tet10.FACES)[face], 1)

    def changed(
        self, vertices: np.ndarray, tets: np.ndarray, outer: np.ndarray, moved: np.ndarray, near: np.ndarray
    ) -> tuple[TetMesh, np.ndarray]:
        """The same tets on other vertices, the old ones first, and (k,) which of them have another shape.

        ``outer`` are the faces that are outside then, ``moved`` the old vertices that are elsewhere, and ``near`` tets among
        which are all of theirs. What is known of the others is not computed again.
        """
        mesh = object.__new__(TetMesh)  # which is right as this one is: nothing is checked again
        vertices, tets = np.ascontiguousarray(vertices, np.float64), np.ascontiguousarray(tets, np.int32)
        for array in (vertices, tets):
            array.setflags(write=False)
        flags = np.zeros(len(self.vertices), bool)
        flags[moved] = True
        touched = rows_at(self.tets, flags, near)
        volumes = self.volumes.copy()
        volumes[touched] = _volumes(vertices, tets[touched])
        own = {"vertices": vertices, "tets": tets, "regions": self.regions, "middles": self.middles, "groups": Groups()}
        mesh.__dict__.update(own, volumes=volumes, outer=outer)
        return mesh, touched

    @cached_property
    def boundary_triangles(self) -> np.ndarray:
        """(f, 3) triangles of the outer surface, counter-clockwise from outside, in this mesh's vertex numbers.

        They are the outer faces, of which one with six vertices makes four triangles.
        """
        faces = self.boundary_faces
        return faces if self.middles is None else faces[:, tet10.FOUR].reshape(-1, 3)

    @cached_property
    def boundary(self) -> TriMesh:
        """The outer surface on its own vertices; ``boundary_vertices`` maps them back."""
        number = np.full(len(self.vertices), -1)
        number[self.boundary_vertices] = np.arange(len(self.boundary_vertices))
        return TriMesh(self.vertices[self.boundary_vertices], number[self.boundary_triangles])

    @cached_property
    def boundary_vertices(self) -> np.ndarray:
        """Vertices on the outer surface, ascending."""
        used = np.zeros(len(self.vertices), bool)
        used[self.boundary_triangles] = True
        return np.flatnonzero(used)

    def quadratic(self, onto: TriMesh | Sdf | None = None) -> TetMesh:
        """The same tets with ten nodes each: a vertex half-way on every edge, numbered after those that are there.

        ``onto`` is the surface that the mesh stands for: vertices on the edges of outer faces that lie along it are moved onto
        it, so that the faces bend as it does; less far, with a warning, where a tet would turn over.
        """
        from ..distance.quadratic_mesh import quadratic  # which needs distances to meshes

        return quadratic(self, onto)

    def linear(self) -> TetMesh:
        """The same tets with their four corners alone."""
        if self.middles is None:
            return self
        kept, tets = np.unique(self.tets, return_inverse=True)
        numbers = np.full(len(self.vertices), -1)
        numbers[kept] = np.arange(len(kept))
        corners = [group if group.faces is None else replace(group, faces=group.faces[:, :3]) for group in self.groups]
        groups = [group.renumbered(numbers) for group in corners]
        return TetMesh(self.vertices[kept], tets.reshape(-1, 4), self.regions, groups=groups)
