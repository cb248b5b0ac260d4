"""Corotational tet matrices on the CPU, in R ∇N.

Where R is held fixed, K_ij = c₀ (hᵢ·hⱼ) 1 + c₁ hⱼ⊗hᵢ + c₂ hᵢ⊗hⱼ with h = R ∇N; a block of a pair of corners is fifteen vector
instructions, and the ten blocks of a tet would be nearly six times as many numbers as its h.
"""

from itertools import combinations_with_replacement
from types import SimpleNamespace

import warp as wp

from ...material.functions import Functions
from ...runtime.device import Types, family

AHEAD = 24  # contributions: how far before its turn a tet is asked for
PAIRS = tuple(combinations_with_replacement(range(4), 2))  # corners, in the order of blocks

# what a pair of corners with h and k adds, of laws whose rotation is held fixed; one instruction adds a product to its sum
FIXED = r"""
    auto add = [&](const lanes* __restrict tet, const lanes h, const lanes k) {
        const lanes u = tet[2].w * h, v = tet[1].w * k, w = h * k;
        same += tet[0].w * (w.x + w.y + w.z);
        t0 += u.x * k;
        t1 += u.y * k;
        t2 += u.z * k;
        t0 += v.x * h;
        t1 += v.y * h;
        t2 += v.z * h;
    };
"""

# and of laws whose rotation turns along: c₀ (h·k) 1 + c₁ h⊗k − [h]× D [k]×, with D = E + ½ tr(D) 1
TURNING = r"""
    auto add = [&](const lanes* __restrict tet, const lanes h, const lanes k) {
        const lanes x = tet[4], y = tet[5], z = tet[6], u = tet[1].w * h, w = h * k;
        const lanes Eh = h.x * x + h.y * y + h.z * z, Ek = k.x * x + k.y * y + k.z * z, v = k * Eh;
        const real dot = w.x + w.y + w.z;
        same += tet[0].w * dot;
        same -= v.x + v.y + v.z;
        t0 += u.x * k;
        t1 += u.y * k;
        t2 += u.z * k;
        t0 -= dot * x;
        t1 -= dot * y;
        t2 -= dot * z;
        t0 += k.x * Eh;
        t1 += k.y * Eh;
        t2 += k.z * Eh;
        t0 += Ek.x * h;
        t1 += Ek.y * h;
        t2 += Ek.z * h;
    };
"""

# the sum of number n: contributions as they are from starts to middles, and those to be transposed, whose corners change places
SUMS = r"""
#if !defined(__CUDA_ARCH__)
    typedef real lanes __attribute__((ext_vector_type(4), aligned(sizeof(real))));
    const int mirror = mirrors.data[n], middle = middles.data[n], begin = starts.data[n], end = starts.data[n + 1];
    const lanes* __restrict source = (const lanes*)turned.data;
    {  // what sums to come read is on its way while this one is made
        const int last = lists.shape[0] - 1;
        for (int i = begin + AHEAD; i < end + AHEAD; ++i) {
            const char* tet = (const char*)(source + SIZELL * (lists.data[i < last ? i : last] / 10));
            for (int k = 0; k < SIZE * (int)sizeof(lanes); k += 64) __builtin_prefetch(tet + k);
        }
    }
    if (BESIDE && mirror < 0) return;
    static const unsigned char corners[2][10] = {{ONE}, {OTHER}};
    lanes t0 = lanes(real(0)), t1 = t0, t2 = t0;
    real same = real(0);
ADD
    auto each = [&](int from, int to, const unsigned char* first, const unsigned char* second) {
        for (int i = from; i < to; ++i) {
            const unsigned int at = lists.data[i], e = at / 10u, pair = at - 10u * e;
            const lanes* __restrict tet = source + SIZELL * e;
            add(tet, tet[first[pair]], tet[second[pair]]);
        }
    };
    each(begin, middle, corners[0], corners[1]);
    each(middle, end, corners[1], corners[0]);
    real* here = (real*)out.data + 9LL * targets.data[n];
    if (BESIDE) {  // where nothing was before; a row of four numbers takes the place of one that comes after it
        typedef real two __attribute__((ext_vector_type(2), aligned(sizeof(real))));
        t0.x += same;
        t1.y += same;
        t2.z += same;
        *(lanes*)here = t0;
        *(lanes*)(here + 3) = t1;
        *(two*)(here + 6) = t2.xy;
        here[8] = t2.z;
        real* there = (real*)out.data + 9LL * mirror;
        *(two*)there = two{t0.x, t1.x};
        *(two*)(there + 2) = two{t2.x, t0.y};
        *(two*)(there + 4) = two{t1.y, t2.y};
        *(two*)(there + 6) = two{t0.z, t1.z};
        there[8] = t2.z;
        return;
    }
    const real total[9] = {t0.x + same, t0.y, t0.z, t1.x, t1.y + same, t1.z, t2.x, t2.y, t2.z + same};
    for (int c = 0; c < 9; ++c) here[c] += total[c];
    if (mirror >= 0) {
        real* there = (real*)out.data + 9LL * mirror;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) there[3 * c + r] += total[3 * r + c];
    }
#endif
"""


def build_turned(
    t: Types, law: Functions, of_element: SimpleNamespace, rows: tuple[wp.Function, wp.Function], params: type
) -> wp.Kernel:
    """Make the kernel that finds h of the four corners of tets, and beside the first three c₀, c₁ and c₂."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    load, deformation, write = of_element.load, of_element.deformation, turned_writer(t, law.turned, params)
    row, of_point = rows

    @t.kernel
    def turned_gradients(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        # out: (4 m,)
        out: wp.array(dtype=vec4),
    ):
        e = start + wp.tid()
        p = of_point(row(table, of, e), table, of, nodes.shape[1], e, 0)
        F = deformation(load(x, nodes, e), grad, scale, e, 0)
        write(F, p, weight[0, e], grad[0, e], grad[1, e], grad[2, e], e, out)

    return turned_gradients


def turned_writer(t: Types, turned: wp.Function, params: type) -> wp.Function:
    """The function that writes what a tet has in that array."""
    real, vec3, mat33, vec4 = t.real, t.vec3, t.mat33, t.vec4

    def turned_of_one(F: mat33, p: params, w: real, a: vec3, b: vec3, d: vec3, e: int, out: wp.array(dtype=vec4)):
        R, c = turned(F, p)
        c = w * c
        a = R * a
        b = R * b
        d = R * d
        out[4 * e] = vec4(a[0], a[1], a[2], c[0])
        out[4 * e + 1] = vec4(b[0], b[1], b[2], c[1])
        out[4 * e + 2] = vec4(d[0], d[1], d[2], c[2])
        out[4 * e + 3] = vec4(-a[0] - b[0] - d[0], -a[1] - b[1] - d[1], -a[2] - b[2] - d[2], real(0.0))

    return t.function(f"turned_of_one_{params._length_}", turned_of_one)


# what a shift of all nodes does is nothing: a diagonal block is minus the sum of its row beside it
BALANCE = r"""
#if !defined(__CUDA_ARCH__)
    const int r = first + i, at = diagonal.data[r];
    real sum[9] = {};
    for (int b = rows.data[r]; b < rows.data[r + 1]; ++b) {
        if (b == at) continue;
        const real* __restrict block = (const real*)values.data + 9LL * b;
        for (int k = 0; k < 9; ++k) sum[k] += block[k];
    }
    real* own = (real*)values.data + 9LL * at;  // symmetric, as the sum is but for rounding
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) own[3 * a + b] -= real(0.5) * (sum[3 * a + b] + sum[3 * b + a]);
#endif
"""


@family
def turned_kernels(t):
    ints, vectors, blocks = wp.array(dtype=wp.int32), wp.array(dtype=t.vec4), wp.array(dtype=t.mat33)
    one, other = (", ".join(str(pair[i]) for pair in PAIRS) for i in range(2))

    def gathered(name: str, size: int, add: str, beside: bool) -> wp.Kernel:
        """A kernel like gather_blocks, of h and c, or h, c and E, of all tets; ``beside``: without the diagonal."""

        def total(
            n: int, targets: ints, mirrors: ints, starts: ints, middles: ints, lists: ints, turned: vectors, out: blocks
        ): ...

        text = SUMS.replace("ONE", one).replace("OTHER", other).replace("SIZE", str(size))
        text = text.replace("AHEAD", str(AHEAD)).replace("ADD\n", add)
        total.__name__ = f"total_{name}"
        total = t.native(total, text.replace("BESIDE", str(int(beside))))

        def gather(
            start: int,
            # mesh: as of gather_blocks
            targets: wp.array(dtype=wp.int32),
            mirrors: wp.array(dtype=wp.int32),
            starts: wp.array(dtype=wp.int32),
            middles: wp.array(dtype=wp.int32),
            lists: wp.array(dtype=wp.int32),
            # in:
            turned: wp.array(dtype=t.vec4),
            # out:
            out: wp.array(dtype=t.mat33),
        ):
            total(start + wp.tid(), targets, mirrors, starts, middles, lists, turned, out)

        gather.__name__ = gather.__qualname__ = name
        return t.kernel(gather)

    gather_turned = gathered("gather_turned", 4, FIXED, False)
    gather_turned_beside = gathered("gather_turned_beside", 4, FIXED, True)
    gather_turning = gathered("gather_turning", 7, TURNING, False)
    gather_turning_beside = gathered("gather_turning_beside", 7, TURNING, True)

    @t.native_kernel(BALANCE)
    def balance(
        i: int,
        # mesh:
        first: wp.int32,
        rows: wp.array(dtype=wp.int32),
        diagonal: wp.array(dtype=wp.int32),
        # out:
        values: wp.array(dtype=t.mat33),
    ): ...

    return locals()
