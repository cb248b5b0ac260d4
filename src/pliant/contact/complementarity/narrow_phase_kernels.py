"""Narrow-phase kernels: nearest points, normal and side of each pair.

A pair far apart is looked at where it comes near on its way, so that the face on which a point lands gives the normal, not
the one from which it came. A pair counts where its distance is a least one on the surfaces: not where a point is nearer to the
next face, over whose edge it would otherwise stumble. Normals at edges and corners of closed surfaces lie between those of the
faces there: over a flat of many faces all normals are its own, however near a point is to an edge, and on either side of it.
"""

import functools
from types import SimpleNamespace

import warp as wp

from ...energy.obstacles.obstacle_functions import obstacle_functions, obstacle_structs
from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from ..detect.continuous_collision import CAREFUL
from ..pairs.closest_points import FACE, closest_functions

MOST = 60  # advances on the way of a pair
ROUNDING = 1e-7  # of a length
FLAT = 4.0  # gaps over its length: an edge between faces that turn by less [rad] stands out by less than the gap
CONE = 0.05  # sine of the angle by which a normal may lie outside of those of an edge: faces that touch are seldom flat
WHOLE = 2  # a pair that is that of a face, though it is nearest on an edge of it
TURNS = 4  # in which the normal at a corner is turned into those of the faces around it
PARALLEL = 1e-3  # sine of the angle below which edges meet in no single point


@alone
@functools.cache
def narrow_structs(precision: str) -> SimpleNamespace:
    t = Types(precision, "narrow_structs")
    struct, ints = functools.partial(wp.struct, module=t.module), wp.array(dtype=wp.int32)
    positions = wp.array(dtype=t.position)

    @struct
    class Mesh:  # pairs, and the surface that they are of
        pairs: wp.array(dtype=wp.vec4i)
        kinds: ints
        items: wp.array(dtype=wp.vec2i)
        across: wp.array(dtype=wp.vec3i)  # of faces: the corners across from theirs, −1 for none
        sides: wp.array(dtype=wp.vec2i)  # of edges
        ring_start: ints  # of points: where those around begin in the next
        ring: ints
        solid: ints
        thickness: wp.array(dtype=t.real)

    @struct
    class Ways:
        begun: positions  # of points where the step began
        d: positions  # how they move from there
        x: positions  # where they are

    return SimpleNamespace(Mesh=Mesh, Ways=Ways)


def turn_functions(t: Types) -> SimpleNamespace:
    """Faces beside edges on the way of their points."""
    real, vec3 = t.real, t.vec3
    zero, one, Ways = real(0.0), real(1.0), narrow_structs(t.precision).Ways

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
    def placed(i: int, here: int, s: real, ways: Ways) -> vec3:
        """Where point i is looked at: where it is, or a share s of its way from where it was."""
        at = vec3(ways.begun[i]) + s * vec3(ways.d[i])
        if here == 1:
            at = vec3(ways.x[i])
        return at

    @wp.func(module=t.module)
    def turns(edge: wp.vec2i, sides: wp.vec2i, here: int, s: real, ways: Ways, gap: real) -> bool:
        """Whether the faces beside an edge turn there, so that it stands out by a gap; a border does."""
        turned = bool(True)
        if sides[0] >= 0 and sides[1] >= 0:
            a, b = placed(edge[0], here, s, ways), placed(edge[1], here, s, ways)
            first = inward(a, b, placed(sides[0], here, s, ways))
            second = inward(a, b, placed(sides[1], here, s, ways))
            flat = real(FLAT) * gap / wp.length(b - a)
            turned = one + wp.dot(first, second) > real(0.5) * flat * flat
        return turned

    @wp.func(module=t.module)
    def is_edge(edge: wp.vec2i, sides: wp.vec2i, here: int, s: real, ways: Ways, u: vec3, gap: real) -> bool:
        """Whether faces turn there, where they are or where they go, and none of them comes nearer along u than the edge."""
        a, b = placed(edge[0], here, s, ways), placed(edge[1], here, s, ways)
        first = vec3()
        second = vec3()
        if sides[0] >= 0:
            first = inward(a, b, placed(sides[0], here, s, ways))
        if sides[1] >= 0:
            second = inward(a, b, placed(sides[1], here, s, ways))
        good = bool(False)
        if wp.dot(u, first) <= real(CONE) and wp.dot(u, second) <= real(CONE):
            good = turns(edge, sides, here, s, ways, gap)
            if not good:
                good = turns(edge, sides, 1, s, ways, gap)
            if not good:
                good = turns(edge, sides, 0, one, ways, gap)
        return good

    @wp.func(module=t.module)
    def outward(a: vec3, b: vec3, sides: wp.vec2i, here: int, s: real, ways: Ways) -> vec3:
        """The sum of the normals of the faces beside an edge."""
        n = vec3()
        if sides[0] >= 0:
            n += wp.normalize(wp.cross(b - a, placed(sides[0], here, s, ways) - a))
        if sides[1] >= 0:
            n += wp.normalize(wp.cross(placed(sides[1], here, s, ways) - a, b - a))
        return n

    return SimpleNamespace(inward=inward, placed=placed, turns=turns, is_edge=is_edge, outward=outward)


def count_functions(t: Types, shared: SimpleNamespace) -> SimpleNamespace:
    """Whether pairs that are near count."""
    real, vec3, vec4, zero, structs = t.real, t.vec3, t.vec4, t.real(0.0), narrow_structs(t.precision)
    Mesh, Ways, inward, placed, is_edge = structs.Mesh, structs.Ways, shared.inward, shared.placed, shared.is_edge

    @wp.func(module=t.module)
    def on_face(
        q: wp.vec4i, item: wp.vec2i, w: vec4, u: vec3, close: bool, known: int, here: int, s: real, mesh: Mesh,
        ways: Ways,
    ):  # fmt: skip
        """The normal of a point and a face, u before the faces around are looked at, and whether the pair counts."""
        n = vec3(u)
        good = int(known)
        b, c, e = placed(q[1], here, s, ways), placed(q[2], here, s, ways), placed(q[3], here, s, ways)
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
        closed = mesh.solid[q[1]] == 1 and close
        if missing == 1:
            o = mesh.across[item[1]][lost]
            if o >= 0:
                f, g = q[1 + (lost + 1) % 3], q[1 + (lost + 2) % 3]
                at_f, at_g = placed(f, here, s, ways), placed(g, here, s, ways)
                at_o = placed(o, here, s, ways)
                other_face = wp.normalize(wp.cross(at_g - at_o, at_f - at_o))
                into = inward(at_f, at_g, at_o)
                if closed and wp.dot(n, face + other_face) < zero:
                    n = -n
                    own = inward(at_f, at_g, placed(q[1 + lost], here, s, ways))
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
            corner = placed(k, here, s, ways)
            nearest = zero
            farthest = zero
            for r in range(mesh.ring_start[k], mesh.ring_start[k + 1]):
                to = wp.normalize(placed(mesh.ring[r], here, s, ways) - corner)
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
                        for r in range(mesh.ring_start[k], mesh.ring_start[k + 1]):
                            to = wp.normalize(placed(mesh.ring[r], here, s, ways) - corner)
                            n -= wp.max(wp.dot(n, to), zero) * to
                    n = wp.normalize(n)
        return n, good

    @wp.func(module=t.module)
    def crosses(q: wp.vec4i, item: wp.vec2i, w: vec4, n: vec3, near: real, here: int, s: real, mesh: Mesh, ways: Ways) -> bool:
        """Whether two edges meet within both, each on the outside of the faces beside it."""
        a, b = placed(q[0], here, s, ways), placed(q[1], here, s, ways)
        c, e = placed(q[2], here, s, ways), placed(q[3], here, s, ways)
        good = wp.min(wp.min(w[0], w[1]), wp.min(-w[2], -w[3])) > real(ROUNDING)
        if wp.length(wp.cross(b - a, e - c)) <= real(PARALLEL) * (wp.length(b - a) * wp.length(e - c)):
            good = False
        if good:
            good = is_edge(wp.vec2i(q[0], q[1]), mesh.sides[item[0]], here, s, ways, -n, real(0.5) * near)
        if good:
            good = is_edge(wp.vec2i(q[2], q[3]), mesh.sides[item[1]], here, s, ways, n, real(0.5) * near)
        return good

    return SimpleNamespace(on_face=on_face, crosses=crosses)


def surface_kernels(t: Types, shared: SimpleNamespace, count: SimpleNamespace) -> SimpleNamespace:
    """Pairs of points and faces, and of edges."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    points, ints, of = wp.array(dtype=vec3), wp.array(dtype=wp.int32), closest_functions(t)
    weights, way, zero, one, structs = of.weights, of.way, real(0.0), real(1.0), narrow_structs(t.precision)
    Mesh, Ways, placed, outward = structs.Mesh, structs.Ways, shared.placed, shared.outward
    on_face, crosses = count.on_face, count.crosses

    @t.kernel
    def narrow(
        start: int, count: int, mesh: Mesh, near: real, trusted: int, ways: Ways, weight: wp.array(dtype=vec4),
        normal: points, counts: ints,
    ):  # fmt: skip
        """Signed weights, normals, and whether the pair counts, as that of the corners with weights, or of all.

        A pair within ``near`` is looked at where it is, if that is right already: ``trusted``.
        """
        i = start + wp.tid()
        if i < count:
            q = mesh.pairs[i]
            kind = mesh.kinds[i]
            reach = near + real(0.5) * (mesh.thickness[q[0]] + mesh.thickness[q[2]])
            p0, p1, p2, p3 = (
                vec3(ways.begun[q[0]]),
                vec3(ways.begun[q[1]]),
                vec3(ways.begun[q[2]]),
                vec3(ways.begun[q[3]]),
            )
            d0, d1, d2, d3 = vec3(ways.d[q[0]]), vec3(ways.d[q[1]]), vec3(ways.d[q[2]]), vec3(ways.d[q[3]])
            x0, x1, x2, x3 = vec3(ways.x[q[0]]), vec3(ways.x[q[1]]), vec3(ways.x[q[2]]), vec3(ways.x[q[3]])
            w = weights(kind, x0, x1, x2, x3)
            u = way(w, x0, x1, x2, x3)
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
            a, b = placed(q[0], here, s, ways), placed(q[1], here, s, ways)
            c, e = placed(q[2], here, s, ways), placed(q[3], here, s, ways)
            long = wp.length(u)
            good = int(1)
            if long <= zero:
                good = 0
            n = wp.normalize(u)
            item = mesh.items[i]
            # which side is out: that of the faces, or of sheets that from which they came
            inner = wp.max(w[1], wp.max(w[2], w[3])) < -real(ROUNDING)
            if kind != FACE or inner:
                out = wp.dot(n, way(w, p0, p1, p2, p3))
                if long <= reach:
                    if mesh.solid[q[2]] == 1:
                        if kind == FACE:
                            out = wp.dot(n, wp.cross(c - b, e - b))
                        else:
                            out = wp.dot(n, outward(c, e, mesh.sides[item[1]], here, s, ways))
                    elif mesh.solid[q[0]] == 1 and kind != FACE:
                        out = -wp.dot(n, outward(a, b, mesh.sides[item[0]], here, s, ways))
                if out < zero:
                    n = -n
                    if s > zero:
                        good = 0  # it comes to this face from within, having entered by another on its way
            if kind == FACE:
                n, good = on_face(q, item, w, n, long <= reach, good, here, s, mesh, ways)
            elif good == 1 and not crosses(q, item, w, n, near, here, s, mesh, ways):
                good = 0
            weight[i] = w
            normal[i] = n
            counts[i] = good

    return SimpleNamespace(narrow=narrow)


def obstacle_kernels(t: Types) -> SimpleNamespace:
    """Points and obstacles."""
    real, vec3 = t.real, t.vec3
    points, reals, position = wp.array(dtype=vec3), wp.array(dtype=t.real), t.position
    positions, Obstacles = wp.array(dtype=t.position), obstacle_structs(t.precision)[0]
    depth, Ways = obstacle_functions(t).depth, narrow_structs(t.precision).Ways
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def first_near(obstacle: int, obstacles: Obstacles, offset: real, near: real, begun: position, d: position) -> position:
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
        obstacle: int, obstacles: Obstacles, offset: reals,
        # params: within which distance a point is looked at where it is, and whether that is right already
        near: real, trusted: int,
        # in: points where the step began, how they move from there, and where they are
        ways: Ways,
        # out: normals and distances there, and where that is
        normal: points, gap: reals, place: positions,
    ):  # fmt: skip
        """Where a point meets an obstacle: where it is, or first on its way from the begin of the step by where it is.

        A way along a round obstacle cuts into it where the point itself does not: only what stands on its other side met it.
        """
        i = start + wp.tid()
        at, from_here, d = position(ways.x[i]), position(ways.begun[i]), position(ways.d[i])
        found = depth(obstacle, obstacles, offset[i], at)
        if trusted == 0:
            at = first_near(obstacle, obstacles, offset[i], near, from_here, d)
        elif found[3] > near:
            met = first_near(obstacle, obstacles, offset[i], near, from_here, at - from_here)
            there = depth(obstacle, obstacles, offset[i], met)
            turned = found[0] * there[0] + found[1] * there[1] + found[2] * there[2]
            if there[3] <= near and turned <= zero:
                at = met
            else:
                at = first_near(obstacle, obstacles, offset[i], near, at, from_here + d - at)
        found = depth(obstacle, obstacles, offset[i], at)
        normal[i] = wp.normalize(vec3(found[0], found[1], found[2]))
        gap[i] = found[3]
        place[i] = at

    return SimpleNamespace(meet_obstacle=meet_obstacle)


@family
def row_kernels(t):
    shared = turn_functions(t)
    return vars(surface_kernels(t, shared, count_functions(t, shared))) | vars(obstacle_kernels(t))
