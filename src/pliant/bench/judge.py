"""Whether surfaces intersect, from where they are alone: winding numbers of solids, edges that pass through faces, depths.

Nothing here asks a response of contact: it is what such responses are judged by, and all of it is in double precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ..runtime.device import Device
from ..simulate.simulation import Simulation
from .judge_kernels import judge_kernels

ROUNDING = 1e-6  # of a coordinate, by which boxes of single precision are too large rather than too small


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a state: vertices inside other solids, edges through faces, points inside obstacles."""

    inside: int = 0  # vertices of a body within another, solid one
    depth: float = 0.0  # [m] how deep the deepest of them is: its distance from the surface of that body
    crossings: int = 0  # pairs of an edge and a face that it passes through, of two bodies or of two places of one
    below: float = 0.0  # [m] how deep the deepest vertex is in an obstacle

    @property
    def clean(self) -> bool:
        """Whether bodies are all outside of one another."""
        return self.inside == 0 and self.crossings == 0

    def worse(self, other: Verdict) -> Verdict:
        """The greater of each."""
        pairs = zip(vars(self).values(), vars(other).values())
        return Verdict(*(max(pair) for pair in pairs))


@dataclass(frozen=True, eq=False)
class Judge:
    """The surfaces of some bodies, with all that does not change while they move."""

    skins: tuple[Any, ...]
    triangles: np.ndarray  # (f, 3) of vertices of all skins, one after the other
    edges: np.ndarray  # (e, 2), each once, threads among them
    part: np.ndarray  # (p,) the body of each vertex
    solid: np.ndarray  # (bodies,) whether it has an inside: solid, and its surface closed
    device: Device

    @classmethod
    def of(cls, sim: Simulation) -> Judge:
        """A judge of the bodies of a simulation, on its device; after a cut there has to be another."""
        skins, rest = sim.skins, sim.world.rest
        first = np.cumsum([0, *(len(skin.parents) for skin in skins)])
        triangles = [skin.triangles.reshape(-1, 3) + i for skin, i in zip(skins, first)]
        threads = [skin.edges + i for skin, i in zip(skins, first) if skin.edges is not None and not len(skin.triangles)]
        solid = [
            body.shape.dimension == 3 and is_closed(skin.triangles, skin.of(rest)) for body, skin in zip(sim.scene.bodies, skins)
        ]
        faces = np.concatenate(triangles).astype(int)
        part = np.repeat(np.arange(len(skins)), np.diff(first))
        edges = edges_of(faces, *threads)
        return cls(skins, faces, edges, part, np.array(solid), Device(sim.device.name, "f64"))

    def look(self, x: np.ndarray, obstacles: Any = (), time: float = 0.0) -> Verdict:
        """Judge nodes at x (n, 3) [m], and obstacles where they are at a time [s]."""
        at = np.concatenate([skin.of(np.asarray(x, float)) for skin in self.skins])
        inside, depth = depth_in_one_another(self.triangles, self.part, at, self.solid, self.device)
        crossed = int(crossings(self.edges, self.triangles, at, self.device).sum())
        below = 0.0
        for obstacle in obstacles:
            pose = obstacle.pose(time)
            below = max(below, -float(obstacle.shape((at - pose[:3, 3]) @ pose[:3, :3]).min()))
        return Verdict(inside, depth, crossed, below)


def judge(sim: Simulation) -> Verdict:
    """Judge the state of a simulation as it stands."""
    return Judge.of(sim).look(sim.x, sim.scene.obstacles, sim.t)


def edges_of(triangles: np.ndarray, *more: np.ndarray) -> np.ndarray:
    """(e, 2) the edges of triangles and those given besides, each once."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]], *more])
    return np.unique(np.sort(sides, axis=1), axis=0)


def is_closed(triangles: np.ndarray, x: np.ndarray) -> bool:
    """Whether each edge of triangles (f, 3) is that of another the other way; vertices in one place are one."""
    if not len(triangles):
        return False
    _, same = np.unique(x, axis=0, return_inverse=True)
    corners = same.ravel()[triangles].astype(np.int64)
    there = np.stack([corners, np.roll(corners, -1, axis=1)], axis=-1).reshape(-1, 2)
    there = there[there[:, 0] != there[:, 1]]
    code = len(x) * there[:, 0] + there[:, 1]
    return np.array_equal(np.sort(code), np.sort(len(x) * there[:, 1] + there[:, 0]))


def winding_numbers(corners: np.ndarray, points: np.ndarray, device: Device | None = None) -> np.ndarray:
    """(p,) how many times triangles (f, 3, 3) wind around each point: the sum of their solid angles over 4π (van Oosterom)."""
    few = np.zeros(len(points), int)
    return _wound(corners, np.array([0, len(corners)]), points, few, device or Device("cpu", "f64"))[0]


def depth_in_one_another(
    triangles: np.ndarray, part: np.ndarray, x: np.ndarray, solid: np.ndarray | None = None, device: Device | None = None
) -> tuple[int, float]:
    """How many vertices of parts ``part`` (n,) are inside another, at x (n, 3), and how deep the deepest is [m].

    ``triangles`` (f, 3) bound the parts. The depth is the distance from the boundary. ``solid`` says of each part whether it
    has an inside, all unless told.
    """
    if not len(part):
        return 0, 0.0
    of = part[triangles[:, 0]]
    order = np.argsort(of, kind="stable")
    offsets = np.searchsorted(of[order], np.arange(int(part.max()) + 2))
    corners = x[triangles[order]]
    pairs = list(_within_boxes(corners, offsets, part, x, np.unique(triangles), solid))
    if not pairs:
        return 0, 0.0
    points, other = (np.concatenate(column) for column in zip(*pairs))
    winding, depth = _wound(corners, offsets, x[points], other, device or Device("cpu", "f64"))
    inside = winding > 0.5
    return int(inside.sum()), float(depth[inside].max(initial=0.0))


def _within_boxes(
    corners: np.ndarray, offsets: np.ndarray, part: np.ndarray, x: np.ndarray, used: np.ndarray, solid: np.ndarray | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Vertices within the box of another part, along its own main axes, and that part."""
    count = len(offsets) - 1
    some = np.array([offsets[k] < offsets[k + 1] for k in range(count)])
    members = np.split(used[np.argsort(part[used], kind="stable")], np.searchsorted(np.sort(part[used]), np.arange(1, count)))
    low = np.array([x[m].min(axis=0) if len(m) else np.full(3, np.inf) for m in members])
    high = np.array([x[m].max(axis=0) if len(m) else np.full(3, -np.inf) for m in members])
    for k in np.flatnonzero(some if solid is None else some & solid):
        near = np.flatnonzero(np.all((low <= high[k]) & (high >= low[k]), axis=1))
        points = np.concatenate([members[j] for j in near if j != k] or [np.zeros(0, int)])
        own = corners[offsets[k] : offsets[k + 1]].reshape(-1, 3)
        axes = np.linalg.svd(own - own.mean(axis=0), full_matrices=False)[2]
        turned, there = own @ axes.T, x[points] @ axes.T
        points = points[np.all((there >= turned.min(axis=0)) & (there <= turned.max(axis=0)), axis=1)]
        if len(points):
            yield points, np.full(len(points), k)


def _wound(
    corners: np.ndarray, offsets: np.ndarray, points: np.ndarray, part: np.ndarray, device: Device
) -> tuple[np.ndarray, np.ndarray]:
    """(p,) winding number of part ``part`` (p,) around each point, and (p,) its distance from that."""
    t, count = device.types, len(points)
    if not count:
        return np.zeros(0), np.zeros(0)
    given = (device.array(offsets, wp.int32), device.array(corners.reshape(-1, 3), t.position))
    asked = (device.array(points, t.position), device.array(part, wp.int32))
    winding, depth = device.zeros(count, wp.float64), device.zeros(count, wp.float64)
    device.launch(judge_kernels("f64").wind, count, *given, *asked, winding, depth, grain=16)
    return winding.numpy() / (2 * np.pi), depth.numpy().copy()


def crossings(edges: np.ndarray, triangles: np.ndarray, x: np.ndarray, device: Device | None = None) -> np.ndarray:
    """(e,) how many triangles (f, 3) each edge (e, 2) passes through at x (n, 3), those that share a vertex with it left out."""
    if not len(edges) or not len(triangles):
        return np.zeros(len(edges), int)
    device = device or Device("cpu", "f64")
    boxes = []
    for corners in (x[triangles], x[edges]):
        pad = ROUNDING * np.abs(x).max()
        boxes += [device.array(corners.min(axis=1) - pad, wp.vec3), device.array(corners.max(axis=1) + pad, wp.vec3)]
    tree = wp.Bvh(boxes[0], boxes[1])
    mesh = (device.array(edges, wp.int32), device.array(triangles, wp.int32), tree.id)
    out = device.zeros(len(edges), wp.int32)
    at = device.array(x, device.types.position)
    device.launch(judge_kernels("f64").cross, len(edges), *mesh, at, boxes[2], boxes[3], out, grain=64)
    return out.numpy().copy()


def writhe(x: np.ndarray) -> float:
    """The writhe of a thread through points x (n, 3): it jumps by 2 where one part of the thread passes through another.

    The sum of the signed solid angles of all pairs of segments, over 2π (Klenin & Langowski 2000).
    """
    i, j = np.triu_indices(len(x) - 1, 2)
    a, b, c, d = x[i], x[i + 1], x[j], x[j + 1]
    across = [np.cross(c - a, d - a), np.cross(d - a, d - b), np.cross(d - b, c - b), np.cross(c - b, c - a)]
    n = [v / np.maximum(np.linalg.norm(v, axis=1), 1e-300)[:, None] for v in across]
    angle = sum(np.arcsin(np.clip(np.einsum("pc,pc->p", n[k], n[(k + 1) % 4]), -1, 1)) for k in range(4))
    sign = np.sign(np.einsum("pc,pc->p", np.cross(d - c, b - a), c - a))
    return float(np.sum(angle * sign) / (2 * np.pi))
