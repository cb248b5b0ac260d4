"""Nested dissection: an elimination order with little fill-in."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

LEAF = 45  # largest leaf; each leaf becomes one dense block
LEAST_SHARE = 0.3  # of a piece: least size of the smaller side of a cut between two planes of nodes


@dataclass(frozen=True)
class Dissection:
    """A permutation and its separator tree: ``permutation`` (n,) lists old nodes in the new order.

    Block k holds the new nodes ``start[k]`` to ``start[k + 1]``; ``parent[k]`` (−1 at a root) comes after it. A node
    of one block touches only nodes of that block, of its ancestors and of its descendants.
    """

    permutation: np.ndarray
    start: np.ndarray
    parent: np.ndarray


def dissect(graph: sparse.csr_matrix, coordinates: np.ndarray, leaf: int = LEAF) -> Dissection:
    """Bisect a graph recursively, all pieces of one depth at once, starting with its connected components.

    ``coordinates`` (n, d) [any unit]: each piece is cut across the one whose separator is smallest. ``leaf``: pieces
    of at most so many nodes are left whole.
    """
    n = graph.shape[0]
    edges = sparse.triu(graph, k=1).tocoo()
    ends = np.stack([edges.row, edges.col]).astype(np.int64)
    block = np.full(n, -1)  # block of each numbered node
    piece = _parts(graph, leaf)  # piece of each other node
    parents: list[np.ndarray] = []
    above = np.full(int(piece.max(initial=-1)) + 1, -1)  # block over each piece
    blocks = 0
    live = np.arange(n)
    sorted_ = [np.argsort(column, kind="stable") for column in coordinates.T]
    while len(live):
        sizes = np.bincount(piece[live], minlength=len(above))
        number = blocks + np.arange(len(above))  # a piece becomes a leaf or a separator, one block either way
        blocks += len(above)
        parents.append(above)
        whole = sizes <= leaf
        done = live[whole[piece[live]]]
        block[done] = number[piece[done]]
        live = live[~whole[piece[live]]]
        if not len(live):
            break
        label = np.where(block < 0, piece, -1 - np.arange(n))  # numbered nodes match nothing
        ends = np.compress(label[ends[0]] == label[ends[1]], ends, axis=1)
        sorted_ = [order[block[order] < 0] for order in sorted_]
        side = _best_side(sorted_, piece, len(above), ends, coordinates)
        crossing = np.compress(side[ends[0]] != side[ends[1]], ends, axis=1)
        separator = _cover(crossing, side)
        block[separator] = number[piece[separator]]
        live = live[block[live] < 0]
        halves = 2 * piece[live] + side[live]
        kept, renumbered = np.unique(halves, return_inverse=True)
        piece[live] = renumbered
        above = number[kept // 2]
    return _ordered(block, np.concatenate(parents))


def _parts(graph: sparse.csr_matrix, leaf: int) -> np.ndarray:
    """(n,) connected component of each node; components smaller than a leaf share one."""
    parts, part = csgraph.connected_components(graph, directed=False)
    sizes = np.bincount(part, minlength=parts)
    order = np.argsort(sizes, kind="stable")
    small = order[sizes[order] < leaf]
    number = np.empty(parts, np.int64)
    number[small] = np.cumsum(sizes[small]) // leaf
    number[order[len(small) :]] = (number[small].max(initial=-1) + 1) + np.arange(parts - len(small))
    return np.unique(number[part], return_inverse=True)[1]


def directions(positions: np.ndarray) -> np.ndarray:
    """Coordinates (n, d²) along the axes and along the diagonals between each two of them.

    A lattice may have its thinnest separators across a diagonal: a body-centred one has.
    """
    pairs = list(itertools.combinations(range(positions.shape[1]), 2))
    diagonals = [(positions[:, i] + sign * positions[:, j]) * 0.5**0.5 for i, j in pairs for sign in (1, -1)]
    return np.column_stack([positions, *diagonals])


def _best_side(
    sorted_: list[np.ndarray], piece: np.ndarray, pieces: int, ends: np.ndarray, coordinates: np.ndarray
) -> np.ndarray:
    """Which half (0 or 1) each node falls into, cut across the coordinate with the fewest nodes at the cut.

    ``sorted_``: nodes still to be placed, by each coordinate.
    """
    best = np.full(pieces, np.inf)
    chosen = np.zeros(len(piece), np.int8)
    small = np.int16 if pieces < 2**15 else np.int64  # sixteen bits sort in one pass
    for axis, by_coordinate in enumerate(sorted_):
        order = by_coordinate[np.argsort(piece[by_coordinate].astype(small), kind="stable")]
        side = _halves(order, piece, pieces, coordinates[:, axis])
        cut = np.compress(side[ends[0]] != side[ends[1]], ends, axis=1)
        at_cut = np.zeros(len(piece), bool)
        at_cut[cut.ravel()] = True
        nodes = np.flatnonzero(at_cut)
        touched = [np.bincount(piece[nodes[side[nodes] == half]], minlength=pieces) for half in (0, 1)]
        size = np.minimum(*touched)
        better = size < best
        best[better] = size[better]
        take = order[better[piece[order]]]
        chosen[take] = side[take]
    return chosen


def _halves(order: np.ndarray, piece: np.ndarray, pieces: int, coordinate: np.ndarray) -> np.ndarray:
    """0 below the median of the piece and 1 from it on; where too many nodes share it, half of them by number.

    ``order``: nodes by piece and in each by coordinate.
    """
    side = np.zeros(len(piece), np.int8)
    owner, along = piece[order], coordinate[order]
    sizes = np.bincount(owner, minlength=pieces)
    start = np.cumsum(sizes) - sizes
    filled = np.flatnonzero(sizes)
    middle = np.zeros(pieces)
    middle[filled] = along[start[filled] + sizes[filled] // 2]
    beyond = along >= middle[owner]
    low = np.bincount(owner, weights=~beyond, minlength=pieces)
    uneven = low < LEAST_SHARE * sizes
    if uneven.any():
        rank = np.arange(len(order)) - start[owner]
        beyond = np.where(uneven[owner], rank >= sizes[owner] // 2, beyond)
    side[order] = beyond
    return side


def _cover(crossing: np.ndarray, side: np.ndarray) -> np.ndarray:
    """The fewest nodes that touch every edge between the halves (Kőnig's theorem on a maximum matching)."""
    if crossing.shape[1] == 0:
        return np.zeros(0, np.int64)
    swap = side[crossing[0]] == 1
    left, i = np.unique(np.where(swap, crossing[1], crossing[0]), return_inverse=True)
    right, j = np.unique(np.where(swap, crossing[0], crossing[1]), return_inverse=True)
    mate = _matching(i, j, len(left), len(right))
    owner = np.full(len(right), -1)
    owner[mate[mate >= 0]] = np.flatnonzero(mate >= 0)
    # from the left nodes without a mate, along any edge to the right and back along the matching
    reached_left, reached_right = mate < 0, np.zeros(len(right), bool)
    fresh = reached_left.copy()
    while fresh.any():
        over = np.zeros(len(right), bool)
        over[j[fresh[i]]] = True
        over &= ~reached_right
        reached_right |= over
        fresh = np.zeros(len(left), bool)
        back = owner[over]
        fresh[back[back >= 0]] = True
        fresh &= ~reached_left
        reached_left |= fresh
    return np.concatenate([left[~reached_left], right[reached_right]])


def _matching(i: np.ndarray, j: np.ndarray, lefts: int, rights: int) -> np.ndarray:
    """The right node matched to each left one, or −1, as a flow from a source through the edges to a sink.

    SciPy's own matching takes seconds where lattices make many equal paths; its flows take milliseconds.
    """
    source, sink = lefts + rights, lefts + rights + 1
    tails = np.concatenate([np.full(lefts, source), i, lefts + np.arange(rights)])
    heads = np.concatenate([np.arange(lefts), lefts + j, np.full(rights, sink)])
    ones = np.ones(len(tails), np.int32)
    network = sparse.csr_matrix((ones, (tails, heads)), shape=(sink + 1, sink + 1))
    flow = csgraph.maximum_flow(network, source, sink, method="dinic").flow[:lefts].tocoo()
    used = flow.data > 0
    mate = np.full(lefts, -1)
    mate[flow.row[used]] = flow.col[used] - lefts
    return mate


def _ordered(block: np.ndarray, parent: np.ndarray) -> Dissection:
    """Number the blocks that hold nodes so that children come before parents, one subtree after the other."""
    sizes = np.bincount(block, minlength=len(parent))
    over = parent.copy()
    for k in range(len(parent)):  # parents were made before their children
        if over[k] >= 0 and sizes[over[k]] == 0:
            over[k] = over[over[k]]
    filled = np.flatnonzero(sizes)
    number = np.full(len(parent), -1)
    number[filled] = np.arange(len(filled))
    lifted = np.where(over[filled] >= 0, number[over[filled]], -1)
    order = postorder(lifted)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    new_block = place[number[block]]
    permutation = np.argsort(new_block, kind="stable")
    start = np.concatenate([[0], np.cumsum(sizes[filled][order])])
    up = lifted[order]
    return Dissection(permutation, start, np.where(up >= 0, place[up], -1))


def postorder(parent: np.ndarray) -> np.ndarray:
    """Nodes of a forest, children before parents and each subtree together."""
    children: list[list[int]] = [[] for _ in parent]
    stack = []
    for node, up in enumerate(parent):
        (children[up] if up >= 0 else stack).append(node)
    visited = []
    while stack:
        node = stack.pop()
        visited.append(node)
        stack.extend(children[node])
    return np.array(visited[::-1], np.int64)
