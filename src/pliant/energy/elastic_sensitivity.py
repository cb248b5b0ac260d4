"""How elastic forces change with the material: d · ∂²E/∂x∂p, element by element.

Σ w (∂P/∂p : δF(d)) needs the derivative of the stress by the parameters only. For isotropic laws that of the principal
stresses g(s, p) is enough, so the singular value decomposition stays out of the automatic derivative.
"""

from types import SimpleNamespace

import warp as wp

from ..device import Types
from ..material.base import Material
from ..math3 import double_dot

_BUILT: dict[tuple, list[wp.Kernel]] = {}


def sensitivity_kernels(material: Material, k: int, q: int, dimension: int, precision: str) -> list[wp.Kernel]:
    """One kernel for the isotropic and one for each other part of a law, in modules of their own: most runs need none."""
    key = (material.key, material.width, k, q, dimension, precision)
    if key not in _BUILT:
        made = []
        count = len(getattr(material.functions(Types(precision, "types"), dimension), "parts", [None]))
        for i in range(count):
            module = f"sensitivity_{material.key}_{dimension}d_k{k}q{q}_{i}"
            t, differentiated = Types(precision, module), Types(precision, module, tag="_differentiated")
            called, derived = (_part(material.functions(u, dimension), i) for u in (t, differentiated))
            gradient = _part_gradient(called, derived, f"{material.key}_{dimension}_{i}", t, material.width)
            made.append(_build(t, gradient, k, q, material.width))
        _BUILT[key] = made
    return _BUILT[key]


def _part(law: SimpleNamespace, i: int) -> SimpleNamespace:
    return getattr(law, "parts", [law])[i]


def _part_gradient(called: SimpleNamespace, derived: SimpleNamespace, name: str, t: Types, width: int) -> wp.Function:
    """∂(P(F, p) : D)/∂p of one law, given its functions to call and the same ones to differentiate."""
    vec3, mat33, params = t.vec3, t.mat33, t.vector(width)
    if hasattr(called, "work_weights"):
        principal, work_weights = derived.principal, called.work_weights

        def work(s: vec3, w: vec3, p: params):
            g, _H = principal(s, p)
            return wp.dot(g, w)

        work = t.function(f"principal_work_{name}", work)

        def gradient(F: mat33, D: mat33, p: params):
            s, w = work_weights(F, D, p)
            _ds, _dw, dp = wp.grad(work)(s, w, p)
            return dp

    else:
        stress = derived.stress

        def work(F: mat33, D: mat33, p: params):
            return double_dot(stress(F, p), D)

        work = t.function(f"stress_work_{name}", work)

        def gradient(F: mat33, D: mat33, p: params):
            _dF, _dD, dp = wp.grad(work)(F, D, p)
            return dp

    return t.function(f"work_gradient_{name}", gradient)


def _build(t: Types, gradient: wp.Function, k: int, q: int, width: int) -> wp.Kernel:
    real, vec3, mat33, params = t.real, t.vec3, t.mat33, t.vector(width)
    last = k - 1

    @t.kernel
    def sensitivity(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=vec3),
        d: wp.array(dtype=vec3),
        # out: what this part of the law adds
        value: wp.array(dtype=params),
    ):
        e = start + wp.tid()
        r = int(0)
        if of.shape[0] > 1:
            r = of[e]
        p = table[r]
        total = params()
        for g in range(q):
            F = mat33()
            D = mat33()
            for i in range(last):
                b = grad[g * last + i, e]
                F += wp.outer(x[nodes[i, e]] - x[nodes[last, e]], b)
                D += wp.outer(d[nodes[i, e]] - d[nodes[last, e]], b)
            total += weight[g, e] * gradient(F, D, p)
        value[e] = value[e] + total

    return sensitivity
