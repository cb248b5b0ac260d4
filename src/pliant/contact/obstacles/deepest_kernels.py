"""Kernels that find where faces are deepest in an obstacle.

Over a face the depth is a function of barycentric coordinates, and its least value is found by projected gradients (Macklin et
al. 2020, "Local optimization for robust signed distance field collision") from the best of seven places, with Barzilai and
Borwein's steps that never go up. μ/2 |x − c|², c being the middle of the face, is added: where a face lies flat on something
flat every place is the deepest, and the one that is taken would jump with the least turn. It costs less than e/500 of depth.
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...energy.contact_totals import FAR
from ...energy.obstacles.obstacle_functions import obstacle_functions, obstacle_structs
from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from ..pairs.closest_points import closest_functions

SAMPLES = 7  # corners, middles of edges, and of the face
TURNS = 16  # of the descent from the best of them
MOST = 30  # advances on the way of a face
CENTRED = 0.0625  # μ times the longest edge
CLOSE = 0.1  # of the size of a face, within which it is looked at where it is
FIRST = 0.25  # of the longest edge, the first step
BULGE = 0.002  # of the longest edge, deeper than any corner, from which a face touches in full
ROUNDING = 0.05  # of that: no deeper than a corner
LEAST = 0.25  # of what it has in full: one that gives way to anything would soon be in the way of a step
HALVES = 12  # of the way to the deepest place, to where it is not too near
NEARER = 0.9  # of the gap before
ENOUGH = 0.25  # of the reach: a gap from which a place of a face may begin


@alone
@functools.cache
def places_struct(precision: str) -> Any:
    t = Types(precision, "deepest_structs")
    reals, vectors = wp.array(dtype=t.real), wp.array(dtype=t.vec3)

    @functools.partial(wp.struct, module=t.module)
    class Places:
        share: vectors  # of the corners
        bulge: reals  # how much deeper than any corner
        normal: vectors
        gap: reals
        place: wp.array(dtype=t.position)

    return Places


def place_functions(t: Types) -> SimpleNamespace:
    """Places on a face."""
    real, vec3, position = t.real, t.vec3, t.position
    zero, one, half = real(0.0), real(1.0), real(0.5)

    @wp.func(module=t.module)
    def mixed(b: vec3, p: position, q: position, r: position) -> position:
        return p + wp.float64(b[1]) * (q - p) + wp.float64(b[2]) * (r - p)

    @wp.func(module=t.module)
    def sample(turn: int) -> vec3:
        """The places that are tried first: three corners, three middles of edges, and that of the face."""
        b = vec3(real(1.0 / 3.0), real(1.0 / 3.0), real(1.0 / 3.0))
        if turn < 3:
            b = vec3()
            b[turn] = one
        elif turn < 6:
            b = vec3(half, half, half)
            b[turn - 3] = zero
        return b

    return SimpleNamespace(mixed=mixed, sample=sample, depth=obstacle_functions(t).depth)


def aim_kernels(t: Types, shared: SimpleNamespace) -> SimpleNamespace:
    """The deepest place of a face."""
    real, vec3, vec4, position = t.real, t.vec3, t.vec4, t.position
    positions, reals, faces = wp.array(dtype=t.position), wp.array(dtype=t.real), wp.array(dtype=wp.vec3i)
    Obstacles, Places = obstacle_structs(t.precision)[0], places_struct(t.precision)
    depth, nearest, zero, one = shared.depth, closest_functions(t).point_triangle, real(0.0), real(1.0)
    half, mixed, sample = real(0.5), shared.mixed, shared.sample

    @t.kernel
    def aim(
        start: int,
        # mesh:
        triangles: faces, offset: reals, o: int, obstacles: Obstacles,
        # params: within which distance of a face it is looked at where it is; which of ``every`` places of a face are written
        near: real, own: int, every: int,
        # in: where the points are, and where they would go
        x: positions, then: positions,
        # out:
        deepest: Places,
    ):  # fmt: skip
        f = start + wp.tid()
        q = triangles[f]
        i = f * every + own
        d0, d1, d2 = then[q[0]] - x[q[0]], then[q[1]] - x[q[1]], then[q[2]] - x[q[2]]
        p0, p1, p2 = position(x[q[0]]), position(x[q[1]]), position(x[q[2]])
        behind = (offset[q[0]] + offset[q[1]] + offset[q[2]]) / real(3.0)
        slope = obstacles.slope[o]
        fastest = slope * real(wp.max(wp.length(d0), wp.max(wp.length(d1), wp.length(d2))))
        middle = sample(6)
        best = real(1.0)  # where it is not near: the first corner, no deeper than itself
        at_best = vec3(one, zero, zero)
        found_best = vec4(zero, zero, one, one)
        corner = real(1.0)
        long = real(0.0)
        step = real(0.0)
        origin = p0
        a, b, c = vec3(), vec3(), vec3()
        g_best, trial = vec3(), middle
        going = int(1)
        is_near = int(0)
        turn = int(0)
        advance = int(0)
        way = real(0.0)
        while going == 1:  # one call of the distances, which is long
            here = mixed(trial, p0, p1, p2)
            found = depth(o, obstacles, behind, here)
            if is_near == 0:  # on the way of the face, by the middle of it
                origin = here
                a, b, c = vec3(p0 - here), vec3(p1 - here), vec3(p2 - here)
                wide = wp.max(wp.length(a), wp.max(wp.length(b), wp.length(c)))
                least = found[3] - slope * wide
                close = wp.max(near, real(CLOSE) * wide)
                if least <= close:
                    is_near = 1
                    long = wp.max(wp.length(b - a), wp.max(wp.length(c - b), wp.length(a - c)))
                    step = real(FIRST) * long
                    trial = sample(0)
                elif fastest * (one - way) <= least - close or advance >= MOST:
                    going = 0
                else:
                    way = wp.min(one, way + (least - half * close) / fastest)
                    share_of = wp.float64(way)
                    p0, p1, p2 = x[q[0]] + share_of * d0, x[q[1]] + share_of * d1, x[q[2]] + share_of * d2
                    advance += 1
            else:
                r = vec3(here - origin)
                n = vec3(found[0], found[1], found[2])
                value = found[3] + half * real(CENTRED) / long * wp.dot(r, r)
                g = n + (real(CENTRED) / long) * r
                if turn < 3:
                    corner = wp.where(turn == 0, found[3], wp.min(corner, found[3]))
                if turn == 0 or value < best:
                    if turn >= SAMPLES:
                        s = r - vec3(mixed(at_best, p0, p1, p2) - origin)
                        curved = wp.dot(s, g - g_best)
                        step = wp.where(
                            curved > real(1.0e-6) * wp.dot(s, s) / long,
                            wp.dot(s, s) / wp.max(curved, real(1.0e-30)),
                            real(4.0) * step,
                        )
                        step = wp.min(step, long / real(CENTRED))
                    best = value
                    at_best = trial
                    found_best = found
                    g_best = g
                elif turn >= SAMPLES:
                    step = real(0.25) * step
                turn += 1
                if turn < SAMPLES:
                    trial = sample(turn)
                else:
                    trial = nearest(vec3(mixed(at_best, p0, p1, p2) - origin) - step * g_best, a, b, c)
                if turn >= SAMPLES + TURNS or long <= zero:
                    going = 0
        deepest.share[i] = at_best
        deepest.bulge[i] = wp.where(long > zero, corner - found_best[3], zero)
        deepest.normal[i] = wp.normalize(vec3(found_best[0], found_best[1], found_best[2]))
        deepest.gap[i] = wp.where(long > zero, found_best[3], real(FAR))
        deepest.place[i] = mixed(at_best, p0, p1, p2)

    return SimpleNamespace(aim=aim)


def outside_kernels(t: Types, shared: SimpleNamespace) -> SimpleNamespace:
    """Places that stay outside."""
    real, positions, reals = t.real, wp.array(dtype=t.position), wp.array(dtype=t.real)
    shares3, faces, Obstacles = wp.array(dtype=t.vec3), wp.array(dtype=wp.vec3i), obstacle_structs(t.precision)[0]
    depth, one, half, mixed, sample = shared.depth, real(1.0), real(0.5), shared.mixed, shared.sample

    @t.kernel
    def keep_out(
        start: int,
        # mesh:
        triangles: faces, offset: reals, every: int, obstacles: Obstacles,
        # params:
        reach: real,
        # in: where the points are, and which places of faces were taken before; 0 for none
        x: positions, before: shares3,
        # out: the place, which is nearer to any obstacle than the one before by no more than a share of its gap
        share: shares3,
    ):  # fmt: skip
        """A place that must not be inside goes towards the deepest one as far as that is well outside."""
        i = start + wp.tid()
        q = triangles[i // every]
        p0, p1, p2 = x[q[0]], x[q[1]], x[q[2]]
        behind = (offset[q[0]] + offset[q[1]] + offset[q[2]]) / real(3.0)
        aimed, from_here = one * share[i], one * before[i]
        known = from_here[0] + from_here[1] + from_here[2] > half
        first = wp.where(known, -1, -3)  # the place before, or else the deepest of the corners
        turn = first
        gap = real(0.0)
        level = real(0.0)
        part = real(1.0)
        safe = real(0.0)  # of the way to the deepest place, and what is too near
        blocked = real(1.0)
        going = int(1)
        while going == 1:
            b = from_here + part * (aimed - from_here)
            if turn < 0:
                b = one * before[i]
                if not known:
                    b = sample(turn + 3)
            here = mixed(b, p0, p1, p2)
            found = real(FAR)
            for o in range(obstacles.turn.shape[0]):
                found = wp.min(found, depth(o, obstacles, behind, here)[3])
            if turn < 0:
                if turn == first or found < gap:
                    gap = found
                    from_here = b
                level = wp.min(real(ENOUGH) * reach, real(NEARER) * gap)
            else:
                if found >= level:
                    safe = part
                else:
                    blocked = part
                part = half * (safe + blocked)
                if safe >= one or turn == HALVES:
                    going = 0
            turn += 1
        share[i] = from_here + safe * (aimed - from_here)

    return SimpleNamespace(keep_out=keep_out)


@family
def deepest_kernels(t):
    shared = place_functions(t)
    return vars(aim_kernels(t, shared)) | vars(outside_kernels(t, shared))


@family
def face_mixture_kernels(t):
    real = t.real
    ints, grid = wp.array(dtype=wp.int32), wp.array2d(dtype=t.real)

    @t.kernel
    def mix(
        start: int,
        # mesh: (k, points) weights of nodes in each of three corners
        first: grid, second: grid, third: grid,
        # in:
        share: wp.array(dtype=wp.vec3d),
        # out:
        weight: grid,
    ):  # fmt: skip
        p = start + wp.tid()
        b = share[p]
        for j in range(weight.shape[0]):
            weight[j, p] = real(b[0]) * first[j, p] + real(b[1]) * second[j, p] + real(b[2]) * third[j, p]

    @t.kernel
    def weigh(
        start: int,
        # mesh: the longest edges of faces
        edge: wp.array(dtype=wp.float64),
        # in: by how much faces are deeper than their corners, and what the deepest places of faces have in full
        bulge: wp.array(dtype=wp.float64), full: wp.array(dtype=real),
        # out: nothing where corners are as deep, and in full where faces stand out
        out: wp.array(dtype=real),
    ):  # fmt: skip
        i = start + wp.tid()
        share = real(bulge[i] / (wp.float64(BULGE) * edge[i])) - real(ROUNDING)
        out[i] = real(0.0)
        if share > real(0.0):
            out[i] = full[i] * wp.clamp(share, real(LEAST), real(1.0))

    @t.kernel
    def limit_press(start: int, most: grid, press: grid):
        i = start + wp.tid()
        for o in range(press.shape[0]):
            press[o, i] = wp.min(press[o, i], most[o, i])

    @t.kernel
    def let_pass(start: int, strength: wp.array(dtype=real), limit: wp.array(dtype=real)):
        """What does not touch is in no one's way."""
        i = start + wp.tid()
        if strength[i] <= real(0.0):
            limit[i] = real(1.0)

    @t.kernel
    def keep_shares(start: int, strength: wp.array(dtype=real), share: wp.array(dtype=wp.vec3d), kept: wp.array(dtype=wp.vec3d)):
        """Of what does not touch nothing is kept."""
        i = start + wp.tid()
        kept[i] = wp.where(strength[i] > real(0.0), wp.float64(1.0), wp.float64(0.0)) * share[i]

    @t.kernel
    def hold_shares(start: int, limit: grid, before: wp.array(dtype=wp.vec3d), share: wp.array(dtype=wp.vec3d)):
        """What is held by friction stays where it was when a step before ended."""
        i = start + wp.tid()
        for o in range(limit.shape[0]):
            if limit[o, i] > real(0.0):
                share[i] = before[i]

    @t.kernel
    def move_anchors(
        start: int,
        # params: how obstacles are turned
        turn: wp.array(dtype=wp.mat33d),
        # in: where points were and are, and how stiff they are
        before: wp.array(dtype=wp.vec3d), after: wp.array(dtype=wp.vec3d), stiffness: wp.array(dtype=real),
        # out:
        anchor: wp.array2d(dtype=wp.vec3d), limit: grid,
    ):  # fmt: skip
        """Anchors go along with points that become others of their faces; of those that do not touch nothing is kept."""
        i = start + wp.tid()
        for o in range(turn.shape[0]):
            if stiffness[i] > real(0.0):
                anchor[o, i] = anchor[o, i] + wp.transpose(turn[o]) * (after[i] - before[i])
            else:
                limit[o, i] = real(0.0)

    @t.kernel
    def list_weights(start: int, points: ints, columns: ints, weight: grid, out: wp.array(dtype=real)):
        e = start + wp.tid()
        out[e] = weight[columns[e], points[e]]

    return locals()
