"""Native forward and backward substitution, vectorised, in C++.

A front is a product with its packed tiles: down the strips for L, and along them for Lᵀ. Several threads can share one
front, each with its own rows (L) or its own strips (Lᵀ); the sums do not depend on threads.
"""

import warp as wp

from ....runtime.device import Types
from ..symbolic.front_layout import COLUMNS, ROWS

FIELDS = ("pivots", "below", "first", "row_start", "child_start", "child_end", "packed")

COMMON = r"""
#if !defined(__CUDA_ARCH__)
    typedef real lanes __attribute__((ext_vector_type(ROWS), aligned(sizeof(real))));
    const long long* t = table.data + (long long)front * FIELD_COUNT;
    const int pivots = (int)t[0], below = (int)t[1], height = pivots + below;
    const long long first = t[2], row_start = t[3];
    const int tiles = (height + ROWS - 1) / ROWS, strips = (pivots + COLUMNS - 1) / COLUMNS;
    const int padded = tiles * ROWS, wide = strips * COLUMNS;
"""

# b₁ − updates of the children → v = L₁₁⁻¹ b₁ (kept in y), and w = L₂₁ L₁₁⁻¹ b₁ + updates of the children (to the
# parent)
FORWARD = r"""
    real* __restrict right = scratch.data + (long long)item * scratch_size;  // (K, wide)
    real* __restrict sum = right + K * wide;                                // (K, padded)
    // rows of this part: an equal share of the tiles
    int from = 0, to = tiles;
    if (parts > 1) {
        auto strips_of = [&](int i) {
            const int reached = (i * ROWS + ROWS - 1) / COLUMNS + 1;
            return reached < strips ? reached : strips;
        };
        long long total = 0, seen = 0;
        for (int i = 0; i < tiles; ++i) total += strips_of(i);
        from = -1;
        to = -1;
        for (int i = 0; i < tiles; ++i) {
            if (from < 0 && seen * parts >= total * part) from = i;
            if (to < 0 && seen * parts >= total * (part + 1)) to = i;
            seen += strips_of(i);
        }
        if (from < 0) from = tiles;
        if (to < 0 || part == parts - 1) to = tiles;
    }
    for (int k = 0; k < K; ++k) {
        for (int i = pivots; i < wide; ++i) right[k * wide + i] = real(0);
        for (int i = from * ROWS; i < to * ROWS; ++i) sum[k * padded + i] = real(0);
    }
    const real* given = (const real*)b.data;
    for (int i = 0; i < pivots; ++i) {
        const long long node = permutation.data[first + i];
        for (int k = 0; k < K; ++k) right[k * wide + i] = given[node * K + k];
    }
    for (long long c = t[4]; c < t[5]; ++c) {
        const int child = children.data[c];
        if (!active.data[child]) continue;
        const long long* s = table.data + (long long)child * FIELD_COUNT;
        const int count = (int)s[1];
        const int* place = relative.data + s[3];
        const real* handed = update.data + s[3] * K;
        for (int i = 0; i < count; ++i) {
            const int at = place[i];
            if (at < pivots)
                for (int k = 0; k < K; ++k) right[k * wide + at] -= handed[i * K + k];
            else
                for (int k = 0; k < K; ++k) sum[k * padded + at] += handed[i * K + k];
        }
    }
    const real* tile = packed.data + t[6];
    for (int s = 0; s < strips; ++s) {
        const int top = s * COLUMNS / ROWS;
        const int begin = from > top ? from : top;
        const real* __restrict a = tile + (long long)(begin - top) * ROWS * COLUMNS;
        real x[COLUMNS][K];
        for (int c = 0; c < COLUMNS; ++c)
            for (int k = 0; k < K; ++k) x[c][k] = right[k * wide + s * COLUMNS + c];
        for (int i = begin; i < to; ++i, a += ROWS * COLUMNS) {
#pragma clang fp contract(fast)
            lanes column[COLUMNS];
            for (int c = 0; c < COLUMNS; ++c) column[c] = *(const lanes*)(a + c * ROWS);
            for (int k = 0; k < K; ++k) {
                lanes v = *(const lanes*)(sum + k * padded + i * ROWS);
                for (int c = 0; c < COLUMNS; ++c) v += column[c] * x[c][k];
                *(lanes*)(sum + k * padded + i * ROWS) = v;
            }
        }
        tile += (long long)(tiles - top) * ROWS * COLUMNS;
    }
    const int last = to * ROWS < height ? to * ROWS : height;
    for (int i = from * ROWS; i < last; ++i)
        for (int k = 0; k < K; ++k) {
            if (i < pivots) y.data[(first + i) * K + k] = sum[k * padded + i];
            else update.data[(row_start + i - pivots) * K + k] = sum[k * padded + i];
        }
#endif
"""

# x₁ = L₁₁⁻ᵀ v − (L₂₁ L₁₁⁻¹)ᵀ x₂
BACKWARD = r"""
    real* __restrict known = scratch.data + (long long)item * scratch_size;  // (K, padded)
    int from = 0, to = strips;
    if (parts > 1) {
        const double total = (double)strips * tiles - 0.5 * strips * (strips * COLUMNS / (double)ROWS);
        double seen = 0.0;
        from = -1;
        to = -1;
        for (int s = 0; s < strips; ++s) {
            if (from < 0 && seen * parts >= total * part) from = s;
            if (to < 0 && seen * parts >= total * (part + 1)) to = s;
            seen += tiles - s * COLUMNS / (double)ROWS;
        }
        if (from < 0) from = strips;
        if (to < 0 || part == parts - 1) to = strips;
    }
    for (int k = 0; k < K; ++k)
        for (int i = height; i < padded; ++i) known[k * padded + i] = real(0);
    for (int i = 0; i < pivots; ++i)
        for (int k = 0; k < K; ++k) known[k * padded + i] = y.data[(first + i) * K + k];
    for (int i = 0; i < below; ++i) {
        const real* solved = x.data + (long long)rows.data[row_start + i] * K;
        for (int k = 0; k < K; ++k) known[k * padded + pivots + i] = -solved[k];
    }
    const real* tile = packed.data + t[6];
    for (int s = 0; s < from; ++s) tile += (long long)(tiles - s * COLUMNS / ROWS) * ROWS * COLUMNS;
    real* found = (real*)out.data;
    for (int s = from; s < to; ++s) {
        const int top = s * COLUMNS / ROWS;
        const real* __restrict a = tile;
        lanes sum[COLUMNS][K];
        for (int c = 0; c < COLUMNS; ++c)
            for (int k = 0; k < K; ++k) sum[c][k] = lanes(real(0));
        for (int i = top; i < tiles; ++i, a += ROWS * COLUMNS) {
#pragma clang fp contract(fast)
            lanes z[K];
            for (int k = 0; k < K; ++k) z[k] = *(const lanes*)(known + k * padded + i * ROWS);
            for (int c = 0; c < COLUMNS; ++c) {
                const lanes column = *(const lanes*)(a + c * ROWS);
                for (int k = 0; k < K; ++k) sum[c][k] += column * z[k];
            }
        }
        tile = a;
#pragma clang loop unroll(full)
        for (int c = 0; c < COLUMNS; ++c) {  // unrolled, or the sums would live in memory and be stored in every turn above
            if (s * COLUMNS + c >= pivots) continue;
            const long long at = first + s * COLUMNS + c;
            const long long node = permutation.data[at];
#pragma clang loop unroll(full)
            for (int k = 0; k < K; ++k) {
                real v = sum[c][k][0];
                for (int r = 1; r < ROWS; ++r) v += sum[c][k][r];
                x.data[at * K + k] = v;
                found[node * K + k] = v;
            }
        }
    }
#endif
"""


def _source(text: str, precision: str, width: int) -> str:
    text = (COMMON + text).replace("FIELD_COUNT", str(len(FIELDS))).replace("COLUMNS", str(COLUMNS))
    text = text.replace("ROWS", str(ROWS[precision]))
    return f"constexpr int K = {width};\n{text}"


def native_functions(t: Types, width: int) -> tuple[wp.Function, wp.Function]:
    """Substitution with L and with Lᵀ on one front, for ``width`` interleaved right-hand sides."""
    real = t.real
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    kind = real if width == 1 else t.vector(width)

    def forward(
        front: int,
        item: int,
        part: int,
        parts: int,
        scratch_size: int,
        table: longs,
        children: ints,
        relative: ints,
        permutation: ints,
        active: ints,
        packed: reals,
        b: wp.array(dtype=kind),
        scratch: reals,
        update: reals,
        y: reals,
    ): ...

    def backward(
        front: int,
        item: int,
        part: int,
        parts: int,
        scratch_size: int,
        table: longs,
        rows: ints,
        permutation: ints,
        packed: reals,
        y: reals,
        scratch: reals,
        x: reals,
        out: wp.array(dtype=kind),
    ): ...

    functions = []
    for stub, text in ((forward, FORWARD), (backward, BACKWARD)):
        stub.__name__ = f"cholesky_{stub.__name__}_{width}"
        functions.append(t.native(stub, _source(text, t.precision, width)))
    return functions[0], functions[1]
