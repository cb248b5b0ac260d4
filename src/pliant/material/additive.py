"""Device functions of additive plasticity: strains are summed, ε = ε_e + ε_p, and the law sees what is left of ε.

With F = R S and the strain ε = S − I the law sees S − ε_p in the frame R,

    ψ(F) = ψ_e(Fe),   Fe = F − R E,

E being the part of ε_p that the element spans: all of it in a solid, that of the plane in a sheet, that along it in a thread. So
a step is elastic and ψ an energy: with G = tr(S) I − S and a(Q) the axial vector of Q − Qᵀ,

    P = Pe − R [w]×,   G w = a(Rᵀ Pe E).

The force of w is of second order in strain; without it stress would do work on bodies that only turn.
"""

from typing import Any

import warp as wp

from ..device import Types
from ..math3 import double_dot, svd
from .functions import Functions, named

ENTRIES = 6  # of E: xx, yy, zz, xy, xz, yz


@wp.func
def axial(Q: Any):
    """a(Q), with [w]× : Q = w · a(Q)."""
    return wp.vector(Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1])


def plastic_part(width: int, t: Types) -> wp.Function:
    """p → E, of which the entries follow ``width`` others."""
    mat33 = t.mat33

    def part(p: Any):
        a, b, c = p[width + 3], p[width + 4], p[width + 5]
        return mat33(p[width], a, b, a, p[width + 1], c, b, c, p[width + 2])

    return t.function(f"additive_part_{width}", part)


def additive(name: str, law: Functions, width: int, t: Types) -> Functions:
    """The functions of ``law`` at Fe; from entry ``width`` on, p has E."""
    real, vec3, mat33, mat99 = t.real, t.vec3, t.mat33, t.mat99
    energy_, stress_, differential_, projected_ = law.energy, law.stress, law.differential, law.projected
    near = real(1.0e-6 if t.precision == "f64" else 1.0e-3)

    part = plastic_part(width, t)

    def polar(F: mat33):
        """R, S and G⁻¹, with two stretches that cancel taken for a little more."""
        U, s, V = svd(F)
        W = wp.transpose(V)
        g = vec3(
            real(1.0) / wp.max(s[1] + s[2], near),
            real(1.0) / wp.max(s[0] + s[2], near),
            real(1.0) / wp.max(s[0] + s[1], near),
        )
        return U * W, V * wp.diag(s) * W, V * wp.diag(g) * W

    polar = t.function("additive_polar", polar)

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
            Rt = wp.transpose(R)
            turn = wp.skew(Gi * axial(Rt * dF))  # δR = R [ω]×
            Fe = F - R * E
            Q = Rt * stress_(Fe, p) * E
            w = Gi * axial(Q)
            dP = differential_(Fe, dF - R * turn * E, p)
            dS = Rt * dF - turn * S
            more = axial(Rt * dP * E - turn * Q) - (wp.trace(dS) * w - dS * w)
            dP = dP - R * (turn * wp.skew(w) + wp.skew(Gi * more))
        else:
            dP = differential_(F, dF, p)
        return dP

    def projected(F: mat33, dF: mat33, p: Any):
        """Aᵀ H A with δFe = A δF and the projected tangent H of the law: less only what P_e does on the second change of R."""
        E = part(p)
        dP = mat33()
        if double_dot(E, E) > real(0.0):
            R, _S, Gi = polar(F)
            Rt = wp.transpose(R)
            dP = projected_(F - R * E, dF - R * wp.skew(Gi * axial(Rt * dF)) * E, p)
            dP = dP - R * wp.skew(Gi * axial(Rt * dP * E))
        else:
            dP = projected_(F, dF, p)
        return dP

    made = named(t, name, energy=energy, stress=stress, differential=differential, projected=projected)
    exact, definite = made.differential, made.projected

    def stiffness(F: mat33, p: Any, project: bool):
        M = mat99()
        c = int(0)
        while c < 9:
            dF = mat33()
            dF[c // 3, c % 3] = real(1.0)
            dP = mat33()
            if project:  # noqa: SIM108 (a kernel would evaluate both)
                dP = definite(F, dF, p)
            else:
                dP = exact(F, dF, p)
            r = int(0)
            while r < 9:
                M[r, c] = dP[r // 3, r % 3]
                r += 1
            c += 1
        return M

    made.stiffness = t.function(f"{name}_stiffness", stiffness)
    made.principal = law.principal
    return made


def flow_of_state(name: str, law: Functions, width: int, t: Types, dimension: int) -> wp.Function:
    """(F, p, own, seconds, α) → δE, δα of ``seconds`` at F, own being yield strain, hardening, limit and time of creep.

    ε_p grows along the deviator of ε_e by min(1, Δt/τ) of what that has beyond the yield strain, and is no larger than the limit
    (O'Brien et al. 2002). Norms are Frobenius', of all three axes; α = ∫ √(2/3) |dε_p|.
    """
    real, vec3, mat33, vec4, relaxed = t.real, t.vec3, t.mat33, t.vec4, law.relaxed
    third = real((2.0 / 3.0) ** 0.5)

    part = plastic_part(width, t)

    def in_solid(F: mat33, p: Any):
        """ε_e, ε_p and what the element spans."""
        _U, s, V = svd(F)
        E = part(p)
        one = wp.identity(n=3, dtype=real)
        return V * wp.diag(s) * wp.transpose(V) - one - E, E, one

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
            more = third * wp.sqrt(double_dot(after - before, after - before))
            change = span * (after - before) * span
        return change, more

    return t.function(f"{name}_flow{dimension}", flow)
