"""Friction of pairs with the normal force and the normal of the start of a step (lagged: Li et al. 2020, §5).

A pair that pressed with λ holds against its slip u since then with the energy μ λ f(|u|): f = |u| beyond a small length ε
and smooth within it, so that the force is μλ against the slip, and less than that where there is next to none.
"""

import warp as wp

from ..device import Types, family


def friction_function(t: Types) -> wp.Function:
    """μλ f(s) of a slip s, its derivative over s, and what of the second derivative goes with the square of the slip."""
    real, vec3 = t.real, t.vec3
    one, two, three = real(1.0), real(2.0), real(3.0)

    @wp.func(module=t.module)
    def rubbed(s: real, most: real, little: real) -> vec3:
        r = s / little
        of_slip = real(0.0)
        if r < one:
            if s > real(0.0):
                of_slip = -(most / (little * little * s))
            return vec3(most * little * (r * r - r * r * r / three + one / three), most * (two - r) / little, of_slip)
        return vec3(most * s, most / s, -(most / s) / (s * s))

    return rubbed


@family
def friction_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    points, reals, quads = wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.vec4i)
    shares, corners = wp.array(dtype=t.vec4), wp.array2d(dtype=vec3)
    rubbed = friction_function(t)

    @wp.func(module=t.module)
    def slip(q: wp.vec4i, w: t.vec4, n: vec3, x: points, begun: points) -> vec3:
        """How far the two sides have gone past each other since the step began."""
        u = vec3()
        for j in range(4):
            u += w[j] * (x[q[j]] - begun[q[j]])
        return u - wp.dot(u, n) * n

    @t.kernel
    def rub(
        start: int,
        count: int,
        # mesh:
        pairs: quads,
        # params: of the start of the step, and the slip below which friction is not full
        weight: shares,
        press: reals,
        normals: points,
        begun: points,
        friction: real,
        little: real,
        # in:
        x: points,
        # out: energies, gradients, stiffness and work of the pairs
        value: reals,
        given: corners,
        stiffness: wp.array(dtype=mat33),
        loss: reals,
    ):
        i = start + wp.tid()
        total = real(0.0)
        work = real(0.0)
        if i < count:
            w, n = weight[i], normals[i]
            pull = vec3()
            K = mat33()
            most = friction * press[i]
            if most > real(0.0):
                u = slip(pairs[i], w, n, x, begun)
                f = rubbed(wp.length(u), most, little)
                total = f[0]
                pull = f[1] * u
                K = f[1] * (wp.identity(n=3, dtype=real) - wp.outer(n, n)) + f[2] * wp.outer(u, u)
                work = wp.dot(pull, u)
            for j in range(4):
                given[j, i] = w[j] * pull
            stiffness[i] = K
        loss[i] = work
        value[i] = total

    return locals()
