"""Lattice cuts: a copy of a cell for each connected part."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ...geometry.lattice.cut_cells import Carved, integrals_of
from ...geometry.lattice.fragments import shape_functions, triangle_weights
from ..blade import Blade
from ..node_copies import Copied
from .cell_faces import Contacts, contacts
from .cell_material import Soup, material
from .cell_parts import Split, divided, touched

SLIVER = 0.02  # least fill of a cell for a copy
CHIP = 0.5  # of a cell: least total of a detached piece


@dataclass(frozen=True, eq=False)
class Merged:
    """Merging of small parts."""

    into: np.ndarray  # (p,) the part that each is merged into, itself for most
    host: np.ndarray  # (p,) whether that one is in another cell
    closed: int  # parts that stay attached across the blade


@dataclass(frozen=True, eq=False)
class Caps:
    """The faces of a cut: triangles at rest, each on one copy of a cell, counter-clockwise from outside."""

    triangles: np.ndarray  # (c, 3, 3) [m]
    cells: np.ndarray  # (c,)
    sides: np.ndarray  # (c,) 1 of what lies above the blade, −1 below


@dataclass(frozen=True, eq=False)
class Parted(Copied):
    """Lattice cells after a cut, and where nodes and cells come from."""

    carved: Carved
    origin: np.ndarray  # (n,) node before the cut of each one after it
    parent: np.ndarray  # (m,) cell before the cut of each one after it
    crossed: int  # cells that the blade met
    closed: int  # parts too small to come off alone
    faces: np.ndarray  # (b, 3, 3) triangles that were opened, where they are now [m]
    caps: Caps
    heirs: np.ndarray  # (k, 2) old cells, and new cells with material of theirs
    sides: np.ndarray  # (k,) 1 where that material is above the blade, −1 below, 0 both or far away
    patches: np.ndarray  # (t,) triangle of the surface before the cut, −1 of new ones
    afresh: str = ""  # why a simulation laid its scene out afresh for it

    def __repr__(self) -> str:
        left = f", {self.closed} small parts left on" if self.closed else ""
        cells = f"{len(self.carved.nodes)} cells, {self.crossed} of them crossed{left}"
        return f"Parted({cells}, {self.new} new nodes, in {self.components} pieces)"

    @property
    def new(self) -> int:
        """Number of new nodes."""
        return len(self.origin) - len(np.unique(self.origin))

    @property
    def components(self) -> int:
        """Parts of the lattice that share no node."""
        return int(components(self.carved.nodes, len(self.origin)).max()) + 1


def components(nodes: np.ndarray, count: int) -> np.ndarray:
    """(m,) number of the part that each cell (m, 8) belongs to; parts share no node."""
    hub, spokes = np.repeat(nodes[:, 0], 7), nodes[:, 1:].ravel()
    graph = sparse.coo_array((np.ones(len(hub), np.int8), (hub, spokes)), shape=(count, count))
    return np.unique(connected_components(graph, directed=False)[1][nodes[:, 0]], return_inverse=True)[1]


def parted(carved: Carved, x: np.ndarray, blade: Blade, spacing: float) -> Parted | None:
    """Cut cells of edge ``spacing`` [m] whose nodes are at ``x`` (n, 3) [m]; None where the blade misses them."""
    met = touched(carved, x, blade)
    if not len(met):
        return None
    split = divided(carved, x, blade, met)
    side = _beside(carved, x, blade, split)
    faces = contacts(carved.nodes, split, blade, side)
    small = split.divided & (split.volumes < SLIVER)
    while True:
        merged = _merged(split, faces, small)
        live = np.flatnonzero(merged.into == np.arange(len(merged.into)))
        nodes, origin = _numbered(carved, split, faces, merged, live)
        chips = _chips(split, live, components(nodes, len(origin)))
        if small[chips].all():
            break
        small[chips] = True
    number = np.full(len(merged.into), -1)
    number[live] = np.arange(len(live))
    parent = split.of_part[live]
    heir = number[merged.into]
    made = _carved(carved, split, merged, live, nodes, origin, spacing)
    caps = _caps(carved, split, faces, heir, spacing)
    moved = split.divided | (merged.into != np.arange(len(merged.into)))
    heirs, inverse = np.unique(np.stack([split.of_part, heir], axis=1), axis=0, return_inverse=True)
    sides = np.sign(np.bincount(inverse.ravel(), side, len(heirs))).astype(int)
    made, patches = _patched(made, carved, moved, split, heirs, caps, spacing)
    opened = split.now[np.concatenate([split.open_faces, faces.open_faces])]
    apart = np.concatenate([heir[split.open_parts], heir[faces.open_parts]])
    changed = len(origin) > len(np.unique(origin)) or len(live) != len(carved.nodes)
    opened = opened[(apart[:, 0] != apart[:, 1]) & changed]
    return Parted(
        made, origin, parent, len(met), merged.closed, opened, caps, heirs,
        sides, patches,
    )  # fmt: skip


def _beside(carved: Carved, x: np.ndarray, blade: Blade, split: Split) -> np.ndarray:
    """(p,) sides of parts, including whole cells next to the blade."""
    hit = np.zeros(len(x), bool)
    hit[carved.nodes[split.touched]] = True
    cells = np.setdiff1d(np.flatnonzero(hit[carved.nodes].any(axis=1)), split.touched)
    height = blade.heights(x[carved.nodes[cells]].reshape(-1, 3))[0].reshape(-1, 8)
    of_cell = np.zeros(len(carved.nodes), int)
    of_cell[cells] = np.all(height > 0, axis=1).astype(int) - np.all(height < 0, axis=1)
    return np.where(split.side != 0, split.side, of_cell[split.of_part])


def _chips(split: Split, live: np.ndarray, piece: np.ndarray) -> np.ndarray:
    """Live parts of tiny pieces, numbered ``piece`` (l,), all in divided cells."""
    whole = np.bincount(piece, ~split.divided[live]) > 0
    return live[~whole[piece] & (np.bincount(piece, split.volumes[live]) < CHIP)[piece]]


def _merged(split: Split, faces: Contacts, small: np.ndarray) -> Merged:
    """Parts that are ``small`` (p,) merge with the neighbouring part of the largest shared face, or else stay attached."""
    count = len(split.of_part)
    into, host = np.arange(count), np.zeros(count, bool)
    pairs = np.concatenate([faces.parts, faces.parts[:, ::-1]])
    pairs = pairs[np.argsort(np.concatenate([faces.areas, faces.areas]), kind="stable")]
    pairs = pairs[small[pairs[:, 0]]]
    large = pairs[~small[pairs[:, 1]]]
    into[large[:, 0]], host[large[:, 0]] = large[:, 1], True
    closed = 0
    by_size = np.argsort(-split.volumes, kind="stable")
    largest = np.full(int(split.of_part.max()) + 1, -1)
    largest[split.of_part[by_size[::-1]]] = by_size[::-1]
    for p in np.flatnonzero(small & ~host).tolist():
        main = int(largest[split.of_part[p]])
        if main != p and into[main] == main:
            into[p], closed = main, closed + 1
    for p, beside in pairs[::-1].tolist():  # the rest of a cell merges with the part that holds its neighbours' small parts
        if into[p] == p and not host[beside] and into[beside] != beside:
            with_it = into == p
            into[with_it], host[with_it] = into[beside], True
    return Merged(into, host, closed)


def _numbered(carved: Carved, split: Split, faces: Contacts, merged: Merged, live: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 8) nodes of the live parts, and (n, ) the node before of each one after: old nodes keep their order.

    Corners of copies are one node where the copies share material on a face; cells that the blade did not touch keep theirs.
    """
    count, cells = len(carved.rest), len(carved.nodes)
    looked = np.zeros(cells, bool)
    looked[split.touched] = True
    fresh = looked[split.of_part]  # parts with corners of their own
    place = np.where(fresh, count + 8 * (np.cumsum(fresh) - 1), -1)
    corner = np.where(fresh[:, None], place[:, None] + np.arange(8), carved.nodes[split.of_part])  # (p, 8) vertices of the graph
    kept = (merged.into[faces.parts] == faces.parts).all(axis=1)  # small parts connect nothing
    a, b = faces.parts[kept].T
    rows, columns = np.arange(len(a))[:, None], faces.corners[kept]
    joins = np.stack([corner[a][rows, columns[:, 0]], corner[b][rows, columns[:, 1]]], axis=2).reshape(-1, 2)
    size = count + 8 * int(fresh.sum())
    graph = sparse.coo_array((np.ones(len(joins), np.int8), joins.T), shape=(size, size))
    group = connected_components(graph, directed=False)[1]
    mine = group[corner[live]]
    old = carved.nodes[split.of_part[live]]
    found, first, number = np.unique(mine.ravel(), return_index=True, return_inverse=True)
    origin = old.ravel()[first]
    still = np.zeros(int(group.max()) + 1, bool)
    still[group[:count]] = True  # groups with cells that were not touched come first
    order = np.lexsort((found, ~still[found], origin))
    again = np.concatenate([[False], origin[order][1:] == origin[order][:-1]])
    order = np.concatenate([order[~again], order[again]])
    rank = np.empty(len(order), int)
    rank[order] = np.arange(len(order))
    return rank[number].reshape(-1, 8).astype(carved.nodes.dtype), origin[order]


def _carved(
    carved: Carved, split: Split, merged: Merged, live: np.ndarray, nodes: np.ndarray, origin: np.ndarray, spacing: float
) -> Carved:
    """The copies with their material."""
    number = np.full(len(split.of_part), -1)
    number[live] = np.arange(len(live))
    cell, into = split.of_part[live], merged.into
    hosts = np.zeros(len(into), bool)
    hosts[into[merged.host]] = True
    again = (split.divided | hosts)[live]
    # new tets for divided cells, old ones for hosts; cells cut before keep their pieces
    part_of_cell = np.zeros(len(carved.nodes), int)
    part_of_cell[split.of_part] = np.arange(len(split.of_part))
    whole = hosts & ~split.divided
    lone = np.setdiff1d(split.of_part[whole], split.touched)
    first = _soup_and(carved, split.soup, lone)
    own = whole[part_of_cell[first.of_tet]]
    after = split.divided[split.part]
    pieces = [first.xi[first.tets[own]], split.clipped.points[split.clipped.tets[after]][:, :, :3]]
    part = np.concatenate([part_of_cell[first.of_tet[own]], split.part[after]])
    pieces = np.concatenate(pieces)
    target = number[into[part]]
    pieces = pieces + np.rint((carved.lowest[split.of_part[part]] - carved.lowest[cell[target]]) / spacing)[:, None]
    kept = carved.is_carved[cell] & ~again
    source = np.full(len(carved.nodes), -1)
    source[cell[kept]] = np.flatnonzero(kept)
    old = source[carved.piece_of]
    pieces = np.concatenate([pieces, carved.pieces[old >= 0]])
    target = np.concatenate([target, old[old >= 0]])
    order = np.argsort(target, kind="stable")
    pieces, target = pieces[order], target[order]
    integrals = carved.integrals[cell]
    integrals[again] = integrals_of(pieces, target, len(live))[again]
    values = np.where((again | carved.is_carved[cell])[:, None], -1.0, carved.values[cell])
    subcells, rows = carved.subcells, carved.rows
    if subcells is not None:  # those that are left, in the order of their cells
        rows = np.where(again | carved.is_carved[cell], -1, rows[cell])
        left = rows >= 0
        subcells, rows = subcells[rows[left]], np.where(left, np.cumsum(left) - 1, -1)
    none = np.zeros((0, 3, 3)), np.zeros(0, int), np.zeros((0, 8))
    return Carved(
        carved.rest[origin], nodes, carved.lowest[cell], values, integrals, pieces, target, *none,
        subcells, rows,
    )  # fmt: skip


def _soup_and(carved: Carved, soup: Soup, more: np.ndarray) -> Soup:
    """The soup with the material of more cells."""
    if not len(more):
        return soup
    other = material(carved, more)
    return Soup(
        np.concatenate([soup.xi, other.xi]),
        np.concatenate([soup.of_vertex, other.of_vertex]),
        np.concatenate([soup.tets, other.tets + len(soup.xi)]),
        np.concatenate([soup.of_tet, other.of_tet]),
    )


def _caps(carved: Carved, split: Split, faces: Contacts, heir: np.ndarray, spacing: float) -> Caps:
    xi = split.clipped.points[:, :3]
    triangles, cells, sides = [], [], []
    own = heir[split.open_parts]
    kept = own[:, 0] != own[:, 1]
    corners, down = xi[split.open_faces[kept]], split.open_below[kept]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    turned = np.einsum("tc,tc->t", normal, down - corners.mean(axis=1)) < 0
    corners = np.where(turned[:, None, None], corners[:, ::-1], corners)
    place = carved.lowest[split.of_part[split.open_parts[kept, 0]]][:, None] + spacing * corners
    triangles += [place, place[:, ::-1]]
    cells += [own[kept, 0], own[kept, 1]]
    sides += [np.ones(kept.sum(), int), np.full(kept.sum(), -1)]
    own = heir[faces.open_parts]
    kept = own[:, 0] != own[:, 1]
    corners = xi[faces.open_faces[kept]]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    turned = np.einsum("tc,tc->t", normal, faces.open_out[kept]) < 0
    corners = np.where(turned[:, None, None], corners[:, ::-1], corners)
    triangles.append(carved.lowest[split.of_part[faces.open_parts[kept, 0]]][:, None] + spacing * corners)
    cells.append(own[kept, 0])
    sides.append(split.side[faces.open_parts[kept, 0]])
    return Caps(np.concatenate(triangles), np.concatenate(cells), np.concatenate(sides))


def _patched(
    made: Carved, before: Carved, moved: np.ndarray, split: Split, heirs: np.ndarray, caps: Caps, spacing: float
) -> tuple[Carved, np.ndarray]:
    """The copies with their surface: triangles go to the copy that holds their centroid, and cut faces are added."""
    single = np.full(len(before.nodes), -1)
    single[heirs[:, 0]] = heirs[:, 1]
    cells = single[before.patch_of]
    changed = np.zeros(len(before.nodes), bool)
    changed[split.of_part[moved]] = True
    some = np.flatnonzero(changed[before.patch_of])
    p = before.patches[some]
    normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    inward = p.mean(axis=1) - 0.02 * spacing * normal / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    cells[some] = nearest(made, heirs, before.patch_of[some], inward, spacing)
    shares = before.patch_shares.copy()
    away = some[np.rint((made.lowest[cells[some]] - before.lowest[before.patch_of[some]]) / spacing).any(axis=1)]
    if len(away):
        middle = (before.patches[away].mean(axis=1) - made.lowest[cells[away]]) / spacing
        shares[away] = before.patch_shares[away].sum(axis=1)[:, None] * shape_functions(np.clip(middle, 0.0, 1.0))
    inside = (caps.triangles - made.lowest[caps.cells][:, None]) / spacing
    new = triangle_weights(np.clip(inside, 0.0, 1.0)) * spacing**2
    return (
        replace(
            made,
            patches=np.concatenate([before.patches, caps.triangles]),
            patch_of=np.concatenate([cells, caps.cells]),
            patch_shares=np.concatenate([shares, new]),
        ),
        np.concatenate([np.arange(len(cells)), np.full(len(caps.cells), -1)]),
    )


def nearest(made: Carved, heirs: np.ndarray, cells: np.ndarray, points: np.ndarray, spacing: float) -> np.ndarray:
    """(p,) of the copies that have material of the given cells (p,) before, the one whose material is nearest to each point
    (p, 3) [m] at rest."""
    start = np.searchsorted(heirs[:, 0], cells)
    many = np.searchsorted(heirs[:, 0], cells, "right") - start
    row = np.repeat(np.arange(len(cells)), many)
    copy = heirs[np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + np.repeat(start, many), 1]
    away = made.away(copy, (points[row] - made.lowest[copy]) / spacing)
    order = np.lexsort((away, row))
    first = np.searchsorted(row[order], np.arange(len(cells)))
    return copy[order[first]]
