"""Intersection regions of bodies, and one contact for each patch.

In the order of the phases: boxes of tets (``BVH``), pairs of triangles (``FindITP``), curves (``MergeIC``), parts they cut off
(``FindCP``) and their depths, by rays along the mean normal of each region (``RayCDG``). The normal of a region is the sum of
the vector areas inside (A.3): the same for either body, up to its sign.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.kernel_structs import Structs
from ..pairs.growable import GrowableArrays
from ..pairs.union_find import ALONE
from .curve_kernels import curve_kernels
from .flood_structs import BALANCED, CELLS, CURVES, GROUPS, ITSELF, NEAR, PAIRS, REGIONS, ROOM, ROWS, TANGLED
from .floods import LANES, Floods, roomy
from .intersection_kernels import intersection_kernels
from .intersection_result import Contacts, Found, Inside, Region
from .ray_kernels import hits_struct, piece_ray_kernels
from .surface_pieces import Pieces
from .tree_kernels import boxes_of, uploaded

FEW = 32  # pairs of triangles that are tried one by one
BRUTE = 2**31 - 1  # all of them, without a tree
FEW_OF_A_RAY = 4
THREADS = 1 << 19  # of a GPU, among which pairs of tets are shared
KINDS = {0: "", TANGLED: "tangled", BALANCED: "balanced"}
WAYS = np.array([w for w in np.ndindex(3, 3, 3) if w != (1, 1, 1)]) - 1.0  # along which a contained body may leave
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


class Intersections:
    """Finds contacts between bodies cut into pieces; ``scene`` (bodies,) keeps scenes apart, ``apart`` (bodies, bodies) bodies.

    ``few`` pairs of triangles are tried one by one where trees end, ``by_patch`` floods whole patches: 1 or BRUTE, and False,
    are slower and find the same. ``itself`` lets parts of one body meet, in tets without a node in common. What is found stays
    on the device until all of it is, and is read once; a GPU runs all of it as one graph.
    """

    def __init__(
        self,
        device: Device,
        pieces: Pieces,
        scene: np.ndarray,
        few: int = FEW,
        by_patch: bool = True,
        itself: bool = False,
        apart: np.ndarray | None = None,
    ):
        self.itself = itself
        self.device, self.pieces, self.few, self.by_patch = device, pieces, few, by_patch
        self.kernels = intersection_kernels("f64")
        self.count, t = len(pieces.trees.tets), device.types
        self.trees, self.boxes = uploaded(pieces, device), boxes_of(pieces, device)
        self.counts, self.ends = device.zeros(self.count, wp.int32), device.zeros(self.count, wp.int32)
        self.at = device.zeros(len(pieces.nodes), t.position)
        self.tree: wp.Bvh | None = None
        self._x: wp.array | None = None
        self.used = device.zeros(self.count, wp.int32)
        self.lanes = 1 if device.is_cpu else LANES
        self.near_counts, self.near = device.zeros(pieces.bodies, wp.int32), device.zeros(pieces.bodies**2, wp.int32)
        together = (scene[:, None] == scene[None]) & (True if apart is None else ~apart)
        self.meets, self._together = device.array(together, wp.int32), together & ~np.eye(len(scene), dtype=bool)
        self.flooded = Floods(device, pieces, by_patch)
        at_first = (32, 256, 64) if device.is_cpu else (64, roomy(2 * self.count), 64)
        self.rooms = dict(zip((NEAR, CELLS, ROOM), at_first))
        self._allocate()
        self._rays, self._hits, self._nearest = GrowableArrays(device), GrowableArrays(device), GrowableArrays(device)
        self._structs = Structs()
        self._kept: dict = {}  # recorded launches of all phases

    def _allocate(self) -> None:
        """Arrays as large as ``rooms`` say: tets of other bodies near a tet, pairs of tets, pairs of triangles of each."""
        zeros, cells = self.device.zeros, self.rooms[CELLS]
        self.others = zeros(self.count * self.rooms[NEAR], wp.int32)
        self.pairs, self.found = zeros(cells, wp.vec2i), zeros(cells * self.rooms[ROOM], wp.vec2i)
        self.met, self.met_ends = zeros(cells, wp.int32), zeros(cells, wp.int32)

    def find(self, x: wp.array) -> Found:
        """All contacts of bodies whose nodes are at x."""
        if self._x is None or len(self._x) != len(x):
            self._x = self.device.zeros(len(x), x.dtype)
        self.device.copy(x, self._x)
        while True:
            if self.device.is_cpu:
                self._look()
            else:
                rooms = (*self.rooms.values(), *self.flooded.rooms.values())
                key = (*rooms, *(array.ptr for own in (self._hits, self._nearest) for array in own.arrays.values()))
                self.device.replayed(self._look, key, self._kept)
            numbers, needs = self.device.reads(self.flooded.numbers, self.flooded.needs)
            if not self._grow(needs):
                return self._told(numbers, needs)

    def _grow(self, needs: np.ndarray) -> bool:
        """Make room for so many things; returns whether there was none."""
        flooded = self.flooded
        old = (flooded.curves, flooded.floods, flooded.parts, flooded.rows, flooded.rows.target)
        old = (*old, self.others, self.pairs, self.found, self.met)
        short = {k: int(needs[k]) for k, room in self.rooms.items() if needs[k] > room}
        if short:
            self.rooms |= {k: roomy(need, flooded.spare) for k, need in short.items()}
            self._allocate()
        if self.flooded.grow(needs) or short:
            self._kept.clear()
            self.device.forget(*old)  # launches that hold the old arrays
            return True
        return False

    def _look(self) -> None:
        """All phases, without reading back: BVH, FindITP, MergeIC, FindCP, RayCDG."""
        flooded, rows = self.flooded, self.flooded.rows
        self._pair_cells()
        self._pair_triangles()
        flooded.trace(self.at)
        flooded.flood(self._x, self.at)
        self._cast(len(rows.target), rows.target, rows.origin, rows.way)

    # --- BVH

    def _pair_cells(self) -> None:
        """Pairs of tets that may meet."""
        self.flooded.clear()
        kernels, device, launch, near = self.kernels, self.device, self.device.launch, self.rooms[NEAR]
        trees, boxes, bodies = self.trees, self.boxes, self.pieces.bodies
        launch(kernels.bound_cells, self.count, trees, self._x, boxes, grain=64)
        if self.tree is None:
            self.tree = wp.Bvh(boxes.lower, boxes.upper, groups=trees.body)
        else:
            self.tree.refit()
        launch(kernels.bound_bodies, bodies, trees, boxes, grain=4)
        beside = (self.near_counts, self.near)
        launch(kernels.near_bodies, bodies, self.meets, int(not self.itself), boxes, *beside, grain=64)
        given = (trees, self.tree.id, near, boxes, *beside)
        launch(kernels.pair_cells, self.count, *given, self.counts, self.others, grain=16)
        wp.utils.array_scan(self.counts, self.ends, inclusive=True)
        device.clear(self.used)
        numbers = (self.flooded.numbers, self.flooded.needs)
        lists = (self.counts, self.ends, self.others, self.pairs, self.used)
        launch(kernels.list_cells, self.count, near, *lists, *numbers, grain=ALONE)

    # --- FindITP

    def _pair_triangles(self) -> None:
        """Pairs of triangles that meet, pair of tets by pair of tets."""
        kernels, device, launch, flooded = self.kernels, self.device, self.device.launch, self.flooded
        if not self.by_patch:
            device.fill(self.used, 1)
        mesh = (self.lanes, self.trees, self.used)
        launch(kernels.place_corners, self.lanes * self.count, *mesh, self._x, self.at, grain=16)
        launch(kernels.bound_triangles, self.lanes * self.count, *mesh, self.at, self.boxes, grain=16)
        if self.lanes > 1:
            launch(kernels.bound_tops, self.count, *mesh, self.boxes)
        device.clear(self.met)
        size, room = len(self.pairs), self.rooms[ROOM]
        share = 1 if device.is_cpu else max(1, THREADS // size)
        given = (self.trees, self.few, room, share, flooded.numbers, self.pairs, self.at, self.boxes)
        launch(kernels.find_triangles, share * size, *given, self.met, self.found, grain=4)
        launch(curve_kernels("f64").sort_found, size, room, self.met, self.found, grain=64)
        wp.utils.array_scan(self.met, self.met_ends, inclusive=True)
        lists = (self.pairs, self.met, self.met_ends, self.found)
        bodies = (self.trees.body, self.pieces.bodies, room)
        launch(curve_kernels("f64").list_pairs, size, *bodies, *lists, flooded.curves, flooded.table, grain=ALONE)

    # --- what was found

    def _told(self, numbers: np.ndarray, needs: np.ndarray) -> Found:
        """Read the results, and cast rays where regions have no normal."""
        flooded = self.flooded
        rows, hits = flooded.rows, self._landed()
        floods = (flooded.curves.pairs, flooded.floods.bodies, flooded.floods.loose)
        regions = (rows.areas, rows.normal, rows.kind, rows.group)
        each = (rows.which, rows.more, rows.area, rows.middle, rows.facing, rows.way, rows.target)
        got = self.device.reads(*floods, *regions, *each, *hits, self._x, self.boxes.below, self.boxes.above)
        pairs, bodies, loose = (own[: numbers[k]] for own, k in zip(got, (PAIRS, GROUPS, GROUPS)))
        areas, normal, kind, group = (own[: numbers[REGIONS] * k] for own, k in zip(got[3:7], (2, 1, 1, 1)))
        which, more, area, middle, facing, way, target, hit, away, place = (own[: numbers[ROWS]] for own in got[7:17])
        host, below, above = got[17:]
        found = Found(Contacts.none(), pairs=pairs[:, :2].astype(np.int64))
        found.curves, found.open = int(needs[CURVES]), int(loose.sum())
        sheet, region, patch, triangles = which.T
        count = lambda values: np.bincount(sheet, values, 2 * len(bodies)).astype(int)
        mismatched = np.bincount(sheet // 2, more[:, 0], len(bodies))
        if len(which):
            own = (sheet, region, patch, area.copy(), middle.copy())
            found.inside = Inside(*own, count(triangles), count(more[:, 1]), mismatched.astype(int))
        found.regions = [
            Region((int(a), int(b)), both, out, KINDS[k])
            for (a, b), both, out, k in zip(bodies[group], areas.reshape(-1, 2, 3).copy(), normal.copy(), kind.tolist())
        ]
        touching = {(int(a), int(b)) for a, b in bodies}
        usual = np.flatnonzero(target >= 0)
        own = np.column_stack([target[usual] % ITSELF] * 2)
        side = sheet[usual] % 2
        own[:, 0] = bodies[sheet[usual] // 2, side]
        found.contacts = self._contacts(
            found, patch[usual], facing[usual], middle[usual], -way[usual], own, hit[usual], away[usual], place[usual]
        )
        two = np.not_equal(*bodies.T)  # a folded region has no way out
        special = np.flatnonzero((kind[region] != 0) & two[sheet // 2]) if len(which) else np.zeros(0, int)
        rest = _Rows(region[special], sheet[special] % 2, patch[special], area[special], middle[special])
        rest = rest.with_more(self._contained(found, touching, host, below, above))
        if len(rest.region):
            found.contacts = found.contacts.with_more(self._aside(found, rest, host))
        return found

    # --- RayCDG

    def _cast(self, count: int, target: wp.array, origin: wp.array, way: wp.array) -> None:
        """The first triangle of its body hit by each of so many rays, its distance, and the point on it."""
        lanes, device, size = self.lanes, self.device, len(target)
        hits, best = self._room(self._hits, lanes * size), self._room(self._nearest, size if lanes > 1 else 0)
        hits, best = (self._structs.of(hits_struct("f64"), *own) for own in (hits, best))
        few = BRUTE if self.few == BRUTE else FEW_OF_A_RAY
        mesh = (self.trees, self.tree.id, few, lanes)
        kernels = piece_ray_kernels("f64")
        device.launch(kernels.cast, lanes * size, *mesh, count, target, origin, way, self._x, hits, grain=4)
        if lanes > 1:
            device.launch(kernels.nearest, size, lanes, hits, best)

    def _room(self, rooms: GrowableArrays, count: int) -> tuple[wp.array, ...]:
        """Arrays for so many hits: triangles, distances and points."""
        kinds = (("hit", wp.int32), ("away", wp.float64), ("place", self.device.types.position))
        return tuple(rooms.of(name, count, kind) for name, kind in kinds)

    def _landed(self) -> tuple[wp.array, ...]:
        return self._room(self._nearest if self.lanes > 1 else self._hits, 0)

    def _shoot(self, origins: np.ndarray, ways: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The first triangle of its body that each ray hits, its distance, and the point on it."""
        put, count, position = self._rays.put, len(origins), self.device.types.position
        target = put("target", target, wp.int32)
        self._cast(count, target, put("origin", origins, position), put("way", ways, position))
        return tuple(own[:count].copy() for own in self.device.reads(*self._landed()))

    def _contained(self, found: Found, touching: set, host: np.ndarray, low: np.ndarray, high: np.ndarray) -> _Rows:
        """Bodies wholly inside another, which have no intersection curve: a ray from one point of each decides."""
        pieces = self.pieces
        within = np.all((low[None] <= low[:, None]) & (high[None] >= high[:, None]), axis=2) & self._together
        tried = [(int(a), int(b)) for a, b in np.argwhere(within) if (min(a, b), max(a, b)) not in touching]
        if not tried:
            return _Rows.none()
        patch = pieces.bounds[[a for a, _ in tried]]
        corner = pieces.triangles[pieces.patch_first[patch], 0]
        origins = pieces.at(host, corner)
        hit, _, _ = self._shoot(origins, np.tile(LOOK, (len(tried), 1)), np.array([b for _, b in tried]))
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

    def _normals(self, found: Found, rows: _Rows, host: np.ndarray) -> np.ndarray:
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
        hit, away, _ = self._shoot(np.repeat(centres, len(WAYS), axis=0), ways, np.repeat(targets, len(WAYS)))
        away = np.where(hit >= 0, away, np.inf).reshape(len(special), -1)
        for r, sign, far in zip(special, signs, away):
            if np.isfinite(far.min()):
                normals[r] = sign * WAYS[np.argmin(far)]
        return normals

    def _places(self, patch: np.ndarray, middle: np.ndarray, host: np.ndarray) -> np.ndarray:
        return np.einsum("pk,pkc->pc", middle, host[self.pieces.tets[self.pieces.patch_tet[patch]]])

    def _aside(self, found: Found, rows: _Rows, host: np.ndarray) -> Contacts:
        """Contacts of patches whose regions have no normal of their own."""
        out = self._normals(found, rows, host)[rows.region] * np.where(rows.side == 0, 1.0, -1.0)[:, None]
        facing = np.einsum("ij,ij->i", rows.area, out)
        most = np.zeros(2 * len(found.regions))
        np.maximum.at(most, 2 * rows.region + rows.side, np.abs(facing))
        keep = np.flatnonzero(facing > 1e-6 * np.maximum(most, 1e-300)[2 * rows.region + rows.side])
        if not len(keep):
            return Contacts.none()
        both = np.array([region.bodies for region in found.regions])[rows.region[keep]]
        both = np.where(rows.side[keep, None] == 0, both, both[:, ::-1])
        patch, facing, middle, out = rows.patch[keep], facing[keep], rows.middle[keep], out[keep]
        hits = self._shoot(self._places(patch, middle, host), -out, both[:, 1])
        return self._contacts(found, patch, facing, middle, out, both, *hits)

    def _contacts(
        self, found: Found, patch: np.ndarray, facing: np.ndarray, middle: np.ndarray, out: np.ndarray, both: np.ndarray,
        hit: np.ndarray, away: np.ndarray, place: np.ndarray,
    ) -> Contacts:  # fmt: skip
        """One contact for each patch whose ray hits the other body."""
        there, pieces = np.flatnonzero(hit >= 0), self.pieces
        found.lost += len(hit) - len(there)
        patch, facing, middle, out, both = (own[there] for own in (patch, facing, middle, out, both))
        triangle, away, place = hit[there], away[there], place[there]
        own = pieces.tets[pieces.patch_tet[patch]]
        other = pieces.tets[pieces.tet_of[triangle]]
        weights = np.einsum("ck,ckj->cj", place, pieces.corners[triangle])
        name = np.column_stack([patch, both[:, 1]])
        return Contacts(np.hstack([own, other]), np.hstack([-middle, weights]), out, -away, facing, name, both)
