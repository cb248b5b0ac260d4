"""Sparsity pattern and assembly lists, updated locally after cuts."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np

from ...geometry.mesh.vertex_cells import differing_rows, equal, rows_at
from .background import Pass
from .gather import gather_lists
from .lists_native import join_pattern, renew_pattern, renew_sums, sum_blocks

MANY = 0.3  # of all nodes: where so many are touched all is made anew


def _distinct(keys: np.ndarray) -> np.ndarray:
    """Each number once, ascending; sorting is several times faster here than the table that ``np.unique`` makes."""
    keys = np.sort(keys, axis=None)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


class Pattern:
    """The entries of a symmetric matrix over ``count`` nodes that ``cells``, each (m, k), couple, and its diagonal: row by row,
    columns ascending. ``renewal`` says how they follow from another pattern's, where they do; rows after the first ``alive``
    (all, unless told) are to spare, with nothing but their diagonal."""

    def __init__(
        self, count: int, cells: Sequence[np.ndarray], keys: np.ndarray | None = None, places: Sequence[np.ndarray] | None = None
    ):
        self.count, self.alive, self.cells = count, count, list(cells)
        if places is None:
            self.keys = self._coupled() if keys is None else keys
            self.rows = (self.keys // count).astype(np.int32)
            columns = (self.keys - self.rows * np.int64(count)).astype(np.int32)
            row_start = np.concatenate([[0], np.cumsum(np.bincount(self.rows, minlength=count))]).astype(np.int32)
            places = columns, row_start, np.flatnonzero(self.rows == columns).astype(np.int32)
        self.columns, self.row_start, self.diagonal = places
        self.renewal: Renewal | None = None
        # of a join: the pattern that it has entries more than, and where the entries of that are
        self.lasting: Pattern | None = None
        self.place: np.ndarray | None = None
        self.memo: dict[int, np.ndarray] = {}  # places of entries by who asked, of a lasting pattern
        # what a thread beside the steps found for solvers with a matrix of this pattern, and for the elements added up in it
        self.foreseen: dict[str, Any] = {}
        self.sums: list[Sums] = []

    def _coupled(self) -> np.ndarray:
        """The keys of all entries that cells couple."""
        found = [np.arange(self.count, dtype=np.int64) * (self.count + 1)]
        for group in self.cells:
            group = group.astype(np.int64)
            found += [_distinct(group[:, i, None] * self.count + group) for i in range(group.shape[1])]
        return _distinct(np.concatenate(found))

    @cached_property
    def rows(self) -> np.ndarray:
        """(entries,) the row of each."""
        return np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self.row_start))

    @cached_property
    def keys(self) -> np.ndarray:
        """(entries,) row · count + column of each, ascending."""
        return self.rows * np.int64(self.count) + self.columns

    @property
    def entries(self) -> int:
        return len(self.columns)

    def is_after(self, before: Pattern, numbers: np.ndarray, count: int, cells: Sequence[np.ndarray]) -> bool:
        """Whether it was made of another one for these cells, and nothing has taken it yet."""
        made = self.renewal
        if made is None or made.before is not before or (self.count, len(self.cells)) != (count, len(cells)):
            return False
        return np.array_equal(made.numbers, numbers) and all(map(equal, self.cells, cells))

    def foresee_sums(self, before: Pattern, sums: Sequence[Sums], wait: bool) -> None:
        """Find what is added up in it, which was made of another one, from the ``sums`` in that, or begin to in a thread."""
        for each in sums:
            same = [new for old, new in zip(before.cells, self.cells) if equal(old, each.cells)]
            if same and self.renewal is not None:
                self.sums.append(Sums(self, same[0], each.pairs, each.layout, each, wait))

    def find(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Positions of (row, column) entries, −1 for those it does not have."""
        keys = np.asarray(rows, dtype=np.int64) * self.count + np.asarray(columns, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), self.entries - 1)
        return np.where(self.keys[at] == keys, at, -1).astype(np.int32)


def joined_pattern(lasting: Pattern, cells: Sequence[np.ndarray]) -> Pattern:
    """``Pattern`` of all ``cells``, which are those of a ``lasting`` one and more: equal, and found much faster where the cells
    that come and go, as pairs in contact do, are few."""
    more = [group for group in cells if not any(group is own for own in lasting.cells)]
    count = lasting.count
    widths = np.repeat(np.array([group.shape[1] for group in more], int), [len(group) for group in more])
    corners = np.concatenate([np.zeros(0, np.int32), *(group.ravel() for group in more)]).astype(np.int32)
    firsts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)
    starts, order = gather_lists(corners, count)
    at_node = np.repeat(np.arange(len(widths), dtype=np.int32), widths)[order]
    columns, place = np.empty(lasting.entries + int((widths**2).sum()), np.int32), np.empty(lasting.entries, np.int32)
    row_start, diagonal, mark = np.empty(count + 1, np.int32), np.empty(count, np.int32), np.full(count, -1, np.int32)
    given = (lasting.row_start, lasting.columns, corners, firsts, starts, at_node, count)
    join_pattern(*given, columns, row_start, diagonal, place, mark, np.empty(count, np.int32))
    pattern = Pattern(count, cells, places=(columns[: row_start[-1]], row_start, diagonal))
    pattern.alive, pattern.lasting, pattern.place = lasting.alive, lasting, place
    return pattern


Among = np.ndarray | None
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]  # where rows of some entries begin, their columns, and which they are


@dataclass(frozen=True, eq=False)
class Renewal:
    """How a pattern follows from one ``before``: only entries between two ``near`` nodes were looked for again."""

    before: Pattern
    numbers: np.ndarray  # (n before,) row now of each row before, ascending
    near: np.ndarray  # (n,) whether a node is in a cell that is another one now, or new
    at: Sequence[np.ndarray]  # of each group of cells, those at near nodes
    kept: np.ndarray  # (entries before,) which of them are taken over
    place: np.ndarray  # (entries before,) where those are now
    fresh: Rows  # the entries between near nodes


def renewed_pattern(
    before: Pattern, numbers: np.ndarray, count: int, cells: Sequence[np.ndarray], among: Sequence[Among] = ()
) -> Pattern:
    """``Pattern(count, cells)``, with the rows of ``before`` being rows ``numbers`` of it: equal, and found much faster where
    few cells are others. ``among`` says of each group which cells alone may be, or None."""
    if len(cells) != len(before.cells):
        return Pattern(count, cells)
    near = np.ones(count, bool)
    near[numbers] = False
    for old, new, some in zip_longest(before.cells, cells, among):
        if some is not None:
            old, new = old[some], new[some]
        _mark(old if _stays(numbers) else numbers[old], new, near)
    if near.sum() > MANY * count:
        return Pattern(count, cells)
    at = [rows_at(group, near) for group in cells]
    own = [group[some] for group, some in zip(cells, at)]
    corners = np.concatenate([np.zeros(0, np.int32), *(each.ravel() for each in own)]).astype(np.int32)
    widths = np.concatenate([np.zeros(0, int), *(np.full(len(each), each.shape[1]) for each in own)])
    firsts, most = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32), int((widths**2).sum()) + count
    columns, row_start = np.empty(before.entries + most, np.int32), np.empty(count + 1, np.int32)
    diagonal, kept, place = (np.empty(count, np.int32), np.empty(before.entries, bool), np.empty(before.entries, np.int32))
    fresh = np.empty(count + 1, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
    old = (before.row_start, before.columns, before.diagonal, numbers.astype(np.int32), len(numbers))
    made = (columns, row_start, diagonal, kept, place, *fresh, np.empty(count, np.int32))
    renew_pattern(*old, near, corners, firsts, len(widths), count, *made)
    pattern = Pattern(count, cells, places=(columns[: row_start[-1]], row_start, diagonal))
    pattern.renewal = Renewal(before, numbers, near, at, kept, place, fresh)
    return pattern


def _stays(numbers: np.ndarray) -> bool:
    """Whether rows keep their numbers, as those of one body do."""
    return bool(len(numbers)) and int(numbers[-1]) == len(numbers) - 1  # they ascend


def _mark(old: np.ndarray, new: np.ndarray, near: np.ndarray) -> None:
    """Mark the nodes of cells that differ."""
    if old.shape == new.shape:
        differs = differing_rows(old, new)
        old, new = old[differs], new[differs]
    for some in (old, new):
        near[some[some >= 0]] = True


def fitting(
    foreseen: Pattern | None, before: Pattern, numbers: np.ndarray, count: int, cells: Sequence[np.ndarray]
) -> Pattern | None:
    """What was foreseen, where it is right."""
    return foreseen if foreseen is not None and foreseen.is_after(before, numbers, count, cells) else None


class Sums:
    """For each entry of the upper half that elements add to: where the contributions are, those as they are and then those to
    be transposed, as ``lists``; ``targets`` are the entries and ``mirrors`` their transposes, −1 on the diagonal.

    ``cells`` (m, k) are the corners, −1 for none, and ``pairs`` those whose blocks there are: block r of element e has number
    ``hop`` e + ``step`` r. ``before`` are sums of the pattern before: what is not near a change is taken over from them, in a
    thread unless told to ``wait``.
    """

    def __init__(
        self,
        pattern: Pattern,
        cells: np.ndarray,
        pairs: Sequence[tuple[int, int]],
        layout: tuple[int, int],
        before: Sums | None = None,
        wait: bool = True,
    ):
        self.cells, self.pairs, self.layout = cells, list(pairs), layout
        self._thread: Pass | None = None
        if before is None or not self._follows(pattern, before):
            every = np.arange(pattern.entries, dtype=np.int32)
            self._made = self._listed(np.arange(len(cells)), (pattern.row_start, pattern.columns, every))
            return
        renewal = pattern.renewal
        own = [some for some, group in zip(renewal.at, pattern.cells) if group is cells]
        used = self._listed(own[0] if own else rows_at(cells, renewal.near), renewal.fresh)
        count, length = len(before.targets) + len(used[0]), len(before.lists) + len(used[3])
        self._made = tuple(np.empty(size, np.int32) for size in (count, count, 2 * count + 1, length))
        self._found = np.empty(2, np.int64)
        given = (*before._every, len(before.targets), renewal.kept, renewal.place, *used, len(used[0]), *self._made)
        self._thread = Pass(renew_sums, *given, self._found, wait=wait)

    @property
    def _every(self) -> tuple[np.ndarray, ...]:
        """Targets, mirrors, halves and lists, for which a thread is waited."""
        if self._thread is not None:
            self._thread.end()
            self._thread, self._made = None, _cut_off(self._made, self._found)
        return self._made

    @property
    def targets(self) -> np.ndarray:
        return self._every[0]

    @property
    def mirrors(self) -> np.ndarray:
        return self._every[1]

    @property
    def halves(self) -> np.ndarray:
        return self._every[2]

    @property
    def lists(self) -> np.ndarray:
        return self._every[3]

    def moved(self, place: np.ndarray) -> Sums:
        """The same sums where each entry is at ``place``."""
        sums, (targets, mirrors, halves, lists) = copy.copy(self), self._every
        sums._made = (place[targets], np.where(mirrors < 0, -1, place[mirrors]).astype(np.int32), halves, lists)
        return sums

    def is_of(self, cells: np.ndarray, pairs: Sequence[tuple[int, int]], layout: tuple[int, int]) -> bool:
        """Whether they are those of these elements."""
        return (self.pairs, self.layout) == (list(pairs), layout) and equal(self.cells, cells)

    def _follows(self, pattern: Pattern, before: Sums) -> bool:
        """Whether all that is not near a change is as it was in ``before``."""
        renewal, shape = pattern.renewal, (self.cells.shape, self.pairs, self.layout)
        if renewal is None or (before.cells.shape, before.pairs, before.layout) != shape:
            return False
        pairs = zip(renewal.before.cells, pattern.cells)
        if any(old is before.cells and new is self.cells for old, new in pairs):  # ``near`` was made of them
            return True
        old = before.cells
        if not _stays(renewal.numbers):
            old = np.where(old >= 0, renewal.numbers[old], -1)
        touched = np.zeros(pattern.count, bool)
        _mark(old, self.cells, touched)
        return not (touched & ~renewal.near).any()

    def _listed(self, some: np.ndarray, rows: Rows) -> tuple[np.ndarray, ...]:
        """Targets, mirrors, halves and lists of the sums of some elements in some entries."""
        places = [(row, i, j, 0) for row, (i, j) in enumerate(self.pairs)]
        places += [(row, j, i, 1) for row, (i, j) in enumerate(self.pairs) if i != j]  # the transposes
        places.sort(key=lambda place: (place[0], place[3]))
        cells, numbers = np.ascontiguousarray(self.cells, np.int32), np.ascontiguousarray(some, np.int32)
        most, entries, found = len(places) * len(some), int(rows[0][-1]), np.empty(2, np.int64)
        made = tuple(np.empty(size, np.int32) for size in (entries, entries, 2 * entries + 1, most))
        elements = (cells, numbers, len(numbers), cells.shape[1], np.array(places, np.int32), len(places), *self.layout)
        room = (np.zeros(2 * entries, np.int32), np.empty(most, np.int32), np.empty(most, np.int32))
        sum_blocks(*elements, *rows, len(rows[0]) - 1, *room, *made, found)
        return _cut_off(made, found)


def _cut_off(made: tuple[np.ndarray, ...], found: np.ndarray) -> tuple[np.ndarray, ...]:
    """As much of targets, mirrors, halves and lists as there is."""
    count, length = found.tolist()
    return tuple(array[:size] for array, size in zip(made, (count, count, 2 * count + 1, length)))
