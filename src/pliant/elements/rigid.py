"""Rigid body as one affine element of four nodes.

Four masses m/4 at c + L sᵢ, with sᵢ the corners of a regular tet on the unit sphere (Σ sᵢ = 0, Σ sᵢ sᵢᵀ = 4/3 I) and
L Lᵀ = 3 M₂/m, have the mass m, the centre c and the second moments M₂ = ∫ ρ (x − c)(x − c)ᵀ of the body, and so its linear and
angular momentum and its kinetic energy in every affine motion. A stiff law keeps that motion rigid (Lan et al. 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..arguments import checks
from ..arguments.typing_fields import Becomes, Vector
from ..errors import InputError
from ..geometry.distance.mesh_distance import MeshDistance
from ..geometry.distance.sdf import Sdf
from ..geometry.mesh.mesh import TriMesh
from ..geometry.mesh.solid_moments import SolidMoments, solid_moments
from ..geometry.tetrahedra.isosurface import surface
from ..material.laws.corotated import Arap
from .base import Made
from .embedded_surface import Binding, Mixture

CORNERS = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]) / np.sqrt(3.0)  # sᵢ, in the order of a positive tet
FLATTEST = 1e-4  # of the largest second moment, that no direction has less of
STIFF, ENOUGH = 1e9, 1e7  # [Pa] of a rigid body unless told, and times the pressure of its weight at most
BRISK = 1e9  # [1/s²] times ρL², at most: some hundred thousand times what its inertia has against steps of 1/60 s
YIELDING = 1e-3  # of its stiffness, but for that bound: what it meets others with
GRAVITY = 9.81  # [m/s²] for that
FINE = 10  # triangles along the shortest side of a signed distance, unless told


@dataclass(frozen=True, eq=False)
class Inertia:
    """A ``mass`` [kg] that is not spread evenly: its ``centre`` [m] and (3, 3) ``tensor`` of inertia about that [kg m²], at rest.

    Principal moments of a thing keep A + B > C. Of a flat one A + B = C, and it gets a thickness of a hundredth of its size.
    """

    mass: float
    centre: Vector
    tensor: Sequence[Vector] | np.ndarray

    def __post_init__(self):
        checks.positive("Inertia(mass=…)", self.mass, "kg")
        tensor = checks.floats(self.tensor)
        square = tensor.shape == (3, 3) and np.isfinite(tensor).all()
        if not square or np.abs(tensor - tensor.T).max() > 1e-6 * np.abs(tensor).max():
            raise checks.refusal("Inertia(tensor=…)", self.tensor, "a symmetric matrix, (3, 3), in kg m²")
        object.__setattr__(self, "mass", float(self.mass))
        object.__setattr__(self, "centre", checks.vector("Inertia(centre=…)", self.centre, "metres"))
        object.__setattr__(self, "tensor", 0.5 * (tensor + tensor.T))
        least, most = np.linalg.eigvalsh(self.second)[[0, -1]]
        if not most > 0 or least < -1e-3 * most:
            moments = ", ".join(f"{m:.3g}" for m in np.linalg.eigvalsh(tensor))
            raise InputError(
                f"Inertia(tensor=…) has principal moments {moments} kg m², which no thing has; expected positive ones of which "
                "none exceeds the sum of the others"
            )

    @property
    def second(self) -> np.ndarray:
        """(3, 3) ∫ (x − c)(x − c)ᵀ dm = ½ tr(I) 1 − I [kg m²]."""
        return 0.5 * np.trace(self.tensor) * np.eye(3) - self.tensor

    def moments(self, volume: float) -> SolidMoments:
        """The same of a solid with that volume [m³]: those of a density of 1, with no direction quite flat."""
        values, axes = np.linalg.eigh(self.second * (volume / self.mass))
        values = np.maximum(values, FLATTEST * values[-1])
        return SolidMoments(volume, np.asarray(self.centre), (axes * values) @ axes.T)


@dataclass(frozen=True, eq=False)
class Rigid(Made):
    """A rigid body: the solid inside a closed ``shape``, by its ``density`` [kg/m³], its ``mass`` [kg] or its ``Inertia``.

    A signed distance is made a surface of triangles of size ``spacing`` [m] first. ``stiffness`` [Pa] is Young's modulus of the
    law that keeps it rigid: a pressure p strains it by about p / stiffness. None is 1e9, or where that is
    less 1e7 times the pressure of its own weight, or 1e9/s² times its density and the square of its size: of what weighs next
    to nothing, or is small, rounding of more would outweigh weight and inertia in f32.
    """

    shape: TriMesh | Sdf
    density: float | None = None
    mass: float | Inertia | None = None
    stiffness: Becomes[float | None, float] = None
    spacing: float | None = None

    yielding = YIELDING
    touches_itself: ClassVar[bool] = False
    held_whole: ClassVar[bool] = True

    def __post_init__(self):
        checks.instance("Rigid(shape=…)", self.shape, (TriMesh, Sdf), "a closed TriMesh, or a solid such as sphere(0.1)")
        if self.stiffness is not None:
            checks.positive("Rigid(stiffness=…)", self.stiffness, "Pa")
        if (self.density is None) == (self.mass is None):
            given = "neither" if self.density is None else "both"
            raise InputError(f"Rigid(density=…, mass=…) has {given}; expected one: kg/m³, or kg")
        if self.density is not None:
            checks.positive("Rigid(density=…)", self.density, "kg/m³")
        if self.mass is not None and not isinstance(self.mass, Inertia):
            checks.positive("Rigid(mass=…)", self.mass, "kg")
        if self.spacing is not None:
            checks.length("Rigid(spacing=…)", self.spacing)
            if isinstance(self.shape, TriMesh):
                raise InputError("Rigid(TriMesh, spacing=…): spacing is for signed distances; expected None")
        if self.stiffness is None:
            density, size = self._density, float(np.ptp(self.mesh.vertices, axis=0).max())
            firm = min(STIFF, ENOUGH * density * GRAVITY * size)
            object.__setattr__(self, "stiffness", min(firm, BRISK * density * size**2))
            object.__setattr__(self, "yielding", YIELDING * firm / self.stiffness)
        values, axes = np.linalg.eigh(3.0 * self.moments.second / self.moments.volume)
        L = (axes * np.sqrt(values)) @ axes.T
        # X − c = L Σ Nᵢ sᵢ and Σ Nᵢ = 1 give Nᵢ = 1/4 + 3/4 sᵢ · L⁻¹ (X − c)
        self._derive(
            rest=self.moments.centre + CORNERS @ L,
            nodes=np.arange(4, dtype=np.int32)[None],
            gradients=(0.75 * CORNERS @ np.linalg.inv(L))[None, None],
            weights=np.array([[self.moments.volume]]),
        )
        super().__post_init__()

    @cached_property
    def mesh(self) -> TriMesh:
        """Its surface."""
        if isinstance(self.shape, TriMesh):
            used, triangles = np.unique(self.shape.triangles, return_inverse=True)
            whole = len(used) == len(self.shape.vertices)
            return self.shape if whole else TriMesh(self.shape.vertices[used], triangles.reshape(-1, 3))
        sides = np.ptp(self.shape.bounds, axis=0)
        if not np.all(np.isfinite(sides)):
            raise InputError("Rigid(shape=…): this signed distance has no end; expected a bounded solid such as box(0.1)")
        return surface(self.shape, float(sides.min()) / FINE if self.spacing is None else self.spacing)

    @cached_property
    def moments(self) -> SolidMoments:
        """Volume, centre and second moments of the solid."""
        found = solid_moments(self.mesh, f"Rigid({type(self.shape).__name__})")
        return self.mass.moments(found.volume) if isinstance(self.mass, Inertia) else found

    @property
    def centre(self) -> np.ndarray:
        """(3,) centre of mass at rest [m]."""
        return self.moments.centre

    @property
    def inertia(self) -> np.ndarray:
        """(3, 3) tensor of inertia about the centre of mass at rest [kg m²]."""
        return float(self.material.density) * self.moments.inertia

    @cached_property
    def material(self) -> Arap:
        """The law that keeps it rigid, with its density."""
        return Arap(young=float(self.stiffness), density=self._density)

    @property
    def _density(self) -> float:
        mass = self.mass.mass if isinstance(self.mass, Inertia) else self.mass
        return float(self.density if mass is None else mass / self.moments.volume)

    @cached_property
    def outline(self) -> Binding:
        return self.bind(self.mesh)

    def locate(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        nodes, weights = self._carried(points)
        return nodes, weights, np.maximum(MeshDistance(self.mesh)(points), 0.0)

    def load_places(self) -> tuple[np.ndarray, str]:
        return self.mesh.vertices[self.mesh.triangles].mean(axis=1), "triangle"

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        nodes, weights = self._carried(self.load_places()[0][chosen])
        return nodes, weights * self.mesh.areas[chosen, None]

    def bind_points(self, points: np.ndarray, what: str) -> Mixture:
        """Any points: what is fixed to a rigid body need not lie in it."""
        return self._carried(points)

    def bind(self, mesh: TriMesh) -> Binding:
        bound = self._bound(mesh, *self._carried(mesh.vertices))
        return Binding(bound.nodes, bound.weights, bound.triangles, bound.areas, self.yielding * bound.lengths)

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        return self.outline if mesh is None else self.bind(mesh)

    def _carried(self, points: np.ndarray) -> Mixture:
        """(s, 4) nodes and weights of points that move along."""
        weights = 0.25 + (points - self.centre) @ self.gradients[0, 0].T
        return np.broadcast_to(self.nodes, weights.shape), weights
