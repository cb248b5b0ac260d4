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

from .pieces import Pieces, cross, ranges


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
    enters = -np.sign(np.einsum("ic,ic->i", cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), way)).astype(int)
    places = ends[:, 0] + lam[:, None] * way
    n0, n1 = (cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]) for q in (at[pieces.triangles[pairs[:, i]]] for i in (0, 1)))
    along_curve = np.einsum("ic,ic->i", places[segments[:, 1]] - places[segments[:, 0]], cross(n0, n1))
    segments = np.where((along_curve < 0)[:, None], segments[:, ::-1], segments)
    numbers = (edge, through, lam, enters, first[start], places, curve, segments)
    return Curves(pairs, *numbers, int(curve.max()) + 1, open_ends)


@dataclass(frozen=True, eq=False)
class Side:
    """Parts of a body that hang together without crossing a curve, and whether each is inside of the other body."""

    first: int  # patch of the body
    triangles: np.ndarray  # of patches that curves touch
    part: np.ndarray  # of their corners, by ``Pieces.place``
    patches: np.ndarray  # that no curve touches
    patch_part: np.ndarray
    inside: np.ndarray  # (parts,)
    curve_parts: np.ndarray  # (k, 2) a curve and a part inside that it bounds
    conflicts: int  # words of curves that others contradict


def flood(pieces: Pieces, body: int, curves: Curves, first: bool, by_patch: bool = True) -> Side:
    """What of a body is inside of the other; without ``by_patch``, triangle by triangle."""
    low, high = pieces.bounds[body : body + 2]
    touched = np.full(high - low, not by_patch)
    touched[pieces.patch[curves.pairs[:, 0 if first else 1]] - low] = True
    crossing, plain = low + np.flatnonzero(touched), low + np.flatnonzero(~touched)
    starts, lists = pieces.patch_edges
    edges = lists[ranges(starts[crossing], starts[crossing + 1])]
    ends = pieces.edges[edges]
    # number their corners
    every, place = ends.ravel(), pieces.place
    place[every] = np.arange(len(every))
    corners = every[place[every] == np.arange(len(every))]
    place[corners] = np.arange(len(corners))
    mine = np.flatnonzero(curves.first == first)
    marked = pieces.marked_edges
    marked[curves.edge[mine]] = True
    free = place[ends[~marked[edges]]]
    marked[curves.edge[mine]] = False
    links = [free]
    if len(plain):
        node = len(corners) + np.cumsum(~touched) - 1
        starts, edges, behind = pieces.rims
        rim = ranges(starts[crossing], starts[crossing + 1])
        rim = rim[~touched[behind[rim] - low]]
        links.append(np.column_stack([place[pieces.edges[edges[rim], 0]], node[behind[rim] - low]]))
        near = pieces.neighbours[body] - low
        links.append(node[near[~touched[near].any(axis=1)]])
    links = np.concatenate(links)
    part = components(len(corners) + len(plain), links[:, 0], links[:, 1])
    # where curves go by: the first piercing of an edge speaks for its lower end, the last for its upper one
    order = mine[np.lexsort((curves.along[mine], curves.edge[mine]))]
    edge = curves.edge[order]
    begins = np.concatenate([[True], edge[1:] != edge[:-1]])
    ends = np.concatenate([begins[1:], [True]])
    at = place[pieces.edges[edge]]
    said = np.concatenate([part[at[begins, 0]], part[at[ends, 1]]])
    is_in = np.concatenate([curves.enters[order[begins]] < 0, curves.enters[order[ends]] > 0])
    by = np.concatenate([curves.curve[order[begins]], curves.curve[order[ends]]])
    count = int(part.max()) + 1
    votes = [np.bincount(said[choice], minlength=count) for choice in (is_in, ~is_in)]
    inside = votes[0] > votes[1]
    told = np.unique((by * count + said)[inside[said] & is_in])
    triangles = ranges(pieces.patch_first[crossing], pieces.patch_first[crossing + 1])
    own = (low, triangles, part[: len(corners)], plain, part[len(corners) :], inside)
    return Side(*own, np.column_stack([told // count, told % count]), int(np.minimum(*votes).sum()))


@dataclass(frozen=True, eq=False)
class Inside:
    """What of the patches of a body is inside, (k,) each: region, patch, vector area [m²] and the middle in its tet."""

    region: np.ndarray
    patch: np.ndarray
    area: np.ndarray  # (k, 3)
    middle: np.ndarray  # (k, 4) barycentric
    triangles: int  # of all that are wholly inside
    whole: int  # patches that are, and were not looked into
    mismatched: int  # edges whose ends and piercings disagree


def measure(
    pieces: Pieces, x: np.ndarray, at: np.ndarray, curves: Curves, side: Side, first: bool, region_of_curve: np.ndarray,
    region_of_part: np.ndarray,
) -> Inside:  # fmt: skip
    """Areas and middles of what is inside: of patches and triangles by one product for each patch (A.4), and what curves cut off.

    Middles are weighted by areas at rest.
    """
    column, place, low = 0 if first else 1, pieces.place, side.first
    inside = side.inside[side.part]  # of the corners
    marked = pieces.marked_triangles
    marked[curves.pairs[:, column]] = True
    corner = place[pieces.triangles[side.triangles, 0]]
    is_in = inside[corner] & ~marked[side.triangles]
    crossing = side.triangles[marked[side.triangles]]  # each once
    marked[crossing] = False
    whole, region = side.triangles[is_in], region_of_part[side.part[corner[is_in]]]
    inner = side.inside[side.patch_part]
    patches = side.patches[inner]
    regions = int(max(region_of_curve.max(), region.max(initial=0))) + 1
    patch = np.concatenate([pieces.patch[whole], patches, pieces.patch[crossing]]) - low
    cut, mismatched = _cut_off(pieces, at, curves, inside, crossing, first)
    region = np.concatenate(
        [region, region_of_part[side.patch_part[inner]], _by_triangle(curves, column, crossing, region_of_curve)]
    )
    key = patch * regions + region
    there, number = np.unique(key, return_inverse=True)
    add = lambda rows, number: np.column_stack([np.bincount(number, values, len(there)) for values in rows.T])
    n = len(whole) + len(patches)
    sums = add(np.concatenate([pieces.measures[whole], pieces.patch_measures[patches]]), number[:n])
    parts = add(cut, number[n:])
    patch = low + there // regions
    area = pieces.mapped(patch, sums[:, :3], x) + parts[:, :3]
    moment = np.maximum(sums[:, 3:] + parts[:, 3:], 0.0)
    total = moment.sum(axis=1)
    middle = np.where(total[:, None] > 0, moment / np.where(total > 0, total, 1.0)[:, None], 0.25)
    count = len(whole) + int((pieces.patch_first[patches + 1] - pieces.patch_first[patches]).sum())
    return Inside(there % regions, patch, area, middle, count, len(patches), mismatched)


def _by_triangle(curves: Curves, column: int, crossing: np.ndarray, region_of_curve: np.ndarray) -> np.ndarray:
    """The region of each triangle that curves cross."""
    out = np.empty(len(crossing), np.int64)
    out[np.searchsorted(crossing, curves.pairs[:, column])] = region_of_curve[curves.curve[curves.segments[:, 0]]]
    return out


def _cut_off(
    pieces: Pieces, at: np.ndarray, curves: Curves, inside: np.ndarray, crossing: np.ndarray, first: bool
) -> tuple[np.ndarray, int]:
    """(k, 7) vector areas of what is inside of triangles that curves cross, and their places times their areas at rest.

    Both are sums over what bounds it, sides of the triangle as far as they are inside and segments of curves, so that no polygon
    is ever built. Also how many edges disagree with what is known of their ends.
    """
    place = pieces.place
    mine = np.flatnonzero(curves.first == first)
    sides = pieces.sides[crossing]
    edges, slots = np.unique(sides, return_inverse=True)
    slots = slots.reshape(-1, 3)
    # what is inside of edges: ∫ dλ and ∫ 2λ dλ from the lower end on
    ends = inside[place[pieces.edges[edges]]].astype(float)
    slot = np.searchsorted(edges, curves.edge[mine])
    add = lambda values: np.bincount(slot, values, len(edges))
    sign, lam = curves.enters[mine], curves.along[mine]
    length, square = ends[:, 1] - add(sign * lam), ends[:, 1] - add(sign * lam**2)
    mismatched = int(np.sum(ends[:, 0] != ends[:, 1] - add(sign.astype(float))))
    corner = pieces.triangles[crossing]
    P, B = at[corner], pieces.corners[crossing]
    normal = cross(P[:, 1] - P[:, 0], P[:, 2] - P[:, 0])
    size = np.maximum(np.sqrt(np.einsum("ic,ic->i", normal, normal)), 1e-300)
    normal /= size[:, None]
    out = np.zeros((len(crossing), 7))
    for i in (0, 1, 2):
        j = (i + 1) % 3
        e = slots[:, i]
        u, d, b, f = P[:, i] - P[:, 0], P[:, j] - P[:, i], B[:, i], B[:, j] - B[:, i]
        up = corner[:, i] < corner[:, j]
        share, q = length[e], np.where(up, square[e], 2 * length[e] - square[e])
        turned = 0.5 * cross(u, d)
        out[:, :3] += share[:, None] * turned
        weight = np.einsum("ic,ic->i", turned, normal)[:, None]
        out[:, 3:] += weight * ((B[:, 0] + 2 * b) * share[:, None] + f * q[:, None]) / 3
    own = np.searchsorted(crossing, curves.pairs[:, 0 if first else 1])
    a, b = (curves.at[curves.segments[:, i if first else 1 - i]] - P[own, 0] for i in (0, 1))
    turned = 0.5 * cross(a, b)
    weight = np.einsum("ic,ic->i", turned, normal[own])[:, None]
    middle = (B[own, 0] + _coordinates(a, P[own], B[own]) + _coordinates(b, P[own], B[own])) / 3
    rows = np.column_stack([turned, weight * middle])
    out += np.column_stack([np.bincount(own, values, len(crossing)) for values in rows.T])
    out[:, 3:] *= (2 * pieces.area[crossing] / size)[:, None]
    return out, mismatched


def _coordinates(p: np.ndarray, corners: np.ndarray, barycentric: np.ndarray) -> np.ndarray:
    """(s, 4) coordinates in its tet of points p of triangles, from the first corner on."""
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    n = cross(u, v)
    size = np.maximum(np.einsum("ic,ic->i", n, n), 1e-300)
    b = np.einsum("ic,ic->i", cross(p, v), n) / size
    c = np.einsum("ic,ic->i", cross(u, p), n) / size
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
