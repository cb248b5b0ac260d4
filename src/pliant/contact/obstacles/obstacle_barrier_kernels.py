"""Kernels of the obstacle barrier: energy, tangent, friction, step limits.

Friction may be another along a direction than across it, an ellipse of forces: slips are measured as if it were alike, so that
what resists them is the force that takes most power from the slip (maximal dissipation: Goyal, Ruina & Papadopoulos 1991).

A point at the gap φ of an obstacle has the energy κ A ĝ B(φ/ĝ) of ``barrier_kernels``. The distance changes no faster than
``slope`` times the way, so a point that is φ away can go φ/slope without touching, and again from there.
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...energy.contact_totals import FAR
from ...energy.obstacles.obstacle_functions import obstacle_functions, obstacle_structs
from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from ..barrier.barrier_kernels import barrier_function
from ..barrier.pair_friction import friction_function, held_function
from ..barrier.prediction import FIRMNESS, GAP_LEFT, REACH_LEFT
from ..detect.continuous_collision import CAREFUL, LEFT, MOST


@alone
@functools.cache
def state_structs(precision: str) -> tuple[Any, Any]:
    """What the points of a barrier bring along, with what friction took over where the step began; linear constraints of it."""
    t = Types(precision, "obstacle_barrier_structs")

    struct = functools.partial(wp.struct, module=t.module)

    @struct
    class State:
        strength: wp.array(dtype=t.real)  # κ A [N] of each point
        offset: wp.array(dtype=t.real)  # minus half its thickness
        group: wp.array(dtype=wp.int32)  # of each point
        # by obstacle: friction of each group, negative where they pass through each other
        grip: wp.array2d(dtype=t.real)
        press: wp.array2d(dtype=t.real)  # by obstacle: the most that friction holds, μ times the force at the start
        way: wp.array2d(dtype=t.vec3)  # by obstacle and group: the direction of its frame that friction goes by
        # of that friction along the direction, and across it; 1 and 1 where it is alike
        share: wp.array2d(dtype=t.vec2)
        anchor: wp.array2d(dtype=t.position)  # where slips are 0, and the normal there, in the frame of the obstacle
        normal: wp.array2d(dtype=t.vec3)

    @struct
    class Predicted:  # by obstacle, where a direction leads into it (prediction.py)
        normal: wp.array2d(dtype=t.vec3)
        slack: wp.array2d(dtype=t.real)  # the gap less what is left of it
        firm: wp.array2d(dtype=t.real)  # the stiffness
        push: wp.array2d(dtype=t.real)  # that of those which press

    return State, Predicted


def slip_functions(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Where points are off obstacles, and how far they have slipped."""
    real, vec2, vec3, position = t.real, t.vec2, t.vec3, t.position
    grid, Obstacles = wp.array2d(dtype=t.vec4), obstacle_structs(t.precision)[0]
    State = state_structs(t.precision)[0]
    placed, zero = of.placed, real(0.0)

    @wp.func(module=t.module)
    def beyond(o: int, i: int, obstacles: Obstacles, state: State, clearance: grid, reach: real, x: position) -> bool:
        """Whether point i at x cannot be within reach of obstacle o, by where it was seen last, or is not to touch it."""
        if state.grip[o, state.group[i]] < zero:
            return True
        last = clearance[o, i]
        way = wp.length(vec3(x) - vec3(last[0], last[1], last[2]))
        return last[3] - reach > obstacles.slope[o] * way

    @wp.func(module=t.module)
    def turned(o: int, obstacles: Obstacles, n: vec3) -> vec3:
        return obstacles.turn[o] * n

    @wp.func(module=t.module)
    def slip(o: int, i: int, obstacles: Obstacles, state: State, n: vec3, x: position) -> vec3:
        """How far point i at x is from its anchor on obstacle o, across the normal n."""
        u = vec3(x - placed(o, obstacles, state.anchor[o, i]))
        return u - wp.dot(u, n) * n

    @wp.func(module=t.module)
    def along(o: int, i: int, obstacles: Obstacles, state: State, n: vec3) -> vec3:
        """The direction across n that the friction of point i on obstacle o goes by; nothing where that is along n."""
        d = turned(o, obstacles, state.way[o, state.group[i]])
        d = d - wp.dot(d, n) * n
        if wp.length(d) > real(1e-6):
            return wp.normalize(d)
        return vec3()

    @wp.func(module=t.module)
    def stretched(share: vec2, d: vec3, u: vec3) -> vec3:
        """A slip u across the normal as if friction were the largest both ways: each of its parts times its share of that."""
        return share[1] * u + ((share[0] - share[1]) * wp.dot(d, u)) * d

    return SimpleNamespace(beyond=beyond, turned=turned, slip=slip, along=along, stretched=stretched)


def energy_kernels(t: Types, shared: SimpleNamespace, of: SimpleNamespace, barrier: wp.Function) -> SimpleNamespace:
    """Energies of points and their derivatives."""
    real, vec3, mat33, position = t.real, t.vec3, t.mat33, t.position
    points, reals, grid = wp.array(dtype=t.position), wp.array(dtype=t.real), wp.array2d(dtype=t.vec4)
    Obstacles = obstacle_structs(t.precision)[0]
    State = state_structs(t.precision)[0]
    depth, cleared, curvature, rubbed, zero = of.depth, of.cleared, of.curvature, friction_function(t), real(0.0)
    two, beyond, turned, slip, along = real(2.0), shared.beyond, shared.turned, shared.slip, shared.along
    stretched = shared.stretched

    @t.kernel
    def evaluate_points(
        start: int, obstacles: Obstacles, state: State, reach: real, little: real, x: points,
        clearance: grid, value: reals, gaps: reals, loss: reals, gradient: wp.array(dtype=vec3),
    ):  # fmt: skip
        """Energies, least gaps where they press, work of friction, and gradients; what need not be looked at again."""
        i = start + wp.tid()
        total = zero
        least = real(FAR)
        work = zero
        g = vec3()
        for o in range(obstacles.turn.shape[0]):
            if not beyond(o, i, obstacles, state, clearance, reach, x[i]):
                found = depth(o, obstacles, state.offset[i], x[i])
                clearance[o, i] = cleared(x[i], found[3])
                if found[3] < reach and state.strength[i] > zero:
                    B = barrier(wp.max(found[3], zero) / reach)
                    total += state.strength[i] * reach * B[0]
                    g += (state.strength[i] * B[1]) * vec3(found[0], found[1], found[2])
                    least = wp.min(least, found[3])
            most = state.press[o, i]
            if most > zero:
                n = turned(o, obstacles, state.normal[o, i])
                share = state.share[o, state.group[i]]
                d = along(o, i, obstacles, state, n)
                u = stretched(share, d, slip(o, i, obstacles, state, n, x[i]))
                f = rubbed(wp.length(u), most, little)
                total += f[0]
                g += f[1] * stretched(share, d, u)
                work += most * wp.max(wp.length(u) - little, zero)
        value[i] = total
        gaps[i] = least
        loss[i] = work
        gradient[i] = g

    @wp.func(module=t.module)
    def gradient_at(i: int, obstacles: Obstacles, state: State, clearance: grid, reach: real, x: position) -> vec3:
        """Gradient of the barrier of point i at x, friction left out."""
        g = vec3()
        for o in range(obstacles.turn.shape[0]):
            if not beyond(o, i, obstacles, state, clearance, reach, x):
                found = depth(o, obstacles, state.offset[i], x)
                if found[3] < reach and state.strength[i] > zero:
                    B = barrier(wp.max(found[3], zero) / reach)
                    g += (state.strength[i] * B[1]) * vec3(found[0], found[1], found[2])
        return g

    @t.kernel
    def stiffen_points(
        start: int, obstacles: Obstacles, state: State, reach: real, little: real, bent: int, step: real,
        clearance: grid, x: points, stiffness: wp.array(dtype=mat33),
    ):  # fmt: skip
        """Tangents; without ``bent`` positive ones: no curvature of obstacles, friction as stiff along a slip as across."""
        i = start + wp.tid()
        K = mat33()
        for o in range(obstacles.turn.shape[0]):
            if not beyond(o, i, obstacles, state, clearance, reach, x[i]):
                found = depth(o, obstacles, state.offset[i], x[i])
                if found[3] < reach and state.strength[i] > zero:
                    B = barrier(wp.max(found[3], zero) / reach)
                    n = vec3(found[0], found[1], found[2])
                    K += (state.strength[i] / reach * B[2]) * wp.outer(n, n)
                    if bent == 1:
                        K += (state.strength[i] * B[1]) * curvature(o, obstacles, step * found[3], x[i])
            most = state.press[o, i]
            if most > zero:
                n = turned(o, obstacles, state.normal[o, i])
                share = state.share[o, state.group[i]]
                d = along(o, i, obstacles, state, n)
                u = stretched(share, d, slip(o, i, obstacles, state, n, x[i]))
                f = rubbed(wp.length(u), most, little)
                square = wp.cw_mul(share, share)
                K += (f[1] * square[1]) * (wp.identity(n=3, dtype=real) - wp.outer(n, n))
                K += (f[1] * (square[0] - square[1])) * wp.outer(d, d)
                if bent == 1:
                    u = stretched(share, d, u)
                    K += f[2] * wp.outer(u, u)
        stiffness[i] = K

    @t.kernel
    def difference_points(
        start: int, obstacles: Obstacles, state: State, reach: real, relative: real, clearance: grid, gaps: reals,
        x: points, d: points, product: wp.array(dtype=vec3),
    ):  # fmt: skip
        """The whole tangent of the barrier, by central differences of its gradient over a small share of the gap."""
        i = start + wp.tid()
        most = wp.length(d[i])
        change = vec3()
        if gaps[i] < reach and most > wp.float64(0.0):
            h = relative * gaps[i] / real(most)
            step = wp.float64(h) * d[i]
            ahead = gradient_at(i, obstacles, state, clearance, reach, x[i] + step)
            behind = gradient_at(i, obstacles, state, clearance, reach, x[i] - step)
            change = (ahead - behind) / (two * h)
        product[i] = change

    @t.kernel
    def multiply_points(start: int, stiffness: wp.array(dtype=mat33), d: points, product: wp.array(dtype=vec3)):
        i = start + wp.tid()
        product[i] = stiffness[i] * vec3(d[i])

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


def step_kernels(t: Types, shared: SimpleNamespace, of: SimpleNamespace, barrier: wp.Function) -> SimpleNamespace:
    """What friction takes over from step to step."""
    real, vec3, position = t.real, t.vec3, t.position
    points, reals, Obstacles = wp.array(dtype=t.position), wp.array(dtype=t.real), obstacle_structs(t.precision)[0]
    State = state_structs(t.precision)[0]
    depth, carried_back, held, zero, turned = of.depth, of.carried_back, held_function(t), real(0.0), shared.turned
    slip, along, stretched = shared.slip, shared.along, shared.stretched

    @t.kernel
    def press_points(
        start: int,
        # params:
        obstacles: Obstacles, reach: real,
        # in: where points are, and the slips at which they were held where the step before ended
        x: points, held_slip: wp.array2d(dtype=position),
        # out:
        state: State,
    ):  # fmt: skip
        """What friction takes over where a step begins."""
        i = start + wp.tid()
        for o in range(obstacles.turn.shape[0]):
            found = depth(o, obstacles, state.offset[i], x[i])
            force = zero
            grip = state.grip[o, state.group[i]]
            if found[3] < reach and state.strength[i] > zero and grip >= zero:
                B = barrier(wp.max(found[3], zero) / reach)
                n = vec3(found[0], found[1], found[2])
                force = -grip * state.strength[i] * B[1] * wp.length(n)
                state.anchor[o, i] = carried_back(o, obstacles, x[i]) - held_slip[o, i]
                state.normal[o, i] = wp.transpose(obstacles.turn[o]) * wp.normalize(n)
            state.press[o, i] = force

    @t.kernel
    def press_where_it_ends(
        start: int,
        # params: which points belong to rigid bodies
        rolling: wp.array(dtype=wp.int32), obstacles: Obstacles, reach: real,
        # in:
        x: points,
        # out: forces and normals, and of all obstacles how much of the forces is new and how much there is
        state: State, change: reals, size: reals,
    ):  # fmt: skip
        i = start + wp.tid()
        other = zero
        total = zero
        if rolling[i] == 1:
            for o in range(obstacles.turn.shape[0]):
                found = depth(o, obstacles, state.offset[i], x[i])
                force = zero
                grip = state.grip[o, state.group[i]]
                if found[3] < reach and state.strength[i] > zero and grip >= zero:
                    n = vec3(found[0], found[1], found[2])
                    force = -grip * state.strength[i] * barrier(wp.max(found[3], zero) / reach)[1] * wp.length(n)
                    state.normal[o, i] = wp.transpose(obstacles.turn[o]) * wp.normalize(n)
                other += wp.abs(force - state.press[o, i])
                total += wp.max(force, state.press[o, i])
                state.press[o, i] = force
        change[i] = other
        size[i] = total

    @t.kernel
    def hold_points(
        start: int,
        # params:
        obstacles: Obstacles, state: State, little: real,
        # in: where the step ends
        x: points,
        # out: slips at which points are held, in the frames of the obstacles
        held_slip: wp.array2d(dtype=position),
    ):  # fmt: skip
        i = start + wp.tid()
        for o in range(obstacles.turn.shape[0]):
            u = vec3()
            if state.press[o, i] > zero:
                n = turned(o, obstacles, state.normal[o, i])
                u = slip(o, i, obstacles, state, n, x[i])
                share = state.share[o, state.group[i]]
                d = along(o, i, obstacles, state, n)
                u = wp.transpose(obstacles.turn[o]) * held(u, wp.length(stretched(share, d, u)), little)
            held_slip[o, i] = position(u)

    return SimpleNamespace(press_points=press_points, press_where_it_ends=press_where_it_ends, hold_points=hold_points)


def direction_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """How far a direction may go, and linear constraints of it."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    points, reals, Obstacles = wp.array(dtype=t.position), wp.array(dtype=t.real), obstacle_structs(t.precision)[0]
    State, Predicted = state_structs(t.precision)
    depth, distance_at, zero, one, two = of.depth, of.distance, real(0.0), real(1.0), real(2.0)

    @t.kernel
    def predict_points(
        start: int, obstacles: Obstacles, state: State, reach: real, compliance: reals, safe: reals, x: points, d: points,
        predicted: Predicted, changed: wp.array(dtype=wp.int32),
    ):  # fmt: skip
        """Linear constraints where a direction leads into an obstacle, as ``prediction.constrain`` makes them of pairs.

        ``safe`` is the share of d at which obstacles stop each point.
        """
        i = start + wp.tid()
        for o in range(obstacles.turn.shape[0]):
            if safe[i] < one and compliance[i] > zero and state.grip[o, state.group[i]] >= zero:
                gap = depth(o, obstacles, state.offset[i], x[i])[3]
                way = wp.float64(safe[i]) * d[i]
                there = depth(o, obstacles, state.offset[i], x[i] + way)
                if there[3] <= two * real(LEFT) * gap:
                    n = wp.normalize(vec3(there[0], there[1], there[2]))
                    gap = there[3] - wp.dot(n, vec3(way))
                    predicted.normal[o, i] = n
                    predicted.slack[o, i] = gap - wp.min(real(REACH_LEFT) * reach, real(GAP_LEFT) * wp.max(gap, zero))
                    predicted.firm[o, i] = real(FIRMNESS) / compliance[i]
            if predicted.firm[o, i] > zero:
                k = wp.where(
                    predicted.slack[o, i] + wp.dot(predicted.normal[o, i], vec3(d[i])) < zero, predicted.firm[o, i], zero
                )
                if k != predicted.push[o, i]:
                    changed[0] = 1
                predicted.push[o, i] = k

    @t.kernel
    def stiffen_predicted(start: int, predicted: Predicted, stiffness: wp.array(dtype=mat33)):
        i = start + wp.tid()
        for o in range(predicted.push.shape[0]):
            stiffness[i] = stiffness[i] + predicted.push[o, i] * wp.outer(predicted.normal[o, i], predicted.normal[o, i])

    @t.kernel
    def push_predicted(start: int, predicted: Predicted, gradient: wp.array(dtype=vec3)):
        i = start + wp.tid()
        g = vec3()
        for o in range(predicted.push.shape[0]):
            g += (predicted.push[o, i] * predicted.slack[o, i]) * predicted.normal[o, i]
        gradient[i] = g

    @t.kernel
    def advance_points(
        start: int,
        # params: the obstacles, and how they would go on meanwhile: the turn in their own frame [rad], and the shift
        obstacles: Obstacles, state: State, turning: points, shifting: points,
        # in: where the points are, and where they would go
        x: points, d: points,
        # out: the safe fraction of both
        safe: reals,
    ):  # fmt: skip
        i = start + wp.tid()
        least = one
        for o in range(obstacles.turn.shape[0]):
            away = vec3(x[i] - obstacles.shift[o])
            d_here = vec3(d[i] - shifting[o])
            spin = vec3(turning[o])
            fastest = wp.length(d_here) + wp.length(spin) * (wp.length(away) + wp.length(d_here))
            fastest = fastest * obstacles.slope[o]
            local = wp.transpose(obstacles.turn[o]) * away
            local_d = wp.transpose(obstacles.turn[o]) * d_here
            gap = distance_at(o, obstacles, local) + state.offset[i]
            went = zero
            if gap > fastest:
                went = one
            if fastest > zero and went < one:
                left = real(LEFT) * gap
                going = int(1)
                turn = int(0)
                while turn < MOST and going == 1:
                    ahead = wp.min(went + real(CAREFUL) * (gap - left) / fastest, one)
                    there = local + ahead * local_d
                    angle = wp.length(spin)
                    if angle > zero:
                        there = wp.quat_rotate_inv(wp.quat_from_axis_angle(spin / angle, ahead * angle), there)
                    found = distance_at(o, obstacles, there) + state.offset[i]
                    if found < left:  # rounding went too far: what was safe before stays safe
                        going = 0
                    else:
                        went = ahead
                        gap = found
                        if went >= one or gap <= real(1.01) * left:
                            going = 0
                    turn += 1
            if state.grip[o, state.group[i]] >= zero:
                least = wp.min(least, went)
        safe[i] = least

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


@family
def obstacle_barrier_kernels(t):
    of, barrier = obstacle_functions(t), barrier_function(t)
    shared = slip_functions(t, of)
    return (
        vars(energy_kernels(t, shared, of, barrier)) | vars(step_kernels(t, shared, of, barrier)) | vars(direction_kernels(t, of))
    )
