"""Other numbers for some rows of arrays that steps work on.

On the CPU they are written at once. A GPU takes longer to be told of a write than to make it: those of a ``together`` go there in
one copy, and one kernel puts every word where it belongs.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import warp as wp

from .device import Device, family, kind_of

THREADS = 1 << 17  # that put words
COLUMNS = 7  # of the table: first word, address, words of an item, places, how many, items of a plane, values

_FIND = """
    const long long* row = (const long long*)table.data;
    int low = 0, high = parts - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (row[COLUMNS * middle] <= i) low = middle; else high = middle - 1;
    }
    row += COLUMNS * low;
    const long long w = i - row[0], item = w / row[2];
    long long place = item;
    if (row[3] >= 0) place = item / row[4] * row[5] + words.data[row[3] + item % row[4]];
    int* there = (int*)row[1] + place * row[2] + w % row[2];
    int* here = words.data + row[6] + w;
""".replace("COLUMNS", str(COLUMNS))

ints, longs = wp.array(dtype=wp.int32), wp.array(dtype=wp.int64)


@wp.func_native(_FIND + "*there = *here;")
def put_word(i: int, parts: int, table: longs, words: ints):
    """Word i of all that is written, from where it was sent to where it belongs."""
    ...


@wp.func_native(_FIND + "*here = *there;")
def get_word(i: int, parts: int, table: longs, words: ints):
    """The same the other way."""
    ...


@family
def writing_kernels(t):
    @t.kernel
    def put(start: int, parts: int, total: int, threads: int, table: longs, words: ints):
        for i in range(start + wp.tid(), total, threads):
            put_word(i, parts, table, words)

    @t.kernel
    def get(start: int, parts: int, total: int, threads: int, table: longs, words: ints):
        for i in range(start + wp.tid(), total, threads):
            get_word(i, parts, table, words)

    return locals()


class _Mail:
    """What goes to a device and back: words, and a table that says which of them belong where."""

    def __init__(self, device: Device):
        self.device, self.held = device, False
        self.listed: list[tuple[wp.array, int, np.ndarray | None, np.ndarray]] = []
        self._named: set[int] = set()  # arrays of these
        self._room, self._sent = (0, 0), None

    def add(self, array: wp.array, first: int, where: np.ndarray | None, values: np.ndarray) -> None:
        """Items of an array from ``first`` on, or the columns ``where``, are to be ``values``."""
        if id(array) in self._named:  # words that are put at once have no order
            self.put()
        self._named.add(id(array))
        self.listed.append((array, first, where, values))
        self.device.settle = self.put
        if not self.held:
            self.put()

    def put(self) -> None:
        """Write all that is listed."""
        listed, self.listed, self._named, self.device.settle = self.listed, [], set(), None
        if any(values.size for _, _, _, values in listed):
            self._launch("put", len(listed), *self._send(listed, fill=True))

    def get(self, rows: np.ndarray, arrays: tuple[wp.array, ...]) -> list[np.ndarray]:
        """The rows of arrays as they are now."""
        self.put()
        empty = [np.empty((len(rows), *kind_of(a.dtype)[1]), kind_of(a.dtype)[0]) for a in arrays]
        listed = [(array, 0, rows, values) for array, values in zip(arrays, empty)]
        at, end = self._send(listed, fill=False)
        self._launch("get", len(listed), at, end)
        wp.copy(self._words[1], self._words[0], dest_offset=at, src_offset=at, count=end - at)
        self.device.synchronize()
        for _, _, _, values in listed:
            size = values.nbytes // 4
            values.reshape(-1).view(np.int32)[:] = self._seen[0][at : at + size]
            at += size
        return empty

    def _send(self, listed: list, fill: bool) -> tuple[int, int]:
        """Send the table, places, and values if they are to be written; where the words of the values begin and end."""
        places = {id(where): where for _, _, where, _ in listed if where is not None}
        begin = sum(map(len, places.values()))
        kinds = [np.dtype(kind_of(array.dtype)[0]) for array, _, _, _ in listed]
        sizes = [kind.itemsize // 4 * values.size for kind, (_, _, _, values) in zip(kinds, listed)]
        self._make_room(begin + sum(sizes), len(listed))
        words, table = self._seen
        at, where_at, rows = 0, {}, []
        for key, where in places.items():
            words[at : at + len(where)], where_at[key] = where, at
            at += len(where)
        for (array, first, where, values), kind, size in zip(listed, kinds, sizes):
            width, many = array.strides[-1] // 4, 1 if where is None else len(where)
            item = (at - begin, array.ptr + 4 * width * first, width)
            rows.append((*item, where_at.get(id(where), -1), many, array.shape[-1], at))
            if fill:
                words[at : at + size].view(kind).reshape(values.shape)[...] = values
            at += size
        table[: len(rows)] = rows
        wp.copy(*self._words, count=at if fill else begin)
        wp.copy(*self._table, count=COLUMNS * len(listed))
        self._sent = self.device.warp.stream.record_event() if not self.device.is_cpu else None
        return begin, at

    def _make_room(self, words: int, parts: int) -> None:
        """Arrays on the device and on the host, where a GPU reads without a detour; what was sent before has arrived."""
        if self._sent is not None:
            wp.synchronize_event(self._sent)
        if words > self._room[0] or parts > self._room[1]:
            self._room = words, parts = max(1 << 16, 2 * words), max(64, 2 * parts)
            sizes, pinned = ((words, wp.int32), (COLUMNS * parts, wp.int64)), not self.device.is_cpu
            made = [(self.device.zeros(n, k), wp.zeros(n, k, device="cpu", pinned=pinned)) for n, k in sizes]
            self._words, self._table = made
            self._seen = self._words[1].numpy(), self._table[1].numpy().reshape(-1, COLUMNS)

    def _launch(self, kernel: str, parts: int, begin: int, end: int) -> None:
        mail = (parts, end - begin, THREADS, self._table[0], self._words[0])
        self.device.launch(getattr(writing_kernels(self.device.precision), kernel), THREADS, *mail)


def _mail(device: Device) -> _Mail:
    if device.mail is None:
        device.mail = _Mail(device)
    return device.mail


@contextmanager
def together(device: Device) -> Iterator[None]:
    """Make the writes of a ``with`` at its end, or before the device does anything else."""
    mail = None if device.is_cpu else _mail(device)
    try:
        if mail is not None:
            mail.held = True
        yield
    finally:
        if mail is not None:
            mail.held = False
            mail.put()


def write(device: Device, array: wp.array, values: np.ndarray) -> None:
    """Give an array, or the first of its items, other numbers of its kind; on the CPU at once in its own memory."""
    if device.is_cpu and array.is_contiguous:
        np.copyto(array.numpy()[: len(values)], values)
    elif array.is_contiguous:
        _mail(device).add(array, 0, None, values)
    else:
        array.assign(values)


def write_rows(device: Device, array: wp.array, rows: slice | np.ndarray, values: np.ndarray) -> None:
    """Give some rows of an array other numbers; a slice has no steps."""
    if device.is_cpu:
        array.numpy()[rows] = values
    elif isinstance(rows, slice):
        _mail(device).add(array, rows.start or 0, None, values)
    elif len(rows):
        _mail(device).add(array, 0, rows, values)


def write_columns(device: Device, array: wp.array, columns: np.ndarray, values: np.ndarray) -> None:
    """Give some columns of an array other numbers."""
    if device.is_cpu:
        array.numpy()[:, columns] = values
    elif len(columns):
        _mail(device).add(array, 0, columns, values)


def read_rows(device: Device, rows: np.ndarray, *arrays: wp.array) -> list[np.ndarray]:
    """Some rows of arrays as they are now, for which a GPU is waited for once."""
    if device.is_cpu or not len(rows):
        return [array.numpy()[rows] for array in arrays]
    return _mail(device).get(rows, arrays)
