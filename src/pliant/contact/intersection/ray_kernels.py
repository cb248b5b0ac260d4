"""Ray kernels: which piece of a surface a ray hits."""

import functools
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from .flood_structs import ITSELF
from .tree_kernels import span_function, tree_structs

DEEP = 96  # places on the stack of a walk through a tree


@alone
@functools.cache
def hits_struct(precision: str) -> Any:
    t = Types(precision, "ray_structs")

    @functools.partial(wp.struct, module=t.module)
    class Hits:
        hit: wp.array(dtype=wp.int32)  # the first triangle, −1 for none
        away: wp.array(dtype=t.real)  # how far away it is
        place: wp.array(dtype=t.vec3)  # where on it

    return Hits


@family
def piece_ray_kernels(t):
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    points, ints, Hits = wp.array(dtype=vec3), wp.array(dtype=wp.int32), hits_struct(t.precision)
    Trees = tree_structs(t.precision).Trees
    stack_type = wp.types.vector(DEEP, wp.int32)
    zero, one = real(0.0), real(1.0)
    span = span_function(t)

    @wp.func(module=t.module)
    def corner_at(v: int, trees: Trees, x: points) -> vec3:
        q, w = trees.nodes[v], trees.weights[v]
        return w[0] * x[q[0]] + w[1] * x[q[1]] + w[2] * x[q[2]] + w[3] * x[q[3]]

    @wp.func(module=t.module)
    def passes(origin: vec3, way: vec3, q: wp.vec4i, node: int, trees: Trees, x: points, far: real) -> bool:
        """Whether a ray passes through the box of a node before ``far``."""
        near = real(0.0)
        last = far
        axes = int(3)
        for k in range(axes):
            s = span(vec4(x[q[0]][k], x[q[1]][k], x[q[2]][k], x[q[3]][k]), trees.low[node], trees.high[node])
            if wp.abs(way[k]) > real(1.0e-12):
                u, v = (s[0] - origin[k]) / way[k], (s[1] - origin[k]) / way[k]
                near = wp.max(near, wp.min(u, v))
                last = wp.min(last, wp.max(u, v))
            elif origin[k] < s[0] or origin[k] > s[1]:
                return False
        return near <= last

    @t.kernel
    def cast(
        start: int,
        # mesh: with a tree over all tets that has a part for each body
        trees: Trees, tree: wp.uint64,
        # params: triangles that are tried one by one, and threads that share the tets on the way of a ray
        few: int, lanes: int,
        # in: rays, and the body that each is to hit, −1 for none; with ITSELF added, from inside only
        number: int, target: ints, origins: points, ways: points, x: points,
        # out, of each thread:
        hits: Hits,
    ):  # fmt: skip
        """The first piece of a body that a ray hits, from either side."""
        i = start + wp.tid()
        r = i // lanes
        best = int(-1)
        least = real(1.0e30)
        where = vec3()
        if r < number and target[r] >= 0:
            o, d = origins[r], ways[r]
            c = int(0)
            turn_of = int(0)
            nodes_left = stack_type()
            o32 = wp.vec3(wp.float32(o[0]), wp.float32(o[1]), wp.float32(o[2]))
            d32 = wp.vec3(wp.float32(d[0]), wp.float32(d[1]), wp.float32(d[2]))
            outwards = target[r] >= ITSELF
            query = wp.bvh_query_ray(tree, o32, d32, wp.bvh_get_group_root(tree, target[r] % ITSELF))
            while wp.bvh_query_next(query, c):
                top = int(0)
                if turn_of % lanes == i % lanes:
                    top = 1
                turn_of += 1
                q = trees.cells[c]
                nodes_left[0] = c
                while top > 0:
                    top -= 1
                    a = nodes_left[top]
                    if trees.count[a] <= few or top > DEEP - 3:
                        for k in range(trees.first[a], trees.first[a] + trees.count[a]):
                            s = trees.order[k]
                            corners = trees.triangles[s]
                            u = corner_at(corners[0], trees, x)
                            v, w = corner_at(corners[1], trees, x) - u, corner_at(corners[2], trees, x) - u
                            n = wp.cross(v, w)
                            slope = wp.dot(n, d)
                            if slope > zero or (slope < zero and not outwards):
                                far = wp.dot(n, u - o) / slope
                                size = wp.dot(n, n)
                                h = o + far * d - u
                                b = wp.dot(wp.cross(h, w), n) / size
                                g = wp.dot(wp.cross(v, h), n) / size
                                tiny = real(-1.0e-9)
                                if far > zero and far < least and b >= tiny and g >= tiny and b + g <= one - tiny:
                                    best = s
                                    least = far
                                    where = vec3(one - b - g, b, g)
                    elif passes(o, d, q, a, trees, x, least):
                        nodes_left[top] = trees.child[a]
                        nodes_left[top + 1] = trees.child[a] + 1
                        top += 2
        hits.hit[i] = best
        hits.away[i] = least
        hits.place[i] = where

    @t.kernel
    def nearest(start: int, lanes: int, hits: Hits, first: Hits):
        """The first that the threads which shared each ray have hit."""
        r = start + wp.tid()
        best = int(r * lanes)
        for k in range(r * lanes + 1, r * lanes + lanes):
            if hits.away[k] < hits.away[best]:
                best = k
        first.hit[r] = hits.hit[best]
        first.away[r] = hits.away[best]
        first.place[r] = hits.place[best]

    return locals()
