"""Joint kernels: multipliers of points, and functions of vectors.

Row r has the vectors u_v = Σ_j W_vj x_j + c_v and one number φ of them: u₀·u₁, the angle of u₂ between u₀ and u₁, or Σ |u_v|,
which is √(u_v² + ε²) since |u| has a kink where two ends meet.
Its energy is that of a spring of stiffness k and compliance 1/K about a goal, with the multiplier λ, and of an effort f:
    E = ½ k' t² − λ²/2k + f φ,   t = φ − goal + λ/k,   k' = 1/(1/k + 1/K)
A row with a ``side`` pushes one way only: t is 0 where it has the other sign. The fixed point of λ ← k' t is λ = K (φ − goal),
for whatever k; with 1/K = 0 it is φ = goal (Hestenes 1969, Powell 1969).
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types, family

DOT, ANGLE, LENGTH = 0, 1, 2


@alone
@functools.cache
def row_structs(precision: str) -> tuple[Any, Any]:
    """Rows, and what they are at x."""
    t = Types(precision, "joint_structs")
    struct, ints, doubles = (
        functools.partial(wp.struct, module=t.module),
        wp.array(dtype=wp.int32),
        wp.array(dtype=wp.float64),
    )
    vectors = wp.array2d(dtype=t.position)

    @struct
    class Rows:
        weight: wp.array3d(dtype=t.real)  # (vectors, k, rows)
        shift: vectors  # (vectors, rows) constants
        kind: ints
        side: ints
        rounding: wp.array2d(dtype=wp.float64)  # ε²
        turn: doubles  # the angle before
        stiffness: doubles  # k
        share: doubles  # 1/(1 + k/K)
        target: doubles  # the goal
        force: doubles  # λ
        effort: doubles  # f

    @struct
    class Measured:
        u: vectors
        slope: vectors
        phi: doubles
        pull: doubles  # E' and E'' by φ
        bend: doubles

    return Rows, Measured


def load_kernels(t: Types) -> SimpleNamespace:
    """Points that stay together, and their multipliers."""
    real, vec3, position = t.real, t.vec3, t.position
    places, doubles = wp.array(dtype=position), wp.array(dtype=wp.float64)

    @t.kernel
    def load_points(
        start: int,
        # params:
        stiffness: wp.array(dtype=real), goal: places,
        # in: multipliers (3, p)
        force: wp.array2d(dtype=wp.float64),
        # out: where the springs pull to
        target: places,
    ):  # fmt: skip
        p = start + wp.tid()
        k = wp.float64(stiffness[p])
        target[p] = goal[p] - position(force[0, p], force[1, p], force[2, p]) / k

    @t.kernel
    def find_points(
        start: int, nodes: wp.array2d(dtype=wp.int32), weight: wp.array2d(dtype=real), goal: places, target: places,
        x: places, found: places, gap: doubles,
    ):  # fmt: skip
        """Targets of the multipliers that the points ask for, and how far they are apart."""
        p = start + wp.tid()
        off = position() - goal[p]
        for i in range(nodes.shape[0]):
            off += wp.float64(weight[i, p]) * x[nodes[i, p]]
        found[p] = target[p] - off
        gap[p] = wp.length(off)

    @t.kernel
    def keep_points(
        start: int, stiffness: wp.array(dtype=real), goal: places, found: places, force: wp.array2d(dtype=wp.float64)
    ):
        p = start + wp.tid()
        made = wp.float64(stiffness[p]) * (goal[p] - found[p])
        for i in range(3):
            force[i, p] = made[i]

    @t.kernel
    def unloaded(start: int, stiffness: wp.array(dtype=real), goal: places, target: places, value: wp.array(dtype=real)):
        """Less λ²/2k, so that what joints hold has no energy."""
        p = start + wp.tid()
        load = vec3(goal[p] - target[p])
        value[p] = value[p] - real(0.5) * stiffness[p] * wp.dot(load, load)

    return SimpleNamespace(load_points=load_points, find_points=find_points, keep_points=keep_points, unloaded=unloaded)


def measure_kernels(t: Types) -> SimpleNamespace:
    """Numbers φ of rows, and their goals."""
    places, position, doubles = wp.array(dtype=t.position), t.position, wp.array(dtype=wp.float64)
    Rows, Measured = row_structs(t.precision)

    def measured_angle(a: position, b: position, c: position, turn: wp.float64):
        """The angle of c in the frame (a, b), the one nearest to ``turn``."""
        whole = wp.float64(2.0) * wp.float64(wp.pi)
        angle = wp.atan2(wp.dot(c, b), wp.dot(c, a))
        return angle + whole * wp.round((turn - angle) / whole)

    angle_of = t.function("measured_angle", measured_angle)

    @t.kernel
    def measure(start: int, nodes: wp.array2d(dtype=wp.int32), rows: Rows, x: places, at: Measured):
        """Vectors, slopes of φ by them, and φ."""
        r = start + wp.tid()
        for v in range(rows.shift.shape[0]):
            total = position() + rows.shift[v, r]
            for i in range(nodes.shape[0]):
                total += wp.float64(rows.weight[v, i, r]) * x[nodes[i, r]]
            at.u[v, r] = total
            at.slope[v, r] = position()
        if rows.kind[r] == DOT:
            at.phi[r] = wp.dot(at.u[0, r], at.u[1, r])
            at.slope[0, r] = at.u[1, r]
            at.slope[1, r] = at.u[0, r]
        elif rows.kind[r] == ANGLE:
            a, b, c = at.u[0, r], at.u[1, r], at.u[2, r]
            s, k = wp.dot(c, b), wp.dot(c, a)
            q = s * s + k * k
            at.phi[r] = angle_of(a, b, c, rows.turn[r])
            at.slope[0, r] = (-s / q) * c
            at.slope[1, r] = (k / q) * c
            at.slope[2, r] = (k / q) * b - (s / q) * a
        else:
            length = wp.float64(0.0)
            for v in range(rows.shift.shape[0]):
                own = wp.sqrt(wp.dot(at.u[v, r], at.u[v, r]) + rows.rounding[v, r])
                length += own
                if own > wp.float64(0.0):
                    at.slope[v, r] = at.u[v, r] / own
            at.phi[r] = length

    @t.kernel
    def recede(start: int, nodes: wp.array2d(dtype=wp.int32), rows: Rows, behind: places, at: Measured):
        """φ less its rate times the way from behind: the angle of places on a tangent falls short of what a body turns."""
        r = start + wp.tid()
        for v in range(rows.shift.shape[0]):
            way = at.u[v, r] - rows.shift[v, r]
            for i in range(nodes.shape[0]):
                way -= wp.float64(rows.weight[v, i, r]) * behind[nodes[i, r]]
            at.phi[r] -= wp.dot(at.slope[v, r], way)

    @t.kernel
    def aim_rows(
        start: int,
        # params: goals, of which those with damping D are mixed with φ a step behind, K' = K + D rate
        goal: doubles, firm: doubles, damping: doubles,
        # in:
        phi: doubles,
        # out:
        target: doubles,
    ):  # fmt: skip
        r = start + wp.tid()
        target[r] = goal[r]
        if damping[r] > wp.float64(0.0):
            target[r] = (firm[r] * goal[r] + damping[r] * phi[r]) / (firm[r] + damping[r])

    return SimpleNamespace(measure=measure, recede=recede, aim_rows=aim_rows)


def energy_kernels(t: Types) -> SimpleNamespace:
    """Energies of rows and their derivatives."""
    real, vec3, mat33, position, doubles = t.real, t.vec3, t.mat33, t.position, wp.array(dtype=wp.float64)
    ints, (Rows, Measured) = wp.array(dtype=wp.int32), row_structs(t.precision)

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
    def press(start: int, rows: Rows, at: Measured, value: wp.array(dtype=real), found: doubles):
        """E, E' and E'' by φ, and λ to come."""
        r = start + wp.tid()
        k = rows.stiffness[r]
        energy, made, stiff = wp.float64(0.0), wp.float64(0.0), wp.float64(0.0)
        if k > wp.float64(0.0):
            off = at.phi[r] - rows.target[r] + rows.force[r] / k
            if wp.float64(rows.side[r]) * off >= wp.float64(0.0):
                stiff = rows.share[r] * k
                made = stiff * off
                energy = wp.float64(0.5) * stiff * off * off
            energy -= wp.float64(0.5) * rows.force[r] * rows.force[r] / k
        found[r] = made
        value[r] = real(energy + rows.effort[r] * at.phi[r])
        at.pull[r] = made + rows.effort[r]
        at.bend[r] = stiff

    @t.kernel
    def push_corners(start: int, rows: Rows, at: Measured, corner: wp.array2d(dtype=vec3)):
        r = start + wp.tid()
        for i in range(corner.shape[0]):
            total = position()
            for v in range(at.slope.shape[0]):
                total += wp.float64(rows.weight[v, i, r]) * at.slope[v, r]
            corner[i, r] = vec3(at.pull[r] * total)

    @t.kernel
    def fill_blocks(
        start: int, first: ints, second: ints, rows: Rows, project: int, at: Measured, block: wp.array2d(dtype=mat33)
    ):
        """A block for each pair of corners, ``first`` and ``second``, of each row."""
        thread = start + wp.tid()
        r, p = thread // first.shape[0], thread % first.shape[0]
        i, j = first[p], second[p]
        left, right = position(), position()
        curved = wp.matrix(shape=(3, 3), dtype=wp.float64)
        for v in range(at.slope.shape[0]):
            left += wp.float64(rows.weight[v, i, r]) * at.slope[v, r]
            right += wp.float64(rows.weight[v, j, r]) * at.slope[v, r]
        if rows.kind[r] == LENGTH:
            if project == 0 or at.pull[r] > wp.float64(0.0):
                for v in range(at.slope.shape[0]):
                    own = wp.sqrt(wp.dot(at.u[v, r], at.u[v, r]) + rows.rounding[v, r])
                    if own > wp.float64(0.0):
                        across = wp.identity(n=3, dtype=wp.float64) - wp.outer(at.slope[v, r], at.slope[v, r])
                        curved += (wp.float64(rows.weight[v, i, r] * rows.weight[v, j, r]) / own) * across
        elif project == 0:
            for v in range(3):
                for w in range(3):
                    shared = wp.float64(rows.weight[v, i, r] * rows.weight[w, j, r])
                    if shared != wp.float64(0.0):
                        curved += shared * second_of(rows.kind[r], v, w, at.u[0, r], at.u[1, r], at.u[2, r])
        block[p, r] = mat33(at.bend[r] * wp.outer(left, right) + at.pull[r] * curved)

    @t.kernel
    def multiply_blocks(
        start: int,
        # mesh: pairs of corners
        nodes: wp.array2d(dtype=wp.int32), first: ints, second: ints,
        # in:
        block: wp.array2d(dtype=mat33), d: wp.array(dtype=vec3),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        r = start + wp.tid()
        for i in range(nodes.shape[0]):
            corner[i, r] = vec3()
        for p in range(first.shape[0]):
            a, b = first[p], second[p]
            corner[a, r] = corner[a, r] + block[p, r] * d[nodes[b, r]]
            if a != b:
                corner[b, r] = corner[b, r] + wp.transpose(block[p, r]) * d[nodes[a, r]]

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


@family
def joint_kernels(t):
    return vars(load_kernels(t)) | vars(measure_kernels(t)) | vars(energy_kernels(t))
