"""Energies that act on each node by itself: inertia, dead forces, tethers to moving targets, and the mouse's grab."""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device, family
from ..vectors import Vectors
from .base import REACH, Energy, Pattern, Tethers


@family
def point_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    @t.kernel
    def pull_gradient(
        start: int,
        # params:
        scale: real,
        stiffness: wp.array(dtype=real),
        target: wp.array(dtype=vec3),
        # in:
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        out[i] = out[i] + scale * stiffness[i] * (x[i] - target[i])

    @t.kernel
    def pull_tangent(
        start: int,
        # params:
        scale: real,
        stiffness: wp.array(dtype=real),
        # in:
        d: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        out[i] = out[i] + scale * stiffness[i] * d[i]

    @t.kernel
    def pull_blocks(
        start: int,
        # mesh:
        diagonal: wp.array(dtype=wp.int32),
        # params:
        scale: real,
        stiffness: wp.array(dtype=real),
        # out:
        values: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        at = diagonal[i]
        values[at] = values[at] + scale * stiffness[i] * wp.identity(n=3, dtype=real)

    @t.kernel
    def subtract(start: int, f: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = out[i] - f[i]

    @t.kernel
    def grab_value(
        start: int,
        # params: (points, REACH) nodes, weights; stiffness, target and group of each point
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array2d(dtype=real),
        stiffness: wp.array(dtype=real),
        target: wp.array(dtype=vec3),
        group: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array2d(dtype=wp.float64),
    ):
        for p in range(nodes.shape[0]):
            at = -target[p]
            for k in range(nodes.shape[1]):
                at += weight[p, k] * x[nodes[p, k]]
            value = wp.float64(real(0.5) * stiffness[p] * wp.dot(at, at))
            out[group[p], 0] = out[group[p], 0] + value
            out[group[p], 1] = out[group[p], 1] + value

    @t.kernel
    def pull_target(
        start: int,
        # params:
        scale: real,
        stiffness: wp.array(dtype=real),
        target: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        out[i] = out[i] + scale * stiffness[i] * target[i]

    @t.kernel
    def add(start: int, f: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = out[i] + f[i]

    @t.kernel
    def grab_gradient(
        start: int,
        # params: (points, REACH) nodes, weights; stiffness and target of each point
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array2d(dtype=real),
        stiffness: wp.array(dtype=real),
        target: wp.array(dtype=vec3),
        relative: real,
        # in:
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        # points may share nodes, so one thread serves them all; ``relative`` 1 gives the gradient, 0 the tangent product
        for p in range(nodes.shape[0]):
            at = -relative * target[p]
            for k in range(nodes.shape[1]):
                at += weight[p, k] * x[nodes[p, k]]
            for k in range(nodes.shape[1]):
                n = nodes[p, k]
                out[n] = out[n] + (stiffness[p] * weight[p, k]) * at

    @t.kernel
    def grab_blocks(
        start: int,
        # mesh: (points, REACH²) entries of the pattern
        entry: wp.array2d(dtype=wp.int32),
        # params:
        weight: wp.array2d(dtype=real),
        stiffness: wp.array(dtype=real),
        # out:
        values: wp.array(dtype=mat33),
    ):
        for p in range(entry.shape[0]):
            wide = weight.shape[1]
            for k in range(entry.shape[1]):
                n = entry[p, k]
                if n >= 0:
                    w = stiffness[p] * weight[p, k // wide] * weight[p, k % wide]
                    values[n] = values[n] + w * wp.identity(n=3, dtype=real)

    return locals()


class Pull(Energy):
    """scale/2 Σ kᵢ |xᵢ − targetᵢ|²: inertia (k = mass) and drag."""

    def __init__(
        self, device: Device, stiffness: np.ndarray, target: wp.array | None = None, name: str = "attachments"
    ):
        super().__init__(device)
        self.name, self.scale = name, 1.0
        self.count = len(stiffness)
        self.kernels = point_kernels(device.precision)
        self.vectors = Vectors(device, self.count)
        self.stiffness = device.array(stiffness, device.types.real)
        self.target = self.vectors.new() if target is None else target
        self.version = 0

    def set_stiffness(self, stiffness: np.ndarray) -> None:
        self.stiffness.assign(np.asarray(stiffness, dtype=self.device.types.numpy))
        self.version += 1

    def measure(self, x: wp.array, out: wp.array) -> None:
        self.sums.add_to(out, 0.5 * self.scale, self.sums.kernels.weighted_chunk, self.stiffness, x, self.target)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.pull_gradient, self.count, self.scale, self.stiffness, self.target, x, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self.device.launch(self.kernels.pull_tangent, self.count, self.scale, self.stiffness, d, out)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        self.device.launch(
            self.kernels.pull_blocks, self.count, pattern.device_diagonal, self.scale, self.stiffness, pattern.values
        )

    def laplacian(self, count: int) -> sparse.csr_matrix:
        return sparse.diags(self.scale * self.stiffness.numpy().astype(float)).tocsr()

    def project(self, x: wp.array, out: wp.array) -> bool:
        self.device.launch(self.kernels.pull_target, self.count, self.scale, self.stiffness, self.target, out)
        return True

    @property
    def stamp(self) -> tuple:
        return self.scale, self.version

    @property
    def baked(self) -> tuple:
        return (self.scale,)


class DeadForces(Energy):
    """−Σ fᵢ·xᵢ for forces that do not depend on the positions: gravity and loads."""

    def __init__(self, device: Device, forces: np.ndarray, name: str = "loads"):
        super().__init__(device)
        self.name, self.count = name, len(forces)
        self.kernels = point_kernels(device.precision)
        self.vectors = Vectors(device, self.count)
        self.forces = device.array(forces, device.types.vec3)

    def set(self, forces: np.ndarray) -> None:
        self.forces.assign(np.asarray(forces, dtype=self.device.types.numpy))

    def measure(self, x: wp.array, out: wp.array) -> None:
        self.sums.add_to(out, -1.0, self.sums.kernels.dot_chunk, self.forces, x)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.subtract, self.count, self.forces, out)

    def project(self, x: wp.array, out: wp.array) -> bool:
        self.device.launch(self.kernels.add, self.count, self.forces, out)
        return True


class Grabs(Energy):
    """½ k |Σ wⱼ xⱼ − target|² for a few points that hang on up to ``REACH`` nodes each: the mouse's springs."""

    name = "grab"

    def __init__(self, device: Device):
        super().__init__(device)
        self.kernels = point_kernels(device.precision)
        self.points: dict[int, tuple[np.ndarray, np.ndarray, float, np.ndarray]] = {}
        self.pattern: Pattern | None = None
        self.version = 0  # counts changes of anything but the targets
        self._kept: dict[tuple[str, int], wp.array] = {}
        self._upload()

    def put(self, handle: int, nodes: np.ndarray, weights: np.ndarray, stiffness: float, target: np.ndarray) -> None:
        old = self.points.get(handle)
        self.points[handle] = (nodes, weights, stiffness, target)
        if old is None or old[2] != stiffness or not all(np.array_equal(a, b) for a, b in zip(old, (nodes, weights))):
            self.version += 1
        self._upload()

    def drop(self, handle: int) -> None:
        self.version += self.points.pop(handle, None) is not None
        self._upload()

    def _upload(self) -> None:
        t, count = self.device.types, len(self.points)
        nodes, weights = np.zeros((count, REACH), np.int32), np.zeros((count, REACH))
        for row, (n, w, _, _) in enumerate(self.points.values()):
            nodes[row, : len(n)], weights[row, : len(w)] = n, w
            nodes[row, len(n) :] = n[0]
        self._nodes, self._weights = nodes, weights
        stiffness = np.array([p[2] for p in self.points.values()])
        target = np.array([p[3] for p in self.points.values()]).reshape(-1, 3)
        group = np.zeros(count) if self.bounds is None else np.searchsorted(self.bounds, nodes[:, 0], "right") - 1
        data = {"nodes": nodes, "weight": weights, "stiffness": stiffness, "target": target, "group": group}
        kinds = {"nodes": wp.int32, "weight": t.real, "stiffness": t.real, "target": t.vec3, "group": wp.int32}
        for name, values in data.items():
            self._put(name, values, kinds[name])
        if self.pattern is not None:
            self.attach(self.pattern)

    def attach(self, pattern: Pattern) -> None:
        self.pattern = pattern
        rows = np.repeat(self._nodes, REACH, axis=1)
        self._put("entry", pattern.find(rows, np.tile(self._nodes, (1, REACH))).reshape(-1, REACH * REACH), wp.int32)

    def _put(self, name: str, values: np.ndarray, kind: type) -> None:
        """Write into the array kept for this many points, so that recorded launches stay valid as hands come and go."""
        key = (name, len(values))
        if key in self._kept and len(values):
            self._kept[key].assign(np.asarray(values, dtype=self._kept[key].numpy().dtype))
        else:
            self._kept[key] = self.device.array(values, kind)
        setattr(self, name, self._kept[key])

    def measure(self, x: wp.array, out: wp.array) -> None:
        if self.points:
            self.device.launch(
                self.kernels.grab_value, 1, self.nodes, self.weight, self.stiffness, self.target, self.group, x, out
            )

    @property
    def baked(self) -> tuple:
        return (self.version,)

    @property
    def tethers(self) -> Tethers | None:
        if not self.points:
            return None
        stiffness = np.array([p[2] for p in self.points.values()])
        return Tethers(self._nodes, self._weights, stiffness, self.version)

    def _apply(self, d: wp.array, relative: float, out: wp.array) -> None:
        if self.points:
            self.device.launch(
                self.kernels.grab_gradient, 1, self.nodes, self.weight, self.stiffness, self.target, relative, d, out
            )

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._apply(x, 1.0, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._apply(d, 0.0, out)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        if self.points:
            self.device.launch(self.kernels.grab_blocks, 1, self.entry, self.weight, self.stiffness, pattern.values)

    def project(self, x: wp.array, out: wp.array) -> bool:
        return not self.points  # its springs are not in the laplacian
