"""Which entries a matrix has, and which corners of elements add up to each; after a cut only what it touched is made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..geometry.near import differing_rows, equal, rows_at
from .gather import gather_lists
from .lists_native import contributions, renew_pattern, renew_sums

FEW = 32  # times as many entries as contributions: from there on it is faster to sort these
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
        self,
        count: int,
        cells: Sequence[np.ndarray],
        keys: np.ndarray | None = None,
        places: Sequence[np.ndarray] | None = None,
    ):
        self.count, self.alive, self.cells = count, count, list(cells)
        if keys is None:
            found = [np.arange(count, dtype=np.int64) * (count + 1)]
            for group in self.cells:
                group = group.astype(np.int64)
                found += [_distinct(group[:, i, None] * count + group) for i in range(group.shape[1])]
            keys = _distinct(np.concatenate(found))
        if places is None:
            rows = (keys // count).astype(np.int32)
            columns = (keys - rows * np.int64(count)).astype(np.int32)
            row_start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int32)
            places = rows, columns, row_start, np.flatnonzero(rows == columns).astype(np.int32)
        self.keys, (self.rows, self.columns, self.row_start, self.diagonal) = keys, places
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
        return np.array_equal(made.numbers, numbers) and all(map(equal, self.cells, cells))

    def foresee_sums(self, before: Pattern, sums: Sequence[Sums]) -> None:
        """Find what is added up in it, which was made of another one, from the ``sums`` in that, beside the steps."""
        for each in sums:
            same = [new for old, new in zip(before.cells, self.cells) if equal(old, each.cells)]
            if same and self.renewal is not None:
                self.sums.append(Sums(self, same[0], each.pairs, each.layout, each))

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
        own = group[rows_at(group, near)].astype(np.int64)
        is_near = near[own]
        both = is_near[:, :, None] & is_near[:, None, :]
        fresh.append((own[:, :, None] * count + own[:, None, :])[both])
    fresh = _distinct(np.concatenate(fresh))
    most = before.entries + len(fresh)
    rows, columns, keys = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int64)
    row_start, diagonal = np.empty(count + 1, np.int32), np.empty(count, np.int32)
    kept, place = np.zeros(before.entries, bool), np.empty(before.entries, np.int32)
    old = (before.row_start, before.columns, numbers.astype(np.int32), len(numbers))  # those to spare come after them
    renew_pattern(*old, near, fresh, len(fresh), count, rows, columns, keys, row_start, diagonal, kept, place)
    made = int(row_start[-1])
    pattern = Pattern(count, cells, keys[:made], (rows[:made], columns[:made], row_start, diagonal))
    pattern.renewal = Renewal(before, numbers, near, kept, place)
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


Foreseen = Callable[[], Pattern | None]  # a pattern for which a thread is waited


def fitting(
    foreseen: Foreseen | None, before: Pattern, numbers: np.ndarray, count: int, cells: Sequence[np.ndarray]
) -> Pattern | None:
    """What was foreseen, where it is right."""
    known = None if foreseen is None else foreseen()
    return known if known is not None and known.is_after(before, numbers, count, cells) else None


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
        every = np.ones(pattern.count, bool)
        self.targets, self.mirrors, self.halves, self.lists = self._listed(pattern, np.arange(len(cells)), every)

    def is_of(self, cells: np.ndarray, pairs: Sequence[tuple[int, int]], layout: tuple[int, int]) -> bool:
        """Whether they are those of these elements."""
        return (self.pairs, self.layout) == (list(pairs), layout) and equal(self.cells, cells)

    def _contributions(
        self, pattern: Pattern, some: np.ndarray, near: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Entry, number and whether it is transposed, of the blocks of some elements in the upper half between ``near`` nodes."""
        places = [(row, i, j, 0) for row, (i, j) in enumerate(self.pairs)]
        places += [(row, j, i, 1) for row, (i, j) in enumerate(self.pairs) if i != j]  # the transposes
        places.sort(key=lambda place: (place[0], place[3]))
        cells, numbers = np.ascontiguousarray(self.cells, np.int32), np.ascontiguousarray(some, np.int32)
        target, source, turn = (np.empty(len(places) * len(some), np.int32) for _ in range(3))
        found, listed = np.empty(1, np.int64), np.array(places, np.int32)
        given = (cells, numbers, len(numbers), cells.shape[1], listed, len(places), *self.layout, near)
        contributions(*given, pattern.row_start, pattern.columns, target, source, turn, found)
        return target[: found[0]], source[: found[0]], turn[: found[0]]

    def _renew(self, pattern: Pattern, before: Sums) -> bool:
        """Take over what is not near a change; False where ``before`` is of other elements."""
        renewal = pattern.renewal
        if renewal is None or (before.cells.shape, before.pairs, before.layout) != (
            self.cells.shape,
            self.pairs,
            self.layout,
        ):
            return False
        pairs = zip(renewal.before.cells, pattern.cells)
        if not any(old is before.cells and new is self.cells for old, new in pairs):  # else ``near`` was made of them
            old = before.cells
            if not _stays(renewal.numbers):
                old = np.where(old >= 0, renewal.numbers[old], -1)
            touched = np.zeros(pattern.count, bool)
            _mark(old, self.cells, touched)
            if (touched & ~renewal.near).any():
                return False
        used = self._listed(pattern, rows_at(self.cells, renewal.near), renewal.near)
        old = (before.targets, before.mirrors, before.halves, before.lists)
        count, length = len(old[0]) + len(used[0]), len(old[3]) + len(used[3])
        made = [np.empty(size, np.int32) for size in (count, count, 2 * count + 1, length)]
        found = np.empty(2, np.int64)
        renew_sums(*old, len(old[0]), renewal.kept, renewal.place, *used, len(used[0]), *made, found)
        count, length = found.tolist()
        self.targets, self.mirrors, self.halves = made[0][:count], made[1][:count], made[2][: 2 * count + 1]
        self.lists = made[3][:length]
        return True

    def _listed(
        self, pattern: Pattern, some: np.ndarray, near: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Targets, mirrors, halves and lists of the sums of some elements in the entries between ``near`` nodes."""
        target, source, turn = self._contributions(pattern, some, near)
        if FEW * len(target) < pattern.entries:
            used = _distinct(target)
            own = np.searchsorted(used, target).astype(np.int32)
        else:
            number = np.zeros(pattern.entries, np.int32)
            number[target] = 1
            used = np.flatnonzero(number).astype(np.int32)
            number[used] = np.arange(len(used), dtype=np.int32)
            own = number[target]
        halves, order = gather_lists(2 * own + turn, 2 * len(used))
        return used, _mirrors(pattern, used), halves, source[order]


def _mirrors(pattern: Pattern, entries: np.ndarray) -> np.ndarray:
    """Where the transposes of entries are, −1 for those of the diagonal."""
    rows, columns = pattern.rows[entries], pattern.columns[entries]
    return np.where(rows < columns, pattern.find(columns, rows), -1).astype(np.int32)
