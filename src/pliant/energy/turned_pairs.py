"""Matrices of tets whose law holds its rotation R fixed, on the CPU: entries are summed from R ∇N alone, a line of memory for
each tet, and no element matrix is ever written.

K_ij = c₀ (hᵢ·hⱼ) 1 + c₁ hⱼ⊗hᵢ + c₂ hᵢ⊗hⱼ with h = R ∇N; a block of a pair of corners is fifteen vector instructions, and the ten
blocks of a tet would be nearly six times as many numbers as its h.
"""

from itertools import combinations_with_replacement
from types import SimpleNamespace

import warp as wp

from ..device import Types, family
from ..material.functions import Functions

PAIRS = tuple(combinations_with_replacement(range(4), 2))  # corners, in the order of blocks

# the sum of number n: contributions as they are from starts to middles, and those to be transposed, whose corners change places
SUMS = r"""
#if !defined(__CUDA_ARCH__)
    typedef real lanes __attribute__((ext_vector_type(4), aligned(sizeof(real))));
    static const unsigned char one[10] = {ONE}, other[10] = {OTHER};
    const lanes* __restrict source = (const lanes*)turned.data;
    lanes t0 = lanes(real(0)), t1 = t0, t2 = t0;
    real same = real(0);
    auto add = [&](const lanes* __restrict tet, const lanes h, const lanes k) {
#pragma clang fp contract(fast)
        const lanes u = tet[2].w * h, v = tet[1].w * k, w = h * k;
        same += tet[0].w * (w.x + w.y + w.z);
        t0 += u.x * k + v.x * h;
        t1 += u.y * k + v.y * h;
        t2 += u.z * k + v.z * h;
    };
    const int middle = middles.data[n], end = starts.data[n + 1];
    for (int i = starts.data[n]; i < middle; ++i) {
        const int at = lists.data[i], e = at / 10, pair = at - 10 * e;
        const lanes* __restrict tet = source + 4LL * e;
        add(tet, tet[one[pair]], tet[other[pair]]);
    }
    for (int i = middle; i < end; ++i) {
        const int at = lists.data[i], e = at / 10, pair = at - 10 * e;
        const lanes* __restrict tet = source + 4LL * e;
        add(tet, tet[other[pair]], tet[one[pair]]);
    }
    const real total[9] = {t0.x + same, t0.y, t0.z, t1.x, t1.y + same, t1.z, t2.x, t2.y, t2.z + same};
    real* here = (real*)out.data + 9LL * targets.data[n];
    for (int c = 0; c < 9; ++c) here[c] += total[c];
    const int mirror = mirrors.data[n];
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
    load, deformation = of_element.load, of_element.deformation
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
        R, c = law.turned(deformation(load(x, nodes, e), grad, scale, e, 0), p)
        c = weight[0, e] * c
        a = R * grad[0, e]
        b = R * grad[1, e]
        d = R * grad[2, e]
        out[4 * e] = vec4(a[0], a[1], a[2], c[0])
        out[4 * e + 1] = vec4(b[0], b[1], b[2], c[1])
        out[4 * e + 2] = vec4(d[0], d[1], d[2], c[2])
        out[4 * e + 3] = vec4(-a[0] - b[0] - d[0], -a[1] - b[1] - d[1], -a[2] - b[2] - d[2], real(0.0))

    return turned_gradients


@family
def turned_kernels(t):
    ints, vectors, blocks = wp.array(dtype=wp.int32), wp.array(dtype=t.vec4), wp.array(dtype=t.mat33)

    def sum_turned(
        n: int, targets: ints, mirrors: ints, starts: ints, middles: ints, lists: ints, turned: vectors, out: blocks
    ): ...

    one, other = (", ".join(str(pair[i]) for pair in PAIRS) for i in range(2))
    sum_turned = t.native(sum_turned, SUMS.replace("ONE", one).replace("OTHER", other))

    @t.kernel
    def gather_turned(
        start: int,
        # mesh: as of gather_blocks
        targets: wp.array(dtype=wp.int32),
        mirrors: wp.array(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        middles: wp.array(dtype=wp.int32),
        lists: wp.array(dtype=wp.int32),
        # in: h and c of all tets
        turned: wp.array(dtype=t.vec4),
        # out:
        out: wp.array(dtype=t.mat33),
    ):
        sum_turned(start + wp.tid(), targets, mirrors, starts, middles, lists, turned, out)

    return locals()
