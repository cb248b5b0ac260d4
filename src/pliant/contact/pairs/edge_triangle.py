"""Where an edge goes through a triangle.

That is decided by signs of heights above triangles and of volumes between edges, each computed alike for all pairs of triangles
that share it, so that curves of intersection close.
"""

from typing import Any

import warp as wp

from ...runtime.device import Types


def pierce_functions(t: Types, real: Any, vec3: Any) -> tuple[Any, Any]:
    """How high a point is above a triangle, and where an edge goes through one, of points that are ``vec3``."""
    points = wp.array(dtype=vec3)
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def height(v: vec3, a: vec3, b: vec3, c: vec3) -> real:
        """Twice the area of a triangle times the height of a point above it."""
        return wp.dot(wp.cross(b - a, c - a), v - a)

    @wp.func(module=t.module)
    def turn(e: int, f: int, g: int, h: int, at: points) -> bool:
        """On which side the edge between e and f passes that between g and h, going from the lower to the higher number."""
        sign = wp.where((e < f) == (g < h), one, -one)
        a, b = at[wp.min(e, f)], at[wp.max(e, f)]
        c, d = at[wp.min(g, h)], at[wp.max(g, h)]
        value = wp.dot(wp.cross(b - a, d - c), c - a)
        # 0 counts as positive, before it is turned
        positive = value >= zero
        return positive == (sign > zero)

    @wp.func(module=t.module)
    def pierce(e: int, f: int, i: int, j: int, k: int, first: int, at: points) -> real:
        """Where from the lower to the higher number the edge e, f goes through a triangle; −1 where it does not.

        ``first`` says whether the edge is of the first body, in which order edges are compared.
        """
        lo, hi = wp.min(e, f), wp.max(e, f)
        a, b, c = at[i], at[j], at[k]
        ha, hb = height(at[lo], a, b, c), height(at[hi], a, b, c)
        if (ha >= zero) == (hb >= zero):
            return -one
        u, v, w = bool(False), bool(False), bool(False)
        if first != 0:
            u, v, w = turn(lo, hi, i, j, at), turn(lo, hi, j, k, at), turn(lo, hi, k, i, at)
        else:
            u, v, w = turn(i, j, lo, hi, at), turn(j, k, lo, hi, at), turn(k, i, lo, hi, at)
        if u == v and v == w:
            return ha / (ha - hb)
        return -one

    return height, pierce
