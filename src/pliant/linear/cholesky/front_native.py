"""Dense tiles of fronts, worked on by a block of threads: elimination of a diagonal tile, and products of two tiles.

On a GPU a block's threads share memory and wait for each other. On the CPU one thread plays all threads of a block in
turn, from one point where they would wait to the next, so that both run the same source.
"""

import warp as wp

from ...device import Types

TILE = 64  # rows and columns of a tile
DEPTH = 16  # columns of two tiles that are multiplied at a time
THREADS = 256  # of a block
SIDE = 16  # of the square of threads that share a product; each has TILE / SIDE rows and columns

HEAD = r"""
    typedef REAL real;
#if defined(__CUDA_ARCH__)
    #define EACH_THREAD for (int t = threadIdx.x, again = 1; again; again = 0)
    #define WAIT __syncthreads()
    #define SHARED __shared__
    constexpr int HERE = 1;  // threads whose own numbers are kept here
#else
    #define EACH_THREAD for (int t = 0; t < THREADS; ++t)
    #define WAIT
    #define SHARED
    constexpr int HERE = THREADS;
#endif
"""

# Cholesky of a diagonal tile D = L Lᵀ and L⁻ᵀ, which starts as the identity above it: its row i is touched from column i
# on, which is where D has nothing. Columns are scaled by 1/√pivot only in the end, so that each waits once.
ELIMINATE = r"""
    SHARED real column[2][TILE];
    SHARED real root_of[TILE];
    real own[HERE][TILE / 4];  // of row t % TILE: columns t / TILE, and every fourth after it
    real* tile = panels.data + at;
    EACH_THREAD {
        const int i = t % TILE;
        #pragma unroll
        for (int q = 0; q < TILE / 4; ++q) {
            const int j = t / TILE + 4 * q;
            own[t % HERE][q] = j <= i && i < width ? tile[i + j * ld] : real(0);
        }
    }
    #pragma unroll
    for (int m = 0; m < TILE / 4; ++m)  // unrolled, so that a thread's own numbers can stay in registers
        #pragma unroll 1
        for (int k = 4 * m; k < 4 * m + 4 && k < width; ++k) {
            real* given = column[k % 2];
            EACH_THREAD {
                if (t / TILE == k % 4) given[t % TILE] = own[t % HERE][m];
            }
            WAIT;
            EACH_THREAD {
                const int i = t % TILE;
                real pivot = given[k];
                if (!(pivot > real(0))) {  // nor a number
                    if (t == 0 && status.data[front] == 0) status.data[front] = first + k + 1;
                    pivot = real(1);
                }
                if (t == k) root_of[k] = sqrt(pivot);
                const real mine = (i == k ? real(1) : given[i]) / pivot;
                #pragma unroll
                for (int q = m; q < TILE / 4; ++q) {
                    const int j = t / TILE + 4 * q;
                    if (j > k && (i >= j || i <= k)) own[t % HERE][q] -= mine * given[j];
                }
            }
        }
    WAIT;
    EACH_THREAD {
        const int i = t % TILE;
        #pragma unroll
        for (int q = 0; q < TILE / 4; ++q) {
            const int j = t / TILE + 4 * q;
            if (i < width && j < width) {
                const real root = root_of[j];
                if (i > j) tile[i + j * ld] = own[t % HERE][q] / root;
                if (i == j) tile[i + j * ld] = root;
                if (i <= j) panels.data[inverse + i + j * ld] = (i == j ? real(1) : own[t % HERE][q]) / root;
            }
        }
    }
"""

# C = A Bᵀ, C −= A Bᵀ or C += A Bᵀ for A (rows, depth), B (columns, depth); C may be A itself, which has been read before C
# is written. Threads side by side read numbers side by side, whichever way B lies.
SET, SUBTRACT, ADD = 0, 1, 2
PRODUCT = r"""
    SHARED real left[DEPTH][TILE], right[DEPTH][TILE + 1];
    real sum[HERE][TILE / SIDE][TILE / SIDE];
    const real* a = given.data + a_at;
    const real* b = other.data + b_at;
    real* c = out.data + c_at;
    EACH_THREAD {
        #pragma unroll
        for (int r = 0; r < TILE / SIDE; ++r)
            #pragma unroll
            for (int s = 0; s < TILE / SIDE; ++s) sum[t % HERE][r][s] = real(0);
    }
    for (int begin = 0; begin < depth; begin += DEPTH) {
        EACH_THREAD {
            #pragma unroll
            for (int q = 0; q < DEPTH * TILE / THREADS; ++q) {
                const int i = t % TILE, d = t / TILE + q * (THREADS / TILE);
                const long long k = begin + d;
                left[d][i] = i < rows && k < depth ? a[i + k * a_column] : real(0);
                const int j = b_column == 1 ? t / DEPTH + q * (THREADS / DEPTH) : i, e = b_column == 1 ? t % DEPTH : d;
                const long long l = begin + e;
                right[e][j] = j < columns && l < depth ? b[j * b_row + l * b_column] : real(0);
            }
        }
        WAIT;
        EACH_THREAD {
            #pragma unroll
            for (int d = 0; d < DEPTH; ++d) {
                real x[TILE / SIDE], y[TILE / SIDE];
                #pragma unroll
                for (int r = 0; r < TILE / SIDE; ++r) {
                    x[r] = left[d][t % SIDE + SIDE * r];
                    y[r] = right[d][t / SIDE + SIDE * r];
                }
                #pragma unroll
                for (int r = 0; r < TILE / SIDE; ++r)
                    #pragma unroll
                    for (int s = 0; s < TILE / SIDE; ++s) sum[t % HERE][r][s] += x[r] * y[s];
            }
        }
        WAIT;
    }
    EACH_THREAD {
        #pragma unroll
        for (int s = 0; s < TILE / SIDE; ++s)
            #pragma unroll
            for (int r = 0; r < TILE / SIDE; ++r) {
                const int i = t % SIDE + SIDE * r, j = t / SIDE + SIDE * s;
                if (i < rows && j < columns) {
                    real* entry = c + i + j * c_column;
                    const real own = sum[t % HERE][r][s];
                    *entry = mode == SET ? own : mode == SUBTRACT ? *entry - own : *entry + own;
                }
            }
    }
    WAIT;
"""

TAIL = r"""
    #undef EACH_THREAD
    #undef WAIT
    #undef SHARED
"""


VALUES = {
    "TILE": TILE, "DEPTH": DEPTH, "THREADS": THREADS, "SIDE": SIDE, "SET": SET, "SUBTRACT": SUBTRACT, "ADD": ADD,
}  # fmt: skip


def front_functions(t: Types) -> tuple[wp.Function, wp.Function]:
    """Elimination of a diagonal tile and the product of two tiles, in one precision."""
    reals, ints = wp.array(dtype=t.real), wp.array(dtype=wp.int32)

    def eliminate(
        front: int,
        first: int,
        width: int,
        at: wp.int64,
        inverse: wp.int64,
        ld: wp.int64,
        panels: reals,
        status: ints,
    ): ...

    def product(
        rows: int,
        columns: int,
        depth: int,
        a_at: wp.int64,
        a_column: wp.int64,
        b_at: wp.int64,
        b_row: wp.int64,
        b_column: wp.int64,
        given: reals,
        other: reals,
        mode: int,
        c_at: wp.int64,
        c_column: wp.int64,
        out: reals,
    ): ...

    made = []
    for function, body in ((eliminate, ELIMINATE), (product, PRODUCT)):
        function.__name__ = function.__qualname__ = f"cholesky_{function.__name__}_{t.precision}"
        text = HEAD + body + TAIL
        for name, value in VALUES.items():
            text = text.replace(name, str(value))
        text = text.replace("REAL", "float" if t.precision == "f32" else "double")
        made.append(wp.func_native(text)(function))
    return made[0], made[1]
