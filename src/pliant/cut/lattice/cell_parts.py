"""Connected parts of cell material on either side of a blade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ...geometry.lattice.cut_cells import ROUND, Carved, volumes_of
from ...geometry.lattice.fragments import shape_functions
from ..blade import Blade
from .cell_material import Soup, material, neighbours
from .clip import Clipped, clip

ON = 1e-3  # of a cell's edge: a point this close to the blade lies on it
AWAY = 1e-6


@dataclass(frozen=True, eq=False)
class Split:
    """The parts into which a blade divides the material of cells. A part is a connected component of a cell's material; numbers
    of parts count over all cells, touched by the blade or not."""

    touched: np.ndarray  # (c,) examined cells, ascending
    soup: Soup  # their material before
    clipped: Clipped  # and after
    f: np.ndarray  # (v,) height of its points over the blade, 0 where they lie on it
    now: np.ndarray  # (v, 3) where they are [m]
    of_part: np.ndarray  # (p,) the cell of each part
    part: np.ndarray  # (k,) the part of each tet after
    side: np.ndarray  # (p,) 1 above the blade, −1 below, 0 both or far away
    volumes: np.ndarray  # (p,) of the touched cells' parts, in cells
    open_faces: np.ndarray  # (b, 3) triangles on the blade, numbers of points after
    open_parts: np.ndarray  # (b, 2) the parts above and below each
    open_below: np.ndarray  # (b, 3) a point below each, in its cell

    @property
    def divided(self) -> np.ndarray:
        """(p,) whether the part's cell has others."""
        return np.bincount(self.of_part)[self.of_part] > 1

    @property
    def of_tet(self) -> np.ndarray:
        """(k,) the cell of each tet after."""
        return self.soup.of_tet[self.clipped.parent]


def touched(carved: Carved, x: np.ndarray, blade: Blade) -> np.ndarray:
    """Cells that the blade may cross, and their neighbours with cuts already."""
    corners, sheet = x[carved.nodes], blade.surface.vertices
    size = np.linalg.norm(corners[:, 7] - corners[:, 0], axis=1)[:, None]
    low, high = corners.min(axis=1) - ON * size, corners.max(axis=1) + ON * size
    near = np.flatnonzero(np.all((low <= sheet.max(axis=0)) & (high >= sheet.min(axis=0)), axis=1))
    height = blade.heights(corners[near].reshape(-1, 3))[0].reshape(-1, 8)
    slack = ON * size[near, 0]
    near = near[(height.min(axis=1) <= slack) & (height.max(axis=1) >= -slack)]
    hit = np.zeros(len(x), bool)
    hit[carved.nodes[near]] = True
    if len(near):
        near = np.union1d(near, np.flatnonzero(carved.is_carved & hit[carved.nodes].any(axis=1)))
    return near


def divided(carved: Carved, x: np.ndarray, blade: Blade, touched: np.ndarray) -> Split:
    soup = material(carved, touched)
    corners = x[carved.nodes]
    now = np.einsum("vk,vkc->vc", shape_functions(soup.xi), corners[soup.of_vertex])
    edge = np.linalg.norm(corners[touched][:, [1, 2, 4]] - corners[touched][:, :1], axis=2).mean(axis=1)
    slack = np.zeros(len(carved.nodes))
    slack[touched] = ON * edge
    f = blade.heights(now)[0]
    f = np.where(np.abs(f) <= slack[soup.of_vertex], 0.0, f)
    done = clip(np.concatenate([soup.xi, now], axis=1), soup.tets, f)
    here = done.points[:, 3:]
    has = np.zeros((len(soup.tets), 2), bool)
    has[done.parent, (done.side < 0).astype(int)] = True
    bit = np.where(has, np.cumsum(has.ravel()).reshape(has.shape) - 1, -1)
    # where the blade cuts a tet: the middle of its triangles there
    passed = np.unique(done.between_parent)
    middles = [np.bincount(done.between_parent, column, len(has)) for column in here[done.between].mean(axis=1).T]
    middle = np.stack(middles, axis=1)[passed] / np.bincount(done.between_parent, minlength=len(has))[passed, None]
    opens = np.zeros(len(has), bool)
    opens[passed] = blade.heights(middle)[1] & _smooth(soup.tets[passed], f, now, slack[soup.of_tet[passed]])
    pairs, faces, _ = neighbours(soup)
    joins = [bit[np.flatnonzero(has.all(axis=1) & ~opens)]]
    for column, sign in enumerate((1, -1)):
        kept = (sign * f[faces] > 0).any(axis=1) & has[pairs, column].all(axis=1)
        joins.append(bit[pairs[kept], column])
    flat = np.flatnonzero((f[faces] == 0).all(axis=1))
    own = np.where(has[pairs[flat], 0], 0, 1)
    other = own[:, 0] != own[:, 1]
    parts = other.copy()
    parts[other] = blade.heights(now[faces[flat[other]]].mean(axis=1))[1]
    one = bit[pairs[flat], own]
    joins.append(one[~parts])
    part, of_part = _parts(carved, soup, done, bit, has, np.concatenate(joins), pairs, now, blade)
    of_bit = part[bit[np.where(has)[0], np.where(has)[1]]]
    volume = np.bincount(part[bit[done.parent, (done.side < 0).astype(int)]], _sizes(done), len(of_part))
    side = np.zeros((len(of_part), 2), bool)
    side[of_bit, np.where(has)[1]] = True
    opened = opens[done.between_parent]
    cut = done.between_parent[opened]
    below = soup.xi[soup.tets[cut]]
    lower = f[soup.tets[cut]] < 0
    below = np.einsum("tk,tkc->tc", lower, below) / np.maximum(lower.sum(axis=1), 1)[:, None]
    turned = np.flatnonzero(parts)
    first = np.where(own[turned, 0] == 0, 0, 1)  # the one above
    above = one[turned, first]
    under = pairs[flat[turned], 1 - first]
    return Split(
        touched, soup, done, np.concatenate([f, np.zeros(len(done.points) - len(f))]), here, of_part,
        part[bit[done.parent, (done.side < 0).astype(int)]], side[:, 0].astype(int) - side[:, 1], volume,
        np.concatenate([done.between[opened], faces[flat[turned]]]),
        part[np.concatenate([bit[cut], np.stack([above, one[turned, 1 - first]], axis=1)])],
        np.concatenate([below, soup.xi[soup.tets[under]].mean(axis=1)]),
    )  # fmt: skip


def _smooth(tets: np.ndarray, f: np.ndarray, now: np.ndarray, slack: np.ndarray) -> np.ndarray:
    """Whether one segment of the blade gives the height all over a tet: it changes no faster than the distance."""
    i, j = np.triu_indices(4, 1)
    change = np.abs(f[tets[:, i]] - f[tets[:, j]])
    length = np.linalg.norm(now[tets[:, i]] - now[tets[:, j]], axis=2)
    return np.all(change <= (1 + AWAY) * length + 2 * slack[:, None], axis=1)


def _sizes(done: Clipped) -> np.ndarray:
    """Volumes of tets, 0 outside their cell: attached material makes no copy of a cell."""
    pieces = done.points[done.tets][:, :, :3]
    return volumes_of(pieces) * np.all(np.abs(pieces.mean(axis=1) - 0.5) <= 0.5 + ROUND, axis=1)


def _parts(
    carved: Carved, soup: Soup, done: Clipped, bit: np.ndarray, has: np.ndarray, joins: np.ndarray, pairs: np.ndarray,
    now: np.ndarray, blade: Blade,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """(b,) the part of each bit of a tet on one side, and (p,) the cell of each part.

    A cell is divided where the blade cuts a component of its material, or passes between two; else all of it goes on
    as one.
    """
    bits = int(has.sum())
    group = connected_components(sparse.coo_array((np.ones(len(joins), np.int8), joins.T), shape=(bits, bits)), directed=False)[1]
    count, cells = len(soup.tets), len(carved.nodes)
    before = connected_components(
        sparse.coo_array((np.ones(len(pairs), np.int8), pairs.T), shape=(count, count)), directed=False
    )[1]
    tet, column = np.where(has)
    of_bit = soup.of_tet[tet]
    groups, first = np.unique(group, return_index=True)
    of_group = of_bit[first]
    has_side = np.zeros((len(groups), 2), bool)
    has_side[group, column] = True
    pure = np.zeros((cells, 2), bool)
    for k in range(2):
        pure[of_group[has_side[:, k] & ~has_side[:, 1 - k]], k] = True
    after = np.bincount(of_group, minlength=cells)
    was = np.bincount(soup.of_tet[np.unique(before, return_index=True)[1]], minlength=cells)
    divided = after > was
    apart = np.flatnonzero(pure.all(axis=1) & ~divided)
    if len(apart):  # the blade may pass between separate components: check whether it does
        middles = []
        for k in range(2):
            rows = np.flatnonzero(column == k)
            own = now[soup.tets[tet[rows]]].mean(axis=1)
            total = np.stack([np.bincount(of_bit[rows], c, cells) for c in own.T], axis=1)
            middles.append(total[apart] / np.bincount(of_bit[rows], minlength=cells)[apart, None])
        divided[apart] = blade.heights(0.5 * (middles[0] + middles[1]))[1]
    counts = np.where(divided, after, 1)
    start = np.cumsum(counts) - counts
    order = np.argsort(of_group, kind="stable")
    rank = np.empty(len(groups), int)
    rank[order] = np.arange(len(groups)) - np.searchsorted(of_group[order], of_group[order])
    number = start[of_group] + np.where(divided[of_group], rank, 0)
    return number[group], np.repeat(np.arange(cells), counts)
