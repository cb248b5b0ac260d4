"""The shapes that links are made of, each as a signed distance, as a surface, and as a mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

from ..elements.rigid import Inertia
from ..errors import InputError
from ..geometry.distance import sdf
from ..geometry.distance.mesh_distance import from_mesh
from ..geometry.distance.sdf import Sdf
from ..geometry.mesh import primitives
from ..geometry.mesh.mesh import TriMesh
from ..geometry.mesh.solid_moments import SolidMoments, solid_moments
from ..geometry.tetrahedra.isosurface import surface
from .poses import moved, pose

ROUND = 24  # sides of what is round
SIZES = {"plane": 0, "sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3, "mesh": 0}


@dataclass(frozen=True, eq=False)
class Form:
    """A shape at a ``pose`` in its link; ``size`` are radii and half lengths, along z where it is long [m]."""

    kind: str
    size: tuple[float, ...]
    pose: np.ndarray
    mesh: TriMesh | None = None
    name: str = ""

    def __post_init__(self):
        if len(self.size) != SIZES[self.kind] or not all(0 < s < np.inf for s in self.size):
            raise InputError(
                f"the {self.kind} {self.name!r} has size {' '.join(f'{s:g}' for s in self.size) or 'none'}; expected "
                f"{SIZES[self.kind]} positive numbers of metres"
            )

    @cached_property
    def outline(self) -> TriMesh:
        """Its closed surface, where it is in the link; of a plane there is none."""
        if self.mesh is not None:
            made = self.mesh
        elif self.kind == "box":
            size = 2 * np.array(self.size)
            hull = primitives.tet_grid(size, (3, 3, 3), origin=-0.5 * size).boundary
            used, triangles = np.unique(hull.triangles, return_inverse=True)
            made = TriMesh(hull.vertices[used], triangles.reshape(-1, 3))
        elif self.kind in ("sphere", "ellipsoid"):
            ball = primitives.sphere(1.0, 2)
            made = TriMesh(ball.vertices * (self.size if len(self.size) == 3 else self.size[0]), ball.triangles)
        else:
            made = _turned(*self._profile())
        return TriMesh(moved(self.pose, made.vertices), made.triangles)

    def _profile(self) -> tuple[np.ndarray, np.ndarray]:
        """Distances from the z axis and heights, from the lower end of it to the upper."""
        radius, half = self.size
        if self.kind == "cylinder":
            rows = [0, 0.5 * radius, radius, radius, radius, 0.5 * radius, 0]
            return np.array(rows), np.array([-half, -half, -half, 0, half, half, half])
        lower = np.linspace(-0.5 * np.pi, 0.0, ROUND // 4 + 1)
        return (
            radius * np.abs(np.round(np.cos(np.concatenate([lower, -lower[::-1]])), 15)),
            np.concatenate([radius * np.sin(lower) - half, radius * np.sin(-lower[::-1]) + half]),
        )

    def solid(self, place: np.ndarray) -> Sdf:
        """Its signed distance, with the link at ``place``."""
        at = place @ self.pose
        if self.kind == "mesh":
            assert self.mesh is not None
            made = from_mesh(self.mesh)
        elif self.kind == "ellipsoid":
            flat = Form("ellipsoid", self.size, pose()).outline
            made = from_mesh(flat, max(2 * max(self.size) / 64, min(self.size) / 12))
        elif self.kind == "plane":
            made = sdf.plane()
        elif self.kind == "sphere":
            made = sdf.sphere(self.size[0])
        elif self.kind == "box":
            made = sdf.box(2 * np.array(self.size))
        else:
            kind = sdf.capsule if self.kind == "capsule" else sdf.cylinder
            made = kind((0, 0, -self.size[1]), (0, 0, self.size[1]), self.size[0])
        return placed(made, at)

    @cached_property
    def moments(self) -> SolidMoments:
        """Its volume, centre and second moments in its own axes."""
        if self.kind == "mesh":
            assert self.mesh is not None
            return solid_moments(self.mesh, f"mesh {self.name!r}")
        volume, squares = _exact(self.kind, self.size)
        return SolidMoments(volume, np.zeros(3), np.diag(squares))

    def inertia(self, density: float | None, mass: float | None) -> Inertia:
        """Its mass and inertia in the axes of the link, by a density [kg/m³] or a mass [kg]."""
        found = self.moments
        if mass is None:
            assert density is not None
            mass = density * found.volume
        R = self.pose[:3, :3]
        centre = moved(self.pose, found.centre[None])[0]
        return Inertia(mass, centre, mass / found.volume * R @ found.inertia @ R.T)


def _exact(kind: str, size: tuple[float, ...]) -> tuple[float, np.ndarray]:
    """Volume and ∫ x², ∫ y², ∫ z² of a solid about its middle."""
    if kind == "box":
        volume = 8 * float(np.prod(size))
        return volume, volume * np.square(size) / 3
    if kind in ("sphere", "ellipsoid"):
        axes = np.broadcast_to(size, 3)
        volume = 4 / 3 * np.pi * float(np.prod(axes))
        return volume, volume * np.square(axes) / 5
    r, h = size
    tube, ball = 2 * np.pi * r * r * h, 4 / 3 * np.pi * r**3
    if kind == "cylinder":
        return tube, tube * np.array([r * r / 4, r * r / 4, h * h / 3])
    along = tube * h * h / 3 + ball * (h * h + 0.75 * h * r + r * r / 5)
    across = tube * r * r / 4 + ball * r * r / 5
    return tube + ball, np.array([across, across, along])


def placed(solid: Sdf, at: np.ndarray) -> Sdf:
    """A solid taken along by a rigid 4×4 matrix."""
    turn = Rotation.from_matrix(at[:3, :3]).as_rotvec()
    angle = float(np.linalg.norm(turn))
    return (solid.rotated(turn / angle, np.rad2deg(angle)) if angle > 0 else solid).translated(at[:3, 3])


def closed(mesh: TriMesh) -> tuple[TriMesh, bool]:
    """A surface with an inside, and whether it had to be drawn anew because the one given has none."""
    try:
        solid_moments(mesh)
        return mesh, True
    except InputError:
        pass
    flipped = TriMesh(mesh.vertices, mesh.triangles[:, ::-1])
    try:
        solid_moments(flipped)
        return flipped, True
    except InputError:
        return surface(from_mesh(mesh), float(np.ptp(mesh.vertices, axis=0).max()) / 48), False


def _turned(radii: np.ndarray, heights: np.ndarray) -> TriMesh:
    """The closed surface of a profile that begins and ends on the z axis, turned about it."""
    angle = 2 * np.pi * np.arange(ROUND) / ROUND
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(ROUND)], axis=1)
    rows = [r * ring + [0, 0, z] for r, z in zip(radii[1:-1], heights[1:-1])]
    points = np.concatenate([[[0, 0, heights[0]]], *rows, [[0, 0, heights[-1]]]])
    here = np.arange(ROUND)
    there = (here + 1) % ROUND
    faces = [np.stack([np.zeros(ROUND, int), 1 + there, 1 + here], axis=1)]
    for row in range(len(rows) - 1):
        a, b = 1 + row * ROUND, 1 + (row + 1) * ROUND
        faces += [np.stack([a + here, a + there, b + there], axis=1), np.stack([a + here, b + there, b + here], axis=1)]
    last = 1 + (len(rows) - 1) * ROUND
    faces.append(np.stack([last + here, last + there, np.full(ROUND, len(points) - 1)], axis=1))
    return TriMesh(points, np.concatenate(faces))
