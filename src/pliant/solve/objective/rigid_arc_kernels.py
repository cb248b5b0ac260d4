"""The kernel that leads a rigid body along an arc."""

import warp as wp

from ...runtime.device import family
from .objective_kernels import group_function


@family
def turning_kernels(t):
    vec3, position = t.vec3, t.position
    group = group_function(t)

    @t.kernel
    def turn(
        start: int,
        # mesh: first of the four nodes of each body, and what of them may move
        first: wp.array(dtype=wp.int32),
        free: wp.array(dtype=vec3),
        # params: the group of each node, and how far, times the column of the limits of its group
        of: wp.array(dtype=wp.int32),
        column: int,
        share: wp.float64,
        limits: wp.array2d(dtype=wp.float64),
        # in:
        x: wp.array(dtype=position),
        d: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=position),
    ):
        """out = c + α ċ + exp(αΩ)(1 + αS)(x − c), where d = ċ + (Ω + S)(x − c) with Ω skew and S symmetric."""
        n = first[start + wp.tid()]
        middle = wp.vec3d()
        centre = wp.vec3d()
        held = int(0)
        for i in range(4):
            centre += wp.float64(0.25) * wp.vec3d(x[n + i])
            middle += wp.float64(0.25) * wp.vec3d(d[n + i])
            held += wp.where(wp.min(free[n + i]) > t.real(0.0), 0, 1)
        moved = wp.mat33d()
        spread = wp.mat33d()
        for i in range(4):
            r = wp.vec3d(x[n + i]) - centre
            moved += wp.outer(wp.vec3d(d[n + i]) - middle, r)
            spread += wp.outer(r, r)
        a = moved * wp.inverse(spread)
        alpha = share * limits[group(of, n), column]
        half = wp.float64(0.5) * alpha
        w = half * wp.vec3d(a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1])
        angle = wp.length(w)
        if held == 0 and angle > wp.float64(0.0) and wp.isfinite(angle):
            q = wp.quat_from_axis_angle(w / angle, angle)
            for i in range(4):
                r = wp.vec3d(x[n + i]) - centre
                stretched = r + half * (a + wp.transpose(a)) * r
                out[n + i] = position(centre + alpha * middle + wp.quat_rotate(q, stretched))

    return locals()
