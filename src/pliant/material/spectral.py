"""Spectral derivatives: from principal stretches to stress and tangent.

With F = U diag(s) Vᵀ the stress is U diag(g) Vᵀ, g = ∂ψ/∂s. For Ã = Uᵀ δF V the tangent is δP = U B Vᵀ with
diag B = H diag Ã, H = ∂²ψ/∂s², and for each pair the symmetric part of Ã times (gᵢ−gⱼ)/(sᵢ−sⱼ) plus the skew part times
(gᵢ+gⱼ)/(sᵢ+sⱼ) (Stomakhin et al. 2012). Clamping these factors at zero gives the positive semi-definite tangent that a
descent method needs.

A sheet is in plane stress: the third stretch is the one at which its stress vanishes. A thread is in uniaxial stress:
the two lateral stretches are. So any isotropic law serves solids, membranes and springs alike.

A projective law also has ``nearest(s, p)``: then ``projection`` is U diag(nearest) Vᵀ, which is k F less the stress.
"""

from collections.abc import Callable
from typing import Any

import warp as wp

from ..runtime.device import Types
from ..runtime.math3 import clamp_positive, diagonal, double_dot, plane_stretches, svd, thin_svd
from .functions import Functions, named


@wp.func
def difference_quotient(gi: Any, gj: Any, si: Any, sj: Any, limit: Any, tolerance: Any):
    """(gᵢ−gⱼ)/(sᵢ−sⱼ), or its limit where the stretches meet."""
    value = limit
    if wp.abs(si - sj) > tolerance:
        value = (gi - gj) / (si - sj)
    return value


@wp.func
def sum_quotient(gi: Any, gj: Any, si: Any, sj: Any, tolerance: Any):
    """(gᵢ+gⱼ)/(sᵢ+sⱼ), bounded where the stretches cancel."""
    total = si + sj
    if wp.abs(total) < tolerance:
        total = wp.where(total < type(total)(0.0), -tolerance, tolerance)
    return (gi + gj) / total


def principal_of(stress: wp.Function, t: Types) -> Callable:
    """(s, p) → ∂ψ/∂s of an isotropic law by its stress, and ∂²ψ/∂s² by central differences of that."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    h = real(1.0e-5 if t.precision == "f64" else 5.0e-3)

    def principal(s: vec3, p: Any):
        H = mat33(real(0.0))
        for j in range(3):
            d = vec3(real(0.0))
            d[j] = h
            slope = diagonal(stress(wp.diag(s + d), p)) - diagonal(stress(wp.diag(s - d), p))
            for i in range(3):
                H[i, j] = slope[i] / (real(2.0) * h)
        return diagonal(stress(wp.diag(s), p)), real(0.5) * (H + wp.transpose(H))

    return principal


def solid(name: str, law: Functions, t: Types) -> Functions:
    """Functions of a law in three dimensions.

    ``law`` has energy and principal, and optionally stress or differential.
    """
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    principal = law.principal
    near = real(1.0e-6 if t.precision == "f64" else 2.0e-3)

    def stress(F: mat33, p: Any):
        U, s, V = svd(F)
        g, _H = principal(s, p)
        return U * wp.diag(g) * wp.transpose(V)

    def factors(g: vec3, s: vec3, H: mat33, i: int, j: int, project: bool):
        sym = difference_quotient(g[i], g[j], s[i], s[j], H[i, i] - H[i, j], near)
        skew = sum_quotient(g[i], g[j], s[i], s[j], near)
        if project:
            sym = wp.max(sym, real(0.0))
            skew = wp.max(skew, real(0.0))
        return real(0.5) * (sym + skew), real(0.5) * (sym - skew)

    factors = t.function(f"{name}_factors", factors)

    def linearise(F: mat33, p: Any, project: bool):
        U, s, V = svd(F)
        g, H = principal(s, p)
        a, x = factors(g, s, H, 0, 1, project)
        b, y = factors(g, s, H, 0, 2, project)
        c, z = factors(g, s, H, 1, 2, project)
        if project:
            H = clamp_positive(H)
        o = real(0.0)
        return U, V, H, mat33(o, a, b, a, o, c, b, c, o), mat33(o, x, y, x, o, z, y, z, o)

    def work_weights(F: mat33, D: mat33, p: Any):
        """(s, w) with stress : D = g(s, p) · w for every p."""
        U, s, V = svd(F)
        return s, diagonal(wp.transpose(U) * D * V)

    derived = named(t, name, stress=stress, linearise=linearise, work_weights=work_weights)
    functions = from_linearisation(name, derived.linearise, t)
    functions.energy, functions.work_weights = law.energy, derived.work_weights
    functions.stress = law.stress or derived.stress
    functions.differential = law.differential or functions.differential
    functions.principal = principal
    functions.energy_stress, functions.closed, functions.polar = law.energy_stress, law.closed, law.polar
    if law.nearest is not None:
        nearest = law.nearest

        def projection(F: mat33, p: Any):
            U, s, V = svd(F)
            return U * wp.diag(nearest(s, p)) * wp.transpose(V)

        functions.projection = law.projection or t.function(f"{name}_projection", projection)
        functions.nearest = nearest
    return functions


def _stretched(name: str, law: Functions, t: Types) -> wp.Function:
    """(s, p) → ψ of stretches, of those that sheets and threads find."""
    energy3, vec3 = law.energy, t.vec3

    def stretched(s: vec3, p: Any):
        return energy3(wp.diag(s), p)

    return law.stretched or t.function(f"{name}_stretched", stretched)


def sheet(name: str, law: Functions, t: Types) -> Functions:
    """Functions of an isotropic law in plane stress; F has rank 2, its null direction being the rest normal."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    principal, stretched = law.principal, _stretched(name, law, t)
    near = real(1.0e-6 if t.precision == "f64" else 2.0e-3)
    tiny = real(1.0e-14 if t.precision == "f64" else 1.0e-6)

    def thinned(stretches: vec3, p: Any):
        """The stretches with the third, that of the thickness, at which ∂ψ/∂s₂ = 0."""
        s = vec3(stretches[0], stretches[1], real(1.0))
        step = real(1.0)
        turn = int(0)
        while turn < 30 and wp.abs(step) > tiny * s[2]:
            g, H = principal(s, p)
            step = real(0.5) * s[2]
            if H[2, 2] > real(0.0):
                step = wp.min(wp.max(g[2] / H[2, 2], real(-1.0) * s[2]), real(0.5) * s[2])
            elif g[2] < real(0.0):
                step = -s[2]
            s[2] = s[2] - step
            turn += 1
        return s

    thinned = t.function(f"{name}_thinned", thinned)

    def relaxed(F: mat33, p: Any):
        """U, s, V with that thickness."""
        U, s, V = thin_svd(F)
        return U, thinned(s, p), V

    relaxed = t.function(f"{name}_relaxed", relaxed)

    def energy(F: mat33, p: Any):
        s, _D = plane_stretches(F)
        return stretched(thinned(s, p), p)

    def stress_of(F: mat33, s: vec3, D: mat33, p: Any):
        """P = U diag(g₀, g₁, 0) Vᵀ, of F + D and F − D, D being U diag(s₁, s₀, 0) Vᵀ."""
        g, H = principal(s, p)
        turn = (g[0] + g[1]) / wp.max(s[0] + s[1], tiny)
        bend = difference_quotient(g[0], g[1], s[0], s[1], H[0, 0] - H[0, 1], near)
        return real(0.5) * ((turn + bend) * F + (turn - bend) * D)

    stress_of = t.function(f"{name}_stress_of", stress_of)

    def stress(F: mat33, p: Any):
        s, D = plane_stretches(F)
        return stress_of(F, thinned(s, p), D, p)

    def energy_stress(F: mat33, p: Any):
        s, D = plane_stretches(F)
        s = thinned(s, p)
        return stretched(s, p), stress_of(F, s, D, p)

    def linearise(F: mat33, p: Any, project: bool):
        U, s, V = relaxed(F, p)
        g, H = principal(s, p)
        # static condensation of the thickness; out of the plane the membrane is held by its tension alone
        h = wp.where(wp.abs(H[2, 2]) > real(0.0), H[2, 2], real(1.0))
        o = real(0.0)
        H00 = H[0, 0] - H[0, 2] * H[2, 0] / h
        H01 = H[0, 1] - H[0, 2] * H[2, 1] / h
        H11 = H[1, 1] - H[1, 2] * H[2, 1] / h
        sym = difference_quotient(g[0], g[1], s[0], s[1], H00 - H01, near)
        skew = sum_quotient(g[0], g[1], s[0], s[1], near)
        t0 = g[0] / wp.max(s[0], near)
        t1 = g[1] / wp.max(s[1], near)
        C = mat33(H00, H01, o, H01, H11, o, o, o, o)
        if project:
            C = clamp_positive(C)
            sym = wp.max(sym, o)
            skew = wp.max(skew, o)
            t0 = wp.max(t0, o)
            t1 = wp.max(t1, o)
        a = real(0.5) * (sym + skew)
        x = real(0.5) * (sym - skew)
        return U, V, C, mat33(o, a, o, a, o, o, t0, t1, o), mat33(o, x, o, x, o, o, o, o, o)

    def work_weights(F: mat33, D: mat33, p: Any):
        """(s, w) with d(stress : D) = dg(s, p) · w for changes of p: the thickness follows, which w₂ stands for."""
        U, s, V = relaxed(F, p)
        _g, H = principal(s, p)
        w = diagonal(wp.transpose(U) * D * V)
        w[2] = -(H[0, 2] * w[0] + H[1, 2] * w[1]) / H[2, 2]
        return s, w

    both = {"energy": energy, "stress": stress, "energy_stress": energy_stress}
    derived = named(t, f"{name}_sheet", linearise=linearise, work_weights=work_weights, **both)
    functions = from_linearisation(f"{name}_sheet", derived.linearise, t)
    functions.energy, functions.stress, functions.work_weights = derived.energy, derived.stress, derived.work_weights
    functions.energy_stress = derived.energy_stress
    functions.principal, functions.relaxed = principal, relaxed
    if law.nearest is not None:
        nearest = law.nearest

        def projection(F: mat33, p: Any):
            U, s, V = thin_svd(F)
            s[2] = real(1.0)
            q = nearest(s, p)
            q[2] = real(0.0)
            return U * wp.diag(q) * wp.transpose(V)

        functions.projection = t.function(f"{name}_sheet_projection", projection)
    return functions


def from_linearisation(name: str, linearise: wp.Function, t: Types) -> Functions:
    """differential, projected and stiffness from U, V, H and the factors of equal and of swapped entries."""
    mat33, mat99 = t.mat33, t.mat99

    def apply(U: mat33, V: mat33, H: mat33, S: mat33, X: mat33, dF: mat33):
        A = wp.transpose(U) * dF * V
        B = wp.cw_mul(S, A) + wp.cw_mul(X, wp.transpose(A)) + wp.diag(H * diagonal(A))
        return U * B * wp.transpose(V)

    apply = t.function("apply", apply)

    def differential(F: mat33, dF: mat33, p: Any):
        U, V, H, S, X = linearise(F, p, False)
        return apply(U, V, H, S, X, dF)

    def projected(F: mat33, dF: mat33, p: Any):
        U, V, H, S, X = linearise(F, p, True)
        return apply(U, V, H, S, X, dF)

    def stiffness(F: mat33, p: Any, project: bool):
        U, V, H, S, X = linearise(F, p, project)
        M = mat99()
        c = int(0)
        while c < 9:
            dF = mat33()
            dF[c // 3, c % 3] = t.real(1.0)
            dP = apply(U, V, H, S, X, dF)
            for r in range(9):
                M[r, c] = dP[r // 3, r % 3]
            c += 1
        return M

    functions = named(t, name, differential=differential, projected=projected, stiffness=stiffness)
    functions.linearise = linearise
    return functions


def thread(name: str, law: Functions, t: Types) -> Functions:
    """Functions of an isotropic law in uniaxial stress; F = (deformed direction · stretch) ⊗ (rest direction)."""
    real, vec3, mat33, mat99 = t.real, t.vec3, t.mat33, t.mat99
    principal, stretched = law.principal, _stretched(name, law, t)
    tiny = real(1.0e-14 if t.precision == "f64" else 1.0e-6)

    def relaxed(stretch: real, p: Any):
        """(stretch, l, l) with the lateral stretch l at which the lateral stress vanishes."""
        s = vec3(stretch, real(1.0), real(1.0))
        step = real(1.0)
        turn = int(0)
        while turn < 30 and wp.abs(step) > tiny * s[1]:
            g, H = principal(s, p)
            slope = H[1, 1] + H[1, 2]
            step = real(0.5) * s[1]
            if slope > real(0.0):
                step = wp.min(wp.max(g[1] / slope, real(-1.0) * s[1]), real(0.5) * s[1])
            elif g[1] < real(0.0):
                step = -s[1]
            s[1] = s[1] - step
            s[2] = s[1]
            turn += 1
        return s

    relaxed = t.function(f"{name}_lateral", relaxed)

    def energy(F: mat33, p: Any):
        return stretched(relaxed(wp.sqrt(double_dot(F, F)), p), p)

    def stress(F: mat33, p: Any):
        length = wp.max(wp.sqrt(double_dot(F, F)), real(1.0e-12))
        g, _H = principal(relaxed(length, p), p)
        return (g[0] / length) * F

    def slopes(F: mat33, p: Any, project: bool):
        """Unit direction n⊗D, stiffness along it, and tension over length across it."""
        length = wp.max(wp.sqrt(double_dot(F, F)), real(1.0e-12))
        g, H = principal(relaxed(length, p), p)
        along = H[0, 0] - (H[0, 1] * H[0, 1] + H[0, 2] * H[0, 2]) / (H[1, 1] + H[1, 2])
        across = g[0] / length
        if project:
            along = wp.max(along, real(0.0))
            across = wp.max(across, real(0.0))
        return F / length, along, across

    slopes = t.function(f"{name}_slopes", slopes)

    def differential(F: mat33, dF: mat33, p: Any):
        N, along, across = slopes(F, p, False)
        return across * dF + (along - across) * double_dot(N, dF) * N

    def projected(F: mat33, dF: mat33, p: Any):
        N, along, across = slopes(F, p, True)
        return across * dF + (along - across) * double_dot(N, dF) * N

    def stiffness(F: mat33, p: Any, project: bool):
        N, along, across = slopes(F, p, project)
        M = mat99()
        for r in range(9):
            for c in range(9):
                M[r, c] = (along - across) * N[r // 3, r % 3] * N[c // 3, c % 3]
            M[r, r] += across
        return M

    def work_weights(F: mat33, D: mat33, p: Any):
        """(s, w) with d(stress : D) = dg(s, p) · w for changes of p: the lateral stretch follows."""
        length = wp.max(wp.sqrt(double_dot(F, F)), real(1.0e-12))
        s = relaxed(length, p)
        _g, H = principal(s, p)
        along = double_dot(F, D) / length
        aside = -real(0.5) * (H[0, 1] + H[0, 2]) * along / (H[1, 1] + H[1, 2])
        return s, vec3(along, aside, aside)

    functions = named(
        t,
        f"{name}_thread",
        energy=energy,
        stress=stress,
        differential=differential,
        projected=projected,
        stiffness=stiffness,
        work_weights=work_weights,
    )
    functions.principal, functions.relaxed = principal, relaxed
    if law.nearest is not None:
        nearest = law.nearest

        def projection(F: mat33, p: Any):
            # a thread of no length has no direction, and is not pushed either way
            length = wp.max(wp.sqrt(double_dot(F, F)), real(1.0e-12))
            return (nearest(vec3(length, real(1.0), real(1.0)), p)[0] / length) * F

        functions.projection = t.function(f"{name}_thread_projection", projection)
    return functions


def of_dimension(name: str, law: Functions, t: Types, dimension: int) -> Functions:
    """The functions of an isotropic law in a solid (3), a sheet (2) or a thread (1)."""
    return {3: solid, 2: sheet, 1: thread}[dimension](name, law, t)
