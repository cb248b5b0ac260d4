"""Where pairs touch on a way: nearest points, normal and side of each pair, and of each point and obstacle.

A pair far apart is looked at where it comes near on its way, so that the face on which a point lands gives the normal, not
the one from which it came. A pair counts where its distance is a least one on the surfaces: not where a point is nearer to the
next face, over whose edge it would otherwise stumble. Normals at edges and corners of closed surfaces lie between those of the
faces there: over a flat of many faces all normals are its own, however near a point is to an edge, and on either side of it.
"""

import warp as wp

from ...energy.obstacles.obstacle_functions import obstacle_functions, obstacle_structs
from ...runtime.device import family
from ..detect.continuous_collision import CAREFUL
from ..pairs.closest_points import FACE, closest_functions

MOST = 60  # advances on the way of a pair
ROUNDING = 1e-7  # of a length
FLAT = 4.0  # gaps over its length: an edge between faces that turn by less [rad] stands out by less than the gap
CONE = 0.05  # sine of the angle by which a normal may lie outside of those of an edge: faces that touch are seldom flat
WHOLE = 2  # a pair that is that of a face, though it is nearest on an edge of it
TURNS = 4  # in which the normal at a corner is turned into those of the faces around it
PARALLEL = 1e-3  # sine of the angle below which edges meet in no single point


@family
def row_kernels(t):
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    points, ints, reals = wp.array(dtype=vec3), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    position, positions = t.position, wp.array(dtype=t.position)
    of = closest_functions(t)
    weights, way = of.weights, of.way
    Obstacles, _ = obstacle_structs(t.precision)
    depth = obstacle_functions(t).depth
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def inward(a: vec3, b: vec3, c: vec3) -> vec3:
        """Unit vector from the edge a b into the triangle a b c."""
        e = b - a
        v = c - a
        long = wp.dot(e, e)
        if long > zero:
            v -= (wp.dot(v, e) / long) * e
        return wp.normalize(v)

    @wp.func(module=t.module)
    def placed(i: int, here: int, s: real, begun: points, d: points, x: points) -> vec3:
        """Where point i is looked at: where it is, or a share s of its way from where it was."""
        at = begun[i] + s * d[i]
        if here == 1:
            at = x[i]
        return at

    @wp.func(module=t.module)
    def turns(
        edge: wp.vec2i, sides: wp.vec2i, here: int, s: real, begun: points, d: points, x: points, gap: real
    ) -> bool:
        """Whether the faces beside an edge turn there, so that it stands out by a gap; a border does."""
        turned = bool(True)
        if sides[0] >= 0 and sides[1] >= 0:
            a, b = placed(edge[0], here, s, begun, d, x), placed(edge[1], here, s, begun, d, x)
            first = inward(a, b, placed(sides[0], here, s, begun, d, x))
            second = inward(a, b, placed(sides[1], here, s, begun, d, x))
            flat = real(FLAT) * gap / wp.length(b - a)
            turned = one + wp.dot(first, second) > real(0.5) * flat * flat
        return turned

    @wp.func(module=t.module)
    def is_edge(
        edge: wp.vec2i, sides: wp.vec2i, here: int, s: real, begun: points, d: points, x: points, u: vec3, gap: real
    ) -> bool:
        """Whether faces turn there, where they are or where they go, and none of them comes nearer along u than the edge."""
        a, b = placed(edge[0], here, s, begun, d, x), placed(edge[1], here, s, begun, d, x)
        first = vec3()
        second = vec3()
        if sides[0] >= 0:
            first = inward(a, b, placed(sides[0], here, s, begun, d, x))
        if sides[1] >= 0:
            second = inward(a, b, placed(sides[1], here, s, begun, d, x))
        good = bool(False)
        if wp.dot(u, first) <= real(CONE) and wp.dot(u, second) <= real(CONE):
            good = turns(edge, sides, here, s, begun, d, x, gap)
            if not good:
                good = turns(edge, sides, 1, s, begun, d, x, gap)
            if not good:
                good = turns(edge, sides, 0, one, begun, d, x, gap)
        return good

    @wp.func(module=t.module)
    def outward(a: vec3, b: vec3, sides: wp.vec2i, here: int, s: real, begun: points, d: points, x: points) -> vec3:
        """The sum of the normals of the faces beside an edge."""
        n = vec3()
        if sides[0] >= 0:
            n += wp.normalize(wp.cross(b - a, placed(sides[0], here, s, begun, d, x) - a))
        if sides[1] >= 0:
            n += wp.normalize(wp.cross(placed(sides[1], here, s, begun, d, x) - a, b - a))
        return n

    @t.kernel
    def narrow(
        start: int,
        count: int,
        # mesh:
        pairs: wp.array(dtype=wp.vec4i),
        kinds: ints,
        items: wp.array(dtype=wp.vec2i),
        across: wp.array(dtype=wp.vec3i),
        sides: wp.array(dtype=wp.vec2i),
        ring_start: ints,
        ring: ints,
        solid: ints,
        thickness: reals,
        # params: within which distance a pair is looked at where it is, and whether that is right already
        near: real,
        trusted: int,
        # in: points where the step began, how they move from there, and where they are
        begun: points,
        d: points,
        x: points,
        # out: signed weights, normals, and whether the pair counts, as that of the corners with weights, or of all
        weight: wp.array(dtype=vec4),
        normal: points,
        counts: ints,
    ):
        i = start + wp.tid()
        if i < count:
            q = pairs[i]
            kind = kinds[i]
            p0, p1, p2, p3 = begun[q[0]], begun[q[1]], begun[q[2]], begun[q[3]]
            d0, d1, d2, d3 = d[q[0]], d[q[1]], d[q[2]], d[q[3]]
            reach = near + real(0.5) * (thickness[q[0]] + thickness[q[2]])
            w = weights(kind, x[q[0]], x[q[1]], x[q[2]], x[q[3]])
            u = way(w, x[q[0]], x[q[1]], x[q[2]], x[q[3]])
            s = zero
            here = int(0)
            if trusted == 1 and wp.length(u) <= reach:
                here = 1
            else:
                w = weights(kind, p0, p1, p2, p3)
                u = way(w, p0, p1, p2, p3)
            if here == 0 and wp.length(u) > reach:
                mean = real(0.25) * (d0 + d1 + d2 + d3)
                one_side = wp.max(wp.length(d0 - mean), wp.length(d1 - mean))
                other = wp.max(wp.length(d2 - mean), wp.length(d3 - mean))
                if kind == FACE:
                    one_side, other = wp.length(d0 - mean), wp.max(wp.length(d1 - mean), other)
                fastest = one_side + other
                going = int(1)
                for _turn in range(MOST):
                    if going == 1:
                        apart = wp.length(u) - real(0.5) * reach
                        if apart >= fastest * (one - s) or fastest == zero:
                            s = one
                            going = 0
                        else:
                            s = s + real(CAREFUL) * apart / fastest
                        a, b, c, e = p0 + s * d0, p1 + s * d1, p2 + s * d2, p3 + s * d3
                        w = weights(kind, a, b, c, e)
                        u = way(w, a, b, c, e)
                        if wp.length(u) <= reach:
                            going = 0
            a, b = placed(q[0], here, s, begun, d, x), placed(q[1], here, s, begun, d, x)
            c, e = placed(q[2], here, s, begun, d, x), placed(q[3], here, s, begun, d, x)
            long = wp.length(u)
            good = int(1)
            if long <= zero:
                good = 0
            n = wp.normalize(u)
            item = items[i]
            # which side is out: that of the faces, or of sheets that from which they came
            inner = wp.max(w[1], wp.max(w[2], w[3])) < -real(ROUNDING)
            if kind != FACE or inner:
                out = wp.dot(n, way(w, p0, p1, p2, p3))
                if long <= reach:
                    if solid[q[2]] == 1:
                        if kind == FACE:
                            out = wp.dot(n, wp.cross(c - b, e - b))
                        else:
                            out = wp.dot(n, outward(c, e, sides[item[1]], here, s, begun, d, x))
                    elif solid[q[0]] == 1 and kind != FACE:
                        out = -wp.dot(n, outward(a, b, sides[item[0]], here, s, begun, d, x))
                if out < zero:
                    n = -n
                    if s > zero:
                        good = 0  # it comes to this face from within, having entered by another on its way
            if kind == FACE:
                # how many corners of the face have no part in it: none, one on an edge, two at a corner
                missing = int(0)
                lost = int(0)
                kept = int(0)
                for j in range(3):
                    if -w[j + 1] <= real(ROUNDING):
                        missing += 1
                        lost = j
                    else:
                        kept = j
                face = wp.normalize(wp.cross(c - b, e - b))
                closed = solid[q[1]] == 1 and long <= reach
                if missing == 1:
                    o = across[item[1]][lost]
                    if o >= 0:
                        f, g = q[1 + (lost + 1) % 3], q[1 + (lost + 2) % 3]
                        at_f, at_g = placed(f, here, s, begun, d, x), placed(g, here, s, begun, d, x)
                        at_o = placed(o, here, s, begun, d, x)
                        other_face = wp.normalize(wp.cross(at_g - at_o, at_f - at_o))
                        into = inward(at_f, at_g, at_o)
                        if closed and wp.dot(n, face + other_face) < zero:
                            n = -n
                            own = inward(at_f, at_g, placed(q[1 + lost], here, s, begun, d, x))
                            if s > zero or wp.dot(n, own) > real(CONE):
                                good = 0
                            elif wp.dot(n, own) > zero:
                                n = face
                        if wp.dot(n, into) > real(CONE):
                            good = 0
                        elif closed and wp.dot(face, into) > real(ROUNDING):
                            n = face  # at the bottom of a valley both faces hold it
                            good = WHOLE * good
                        elif closed and wp.dot(n, into) > zero:
                            n = other_face
                if missing == 2:
                    k = q[1 + kept]
                    corner = placed(k, here, s, begun, d, x)
                    nearest = zero
                    farthest = zero
                    for r in range(ring_start[k], ring_start[k + 1]):
                        to = wp.normalize(placed(ring[r], here, s, begun, d, x) - corner)
                        nearest = wp.max(nearest, wp.dot(n, to))
                        farthest = wp.min(farthest, wp.dot(n, to))
                    if nearest > real(CONE):
                        good = 0
                    elif closed:
                        if farthest >= -real(CONE) and wp.dot(n, face) < zero:
                            n = -n
                            nearest = -farthest
                            if s > zero:
                                good = 0
                        if nearest > zero:
                            for _turn in range(TURNS):
                                for r in range(ring_start[k], ring_start[k + 1]):
                                    to = wp.normalize(placed(ring[r], here, s, begun, d, x) - corner)
                                    n -= wp.max(wp.dot(n, to), zero) * to
                            n = wp.normalize(n)
            else:
                inside = wp.min(wp.min(w[0], w[1]), wp.min(-w[2], -w[3])) > real(ROUNDING)
                cross = wp.cross(b - a, e - c)
                lengths = wp.length(b - a) * wp.length(e - c)
                if not inside or wp.length(cross) <= real(PARALLEL) * lengths:
                    good = 0
                one_edge, other_edge = wp.vec2i(q[0], q[1]), wp.vec2i(q[2], q[3])
                if good == 1 and not is_edge(one_edge, sides[item[0]], here, s, begun, d, x, -n, real(0.5) * near):
                    good = 0
                if good == 1 and not is_edge(other_edge, sides[item[1]], here, s, begun, d, x, n, real(0.5) * near):
                    good = 0
            weight[i] = w
            normal[i] = n
            counts[i] = good

    @wp.func(module=t.module)
    def first_near(
        obstacle: int, obstacles: Obstacles, offset: real, near: real, begun: position, d: position
    ) -> position:
        """The first place within ``near`` of an obstacle on the way d, or its end."""
        at = begun
        s = zero
        going = int(1)
        speed = obstacles.slope[obstacle] * real(wp.length(d))
        for _turn in range(MOST):
            if going == 1:
                found = depth(obstacle, obstacles, offset, at)
                if found[3] <= near or s >= one or speed == zero:
                    going = 0
                else:
                    s = wp.min(one, s + wp.max(found[3] - real(0.5) * near, zero) / speed)
                    at = begun + wp.float64(s) * d
        return at

    @t.kernel
    def meet_obstacle(
        start: int,
        # mesh:
        obstacle: int,
        obstacles: Obstacles,
        offset: reals,
        # params: within which distance a point is looked at where it is, and whether that is right already
        near: real,
        trusted: int,
        # in: points where the step began, how they move from there, and where they are
        begun: positions,
        d: positions,
        x: positions,
        # out: normals and distances there, and where that is
        normal: points,
        gap: reals,
        place: positions,
    ):
        """Where a point meets an obstacle: where it is, or first on its way from the begin of the step by where it is.

        A way along a round obstacle cuts into it where the point itself does not: only what stands on its other side met it.
        """
        i = start + wp.tid()
        at = x[i]
        found = depth(obstacle, obstacles, offset[i], at)
        if trusted == 0:
            at = first_near(obstacle, obstacles, offset[i], near, begun[i], d[i])
        elif found[3] > near:
            met = first_near(obstacle, obstacles, offset[i], near, begun[i], at - begun[i])
            there = depth(obstacle, obstacles, offset[i], met)
            turned = found[0] * there[0] + found[1] * there[1] + found[2] * there[2]
            if there[3] <= near and turned <= zero:
                at = met
            else:
                at = first_near(obstacle, obstacles, offset[i], near, at, begun[i] + d[i] - at)
        found = depth(obstacle, obstacles, offset[i], at)
        normal[i] = wp.normalize(vec3(found[0], found[1], found[2]))
        gap[i] = found[3]
        place[i] = at

    return locals()
