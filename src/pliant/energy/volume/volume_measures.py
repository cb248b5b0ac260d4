"""How far a deformation is from keeping its volume: measures M(F) with their two derivatives.

``log`` log J and ``excess`` J − 1 see the volume itself; ``trace`` tr(F − I), ``stretch`` tr(S − I) with F = R S and
``green`` tr ½(FᵀF − I) are those of linear, corotated and St Venant–Kirchhoff elasticity, true for small strain only.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types
from ...runtime.math3 import (
    cofactor,
    cofactor_differential,
    double_dot,
    polar_rotation,
    products,
    rotation_differential,
    volume_hessian,
)

LEAST = 0.1  # J below which log J is continued by a parabola


def measure_functions(t: Types, name: str) -> SimpleNamespace:
    """Device functions of one measure.

    ``value(F)`` is M, ``slope(F)`` Q = ∂M/∂F, ``bend(F, D)`` the change of Q along D, and ``block(F, a, b)`` the matrix
    (∂Q/∂F : eᵣ⊗b) a, column by column. Measures of the principal stretches have ``principal(s)``, ∂M/∂s and ∂²M/∂s², and
    those of J ``of_volume(J)``: M, M′ and M″.
    """
    makers = {"log": _of_volume, "excess": _of_volume, "trace": _trace, "stretch": _stretch, "green": _green}
    made = {key: t.function(f"{key}_{name}", function) for key, function in makers[name](t, name).items()}
    return SimpleNamespace(**{"principal": None, "of_volume": None} | made)


def _of_volume(t: Types, name: str) -> dict:
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    logarithm = name == "log"

    def of_volume(J: real):
        value = J - real(1.0)
        slope = real(1.0)
        curvature = real(0.0)
        if logarithm:
            least = real(LEAST)
            if least < J:
                value = wp.log(J)
                slope = real(1.0) / J
                curvature = -slope * slope
            else:
                r = J / least - real(1.0)
                value = wp.log(least) + r - real(0.5) * r * r
                slope = (real(1.0) - r) / least
                curvature = -real(1.0) / (least * least)
        return value, slope, curvature

    measured = t.function(f"of_volume_{name}", of_volume)

    def value(F: mat33):
        M, _slope, _curvature = measured(wp.determinant(F))
        return M

    def slope(F: mat33):
        _M, dM, _curvature = measured(wp.determinant(F))
        return dM * cofactor(F)

    def bend(F: mat33, D: mat33):
        _M, dM, ddM = measured(wp.determinant(F))
        K = cofactor(F)
        return ddM * double_dot(K, D) * K + dM * cofactor_differential(F, D)

    def block(F: mat33, a: vec3, b: vec3):
        # ∂²J/∂xᵢ∂xⱼ is −[F (∇Nᵢ × ∇Nⱼ)]×
        _M, dM, ddM = measured(wp.determinant(F))
        K = cofactor(F)
        return ddM * wp.outer(K * a, K * b) - dM * wp.skew(F * wp.cross(a, b))

    def principal(s: vec3):
        _M, dM, ddM = measured(s[0] * s[1] * s[2])
        return dM * products(s), volume_hessian(s, dM, ddM)

    return {
        "of_volume": of_volume,
        "value": value,
        "slope": slope,
        "bend": bend,
        "block": block,
        "principal": principal,
    }


def _trace(t: Types, name: str) -> dict:
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    def value(F: mat33):
        return wp.trace(F) - real(3.0)

    def slope(F: mat33):
        return wp.identity(n=3, dtype=real)

    def bend(F: mat33, D: mat33):
        return mat33()

    def block(F: mat33, a: vec3, b: vec3):
        return mat33()

    return {"value": value, "slope": slope, "bend": bend, "block": block}


def _stretch(t: Types, name: str) -> dict:
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    def value(F: mat33):
        return double_dot(polar_rotation(F), F) - real(3.0)

    def slope(F: mat33):
        return polar_rotation(F)

    def bend(F: mat33, D: mat33):
        R = polar_rotation(F)
        return rotation_differential(R, wp.transpose(R) * F, D)

    def block(F: mat33, a: vec3, b: vec3):
        R = polar_rotation(F)
        S = wp.transpose(R) * F
        K = mat33()
        for c in range(3):
            D = mat33()
            for i in range(3):
                D[c, i] = b[i]
            column = rotation_differential(R, S, D) * a
            for r in range(3):
                K[r, c] = column[r]
        return K

    def principal(s: vec3):
        return vec3(real(1.0), real(1.0), real(1.0)), mat33()

    return {"value": value, "slope": slope, "bend": bend, "block": block, "principal": principal}


def _green(t: Types, name: str) -> dict:
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    def value(F: mat33):
        return real(0.5) * (double_dot(F, F) - real(3.0))

    def slope(F: mat33):
        return F

    def bend(F: mat33, D: mat33):
        return D

    def block(F: mat33, a: vec3, b: vec3):
        return wp.dot(a, b) * wp.identity(n=3, dtype=real)

    def principal(s: vec3):
        return s, wp.identity(n=3, dtype=real)

    return {"value": value, "slope": slope, "bend": bend, "block": block, "principal": principal}
