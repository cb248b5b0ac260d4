"""The surfaces of bodies as observations meet them: the nearest places to points, what rays hit first, and derivatives of both.

Warp's tree finds triangles in single precision; which of their neighbours is nearest, and how far, is then computed in double.
Both are done where the simulation is. A tree is built once; its boxes then follow the surface from frame to frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import warp as wp
from scipy import sparse

from .. import checks
from ..device import Device
from ..errors import InputError
from ..simulate.run import Skin
from .kernels import surface_kernels

ON = 1e-9  # of the size of a surface: points so near lie on it


class Surfaces:
    """Drawn surfaces as one mesh (s vertices, f triangles) whose vertices are mixtures of nodes: ``matrix`` (s, nodes).

    ``where`` is the device that looks for places on it.
    """

    def __init__(self, skins: Sequence[Skin], count: int, where: str = "cpu"):
        parts, triangles, first = [], [], 0
        for skin in skins:
            own = skin.matrix.tocoo()
            coordinates = (own.row, own.col + skin.start)
            parts.append(sparse.csr_array((own.data, coordinates), shape=(own.shape[0], count)))
            triangles.append(skin.triangles + first)
            first += own.shape[0]
        self.matrix = sparse.csr_array(sparse.vstack(parts, format="csr"))
        self.triangles = np.concatenate(triangles).astype(np.int32)
        self.where = where
        self._last: tuple[np.ndarray, np.ndarray] | None = None

    def of(self, x: np.ndarray) -> np.ndarray:
        """(s, 3) where its vertices are; to be read only, for several cameras look at the same."""
        if self._last is None or not np.array_equal(self._last[0], x):
            self._last = x.copy(), self.matrix @ x
            self._last[1].flags.writeable = False
        return self._last[1]

    def nearest(self, vertices: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) vertices of the triangle that is nearest to each point, and weights of the place on it."""
        tree = self._tree.at(vertices)
        device = tree.device
        faces, weights = device.zeros(len(points), wp.int32), device.zeros(len(points), device.types.vec3)
        unit = device.array(tree.unit(points), device.types.vec3)
        arrays = (tree.vertices, tree.triangles, *tree.around, unit, faces, weights)
        device.launch(surface_kernels("f64").nearest_places, len(points), tree.mesh.id, *arrays, grain=256)
        device.forget()
        return self.triangles[faces.numpy()], weights.numpy().copy()

    @cached_property
    def _tree(self) -> _Tree:
        return _Tree(self.triangles, self.where)

    def hit(self, vertices: np.ndarray, origins: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) the triangle that each ray origin + t·way meets first, −1 for none, and t."""
        tree = self._tree.at(vertices)
        device = tree.device
        hits = device.zeros(len(origins), wp.int32)
        unit = [tree.unit(origins), ways / np.linalg.norm(ways, axis=1, keepdims=True)]
        arrays = [wp.array(a.astype(np.float32), dtype=wp.vec3, device=device.warp) for a in unit]
        device.launch(surface_kernels("f64").first_hits, len(origins), tree.mesh.id, *arrays, hits, grain=256)
        device.forget()
        faces = hits.numpy().copy()
        corners = vertices[self.triangles[faces]]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        across = np.einsum("nc,nc->n", normals, ways)
        faces = np.where(across == 0, -1, faces)
        t = np.einsum("nc,nc->n", normals, corners[:, 0] - origins) / np.where(across == 0, 1.0, across)
        return faces, np.where(faces < 0, np.inf, t)

    def weights(self, vertices: np.ndarray, faces: np.ndarray, points: np.ndarray) -> np.ndarray:
        """(n, 3) barycentric coordinates of points in the planes of triangles."""
        a, b, c = np.moveaxis(vertices[self.triangles[faces]], 1, 0)
        n = np.cross(b - a, c - a)
        square = np.einsum("nc,nc->n", n, n)
        v = np.einsum("nc,nc->n", np.cross(points - a, c - a), n) / square
        w = np.einsum("nc,nc->n", np.cross(b - a, points - a), n) / square
        return np.column_stack([1 - v - w, v, w])

    def carried(self, chosen: np.ndarray, by: np.ndarray) -> Carried:
        """The Jacobian of n residuals with derivatives ``by`` (n, 3, 3) by three vertices each, ``chosen`` (n, 3)."""
        n = len(chosen)
        columns = (3 * chosen[:, :, None] + np.arange(3)).ravel()
        shape = (n, 3 * self.matrix.shape[0])
        return Carried(sparse.csr_array((by.ravel(), columns, 9 * np.arange(n + 1)), shape=shape), self.matrix)


class _Tree:
    """Triangles in Warp's tree, about the origin and of unit size, for it is in single precision."""

    def __init__(self, triangles: np.ndarray, where: str):
        self.device = Device(where, "f64")
        self.triangles = self.device.array(triangles, wp.int32)
        self.around = tuple(self.device.array(a, wp.int32) for a in _around(triangles))
        self._seen: np.ndarray | None = None

    def at(self, vertices: np.ndarray) -> _Tree:
        """Itself, with its boxes where the surface is now; arrays that were given are not to change."""
        if self._seen is vertices:
            return self
        low, high = (np.array([end(column) for column in vertices.T]) for end in (np.min, np.max))
        self.centre, self.size = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low))
        unit = self.unit(vertices)
        self.vertices = self.device.array(unit, self.device.types.vec3)
        points = wp.array(unit.astype(np.float32), dtype=wp.vec3, device=self.device.warp)
        if self._seen is None:
            self.mesh = wp.Mesh(points=points, indices=self.triangles.flatten())
        else:
            wp.copy(self.mesh.points, points)
            self.mesh.refit()
        self._seen = vertices
        return self

    def unit(self, points: np.ndarray) -> np.ndarray:
        return (points - self.centre) / self.size


def _around(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(f + 1,) where the list of each triangle begins of those that share a vertex with it, and all lists."""
    f = len(triangles)
    at = (triangles.ravel(), np.repeat(np.arange(f), 3))
    of_vertex = sparse.csr_array((np.ones(3 * f), at), shape=(int(triangles.max()) + 1, f))
    pairs = sparse.csr_array(of_vertex.T @ of_vertex)
    pairs.sort_indices()
    return pairs.indptr.astype(np.int32), pairs.indices.astype(np.int32)


class Carried:
    """(n, 3·nodes) Jacobian ``rows`` @ (``matrix`` ⊗ 1), kept as its factors; knows ``@`` and ``.T``."""

    def __init__(self, rows: sparse.csr_array, matrix: sparse.csr_array, transposed: bool = False):
        self.rows, self.matrix, self.transposed = rows, matrix, transposed

    @property
    def T(self) -> Carried:
        return Carried(self.rows, self.matrix, not self.transposed)

    def __matmul__(self, d: np.ndarray) -> np.ndarray:
        many = d.reshape(len(d), -1)  # a vector, or several side by side
        count = many.shape[1]
        if self.transposed:
            out = self.matrix.T @ (self.rows.T @ many).reshape(-1, 3 * count)
        else:
            out = self.rows @ (self.matrix @ many.reshape(-1, 3 * count)).reshape(-1, count)
        return out.reshape(-1, *d.shape[1:])


# of simulations, by numbers of their bodies: cameras that look at the same bodies share what they look for
_MET: WeakKeyDictionary[Any, dict[tuple[int, ...], tuple[list[Skin], Surfaces]]] = WeakKeyDictionary()


def surfaces_of(sim: Any, bodies: Any, what: str) -> Surfaces:
    """The drawn surfaces of some bodies of a simulation, None for all."""
    chosen = range(len(sim.skins)) if bodies is None else bodies
    if (
        not isinstance(chosen, range | list | tuple)
        or not len(chosen)
        or not all(b in range(len(sim.skins)) for b in chosen)
    ):
        raise InputError(
            f"{what}(bodies={checks.shown(bodies)}): expected numbers of bodies, 0 … {len(sim.skins) - 1}, or None"
        )
    skins = [sim.skins[body] for body in chosen]
    known = _MET.setdefault(sim, {})
    met, surfaces = known.get(tuple(chosen), ((), None))
    if surfaces is not None and all(a is b for a, b in zip(met, skins)):
        return surfaces
    for skin in skins:
        if not len(skin.triangles):
            raise InputError(f"{what}: {skin.name!r} has no surface of triangles; expected a solid or a sheet")
    surfaces = Surfaces(skins, sim.world.count, sim.device.name)
    known[tuple(chosen)] = skins, surfaces
    return surfaces


def signed_ways(q: np.ndarray, corners: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) signed distances of points from places on triangles (n, 3, 3), and (n, 3) their derivatives by the points."""
    way = q - np.einsum("nk,nkc->nc", weights, corners)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal / np.where(length > 0, length, 1.0)
    d = np.linalg.norm(way, axis=1)
    sign = np.where(np.einsum("nc,nc->n", way, normal) < 0, -1.0, 1.0)
    near = d <= ON * np.linalg.norm([np.ptp(corners[..., c]) for c in range(3)])
    u = np.where(near[:, None], normal, sign[:, None] * way / np.where(near, 1.0, d)[:, None])
    return sign * d, u
