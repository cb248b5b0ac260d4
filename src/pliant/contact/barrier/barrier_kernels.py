"""Barrier kernels: value, gradient and tangent of each pair.

With the gap g = d − thickness and r = g/ĝ a pair has the energy κ A ĝ B(r), B = −(r − 1)² ln r for r < 1 and 0 beyond (Li et
al. 2020, Eq 6, as a pressure on an area: Li et al. 2023), so the pressure is κ |B′(r)| whatever the mesh.
"""

from types import SimpleNamespace

import warp as wp

from ...energy.contact_totals import FAR
from ...runtime.device import Types, family
from ..pairs.closest_points import EDGE, PARALLEL, closest_functions
from .barrier_structs import barrier_structs


def barrier_function(t: Types) -> wp.Function:
    """B, B′ and B″ of a gap r in reaches."""
    real, vec3 = t.real, t.vec3
    one, two = real(1.0), real(2.0)

    @wp.func(module=t.module)
    def barrier(r: real) -> vec3:
        value = vec3()
        if r < one:
            log = wp.log(r)
            value = vec3(
                -(r - one) * (r - one) * log,
                -two * (r - one) * log - (r - one) * (r - one) / r,
                -two * log - real(4.0) * (r - one) / r + (r - one) * (r - one) / (r * r),
            )
        return value

    return barrier


def pair_functions(t: Types, of: SimpleNamespace, barrier: wp.Function) -> SimpleNamespace:
    """What a pair has in full, and its gradient."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    mat43, fade, mollifier, add_to_ends, zero = t.matrix(4, 3), of.fade, of.mollifier, of.add_to_ends, real(0.0)
    one, two, Mesh = real(1.0), real(2.0), barrier_structs(t.precision).Mesh

    @wp.func(module=t.module)
    def least_cross(i: int, q: wp.vec4i, mesh: Mesh) -> real:
        """|u × v|² of two edges below which they fade."""
        value = zero
        if mesh.kinds[i] == EDGE:
            u, v = mesh.rest[q[1]] - mesh.rest[q[0]], mesh.rest[q[3]] - mesh.rest[q[2]]
            value = real(PARALLEL) * wp.length_sq(u) * wp.length_sq(v)
        return value

    @wp.func(module=t.module)
    def gradient_of(kind: int, a: vec3, b: vec3, c: vec3, d: vec3, w: vec4, n: vec3, least: real, factor: real,
                    reach: real, thick: real) -> mat43:  # fmt: skip
        """Gradient of the energy of a pair by its four points, as rows; n is the way between those with weights w."""
        out = mat43()
        distance = wp.length(n)
        gap = distance - thick
        if gap < reach and distance > zero:
            B = barrier(gap / reach)
            s = fade(kind, a, b, c, d, least)
            pull = (factor * s * B[1] / distance) * n
            for i in range(4):
                for x in range(3):
                    out[i, x] = w[i] * pull[x]
            if s < one:  # edges that are nearly parallel: the factor changes too
                u, v = b - a, d - c
                rate = factor * reach * B[0] * mollifier(wp.length_sq(wp.cross(u, v)), least)[1] / least
                of_u = two * rate * (wp.dot(v, v) * u - wp.dot(u, v) * v)
                of_v = two * rate * (wp.dot(u, u) * v - wp.dot(u, v) * u)
                out = add_to_ends(out, of_u, of_v)
        return out

    @wp.func(module=t.module)
    def factor_of(i: int, q: wp.vec4i, mesh: Mesh) -> real:
        """κ A of a pair [N]: the softer of the two sides, and half of what the point or the two edges stand for."""
        own = mesh.area[q[0]]
        if mesh.kinds[i] == EDGE:
            own = real(0.5) * (mesh.edge_area[mesh.items[i][0]] + mesh.edge_area[mesh.items[i][1]])
        return real(0.5) * own * wp.min(mesh.pressure[q[0]], mesh.pressure[q[2]])

    @wp.func(module=t.module)
    def thick_of(q: wp.vec4i, mesh: Mesh) -> real:
        return real(0.5) * (mesh.thickness[q[0]] + mesh.thickness[q[2]])

    return SimpleNamespace(least_cross=least_cross, gradient_of=gradient_of, factor_of=factor_of, thick_of=thick_of)


def energy_kernels(t: Types, shared: SimpleNamespace, of: SimpleNamespace, barrier: wp.Function) -> SimpleNamespace:
    """Reaches, energies and gradients of pairs."""
    real, vec3, mat43 = t.real, t.vec3, t.matrix(4, 3)
    points, reals, ints = wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.int32)
    quads, corners, weights, way, fade = wp.array(dtype=wp.vec4i), wp.array2d(dtype=vec3), of.weights, of.way, of.fade
    zero, Mesh, least_cross = real(0.0), barrier_structs(t.precision).Mesh, shared.least_cross
    gradient_of, factor_of, thick_of = shared.gradient_of, shared.factor_of, shared.thick_of

    @t.kernel
    def reach_pairs(
        start: int, count: int, pairs: quads,
        # mesh: of points: their bodies, the parts that these are of, and whether they lie on the side of a cut
        mesh: Mesh, body: ints, part: ints, opened: ints,
        # params:
        reach: real, kerf: real,
    ):  # fmt: skip
        """From where on each pair presses: sides of a cut from no further than its kerf, where they begin, and parts of a body
        from no further than where they are at rest."""
        i = start + wp.tid()
        value = reach
        if i < count:
            q, kind = pairs[i], mesh.kinds[i]
            own = wp.where(kind == EDGE, 1, 0)  # whether the second point is of the first side
            one_side = opened[q[0]] + own * opened[q[1]]
            other = (1 - own) * opened[q[1]] + opened[q[2]] + opened[q[3]]
            if part[q[0]] == part[q[2]]:
                a, b, c, d = mesh.rest[q[0]], mesh.rest[q[1]], mesh.rest[q[2]], mesh.rest[q[3]]
                value = wp.min(reach, wp.length(way(weights(kind, a, b, c, d), a, b, c, d)))
                if body[q[0]] != body[q[2]] or one_side * other > 0:
                    value = wp.min(reach, kerf)
        mesh.reaches[i] = value

    @t.kernel
    def evaluate_pairs(start: int, count: int, pairs: quads, mesh: Mesh, x: points, value: reals, gaps: reals, gradient: corners):
        """What each pair has, its gap where it presses, and what it gives to each of its points."""
        i = start + wp.tid()
        if i < count:
            q, kind, reach = pairs[i], mesh.kinds[i], mesh.reaches[i]
            a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            factor, thick, least = factor_of(i, q, mesh), thick_of(q, mesh), least_cross(i, q, mesh)
            w = weights(kind, a, b, c, d)
            n = way(w, a, b, c, d)
            gap = wp.length(n) - thick
            total = zero
            g = mat43()
            gaps[i] = real(FAR)
            if gap < reach:
                B = barrier(wp.max(gap, zero) / reach)
                total = factor * reach * B[0] * fade(kind, a, b, c, d, least)
                g = gradient_of(kind, a, b, c, d, w, n, least, factor, reach, thick)
                gaps[i] = gap
            value[i] = total
            for j in range(4):
                gradient[j, i] = vec3(g[j, 0], g[j, 1], g[j, 2])
        else:
            value[i] = zero
            gaps[i] = real(FAR)

    return SimpleNamespace(reach_pairs=reach_pairs, evaluate_pairs=evaluate_pairs)


def tangent_kernels(t: Types, shared: SimpleNamespace, of: SimpleNamespace, barrier: wp.Function) -> SimpleNamespace:
    """Tangents of pairs, positive or whole."""
    real, vec3, vec4, mat33 = t.real, t.vec3, t.vec4, t.mat33
    mat43, points, reals = t.matrix(4, 3), wp.array(dtype=vec3), wp.array(dtype=t.real)
    quads, corners, weights, way, fade = wp.array(dtype=wp.vec4i), wp.array2d(dtype=vec3), of.weights, of.way, of.fade
    zero, two, Mesh, least_cross = real(0.0), real(2.0), barrier_structs(t.precision).Mesh, shared.least_cross
    gradient_of, factor_of, thick_of = shared.gradient_of, shared.factor_of, shared.thick_of

    @wp.func(module=t.module)
    def gradient_along(i: int, q: wp.vec4i, mesh: Mesh, h: real, x: points, d: points) -> mat43:
        """The gradient of a pair where its points have gone h times d."""
        a, b, c, e = x[q[0]] + h * d[q[0]], x[q[1]] + h * d[q[1]], x[q[2]] + h * d[q[2]], x[q[3]] + h * d[q[3]]
        w = weights(mesh.kinds[i], a, b, c, e)
        n, least, factor = way(w, a, b, c, e), least_cross(i, q, mesh), factor_of(i, q, mesh)
        return gradient_of(mesh.kinds[i], a, b, c, e, w, n, least, factor, mesh.reaches[i], thick_of(q, mesh))

    @t.kernel
    def stiffen_pairs(
        start: int, count: int, pairs: quads, mesh: Mesh, x: points, weight: wp.array(dtype=vec4),
        stiffness: wp.array(dtype=mat33), normals: points, press: reals,
    ):  # fmt: skip
        """Weights, the positive part (κA/ĝ) B″ n nᵀ of the tangent, the normal and the force along it."""
        i = start + wp.tid()
        if i < count:
            q, kind, reach = pairs[i], mesh.kinds[i], mesh.reaches[i]
            a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            w = weights(kind, a, b, c, d)
            n = way(w, a, b, c, d)
            distance = wp.length(n)
            gap = distance - thick_of(q, mesh)
            K = mat33()
            force = zero
            if gap < reach and distance > zero:
                B = barrier(gap / reach)
                k = factor_of(i, q, mesh) * fade(kind, a, b, c, d, least_cross(i, q, mesh))
                n = n / distance
                K = (k / reach * B[2]) * wp.outer(n, n)
                force = -k * B[1]
            weight[i] = w
            stiffness[i] = K
            normals[i] = n
            press[i] = force

    @t.kernel
    def difference_pairs(
        start: int, count: int, pairs: quads, mesh: Mesh, relative: real, x: points, d: points, product: corners
    ):
        """The whole tangent, by central differences of the gradient over a small share of the distance."""
        i = start + wp.tid()
        if i < count:
            q = pairs[i]
            a, b, c, e = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            gap = wp.length(way(weights(mesh.kinds[i], a, b, c, e), a, b, c, e)) - thick_of(q, mesh)
            one_side = wp.max(wp.length(d[q[0]]), wp.length(d[q[1]]))
            most = wp.max(one_side, wp.max(wp.length(d[q[2]]), wp.length(d[q[3]])))
            H = mat43()
            if gap < mesh.reaches[i] and most > zero:
                h = relative * gap / most
                ahead, behind = gradient_along(i, q, mesh, h, x, d), gradient_along(i, q, mesh, -h, x, d)
                H = (ahead - behind) / (two * h)
            for j in range(4):
                product[j, i] = vec3(H[j, 0], H[j, 1], H[j, 2])

    return SimpleNamespace(stiffen_pairs=stiffen_pairs, difference_pairs=difference_pairs)


@family
def barrier_kernels(t):
    of, barrier = closest_functions(t), barrier_function(t)
    shared = pair_functions(t, of, barrier)
    return vars(energy_kernels(t, shared, of, barrier)) | vars(tangent_kernels(t, shared, of, barrier))
