"""Conjugate gradient kernels: block-sparse product, preconditioners, fused updates."""

import warp as wp

from ...runtime.device import Types, family
from ...runtime.math3 import cofactor
from ...runtime.vectors import sum_functions
from .cg_native import ADVANCE, PRODUCT, fetch_function


@family
def linear_kernels(t):
    return {**_matrix_kernels(t), **_scalar_kernels(t), **_vector_kernels(t), **_pass_kernels(t)}


def _matrix_kernels(t: Types) -> dict:
    """Products, and inverses of what is on the diagonal."""
    real, vec3, mat33, fetch_diagonal = t.real, t.vec3, t.mat33, fetch_function(t)
    ints, vectors, blocks = wp.array(dtype=wp.int32), wp.array(dtype=vec3), wp.array(dtype=mat33)

    @t.kernel
    def product(
        start: int,
        # mesh:
        rows: ints, columns: ints, free: vectors,
        # in:
        values: blocks, x: vectors,
        # out:
        out: vectors,
    ):  # fmt: skip
        r = start + wp.tid()
        total = vec3()
        for i in range(rows[r], rows[r + 1]):
            total += values[i] * x[columns[i]]
        out[r] = wp.cw_mul(free[r], total)

    @t.kernel
    def mask(start: int, free: vectors, out: vectors):
        i = start + wp.tid()
        out[i] = wp.cw_mul(free[i], out[i])

    @t.kernel
    def invert_diagonal(
        start: int,
        # mesh:
        diagonal: ints,
        # in:
        values: blocks,
        # out:
        inverse: blocks,
    ):
        i = start + wp.tid()
        fetch_diagonal(i, diagonal, values)
        A = values[diagonal[i]]
        K = cofactor(A)
        det = wp.dot(A[0], K[0])
        trace = wp.trace(A)
        if det > real(1.0e-9) * trace * trace * trace:
            inverse[i] = wp.transpose(K) / det
        else:  # a block that is not safely positive definite: fall back on its scale
            inverse[i] = wp.identity(n=3, dtype=real) * (real(3.0) / wp.max(wp.abs(trace), real(1.0e-30)))

    @t.kernel
    def invert_numbers(
        start: int,
        # mesh:
        diagonal: ints,
        # in:
        values: blocks,
        # out:
        inverse: blocks,
    ):
        i = start + wp.tid()
        d = wp.get_diag(values[diagonal[i]])
        least = real(1.0e-9) * (wp.abs(d[0]) + wp.abs(d[1]) + wp.abs(d[2])) + real(1.0e-30)
        for a in range(3):
            d[a] = real(1.0) / wp.max(wp.abs(d[a]), least)
        inverse[i] = wp.diag(d)

    return locals()


def _scalar_kernels(t: Types) -> dict:
    ints, scalars, doubles = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64), wp.array2d(dtype=wp.float64)
    of = sum_functions(t)

    # The scalars of the iteration live in ``s``: 0 r·z, 1 step, 2 beta, 3 iterations done, 4 negative curvature met,
    # 5 r·z at the start, 6 stop once r·z is below this, 7 or after so many. Once stopped, step and beta are 0 and nothing
    # moves any more. ``going`` is 1 as long as there is something to do.

    def unfinished(s: scalars):
        return wp.where(s[0] > s[6] and s[4] == wp.float64(0.0) and s[3] < s[7], 1, 0)

    unfinished = t.function("unfinished", unfinished)

    @t.kernel
    def begin_scalars(
        start: int,
        # params: iterations at most, and the square of the tolerance
        most: wp.float64, goal: scalars,
        # in:
        parts: doubles,
        # out:
        s: scalars, going: ints,
    ):  # fmt: skip
        total = of.row_sum(parts, start + wp.tid())
        if start + wp.tid() == 0:
            for i in range(1, 5):
                s[i] = wp.float64(0.0)
            s[0] = total
            s[5] = total
            s[6] = goal[0] * total
            s[7] = most
            if not (total >= wp.float64(0.0)):  # a preconditioner of a matrix that is not positive definite
                s[4] = wp.float64(1.0)
            going[0] = unfinished(s)

    @t.kernel
    def note_slope(start: int, parts: doubles, s: scalars):
        """b·d of the direction d that the iteration starts with."""
        total = of.row_sum(parts, start + wp.tid())
        if start + wp.tid() == 0:
            s[1] = total

    @t.kernel
    def choose_start(start: int, parts: doubles, s: scalars):
        """step = b·d / d·Ad, or 0 where there is no such start."""
        curvature = of.row_sum(parts, start + wp.tid())
        if start + wp.tid() == 0:
            s[1] = wp.where(curvature > wp.float64(0.0), s[1] / curvature, wp.float64(0.0))

    @t.kernel
    def begin_there(start: int, parts: doubles, s: scalars, going: ints):
        """r·z where the iteration starts; what it is to reach stays that of x = 0."""
        total = of.row_sum(parts, start + wp.tid())
        if start + wp.tid() == 0:
            s[0] = total
            going[0] = unfinished(s)

    @t.kernel
    def choose_step(start: int, parts: doubles, s: scalars):
        """step = r·z / p·q, or 0 where the iteration is done or meets negative curvature."""
        curvature = of.row_sum(parts, start + wp.tid())
        if start + wp.tid() == 0:
            step = wp.float64(0.0)
            if s[4] == wp.float64(0.0) and s[0] > s[6]:
                s[3] = s[3] + wp.float64(1.0)
                if curvature > wp.float64(0.0):
                    step = s[0] / curvature
                else:
                    s[4] = wp.float64(1.0)
            s[1] = step

    @t.kernel
    def choose_beta(start: int, parts: doubles, s: scalars, going: ints):
        """beta = new r·z / old r·z."""
        total = of.row_sum(parts, start + wp.tid())
        if start + wp.tid() == 0:
            beta = wp.float64(0.0)
            if s[1] > wp.float64(0.0):
                beta = total / s[0]
                s[0] = total
                if not (total >= -s[6]):
                    s[4] = wp.float64(1.0)
            s[2] = beta
            going[0] = unfinished(s)

    return locals()


def _vector_kernels(t: Types) -> dict:
    real, scalars = t.real, wp.array(dtype=wp.float64)
    vectors, blocks = wp.array(dtype=t.vec3), wp.array(dtype=t.mat33)

    @t.kernel
    def precondition(
        start: int, free: vectors, inverse: blocks,
        # in:
        r: vectors,
        # out:
        z: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        z[i] = wp.cw_mul(free[i], inverse[i] * r[i])

    @t.kernel
    def advance(
        start: int, free: vectors, inverse: blocks, s: scalars,
        # in:
        p: vectors, q: vectors,
        # out: x += step p, r −= step q, z = D⁻¹ r
        x: vectors, r: vectors, z: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        step = real(s[1])
        x[i] = x[i] + step * p[i]
        left = r[i] - step * q[i]
        r[i] = left
        z[i] = wp.cw_mul(free[i], inverse[i] * left)

    @t.kernel
    def advance_alone(
        start: int, s: scalars,
        # in:
        p: vectors, q: vectors,
        # out: x += step p, r −= step q
        x: vectors, r: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        step = real(s[1])
        x[i] = x[i] + step * p[i]
        r[i] = r[i] - step * q[i]

    @t.kernel
    def turn(start: int, s: scalars, z: vectors, p: vectors):
        """p = z + beta p."""
        i = start + wp.tid()
        p[i] = z[i] + real(s[2]) * p[i]

    return locals()


def _pass_kernels(t: Types) -> dict:
    """An iteration on the CPU in two passes, chunk by chunk."""
    ints, scalars, doubles = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64), wp.array2d(dtype=wp.float64)
    vectors, blocks = wp.array(dtype=t.vec3), wp.array(dtype=t.mat33)

    @t.native_kernel(PRODUCT)
    def product_pass(
        c: int,
        # mesh:
        rows: ints, columns: ints, free: vectors,
        # in:
        values: blocks, s: scalars, z: vectors, before: vectors,
        # out: p = z + beta before, q = A p, and p·q of the chunk
        p: vectors, q: vectors, parts: doubles,
    ):  # fmt: skip
        """``z`` and ``before`` must have room for one number after their last."""

    @t.native_kernel(ADVANCE)
    def advance_pass(
        c: int,
        # mesh:
        count: wp.int32, free: vectors, inverse: blocks,
        # in:
        s: scalars, p: vectors, q: vectors,
        # out: x += step p, r −= step q, z = D⁻¹ r, and r·z of the chunk
        x: vectors, r: vectors, z: vectors, parts: doubles,
    ): ...  # fmt: skip

    return locals()
