"""Kernels for the curvature of obstacles in the tangent of contact, a module of their own: planes never need them."""

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
        start: int,
        # params:
        obstacles: Obstacles,
        points: Points,
        smoothing: real,
        step: real,
        # in:
        x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
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
        start: int,
        # mesh:
        diagonal: wp.array(dtype=wp.int32),
        # params:
        obstacles: Obstacles,
        points: Points,
        smoothing: real,
        step: real,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        values: wp.array(dtype=mat33),
    ):
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
