"""Rigid body kernels: flights on the rotation group, momenta.

All of it is in double precision, on the four nodes of one body at a time: matrices of (4, 3) positions or velocities. A momentum
is six numbers, the linear one and the angular one about the centre of mass; neither changes in flight.
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ..runtime.build_lock import alone
from ..runtime.device import Types, family

TURN = 0.1  # [rad] of one part of a flight at most
MOST = 4096  # parts of it
# shares of three midpoint steps that are of fourth order (Yoshida 1990)
LONG, BACK = 1.3512071919596578, -1.7024143839193153

real, vec3, vec4, mat33 = wp.float64, wp.vec3d, wp.vec4d, wp.mat33d
four = wp.types.matrix((4, 3), wp.float64)
vec6 = wp.types.vector(6, wp.float64)
mat46 = wp.types.matrix((4, 6), wp.float64)


@alone
@functools.cache
def rigid_structs(precision: str) -> tuple[Any, Any]:
    """The bodies, and where a step begins."""
    t = Types(precision, "rigid_structs")
    struct, vectors = functools.partial(wp.struct, module=t.module), wp.array(dtype=t.vec3)
    positions = wp.array(dtype=t.position)

    @struct
    class Bodies:
        first: wp.array(dtype=wp.int32)  # of the four nodes of each
        free: vectors  # what of them may move
        mass: wp.array(dtype=t.real)
        rest: positions

    @struct
    class Begin:
        x: positions
        v: vectors
        a: vectors
        x_before: positions
        v_before: vectors

    return Bodies, Begin


def inertia_functions(t: Types) -> SimpleNamespace:
    """Momenta, velocities and rotations of one body."""

    @wp.func(module=t.module)
    def centre(m: vec4, x: four) -> vec3:
        c = vec3()
        for i in range(4):
            c += m[i] * x[i]
        return c / (m[0] + m[1] + m[2] + m[3])

    @wp.func(module=t.module)
    def inertia(m: vec4, x: four) -> mat33:
        """Tensor of inertia about the centre."""
        c = centre(m, x)
        I = mat33()
        for i in range(4):
            r = x[i] - c
            I += m[i] * (wp.dot(r, r) * wp.identity(n=3, dtype=real) - wp.outer(r, r))
        return I

    @wp.func(module=t.module)
    def momentum(m: vec4, x: four, v: four) -> vec6:
        c = centre(m, x)
        p = vec3()
        L = vec3()
        for i in range(4):
            p += m[i] * v[i]
            L += m[i] * wp.cross(x[i] - c, v[i])
        return vec6(p[0], p[1], p[2], L[0], L[1], L[2])

    @wp.func(module=t.module)
    def field(m: vec4, x: four, P: vec6) -> four:
        """The rigid velocities with momentum P."""
        c = centre(m, x)
        v = vec3(P[0], P[1], P[2]) / (m[0] + m[1] + m[2] + m[3])
        w = wp.inverse(inertia(m, x)) * vec3(P[3], P[4], P[5])
        out = four()
        for i in range(4):
            out[i] = v + wp.cross(w, x[i] - c)
        return out

    @wp.func(module=t.module)
    def edges(x: four) -> mat33:
        a = x[1] - x[0]
        b = x[2] - x[0]
        c = x[3] - x[0]
        return mat33(a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2])

    @wp.func(module=t.module)
    def turned(rest: four, x: four) -> mat33:
        """The rotation of the polar decomposition of the deformation, by Newton's iteration (Higham 1986)."""
        R = edges(x) * wp.inverse(edges(rest))
        change = real(1.0)
        n = int(0)
        while change > real(1e-15) and n < 40:
            S = real(0.5) * (R + wp.transpose(wp.inverse(R)))
            change = wp.ddot(S - R, S - R)
            R = S
            n += 1
        return R

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})


def rigid_functions(t: Types) -> SimpleNamespace:
    """Flights without forces, and steps."""
    of = inertia_functions(t)
    centre, inertia, momentum, field, turned = of.centre, of.inertia, of.momentum, of.field, of.turned

    @wp.func(module=t.module)
    def flown(m: vec4, rest: four, x: four, P: vec6, time: real) -> four:
        """Where a body without forces is ``time`` later.

        The implicit midpoint rule on the angular momentum Π seen from the body, (1 + â) Π⁺ = (1 − â) Π with a = h/4 J⁻¹(Π + Π⁺),
        turns the body by (1 − â)⁻¹(1 + â), which keeps the momentum in space and the energy, both exactly.
        """
        J = wp.inverse(inertia(m, rest))
        R = turned(rest, x)
        Q = wp.identity(n=3, dtype=real)
        L = vec3(P[3], P[4], P[5])
        before = wp.transpose(R) * L
        left = wp.abs(time)
        ahead = wp.sign(time)
        n = int(0)
        while left > real(0.0) and n < MOST:
            parts = wp.max(wp.ceil(left * wp.length(J * before) / real(TURN)), real(1.0))
            h = left / parts
            for stage in range(3):
                share = ahead * h * wp.where(stage == 1, real(BACK), real(LONG))
                after = before
                a = vec3()
                change = real(1.0)
                k = int(0)
                while change > real(1e-32) and k < 40:
                    b = (real(0.25) * share) * (J * (before + after))
                    change = wp.length_sq(b - a) / (wp.length_sq(b) + real(1e-300))
                    a = b
                    s = real(2.0) / (real(1.0) + wp.length_sq(a))
                    c = wp.cross(a, before)
                    after = before - s * (c - wp.cross(a, c))
                    k += 1
                A = wp.skew(a)
                Q = Q * (wp.identity(n=3, dtype=real) + (real(2.0) / (real(1.0) + wp.length_sq(a))) * (A + A * A))
                before = after
            left = wp.where(parts > real(1.5), left - h, real(0.0))
            n += 1
        R = R * Q
        R = real(0.5) * (R + wp.transpose(wp.inverse(R)))
        c = centre(m, rest)
        to = centre(m, x) + (time / (m[0] + m[1] + m[2] + m[3])) * vec3(P[0], P[1], P[2])
        out = four()
        for i in range(4):
            out[i] = to + R * (rest[i] - c)
        return out

    @wp.func(module=t.module)
    def mixed(c: mat46, row: int, now: vec6, force: vec6, before: vec6, gained: vec6) -> vec6:
        return c[row, 0] * now + c[row, 1] * force + c[row, 2] * before + c[row, 3] * gained

    @wp.func(module=t.module)
    def aimed(m: vec4, rest: four, c: mat46, x: four, v: four, a: four, x_before: four, v_before: four):
        """Where the body flies, and what damping and friction measure velocities from: y, anchor and origin.

        What is strained at x stays so at the origin: added up step by step, it would be a creep.
        """
        now = momentum(m, x, v)
        force = momentum(m, x, a)
        before = momentum(m, x_before, v_before)
        none = vec6()
        P = mixed(c, 0, now, force, before, none)
        y = flown(m, rest, x, P, c[0, 4])
        origin = y - c[0, 4] * field(m, y, P) + (x - flown(m, rest, x, P, real(0.0)))
        anchor = y - field(m, y, mixed(c, 1, now, force, before, none))
        return y, anchor, origin

    @wp.func(module=t.module)
    def ended(m: vec4, rest: four, c: mat46, x: four, v: four, a: four, x_before: four, v_before: four, y: four, z: four):
        """The new x, v and a of a step that was solved at z."""
        now = momentum(m, x, v)
        force = momentum(m, x, a)
        before = momentum(m, x_before, v_before)
        gained = momentum(m, z, z - y)
        to = z
        if c[0, 5] > real(0.0):
            to = flown(m, rest, z, mixed(c, 0, now, force, before, gained), c[0, 5])
        return (
            to,
            field(m, to, mixed(c, 2, now, force, before, gained)),
            field(m, to, mixed(c, 3, now, force, before, gained)),
        )

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})


def node_functions(t: Types) -> SimpleNamespace:
    """The four nodes of a body out of arrays over all nodes."""
    vectors, positions = wp.array(dtype=t.vec3), wp.array(dtype=t.position)

    @wp.func(module=t.module)
    def places(x: positions, n: int) -> four:
        out = four()
        for i in range(4):
            out[i] = vec3(x[n + i])
        return out

    @wp.func(module=t.module)
    def rates(v: vectors, n: int) -> four:
        out = four()
        for i in range(4):
            out[i] = vec3(v[n + i])
        return out

    @wp.func(module=t.module)
    def masses(mass: wp.array(dtype=t.real), n: int) -> vec4:
        return vec4(real(mass[n]), real(mass[n + 1]), real(mass[n + 2]), real(mass[n + 3]))

    @wp.func(module=t.module)
    def is_held(free: vectors, n: int) -> bool:
        """Whether nothing of a body may move."""
        most = t.real(0.0)
        for i in range(4):
            most = wp.max(most, wp.max(free[n + i]))
        return most == t.real(0.0)

    @wp.func(module=t.module)
    def chosen(free: t.vec3, yes: vec3, no: vec3) -> vec3:
        """Components that may move, and others."""
        out = no
        for k in range(3):
            if free[k] > t.real(0.0):
                out[k] = yes[k]
        return out

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})


@family
def rigid_kernels(t):
    vectors, positions = wp.array(dtype=t.vec3), wp.array(dtype=t.position)
    of, nodes = rigid_functions(t), node_functions(t)
    Bodies, Begin = rigid_structs(t.precision)

    @t.kernel
    def aim_bodies(
        start: int, bodies: Bodies, rows: wp.array(dtype=mat46), begin: Begin,
        y: positions, anchor: positions, at: positions, origin: positions,
    ):  # fmt: skip
        n = bodies.first[start + wp.tid()]
        if not nodes.is_held(bodies.free, n):
            m = nodes.masses(bodies.mass, n)
            to, seen, slid = of.aimed(
                m, nodes.places(bodies.rest, n), rows[0], nodes.places(begin.x, n), nodes.rates(begin.v, n),
                nodes.rates(begin.a, n), nodes.places(begin.x_before, n), nodes.rates(begin.v_before, n),
            )  # fmt: skip
            for i in range(4):
                y[n + i] = t.position(to[i])
                at[n + i] = t.position(to[i])
                anchor[n + i] = t.position(seen[i])
                origin[n + i] = t.position(slid[i])

    @t.kernel
    def read_bodies(
        start: int, bodies: Bodies, rows: wp.array(dtype=mat46), begin: Begin, y: positions, z: positions,
        new_x: positions, new_v: vectors, new_a: vectors,
    ):  # fmt: skip
        """What may move of the bodies is where they fly on to, and has the velocities of their momenta."""
        n = bodies.first[start + wp.tid()]
        if not nodes.is_held(bodies.free, n):
            m = nodes.masses(bodies.mass, n)
            to, fast, force = of.ended(
                m, nodes.places(bodies.rest, n), rows[0], nodes.places(begin.x, n), nodes.rates(begin.v, n),
                nodes.rates(begin.a, n), nodes.places(begin.x_before, n), nodes.rates(begin.v_before, n),
                nodes.places(y, n), nodes.places(z, n),
            )  # fmt: skip
            for i in range(4):
                new_x[n + i] = t.position(nodes.chosen(bodies.free[n + i], to[i], vec3(new_x[n + i])))
                new_v[n + i] = t.vec3(nodes.chosen(bodies.free[n + i], fast[i], vec3(new_v[n + i])))
                new_a[n + i] = t.vec3(nodes.chosen(bodies.free[n + i], force[i], vec3(new_a[n + i])))

    return locals()
