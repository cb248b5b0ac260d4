"""Kernels of the elastic energy, generic in nodes k, quadrature points q and material law.

Arrays are laid out entry by entry (all first nodes, then all second nodes, …) so that neighbouring elements sit side by
side in memory. Each element writes what it gives to its corners; each node then sums its own list in a fixed order.
"""

from types import SimpleNamespace

import warp as wp

from ..device import Types
from ..material.base import Material
from ..math3 import cofactor, von_mises
from .elastic_blocks import build_blocks

_BUILT: dict[tuple, SimpleNamespace] = {}


def elastic_kernels(material: Material, k: int, q: int, dimension: int, precision: str) -> SimpleNamespace:
    """The kernels for one law on one element shape; compiled on first use, shared by all bodies alike."""
    key = (material.key, material.width, k, q, dimension, precision)
    if key not in _BUILT:
        t = Types(precision, f"elastic_{material.key}_{dimension}d_k{k}q{q}")
        _BUILT[key] = build(t, material.functions(t, dimension), k, q, material.width)
    return _BUILT[key]


def element_functions(t: Types, k: int) -> SimpleNamespace:
    """Device functions of an element with k nodes: its deformation gradient, and what a stress gives to its corners."""
    vec3, mat33 = t.vec3, t.mat33
    last = k - 1

    def edge(x: wp.array(dtype=vec3), nodes: wp.array2d(dtype=wp.int32), e: int, i: int):
        """xᵢ − x of the last node."""
        return x[nodes[i, e]] - x[nodes[last, e]]

    edge = t.function(f"edge_{k}", edge)

    def deformation(
        x: wp.array(dtype=vec3), nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), e: int, g: int
    ):
        """F = Σ (xᵢ − x_last) ⊗ ∇Nᵢ at quadrature point g."""
        F = wp.outer(edge(x, nodes, e, 0), grad[g * last, e])
        for i in range(1, last):
            F += wp.outer(edge(x, nodes, e, i), grad[g * last + i, e])
        return F

    deformation = t.function(f"deformation_{k}", deformation)

    def give(P: mat33, grad: wp.array2d(dtype=vec3), e: int, g: int, corner: wp.array2d(dtype=vec3)):
        """Add the corner forces P ∇Nᵢ of quadrature point g; the first point writes, the last corner takes the balance."""
        rest = vec3()
        for i in range(last):
            f = P * grad[g * last + i, e]
            rest -= f
            if g == 0:
                corner[i, e] = f
            else:
                corner[i, e] = corner[i, e] + f
        if g == 0:
            corner[last, e] = rest
        else:
            corner[last, e] = corner[last, e] + rest

    give = t.function(f"give_{k}", give)

    def corner_gradient(grad: wp.array2d(dtype=vec3), e: int, g: int, i: int):
        """∇Nᵢ at quadrature point g; the last one is minus the sum of the others."""
        a = vec3()
        if i < last:
            a = grad[g * last + i, e]
        else:
            for j in range(last):
                a -= grad[g * last + j, e]
        return a

    corner_gradient = t.function(f"corner_gradient_{k}", corner_gradient)

    return SimpleNamespace(edge=edge, deformation=deformation, give=give, corner_gradient=corner_gradient)


def build(t: Types, law: SimpleNamespace, k: int, q: int, width: int) -> SimpleNamespace:
    """Make the kernels; ``law`` holds the device functions of the material."""
    real, vec3, mat33, params = t.real, t.vec3, t.mat33, t.vector(width)
    last = k - 1

    of_element = element_functions(t, k)
    deformation, give = of_element.deformation, of_element.give

    def row(table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), e: int):
        """Parameters of element e: one row for all, or the row of its region."""
        r = int(0)
        if of.shape[0] > 1:
            r = of[e]
        return table[r]

    row = t.function(f"row_{width}", row)

    def energy_and_stress(F: mat33, p: params):
        return law.energy(F, p), law.stress(F, p)

    # laws that share work between the two have a function for both
    both = getattr(law, "energy_stress", t.function(f"energy_and_stress_{t.module.name}", energy_and_stress))

    @t.kernel
    def energy(
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
        # out:
        value: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        p = row(table, of, e)
        total = real(0.0)
        for g in range(q):
            total += weight[g, e] * law.energy(deformation(x, nodes, grad, e, g), p)
        value[e] = total

    @t.kernel
    def gradient(
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
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        e = start + wp.tid()
        p = row(table, of, e)
        for g in range(q):
            P = weight[g, e] * law.stress(deformation(x, nodes, grad, e, g), p)
            give(P, grad, e, g, corner)

    @t.kernel
    def energy_gradient(
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
        # out:
        value: wp.array(dtype=real),
        corner: wp.array2d(dtype=vec3),
    ):
        """Both at once, for line searches that keep the gradient of the point they accept."""
        e = start + wp.tid()
        p = row(table, of, e)
        total = real(0.0)
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            psi, P = both(F, p)
            total += weight[g, e] * psi
            P = weight[g, e] * P
            give(P, grad, e, g, corner)
        value[e] = total

    @t.kernel
    def tangent(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        project: wp.int32,
        # in:
        x: wp.array(dtype=vec3),
        d: wp.array(dtype=vec3),
        # out:
        corner: wp.array2d(dtype=vec3),
    ):
        e = start + wp.tid()
        p = row(table, of, e)
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            dF = deformation(d, nodes, grad, e, g)
            dP = mat33()
            if project != 0:  # noqa: SIM108 (a kernel would evaluate both)
                dP = law.projected(F, dF, p)
            else:
                dP = law.differential(F, dF, p)
            dP = weight[g, e] * dP
            give(dP, grad, e, g, corner)

    blocks = build_blocks(t, law, of_element, row, k, q, params)

    @t.kernel
    def stress_measure(
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
        # out: von Mises stress, mean over the element
        value: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        p = row(table, of, e)
        total = real(0.0)
        volume = real(0.0)
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            total += weight[g, e] * von_mises(law.stress(F, p), F)
            volume += weight[g, e]
        value[e] = total / volume

    @t.kernel
    def inversion(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        # in:
        x: wp.array(dtype=vec3),
        d: wp.array(dtype=vec3),
        # out: largest fraction of d, at most 1, up to which det F stays positive
        limit: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        safe = real(1.0)
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            D = deformation(d, nodes, grad, e, g)
            # det(F + a D) = c0 + c1 a + c2 a² + c3 a³
            c0 = wp.determinant(F)
            c1 = wp.ddot(cofactor(F), D)
            c2 = wp.ddot(cofactor(D), F)
            c3 = wp.determinant(D)
            floor = real(0.05) * c0
            a = real(0.0)
            found = bool(False)
            # walk in steps that cannot jump over a root, however long d is: no root of v + v₁t + v₂t² + v₃t³ is nearer than
            # half of 1/max(|v₁/v|, |v₂/v|^½, |v₃/v|^⅓) (Fujiwara 1916)
            turn = int(0)
            while turn < 60 and a < safe and not found:
                value = c0 + a * (c1 + a * (c2 + a * c3))
                if value <= floor:
                    found = True
                else:
                    v = value - real(0.5) * floor
                    first = wp.abs(c1 + a * (real(2.0) * c2 + real(3.0) * a * c3)) / v
                    second = wp.sqrt(wp.abs(c2 + real(3.0) * a * c3) / v)
                    third = wp.pow(wp.abs(c3) / v, real(1.0 / 3.0))
                    a = a + real(0.5) / wp.max(wp.max(first, second), wp.max(third, real(1.0e-30)))
                turn += 1
            safe = wp.min(safe, a)
        limit[e] = safe

    if hasattr(law, "projection"):
        nearest = law.projection

        @t.kernel
        def projection(
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
            # out:
            corner: wp.array2d(dtype=vec3),
        ):
            """w k p ∇Nᵢ at the corners: the local step of projective dynamics."""
            e = start + wp.tid()
            p = row(table, of, e)
            for g in range(q):
                give(weight[g, e] * nearest(deformation(x, nodes, grad, e, g), p), grad, e, g, corner)

        @t.kernel
        def laplacian(
            start: int,
            # mesh:
            nodes: wp.array2d(dtype=wp.int32),
            grad: wp.array2d(dtype=vec3),
            weight: wp.array2d(dtype=real),
            # params: k of each row
            stiffness: wp.array(dtype=real),
            of: wp.array(dtype=wp.int32),
            # in:
            x: wp.array(dtype=vec3),
            # out:
            corner: wp.array2d(dtype=vec3),
        ):
            """w k F ∇Nᵢ at the corners: L x, element by element."""
            e = start + wp.tid()
            r = int(0)
            if of.shape[0] > 1:
                r = of[e]
            for g in range(q):
                F = deformation(x, nodes, grad, e, g)
                give((weight[g, e] * stiffness[r]) * F, grad, e, g, corner)

    found = {n: v for n, v in locals().items() if isinstance(v, wp.Kernel)}
    return SimpleNamespace(**found)
