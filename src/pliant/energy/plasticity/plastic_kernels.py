"""Plastic flow kernels: flow of points in a step."""

from types import SimpleNamespace

import warp as wp

from ...elements.base import Form
from ...material.base import Material
from ...material.plasticity.additive_plasticity import ENTRIES
from ...material.plasticity.plastic_law import OWN
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ..element_functions import element_functions, row_function

_BUILT: dict[tuple, SimpleNamespace] = {}


@alone
def plastic_kernels(material: Material, k: int, q: int, dimension: int, precision: str) -> SimpleNamespace:
    """The kernels for one law on one element shape; compiled on first use, shared by all bodies alike."""
    key = (material.key, material.width, k, q, dimension, precision)
    if key not in _BUILT:
        t = Types(precision, f"plastic_{material.key}_{dimension}d_k{k}q{q}")
        if k > 4:
            t.module.options["max_unroll"] = 3
        build = _build_additive if material.terms[0].is_additive else _build
        _BUILT[key] = build(t, material.functions(t, dimension).flow, k, q, material.width)
    return _BUILT[key]


def _build(t: Types, law_flow: wp.Function, k: int, q: int, width: int) -> SimpleNamespace:
    real, vec3, params, given = t.real, t.vec3, t.vector(width), t.vector(width + 1)
    double, vec3d, mat33d = wp.float64, wp.types.vector(3, wp.float64), wp.types.matrix((3, 3), wp.float64)
    of_element = element_functions(t, k, Form.GENERAL)
    load, deformation, last = of_element.load, of_element.deformation, k - 1
    row = row_function(t, given)

    @t.kernel
    def flow(
        start: int,
        # mesh: ∇N as they are turned by Fp
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        # params: of each point
        table: wp.array(dtype=params),
        # in:
        x: wp.array(dtype=t.position),
        # out: those before the step on entry
        Fp: wp.array2d(dtype=mat33d),
        alpha: wp.array2d(dtype=double),
    ):
        """Fp ← E Fp with det Fp = 1, α ← α + Δα."""
        e = start + wp.tid()
        m = alpha.shape[1]
        U = load(x, nodes, e)
        g = int(0)
        while g < q:
            E, more = law_flow(deformation(U, grad, scale, e, g), table[g * m + e])
            if more > real(0.0):
                D = mat33d()
                for i in range(3):
                    for j in range(3):
                        D[i, j] = double(E[i, j])
                D = D * Fp[g, e]
                Fp[g, e] = D * wp.pow(wp.determinant(D), double(-1.0 / 3.0))
                alpha[g, e] = alpha[g, e] + double(more)
            g += 1

    @t.kernel
    def derive(
        start: int,
        # mesh: ∇N at rest
        rest: wp.array2d(dtype=vec3),
        # params: of the law, then yield stress, hardening, limit, hardening beyond it, and viscosity [Pa s]
        columns: wp.array(dtype=given),
        of: wp.array(dtype=wp.int32),
        seconds: double,
        elastic: double,
        # in:
        Fp: wp.array2d(dtype=mat33d),
        alpha: wp.array2d(dtype=double),
        # out:
        grad: wp.array2d(dtype=vec3),
        table: wp.array(dtype=params),
    ):
        """∇N ← Fp⁻ᵀ ∇N, and each point's yield stress σ_y + H α, slope H + η/Δt and room; ``elastic`` > 0 is the first."""
        e = start + wp.tid()
        m = alpha.shape[1]
        c = row(columns, of, e)
        p = params()
        for i in range(width):
            p[i] = c[i]
        g = int(0)
        while g < q:
            turn = wp.transpose(wp.inverse(Fp[g, e]))
            for i in range(last):
                a = turn * vec3d(rest[g * last + i, e])
                grad[g * last + i, e] = vec3(a)
            if elastic > double(0.0):
                p[width - 4] = real(elastic)
            else:
                room = double(c[width - 2]) - alpha[g, e]
                beyond = double(c[width - 1]) * wp.max(-room, double(0.0))
                p[width - 4] = c[width - 4] + real(double(c[width - 3]) * alpha[g, e] + beyond)
                p[width - 3] = c[width - 3] + real(double(c[width]) / seconds)
                p[width - 2] = real(wp.max(room, double(0.0)))
            table[g * m + e] = p
            g += 1

    return SimpleNamespace(flow=flow, derive=derive)


def _build_additive(t: Types, law_flow: wp.Function, k: int, q: int, width: int) -> SimpleNamespace:
    law = width - ENTRIES
    real, vec3, params, given = t.real, t.vec3, t.vector(width), t.vector(law + OWN)
    double, mat33d, vec4 = wp.float64, wp.types.matrix((3, 3), wp.float64), t.vec4
    of_element = element_functions(t, k, Form.GENERAL)
    load, deformation = of_element.load, of_element.deformation
    row = row_function(t, given)

    @t.kernel
    def flow(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        # params: of the law, then yield strain, hardening, limit and time of creep; of each point
        columns: wp.array(dtype=given),
        of: wp.array(dtype=wp.int32),
        table: wp.array(dtype=params),
        seconds: double,
        # in:
        x: wp.array(dtype=t.position),
        # out: those before the step on entry
        Ep: wp.array2d(dtype=mat33d),
        alpha: wp.array2d(dtype=double),
    ):
        """E ← E + δE, α ← α + δα."""
        e = start + wp.tid()
        m = alpha.shape[1]
        U = load(x, nodes, e)
        c = row(columns, of, e)
        own = vec4(c[law], c[law + 1], c[law + 2], c[law + 3])
        g = int(0)
        while g < q:
            F = deformation(U, grad, scale, e, g)
            change, more = law_flow(F, table[g * m + e], own, real(seconds), real(alpha[g, e]))
            if more > real(0.0):
                D = mat33d()
                for i in range(3):
                    for j in range(3):
                        D[i, j] = double(change[i, j])
                Ep[g, e] = Ep[g, e] + double(0.5) * (D + wp.transpose(D))
                alpha[g, e] = alpha[g, e] + double(more)
            g += 1

    @t.kernel
    def derive(
        start: int,
        # params:
        columns: wp.array(dtype=given),
        of: wp.array(dtype=wp.int32),
        # in:
        Ep: wp.array2d(dtype=mat33d),
        # out:
        table: wp.array(dtype=params),
    ):
        """Each point's parameters: those of the law, and E."""
        e = start + wp.tid()
        m = Ep.shape[1]
        c = row(columns, of, e)
        p = params()
        for i in range(law):
            p[i] = c[i]
        g = int(0)
        while g < q:
            E = Ep[g, e]
            for i in range(3):
                p[law + i] = real(E[i, i])
            p[law + 3] = real(E[0, 1])
            p[law + 4] = real(E[0, 2])
            p[law + 5] = real(E[1, 2])
            table[g * m + e] = p
            g += 1

    return SimpleNamespace(flow=flow, derive=derive)
