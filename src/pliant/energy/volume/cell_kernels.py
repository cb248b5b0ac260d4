"""Tangent kernels of lattice cells in positions and pressures."""

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...material.base import Material
from ...material.functions import Functions
from ...material.spectral import solid
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ..element_functions import row_function
from ..trilinear import MODES, trilinear_functions
from .volume_measures import measure_functions

LANES = 32  # cells side by side in memory, entry by entry: whole cache lines on a CPU, whole transactions on a GPU
ENTRIES = 45  # of a symmetric 9×9 matrix
FIXES = {"none": 0, "paper": 1, "psd": 2}
_BUILT: dict[tuple, SimpleNamespace] = {}


@alone
def cell_kernels(material: Material, q: int, measure: str, aggregate: bool, precision: str) -> SimpleNamespace:
    """The kernels for one law ψ₀ and one measure of volume with q points in a cell."""
    key = (material.key, material.width, q, measure, aggregate, precision)
    if key not in _BUILT:
        name = f"cells_{material.key}_q{q}_{measure}{'_aggregate' if aggregate else ''}"
        _BUILT[key] = build(Types(precision, name), material, q, measure, aggregate)
    return _BUILT[key]


def point_tangent(t: Types, material: Material, measure: str) -> wp.Function:
    """∂²(ψ₀ + s M)/∂F² of one point at pressure s, as 9×9.

    Fix 1 adds what makes ψ₀ + κ*/2 M² positive semi-definite (§5), fix 2 makes the tangent itself so once κ* Q Qᵀ is
    added. What is no function of the stretches, such as fibres in a sum, keeps the positive part of its own tangent.
    """
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    law, M, width = material.functions(t, 3), measure_functions(t, measure), material.width
    params, wide = t.vector(width), t.vector(width + 2)

    isotropic, others = law.terms[0], law.terms[1:]
    if isotropic.principal is None or M.principal is None:

        def tangent(F: mat33, p: params, s: real, star: real, fix: int):
            T = law.stiffness(F, p, fix != 0)
            c = int(0)
            while c < 9 and fix == 0:
                D = mat33()
                D[c // 3, c % 3] = real(1.0)
                dQ = M.bend(F, D)
                for r in range(9):
                    T[r, c] = T[r, c] + s * dQ[r // 3, r % 3]
                c += 1
            return T

        return t.function(f"tangent_{material.key}_{measure}", tangent)

    own, of_measure = isotropic.principal, M.principal

    def principal(s: vec3, p: wide):
        """Of ψ₀ + p_w M + ½ p_{w+1} M² less what M² bends: the square of M's slope alone."""
        inner = params()
        for i in range(width):
            inner[i] = p[i]
        g, H = own(s, inner)
        m, B = of_measure(s)
        return g + p[width] * m, H + p[width] * B + p[width + 1] * wp.outer(m, m)

    name = f"{material.key}_{measure}"
    principal = t.function(f"{name}_principal", principal)
    joint = solid(name, Functions(principal=principal), t).stiffness

    def widened(p: params, s: real, star: real):
        row = wide()
        for i in range(width):
            row[i] = p[i]
        row[width] = s
        row[width + 1] = star
        return row

    widened = t.function(f"widened_{width}", widened)

    def of_stretches(F: mat33, p: params, s: real, star: real, fix: int):
        T = joint(F, widened(p, s, wp.where(fix == 2, star, real(0.0))), fix == 2)
        if fix == 1:
            whole = widened(p, star * M.value(F), star)
            T = T + joint(F, whole, True) - joint(F, whole, False)
        if fix == 2:
            Q = M.slope(F)
            for r in range(9):
                for c in range(9):
                    T[r, c] = T[r, c] - star * Q[r // 3, r % 3] * Q[c // 3, c % 3]
        return T

    tangent = t.function(f"tangent_{name}", of_stretches)
    for i, part in enumerate(others):
        tangent = t.function(f"tangent_{name}_{i}", _beside(t, tangent, part.stiffness, params))
    return tangent


def _beside(t: Types, tangent: wp.Function, stiffness: wp.Function, params: type) -> Callable:
    """A point's tangent with that of a law beside it, positive semi-definite where there is a fix."""
    real, mat33 = t.real, t.mat33

    def both(F: mat33, p: params, s: real, star: real, fix: int):
        return tangent(F, p, s, star, fix) + stiffness(F, p, fix != 0)

    return both


@alone
@functools.cache
def cell_structs(precision: str) -> tuple[Any, Any]:
    t = Types(precision, "cell_structs")
    reals, vectors = wp.array(dtype=t.real), wp.array2d(dtype=t.vec3)

    @functools.partial(wp.struct, module=t.module)
    class Cells:
        """Corners, points s ∈ [−1, 1]³ and weights [m³], c = 1/(4h) [1/m], rows of ψ₀ and κ* of each cell [Pa]."""

        rows: wp.array2d(dtype=wp.int32)
        points: vectors
        weight: wp.array2d(dtype=t.real)
        c: t.real
        of: wp.array(dtype=wp.int32)
        star: reals

    @functools.partial(wp.struct, module=t.module)
    class Linear:
        """w T, upper triangle; W ∂M̄/∂modes; p M″/(W M′²) at the mean J; α² W/κ, and μ h/12 of the stabilisation (0 without)."""

        T: reals
        B: vectors
        volume_curvature: reals
        compliance: reals
        hourglass: reals

    return Cells, Linear


def _modes_function(t: Types) -> wp.Function:
    rows_, cell = wp.array2d(dtype=wp.int32), trilinear_functions(t)

    def modes(u: wp.array(dtype=Any), rows: rows_, e: int):
        """Modes of u in cell e, whose corners 0, 2, 4, 6 are ``rows``; each odd one follows the one before it."""
        a = rows[0, e]
        b = rows[1, e]
        c = rows[2, e]
        d = rows[3, e]
        return cell.modes(u[a], u[a + 1], u[b], u[b + 1], u[c], u[c + 1], u[d], u[d + 1])

    return t.function("modes_of_rows", modes)


def build(t: Types, material: Material, q: int, measure: str, aggregate: bool) -> SimpleNamespace:
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    params, modes7, vec9 = t.vector(material.width), t.matrix(MODES, 3), t.vector(9)
    # of the mean J, the measure is a function outside of the mean; inside it is J − 1
    inner, outer = measure_functions(t, "excess" if aggregate else measure), measure_functions(t, measure)
    tangent = point_tangent(t, material, "excess" if aggregate else measure)
    cell, row = trilinear_functions(t), row_function(t, params)
    deformation, collect, corner_forces = cell.deformation, cell.collect, cell.corner_forces
    reals, modes, (Cells, Linear) = wp.array(dtype=real), _modes_function(t), cell_structs(t.precision)
    lanes, size, last = LANES, ENTRIES * q, 3 if q == 1 else MODES  # at the centre only the first three modes count

    @t.kernel
    def linearise(
        start: int, cells: Cells,
        # params: rows of ψ₀, and which fix
        table: wp.array(dtype=params), fix: wp.int32,
        # in: positions, pressures [Pa]
        x: wp.array(dtype=t.position), pressure: reals,
        # out:
        state: Linear,
    ):  # fmt: skip
        e = start + wp.tid()
        c, p = cells.c, row(table, cells.of, e)
        a = modes(x, cells.rows, e)
        slope = real(1.0)
        bend = real(0.0)
        if aggregate:
            J = real(0.0)
            W = real(0.0)
            for g in range(q):
                J += cells.weight[g, e] * wp.determinant(deformation(a, cells.points[g, e], c))
                W += cells.weight[g, e]
            _M, slope, curvature = outer.of_volume(J / W)
            bend = pressure[e] * curvature / (slope * slope * W)
            if fix != 0:
                bend = wp.max(bend, real(0.0))
        state.volume_curvature[e] = bend
        b = modes7()
        at = (e // lanes) * size * lanes + e % lanes
        g = int(0)
        while g < q:
            F = deformation(a, cells.points[g, e], c)
            K = tangent(F, p, slope * pressure[e], slope * slope * cells.star[e], fix)
            b += collect((slope * cells.weight[g, e]) * inner.slope(F), cells.points[g, e], c)
            for i in range(9):
                for j in range(i, 9):
                    state.T[at] = cells.weight[g, e] * K[i, j]
                    at += lanes
            g += 1
        for i in range(last):
            state.B[i, e] = b[i]

    def product(T: reals, start: int, D: mat33):
        """T : D for the symmetric 9×9 matrix whose upper triangle begins at ``start``."""
        d = vec9()
        for i in range(9):
            d[i] = D[i // 3, i % 3]
        out = vec9()
        at = start
        for i in range(9):
            total = T[at] * d[i]
            at += lanes
            for j in range(i + 1, 9):
                v = T[at]
                at += lanes
                total += v * d[j]
                out[j] = out[j] + v * d[i]
            out[i] = out[i] + total
        return mat33(out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8])

    product = t.function(f"product_of_{LANES}", product)

    @t.kernel
    def apply(
        start: int, cells: Cells, state: Linear, alpha: real,
        # in:
        d: wp.array(dtype=vec3), dp: reals,
        # out:
        corner: wp.array2d(dtype=vec3), out_p: reals,
    ):  # fmt: skip
        """δf = A δx + α Bᵀ δp at the corners and δq = α B δx − α² D δp (Eq 12)."""
        e = start + wp.tid()
        c, a = cells.c, modes(d, cells.rows, e)
        b = modes7()
        at = (e // lanes) * size * lanes + e % lanes
        if q == 1:
            S = product(state.T, at, wp.transpose(wp.matrix_from_rows(c * a[0], c * a[1], c * a[2])))
            S = c * wp.transpose(S)
            h = state.hourglass[e]
            b = wp.matrix_from_rows(S[0], S[1], S[2], h * a[3], h * a[4], h * a[5], real(0.5) * h * a[6])
        else:
            g = int(0)
            while g < q:
                s = cells.points[g, e]
                b += collect(product(state.T, at, deformation(a, s, c)), s, c)
                at += lanes * 45
                g += 1
        rate = real(0.0)
        for i in range(last):
            rate += wp.dot(state.B[i, e], a[i])
        push = alpha * dp[e] + state.volume_curvature[e] * rate
        for i in range(last):
            b[i] = b[i] + push * state.B[i, e]
        corner_forces(b, e, corner)
        out_p[e] = out_p[e] + alpha * rate - state.compliance[e] * dp[e]

    return SimpleNamespace(linearise=linearise, apply=apply)
