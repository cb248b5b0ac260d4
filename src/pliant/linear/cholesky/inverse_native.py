"""Products with the rows of S = L⁻¹ in tiles, by blocks of threads of a GPU.

One thread of the CPU can play a block of a GPU, so that both run the same source.
"""

import warp as wp

from ...device import Types

TALL, WIDE = 32, 256  # rows and columns of a tile on a GPU, whose blocks have WIDE threads
# of each front, for a GPU: its rows of S and where sums of its tiles stand
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

# a tile turned round times y = S b: a sum for each column, of which a thread has one
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
    """Products with a tile of S and with it turned round, by a block of threads."""
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
