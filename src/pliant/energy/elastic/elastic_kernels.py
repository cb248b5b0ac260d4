"""Elastic kernels, generic in nodes, quadrature points and law.

Arrays are laid out entry by entry (all first nodes, then all second nodes, …) so that neighbouring elements sit side by
side in memory. Each element writes what it gives to its corners; each node then sums its own list in a fixed order. Where the
threads of a block share that sum (linear/matrix/gather.py) the last block is full, and threads beyond the end do the
last element again.
"""

from types import SimpleNamespace

import warp as wp

from ...elements.base import Form
from ...material.base import Material
from ...material.functions import Functions
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ...runtime.math3 import cauchy, cofactor, largest_stretch, von_mises
from ..element_functions import element_functions, row_function
from .corotated_simd import build_lanes
from .corotational_pairs import build_turned
from .elastic_blocks import build_blocks, build_exact_blocks, build_polar_blocks

FIELDS = ("stress", "pressure", "stretch", "volume ratio")  # of elements
STRESS, PRESSURE, STRETCH, VOLUME_RATIO = (wp.constant(i) for i in range(4))
_BUILT: dict[tuple, SimpleNamespace] = {}


@alone
def elastic_kernels(
    material: Material, k: int, q: int, dimension: int, precision: str, form: Form = Form.GENERAL
) -> SimpleNamespace:
    """The kernels for one law on one element shape; compiled on first use, shared by all bodies alike."""
    key = (material.key, material.width, k, q, dimension, precision, form)
    if key not in _BUILT:
        t = Types(precision, f"elastic_{material.key}_{dimension}d_{form.named(k)}q{q}")
        if k > 4:
            t.module.options["max_unroll"] = 3  # or else the many corners and points take long to compile
        _BUILT[key] = build(t, material.functions(t, dimension), k, q, material.width, form)
    return _BUILT[key]


def build(t: Types, law: Functions, k: int, q: int, width: int, form: Form) -> SimpleNamespace:
    """Make the kernels; ``law`` holds the device functions of the material."""
    params = t.vector(width)
    of_element, row = element_functions(t, k, form), row_function(t, params)
    # only what flows differs from point to point
    of_point = _point_function(t, params, law.flow is not None and q > 1)

    def energy_and_stress(F: t.mat33, p: params):
        return law.energy(F, p), law.stress(F, p)

    # laws that share work between the two have a function for both
    both = law.energy_stress or t.function(f"energy_and_stress_{t.module.name}", energy_and_stress)

    own = SimpleNamespace(**vars(of_element), t=t, law=law, q=q, params=params, row=row, of_point=of_point, both=both)
    kernels = {**_value_kernels(own), **_measure_kernels(own)}
    kernels["gradient"] = _forces_kernel(own, law.stress, "gradient")
    kernels["tangent"] = _tangent_kernel(own)
    if law.linearise is not None or law.stiffness is not None:
        kernels["blocks"] = build_blocks(t, law, of_element, (row, of_point), k, q, params)
    if law.turned is not None and k == 4 and q == 1:
        kernels["turned_gradients"] = build_turned(t, law, of_element, (row, of_point), params)
    if law.lanes and k == 4 and q == 1 and form is Form.GENERAL:
        kernels |= build_lanes(t, law, of_element, row, both, params)
    if law.closed is not None:
        kernels["exact_blocks"] = build_exact_blocks(t, law, of_element, row, k, q, params)
    elif law.polar is not None and k == 4 and q == 1 and form is Form.GENERAL:
        kernels["exact_blocks"] = build_polar_blocks(t, law, of_element, (row, of_point), params)
    if law.projection is not None:
        # the local step of projective dynamics
        kernels["projection"] = _forces_kernel(own, law.projection, "projection")
        kernels["laplacian"] = _laplacian_kernel(own)
    return SimpleNamespace(**kernels)


def _point_function(t: Types, params: type, many: bool) -> wp.Function:
    def at_point(p: params, table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), m: int, e: int, g: int):
        """Parameters of point g, where each has its own: those of the first points of all m elements, then of the second, …"""
        own = p
        if of.shape[0] > m:
            own = table[of[g * m + e]]
        return own

    def same(p: params, table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), m: int, e: int, g: int):
        return p

    return t.function(f"point_{params._length_}_{int(many)}", at_point if many else same)


def _value_kernels(own: SimpleNamespace) -> dict:
    t, law, q, params, row, of_point, both = own.t, own.law, own.q, own.params, own.row, own.of_point, own.both
    real, vec3, load, deformation = t.real, t.vec3, own.load, own.deformation
    differences, collect, give = own.differences, own.collect, own.give

    @t.kernel
    def energy(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        value: wp.array(dtype=real),
    ):  # fmt: skip
        e = start + wp.tid()
        p = row(table, of, e)
        U = load(x, nodes, e)
        total = real(0.0)
        g = int(0)
        while g < q:
            p = of_point(p, table, of, nodes.shape[1], e, g)
            total += weight[g, e] * law.energy(deformation(U, grad, scale, e, g), p)
            g += 1
        value[e] = total

    @t.kernel
    def energy_gradient(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        value: wp.array(dtype=real), fold: wp.array(dtype=wp.int32), corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        """Both at once, for line searches that keep the gradient of the point they accept."""
        e = wp.min(start + wp.tid(), nodes.shape[1] - 1)
        p = row(table, of, e)
        U = load(x, nodes, e)
        B = differences()
        total = real(0.0)
        g = int(0)
        while g < q:
            p = of_point(p, table, of, nodes.shape[1], e, g)
            psi, P = both(deformation(U, grad, scale, e, g), p)
            total += weight[g, e] * psi
            B += collect(weight[g, e] * P, grad, scale, e, g)
            g += 1
        value[e] = total
        give(B, e, fold, corner)

    return {"energy": energy, "energy_gradient": energy_gradient}


def _forces_kernel(own: SimpleNamespace, of_stress: wp.Function, name: str) -> wp.Kernel:
    """The kernel of w P ∇Nᵢ at the corners."""
    t, q, params, row, of_point, differences = own.t, own.q, own.params, own.row, own.of_point, own.differences
    real, vec3, load, deformation, collect, give = t.real, t.vec3, own.load, own.deformation, own.collect, own.give

    def forces(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        fold: wp.array(dtype=wp.int32), corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        e = wp.min(start + wp.tid(), nodes.shape[1] - 1)
        p = row(table, of, e)
        U = load(x, nodes, e)
        B = differences()
        g = int(0)
        while g < q:
            p = of_point(p, table, of, nodes.shape[1], e, g)
            B += collect(weight[g, e] * of_stress(deformation(U, grad, scale, e, g), p), grad, scale, e, g)
            g += 1
        give(B, e, fold, corner)

    forces.__name__ = forces.__qualname__ = name
    return t.kernel(forces)


def _tangent_kernel(own: SimpleNamespace) -> wp.Kernel:
    t, law, q, params, row, of_point, differences = (
        own.t, own.law, own.q, own.params, own.row, own.of_point, own.differences,
    )  # fmt: skip
    vec3, mat33, load, deformation, change = t.vec3, t.mat33, own.load, own.deformation, own.change
    real, collect, give = t.real, own.collect, own.give

    @t.kernel
    def tangent(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), project: wp.int32,
        # in:
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3),
        # out:
        fold: wp.array(dtype=wp.int32), corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        e = wp.min(start + wp.tid(), nodes.shape[1] - 1)
        p = row(table, of, e)
        U = load(x, nodes, e)
        dU = load(d, nodes, e)
        B = differences()
        g = int(0)
        while g < q:
            p = of_point(p, table, of, nodes.shape[1], e, g)
            F = deformation(U, grad, scale, e, g)
            dF = change(dU, grad, scale, e, g)
            dP = mat33()
            if project != 0:  # noqa: SIM108 (a kernel would evaluate both)
                dP = law.projected(F, dF, p)
            else:
                dP = law.differential(F, dF, p)
            B += collect(weight[g, e] * dP, grad, scale, e, g)
            g += 1
        give(B, e, fold, corner)

    return tangent


def _measure_kernels(own: SimpleNamespace) -> dict:
    """Stresses and volumes of elements, and how far they may go."""
    t, law, q, params, row, of_point = own.t, own.law, own.q, own.params, own.row, own.of_point
    real, vec3, load, deformation, change = t.real, t.vec3, own.load, own.deformation, own.change

    @t.kernel
    def element_mean(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), what: wp.int32, point: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: mean over the element, or what it is at that point of it
        value: wp.array(dtype=real),
    ):  # fmt: skip
        """One of ``FIELDS``."""
        e = start + wp.tid()
        p = row(table, of, e)
        total = real(0.0)
        volume = real(0.0)
        U = load(x, nodes, e)
        g = int(0)
        while g < q:
            p = of_point(p, table, of, nodes.shape[1], e, g)
            F = deformation(U, grad, scale, e, g)
            here = real(0.0)
            if what == STRETCH:
                here = largest_stretch(F)
            elif what == VOLUME_RATIO:
                here = wp.determinant(F)
            else:
                sigma = cauchy(law.stress(F, p), F)
                if what == STRESS:  # noqa: SIM108 (a kernel would evaluate both)
                    here = von_mises(sigma)
                else:
                    here = -wp.trace(sigma) / real(3.0)
            if point < 0 or g == point:
                total += weight[g, e] * here
                volume += weight[g, e]
            g += 1
        value[e] = total / volume

    @t.kernel
    def turned(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=t.position),
        # out: number of points with det F ≤ 0
        value: wp.array(dtype=real),
    ):  # fmt: skip
        e = start + wp.tid()
        U = load(x, nodes, e)
        total = real(0.0)
        g = int(0)
        while g < q:
            if weight[g, e] > real(0.0) and not (wp.determinant(deformation(U, grad, scale, e, g)) > real(0.0)):
                total += real(1.0)
            g += 1
        value[e] = total

    @t.kernel
    def inversion(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3),
        # out: largest fraction of d, at most 1, up to which det F stays positive
        limit: wp.array(dtype=real),
    ):  # fmt: skip
        e = start + wp.tid()
        safe = real(1.0)
        U = load(x, nodes, e)
        dU = load(d, nodes, e)
        g = int(0)
        while g < q:
            F = deformation(U, grad, scale, e, g)
            D = change(dU, grad, scale, e, g)
            # det(F + a D) = c0 + c1 a + c2 a² + c3 a³
            c0 = wp.determinant(F)
            c1 = wp.ddot(cofactor(F), D)
            c2 = wp.ddot(cofactor(D), F)
            c3 = wp.determinant(D)
            floor = real(0.05) * c0
            a = real(0.0)
            blocked = bool(False)
            # walk in steps that cannot jump over a root, however long d is: no root of v + v₁t + v₂t² + v₃t³ is nearer than
            # half of 1/max(|v₁/v|, |v₂/v|^½, |v₃/v|^⅓) (Fujiwara 1916)
            turn = int(0)
            while turn < 60 and a < safe and not blocked:
                value = c0 + a * (c1 + a * (c2 + a * c3))
                if value <= floor:
                    blocked = True
                else:
                    v = value - real(0.5) * floor
                    first = wp.abs(c1 + a * (real(2.0) * c2 + real(3.0) * a * c3)) / v
                    second = wp.sqrt(wp.abs(c2 + real(3.0) * a * c3) / v)
                    third = wp.pow(wp.abs(c3) / v, real(1.0 / 3.0))
                    a = a + real(0.5) / wp.max(wp.max(first, second), wp.max(third, real(1.0e-30)))
                turn += 1
            safe = wp.min(safe, a)
            g += 1
        limit[e] = safe

    return {"element_mean": element_mean, "turned": turned, "inversion": inversion}


def _laplacian_kernel(own: SimpleNamespace) -> wp.Kernel:
    t, q, load, deformation, differences = own.t, own.q, own.load, own.deformation, own.differences
    real, vec3, collect, give = t.real, t.vec3, own.collect, own.give
    number = row_function(t, real)

    @t.kernel
    def laplacian(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params: k of each row
        stiffness: wp.array(dtype=real), of: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        fold: wp.array(dtype=wp.int32), corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        """w k F ∇Nᵢ at the corners: L x, element by element."""
        e = wp.min(start + wp.tid(), nodes.shape[1] - 1)
        share = number(stiffness, of, e)
        U = load(x, nodes, e)
        B = differences()
        g = int(0)
        while g < q:
            F = deformation(U, grad, scale, e, g)
            B += collect((weight[g, e] * share) * F, grad, scale, e, g)
            g += 1
        give(B, e, fold, corner)

    return laplacian
