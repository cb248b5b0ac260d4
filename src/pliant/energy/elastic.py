"""Elastic energy of one body: E(x) = Σ w ψ(F) over quadrature points."""

from __future__ import annotations

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..elements.base import Elements
from ..errors import InputError
from ..material.base import Material
from ..material.fit import fitted_stiffness
from .base import BlockGather, Energy, OnElements, Pattern
from .elastic_kernels import MEASURES, elastic_kernels
from .elastic_sensitivity import add_sensitivity
from .element_functions import on_device

GRAIN = 512  # elements per slice worth a thread


class ElasticEnergy(OnElements, Energy):
    """Elements of one material; ``first`` is the row of the body's first node in the scene, ``rows`` the parameter row
    of each element (or None for one row)."""

    name = "elastic"

    def __init__(
        self, device: Device, elements: Elements, material: Material, first: int = 0, rows: np.ndarray | None = None
    ):
        super().__init__(device, elements, first)
        self.material = material
        _m, q, k, _ = elements.gradients.shape
        t = device.types
        self.q = q
        self.kernels = elastic_kernels(material, k, q, elements.dimension, device.precision, elements.cubic)
        self.grad, self.scale = on_device(device, elements)
        self.weight = device.array(elements.weights.T, t.real)
        self.table = device.array(material.table(), t.vector(material.width))
        self.rows = device.array(np.zeros(1, np.int32) if rows is None else rows, wp.int32)

    @property
    def bounded(self) -> bool:
        """Whether no tangent exceeds the laplacian, as with projective laws."""
        return self.material.projective is not None

    def _mesh(self) -> tuple:
        return self.nodes, self.grad, self.scale, self.weight, self.table, self.rows

    def set_parameters(self, material: Material) -> None:
        """Change parameter values, keeping the law."""
        table = material.table()
        if material.key != self.material.key or table.shape != self.table.numpy().shape:
            raise InputError(
                f"cannot turn {self.material.key} into {material.key} in a running simulation; build a new one"
            )
        self.table.assign(table.astype(self.device.types.numpy))
        self.material = material
        self.version += 1

    def element_values(self, x: wp.array) -> np.ndarray:
        """(m,) energy of each element [J]."""
        self.device.launch(self.kernels.energy, self.count, *self._mesh(), x, self.scalar, grain=GRAIN)
        return self.scalar.numpy()

    def measure(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.energy, self.count, *self._mesh(), x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.gradient, self.count, *self._mesh(), x, self.corner, grain=GRAIN)
        self.gather(out)

    def measure_and_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.device.launch(
            self.kernels.energy_gradient, self.count, *self._mesh(), x, self.scalar, self.corner, grain=GRAIN
        )
        self.gather(gradient)
        self.add_values(out)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Σ w k ∇Nᵢ·∇Nⱼ with the stiffness k fitted to the law's stress over the stretches 0.5 to 1.5 (Eq 7.13–7.14)."""
        k = fitted_stiffness(self.material, self.elements.dimension)
        rows = self.rows.numpy() if len(self.rows) > 1 else np.zeros(self.count, int)
        g, w = self.elements.gradients, self.elements.weights * k[rows if len(k) > 1 else 0 * rows][:, None]
        blocks = np.einsum("mq,mqia,mqja->mij", w, g, g)
        return self.assembled(blocks, count)

    def project(self, x: wp.array, out: wp.array) -> bool:
        """out += J p(x): the local step of projective dynamics, each element giving w k p ∇Nᵢ to its corners (Eq 6.7)."""
        if self.material.projective is None:
            return False
        self.device.launch(self.kernels.projection, self.count, *self._mesh(), x, self.corner, grain=GRAIN)
        self.gather(out)
        return True

    def laplacian_product(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale L x of a projective law, through F, so that positions far from the origin lose no digits."""
        if getattr(self, "_product", None) != (scale, *self.stamp):
            k = np.broadcast_to(scale * self.material.projective, len(self.table))
            self._stiffness, self._product = self.device.array(k, self.device.types.real), (scale, *self.stamp)
        mesh = (self.nodes, self.grad, self.scale, self.weight, self._stiffness, self.rows)
        self.device.launch(self.kernels.laplacian, self.count, *mesh, x, self.corner, grain=GRAIN)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self.device.launch(
            self.kernels.tangent, self.count, *self._mesh(), int(project), x, d, self.corner, grain=GRAIN
        )
        self.gather(out)

    def element_measure(self, name: str, x: wp.array) -> np.ndarray:
        """(m,) one of ``MEASURES``, the mean over each element: "stress" (von Mises) and "pressure" (−tr σ/3) [Pa] of the
        Cauchy stress σ, the largest "stretch", "volume ratio" J."""
        what = MEASURES.index(name)
        self.device.launch(self.kernels.element_measure, self.count, *self._mesh(), what, x, self.scalar, grain=GRAIN)
        return self.scalar.numpy()

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> bool:
        if not self.material.barrier or self.elements.dimension != 3:
            return False  # sheets and threads find their own thickness, so they have no volume that could invert
        mesh = (self.nodes, self.grad, self.scale)
        self.device.launch(self.kernels.inversion, self.count, *mesh, x, d, self.scalar, grain=GRAIN)
        self.sums.least(out, self.scalar)
        return True

    def sensitivity(self, x: wp.array, d: wp.array) -> np.ndarray:
        """d · ∂²E/∂x∂p as (rows, parameters) of the material's table, summed over the elements of each row [J per unit]."""
        value = self.device.zeros(self.count, self.device.types.vector(self.material.width))
        shape = (self.k, self.q, self.elements.dimension, self.elements.cubic)
        add_sensitivity(self.device, self.material, shape, self._mesh(), x, d, value)
        found = value.numpy().astype(float)
        rows = self.rows.numpy()
        total = np.zeros(self.table.numpy().shape)
        np.add.at(total, rows if len(rows) > 1 else np.zeros(self.count, int), found)
        return total

    def fill(self, x: wp.array, assembly: BlockGather, project: bool) -> None:
        """Write the element matrices at x into ``assembly.parts``."""
        args = (*self._mesh(), int(project), self.reach(assembly), x, assembly.parts)
        self.device.launch(self.kernels.blocks, self.count, *args, grain=64)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        self.fill(x, self._assembly, project)
        self._assembly.add_to(pattern)
