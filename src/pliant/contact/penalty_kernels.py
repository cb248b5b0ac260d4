"""Kernels of springs between surfaces: depth, friction and their derivatives for each pair of four points.

A pair of a point and a face has the height φ of the point above the plane of the face, one of two edges the distance φ of
their lines along the common normal n; ∂φ/∂xᵢ = wᵢ n exactly, w being the weights of the nearest points of plane and lines.
With the gap g = φ − thickness it has the energy k/2 min(g, 0)².
"""

import warp as wp

from ..device import family
from ..energy.touching import FAR
from .closest import FACE

PARALLEL = 0.1  # sine of the angle below which two edges have no common normal to push along


@family
def penalty_kernels(t):
    real, vec3, vec4, mat33, mat43 = t.real, t.vec3, t.vec4, t.mat33, t.matrix(4, 3)
    points, reals, ints = wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.int32)
    quads, shares, corners = wp.array(dtype=wp.vec4i), wp.array(dtype=t.vec4), wp.array2d(dtype=vec3)
    blocks = wp.array(dtype=mat33)
    zero, one, half = real(0.0), real(1.0), real(0.5)

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
        if kind != FACE:
            least = real(PARALLEL) * wp.length(u) * wp.length(v)
        scale = real(0.0)
        if size > least:
            scale = side / size
        return scale * n

    @wp.func(module=t.module)
    def weights_of(kind: int, a: vec3, b: vec3, c: vec3, d: vec3) -> vec4:
        """Signed weights of the nearest points of the plane, or of the two lines."""
        w = vec4()
        if kind == FACE:
            n = wp.cross(c - b, d - b)
            whole = wp.dot(n, n)
            v = wp.dot(wp.cross(a - b, d - b), n) / whole
            z = wp.dot(wp.cross(c - b, a - b), n) / whole
            w = vec4(one, v + z - one, -v, -z)
        else:
            n = wp.cross(b - a, d - c)
            whole = wp.dot(n, n)
            s = wp.dot(wp.cross(c - a, d - c), n) / whole
            r = wp.dot(wp.cross(c - a, b - a), n) / whole
            w = vec4(one - s, s, r - one, -r)
        return w

    @wp.func(module=t.module)
    def height_of(kind: int, n: vec3, a: vec3, b: vec3, c: vec3) -> real:
        value = wp.dot(n, a - b)
        if kind != FACE:
            value = wp.dot(n, a - c)
        return value

    @wp.func(module=t.module)
    def gradient_of(kind: int, side: real, apart: real, a: vec3, b: vec3, c: vec3, d: vec3) -> mat43:
        """g ∂g/∂xᵢ as rows, whether or not the pair touches."""
        out = mat43()
        n = normal_of(kind, side, a, b, c, d)
        if wp.length_sq(n) > zero:
            w = weights_of(kind, a, b, c, d)
            gap = height_of(kind, n, a, b, c) - apart
            for i in range(4):
                for x in range(3):
                    out[i, x] = gap * w[i] * n[x]
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
        # in:
        x: points,
        # out:
        value: reals,
        gradient: corners,
        # and, for whoever wants them, weights, the positive part k n nᵀ of the tangent, normals and gaps
        weight: shares,
        blocks: blocks,
        normals: points,
        gaps: reals,
    ):
        i = start + wp.tid()
        k = stiffness[i]
        total = real(0.0)
        gap = real(0.0)
        w = vec4()
        n = vec3()
        K = mat33()
        if k > zero:
            q, kind = pairs[i], kinds[i]
            a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            n = normal_of(kind, side[i], a, b, c, d)
            gap = height_of(kind, n, a, b, c) - apart[i]
            if gap < zero and wp.length_sq(n) > zero:
                w = weights_of(kind, a, b, c, d)
                total = half * k * gap * gap
                K = k * wp.outer(n, n)
            else:
                gap = zero
        value[i] = total
        for j in range(4):
            gradient[j, i] = (k * gap * w[j]) * n
        weight[i] = w
        blocks[i] = K
        normals[i] = n
        gaps[i] = gap

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
        # params:
        relative: real,
        # in:
        x: points,
        d: points,
        # out:
        product: corners,
    ):
        """The whole tangent, k φ ∇²φ included, by central differences of the gradient over a small share of the pair's size."""
        i = start + wp.tid()
        k = stiffness[i]
        H = mat43()
        if k > zero:
            q, kind, s, t0 = pairs[i], kinds[i], side[i], apart[i]
            a, b, c, e = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            da, db, dc, de = d[q[0]], d[q[1]], d[q[2]], d[q[3]]
            n = normal_of(kind, s, a, b, c, e)
            most = wp.max(wp.max(wp.length(da), wp.length(db)), wp.max(wp.length(dc), wp.length(de)))
            if height_of(kind, n, a, b, c) - t0 < zero and most > zero and wp.length_sq(n) > zero:
                h = relative * wp.length(e - c) / most
                ahead = gradient_of(kind, s, t0, a + h * da, b + h * db, c + h * dc, e + h * de)
                behind = gradient_of(kind, s, t0, a - h * da, b - h * db, c - h * dc, e - h * de)
                H = (half * k / h) * (ahead - behind)
        for j in range(4):
            product[j, i] = vec3(H[j, 0], H[j, 1], H[j, 2])

    @wp.func(module=t.module)
    def slip_of(q: wp.vec4i, w: vec4, n: vec3, x: points) -> vec3:
        """How far what was together has gone past each other."""
        u = w[1] * (x[q[1]] - x[q[0]]) + w[2] * (x[q[2]] - x[q[0]]) + w[3] * (x[q[3]] - x[q[0]])
        return u - wp.dot(u, n) * n

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
                K = (most / length) * (across - wp.outer(u, u) / (length * length))
        value[i] = total
        for j in range(4):
            gradient[j, i] = w[j] * pull
        blocks[i] = K

    @t.kernel
    def tell(
        start: int,
        # mesh: gaps, and what is held together
        gaps: reals,
        held: quads,
        weight: shares,
        normals: points,
        stiffness: reals,
        limit: reals,
        # in:
        x: points,
        # out: the gap of what presses, FAR elsewhere, and the energy that sliding took
        gap: reals,
        loss: reals,
    ):
        i = start + wp.tid()
        most = limit[i]
        total = real(0.0)
        if most > zero:
            slid = wp.length(slip_of(held[i], weight[i], normals[i], x)) - most / stiffness[i]
            total = most * wp.max(slid, zero)
        loss[i] = total
        gap[i] = wp.where(gaps[i] < zero, gaps[i], real(FAR))

    @t.kernel
    def settle(
        start: int,
        # mesh: the pairs that pressed, evaluated at x
        pairs: quads,
        kinds: ints,
        face: ints,
        side: reals,
        stiffness: reals,
        weight: shares,
        normals: points,
        gaps: reals,
        body: ints,
        closed: ints,
        # params:
        friction: real,
        # in:
        x: points,
        # out: what is held together
        held: quads,
        held_weight: shares,
        held_normal: points,
        held_stiffness: reals,
        limit: reals,
        sides: ints,
        touched: ints,
    ):
        """After an accepted step: anchors that slid follow, those of points that left are dropped, the limit is μN."""
        i = start + wp.tid()
        q, k, n = pairs[i], stiffness[i], normals[i]
        w = weight[i]
        sides[i] = 0
        touched[i] = 0
        if k > zero and closed[body[q[2]]] == 0:
            sides[i] = int(side[i]) * (body[q[2]] + 1)
        if gaps[i] < zero:
            touched[i] = face[i]
            u = vec3()
            most = limit[i]
            before = held[i]
            stays = bool(False)
            if most > zero and body[before[2]] == body[q[2]] and body[before[0]] == body[q[0]]:
                u = slip_of(before, held_weight[i], n, x)
                pull = held_stiffness[i] * wp.length(u)
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
                held[i] = q
                held_weight[i] = w
            held_normal[i] = n
            held_stiffness[i] = k
            limit[i] = -friction * k * gaps[i]
        else:
            held[i] = wp.vec4i(q[0], q[0], q[0], q[0])
            held_weight[i] = vec4()
            limit[i] = zero

    return locals()
