"""Kernels of plates that stay bent (bending_flow.py)."""

import functools
from types import SimpleNamespace

import warp as wp

from ...material.laws.bending_law import column_weights, rest_curvature
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ...runtime.math3 import svd
from ..element_functions import element_functions

LIMITS = 5  # of each plate: yield moment [N], its growth with α [N], t/4 [m], the limit of α and the time of creep [s]


@alone
@functools.cache
def bending_flow_kernels(k: int, precision: str) -> SimpleNamespace:
    t = Types(precision, f"bending_flow_k{k}")
    real, vec3, params, given = t.real, t.vec3, t.vector(5), t.vector(LIMITS)
    double, vec3d = wp.float64, wp.types.vector(3, wp.float64)
    plate = element_functions(t, k)
    load, deformation = plate.load, plate.deformation

    def size(M: vec3):
        return wp.sqrt(real(0.5) * M[0] * M[0] + real(1.5) * (M[1] * M[1] + M[2] * M[2]))

    size = t.function("bending_flow_size", size)

    def returned(T: vec3, C: vec3, Y: real, K: real):
        """μ with f(μ) (1 − K μ) = Y, of M = T / (1 + μ C P): convex and falling, so that Newton's method from 0 never jumps."""
        mu = real(0.0)
        turn = int(0)
        while turn < 40:
            a = real(1.0) + real(0.5) * mu * C[0]
            b = real(1.0) + real(1.5) * mu * C[1]
            M = vec3(T[0] / a, T[1] / b, T[2] / b)
            f = size(M)
            inner = real(0.25) * C[0] / a * M[0] * M[0] + real(2.25) * C[1] / b * (M[1] * M[1] + M[2] * M[2])
            slope = -inner / f * (real(1.0) - K * mu) - K * f
            step = -(f * (real(1.0) - K * mu) - Y) / slope
            mu += step
            turn += 1
            if step <= real(1.0e-6) * mu:
                turn = int(100)
        return mu

    returned = t.function("bending_flow_returned", returned)

    @t.kernel
    def flow(
        start: int,
        # mesh: ``triangle`` says which entry of what is remembered a plate has
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        triangle: wp.array(dtype=wp.int32),
        # params:
        table: wp.array(dtype=params),
        limits: wp.array(dtype=given),
        seconds: double,
        # in:
        x: wp.array(dtype=t.position),
        # out: those before the step on entry
        bent: wp.array(dtype=vec3d),
        alpha: wp.array(dtype=double),
    ):
        e = start + wp.tid()
        i = triangle[e]
        p = table[e]
        c = limits[e]
        F = deformation(load(x, nodes, e), grad, scale, e, 0)
        w = column_weights(p)
        rest = rest_curvature(p)
        U, _s, _V = svd(F)
        n = vec3(U[0, 0], U[1, 0], U[2, 0])  # of a surface the normal, whichever way it points
        if wp.dot(n, F * wp.cw_mul(w, rest)) < real(0.0):
            n = -n
        T = p[0] * wp.cw_mul(w, wp.transpose(F) * n - rest)
        Y = c[0] + c[1] * real(alpha[i])
        if size(T) > Y and real(alpha[i]) < c[3]:
            C = p[0] * w
            mu = returned(T, C, Y, c[1] * c[2])
            M = vec3(
                T[0] / (real(1.0) + real(0.5) * mu * C[0]),
                T[1] / (real(1.0) + real(1.5) * mu * C[1]),
                T[2] / (real(1.0) + real(1.5) * mu * C[2]),
            )
            share = real(1.0)
            if real(seconds) < c[4]:
                share = real(seconds) / c[4]
            more = share * mu * size(M) * c[2]
            room = c[3] - real(alpha[i])
            if more > room:
                share = share * room / more
                more = room
            change = (share * mu) * vec3(real(0.5) * M[0], real(1.5) * M[1], real(1.5) * M[2])
            bent[i] = bent[i] + vec3d(change)
            alpha[i] = alpha[i] + double(more)

    @t.kernel
    def derive(
        start: int,
        # mesh:
        triangle: wp.array(dtype=wp.int32),
        # params: the curvature before any flow
        given_: wp.array(dtype=vec3d),
        # in:
        bent: wp.array(dtype=vec3d),
        # out:
        table: wp.array(dtype=params),
    ):
        """The curvature at rest."""
        e = start + wp.tid()
        p = table[e]
        rest = given_[e] + bent[triangle[e]]
        for j in range(3):
            p[2 + j] = real(rest[j])
        table[e] = p

    return SimpleNamespace(flow=flow, derive=derive)
