"""Cuts of a surface that a tetrahedral mesh carries.

Its triangles are split where the blade passes, not where the faces of tets lie, so that the cut is as smooth as the surface is
fine. Each part is carried by tets of its own side, and the new inner faces join the two edges of the cut.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ..geometry.mesh.embedded_surface import HeldSurface
from ..geometry.mesh.mesh import TetMesh, edges_of, unique_rows
from .blade import Blade
from .cap import capped
from .mesh_cut import Opened
from .sides import crossings
from .split import parts
from .tet_walk import beside, brought_over, places, walked

NEAR = 0.05  # of its shortest edge: a vertex this close is snapped onto the blade, to avoid slivers
Near = Callable[[np.ndarray], np.ndarray]
RINGS = 4  # tets between a vertex and one on its side of a rough cut


def cut_surface(surface: HeldSurface, mesh: TetMesh, x: np.ndarray, blade: Blade, done: Opened) -> HeldSurface:
    """The surface after a cut of the mesh that carries it, whose vertices were at ``x`` (n, 3) [m]."""
    of_tet, holders, blade = done.sides.of_tet, surface.holders, _reaching(blade, done, x)
    lam = places(mesh.vertices, mesh.tets[holders], surface.vertices)
    now = np.einsum("sk,skc->sc", lam, x[mesh.tets[holders]])
    X, now, label = _snapped(surface, now, blade, mesh.vertices, x, mesh.tets[holders])
    near = _near(done, x)
    X, now, label, triangles, ends = refined(X, now, label, surface.triangles.astype(int), blade, near)
    above = np.concatenate([holders, holders[ends[:, 0]]])  # of both ends of an edge that the blade crosses
    below = np.concatenate([holders, holders[ends[:, 1]]])
    side = triangle_sides(label[triangles], now[triangles], blade)
    corners, cuts = cut_edges(now, label, triangles, side, blade, near)
    numbers, origin, wanted = fans(triangles, side, corners, cuts, len(X))
    wanted = np.where(wanted == 0, label[origin], wanted)
    wanted = np.where(wanted == 0, _side_around(numbers, side, len(origin)), wanted)
    start = np.where(wanted < 0, below[origin], above[origin])
    before = beside(mesh.tets)
    for v in np.flatnonzero(of_tet[start] * wanted < 0).tolist():
        start[v] = brought_over(before, of_tet, int(start[v]), int(wanted[v]), RINGS)
    new, X = done.mesh, X[origin]
    moved = np.any(new.vertices[: len(mesh.vertices)] != mesh.vertices, axis=1)[mesh.tets].any(axis=1)
    stays = origin < len(surface.vertices)
    stays[stays] &= ~moved[start[stays]] & (start[stays] == holders[origin[stays]])
    goes = np.flatnonzero(~stays)
    next_to = beside(new.tets)
    start[goes] = walked(new.vertices, new.tets, next_to, start[goes], X[goes])
    seams = numbers[corners[cuts]]  # (c, 2, 2) the ends of an edge that is cut: above, and below
    cap = capped(mesh, x, blade, done, triangles.ravel()[corners[cuts, 0]], seams, now, above, len(X), next_to)
    return _on_one_part(
        np.concatenate([X, cap.vertices]),
        np.concatenate([numbers.reshape(-1, 3), cap.triangles]),
        np.concatenate([start, cap.holders]),
        new,
        next_to,
    )


def _side_around(numbers: np.ndarray, side: np.ndarray, count: int) -> np.ndarray:
    """(s,) the side of all triangles around a vertex, 0 where they are on both: one on the blade with triangles of one side
    only is on the edge of an earlier cut, which may lie ahead of the tets separated now."""
    of_corner = np.repeat(side, 3)
    above, below = (np.bincount(numbers[sign * of_corner > 0], minlength=count) for sign in (1, -1))
    return np.sign(above) * (below == 0) - np.sign(below) * (above == 0)


def _on_one_part(X: np.ndarray, triangles: np.ndarray, holders: np.ndarray, mesh: TetMesh, next_to: np.ndarray) -> HeldSurface:
    """The surface with every triangle carried by one part of the mesh, that of most of its corners: none is stretched between
    separating parts where the cut of the tets is rough."""
    part = parts(mesh.tets)
    own = part[holders][triangles]
    most = np.where(own[:, 1] == own[:, 2], own[:, 1], own[:, 0])
    astray = np.argwhere(own != most[:, None])
    if len(astray):
        triangle, corner = astray.T
        keys = np.stack([triangles[triangle, corner], most[triangle]], axis=1)
        first, inverse, _ = unique_rows(keys)
        beside_it = triangles[triangle, np.argmax(own[triangle] == most[triangle, None], axis=1)][first]
        again = X[keys[first, 0]]
        triangles = triangles.copy()
        triangles[triangle, corner] = len(X) + inverse
        found = walked(mesh.vertices, mesh.tets, next_to, holders[beside_it], again)
        X, holders = np.concatenate([X, again]), np.concatenate([holders, found])
        used, numbers = np.unique(triangles, return_inverse=True)
        X, holders, triangles = X[used], holders[used], numbers.reshape(-1, 3)
    return HeldSurface(X, triangles, holders)


def _reaching(blade: Blade, done: Opened, x: np.ndarray) -> Blade:
    """The blade, extended by a tet edge on all sides where parts are detached: the last tets separate before the
    blade has passed, and the surface over them must as well."""
    part = parts(done.mesh.tets)[done.sides.between]
    if (part[:, 0] == part[:, 1]).all():
        return blade
    edges, path, into = edges_of(done.faces), np.asarray(blade.path, float), np.array(blade.into)
    far = float(np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1).max())
    first, last = ((a - b) / np.linalg.norm(a - b) for a, b in ((path[0], path[1]), (path[-1], path[-2])))
    path = np.concatenate([[path[0] + far * first], path[1:-1], [path[-1] + far * last]])
    return replace(blade, path=path - far * into, depth=blade.depth + 2 * far)


def _near(done: Opened, x: np.ndarray) -> Near:
    """Whether points (p, 3) are no further from opened faces than these are long: elsewhere the surface stays
    whole, as along an earlier cut that the same blade has made."""
    doubled = np.isin(done.faces, done.origin[len(x) :]).any(axis=1)
    vertices = np.unique(done.faces[doubled])
    if not len(vertices):
        return lambda points: np.zeros(len(points), bool)
    edges = edges_of(done.faces[doubled])
    longest = np.zeros(len(x))
    np.maximum.at(longest, edges.ravel(), np.repeat(np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1), 2))
    tree = cKDTree(x[vertices])

    def near(points: np.ndarray) -> np.ndarray:
        away, nearest = tree.query(points)
        return away <= longest[vertices[nearest]]

    return near


def _snapped(
    surface: HeldSurface, now: np.ndarray, blade: Blade, rest: np.ndarray, x: np.ndarray, corners: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rest and current vertices, those near the blade snapped onto it to avoid slivers, and their sides, 0 for these."""
    X, now, edges = surface.vertices.copy(), now.copy(), edges_of(surface.triangles)
    height, within = blade.heights(now)
    shortest = np.full(len(X), np.inf)
    np.minimum.at(shortest, edges.ravel(), np.repeat(np.linalg.norm(now[edges[:, 0]] - now[edges[:, 1]], axis=1), 2))
    on = np.abs(height) <= NEAR * shortest
    moved = np.flatnonzero(on & within)
    now[moved] = blade.rolled(blade.unrolled(now[moved]))
    X[moved] = np.einsum("ck,ckd->cd", places(x, corners[moved], now[moved]), rest[corners[moved]])
    return X, now, np.where(on, 0, np.sign(height)).astype(int)


def refined(
    X: np.ndarray, now: np.ndarray, label: np.ndarray, triangles: np.ndarray, blade: Blade, near: Near
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rest and current vertices, their sides (0 on the blade) and triangles, with a vertex added on each edge that the blade
    meets; and (k, 2) the ends of these edges, the one above first."""
    count, height, edges = len(X), blade.heights(now)[0], edges_of(triangles)
    ends, shares = crossings(now, edges[label[edges].prod(axis=1) < 0], height, blade)
    opened = near((1 - shares[:, :1]) * now[ends[:, 0]] + shares[:, :1] * now[ends[:, 1]])
    ends, shares = ends[opened], shares[opened]
    key = np.sort(ends, axis=1) @ [count, 1]
    order = np.argsort(key)
    sides = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2), axis=2) @ [count, 1]
    at = np.searchsorted(key[order], sides)
    found = at < len(key)
    found[found] = key[order[at[found]]] == sides[found]
    middle = np.where(found, count + order[np.minimum(at, len(key) - 1)] if len(key) else -1, -1)
    share = shares[:, :1]
    X, now = (np.concatenate([v, (1 - share) * v[ends[:, 0]] + share * v[ends[:, 1]]]) for v in (X, now))
    label = np.concatenate([label, np.zeros(len(ends), int)])
    return X, now, label, _subdivided(triangles, middle, now), ends


def _subdivided(triangles: np.ndarray, middle: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Triangles with a vertex ``middle`` (f, 3) on some of their sides 01, 12 and 20, −1 on the others."""
    met = middle >= 0
    # turned so that of one vertex it is on side 01, and of two on 01 and 12
    turn = np.where(met.sum(axis=1) == 2, np.argmin(met, axis=1) + 1, np.argmax(met, axis=1)) % 3
    columns = (turn[:, None] + np.arange(3)) % 3
    triangles, middle = np.take_along_axis(triangles, columns, 1), np.take_along_axis(middle, columns, 1)
    count = met.sum(axis=1)
    one, (m, _, _) = triangles[count == 1], middle[count == 1].T
    a, b, c = one.T
    parts = [triangles[count == 0], np.stack([a, m, c], axis=1), np.stack([m, b, c], axis=1)]
    two, (m, n, _) = triangles[count == 2], middle[count == 2].T
    a, b, c = two.T
    shorter = np.linalg.norm(now[a] - now[n], axis=1) <= np.linalg.norm(now[m] - now[c], axis=1)
    parts.append(np.stack([m, b, n], axis=1))
    parts.append(np.where(shorter[:, None], np.stack([a, m, n], axis=1), np.stack([a, m, c], axis=1)))
    parts.append(np.where(shorter[:, None], np.stack([a, n, c], axis=1), np.stack([m, n, c], axis=1)))
    return np.concatenate(parts)


def triangle_sides(labels: np.ndarray, corners: np.ndarray, blade: Blade) -> np.ndarray:
    """(f,) 1 above, −1 below, 0 of a triangle that reaches to both sides beyond the rim of the blade.

    A triangle in the blade, such as an inner face of an earlier cut, is on the side opposite to its normal.
    """
    side = np.sign(labels.max(axis=1) + labels.min(axis=1))
    flat = (labels == 0).all(axis=1)
    a, b, c = corners[flat].transpose(1, 0, 2)
    out = np.cross(b - a, c - a)
    out *= (0.1 / np.sqrt(np.maximum(np.linalg.norm(out, axis=1), 1e-300)))[:, None]  # a tenth of its size
    middle = corners[flat].mean(axis=1)
    side[flat] = np.where(blade.heights(middle + out)[0] < blade.heights(middle - out)[0], 1, -1)
    return side


def cut_edges(
    now: np.ndarray, label: np.ndarray, triangles: np.ndarray, side: np.ndarray, blade: Blade, near: Near
) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2, 2) corners (3 · triangle + number) at the two ends of edges between two triangles, the one above first; and whether
    the blade opens them."""
    corner = np.arange(triangles.size).reshape(-1, 3)
    pairs = np.stack([corner, np.roll(corner, -1, axis=1)], axis=2).reshape(-1, 2)
    ends = triangles.ravel()[pairs]
    pairs = np.where(ends[:, :1] < ends[:, 1:], pairs, pairs[:, ::-1])
    _, inverse, times = unique_rows(np.sort(ends, axis=1))
    order = np.argsort(inverse, kind="stable")
    order = order[times[inverse[order]] == 2].reshape(-1, 2)
    twins = pairs[order]  # (e, 2 triangles, 2 ends)
    sides = side[twins[:, :, 0] // 3]
    twins = np.where((sides[:, 0] < sides[:, 1])[:, None, None], twins[:, ::-1], twins)
    backwards = (twins[:, 0, 1] - twins[:, 0, 0]) % 3 != 1  # along the triangle above
    twins = np.where(backwards[:, None, None], twins[:, :, ::-1], twins)
    ends = triangles.ravel()[twins[:, 0]]
    opened = (sides.prod(axis=1) < 0) & (label[ends] == 0).all(axis=1)
    middle = now[ends[opened]].mean(axis=1)
    opened[opened] = blade.heights(middle)[1] & near(middle)
    return twins, opened


def fans(
    triangles: np.ndarray, side: np.ndarray, corners: np.ndarray, cuts: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(3 f,) new vertex at each corner, (s,) the old one of each, and (s,) the side that a vertex of an opened edge is on.

    Where the fan of a vertex is split, triangles above keep it, and those below get a copy.
    """
    joined = corners[~cuts].transpose(0, 2, 1).reshape(-1, 2)
    size = triangles.size
    graph = sparse.coo_array((np.ones(len(joined), np.int8), joined.T), shape=(size, size))
    part = connected_components(graph, directed=False)[1]
    hit = np.zeros(count, bool)
    hit[triangles.ravel()[corners[cuts].ravel()]] = True
    vertex = triangles.ravel()
    low = (np.bincount(part, np.repeat(side, 3)) < 0)[part] & hit[vertex]
    parted = np.zeros(count, bool)
    parted[vertex[low]] = True
    high = np.zeros(count, bool)
    high[vertex[~low]] = True
    parted &= high
    old = np.flatnonzero(parted)
    number = np.arange(count)
    number[old] = count + np.arange(len(old))
    wanted = np.zeros(count, int)
    wanted[old] = 1
    numbers = np.where(low & parted[vertex], number[vertex], vertex)
    return numbers, np.concatenate([np.arange(count), old]), np.concatenate([wanted, np.full(len(old), -1)])
