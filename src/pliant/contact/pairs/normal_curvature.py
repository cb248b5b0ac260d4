"""Normal curvature terms f ∂²φ/∂xᵢ∂xⱼ in the tangent of pairs.

With φ n = Σ wᵢxᵢ the way between the nearest points of a plane and a point, or of two lines, ∂φ/∂xᵢ = wᵢ n. The tangents of the
two have a dual basis, whose vectors are the gradients of barycentric coordinates, and cᵢ is that of point i: ∂n/∂xⱼ = −cⱼ nᵀ and
∂wᵢ/∂xⱼ = −wⱼ cᵢ − φ (cᵢ·cⱼ) n, so that ∂²φ/∂xᵢ∂xⱼ = −wⱼ n cᵢᵀ − wᵢ cⱼ nᵀ − φ (cᵢ·cⱼ) n nᵀ. Where the nearest points are of a
point and a line, or two points, cᵢ are of what is left of these tangents, and wᵢwⱼ/φ times the ways across n and them is added.
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from .closest_points import FACE

DEEP = 0.1  # of an edge: what is deeper turns too far in a step for its curvature to lead anywhere

mat43 = wp.types.matrix((4, 3), wp.float64)


def curved_function(t: Types) -> wp.Function:
    """f ∂²φ/∂xᵢ∂xⱼ; ``bend`` is f and φ, ``across`` has cᵢ as rows."""

    def curved(i: int, j: int, w: wp.vec4d, across: mat43, n: wp.vec3d, bend: wp.vec2d) -> wp.mat33d:
        one = wp.vec3d(across[i, 0], across[i, 1], across[i, 2])
        other = wp.vec3d(across[j, 0], across[j, 1], across[j, 2])
        return -bend[0] * (w[j] * wp.outer(n, one) + w[i] * wp.outer(other, n) + bend[1] * wp.dot(one, other) * wp.outer(n, n))

    return t.function("curved", curved)


def turning_functions(t: Types) -> SimpleNamespace:
    """cᵢ of faces and of edges."""
    real, vec3, rows = t.real, t.vec3, t.matrix(4, 3)
    tiny = real(1.0e-30)

    @wp.func(module=t.module)
    def row(out: rows, i: int, v: vec3) -> rows:
        for x in range(3):
            out[i, x] = v[x]
        return out

    @wp.func(module=t.module)
    def turns_of_face(b: vec3, c: vec3, d: vec3) -> rows:
        """cᵢ of a face."""
        C = rows()
        m = wp.cross(c - b, d - b)
        whole = wp.max(wp.length_sq(m), tiny)
        v, z = wp.cross(d - b, m) / whole, wp.cross(m, c - b) / whole
        C = row(C, 1, -v - z)
        C = row(C, 2, v)
        return row(C, 3, z)

    @wp.func(module=t.module)
    def turns_of_edges(a: vec3, b: vec3, c: vec3, d: vec3) -> rows:
        """cᵢ of two edges."""
        C = rows()
        u, v = b - a, d - c
        m = wp.cross(u, v)
        whole = wp.max(wp.length_sq(m), tiny)
        U, V = wp.cross(v, m) / whole, wp.cross(m, u) / whole
        C = row(C, 0, -U)
        C = row(C, 1, U)
        C = row(C, 2, -V)
        return row(C, 3, V)

    return SimpleNamespace(row=row, turns_of_face=turns_of_face, turns_of_edges=turns_of_edges)


@alone
@functools.cache
def curved_struct(precision: str) -> Any:
    t = Types(precision, "curved_structs")

    @functools.partial(wp.struct, module=t.module)
    class Curved:
        across: wp.array(dtype=t.matrix(4, 3))  # cᵢ as rows
        bend: wp.array(dtype=t.vec2)  # f and φ
        whole: wp.array(dtype=t.mat33)  # all that goes with wᵢwⱼ

    return Curved


@family
def curvature_kernels(t):
    real, vec2, vec3, vec4, rows = t.real, t.vec2, t.vec3, t.vec4, t.matrix(4, 3)
    points, ints, quads = wp.array(dtype=vec3), wp.array(dtype=wp.int32), wp.array(dtype=wp.vec4i)
    zero, tiny, Curved = real(0.0), real(1.0e-30), curved_struct(t.precision)
    of = turning_functions(t)
    row, turns_of_face, turns_of_edges = of.row, of.turns_of_face, of.turns_of_edges

    @wp.func(module=t.module)
    def off(e: vec3, n: vec3) -> t.mat33:
        """The ways across both an edge and a normal across it."""
        return wp.identity(n=3, dtype=real) - wp.outer(n, n) - wp.outer(e, e) / wp.max(wp.length_sq(e), tiny)

    @t.kernel
    def curve_nearest(
        start: int, count: int,
        # mesh:
        pairs: quads, kinds: ints,
        # in: weights of nearest points, 0 for corners that have no part, unit normals, and forces that press apart
        weight: wp.array(dtype=vec4), normals: points, press: wp.array(dtype=real), x: points,
        stiffness: wp.array(dtype=t.mat33),
        # out:
        curved: Curved,
    ):  # fmt: skip
        i = start + wp.tid()
        C = rows()
        f = zero
        height = zero
        K = t.mat33()
        if i < count:
            K += stiffness[i]
        if i < count and press[i] > zero:
            q, w, n = pairs[i], weight[i], normals[i]
            a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            f = -press[i]
            height = wp.dot(n, w[1] * (b - a) + w[2] * (c - a) + w[3] * (d - a))
            Q = wp.identity(n=3, dtype=real) - wp.outer(n, n)
            if kinds[i] == FACE:
                if w[1] != zero and w[2] != zero and w[3] != zero:
                    C = turns_of_face(b, c, d)
                    Q = t.mat33()
                else:
                    for j in range(1, 4):
                        k = j % 3 + 1
                        if w[j] != zero and w[k] != zero:
                            e = x[q[k]] - x[q[j]]
                            square = wp.max(wp.length_sq(e), tiny)
                            C = row(C, j, -e / square)
                            C = row(C, k, e / square)
                            Q = off(e, n)
            else:
                u, v = b - a, d - c
                first, second = w[0] != zero and w[1] != zero, w[2] != zero and w[3] != zero
                if first and second:
                    C = turns_of_edges(a, b, c, d)
                    Q = t.mat33()
                elif first:
                    square = wp.max(wp.length_sq(u), tiny)
                    C = row(C, 0, -u / square)
                    C = row(C, 1, u / square)
                    Q = off(u, n)
                elif second:
                    square = wp.max(wp.length_sq(v), tiny)
                    C = row(C, 2, -v / square)
                    C = row(C, 3, v / square)
                    Q = off(v, n)
            K += (f / height) * Q
        if i < count:
            curved.whole[i] = K
            curved.across[i] = C
            curved.bend[i] = vec2(f, height)

    return locals()
