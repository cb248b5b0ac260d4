"""Native front factorisation: assembly, blocked Cholesky, inverse, packing.

Each stage is a set of tasks on blocks of a fixed size. For one thread or several, each
call of BLAS is the same, and so is every bit of the result.
"""

import warp as wp

from ....runtime.device import family
from ..symbolic.front_layout import COLUMNS, ROWS

BLOCK = 256  # columns or rows of a task
ASSEMBLE, FACTOR, SOLVE, UPDATE, INVERT, MULTIPLY, PACK, KEEP = range(8)  # stages of a front
# columns of the table of fronts; ``kept`` is where the update is kept, its lower triangle column after column, −1 where it is not
FIELDS = (
    "pivots", "below", "row_start", "child_start", "child_end", "entry_start", "entry_end",
    "panel", "inverse", "update", "kept", "packed",
)  # fmt: skip

SNIPPET = r"""
#if !defined(__CUDA_ARCH__)
    typedef void (*potrf_t)(char*, int*, double*, int*, int*);
    typedef void (*trtri_t)(char*, char*, int*, double*, int*, int*);
    typedef void (*trxm_t)(char*, char*, char*, char*, int*, int*, double*, double*, int*, double*, int*);
    typedef void (*syrk_t)(char*, char*, int*, int*, double*, double*, int*, double*, double*, int*);
    typedef void (*gemm_t)(char*, char*, int*, int*, int*, double*, double*, int*, double*, int*, double*, double*, int*);
    potrf_t potrf = (potrf_t)blas.data[0];
    trtri_t trtri = (trtri_t)blas.data[1];
    trxm_t trsm = (trxm_t)blas.data[2];
    trxm_t trmm = (trxm_t)blas.data[3];
    syrk_t syrk = (syrk_t)blas.data[4];
    gemm_t gemm = (gemm_t)blas.data[5];
    char lower = 'L', right = 'R', left = 'L', plain = 'N', transposed = 'T', general = 'N';
    double one = 1.0, minus = -1.0;

    const long long* t = table.data + (long long)front * FIELD_COUNT;
    const int pivots = (int)t[0], below = (int)t[1];
    int height = pivots + below, nb = below > 0 ? below : 1;
    double* panel = work.data + t[7];                                  // (height, pivots), column by column
    double* inverse = work.data + t[8];                                // (pivots, pivots)
    double* update = work.data + t[9];                                 // (below, below), lower triangle
    const int blocks = (pivots + BLOCK - 1) / BLOCK, lower_blocks = (below + BLOCK - 1) / BLOCK;

    auto assemble = [&](int task) {
        const bool inside = task < blocks;
        const int begin = inside ? task * BLOCK : pivots + (task - blocks) * BLOCK;
        const int last = inside ? pivots : height;
        const int end = begin + BLOCK < last ? begin + BLOCK : last;
        // column j of the front starts at its row zero here, whichever store it lies in
        double* base = inside ? panel : update - pivots - (long long)pivots * below;
        const long long step = inside ? height : below;
        for (int j = begin; j < end; ++j) {
            double* column = base + j * step;
            for (int i = inside ? 0 : j; i < height; ++i) column[i] = 0.0;
        }
        if (inside) {
            long long lo = t[5], hi = t[6];
            const long long from = (long long)begin * height, to = (long long)end * height;
            while (lo < hi) {
                const long long mid = (lo + hi) / 2;
                if (place.data[mid] < from) lo = mid + 1; else hi = mid;
            }
            for (long long e = lo; e < t[6] && place.data[e] < to; ++e) panel[place.data[e]] += values.data[e];
        }
        for (long long c = t[3]; c < t[4]; ++c) {
            const long long* s = table.data + (long long)children.data[c] * FIELD_COUNT;
            const int count = (int)s[1];
            const int* to = relative.data + s[2];
            const bool whole = s[10] < 0;  // else column after column without what is above the diagonal
            const double* from = whole ? work.data + s[9] : kept.data + s[10];
            int lo = 0, hi = count;
            while (lo < hi) {
                const int mid = (lo + hi) / 2;
                if (to[mid] < begin) lo = mid + 1; else hi = mid;
            }
            for (int j = lo; j < count && to[j] < end; ++j) {
                double* __restrict column = base + to[j] * step;
                const double* __restrict source = from + (whole ? (long long)j * count : (long long)j * (2 * count - j - 1) / 2);
                for (int i = j; i < count; ++i) column[to[i]] += source[i];
            }
        }
    };
    auto width_of = [&](int k) { return k * BLOCK + BLOCK < pivots ? BLOCK : pivots - k * BLOCK; };
    auto factor = [&](int k) {
        int width = width_of(k), info = 0;
        potrf(&lower, &width, panel + (long long)k * BLOCK * (height + 1), &height, &info);
        if (info != 0 && status.data[front] == 0) status.data[front] = k * BLOCK + info;
    };
    auto solve = [&](int k, int task) {
        int width = width_of(k);
        const int begin = k * BLOCK + width + task * BLOCK;
        int count = begin + BLOCK < height ? BLOCK : height - begin;
        double* column = panel + (long long)k * BLOCK * height;
        trsm(&right, &lower, &transposed, &general, &count, &width, &one, column + k * BLOCK, &height, column + begin, &height);
    };
    auto subtract = [&](int k, int task) {
        int width = width_of(k);
        const bool inside = k + 1 + task < blocks;
        const int begin = inside ? (k + 1 + task) * BLOCK : pivots + (task - (blocks - k - 1)) * BLOCK;
        const int last = inside ? pivots : height;
        int count = begin + BLOCK < last ? BLOCK : last - begin;
        int rest = height - begin - count;
        double* column = panel + (long long)k * BLOCK * height;
        double* target = inside ? panel + (long long)begin * height + begin : update + (long long)(begin - pivots) * (below + 1);
        int step = inside ? height : below;
        syrk(&lower, &plain, &count, &width, &minus, column + begin, &height, &one, target, &step);
        if (rest > 0)
            gemm(&plain, &transposed, &rest, &count, &width, &minus, column + begin + count, &height, column + begin, &height,
                 &one, target + count, &step);
    };
    auto invert = [&](int k) {
        int width = width_of(k), info = 0, n = pivots;
        const int begin = k * BLOCK;
        int rest = pivots - begin - width;
        double* to = inverse + (long long)begin * pivots + begin;
        const double* from = panel + (long long)begin * height + begin;
        for (int j = 0; j < width; ++j)
            for (int i = j; i < width + rest; ++i) to[(long long)j * n + i] = from[(long long)j * height + i];
        trtri(&lower, &general, &width, to, &n, &info);
        if (rest > 0) {
            trmm(&right, &lower, &plain, &general, &rest, &width, &minus, to, &n, to + width, &n);
            double* corner = panel + (long long)(begin + width) * (height + 1);
            trsm(&left, &lower, &plain, &general, &rest, &width, &one, corner, &height, to + width, &n);
        }
    };
    auto multiply = [&](int task) {
        int count = (task + 1) * BLOCK < below ? BLOCK : below - task * BLOCK, n = pivots;
        trmm(&right, &lower, &plain, &general, &count, &n, &one, inverse, &n, panel + pivots + task * BLOCK, &height);
    };
    auto pack = [&](int task) {
        const int strips = (pivots + COLUMNS - 1) / COLUMNS, tiles = (height + ROWS - 1) / ROWS;
        const int begin = task * (BLOCK / COLUMNS);
        const int end = begin + BLOCK / COLUMNS < strips ? begin + BLOCK / COLUMNS : strips;
        real* out = packed.data + t[11];
        for (int s = 0; s < begin; ++s) out += (long long)(tiles - s * COLUMNS / ROWS) * ROWS * COLUMNS;
        for (int s = begin; s < end; ++s)
            for (int tile = s * COLUMNS / ROWS; tile < tiles; ++tile)
                for (int c = 0; c < COLUMNS; ++c)
                    for (int r = 0; r < ROWS; ++r) {
                        const int i = tile * ROWS + r, j = s * COLUMNS + c;
                        double v = 0.0;
                        if (j < pivots && i >= j && i < height)
                            v = i < pivots ? inverse[(long long)j * pivots + i] : panel[(long long)j * height + i];
                        *out++ = (real)v;
                    }
    };
    auto keep = [&](int task) {
        const int begin = task * BLOCK, end = begin + BLOCK < below ? begin + BLOCK : below;
        for (int j = begin; j < end; ++j) {
            const double* __restrict source = update + (long long)j * below;
            double* __restrict column = kept.data + t[10] + (long long)j * (2 * below - j - 1) / 2;
            for (int i = j; i < below; ++i) column[i] = source[i];
        }
    };
    auto tasks_of = [&](int kind, int k) {
        if (kind == 0) return blocks + lower_blocks;
        if (kind == 1) return 1;
        if (kind == 2) return (height - k * BLOCK - width_of(k) + BLOCK - 1) / BLOCK;
        if (kind == 3) return blocks - k - 1 + lower_blocks;
        if (kind == 4) return blocks;
        if (kind == 5) return lower_blocks;
        if (kind == 7) return t[10] < 0 ? 0 : lower_blocks;
        return (pivots + BLOCK - 1) / BLOCK;
    };
    auto share = [&](int kind, int k) {
        for (int task = part; task < tasks_of(kind, k); task += parts) {
            if (kind == 0) assemble(task);
            else if (kind == 1) factor(k);
            else if (kind == 2) solve(k, task);
            else if (kind == 3) subtract(k, task);
            else if (kind == 4) invert(task);
            else if (kind == 5) multiply(task);
            else if (kind == 6) pack(task);
            else keep(task);
        }
    };
    if (stage >= 0) {
        share(stage, block);
    } else {
        share(0, 0);
        for (int k = 0; k < blocks; ++k) {
            share(1, k);
            share(2, k);
            share(3, k);
        }
        share(7, 0);
        share(4, 0);
        share(5, 0);
        share(6, 0);
    }
#endif
"""


@wp.struct
class Fronts:
    """The fronts of a matrix, the places of its entries, and addresses of BLAS functions."""

    table: wp.array(dtype=wp.int64)
    children: wp.array(dtype=wp.int32)
    relative: wp.array(dtype=wp.int32)
    place: wp.array(dtype=wp.int64)
    blas: wp.array(dtype=wp.uint64)


@family
def cholesky_factor_kernels(t):
    real = t.real
    longs, ints, doubles = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=wp.float64)
    source = SNIPPET
    for name, value in (
        ("FIELD_COUNT", len(FIELDS)),
        ("BLOCK", BLOCK),
        ("COLUMNS", COLUMNS),
        ("ROWS", ROWS[t.precision]),
        ("(real)", "(float)" if t.precision == "f32" else "(double)"),
        ("real*", "float*" if t.precision == "f32" else "double*"),
    ):
        source = source.replace(name, str(value))

    def front_stage(
        front: int,
        stage: int,
        block: int,
        part: int,
        parts: int,
        table: longs,
        children: ints,
        relative: ints,
        place: longs,
        blas: wp.array(dtype=wp.uint64),
        values: doubles,
        work: doubles,
        kept: doubles,
        packed: wp.array(dtype=real),
        status: ints,
    ): ...

    front_stage.__name__ = front_stage.__qualname__ = f"cholesky_front_{t.precision}"
    front_stage = wp.func_native(source)(front_stage)

    @t.kernel
    def factor_fronts(
        start: int,
        # mesh:
        group_start: ints, group: ints, fronts: Fronts,
        # in:
        values: doubles,
        # out:
        work: doubles, kept: doubles, packed: wp.array(dtype=real), status: ints,
    ):  # fmt: skip
        """Factor a list of fronts one after the other."""
        g = start + wp.tid()
        for k in range(group_start[g], group_start[g + 1]):
            front_stage(
                group[k], -1, 0, 0, 1, fronts.table, fronts.children, fronts.relative, fronts.place, fronts.blas,
                values, work, kept, packed, status,
            )  # fmt: skip

    @t.kernel
    def factor_stage(
        start: int,
        # mesh:
        front: int, stage: int, block: int, parts: int, fronts: Fronts,
        # in:
        values: doubles,
        # out:
        work: doubles, kept: doubles, packed: wp.array(dtype=real), status: ints,
    ):  # fmt: skip
        """One part's share of one stage of one front."""
        front_stage(
            front, stage, block, start + wp.tid(), parts, fronts.table, fronts.children, fronts.relative, fronts.place,
            fronts.blas, values, work, kept, packed, status,
        )  # fmt: skip

    return {"factor_fronts": factor_fronts, "factor_stage": factor_stage}
