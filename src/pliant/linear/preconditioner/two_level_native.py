"""Native passes of the two-level preconditioner, in C++.

The first pass advances x and r and sums up force and moment on each aggregate; the second moves each aggregate by its row of C⁻¹,
adds that at its nodes to their own blocks, and sums up r·z. So threads synchronise three times in an iteration, and sums are
those of aggregates, for any threads.
"""

# x += step p, r −= step q; force and moment of r on aggregate a
FORCES = r"""
#if !defined(__CUDA_ARCH__)
    real* __restrict xs = (real*)x.data;
    real* __restrict rs = (real*)r.data;
    const real* __restrict ps = (const real*)p.data;
    const real* __restrict qs = (const real*)q.data;
    const real* __restrict mask = (const real*)of.free.data;
    const real* __restrict arms = (const real*)of.arm.data;
    const real step = (real)s.data[1];
    double f[6] = {};
    for (int i = of.starts.data[a]; i < of.starts.data[a + 1]; ++i) {
#pragma clang fp contract(fast)
        const long long at = 3LL * of.members.data[i];
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
    const int count = coarse.shape[0];
    const real* __restrict rs = (const real*)r.data;
    real* __restrict zs = (real*)z.data;
    const real* __restrict mask = (const real*)of.free.data;
    const real* __restrict arms = (const real*)of.arm.data;
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
    for (int i = of.starts.data[a]; i < of.starts.data[a + 1]; ++i) {
#pragma clang fp contract(fast)
        const long long n = of.members.data[i], at = 3 * n;
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

# −C⁻¹ in the upper half by sweeps of symmetric blocks (Goodnight 1979), then C⁻¹ in both; 0 blocks, between bodies apart, are
# passed over. With the row X of a pivot and Y = P X, P being its inverse, every other block (i, j) loses Yᵢᵀ Xⱼ
INVERT = r"""
#if !defined(__CUDA_ARCH__)
    typedef double two __attribute__((ext_vector_type(2), aligned(8)));
    double *C = (double*)matrix.data, *X = (double*)scratch.data, *Y = X + 36LL * count;
    for (int p = 0; p < count; ++p) {
        double P[36];
        for (int k = 0; k < 36; ++k) P[k] = C[36LL * (p * (long long)count + p) + k];
        for (int q = 0; q < 6; ++q) {  // as inverse_of
            double pivot = P[7 * q];
            if (!(pivot > 0.0)) sound.data[0] = 0.0, pivot = 1.0;
            for (int i = 0; i < 6; ++i) {
                if (i == q) continue;
                const double share = P[6 * i + q] / pivot;
                for (int j = 0; j < 6; ++j)
                    if (j != q) P[6 * i + j] -= share * P[6 * q + j];
                P[6 * i + q] = -share;
            }
            for (int j = 0; j < 6; ++j)
                if (j != q) P[6 * q + j] /= pivot;
            P[7 * q] = 1.0 / pivot;
        }
        int used = 0, *list = (int*)(Y + 36LL * count);
        for (int j = 0; j < count; ++j) {
            if (j == p) continue;
            double *x = X + 36LL * j, *y = Y + 36LL * j;
            const double* from = C + 36LL * (j > p ? p * (long long)count + j : j * (long long)count + p);
            bool any = false;
            for (int k = 0; k < 36; ++k) any |= from[k] != 0.0;
            if (!any) continue;
            list[used++] = j;
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) x[6 * r + c] = j > p ? from[6 * r + c] : from[6 * c + r];
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) {
                    double sum = 0.0;
                    for (int t = 0; t < 6; ++t) sum += P[6 * r + t] * x[6 * t + c];
                    y[6 * r + c] = sum;
                }
            double* to = (double*)from;
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) to[j > p ? 6 * r + c : 6 * c + r] = y[6 * r + c];
        }
        for (int k = 0; k < 36; ++k) C[36LL * (p * (long long)count + p) + k] = -P[k];
        for (int n = 0; n < used; ++n) {
            const double* __restrict y = Y + 36LL * list[n];
            for (int m = n; m < used; ++m) {
                const two* __restrict x = (const two*)(X + 36LL * list[m]);
                two* __restrict out = (two*)(C + 36LL * (list[n] * (long long)count + list[m]));
                for (int r = 0; r < 6; ++r) {
                    two a = out[3 * r], b = out[3 * r + 1], c = out[3 * r + 2];
                    for (int t = 0; t < 6; ++t) {
                        a -= y[6 * t + r] * x[3 * t];
                        b -= y[6 * t + r] * x[3 * t + 1];
                        c -= y[6 * t + r] * x[3 * t + 2];
                    }
                    out[3 * r] = a;
                    out[3 * r + 1] = b;
                    out[3 * r + 2] = c;
                }
            }
        }
    }
    for (int i = 0; i < count; ++i)
        for (int j = i; j < count; ++j) {
            double *here = C + 36LL * (i * (long long)count + j), *there = C + 36LL * (j * (long long)count + i);
            for (int k = 0; k < 36; ++k) here[k] = -here[k];
            if (i == j) continue;
            for (int r = 0; r < 6; ++r)
                for (int c = 0; c < 6; ++c) there[6 * c + r] = here[6 * r + c];
        }
#endif
"""

# the corners of Σ Zᵢᵀ Aᵢⱼ Zⱼ over the entries of part c, with Zᵢ = [1, −dᵢ×]: entries come row by row, and what they have in
# common with their row is done once for it
PAIRS = r"""
#if !defined(__CUDA_ARCH__)
    typedef real lanes __attribute__((ext_vector_type(4), aligned(sizeof(real))));
    typedef double wide __attribute__((ext_vector_type(4)));
    const real* __restrict mask = (const real*)free.data;
    const real* __restrict arms = (const real*)arm.data;
    double sum[4][9] = {};
    int k = bounds.data[c];
    const int end = bounds.data[c + 1], last = bounds.data[bounds.shape[0] - 1] - 1, AHEAD = 24;
    while (k < end) {
#pragma clang fp contract(fast)
        const long long i = rows.data[k];
        // of the row: Σ Aᵢⱼ, Σ dⱼ × (its rows), and dⱼ times Aᵢⱼ. A load of four numbers takes one more than a row has, which is
        // not used; that of the last row takes the one before it
        double A[9], B[9], X[9], Y[9], Z[9];
        wide a0 = wide(0.0), a1 = a0, a2 = a0, x0 = a0, x1 = a0, x2 = a0, y0 = a0, y1 = a0, y2 = a0, z0 = a0, z1 = a0, z2 = a0;
        for (; k < end && rows.data[k] == i; ++k) {
            const long long e = entries.data[k], j = columns.data[e];
            const real *block = (const real*)values.data + 9 * e, *free_ = mask + 3 * j;
            const real* later = (const real*)values.data + 9LL * entries.data[k + AHEAD < last ? k + AHEAD : last];
            __builtin_prefetch(later);
            __builtin_prefetch(later + 8);
            real masked[9];
            if (free_[0] * free_[1] * free_[2] != real(1)) {
                for (int s = 0; s < 9; ++s) masked[s] = block[s] * free_[s % 3];
                block = masked;
            }
            const double x = (double)arms[3 * j], y = (double)arms[3 * j + 1], z = (double)arms[3 * j + 2];
            const wide r0 = __builtin_convertvector(*(const lanes*)block, wide);
            const wide r1 = __builtin_convertvector(*(const lanes*)(block + 3), wide);
            const wide r2 = __builtin_convertvector(*(const lanes*)(block + 5), wide);
            a0 += r0, a1 += r1, a2 += r2;
            x0 += x * r0, x1 += x * r1, x2 += x * r2;
            y0 += y * r0, y1 += y * r1, y2 += y * r2;
            z0 += z * r0, z1 += z * r1, z2 += z * r2;
        }
        for (int s = 0; s < 3; ++s) {
            A[s] = a0[s], A[3 + s] = a1[s], A[6 + s] = a2[s + 1];
            X[s] = x0[s], X[3 + s] = x1[s], X[6 + s] = x2[s + 1];
            Y[s] = y0[s], Y[3 + s] = y1[s], Y[6 + s] = y2[s + 1];
            Z[s] = z0[s], Z[3 + s] = z1[s], Z[6 + s] = z2[s + 1];
        }
        for (int r = 0; r < 9; r += 3) {
            B[r] = Y[r + 2] - Z[r + 1];
            B[r + 1] = Z[r] - X[r + 2];
            B[r + 2] = X[r + 1] - Y[r];
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
