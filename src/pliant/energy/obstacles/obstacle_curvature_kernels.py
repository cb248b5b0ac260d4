"""Curvature kernels of obstacle contact, in a module of their own."""

import warp as wp

from ...runtime.device import family
from ...runtime.kernel_cache import compile_once
from .obstacle_functions import obstacle_functions, obstacle_structs


@family
def obstacle_curvature_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    compile_once(t.module)
    Obstacles, Points = obstacle_structs(t.precision)
    of = obstacle_functions(t)
    depth, overlap, curvature = of.depth, of.overlap, of.curvature

    @t.kernel
    def bend_tangent(
        start: int, obstacles: Obstacles, points: Points, smoothing: real, step: real, x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3), out: wp.array(dtype=vec3),
    ):  # fmt: skip
        """out −= k depth ∇²φ d: what bends the force on curved obstacles, of either sign."""
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                found = depth(o, obstacles, points.offset[i], x[i])
                deep = overlap(found[3], smoothing)
                if deep > real(0.0):
                    H = curvature(o, obstacles, step, x[i])
                    out[i] = out[i] - (k * deep) * (H * d[i])

    @t.kernel
    def bend_blocks(
        start: int, diagonal: wp.array(dtype=wp.int32), obstacles: Obstacles, points: Points, smoothing: real,
        step: real, x: wp.array(dtype=t.position), values: wp.array(dtype=mat33),
    ):  # fmt: skip
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                found = depth(o, obstacles, points.offset[i], x[i])
                deep = overlap(found[3], smoothing)
                if deep > real(0.0):
                    at = diagonal[i]
                    H = curvature(o, obstacles, step, x[i])
                    values[at] = values[at] - (k * deep) * H

    return locals()
