"""Base of elements: nodes, shape-function gradients, weights, lumped mass."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.spatial import cKDTree

from ..cut.split import components
from ..errors import InputError
from ..geometry.mesh.mesh import TriMesh
from ..geometry.mesh.vertex_cells import changed_cells, rows_at, sums_at
from .embedded_surface import NONE, Binding, Mixture, vertex_areas

if TYPE_CHECKING:
    from ..geometry.distance.sdf import Sdf
    from .inlay import Inlay

FULL = 1 - 1e-6  # share of its cube that a whole cell fills; the corners of cut cells may lie outside of the material


class Form(Enum):
    """How F follows from the nodes of an element: by its gradients, by the modes of a cubic cell, or with 1 across a plane."""

    GENERAL = "k"
    CUBIC = "cubic"
    PLANE_STRAIN = "plane_strain_k"

    def named(self, k: int) -> str:
        """What kernels of elements with k nodes are called by."""
        return self.value if self is Form.CUBIC else f"{self.value}{k}"


@dataclass(frozen=True, eq=False)
class Elements:
    """m elements with k nodes and q quadrature points each. The gradients at a point sum to zero.

    Cubic cells, their corners numbered with x fastest, also say where in them their points are: ``places`` and
    ``edges``.
    """

    rest: np.ndarray  # (n, 3) rest positions X [m]
    nodes: np.ndarray  # (m, k)
    gradients: np.ndarray  # (m, q, k, 3) ∇N [1/m]
    weights: np.ndarray  # (m, q) rest volume at each point [m³]
    dimension: int = 3  # 3 solid, 2 sheet, 1 thread
    places: np.ndarray | None = None  # (m, q, 3) of the points in cubic cells, s ∈ [−1, 1]³
    edges: np.ndarray | None = None  # (m,) lengths of cubic cells' edges [m]
    faces: np.ndarray | None = None  # (t, 3) nodes of the triangles that draw a new kind of element
    recovery: np.ndarray | None = None  # (k, q) factors that give fields at the nodes from those at the points
    plane_strain: bool = False  # whether it is flat and F has 1 across it: F = Σ xᵢ ⊗ ∇Nᵢ + e_z ⊗ e_z

    # what a kind of element can do; effects ask, so that none needs to know the kinds
    volume = None  # how whole cells resist compression, see Averaged
    bending = False  # whether it is a sheet that resists bending
    stabilised = False  # whether its rule needs an energy against hourglass modes
    locks_from: ClassVar[float | None] = None  # Poisson's ratio from which it is a tenth too stiff in bending, or more
    has_inside = False  # whether muscles can be laid into it
    has_cut = False  # whether its surface cuts its elements, so that it can be clamped
    pressed_inside = False  # whether pressure acts through the volume of its elements, and not on its faces
    unlocked = "Lattice(…, volume=Averaged()) with Mixed() or Newton()"  # what to use where it locks
    normals = None  # (m, 3) unit normals of a sheet's triangles
    material = None  # the law that comes with the shape, where one does
    yielding: ClassVar[float] = 1.0  # of its stiffness, what it meets others with
    touches_itself: ClassVar[bool] = True  # whether parts of it may come to touch others
    held_whole: ClassVar[bool] = False  # whether its nodes are no places of it, so that all are held or none
    held_axes: ClassVar[tuple[int, ...]] = ()  # components of all its nodes that never move
    keeps_rows: ClassVar[bool] = False  # whether a cut leaves its elements in their order, on more nodes
    tets = None  # (m, 4) or (m, 10) nodes, for formats that know tetrahedra
    hexes = None  # (m, 8) nodes around the bottom and then around the top, for formats that know hexahedra

    def __post_init__(self):
        if not len(self.nodes):
            raise InputError(f"{type(self).__name__} has no elements; expected at least one")

    @property
    def form(self) -> Form:
        """How F follows from the nodes."""
        if self.places is not None:
            return Form.CUBIC
        return Form.PLANE_STRAIN if self.plane_strain else Form.GENERAL

    @property
    def cubic(self) -> bool:
        return self.form is Form.CUBIC

    @property
    def count(self) -> int:
        return len(self.nodes)

    @cached_property
    def volumes(self) -> np.ndarray:
        """(m,) rest volume of each element [m³]."""
        return self.weights.sum(axis=1)

    @cached_property
    def components(self) -> np.ndarray:
        """(n,) the connected component of each node, numbered by their first nodes; one for what moves as a whole."""
        if self.held_whole:
            return np.zeros(len(self.rest), np.int32)
        return components(self.nodes, len(self.rest))

    def nodes_from(self, first: int) -> np.ndarray:
        """(m, k) the nodes, the first of all being row ``first`` of a scene; not to be written on."""
        return self.nodes if first == 0 else self.nodes + first

    def gradients_at(self, rows: np.ndarray) -> np.ndarray:
        """(r, q, k, 3) ∇N of some elements [1/m]."""
        return self.gradients[rows]

    @cached_property
    def whole_cells(self) -> np.ndarray:
        """(m,) 1 for cells of eight nodes, x fastest, that are full of material, 0 for all other elements."""
        full = self.volumes > FULL * self.edges**3 if self.cubic else np.zeros(self.count)
        return full.astype(np.int32)

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) lumped nodal masses [kg]: an element's nodes share its mass equally (row sums of linear elements)."""
        share = np.broadcast_to(density, self.count) * self.volumes / self.nodes.shape[1]
        return sums_at(self.nodes, share, len(self.rest))

    def lumped_since(self, before: Elements, mass: np.ndarray, density: np.ndarray) -> np.ndarray:
        """The same of elements that were ``before`` on the first of these nodes, with ``mass`` (n,): only what has changed since
        is summed again."""
        at, rows = np.zeros(len(self.rest), bool), self.changed_since(before)[0]
        at[self.nodes[rows]] = at[before.nodes[rows]] = True
        near = rows_at(self.nodes, at)
        share = np.broadcast_to(density, self.count)[near] * self.volumes[near] / self.nodes.shape[1]
        since = np.zeros(len(self.rest))
        since[: len(mass)] = mass
        since[at] = sums_at(self.nodes[near], share, len(self.rest))[at]
        return since

    def changed_since(self, before: Elements) -> tuple[np.ndarray, np.ndarray]:
        """(r,) the elements that have other nodes, or some that are elsewhere at rest, than ``before`` on the first of these
        nodes, and (n,) which nodes are elsewhere or new; found once."""
        known = self.__dict__.get("_since")
        if known is None or known[0]() is not before:
            changed = changed_cells(before.nodes, self.nodes, before.rest, self.rest)
            known = self.__dict__["_since"] = weakref.ref(before), changed
        return known[1]

    def pulled_back_masses(self, gradient: np.ndarray) -> np.ndarray:
        """(m,) gradient by the density of each element, for ``gradient`` (n,) by the masses: the transpose of ``lumped``."""
        return gradient[self.nodes].sum(axis=1) * self.volumes / self.nodes.shape[1]

    @cached_property
    def surface_faces(self) -> np.ndarray:
        """(t, 3) nodes of the triangles of its surface, none where it has none."""
        return NONE if self.faces is None else self.faces

    @property
    def enclosing(self) -> tuple[np.ndarray, np.ndarray]:
        """(t, 3) nodes and (t,) factors of triangles: their volumes about any point, times the factors, add up to the enclosed
        one."""
        return self.surface_faces, np.ones(len(self.surface_faces))

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) part of the surface that each node stands for [m²]."""
        return vertex_areas(self.surface_faces, self.rest)

    @cached_property
    def widths(self) -> np.ndarray:
        """(n,) size of the material around each node [m]: V^⅓ of the volume it stands for."""
        return np.cbrt(self.lumped(np.ones(())))

    @cached_property
    def half_thickness(self) -> np.ndarray:
        """(n,) half the thickness of a sheet or thread at each node [m], 0 in a solid."""
        return np.zeros(len(self.rest))

    @cached_property
    def outline(self) -> Binding:
        """Where it touches others: its nodes, or points of its surface."""
        return self._at_nodes(np.arange(len(self.rest)), self.surface_faces)

    def locate(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(s, k) nodes and weights of (s, 3) points [m] in the containing or nearest element, and their distances outside."""
        away, nearest = cKDTree(self.rest).query(points)
        return nearest[:, None], np.ones((len(points), 1)), away

    def load_places(self) -> tuple[np.ndarray, str]:
        """Positions at rest that the condition of a load chooses among, and what they are."""
        return self.rest, "node"

    def clamp_places(self) -> tuple[np.ndarray, str]:
        """The same for a clamp."""
        return self.rest, "node"

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        """(f, k) nodes of the chosen parts of the surface, and the area of each that falls to its nodes [m²].

        Of nodes, the faces count that have all of theirs chosen.
        """
        faces = self.surface_faces[np.isin(self.surface_faces, chosen).all(axis=1)]
        p = self.rest[faces]
        area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
        return faces, np.repeat(area[:, None] / 3, 3, axis=1)

    def grip(self, nodes: np.ndarray, weights: np.ndarray) -> Mixture:
        """(k,) nodes and weights that a hand on a drawn point pulls at, from those that draw it."""
        return nodes, weights

    def bind_points(self, points: np.ndarray, what: str) -> Mixture:
        """Nodes and weights of points of a solid; those too far outside are refused."""
        raise InputError(f"{what}: {type(self).__name__} has no inside; expected a solid, or use a condition on nodes")

    def carriers(self, points: np.ndarray, what: str) -> Mixture:
        """The same for points that may be as far outside as those of a surface that is carried along."""
        return self.bind_points(points, what)

    def inlaid(self, shape: Sdf) -> Inlay | None:
        """The part of a solid inside it, one point in each element that it reaches; None where they do not meet."""
        raise InputError(f"a solid cannot be laid into {type(self).__name__}; expected Lattice, Tets or Hexes")

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        """The surface that draws it: ``mesh`` carried along, or its own."""
        if mesh is not None:
            raise InputError(f"{type(self).__name__} carries no other surface; expected a solid such as Tets, Hexes or Lattice")
        if self.faces is None:
            given = f"no way to draw {type(self).__name__}"
            raise InputError(f"{given}; expected Tets, Hexes, Lattice, Membrane or Springs, or elements with faces=…")
        return self.outline

    def bind(self, mesh: TriMesh) -> Binding:
        """A surface embedded in a solid, each vertex in one element; contact acts where it is drawn."""
        nodes, weights, _ = self.locate(mesh.vertices)
        return self._bound(mesh, nodes, weights)

    def _bound(self, mesh: TriMesh, nodes: np.ndarray, weights: np.ndarray) -> Binding:
        areas = vertex_areas(mesh.triangles, mesh.vertices)
        widths = np.einsum("sk,sk->s", np.abs(weights), self.widths[nodes]) / np.abs(weights).sum(axis=1)
        return Binding(nodes, weights, mesh.triangles, areas, areas / widths)

    def _at_nodes(self, nodes: np.ndarray, triangles: np.ndarray, edges: np.ndarray | None = None) -> Binding:
        """Nodes that are points by themselves."""
        weights = np.ones((len(nodes), 1))
        return Binding(nodes[:, None], weights, triangles, self.areas[nodes], self.widths[nodes], edges)


@dataclass(frozen=True, eq=False)
class Made(Elements):
    """Elements whose arrays follow from what they are made of, so that ``dataclasses.replace`` rebuilds them.

    The fields of a subclass are its arguments; its ``__post_init__`` hands the arrays over by ``_derive``.
    """

    rest: np.ndarray = field(init=False, repr=False)
    nodes: np.ndarray = field(init=False, repr=False)
    gradients: np.ndarray = field(init=False, repr=False)
    weights: np.ndarray = field(init=False, repr=False)
    dimension: int = field(init=False, repr=False, default=3)
    places: np.ndarray | None = field(init=False, repr=False, default=None)
    edges: np.ndarray | None = field(init=False, repr=False, default=None)
    faces: np.ndarray | None = field(init=False, repr=False, default=None)
    recovery: np.ndarray | None = field(init=False, repr=False, default=None)
    plane_strain: bool = field(init=False, repr=False, default=False)

    def _derive(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)
