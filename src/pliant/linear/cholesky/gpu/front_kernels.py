"""Front kernels of a GPU factorisation, level by level.

Every value is written by one thread and sums are added in a fixed order, so that two runs agree bit for bit. The CPU
runs these kernels too, as the reference in a test.
"""

import warp as wp

from ....runtime.device import Types, family
from .front_native import SET, SUBTRACT, TILE, front_functions
from .level_kernels import block_copies

# columns of the table of fronts
FIELDS = ("pivots", "below", "panel", "update", "line")


@family
def cholesky_front_kernels(t):
    """From values of A to panels [L₁₁; L₂₁; L₁₁⁻ᵀ], then [L₁₁; L₂₁ L₁₁⁻¹; L₁₁⁻ᵀ], one column of a front after the other.

    Tasks are (front, tile of rows, tile of columns, step). Rows of a front are cut into tiles from its first pivot, from
    its first row below and from the first row of L₁₁⁻ᵀ, and numbered through.
    """
    rows_of = _rows_function(t)
    return {**_assembly_kernels(t, rows_of), **_product_kernels(t, rows_of)}


def _rows_function(t: Types) -> wp.Function:
    tile = TILE

    def rows_of(number: int, pivots: int, below: int) -> wp.vec2i:
        """First row and number of rows of a tile."""
        across = (pivots + wp.static(tile - 1)) / wp.static(tile)
        down = (below + wp.static(tile - 1)) / wp.static(tile)
        begin = number * wp.static(tile)
        end = pivots
        if number >= across + down:
            begin = pivots + below + (number - across - down) * wp.static(tile)
            end = 2 * pivots + below
        elif number >= across:
            begin = pivots + (number - across) * wp.static(tile)
            end = pivots + below
        return wp.vec2i(begin, wp.min(wp.static(tile), end - begin))

    return t.function("cholesky_rows_of", rows_of)


def _assembly_kernels(t: Types, rows_of: wp.Function) -> dict:
    """Sums of updates of children, and factors of diagonal tiles."""
    real, longs, ints, reals = t.real, wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    tasks_type, pairs, tile, fields = wp.array(dtype=wp.vec4i), wp.array(dtype=wp.vec2i), TILE, len(FIELDS)
    eliminate, _ = front_functions(t)

    def handed_over(i: int, j: int, gather_start: ints, gather: pairs, table: longs, updates: reals) -> real:
        """What the children add to the entry between two lines of one front, child after child."""
        total = real(0.0)
        p = int(gather_start[i])
        q = int(gather_start[j])
        last_p = int(gather_start[i + 1])
        last_q = int(gather_start[j + 1])
        while p < last_p and q < last_q:
            one = gather[p]
            other = gather[q]
            if one[0] == other[0]:
                child = one[0] * wp.static(fields)
                total += updates[table[child + 3] + wp.int64(other[1]) * table[child + 1] + wp.int64(one[1])]
                p += 1
                q += 1
            elif one[0] < other[0]:
                p += 1
            else:
                q += 1
        return total

    handed_over = t.function("cholesky_handed_over", handed_over)

    @t.kernel
    def put_entries(
        start: int,
        # mesh:
        place: longs,
        # in:
        values: reals,
        # out:
        panels: reals,
    ):
        """Entries of the lower triangle of A into the panels, which are zero elsewhere."""
        i = start + wp.tid()
        panels[place[i]] = values[i]

    @t.kernel
    def assemble(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, table: longs, gather_start: ints, gather: pairs,
        # out: updates of the level below are read, those of this level written
        updates: reals, panels: reals,
    ):  # fmt: skip
        """A tile of a front: the entries of A and what the children hand over."""
        i = start + wp.tid()
        task = tasks[offset + i / lanes]
        entry = task[0] * wp.static(fields)
        pivots, below = int(table[entry]), int(table[entry + 1])
        rows, columns = rows_of(task[1], pivots, below), rows_of(task[2], pivots, below)
        line = int(table[entry + 4])
        step = wp.int64(2 * pivots + below)
        for e in range(i % lanes, wp.static(tile * tile), lanes):
            r, c = e % wp.static(tile), e / wp.static(tile)
            row, column = rows[0] + r, columns[0] + c
            if r < rows[1] and c < columns[1] and row >= column:
                total = handed_over(line + row, line + column, gather_start, gather, table, updates)
                if column < pivots:
                    at = table[entry + 2] + wp.int64(column) * step + wp.int64(row)
                    panels[at] = panels[at] + total
                else:
                    at = table[entry + 3] + wp.int64(column - pivots) * wp.int64(below) + wp.int64(row - pivots)
                    updates[at] = total

    @t.kernel
    def eliminate_diagonal(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, table: longs,
        # out:
        panels: reals, status: ints,
    ):  # fmt: skip
        """Cholesky of the diagonal tile of a step and its inverse, transposed."""
        task = tasks[offset + (start + wp.tid()) / lanes]
        entry = task[0] * wp.static(fields)
        pivots, below = int(table[entry]), int(table[entry + 1])
        rows = rows_of(task[3], pivots, below)
        step = wp.int64(2 * pivots + below)
        column = table[entry + 2] + wp.int64(rows[0]) * step
        at, inverse = column + wp.int64(rows[0]), column + wp.int64(pivots + below + rows[0])
        eliminate(task[0], rows[0], rows[1], at, inverse, step, panels, status)

    return locals()


def _product_kernels(t: Types, rows_of: wp.Function) -> dict:
    """Products of tiles."""
    longs, reals, tasks_type = wp.array(dtype=wp.int64), wp.array(dtype=t.real), wp.array(dtype=wp.vec4i)
    tile, fields, (_, product) = TILE, len(FIELDS), front_functions(t)

    @t.kernel_for(2)
    def solve_rows(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, table: longs,
        # out:
        panels: reals,
    ):  # fmt: skip
        """A tile under the diagonal one, times the inverse of its factor from the right."""
        task = tasks[offset + (start + wp.tid()) / lanes]
        entry = task[0] * wp.static(fields)
        pivots, below = int(table[entry]), int(table[entry + 1])
        rows, own = rows_of(task[1], pivots, below), rows_of(task[3], pivots, below)
        step, one = wp.int64(2 * pivots + below), wp.int64(1)
        column = table[entry + 2] + wp.int64(own[0]) * step
        at, inverse = column + wp.int64(rows[0]), column + wp.int64(pivots + below + own[0])
        product(rows[1], own[1], own[1], at, step, inverse, step, one, panels, panels, wp.static(SET), at, step, panels)

    @t.kernel_for(2)
    def subtract_step(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, table: longs,
        # out:
        panels: reals,
    ):  # fmt: skip
        """A tile of the pivot columns that come after a step, less the product of two tiles of the step."""
        task = tasks[offset + (start + wp.tid()) / lanes]
        entry = task[0] * wp.static(fields)
        pivots, below = int(table[entry]), int(table[entry + 1])
        rows, columns = rows_of(task[1], pivots, below), rows_of(task[2], pivots, below)
        own = rows_of(task[3], pivots, below)
        step, one = wp.int64(2 * pivots + below), wp.int64(1)
        column = table[entry + 2] + wp.int64(own[0]) * step
        a, b = column + wp.int64(rows[0]), column + wp.int64(columns[0])
        c = table[entry + 2] + wp.int64(columns[0]) * step + wp.int64(rows[0])
        product(rows[1], columns[1], own[1], a, step, b, one, step, panels, panels, wp.static(SUBTRACT), c, step, panels)

    @t.kernel_for(2)
    def subtract_update(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, table: longs,
        # in:
        panels: reals,
        # out:
        updates: reals,
    ):  # fmt: skip
        """A tile of what a front hands over, less L₂₁ L₂₁ᵀ."""
        task = tasks[offset + (start + wp.tid()) / lanes]
        entry = task[0] * wp.static(fields)
        pivots, below = int(table[entry]), int(table[entry + 1])
        rows, columns = rows_of(task[1], pivots, below), rows_of(task[2], pivots, below)
        step, one = wp.int64(2 * pivots + below), wp.int64(1)
        a, b = table[entry + 2] + wp.int64(rows[0]), table[entry + 2] + wp.int64(columns[0])
        c = table[entry + 3] + wp.int64(columns[0] - pivots) * wp.int64(below) + wp.int64(rows[0] - pivots)
        product(
            rows[1], columns[1], pivots, a, step, b, one, step, panels, panels, wp.static(SUBTRACT), c, wp.int64(below), updates
        )  # fmt: skip

    @t.kernel_for(2)
    def multiply_inverse(
        start: int,
        # params:
        lanes: int, offset: int,
        # mesh:
        tasks: tasks_type, table: longs,
        # out:
        panels: reals,
    ):  # fmt: skip
        """A tile of rows of L₂₁ → L₂₁ L₁₁⁻¹ in its place: each tile of columns needs itself and those after it."""
        task = tasks[offset + (start + wp.tid()) / lanes]
        entry = task[0] * wp.static(fields)
        pivots, below = int(table[entry]), int(table[entry + 1])
        rows = rows_of(task[1], pivots, below)
        step, one = wp.int64(2 * pivots + below), wp.int64(1)
        for k in range((pivots + wp.static(tile - 1)) / wp.static(tile)):
            first = k * wp.static(tile)
            column = table[entry + 2] + wp.int64(first) * step
            a, b = column + wp.int64(rows[0]), column + wp.int64(pivots + below + first)
            wide = wp.min(wp.static(tile), pivots - first)
            product(rows[1], wide, pivots - first, a, step, b, one, step, panels, panels, wp.static(SET), a, step, panels)

    return locals()


def _panel_kernels(source: str):
    """From panels in the precision ``source`` into blocks for L and for Lᵀ, in the precision of the family."""

    def build(t: Types):
        real, given = t.real, wp.float32 if source == "f32" else wp.float64
        panels_type = wp.array(dtype=given)

        def entry_of(row: int, column: int, pivots: int, height: int, front: wp.int64, panels: panels_type) -> real:
            """An entry of [L₁₁⁻¹; L₂₁ L₁₁⁻¹]."""
            value = real(0.0)
            if column <= row and column < pivots and row < height:
                step = wp.int64(height + pivots)
                if row < pivots:
                    value = real(panels[front + wp.int64(row) * step + wp.int64(height + column)])
                else:
                    value = real(panels[front + wp.int64(column) * step + wp.int64(row)])
            return value

        entry_of = t.function(f"cholesky_panel_entry_{source}", entry_of)

        return block_copies(t, panels_type, entry_of)

    build.__name__ = f"cholesky_panel_{source}_kernels"
    return family(build)


PANEL_KERNELS = {source: _panel_kernels(source) for source in ("f32", "f64")}
