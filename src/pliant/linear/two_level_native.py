"""What two levels add to conjugate gradients on the CPU: two passes over the aggregates in each iteration, and before them the
inverse of the small matrix, in place and without the blocks that are 0.

The first pass advances x and r and sums up force and moment on each aggregate; the second moves each aggregate by its row of C⁻¹,
spreads that to its nodes beside their own blocks, and sums up r·z. So threads meet three times in an iteration, and sums are
those of aggregates, whoever forms them.
"""

import warp as wp

from ..device import Types

# x += step p, r −= step q; force and moment of r on aggregate a
FORCES = r"""
#if !defined(__CUDA_ARCH__)
    real* __restrict xs = (real*)x.data;
    real* __restrict rs = (real*)r.data;
    const real* __restrict ps = (const real*)p.data;
    const real* __restrict qs = (const real*)q.data;
    const real* __restrict mask = (const real*)free.data;
    const real* __restrict arms = (const real*)arm.data;
    const real step = (real)s.data[1];
    double f[6] = {};
    for (int i = starts.data[a]; i < starts.data[a + 1]; ++i) {
#pragma clang fp contract(fast)
        const long long at = 3LL * members.data[i];
        double push[3];
        for (int k = 0; k < 3; ++k) {
            xs[at + k] += step * ps[at + k];
            rs[at + k] -= step * qs[at + k];
            push[k] = (double)(mask[at + k] * rs[at + k]);
        }
        const double d[3] = {(double)arms[at], (double)arms[at + 1], (double)arms[at + 2]};
        f[0] += push[0];
        f[1] += push[1];
        f[2] += push[2];
        f[3] += d[1] * push[2] - d[2] * push[1];
        f[4] += d[2] * push[0] - d[0] * push[2];
        f[5] += d[0] * push[1] - d[1] * push[0];
    }
    double* out = (double*)force.data + 6LL * a;
    for (int k = 0; k < 6; ++k) out[k] = f[k];
#endif
"""

# y = row a of C⁻¹ times the forces, 0 where C is not positive definite; z = D⁻¹ r + Z y; the sum r·z of aggregate a
MOTIONS = r"""
#if !defined(__CUDA_ARCH__)
    const real* __restrict rs = (const real*)r.data;
    real* __restrict zs = (real*)z.data;
    const real* __restrict mask = (const real*)free.data;
    const real* __restrict arms = (const real*)arm.data;
    const double* __restrict forces = (const double*)force.data;
    const double* __restrict row = (const double*)coarse.data + 36LL * a * count;
    double y[6] = {};
    for (int b = 0; b < count; ++b)
        for (int i = 0; i < 6; ++i) {
#pragma clang fp contract(fast)
            const double* m = row + 36LL * b + 6 * i;
            const double* f = forces + 6LL * b;
            y[i] += ((m[0] * f[0] + m[1] * f[1]) + (m[2] * f[2] + m[3] * f[3])) + (m[4] * f[4] + m[5] * f[5]);
        }
    for (int i = 0; i < 6; ++i) y[i] *= sound.data[0];
    double sum = 0.0;
    for (int i = starts.data[a]; i < starts.data[a + 1]; ++i) {
#pragma clang fp contract(fast)
        const long long n = members.data[i], at = 3 * n;
        const real* __restrict block = (const real*)inverse.data + 9 * n;
        const real* left = rs + at;
        const double d[3] = {(double)arms[at], (double)arms[at + 1], (double)arms[at + 2]};
        const real shift[3] = {
            (real)(y[0] + (y[4] * d[2] - y[5] * d[1])),
            (real)(y[1] + (y[5] * d[0] - y[3] * d[2])),
            (real)(y[2] + (y[3] * d[1] - y[4] * d[0]))};
        for (int k = 0; k < 3; ++k) {
            const real own = block[3 * k] * left[0] + block[3 * k + 1] * left[1] + block[3 * k + 2] * left[2];
            const real here = mask[at + k] * (own + shift[k]);
            zs[at + k] = here;
            sum += (double)left[k] * (double)here;
        }
    }
    parts.data[a] = sum;
#endif
"""

# one step of Gauss and Jordan on row i of blocks, with pivot p and its divided ``row``; 0 blocks, between bodies apart, stay 0
ELIMINATE = r"""
#if !defined(__CUDA_ARCH__)
    double* __restrict here = (double*)matrix.data + 36LL * i * count;
    const double* __restrict pivot = (const double*)row.data;
    if (i == p) {
        for (long long k = 0; k < 36LL * count; ++k) here[k] = pivot[k];
        return;
    }
    double a[36];
    int first = 36;
    for (int k = 35; k >= 0; --k) {
        a[k] = here[36 * p + k];
        if (a[k] != 0.0) first = k;
        here[36 * p + k] = 0.0;
    }
    if (first == 36) return;
    for (int j = 0; j < count; ++j) {
        const double* __restrict b = pivot + 36 * j;
        double* __restrict out = here + 36 * j;
        int k = 0;
        while (k < 36 && b[k] == 0.0) ++k;
        if (k == 36) continue;
        for (int r = 0; r < 6; ++r)
            for (int t = 0; t < 6; ++t)
                for (int c = 0; c < 6; ++c) out[6 * r + c] -= a[6 * r + t] * b[6 * t + c];
    }
#endif
"""

# the corners of Σ Zᵢᵀ Aᵢⱼ Zⱼ over the entries of part c, with Zᵢ = [1, −dᵢ×]: entries come row by row, and what they have in
# common with their row is done once for it
PAIRS = r"""
#if !defined(__CUDA_ARCH__)
    const real* __restrict mask = (const real*)free.data;
    const real* __restrict arms = (const real*)arm.data;
    double sum[4][9] = {};
    int k = bounds.data[c];
    const int end = bounds.data[c + 1];
    while (k < end) {
#pragma clang fp contract(fast)
        const long long i = rows.data[k];
        double A[9] = {}, B[9] = {};  // of the row: Σ Aᵢⱼ and Σ dⱼ × (its rows)
        for (; k < end && rows.data[k] == i; ++k) {
            const long long e = entries.data[k], j = columns.data[e];
            const real* __restrict block = (const real*)values.data + 9 * e;
            const double d[3] = {(double)arms[3 * j], (double)arms[3 * j + 1], (double)arms[3 * j + 2]};
            for (int r = 0; r < 3; ++r) {
                const double a[3] = {
                    (double)(block[3 * r] * mask[3 * j]), (double)(block[3 * r + 1] * mask[3 * j + 1]),
                    (double)(block[3 * r + 2] * mask[3 * j + 2])};
                for (int s = 0; s < 3; ++s) A[3 * r + s] += a[s];
                B[3 * r] += d[1] * a[2] - d[2] * a[1];
                B[3 * r + 1] += d[2] * a[0] - d[0] * a[2];
                B[3 * r + 2] += d[0] * a[1] - d[1] * a[0];
            }
        }
        const double d[3] = {(double)arms[3 * i], (double)arms[3 * i + 1], (double)arms[3 * i + 2]};
        for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
                A[3 * r + s] *= (double)mask[3 * i + r];
                B[3 * r + s] *= (double)mask[3 * i + r];
                sum[0][3 * r + s] += A[3 * r + s];
                sum[1][3 * r + s] += B[3 * r + s];
            }
        for (int s = 0; s < 3; ++s) {  // dᵢ × each column
            sum[2][s] += d[1] * A[6 + s] - d[2] * A[3 + s];
            sum[2][3 + s] += d[2] * A[s] - d[0] * A[6 + s];
            sum[2][6 + s] += d[0] * A[3 + s] - d[1] * A[s];
            sum[3][s] += d[1] * B[6 + s] - d[2] * B[3 + s];
            sum[3][3 + s] += d[2] * B[s] - d[0] * B[6 + s];
            sum[3][6 + s] += d[0] * B[3 + s] - d[1] * B[s];
        }
    }
    for (int q = 0; q < 4; ++q) {
        double* to = (double*)out.data + 9LL * (q * (long long)out.shape[1] + c);
        for (int s = 0; s < 9; ++s) to[s] = sum[q][s];
    }
#endif
"""


def pair_sums(t: Types) -> wp.Function:
    """Part c of the matrix between aggregates, on the CPU."""
    ints, vectors, blocks = wp.array(dtype=wp.int32), wp.array(dtype=t.vec3), wp.array(dtype=t.mat33)

    def sum_pairs(
        c: int,
        bounds: ints,
        entries: ints,
        rows: ints,
        columns: ints,
        free: vectors,
        arm: vectors,
        values: blocks,
        out: wp.array2d(dtype=wp.mat33d),
    ): ...

    return t.native(sum_pairs, PAIRS)


def elimination(six_by_six: type) -> wp.Function:
    """Row i of the matrix after the step with pivot p."""
    matrix_, row_ = wp.array2d(dtype=six_by_six), wp.array(dtype=six_by_six)

    def eliminate_row(i: int, p: int, count: int, row: row_, matrix: matrix_): ...

    return wp.func_native(ELIMINATE)(eliminate_row)


def two_level_functions(t: Types, six: type, six_by_six: type) -> tuple[wp.Function, wp.Function]:
    """Both passes over the nodes of aggregate a."""
    ints, vectors, numbers = wp.array(dtype=wp.int32), wp.array(dtype=t.vec3), wp.array(dtype=wp.float64)
    sixes, matrix, blocks = wp.array(dtype=six), wp.array2d(dtype=six_by_six), wp.array(dtype=t.mat33)

    def aggregate_forces(
        a: int,
        starts: ints,
        members: ints,
        free: vectors,
        arm: vectors,
        s: numbers,
        p: vectors,
        q: vectors,
        x: vectors,
        r: vectors,
        force: sixes,
    ): ...

    def aggregate_motions(
        a: int,
        count: int,
        starts: ints,
        members: ints,
        free: vectors,
        arm: vectors,
        inverse: blocks,
        coarse: matrix,
        sound: numbers,
        force: sixes,
        r: vectors,
        z: vectors,
        parts: wp.array2d(dtype=wp.float64),
    ): ...

    return t.native(aggregate_forces, FORCES), t.native(aggregate_motions, MOTIONS)
