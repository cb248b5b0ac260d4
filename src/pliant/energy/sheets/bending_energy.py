"""Bending energy of plates, and their viscosity."""

from functools import cached_property

import numpy as np
import warp as wp
from scipy import sparse

from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...linear.matrix.sparsity_pattern import Pattern
from ...material.laws.bending_law import ViscousBending
from ...runtime.device import Device
from ..damping.damping_energy import StiffnessDamping
from ..damping.damping_sensitivity import OfBendingViscosity
from ..elastic.elastic_energy import ElasticEnergy
from .bending_matrix import PlateGather

FLOOR = {"f64": 1e-6, "f32": 1e-4}  # curvature times size of a triangle that positions can tell from none


class BendingEnergy(ElasticEnergy):
    """Of ``Plates`` under ``Bending``, one row for each; its bound is the flat plate, which the tangent never exceeds."""

    inversion = None  # the columns of F are curvatures, whose determinant says nothing
    flows = False  # whether the curvature at rest may change (bending_flow.py)

    @cached_property
    def curved(self) -> np.ndarray:
        """Plates that are curved at rest, or may come to be."""
        return np.flatnonzero(np.any(self.material.table()[:, 2:5] != 0, axis=1) | self.flows)

    def constant(self, count: int) -> sparse.csr_matrix | None:
        """The tangent of flat plates, numbers times I₃, with the entries that cancel; None where some are curved."""
        return None if self._own_matrices or len(self.curved) else self.element_laplacian(count).total

    def pattern(self, count: int) -> Pattern | None:
        """The entries of the laplacian, which has those of all tangents of flat plates; None where some are curved."""
        constant = self.constant(count)
        if constant is None:
            return None
        flat = constant.tocoo()
        keys = flat.row * np.int64(count) + flat.col
        alone = np.ones(count, bool)  # nodes that no plate has
        alone[flat.row] = False
        others = np.flatnonzero(alone).astype(np.int64) * (count + 1)
        return Pattern(count, [], np.insert(keys, np.searchsorted(keys, others), others))

    def column_weights(self) -> np.ndarray:
        """(m, 3) what the columns of F count for."""
        nu = self.material.table()[:, 1]
        return np.stack([1 + nu, 1 - nu, 1 - nu], axis=1)

    def laplacian_factors(self) -> np.ndarray:
        return self.material.table()[:, :1] * self.column_weights() * self.elements.weights

    @staticmethod
    def laplacian_blocks(gradients: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """(m, k, k) element matrices of plates that are flat at rest, each number standing for its multiple of I₃."""
        g = gradients[:, 0]
        return (factors[:, None] * g) @ g.transpose(0, 2, 1)

    def laplacian_product(self, scale: float, x: wp.array, out: wp.array) -> None:
        if getattr(self, "_product", None) != (scale, *self.stamp):
            flat = self.material.table()
            flat[:, 0] *= scale
            flat[:, 2:5] = 0.0
            self._flat, self._product = self.device.array(flat, self.table.dtype), (scale, *self.stamp)
        mesh = (self.nodes, self.grad, self.scale, self.weight, self._flat, self.rows)
        self._give(self.kernels.gradient, *mesh, x)
        self.gather(out)

    @property
    def _own_matrices(self) -> bool:
        """Whether the law has a stiffness matrix of its own, as that of viscosity has."""
        return hasattr(self.kernels, "blocks")

    def assembly(self, matrix: BlockMatrix) -> BlockGather | PlateGather:
        if self._own_matrices:
            return super().assembly(matrix)
        kept = self._assembly
        return kept if isinstance(kept, PlateGather) and kept.follows(matrix) else PlateGather(self, matrix)

    def fill(self, x: wp.array, assembly: BlockGather | PlateGather, project: bool) -> None:
        if self._own_matrices:
            super().fill(x, assembly, project)
        else:
            assembly.fill(x, project)


class BendingViscosity(OfBendingViscosity, StiffnessDamping):
    """D κ̇ of each plate, with ``stiffness`` D [J s] each, of a viscous stress 2η Ė: D = 2η t³/12.

    ``per_viscosity`` [m³] is D/η of each. Rates are those near the step's end, less what turns as a whole, so that to first order
    no rigid motion feels it.
    """

    name = "viscosity"

    per_viscosity: np.ndarray | float = 1.0

    def __init__(self, device: Device, bending: ElasticEnergy, stiffness: np.ndarray, count: int):
        m = bending.count
        self.parts_damped = bending.parts
        self._floor = FLOOR[device.precision] ** 2 / bending.elements.weights[:, 0]
        rows = np.arange(m) if m > 1 else None
        plates = BendingEnergy(device, bending.elements, self._law(stiffness), bending.first, rows)
        super().__init__(device, plates, 1.0, count)

    def _law(self, stiffness: np.ndarray) -> ViscousBending:
        m = len(self._floor)
        return ViscousBending(stiffness=np.broadcast_to(stiffness, m), rest=np.zeros((m, 3)), floor=self._floor)

    def set_factor(self, viscosity: float) -> None:
        """Change η [Pa s]."""
        self.elastic.set_parameters(self._law(viscosity * self.per_viscosity))
