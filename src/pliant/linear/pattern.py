"""Which entries a matrix has, and which corners of elements add up to each; after a cut only what it touched is made anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..geometry.mesh import rows_of
from .gather import gather_lists

AT_ONCE = 100_000  # entries looked up at a time
MANY = 0.3  # of all nodes: where so many are touched all is made anew


def _distinct(keys: np.ndarray) -> np.ndarray:
    """Each number once, ascending; sorting is several times faster here than the table that ``np.unique`` makes."""
    keys = np.sort(keys, axis=None)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


class Pattern:
    """The entries of a symmetric matrix over ``count`` nodes that ``cells``, each (m, k), couple, and its diagonal: row by row,
    columns ascending. ``renewal`` says how they follow from another pattern's, where they do."""

    def __init__(
        self,
        count: int,
        cells: Sequence[np.ndarray],
        keys: np.ndarray | None = None,
        places: Sequence[np.ndarray] | None = None,
    ):
        self.count, self.cells = count, list(cells)
        if keys is None:
            found = [np.arange(count, dtype=np.int64) * (count + 1)]
            for group in self.cells:
                group = group.astype(np.int64)
                found += [_distinct(group[:, i, None] * count + group) for i in range(group.shape[1])]
            keys = _distinct(np.concatenate(found))
        if places is None:
            rows = (keys // count).astype(np.int32)
            places = rows, (keys - rows * np.int64(count)).astype(np.int32)
        self.keys, (self.rows, self.columns) = keys, places
        self.row_start = np.concatenate([[0], np.cumsum(np.bincount(self.rows, minlength=count))]).astype(np.int32)
        self.diagonal = np.flatnonzero(self.rows == self.columns).astype(np.int32)
        self.renewal: Renewal | None = None
        # what a thread beside the steps found for solvers with a matrix of this pattern, and for the elements added up in it
        self.foreseen: dict[str, Any] = {}
        self.sums: list[Sums] = []

    @property
    def entries(self) -> int:
        return len(self.keys)

    def is_after(self, before: Pattern, numbers: np.ndarray, count: int, cells: Sequence[np.ndarray]) -> bool:
        """Whether it was made of another one for these cells, and nothing has taken it yet."""
        made = self.renewal
        if made is None or made.before is not before or (self.count, len(self.cells)) != (count, len(cells)):
            return False
        return np.array_equal(made.numbers, numbers) and all(map(np.array_equal, self.cells, cells))

    def find(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Positions of (row, column) entries, −1 for those it does not have."""
        keys = np.asarray(rows, dtype=np.int64) * self.count + np.asarray(columns, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), self.entries - 1)
        return np.where(self.keys[at] == keys, at, -1).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Renewal:
    """How a pattern follows from one ``before``: only entries between two ``near`` nodes were looked for again."""

    before: Pattern
    numbers: np.ndarray  # (n before,) row now of each row before, ascending
    near: np.ndarray  # (n,) whether a node is in a cell that is another one now, or new
    kept: np.ndarray  # (entries before,) which of them are taken over
    place: np.ndarray  # (entries before,) where those are now


def renewed_pattern(before: Pattern, numbers: np.ndarray, count: int, cells: Sequence[np.ndarray]) -> Pattern:
    """``Pattern(count, cells)``, with the rows of ``before`` being rows ``numbers`` of it: equal, and found much faster where
    few cells are others."""
    if len(cells) != len(before.cells):
        return Pattern(count, cells)
    near = np.ones(count, bool)
    near[numbers] = False
    for old, new in zip(before.cells, cells):
        _mark(old if _stays(numbers) else numbers[old], new, near)
    if near.sum() > MANY * count:
        return Pattern(count, cells)
    fresh = [np.flatnonzero(near).astype(np.int64) * (count + 1)]
    for group in cells:
        own = group[rows_of(near[group])].astype(np.int64)
        both = near[own][:, :, None] & near[own][:, None, :]
        fresh.append((own[:, :, None] * count + own[:, None, :])[both])
    fresh = _distinct(np.concatenate(fresh))
    rows, columns = before.rows, before.columns
    if not _stays(numbers):
        rows, columns = (numbers.astype(np.int32)[each] for each in (rows, columns))
    kept = np.ones(before.entries, bool)
    few = np.flatnonzero(near[numbers])  # rows before, whose entries alone may go
    some = np.concatenate([np.zeros(0, int), *map(np.arange, before.row_start[few], before.row_start[few + 1])])
    kept[some[near[columns[some]]]] = False
    stay = np.flatnonzero(kept)
    old = (rows.astype(np.int64) * count + columns)[stay]
    is_fresh = _merged(old, fresh)
    at, between = np.flatnonzero(~is_fresh), np.flatnonzero(is_fresh)
    known = []
    for all_old, new in ((rows[stay], fresh // count), (columns[stay], fresh % count), (old, fresh)):
        merged = np.empty(len(is_fresh), all_old.dtype)
        merged[at], merged[between] = all_old, new
        known.append(merged)
    place = np.zeros(before.entries, np.int32)
    place[stay] = at
    pattern = Pattern(count, cells, known[2], known[:2])
    pattern.renewal = Renewal(before, numbers, near, kept, place)
    return pattern


def _stays(numbers: np.ndarray) -> bool:
    """Whether rows keep their numbers, as those of one body do."""
    return bool(len(numbers)) and int(numbers[-1]) == len(numbers) - 1  # they ascend


def _mark(old: np.ndarray, new: np.ndarray, near: np.ndarray) -> None:
    """Mark the nodes of cells that differ."""
    if old.shape == new.shape:
        differs = rows_of(old != new)
        old, new = old[differs], new[differs]
    for some in (old, new):
        near[some[some >= 0]] = True


def _merged(old: np.ndarray, fresh: np.ndarray) -> np.ndarray:
    """Which of the numbers of two ascending lists, one after the other in ascending order, are of the second one."""
    is_fresh = np.zeros(len(old) + len(fresh), bool)
    is_fresh[np.searchsorted(old, fresh) + np.arange(len(fresh))] = True
    return is_fresh


def foreseen_pattern(before: Pattern, sums: Sequence[Sums], numbers: np.ndarray, count: int, cells: list) -> Pattern:
    """The pattern after a cut with all that is added up in it, from the ``sums`` in the one before, made beside the steps."""
    pattern = renewed_pattern(before, numbers, count, cells)
    for each in sums:
        same = [new for old, new in zip(before.cells, cells) if np.array_equal(old, each.cells)]
        if same and pattern.renewal is not None:
            pattern.sums.append(Sums(pattern, same[0], each.pairs, each.layout, each))
    return pattern


class Sums:
    """For each entry of the upper half that elements add to: where the contributions are, those as they are and then those to
    be transposed, as ``lists``; ``targets`` are the entries and ``mirrors`` their transposes, −1 on the diagonal.

    ``cells`` (m, k) are the corners, −1 for none, and ``pairs`` those whose blocks there are: block r of element e has number
    ``hop`` e + ``step`` r. ``before`` are sums of the pattern before: what is not near a change is taken over from them.
    """

    def __init__(
        self,
        pattern: Pattern,
        cells: np.ndarray,
        pairs: Sequence[tuple[int, int]],
        layout: tuple[int, int],
        before: Sums | None = None,
    ):
        self.cells, self.pairs, self.layout = cells, list(pairs), layout
        if before is not None and self._renew(pattern, before):
            return
        target, source, turn = self._contributions(pattern, np.arange(len(cells)))
        there = np.zeros(pattern.entries, bool)
        there[target] = True
        used, inverse = np.flatnonzero(there), (np.cumsum(there) - 1)[target]
        self.halves, order = gather_lists(2 * inverse + turn, 2 * len(used))
        self.targets, self.lists = used.astype(np.int32), source[order].astype(np.int32)
        self.mirrors = _mirrors(pattern, used)

    def is_of(self, cells: np.ndarray, pairs: Sequence[tuple[int, int]], layout: tuple[int, int]) -> bool:
        """Whether they are those of these elements."""
        return (self.pairs, self.layout) == (list(pairs), layout) and np.array_equal(self.cells, cells)

    def _contributions(self, pattern: Pattern, some: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Entry, number and whether it is transposed, of all blocks of some elements in the upper half."""
        m, nodes, (hop, step) = len(some), self.cells[some].astype(np.int64).T, self.layout
        places = [(row, i, j, 0) for row, (i, j) in enumerate(self.pairs)]
        places += [(row, j, i, 1) for row, (i, j) in enumerate(self.pairs) if i != j]  # the transposes
        places.sort(key=lambda place: (place[0], place[3]))
        targets, sources, turns = [], [], []
        few = max(1, AT_ONCE // max(m, 1))
        for first in range(0, len(places), few):
            row, i, j, turned = np.array(places[first : first + few]).T
            here = some * hop + row[:, None] * step
            rows, columns = nodes[i], nodes[j]
            there = np.where((rows >= 0) & (columns >= rows), pattern.find(rows, columns), -1).ravel()
            targets.append(there[there >= 0])
            sources.append(here.ravel()[there >= 0])
            turns.append(np.broadcast_to(turned[:, None], here.shape).ravel()[there >= 0])
        return np.concatenate(targets), np.concatenate(sources), np.concatenate(turns)

    def _renew(self, pattern: Pattern, before: Sums) -> bool:
        """Take over what is not near a change; False where ``before`` is of other elements."""
        renewal = pattern.renewal
        if renewal is None or (before.cells.shape, before.pairs, before.layout) != (
            self.cells.shape,
            self.pairs,
            self.layout,
        ):
            return False
        old = before.cells
        if not _stays(renewal.numbers):
            old = np.where(old >= 0, renewal.numbers[old], -1)
        touched = np.zeros(pattern.count, bool)
        _mark(old, self.cells, touched)
        if (touched & ~renewal.near).any():
            return False
        near = np.append(renewal.near, False)[self.cells]  # the last for corners of number −1
        target, source, turn = self._contributions(pattern, rows_of(near))
        of_both = renewal.near[pattern.rows[target]] & renewal.near[pattern.columns[target]]
        target, source, turn = target[of_both], source[of_both], turn[of_both]
        used, inverse = np.unique(target, return_inverse=True)
        halves, order = gather_lists(2 * inverse + turn, 2 * len(used))
        kept = renewal.kept[before.targets]
        old_targets = renewal.place[before.targets[kept]]
        is_fresh = _merged(old_targets, used)
        counts = np.empty(len(is_fresh), np.int64)  # two numbers in one, which are moved together
        counts[is_fresh] = np.diff(halves).astype(np.int32).view(np.int64)
        counts[~is_fresh] = np.diff(before.halves).astype(np.int32).view(np.int64)[kept]
        self.halves = np.concatenate([[0], np.cumsum(counts.view(np.int32))]).astype(np.int32)
        self.targets = np.empty(len(is_fresh), np.int32)
        self.targets[is_fresh], self.targets[~is_fresh] = used, old_targets
        old_mirrors = before.mirrors[kept]
        self.mirrors = np.empty(len(is_fresh), np.int32)
        self.mirrors[is_fresh] = _mirrors(pattern, used)
        self.mirrors[~is_fresh] = np.where(old_mirrors < 0, -1, renewal.place[old_mirrors])
        index = np.empty(len(is_fresh), np.int64)
        index[is_fresh], index[~is_fresh] = np.arange(len(used)), np.flatnonzero(kept)
        lists = (before.halves[::2], before.lists), (halves[::2], source[order].astype(np.int32))
        self.lists = _joined(lists, is_fresh.astype(int), index)
        return True


def _joined(lists: Sequence[tuple[np.ndarray, np.ndarray]], which: np.ndarray, index: np.ndarray) -> np.ndarray:
    """List ``index[i]`` of ``lists[which[i]]``, each of which is (starts, values), for all i one after the other: in runs."""
    breaks = np.flatnonzero((np.diff(which) != 0) | (np.diff(index) != 1)) + 1
    first, last = np.concatenate([[0], breaks]), np.concatenate([breaks, [len(index)]]) - 1
    pieces = [np.zeros(0, np.int32)]
    if len(index):
        for kind, a, b in zip(which[first].tolist(), index[first].tolist(), (index[last] + 1).tolist()):
            starts, values = lists[kind]
            pieces.append(values[starts[a] : starts[b]])
    return np.concatenate(pieces)


def _mirrors(pattern: Pattern, entries: np.ndarray) -> np.ndarray:
    """Where the transposes of entries are, −1 for those of the diagonal."""
    rows, columns = pattern.rows[entries], pattern.columns[entries]
    return np.where(rows < columns, pattern.find(columns, rows), -1).astype(np.int32)
