"""Planar triangles in plane strain or plane stress."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from ...arguments import checks
from ...errors import InputError, first_few
from ...geometry.mesh.mesh import TriMesh, unique_rows
from ..base import Made
from ..embedded_surface import NONE, Binding, Mixture

FLAT = 1e-9  # of the size of a mesh, by which its vertices may leave the plane
Z = np.array([0.0, 0.0, 1.0])


class PlaneState:
    """What a flat body does across its plane."""

    dimension: ClassVar[int]
    plane_strain: ClassVar[bool]


@dataclass(frozen=True)
class PlaneStrain(PlaneState):
    """No strain across the plane, as in a long tube or a dam: F has 1 there, and every law serves."""

    dimension = 3
    plane_strain = True


@dataclass(frozen=True)
class PlaneStress(PlaneState):
    """No stress across the plane, as in a thin plate: the thickness stretch is the one at which it vanishes."""

    dimension = 2
    plane_strain = False


@dataclass(frozen=True, eq=False)
class Section:
    """A flat body as triangles between points, each a fixed mixture of nodes: what is drawn, loaded and touched.

    ``owner`` is the element that each triangle is in.
    """

    nodes: np.ndarray  # (s, k)
    weights: np.ndarray  # (s, k)
    triangles: np.ndarray  # (t, 3), counter-clockwise from +z
    owner: np.ndarray  # (t,)

    @cached_property
    def _rim(self) -> tuple[np.ndarray, np.ndarray]:
        edges = self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        first, _, count = unique_rows(np.sort(edges, axis=1))
        outer = np.sort(first[count == 1])
        return edges[outer], self.owner[outer // 3]

    @property
    def rim(self) -> np.ndarray:
        """(f, 2) points at the ends of the edges of its outline, the material on their left."""
        return self._rim[0]

    @property
    def rim_owner(self) -> np.ndarray:
        """(f,) the element that each is in."""
        return self._rim[1]

    def of(self, values: np.ndarray) -> np.ndarray:
        """(s, …) values at the points from (n, …) values at the nodes."""
        return np.einsum("sk,sk...->s...", self.weights, values[self.nodes])


@dataclass(frozen=True, eq=False)
class Planar(Made):
    """What flat bodies share; a subclass has ``thickness`` [m], ``state`` and ``section``."""

    held_axes = (2,)

    def _check_plane(self, owner: str) -> float:
        """The thickness [m]; what is no state of the plane is refused."""
        checks.instance(f"{owner}(state=…)", self.state, PlaneState, "planar.PlaneStrain() or planar.PlaneStress()")
        return checks.length(f"{owner}(thickness=…)", self.thickness)

    @property
    def section(self) -> Section:
        raise NotImplementedError(f"{type(self).__name__} needs section, as every Planar has")

    @property
    def normals(self) -> np.ndarray | None:
        """Of plane stress, into whose plane fibres are laid."""
        return None if self.state.plane_strain else np.broadcast_to(Z, (self.count, 3))

    @property
    def pressed_inside(self) -> bool:
        return self.state.plane_strain

    @cached_property
    def widths(self) -> np.ndarray:
        """(n,) the thickness [m]: times a modulus it is the stiffness of a plate at a point of its outline."""
        return np.full(len(self.rest), self.thickness)

    @cached_property
    def rim_lengths(self) -> np.ndarray:
        """(f,) lengths of the edges of the outline [m]."""
        a, b = np.moveaxis(self.section.of(self.rest)[self.section.rim], 1, 0)
        return np.linalg.norm(b - a, axis=1)

    def rim_shares(self) -> Mixture:
        """(f, k) nodes of the edges of the outline, and ∫ N_i over the side of the body along each [m²]."""
        section, half = self.section, 0.5 * self.thickness * self.rim_lengths
        nodes, weights = section.nodes[section.rim], section.weights[section.rim]
        return nodes.reshape(len(half), -1), (half[:, None, None] * weights).reshape(len(half), -1)

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) side of the body that each node stands for [m²], 0 inside."""
        nodes, shares = self.rim_shares()
        return np.bincount(nodes.ravel(), shares.ravel(), len(self.rest))

    def load_places(self) -> tuple[np.ndarray, str]:
        """Middles of the edges of the outline."""
        return self.section.of(self.rest)[self.section.rim].mean(axis=1), "edge of the outline"

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        nodes, shares = self.rim_shares()
        return nodes[chosen], shares[chosen]

    @cached_property
    def outline(self) -> Binding:
        """The points of its outline."""
        section, half = self.section, 0.5 * self.thickness * self.rim_lengths
        points = np.unique(section.rim)
        areas = np.bincount(section.rim.ravel(), np.repeat(half, 2), len(section.nodes))[points]
        return Binding(section.nodes[points], section.weights[points], NONE, areas, np.full(len(points), self.thickness))

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        if mesh is not None:
            return super().drawn(mesh)
        section, count = self.section, len(self.section.nodes)
        areas = np.bincount(section.rim.ravel(), np.repeat(0.5 * self.thickness * self.rim_lengths, 2), count)
        return Binding(section.nodes, section.weights, section.triangles, areas, np.full(count, self.thickness))


@dataclass(frozen=True, eq=False)
class Triangles(Planar):
    """Flat elements from a TriMesh in a plane of constant z, and a thickness [m]; its nodes stay in that plane.

    Conditions of loads choose edges of the outline by their middles. Linear triangles are stiff in bending, and lock near
    ν = 0.5 in plane strain, unless their diagonals alternate as in ``cloth_grid``: Squares need not.
    """

    mesh: TriMesh
    thickness: float = 1.0
    state: PlaneState = field(default_factory=PlaneStrain)

    unlocked = "planar.Squares(…, volume=Averaged()) with Newton()"

    def __post_init__(self):
        mesh = checks.instance("mesh of planar.Triangles", self.mesh, TriMesh, "a TriMesh in a plane of constant z")
        thickness = self._check_plane("planar.Triangles")
        if len(mesh.vertices) and np.ptp(mesh.vertices[:, 2]) > FLAT * np.ptp(mesh.vertices, axis=0).max():
            low, high = mesh.vertices[:, 2].min(), mesh.vertices[:, 2].max()
            raise InputError(
                f"planar.Triangles: the vertices are at z = {low:.6g} … {high:.6g} m; expected a mesh in a plane of constant z, "
                "or use Membrane for a sheet in space"
            )
        area = mesh.area_vectors[:, 2]
        wrong = np.flatnonzero(area * (1 if area.sum() >= 0 else -1) <= 0)
        if len(wrong):
            raise InputError(
                f"{len(wrong)} of {len(area)} triangles have no area or are turned over against the others, first at "
                f"{first_few(wrong)}; swap two of their vertices, or mesh again"
            )
        triangles = mesh.triangles if area.sum() >= 0 else mesh.triangles[:, ::-1]
        # ∇Nᵢ = z × (opposite edge) / 2A
        corner = mesh.vertices[triangles]
        opposite = corner[:, [2, 0, 1]] - corner[:, [1, 2, 0]]
        gradients = np.cross(Z, opposite) / (2 * np.abs(area))[:, None, None]
        self._derive(rest=mesh.vertices, nodes=triangles, gradients=gradients[:, None], thickness=thickness)
        self._derive(weights=(np.abs(area) * thickness)[:, None])
        self._derive(dimension=self.state.dimension, plane_strain=self.state.plane_strain)
        super().__post_init__()

    @property
    def locks_from(self) -> float | None:
        """In plane strain, on bars four across whose triangles share one diagonal; plane stress does not lock."""
        return 0.42 if self.state.plane_strain else None

    @cached_property
    def section(self) -> Section:
        nodes = np.arange(len(self.rest))[:, None]
        return Section(nodes, np.ones(nodes.shape), self.nodes, np.arange(self.count))
