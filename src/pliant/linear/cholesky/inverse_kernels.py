"""The kernels of products with S = L⁻¹ on a GPU, for each number of right-hand sides."""

from collections.abc import Callable

import warp as wp

from ...device import Types, family
from .inverse_native import FRONT, TALL, WIDE, tile_functions
from .solve_kernels import per_width

__all__ = ["FRONT", "TALL", "TILED_KERNELS", "WIDE", "cholesky_copy_kernels"]


def _tiled(t: Types, width: int) -> list[Callable]:
    """All tiles at once, a block of threads to each."""
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    real, kind = t.real, t.real if width == 1 else t.vector(width)
    vectors, tasks_type = wp.array(dtype=kind), wp.array(dtype=wp.vec3i)
    along, down = tile_functions(t, width)
    fields, rows, columns = len(FRONT), TALL, WIDE

    def multiply_along(
        start: int,
        # params:
        lanes: int,
        # mesh: tasks are (front, first row, first column)
        tasks: tasks_type,
        fronts: longs,
        order: ints,
        # in:
        values: reals,
        b: vectors,
        # out:
        sums: vectors,
    ):
        """The sums of a tile of S b."""
        task = tasks[(start + wp.tid()) / lanes]
        f = task[0] * wp.static(fields)
        pivots, width = int(fronts[f]), fronts[f + 2]
        tall = wp.min(wp.static(rows), pivots - task[1])
        wide = wp.min(wp.static(columns), int(width) - task[2])
        at = fronts[f + 4] + wp.int64(task[1]) * width + wp.int64(task[2])
        place = fronts[f + 5] + wp.int64(task[2] / wp.static(columns)) * wp.int64(pivots) + wp.int64(task[1])
        along(tall, wide, int(fronts[f + 1]) + task[2], at, width, place, order, values, b, sums)

    def add_along(start: int, fronts: longs, owner: ints, sums: vectors, y: vectors):
        """y = S b out of the sums of tiles."""
        i = start + wp.tid()
        f = owner[i] * wp.static(fields)
        pivots = fronts[f]
        at = fronts[f + 5] + wp.int64(i) - fronts[f + 3]
        total = sums[at]
        for _ in range(1, (int(fronts[f + 2]) + wp.static(columns) - 1) / wp.static(columns)):
            at += pivots
            total += sums[at]
        y[i] = total

    def multiply_down(
        start: int,
        # params:
        lanes: int,
        # mesh:
        tasks: tasks_type,
        fronts: longs,
        # in:
        values: reals,
        y: vectors,
        # out:
        sums: vectors,
    ):
        """The sums of a tile of Sᵀ y."""
        task = tasks[(start + wp.tid()) / lanes]
        f = task[0] * wp.static(fields)
        width = fronts[f + 2]
        tall = wp.min(wp.static(rows), int(fronts[f]) - task[1])
        wide = wp.min(wp.static(columns), int(width) - task[2])
        at = fronts[f + 4] + wp.int64(task[1]) * width + wp.int64(task[2])
        place = fronts[f + 6] + wp.int64(task[1] / wp.static(rows)) * width + wp.int64(task[2])
        down(tall, wide, fronts[f + 3] + wp.int64(task[1]), at, width, place, values, y, sums)

    def add_down(start: int, fronts: longs, owner: ints, order: ints, sums: vectors, out: vectors):
        """Sᵀ y out of the sums of tiles of all fronts from that of a column to the root."""
        j = start + wp.tid()
        front = owner[j]
        total = kind(real(0.0))
        while front >= 0:
            f = front * wp.static(fields)
            width = fronts[f + 2]
            at = fronts[f + 6] + wp.int64(j) - fronts[f + 1]
            for _ in range((int(fronts[f]) + wp.static(rows) - 1) / wp.static(rows)):
                total += sums[at]
                at += width
            front = int(fronts[f + 7])
        out[order[j]] = total

    return [multiply_along, add_along, multiply_down, add_down]


WIDTHS = (1, 3)  # what solve_device takes
TILED_KERNELS = per_width("inverse_tiles", _tiled, WIDTHS)


@family
def cholesky_copy_kernels(t):
    real = t.real

    @t.kernel
    def narrow(start: int, given: wp.array(dtype=wp.float64), out: wp.array(dtype=real)):
        i = start + wp.tid()
        out[i] = real(given[i])

    return locals()
