"""Selected inverse kernels on a GPU: columns of L⁻¹.

The columns of the unknowns below a front are contiguous, row by row of the front. Updates of children are stored
negated, so that right-hand sides and rows below alike are sums. The CPU runs these kernels too, as the reference.
"""

import functools
from typing import Any

import warp as wp

from ....runtime.build_lock import alone
from ....runtime.device import Types, family
from .front_kernels import FIELDS as FRONT
from .front_native import ADD, SET, SUBTRACT, TILE, front_functions

# of each front: its first pivot, its first column and how many, where their solved and their handed rows stand
FIELDS = ("start", "low", "width", "solved", "handed")


@alone
@functools.cache
def columns_struct(precision: str) -> Any:
    """Columns of L⁻¹, and their offsets in the inverse."""
    t = Types(precision, "selected_inverse_structs")
    longs, reals = wp.array(dtype=wp.int64), wp.array(dtype=t.real)

    @functools.partial(wp.struct, module=t.module)
    class Columns:
        first: wp.int32
        table: longs
        solved: reals

    return Columns


@family
def cholesky_path_kernels(t):
    return {**_column_kernels(t), **_product_kernels(t)}


def _column_kernels(t: Types) -> dict:
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    tasks_type, pairs = wp.array(dtype=wp.vec4i), wp.array(dtype=wp.vec2i)
    real, tile, front_fields, fields = t.real, TILE, len(FRONT), len(FIELDS)
    each = 16  # columns of a thread, and how far apart they stand
    apart = tile // each
    some = wp.types.vector(each, real)
    _, product = front_functions(t)

    @t.kernel
    def gather_columns(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh: tasks are (front, first row, first column, first column of an unknown of the front itself)
        tasks: tasks_type, fronts: longs, columns: longs, gather_start: ints, gather: pairs,
        # in: the pivot that each column has its one at, and 1, or 0 where that unknown is held
        pivot: ints, one: reals,
        # out: rows of the level below are read, those of this level written
        handed: reals,
    ):  # fmt: skip
        """A tile of the right-hand sides of a front, and of the rows below them: a thread has 16 columns of a row."""
        i = start + wp.tid()
        task = tasks[offset + i / lanes]
        entry, own = task[0] * wp.static(front_fields), task[0] * wp.static(fields)
        pivots, below, line = int(fronts[entry]), int(fronts[entry + 1]), int(fronts[entry + 4])
        first, low, width = int(columns[own]), int(columns[own + 1]), int(columns[own + 2])
        for e in range(i % lanes, wp.static(tile * apart), lanes):
            row, begin = task[1] + e / wp.static(apart), task[2] + e % wp.static(apart)
            end = pivots
            if task[1] >= pivots:
                end = pivots + below
            if row < end:
                total = some()
                if row < pivots and task[2] + wp.static(tile) > task[3]:
                    for q in range(wp.static(each)):
                        column = begin + wp.static(apart) * q
                        if column < width and pivot[low + column] == first + row:
                            total[q] = one[low + column]
                for k in range(gather_start[line + row], gather_start[line + row + 1]):
                    child = gather[k][0] * wp.static(fields)
                    there, wide = low + begin - int(columns[child + 1]), int(columns[child + 2])
                    height = int(fronts[gather[k][0] * wp.static(front_fields)]) + gather[k][1]
                    at = columns[child + 4] + wp.int64(height) * wp.int64(wide)
                    for q in range(wp.static(each)):
                        c = there + wp.static(apart) * q
                        if c >= 0 and c < wide:
                            total[q] += handed[at + wp.int64(c)]
                at = columns[own + 4] + wp.int64(row) * wp.int64(width)
                for q in range(wp.static(each)):
                    column = begin + wp.static(apart) * q
                    if column < width:
                        handed[at + wp.int64(column)] = total[q]

    @t.kernel_for(2)
    def pass_on(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, fronts: longs, columns: longs,
        # in:
        panels: reals,
        # out: rows below are written, those of pivots read
        handed: reals, solved: reals,
    ):  # fmt: skip
        """A tile of L₁₁⁻¹ b₁, or of what a front hands over, less L₂₁ L₁₁⁻¹ b₁."""
        task = tasks[offset + (start + wp.tid()) / lanes]
        entry, own = task[0] * wp.static(front_fields), task[0] * wp.static(fields)
        pivots, below, width = int(fronts[entry]), int(fronts[entry + 1]), columns[own + 2]
        step, one, row = wp.int64(2 * pivots + below), wp.int64(1), wp.int64(task[1])
        wide = wp.min(wp.static(tile), int(width) - task[2])
        a, panel = columns[own + 4] + wp.int64(task[2]), fronts[entry + 2]
        if task[1] < pivots:
            tall = wp.min(wp.static(tile), pivots - task[1])
            b = panel + row * step + wp.int64(pivots + below)
            c = columns[own + 3] + row * width + wp.int64(task[2])
            # nothing stands above the diagonal
            product(
                wide, tall, task[1] + tall, a, width, b, step, one, handed, panels, wp.static(SET), c, width, solved
            )  # fmt: skip
        else:
            tall = wp.min(wp.static(tile), pivots + below - task[1])
            c = a + row * width
            product(
                wide, tall, pivots, a, width, panel + row, one, step, handed, panels, wp.static(SUBTRACT), c, width, handed
            )  # fmt: skip

    return locals()


def _product_kernels(t: Types) -> dict:
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    tasks_type = wp.array(dtype=wp.vec4i)
    Columns, tile, front_fields, fields = columns_struct(t.precision), TILE, len(FRONT), len(FIELDS)
    _, product = front_functions(t)

    @t.kernel_for(2)
    def multiply_columns(
        start: int, lanes: int, size: int,
        # mesh: tasks are (tile of columns, tile of others, first and last of its segments), which are fronts
        tasks: tasks_type, segments: ints, fronts: longs,
        # in:
        own: Columns, others: Columns,
        # out: ``size`` numbers for each of the others
        inverse: reals,
    ):  # fmt: skip
        """A tile of A⁻¹: products of columns over the fronts that both pass through."""
        task = tasks[(start + wp.tid()) / lanes]
        one = wp.int64(1)
        for s in range(task[2], task[3]):
            f = segments[s]
            at = f * wp.static(fields)
            low, width = int(own.table[at + 1]), int(own.table[at + 2])
            other_low, other_width = int(others.table[at + 1]), int(others.table[at + 2])
            i = wp.max(task[0] * wp.static(tile), low)
            j = wp.max(task[1] * wp.static(tile), other_low)
            wide = wp.min((task[0] + 1) * wp.static(tile), low + width) - i
            tall = wp.min((task[1] + 1) * wp.static(tile), other_low + other_width) - j
            a, b = own.table[at + 3] + wp.int64(i - low), others.table[at + 3] + wp.int64(j - other_low)
            c = wp.int64(others.first + j) * wp.int64(size) + wp.int64(own.first + i)
            product(
                wide, tall, int(fronts[f * wp.static(front_fields)]), a, wp.int64(width), b, one, wp.int64(other_width),
                own.solved, others.solved, wp.static(ADD), c, wp.int64(size), inverse,
            )  # fmt: skip

    return locals()
