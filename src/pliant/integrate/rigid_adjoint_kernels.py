"""Derivative kernels of rigid motion, by central differences.

Each differs from the exact derivative by some 1e-10 of it. A module of its own: runs that are not differentiated never need it.
"""

from types import SimpleNamespace

import warp as wp

from ..runtime.device import Types, family
from .rigid_kernels import four, mat46, node_functions, rigid_functions, rigid_structs, vec3, vec4

DIFFERENCE = 1e-5  # of the size of a body, over which steps are compared


def step_functions(t: Types, rigid: SimpleNamespace) -> SimpleNamespace:
    """A whole step, and lengths to compare it over."""
    real = wp.float64

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
        y, _anchor, _origin = rigid.aimed(m, rest, c, x, v, a, x_before, v_before)
        new_x, new_v, new_a = rigid.ended(m, rest, c, x, v, a, x_before, v_before, y, z)
        return new_x, new_v, new_a

    return SimpleNamespace(size=size, unit=unit, whole=whole)


def backward_kernels(t: Types, of: SimpleNamespace, rigid: SimpleNamespace, nodes: SimpleNamespace) -> SimpleNamespace:
    """The transpose of a step."""
    vectors, positions, coefficients = wp.array(dtype=t.vec3), wp.array(dtype=t.position), wp.array(dtype=mat46)
    Bodies, Begin = rigid_structs(t.precision)
    real, size, unit, whole = wp.float64, of.size, of.unit, of.whole

    @t.kernel
    def take_adjoints(
        start: int, bodies: Bodies, some: int, one: vectors, two: vectors, three: vectors, own: wp.array2d(dtype=four)
    ):
        """Move adjoints of three fields over all nodes to those of the bodies; what is held stays, if only ``some`` move."""
        b = start + wp.tid()
        n = bodies.first[b]
        first_of, second_of, third_of = four(), four(), four()
        if not nodes.is_held(bodies.free, n):
            for i in range(4):
                share = wp.vec3d(1.0, 1.0, 1.0)
                if some == 1:
                    share = vec3(bodies.free[n + i])
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
        start: int, bodies: Bodies, rows: coefficients, ends: int, begin: Begin, z: positions, own: wp.array2d(dtype=four),
        out: wp.array2d(dtype=wp.float64),
    ):  # fmt: skip
        """(bodies, 72) adjoints by each number that a step has begun with, or was solved for.

        ``own`` are those of the new x, v and a of each body where the step ``ends``, or of its y, anchor and at.
        """
        item = start + wp.tid()
        b = item // 72
        field = item % 72 // 12
        i = item % 12 // 3
        k = item % 3
        n = bodies.first[b]
        total = real(0.0)
        if not nodes.is_held(bodies.free, n) and (ends == 1 or field < 5):
            c = rows[0]
            m = nodes.masses(bodies.mass, n)
            body = nodes.places(bodies.rest, n)
            step = real(DIFFERENCE) * size(body) * unit(field, c[0, 4])
            turn = int(0)
            while turn < 2:
                h = wp.where(turn == 0, step, -step)
                sx = nodes.places(begin.x, n)
                sv = nodes.rates(begin.v, n)
                sa = nodes.rates(begin.a, n)
                sx_before = nodes.places(begin.x_before, n)
                sv_before = nodes.rates(begin.v_before, n)
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
                    y, anchor, _origin = rigid.aimed(m, body, c, sx, sv, sa, sx_before, sv_before)
                    value = wp.ddot(own[b, 0] + own[b, 2], y) + wp.ddot(own[b, 1], anchor)
                    total += wp.where(turn == 0, value, -value)
                turn += 1
            total /= real(2.0) * step
        out[b, item % 72] = total

    @t.kernel
    def add_slopes(start: int, bodies: Bodies, slope: wp.array2d(dtype=wp.float64), begin: Begin, z: vectors):
        """Adjoints of where the step begins, and of its solution."""
        node = start + wp.tid()
        b = node // 4
        i = node % 4
        n = bodies.first[b] + i
        at = 3 * i
        begin.x[n] = begin.x[n] + t.position(slope[b, at], slope[b, at + 1], slope[b, at + 2])
        at += 12
        begin.v[n] = begin.v[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))
        at += 12
        begin.a[n] = begin.a[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))
        at += 12
        begin.x_before[n] = begin.x_before[n] + t.position(slope[b, at], slope[b, at + 1], slope[b, at + 2])
        at += 12
        begin.v_before[n] = begin.v_before[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))
        at += 12
        z[n] = z[n] + t.vec3(vec3(slope[b, at], slope[b, at + 1], slope[b, at + 2]))

    return SimpleNamespace(take_adjoints=take_adjoints, slopes=slopes, add_slopes=add_slopes)


def forward_kernels(t: Types, of: SimpleNamespace, nodes: SimpleNamespace) -> SimpleNamespace:
    """The derivative of a step."""
    vectors, positions, coefficients = wp.array(dtype=t.vec3), wp.array(dtype=t.position), wp.array(dtype=mat46)
    Bodies, Begin = rigid_structs(t.precision)
    real, size, whole = wp.float64, of.size, of.whole

    @t.kernel
    def along(
        start: int, bodies: Bodies, rows: coefficients, begin: Begin, z: positions, change: Begin, dz: positions,
        new_x: positions, new_v: vectors, new_a: vectors,
    ):  # fmt: skip
        """Derivatives of the new x, v and a, by those of where the step begins and of its solution."""
        n = bodies.first[start + wp.tid()]
        if not nodes.is_held(bodies.free, n):
            c = rows[0]
            m = nodes.masses(bodies.mass, n)
            body = nodes.places(bodies.rest, n)
            sx, sv, sa = nodes.places(change.x, n), nodes.rates(change.v, n), nodes.rates(change.a, n)
            sx_before, sv_before, sz = (
                nodes.places(change.x_before, n),
                nodes.rates(change.v_before, n),
                nodes.places(dz, n),
            )
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
                        m, body, c, nodes.places(begin.x, n) + h * sx, nodes.rates(begin.v, n) + h * sv,
                        nodes.rates(begin.a, n) + h * sa, nodes.places(begin.x_before, n) + h * sx_before,
                        nodes.rates(begin.v_before, n) + h * sv_before, nodes.places(z, n) + h * sz,
                    )  # fmt: skip
                    p += share * ex
                    q += share * ev
                    r += share * ea
                    turn += 1
            for i in range(4):
                new_x[n + i] = t.position(nodes.chosen(bodies.free[n + i], p[i], vec3(new_x[n + i])))
                new_v[n + i] = t.vec3(nodes.chosen(bodies.free[n + i], q[i], vec3(new_v[n + i])))
                new_a[n + i] = t.vec3(nodes.chosen(bodies.free[n + i], r[i], vec3(new_a[n + i])))

    return SimpleNamespace(along=along)


@family
def rigid_back_kernels(t):
    rigid, nodes = rigid_functions(t), node_functions(t)
    of = step_functions(t, rigid)
    return vars(backward_kernels(t, of, rigid, nodes)) | vars(forward_kernels(t, of, nodes))
