"""Friction of pairs with the normal force and the normal of the start of a step (lagged: Li et al. 2020, §5).

A pair that pressed with λ holds against its slip u with the energy μ λ f(|u|): f = |u| beyond a small length ε and smooth
within it, so that the force is μλ against the slip, and less than that where there is next to none. The slip is that from
an anchor, which stays from step to step, and is drawn along at the distance ε where the slip is larger (the return map of
an elastic and perfectly plastic spring). What sticks is held by a spring, and so it does not creep.
"""

import warp as wp

from ...runtime.device import Types, family


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


def held_function(t: Types) -> wp.Function:
    """What of a slip u, of size s, its anchor leaves where a step ends: no more than ε."""
    real, vec3 = t.real, t.vec3

    @wp.func(module=t.module)
    def held(u: vec3, s: real, little: real) -> vec3:
        if s > little:
            u = (little / s) * u
        return u

    return held


@family
def friction_kernels(t):
    real, vec2, vec3, mat33 = t.real, t.vec2, t.vec3, t.mat33
    points, reals, quads = wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.vec4i)
    shares, corners, names = wp.array(dtype=t.vec4), wp.array2d(dtype=vec3), wp.array(dtype=wp.vec3i)
    rubbed, held = friction_function(t), held_function(t)

    @wp.func(module=t.module)
    def slip(q: wp.vec4i, w: t.vec4, n: vec3, x: points, begun: points, anchored: vec3) -> vec3:
        """How far the two sides have gone past each other: before the step, and since it began."""
        u = anchored
        for j in range(4):
            u += w[j] * (x[q[j]] - begun[q[j]])
        return u - wp.dot(u, n) * n

    @wp.func(module=t.module)
    def tangent(q: wp.vec4i, n: vec3, x: points) -> vec3:
        """A way across n that turns with the second side of a pair: along the edge from its third point to its fourth."""
        e = x[q[3]] - x[q[2]]
        t1 = e - wp.dot(e, n) * n
        if wp.length_sq(t1) <= real(1e-12) * wp.length_sq(e):  # the edge is along n: any way, the same each time
            e = x[q[1]] - x[q[2]]
            t1 = e - wp.dot(e, n) * n
        return wp.normalize(t1)

    @wp.func(module=t.module)
    def comes_before(a: wp.vec3i, kind: int, first: int) -> bool:
        return a[0] < kind or (a[0] == kind and a[1] < first)

    @t.kernel
    def take_up(
        start: int,
        count: int,
        # mesh: the active pairs among all
        order: wp.array(dtype=wp.int32),
        pairs: quads,
        kinds: wp.array(dtype=wp.int32),
        items: wp.array(dtype=wp.vec2i),
        # in: weights, normals, forces and points, and what pairs of before held, in the order of kinds and first items
        weight: shares,
        normals: points,
        press: reals,
        x: points,
        kept: int,
        kept_names: names,
        kept_slip: wp.array(dtype=vec2),
        # out: of the active ones
        pair: quads,
        share: shares,
        normal: points,
        force: reals,
        name: names,
        anchored: points,
    ):
        """What the active pairs are where a step begins, and the slips at which they were held where the one before ended."""
        at = start + wp.tid()
        if at < count:
            i = order[at]
            kind = kinds[i]
            first = items[i][0]
            low = int(0)
            high = kept
            while low < high:
                middle = (low + high) // 2
                if comes_before(kept_names[middle], kind, first):
                    low = middle + 1
                else:
                    high = middle
            u = vec3()
            looking = int(1)
            while low < kept and looking == 1:
                a = kept_names[low]
                if a[0] != kind or a[1] != first:
                    looking = 0
                else:
                    if a[2] == items[i][1]:
                        n = normals[i]
                        t1 = tangent(pairs[i], n, x)
                        u = kept_slip[low][0] * t1 + kept_slip[low][1] * wp.cross(n, t1)
                        looking = 0
                    low += 1
            pair[at] = pairs[i]
            share[at] = weight[i]
            normal[at] = normals[i]
            force[at] = press[i]
            name[at] = wp.vec3i(kind, first, items[i][1])
            anchored[at] = u

    @t.kernel
    def keep(
        start: int,
        count: int,
        # mesh:
        pairs: quads,
        # params:
        weight: shares,
        press: reals,
        normals: points,
        anchored: points,
        begun: points,
        little: real,
        # in: where the step ends
        x: points,
        # out: slips at which the pairs are held, by the frame of their second side
        slips: wp.array(dtype=vec2),
    ):
        i = start + wp.tid()
        if i < count:
            found = vec2()
            if press[i] > real(0.0):
                n = normals[i]
                u = slip(pairs[i], weight[i], n, x, begun, anchored[i])
                u = held(u, wp.length(u), little)
                t1 = tangent(pairs[i], n, x)
                found = vec2(wp.dot(u, t1), wp.dot(u, wp.cross(n, t1)))
            slips[i] = found

    @t.kernel
    def rub(
        start: int,
        count: int,
        # mesh:
        pairs: quads,
        # params: of the start of the step and before, and the slip below which friction is not full; ``bent`` 0 for a stiffness
        # that is along a slip what it is across it, and lies above the energy everywhere
        weight: shares,
        press: reals,
        normals: points,
        anchored: points,
        begun: points,
        friction: real,
        little: real,
        bent: real,
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
                u = slip(pairs[i], w, n, x, begun, anchored[i])
                f = rubbed(wp.length(u), most, little)
                total = f[0]
                pull = f[1] * u
                K = f[1] * (wp.identity(n=3, dtype=real) - wp.outer(n, n)) + (bent * f[2]) * wp.outer(u, u)
                work = most * wp.max(wp.length(u) - little, real(0.0))
            for j in range(4):
                given[j, i] = w[j] * pull
            stiffness[i] = K
        loss[i] = work
        value[i] = total

    return locals()
