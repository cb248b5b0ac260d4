"""Parting of overlapping bodies along the shortest straight way out.

The least translation that separates two bodies is their penetration depth (Cameron & Culley 1986). It is searched along some
directions: normals in contact, the line of the centres, and the axes. Along one direction an edge crosses a face for an interval
of the way, since the difference of two convex sets is convex, so that bodies go from the end of one interval to that of the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arguments import checks
from ...geometry.distance.mesh_distance import MeshDistance
from ...runtime.device import Device
from ..pairs.contact_surface import Surface, joined
from .broad_phase import FACE, Candidates
from .edge_crossings import crossings

GAP_OF_AN_EDGE = 0.01  # default gap of separated bodies
WIDER = 1.5  # times that gap they are moved apart, so that rounds of separation end
# of the gap: the first interval of a way on which bodies are near and nothing crosses; later ones double
FIRST = 0.25
ACROSS = 24  # normals to try
AXES = np.concatenate([np.eye(3), -np.eye(3)])


@dataclass(frozen=True)
class Parting:
    """Moves bodies that intersect or touch at the start apart before the first step, by translations.

    Two bodies move along the shortest way found and keep their centre of mass; bodies held, or joined to the world, do not
    move, and jointed ones move together. Velocities do not change. ``gap`` [m] is how far apart bodies then are at least,
    and the reach of a Barrier() without one; None for 1 % of the usual edge. ``sim.parted`` and the report of the first step say
    which bodies moved, and how far.
    """

    gap: float | None = None

    def __post_init__(self):
        if self.gap is not None:
            checks.positive("Parting(gap=…)", self.gap, "metres, or None")

    def gap_of(self, edge: float) -> float:
        """The gap [m] of bodies with edges of that length [m]."""
        return GAP_OF_AN_EDGE * edge if self.gap is None else float(self.gap)


@dataclass(eq=False)
class Solid:
    """A body to translate: its surface, its signed distance if it has an interior, and its translation ``moved``."""

    surface: Surface
    distance: MeshDistance | None
    moved: np.ndarray

    @property
    def box(self) -> np.ndarray:
        """(2, 3) its ends [m]."""
        x = self.surface.rest
        return np.stack([x.min(axis=0), x.max(axis=0)]) + self.moved

    @property
    def thickest(self) -> float:
        """The greatest thickness of its sheets and threads [m]."""
        return float(self.surface.thickness.max(initial=0.0))

    def holds(self, points: np.ndarray) -> float:
        """The largest depth of some points in it, at least 0 [m]."""
        return 0.0 if self.distance is None else max(0.0, -float(np.min(self.distance(points - self.moved))))

    @property
    def firsts(self) -> np.ndarray:
        """A point of each of its pieces [m]."""
        return self.surface.rest[np.unique(self.surface.body, return_index=True)[1]] + self.moved


class Meeting:
    """Two solids, of which the first leaves the other."""

    def __init__(self, one: Solid, other: Solid, gap: float):
        both = joined([one.surface, other.surface])
        self.surface = replace(both, alone=np.ones_like(both.alone))
        self.one, self.other, self.count = one, other, one.surface.count
        thick = 0.5 * (one.thickest + other.thickest)
        self.gap, self.wide = gap + thick, WIDER * gap + thick
        self.device = Device("cpu", "f64")
        self.candidates = Candidates(self.device, self.surface, near=0.0)

    def at(self, way: np.ndarray) -> np.ndarray:
        """(p, 3) all points with the first translated that way [m]."""
        x = self.surface.rest.copy()
        x[: self.count] += self.one.moved + way
        x[self.count :] += self.other.moved
        return x

    def crossed(self, x: np.ndarray) -> np.ndarray:
        """(m, 2) edges and the faces of the other body that they cross."""
        found = crossings(self.device, self.surface, x)
        edge, face = self.surface.edges[found[:, 0], 0], self.surface.triangles[found[:, 1], 0]
        return found[(edge < self.count) != (face < self.count)]

    def near(self, x: np.ndarray, gap: float) -> np.ndarray:
        """(n, 4) points of the pairs of both within that distance [m]."""
        at = self.device.array(x, self.device.types.position)
        self.candidates.find(at, at, gap, anew=True)
        return self.candidates.pairs.numpy()[: self.candidates.count]

    def nested(self, way: np.ndarray) -> float:
        """The depth of one in the other without a crossing [m]."""
        return max(self.other.holds(self.one.firsts + way), self.one.holds(self.other.firsts - way))

    @property
    def intersects(self) -> bool:
        """Whether the two overlap."""
        return bool(len(self.crossed(self.at(np.zeros(3)))) or self.nested(np.zeros(3)) > 0)

    @property
    def meets(self) -> bool:
        """Whether they overlap or are closer than the gap."""
        return bool(len(self.near(self.at(np.zeros(3)), self.gap))) or self.intersects

    def directions(self) -> np.ndarray:
        """(d, 3) directions to try, the likely ones first."""
        x = self.at(np.zeros(3))
        near, crossed = self.near(x, self.gap), self.crossed(x)
        face = self.candidates.kinds.numpy()[: len(near)] == FACE
        corners = np.concatenate([self.surface.triangles[crossed[:, 1]], near[face, 1:]])[:, [0, 1, 0, 2]]
        corners = np.concatenate([corners, near[~face]])  # two sides of a face, or two edges
        normal = np.cross(x[corners[:, 1]] - x[corners[:, 0]], x[corners[:, 3]] - x[corners[:, 2]])
        length = np.linalg.norm(normal, axis=1)
        alike, number = np.unique(np.round(normal[length > 0] / length[length > 0, None], 1), axis=0, return_counts=True)
        alike = alike[np.argsort(-number, kind="stable")][:ACROSS]
        middle = x[: self.count].mean(axis=0) - x[self.count :].mean(axis=0)
        ways = np.concatenate([middle[None], alike, -alike, AXES])
        length = np.linalg.norm(ways, axis=1)
        return ways[length > 0] / length[length > 0, None]

    def out(self) -> np.ndarray:
        """(3,) the shortest separating translation found for the first [m]."""
        size = np.linalg.norm(np.ptp(np.concatenate([self.one.box, self.other.box]), axis=0))
        best, way = np.inf, np.zeros(3)
        for direction in self.directions():
            far = self._out_along(direction, min(best, 2 * size))
            if far < best:
                best, way = far, far * direction
        return way

    def _out_along(self, direction: np.ndarray, most: float) -> float:
        """The distance to separate the first [m], or infinity if above ``most``."""
        far, last, part = 0.0, 0.0, FIRST * self.gap
        while last < most:
            x = self.at(far * direction)
            crossed = self.crossed(x)
            if len(crossed):
                edges, faces = self.surface.edges[crossed[:, 0]], self.surface.triangles[crossed[:, 1]]
                moves = np.where(edges[:, 0] < self.count, 1.0, -1.0)
                leaves = _leaves(x[edges], x[faces], moves[:, None] * direction)
                last, far, part = far, far + max(float(leaves.max(initial=0.0)), part), FIRST * self.gap
                continue
            deep = self.nested(far * direction)
            if deep == 0 and not len(self.near(x, self.wide)):
                return self._least(direction, last, far) if part > 2 * FIRST * self.gap else far
            last, far, part = far, far + max(deep, part), 2 * part
        return np.inf

    def _least(self, direction: np.ndarray, near: float, far: float) -> float:
        """The way between two at which bodies reach this distance [m]."""
        while far - near > FIRST * self.gap:
            middle = 0.5 * (near + far)
            x = self.at(middle * direction)
            free = not len(self.near(x, self.wide)) and not len(self.crossed(x)) and self.nested(middle * direction) == 0
            near, far = (near, middle) if free else (middle, far)
        return far


def _leaves(edges: np.ndarray, faces: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """(m,) distances along directions (m, 3) until edges (m, 2, 3) leave the faces (m, 3, 3) that they cross [m].

    They leave as an end passes the face, or the edge a side of it."""
    last, along = np.zeros(len(edges)), edges[:, 1] - edges[:, 0]
    sides = [faces[:, (i + 1) % 3] - faces[:, i] for i in range(3)]
    for end in range(2):
        far, u, v = _solved(directions, -sides[0], sides[2], faces[:, 0] - edges[:, end])
        last = np.where((u >= 0) & (v >= 0) & (u + v <= 1), np.fmax(last, far), last)
    for i, side in enumerate(sides):
        far, u, v = _solved(directions, along, -side, faces[:, i] - edges[:, 0])
        last = np.where((u >= 0) & (u <= 1) & (v >= 0) & (v <= 1), np.fmax(last, far), last)
    return last


def _solved(a: np.ndarray, b: np.ndarray, c: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, ...]:
    """(m,) each: the s, u and v with s a + u b + v c = right, by Cramer's rule; not a number where there are none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = np.einsum("ij,ij->i", a, np.cross(b, c))
        whole = np.where(whole == 0, np.nan, whole)
        s = np.einsum("ij,ij->i", right, np.cross(b, c)) / whole
        u = np.einsum("ij,ij->i", a, np.cross(right, c)) / whole
        v = np.einsum("ij,ij->i", a, np.cross(b, right)) / whole
    return s, u, v
