"""Intersection curves and the regions they bound, on the device.

Nothing is read back between stages. Arrays have room for so many things; where there are more, the host learns how many it
needs and starts again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Device
from ..pairs.union_find import ALONE
from .curve_kernels import curve_kernels
from .flood_kernels import flood_kernels
from .flood_structs import COUNTS, GROUPS, PAIRS, REGIONS, ROWS, SLOTS, WAYS, WIDTH, flood_structs
from .slice_kernels import slice_kernels
from .surface_pieces import Pieces

CHUNKS = 8  # of a slot on a GPU, each summed by a thread
LANES = 32  # threads of a GPU that share a slot, a tet or a ray: those that run together
ROOMS = {PAIRS: 256, GROUPS: 16, SLOTS: 1024, WIDTH: 4096, WAYS: 2, ROWS: 128, REGIONS: 16}  # at first, on a CPU
MOST_SLOTS = 1 << 15  # that a GPU makes room for at first


def roomy(need: int, spare: float = 0.25) -> int:
    """A power of 2 with ``spare`` more room than is needed, so that it is rarely outgrown."""
    return 1 << (need + int(spare * need) - 1).bit_length()


def first_rooms(pieces: Pieces) -> dict[int, int]:
    """Room on a GPU, where another graph for a new size costs more than the memory: as for bodies that meet six others each."""
    groups = roomy(3 * pieces.bodies)
    slots = min(roomy(groups * max(1, 2 * int(pieces.bounds[-1]) // pieces.bodies)), MOST_SLOTS)
    return {PAIRS: 8192, GROUPS: groups, SLOTS: slots, WIDTH: 4 * slots, WAYS: 4, ROWS: 1024, REGIONS: 4 * groups}


class Floods:
    """Arrays and launches; ``by_patch`` floods whole patches where no curve touches them."""

    def __init__(self, device: Device, pieces: Pieces, by_patch: bool):
        self.device, self.pieces, self.by_patch = device, pieces, by_patch
        self.lanes, self.chunks = (1, 1) if device.is_cpu else (LANES, CHUNKS)
        self.mesh = self._mesh(pieces)
        self.numbers, self.needs = device.zeros(COUNTS, wp.int32), device.zeros(COUNTS, wp.int32)
        self.table, self.ranks = (device.zeros(pieces.bodies**2, wp.int32) for _ in range(2))
        self.rooms, self.spare = (dict(ROOMS), 0.25) if device.is_cpu else (first_rooms(pieces), 1.0)
        self._allocate()

    def _mesh(self, pieces: Pieces) -> Any:
        put, mesh = self.device.array, flood_structs().Mesh()
        ints = lambda values: put(values, wp.int32)
        corners, edges = pieces.patch_corners, pieces.patch_edges
        starts, places = pieces.edge_places
        self.most = int(np.diff(starts).max(initial=1))
        mesh.triangles, mesh.sides = put(pieces.triangles, wp.vec3i), put(pieces.sides, wp.vec3i)
        mesh.edges, mesh.patch = put(pieces.edges, wp.vec2i), ints(pieces.patch)
        mesh.patch_first, mesh.bounds = ints(pieces.patch_first), ints(pieces.bounds)
        mesh.patch_nodes = put(pieces.tets[pieces.patch_tet], wp.vec4i)
        sizes = [np.diff(own) for own in (pieces.patch_first, edges.starts, corners.starts)]
        mesh.width = ints(np.max(sizes, axis=0))
        mesh.edge_starts, mesh.edge_ends = ints(edges.starts), put(pieces.edge_ends, wp.vec2i)
        mesh.corner = ints(corners.of[:, 0] - corners.starts[pieces.patch])
        mesh.side_places = put(edges.of - edges.starts[pieces.patch][:, None], wp.vec3i)
        owner = edges.owner[places]
        mesh.place_starts = ints(starts)
        mesh.places = put(np.column_stack([owner, places - edges.starts[owner]]), wp.vec2i)
        starts, rows = pieces.shared_corners
        mesh.shared_starts, mesh.shared = ints(starts), put(rows.reshape(-1, 3), wp.vec3i)
        _, near = pieces.neighbours
        mesh.near_starts = ints(np.searchsorted(near[:, 0], np.arange(pieces.bounds[-1] + 1)))
        mesh.near = ints(near[:, 1])
        seven = flood_structs().seven
        mesh.measures, mesh.patch_measures = put(pieces.measures, seven), put(pieces.patch_measures, seven)
        mesh.corners, mesh.area = put(pieces.corners.reshape(-1, 4), wp.vec4d), put(pieces.area, wp.float64)
        return mesh

    def _allocate(self) -> None:
        """Arrays as large as ``rooms`` say."""
        structs, zeros, rooms = flood_structs(), self.device.zeros, self.rooms
        ints = lambda count: zeros(count, wp.int32)
        pairs, groups, slots, width = (rooms[k] for k in (PAIRS, GROUPS, SLOTS, WIDTH))
        self.corners, self.plain = 2 * pairs, 2 * pairs + width  # where their nodes begin
        self.nodes = self.plain + slots
        c = self.curves = structs.Curves()
        c.numbers, c.needs = self.numbers, self.needs
        c.pairs, c.chosen, c.along = zeros(pairs, wp.vec3i), zeros(pairs, wp.vec2i), zeros(pairs, wp.vec2d)
        c.entries, c.segments = zeros(2 * pairs, wp.vec2i), zeros(pairs, wp.vec2i)
        c.table, c.least, c.times = (ints(4 * pairs) for _ in range(3))
        c.spot, c.flags, c.ranks, c.piercing = (ints(2 * pairs) for _ in range(4))
        c.marks, c.at = zeros(2 * pairs, wp.vec4i), zeros(2 * pairs, wp.vec4d)
        f = self.floods = structs.Floods()
        f.bodies, f.sheet_ends = zeros(groups, wp.vec2i), ints(2 * groups)
        self.sizes = ints(2 * groups)  # of sheets
        f.loose, f.conflicts = ints(groups), ints(groups)
        f.sheet, f.touched, f.widths, f.slot_ends = (ints(slots) for _ in range(4))
        f.hung, f.edge_next, f.triangle_next = zeros(2 * pairs, wp.vec4i), ints(2 * pairs * self.most), ints(2 * pairs)
        f.edge_head, f.triangle_head = ints(width), ints(width)
        f.above, f.tops, f.joined, f.regions, f.group = (ints(self.nodes) for _ in range(5))
        f.votes = ints(2 * self.nodes)
        p = self.parts = structs.Parts()
        p.region, p.wrong, p.area, p.moment = ints(width), ints(width), zeros(width, wp.vec3d), zeros(width, wp.vec4d)
        p.count, each = ints(slots * self.chunks), slots * self.chunks * rooms[WAYS]
        p.which, p.factors, p.loose, p.sums = (zeros(each, kind) for kind in (wp.vec4i, wp.vec3d, wp.vec3d, wp.vec4d))
        r = self.rows = structs.Rows()
        r.counts, r.ends = ints(slots), ints(slots)
        count, regions = rooms[ROWS], rooms[REGIONS]
        r.which, r.more, r.target, r.middle = (
            zeros(count, wp.vec4i),
            zeros(count, wp.vec2i),
            ints(count),
            zeros(count, wp.vec4d),
        )
        r.area, r.origin, r.way, r.facing = (*(zeros(count, wp.vec3d) for _ in range(3)), zeros(count, wp.float64))
        r.areas, r.normal, r.kind, r.group = (
            zeros(2 * regions, wp.vec3d),
            zeros(regions, wp.vec3d),
            ints(regions),
            ints(regions),
        )

    def grow(self, needs: np.ndarray) -> bool:
        """Make room for so many things; returns whether there was none."""
        short = {k: int(needs[k]) for k, room in self.rooms.items() if needs[k] > room}
        if short:
            self.rooms |= {k: roomy(need, self.spare) for k, need in short.items()}
            self._allocate()
        return bool(short)

    # --- MergeIC

    def trace(self, at: wp.array) -> None:
        """Curves of the pairs of triangles that are listed, whose corners are ``at``, and the slots that they touch."""
        launch, kernels, curves, floods, mesh = (self.device.launch, curve_kernels("f64"), self.curves, self.floods, self.mesh)
        entries = len(curves.entries)
        wp.utils.array_scan(self.table, self.ranks, inclusive=True)
        self.device.clear(self.sizes)
        bodies = (self.pieces.bodies, self.table, self.ranks)
        launch(kernels.list_groups, len(self.table), mesh, *bodies, curves, floods, self.sizes, grain=ALONE)
        wp.utils.array_scan(self.sizes, floods.sheet_ends, inclusive=True)
        launch(kernels.pierce_pairs, len(curves.pairs), mesh, self.ranks, at, curves, grain=64)
        launch(kernels.find_same, entries, curves, floods, grain=ALONE)
        launch(kernels.flag_first, entries, curves)
        wp.utils.array_scan(curves.flags, curves.ranks, inclusive=True)
        launch(kernels.list_piercings, entries, mesh, at, curves, floods, grain=ALONE)
        if self.by_patch:
            self.device.clear(floods.touched)
        else:
            self.device.fill(floods.touched, 1)
        launch(kernels.join_segments, len(curves.pairs), mesh, at, curves, floods, grain=ALONE)

    # --- FindCP

    def flood(self, x: wp.array, at: wp.array) -> None:
        """Parts of bodies inside one another, for nodes at x: rows of patches, and regions."""
        launch, kernels, curves, floods, mesh = (self.device.launch, flood_kernels("f64"), self.curves, self.floods, self.mesh)
        slots, entries = len(floods.sheet), len(curves.entries)
        launch(kernels.lay_slots, slots, mesh, curves, floods)
        wp.utils.array_scan(floods.widths, floods.slot_ends, inclusive=True)
        nodes = (self.corners, self.plain)
        launch(kernels.clear_nodes, self.nodes, *nodes, curves, floods, grain=4096)
        places = (self.most, self.corners, mesh, curves, floods)
        launch(kernels.list_crossings, entries, *places, grain=ALONE)
        launch(kernels.sort_links, len(floods.edge_head), self.most, curves, floods)
        launch(kernels.join_corners, self.lanes * slots, self.lanes, *nodes, mesh, curves, floods, grain=ALONE)
        launch(kernels.flatten, self.nodes, *nodes, curves, floods, grain=ALONE)
        launch(kernels.vote, entries, self.most, curves, floods, grain=ALONE)
        launch(kernels.join_regions, entries, self.most, mesh, curves, floods, grain=ALONE)
        launch(kernels.settle, self.nodes, *nodes, curves, floods, grain=ALONE)
        wp.utils.array_scan(curves.flags, curves.ranks, inclusive=True)
        kernels, parts, rows = slice_kernels("f64"), self.parts, self.rows
        params = (self.lanes, self.most, self.corners, mesh, at, curves, floods, parts)
        launch(kernels.slice_triangles, self.lanes * slots, *params, grain=16)
        ways = (self.chunks, self.rooms[WAYS])
        launch(kernels.sum_chunks, self.chunks * slots, *ways, self.plain, mesh, curves, floods, parts, grain=64)
        launch(kernels.merge_chunks, slots, *ways, curves, parts, rows, grain=ALONE)
        wp.utils.array_scan(rows.counts, rows.ends, inclusive=True)
        launch(kernels.write_rows, slots, *ways, mesh, x, curves, floods, parts, rows)
        launch(kernels.sum_regions, len(rows.kind), curves, floods, rows, grain=1)
        launch(kernels.aim, len(rows.which), mesh, x, curves, rows)

    def clear(self) -> None:
        """Forget all that was found."""
        most = max(len(self.curves.table), len(self.floods.loose))
        for own in (self.numbers, self.needs, self.table):
            self.device.clear(own)
        self.device.launch(curve_kernels("f64").clear_curves, most, self.curves, self.floods, grain=4096)
