"""Surface places of observations, and derivatives of both.

Warp's tree finds triangles in single precision; the nearest of their neighbours, and its distance, are then computed in double.
Both run on the simulation's device. A tree is built once; its boxes then follow the surface from frame to frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import warp as wp
from scipy import sparse

from ...arguments import checks
from ...errors import InputError
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ...simulate.record.run import Skin
from .surface_hits import Meeting, Met, Part
from .surface_kernels import surface_kernels, surface_structs

TINY = 1e-150  # [m], the size of a point


class Rays(NamedTuple):
    """Of several cameras, one after the other: where they are and how they are turned; of each ray its camera, its way before
    that turn, and how deep it saw something. ``counts`` are the numbers of rays of each camera.
    """

    counts: tuple[int, ...]
    eyes: wp.array
    turns: wp.array
    cameras: wp.array
    ways: wp.array
    depths: wp.array


class Surfaces:
    """Drawn surfaces as one mesh (s vertices, f triangles) whose vertices are mixtures of nodes: ``matrix`` (s, nodes).

    ``where`` is the device of its searches.
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

    @cached_property
    def tree(self) -> Tree:
        """Its current tree, on the device."""
        return Tree(self.matrix, self.triangles, self.where)

    @cached_property
    def meeting(self) -> Meeting:
        """Buffers of its hits."""
        return Meeting(self.matrix, self.triangles, self.tree.device)

    def away(self, x: np.ndarray, points: np.ndarray) -> Met:
        """Places nearest to points (n, 3), all nodes being at x."""
        device = self.tree.device
        given = device.array(points, device.types.position)
        met = self.near(x, given, 0, len(points))
        device.forget(given)
        return met

    def near(self, x: np.ndarray, points: wp.array, first: int, count: int) -> Met:
        """The same for ``count`` of points on the device, from number ``first`` on."""
        tree, kernel = self.tree.at(x), surface_kernels("f64").meet_points
        met, place = self.meeting.begin(count), self.meeting
        tree.device.launch(kernel, place.size, tree.surface, first, count, *tree.frame, points, place.met, grain=256)
        return met

    def along(self, x: np.ndarray, rays: Rays, grazing: float) -> list[Met]:
        """First hits of rays of cameras, camera by camera, all nodes being at x."""
        tree, kernel, count = self.tree.at(x), surface_kernels("f64").meet_rays, sum(rays.counts)
        met, place = self.meeting.begin(count), self.meeting
        tree.device.launch(kernel, count, tree.surface, *tree.frame, grazing, *rays[1:], place.met, grain=256)
        if len(rays.counts) == 1:
            return [met]
        return [Part(met, end - own, own) for own, end in zip(rays.counts, accumulate(rays.counts))]

    def hit(self, x: np.ndarray, origins: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) the triangle that each ray origin + t·way meets first, −1 for none, and t; all nodes are at x."""
        tree, n = self.tree.at(x), len(ways)
        device = tree.device
        faces, far = device.zeros(n, wp.int32), device.zeros(n, wp.float64)
        given = [device.array(a, device.types.position) for a in (origins, ways)]
        device.launch(surface_kernels("f64").first_hits, n, tree.surface, *tree.frame, *given, faces, far, grain=256)
        device.forget(faces, far, *given)
        found = faces.numpy().copy()
        return found, np.where(found < 0, np.inf, far.numpy())


class Tree:
    """Triangles in Warp's tree, about the origin and of unit size, for it is in single precision."""

    def __init__(self, matrix: sparse.csr_array, triangles: np.ndarray, where: str):
        self.device = device = Device(where, "f64")
        s, nodes = matrix.shape
        kinds = ((matrix.indptr, wp.int32), (matrix.indices, wp.int32), (matrix.data, device.types.real))
        self._mixture = tuple(device.array(a, kind) for a, kind in kinds)
        self._x, self._count = device.zeros(nodes, device.types.position), s
        self._seen: np.ndarray | None = None
        self._triangles = device.array(triangles, wp.int32)
        self._vertices, self._points = device.zeros(s, device.types.vec3), device.zeros(s, wp.vec3)
        self._around = tuple(device.array(a, wp.int32) for a in _around(triangles))
        self._used = np.unique(matrix.indices)  # nodes that the surface is a mixture of
        self.mesh: wp.Mesh | None = None

    def at(self, x: np.ndarray) -> Tree:
        """Itself, refitted to the surface with all nodes (n, 3) at x."""
        if self._seen is not None and np.array_equal(self._seen, x):
            return self
        self._seen = np.array(x, float)
        of = self._seen[self._used].T
        low, high = (np.array([end(column) for column in of]) for end in (np.min, np.max))
        centre = self.device.types.position(*(0.5 * (low + high)))
        size = max(0.5 * float(np.linalg.norm(high - low)), TINY)
        self.frame = (centre, size)
        self._x.assign(self._seen)
        given = (centre, 1 / size, self._x, self._vertices, self._points)
        kernel = surface_kernels("f64").place_vertices
        self.device.launch(kernel, self._count, *self._mixture, *given)
        if self.mesh is None:
            self.mesh = wp.Mesh(points=self._points, indices=self._triangles.flatten())
            starts, around = self._around
            own = {"vertices": self._vertices, "triangles": self._triangles, "starts": starts, "around": around}
            self.surface = filled(surface_structs("f64").Surface, tree=self.mesh.id, **own)
        else:
            self.mesh.refit()
        return self


def _around(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(f + 1,) offsets of the lists of triangles that share a vertex with each, and all lists."""
    f = len(triangles)
    at = (triangles.ravel(), np.repeat(np.arange(f), 3))
    of_vertex = sparse.csr_array((np.ones(3 * f), at), shape=(int(triangles.max()) + 1, f))
    pairs = sparse.csr_array(of_vertex.T @ of_vertex)
    pairs.sort_indices()
    return pairs.indptr.astype(np.int32), pairs.indices.astype(np.int32)


# of simulations, by numbers of their bodies: cameras of the same bodies share them
_MET: WeakKeyDictionary[Any, dict[tuple[int, ...], tuple[list[Skin], Surfaces]]] = WeakKeyDictionary()


def surfaces_of(sim: Any, bodies: Any, what: str) -> Surfaces:
    """The drawn surfaces of some bodies of a simulation, None for all."""
    chosen = range(len(sim.skins)) if bodies is None else bodies
    if not isinstance(chosen, range | list | tuple) or not len(chosen) or not all(b in range(len(sim.skins)) for b in chosen):
        raise InputError(f"{what}(bodies={checks.shown(bodies)}): expected numbers of bodies, 0 … {len(sim.skins) - 1}, or None")
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
