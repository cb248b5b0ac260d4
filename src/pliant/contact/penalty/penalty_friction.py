"""Friction kernels of penalty springs between surfaces."""

import warp as wp

from ...energy.obstacles.friction_functions import expected_functions
from ...runtime.device import Types, family
from ..detect.active_pairs import slot_structs


def slip_function(t: Types) -> wp.Function:
    """The slip of two points since they touched."""
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
    quads, corners, blocks = wp.array(dtype=wp.vec4i), wp.array2d(dtype=vec3), wp.array(dtype=mat33)
    zero, half, Memory = real(0.0), real(0.5), slot_structs(t.precision).Memory
    expected, slip_of = expected_functions(t), slip_function(t)
    along_slip, next_drag = expected.along_slip, expected.next_drag

    @t.kernel
    def hold_pairs(
        start: int, count: int, pairs: quads,
        # mesh: what is held together, and the force that the tangent expects
        held: Memory, drag: points,
        # in:
        x: points,
        # out:
        value: reals, gradient: corners, blocks: blocks,
    ):  # fmt: skip
        """Friction: a spring between two points of the surfaces that holds until it pulls with μN, then slides."""
        i = start + wp.tid()
        k, most, w = held.stiffness[i], held.limit[i], held.weight[i]
        total = real(0.0)
        pull = vec3()
        K = mat33()
        if most > zero:
            n = held.normal[i]
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
    def expect_pairs(start: int, count: int, pairs: quads, held: Memory, x: points, after: points, drag: points):
        """The force of friction over μN that the next tangents are to expect, from where an iteration began and ended."""
        i = start + wp.tid()
        if held.limit[i] > zero:
            q, w, n = pairs[i], held.weight[i], held.normal[i]
            one, other = slip_of(q, w, n, x), slip_of(q, w, n, after)
            drag[i] = next_drag(held.stiffness[i], held.limit[i], one, other, drag[i])

    @t.kernel
    def tell_loss(start: int, held: Memory, x: points, loss: reals):
        """The energy that sliding took."""
        i = start + wp.tid()
        most = held.limit[i]
        total = real(0.0)
        if most > zero:
            slid = wp.length(slip_of(held.held[i], held.weight[i], held.normal[i], x)) - most / held.stiffness[i]
            total = most * wp.max(slid, zero)
        loss[i] = total

    return locals()
