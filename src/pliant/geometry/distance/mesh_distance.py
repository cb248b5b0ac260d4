"""Signed distance to a triangle surface, also a broken one."""

from dataclasses import dataclass

import numpy as np
import warp as wp

from ...arguments import checks
from ...errors import InputError
from ...runtime.device import Types, family
from ..mesh.mesh import TriMesh
from .sdf import Sdf, host, sampled_on_grid
from .sdf_orient import oriented_triangles, pieces_of


@family
def distance_kernels(t: Types) -> dict:
    """Nearest triangles through Warp's tree, which works in f32; the distance itself in the precision asked for."""
    vec3 = t.vec3
    zero, one = t.real(0.0), t.real(1.0)

    @wp.func(module=t.module)
    def nearest_on_triangle(p: vec3, a: vec3, b: vec3, c: vec3) -> vec3:
        """The nearest point lies on an edge unless p projects inside all three."""
        ab, bc, ca = b - a, c - b, a - c
        normal = wp.cross(ab, c - a)
        square = wp.dot(normal, normal)
        if (
            wp.dot(wp.cross(normal, ab), p - a) >= zero
            and wp.dot(wp.cross(normal, bc), p - b) >= zero
            and wp.dot(wp.cross(normal, ca), p - c) >= zero
            and square > zero
        ):
            return p - normal * (wp.dot(normal, p - a) / square)
        on_ab = a + ab * wp.clamp(wp.dot(p - a, ab) / wp.dot(ab, ab), zero, one)
        on_bc = b + bc * wp.clamp(wp.dot(p - b, bc) / wp.dot(bc, bc), zero, one)
        on_ca = c + ca * wp.clamp(wp.dot(p - c, ca) / wp.dot(ca, ca), zero, one)
        best = on_ab
        if wp.length_sq(p - on_bc) < wp.length_sq(p - best):
            best = on_bc
        if wp.length_sq(p - on_ca) < wp.length_sq(p - best):
            best = on_ca
        return best

    @t.kernel
    def nearest(
        start: int,
        # mesh:
        tree: wp.uint64,
        corners: wp.array(dtype=t.vec3),
        # in:
        points: wp.array(dtype=t.vec3),
        # out:
        out: wp.array(dtype=t.vec4),
        faces: wp.array(dtype=int),
    ):
        i = start + wp.tid()
        p = points[i]
        query = wp.mesh_query_point_sign_winding_number(tree, wp.vec3(float(p[0]), float(p[1]), float(p[2])), 1.0e30)
        face = query.face
        there = nearest_on_triangle(p, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2])
        out[i] = t.vec4(there[0], there[1], there[2], t.real(query.sign) * wp.length(p - there))
        faces[i] = face

    return {"nearest": nearest}


@dataclass(frozen=True, eq=False)
class Nearest:
    """What the surface is nearest to each of n points."""

    points: np.ndarray  # (n, 3) on the surface [m]
    faces: np.ndarray  # (n,) triangles
    distances: np.ndarray  # (n,) signed [m]


class MeshDistance:
    """Signed distance [m] to a triangle surface: exact in size, and in sign by the winding number.

    Flipped faces are turned first (``oriented_triangles``). A hole is closed by a smooth membrane where the winding
    number is one half; across it the sign changes although the distance to the triangles is not zero.
    """

    def __init__(self, mesh: TriMesh):
        checks.instance("mesh", mesh, TriMesh, "a TriMesh, the surface of a solid")
        triangles, kept = oriented_triangles(mesh)
        if not len(triangles):
            raise InputError(f"this TriMesh has {len(mesh.triangles)} triangles, none with an area; expected a closed surface")
        device = host()
        self.bounds = mesh.bounds
        self.closed = bool(pieces_of(mesh.vertices, triangles)[1].all())
        self._faces = kept
        # Warp's tree is in f32: about the origin and of unit size, so that far or tiny shapes lose nothing
        self._centre = self.bounds.mean(axis=0)
        self._size = 0.5 * float(np.linalg.norm(self.bounds[1] - self.bounds[0]))
        vertices = (mesh.vertices - self._centre) / self._size
        self._corners = device.array(vertices[triangles].reshape(-1, 3), device.types.vec3)
        self._tree = wp.Mesh(
            points=wp.array(vertices.astype(np.float32), dtype=wp.vec3, device=device.warp),
            indices=wp.array(triangles.ravel(), dtype=wp.int32, device=device.warp),
            support_winding_number=True,
        )

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """(n,) signed distances [m] at (n, 3) points [m]."""
        return self.nearest(points).distances

    def nearest(self, points: np.ndarray) -> Nearest:
        """The nearest points on the surface, their triangles, and the signed distances."""
        device = host()
        points = checks.points("points", points)
        there = device.array((points - self._centre) / self._size, device.types.vec3)
        closest, faces = device.zeros(len(points), device.types.vec4), device.zeros(len(points), wp.int32)
        kernel = distance_kernels("f64").nearest
        device.launch(kernel, len(points), self._tree.id, self._corners, there, closest, faces, grain=256)
        device.forget()
        closest = closest.numpy()
        return Nearest(closest[:, :3] * self._size + self._centre, self._faces[faces.numpy()], closest[:, 3] * self._size)


def from_mesh(mesh: TriMesh, spacing: float | None = None) -> Sdf:
    """Sample the signed distance to a closed surface on a grid; holes are bridged and flipped faces turned.

    Args:
        mesh: the surface [m].
        spacing: distance between samples [m]; 1/64 of the longest side of the mesh by default.
    """
    distance = MeshDistance(mesh)
    low, high = distance.bounds
    if spacing is None:
        spacing = float((high - low).max()) / 64.0
    return sampled_on_grid(distance, distance.bounds, spacing)
