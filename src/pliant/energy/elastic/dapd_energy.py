"""Elastic energy of tets that remember collapse (Dapd).

An element's memory is the rest direction of its collapse, 0 for none, and its F at the end of the last step. Within a step an
element that collapses takes the direction that it would be given at its end, so that forces are a function of positions.
"""

from __future__ import annotations

import numpy as np
import warp as wp

from ...elements.base import Elements
from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...material.base import Material
from ...material.laws.corotated import Corotated
from ...material.mean_stiffness import fitted_stiffness
from ...runtime.device import Device
from ..capabilities import Nonconservative
from ..memory import Memory, Parents, Remembers
from ..sensitivity import Slot
from .dapd_kernels import dapd_kernels
from .elastic_energy import GRAIN, ElasticEnergy


class DapdEnergy(Nonconservative, Remembers, ElasticEnergy):
    """Linear tetrahedra of Dapd. ``value`` is ψ of the strain in the frame of each, whose derivative is not the force where
    an element has collapsed, unless ``conservative`` says so."""

    @property
    def conservative(self) -> bool:
        return self.material.terms[0].conservative

    @property
    def symmetric(self) -> bool:
        return self.material.terms[0].symmetric

    @property
    def parameters(self) -> dict[str, Slot]:
        return {}

    def __init__(self, device: Device, elements: Elements, material: Material, first: int = 0, rows: np.ndarray | None = None):
        super().__init__(device, elements, material, first, rows)
        self.own = dapd_kernels(device.precision)
        self._rows, self._of = self.table, self.rows  # of the material
        self.table = device.zeros(self.count, self._rows.dtype)
        self.rows = device.array(np.arange(self.count), wp.int32)
        self.collapse = device.zeros(self.count, wp.vec3d)
        self.before = device.array(np.broadcast_to(np.eye(3), (self.count, 3, 3)), wp.mat33d)

    def _direct(self, x: wp.array, keep: bool = False) -> None:
        """Make the rows of parameters those of elements at x."""
        args = (self.nodes, self.grad, self.scale, self._rows, self._of, int(keep), x)
        self.device.launch(self.own.direct, self.count, *args, self.collapse, self.before, self.table, grain=GRAIN)

    # --- life

    @property
    def memory(self) -> Memory:
        return {"collapse": self.collapse, "before": self.before}

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """All of it: a cut leaves the elements in their places. On other elements it begins anew."""
        return {name: wp.clone(a) for name, a in self.memory.items()}

    def accept(self, x: wp.array, time: float) -> None:
        """Elements that have collapsed keep the direction in which they did."""
        self._direct(x, keep=True)

    def set_parameters(self, material: Material) -> None:
        table = material.table()
        alike = material.terms[0].kind == self.material.terms[0].kind
        self.check_same_law(material, alike and table.shape == (len(self._rows), self.material.width))
        self._rows.assign(table.astype(self.device.types.numpy))
        self.material = material
        self.version += 1

    # --- the verbs of elasticity, with the directions of elements at x

    def element_values(self, x: wp.array) -> np.ndarray:
        self._direct(x)
        return super().element_values(x)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._direct(x)
        super().evaluate(x, out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._direct(x)
        super().gradient(x, out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self._direct(x)
        super().evaluate_with_gradient(x, out, gradient)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._direct(x)
        super().tangent(x, d, out, project)

    def fill(self, x: wp.array, assembly: BlockGather, project: bool) -> None:
        self._direct(x)
        super().fill(x, assembly, project)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if self._turned is not None:  # or else ``fill`` sees to it
            self._direct(x)
        super().blocks(x, pattern, project)

    def element_mean(self, name: str, x: wp.array, point: int = -1) -> np.ndarray:
        self._direct(x)
        return super().element_mean(name, x, point)

    def laplacian_factors(self) -> np.ndarray:
        """That of the corotated law."""
        mu, lam = (np.broadcast_to(a, len(self._rows)) for a in self.material.moduli)
        k = fitted_stiffness(Corotated.from_lame(mu, lam), self.elements.dimension)
        return self.weights_times(k, self._of.numpy())
