"""The kernels of a solve: lists of fronts for CPU threads, and whole levels of the tree for a GPU."""

import warp as wp

from ...device import Types, family
from .layout import COLUMNS, ROWS
from .solve_native import FIELDS, native_functions

WIDTHS = (1, 3, 4)  # right-hand sides that one pass takes


@family
def cholesky_solve_kernels(t):
    kernels = {}
    for width in WIDTHS:
        kernels |= _threaded(t, width) | _levelled(t, width)
    return kernels


def _named(t: Types, width: int, functions: list) -> dict[str, wp.Kernel]:
    """Kernels of a width, called after the functions with the width behind."""
    made = {}
    for function in functions:
        name = function.__name__ = function.__qualname__ = f"{function.__name__}_{width}"
        made[name] = t.kernel(function)
    return made


def _threaded(t: Types, width: int) -> dict[str, wp.Kernel]:
    """Substitutions on lists of fronts; an item is a list, or its share of one front."""
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    kind = t.real if width == 1 else t.vector(width)
    forward_front, backward_front = native_functions(t, width)

    def forward(
        start: int,
        # params:
        offset: int,
        scratch_size: int,
        # mesh:
        items: wp.array(dtype=wp.vec4i),
        order: ints,
        table: longs,
        children: ints,
        relative: ints,
        permutation: ints,
        active: ints,
        # in:
        packed: reals,
        b: wp.array(dtype=kind),
        # out:
        scratch: reals,
        update: reals,
        y: reals,
    ):
        """L y = b: item (begin, end, part, parts) takes the fronts order[begin:end], and of each its part."""
        i = start + wp.tid()
        item = items[offset + i]
        for k in range(item[0], item[1]):
            forward_front(
                order[k], i, item[2], item[3], scratch_size, table, children, relative, permutation, active, packed, b,
                scratch, update, y,
            )  # fmt: skip

    def backward(
        start: int,
        # params:
        offset: int,
        scratch_size: int,
        # mesh:
        items: wp.array(dtype=wp.vec4i),
        order: ints,
        table: longs,
        rows: ints,
        permutation: ints,
        # in:
        packed: reals,
        y: reals,
        # out:
        scratch: reals,
        x: reals,
        out: wp.array(dtype=kind),
    ):
        """Lᵀ x = y: item (begin, end, part, parts) takes the fronts order[begin:end] from the last to the first."""
        i = start + wp.tid()
        item = items[offset + i]
        for k in range(item[0], item[1]):
            backward_front(
                order[item[1] - 1 - (k - item[0])], i, item[2], item[3], scratch_size, table, rows, permutation, packed,
                y, scratch, x, out,
            )  # fmt: skip

    return _named(t, width, [forward, backward])


def _levelled(t: Types, width: int) -> dict[str, wp.Kernel]:
    """Substitutions on all fronts of one level; an item is a row or a column of one front."""
    real = t.real
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=real)
    kind = real if width == 1 else t.vector(width)
    kinds = wp.array(dtype=kind)
    high, across, fields = ROWS[t.precision], COLUMNS, len(FIELDS)

    def tile_place(row: int, column: int, height: int) -> wp.int64:
        """Where entry (row, column) of a front stands in its tiles."""
        tiles = wp.int64((height + wp.static(high) - 1) / wp.static(high))
        strip = wp.int64(column / wp.static(across))
        # a strip starts across/high tiles below the one before it
        skipped = strip * (strip - wp.int64(1)) * wp.int64(wp.static(across // high)) / wp.int64(2)
        top = (column / wp.static(across)) * wp.static(across) / wp.static(high)
        tile = strip * tiles - skipped + wp.int64(row / wp.static(high) - top)
        inside = (column % wp.static(across)) * wp.static(high) + row % wp.static(high)
        return tile * wp.int64(wp.static(high * across)) + wp.int64(inside)

    place = t.function("cholesky_tile_place", tile_place)

    def collect(
        start: int,
        # params:
        offset: int,
        # mesh:
        line_node: ints,
        gather_start: ints,
        gather: ints,
        # in:
        b: kinds,
        update: kinds,
        # out:
        line: kinds,
    ):
        """Pivots: b less what the children hand over; rows below: what they hand over."""
        i = offset + start + wp.tid()
        total = kind(real(0.0))
        for k in range(gather_start[i], gather_start[i + 1]):
            total += update[gather[k]]
        node = line_node[i]
        if node >= 0:
            total = b[node] - total
        line[i] = total

    def lower(
        start: int,
        # params:
        offset: int,
        # mesh:
        line_front: ints,
        line_start: ints,
        table: longs,
        # in:
        packed: reals,
        line: kinds,
        # out:
        update: kinds,
        y: kinds,
    ):
        """One row of [v; w] = [L₁₁⁻¹; L₂₁ L₁₁⁻¹] b₁."""
        i = offset + start + wp.tid()
        front = line_front[i]
        first = line_start[front]
        row = i - first
        entry = front * wp.static(fields)
        pivots = int(table[entry])
        height = pivots + int(table[entry + 1])
        base = table[entry + 6]
        total = kind(real(0.0))
        for j in range(wp.min(row + 1, pivots)):
            total += packed[base + place(row, j, height)] * line[first + j]
        if row < pivots:
            y[int(table[entry + 2]) + row] = total
        else:
            update[int(table[entry + 3]) + row - pivots] = total + line[i]

    def upper(
        start: int,
        # params:
        offset: int,
        # mesh:
        columns: ints,
        column_front: ints,
        table: longs,
        rows: ints,
        permutation: ints,
        # in:
        packed: reals,
        y: kinds,
        # out:
        x: kinds,
        out: kinds,
    ):
        """One entry of x₁ = L₁₁⁻ᵀ v − (L₂₁ L₁₁⁻¹)ᵀ x₂."""
        at = columns[offset + start + wp.tid()]
        entry = column_front[offset + start + wp.tid()] * wp.static(fields)
        pivots = int(table[entry])
        height = pivots + int(table[entry + 1])
        first = int(table[entry + 2])
        row_start = int(table[entry + 3])
        base = table[entry + 6]
        column = at - first
        total = kind(real(0.0))
        for i in range(column, pivots):
            total += packed[base + place(i, column, height)] * y[first + i]
        for i in range(pivots, height):
            total -= packed[base + place(i, column, height)] * x[rows[row_start + i - pivots]]
        x[at] = total
        out[permutation[at]] = total

    return _named(t, width, [collect, lower, upper])
