"""Tethers: springs from embedded points to targets.

E = Σ k/2 |r|² with r = Σ N_i x_i − t, so f_i = −k N_i r and K_ij = k N_i N_j I (Patterson, Mitchell & Sifakis 2012, §5: bones).
"""

from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.base import Elements
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device, family
from ..base import Energy, OnElements
from ..capabilities import Fused
from ..point_sensitivity import point_sensitivity_kernels
from ..quadratic_bound import Majorised
from ..sensitivity import Differentiable, Slot


@family
def spring_kernels(t):
    real, vec3, position, mat33 = t.real, t.vec3, t.position, t.mat33

    @t.kernel_of({"x": vec3}, {"x": position})
    def spring_forces(
        start: int,
        # mesh: (k, points) nodes and their weights
        nodes: wp.array2d(dtype=wp.int32), weight: wp.array2d(dtype=real),
        # params:
        stiffness: wp.array(dtype=real), target: wp.array(dtype=position), of_nodes: real, of_target: real,
        # in:
        x: wp.array(dtype=Any),
        # out:
        value: wp.array(dtype=real), corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        """k N_i r with r = of_nodes Σ N_i x_i + of_target t, and k/2 |r|²."""
        p = start + wp.tid()
        off = wp.float64(of_target) * target[p]
        for i in range(nodes.shape[0]):
            off += wp.float64(of_nodes * weight[i, p]) * position(x[nodes[i, p]])
        r = vec3(off)
        value[p] = real(0.5) * stiffness[p] * wp.dot(r, r)
        for i in range(nodes.shape[0]):
            corner[i, p] = (stiffness[p] * weight[i, p]) * r

    @t.kernel
    def spring_blocks(
        start: int, weight: wp.array2d(dtype=real), stiffness: wp.array(dtype=real), bandwidth: wp.int32,
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        """Upper triangle of each point's matrix, pair by pair, up to ``bandwidth`` off the diagonal."""
        p = start + wp.tid()
        k = weight.shape[0]
        pair = int(0)
        for i in range(k):
            for j in range(i, wp.min(k, i + bandwidth + 1)):
                block[pair, p] = (stiffness[p] * weight[i, p] * weight[j, p]) * wp.identity(n=3, dtype=real)
                pair += 1

    return locals()


class TetherEnergy(OnElements, Fused, Majorised, Differentiable, Energy):
    """k/2 |Σ N_i x_i − target|² of points on the nodes (p, k) of a body with rest positions ``rest``, first row ``first``.

    ``weights`` (p, k) are the N_i, ``stiffness`` [N/m] one for all points or one each; ``target`` starts where they rest.
    """

    name = "held by springs"
    bounded = True
    recordable = ()  # no number of its launches changes

    def __init__(
        self, device: Device, rest: np.ndarray, nodes: np.ndarray, weights: np.ndarray, stiffness: float | np.ndarray,
        first: int = 0,
    ):  # fmt: skip
        none = np.zeros((len(nodes), 0, nodes.shape[1], 3))
        super().__init__(device, Elements(rest, nodes, none, none[:, :, 0, 0]), first)
        t = device.types
        self.weights, self.kernels = np.asarray(weights, float), spring_kernels(device.precision)
        self.constants = np.broadcast_to(np.asarray(stiffness, float), self.count)
        self.weight = device.array(self.weights.T, t.real)
        self.stiffness = device.array(self.constants, t.real)
        self.target = device.array(np.einsum("pk,pkc->pc", self.weights, rest[nodes]), t.position)

    def set_stiffness(self, stiffness: float | np.ndarray) -> None:
        """Change the stiffness [N/m], one for all points or one each."""
        self.constants = np.broadcast_to(np.asarray(stiffness, float), self.count)
        self.stiffness.assign(self.constants.astype(self.device.types.numpy))
        self.version += 1

    def aim(self, target: np.ndarray) -> None:
        """Move the targets (p, 3) [m]."""
        self.target.assign(np.asarray(target, float))

    def _forces(self, x: wp.array, of_nodes: float, of_target: float) -> None:
        mesh = (self.nodes, self.weight, self.stiffness, self.target)
        self.device.launch(
            self.kernels.spring_forces, self.count, *mesh, of_nodes, of_target, x, self.scalar, self.corner, grain=512
        )

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._forces(x, 1.0, -1.0)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._forces(x, 1.0, -1.0)
        self.gather(out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        self.add_values(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._forces(d, 1.0, 0.0)
        self.gather(out)

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        """b = Σ k N_i t: a quadratic form is its own bound."""
        self._forces(x, 0.0, 1.0)
        self.gather(out)
        return True

    def laplacian(self, count: int) -> sparse.csr_matrix:
        return self.assembled(np.einsum("p,pi,pj->pij", self.constants, self.weights, self.weights), count)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        parts = (self.weight, self.stiffness, self.bandwidth(self._assembly), self._assembly.parts)
        self.device.launch(self.kernels.spring_blocks, self.count, *parts, grain=256)
        self._assembly.add_to(pattern)

    @property
    def parameters(self) -> dict[str, Slot]:
        t = self.device.types
        return {"stiffness": Slot((self.count,), t.real), "target": Slot((self.count,), t.vec3)}

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        t = self.device.types
        out = (into.get("stiffness", self.device.none(t.real)), into.get("target", self.device.none(t.vec3)))
        springs = (self.nodes, self.weight, 0, self.stiffness, self.target)
        kernel = point_sensitivity_kernels(self.device.precision).of_springs
        self.device.launch(kernel, self.count, *springs, x, d, *out, grain=512)
