"""Kernels of springs between surfaces: depth, friction and their derivatives for each pair of four points.

A pair of a point and a face has the height φ of the point above the plane of the face, one of two edges the distance φ of
their nearest points along the common normal n; ∂φ/∂xᵢ = wᵢ n exactly, w being the weights of these points. With the gap
g = φ − thickness it has the energy k/2 f min(g, 0)²; f is 1 for faces, and for edges falls to 0 where a nearest point leaves
its edge and where they become parallel (``segments``).
"""

import warp as wp

from ..device import family
from ..energy.touching import FAR
from .closest import FACE
from .curvature import DEEP
from .penalty_friction import slip_function
from .segments import CROSSING, segment_functions


@family
def penalty_kernels(t):
    real, vec3, vec4, mat33, mat43 = t.real, t.vec3, t.vec4, t.mat33, t.matrix(4, 3)
    points, reals, ints = wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.int32)
    quads, shares, corners = wp.array(dtype=wp.vec4i), wp.array(dtype=t.vec4), wp.array2d(dtype=vec3)
    blocks = wp.array(dtype=mat33)
    zero, one, half = real(0.0), real(1.0), real(0.5)
    segments, slip_of = segment_functions(t), slip_function(t)
    turning, nearest_on, fading, share_of = segments.turning, segments.nearest_on, segments.fading, segments.share_of

    @wp.func(module=t.module)
    def normal_of(kind: int, side: real, a: vec3, b: vec3, c: vec3, d: vec3) -> vec3:
        """Unit normal of the face or of two edges, on the side where the first belongs; 0 where there is none."""
        u = c - b
        v = d - b
        if kind != FACE:
            u = b - a
            v = d - c
        n = wp.cross(u, v)
        size = wp.length(n)
        least = real(1.0e-12) * wp.length(u) * wp.length(v)
        scale = real(0.0)
        if size > least:
            scale = side / size
        return scale * n

    @wp.func(module=t.module)
    def side_of(kind: int, side: real, q: wp.vec4i, begun: points, x: points) -> real:
        """The side along u × v, told where the step begins: the other one when two edges have turned past each other."""
        out = side
        if kind != FACE:
            u, v = begun[q[1]] - begun[q[0]], begun[q[3]] - begun[q[2]]
            out = side * turning(u, v, x[q[1]] - x[q[0]], x[q[3]] - x[q[2]])
        return out

    @wp.func(module=t.module)
    def weights_of(kind: int, a: vec3, b: vec3, c: vec3, d: vec3) -> vec4:
        """Signed weights of the nearest points of the plane, or of two edges."""
        w = vec4()
        if kind == FACE:
            n = wp.cross(c - b, d - b)
            whole = wp.dot(n, n)
            v = wp.dot(wp.cross(a - b, d - b), n) / whole
            z = wp.dot(wp.cross(c - b, a - b), n) / whole
            w = vec4(one, v + z - one, -v, -z)
        else:
            st = nearest_on(a, b, c, d)
            w = vec4(one - st[0], st[0], st[1] - one, -st[1])
        return w

    @wp.func(module=t.module)
    def height_of(kind: int, n: vec3, a: vec3, b: vec3, c: vec3) -> real:
        value = wp.dot(n, a - b)
        if kind != FACE:
            value = wp.dot(n, a - c)
        return value

    @wp.func(module=t.module)
    def least_cross(kind: int, q: wp.vec4i, rest: points) -> real:
        """|u × v|² of two edges above which they push with all of their stiffness, 0 for faces."""
        value = zero
        if kind != FACE:
            value = real(CROSSING) * wp.length_sq(rest[q[1]] - rest[q[0]]) * wp.length_sq(rest[q[3]] - rest[q[2]])
        return value

    @wp.func(module=t.module)
    def gradient_of(kind: int, side: real, apart: real, least: real, a: vec3, b: vec3, c: vec3, d: vec3) -> mat43:
        """∂(f g²/2)/∂xᵢ as rows, whether or not the pair touches."""
        out = mat43()
        n = normal_of(kind, side, a, b, c, d)
        if wp.length_sq(n) > zero:
            w = weights_of(kind, a, b, c, d)
            gap = height_of(kind, n, a, b, c) - apart
            f = share_of(w, b - a, d - c, least)
            out = (half * gap * gap) * fading(w, a, b, c, d, least)
            for i in range(4):
                for x in range(3):
                    out[i, x] = out[i, x] + f * gap * w[i] * n[x]
        return out

    @t.kernel
    def evaluate_pairs(
        start: int,
        count: int,
        # mesh:
        pairs: quads,
        kinds: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
        begun: points,
        rest: points,
        # in:
        x: points,
        # out:
        value: reals,
        gradient: corners,
        # and, for whoever wants them, weights, the positive part k n nᵀ of the tangent, normals, gaps and k g
        weight: shares,
        blocks: blocks,
        normals: points,
        gaps: reals,
        force: reals,
    ):
        i = start + wp.tid()
        k = stiffness[i]
        total = real(0.0)
        gap = real(0.0)
        pull = real(0.0)
        w = vec4()
        n = vec3()
        K = mat33()
        G = mat43()
        if k > zero:
            q, kind = pairs[i], kinds[i]
            a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            s = side_of(kind, side[i], q, begun, x)
            n = normal_of(kind, s, a, b, c, d)
            gap = height_of(kind, n, a, b, c) - apart[i]
            least = least_cross(kind, q, rest)
            w = weights_of(kind, a, b, c, d)
            share = k * share_of(w, b - a, d - c, least)
            if gap < zero and share > zero and wp.length_sq(n) > zero:
                total = half * share * gap * gap
                pull = share * gap
                K = share * wp.outer(n, n)
                G = k * gradient_of(kind, s, apart[i], least, a, b, c, d)
            else:
                gap = zero
                w = vec4()
        value[i] = total
        for j in range(4):
            gradient[j, i] = vec3(G[j, 0], G[j, 1], G[j, 2])
        weight[i] = w
        blocks[i] = K
        normals[i] = n
        gaps[i] = gap
        force[i] = pull

    @wp.func(module=t.module)
    def change_of(
        kind: int, side: real, apart: real, least: real, q: wp.vec4i, x: points, h: real, da: vec3, db: vec3, dc: vec3,
        dd: vec3
    ) -> mat43:  # fmt: skip
        """The change of ∂(f g²/2)/∂xᵢ along a motion, by central differences over h."""
        a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
        ahead = gradient_of(kind, side, apart, least, a + h * da, b + h * db, c + h * dc, d + h * dd)
        behind = gradient_of(kind, side, apart, least, a - h * da, b - h * db, c - h * dc, d - h * dd)
        return (half / h) * (ahead - behind)

    @t.kernel
    def difference_pairs(
        start: int,
        count: int,
        # mesh:
        pairs: quads,
        kinds: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
        begun: points,
        rest: points,
        # params:
        relative: real,
        # in:
        gaps: reals,
        x: points,
        d: points,
        # out:
        product: corners,
    ):
        """The whole tangent, k φ ∇²φ included, by central differences of the gradient over a small share of the pair's size."""
        i = start + wp.tid()
        H = mat43()
        if gaps[i] < zero:
            q, kind = pairs[i], kinds[i]
            da, db, dc, dd = d[q[0]], d[q[1]], d[q[2]], d[q[3]]
            most = wp.max(wp.max(wp.length(da), wp.length(db)), wp.max(wp.length(dc), wp.length(dd)))
            if most > zero:
                h = relative * wp.length(x[q[3]] - x[q[2]]) / most
                s, least = side_of(kind, side[i], q, begun, x), least_cross(kind, q, rest)
                H = stiffness[i] * change_of(kind, s, apart[i], least, q, x, h, da, db, dc, dd)
        for j in range(4):
            product[j, i] = vec3(H[j, 0], H[j, 1], H[j, 2])

    @t.kernel
    def multiply_pairs(
        start: int, count: int, pairs: quads, value: reals, gradient: corners, d: points, product: corners
    ):
        """The positive part of the tangent, ∇E ∇Eᵀ / (2 E) = k ∇(√f g) ∇(√f g)ᵀ, times d."""
        i = start + wp.tid()
        along = real(0.0)
        if value[i] > zero:
            q = pairs[i]
            for j in range(4):
                along += wp.dot(gradient[j, i], d[q[j]])
            along *= half / value[i]
        for j in range(4):
            product[j, i] = along * gradient[j, i]

    @t.kernel
    def curve_pairs(
        start: int,
        count: int,
        # mesh:
        pairs: quads,
        kinds: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
        begun: points,
        rest: points,
        # params: 0 for the positive part alone
        relative: real,
        # in: as evaluated at x
        gaps: reals,
        value: reals,
        gradient: corners,
        x: points,
        # out: block (i, j) in row 4 i + j
        blocks: wp.array2d(dtype=mat33),
    ):
        """The same as blocks of the four points with each other: of the whole tangent, but for what is deep."""
        i = start + wp.tid()
        q, kind = pairs[i], kinds[i]
        size = wp.length(x[q[3]] - x[q[2]])
        whole = relative > zero and -gaps[i] < real(DEEP) * size
        s, least = side_of(kind, side[i], q, begun, x), least_cross(kind, q, rest)
        for j in range(4):
            for axis in range(3):
                H = mat43()
                if whole and gaps[i] < zero:
                    e = vec3()
                    e[axis] = one
                    da, db, dc, dd = vec3(), vec3(), vec3(), vec3()
                    if j == 0:
                        da = e
                    if j == 1:
                        db = e
                    if j == 2:
                        dc = e
                    if j == 3:
                        dd = e
                    H = stiffness[i] * change_of(kind, s, apart[i], least, q, x, relative * size, da, db, dc, dd)
                elif value[i] > zero:
                    for k in range(4):
                        for c in range(3):
                            H[k, c] = half * gradient[k, i][c] * gradient[j, i][axis] / value[i]
                for k in range(4):
                    K = blocks[4 * k + j, i]
                    for c in range(3):
                        K[c, axis] = H[k, c]
                    blocks[4 * k + j, i] = K

    @t.kernel
    def damp_pairs(
        start: int,
        # mesh:
        pairs: quads,
        kinds: ints,
        side: reals,
        # params: b = damping times rate
        share: real,
        # in: where the step begins
        begun: points,
        # out:
        apart: reals,
        stiffness: reals,
        shift: reals,
    ):
        """Springs that resist being pressed within a step: k g²/2 + k b (g − g₀)²/2 of depths g and g₀ ≤ 0, where it pushes.

        Where it would pull it is nothing. That is k (1+b)/2 min(g − g*, 0)² with g* = b g₀ / (1+b), but for a constant.
        """
        i = start + wp.tid()
        k = stiffness[i]
        moved = real(0.0)
        if k > zero:
            q, kind = pairs[i], kinds[i]
            a, b, c, d = begun[q[0]], begun[q[1]], begun[q[2]], begun[q[3]]
            n = normal_of(kind, side[i], a, b, c, d)
            gap = height_of(kind, n, a, b, c) - apart[i]
            if wp.length_sq(n) > zero:
                moved = share / (one + share) * wp.min(gap, zero)
            apart[i] = apart[i] + moved
            stiffness[i] = k * (one + share)
        shift[i] = moved

    @t.kernel
    def tell(start: int, kinds: ints, weight: shares, gaps: reals, shift: reals, gap: reals):
        """The gap of what presses, FAR elsewhere, and where two lines are nearest beyond the end of an edge."""
        i = start + wp.tid()
        w = weight[i]
        within = kinds[i] == FACE or wp.min(wp.min(w[0], w[1]), -wp.max(w[2], w[3])) >= zero
        gap[i] = wp.where(gaps[i] < zero and within, gaps[i] + shift[i], real(FAR))

    @t.kernel
    def settle(
        start: int,
        # mesh: by slot, where its pair is in the list
        flags: ints,
        ends: ints,
        other: ints,
        # the pairs that pressed, evaluated at x
        pairs: quads,
        kinds: ints,
        side: reals,
        apart: reals,
        shift: reals,
        stiffness: reals,
        weight: shares,
        normals: points,
        gaps: reals,
        body: ints,
        closed: ints,
        group: ints,
        grip: wp.array2d(dtype=real),
        rest: points,
        # in:
        x: points,
        # out: what is held together, by slot
        held: quads,
        held_weight: shares,
        held_normal: points,
        held_stiffness: reals,
        limit: reals,
        sides: ints,
        touched: ints,
    ):
        """After an accepted step: anchors that slid follow, those of points that left are dropped, the limit is μN."""
        slot = start + wp.tid()
        sides[slot] = 0
        touched[slot] = 0
        presses = bool(False)
        if flags[slot] != 0:
            i = ends[slot] - 1
            q, n = pairs[i], normals[i]
            w = weight[i]
            if kinds[i] == FACE and closed[body[q[2]]] == 0:
                sides[slot] = int(side[i]) * (body[q[2]] + 1)
            if (
                height_of(kinds[i], n, x[q[0]], x[q[1]], x[q[2]]) - apart[i] + shift[i] < zero
            ):  # inside, if it presses or not
                touched[slot] = other[slot]
                held_normal[slot] = n
            if gaps[i] < zero:
                presses = True
                least = least_cross(kinds[i], q, rest)
                k = stiffness[i] * share_of(w, x[q[1]] - x[q[0]], x[q[3]] - x[q[2]], least)
                u = vec3()
                most = limit[slot]
                before = held[slot]
                stays = bool(False)
                if most > zero and body[before[2]] == body[q[2]] and body[before[0]] == body[q[0]]:
                    u = slip_of(before, held_weight[slot], n, x)
                    pull = held_stiffness[slot] * wp.length(u)
                    stays = pull <= most
                    if not stays:
                        u = (most / wp.max(pull, real(1.0e-300))) * u
                if not stays:  # where they touch now, less what the spring still holds
                    if kinds[i] == FACE:
                        a, b, c = x[q[1]], x[q[2]], x[q[3]]
                        m = wp.cross(b - a, c - a)
                        whole = wp.dot(m, m)
                        v, z = wp.dot(wp.cross(u, c - a), m) / whole, wp.dot(wp.cross(b - a, u), m) / whole
                        w = vec4(w[0], w[1] - v - z, w[2] + v, w[3] + z)
                    else:
                        e, f = x[q[1]] - x[q[0]], x[q[3]] - x[q[2]]
                        m = wp.cross(e, f)
                        whole = wp.dot(m, m)
                        s, r = wp.dot(wp.cross(u, f), m) / whole, wp.dot(wp.cross(e, u), m) / whole
                        w = vec4(w[0] - s, w[1] + s, w[2] - r, w[3] + r)
                    held[slot] = q
                    held_weight[slot] = w
                held_stiffness[slot] = k
                limit[slot] = -grip[group[body[q[0]]], group[body[q[2]]]] * k * gaps[i]
        if not presses:
            held[slot] = wp.vec4i()
            held_weight[slot] = vec4()
            limit[slot] = zero

    return locals()
