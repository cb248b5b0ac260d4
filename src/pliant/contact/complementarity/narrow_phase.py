"""Narrow phase: contacts of a step as rows with persistent names.

A contact i is n·(Σ w p) − offset ≥ 0 [m] over its points p, linear in the positions once its weights, normal and offset are
known. ``mixture`` (c, nodes) says the same of nodes, both sides with their signs.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...energy.contact_totals import FAR
from ...energy.embedded_points import EmbeddedPoints
from ...energy.obstacles.obstacle_energy import Obstacle
from ...geometry.distance.sdf import upload
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ..detect.broad_phase import Candidates
from ..intersection.surface_pieces import cross
from ..obstacles.deepest_points import Deepest, curved, posed
from ..pairs.closest_points import FACE
from ..pairs.contact_surface import Surface
from ..pairs.point_pairs import places
from .gauss_seidel_kernels import TOUCHES
from .merge_contacts import drop_duplicates
from .narrow_phase_kernels import ROUNDING, WHOLE, narrow_structs, row_kernels

APART, SLOWLY = 0.2, 0.1  # of an overlap, and of the gap, by which a step separates close pairs
MARGIN = 1.0  # gaps within which an open contact counts
STANDS_OUT = 0.5  # gaps by which a face must be deeper than its corners to count as well
REPLANT = 16  # uses of a bounding volume tree by refitting
# gaps and angle [rad] within which contacts are merged: for convergence, and on a budget of iterations
SAME = {False: (1e-6, 1e-6), True: (0.1, 0.01)}


@dataclass(frozen=True, eq=False)
class Rows:
    """c contacts over n nodes."""

    name: np.ndarray  # (c, 4) points, or a point and −1 − obstacle: the name of the contact
    mixture: sparse.csr_matrix  # (c, n)
    normal: np.ndarray  # (c, 3)
    offset: np.ndarray  # (c,) [m]
    surface: np.ndarray  # (c,) the same for surfaces that touch without a gap [m]
    begun: np.ndarray  # (c, 3) offset between the sides at the start of the step, moved along with obstacles [m]
    kind: np.ndarray  # (c,)
    friction: np.ndarray  # (c,)
    bound: np.ndarray  # (c,) [N]

    @property
    def count(self) -> int:
        return len(self.normal)

    def chosen(self, which: np.ndarray) -> Rows:
        """Some of them."""
        own = {item.name: getattr(self, item.name)[which] for item in fields(self)}
        return Rows(**own)

    @functools.cached_property
    def frames(self) -> np.ndarray:
        """(c, 3, 3) rows n, f₁, f₂ of each contact."""
        n = self.normal
        least = np.argmin(np.abs(n), axis=1)
        other = np.eye(3)[least]
        first = cross(n, other)
        first /= np.linalg.norm(first, axis=1)[:, None]
        return np.stack([n, first, cross(n, first)], axis=1)

    def jacobian(self) -> sparse.csr_matrix:
        """J (3c, 3n): the derivative of gaps and slips by the nodes."""
        c, m = self.count, self.mixture
        rows = np.repeat(np.arange(c), np.diff(m.indptr))
        blocks = self.frames[rows] * m.data[:, None, None]
        return sparse.bsr_matrix((blocks, m.indices, m.indptr), shape=(3 * c, 3 * m.shape[1])).tocsr()

    def pulled(self, force: np.ndarray) -> np.ndarray:
        """(n, 3) nodal forces of contact forces (3c,) in the frames of the contacts [N]."""
        return self.mixture.T @ np.einsum("cij,ci->cj", self.frames, force.reshape(-1, 3))

    def gaps(self, x: np.ndarray) -> np.ndarray:
        """(3c,) gaps and slips since the step began with the nodes at x (n, 3) [m]."""
        return self.gaps_of(self.mixture @ x)

    def gaps_of(self, now: np.ndarray) -> np.ndarray:
        """The same with offsets (c, 3) between the sides [m]."""
        local = np.einsum("cij,cj->ci", self.frames, now - self.begun)
        local[:, 0] = np.einsum("ci,ci->c", self.normal, now) - self.offset
        return local.reshape(-1)


def stacked(parts: Sequence[Rows], nodes: int) -> Rows:
    """All rows concatenated."""
    parts = [part for part in parts if part.count]
    if not parts:
        none = np.zeros((0, 3))
        law = (np.zeros(0, np.int32), np.zeros(0), np.zeros(0))
        return Rows(np.zeros((0, 4), np.int32), sparse.csr_matrix((0, nodes)), none, np.zeros(0), np.zeros(0), none, *law)
    names = ("name", "normal", "offset", "surface", "begun", "kind", "friction", "bound")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Rows(mixture=sparse.vstack([part.mixture for part in parts], format="csr"), **joined)


class NarrowPhase:
    """Finds contacts of a surface with itself, in ``pairs``, and with obstacles; ``gap`` [m] is how far apart surfaces stay."""

    def __init__(
        self, device: Device, surface: Surface, gap: float, nodes: int, obstacles: Sequence[Obstacle] = (),
        pairs: bool = True,
    ):  # fmt: skip
        self.device, self.surface, self.gap, self.nodes = device, surface, float(gap), nodes
        self.kernels, self.carrier = row_kernels("f64"), EmbeddedPoints(device, surface.nodes, surface.weights)
        able = len(surface.alone) > 1 or not surface.alone.all()
        self.paired = pairs and able and len(surface.triangles) + len(surface.edges) > 0
        self.several = self.paired and len(surface.alone) > 1
        self.candidates = Candidates(device, surface, near=2 * self.gap) if self.paired else None
        thickness = surface.thickness
        self.thickness, self.thickest = device.array(thickness, wp.float64), float(thickness.max(initial=0.0))
        self.half = device.array(-0.5 * thickness, wp.float64)
        point, column = np.nonzero(surface.weights)
        entries = (surface.weights[point, column], (point, surface.nodes[point, column]))
        self.carries = sparse.csr_matrix(entries, shape=(surface.count, nodes))  # points of nodes
        across, sides, ring_start, ring = _neighbours(surface)
        rings = (device.array(own, wp.int32) for own in (ring_start, ring, _solid(surface)))
        self._around = (device.array(across, wp.vec3i), device.array(sides, wp.vec2i), *rings)
        kind, p = device.types.position, surface.count
        self.begun, self.at, self.then, self.way, self.normals, self.places = (device.zeros(p, kind) for _ in range(6))
        self.gaps = device.zeros(p, wp.float64)
        self.ways = filled(narrow_structs("f64").Ways, self.begun, self.way, self.at)
        self.deepest: dict[int, Deepest] = {}  # by obstacle, the deepest points of faces in it
        self.kept: Rows | None = None  # all contacts since the step began
        self.known = np.zeros((0, 4), np.int32)  # names of contacts of the last step
        self.counted = False  # iterations are on a budget: near contacts are merged, which convergence needs separate
        self.joints: list[Any] = []  # joints with rows of their own
        # (n, 3) offset of rigid bodies to the origin of their slips [m]
        self.arc: np.ndarray | None = None
        self._begun: np.ndarray | None = None  # points at the start of the step, once read by the host
        self._planted = -1  # searches since trees were built
        self._room(0)
        self.take(obstacles)

    # --- obstacles

    def take(self, obstacles: Sequence[Obstacle]) -> None:
        """Use these obstacles, at their poses at time 0."""
        self.obstacles = tuple(obstacles)
        if self.obstacles:
            self.shapes = upload([o.shape for o in obstacles], self.device)
            self.poses = np.stack([np.eye(4)] * len(self.obstacles))
            self.place(0.0, 0.0)
        bent = curved(self.obstacles) if len(self.surface.edges) else []
        self.deepest = {o: self.deepest.get(o) or Deepest(self.device, self.surface, 1) for o in bent}

    def place(self, before: float, now: float) -> None:
        """Move obstacles to their poses at the end of a step, ``now`` [s], and keep those ``before``."""
        if not self.obstacles:
            return
        self.poses_before = np.stack([o.pose(before) for o in self.obstacles])
        self.poses = np.stack([o.pose(now) for o in self.obstacles])
        self.posed: Any = posed(self.shapes, self.obstacles, self.poses, self.device)
        self.device.forget()  # launches that hold the old poses

    # --- what touches

    def begin(self, x: wp.array, origin: wp.array | None = None) -> None:
        """A step begins with the nodes at x; slips are measured from ``origin``, where that is elsewhere."""
        self.arc = None if origin is None or origin is x else self.device.read(origin) - self.device.read(x)
        self.carrier.carry(x, self.begun)
        self.start = self.device.read(x).copy() if self.joints else None
        self.kept = self._begun = None

    def find(self, x: wp.array, d: np.ndarray | None, friction: float, trusted: bool) -> Rows:
        """The contacts with nodes at x (positions) and motion d (n, 3), or none.

        ``trusted``: x roughly satisfies contacts, so that near pairs are evaluated there; else on the way from where
        the step began. Contacts found in a step stay until its end, or the iterations of a solver would cycle.
        """
        self.carrier.carry(x, self.at)
        if self._begun is None:
            self._begun, at = self.device.reads(self.begun, self.at)
        else:
            at = self.device.read(self.at)
        begun = self._begun
        end = at + (0.0 if d is None else self.carries @ d)
        self.then.assign(end)
        self.way.assign(end - begun)
        ways = (begun, at, end)
        parts = [*self._of_pairs(trusted, friction, *ways), *self._of_obstacles(trusted, friction, *ways)]
        where = self.device.read(x) if trusted and self.joints else self.start
        rows = stacked([*parts, *(joint.rows(self.start, where) for joint in self.joints)], self.nodes)
        if self.kept is not None and self.kept.count:
            old = self.kept.chosen(np.flatnonzero(places(self.kept.name, rows.name) < 0))
            rows = stacked([rows, old], self.nodes) if old.count else rows
        self.kept = rows
        return rows

    def _room(self, capacity: int) -> None:
        zeros = self.device.zeros
        self.weight, self.normal = (
            zeros(max(capacity, 1), wp.vec4d),
            zeros(max(capacity, 1), self.device.types.position),
        )
        self.counts = zeros(max(capacity, 1), wp.int32)
        if self.paired:
            found = (self.candidates.pairs, self.candidates.kinds, self.candidates.items)
            self.mesh = filled(narrow_structs("f64").Mesh, *found, *self._around, self.thickness)

    def _of_pairs(self, trusted: bool, friction: float, begun: np.ndarray, at: np.ndarray, then: np.ndarray) -> list[Rows]:
        if not self.paired:
            return []
        found, read = self.candidates, self.device.read
        self._planted = (self._planted + 1) % REPLANT
        found.find(self.begun, self.then, (1 + MARGIN) * self.gap + self.thickest, anew=self._planted == 0)
        m = found.count
        if not m:
            return []
        if len(self.counts) != found.capacity:
            self._room(found.capacity)
        given = (m, self.mesh, 2 * self.gap, int(trusted), self.ways, self.weight, self.normal, self.counts)
        self.device.launch(self.kernels.narrow, found.capacity, *given, grain=64)
        counts = read(self.counts)[:m]
        pick = np.flatnonzero(counts)
        pairs, kinds = read(found.pairs)[pick], read(found.kinds)[pick]
        order = np.lexsort((*pairs.T, kinds))  # whichever the tree found first
        pick, pairs, kinds = pick[order], pairs[order], kinds[order]
        weight, normal = read(self.weight)[pick], read(self.normal)[pick]
        thick = self.surface.thickness
        offset = self.gap + 0.5 * (thick[pairs[:, 0]] + thick[pairs[:, 2]])
        end = np.einsum("ij,ijk->ik", weight, then[pairs])
        here = np.einsum("ij,ijk->ik", weight, at[pairs])
        least = np.minimum(np.einsum("ij,ij->i", end, normal), np.einsum("ij,ij->i", here, normal)) - offset
        near = np.flatnonzero(least < MARGIN * self.gap)
        name = _names(pairs[near], kinds[near], weight[near], counts[pick][near] == WHOLE)
        _, first = np.unique(name, axis=0, return_index=True)
        near, name = near[np.sort(first)], name[np.sort(first)]
        if not len(near):
            return []
        own = self._different(name, weight[near], at[pairs[near]], normal[near], *SAME[self.counted])
        near, name = near[own], name[own]
        c = len(near)
        of = sparse.csr_matrix(
            (weight[near].ravel(), (np.repeat(np.arange(c), 4), pairs[near].ravel())), shape=(c, self.surface.count)
        )
        mixture = (of @ self.carries).tocsr()
        friction = self._rubs(friction, pairs[near, 0], pairs[near, 2])
        return [self._law(name, mixture, normal[near], offset[near], self.gap, of @ begun, friction)]

    def _rubs(self, friction: float, points: np.ndarray, others: np.ndarray) -> np.ndarray:
        """(c,) friction of pairs of points."""
        grips, body = self.surface.grips, self.surface.body
        return np.full(len(points), friction) if grips is None else grips.between(body[points], body[others])

    def _rubs_on(self, o: int, friction: float, points: np.ndarray) -> np.ndarray:
        """(c,) friction of points on an obstacle, negative for those that pass through it."""
        grips = self.surface.grips
        if grips is None:
            return np.full(len(points), friction)
        return grips.obstacles[o, grips.group[self.surface.body[points]]]

    def _different(
        self, name: np.ndarray, weight: np.ndarray, at: np.ndarray, normal: np.ndarray, gaps: float, turned: float
    ) -> np.ndarray:
        """Contacts without duplicates, of which one stays, preferably of the last step. All of this step stay."""
        rank = np.empty(len(name), int)
        old = places(name, self.kept.name) >= 0 if self.kept is not None else np.zeros(len(name), bool)
        rank[np.lexsort((*name.T, places(name, self.known) < 0, ~old))] = np.arange(len(name))
        first, second = (np.einsum("ij,ijk->ik", np.maximum(side * weight, 0.0), at) for side in (1, -1))
        keep = old.copy()
        keep[drop_duplicates(first, second, normal, rank, gaps * self.gap, turned)] = True
        return np.flatnonzero(keep)

    def _of_obstacles(self, trusted: bool, friction: float, begun: np.ndarray, at: np.ndarray, end: np.ndarray) -> list[Rows]:
        parts, reads = [], self.device.reads
        for o in range(len(self.obstacles)):
            given = (o, self.posed, self.half, self.gap, int(trusted), self.ways)
            out = (self.normals, self.gaps, self.places)
            self.device.launch(self.kernels.meet_obstacle, self.surface.count, *given, *out, grain=64)
            normal, place, gap = reads(self.normals, self.places, self.gaps)
            least = gap + np.minimum(np.einsum("ij,ij->i", normal, at - place), np.einsum("ij,ij->i", normal, end - place))
            rubs = self._rubs_on(o, friction, np.arange(self.surface.count))
            p = np.flatnonzero((least < MARGIN * self.gap) & (rubs >= 0))
            if len(p):
                name = np.column_stack([p, np.full(len(p), -1 - o), np.full((len(p), 2), -1)]).astype(np.int32)
                offset = np.einsum("ij,ij->i", normal[p], place[p]) - gap[p]
                given = (name, self.carries[p], normal[p].copy(), offset, 0.0)
                parts.append(self._law(*given, self._moved_along(o, begun[p]), rubs[p]))
            if o in self.deepest:
                parts += self._of_faces(o, trusted, friction, begun, at, end)
        return parts

    def _moved_along(self, o: int, begun: np.ndarray) -> np.ndarray:
        """Places (c, 3) at the start of the step, carried along with an obstacle [m]."""
        turn, shift = self.poses[o, :3, :3] @ self.poses_before[o, :3, :3].T, self.poses[o, :3, 3]
        return (begun - self.poses_before[o, :3, 3]) @ turn.T + shift

    def _of_faces(self, o: int, trusted: bool, friction: float, begun: np.ndarray, at: np.ndarray, end: np.ndarray) -> list[Rows]:
        """Faces and edges that are deeper in an obstacle than any corner of them, at the deepest place of each."""
        deepest = self.deepest[o]
        deepest.aim(o, 0, self.posed, self.gap, self.at if trusted else self.begun, self.then)
        out = (deepest.share, deepest.normal, deepest.place, deepest.gap, deepest.bulge)
        share, normal, place, gap, bulge = self.device.reads(*out)
        f = np.flatnonzero((bulge > STANDS_OUT * self.gap) & (gap < FAR))
        if not len(f):
            return []
        corners, share, normal, place = deepest.spans[f], share[f], normal[f], place[f]
        edge = corners[:, 1] == corners[:, 2]
        share[edge] = share[edge] @ [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
        here, there = (np.einsum("ij,ijk->ik", share, x[corners]) - place for x in (at, end))
        least = gap[f] + np.minimum(np.einsum("ij,ij->i", normal, here), np.einsum("ij,ij->i", normal, there))
        part = -np.sort(-np.where(share > ROUNDING, corners, -1), axis=1)  # faces share their edges
        name = np.column_stack([part[:, 0], np.full(len(f), -1 - o), part[:, 1:]]).astype(np.int32)
        rubs = self._rubs_on(o, friction, corners[:, 0])
        near = np.flatnonzero((least < MARGIN * self.gap) & (rubs >= 0))
        near = near[np.sort(np.unique(name[near], axis=0, return_index=True)[1])]
        if not len(near):
            return []
        c = len(near)
        entries = (share[near].ravel(), (np.repeat(np.arange(c), 3), corners[near].ravel()))
        of = sparse.csr_matrix(entries, shape=(c, self.surface.count))
        offset = np.einsum("ij,ij->i", normal[near], place[near]) - gap[f][near]
        given = (name[near], (of @ self.carries).tocsr(), normal[near].copy(), offset, 0.0)
        return [self._law(*given, self._moved_along(o, of @ begun), rubs[near])]

    def _law(
        self, name: np.ndarray, mixture: sparse.csr_matrix, normal: np.ndarray, offset: np.ndarray, gap: float,
        begun: np.ndarray, friction: np.ndarray | float,
    ) -> Rows:  # fmt: skip
        """Contacts between mixtures of nodes."""
        c = len(name)
        before, surface = np.einsum("ij,ij->i", normal, begun) - offset, offset - gap
        # pairs too close at the start of a step are separated gradually, not within one step
        offset = offset + np.minimum(0.0, before + np.maximum(-APART * before, SLOWLY * self.gap))
        law = (np.full(c, TOUCHES, np.int32), np.broadcast_to(np.asarray(friction, float), c).copy(), np.zeros(c))
        begun = begun if self.arc is None else begun + mixture @ self.arc
        return Rows(name, mixture, normal, offset, surface, begun, *law)


def _names(pairs: np.ndarray, kinds: np.ndarray, weight: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """(c, 4) the name of a pair: the points with weight in it, so that faces share their edges and corners.

    ``whole`` (c,): pairs named by their whole faces.
    """
    name = pairs.astype(np.int32).copy()
    face = kinds == FACE
    absent = (-weight[:, 1:] <= 1e-7) & (face & ~whole)[:, None]
    name[:, 1:][absent] = -1
    name[face, 1:] = -np.sort(-name[face, 1:], axis=1)
    corner = face & (name[:, 2] < 0)  # two points, in either order
    name[corner, :2] = np.sort(name[corner, :2], axis=1)
    return name


def _neighbours(surface: Surface) -> tuple[np.ndarray, ...]:
    """The corner opposite to each edge of each triangle, those beside each edge, the ring of each point; −1 for none."""
    triangles, edges = (np.asarray(own, np.int64) for own in (surface.triangles, surface.edges))
    corner = triangles.T.ravel()  # opposite to edges (1,2), (2,0), (0,1)
    ends = np.sort(np.concatenate([triangles[:, [1, 2]], triangles[:, [2, 0]], triangles[:, [0, 1]]]), axis=1)
    order = np.lexsort(ends.T)
    across = np.full(len(ends), -1)
    same = np.flatnonzero((ends[order][1:] == ends[order][:-1]).all(axis=1))
    across[order[same]], across[order[same + 1]] = corner[order[same + 1]], corner[order[same]]
    pairs = np.concatenate([edges, edges[:, ::-1]])
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    starts = np.searchsorted(pairs[:, 0], np.arange(surface.count + 1))
    return across.reshape(3, -1).T, surface.wings, starts, pairs[:, 1]


def _solid(surface: Surface) -> np.ndarray:
    """(p,) 1 for points of bodies with a closed surface and outward faces."""
    triangles, p = np.asarray(surface.triangles, np.int64).reshape(-1, 3), surface.count
    closed = np.zeros(len(surface.alone), np.int32)
    of = surface.body[triangles[:, 0]]
    for body in np.unique(of):
        own = triangles[of == body]
        one, other = own.ravel(), np.roll(own, -1, axis=1).ravel()
        both = np.array_equal(np.sort(one * p + other), np.sort(other * p + one))
        corners = surface.rest[own]
        closed[body] = both and np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) > 0
    return closed[surface.body]
