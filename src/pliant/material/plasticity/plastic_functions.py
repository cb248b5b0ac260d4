"""Multiplicative plasticity device functions: F = Fe Fp.

A step minimises, beside x, over the flow of the step (Ortiz and Stainier 1999): with the stretches s of Fe as it would be without
any flow, and logarithmic plastic stretches u with u₀ + u₁ + u₂ = 0,

    ψ(s) = min over u of  ψ_e(s₀e^(−u₀), s₁e^(−u₁), s₂e^(−u₂)) + Y Δα + ½ K Δα²,    Δα = √(2/3) |u|.

The minimum is von Mises' rule with linear isotropic hardening, √(3/2) |dev τ| = Y + K Δα, τᵢ = sᵢ ∂ψ_e/∂sᵢ, at the end of the
step: the return mapping, with no error but that of one implicit Euler step. Y = σ_y + H α is the yield stress as the step begins,
K = H + η/Δt the hardening and what a flow that takes time adds. Where α comes to its limit after Δα = room, K grows by much. So
the law of a step is an energy of the stretches like any other, and its tangent follows from ∂ψ/∂s and ∂²ψ/∂s².
"""

from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.device import Types
from ...runtime.math3 import double_dot, svd, von_mises
from ..functions import Functions, named

SMALL = {"f64": 1.0e-15, "f32": 1.0e-8}
THIRD, R2, R6 = (2.0 / 3.0) ** 0.5, 0.5**0.5, 6.0**-0.5


def _reduced_functions(width: int, t: Types) -> SimpleNamespace:
    """The two unknowns c of a flow, and what is minimised over them."""
    real, vec2, vec3, mat22, mat33 = t.real, t.vec2, t.vec3, t.matrix(2, 2), t.mat33
    small, third, r2, r6 = real(SMALL[t.precision]), real(THIRD), real(R2), real(R6)

    def spread(c: vec2):
        """u = c₀ (1, −1, 0)/√2 + c₁ (1, 1, −2)/√6: an orthonormal basis of what has no trace."""
        return vec3(r2 * c[0] + r6 * c[1], r6 * c[1] - r2 * c[0], -real(2.0) * r6 * c[1])

    def shares(v: vec3):
        """Its transpose."""
        return vec2(r2 * (v[0] - v[1]), r6 * (v[0] + v[1] - real(2.0) * v[2]))

    def shrunk(s: vec3, u: vec3):
        return vec3(s[0] * wp.exp(-u[0]), s[1] * wp.exp(-u[1]), s[2] * wp.exp(-u[2]))

    def resistance(alpha: real, p: Any):
        """The stress against a flow Δα, and its slope."""
        value = p[width] + p[width + 1] * alpha
        slope = p[width + 1]
        over = alpha - p[width + 2]
        if over > real(0.0):
            value += p[width + 3] * over
            slope += p[width + 3]
        return value, slope

    resistance = t.function(f"plastic_resistance_{width}", resistance)

    def curvature(s: vec3, g: vec3, H: mat33, c: vec2, p: Any):
        """∂²/∂c² of the function that is minimised; s, g and H are those after the flow."""
        a = vec3(r2, -r2, real(0.0))
        b = vec3(r6, r6, -real(2.0) * r6)
        D = wp.cw_mul(H, wp.outer(s, s)) + wp.diag(wp.cw_mul(s, g))
        size = wp.max(wp.length(c), small)
        n = c / size
        value, slope = resistance(third * size, p)
        across = third * value / size
        along = third * third * slope - across
        o = wp.dot(a, D * b) + along * n[0] * n[1]
        return mat22(wp.dot(a, D * a) + across + along * n[0] * n[0], o, o, wp.dot(b, D * b) + across + along * n[1] * n[1])

    def inverse(M: mat22):
        """Of a symmetric matrix, made positive definite first where it is not."""
        mean = real(0.5) * (M[0, 0] + M[1, 1])
        half = real(0.5) * (M[0, 0] - M[1, 1])
        reach = wp.sqrt(half * half + M[0, 1] * M[0, 1])
        shift = wp.max(real(0.0), real(1.0e-3) * (wp.abs(mean) + reach) - (mean - reach))
        if mean - reach > real(1.0e-6) * (wp.abs(mean) + reach):
            shift = real(0.0)
        p = M[0, 0] + shift
        q = M[1, 1] + shift
        det = p * q - M[0, 1] * M[0, 1]
        return mat22(q / det, -M[0, 1] / det, -M[0, 1] / det, p / det)

    plain = {f.__name__: t.function(f"plastic_{f.__name__}", f) for f in (spread, shares, shrunk, inverse)}
    curvature = t.function(f"plastic_curvature_{width}", curvature)
    return SimpleNamespace(**plain, resistance=resistance, curvature=curvature)


def _flow_function(name: str, law: Functions, width: int, t: Types, of: SimpleNamespace) -> wp.Function:
    real, vec2, vec3, principal_, third, most = t.real, t.vec2, t.vec3, law.principal, t.real(THIRD), t.real(1.0)
    close, small = real(1.0e-12 if t.precision == "f64" else 2.0e-6), real(SMALL[t.precision])

    def flow(s: vec3, p: Any):
        """u of the minimum by Newton's method, each step shortened while it climbs on the other side."""
        Y = p[width]
        g, H = principal_(s, p)
        pull = of.shares(wp.cw_mul(s, g))  # dev τ
        start = wp.length(pull)
        c = vec2()
        if start > third * Y:
            n = pull / start
            w = of.spread(n)
            D = wp.cw_mul(H, wp.outer(s, s)) + wp.diag(wp.cw_mul(s, g))
            stiff = wp.max(wp.dot(w, D * w), real(0.0)) + third * third * p[width + 1]
            c = wp.min((start - third * Y) / wp.max(stiff, real(0.2) * start), most) * n
            base = c
            d = vec2()
            down = real(-1.0)
            part = real(1.0)
            turn = int(0)
            while turn < 60:
                after = of.shrunk(s, of.spread(c))
                g, H = principal_(after, p)
                size = wp.max(wp.length(c), small)
                against, _slope = of.resistance(third * size, p)
                r = (third * against / size) * c - of.shares(wp.cw_mul(after, g))
                if down > real(0.0) and wp.dot(r, d) > real(0.9) * down and part > real(1.0e-3):
                    part = real(0.5) * part
                    c = base + part * d
                else:
                    if wp.length(r) <= close * (third * Y + start):
                        turn = int(100)
                    else:
                        d = -(of.inverse(of.curvature(after, g, H, c, p)) * r)
                        far = wp.length(d)
                        if far > most:
                            d = (most / far) * d
                        if wp.length(d) <= small * size:
                            turn = int(100)
                        down = -wp.dot(r, d)
                        base = c
                        part = real(1.0)
                        c = base + d
                turn += 1
        return of.spread(c)

    return t.function(f"{name}_settled", flow)


def of_step(name: str, law: Functions, width: int, t: Types) -> Functions:
    """Energy, stress and principal of a step, ``flow`` being (s, p) → u. From entry ``width`` on, p has Y, K, room and more."""
    real, vec3, mat33, third, r2, r6 = t.real, t.vec3, t.mat33, t.real(THIRD), t.real(R2), t.real(R6)
    energy_, stress_, principal_, of = law.energy, law.stress, law.principal, _reduced_functions(width, t)
    flow = _flow_function(name, law, width, t, of)

    def after_flow(s: vec3, u: vec3, p: Any):
        """ψ at the minimum, with the flow u."""
        alpha = third * wp.length(u)
        over = wp.max(alpha - p[width + 2], real(0.0))
        taken = alpha * (p[width] + real(0.5) * p[width + 1] * alpha) + real(0.5) * p[width + 3] * over * over
        return energy_(wp.diag(of.shrunk(s, u)), p) + taken

    after_flow = t.function(f"{name}_after", after_flow)

    def energy(F: mat33, p: Any):
        value = energy_(F, p)
        if von_mises(stress_(F, p) * wp.transpose(F)) > p[width]:
            _U, s, _V = svd(F)
            value = after_flow(s, flow(s, p), p)
        return value

    def stress(F: mat33, p: Any):
        P = stress_(F, p)
        if von_mises(P * wp.transpose(F)) > p[width]:
            U, s, V = svd(F)
            u = flow(s, p)
            g, _H = principal_(of.shrunk(s, u), p)
            P = U * wp.diag(of.shrunk(g, u)) * wp.transpose(V)  # ∂ψ/∂s = e^(−u) ∂ψ_e/∂s: u is where the rest has no slope
        return P

    def energy_stress(F: mat33, p: Any):
        value = energy_(F, p)
        P = stress_(F, p)
        if von_mises(P * wp.transpose(F)) > p[width]:
            U, s, V = svd(F)
            u = flow(s, p)
            g, _H = principal_(of.shrunk(s, u), p)
            P = U * wp.diag(of.shrunk(g, u)) * wp.transpose(V)
            value = after_flow(s, u, p)
        return value, P

    def principal(s: vec3, p: Any):
        u = flow(s, p)
        after = of.shrunk(s, u)
        g, H = principal_(after, p)
        c = of.shares(u)
        if wp.length(c) > real(0.0):
            # static condensation of u: ∂²/∂s² − ∂²/∂s∂u (∂²/∂u²)⁻¹ ∂²/∂u∂s
            e = vec3(wp.exp(-u[0]), wp.exp(-u[1]), wp.exp(-u[2]))
            C = of.inverse(of.curvature(after, g, H, c, p))
            B = wp.cw_mul(H, wp.outer(e, after)) + wp.diag(wp.cw_mul(e, g))
            a = B * vec3(r2, -r2, real(0.0))
            b = B * vec3(r6, r6, -real(2.0) * r6)
            H = wp.cw_mul(H, wp.outer(e, e)) - C[0, 0] * wp.outer(a, a) - C[1, 1] * wp.outer(b, b)
            H -= C[0, 1] * (wp.outer(a, b) + wp.outer(b, a))
            g = wp.cw_mul(e, g)
        return g, H

    functions = named(t, name, energy=energy, stress=stress, energy_stress=energy_stress, principal=principal)
    functions.flow = flow
    return functions


def flow_of_step(name: str, law: Functions, elastic: Functions, width: int, settled: wp.Function, t: Types) -> dict:
    """Dimension → (F, p) → E, Δα with Fp after the step = E Fp, E = V diag(e^u) Vᵀ, in a solid, a sheet or a thread.

    ``law`` is that of the step in the dimension, ``elastic`` the wrapped one in a solid.
    """
    real, vec3, mat33, relaxed, stress = t.real, t.vec3, t.mat33, law.relaxed, elastic.stress
    third = real((2.0 / 3.0) ** 0.5)

    def grown(V: mat33, u: vec3):
        e = vec3(wp.exp(u[0]), wp.exp(u[1]), wp.exp(u[2]))
        return V * wp.diag(e) * wp.transpose(V), third * wp.length(u)

    grown = t.function("plastic_grown", grown)

    def in_solid(F: mat33, p: Any):
        E = wp.identity(n=3, dtype=real)
        alpha = real(0.0)
        if von_mises(stress(F, p) * wp.transpose(F)) > p[width]:
            _U, s, V = svd(F)
            E, alpha = grown(V, settled(s, p))
        return E, alpha

    def in_sheet(F: mat33, p: Any):
        _U, s, V = relaxed(F, p)
        E, alpha = grown(V, settled(s, p))
        return E, alpha

    def in_thread(F: mat33, p: Any):
        u = settled(relaxed(wp.sqrt(double_dot(F, F)), p), p)
        C = wp.transpose(F) * F
        along = C / wp.max(wp.trace(C), real(1.0e-24))
        E = wp.exp(u[1]) * wp.identity(n=3, dtype=real) + (wp.exp(u[0]) - wp.exp(u[1])) * along
        return E, third * wp.length(u)

    return {3: in_solid, 2: in_sheet, 1: in_thread}
