"""What of two bodies lies inside of one another: curves where surfaces intersect, and the parts that these cut off.

A corner where an edge goes through a triangle has two segments of a curve, one in either triangle of the edge, so that curves
close by themselves. Edges that nothing goes through have both ends inside or both outside; corners that hang together by such
edges are one part, and where a curve goes by it says on which side they are. Patches that no curve touches are one thing each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from .pieces import Pieces, ranges


@dataclass(frozen=True, eq=False)
class Curves:
    """Where two bodies intersect: pairs of triangles (n, 2) and what goes through what.

    Piercing i goes through ``through`` along ``edge``, at ``along`` from its lower corner on, and ``enters`` with +1 or leaves
    with −1; it is of curve ``curve``. Segment j of pair j runs between two piercings, so that what is inside lies to the left of
    it on the first triangle.
    """

    pairs: np.ndarray
    edge: np.ndarray
    through: np.ndarray
    along: np.ndarray
    enters: np.ndarray
    first: np.ndarray  # whether the edge is of the first body
    at: np.ndarray  # (i, 3)
    curve: np.ndarray
    segments: np.ndarray  # (n, 2) piercings
    count: int
    open: int  # ends of segments that meet no other


def components(count: int, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(count,) which things hang together by pairs."""
    graph = sparse.coo_matrix((np.ones(len(one), np.int8), (one, other)), shape=(count, count))
    return connected_components(graph, directed=False)[1]


def merge(pieces: Pieces, pairs: np.ndarray, along: np.ndarray, at: np.ndarray) -> Curves | None:
    """The curves of pairs of triangles of two bodies, with ``along`` (n, 6) what goes through what; corners are ``at`` (v, 3).

    None where nothing is left of them.
    """
    odd = int(np.sum(np.sum(along >= 0, axis=1) != 2))
    kept = np.sum(along >= 0, axis=1) == 2
    pairs, along = pairs[kept], along[kept]
    if not len(pairs):
        return None
    row, slot = np.nonzero(along >= 0)
    first = slot < 3
    edge = pieces.sides[np.where(first, pairs[row, 0], pairs[row, 1]), slot % 3]
    through = np.where(first, pairs[row, 1], pairs[row, 0])
    key = edge * len(pieces.triangles) + through
    _, start, number = np.unique(key, return_index=True, return_inverse=True)
    segments = number.reshape(-1, 2)  # rows come two by two
    open_ends = odd + int(np.sum(np.bincount(number) != 2))
    curve = components(len(start), segments[:, 0], segments[:, 1])
    edge, through, lam = edge[start], through[start], along[row[start], slot[start]]
    ends = at[pieces.edges[edge]]
    way = ends[:, 1] - ends[:, 0]
    p = at[pieces.triangles[through]]
    enters = -np.sign(np.einsum("ic,ic->i", np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), way)).astype(int)
    places = ends[:, 0] + lam[:, None] * way
    n0, n1 = (
        np.cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]) for q in (at[pieces.triangles[pairs[:, i]]] for i in (0, 1))
    )
    along_curve = np.einsum("ic,ic->i", places[segments[:, 1]] - places[segments[:, 0]], np.cross(n0, n1))
    segments = np.where((along_curve < 0)[:, None], segments[:, ::-1], segments)
    numbers = (edge, through, lam, enters, first[start], places, curve, segments)
    return Curves(pairs, *numbers, int(curve.max()) + 1, open_ends)


@dataclass(frozen=True, eq=False)
class Side:
    """What of one body is inside of another, by region: of patches the vector area and the middle of what is inside.

    ``parts`` (k,) is the part of each corner and patch that was looked at, ``inside`` (parts,) whether it is.
    """

    triangles: np.ndarray  # of patches that curves touch
    corners: np.ndarray  # of those, ascending
    part: np.ndarray  # of each of these corners
    patches: np.ndarray  # that no curve touches, and that were looked at
    patch_part: np.ndarray
    inside: np.ndarray  # (parts,)
    touched: np.ndarray  # (parts, 2) curves that say so, and that say otherwise
    curve_parts: np.ndarray  # (k, 2) a curve and a part inside that it bounds
    conflicts: int


def flood(pieces: Pieces, body: int, curves: Curves, first: bool, by_patch: bool = True) -> Side:
    """What of a body is inside of the other; without ``by_patch``, triangle by triangle."""
    own = curves.pairs[:, 0 if first else 1]
    every = np.arange(pieces.bounds[body], pieces.bounds[body + 1])
    crossing = np.unique(pieces.patch[own]) if by_patch else every
    triangles = ranges(pieces.patch_first[crossing], pieces.patch_first[crossing + 1])
    mine = np.flatnonzero(curves.first == first)
    corners, local = np.unique(pieces.triangles[triangles], return_inverse=True)
    local = local.reshape(-1, 3)
    sides = pieces.sides[triangles]
    free = ~np.isin(sides, curves.edge[mine])
    one, other = local[free], np.roll(local, -1, axis=1)[free]
    plain = np.setdiff1d(every, crossing, assume_unique=True)
    count = len(corners) + len(plain)
    if len(plain):
        starts, edges, behind = pieces.rims
        rim = ranges(starts[crossing], starts[crossing + 1])
        there = np.isin(behind[rim], plain)
        ends, beyond = pieces.edges[edges[rim[there]]], behind[rim[there]]
        node = len(corners) + np.searchsorted(plain, beyond)
        one = np.concatenate([one, np.searchsorted(corners, ends[:, 0])])
        other = np.concatenate([other, node])
        near = pieces.neighbours
        near = near[(pieces.patch_body[near[:, 0]] == body)]
        is_plain = np.ones(len(every), bool)
        is_plain[crossing - every[0]] = False
        near = near[is_plain[near - every[0]].all(axis=1)]
        one = np.concatenate([one, len(corners) + np.searchsorted(plain, near[:, 0])])
        other = np.concatenate([other, len(corners) + np.searchsorted(plain, near[:, 1])])
    part = components(count, one, other)
    # where curves go by: the first piercing of an edge speaks for its lower end, the last for its upper one
    order = mine[np.lexsort((curves.along[mine], curves.edge[mine]))]
    edge = curves.edge[order]
    begins = np.concatenate([[True], edge[1:] != edge[:-1]])
    ends = np.concatenate([begins[1:], [True]])
    at = np.searchsorted(corners, pieces.edges[edge])
    said = np.concatenate([part[at[begins, 0]], part[at[ends, 1]]])
    is_in = np.concatenate([curves.enters[order[begins]] < 0, curves.enters[order[ends]] > 0])
    by = np.concatenate([curves.curve[order[begins]], curves.curve[order[ends]]])
    parts = int(part.max()) + 1
    touched = np.column_stack([np.bincount(said[choice], minlength=parts) for choice in (is_in, ~is_in)])
    inside = touched[:, 0] > touched[:, 1]
    conflicts = int(np.minimum(touched[:, 0], touched[:, 1]).sum())
    links = np.unique(np.column_stack([by, said])[inside[said] & is_in], axis=0)
    own_part, patch_part = part[: len(corners)], part[len(corners) :]
    return Side(triangles, corners, own_part, plain, patch_part, inside, touched, links, conflicts)


@dataclass(frozen=True, eq=False)
class Inside:
    """What of the patches of a body is inside, (k,) each: region, patch, vector area [m²] and the middle in its tet."""

    region: np.ndarray
    patch: np.ndarray
    area: np.ndarray  # (k, 3)
    middle: np.ndarray  # (k, 4) barycentric
    triangles: int  # of all that are wholly inside
    whole: int  # patches that are
    mismatched: int  # edges whose ends and piercings disagree


def measure(
    pieces: Pieces, x: np.ndarray, at: np.ndarray, curves: Curves, side: Side, first: bool, region_of_curve: np.ndarray,
    region_of_part: np.ndarray,
) -> Inside:  # fmt: skip
    """Areas and middles of what is inside: whole patches by one product (A.4), triangles, and what curves cut off of them."""
    column = 0 if first else 1
    inside = side.inside[side.part]  # of the corners
    local = np.searchsorted(side.corners, pieces.triangles[side.triangles])
    crossing = np.unique(curves.pairs[:, column])
    cut = np.isin(side.triangles, crossing)
    whole = side.triangles[~cut & inside[local[:, 0]]]
    region = region_of_part[side.part[local[:, 0]]][~cut & inside[local[:, 0]]]
    p = at[pieces.triangles[whole]]
    vector = 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    size = np.linalg.norm(vector, axis=1)
    rows = [(region, pieces.patch[whole], vector, size[:, None] * pieces.corners[whole].mean(axis=1))]
    # what is inside of edges: ∫ dλ and ∫ 2λ dλ from the lower end on
    mine = np.flatnonzero(curves.first == first)
    edges = np.unique(pieces.sides[crossing])
    ends = inside[np.searchsorted(side.corners, pieces.edges[edges])].astype(float)
    slot = np.searchsorted(edges, curves.edge[mine])
    add = lambda values: np.bincount(slot, values, len(edges))
    sign, lam = curves.enters[mine], curves.along[mine]
    length, square = ends[:, 1] - add(sign * lam), ends[:, 1] - add(sign * lam**2)
    mismatched = int(np.sum(ends[:, 0] != ends[:, 1] - add(sign.astype(float))))
    corner = pieces.triangles[crossing]
    P, B = at[corner], pieces.corners[crossing]
    normal = np.cross(P[:, 1] - P[:, 0], P[:, 2] - P[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    vector, moment = np.zeros((len(crossing), 3)), np.zeros((len(crossing), 4))
    for i in (0, 1, 2):
        j = (i + 1) % 3
        e = np.searchsorted(edges, pieces.sides[crossing, i])
        u, d, b, f = P[:, i] - P[:, 0], P[:, j] - P[:, i], B[:, i], B[:, j] - B[:, i]
        up = corner[:, i] < corner[:, j]
        l, q = length[e], np.where(up, square[e], 2 * length[e] - square[e])
        turned = 0.5 * np.cross(u, d)
        vector += l[:, None] * turned
        share = np.einsum("ic,ic->i", turned, normal)[:, None]
        moment += share * ((B[:, 0] + 2 * b) * l[:, None] + f * q[:, None]) / 3
    own = np.searchsorted(crossing, curves.pairs[:, column])
    start, end = (curves.at[curves.segments[:, i if first else 1 - i]] for i in (0, 1))
    a, b = start - P[own, 0], end - P[own, 0]
    turned = 0.5 * np.cross(a, b)
    share = np.einsum("ic,ic->i", turned, normal[own])[:, None]
    middle = (B[own, 0] + _coordinates(a, P[own], B[own]) + _coordinates(b, P[own], B[own])) / 3
    np.add.at(vector, own, turned)
    np.add.at(moment, own, share * middle)
    curve = np.empty(len(crossing), int)
    curve[own] = curves.curve[curves.segments[:, 0]]
    rows.append((region_of_curve[curve], pieces.patch[crossing], vector, moment))
    is_in = side.inside[side.patch_part]
    patches = side.patches[is_in]
    vector = pieces.vector_areas(patches, x)
    size = np.linalg.norm(vector, axis=1) + 1e-9 * pieces.patch_area[patches]
    rows.append((region_of_part[side.patch_part[is_in]], patches, vector, size[:, None] * pieces.patch_middle[patches]))
    region, patch, vector, moment = (np.concatenate(part) for part in zip(*rows))
    key = region * pieces.bounds[-1] + patch
    _, start, number = np.unique(key, return_index=True, return_inverse=True)
    sums = [np.column_stack([np.bincount(number, column) for column in values.T]) for values in (vector, moment)]
    total = sums[1].sum(axis=1)
    good = np.abs(total) > 1e-300
    middle = np.where(good[:, None], sums[1] / np.where(good, total, 1.0)[:, None], 0.25)
    middle = np.maximum(middle, 0.0)
    middle /= middle.sum(axis=1)[:, None]
    inner = len(whole) + int(np.diff(pieces.patch_first)[patches].sum())
    return Inside(region[start], patch[start], sums[0], middle, inner, len(patches), mismatched)


def _coordinates(p: np.ndarray, corners: np.ndarray, barycentric: np.ndarray) -> np.ndarray:
    """(s, 4) coordinates in its tet of points p of triangles, from the first corner on."""
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    n = np.cross(u, v)
    size = np.maximum(np.einsum("ic,ic->i", n, n), 1e-300)
    b = np.einsum("ic,ic->i", np.cross(p, v), n) / size
    c = np.einsum("ic,ic->i", np.cross(u, p), n) / size
    b, c = np.clip(b, 0, 1)[:, None], np.clip(c, 0, 1)[:, None]
    return barycentric[:, 0] + b * (barycentric[:, 1] - barycentric[:, 0]) + c * (barycentric[:, 2] - barycentric[:, 0])


def regions(curves: Curves, one: Side, other: Side) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Curves and parts of either body that belong together: the region of each curve, and of each part of the two bodies."""
    K, a, b = curves.count, len(one.inside), len(other.inside)
    links = [one.curve_parts + np.array([0, K]), other.curve_parts + np.array([0, K + a])]
    for column in (0, 1):  # curves that meet in a triangle
        own, curve = curves.pairs[:, column], curves.curve[curves.segments[:, 0]]
        order = np.argsort(own, kind="stable")
        same = own[order][1:] == own[order][:-1]
        links.append(np.column_stack([curve[order][:-1][same], curve[order][1:][same]]))
    pairs = np.concatenate(links)
    region = components(K + a + b, pairs[:, 0], pairs[:, 1])
    return region[:K], region[K : K + a], region[K + a :]
