"""Volume of whole elements: E = Σ κ/2 W M̄², with the measure M averaged over each element before it is squared (Eq 4–6).

Points that must each keep their volume lock a trilinear cell; its mean does not. M is log J or J − 1, and M̄ either the mean
of M over the element's points (Eq 5) or M of the mean J̄ (Eq 6).
"""

from types import SimpleNamespace

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device, Types
from ..elements.base import Elements
from ..elements.quadrature import Averaged
from ..errors import InputError
from ..math3 import cofactor, cofactor_differential, double_dot
from .base import BlockGather, Energy, OnElements, Pattern
from .elastic_kernels import element_functions

GRAIN = 256
LEAST = 0.1  # J below which log J is continued by a parabola
_BUILT: dict[tuple, SimpleNamespace] = {}


def volume_kernels(k: int, q: int, measure: Averaged, precision: str) -> SimpleNamespace:
    key = (k, q, measure, precision)
    if key not in _BUILT:
        name = f"volume_k{k}q{q}_{'log' if measure.logarithm else 'linear'}{'_aggregate' if measure.aggregate else ''}"
        _BUILT[key] = build(Types(precision, name), k, q, measure)
    return _BUILT[key]


def build(t: Types, k: int, q: int, measure: Averaged) -> SimpleNamespace:
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    of = element_functions(t, k)
    deformation, give, corner_gradient = of.deformation, of.give, of.corner_gradient
    logarithm, aggregate = measure.logarithm, measure.aggregate
    meshes, reals, nodes_ = wp.array2d(dtype=vec3), wp.array2d(dtype=real), wp.array2d(dtype=wp.int32)

    def measured(J: real):
        """M(J), M′(J) and M″(J)."""
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

    measured = t.function(f"measured_{t.module.name}", measured)

    def mean(x: wp.array(dtype=vec3), nodes: nodes_, grad: meshes, weight: reals, e: int):
        """M̄, M′(J̄) and M″(J̄) (1 and 0 where the measure itself is averaged), and W."""
        total = real(0.0)
        W = real(0.0)
        for g in range(q):
            J = wp.determinant(deformation(x, nodes, grad, e, g))
            if not aggregate:
                J, _slope, _curvature = measured(J)
            total += weight[g, e] * J
            W += weight[g, e]
        value = total / W
        slope = real(1.0)
        curvature = real(0.0)
        if aggregate:
            value, slope, curvature = measured(value)
        return value, slope, curvature, W

    mean = t.function(f"mean_volume_{t.module.name}", mean)

    @t.kernel
    def energy(start: int, nodes: nodes_, grad: meshes, weight: reals, kappa: wp.array(dtype=real),
               x: wp.array(dtype=vec3), value: wp.array(dtype=real)):  # fmt: skip
        e = start + wp.tid()
        M, _slope, _curvature, W = mean(x, nodes, grad, weight, e)
        value[e] = real(0.5) * kappa[e] * W * M * M

    @t.kernel
    def gradient(start: int, nodes: nodes_, grad: meshes, weight: reals, kappa: wp.array(dtype=real),
                 x: wp.array(dtype=vec3), corner: meshes):  # fmt: skip
        """P = p M′ cof F at each point, with the pressure p = κ M̄ of the element."""
        e = start + wp.tid()
        M, outer, _curvature, _W = mean(x, nodes, grad, weight, e)
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            slope = outer
            if not aggregate:
                _value, slope, _second = measured(wp.determinant(F))
            give(weight[g, e] * kappa[e] * M * slope * cofactor(F), grad, e, g, corner)

    @t.kernel
    def tangent(start: int, nodes: nodes_, grad: meshes, weight: reals, kappa: wp.array(dtype=real), project: wp.int32,
                x: wp.array(dtype=vec3), d: wp.array(dtype=vec3), corner: meshes):  # fmt: skip
        """δP = δp M′ cof F + p (M″ δJ cof F + M′ δcof F); only the first, which is never negative, where it must not be."""
        e = start + wp.tid()
        M, outer, second, W = mean(x, nodes, grad, weight, e)
        change = real(0.0)  # δM̄, or δJ̄ where that is what is averaged
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            slope = real(1.0)
            if not aggregate:
                _value, slope, _curvature = measured(wp.determinant(F))
            change += weight[g, e] * slope * double_dot(cofactor(F), deformation(d, nodes, grad, e, g)) / W
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            D = deformation(d, nodes, grad, e, g)
            K = cofactor(F)
            slope = outer
            bend = second * change
            if not aggregate:
                _value, slope, curvature = measured(wp.determinant(F))
                bend = curvature * double_dot(K, D)
            dP = kappa[e] * outer * change * slope * K
            if project == 0:
                dP += kappa[e] * M * (bend * K + slope * cofactor_differential(F, D))
            give(weight[g, e] * dP, grad, e, g, corner)

    @t.kernel
    def blocks(start: int, nodes: nodes_, grad: meshes, weight: reals, kappa: wp.array(dtype=real), project: wp.int32,
               reach: wp.int32, x: wp.array(dtype=vec3), out: wp.array2d(dtype=mat33)):  # fmt: skip
        """Upper triangle of the element matrix; ∂²J/∂xᵢ∂xⱼ is −[F (∇Nᵢ × ∇Nⱼ)]×."""
        e = start + wp.tid()
        M, outer, second, W = mean(x, nodes, grad, weight, e)
        row = int(0)
        for i in range(k):
            for j in range(i, wp.min(k, i + reach + 1)):
                a = vec3()
                b = vec3()
                H = mat33()
                for g in range(q):
                    F = deformation(x, nodes, grad, e, g)
                    K = cofactor(F)
                    gi = corner_gradient(grad, e, g, i)
                    gj = corner_gradient(grad, e, g, j)
                    slope = real(1.0)
                    curvature = real(0.0)
                    if not aggregate:
                        _value, slope, curvature = measured(wp.determinant(F))
                    w = weight[g, e]
                    a += w * slope * (K * gi)
                    b += w * slope * (K * gj)
                    if project == 0:
                        p = kappa[e] * M * outer * w
                        H += p * (curvature * wp.outer(K * gi, K * gj) - slope * wp.skew(F * wp.cross(gi, gj)))
                # δp with p = κ M̄, and for the aggregate the bend of M at J̄
                stiff = kappa[e] * outer * outer / W
                if project == 0:
                    stiff += kappa[e] * M * second / W
                out[row, e] = H + stiff * wp.outer(a, b)
                row += 1

    found = {n: v for n, v in locals().items() if isinstance(v, wp.Kernel)}
    return SimpleNamespace(**found)


class AveragedVolume(OnElements, Energy):
    """κ/2 W M̄² of each element; ``kappa`` [Pa] one for all or one each, ``first`` the row of the body's first node."""

    name = "volume"
    bounded = False

    def __init__(
        self, device: Device, elements: Elements, kappa: float | np.ndarray, measure: Averaged, first: int = 0
    ):
        if elements.dimension != 3:
            raise InputError(f"{type(elements).__name__} has no volume to keep; expected solid elements")
        super().__init__(device, elements, first)
        m, k = elements.nodes.shape
        q, t = elements.gradients.shape[1], device.types
        self.kernels = volume_kernels(k, q, measure, device.precision)
        self.grad = device.array(elements.gradients[:, :, :-1].reshape(m, q * (k - 1), 3).transpose(1, 0, 2), t.vec3)
        self.weight = device.array(elements.weights.T, t.real)
        self.kappa = device.array(np.broadcast_to(kappa, m), t.real)

    def set_modulus(self, kappa: float | np.ndarray) -> None:
        self.kappa.assign(np.broadcast_to(kappa, self.count).astype(self.device.types.numpy))
        self.version += 1

    def _mesh(self) -> tuple:
        return self.nodes, self.grad, self.weight, self.kappa

    def measure(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.energy, self.count, *self._mesh(), x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.gradient, self.count, *self._mesh(), x, self.corner, grain=GRAIN)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        args = (*self._mesh(), int(project), x, d, self.corner)
        self.device.launch(self.kernels.tangent, self.count, *args, grain=GRAIN)
        self.gather(out)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Σ κ W b·b with b the mean gradient of each node: a bound of ∂M̄/∂x near rest, the same along each axis."""
        mean = np.einsum("mq,mqia->mia", self.elements.weights, self.elements.gradients) / self.elements.volumes[:, None, None]
        scale = self.kappa.numpy().astype(float) * self.elements.volumes
        blocks = np.einsum("m,mia,mja->mij", scale, mean, mean)
        return self.assembled(blocks, count)

    def fill(self, x: wp.array, assembly: BlockGather, project: bool) -> None:
        """Write the element matrices at x into ``assembly.parts``."""
        args = (*self._mesh(), int(project), self.reach(assembly), x, assembly.parts)
        self.device.launch(self.kernels.blocks, self.count, *args, grain=16)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        self.fill(x, self._assembly, project)
        self._assembly.add_to(pattern)
