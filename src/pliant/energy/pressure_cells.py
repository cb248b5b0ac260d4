"""Pressure inside solid elements: E = −p ∫ det F, the volume that the deformed surface encloses.

By the divergence theorem the force is p times the deformed area vector of the cut surface, wherever it passes through the cells.
The integral takes the points of the elements, so −p cof F joins their stress point by point and a uniform state stays uniform.
"""

from types import SimpleNamespace

import numpy as np
import warp as wp

from ..device import Device, Types
from ..elements.base import Elements
from ..math3 import cofactor, cofactor_differential
from .base import Energy, OnElements, Pattern
from .elastic_kernels import element_functions

GRAIN = 512
_BUILT: dict[tuple, SimpleNamespace] = {}


def cell_pressure_kernels(k: int, q: int, precision: str) -> SimpleNamespace:
    key = (k, q, precision)
    if key not in _BUILT:
        _BUILT[key] = build(Types(precision, f"cell_pressure_k{k}q{q}"), k, q)
    return _BUILT[key]


def build(t: Types, k: int, q: int) -> SimpleNamespace:
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    of = element_functions(t, k)
    deformation, give, corner_gradient = of.deformation, of.give, of.corner_gradient
    nodes_, vectors, reals = wp.array2d(dtype=wp.int32), wp.array2d(dtype=vec3), wp.array2d(dtype=real)

    @t.kernel
    def energy(
        start: int,
        # mesh:
        nodes: nodes_,
        grad: vectors,
        weight: reals,
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        # out:
        value: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        total = real(0.0)
        for g in range(q):
            total += weight[g, e] * wp.determinant(deformation(x, nodes, grad, e, g))
        value[e] = -pressure[0] * total

    @t.kernel
    def gradient(
        start: int,
        # mesh:
        nodes: nodes_,
        grad: vectors,
        weight: reals,
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        # out:
        corner: vectors,
    ):
        e = start + wp.tid()
        for g in range(q):
            give(-pressure[0] * weight[g, e] * cofactor(deformation(x, nodes, grad, e, g)), grad, e, g, corner)

    @t.kernel
    def tangent(
        start: int,
        # mesh:
        nodes: nodes_,
        grad: vectors,
        weight: reals,
        # params:
        pressure: wp.array(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        d: wp.array(dtype=vec3),
        # out:
        corner: vectors,
    ):
        e = start + wp.tid()
        for g in range(q):
            change = cofactor_differential(deformation(x, nodes, grad, e, g), deformation(d, nodes, grad, e, g))
            give(-pressure[0] * weight[g, e] * change, grad, e, g, corner)

    @t.kernel
    def blocks(
        start: int,
        # mesh:
        nodes: nodes_,
        grad: vectors,
        weight: reals,
        # params:
        pressure: wp.array(dtype=real),
        reach: wp.int32,
        # in:
        x: wp.array(dtype=vec3),
        # out: upper triangle of the element matrix, pair by pair, up to ``reach`` off the diagonal
        block: wp.array2d(dtype=mat33),
    ):
        """∂²J/∂xᵢ∂xⱼ is −[F (∇Nᵢ × ∇Nⱼ)]×."""
        e = start + wp.tid()
        for g in range(q):
            F = deformation(x, nodes, grad, e, g)
            pair = int(0)
            for i in range(k):
                a = corner_gradient(grad, e, g, i)
                for j in range(i, wp.min(k, i + reach + 1)):
                    K = pressure[0] * weight[g, e] * wp.skew(F * wp.cross(a, corner_gradient(grad, e, g, j)))
                    if g == 0:
                        block[pair, e] = K
                    else:
                        block[pair, e] = block[pair, e] + K
                    pair += 1

    return SimpleNamespace(**{n: v for n, v in locals().items() if isinstance(v, wp.Kernel)})


class CellPressure(OnElements, Energy):
    """Constant pressure [Pa] inside solid elements. Its tangent is left out when projecting."""

    name = "pressure"

    def __init__(self, device: Device, elements: Elements, pressure: float, first: int = 0):
        super().__init__(device, elements, first)
        m, k = elements.nodes.shape
        q, t = elements.gradients.shape[1], device.types
        self.kernels = cell_pressure_kernels(k, q, device.precision)
        self.grad = device.array(elements.gradients[:, :, :-1].reshape(m, q * (k - 1), 3).transpose(1, 0, 2), t.vec3)
        self.weight = device.array(elements.weights.T, t.real)
        self.pascals = device.array(np.array([pressure]), t.real)

    def set(self, pressure: float) -> None:
        self.pascals.fill_(pressure)

    def _mesh(self) -> tuple:
        return self.nodes, self.grad, self.weight, self.pascals

    def measure(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.energy, self.count, *self._mesh(), x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.gradient, self.count, *self._mesh(), x, self.corner, grain=GRAIN)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if not project:
            self.device.launch(self.kernels.tangent, self.count, *self._mesh(), x, d, self.corner, grain=GRAIN)
            self.gather(out)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        if not project:
            args = (*self._mesh(), self.reach(self._assembly), x, self._assembly.parts)
            self.device.launch(self.kernels.blocks, self.count, *args, grain=64)
            self._assembly.add_to(pattern)
