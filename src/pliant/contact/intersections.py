"""Where bodies intersect, and one contact for each patch that is inside of another body.

In the order of the phases: boxes of tets (``BVH``), pairs of triangles (``FindITP``), curves (``MergeIC``), what they cut off
(``FindCP``) and how deep it is, by rays along the mean normal of each region (``RayCDG``). The normal of a region is the sum of
the vector areas of what is inside (A.3): of either body it is the same, but for its sign.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields

import numpy as np
import warp as wp

from ..device import Device
from .flood import Inside, Sheets, flood, measure, merge, regions
from .found import Contacts, Found, Region
from .intersection_kernels import intersection_kernels
from .piece_rays import piece_ray_kernels
from .pieces import Pieces
from .rooms import Rooms
from .slices import Slices
from .together import Together

FEW = 32  # pairs of triangles that are tried one by one
BRUTE = 2**31 - 1  # all of them, without a tree
FEW_OF_A_RAY = 4
THREADS = 1 << 17  # of a GPU, among which pairs of tets are shared
LANES = 32  # threads of a GPU that share a tet or a ray
PHASES = ("BVH", "FindITP", "MergeIC", "FindCP", "RayCDG")
BALANCED = 0.1  # share of its areas that the vector area of a region must have, to be a normal
WAYS = np.array([w for w in np.ndindex(3, 3, 3) if w != (1, 1, 1)]) - 1.0  # along which what is contained may leave
WAYS /= np.linalg.norm(WAYS, axis=1)[:, None]
LOOK = np.array([0.5257, 0.2764, 0.8045])  # along which a point is looked at from inside


@dataclass(frozen=True, eq=False)
class _Rows:
    """Patches of regions, (k,) each, on the side of the first body or of the second, that may have a contact."""

    region: np.ndarray
    side: np.ndarray
    patch: np.ndarray
    area: np.ndarray  # (k, 3)
    middle: np.ndarray  # (k, 4)

    @classmethod
    def none(cls) -> _Rows:
        whole = np.zeros(0, np.int64)
        return cls(whole, whole, whole, np.zeros((0, 3)), np.zeros((0, 4)))

    def with_more(self, other: _Rows) -> _Rows:
        both = ((getattr(rows, each.name) for rows in (self, other)) for each in fields(self))
        return _Rows(*(np.concatenate(list(pair)) for pair in both))


class Room:
    """Arrays of a device that grow; launches are over the room, so that few of them are ever recorded."""

    def __init__(self, device: Device, **kinds: type):
        self.device, self.kinds, self.size = device, kinds, 0
        self.take(256)

    def take(self, count: int) -> int:
        """Room for so many at least; returns how large it is."""
        if count > self.size:
            self.device.forget(*(getattr(self, name) for name in self.kinds if self.size))
            self.size = 1 << int(count - 1).bit_length()
            for name, kind in self.kinds.items():
                setattr(self, name, self.device.zeros(self.size, kind))
        return self.size

    def put(self, **values: np.ndarray) -> None:
        """Write from the start on."""
        for name, rows in values.items():
            array = getattr(self, name)
            if len(rows):
                wp.copy(array, wp.array(rows, dtype=array.dtype, device="cpu"), count=len(rows))


class Intersections:
    """Finds contacts between bodies cut into pieces; ``scene`` (bodies,) keeps scenes apart.

    ``few`` pairs of triangles are tried one by one where trees end, ``by_patch`` floods whole patches: 1 or BRUTE, and False,
    are slower and find the same.
    """

    def __init__(self, device: Device, pieces: Pieces, scene: np.ndarray, few: int = FEW, by_patch: bool = True):
        self.device, self.pieces, self.few, self.by_patch = device, pieces, few, by_patch
        self.kernels = intersection_kernels("f64")
        trees, t = pieces.trees, device.types
        self.count = len(trees.tets)
        self.cells = device.array(pieces.tets[trees.tets], wp.vec4i)
        self.body, self.scene = device.array(pieces.cell_body, wp.int32), device.array(scene, wp.int32)
        self.low, self.high = device.array(trees.low, wp.vec4f), device.array(trees.high, wp.vec4f)
        lists = (trees.first, trees.count, trees.child)
        self.first, self.sizes, self.child = (device.array(own, wp.int32) for own in lists)
        self.order = device.array(trees.order, wp.int32)
        self.triangles = device.array(pieces.triangles, wp.int32)
        self.nodes, self.weights = device.array(pieces.nodes, wp.vec4i), device.array(pieces.weights, wp.vec4d)
        self.nudge = device.array(pieces.nudge, t.position)
        self.corner_starts, self.corner_lists = (device.array(own, wp.int32) for own in pieces.cell_corners)
        self.lower, self.upper = device.zeros(self.count, wp.vec3), device.zeros(self.count, wp.vec3)
        four = wp.types.vector(4, wp.float32)
        self.least, self.most = device.zeros(self.count, four), device.zeros(self.count, four)
        self.counts, self.ends = device.zeros(self.count, wp.int32), device.zeros(self.count, wp.int32)
        self.at = device.zeros(len(pieces.nodes), t.position)
        self.inner = device.array(trees.inner, wp.vec2i)
        self.ordered = device.array(pieces.triangles[trees.order], wp.vec3i)
        # of triangles, as trees have them, and of nodes with children
        self.boxes = tuple(device.zeros(len(trees.order), wp.vec3) for _ in range(4))
        self.tree: wp.Bvh | None = None
        self._pairs = Room(device, pairs=wp.vec2i, counts=wp.int32)
        self._together, self._slices = Together(device), Slices(device)
        self._others, self._near = Rooms(device), 32  # tets of other bodies that a tet may meet
        self.used = device.zeros(self.count, wp.int32)
        self._found = Room(device, found=wp.vec2i)
        self._meeting = Room(device, pairs=wp.vec2i)
        self._along = device.zeros((self._meeting.size, 6), wp.float64)
        self._rays = Room(device, origin=t.position, way=t.position, target=wp.int32)
        self._hits = Room(device, hit=wp.int32, away=wp.float64, place=t.position)
        self._room = 64  # pairs of triangles of a pair of tets
        self.lanes = 1 if device.is_cpu else LANES
        self.seconds = dict.fromkeys(PHASES, 0.0)

    def _share(self, items: int) -> int:
        """Threads that share each of so many items: one on the CPU, whose threads have enough to do."""
        return 1 if self.device.is_cpu else max(1, THREADS // items)

    @contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        clock = time.process_time if self.device.is_cpu else time.perf_counter
        begin = clock()
        yield
        self.device.synchronize()
        self.seconds[name] += clock() - begin

    def find(self, x: wp.array) -> Found:
        """All contacts of bodies whose nodes are at x."""
        with self._phase("BVH"):
            number = self.pair_cells(x)
        with self._phase("FindITP"):
            pairs, along = self.pair_triangles(x, number)
        host = self.device.read(x)
        found = Found(Contacts.none(), pairs=pairs)
        rows, touching = _Rows.none(), set()
        if len(pairs):
            bodies = self.pieces.body[pairs]
            key, group = np.unique(bodies[:, 0] * self.pieces.bodies + bodies[:, 1], return_inverse=True)
            bodies = np.column_stack([key // self.pieces.bodies, key % self.pieces.bodies])
            touching = {(int(a), int(b)) for a, b in bodies}
            rows = self._meet(found, bodies, pairs, group, along, host, self.device.read(self.at))
        with self._phase("RayCDG"):
            rows = rows.with_more(self._contained(found, touching, host, x))
            found.contacts = self._cast(found, rows, host, x)
        return found

    # --- BVH

    def pair_cells(self, x: wp.array) -> int:
        """How many pairs of tets may meet; they are kept for what follows."""
        kernels, device = self.kernels, self.device
        boxes = (self.lower, self.upper, self.least, self.most)
        device.launch(kernels.bound_cells, self.count, self.cells, self.low, self.high, x, *boxes, grain=64)
        if self.tree is None:
            self.tree = wp.Bvh(self.lower, self.upper)
        else:
            self.tree.refit()
        mesh = (self.body, self.scene, self.tree.id)
        while True:
            others = self._others.of("others", self.count * self._near, wp.int32)
            device.launch(kernels.pair_cells, self.count, *mesh, self._near, *boxes, self.counts, others, grain=16)
            wp.utils.array_scan(self.counts, self.ends, inclusive=True)
            counts = self.counts.numpy()
            most = int(counts.max(initial=0))
            if most <= self._near:
                break
            self._near = 1 << (most - 1).bit_length()
        number = int(counts.sum())
        if number:
            self._pairs.take(number)
            device.clear(self.used)
            pairs = (self.ends, others, self._pairs.pairs, self.used)
            device.launch(kernels.list_cells, self.count, self._near, *pairs, grain=256)
        return number

    # --- FindITP

    def pair_triangles(self, x: wp.array, number: int) -> tuple[np.ndarray, np.ndarray]:
        """(n, 2) pairs of triangles that meet, and (n, 6) where their edges go through the other."""
        none = np.zeros((0, 2), np.int64), np.zeros((0, 6))
        if not number:
            return none
        kernels, device, pairs = self.kernels, self.device, self._pairs
        if not self.by_patch:
            device.fill(self.used, 1)
        mesh = (self.lanes, self.corner_starts, self.corner_lists, self.nodes, self.weights, self.nudge, self.used)
        device.launch(kernels.place_corners, self.lanes * self.count, *mesh, x, self.at, grain=16)
        mesh = (self.lanes, self.first, self.sizes, self.inner, self.ordered, self.used)
        device.launch(kernels.bound_triangles, self.lanes * self.count, *mesh, self.at, *self.boxes, grain=16)
        if self.lanes > 1:
            device.launch(kernels.bound_tops, self.count, self.lanes, self.first, self.sizes, self.used, *self.boxes)
        trees = (self.first, self.sizes, self.order, self.triangles)
        lanes = self._share(pairs.size)
        while True:
            self._found.take(pairs.size * self._room)
            params = (self.few, self._room, lanes)
            given = (number, pairs.pairs, self.at, *self.boxes, pairs.counts, self._found.found)
            device.clear(pairs.counts)
            device.launch(kernels.find_triangles, lanes * pairs.size, *trees, *params, *given, grain=4)
            counts = pairs.counts.numpy()[:number]
            most = int(counts.max())
            if most <= self._room:
                break
            self._room = 1 << (most - 1).bit_length()
        if not most:
            return none
        there = np.flatnonzero(counts)
        places = np.repeat(there * self._room, counts[there]) + _within(counts[there])
        found = self._found.found.numpy()[places]
        found = found[np.lexsort((found[:, 1], found[:, 0]))]
        size = self._meeting.take(len(found))
        if self._along.shape[0] < size:
            device.forget(self._along)
            self._along = device.zeros((size, 6), wp.float64)
        self._meeting.put(pairs=found)
        device.launch(
            kernels.pierce_pairs, size, self.triangles, len(found), self._meeting.pairs, self.at, self._along, grain=64
        )
        return found.astype(np.int64), self._along.numpy()[: len(found)].copy()

    # --- MergeIC and FindCP

    def _meet(
        self, found: Found, bodies: np.ndarray, pairs: np.ndarray, group: np.ndarray, along: np.ndarray, x: np.ndarray,
        at: np.ndarray,
    ) -> _Rows:  # fmt: skip
        """Regions of all pairs of bodies (g, 2), and the patches of either body that are to have a contact."""
        pieces = self.pieces
        with self._phase("MergeIC"):
            curves = merge(pieces, pairs, group, along, at, self._together)
        if curves is None:
            found.open += len(pairs)
            return _Rows.none()
        with self._phase("FindCP"):
            sheets = Sheets(pieces, bodies, curves, self.by_patch)
            parts = flood(sheets, curves, self._together)
            of_curve, of_parts = regions(curves, parts, len(pieces.triangles), self._together)
            inner = measure(sheets, x, self.at, curves, parts, of_curve, of_parts, self._slices)
            found.inside, found.curves, found.open = inner, curves.count, int(curves.open.sum())
            bad = (curves.open + parts.conflicts + inner.mismatched) > 0
            group = np.zeros(int(of_curve.max()) + 1, np.int64)
            group[of_curve] = curves.curve_group
            self._regions(found, bodies[group], inner, bad[group])
        return _Rows(inner.region, inner.sheet % 2, inner.patch, inner.area, inner.middle)

    def _regions(self, found: Found, bodies: np.ndarray, inner: Inside, bad: np.ndarray) -> None:
        """Vector areas and normals of regions of ``bodies`` (r, 2), of which some have ``bad`` curves."""
        count, key = len(bodies), 2 * inner.region + inner.sheet % 2
        areas = np.column_stack([np.bincount(key, values, 2 * count) for values in inner.area.T]).reshape(count, 2, 3)
        whole = np.bincount(inner.region, np.linalg.norm(inner.area, axis=1), count)
        total = areas[:, 0] - areas[:, 1]
        size = np.linalg.norm(total, axis=1)
        kinds = np.where(bad, "tangled", np.where((size < BALANCED * whole) | (size == 0), "balanced", ""))
        normals = total / np.where(size > 0, size, 1.0)[:, None]
        found.regions += [
            Region((int(a), int(b)), *own, str(kind)) for (a, b), *own, kind in zip(bodies, areas, normals, kinds)
        ]

    # --- RayCDG

    def _shoot(
        self, origins: np.ndarray, ways: np.ndarray, target: np.ndarray, x: wp.array
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The first triangle of its body that each ray hits, how far away it is, and where on it."""
        rays, hits, device, count, lanes = self._rays, self._hits, self.device, len(origins), self.lanes
        size = rays.take(count)
        hits.take(lanes * size)
        rays.put(origin=origins, way=ways, target=target.astype(np.int32))
        trees = (
            self.cells,
            self.body,
            self.first,
            self.sizes,
            self.child,
            self.low,
            self.high,
            self.order,
            self.triangles,
        )
        few = BRUTE if self.few == BRUTE else FEW_OF_A_RAY
        mesh = (*trees, self.nodes, self.weights, self.tree.id, few, lanes)
        given = (count, rays.target, rays.origin, rays.way, x)
        device.launch(
            piece_ray_kernels("f64").cast, lanes * size, *mesh, *given, hits.hit, hits.away, hits.place, grain=4
        )
        hit, away, place = device.reads(hits.hit, hits.away, hits.place)
        nearest = np.arange(count) * lanes + np.argmin(away[: lanes * count].reshape(count, lanes), axis=1)
        return hit[nearest], away[nearest], place[nearest]

    def _contained(self, found: Found, touching: set, host: np.ndarray, x: wp.array) -> _Rows:
        """Bodies wholly inside of another, which has no curve to tell: one point of each looks outwards."""
        pieces = self.pieces
        first = np.searchsorted(pieces.cell_body, np.arange(pieces.bodies))
        low, high = np.minimum.reduceat(self.lower.numpy(), first), np.maximum.reduceat(self.upper.numpy(), first)
        within = np.all((low[None] <= low[:, None]) & (high[None] >= high[:, None]), axis=2)
        scene = self.scene.numpy()
        within &= scene[:, None] == scene[None]
        tried = [(int(a), int(b)) for a, b in np.argwhere(within) if a != b and (min(a, b), max(a, b)) not in touching]
        if not tried:
            return _Rows.none()
        patch = pieces.bounds[[a for a, _ in tried]]
        corner = pieces.triangles[pieces.patch_first[patch], 0]
        origins = pieces.at(host, corner)
        hit, _, _ = self._shoot(origins, np.tile(LOOK, (len(tried), 1)), np.array([b for _, b in tried]), x)
        rows = _Rows.none()
        for (a, b), triangle in zip(tried, hit):
            if triangle < 0:
                continue
            p = pieces.at(host, pieces.triangles[triangle])
            if np.cross(p[1] - p[0], p[2] - p[0]) @ LOOK <= 0:
                continue
            found.contained.append((a, b))
            patches = np.arange(pieces.bounds[a], pieces.bounds[a + 1])
            areas = pieces.vector_areas(patches, host)
            number = np.full(len(patches), len(found.regions))
            region = Region((a, b), np.array([areas.sum(axis=0), np.zeros(3)]), np.zeros(3), "contained")
            found.regions.append(region)
            rows = rows.with_more(_Rows(number, 0 * number, patches, areas, pieces.patch_middle[patches]))
        return rows

    def _normals(self, found: Found, rows: _Rows, host: np.ndarray, x: wp.array) -> np.ndarray:
        """(r, 3) of the regions: those of their areas, and where these are none minus the way on which the first body is soonest
        out of the second, from the middle of what is inside."""
        normals = np.array([region.normal for region in found.regions]).reshape(-1, 3)
        special = [r for r, region in enumerate(found.regions) if region.kind]
        if not special:
            return normals
        places = self._places(rows.patch, rows.middle, host)
        share = np.linalg.norm(rows.area, axis=1) + 1e-300
        centres, signs, targets = [], [], []
        for r in special:
            own = np.flatnonzero((rows.region == r) & (rows.side == 0))
            signs.append(-1.0 if len(own) else 1.0)
            targets.append(found.regions[r].bodies[1 if len(own) else 0])
            own = own if len(own) else np.flatnonzero(rows.region == r)
            centres.append(share[own] @ places[own] / share[own].sum() if len(own) else np.zeros(3))
        ways = np.tile(WAYS, (len(special), 1))
        hit, away, _ = self._shoot(np.repeat(centres, len(WAYS), axis=0), ways, np.repeat(targets, len(WAYS)), x)
        away = np.where(hit >= 0, away, np.inf).reshape(len(special), -1)
        for r, sign, far in zip(special, signs, away):
            if np.isfinite(far.min()):
                normals[r] = sign * WAYS[np.argmin(far)]
        return normals

    def _places(self, patch: np.ndarray, middle: np.ndarray, host: np.ndarray) -> np.ndarray:
        return np.einsum("pk,pkc->pc", middle, host[self.pieces.tets[self.pieces.patch_tet[patch]]])

    def _cast(self, found: Found, rows: _Rows, host: np.ndarray, x: wp.array) -> Contacts:
        """One contact for each patch that faces the other body, with its depth by a ray."""
        if not len(rows.region):
            return Contacts.none()
        out = self._normals(found, rows, host, x)[rows.region] * np.where(rows.side == 0, 1.0, -1.0)[:, None]
        facing = np.einsum("ij,ij->i", rows.area, out)
        most = np.zeros(2 * len(found.regions))
        np.maximum.at(most, 2 * rows.region + rows.side, np.abs(facing))
        keep = np.flatnonzero(facing > 1e-6 * np.maximum(most, 1e-300)[2 * rows.region + rows.side])
        if not len(keep):
            return Contacts.none()
        both = np.array([region.bodies for region in found.regions])[rows.region[keep]]
        both = np.where(rows.side[keep, None] == 0, both, both[:, ::-1])
        patch, facing, middle, out = rows.patch[keep], facing[keep], rows.middle[keep], out[keep]
        places = self._places(patch, middle, host)
        hit, away, place = self._shoot(places, -out, both[:, 1], x)
        there = np.flatnonzero(hit >= 0)
        found.lost = len(hit) - len(there)
        pieces = self.pieces
        patch, facing, middle, out, both = (own[there] for own in (patch, facing, middle, out, both))
        triangle, away, place = hit[there], away[there], place[there]
        own = pieces.tets[pieces.patch_tet[patch]]
        other = pieces.tets[pieces.tet_of[triangle]]
        weights = np.einsum("ck,ckj->cj", place, pieces.corners[triangle])
        name = np.column_stack([patch, both[:, 1]])
        return Contacts(np.hstack([own, other]), np.hstack([-middle, weights]), out, -away, facing, name, both)


def _within(counts: np.ndarray) -> np.ndarray:
    """0 … count−1 of each count, one after the other."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
