"""Caps of a cut through an embedded surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..geometry.mesh.mesh import TetMesh, edges_of, unique_rows
from .blade import Blade
from .mesh_cut import Opened
from .planar_delaunay import inside, triangulated
from .split import parts
from .tet_walk import places, walked

CLEAR = 0.35  # of an edge of the opened faces: least distance of inner vertices from the edges of the cut


@dataclass(frozen=True, eq=False)
class Cap:
    """New vertices of a surface on the blade, the tets of the mesh after a cut that carry them, and triangles of both sides."""

    vertices: np.ndarray  # (c, 3) at rest [m]
    holders: np.ndarray  # (c,)
    triangles: np.ndarray  # (t, 3) in numbers of the surface, whose new vertices come last


def capped(
    mesh: TetMesh, x: np.ndarray, blade: Blade, done: Opened, ends: np.ndarray, seams: np.ndarray, now: np.ndarray,
    holders: np.ndarray, count: int, next_to: np.ndarray,
) -> Cap:  # fmt: skip
    """The faces inside a cut along edges ``ends`` (c, 2) of a surface at ``now``, whose vertices are ``seams`` (c, 2, 2) of
    ``count`` afterwards: those above, and those below; each runs as the side above does. They are laid out on the blade unrolled.
    """
    rim, at = np.unique(ends, return_inverse=True)
    at = at.reshape(ends.shape)
    if not len(rim):
        return Cap(np.zeros((0, 3)), np.zeros(0, int), np.zeros((0, 3), int))
    twins = np.zeros((len(rim), 2), int)
    for k in range(2):
        twins[at, k] = seams[:, k]
    inner, nodes, tets, front = _inner(mesh, done)
    flat = blade.unrolled(now[rim])
    after = done.carried(x)
    spread = blade.unrolled(after[nodes[:, 0]])
    edges = edges_of(done.faces)
    length = np.linalg.norm(np.diff(x[edges], axis=1)[:, 0], axis=1).mean()
    clear = _distances(spread, flat[at]) > CLEAR * length
    number = np.where(clear, len(rim) + np.cumsum(clear) - 1, -1)
    points = np.concatenate([flat, spread[clear]])
    front = number[np.searchsorted(inner, front)]
    segments = np.concatenate([at[:, ::-1], front[(front >= 0).all(axis=1)]])
    part = parts(mesh.tets)  # parts separated by an earlier cut share no triangle
    part = np.concatenate([part[holders[rim]], part[tets[clear, 0]]])
    segments = np.concatenate([segments, _closing(points, segments, part)])
    free = np.setdiff1d(np.arange(len(rim), len(points)), segments)
    groups = _groups(points, segments, part)
    made = np.concatenate([triangulated(points, own, free[part[free] == part[own[0, 0]]]) for own in groups])
    made = np.concatenate([made, _missing(segments, made)])
    used = np.unique(made[made >= len(rim)]) - len(rim)
    nodes, tets = nodes[clear][used], tets[clear][used]
    # a vertex at the end of a slit is one and the same on both sides
    doubled = nodes[:, 0] != nodes[:, 1]
    first = count + np.arange(len(used))
    second = np.where(doubled, count + len(used) + np.cumsum(doubled) - 1, first)
    both = np.full((len(points), 2), -1)
    both[: len(rim)] = twins
    both[len(rim) + used] = np.stack([first, second], axis=1)
    made = made[(both[made, 0] != both[made, 1]).any(axis=1)]  # edges of shared vertices only enclose no area
    # laid flat, counter-clockwise is along × into, which points below: outwards from the part above
    above, below = both[made, 0], both[made, 1][:, ::-1]
    nodes, holders = np.concatenate([nodes[:, 0], nodes[doubled, 1]]), np.concatenate([tets[:, 0], tets[doubled, 1]])
    return Cap(*_laid(done, after, blade, nodes, holders, next_to), np.concatenate([above, below]))


def _laid(
    done: Opened, after: np.ndarray, blade: Blade, nodes: np.ndarray, holders: np.ndarray, next_to: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rest positions of projections on the blade, (c, 3) [m], and the tets that carry them."""
    feet = blade.rolled(blade.unrolled(after[nodes]))
    holders = walked(after, done.mesh.tets, next_to, holders, feet)
    corners = done.mesh.tets[holders]
    return np.einsum("ck,ckd->cd", places(after, corners, feet), done.mesh.vertices[corners]), holders


def _inner(mesh: TetMesh, done: Opened) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(v,) vertices of the opened faces inside the mesh before, (v, 2) their copies above and below, (v, 2) tets there,
    and (e, 2) edges between some of them at which the cut ends inside."""
    faces, between = done.faces, done.sides.between
    nodes, tets = np.zeros((len(mesh.vertices), 2), int), np.zeros((len(mesh.vertices), 2), int)
    for k in range(2):
        old, new = mesh.tets[between[:, k]], done.mesh.tets[between[:, k]]
        corner = np.argmax(old[:, None, :] == faces[:, :, None], axis=2)
        nodes[faces, k], tets[faces, k] = np.take_along_axis(new, corner, 1), between[:, k, None]
    outer = np.zeros(len(mesh.vertices), bool)
    outer[mesh.boundary_vertices] = True
    inner = np.unique(faces)
    inner = inner[~outer[inner]]
    fourth = mesh.tets[between[:, 0]].sum(axis=1) - faces.sum(axis=1)
    a, b, c, d = mesh.vertices[np.column_stack([faces, fourth])].transpose(1, 0, 2)
    up = np.einsum("bc,bc->b", np.cross(b - a, c - a), d - a) > 0
    pairs = np.where(up[:, None], faces[:, ::-1], faces)[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)  # outwards from above
    first, _, times = unique_rows(np.sort(pairs, axis=1))
    front = pairs[first[times == 1]]
    return inner, nodes[inner], tets[inner], front[~outer[front].any(axis=1)]


def _distances(points: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """(p,) distances of points (p, 2) from the nearest of segments (k, 2, 2)."""
    a, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    offset = points[:, None] - a
    share = np.einsum("pkc,kc->pk", offset, along) / np.maximum(np.einsum("kc,kc->k", along, along), 1e-300)
    return np.linalg.norm(offset - np.clip(share, 0, 1)[:, :, None] * along, axis=2).min(axis=1, initial=np.inf)


def _groups(points: np.ndarray, segments: np.ndarray, of: np.ndarray) -> list[np.ndarray]:
    """Segments of outlines, each with the holes inside it; neighbouring outlines may touch, as next to an earlier cut."""
    size = len(points)
    graph = sparse.coo_array((np.ones(len(segments), np.int8), segments.T), shape=(size, size))
    loop = connected_components(graph, directed=False)[1][segments[:, 0]]
    loops = [segments[loop == k] for k in np.unique(loop)]
    middles = [points[own].mean(axis=1) for own in loops]
    groups: list[list[np.ndarray]] = [[own] for own in loops]
    for k, own in enumerate(loops):
        others = [g for g, other in enumerate(loops) if g != k and of[other[0, 0]] == of[own[0, 0]]]
        around = [g for g in others if inside(middles[k], points[loops[g]]).mean() > 0.5]
        if around:
            outermost = max(around, key=lambda g: float(np.ptp(points[loops[g]].reshape(-1, 2), axis=0).prod()))
            groups[outermost].append(own)
            groups[k] = []
    return [np.concatenate(group) for group in groups if group]


def _closing(points: np.ndarray, segments: np.ndarray, part: np.ndarray) -> np.ndarray:
    """(k, 2) segments from where paths end to where they begin, the nearest pairs first, that close them to polygons."""
    size = len(points)
    excess = np.bincount(segments[:, 1], minlength=size) - np.bincount(segments[:, 0], minlength=size)
    ends, starts = (np.repeat(np.arange(size), np.maximum(sign * excess, 0)) for sign in (1, -1))
    i, j = np.nonzero(part[ends][:, None] == part[starts])
    found, free = [], np.ones((2, max(len(ends), len(starts))), bool)
    for pair in np.argsort(np.linalg.norm(points[ends[i]] - points[starts[j]], axis=1), kind="stable"):
        if free[0, i[pair]] and free[1, j[pair]]:
            free[0, i[pair]] = free[1, j[pair]] = False
            found.append((ends[i[pair]], starts[j[pair]]))
    return np.array(found, int).reshape(-1, 2)


def _missing(segments: np.ndarray, made: np.ndarray) -> np.ndarray:
    """(t, 3) triangles that fill gaps between polygons and the triangulation, where edges cross."""
    net: dict[tuple[int, int], int] = {}
    rims = made[:, [1, 0, 2, 1, 0, 2]].reshape(-1, 2)  # backwards
    for i, j in np.concatenate([segments, rims]).tolist():
        key, way = ((i, j), 1) if i < j else ((j, i), -1)
        net[key] = net.get(key, 0) + way
    onward: dict[int, list[int]] = {}
    for (i, j), times in net.items():
        for _ in range(abs(times)):
            onward.setdefault(i if times > 0 else j, []).append(j if times > 0 else i)
    found = []
    for start in list(onward):
        path, at = [start], {start: 0}
        while onward.get(path[-1]):
            v = onward[path[-1]].pop()
            if v in at:  # a loop: a fan fills it
                loop = path[at[v] :]
                found += [(loop[0], loop[k], loop[k + 1]) for k in range(1, len(loop) - 1)]
                for passed in loop[1:]:
                    del at[passed]
                path = path[: at[v] + 1]
            else:
                at[v] = len(path)
                path.append(v)
    return np.array(found, int).reshape(-1, 3)
