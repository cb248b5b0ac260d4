"""Dense tile operations of fronts for a block of threads.

On a GPU a block's threads share memory and synchronise. On the CPU one thread runs all threads of a block in
turn, from one barrier to the next, so that both run the same source.
"""

import warp as wp

from ....runtime.device import Types

TILE = 64  # rows and columns of a tile
DEPTH = 16  # columns of two tiles per product
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

# Cholesky of a diagonal tile D = L Lᵀ and L⁻ᵀ, which starts as the identity above it: its row i is used from column i
# on, where D is empty. Columns are scaled by 1/√pivot only in the end, so that each waits once: those who have
# the next column hand it on, with one over its pivot, while the others still work on theirs.
ELIMINATE = r"""
    SHARED real column[2][TILE];
    SHARED real pivots[TILE], roots[TILE], over[2];
    real own[HERE][TILE / 4];  // of row t % TILE: columns t / TILE, and every fourth after it
    real* tile = panels.data + at;
    #define HAND_ON(k, value) \
        column[(k) % 2][i] = value; \
        if (i == (k)) { \
            real pivot = value; \
            if (!(pivot > real(0))) {  /* nor a number */ \
                if (status.data[front] == 0) status.data[front] = first + (k) + 1; \
                pivot = real(1); \
            } \
            pivots[k] = pivot; \
            over[(k) % 2] = real(1) / pivot; \
        }
    EACH_THREAD {
        const int i = t % TILE;
        #pragma unroll
        for (int q = 0; q < TILE / 4; ++q) {
            const int j = t / TILE + 4 * q;
            own[t % HERE][q] = j <= i && i < width ? tile[i + j * ld] : real(0);
        }
        if (t / TILE == 0) { HAND_ON(0, own[t % HERE][0]) }
    }
    WAIT;
    #pragma unroll
    for (int m = 0; m < TILE / 4; ++m)  // unrolled, so that a thread's own numbers can stay in registers
        #pragma unroll 1
        for (int k = 4 * m; k < 4 * m + 4 && k < width; ++k) {
            const real* given = column[k % 2];
            EACH_THREAD {
                const int i = t % TILE;
                const real mine = (i == k ? real(1) : given[i]) * over[k % 2];
                #pragma unroll
                for (int q = m; q < TILE / 4; ++q) {
                    const int j = t / TILE + 4 * q;
                    if (j > k && (i >= j || i <= k)) own[t % HERE][q] -= mine * given[j];
                }
                const int next = k + 1;
                if (t / TILE == next % 4 && next < width) {
                    const int after = m + 1 < TILE / 4 ? m + 1 : m;
                    const real value = next % 4 ? own[t % HERE][m] : own[t % HERE][after];
                    HAND_ON(next, value)
                }
            }
            WAIT;
        }
    EACH_THREAD {
        if (t < width) roots[t] = sqrt(pivots[t]);
    }
    WAIT;
    EACH_THREAD {
        if (t < width) pivots[t] = real(1) / roots[t];
    }
    WAIT;
    EACH_THREAD {
        const int i = t % TILE;
        #pragma unroll
        for (int q = 0; q < TILE / 4; ++q) {
            const int j = t / TILE + 4 * q;
            if (i < width && j < width) {
                const real value = i == j ? pivots[j] : own[t % HERE][q] * pivots[j];
                if (i >= j) tile[i + j * ld] = i == j ? roots[j] : value;
                if (i <= j) panels.data[inverse + i + j * ld] = value;
            }
        }
    }
    #undef HAND_ON
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

# The same in double precision by the matrix units of a GPU: each warp has 32 × 16 entries of C, as 2 × 2 products of 16 × 8.
# Subtraction starts from −C. The next columns of A and B are on their way while those in shared memory are multiplied. Lanes of a
# warp read and write shared memory without meeting in a bank: rows of it are 4 longer than a tile.
TENSOR = r"""
    __shared__ double left[2][DEPTH][TILE + 4], right[2][DEPTH][TILE + 4];
    const double* a = given.data + a_at;
    const double* b = other.data + b_at;
    double* c = out.data + c_at;
    const int t = threadIdx.x, row = t % TILE, slice = t / TILE;
    const bool lies = b_column == 1;  // numbers of a row of B lie side by side
    const int j = lies ? t / 4 : row, e = lies ? t % 4 : slice;
    const int group = t % 32 / 4, within = t % 4, top = t / 32 % 2 * 32, side = t / 64 * 16;
    #define EACH_ENTRY(work) \
        _Pragma("unroll") \
        for (int n = 0; n < 2; ++n) \
            _Pragma("unroll") \
            for (int m = 0; m < 2; ++m) \
                _Pragma("unroll") \
                for (int q = 0; q < 4; ++q) { \
                    const int x = top + 16 * m + group + 8 * (q / 2), y = side + 8 * n + 2 * within + q % 2; \
                    if (x < rows && y < columns) { double* entry = c + x + y * c_column; work } \
                }
    double sum[2][2][4] = {}, coming[2][DEPTH / 4];
    if (mode == SUBTRACT) { EACH_ENTRY(sum[m][n][q] = -*entry;) }
    const double* next_a = a + row + slice * a_column;
    const double* next_b = b + j * b_row + e * b_column;
    const int deep_a = row < rows ? depth - slice : 0, deep_b = j < columns ? depth - e : 0;
    #define FETCH(begin) \
        _Pragma("unroll") \
        for (int q = 0; q < DEPTH / 4; ++q) { \
            coming[0][q] = (begin) + 4 * q < deep_a ? next_a[4 * q * a_column] : 0.0; \
            coming[1][q] = (begin) + 4 * q < deep_b ? next_b[4 * q * b_column] : 0.0; \
        } \
        next_a += DEPTH * a_column; \
        next_b += DEPTH * b_column;
    #define PUT(half) \
        _Pragma("unroll") \
        for (int q = 0; q < DEPTH / 4; ++q) { \
            left[half][slice + 4 * q][row] = coming[0][q]; \
            right[half][e + 4 * q][j] = coming[1][q]; \
        }
    FETCH(0)
    PUT(0)
    __syncthreads();
    for (int begin = 0, half = 0; begin < depth; begin += DEPTH, half ^= 1) {
        const bool more = begin + DEPTH < depth;
        if (more) { FETCH(begin + DEPTH) }
        #pragma unroll 1
        for (int k = 0; k < DEPTH; k += 4) {
            double x[2][2], y[2];
            #pragma unroll
            for (int m = 0; m < 2; ++m) {
                x[m][0] = left[half][k + within][top + 16 * m + group];
                x[m][1] = left[half][k + within][top + 16 * m + group + 8];
                y[m] = right[half][k + within][side + 8 * m + group];
            }
            #pragma unroll
            for (int m = 0; m < 2; ++m)
                #pragma unroll
                for (int n = 0; n < 2; ++n)
                    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                        : "+d"(sum[m][n][0]), "+d"(sum[m][n][1]), "+d"(sum[m][n][2]), "+d"(sum[m][n][3])
                        : "d"(x[m][0]), "d"(x[m][1]), "d"(y[n]));
        }
        if (more) { PUT(half ^ 1) }
        __syncthreads();
    }
    EACH_ENTRY(*entry = mode == SET ? sum[m][n][q] : mode == ADD ? *entry + sum[m][n][q] : -sum[m][n][q];)
    __syncthreads();
    #undef EACH_ENTRY
    #undef FETCH
    #undef PUT
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
        front: int, first: int, width: int, at: wp.int64, inverse: wp.int64, ld: wp.int64, panels: reals, status: ints
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
        if body is PRODUCT and t.precision == "f64":
            body = f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900{TENSOR}#else{PRODUCT}#endif\n"
        text = HEAD + body + TAIL
        for name, value in VALUES.items():
            text = text.replace(name, str(value))
        text = text.replace("REAL", "float" if t.precision == "f32" else "double")
        made.append(wp.func_native(text)(function))
    return made[0], made[1]
