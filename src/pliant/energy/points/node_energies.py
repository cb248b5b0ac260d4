"""Node energies: inertia, drag and dead forces."""

from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...linear.matrix.block_matrix import BlockMatrix
from ...linear.matrix.cg_native import fetch_function
from ...runtime.device import Device, family
from ...runtime.vectors import Vectors
from ..base import Energy
from ..point_sensitivity import point_sensitivity_kernels
from ..quadratic_bound import Majorised
from ..sensitivity import Differentiable, Slot


@family
def point_kernels(t):
    real, vec3, position, mat33 = t.real, t.vec3, t.position, t.mat33
    fetch_diagonal = fetch_function(t)

    @t.kernel
    def pull_gradient(
        start: int, factor: real, stiffness: wp.array(dtype=real), target: wp.array(dtype=position),
        x: wp.array(dtype=position), out: wp.array(dtype=vec3),
    ):  # fmt: skip
        i = start + wp.tid()
        out[i] = out[i] + factor * stiffness[i] * vec3(x[i] - target[i])

    @t.kernel
    def pull_tangent(
        start: int, factor: real, stiffness: wp.array(dtype=real), d: wp.array(dtype=vec3), out: wp.array(dtype=vec3)
    ):
        i = start + wp.tid()
        out[i] = out[i] + factor * stiffness[i] * d[i]

    @t.kernel
    def pull_blocks(
        start: int, diagonal: wp.array(dtype=wp.int32), factor: real, stiffness: wp.array(dtype=real),
        values: wp.array(dtype=mat33),
    ):  # fmt: skip
        i = start + wp.tid()
        fetch_diagonal(i, diagonal, values)
        at = diagonal[i]
        values[at] = values[at] + factor * stiffness[i] * wp.identity(n=3, dtype=real)

    @t.kernel
    def subtract(start: int, f: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = out[i] - f[i]

    @t.kernel
    def grab_value(
        start: int,
        # params: (points, MOST_NODES) nodes, weights; stiffness, target and group of each point
        nodes: wp.array2d(dtype=wp.int32), weight: wp.array2d(dtype=real), stiffness: wp.array(dtype=real),
        target: wp.array(dtype=position), group: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=position),
        # out:
        out: wp.array2d(dtype=wp.float64),
    ):  # fmt: skip
        for p in range(nodes.shape[0]):
            at = -target[p]
            for k in range(nodes.shape[1]):
                at += wp.float64(weight[p, k]) * x[nodes[p, k]]
            away = vec3(at)
            value = wp.float64(real(0.5) * stiffness[p] * wp.dot(away, away))
            out[group[p], 0] = out[group[p], 0] + value
            out[group[p], 1] = out[group[p], 1] + value

    @t.kernel
    def pull_target(
        start: int, factor: real, stiffness: wp.array(dtype=real), target: wp.array(dtype=position),
        out: wp.array(dtype=vec3),
    ):  # fmt: skip
        i = start + wp.tid()
        out[i] = out[i] + factor * stiffness[i] * vec3(target[i])

    @t.kernel
    def add(start: int, f: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = out[i] + f[i]

    @t.kernel_of({"x": vec3}, {"x": position})
    def grab_gradient(
        start: int,
        # params: (points, MOST_NODES) nodes, weights; stiffness and target of each point
        nodes: wp.array2d(dtype=wp.int32), weight: wp.array2d(dtype=real), stiffness: wp.array(dtype=real),
        target: wp.array(dtype=position), relative: wp.float64,
        # in:
        x: wp.array(dtype=Any),
        # out:
        out: wp.array(dtype=vec3),
    ):  # fmt: skip
        # points may share nodes, so one thread serves them all; ``relative`` 1 gives the gradient, 0 the tangent product
        for p in range(nodes.shape[0]):
            at = -relative * target[p]
            for k in range(nodes.shape[1]):
                at += wp.float64(weight[p, k]) * position(x[nodes[p, k]])
            for k in range(nodes.shape[1]):
                n = nodes[p, k]
                out[n] = out[n] + (stiffness[p] * weight[p, k]) * vec3(at)

    @t.kernel
    def grab_blocks(
        start: int,
        # mesh: (points, MOST_NODES²) entries of the pattern
        entry: wp.array2d(dtype=wp.int32),
        # params:
        weight: wp.array2d(dtype=real), stiffness: wp.array(dtype=real),
        # out:
        values: wp.array(dtype=mat33),
    ):  # fmt: skip
        for p in range(entry.shape[0]):
            wide = weight.shape[1]
            for k in range(entry.shape[1]):
                n = entry[p, k]
                if n >= 0:
                    w = stiffness[p] * weight[p, k // wide] * weight[p, k % wide]
                    values[n] = values[n] + w * wp.identity(n=3, dtype=real)

    return locals()


class Pull(Majorised, Differentiable, Energy):
    """factor/2 Σ kᵢ |xᵢ − targetᵢ|²: inertia (k = mass) and drag; ``towards`` names the array of a step that is the target."""

    bounded = True
    towards = "target"

    def __init__(self, device: Device, stiffness: np.ndarray, target: wp.array | None = None, name: str = "pull"):
        super().__init__(device)
        self.name, self.factor = name, 1.0
        self.count = len(stiffness)
        self.kernels = point_kernels(device.precision)
        self.vectors = Vectors(device, self.count)
        self.stiffness = device.array(stiffness, device.types.real)
        self.target = self.vectors.positions() if target is None else target
        self.version = 0

    def set_stiffness(self, stiffness: np.ndarray) -> None:
        self.stiffness.assign(np.asarray(stiffness, dtype=self.device.types.numpy))
        self.version += 1

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.sums.add_to(out, 0.5 * self.factor, self.sums.kernels.weighted_chunk, self.stiffness, x, self.target)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.pull_gradient, self.count, self.factor, self.stiffness, self.target, x, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self.device.launch(self.kernels.pull_tangent, self.count, self.factor, self.stiffness, d, out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        self.device.launch(
            self.kernels.pull_blocks, self.count, pattern.device_diagonal, self.factor, self.stiffness, pattern.values
        )

    def laplacian(self, count: int) -> sparse.csr_matrix:
        return sparse.diags(self.factor * self.stiffness.numpy().astype(float)).tocsr()

    def laplacian_rows(self, nodes: np.ndarray, count: int) -> sparse.csr_matrix:
        values = self.factor * self.stiffness.numpy()[nodes].astype(float)
        return sparse.csr_matrix((values, nodes, np.arange(len(nodes) + 1)), shape=(len(nodes), count))

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        self.device.launch(self.kernels.pull_target, self.count, self.factor, self.stiffness, self.target, out)
        return True

    @property
    def stamp(self) -> tuple:
        return self.factor, self.version

    @property
    def recordable(self) -> tuple:
        return (self.factor,)

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"stiffness": Slot((self.count,), self.device.types.real)}

    @property
    def past(self) -> dict[str, Slot]:
        return {self.towards: Slot(None, self.device.types.vec3)}

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "stiffness" in into:
            kernel = point_sensitivity_kernels(self.device.precision).of_pull
            self.device.launch(kernel, self.count, self.factor, self.target, x, d, into["stiffness"])

    def history(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if self.towards in into:
            kernel = point_sensitivity_kernels(self.device.precision).of_target
            self.device.launch(kernel, self.count, self.factor, self.stiffness, d, into[self.towards])


class DeadForces(Majorised, Differentiable, Energy):
    """−Σ fᵢ·xᵢ for forces that do not depend on the positions: gravity and loads."""

    bounded = True
    recordable = ()  # no number of its launches changes

    def __init__(self, device: Device, forces: np.ndarray, name: str = "loads"):
        super().__init__(device)
        self.name, self.count = name, len(forces)
        self.kernels = point_kernels(device.precision)
        self.vectors = Vectors(device, self.count)
        self.forces = device.array(forces, device.types.vec3)

    def set(self, forces: np.ndarray) -> None:
        self.forces.assign(np.asarray(forces, dtype=self.device.types.numpy))

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.sums.add_to(out, -1.0, self.sums.kernels.dot_chunk, self.forces, x)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.subtract, self.count, self.forces, out)

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        self.device.launch(self.kernels.add, self.count, self.forces, out)
        return True

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"forces": Slot((self.count,), self.device.types.vec3)}

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "forces" in into:
            self.device.launch(self.kernels.subtract, self.count, d, into["forces"])
