"""Nodes cut into groups of neighbours, each within one connected part of the matrix."""

import numpy as np

from . import lists_native


def connected(starts: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) number of the connected part of each node, and (p,) the first node of each; ``starts`` and ``columns`` are rows."""
    n, found = len(starts) - 1, np.empty(1, np.int64)
    part, ends, waiting = (np.empty(n, np.int32) for _ in range(3))
    lists_native.connected(starts, columns, n, part, ends, waiting, found)
    return part, ends[: found[0]]


LEAST = 24  # nodes of a piece that is an aggregate of its own where another falls apart


class Aggregation:
    """The aggregate ``of`` each of ``rows`` rows: ``count`` in all, of nodes that lie together, and about as many nodes in each.

    Each connected ``part`` (n,), which has one at least, is cut across its longest side again and again. What falls apart there,
    such as the two sides of a cut or the legs of a body, is never one aggregate, since it need not move as one; for that there
    may be half as many more, so that there are ``least`` to ``most``. ``starts`` and ``columns`` are rows of the matrix; rows
    that are no nodes are in the first aggregate. ``find`` is the work, which leaves the interpreter to others.
    """

    def __init__(
        self,
        positions: np.ndarray,
        starts: np.ndarray,
        columns: np.ndarray,
        part: np.ndarray,
        count: int,
        rows: int | None = None,
    ):
        n, spare = len(part), count // 2
        nodes = np.argsort(part, kind="stable").astype(np.int32)
        sizes = np.bincount(part)
        pieces = np.array([min(size, max(1, round(count * size / n))) for size in sizes.tolist()], np.int32)
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        self.of, self.least = np.zeros(n if rows is None else rows, np.int32), int(pieces.sum())
        self.most = self.least + spare
        waiting = np.empty(3 * (int(pieces.max()) + spare) + 6, np.int32)
        work = (np.empty(n, np.int32) for _ in range(3))
        places = np.ascontiguousarray(positions, np.float64)
        parts = (nodes, bounds, pieces, len(pieces), LEAST, spare)
        self._given = (places, starts, columns, n, *parts, self.of, waiting, *work)

    def find(self) -> None:
        lists_native.aggregate(*self._given)


def length(starts: np.ndarray, columns: np.ndarray, part: np.ndarray, ends: np.ndarray, most: int) -> int:
    """Steps from node to node between the ends of the longest connected ``part`` (n,), or ``most`` if there are as many.

    The farthest from any node of a part, such as the first one in ``ends`` (p,), is one of its ends, more or less; the other is
    the farthest from there.
    """
    n, found, ends = len(starts) - 1, np.zeros(1, np.int64), ends.copy()
    level, waiting = (np.empty(n, np.int32) for _ in range(2))
    for _ in range(2):
        lists_native.farthest(starts, columns, n, part, len(ends), most, ends, level, waiting, found)
        if found[0] == most:
            break
    return int(found[0])
