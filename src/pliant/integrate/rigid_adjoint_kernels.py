"""Derivatives of what a step makes of rigid bodies, by central differences of it in double precision.

Each differs from the exact derivative by some 1e-10 of it. A module of its own: runs that are not differentiated never need it.
"""

import warp as wp

from ..runtime.device import family
from .rigid_kernels import four, mat46, node_functions, rigid_functions, vec3, vec4

DIFFERENCE = 1e-5  # of the size of a body, over which steps are compared


@family
def rigid_back_kernels(t):
    vectors, positions, ints = wp.array(dtype=t.vec3), wp.array(dtype=t.position), wp.array(dtype=wp.int32)
    reals, coefficients = wp.array(dtype=t.real), wp.array(dtype=mat46)
    of, nodes, real = rigid_functions(t), node_functions(t), wp.float64

    @wp.func(module=t.module)
    def size(rest: four) -> real:
        return wp.length(rest[1] - rest[0]) + wp.length(rest[2] - rest[0]) + wp.length(rest[3] - rest[0])

    @wp.func(module=t.module)
    def unit(field: int, time: real) -> real:
        """How much of a field is a length: v times the time of a step, a times its square."""
        out = real(1.0)
        if field == 1 or field == 4:
            out = real(1.0) / time
        if field == 2:
            out = real(1.0) / (time * time)
        return out

    @wp.func(module=t.module)
    def whole(m: vec4, rest: four, c: mat46, x: four, v: four, a: four, x_before: four, v_before: four, z: four):
        """The new x, v and a of a step, with the y that follows from its start."""
        y, _anchor, _origin = of.aimed(m, rest, c, x, v, a, x_before, v_before)
        new_x, new_v, new_a = of.ended(m, rest, c, x, v, a, x_before, v_before, y, z)
        return new_x, new_v, new_a

    @t.kernel
    def take_adjoints(
        start: int,
        # mesh: first of the four nodes of each body, and what of them may move
        first: ints,
        free: vectors,
        # params: whether what is held of bodies stays
        some: int,
        # out: adjoints of three fields over all nodes, which are moved
        one: vectors,
        two: vectors,
        three: vectors,
        # out: to those of the bodies
        own: wp.array2d(dtype=four),
    ):
        b = start + wp.tid()
        n = first[b]
        first_of, second_of, third_of = four(), four(), four()
        if not nodes.is_held(free, n):
            for i in range(4):
                share = wp.vec3d(1.0, 1.0, 1.0)
                if some == 1:
                    share = vec3(free[n + i])
                first_of[i] = wp.cw_mul(share, vec3(one[n + i]))
                second_of[i] = wp.cw_mul(share, vec3(two[n + i]))
                third_of[i] = wp.cw_mul(share, vec3(three[n + i]))
                one[n + i] = one[n + i] - t.vec3(first_of[i])
                two[n + i] = two[n + i] - t.vec3(second_of[i])
                three[n + i] = three[n + i] - t.vec3(third_of[i])
        own[b, 0] = first_of
        own[b, 1] = second_of
        own[b, 2] = third_of

    @t.kernel
    def slopes(
        start: int,
        # mesh: first of the four nodes of each body, what of them may move, their masses and places at rest
        first: ints,
        free: vectors,
        mass: reals,
        rest: positions,
        # params: one matrix of coefficients; whether a step ends, or begins
        rows: coefficients,
        ends: int,
        # in: where the step begins, and its solution
        x: positions,
        v: vectors,
        a: vectors,
        x_before: positions,
        v_before: vectors,
        z: positions,
        # in: adjoints of the new x, v and a of each body, or of its y, anchor and at
        own: wp.array2d(dtype=four),
        # out: (bodies, 72) what they are by each number that the step has begun with, or was solved for
        out: wp.array2d(dtype=wp.float64),
    ):
        item = start + wp.tid()
        b = item // 72
        field = item % 72 // 12
        i = item % 12 // 3
        k = item % 3
        n = first[b]
        total = real(0.0)
        if not nodes.is_held(free, n) and (ends == 1 or field < 5):
            c = rows[0]
            m = nodes.masses(mass, n)
            body = nodes.places(rest, n)
            step = real(DIFFERENCE) * size(body) * unit(field, c[0, 4])
            turn = int(0)
            while turn < 2:
                h = wp.where(turn == 0, step, -step)
                sx = nodes.places(x, n)
                sv = nodes.rates(v, n)
                sa = nodes.rates(a, n)
                sx_before = nodes.places(x_before, n)
                sv_before = nodes.rates(v_before, n)
                sz = nodes.places(z, n)
                if field == 0:
                    sx[i, k] += h
                if field == 1:
                    sv[i, k] += h
                if field == 2:
                    sa[i, k] += h
                if field == 3:
                    sx_before[i, k] += h
                if field == 4:
                    sv_before[i, k] += h
                if field == 5:
                    sz[i, k] += h
                if ends == 1:
                    p, q, r = whole(m, body, c, sx, sv, sa, sx_before, sv_before, sz)
                    value = wp.ddot(own[b, 0], p) + wp.ddot(own[b, 1], q) + wp.ddot(own[b, 2], r)
                    total += wp.where(turn == 0, value, -value)
                else:
                    y, anchor, _origin = of.aimed(m, body, c, sx, sv, sa, sx_before, sv_before)
                    value = wp.ddot(own[b, 0] + own[b, 2], y) + wp.ddot(own[b, 1], anchor)
                    total += wp.where(turn == 0, value, -value)
                turn += 1
            total /= real(2.0) * step
        out[b, item % 72] = total

    @t.kernel
    def add_slopes(
        start: int,
        first: ints,
        # in:
        slope: wp.array2d(dtype=wp.float64),
        # out: adjoints of the state where the step begins, and of its solution
        x: positions,
        v: vectors,
        a: vectors,
        x_before: positions,
        v_before: vectors,
        z: vectors,
    ):
        node = start + wp.tid()
        b = node // 4
        i = node % 4
        n = first[b] + i
        at = 3 * i
        x[n] = x[n] + t.position(slope[b, at], slope[b, at + 1], slope[b, at + 2])
        at += 12
        v[n] = v[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))
        at += 12
        a[n] = a[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))
        at += 12
        x_before[n] = x_before[n] + t.position(slope[b, at], slope[b, at + 1], slope[b, at + 2])
        at += 12
        v_before[n] = v_before[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))
        at += 12
        z[n] = z[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))

    @t.kernel
    def along(
        start: int,
        # mesh: first of the four nodes of each body, what of them may move, their masses and places at rest
        first: ints,
        free: vectors,
        mass: reals,
        rest: positions,
        # params: one matrix of coefficients
        rows: coefficients,
        # in: where the step begins and its solution, and derivatives of both
        x: positions,
        v: vectors,
        a: vectors,
        x_before: positions,
        v_before: vectors,
        z: positions,
        dx: positions,
        dv: vectors,
        da: vectors,
        dx_before: positions,
        dv_before: vectors,
        dz: positions,
        # out: derivatives of the new x, v and a
        new_x: positions,
        new_v: vectors,
        new_a: vectors,
    ):
        n = first[start + wp.tid()]
        if not nodes.is_held(free, n):
            c = rows[0]
            m = nodes.masses(mass, n)
            body = nodes.places(rest, n)
            sx, sv, sa = nodes.places(dx, n), nodes.rates(dv, n), nodes.rates(da, n)
            sx_before, sv_before, sz = nodes.places(dx_before, n), nodes.rates(dv_before, n), nodes.places(dz, n)
            time = c[0, 4]
            long = wp.sqrt(wp.ddot(sx, sx)) + wp.sqrt(wp.ddot(sx_before, sx_before)) + wp.sqrt(wp.ddot(sz, sz))
            long += time * (wp.sqrt(wp.ddot(sv, sv)) + wp.sqrt(wp.ddot(sv_before, sv_before)))
            long += time * time * wp.sqrt(wp.ddot(sa, sa))
            p, q, r = four(), four(), four()
            if long > real(0.0):
                step = real(DIFFERENCE) * size(body) / long
                turn = int(0)
                while turn < 2:
                    h = wp.where(turn == 0, step, -step)
                    share = real(0.5) / h
                    ex, ev, ea = whole(
                        m, body, c, nodes.places(x, n) + h * sx, nodes.rates(v, n) + h * sv,
                        nodes.rates(a, n) + h * sa, nodes.places(x_before, n) + h * sx_before,
                        nodes.rates(v_before, n) + h * sv_before, nodes.places(z, n) + h * sz,
                    )  # fmt: skip
                    p += share * ex
                    q += share * ev
                    r += share * ea
                    turn += 1
            for i in range(4):
                new_x[n + i] = t.position(nodes.chosen(free[n + i], p[i], vec3(new_x[n + i])))
                new_v[n + i] = t.vec3(nodes.chosen(free[n + i], q[i], vec3(new_v[n + i])))
                new_a[n + i] = t.vec3(nodes.chosen(free[n + i], r[i], vec3(new_a[n + i])))

    return locals()
