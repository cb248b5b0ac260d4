"""Selected inverse launch plan on a GPU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ....runtime.device import Device
from ..symbolic.symbolic_factor import Analysis
from .front_launches import ragged
from .front_native import TILE
from .selected_inverse_kernels import FIELDS

Span = tuple[int, int]  # first task and number of tasks


@dataclass(frozen=True)
class PathPlan:
    """Layout of the columns of some unknowns, and order of launches.

    ``unknowns``: in the order of their columns, in which those below each front follow one another. ``levels``: tiles of
    each level, leaves first, and in a level those of most work first. ``solved``, ``handed``: sizes.
    """

    unknowns: np.ndarray
    low: np.ndarray  # (fronts,) first column of each front
    width: np.ndarray  # (fronts,) and how many
    table: wp.array
    tasks: wp.array
    pivot: wp.array
    levels: tuple[Span, ...]
    solved: int
    handed: int


@dataclass(frozen=True)
class Columns:
    """Columns of unknowns in an order in which those below each front follow one another, its own after them.

    Front f has the columns ``low[f]`` to ``low[f] + width[f]``, ``own[f]`` of them its own; ``active`` fronts have any.
    """

    unknowns: np.ndarray
    low: np.ndarray
    width: np.ndarray
    own: np.ndarray
    active: np.ndarray


def columns_of(a: Analysis, unknowns: np.ndarray) -> Columns:
    """Lay out the columns of distinct ``unknowns``; those of a front stay in the order in which they are given."""
    owner = a.owner[a.inverse[unknowns]]
    own = np.bincount(owner, minlength=a.fronts)
    active = a.paths(owner)
    width, low, cursor = own.copy(), np.zeros(a.fronts, np.int64), np.zeros(a.fronts, np.int64)
    for f in active:  # children come before their parents
        if a.parent[f] >= 0:
            width[a.parent[f]] += width[f]
    begun = 0
    for f in active[::-1]:
        up = a.parent[f]
        if up < 0:
            low[f], begun = begun, begun + width[f]
        else:
            low[f] = cursor[up]
            cursor[up] += width[f]
        cursor[f] = low[f]
    order = np.argsort(owner, kind="stable")
    rank = np.arange(len(order)) - np.searchsorted(owner[order], owner[order])
    column = np.empty(len(order), np.int64)
    column[order] = (low + width - own)[owner[order]] + rank
    ordered = np.empty_like(unknowns)
    ordered[column] = unknowns
    return Columns(ordered, low, width, own, active)


def path_plan(a: Analysis, unknowns: np.ndarray, device: Device) -> PathPlan:
    """Lay out the columns of distinct ``unknowns``, and their launches."""
    laid = columns_of(a, unknowns)
    ordered, low, width, own, active = laid.unknowns, laid.low, laid.width, laid.own, laid.active
    c, h = a.pivots, a.pivots + a.below
    depth = a.depth[active]
    ends, handed = [0, 0], np.zeros(a.fronts, np.int64)  # stores of even and of odd levels
    for k in range(depth.max() + 1):
        mine = active[depth == k]
        sizes = h[mine] * width[mine]
        handed[mine] = np.cumsum(sizes) - sizes
        ends[k % 2] = max(ends[k % 2], int(sizes.sum()))
    odd = active[depth % 2 == 1]
    handed[odd] += ends[0]
    sizes = np.zeros(a.fronts, np.int64)
    sizes[active] = c[active] * width[active]
    solved = np.cumsum(sizes) - sizes
    fields = {"start": a.start[:-1], "low": low, "width": width, "solved": solved, "handed": handed}
    tasks, levels = _levels(a, active, width, width - own)
    return PathPlan(
        unknowns=ordered,
        low=low,
        width=width,
        table=device.array(np.stack([fields[name] for name in FIELDS], axis=1).reshape(-1), wp.int64),
        tasks=device.array(tasks, wp.vec4i),
        pivot=device.array(a.inverse[ordered], wp.int32),
        levels=levels,
        solved=int(sizes.sum()),
        handed=max(1, sum(ends)),
    )


def _levels(a: Analysis, fronts: np.ndarray, width: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, tuple[Span, ...]]:
    """Tiles (front, first row, first column, first of its ``own`` columns) of all rows of fronts, and those of each level."""
    wide = -(-width // TILE)

    def tiles(count: np.ndarray, first: np.ndarray) -> np.ndarray:
        """Those of ``count`` rows from row ``first`` of each front on."""
        owner, at = ragged((-(-count // TILE) * wide)[fronts])
        f = fronts[owner]
        return np.stack([f, first[f] + TILE * (at // wide[f]), TILE * (at % wide[f]), own[f]], axis=1)

    tasks = np.concatenate([tiles(a.pivots, 0 * a.pivots), tiles(a.below, a.pivots)])
    f = tasks[:, 0]
    tasks = tasks[np.lexsort((-np.minimum(tasks[:, 1] + TILE, a.pivots[f]), -a.depth[f]))]
    depths = np.unique(a.depth[fronts])[::-1]
    level = -a.depth[tasks[:, 0]]  # ascends
    first, last = np.searchsorted(level, -depths), np.searchsorted(level, -depths, side="right")
    return tasks, tuple((int(i), int(j - i)) for i, j in zip(first, last))


@dataclass(frozen=True)
class Meeting:
    """Tiles of the products of the columns of one plan with those of another, or of itself, and the fronts where they meet."""

    tasks: wp.array
    segments: wp.array
    count: int


def meeting(pivots: np.ndarray, one: PathPlan, other: PathPlan, device: Device) -> Meeting:
    """The tiles of columns that share a front, of ``pivots`` each; of a plan with itself, those on and below the diagonal."""
    fronts = np.flatnonzero((one.width > 0) & (other.width > 0))
    first, second = one.low[fronts] // TILE, other.low[fronts] // TILE
    wide = (one.low + one.width - 1)[fronts] // TILE - first + 1
    tall = (other.low + other.width - 1)[fronts] // TILE - second + 1
    owner, at = ragged(wide * tall)
    i, j = first[owner] + at % wide[owner], second[owner] + at // wide[owner]
    if one is other:
        lower = j >= i
        owner, i, j = owner[lower], i[lower], j[lower]
    size = int(i.max(initial=0)) + 1
    order = np.argsort(j * size + i, kind="stable")
    key = (j * size + i)[order]
    begins = np.flatnonzero(np.diff(key, prepend=-1))
    tasks = np.stack([i[order][begins], j[order][begins], begins, np.append(begins, len(key))[1:]], axis=1)
    work = np.add.reduceat(pivots[fronts[owner[order]]], begins) if len(begins) else begins
    tasks = tasks[np.argsort(-work, kind="stable")]  # those of most work first
    return Meeting(device.array(tasks, wp.vec4i), device.array(fronts[owner[order]], wp.int32), len(tasks))
