"""Additive plasticity device functions: ε = ε_e + ε_p.

With F = R S and the strain ε = S − I the law sees S − ε_p in the frame R,

    ψ(F) = ψ_e(Fe),   Fe = F − R E,

E being the part of ε_p that the element spans: all of it in a solid, that of the plane in a sheet, that along it in a thread. So
a step is elastic and ψ an energy: with G = tr(S) I − S and a(Q) the axial vector of Q − Qᵀ,

    P = Pe − R [w]×,   G w = a(Rᵀ Pe E).

The force of w is of second order in strain; without it stress would do work on bodies that only turn.
"""

from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.device import Types
from ...runtime.math3 import cofactor, double_dot, polar_rotation, svd
from ..functions import Functions, named

ENTRIES = 6  # of E: xx, yy, zz, xy, xz, yz
# least stretch of the shape without stress, I + ε_p: at 0 it has no rotation, and beyond it is turned over
SHORTEST = 0.5


@wp.func
def axial(Q: Any):
    """a(Q), with [w]× : Q = w · a(Q)."""
    return wp.vector(Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1])


@wp.func
def least_eigenvalue(A: Any):
    """Of a symmetric matrix without a trace: 2p cos(angle + 2π/3) (Smith 1961)."""
    p = wp.sqrt(double_dot(A, A) / A.dtype(6.0))
    least = A.dtype(0.0)
    if p > A.dtype(0.0):
        half = wp.determinant(A / p) / A.dtype(2.0)
        angle = wp.acos(wp.clamp(half, A.dtype(-1.0), A.dtype(1.0))) / A.dtype(3.0)
        least = A.dtype(2.0) * p * wp.cos(angle + A.dtype(2.0943951023931953))
    return least


def plastic_part(width: int, t: Types) -> wp.Function:
    """p → E, of which the entries follow ``width`` others."""
    mat33 = t.mat33

    def part(p: Any):
        a, b, c = p[width + 3], p[width + 4], p[width + 5]
        return mat33(p[width], a, b, a, p[width + 1], c, b, c, p[width + 2])

    return t.function(f"additive_part_{width}", part)


def _polar_function(t: Types, dimension: int) -> wp.Function:
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    near = real(1.0e-6 if t.precision == "f64" else 1.0e-3)

    def polar_of_thread(F: mat33):
        """R, S and G⁻¹, two stretches that cancel, as those across a thread do, being taken for a little more."""
        U, s, V = svd(F)
        W = wp.transpose(V)
        g = vec3(
            real(1.0) / wp.max(s[1] + s[2], near),
            real(1.0) / wp.max(s[0] + s[2], near),
            real(1.0) / wp.max(s[0] + s[1], near),
        )
        return U * W, V * wp.diag(s) * W, V * wp.diag(g) * W

    def polar_of_body(F: mat33):
        """The same by the cofactor, G having a floor as in math3.py."""
        R = polar_rotation(F)
        S = wp.transpose(R) * F
        G = wp.trace(S) * wp.identity(n=3, dtype=real) - real(0.5) * (S + wp.transpose(S))
        K = cofactor(G)
        det = wp.dot(G[0], K[0])
        scale = double_dot(G, G)
        floor = wp.max(scale * wp.sqrt(scale), real(1.0e-12)) * real(1.0e-6)
        if wp.abs(det) < floor:
            det = wp.where(det < real(0.0), -floor, floor)
        return R, S, K / det

    kind = "thread" if dimension == 1 else "body"
    return t.function(f"additive_polar_of_{kind}", polar_of_thread if dimension == 1 else polar_of_body)


def _turning_functions(t: Types) -> SimpleNamespace:
    """Changes of Fe and what they do to the corners, as R turns along."""
    mat33 = t.mat33

    def seen(R: mat33, Gi: mat33, E: mat33, dF: mat33):
        """δFe = δF − δR E, and ω of δR = R [ω]×."""
        turn = wp.skew(Gi * axial(wp.transpose(R) * dF))
        return dF - R * turn * E, turn

    def carried(R: mat33, Gi: mat33, E: mat33, dPe: mat33):
        """The transpose of δFe of δF."""
        return dPe - R * wp.skew(Gi * axial(wp.transpose(R) * dPe * E))

    def bend(R: mat33, S: mat33, Gi: mat33, E: mat33, Q: mat33, dF: mat33, turn: mat33):
        """What Pe does on the second change of R, with Q = Rᵀ Pe E."""
        w = Gi * axial(Q)
        dS = wp.transpose(R) * dF - turn * S
        more = -axial(turn * Q) - (wp.trace(dS) * w - dS * w)
        return -(R * (turn * wp.skew(w) + wp.skew(Gi * more)))

    return SimpleNamespace(**{f.__name__: t.function(f"additive_{f.__name__}", f) for f in (seen, carried, bend)})


def additive(name: str, law: Functions, width: int, t: Types, dimension: int) -> Functions:
    """The functions of ``law`` at Fe; from entry ``width`` on, p has E."""
    real, mat33, mat99, part, polar = t.real, t.mat33, t.mat99, plastic_part(width, t), _polar_function(t, dimension)
    energy_, stress_, differential_, projected_ = law.energy, law.stress, law.differential, law.projected
    stiffness_, of = law.stiffness, _turning_functions(t)

    def energy(F: mat33, p: Any):
        E = part(p)
        Fe = F
        if double_dot(E, E) > real(0.0):
            R, _S, _Gi = polar(F)
            Fe = F - R * E
        return energy_(Fe, p)

    def stress(F: mat33, p: Any):
        E = part(p)
        P = mat33()
        if double_dot(E, E) > real(0.0):
            R, _S, Gi = polar(F)
            P = stress_(F - R * E, p)
            P = P - R * wp.skew(Gi * axial(wp.transpose(R) * P * E))
        else:
            P = stress_(F, p)
        return P

    def differential(F: mat33, dF: mat33, p: Any):
        E = part(p)
        dP = mat33()
        if double_dot(E, E) > real(0.0):
            R, S, Gi = polar(F)
            Fe = F - R * E
            dFe, turn = of.seen(R, Gi, E, dF)
            dP = of.carried(R, Gi, E, differential_(Fe, dFe, p))
            dP = dP + of.bend(R, S, Gi, E, wp.transpose(R) * stress_(Fe, p) * E, dF, turn)
        else:
            dP = differential_(F, dF, p)
        return dP

    def projected(F: mat33, dF: mat33, p: Any):
        """Aᵀ H A with δFe = A δF and the projected tangent H of the law: all but ``bend``."""
        E = part(p)
        dP = mat33()
        if double_dot(E, E) > real(0.0):
            R, _S, Gi = polar(F)
            dFe, _turn = of.seen(R, Gi, E, dF)
            dP = of.carried(R, Gi, E, projected_(F - R * E, dFe, p))
        else:
            dP = projected_(F, dF, p)
        return dP

    def stiffness(F: mat33, p: Any, project: bool):
        """All columns with one polar decomposition, and one tangent of the law."""
        E = part(p)
        M = mat99()
        if double_dot(E, E) > real(0.0):
            R, S, Gi = polar(F)
            Fe = F - R * E
            H = stiffness_(Fe, p, project)
            Q = wp.transpose(R) * stress_(Fe, p) * E
            c = int(0)
            while c < 9:
                dF = mat33()
                dF[c // 3, c % 3] = real(1.0)
                dFe, turn = of.seen(R, Gi, E, dF)
                dPe = mat33()
                r = int(0)
                while r < 9:
                    total = real(0.0)
                    for j in range(9):
                        total += H[r, j] * dFe[j // 3, j % 3]
                    dPe[r // 3, r % 3] = total
                    r += 1
                dP = of.carried(R, Gi, E, dPe)
                if not project:
                    dP = dP + of.bend(R, S, Gi, E, Q, dF, turn)
                r = int(0)
                while r < 9:
                    M[r, c] = dP[r // 3, r % 3]
                    r += 1
                c += 1
        else:
            M = stiffness_(F, p, project)
        return M

    made = named(t, name, energy=energy, stress=stress, differential=differential, projected=projected, stiffness=stiffness)
    made.principal = law.principal
    return made


def flow_of_state(name: str, law: Functions, width: int, t: Types, dimension: int) -> wp.Function:
    """(F, p, own, seconds, α) → δE, δα of ``seconds`` at F, own being yield strain, hardening, limit and time of creep.

    ε_p grows along the deviator of ε_e by min(1, Δt/τ) of what that has beyond the yield strain, and is no larger than the limit
    (O'Brien et al. 2002), nor so large that the shape without stress is shorter than ``SHORTEST`` of what it was along any axis.
    Norms are Frobenius', of all three axes; α = ∫ √(2/3) |dε_p|.
    """
    real, vec3, mat33, vec4, relaxed = t.real, t.vec3, t.mat33, t.vec4, law.relaxed
    third, most = real((2.0 / 3.0) ** 0.5), real(1.0 - SHORTEST)

    part = plastic_part(width, t)

    def in_solid(F: mat33, p: Any):
        """ε_e, ε_p and what the element spans."""
        S = wp.transpose(polar_rotation(F)) * F
        E = part(p)
        one = wp.identity(n=3, dtype=real)
        return real(0.5) * (S + wp.transpose(S)) - one - E, E, one

    def in_sheet(F: mat33, p: Any):
        U, s, V = svd(F)
        E = part(p)
        n = vec3(V[0, 2], V[1, 2], V[2, 2])
        across = wp.outer(n, n)
        plane = wp.identity(n=3, dtype=real) - across
        s[2] = real(0.0)
        _Ue, se, _Ve = relaxed(F - U * wp.transpose(V) * E, p)
        e = V * wp.diag(s) * wp.transpose(V) - plane - E + (se[2] - real(1.0)) * across
        return e, E - wp.trace(E) * across, plane

    def in_thread(F: mat33, p: Any):
        _U, s, V = svd(F)
        E = part(p)
        d = vec3(V[0, 0], V[1, 0], V[2, 0])
        along = wp.outer(d, d)
        across = wp.identity(n=3, dtype=real) - along
        size = wp.trace(E)
        se = relaxed(s[0] - size, p)
        e = (se[0] - real(1.0)) * along + (se[1] - real(1.0)) * across
        return e, size * (along - real(0.5) * across), along

    strains = t.function(f"{name}_strains{dimension}", {3: in_solid, 2: in_sheet, 1: in_thread}[dimension])

    def flow(F: mat33, p: Any, own: vec4, seconds: real, alpha: real):
        e, before, span = strains(F, p)
        dev = e - (wp.trace(e) / real(3.0)) * wp.identity(n=3, dtype=real)
        size = wp.sqrt(double_dot(dev, dev))
        beyond = size - own[0] - own[1] * alpha
        change = mat33()
        more = real(0.0)
        if beyond > real(0.0):
            share = real(1.0) / (real(1.0) + third * own[1])  # the yield strain grows on the way
            if seconds < share * own[3]:
                share = seconds / own[3]
            after = before + (share * beyond / size) * dev
            length = wp.sqrt(double_dot(after, after))
            if length > own[2]:
                after = (own[2] / length) * after
            least = least_eigenvalue(after)
            if least < -most:
                after = (-most / least) * after
            more = third * wp.sqrt(double_dot(after - before, after - before))
            change = span * (after - before) * span
        return change, more

    return t.function(f"{name}_flow{dimension}", flow)
