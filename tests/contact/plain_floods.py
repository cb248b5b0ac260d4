"""Curves and floods in plain NumPy, pair of bodies by pair of bodies: what the kernels are compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from pliant.contact.intersection.intersection_result import Inside
from pliant.contact.intersection.surface_pieces import Pieces, cross, ranges


def together(count: int, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(count,) the number of what each thing is in, by pairs of things."""
    graph = sparse.coo_matrix((np.ones(len(one), bool), (one, other)), shape=(count, count))
    return connected_components(graph, directed=False)[1]


def pierced(pieces: Pieces, pairs: np.ndarray, at: np.ndarray) -> np.ndarray:
    """(n, 6) where along the edges of either triangle of pairs these go through the other, −1 for nowhere."""
    out = np.full((len(pairs), 6), -1.0)
    for side in (0, 1):
        s, r = pieces.triangles[pairs[:, side]], pieces.triangles[pairs[:, 1 - side]]
        a, b, c = (at[r[:, k]] for k in range(3))
        n = np.cross(b - a, c - a)
        for e in range(3):
            lo, hi = np.minimum(s[:, e], s[:, (e + 1) % 3]), np.maximum(s[:, e], s[:, (e + 1) % 3])
            p, q = at[lo], at[hi]
            h, g = np.einsum("ic,ic->i", n, p - a), np.einsum("ic,ic->i", n, q - a)
            turns = [np.einsum("ic,ic->i", np.cross(u - p, v - p), q - p) >= 0 for u, v in ((a, b), (b, c), (c, a))]
            through = ((h >= 0) != (g >= 0)) & (turns[0] == turns[1]) & (turns[1] == turns[2])
            out[through, 3 * side + e] = (h / np.where(h != g, h - g, 1.0))[through]
    return out


def plain(pieces: Pieces, pairs: np.ndarray, x: np.ndarray, by_patch: bool = True) -> tuple[Inside, Curves, np.ndarray]:
    """What is inside by pairs of triangles (n, 2), for nodes at x, its curves, and whether those of pairs of bodies are bad."""
    at = pieces.at(x, np.arange(len(pieces.nodes)))
    bodies = pieces.body[pairs]
    key, group = np.unique(bodies[:, 0] * pieces.bodies + bodies[:, 1], return_inverse=True)
    bodies = np.column_stack([key // pieces.bodies, key % pieces.bodies])
    curves = merge(pieces, pairs, group, pierced(pieces, pairs, at), at)
    sheets = Sheets(pieces, bodies, curves, by_patch)
    parts = flood(sheets, curves)
    of_curve, of_parts = regions(curves, parts, len(pieces.triangles))
    inner = measure(sheets, x, at, curves, parts, of_curve, of_parts)
    return inner, curves, (curves.open + parts.conflicts + inner.mismatched) > 0


def slices(corners, places, areas, sides, own, segments, ends, at) -> np.ndarray:
    """(k, 7) vector areas of what is inside of triangles, and places times areas at rest: sums over what bounds it."""
    p = at[corners]
    n = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    size = np.linalg.norm(n, axis=1)
    area, moment = np.zeros((len(p), 3)), np.zeros((len(p), 4))
    for k in range(3):
        j = (k + 1) % 3
        share, square = sides[0][:, k, None], sides[1][:, k, None]
        square = np.where((corners[:, k] > corners[:, j])[:, None], 2 * share - square, square)
        turned = 0.5 * np.cross(p[:, k] - p[:, 0], p[:, j] - p[:, k])
        height = (np.einsum("ic,ic->i", turned, n) / size)[:, None]
        area += share * turned
        a, b = places[:, k], places[:, j]
        moment += height / 3 * ((places[:, 0] + 2 * a) * share + (b - a) * square)
    for i, (s, f) in zip(own, segments):
        e, g = ends[s] - p[i, 0], ends[f] - p[i, 0]
        turned = 0.5 * np.cross(e, g)
        u, v = p[i, 1] - p[i, 0], p[i, 2] - p[i, 0]
        r = sum(np.clip(np.cross(w, v) @ n[i] / size[i] ** 2, 0, 1) for w in (e, g))
        q = sum(np.clip(np.cross(u, w) @ n[i] / size[i] ** 2, 0, 1) for w in (e, g))
        area[i] += turned
        b0, du, dv = places[i, 0], places[i, 1] - places[i, 0], places[i, 2] - places[i, 0]
        moment[i] += turned @ n[i] / size[i] / 3 * (3 * b0 + r * du + q * dv)
    return np.hstack([area, (2 * areas / size)[:, None] * moment])


@dataclass(frozen=True, eq=False)
class Curves:
    """Where bodies intersect: pairs of triangles (n, 2) and what goes through what.

    Piercing i goes through ``through`` along ``edge`` of a ``sheet``, at ``along`` from its lower corner on, and ``enters`` with
    +1 or leaves with −1; it is of curve ``curve``. Segment j of pair j runs between two piercings, so that what is inside lies to
    the left of it on the first triangle.
    """

    pairs: np.ndarray
    group: np.ndarray  # (n,) pair of bodies
    edge: np.ndarray
    sheet: np.ndarray
    through: np.ndarray
    along: np.ndarray
    enters: np.ndarray
    at: np.ndarray  # (i, 3)
    curve: np.ndarray
    segments: np.ndarray  # (n, 2) piercings
    curve_group: np.ndarray  # (curves,) pair of bodies
    open: np.ndarray  # (groups,) ends of segments that meet no other

    @property
    def count(self) -> int:
        return len(self.curve_group)


def merge(
    pieces: Pieces, pairs: np.ndarray, group: np.ndarray, along: np.ndarray, at: np.ndarray
) -> Curves | None:  # fmt: skip
    """The curves of pairs of triangles, those of bodies in groups, with ``along`` (n, 6) what goes through what; corners are
    ``at`` (v, 3). None where nothing is left of them.
    """
    groups = int(group.max()) + 1
    kept = np.sum(along >= 0, axis=1) == 2
    odd = np.bincount(group[~kept], minlength=groups)
    pairs, along, group = pairs[kept], along[kept], group[kept]
    if not len(pairs):
        return None
    row, slot = np.nonzero(along >= 0)
    first = slot < 3
    edge = pieces.sides[np.where(first, pairs[row, 0], pairs[row, 1]), slot % 3]
    through = np.where(first, pairs[row, 1], pairs[row, 0])
    _, start, number = np.unique(edge * len(pieces.triangles) + through, return_index=True, return_inverse=True)
    segments = number.reshape(-1, 2)  # rows come two by two
    single = np.bincount(number) != 2
    open_ends = odd + np.bincount(group[row[start]][single], minlength=groups)
    curve = together(len(start), segments[:, 0], segments[:, 1])
    edge, through, lam = edge[start], through[start], along[row[start], slot[start]]
    ends = at[pieces.edges[edge]]
    way = ends[:, 1] - ends[:, 0]
    p = at[pieces.triangles[through]]
    enters = -np.sign(np.einsum("ic,ic->i", cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), way)).astype(int)
    places = ends[:, 0] + lam[:, None] * way
    n0, n1 = (cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]) for q in (at[pieces.triangles[pairs[:, i]]] for i in (0, 1)))
    along_curve = np.einsum("ic,ic->i", places[segments[:, 1]] - places[segments[:, 0]], cross(n0, n1))
    segments = np.where((along_curve < 0)[:, None], segments[:, ::-1], segments)
    sheet = 2 * group[row[start]] + np.where(first[start], 0, 1)
    curve_group = np.zeros(int(curve.max()) + 1, np.int64)
    curve_group[curve] = group[row[start]]
    numbers = (edge, sheet, through, lam, enters, places, curve, segments)
    return Curves(pairs, group, *numbers, curve_group, open_ends)


class Sheets:
    """The surfaces of bodies as those of pairs meet them: patches that curves touch, and what these consist of, side by side.

    ``corners``, ``edges`` and ``triangles`` are where those of each touched slot begin.
    """

    def __init__(self, pieces: Pieces, bodies: np.ndarray, curves: Curves, by_patch: bool):
        self.pieces = pieces
        body = bodies.ravel()  # of each sheet
        counts = pieces.bounds[body + 1] - pieces.bounds[body]
        self.shift = np.cumsum(counts) - counts - pieces.bounds[body]  # from patches to slots
        self.sheet = np.repeat(np.arange(len(body)), counts)  # of slots
        self.patch = np.arange(len(self.sheet)) - self.shift[self.sheet]
        own = 2 * curves.group[:, None] + np.array([0, 1])  # (n, 2) sheets of pairs of triangles
        slots = self.shift[own] + pieces.patch[curves.pairs]
        self.touched = np.full(len(self.sheet), not by_patch)
        self.touched[slots] = True
        self.rank = np.where(self.touched, np.cumsum(self.touched), np.cumsum(~self.touched)) - 1
        self.slots, self.plain = np.flatnonzero(self.touched), np.flatnonzero(~self.touched)
        patch = self.patch[self.slots]
        lists = (pieces.patch_corners.starts, pieces.patch_edges.starts, pieces.patch_first)
        begins = [np.concatenate([[0], np.cumsum(starts[patch + 1] - starts[patch])]) for starts in lists]
        self.corners, self.edges, self.triangles = begins
        # the triangles of touched slots, their slots, and which of them curves cross
        self.every = ranges(pieces.patch_first[patch], pieces.patch_first[patch + 1])
        self.rank_of = np.repeat(np.arange(len(patch)), np.diff(self.triangles))
        rank = self.rank[slots]
        self.crossed = self.triangles[rank] + curves.pairs - pieces.patch_first[pieces.patch[curves.pairs]]
        # edges of touched slots, and where piercings are on them: on two slots, for an edge between patches
        self.ends = pieces.edge_ends[ranges(lists[1][patch], lists[1][patch + 1])]
        self.ends = self.ends + np.repeat(self.corners[:-1], np.diff(self.edges))[:, None]
        starts, places = pieces.edge_places
        first, last = starts[curves.edge], starts[curves.edge + 1]
        places, self.piercing = places[ranges(first, last)], np.repeat(np.arange(len(first)), last - first)
        patch = pieces.patch_edges.owner[places]
        slot = self.shift[curves.sheet[self.piercing]] + patch
        there = self.touched[slot]
        self.piercing = self.piercing[there]
        self.pierced = (self.edges[self.rank[slot]] + places - lists[1][patch])[there]

    def edges_of(self, triangles: np.ndarray) -> np.ndarray:
        """(k, 3) where the sides of some triangles of touched slots are among their edges."""
        rank = self.rank_of[triangles]
        starts = self.pieces.patch_edges.starts[self.patch[self.slots[rank]]]
        return self.pieces.patch_edges.of[self.every[triangles]] + (self.edges[rank] - starts)[:, None]

    def links(self) -> np.ndarray:
        """(l, 2) corners, and after them plain slots, on the same side of all curves."""
        pieces, count = self.pieces, self.corners[-1]
        free = np.ones(len(self.ends), bool)
        free[self.pierced] = False
        # corners that patches share
        starts, rows = pieces.shared_corners
        patch = self.patch[self.slots]
        own = np.repeat(np.arange(len(patch)), starts[patch + 1] - starts[patch])
        rows = rows[ranges(starts[patch], starts[patch + 1])]
        other = self.shift[self.sheet[self.slots[own]]] + rows[:, 1]
        rank = self.rank[other]
        begin = np.where(self.touched[other], self.corners[np.minimum(rank, len(self.corners) - 1)] + rows[:, 2], count + rank)
        shared = np.column_stack([self.corners[own] + rows[:, 0], begin])
        every = [self.ends[free], shared]
        if len(self.plain):
            starts, pairs = pieces.neighbours
            body = pieces.patch_body[self.patch[np.searchsorted(self.sheet, np.arange(len(self.shift)))]]
            near = pairs[ranges(starts[body], starts[body + 1])]
            near = near + np.repeat(self.shift, starts[body + 1] - starts[body])[:, None]
            every.append(count + self.rank[near[~self.touched[near].any(axis=1)]])
        return np.concatenate(every)


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of sheets that hang together without crossing a curve, and whether each is inside of the other body."""

    corners: np.ndarray  # of corners of touched slots
    plain: np.ndarray  # of slots that no curve touches
    inside: np.ndarray  # (parts,)
    by_curve: np.ndarray  # (k, 2) a curve and a part inside that it bounds
    conflicts: np.ndarray  # (groups,) words of curves that others contradict


def flood(sheets: Sheets, curves: Curves) -> Parts:
    """What of either body of all pairs is inside of the other."""
    corners = int(sheets.corners[-1])
    links = sheets.links()
    part = together(corners + len(sheets.plain), links[:, 0], links[:, 1])
    # where curves go by: the first piercing of an edge speaks for its lower end, the last for its upper one
    order = np.lexsort((curves.along, curves.edge, curves.sheet))
    edge, sheet = curves.edge[order], curves.sheet[order]
    begins = np.concatenate([[True], (edge[1:] != edge[:-1]) | (sheet[1:] != sheet[:-1])])
    ends = np.concatenate([begins[1:], [True]])
    place = np.zeros(len(edge), np.int64)
    place[sheets.piercing[::-1]] = sheets.pierced[::-1]
    at = sheets.ends[place[order]]
    said = np.concatenate([part[at[begins, 0]], part[at[ends, 1]]])
    is_in = np.concatenate([curves.enters[order[begins]] < 0, curves.enters[order[ends]] > 0])
    by = np.concatenate([curves.curve[order[begins]], curves.curve[order[ends]]])
    count = int(part.max()) + 1
    votes = [np.bincount(said[choice], minlength=count) for choice in (is_in, ~is_in)]
    inside = votes[0] > votes[1]
    told = np.unique((by * count + said)[inside[said] & is_in])
    group = np.zeros(count, np.int64)
    group[said] = curves.curve_group[by]
    conflicts = np.bincount(group, np.minimum(*votes), len(curves.open))
    by_curve = np.column_stack([told // count, told % count])
    return Parts(part[:corners], part[corners:], inside, by_curve, conflicts)


def regions(curves: Curves, parts: Parts, triangles: int) -> tuple[np.ndarray, np.ndarray]:
    """Curves and parts of either body that belong together: the region of each curve, and of each part (−1 for none)."""
    count = curves.count
    links = [parts.by_curve + np.array([0, count])]
    curve = curves.curve[curves.segments[:, 0]]
    for column in (0, 1):  # curves of a pair that meet in a triangle
        own = curves.group * triangles + curves.pairs[:, column]
        order = np.argsort(own, kind="stable")
        same = own[order][1:] == own[order][:-1]
        links.append(np.column_stack([curve[order][:-1][same], curve[order][1:][same]]))
    pairs = np.concatenate(links)
    found = together(count + len(parts.inside), pairs[:, 0], pairs[:, 1])
    there, of_curve = np.unique(found[:count], return_inverse=True)
    number = np.full(int(found.max()) + 1, -1)
    number[there] = np.arange(len(there))
    return of_curve, number[found[count:]]


def measure(
    sheets: Sheets, x: np.ndarray, at: np.ndarray, curves: Curves, parts: Parts, region_of_curve: np.ndarray,
    region_of_part: np.ndarray,
) -> Inside:  # fmt: skip
    """Areas and middles of what is inside: of patches and triangles by one product for each patch (A.4), and what curves cut off.

    Middles are weighted by areas at rest.
    """
    pieces = sheets.pieces
    crossing = np.zeros(len(sheets.every), bool)
    crossing[sheets.crossed] = True
    patch = sheets.patch[sheets.slots[sheets.rank_of]]
    corner = pieces.patch_corners.of[sheets.every, 0] - pieces.patch_corners.starts[patch] + sheets.corners[sheets.rank_of]
    part = parts.corners[corner]
    whole = np.flatnonzero(parts.inside[part] & ~crossing)
    inner = np.flatnonzero(parts.inside[parts.plain])
    cut = np.flatnonzero(crossing)
    of_cut = np.empty(len(cut), np.int64)
    number = np.cumsum(crossing) - 1
    for column in (0, 1):
        of_cut[number[sheets.crossed[:, column]]] = region_of_curve[curves.curve[curves.segments[:, 0]]]
    count = int(region_of_curve.max()) + 1
    # triangles that are wholly inside follow each other by slots: their sums first
    slot = sheets.slots[sheets.rank_of[whole]]
    key = slot * count + region_of_part[part[whole]]
    runs = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else np.zeros(0, np.int64)
    added = np.add.reduceat(pieces.measures[sheets.every[whole]], runs) if len(key) else np.zeros((0, 7))
    plain = sheets.plain[inner]
    sums = np.concatenate([added, pieces.patch_measures[sheets.patch[plain]]])
    parts_cut, mismatched = _cut_off(sheets, at, curves, parts, cut, number)
    keys = [key[runs], plain * count + region_of_part[parts.plain[inner]]]
    keys.append(sheets.slots[sheets.rank_of[cut]] * count + of_cut)
    there, number = np.unique(np.concatenate(keys), return_inverse=True)
    add = lambda rows, number: np.column_stack([np.bincount(number, values, len(there)) for values in rows.T])
    sums, loose = add(sums, number[: len(sums)]), add(parts_cut, number[len(sums) :])
    patch = sheets.patch[there // count]
    area = pieces.mapped(patch, sums[:, :3], x) + loose[:, :3]
    moment = np.maximum(sums[:, 3:] + loose[:, 3:], 0.0)
    total = moment.sum(axis=1)
    middle = np.where(total[:, None] > 0, moment / np.where(total > 0, total, 1.0)[:, None], 0.25)
    size = len(sheets.shift)
    plain_sheet, plain_patch = sheets.sheet[plain], sheets.patch[plain]
    in_plain = np.bincount(plain_sheet, pieces.patch_first[plain_patch + 1] - pieces.patch_first[plain_patch], size)
    triangles = np.bincount(sheets.sheet[slot], minlength=size) + in_plain.astype(int)
    own = (sheets.sheet[there // count], there % count, patch, area, middle)
    return Inside(*own, triangles, np.bincount(plain_sheet, minlength=size), mismatched)


def _cut_off(
    sheets: Sheets, at: np.ndarray, curves: Curves, parts: Parts, cut: np.ndarray, number: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(k, 7) vector areas of what is inside of triangles that curves cut, and their places times their areas at rest.

    Also how many edges of each pair of bodies disagree with what is known of their ends.
    """
    pieces = sheets.pieces
    crossing = sheets.every[cut]
    slots = sheets.edges_of(cut)
    # what is inside of edges: ∫ dλ and ∫ 2λ dλ from the lower end on
    ends = parts.inside[parts.corners[sheets.ends]].astype(float)
    add = lambda values: np.bincount(sheets.pierced, values[sheets.piercing], len(ends))
    sign, lam = curves.enters, curves.along
    length, square = ends[:, 1] - add(sign * lam), ends[:, 1] - add(sign * lam**2)
    wrong = (ends[:, 0] != ends[:, 1] - add(sign.astype(float)))[slots].any(axis=1)
    group = sheets.sheet[sheets.slots[sheets.rank_of[cut]]] // 2
    mismatched = np.bincount(group[wrong], minlength=len(curves.open))
    # segments on their first triangles, and then on the others, the other way round
    own = number[sheets.crossed].T.ravel()
    segments = np.concatenate([curves.segments, curves.segments[:, ::-1]])
    shape = (pieces.triangles[crossing], pieces.corners[crossing], pieces.area[crossing])
    return slices(*shape, (length[slots], square[slots]), own, segments, curves.at, at), mismatched
