"""Kernels of friction between surfaces by springs: what was together is held together by at most a force each."""

import warp as wp

from ..device import Types, family
from ..energy.expected_friction import expected_functions


def slip_function(t: Types) -> wp.Function:
    """How far what was together has gone past each other."""
    vec3, vec4, points = t.vec3, t.vec4, wp.array(dtype=t.vec3)

    @wp.func(module=t.module)
    def slip_of(q: wp.vec4i, w: vec4, n: vec3, x: points) -> vec3:
        u = w[1] * (x[q[1]] - x[q[0]]) + w[2] * (x[q[2]] - x[q[0]]) + w[3] * (x[q[3]] - x[q[0]])
        return u - wp.dot(u, n) * n

    return slip_of


@family
def held_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    points, reals = wp.array(dtype=vec3), wp.array(dtype=t.real)
    quads, shares, corners = wp.array(dtype=wp.vec4i), wp.array(dtype=t.vec4), wp.array2d(dtype=vec3)
    blocks = wp.array(dtype=mat33)
    zero, half = real(0.0), real(0.5)
    expected, slip_of = expected_functions(t), slip_function(t)
    along_slip, next_drag = expected.along_slip, expected.next_drag

    @t.kernel
    def hold_pairs(
        start: int,
        count: int,
        # mesh: what is held together, with which weights, normal, stiffness and at most which force
        pairs: quads,
        weight: shares,
        normals: points,
        stiffness: reals,
        limit: reals,
        drag: points,
        # in:
        x: points,
        # out:
        value: reals,
        gradient: corners,
        blocks: blocks,
    ):
        """Friction: a spring between two points of the surfaces that holds until it pulls with μN, then slides."""
        i = start + wp.tid()
        k, most = stiffness[i], limit[i]
        total = real(0.0)
        pull = vec3()
        K = mat33()
        w = weight[i]
        if most > zero:
            n = normals[i]
            u = slip_of(pairs[i], w, n, x)
            length = wp.length(u)
            across = wp.identity(n=3, dtype=real) - wp.outer(n, n)
            if k * length <= most:
                total = half * k * length * length
                pull = k * u
                K = k * across
            else:
                total = most * (length - half * most / k)
                pull = (most / length) * u
                K = (most / length) * (across - along_slip(u, drag[i]))
        value[i] = total
        for j in range(4):
            gradient[j, i] = w[j] * pull
        blocks[i] = K

    @t.kernel
    def expect_pairs(
        start: int,
        count: int,
        # mesh: what is held together
        pairs: quads,
        weight: shares,
        normals: points,
        stiffness: reals,
        limit: reals,
        # in: where an iteration began, and where it ended
        x: points,
        after: points,
        # out: the force of friction over μN that the next tangents are to expect
        drag: points,
    ):
        i = start + wp.tid()
        if limit[i] > zero:
            q, w, n = pairs[i], weight[i], normals[i]
            drag[i] = next_drag(stiffness[i], limit[i], slip_of(q, w, n, x), slip_of(q, w, n, after), drag[i])

    @t.kernel
    def tell_loss(
        start: int,
        # mesh: what is held together
        held: quads,
        weight: shares,
        normals: points,
        stiffness: reals,
        limit: reals,
        # in:
        x: points,
        # out: the energy that sliding took
        loss: reals,
    ):
        i = start + wp.tid()
        most = limit[i]
        total = real(0.0)
        if most > zero:
            slid = wp.length(slip_of(held[i], weight[i], normals[i], x)) - most / stiffness[i]
            total = most * wp.max(slid, zero)
        loss[i] = total

    return locals()
