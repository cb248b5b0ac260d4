"""Edge–face crossings, to check that states are intersection-free."""

import numpy as np
import warp as wp

from ...runtime.device import Device, family
from ..pairs.contact_surface import Surface
from .broad_phase import Boxed, candidate_kernels

FLAT = 1e-9  # of an edge: an end this close to a plane lies in it


@family
def crossing_kernels(t):
    real, vec3 = t.real, t.vec3
    boxes, lists = wp.array(dtype=wp.vec3), wp.array2d(dtype=wp.int32)

    @wp.func(module=t.module)
    def passes(a: vec3, b: vec3, p: vec3, q: vec3, r: vec3) -> bool:
        """Whether the edge from a to b goes through the triangle: its ends lie on both sides, and it winds around none."""
        n = wp.cross(q - p, r - p)
        above, below = wp.dot(a - p, n), wp.dot(b - p, n)
        least = real(FLAT) * wp.length(n) * wp.length(b - a)
        if above * below > real(0.0) or wp.abs(above) < least or wp.abs(below) < least:
            return False  # both on one side, or an end in the plane, as far as rounding can tell
        d = b - a
        u = wp.dot(wp.cross(p - a, q - a), d)
        v = wp.dot(wp.cross(q - a, r - a), d)
        w = wp.dot(wp.cross(r - a, p - a), d)
        return (u >= real(0.0) and v >= real(0.0) and w >= real(0.0)) or (u <= real(0.0) and v <= real(0.0) and w <= real(0.0))

    @t.kernel
    def first_crossing(
        start: int, edges: lists, faces: lists, tree: wp.uint64, x: wp.array(dtype=vec3), lower: boxes, upper: boxes,
        out: wp.array(dtype=wp.int32),
    ):  # fmt: skip
        """A face that the edge passes through, or −1."""
        i = start + wp.tid()
        one, other = edges[i, 0], edges[i, 1]
        out[i] = -1
        j = int(0)
        query = wp.bvh_query_aabb(tree, lower[i], upper[i])
        while wp.bvh_query_next(query, j):
            p, q, r = faces[j, 0], faces[j, 1], faces[j, 2]
            apart = one != p and one != q and one != r and other != p and other != q and other != r
            if apart and passes(x[one], x[other], x[p], x[q], x[r]):
                out[i] = j

    return locals()


def crossings(device: Device, surface: Surface, x: np.ndarray) -> np.ndarray:
    """(m, 2) edges of a surface whose points are at x (p, 3), each with a face that it crosses."""
    if not len(surface.edges) or not len(surface.triangles):
        return np.zeros((0, 2), int)
    edges, faces = Boxed(device, surface.edges), Boxed(device, surface.triangles)
    at = device.array(x, device.types.position)
    for boxed in (edges, faces):
        boxed.put(candidate_kernels("f64").bound, 0.0, at, at)
    faces.plant(anew=True)
    out = device.zeros(edges.count, wp.int32)
    mesh = (edges.corners, faces.corners, faces.tree.id)
    kernel = crossing_kernels("f64").first_crossing
    device.launch(kernel, edges.count, *mesh, at, edges.lower, edges.upper, out, grain=64)
    face = out.numpy()
    crossing = np.flatnonzero(face >= 0)
    return np.stack([crossing, face[crossing]], axis=1)


def least_way(edge: np.ndarray, face: np.ndarray) -> float:
    """The least translation [m] of an edge (2, 3) that separates it from a crossed face (3, 3): past an end, or a side."""
    n = np.cross(face[1] - face[0], face[2] - face[0])
    ways = list(np.abs((edge - face[0]) @ n / np.linalg.norm(n)))
    along = edge[1] - edge[0]
    for a, b in zip(face, np.roll(face, -1, axis=0)):
        across = np.cross(along, b - a)
        if np.linalg.norm(across) > 1e-12 * np.linalg.norm(along) * np.linalg.norm(b - a):
            ways.append(abs((edge[0] - a) @ across) / np.linalg.norm(across))
    return float(min(ways))
