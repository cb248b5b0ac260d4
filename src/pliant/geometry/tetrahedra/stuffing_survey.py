"""Measures of a solid that its tetrahedra are compared with: volume, points on the surface, separate pieces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..distance.mesh_distance import MeshDistance
from ..distance.sdf import Sdf
from ..distance.sdf_orient import oriented_triangles, pieces_of
from ..mesh.mesh import TriMesh
from .isosurface import surface
from .stuffing_fill import solid_of

SAMPLES = 200_000  # points on the surface looked at, at most
CELLS = 2_000_000  # cells of a volume integral, at most


def surface_samples(shape: TriMesh | Sdf, edge: float) -> tuple[np.ndarray, TriMesh]:
    """(n, 3) points spread over the surface of a solid [m], about four per square of one edge, and that surface."""
    if isinstance(shape, Sdf):
        skin = surface(shape, _fine(shape.bounds, edge / 4.0, CELLS))
        samples = _projected(shape, edge)
        return samples[:: max(1, len(samples) // SAMPLES)], skin
    count = np.maximum(1, np.ceil(shape.areas / (0.5 * edge) ** 2).astype(np.int64))
    count = np.minimum(count, max(1, SAMPLES // len(shape.triangles)))
    face = np.repeat(np.arange(len(shape.triangles)), count)
    nth = np.arange(len(face)) - np.repeat(np.cumsum(count) - count, count)
    u, v = (0.5 + 0.7548776662466927 * nth) % 1.0, (0.5 + 0.5698402909980532 * nth) % 1.0  # evenly spread, no seed
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    a, b, c = (shape.vertices[shape.triangles[face, i]] for i in range(3))
    samples = a + u[:, None] * (b - a) + v[:, None] * (c - a)
    return samples[:: max(1, len(samples) // SAMPLES)], shape


def _fine(bounds: np.ndarray, wanted: float, cells: int) -> float:
    """A spacing as fine as wanted, or that many cells in the bounds [m]."""
    return max(wanted, float(np.prod(bounds[1] - bounds[0] + 2 * wanted) / cells) ** (1 / 3))


def _slabs(bounds: np.ndarray, fine: float) -> Iterator[np.ndarray]:
    """Points of a grid over the bounds, layer by layer."""
    x, y, z = (np.arange(low - fine, high + 1.5 * fine, fine) for low, high in bounds.T)
    for layer in x:
        yield np.stack(np.meshgrid([layer], y, z, indexing="ij"), axis=-1).reshape(-1, 3)


def _projected(shape: Sdf, edge: float) -> np.ndarray:
    """(n, 3) points moved from a grid onto the nearest surface, which finds parts thinner than the grid, too [m]."""
    fine = _fine(shape.bounds, edge / 2.0, CELLS)
    near = []
    for points in _slabs(shape.bounds, fine):
        near.append(points[np.abs(shape(points)) < fine])
    points = np.concatenate(near)
    for _ in range(3):
        slope = shape.gradient(points)
        points = points - slope * (shape(points) / np.maximum(np.einsum("ij,ij->i", slope, slope), 1e-12))[:, None]
    return points[np.abs(shape(points)) < 0.01 * edge]


def lost_pieces(skin: TriMesh, points: np.ndarray) -> tuple[int, np.ndarray]:
    """Number of closed surfaces in a skin, and (l, 3) centres of those that none of the points is nearest to."""
    triangles, kept = oriented_triangles(skin)
    piece, closed = pieces_of(skin.vertices, triangles)
    number = np.full(len(skin.triangles), -1)
    number[kept] = piece
    met = np.zeros(len(closed), dtype=bool)
    met[number[MeshDistance(skin).nearest(points).faces]] = True
    middles = skin.vertices[triangles].mean(axis=1)
    size = np.bincount(piece, minlength=len(closed))
    centre = np.stack([np.bincount(piece, weights=middles[:, i], minlength=len(closed)) for i in range(3)], axis=1)
    return int(closed.sum()), (centre / size[:, None])[closed & ~met]


def volume_of(shape: TriMesh | Sdf, edge: float) -> float:
    """Volume of a solid [m³]: of the polyhedron where its surface is closed, else by counting parts of small cells."""
    if isinstance(shape, TriMesh):
        triangles, _ = oriented_triangles(shape)
        _, closed = pieces_of(shape.vertices, triangles)
        if closed.all():
            return TriMesh(shape.vertices, triangles).volume
    distance, bounds, _ = solid_of(shape)
    # triangles take a hundred times longer than primitives
    fine = _fine(bounds, 0.25 * edge, CELLS) if isinstance(shape, Sdf) else _fine(bounds, 0.5 * edge, CELLS // 10)
    total = sum(np.clip(0.5 - distance(points) / fine, 0.0, 1.0).sum() for points in _slabs(bounds, fine))
    return float(total * fine**3)
