"""Front launches of a GPU factorisation, level by level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ....runtime.device import Device
from ..symbolic.symbolic_factor import Analysis
from .front_kernels import FIELDS
from .front_native import TILE

Launch = tuple[str, int, int]  # kernel, first task, number of tasks


@dataclass(frozen=True)
class FrontPlan:
    """Memory layout and order of launches.

    ``tasks``: (front, tile of rows, tile of columns, step) of all launches; ``gather``: (child, row of its update) of
    each line of each front, ``gather[gather_start[i] : gather_start[i + 1]]`` for line i. ``place``: index in the panels of each
    entry of the lower triangle, in the order of the pattern. ``panels``, ``updates``: sizes.
    """

    table: wp.array
    tasks: wp.array
    gather_start: wp.array
    gather: wp.array
    place: wp.array
    launches: tuple[Launch, ...]
    panel_start: np.ndarray  # (fronts + 1,)
    panels: int
    updates: int

    @property
    def arrays(self) -> tuple[wp.array, ...]:
        return self.table, self.tasks, self.gather_start, self.gather, self.place


def front_plan(a: Analysis, device: Device) -> FrontPlan:
    """Levels are counted from the roots, so that children stand one below their parent: updates need two stores."""
    level = a.depth.max() - a.depth
    c, b = a.pivots, a.below
    sizes = (2 * c + b) * c
    panel_start = np.concatenate([[0], np.cumsum(sizes)])
    update, ends = np.zeros(a.fronts, np.int64), [0, 0]  # stores of even and of odd levels
    for k in range(level.max() + 1):
        mine = np.flatnonzero(level == k)
        update[mine] = np.cumsum(b[mine] ** 2) - b[mine] ** 2
        ends[k % 2] = max(ends[k % 2], int((b[mine] ** 2).sum()))
    update[level % 2 == 1] += ends[0]
    line = np.cumsum(c + b) - (c + b)
    columns = {"pivots": c, "below": b, "panel": panel_start[:-1], "update": update, "line": line}

    child = np.repeat(np.arange(a.fronts), b)
    target = line[a.parent[child]] + a.relative  # rows below exist only where there is a parent
    order = np.argsort(target, kind="stable")
    gather_start = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=int((c + b).sum())))])
    gather = np.column_stack([child, np.arange(len(child)) - a.row_start[child]])[order]

    front = np.repeat(np.arange(a.fronts), np.diff(a.entry_start))
    height = (c + b)[front]
    column, row = a.entry_place // height, a.entry_place % height
    place = np.empty(len(front), np.int64)
    place[a.entry_order] = panel_start[front] + column * (height + c[front]) + row

    tasks, launches = _launches(level, -(-c // TILE), -(-b // TILE))
    return FrontPlan(
        table=device.array(np.stack([columns[name] for name in FIELDS], axis=1).reshape(-1), wp.int64),
        tasks=device.array(tasks, wp.vec4i),
        gather_start=device.array(gather_start, wp.int32),
        gather=device.array(gather.reshape(-1, 2), wp.vec2i),
        place=device.array(place, wp.int64),
        launches=launches,
        panel_start=panel_start,
        panels=int(panel_start[-1]),
        updates=max(1, sum(ends)),
    )


def _launches(level: np.ndarray, across: np.ndarray, down: np.ndarray) -> tuple[np.ndarray, tuple[Launch, ...]]:
    """All tasks and the launches over them; ``across``, ``down``: tiles of the pivots and of the rows below (fronts,)."""
    lists: list[np.ndarray] = []
    launches: list[Launch] = []
    done = 0

    def add(kernel: str, *columns: np.ndarray | int) -> None:
        nonlocal done
        made = np.stack([np.broadcast_to(column, columns[0].shape) for column in columns], axis=1)
        if len(made):
            lists.append(made)
            launches.append((kernel, done, len(made)))
            done += len(made)

    for k in range(level.max() + 1):
        mine = np.flatnonzero(level == k)
        add("assemble", *_lower_tiles(mine, 0 * mine, (across + down)[mine]), 0)
        for step in range(across[mine].max()):
            f = mine[across[mine] > step]
            add("eliminate_diagonal", f, 0, 0, step)
            # rows of L₁₁⁻ᵀ begin at the step of their tile and are numbered after all others
            owner, at = ragged((across + down - 1)[f])
            add("solve_rows", f[owner], step + 1 + at, 0, step)
            owner, at = ragged(across[f] - 1 - step)
            g, columns = f[owner], step + 1 + at
            owner, at = ragged((across + down)[g] + step + 1 - columns)
            add("subtract_step", g[owner], columns[owner] + at, columns[owner], step)
        add("subtract_update", *_lower_tiles(mine, across[mine], down[mine]), 0)
    owner, at = ragged(down)
    add("multiply_inverse", owner, across[owner] + at, 0, 0)
    return np.concatenate(lists), tuple(launches)


def ragged(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each of ``counts`` items of each owner: the owner, and its index among them."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def _lower_tiles(fronts: np.ndarray, first: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, ...]:
    """Front, row and column of the tiles on and below the diagonal of squares of so many tiles."""
    owner, column = ragged(counts)
    own, below = ragged(counts[owner] - column)
    owner, column = owner[own], column[own]
    return fronts[owner], first[owner] + column + below, first[owner] + column
