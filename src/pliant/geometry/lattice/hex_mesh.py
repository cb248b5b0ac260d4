"""Solids cut into hexahedra of eight nodes, and boxes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Array, Vector
from ..mesh.groups import Groups
from ..mesh.mesh import Named, TriMesh, _cells, _Placed, _points, numbered_regions, unique_rows
from ..mesh.primitives import grid_vertices
from .fragments import CORNERS, shape_gradients

# Corner c of a cell is that of its bits, x fastest; files go around the bottom and then around the top. The same
# permutation leads either way.
ORDER = np.array([0, 1, 3, 2, 4, 5, 7, 6])
# nodes of the faces, counter-clockwise from outside, and of the edges
FACES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [0, 4, 7, 3]])
EDGES = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)])
GAUSS = 0.5 + (2.0 * CORNERS - 1) / np.sqrt(12)  # (8, 3) ξ of the 2×2×2 rule on [0, 1]³, weights 1/8


@dataclass(frozen=True, eq=False, repr=False)
class HexMesh(_Placed):
    """A solid cut into hexahedra: the nodes of each go around its bottom and then around its top, as in VTK and Gmsh.

    Seen from the top both go round counter-clockwise; then volumes are positive. Faces may be warped: inside a cell
    positions are trilinear in the corners.
    """

    vertices: Array  # (n, 3) [m]
    hexes: Array  # (m, 8)
    regions: np.ndarray | None = None  # (m,) region of each, 0 … r−1
    groups: Named = field(default=Groups(), kw_only=True)

    def __post_init__(self):
        object.__setattr__(self, "vertices", _points("vertices", self.vertices))
        object.__setattr__(self, "hexes", _cells("hexes", self.hexes, 8, len(self.vertices)))
        object.__setattr__(self, "groups", Groups(self.groups).checked(len(self.vertices), len(self.hexes)))
        if self.regions is not None:
            object.__setattr__(self, "regions", numbered_regions(self.regions, len(self.hexes), "hexahedron"))

    def jacobians(self, xi: np.ndarray) -> np.ndarray:
        """(m, q, 3, 3) ∂X/∂ξ [m] at (q, 3) places ξ ∈ [0, 1]³ of all cells."""
        return np.einsum("mic,qia->mqca", self.vertices[self.hexes[:, ORDER]], shape_gradients(np.asarray(xi, float)))

    @cached_property
    def volumes(self) -> np.ndarray:
        """(m,) signed volumes [m³]; the 2×2×2 rule has no error here."""
        return np.linalg.det(self.jacobians(GAUSS)).sum(axis=1) / 8

    @property
    def volume(self) -> float:
        """Total volume [m³]."""
        return float(self.volumes.sum())

    @cached_property
    def least_jacobians(self) -> np.ndarray:
        """(m,) the least of det ∂X/∂ξ at the corners and the Gauss points of each cell [m³]; not positive in folded ones."""
        return np.linalg.det(self.jacobians(np.concatenate([CORNERS, GAUSS]))).min(axis=1, initial=np.inf)

    @cached_property
    def edges(self) -> np.ndarray:
        """(e, 2) unique edges, smaller index first."""
        pairs = np.sort(self.hexes[:, EDGES].reshape(-1, 2), axis=1)
        return pairs[unique_rows(pairs)[0]]

    @cached_property
    def boundary_quads(self) -> np.ndarray:
        """(f, 4) faces that belong to one cell only, counter-clockwise from outside, in this mesh's vertex numbers."""
        faces = self.hexes[:, FACES].reshape(-1, 4)
        first, _, count = unique_rows(np.sort(faces, axis=1))
        return faces[np.sort(first[count == 1])]

    @cached_property
    def boundary_triangles(self) -> np.ndarray:
        """(2 f, 3) the same as triangles, each face cut along its shorter diagonal."""
        return triangles_of(self.boundary_quads, self.vertices)

    @cached_property
    def boundary(self) -> TriMesh:
        """The outer surface on its own vertices; ``boundary_vertices`` maps them back."""
        _, inverse = np.unique(self.boundary_triangles, return_inverse=True)
        return TriMesh(self.vertices[self.boundary_vertices], inverse.reshape(-1, 3))

    @cached_property
    def boundary_vertices(self) -> np.ndarray:
        """Vertices on the outer surface, ascending."""
        return np.unique(self.boundary_quads)


def triangles_of(quads: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(2 f, 3) triangles of quads (f, 4), cut along the shorter diagonal, along the first where they are alike."""
    one, other = (np.linalg.norm(X[quads[:, i]] - X[quads[:, i + 2]], axis=1) for i in (0, 1))
    turned = np.where((other < one * (1 - 1e-9))[:, None], np.roll(quads, -1, axis=1), quads)
    return turned[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)


def hex_box(size: Vector, cells: Sequence[int], origin: Vector = (0.0, 0.0, 0.0)) -> HexMesh:
    """Fill a box with hexahedra; vertices run with z fastest, cells likewise.

    ``size``: three box edges [m]; ``cells``: cells along each axis; ``origin``: the lower corner [m]. Other shapes come
    by moving its vertices: ``HexMesh(bent(mesh.vertices), mesh.hexes)``.
    """
    vertices, counts = grid_vertices(checks.lengths("size", size, 3), cells, origin)
    stride = np.array([(counts[1] + 1) * (counts[2] + 1), counts[2] + 1, 1])
    first = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 3) @ stride
    return HexMesh(vertices, first[:, None] + (CORNERS @ stride)[ORDER])
