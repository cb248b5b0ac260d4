"""Lagged friction of pairs (Li et al. 2020, §5).

A pair that pressed with λ holds against its slip u with the energy μ λ f(|u|): f = |u| beyond a small length ε and smooth
within it, so that the force is μλ against the slip, and less than that where there is next to none. The slip is that from
an anchor, which stays from step to step, and is drawn along at the distance ε where the slip is larger (the return map of
an elastic and perfectly plastic spring). What sticks is held by a spring, and so it does not creep.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from .barrier_structs import barrier_structs


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


def slip_functions(t: Types) -> SimpleNamespace:
    """Slips of pairs, and the frames that these are kept in."""
    real, vec3 = t.real, t.vec3
    points, structs = wp.array(dtype=vec3), barrier_structs(t.precision)
    Rubbing = structs.Rubbing

    @wp.func(module=t.module)
    def slip(i: int, rubbing: Rubbing, x: points) -> vec3:
        """How far the two sides have gone past each other: before the step, and since it began."""
        q, w, n = rubbing.pairs[i], rubbing.weight[i], rubbing.normals[i]
        u = rubbing.anchored[i]
        for j in range(4):
            u += w[j] * (x[q[j]] - rubbing.begun[q[j]])
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

    return SimpleNamespace(slip=slip, tangent=tangent)


def anchor_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """What is handed on from step to step."""
    real, vec2, vec3 = t.real, t.vec2, t.vec3
    points, names, structs = wp.array(dtype=vec3), wp.array(dtype=wp.vec3i), barrier_structs(t.precision)
    Pressing, Rubbing, held, slip, tangent = structs.Pressing, structs.Rubbing, held_function(t), of.slip, of.tangent

    @wp.func(module=t.module)
    def comes_before(a: wp.vec3i, kind: int, first: int) -> bool:
        return a[0] < kind or (a[0] == kind and a[1] < first)

    @t.kernel
    def take_up(
        start: int, count: int, pressing: Pressing,
        # in: points, and what pairs of before held, in the order of kinds and first items
        x: points, kept: int, kept_names: names, kept_slip: wp.array(dtype=vec2),
        # out:
        rubbing: Rubbing,
    ):  # fmt: skip
        """What the active pairs are where a step begins, and the slips at which they were held where the one before ended."""
        at = start + wp.tid()
        if at < count:
            i = pressing.order[at]
            kind = pressing.kinds[i]
            first = pressing.items[i][0]
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
                    if a[2] == pressing.items[i][1]:
                        n = pressing.normals[i]
                        t1 = tangent(pressing.pairs[i], n, x)
                        u = kept_slip[low][0] * t1 + kept_slip[low][1] * wp.cross(n, t1)
                        looking = 0
                    low += 1
            rubbing.pairs[at] = pressing.pairs[i]
            rubbing.weight[at] = pressing.weight[i]
            rubbing.normals[at] = pressing.normals[i]
            rubbing.press[at] = pressing.press[i]
            rubbing.names[at] = wp.vec3i(kind, first, pressing.items[i][1])
            rubbing.anchored[at] = u

    @t.kernel
    def keep(start: int, count: int, rubbing: Rubbing, little: real, x: points, slips: wp.array(dtype=vec2)):
        """Slips at which the pairs are held where the step ends, by the frame of their second side."""
        i = start + wp.tid()
        if i < count:
            found = vec2()
            if rubbing.press[i] > real(0.0):
                n = rubbing.normals[i]
                u = slip(i, rubbing, x)
                u = held(u, wp.length(u), little)
                t1 = tangent(rubbing.pairs[i], n, x)
                found = vec2(wp.dot(u, t1), wp.dot(u, wp.cross(n, t1)))
            slips[i] = found

    return SimpleNamespace(take_up=take_up, keep=keep)


def rub_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Energy and stiffness within a step."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    points, reals, structs = wp.array(dtype=vec3), wp.array(dtype=t.real), barrier_structs(t.precision)
    Rubbing, corners, rubbed, slip = structs.Rubbing, wp.array2d(dtype=vec3), friction_function(t), of.slip

    @t.kernel
    def rub(
        start: int, count: int, rubbing: Rubbing,
        # params: with the slip below which friction is not full; ``bent`` 0 for a stiffness that is along a slip what it is
        # across it, and lies above the energy everywhere
        friction: real, little: real, bent: real,
        # in:
        x: points,
        # out: energies, gradients, stiffness and work of the pairs
        value: reals, given: corners, stiffness: wp.array(dtype=mat33), loss: reals,
    ):  # fmt: skip
        i = start + wp.tid()
        total = real(0.0)
        work = real(0.0)
        if i < count:
            w, n = rubbing.weight[i], rubbing.normals[i]
            pull = vec3()
            K = mat33()
            most = friction * rubbing.press[i]
            if most > real(0.0):
                u = slip(i, rubbing, x)
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

    return SimpleNamespace(rub=rub)


@family
def friction_kernels(t):
    of = slip_functions(t)
    return vars(anchor_kernels(t, of)) | vars(rub_kernels(t, of))
