"""The step backwards through what friction remembers: the transpose of ``contact_settle``.

With the normal n and the distance φ at the end x of a step, an anchor goes to h = x − s u, u being the slip from the old anchor
across n, s = 1 where it sticks and s = μN/(k|u|) where it slides; the next limit is μ k overlap(φ). Each node is taken on the
side on which it is: between sticking and sliding forces are continuous and their derivative jumps.
"""

import functools
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from ...runtime.kernel_cache import compile_once
from .obstacle_functions import JUMP, obstacle_functions, obstacle_structs
from .obstacle_kernels import BEYOND


@alone
@functools.cache
def adjoint_structs(precision: str) -> tuple[Any, Any, Any]:
    """What friction remembers, derivatives by that, and by all else."""
    t = Types(precision, "obstacle_adjoint_structs")
    struct, reals = functools.partial(wp.struct, module=t.module), wp.array(dtype=t.real)
    grids, vectors = wp.array2d(dtype=t.real), wp.array2d(dtype=t.vec3)

    @struct
    class Anchors:
        anchor: wp.array2d(dtype=t.position)
        normal: vectors
        limit: grids

    @struct
    class PastAdjoints:
        anchor: vectors
        normal: vectors
        limit: grids

    @struct
    class Adjoints:
        stiffness: reals  # of each point, which is added to
        friction: reals
        x: wp.array(dtype=t.vec3)
        shift: vectors  # and by the pose of each obstacle
        turn: vectors

    return Anchors, PastAdjoints, Adjoints


@family
def settled_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    Obstacles, Points = obstacle_structs(t.precision)
    Anchors, PastAdjoints, Adjoints = adjoint_structs(t.precision)
    of = obstacle_functions(t)
    depth, overlap, stiffening, placed = of.depth, of.overlap, of.stiffening, of.placed
    compile_once(t.module)

    @t.kernel
    def settled_back(
        start: int,
        # params:
        obstacles: Obstacles, points: Points, smoothing: real, friction: real, curved: wp.int32, step: real,
        # in: what was remembered before the step, and where it ended
        before: Anchors, x: wp.array(dtype=t.position),
        # out: by what is remembered after the step, which become those by what was remembered before it; and by all else
        past: PastAdjoints, by: Adjoints,
    ):  # fmt: skip
        i = start + wp.tid()
        k = points.stiffness[i]
        of_anchor, of_normal, of_limit = past.anchor, past.normal, past.limit
        by_k = real(0.0)
        by_friction = real(0.0)
        by_x = vec3()
        last = wp.where(curved == 1, 7, 1)
        for o in range(obstacles.turn.shape[0]):
            move = vec3()
            spin = vec3()
            if k > real(0.0):
                H = mat33()
                found = t.vec4()
                after = t.vec4()
                sample = int(0)
                while sample < last:  # the place itself, then both sides of it along each axis; one call, which is long
                    axis = (sample - 1) // 2
                    aside = t.position()
                    if sample > 0:
                        aside[axis] = wp.float64(step) * wp.float64(2 * (sample % 2) - 1)
                    there_is = depth(o, obstacles, points.offset[i], x[i] + aside)
                    if sample == 0:
                        found = there_is
                    if sample > 0 and sample % 2 == 1:
                        after = there_is
                    if sample > 0 and sample % 2 == 0:
                        change = vec3(after[0] - there_is[0], after[1] - there_is[1], after[2] - there_is[2])
                        if wp.length(change) < real(JUMP):
                            for row in range(3):
                                H[row, axis] = change[row] / (real(2.0) * step)
                    sample += 1
                if found[3] < real(BEYOND) * smoothing:
                    R = obstacles.turn[o]
                    g = vec3(found[0], found[1], found[2])
                    steep = wp.max(wp.length(g), real(1.0e-30))
                    n = g / steep
                    arm = vec3(x[i] - obstacles.shift[o])
                    held = R * of_anchor[o, i]  # adjoint of where the anchor is put, in the world
                    by_n = of_normal[o, i]
                    deep = overlap(found[3], smoothing)
                    by_gap = -(friction * k * stiffening(found[3], smoothing)) * of_limit[o, i]
                    by_friction += k * deep * of_limit[o, i]
                    by_k += friction * deep * of_limit[o, i]
                    by_x += held
                    most = before.limit[o, i]
                    put = arm
                    by_anchor = vec3()
                    by_most = real(0.0)
                    if most > real(0.0):
                        there = placed(o, obstacles, before.anchor[o, i])
                        w = vec3(x[i] - there)
                        u = w - wp.dot(w, n) * n
                        length = wp.length(u)
                        by_u = -held
                        share = real(1.0)
                        if k * length > most:
                            e = u / length
                            along = wp.dot(e, held)
                            share = most / (k * length)
                            by_u = -share * (held - along * e)
                            by_most = -along / k
                            by_k += most * along / (k * k)
                        put = arm - share * u
                        across = by_u - wp.dot(by_u, n) * n
                        by_n -= wp.dot(by_u, n) * w + wp.dot(w, n) * by_u
                        by_x += across
                        by_anchor = wp.transpose(R) * (-across)
                        move -= across
                        spin -= wp.cross(vec3(there - obstacles.shift[o]), across)
                    # the new anchor is seen from the obstacle
                    move -= held
                    spin -= wp.cross(put, held)
                    # the distance and its normal at x
                    by_g = (by_n - wp.dot(by_n, n) * n) / steep
                    turned = by_gap * g
                    turned += real(0.5) * (H + wp.transpose(H)) * by_g
                    by_x += turned
                    move -= turned
                    spin += wp.cross(g, by_g) - wp.cross(arm, turned)
                    of_anchor[o, i] = by_anchor
                    of_normal[o, i] = vec3()
                    of_limit[o, i] = by_most
                else:
                    of_limit[o, i] = real(0.0)
            by.shift[o, i] = move
            by.turn[o, i] = spin
        by.x[i] = by_x
        by.friction[i] = by_friction
        by.stiffness[i] = by.stiffness[i] + by_k

    return locals()
