"""The kernels of a solve on a GPU: all fronts of one level of the tree at once, a thread to a piece of a row or column.

Long rows and columns are cut into segments of a fixed length, whose sums are then added in order, so that no thread
has much more to do than another and two runs agree bit for bit. The CPU runs them too, as the reference in a test.
"""

from collections.abc import Callable

import warp as wp

from ...device import Types
from .layout import COLUMNS, ROWS
from .solve_kernels import per_width
from .solve_native import FIELDS

SEGMENT = 64  # entries that one thread multiplies


def _levelled(t: Types, width: int) -> list[Callable]:
    real = t.real
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=real)
    kind = real if width == 1 else t.vector(width)
    kinds = wp.array(dtype=kind)
    high, across, fields, segment = ROWS[t.precision], COLUMNS, len(FIELDS), SEGMENT

    # entry (row, column) of a front stands at column_place + row_place; 32 bits do for one front

    def row_place(row: int) -> int:
        return row / wp.static(high) * wp.static(high * across) + row % wp.static(high)

    def column_place(column: int, height: int) -> int:
        """Where row 0 of a column would stand, though a strip begins at its own rows."""
        tiles = (height + wp.static(high - 1)) / wp.static(high)
        strip = column / wp.static(across)
        # strip s begins s · across/high tiles down, and so do those before it
        skipped = strip * (strip + 1) / 2 * wp.static(across // high)
        return (strip * tiles - skipped) * wp.static(high * across) + column % wp.static(across) * wp.static(high)

    row_place = t.function("cholesky_row_place", row_place)
    column_place = t.function("cholesky_column_place", column_place)

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

    def lower_pieces(
        start: int,
        # params:
        offset: int,
        # mesh:
        piece_front: ints,
        piece_start: ints,
        line_start: ints,
        table: longs,
        # in:
        packed: reals,
        line: kinds,
        # out:
        partial: kinds,
    ):
        """A segment of a row of [L₁₁⁻¹; L₂₁ L₁₁⁻¹] times b₁; pieces of a front run over rows, then over segments."""
        i = offset + start + wp.tid()
        front = piece_front[i]
        first = line_start[front]
        entry = front * wp.static(fields)
        pivots = int(table[entry])
        height = pivots + int(table[entry + 1])
        local = i - piece_start[front]
        row = local % height
        base = table[entry + 6] + wp.int64(row_place(row))
        begin = local / height * wp.static(segment)
        total = kind(real(0.0))
        for j in range(begin, wp.min(wp.min(row + 1, pivots), begin + wp.static(segment))):
            total += packed[base + wp.int64(column_place(j, height))] * line[first + j]
        partial[i] = total

    def lower_fold(
        start: int,
        # params:
        offset: int,
        # mesh:
        line_front: ints,
        piece_start: ints,
        line_start: ints,
        table: longs,
        # in:
        partial: kinds,
        line: kinds,
        # out:
        update: kinds,
        y: kinds,
    ):
        """Add the segments of a row: [v; w] = [L₁₁⁻¹; L₂₁ L₁₁⁻¹] b₁."""
        i = offset + start + wp.tid()
        front = line_front[i]
        entry = front * wp.static(fields)
        pivots = int(table[entry])
        height = pivots + int(table[entry + 1])
        row = i - line_start[front]
        total = kind(real(0.0))
        for s in range((wp.min(row + 1, pivots) + wp.static(segment - 1)) / wp.static(segment)):
            total += partial[piece_start[front] + s * height + row]
        if row < pivots:
            y[int(table[entry + 2]) + row] = total
        else:
            update[int(table[entry + 3]) + row - pivots] = total + line[i]

    def upper_pieces(
        start: int,
        # params:
        offset: int,
        # mesh:
        piece_front: ints,
        piece_start: ints,
        table: longs,
        rows: ints,
        # in:
        packed: reals,
        y: kinds,
        x: kinds,
        # out:
        partial: kinds,
    ):
        """A segment of a column of [L₁₁⁻¹; L₂₁ L₁₁⁻¹] times [v; −x₂]; pieces run over columns, then over segments."""
        i = offset + start + wp.tid()
        front = piece_front[i]
        entry = front * wp.static(fields)
        pivots = int(table[entry])
        height = pivots + int(table[entry + 1])
        first = int(table[entry + 2])
        row_start = int(table[entry + 3]) - pivots
        local = i - piece_start[front]
        column = local % pivots
        base = table[entry + 6] + wp.int64(column_place(column, height))
        begin = local / pivots * wp.static(segment)
        end = wp.min(height, begin + wp.static(segment))
        total = kind(real(0.0))
        for r in range(wp.max(begin, column), wp.min(end, pivots)):
            total += packed[base + wp.int64(row_place(r))] * y[first + r]
        for r in range(wp.max(begin, pivots), end):
            total -= packed[base + wp.int64(row_place(r))] * x[rows[row_start + r]]
        partial[i] = total

    def upper_fold(
        start: int,
        # params:
        offset: int,
        # mesh:
        columns: ints,
        column_front: ints,
        piece_start: ints,
        table: longs,
        permutation: ints,
        # in:
        partial: kinds,
        # out:
        x: kinds,
        out: kinds,
    ):
        """Add the segments of a column: x₁ = L₁₁⁻ᵀ v − (L₂₁ L₁₁⁻¹)ᵀ x₂."""
        at = columns[offset + start + wp.tid()]
        front = column_front[offset + start + wp.tid()]
        entry = front * wp.static(fields)
        pivots = int(table[entry])
        height = pivots + int(table[entry + 1])
        column = at - int(table[entry + 2])
        total = kind(real(0.0))
        for s in range(column / wp.static(segment), (height + wp.static(segment - 1)) / wp.static(segment)):
            total += partial[piece_start[front] + s * pivots + column]
        x[at] = total
        out[permutation[at]] = total

    return [collect, lower_pieces, lower_fold, upper_pieces, upper_fold]


LEVEL_KERNELS = per_width("level", _levelled)
