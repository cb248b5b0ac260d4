"""Derivatives of elastic forces by material parameters: d · ∂²E/∂x∂p.

Σ w (∂P/∂p : δF(d)) needs the derivative of the stress by the parameters only. For isotropic laws that of the principal
stresses g(s, p) is enough: one kernel finds stretches s and weights w with ∂(P : D)/∂p = ∂(g·w)/∂p, another takes the
automatic derivative. They sit in modules of their own, because Warp makes no derivative of a function that the same
module already calls without one, and because most runs need neither.
"""

from types import SimpleNamespace

import warp as wp

from ...elements.base import Form
from ...material.base import Material
from ...material.functions import Functions
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types
from ...runtime.math3 import double_dot
from ..element_functions import element_functions, row_function

_BUILT: dict[tuple, list[SimpleNamespace]] = {}


def add_sensitivity(
    device: Device,
    material: Material,
    shape: tuple[int, int, int, bool],
    mesh: tuple,
    x: wp.array,
    d: wp.array,
    s: wp.array,
    w: wp.array,
    value: wp.array,
) -> None:
    """value += d · ∂²E/∂x∂p of each element; ``shape`` is nodes, points, dimension and form.

    ``s`` and ``w`` (points, elements) are written over. They belong to the caller, as launches are recorded with their arrays.
    """
    count = value.shape[0]
    for part in sensitivity_parts(material, shape, device.precision):
        if part.weights is None:
            device.launch(part.gradient, count, *mesh, x, d, value)
            continue
        device.launch(part.weights, count, *mesh, x, d, s, w)
        device.launch(part.gradient, count, *mesh[4:], s, w, value)


@alone
def sensitivity_parts(material: Material, shape: tuple[int, int, int, bool], precision: str) -> list[SimpleNamespace]:
    """Kernels for the isotropic part of a law and for each other one."""
    key = (material.key, material.width, *shape, precision)
    if key not in _BUILT:
        k, q, dimension, form = shape
        name = f"{material.key}_{dimension}d_{form.named(k)}q{q}"
        count = len(material.functions(Types(precision, "types"), dimension).terms)
        made = []
        for i in range(count):
            called, derived = (Types(precision, f"{kind}_{name}_{i}", f"_{kind}") for kind in ("weights", "sensitivity"))
            first, second = (material.functions(t, dimension).terms[i] for t in (called, derived))
            if first.work_weights is not None:
                weights = _weights_kernel(called, first, k, q, material.width, form)
                made.append(
                    SimpleNamespace(
                        weights=weights, gradient=_principal_kernel(derived, second, q, material.width, f"{name}_{i}")
                    )
                )
            else:
                gradient = _stress_kernel(derived, second, k, q, material.width, f"{name}_{i}", form)
                made.append(SimpleNamespace(weights=None, gradient=gradient))
        _BUILT[key] = made
    return _BUILT[key]


def _weights_kernel(t: Types, law: Functions, k: int, q: int, width: int, form: Form) -> wp.Kernel:
    real, vec3, params = t.real, t.vec3, t.vector(width)
    of_element, own_row = element_functions(t, k, form), row_function(t, params)
    load, deformation, change = of_element.load, of_element.deformation, of_element.change
    work_weights = law.work_weights

    @t.kernel
    def weights(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3),
        # out:
        s: wp.array2d(dtype=vec3),
        w: wp.array2d(dtype=vec3),
    ):
        e = start + wp.tid()
        U, V = load(x, nodes, e), load(d, nodes, e)
        for g in range(q):
            F, D = deformation(U, grad, scale, e, g), change(V, grad, scale, e, g)
            stretch, share = work_weights(F, D, own_row(table, of, e))
            s[g, e] = stretch
            w[g, e] = weight[g, e] * share

    return weights


def _principal_kernel(t: Types, law: Functions, q: int, width: int, name: str) -> wp.Kernel:
    vec3, params, principal = t.vec3, t.vector(width), law.principal
    own_row = row_function(t, params)

    def work(s: vec3, w: vec3, p: params):
        g, _H = principal(s, p)
        return wp.dot(g, w)

    work = t.function(f"principal_work_{name}", work)

    @t.kernel
    def gradient(
        start: int,
        # params:
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        # in:
        s: wp.array2d(dtype=vec3),
        w: wp.array2d(dtype=vec3),
        # out: what this part of the law adds
        value: wp.array(dtype=params),
    ):
        e = start + wp.tid()
        for g in range(q):
            _ds, _dw, dp = wp.grad(work)(s[g, e], w[g, e], own_row(table, of, e))
            value[e] = value[e] + dp

    return gradient


def _stress_kernel(t: Types, law: Functions, k: int, q: int, width: int, name: str, form: Form) -> wp.Kernel:
    real, vec3, mat33, params, stress = t.real, t.vec3, t.mat33, t.vector(width), law.stress
    of_element, own_row = element_functions(t, k, form), row_function(t, params)
    load, deformation, change = of_element.load, of_element.deformation, of_element.change

    def work(F: mat33, D: mat33, p: params):
        return double_dot(stress(F, p), D)

    work = t.function(f"stress_work_{name}", work)

    @t.kernel
    def gradient(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3),
        # out: what this part of the law adds
        value: wp.array(dtype=params),
    ):
        e = start + wp.tid()
        U, V = load(x, nodes, e), load(d, nodes, e)
        for g in range(q):
            F, D = deformation(U, grad, scale, e, g), change(V, grad, scale, e, g)
            _dF, _dD, dp = wp.grad(work)(F, D, own_row(table, of, e))
            value[e] = value[e] + weight[g, e] * dp

    return gradient
