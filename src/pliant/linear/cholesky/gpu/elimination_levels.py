"""Elimination levels: fronts leaves first, cut into blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ....runtime.device import Device
from ..symbolic.front_layout import GRANULE, STEP
from ..symbolic.symbolic_factor import Analysis
from .level_kernels import FIELDS

SEGMENT = 64  # entries that one thread multiplies,
LEAST_SEGMENT = 16  # or down to so many
ENOUGH = 100_000  # on levels with fewer pieces than this,
MOST_ADDED = 64  # unless there are more partial sums than this

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Blocks:
    """Dense blocks of all fronts for one substitution; a thread takes one piece of a block.

    ``block_of``: block of each GRANULE pieces; ``table``: ``FIELDS`` of each block; ``spans``: (offset, count) of the
    pieces of each level; ``pieces``, ``entries``, ``partials``: of all of them.
    """

    block_of: wp.array
    table: wp.array
    spans: Spans
    pieces: int
    entries: int
    partials: int


@dataclass(frozen=True)
class Levels:
    """Rows ("lines") of all fronts and blocks for both substitutions, each list sorted by level.

    Sums to be added up are given as (first, stride, count). A line gathers the updates of children from the sums
    ``gather[gather_start[i] : gather_start[i + 1]]``, in the order of the children. In backward substitution it takes
    ``sources``: sums of L (0), less sums of Lᵀ (1), or another line (2). ``results``: node and sums of each x.
    """

    lower: Blocks
    upper: Blocks
    line_node: wp.array  # node of a pivot, −1 for a row below
    gather_start: wp.array
    gather: wp.array
    sources: wp.array
    results: wp.array
    line_spans: Spans

    @property
    def lines(self) -> int:
        return self.line_node.shape[0]

    @property
    def arrays(self) -> tuple[wp.array, ...]:
        lists = (self.line_node, self.gather_start, self.gather, self.sources, self.results)
        return (*lists, self.lower.block_of, self.lower.table, self.upper.block_of, self.upper.table)


def levels_of(a: Analysis, packed_start: np.ndarray, device: Device) -> Levels:
    """Sort the fronts of ``a`` by level; a level is one more than the highest of its children."""
    level = np.zeros(a.fronts, np.int64)
    for f in range(a.fronts):
        if a.parent[f] >= 0:
            level[a.parent[f]] = max(level[a.parent[f]], level[f] + 1)
    order = np.argsort(level, kind="stable")
    height = a.pivots + a.below
    tall, wide = _up(height, GRANULE), _up(a.pivots, GRANULE)  # threads to the rows and to the columns of a front
    line_start, line_front = _laid(order, tall)
    row = np.arange(len(line_front)) - line_start[line_front]
    known = {"pivots": a.pivots, "height": height, "packed": packed_start}

    # L: strips of columns, each from its own first row down
    cut = _segments(level, tall, a.pivots)
    lower_start, f, s = _cut(order, tall, -(-a.pivots // cut))
    begin = s * cut[f]
    fields = {"line": line_start[f] + begin, "partial": lower_start[f] + s * tall[f] + begin, "begin": begin}
    length = np.minimum(cut[f], _up(a.pivots, STEP)[f] - begin)
    lower = _blocks(device, level, f, tall[f] - begin, length, fields, known)

    # Lᵀ: strips of rows, each from the first column to its own last one
    cut_rows = _segments(level, wide, height)
    upper_start, f, s = _cut(order, wide, -(-height // cut_rows))
    begin = s * cut_rows[f]
    fields = {"line": line_start[f] + begin, "partial": upper_start[f] + s * wide[f], "begin": begin}
    length = np.minimum(cut_rows[f], _up(height, STEP)[f] - begin)
    upper = _blocks(device, level, f, np.minimum(wide[f], begin + cut_rows[f]), length, fields, known)

    def lower_sums(front: np.ndarray, row: np.ndarray) -> list[np.ndarray]:
        return [lower_start[front] + row, tall[front], np.minimum(row, a.pivots[front] - 1) // cut[front] + 1]

    def upper_sums(front: np.ndarray, column: np.ndarray) -> list[np.ndarray]:
        skipped = column // cut_rows[front]
        return [
            upper_start[front] + skipped * wide[front] + column, wide[front], -(-height[front] // cut_rows[front]) - skipped
        ]  # fmt: skip

    pivot = row < a.pivots[line_front]
    node = np.full(len(row), -1)
    node[pivot] = a.permutation[(a.start[line_front] + row)[pivot]]
    child = np.repeat(np.arange(a.fronts), a.below)
    child_row = a.pivots[child] + np.arange(len(child)) - a.row_start[child]
    up = a.parent[child]  # rows below exist only where there is a parent
    target = line_start[up] + a.relative
    gather = np.argsort(target, kind="stable")
    gather_start = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=len(row)))])
    sources = np.zeros((len(row), 4), np.int64)  # padding lines add no sums
    sources[pivot, :3] = np.column_stack(lower_sums(line_front[pivot], row[pivot]))
    handed = np.column_stack([*upper_sums(up, np.minimum(a.relative, a.pivots[up] - 1)), np.ones(len(up), np.int64)])
    passed = a.relative >= a.pivots[up]
    handed[passed] = np.column_stack([target[passed], *np.tile([[0], [0], [2]], passed.sum())])
    sources[line_start[child] + child_row] = handed
    column = np.arange(a.count) - a.start[a.owner]
    return Levels(
        lower=lower,
        upper=upper,
        line_node=device.array(node, wp.int32),
        gather_start=device.array(gather_start, wp.int32),
        gather=device.array(np.column_stack(lower_sums(child, child_row))[gather], wp.vec3i),
        sources=device.array(sources, wp.vec4i),
        results=device.array(np.column_stack([a.permutation, *upper_sums(a.owner, column)]), wp.vec4i),
        line_spans=_spans(level[line_front], np.ones(len(line_front), np.int64)),
    )


def _up(values: np.ndarray, step: int) -> np.ndarray:
    """The next multiple of a step."""
    return -(-values // step) * step


def _segments(level: np.ndarray, lanes: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Length (fronts,) of the segments of ``lengths``: shorter on levels with few threads."""
    segments = np.full(len(level), SEGMENT)
    for k in range(level.max() + 1):
        mine = level == k
        cut = SEGMENT
        while cut > LEAST_SEGMENT and (lanes * -(-lengths // cut))[mine].sum() < ENOUGH:
            if lengths[mine].max() > MOST_ADDED * cut // 2:
                break
            cut //= 2
        segments[mine] = cut
    return segments


def _laid(order: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First item of each front and front of each item, fronts in the given order."""
    first = np.empty(len(sizes), np.int64)
    first[order] = np.cumsum(sizes[order]) - sizes[order]
    return first, np.repeat(order, sizes[order])


def _cut(order: np.ndarray, lanes: np.ndarray, strips: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First sum of each front, one for each lane and strip; and front and number of each strip."""
    first, _ = _laid(order, lanes * strips)
    begin, front = _laid(order, strips)
    return first, front, np.arange(len(front)) - begin[front]


def _blocks(
    device: Device,
    level: np.ndarray,
    front: np.ndarray,
    lanes: np.ndarray,
    length: np.ndarray,
    own: dict[str, np.ndarray],
    known: dict[str, np.ndarray],
) -> Blocks:
    """Blocks one after the other: ``own`` names fields of each block, ``known`` those of its front."""
    sizes = lanes * length
    fields = {
        "first": np.cumsum(lanes) - lanes,
        "lanes": lanes,
        "place": np.cumsum(sizes) - sizes,
        "length": length,
        **own,
        **{name: values[front] for name, values in known.items()},
    }
    table = np.stack([fields[name] for name in FIELDS], axis=1)
    return Blocks(
        block_of=device.array(np.repeat(np.arange(len(front)), lanes // GRANULE), wp.int32),
        table=device.array(table.reshape(-1), wp.int64),
        spans=_spans(level[front], lanes),
        pieces=int(lanes.sum()),
        entries=int(sizes.sum()),
        partials=int((fields["partial"] + lanes).max()),
    )


def _spans(level: np.ndarray, sizes: np.ndarray) -> Spans:
    """(offset, count) of each level in a sorted list."""
    counts = np.bincount(level, weights=sizes).astype(np.int64)
    return tuple(zip((np.cumsum(counts) - counts).tolist(), counts.tolist()))
