"""Kernels of the conjugate gradients: block-sparse product, block-Jacobi preconditioner, fused updates."""

import warp as wp

from ..device import family
from ..math3 import cofactor


@family
def linear_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    @t.kernel
    def product(
        start: int,
        # mesh:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        free: wp.array(dtype=vec3),
        # in:
        values: wp.array(dtype=mat33),
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        r = start + wp.tid()
        total = vec3()
        for i in range(rows[r], rows[r + 1]):
            total += values[i] * x[columns[i]]
        out[r] = wp.cw_mul(free[r], total)

    @t.kernel
    def invert_diagonal(
        start: int,
        # mesh:
        diagonal: wp.array(dtype=wp.int32),
        # in:
        values: wp.array(dtype=mat33),
        # out:
        inverse: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        A = values[diagonal[i]]
        K = cofactor(A)
        det = wp.dot(A[0], K[0])
        trace = wp.trace(A)
        if det > real(1.0e-9) * trace * trace * trace:
            inverse[i] = wp.transpose(K) / det
        else:  # a block that is not safely positive definite: fall back on its scale
            inverse[i] = wp.identity(n=3, dtype=real) * (real(3.0) / wp.max(wp.abs(trace), real(1.0e-30)))

    @t.kernel
    def precondition(
        start: int,
        free: wp.array(dtype=vec3),
        inverse: wp.array(dtype=mat33),
        # in:
        r: wp.array(dtype=vec3),
        # out:
        z: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        z[i] = wp.cw_mul(free[i], inverse[i] * r[i])

    @t.kernel
    def advance(
        start: int,
        free: wp.array(dtype=vec3),
        inverse: wp.array(dtype=mat33),
        step: real,
        # in:
        p: wp.array(dtype=vec3),
        q: wp.array(dtype=vec3),
        # out: x += step p, r −= step q, z = D⁻¹ r
        x: wp.array(dtype=vec3),
        r: wp.array(dtype=vec3),
        z: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        x[i] = x[i] + step * p[i]
        left = r[i] - step * q[i]
        r[i] = left
        z[i] = wp.cw_mul(free[i], inverse[i] * left)

    @t.kernel
    def turn(start: int, beta: real, z: wp.array(dtype=vec3), p: wp.array(dtype=vec3)):
        """p = z + beta p."""
        i = start + wp.tid()
        p[i] = z[i] + beta * p[i]

    return locals()
