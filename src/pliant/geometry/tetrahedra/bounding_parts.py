"""Tets once for each part of a solid that they hold, joined where a part goes on in the next tet (virtual nodes)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..mesh.mesh import FACES, edges_of, unique_rows
from .bounding_pieces import SIDES, Pieces

TRIES = 12  # ways through a tet, until one meets no edge of the surface


@dataclass(frozen=True, eq=False)
class Parts:
    """Copies of tets, one for each connected part of the solid in them."""

    of: np.ndarray  # (c,) tet that each is a copy of
    nodes: np.ndarray  # (c, 4) numbers of new nodes
    source: np.ndarray  # (n,) old node of each new one
    pieces: np.ndarray  # (p,) copy of each piece
    inside: np.ndarray  # (c, 4) how often the part holds each corner


def parted(tets: np.ndarray, inside: np.ndarray, pieces: Pieces, triangles: np.ndarray) -> Parts:
    """``inside`` (n,) are winding numbers of the nodes."""
    patch = _patches(pieces, triangles)
    part, at_node = _joined(tets, inside, pieces, patch)
    present = np.unique(np.concatenate([part, at_node[at_node >= 0]]))
    number = np.full(int(present.max()) + 1, -1)
    number[present] = np.arange(len(present))
    part, at_node = number[part], np.where(at_node >= 0, number[at_node], -1)
    of = np.zeros(len(present), np.int64)
    of[part] = pieces.tets
    rows, corners = np.nonzero(at_node >= 0)
    of[at_node[rows, corners]] = rows
    held = np.zeros((len(present), 4))
    held[at_node[rows, corners], corners] = inside[tets[rows, corners]]
    nodes, source = _glued(tets, of, pieces, part, at_node)
    return Parts(of, nodes, source, part, held)


def _patches(pieces: Pieces, triangles: np.ndarray) -> np.ndarray:
    """(p,) patch of each piece: those of one tet that meet along edges of the surface inside it."""
    edges = edges_of(triangles)
    base = int(triangles.max()) + 1
    keys = edges[:, 0].astype(np.int64) * base + edges[:, 1]
    rows, links = [], []
    for i, j in SIDES:
        a, b = triangles[pieces.faces, i], triangles[pieces.faces, j]
        turned = (a > b)[:, None]
        start = np.where(turned, pieces.whole[:, j], pieces.whole[:, i])
        stop = np.where(turned, pieces.whole[:, i], pieces.whole[:, j])
        low, high = np.zeros(len(a)), np.ones(len(a))
        for k in range(4):
            d, e = start[:, k], stop[:, k]
            with np.errstate(divide="ignore", invalid="ignore"):
                at = d / (d - e)
            low = np.where((d < 0) & (e >= 0), np.maximum(low, at), low)
            high = np.where((d >= 0) & (e < 0), np.minimum(high, at), high)
            high = np.where((d < 0) & (e < 0), -1.0, high)
        row = np.flatnonzero(low < high)
        key = np.searchsorted(keys, np.minimum(a, b)[row].astype(np.int64) * base + np.maximum(a, b)[row])
        rows.append(row)
        links.append(pieces.tets[row] * np.int64(len(keys)) + key)
    rows, links = np.concatenate(rows), np.unique(np.concatenate(links), return_inverse=True)[1]
    count, more = len(pieces.tets), int(links.max()) + 1
    graph = sparse.coo_array((np.ones(len(rows)), (rows, count + links)), shape=(count + more, count + more))
    return connected_components(graph, directed=False)[1][:count]


def _joined(tets: np.ndarray, inside: np.ndarray, pieces: Pieces, patch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(p,) part of each piece, and (m, 4) the part that holds each corner of each tet, −1 where none does.

    Every patch parts its tet in two, so that the patches around one part are found by walking straight from one patch
    to each of the others: what is passed between two of them inside the solid joins those two.
    """
    lowest, part = np.unique(patch, return_inverse=True)
    order = np.argsort(pieces.tets, kind="stable")
    starts = np.searchsorted(pieces.tets[order], np.arange(len(tets) + 1))
    held = inside[tets] > 0
    at_node = np.full(tets.shape, -1)
    most = len(lowest)
    roots = np.arange(most)

    def root(i: int) -> int:
        while roots[i] != i:
            i = int(roots[i])
        return i

    several: list[int] = []
    for t in range(len(tets)):
        own = order[starts[t] : starts[t + 1]]
        if not len(own):
            at_node[t] = most + t if held[t, 0] else -1  # all of it inside, or nothing of the solid
            continue
        if np.all(part[own] == part[own[0]]):
            at_node[t, held[t]] = part[own[0]]
            continue
        several.append(t)
        twice = inside[tets[t]].max() > 1  # the surface runs through itself here: one part
        names = np.unique(part[own]).tolist()
        for a, b in pairwise(names) if twice else _walks(pieces, own, part[own]):
            roots[root(b)] = root(a)
    final = np.array([root(i) for i in range(most)])
    for t in several:
        own = order[starts[t] : starts[t + 1]]
        for corner in np.flatnonzero(held[t]):
            at_node[t, corner] = _first_met(pieces, own, part[own], corner)
    known = (at_node >= 0) & (at_node < most)
    at_node[known] = final[at_node[known]]
    return final[part], at_node


def _hits(pieces: Pieces, own: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where a segment in y = (λ₀, λ₁, λ₂) crosses triangles: their numbers among ``own`` in the order met, its shares, and +1
    out of the solid, −1 into it."""
    p = pieces.whole[own][:, :, :3]
    u, v, d = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0], b - a
    normal = np.cross(u, v)
    det = normal @ d
    away = a - p[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = -np.einsum("ni,ni->n", normal, away) / det
        q = np.cross(away, d)
        first, second = -np.einsum("ni,ni->n", v, q) / det, np.einsum("ni,ni->n", u, q) / det
        hit = np.flatnonzero((first >= 0) & (second >= 0) & (first + second <= 1) & (share > 0) & (share < 1))
    hit = hit[np.argsort(share[hit])]
    return hit, share[hit], -np.sign(det[hit])  # y is a mirror image


def _walks(pieces: Pieces, own: np.ndarray, part: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of patches of one tet with the same part of the solid between them."""
    found: list[tuple[int, int]] = []
    names = np.unique(part)
    size = np.linalg.norm(_area_vectors(pieces, own), axis=1)
    best = {int(name): np.flatnonzero(part == name)[np.argsort(-size[part == name])] for name in names}
    first = int(names[np.argmax([size[best[int(name)]].sum() for name in names])])
    chance = np.random.default_rng(0)
    for name in names.tolist():
        if name == first:
            continue
        pairs: list[tuple[int, int]] = []
        for again in range(TRIES):
            i, j = best[first][again % len(best[first])], best[name][again % len(best[name])]
            pairs, certain = _between(pieces, own, part, int(i), int(j), chance)
            if certain:
                break
        found += pairs
    return found


def _between(
    pieces: Pieces, own: np.ndarray, part: np.ndarray, i: int, j: int, chance: np.random.Generator
) -> tuple[list[tuple[int, int]], bool]:
    """Pairs met in turn on the way from piece i to piece j by a point of the tet, and whether ways in and out alternate."""
    a, c, b = _inner(pieces, own[i], chance), chance.dirichlet(np.ones(4))[:3], _inner(pieces, own[j], chance)
    there, _, out = _hits(pieces, own, a, c)
    onward, _, away = _hits(pieces, own, c, b)
    leaves, arrives = -np.sign(_normal(pieces, own[i]) @ (c - a)), -np.sign(_normal(pieces, own[j]) @ (b - c))
    hit = np.concatenate([[i], there[there != i], onward[onward != j], [j]])
    way = np.concatenate([[leaves], out[there != i], away[onward != j], [arrives]])
    after, before = way[:-1] < 0, way[1:] > 0
    joins = np.flatnonzero(after | before)  # where the two disagree they count as joined
    pairs = [(int(part[hit[k]]), int(part[hit[k + 1]])) for k in joins]
    return pairs, bool(np.all(after == before))


def _first_met(pieces: Pieces, own: np.ndarray, part: np.ndarray, corner: int) -> int:
    """The part that holds a corner of a tet: that of the patch which is met first on a way to any, from inside."""
    chance, target = np.random.default_rng(1), int(np.argmax(np.linalg.norm(_area_vectors(pieces, own), axis=1)))
    for _ in range(TRIES):
        a, c = np.eye(4)[corner, :3], chance.dirichlet(np.ones(4))[:3]
        there, _, out = _hits(pieces, own, a, c)
        onward, _, away = _hits(pieces, own, c, _inner(pieces, own[target], chance))
        met, way = np.concatenate([there, onward, [target]]), np.concatenate([out, away, [1.0]])
        if way[0] > 0:
            break
    return int(part[met[0]])


def _inner(pieces: Pieces, row: int, chance: np.random.Generator) -> np.ndarray:
    """(3,) y of a point in a piece."""
    count = int(pieces.counts[row])
    return chance.dirichlet(np.ones(count)) @ pieces.corners[row, :count, :3]


def _normal(pieces: Pieces, row: int) -> np.ndarray:
    p = pieces.whole[row, :, :3]
    return np.cross(p[1] - p[0], p[2] - p[0])


def _area_vectors(pieces: Pieces, rows: np.ndarray) -> np.ndarray:
    y, after = pieces.corners[rows][..., :3], pieces.after[rows]
    then = np.take_along_axis(y, after[..., None], 1)
    return (np.cross(y, then) * pieces.valid[rows][..., None]).sum(axis=1) / 2


def _glued(
    tets: np.ndarray, of: np.ndarray, pieces: Pieces, part: np.ndarray, at_node: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(c, 4) new nodes of copies, and (n,) the old node of each.

    Copies of two tets share the nodes of the face between them where a piece of the surface goes through that face, or
    where the part that holds one of its corners does.
    """
    faces = np.sort(tets[:, FACES].reshape(-1, 3), axis=1)
    first, inverse, count = unique_rows(faces)
    opposite = np.array([next(iter({0, 1, 2, 3} - set(face))) for face in FACES.tolist()])
    side = np.full((len(first), 2), -1)
    order = np.argsort(inverse, kind="stable")
    begin = np.searchsorted(inverse[order], np.arange(len(first)))
    side[:, 0] = order[begin]
    two = count == 2
    side[two, 1] = order[begin[two] + 1]
    across = np.full(len(faces), -1)  # 4 · tet + face of the other side
    across[side[two, 0]], across[side[two, 1]] = side[two, 1], side[two, 0]
    pairs, base = [], int(pieces.faces.max(initial=0)) + 1
    keys = pieces.tets * np.int64(base) + pieces.faces
    ranked = np.argsort(keys, kind="stable")
    for f, k in enumerate(opposite):
        rows = np.flatnonzero(pieces.along(int(k)).any(axis=1))
        other = across[4 * pieces.tets[rows] + f]
        rows, other = rows[other >= 0], other[other >= 0]
        wanted = other // 4 * np.int64(base) + pieces.faces[rows]
        at = np.minimum(np.searchsorted(keys, wanted, sorter=ranked), len(keys) - 1)
        there = ranked[at]
        same = keys[there] == wanted
        pairs.append(np.stack([part[rows[same]], part[there[same]], np.full(same.sum(), f)], axis=1))
        inner = np.flatnonzero(two[inverse.reshape(-1, 4)[:, f]])
        for corner in FACES[f]:
            t = inner[at_node[inner, corner] >= 0]
            other = across[4 * t + f] // 4
            local = np.argmax(tets[other] == tets[t, corner][:, None], axis=1)
            linked = at_node[other, local]
            good = linked >= 0
            pairs.append(np.stack([at_node[t, corner][good], linked[good], np.full(good.sum(), f)], axis=1))
    pairs = np.concatenate(pairs)
    pairs = pairs[unique_rows(pairs)[0]]
    starts, stops = [], []
    for corner in range(3):
        local = FACES[pairs[:, 2], corner]
        old = tets[of[pairs[:, 0]], local]
        there = np.argmax(tets[of[pairs[:, 1]]] == old[:, None], axis=1)
        starts.append(4 * pairs[:, 0] + local)
        stops.append(4 * pairs[:, 1] + there)
    starts, stops = np.concatenate(starts), np.concatenate(stops)
    size = 4 * len(of)
    graph = sparse.coo_array((np.ones(len(starts)), (starts, stops)), shape=(size, size))
    label = connected_components(graph, directed=False)[1]
    _, where, nodes = np.unique(label, return_index=True, return_inverse=True)
    return nodes.reshape(-1, 4), tets[of].ravel()[where]
