"""Nodes cut into groups of neighbours, each within one connected part of the matrix."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


def connected(starts: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """(n,) number of the connected part of each node; ``starts`` and ``columns`` are the matrix's rows."""
    n = len(starts) - 1
    graph = sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(n, n))
    return connected_components(graph, directed=False)[1]


def aggregates(positions: np.ndarray, part: np.ndarray, count: int) -> np.ndarray:
    """(n,) number of the aggregate of each node: ``count`` in all, of nodes that lie together, and as many nodes in each.

    Each connected ``part`` (n,), which has one at least, is cut across its longest side again and again.
    """
    n, places = len(positions), np.ascontiguousarray(positions.T)
    order = np.argsort(part, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(part[order])) + 1)
    waiting = [(nodes, max(1, round(count * len(nodes) / n))) for nodes in parts[::-1]]
    of, made = np.zeros(n, np.int32), 0
    while waiting:
        nodes, pieces = waiting.pop()
        if pieces == 1:
            of[nodes] = made
            made += 1
            continue
        here = places[:, nodes]
        along = nodes[np.argsort(here[np.ptp(here, axis=1).argmax()], kind="stable")]
        cut = len(along) * (pieces // 2) // pieces
        waiting += [(along[cut:], pieces - pieces // 2), (along[:cut], pieces // 2)]
    return of


def length(starts: np.ndarray, columns: np.ndarray, part: np.ndarray, most: int) -> int:
    """Steps from node to node between the ends of the longest connected ``part`` (n,), or ``most`` if there are as many.

    The farthest from any node of a part is one of its ends, more or less; the other is the farthest from there.
    """
    n = len(starts) - 1
    graph = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(n, n))
    ends = np.unique(part, return_index=True)[1]
    for _ in range(2):
        level, steps = np.full(n, -1), 0
        level[ends] = 0
        while steps < most:
            reached = (graph @ (level >= 0).astype(np.float32) > 0) & (level < 0)
            if not reached.any():
                break
            steps += 1
            level[reached] = steps
        if steps == most:
            break
        order = np.lexsort((level, part))
        ends = order[np.append(np.flatnonzero(np.diff(part[order])), n - 1)]
    return steps
