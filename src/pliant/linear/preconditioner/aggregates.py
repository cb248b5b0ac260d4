"""Aggregates of neighbouring nodes within connected parts."""

import numpy as np

from .aggregates_native import aggregate

LEAST = 24  # least nodes of a connected part as a separate aggregate
AT_ONCE = 32  # entries of the matrix summed by one thread
ROOM = 96  # initial capacity in aggregates


class Aggregates:
    """The aggregate ``of`` each row: about ``wanted`` in all, of neighbouring nodes, with about as many nodes in each; also
    the entries of the matrix between them.

    Each connected part, which has one at least, is bisected recursively across its longest side. Disconnected pieces, such as
    the two sides of a cut or the legs of a body, are separate aggregates, since they move independently; so there may be
    half as many more. ``starts`` and ``columns`` are rows of the matrix, of which the first are nodes at ``positions`` (n, 3);
    others are in the first aggregate. ``count`` is 0 where no part is as ``long``, in steps from node to node between its ends,
    or where there are more than ``whole``, if these are given. ``find`` does the work, in one pass without the interpreter's
    lock.
    """

    def __init__(
        self, positions: np.ndarray, starts: np.ndarray, columns: np.ndarray, wanted: int, long: int = 0, whole: int = 0
    ):
        n, rows, self.entries = len(positions), len(starts) - 1, len(columns)
        self._rows = (np.ascontiguousarray(positions, np.float64), starts, columns, n, rows)
        self._asked, self._found = (wanted, LEAST, long, whole), np.zeros(3, np.int64)
        self.of = np.zeros(rows, np.int32)
        self._scratch = np.empty(8 * n + 3 * (wanted + wanted // 2) + 12, np.int32)
        self._make_room(ROOM)

    def _make_room(self, room: int) -> None:
        pairs, entries = room * (room + 1) // 2, self.entries
        sizes = (pairs + entries // AT_ONCE + 1, entries, entries, pairs + 1, pairs + 1)
        self._room, self._lists = room, [np.empty(size, np.int32) for size in sizes]

    def find(self) -> None:
        while True:
            given = (*self._rows, *self._asked, self._room, AT_ONCE, self.of, *self._lists, self._scratch)
            aggregate(*given, self._found)
            if self.count <= self._room:
                return
            self._make_room(self.count)

    @property
    def count(self) -> int:
        """The number of aggregates; 0 where they do not pay."""
        return int(self._found[0])

    @property
    def length(self) -> int:
        """Steps from node to node between the ends of the longest connected part, or ``long`` if there are as many."""
        return int(self._found[1])

    @property
    def pairs(self) -> tuple[np.ndarray, ...]:
        """Entries of the upper half by pair of aggregates, in parts of ``AT_ONCE`` summed by one thread: bounds of the parts,
        entries and their rows, and the first part of each pair."""
        bounds, entries, rows, first_part, _ = self._lists
        parts, pairs = int(self._found[2]), self.count * (self.count + 1) // 2
        return bounds[: parts + 1], entries[: bounds[parts]], rows[: bounds[parts]], first_part[: pairs + 1]
