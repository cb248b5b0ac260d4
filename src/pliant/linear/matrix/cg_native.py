"""Native conjugate gradient passes, vectorised, in C++.

Everything between two sums is one pass over the nodes: p = z + βp is formed where the product A p reads it, and p·Ap along
the way; x, r and z = D⁻¹ r are advanced together with r·z. So threads meet twice in an iteration. Sums are those of chunks of
``CHUNK`` rows, whoever forms them.
"""

import warp as wp

from ...runtime.device import Types

CHUNK = 64  # rows

# q = A p with p = z + βp; the sum p·q of the chunk. A load of four numbers takes one more than a node has, which is not used;
# the last row of a block is read from one number before it, so that nothing is read beyond the matrix
PRODUCT = (
    f"constexpr int CHUNK = {CHUNK};"
    + r"""
#if !defined(__CUDA_ARCH__)
    typedef real lanes __attribute__((ext_vector_type(4), aligned(sizeof(real))));
    const real* __restrict zs = (const real*)z.data;
    const real* __restrict old = (const real*)before.data;
    real* __restrict ps = (real*)p.data;
    real* __restrict qs = (real*)q.data;
    const real* __restrict mask = (const real*)free.data;
    const real beta = (real)s.data[2];
    const int count = free.shape[0], last = CHUNK * (c + 1) < count ? CHUNK * (c + 1) : count;
    double sum = 0.0;
    for (int r = CHUNK * c; r < last; ++r) {
#pragma clang fp contract(fast)
        lanes t0 = lanes(real(0)), t1 = t0, t2 = t0;
        const int end = rows.data[r + 1];
        const real* __restrict a = (const real*)values.data + 9LL * rows.data[r];
        for (int i = rows.data[r]; i < end; ++i, a += 9) {
            const long long at = 3LL * columns.data[i];
            const lanes v = *(const lanes*)(zs + at) + beta * *(const lanes*)(old + at);
            t0 += *(const lanes*)a * v;
            t1 += *(const lanes*)(a + 3) * v;
            t2 += *(const lanes*)(a + 5) * v.wxyz;
        }
        const real total[3] = {(t0.x + t0.y) + t0.z, (t1.x + t1.y) + t1.z, (t2.y + t2.z) + t2.w};
        for (int k = 0; k < 3; ++k) {
            const long long at = 3LL * r + k;
            const real here = zs[at] + beta * old[at], there = mask[at] * total[k];
            ps[at] = here;
            qs[at] = there;
            sum += (double)here * (double)there;
        }
    }
    parts.data[c] = sum;
#endif
"""
)

# x += step p, r −= step q, z = D⁻¹ r; the sum r·z of the chunk
ADVANCE = (
    f"constexpr int CHUNK = {CHUNK};"
    + r"""
#if !defined(__CUDA_ARCH__)
    real* __restrict xs = (real*)x.data;
    real* __restrict rs = (real*)r.data;
    real* __restrict zs = (real*)z.data;
    const real* __restrict ps = (const real*)p.data;
    const real* __restrict qs = (const real*)q.data;
    const real* __restrict mask = (const real*)free.data;
    const real step = (real)s.data[1];
    const int last = CHUNK * (c + 1) < count ? CHUNK * (c + 1) : count;
    for (int k = 3 * CHUNK * c; k < 3 * last; ++k) {
#pragma clang fp contract(fast)
        xs[k] += step * ps[k];
        rs[k] -= step * qs[k];
    }
    double sum = 0.0;
    for (int i = CHUNK * c; i < last; ++i) {
#pragma clang fp contract(fast)
        const real* __restrict a = (const real*)inverse.data + 9LL * i;
        for (int k = 0; k < 3; ++k) {
            const real* left = rs + 3LL * i;
            const real here = mask[3 * i + k] * (a[3 * k] * left[0] + a[3 * k + 1] * left[1] + a[3 * k + 2] * left[2]);
            zs[3 * i + k] = here;
            sum += (double)left[k] * (double)here;
        }
    }
    parts.data[c] = sum;
#endif
"""
)


# a block of the diagonal lies a row away from the next: that of a row to come is asked for
FETCH = r"""
#if !defined(__CUDA_ARCH__)
    const int last = diagonal.shape[0] - 1;
    const char* later = (const char*)(values.data + diagonal.data[i + 16 < last ? i + 16 : last]);
    __builtin_prefetch(later);
    __builtin_prefetch(later + 64);
#endif
"""


def fetch_function(t: Types) -> wp.Function:
    """``fetch_diagonal(i, diagonal, values)``: a hint on the CPU, for kernels that go through the diagonal."""

    def fetch_diagonal(i: int, diagonal: wp.array(dtype=wp.int32), values: wp.array(dtype=t.mat33)): ...

    return t.native(fetch_diagonal, FETCH)
