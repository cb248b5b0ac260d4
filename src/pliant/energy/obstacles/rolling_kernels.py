"""Kernels of friction between rigid bodies that roll and obstacles."""

import warp as wp

from ...runtime.device import family
from .obstacle_functions import obstacle_functions, obstacle_structs
from .obstacle_kernels import BEYOND


@family
def rolling_kernels(t):
    real, vec3 = t.real, t.vec3
    positions, chosen = wp.array(dtype=t.position), wp.array(dtype=wp.int32)
    Obstacles, Points = obstacle_structs(t.precision)
    of = obstacle_functions(t)
    double33 = wp.types.matrix((3, 3), wp.float64)

    @t.kernel
    def seat(
        start: int,
        # params: which points belong to rigid bodies
        rolling: chosen, obstacles: Obstacles,
        # in: where the points are
        x: positions, limit: wp.array2d(dtype=real),
        # out:
        anchor: wp.array2d(dtype=t.position),
    ):  # fmt: skip
        """Anchors of points that do not press: they would be held where they are."""
        i = start + wp.tid()
        if rolling[i] == 1:
            for o in range(anchor.shape[0]):
                if not limit[o, i] > real(0.0):
                    anchor[o, i] = of.carried_back(o, obstacles, x[i])

    @t.kernel
    def lean(
        start: int,
        # params:
        rolling: chosen, turn: wp.array(dtype=t.mat33),
        # in: where the points are, and where their slips are measured from
        x: positions, origin: positions,
        # out:
        anchor: wp.array2d(dtype=t.position),
    ):  # fmt: skip
        """Anchors go along with the arcs of rigid bodies."""
        i = start + wp.tid()
        if rolling[i] == 1:
            for o in range(anchor.shape[0]):
                anchor[o, i] = anchor[o, i] + wp.transpose(double33(turn[o])) * (origin[i] - x[i])

    @t.kernel
    def press_where_it_ends(
        start: int, rolling: chosen, obstacles: Obstacles, points: Points, smoothing: real, x: positions,
        normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real), change: wp.array(dtype=wp.float64),
        size: wp.array(dtype=wp.float64),
    ):  # fmt: skip
        """ΜN and the normal of each point, and of all obstacles how much of μN is new and how much there is."""
        i = start + wp.tid()
        other = real(0.0)
        total = real(0.0)
        if rolling[i] == 1:
            for o in range(limit.shape[0]):
                found = of.depth(o, obstacles, points.offset[i], x[i])
                most = real(0.0)
                friction = points.grip[o, points.group[i]]
                if found[3] < real(BEYOND) * smoothing and friction >= real(0.0):
                    normal[o, i] = wp.normalize(vec3(found[0], found[1], found[2]))
                    most = friction * points.stiffness[i] * of.overlap(found[3], smoothing)
                other += wp.abs(most - limit[o, i])
                total += wp.max(most, limit[o, i])
                limit[o, i] = most
        change[i] = wp.float64(other)
        size[i] = wp.float64(total)

    return locals()
