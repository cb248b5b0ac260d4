"""Penalty kernels: depth, friction and derivatives of each pair.

A pair of a point and a face has the height φ of the point above the plane of the face, one of two edges the distance φ of
their nearest points along the common normal n; ∂φ/∂xᵢ = wᵢ n exactly, w being the weights of these points. With the gap
g = φ − thickness it has the energy k/2 f min(g, 0)²; f is 1 for faces, and for edges falls to 0 where a nearest point leaves
its edge and where they become parallel (``segments``).
"""

from types import SimpleNamespace

import warp as wp

from ...energy.contact_totals import FAR
from ...runtime.device import Types, family
from ...runtime.kernel_cache import compile_once
from ..detect.active_pairs import slot_structs
from ..detect.surface_motion import skin_structs
from ..pairs.closest_points import FACE
from ..pairs.edge_degeneracy import CROSSING, segment_functions
from ..pairs.normal_curvature import DEEP
from .penalty_friction import slip_function


def spring_functions(t: Types, segments: SimpleNamespace) -> SimpleNamespace:
    """Normals, weights, gaps and gradients of pairs."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    mat43, points, zero, one, half = t.matrix(4, 3), wp.array(dtype=vec3), real(0.0), real(1.0), real(0.5)
    slots, skins = slot_structs(t.precision), skin_structs(t.precision)
    Found, Motion, turning, nearest_on = slots.Found, skins.Motion, segments.turning, segments.nearest_on
    fading, share_of = segments.fading, segments.share_of

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
    def side_of(i: int, kind: int, q: wp.vec4i, near: Found, motion: Motion) -> real:
        """The side along u × v, told where the step begins: the other one when two edges have turned past each other."""
        out = near.side[i]
        if kind != FACE:
            u, v = motion.begun[q[1]] - motion.begun[q[0]], motion.begun[q[3]] - motion.begun[q[2]]
            out = out * turning(u, v, motion.x[q[1]] - motion.x[q[0]], motion.x[q[3]] - motion.x[q[2]])
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

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})


def energy_kernels(t: Types, of: SimpleNamespace, segments: SimpleNamespace) -> SimpleNamespace:
    """Kernels of the values of pairs at x."""
    real, vec3, vec4, mat33 = t.real, t.vec3, t.vec4, t.mat33
    mat43, ints, quads, zero = t.matrix(4, 3), wp.array(dtype=wp.int32), wp.array(dtype=wp.vec4i), real(0.0)
    half, slots, skins = real(0.5), slot_structs(t.precision), skin_structs(t.precision)
    Found, Evaluated, Skin, Motion = slots.Found, slots.Evaluated, skins.Skin, skins.Motion
    share_of, normal_of, side_of, weights_of = segments.share_of, of.normal_of, of.side_of, of.weights_of
    height_of, least_cross, gradient_of = of.height_of, of.least_cross, of.gradient_of

    @t.kernel
    def evaluate_pairs(
        start: int, count: int, pairs: quads, kinds: ints, near: Found, skin: Skin, motion: Motion, out: Evaluated
    ):
        i = start + wp.tid()
        k = near.stiffness[i]
        total = real(0.0)
        gap = real(0.0)
        w = vec4()
        n = vec3()
        K = mat33()
        G = mat43()
        if k > zero:
            q, kind = pairs[i], kinds[i]
            a, b, c, d = motion.x[q[0]], motion.x[q[1]], motion.x[q[2]], motion.x[q[3]]
            s = side_of(i, kind, q, near, motion)
            n = normal_of(kind, s, a, b, c, d)
            gap = height_of(kind, n, a, b, c) - near.apart[i]
            least = least_cross(kind, q, skin.rest)
            w = weights_of(kind, a, b, c, d)
            share = k * share_of(w, b - a, d - c, least)
            if gap < zero and share > zero and wp.length_sq(n) > zero:
                total = half * share * gap * gap
                K = share * wp.outer(n, n)
                G = k * gradient_of(kind, s, near.apart[i], least, a, b, c, d)
            else:
                gap = zero
                w = vec4()
        out.value[i] = total
        for j in range(4):
            out.gradient[j, i] = vec3(G[j, 0], G[j, 1], G[j, 2])
        out.weight[i] = w
        out.blocks[i] = K
        out.normals[i] = n
        out.gaps[i] = gap

    return SimpleNamespace(evaluate_pairs=evaluate_pairs)


def tangent_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Tangents of pairs, positive or whole."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    mat43, points, reals, ints = t.matrix(4, 3), wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.int32)
    quads, corners, zero, one, half = wp.array(dtype=wp.vec4i), wp.array2d(dtype=vec3), real(0.0), real(1.0), real(0.5)
    slots, skins = slot_structs(t.precision), skin_structs(t.precision)
    Found, Evaluated, Skin, Motion, side_of = slots.Found, slots.Evaluated, skins.Skin, skins.Motion, of.side_of
    least_cross, gradient_of = of.least_cross, of.gradient_of

    @wp.func(module=t.module)
    def change_of(
        i: int, kind: int, q: wp.vec4i, near: Found, skin: Skin, motion: Motion, h: real, da: vec3, db: vec3, dc: vec3,
        dd: vec3
    ) -> mat43:  # fmt: skip
        """The change of the gradient of a pair along a motion, by central differences over h."""
        a, b, c, d = motion.x[q[0]], motion.x[q[1]], motion.x[q[2]], motion.x[q[3]]
        side, apart, least = side_of(i, kind, q, near, motion), near.apart[i], least_cross(kind, q, skin.rest)
        ahead = gradient_of(kind, side, apart, least, a + h * da, b + h * db, c + h * dc, d + h * dd)
        behind = gradient_of(kind, side, apart, least, a - h * da, b - h * db, c - h * dc, d - h * dd)
        return near.stiffness[i] * ((half / h) * (ahead - behind))

    @t.kernel
    def difference_pairs(
        start: int, count: int, pairs: quads, kinds: ints, near: Found, skin: Skin, motion: Motion, relative: real,
        gaps: reals, d: points, product: corners,
    ):  # fmt: skip
        """The whole tangent, k φ ∇²φ included, by central differences of the gradient over a small share of the pair's size."""
        i = start + wp.tid()
        H = mat43()
        if gaps[i] < zero:
            q = pairs[i]
            da, db, dc, dd = d[q[0]], d[q[1]], d[q[2]], d[q[3]]
            most = wp.max(wp.max(wp.length(da), wp.length(db)), wp.max(wp.length(dc), wp.length(dd)))
            if most > zero:
                h = relative * wp.length(motion.x[q[3]] - motion.x[q[2]]) / most
                H = change_of(i, kinds[i], q, near, skin, motion, h, da, db, dc, dd)
        for j in range(4):
            product[j, i] = vec3(H[j, 0], H[j, 1], H[j, 2])

    @t.kernel
    def multiply_pairs(start: int, count: int, pairs: quads, value: reals, gradient: corners, d: points, product: corners):
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
        start: int, count: int, pairs: quads,
        # mesh:
        kinds: ints, near: Found, skin: Skin, motion: Motion, relative: real, at: Evaluated,
        # out: block (i, j) in row 4 i + j
        blocks: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        """The same as blocks of the four points with each other: of the whole tangent, but for what is deep, or where
        ``relative`` is 0."""
        i = start + wp.tid()
        q = pairs[i]
        size = wp.length(motion.x[q[3]] - motion.x[q[2]])
        whole = relative > zero and -at.gaps[i] < real(DEEP) * size
        for j in range(4):
            for axis in range(3):
                H = mat43()
                if whole and at.gaps[i] < zero:
                    e = vec3()
                    e[axis] = one
                    da, db = wp.where(j == 0, e, vec3()), wp.where(j == 1, e, vec3())
                    dc, dd = wp.where(j == 2, e, vec3()), wp.where(j == 3, e, vec3())
                    H = change_of(i, kinds[i], q, near, skin, motion, relative * size, da, db, dc, dd)
                elif at.value[i] > zero:
                    for k in range(4):
                        for c in range(3):
                            H[k, c] = half * at.gradient[k, i][c] * at.gradient[j, i][axis] / at.value[i]
                for k in range(4):
                    K = blocks[4 * k + j, i]
                    for c in range(3):
                        K[c, axis] = H[k, c]
                    blocks[4 * k + j, i] = K

    return SimpleNamespace(difference_pairs=difference_pairs, multiply_pairs=multiply_pairs, curve_pairs=curve_pairs)


def step_kernels(t: Types, of: SimpleNamespace, segments: SimpleNamespace) -> SimpleNamespace:
    """Kernels for the start and end of a step."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    reals, ints, shares, zero = wp.array(dtype=t.real), wp.array(dtype=wp.int32), wp.array(dtype=t.vec4), real(0.0)
    one, slip_of, slots, skins = real(1.0), slip_function(t), slot_structs(t.precision), skin_structs(t.precision)
    Found, Memory, Evaluated, Skin, Motion = slots.Found, slots.Memory, slots.Evaluated, skins.Skin, skins.Motion
    share_of, normal_of, height_of, least_cross = segments.share_of, of.normal_of, of.height_of, of.least_cross

    @t.kernel
    def damp_pairs(start: int, kinds: ints, near: Found, motion: Motion, share: real, shift: reals):
        """Springs that resist being pressed within a step: k g²/2 + k b (g − g₀)²/2 of depths g and g₀ ≤ 0, where it pushes; b is
        ``share``, damping times rate.

        Where it would pull it is nothing. That is k (1+b)/2 min(g − g*, 0)² with g* = b g₀ / (1+b), but for a constant.
        """
        i = start + wp.tid()
        k = near.stiffness[i]
        moved = real(0.0)
        if k > zero:
            q, kind = near.pairs[i], kinds[i]
            a, b, c, d = motion.begun[q[0]], motion.begun[q[1]], motion.begun[q[2]], motion.begun[q[3]]
            n = normal_of(kind, near.side[i], a, b, c, d)
            gap = height_of(kind, n, a, b, c) - near.apart[i]
            if wp.length_sq(n) > zero:
                moved = share / (one + share) * wp.min(gap, zero)
            near.apart[i] = near.apart[i] + moved
            near.stiffness[i] = k * (one + share)
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
        flags: ints, ends: ints, found: Found, kinds: ints, near: Found, skin: Skin,
        # in: where the step ended
        motion: Motion, at: Evaluated,
        # out:
        memory: Memory,
    ):  # fmt: skip
        """After an accepted step: anchors that slid follow, those of points that left are dropped, the limit is μN."""
        slot = start + wp.tid()
        memory.sides[slot] = 0
        memory.touched[slot] = 0
        presses = bool(False)
        if flags[slot] != 0:
            i = ends[slot] - 1
            kind, q, n = kinds[i], near.pairs[i], at.normals[i]
            w = vec4(at.weight[i])
            a, b, c, d = motion.x[q[0]], motion.x[q[1]], motion.x[q[2]], motion.x[q[3]]
            one_body, other = skin.body[q[0]], skin.body[q[2]]
            if kind == FACE and skin.closed[other] == 0:
                memory.sides[slot] = int(near.side[i]) * (other + 1)
            if height_of(kind, n, a, b, c) - near.apart[i] + at.shift[i] < zero:  # inside, if it presses or not
                memory.touched[slot] = found.other[slot]
                memory.normal[slot] = n
            if at.gaps[i] < zero:
                presses = True
                k = near.stiffness[i] * share_of(w, b - a, d - c, least_cross(kind, q, skin.rest))
                u = vec3()
                most = memory.limit[slot]
                before = memory.held[slot]
                stays = bool(False)
                if most > zero and skin.body[before[2]] == other and skin.body[before[0]] == one_body:
                    u = slip_of(before, memory.weight[slot], n, motion.x)
                    pull = memory.stiffness[slot] * wp.length(u)
                    stays = pull <= most
                    if not stays:
                        u = (most / wp.max(pull, real(1.0e-300))) * u
                if not stays:  # where they touch now, less what the spring still holds
                    e, f = c - b, d - b
                    if kind != FACE:
                        e = b - a
                        f = d - c
                    m = wp.cross(e, f)
                    whole = wp.dot(m, m)
                    s, r = wp.dot(wp.cross(u, f), m) / whole, wp.dot(wp.cross(e, u), m) / whole
                    if kind == FACE:
                        w = vec4(w[0], w[1] - s - r, w[2] + s, w[3] + r)
                    else:
                        w = vec4(w[0] - s, w[1] + s, w[2] - r, w[3] + r)
                    memory.held[slot] = q
                    memory.weight[slot] = w
                memory.stiffness[slot] = k
                memory.limit[slot] = -skin.grip[skin.group[one_body], skin.group[other]] * k * at.gaps[i]
        if not presses:
            memory.held[slot] = wp.vec4i()
            memory.weight[slot] = vec4()
            memory.limit[slot] = zero

    return SimpleNamespace(damp_pairs=damp_pairs, tell=tell, settle=settle)


@family
def penalty_kernels(t):
    compile_once(t.module)  # arrays lie in structs
    segments = segment_functions(t)
    of = spring_functions(t, segments)
    return vars(energy_kernels(t, of, segments)) | vars(tangent_kernels(t, of)) | vars(step_kernels(t, of, segments))
