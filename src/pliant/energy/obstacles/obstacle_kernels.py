"""Obstacle contact kernels: depth, friction and their derivatives."""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from ..contact_totals import FAR
from .friction_functions import expected_functions
from .obstacle_functions import obstacle_functions, obstacle_structs

BEYOND = 8.0  # smoothing lengths away from an obstacle at which a point feels its friction no longer


def spring_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Values, gradients and tangents."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    ints, reals = wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    Obstacles, Points = obstacle_structs(t.precision)
    depth, potential, overlap, slip, block, apart = of.depth, of.potential, of.overlap, of.slip, of.block, of.apart
    cleared, placed = of.cleared, of.placed

    @t.kernel
    def contact_value_gradient(
        start: int, obstacles: Obstacles, points: Points, smoothing: real, anchor: wp.array2d(dtype=t.position),
        normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real), x: wp.array(dtype=t.position),
        value: reals, out: wp.array(dtype=vec3),
    ):  # fmt: skip
        i = start + wp.tid()
        k = points.stiffness[i]
        total = real(0.0)
        if k > real(0.0):
            force = vec3()
            for o in range(obstacles.turn.shape[0]):
                if not apart(o, i, obstacles, points, smoothing, x[i]):
                    found = depth(o, obstacles, points.offset[i], x[i])
                    points.clearance[o, i] = cleared(x[i], found[3])
                    total += k * potential(found[3], smoothing)
                    force -= (k * overlap(found[3], smoothing)) * vec3(found[0], found[1], found[2])
                most = limit[o, i]
                if most > real(0.0):
                    u = slip(normal[o, i], x[i], placed(o, obstacles, anchor[o, i]))
                    pull = k * wp.length(u)
                    if pull <= most:
                        total += real(0.5) * pull * pull / k
                        force += k * u
                    else:
                        total += most * (pull - real(0.5) * most) / k
                        force += (most * k / pull) * u
            out[i] = out[i] + force
        value[i] = total

    @t.kernel
    def contact_tangent(
        start: int, obstacles: Obstacles, points: Points, smoothing: real, anchor: wp.array2d(dtype=t.position),
        normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real), drag: wp.array2d(dtype=vec3),
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3), out: wp.array(dtype=vec3),
    ):  # fmt: skip
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            total = vec3()
            for o in range(obstacles.turn.shape[0]):
                K = block(o, i, obstacles, points, smoothing, anchor, normal, limit, drag, x[i])
                total += K * d[i]
            out[i] = out[i] + total

    @t.kernel
    def contact_blocks(
        start: int, diagonal: ints, obstacles: Obstacles, points: Points, smoothing: real,
        anchor: wp.array2d(dtype=t.position), normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real),
        drag: wp.array2d(dtype=vec3), x: wp.array(dtype=t.position), values: wp.array(dtype=mat33),
    ):  # fmt: skip
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            total = mat33()
            for o in range(obstacles.turn.shape[0]):
                K = block(o, i, obstacles, points, smoothing, anchor, normal, limit, drag, x[i])
                total += K
            at = diagonal[i]
            values[at] = values[at] + total

    @t.kernel
    def multiply_blocks(start: int, blocks: wp.array(dtype=mat33), d: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = out[i] + blocks[i] * d[i]

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


def friction_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """What friction does between iterations and between steps."""
    real, vec3 = t.real, t.vec3
    Obstacles, Points = obstacle_structs(t.precision)
    depth, overlap, slip, next_drag, apart = of.depth, of.overlap, of.slip, expected_functions(t).next_drag, of.apart
    placed, carried_back = of.placed, of.carried_back

    @t.kernel
    def contact_stop(
        start: int, obstacles: Obstacles, points: Points, anchor: wp.array2d(dtype=t.position),
        normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real), x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3),
    ):  # fmt: skip
        """x + d is no further than where a sliding point comes to rest, along the way that it slides.

        Beyond it friction turns around, which the tangent at x does not know: Newton's method would go to and fro.
        """
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                most = limit[o, i]
                if most > real(0.0):
                    u = slip(normal[o, i], x[i], placed(o, obstacles, anchor[o, i]))
                    way = wp.length(u)
                    if k * way > most:
                        e = u / way
                        beyond = wp.dot(d[i], e) + way
                        if beyond < real(0.0):
                            d[i] = d[i] - beyond * e

    @t.kernel
    def contact_expect(
        start: int,
        # params:
        obstacles: Obstacles, points: Points, anchor: wp.array2d(dtype=t.position), normal: wp.array2d(dtype=vec3),
        limit: wp.array2d(dtype=real),
        # in: where an iteration began, and where it ended
        x: wp.array(dtype=t.position), after: wp.array(dtype=t.position),
        # out: the force of friction over μN
        drag: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        """What the next tangents are to expect of friction."""
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                most = limit[o, i]
                if most > real(0.0):
                    anchored = placed(o, obstacles, anchor[o, i])
                    u = slip(normal[o, i], x[i], anchored)
                    then = slip(normal[o, i], after[i], anchored)
                    drag[o, i] = next_drag(k, most, u, then, drag[o, i])

    @t.kernel
    def contact_touch(
        start: int, obstacles: Obstacles, points: Points, smoothing: real, anchor: wp.array2d(dtype=t.position),
        normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real), x: wp.array(dtype=t.position),
        gap: wp.array(dtype=wp.float64), loss: wp.array(dtype=wp.float64),
    ):  # fmt: skip
        """Of each point the least gap to what it presses, and the work of its friction where it slid."""
        i = start + wp.tid()
        k = points.stiffness[i]
        least = wp.float64(FAR)
        total = real(0.0)
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                if not apart(o, i, obstacles, points, smoothing, x[i]):
                    found = depth(o, obstacles, points.offset[i], x[i])
                    if found[3] < real(BEYOND) * smoothing:
                        least = wp.min(least, wp.float64(found[3]))
                most = limit[o, i]
                if most > real(0.0):
                    way = wp.length(slip(normal[o, i], x[i], placed(o, obstacles, anchor[o, i])))
                    total += most * wp.max(way - most / k, real(0.0))
        gap[i] = least
        loss[i] = wp.float64(total)

    @t.kernel
    def contact_settle(
        start: int, obstacles: Obstacles, points: Points, smoothing: real, x: wp.array(dtype=t.position),
        anchor: wp.array2d(dtype=t.position), normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real),
    ):  # fmt: skip
        """After an accepted step: move sliding anchors along, drop those of nodes that left, set the new limit μN."""
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                found = depth(o, obstacles, points.offset[i], x[i])
                friction = points.grip[o, points.group[i]]
                if found[3] < real(BEYOND) * smoothing and friction >= real(0.0):
                    # grids are steeper or flatter than 1: across a normal of another length nothing is a projection
                    n = wp.normalize(vec3(found[0], found[1], found[2]))
                    here = x[i]
                    held = here
                    if limit[o, i] > real(0.0):
                        most = limit[o, i]
                        u = slip(n, here, placed(o, obstacles, anchor[o, i]))
                        pull = k * wp.length(u)
                        share = wp.where(pull <= most, real(1.0), most / wp.max(pull, real(1.0e-30)))
                        held = here - t.position(u * share)
                    anchor[o, i] = carried_back(o, obstacles, held)
                    normal[o, i] = n
                    limit[o, i] = friction * k * overlap(found[3], smoothing)
                else:
                    limit[o, i] = real(0.0)

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


@family
def obstacle_kernels(t):
    of = obstacle_functions(t)
    return vars(spring_kernels(t, of)) | vars(friction_kernels(t, of))
