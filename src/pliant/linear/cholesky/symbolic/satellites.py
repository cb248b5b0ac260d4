"""Satellites: nodes with few neighbours, eliminated first.

A cube of five tets joins four of its corners along the diagonals of its faces and leaves the others with the edges of
the lattice alone: six neighbours instead of eighteen. Eliminated first, half of all columns of L hold seven entries.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from .ordering import Dissection, dissect

LINKS = 6  # neighbours of a satellite, at most
LEAST_SHARE = 0.2  # least share of satellites among nodes for their elimination,
FEWER = 1.5  # and how many times as many neighbours the average node must have
GROUP = 8  # satellites that become one dense block together


def satellites(graph: sparse.csr_matrix) -> np.ndarray:
    """Nodes with at most LINKS neighbours of which no two touch: of two that do, the one with fewer, or the first."""
    n = graph.shape[0]
    degree = np.diff(graph.indptr)
    candidate = degree <= LINKS
    rows = np.repeat(np.arange(n), degree)
    both = candidate[rows] & candidate[graph.indices]
    i, j = rows[both], graph.indices[both]
    key = degree * n + np.arange(n)
    chosen = np.zeros(n, bool)
    while candidate.any():
        beaten = np.zeros(n, bool)
        beaten[i[key[j] < key[i]]] = True
        won = candidate & ~beaten
        chosen |= won
        candidate &= ~won
        candidate[j[won[i]]] = False
        alive = candidate[i] & candidate[j]
        i, j = i[alive], j[alive]
    return np.flatnonzero(chosen)


def without(graph: sparse.csr_matrix, first: np.ndarray, rest: np.ndarray) -> sparse.csr_matrix:
    """The graph after elimination of ``first``, which connects the neighbours of each."""
    links = graph[rest][:, first]
    left = (graph[rest][:, rest] + links @ links.T).tocsr()
    left.setdiag(0.0)
    left.eliminate_zeros()
    return left


def merged(graph: sparse.csr_matrix, first: np.ndarray, rest: np.ndarray, dissection: Dissection) -> Dissection:
    """The dissection of ``rest`` with the nodes ``first`` put in, each before the lowest block that it touches.

    Those of a leaf join it; those of a separator become small blocks of neighbours in front of it.
    """
    blocks = len(dissection.parent)
    block = np.full(graph.shape[0], blocks)
    block[rest[dissection.permutation]] = np.repeat(np.arange(blocks), np.diff(dissection.start))
    place = np.full(graph.shape[0], graph.shape[0])
    place[rest[dissection.permutation]] = np.arange(len(rest))
    links = graph[first]
    lowest = np.full(len(first), blocks)
    near = np.full(len(first), graph.shape[0])
    owner = np.repeat(np.arange(len(first)), np.diff(links.indptr))
    np.minimum.at(lowest, owner, block[links.indices])
    np.minimum.at(near, owner, place[links.indices])
    is_leaf = np.ones(blocks + 1, bool)
    is_leaf[dissection.parent[dissection.parent >= 0]] = False
    is_leaf[blocks] = False  # satellites without neighbours form blocks after all others
    order = np.lexsort((near, lowest))
    at = lowest[order]
    counts = np.bincount(at, minlength=blocks + 1)
    rank = np.arange(len(at)) - (np.cumsum(counts) - counts)[at]
    # sorted by block of the dissection, in each the groups of satellites first and the block itself last
    last = np.iinfo(np.int64).max
    major = np.concatenate([at, np.repeat(np.arange(blocks), np.diff(dissection.start))])
    minor = np.concatenate([np.where(is_leaf[at], last, rank // GROUP), np.full(len(rest), last)])
    nodes = np.concatenate([first[order], rest[dissection.permutation]])
    sort = np.lexsort((minor, major))
    major, minor, nodes = major[sort], minor[sort], nodes[sort]
    begins = np.flatnonzero(np.r_[True, (np.diff(major) != 0) | (np.diff(minor) != 0)])
    whole = minor[begins] == last
    number = np.full(blocks + 1, -1)
    number[major[begins[whole]]] = np.flatnonzero(whole)
    up = np.append(np.where(dissection.parent >= 0, number[dissection.parent], -1), -1)
    parent = np.where(whole, up[major[begins]], number[major[begins]])
    return Dissection(nodes, np.append(begins, len(nodes)), parent)


def satellites_first(
    graph: sparse.csr_matrix, leaf: int, place: Callable[[sparse.csr_matrix, np.ndarray], np.ndarray]
) -> Dissection:
    """Nested dissection, after satellites where there are enough of them.

    ``place(graph, nodes)``: coordinates of ``nodes``, whose graph is given, to cut across.
    """
    n, degree = graph.shape[0], np.diff(graph.indptr)
    first = satellites(graph)
    many = LEAST_SHARE * n <= len(first) < n
    if not many or FEWER * degree[first].mean() > degree.mean():
        return dissect(graph, place(graph, np.arange(n)), leaf)
    keep = np.ones(n, bool)
    keep[first] = False
    rest = np.flatnonzero(keep)
    left = without(graph, first, rest)
    dissection = dissect(left, place(left, rest), max(1, leaf * len(rest) // n))
    return merged(graph, first, rest, dissection)
