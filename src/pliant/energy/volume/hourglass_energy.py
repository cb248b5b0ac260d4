"""Hourglass stabilisation of one-point cells (Patterson et al. 2012, §3.2).

E = μ ∫ ‖F‖² − ‖F(centre)‖² over the whole cell. With the signs s = ±1 of the corners, the modes a = Σ γᵢ xᵢ of
γ = s₁s₂, s₁s₃, s₂s₃ and s₁s₂s₃ give E = μ h [(|a₁₂|² + |a₁₃|² + |a₂₃|²)/24 + |a₁₂₃|²/48], a quadratic form that is the same
for every coordinate and vanishes for affine maps.
"""

from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.lattice.lattice import Lattice
from ...geometry.lattice.fragments import CORNERS
from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...material.base import Material
from ...material.mean_stiffness import fitted_stiffness
from ...material.parameter_gradients import Gradients, moduli_of, projective_of
from ...runtime.device import Device, family
from ..base import Energy, OnElements
from ..point_sensitivity import point_sensitivity_kernels
from ..quadratic_bound import Majorised
from ..sensitivity import Differentiable, Slot

_S = 2.0 * CORNERS - 1
_MODES = np.stack([_S[:, 0] * _S[:, 1], _S[:, 0] * _S[:, 2], _S[:, 1] * _S[:, 2], np.prod(_S, axis=1)])
# ∂²E/∂xᵢ∂xⱼ / (μ h)
SHAPE = np.einsum("k,ki,kj->ij", [1 / 12, 1 / 12, 1 / 12, 1 / 24], _MODES, _MODES)


@family
def hourglass_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    @t.kernel_of({"x": vec3}, {"x": t.position})
    def hourglass_forces(
        start: int,
        # mesh: (8, m) nodes; 8×8 matrix, row by row
        nodes: wp.array2d(dtype=wp.int32),
        shape: wp.array2d(dtype=real),
        # params: μ h of each cell
        stiffness: wp.array(dtype=real),
        scale: real,
        # in:
        x: wp.array(dtype=Any),
        # out:
        value: wp.array(dtype=real),
        corner: wp.array2d(dtype=vec3),
    ):
        e = start + wp.tid()
        base = x[nodes[7, e]]
        energy = real(0.0)
        for i in range(8):
            f = vec3()
            for j in range(7):  # rows of the matrix sum to zero
                f += shape[i, j] * vec3(x[nodes[j, e]] - base)
            f = (scale * stiffness[e]) * f
            corner[i, e] = f
            energy += real(0.5) * wp.dot(f, vec3(x[nodes[i, e]] - base))
        value[e] = energy

    @t.kernel
    def hourglass_blocks(
        start: int,
        # mesh:
        shape: wp.array2d(dtype=real),
        # params:
        stiffness: wp.array(dtype=real),
        bandwidth: wp.int32,
        # out: upper triangle of the element matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: wp.array2d(dtype=mat33),
    ):
        e = start + wp.tid()
        pair = int(0)
        for i in range(8):
            for j in range(i, wp.min(8, i + bandwidth + 1)):
                block[pair, e] = (stiffness[e] * shape[i, j]) * wp.identity(n=3, dtype=real)
                pair += 1

    return locals()


def shear_modulus(material: Material) -> np.ndarray:
    """(rows,) μ [Pa]: that of the laws which name one, else half the stiffness fitted to the stress."""
    return 0.5 * fitted_stiffness(material) if material.moduli is None else material.moduli[0]


def pulled_back_shear(material: Material, gradient: np.ndarray) -> Gradients:
    """Gradient by the parameters for that by ``shear_modulus``."""
    if material.moduli is not None:
        return material.pulled_back_from(moduli_of, np.stack([gradient, 0.0 * gradient], axis=-1))
    k = fitted_stiffness(material)
    least = 1e-3 * np.max(k) * (1 + 1e-12)  # at which softer rows are held
    return material.pulled_back_from(projective_of, 0.5 * gradient * (k > least))


class Hourglass(OnElements, Majorised, Differentiable, Energy):
    """Stabilisation of a lattice with one point per cell; ``rows`` as in ElasticEnergy."""

    name = "hourglass"
    recordable = ()  # no number of its launches changes
    bounded = True  # its tangent is its laplacian

    def __init__(self, device: Device, elements: Lattice, material: Material, first: int = 0, rows: np.ndarray | None = None):
        super().__init__(device, elements, first)
        self.rows, self.kernels = rows, hourglass_kernels(device.precision)
        self.shape = device.array(SHAPE, device.types.real)
        self.stiffness = device.array(self._stiffness(material), device.types.real)

    def _stiffness(self, material: Material) -> np.ndarray:
        """(m,) μ h [N/m]."""
        mu = shear_modulus(material)
        return np.broadcast_to(mu if len(mu) == 1 else mu[self.rows], self.count) * self.elements.spacing

    def pulled_back_stiffness(self, material: Material, gradient: np.ndarray) -> Gradients:
        """Gradient by the parameters for that by ``stiffness``."""
        by_cell, rows = gradient * self.elements.spacing, len(shear_modulus(material))
        of = np.zeros(self.count, int) if rows == 1 else self.rows
        return pulled_back_shear(material, np.bincount(of, by_cell, rows))

    def set_parameters(self, material: Material) -> None:
        self.stiffness.assign(self._stiffness(material).astype(self.device.types.numpy))
        self.version += 1

    def _forces(self, x: wp.array, scale: float = 1.0) -> None:
        mesh = (self.nodes, self.shape, self.stiffness, scale)
        self.device.launch(self.kernels.hourglass_forces, self.count, *mesh, x, self.scalar, self.corner, grain=512)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._forces(x)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._forces(x)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._forces(d)
        self.gather(out)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        blocks = self.stiffness.numpy().astype(float)[:, None, None] * SHAPE
        return self.assembled(blocks, count)

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        return True  # a quadratic form is its own bound, with nothing left over

    def laplacian_product(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale L x."""
        self._forces(x, scale)
        self.gather(out)

    def fill(self, x: wp.array, assembly: BlockGather, project: bool) -> None:
        """Write the element matrices into ``assembly.parts``."""
        parts = (self.shape, self.stiffness, self.bandwidth(assembly), assembly.parts)
        self.device.launch(self.kernels.hourglass_blocks, self.count, *parts, grain=256)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        self.fill(x, self._assembly, project)
        self._assembly.add_to(pattern)

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"stiffness": Slot((self.count,), self.device.types.real)}

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "stiffness" in into:
            kernel = point_sensitivity_kernels(self.device.precision).of_hourglass
            self.device.launch(kernel, self.count, self.nodes, self.shape, x, d, into["stiffness"], grain=512)
