"""Sparse inverse kernels on a GPU, for each right-hand side count.

One thread of the CPU can run a block of a GPU, so that both run the same source.
"""

from collections.abc import Callable

import warp as wp

from ....runtime.device import Types, family
from ..cpu.solve_kernels import per_width

TALL, WIDE = 32, 256  # rows and columns of a tile on a GPU, whose blocks have WIDE threads
# of each front, for a GPU: its rows of S and the offset of its tile sums
FRONT = ("pivots", "low", "width", "first", "place", "along", "down", "parent")

# a tile times b: a sum for each row; threads of a warp have columns side by side, and four rows
ALONG = r"""
    const real* s = values.data + at;
    const real* given = (const real*)b.data;
    real* found = (real*)sums.data;
#if defined(__CUDA_ARCH__)
    const int lane = threadIdx.x % 32, above = threadIdx.x / 32 * 4;
    real sum[4][K];
    #pragma unroll
    for (int r = 0; r < 4; ++r)
        #pragma unroll
        for (int k = 0; k < K; ++k) sum[r][k] = real(0);
    if (above < tall)
        for (int j = lane; j < wide; j += 32) {
            real q[K];
            const long long node = order.data[column + j];
            #pragma unroll
            for (int k = 0; k < K; ++k) q[k] = given[node * K + k];
            #pragma unroll
            for (int r = 0; r < 4; ++r)
                if (above + r < tall) {
                    const real v = s[(above + r) * stride + j];
                    #pragma unroll
                    for (int k = 0; k < K; ++k) sum[r][k] += v * q[k];
                }
        }
    #pragma unroll
    for (int r = 0; r < 4; ++r)
        #pragma unroll
        for (int k = 0; k < K; ++k) {
            for (int step = 16; step > 0; step /= 2) sum[r][k] += __shfl_xor_sync(0xffffffffu, sum[r][k], step);
            if (lane == 0 && above + r < tall) found[(place + above + r) * K + k] = sum[r][k];
        }
#else
    for (int r = 0; r < tall; ++r) {
        real sum[K];
        for (int k = 0; k < K; ++k) sum[k] = real(0);
        for (int j = 0; j < wide; ++j)
            for (int k = 0; k < K; ++k)
                sum[k] += s[r * stride + j] * given[(long long)order.data[column + j] * K + k];
        for (int k = 0; k < K; ++k) found[(place + r) * K + k] = sum[k];
    }
#endif
"""

# a transposed tile times y = S b: a sum for each column, one per thread
DOWN = r"""
    const real* s = values.data + at;
    const real* given = (const real*)y.data + row * K;
    real* found = (real*)sums.data;
#if defined(__CUDA_ARCH__)
    const int from = threadIdx.x, to = from < wide ? from + 1 : from;
#else
    const int from = 0, to = wide;
#endif
    for (int j = from; j < to; ++j) {
        real sum[K];
        #pragma unroll
        for (int k = 0; k < K; ++k) sum[k] = real(0);
        #pragma unroll 8
        for (int r = 0; r < tall; ++r) {
            const real v = s[r * stride + j];
            #pragma unroll
            for (int k = 0; k < K; ++k) sum[k] += v * given[r * K + k];
        }
        #pragma unroll
        for (int k = 0; k < K; ++k) found[(place + j) * K + k] = sum[k];
    }
"""


def tile_functions(t: Types, width: int) -> tuple[wp.Function, wp.Function]:
    """Products with a tile of S and its transpose, by a block of threads."""
    reals, ints, kind = wp.array(dtype=t.real), wp.array(dtype=wp.int32), t.real if width == 1 else t.vector(width)
    vectors, long = wp.array(dtype=kind), wp.int64

    def along_tile(
        tall: int, wide: int, column: int, at: long, stride: long, place: long, order: ints, values: reals, b: vectors,
        sums: vectors,
    ): ...  # fmt: skip

    def down_tile(
        tall: int, wide: int, row: long, at: long, stride: long, place: long, values: reals, y: vectors, sums: vectors
    ): ...

    made = []
    for stub, text in ((along_tile, ALONG), (down_tile, DOWN)):
        stub.__name__ = f"{stub.__name__}_{width}"
        made.append(t.native(stub, f"constexpr int K = {width};\n{text}"))
    return made[0], made[1]


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
