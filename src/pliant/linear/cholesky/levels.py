"""The fronts of a factor level by level, leaves first: all that a GPU can do at one time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ...device import Device
from .level_kernels import SEGMENT
from .symbolic import Analysis

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Levels:
    """Rows ("lines") and columns of all fronts and their segments ("pieces"), each list sorted by level.

    ``spans`` hold (offset, count) of each level in such a list. A line gathers from the updates that children hand
    over at the places ``gather[gather_start[i] : gather_start[i + 1]]``, in the order of the children.
    """

    line_start: wp.array  # (fronts,)
    line_front: wp.array
    line_node: wp.array  # node of a pivot, −1 for a row below
    gather_start: wp.array
    gather: wp.array
    lower_start: wp.array  # (fronts,) first piece of each front for L
    lower_front: wp.array
    columns: wp.array
    column_front: wp.array
    upper_start: wp.array  # (fronts,) first piece of each front for Lᵀ
    upper_front: wp.array
    line_spans: Spans
    lower_spans: Spans
    column_spans: Spans
    upper_spans: Spans

    @property
    def pieces(self) -> int:
        """Most pieces that either substitution makes."""
        return max(self.lower_front.shape[0], self.upper_front.shape[0])


def levels_of(a: Analysis, device: Device) -> Levels:
    """Sort what ``a`` describes by level; a level is one more than the highest of its children."""
    level = np.zeros(a.fronts, np.int64)
    for f in range(a.fronts):
        if a.parent[f] >= 0:
            level[a.parent[f]] = max(level[a.parent[f]], level[f] + 1)
    order = np.argsort(level, kind="stable")
    height = a.pivots + a.below
    line_start, line_front = _laid(order, height)
    row = np.arange(len(line_front)) - line_start[line_front]
    pivot = row < a.pivots[line_front]
    line_node = np.full(len(row), -1)
    line_node[pivot] = a.permutation[(a.start[line_front] + row)[pivot]]
    target = line_start[np.repeat(a.parent, a.below)] + a.relative  # rows below exist only where there is a parent
    gather = np.argsort(target, kind="stable")
    gather_start = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=len(row)))])
    lower_start, lower_front = _laid(order, height * -(-a.pivots // SEGMENT))
    upper_start, upper_front = _laid(order, a.pivots * -(-height // SEGMENT))
    columns = np.argsort(level[a.owner], kind="stable")
    column_front = a.owner[columns]
    ints = [
        line_start, line_front, line_node, gather_start, gather, lower_start, lower_front, columns, column_front,
        upper_start, upper_front,
    ]  # fmt: skip
    spans = [_spans(level[fronts]) for fronts in (line_front, lower_front, column_front, upper_front)]
    return Levels(*[device.array(v, wp.int32) for v in ints], *spans)


def _laid(order: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First item of each front and front of each item, fronts in the given order."""
    first = np.empty(len(sizes), np.int64)
    first[order] = np.cumsum(sizes[order]) - sizes[order]
    return first, np.repeat(order, sizes[order])


def _spans(level: np.ndarray) -> Spans:
    """(offset, count) of each level in a sorted list."""
    counts = np.bincount(level)
    return tuple(zip((np.cumsum(counts) - counts).tolist(), counts.tolist()))
