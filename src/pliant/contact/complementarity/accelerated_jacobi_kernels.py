"""Kernels of the accelerated Jacobi solver for contact forces.

With D the blocks of W of each contact with itself and s ≥ the largest eigenvalue of D⁻¹W, W ≤ s D: where every contact takes
s D for how it gives way and the others as they are, the energy of contacts without friction falls in every round (Hunter & Lange
2004), and what stays as it is keeps the laws of Signorini and Coulomb in full. Momentum (Nesterov 1983) that is dropped where it
leads back (O'Donoghue & Candès 2015) makes the number of rounds grow with the root of the condition number only. Sums are added
in a fixed order, so that two runs agree bit for bit.
"""

import functools
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from .gauss_seidel_kernels import with_block_solver

SEGMENTS = 64  # parts of each row of W in a product
SOFT = 1e-12  # of a contact's block that is added to its diagonal, as regularisation

ONE = r"""
    if (i >= sizes.data[0]) return;
    SOLVE_BLOCK
    const double s = law.scale.data[0];
    double A[9], r[3], f[3], from[3], change[3];
    for (int p = 0; p < 9; ++p) A[p] = s * law.blocks.data[i].data[p / 3][p % 3];
    for (int p = 0; p < 3; ++p) {
        from[p] = f[p] = y.data[3 * i + p];
        r[p] = b.data[3 * i + p] + product.data[3 * i + p];
    }
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) r[p] -= A[3 * p + q] * from[q];
    if (A[0] + A[4] + A[8] > 0.0) solve_block(A, r, law.kind.data[i], law.friction.data[i], law.bound.data[i], f);
    for (int p = 0; p < 3; ++p) change[p] = f[p] - from[p];
    double far = 0.0, back = 0.0;
    for (int p = 0; p < 3; ++p) {
        double by = 0.0;
        for (int q = 0; q < 3; ++q) by += A[3 * p + q] * change[q];
        far += by * by;
        back -= by * (f[p] - old.data[3 * i + p]);
        found.data[3 * i + p] = f[p];
    }
    moved.data[i] = sqrt(far);
    turned.data[i] = back;
"""

HEAD = r"""
#if defined(__CUDA_ARCH__)
    const int lane = threadIdx.x, lanes = blockDim.x;
    #define SYNCHRONISE __syncthreads()
    __shared__ double first[256], second[256];
#else
    const int lane = 0, lanes = 1;
    #define SYNCHRONISE
    double first[1], second[1];
#endif
    const int contacts = sizes.data[0];
"""

# status: rounds, the last change [m], and how far the momentum has grown
ADVANCE = (
    HEAD
    + r"""
    double most = 0.0, total = 0.0;
    for (int i = lane; i < contacts; i += lanes) {
        const double far = moved.data[i];
        if (!(far <= most) && most == most) most = far;
        total += turned.data[i];
    }
    first[lane] = most;
    second[lane] = total;
    SYNCHRONISE;
    for (int half = lanes / 2; half > 0; half /= 2) {
        if (lane < half) {
            if (!(first[lane + half] <= first[lane]) && first[lane] == first[lane]) first[lane] = first[lane + half];
            second[lane] += second[lane + half];
        }
        SYNCHRONISE;
    }
    const double grown = status.data[2], next = second[0] > 0.0 ? 1.0 : 0.5 * (1.0 + sqrt(1.0 + 4.0 * grown * grown));
    const double on = second[0] > 0.0 ? 0.0 : (grown - 1.0) / next;
    SYNCHRONISE;
    for (int j = lane; j < 3 * contacts; j += lanes) {
        const double now = found.data[j];
        y.data[j] = now + on * (now - old.data[j]);
        old.data[j] = now;
    }
    if (lane == 0) {
        status.data[0] += 1.0;
        status.data[1] = first[0];
        status.data[2] = next;
        going.data[0] = first[0] > limits.data[0] && status.data[0] < limits.data[1] ? 1 : 0;
    }
    #undef SYNCHRONISE
"""
)

# scale: of D, and what one round of the power method says of it
GROW = (
    HEAD
    + r"""
    double above = 0.0, below = 0.0;
    for (int i = lane; i < contacts; i += lanes) {
        above += moved.data[i];
        below += turned.data[i];
    }
    first[lane] = above;
    second[lane] = below;
    SYNCHRONISE;
    for (int half = lanes / 2; half > 0; half /= 2) {
        if (lane < half) {
            first[lane] += first[lane + half];
            second[lane] += second[lane + half];
        }
        SYNCHRONISE;
    }
    const double ratio = second[0] > 0.0 ? first[0] / second[0] : 1.0;
    for (int j = lane; j < 3 * contacts; j += lanes) y.data[j] = ratio > 0.0 ? found.data[j] / ratio : 0.0;
    if (lane == 0) scale.data[0] = ratio > 1.0 ? safety * ratio : safety;
    #undef SYNCHRONISE
"""
)


@alone
@functools.cache
def law_struct(precision: str) -> Any:
    t, doubles = Types(precision, "jacobi_structs"), wp.array(dtype=wp.float64)

    @functools.partial(wp.struct, module=t.module)
    class Law:
        kind: wp.array(dtype=wp.int32)
        friction: doubles
        bound: doubles
        blocks: wp.array(dtype=wp.mat33d)  # D
        scale: doubles  # s

    return Law


@family
def at_once_kernels(t):
    doubles, ints, blocks_type = wp.array(dtype=wp.float64), wp.array(dtype=wp.int32), wp.array(dtype=wp.mat33d)
    Law = law_struct(t.precision)

    @t.kernel
    def multiply_parts(
        start: int,
        # params: numbers that a part has room for, and contacts
        room: int, sizes: ints,
        # in: W row after row, the same by columns
        W: doubles, y: doubles,
        # out: sums over a part of the rows, part after part
        partial: doubles,
    ):  # fmt: skip
        e = start + wp.tid()
        part, j = e / room, e % room
        n = 3 * sizes[0]
        if j < n:
            total = wp.float64(0.0)
            for k in range(part * n / wp.static(SEGMENTS), (part + 1) * n / wp.static(SEGMENTS)):
                total += W[wp.int64(k) * wp.int64(n) + wp.int64(j)] * y[k]
            partial[e] = total

    @t.kernel
    def add_parts(start: int, room: int, sizes: ints, partial: doubles, out: doubles):
        """out = W y, parts added in order."""
        j = start + wp.tid()
        if j < 3 * sizes[0]:
            total = wp.float64(0.0)
            for part in range(wp.static(SEGMENTS)):
                total += partial[part * room + j]
            out[j] = total

    @t.kernel
    def take_blocks(start: int, sizes: ints, W: doubles, blocks: blocks_type):
        """D: the blocks of W on its diagonal, a little softer."""
        i = start + wp.tid()
        if i < sizes[0]:
            n = wp.int64(3 * sizes[0])
            block = wp.mat33d()
            for a in range(3):
                for b in range(3):
                    block[a, b] = W[wp.int64(3 * i + a) * n + wp.int64(3 * i + b)]
            least = wp.float64(wp.static(SOFT)) * wp.trace(block)
            for a in range(3):
                block[a, a] += least
            blocks[i] = block

    @t.kernel
    def power_step(
        start: int, sizes: ints, blocks: blocks_type, product: doubles, y: doubles,
        found: doubles, moved: doubles, turned: doubles,
    ):  # fmt: skip
        """D⁻¹W y, and the parts of y·W y and y·D y."""
        i = start + wp.tid()
        if i < sizes[0]:
            v = wp.vec3d(y[3 * i], y[3 * i + 1], y[3 * i + 2])
            w = wp.vec3d(product[3 * i], product[3 * i + 1], product[3 * i + 2])
            z = wp.vec3d()
            if wp.determinant(blocks[i]) > wp.float64(0.0):
                z = wp.inverse(blocks[i]) * w
            for a in range(3):
                found[3 * i + a] = z[a]
            moved[i] = wp.dot(v, w)
            turned[i] = wp.dot(v, blocks[i] * v)

    @t.native_kernel(GROW)  # one thread of a CPU, one block of a GPU
    def grow(
        i: int, safety: wp.float64, sizes: ints, moved: doubles, turned: doubles, found: doubles, y: doubles,
        scale: doubles,
    ):  # fmt: skip
        """The next vector of the power method, and what it says of the largest eigenvalue of D⁻¹W."""

    @t.kernel
    def begin_rounds(start: int, sizes: ints, given: doubles, y: doubles, old: doubles, status: doubles, going: ints):
        j = start + wp.tid()
        if j < 3 * sizes[0]:
            y[j] = given[j]
            old[j] = given[j]
        if j == 0:
            status[0] = wp.float64(0.0)
            status[1] = wp.float64(0.0)
            status[2] = wp.float64(1.0)
            going[0] = 1

    @t.native_kernel(with_block_solver(ONE))
    def solve_each(
        i: int, sizes: ints, law: Law, b: doubles, product: doubles, y: doubles, old: doubles,
        found: doubles, moved: doubles, turned: doubles,
    ):  # fmt: skip
        """The forces of each contact with the others as they are in y; how far that moves it, and whether back to old.

        ``b`` are gaps without forces, ``product`` what forces y do to them.
        """

    @t.native_kernel(ADVANCE)  # one thread of a CPU, one block of a GPU
    def advance(
        i: int, sizes: ints, limits: doubles, moved: doubles, turned: doubles, found: doubles, y: doubles, old: doubles,
        status: doubles, going: ints,
    ):  # fmt: skip
        """Go on from what was found, with momentum; decides whether another round is due."""

    @t.kernel
    def add_gaps(start: int, sizes: ints, b: doubles, product: doubles, gap: doubles):
        j = start + wp.tid()
        if j < 3 * sizes[0]:
            gap[j] = b[j] + product[j]

    return locals()
