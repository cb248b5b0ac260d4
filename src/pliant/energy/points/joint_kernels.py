"""Joint kernels: multipliers of points, and functions of vectors.

Row r has the vectors u_v = Σ_j W_vj x_j + c_v and one number φ of them: u₀·u₁, the angle of u₂ between u₀ and u₁, or Σ |u_v|,
which is √(u_v² + ε²) since |u| has a kink where two ends meet.
Its energy is that of a spring of stiffness k and compliance 1/K about a goal, with the multiplier λ, and of an effort f:
    E = ½ k' t² − λ²/2k + f φ,   t = φ − goal + λ/k,   k' = 1/(1/k + 1/K)
A row with a ``side`` pushes one way only: t is 0 where it has the other sign. The fixed point of λ ← k' t is λ = K (φ − goal),
for whatever k; with 1/K = 0 it is φ = goal (Hestenes 1969, Powell 1969).
"""

import warp as wp

from ...runtime.device import family

DOT, ANGLE, LENGTH = 0, 1, 2


@family
def joint_kernels(t):
    real, vec3, mat33, position = t.real, t.vec3, t.mat33, t.position
    places, doubles = wp.array(dtype=position), wp.array(dtype=wp.float64)
    vectors, ints = wp.array2d(dtype=position), wp.array(dtype=wp.int32)

    @t.kernel
    def load_points(
        start: int,
        # params:
        stiffness: wp.array(dtype=real),
        goal: places,
        # in: multipliers (3, p)
        force: wp.array2d(dtype=wp.float64),
        # out: where the springs pull to
        target: places,
    ):
        p = start + wp.tid()
        k = wp.float64(stiffness[p])
        target[p] = goal[p] - position(force[0, p], force[1, p], force[2, p]) / k

    @t.kernel
    def find_points(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array2d(dtype=real),
        # params:
        goal: places,
        target: places,
        # in:
        x: places,
        # out: targets of the multipliers that the points ask for, and how far they are apart
        found: places,
        gap: doubles,
    ):
        p = start + wp.tid()
        off = position() - goal[p]
        for i in range(nodes.shape[0]):
            off += wp.float64(weight[i, p]) * x[nodes[i, p]]
        found[p] = target[p] - off
        gap[p] = wp.length(off)

    @t.kernel
    def keep_points(
        start: int,
        # params:
        stiffness: wp.array(dtype=real),
        goal: places,
        found: places,
        # out:
        force: wp.array2d(dtype=wp.float64),
    ):
        p = start + wp.tid()
        made = wp.float64(stiffness[p]) * (goal[p] - found[p])
        for i in range(3):
            force[i, p] = made[i]

    @t.kernel
    def unloaded(
        start: int,
        # params:
        stiffness: wp.array(dtype=real),
        goal: places,
        target: places,
        # out:
        value: wp.array(dtype=real),
    ):
        """Less λ²/2k, so that what joints hold has no energy."""
        p = start + wp.tid()
        load = vec3(goal[p] - target[p])
        value[p] = value[p] - real(0.5) * stiffness[p] * wp.dot(load, load)

    def measured_angle(a: position, b: position, c: position, turn: wp.float64):
        """The angle of c in the frame (a, b), the one nearest to ``turn``."""
        whole = wp.float64(2.0) * wp.float64(wp.pi)
        angle = wp.atan2(wp.dot(c, b), wp.dot(c, a))
        return angle + whole * wp.round((turn - angle) / whole)

    angle_of = t.function("measured_angle", measured_angle)

    def second(kind: int, v: int, w: int, a: position, b: position, c: position):
        """∂²φ/∂u_v ∂u_w of a product or an angle."""
        one = wp.identity(n=3, dtype=wp.float64)
        made = wp.matrix(shape=(3, 3), dtype=wp.float64)
        if kind == DOT:
            if v + w == 1:
                made = one
            return made
        s, k = wp.dot(c, b), wp.dot(c, a)
        q = s * s + k * k
        sv, sw, kv, kw = position(), position(), position(), position()
        if v == 1:
            sv = c
        if v == 2:
            sv = b
            kv = a
        if v == 0:
            kv = c
        if w == 1:
            sw = c
        if w == 2:
            sw = b
            kw = a
        if w == 0:
            kw = c
        bent = wp.float64(2.0) * s * k / (q * q)
        made = bent * (wp.outer(kv, kw) - wp.outer(sv, sw))
        made += ((s * s - k * k) / (q * q)) * (wp.outer(sv, kw) + wp.outer(kv, sw))
        if v + w == 3 and v != w:
            made += (k / q) * one
        if v + w == 2 and v != w:
            made -= (s / q) * one
        return made

    second_of = t.function("second", second)

    @t.kernel
    def measure(
        start: int,
        # mesh: (k, rows) nodes, (vectors, k, rows) weights, (vectors, rows) constants
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array3d(dtype=real),
        shift: vectors,
        kind: ints,
        # params: the angle before, and ε²
        turn: doubles,
        rounding: wp.array2d(dtype=wp.float64),
        # in:
        x: places,
        # out: vectors, slopes of φ by them, φ
        u: vectors,
        slope: vectors,
        phi: doubles,
    ):
        r = start + wp.tid()
        for v in range(shift.shape[0]):
            total = position() + shift[v, r]
            for i in range(nodes.shape[0]):
                total += wp.float64(weight[v, i, r]) * x[nodes[i, r]]
            u[v, r] = total
            slope[v, r] = position()
        if kind[r] == DOT:
            phi[r] = wp.dot(u[0, r], u[1, r])
            slope[0, r] = u[1, r]
            slope[1, r] = u[0, r]
        elif kind[r] == ANGLE:
            a, b, c = u[0, r], u[1, r], u[2, r]
            s, k = wp.dot(c, b), wp.dot(c, a)
            q = s * s + k * k
            phi[r] = angle_of(a, b, c, turn[r])
            slope[0, r] = (-s / q) * c
            slope[1, r] = (k / q) * c
            slope[2, r] = (k / q) * b - (s / q) * a
        else:
            length = wp.float64(0.0)
            for v in range(shift.shape[0]):
                own = wp.sqrt(wp.dot(u[v, r], u[v, r]) + rounding[v, r])
                length += own
                if own > wp.float64(0.0):
                    slope[v, r] = u[v, r] / own
            phi[r] = length

    @t.kernel
    def recede(
        start: int,
        # mesh: as above
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array3d(dtype=real),
        shift: vectors,
        # in: vectors and slopes where φ was measured, and places behind them
        u: vectors,
        slope: vectors,
        behind: places,
        # out:
        phi: doubles,
    ):
        """φ less its rate times the way from behind: the angle of places on a tangent falls short of what a body turns."""
        r = start + wp.tid()
        for v in range(shift.shape[0]):
            way = u[v, r] - shift[v, r]
            for i in range(nodes.shape[0]):
                way -= wp.float64(weight[v, i, r]) * behind[nodes[i, r]]
            phi[r] -= wp.dot(slope[v, r], way)

    @t.kernel
    def aim_rows(
        start: int,
        # params: goals, of which those with damping D are mixed with φ a step behind, K' = K + D rate
        goal: doubles,
        firm: doubles,
        damping: doubles,
        # in:
        phi: doubles,
        # out:
        target: doubles,
    ):
        r = start + wp.tid()
        target[r] = goal[r]
        if damping[r] > wp.float64(0.0):
            target[r] = (firm[r] * goal[r] + damping[r] * phi[r]) / (firm[r] + damping[r])

    @t.kernel
    def press(
        start: int,
        # params: k, 1/(1 + k/K), goal, λ, side, f
        stiffness: doubles,
        share: doubles,
        target: doubles,
        force: doubles,
        side: ints,
        effort: doubles,
        # in:
        phi: doubles,
        # out: E, E' and E'' by φ, and λ to come
        value: wp.array(dtype=real),
        pull: doubles,
        bend: doubles,
        found: doubles,
    ):
        r = start + wp.tid()
        k = stiffness[r]
        energy, made, stiff = wp.float64(0.0), wp.float64(0.0), wp.float64(0.0)
        if k > wp.float64(0.0):
            at = phi[r] - target[r] + force[r] / k
            if wp.float64(side[r]) * at >= wp.float64(0.0):
                stiff = share[r] * k
                made = stiff * at
                energy = wp.float64(0.5) * stiff * at * at
            energy -= wp.float64(0.5) * force[r] * force[r] / k
        found[r] = made
        value[r] = real(energy + effort[r] * phi[r])
        pull[r] = made + effort[r]
        bend[r] = stiff

    @t.kernel
    def push_corners(
        start: int,
        # mesh:
        weight: wp.array3d(dtype=real),
        # in:
        slope: vectors,
        pull: doubles,
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        r = start + wp.tid()
        for i in range(corner.shape[0]):
            total = position()
            for v in range(slope.shape[0]):
                total += wp.float64(weight[v, i, r]) * slope[v, r]
            corner[i, r] = vec3(pull[r] * total)

    @t.kernel
    def fill_blocks(
        start: int,
        # mesh: pairs of corners
        first: ints,
        second: ints,
        weight: wp.array3d(dtype=real),
        kind: ints,
        rounding: wp.array2d(dtype=wp.float64),
        # in:
        project: int,
        u: vectors,
        slope: vectors,
        pull: doubles,
        bend: doubles,
        # out: a block for each pair of each row
        block: wp.array2d(dtype=mat33),
    ):
        thread = start + wp.tid()
        r, p = thread // first.shape[0], thread % first.shape[0]
        i, j = first[p], second[p]
        left, right = position(), position()
        curved = wp.matrix(shape=(3, 3), dtype=wp.float64)
        for v in range(slope.shape[0]):
            left += wp.float64(weight[v, i, r]) * slope[v, r]
            right += wp.float64(weight[v, j, r]) * slope[v, r]
        if kind[r] == LENGTH:
            if project == 0 or pull[r] > wp.float64(0.0):
                for v in range(slope.shape[0]):
                    own = wp.sqrt(wp.dot(u[v, r], u[v, r]) + rounding[v, r])
                    if own > wp.float64(0.0):
                        across = wp.identity(n=3, dtype=wp.float64) - wp.outer(slope[v, r], slope[v, r])
                        curved += (wp.float64(weight[v, i, r] * weight[v, j, r]) / own) * across
        elif project == 0:
            for v in range(3):
                for w in range(3):
                    shared = wp.float64(weight[v, i, r] * weight[w, j, r])
                    if shared != wp.float64(0.0):
                        curved += shared * second_of(kind[r], v, w, u[0, r], u[1, r], u[2, r])
        block[p, r] = mat33(bend[r] * wp.outer(left, right) + pull[r] * curved)

    @t.kernel
    def multiply_blocks(
        start: int,
        # mesh: pairs of corners
        nodes: wp.array2d(dtype=wp.int32),
        first: ints,
        second: ints,
        # in:
        block: wp.array2d(dtype=mat33),
        d: wp.array(dtype=vec3),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        r = start + wp.tid()
        for i in range(nodes.shape[0]):
            corner[i, r] = vec3()
        for p in range(first.shape[0]):
            a, b = first[p], second[p]
            corner[a, r] = corner[a, r] + block[p, r] * d[nodes[b, r]]
            if a != b:
                corner[b, r] = corner[b, r] + wp.transpose(block[p, r]) * d[nodes[a, r]]

    return locals()
