"""Embedded points p = Σ w_j x_j, and forces back on nodes.

Every node sums its own list of points in a fixed order, so that results do not depend on threads.
"""

from typing import Any

import numpy as np
import warp as wp

from ..linear.matrix.block_matrix import BlockGather, BlockMatrix
from ..linear.matrix.gather import gather_lists
from ..runtime.device import Device, family


@family
def carrier_kernels(t):
    real, vec3, position, mat33 = t.real, t.vec3, t.position, t.mat33

    @t.kernel_of({"x": vec3, "out": vec3}, {"x": position, "out": position}, {"x": vec3, "out": position})
    def carry_points(
        start: int,
        # mesh: (k, points) nodes and their weights
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=Any),
        # out:
        out: wp.array(dtype=Any),
    ):
        p = start + wp.tid()
        total = position()
        for j in range(nodes.shape[0]):
            total += wp.float64(weight[j, p]) * position(x[nodes[j, p]])
        out[p] = out.dtype(total)

    @t.kernel_of({"values": vec3}, {"values": position})
    def spread_points(
        start: int,
        # mesh: for each node with points, where they begin in the list of points and weights
        targets: wp.array(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        points: wp.array(dtype=wp.int32),
        weight: wp.array(dtype=real),
        # in:
        values: wp.array(dtype=Any),
        # out:
        out: wp.array(dtype=vec3),
    ):
        n = start + wp.tid()
        total = vec3()
        for i in range(starts[n], starts[n + 1]):
            total += weight[i] * vec3(values[points[i]])
        at = targets[n]
        out[at] = out[at] + total

    @t.kernel
    def soften_points(
        start: int,
        # mesh: as above
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array2d(dtype=real),
        # in:
        compliance: wp.array(dtype=wp.float64),
        # out:
        out: wp.array(dtype=wp.float64),
    ):
        p = start + wp.tid()
        total = wp.float64(0.0)
        for j in range(nodes.shape[0]):
            w = wp.float64(weight[j, p])
            total += w * w * compliance[nodes[j, p]]
        out[p] = total

    @t.kernel
    def least_of_points(
        start: int,
        # mesh: as above
        targets: wp.array(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        points: wp.array(dtype=wp.int32),
        # in:
        values: wp.array(dtype=wp.float64),
        # out:
        out: wp.array(dtype=wp.float64),
    ):
        n = start + wp.tid()
        least = out[targets[n]]
        for i in range(starts[n], starts[n + 1]):
            least = wp.min(least, values[points[i]])
        out[targets[n]] = least

    @t.kernel
    def spread_blocks(
        start: int,
        # mesh:
        weight: wp.array2d(dtype=real),
        # in:
        bandwidth: wp.int32,
        own: wp.array(dtype=mat33),
        # out: upper triangle of each point's matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: wp.array2d(dtype=mat33),
    ):
        p = start + wp.tid()
        k = weight.shape[0]
        pair = int(0)
        for i in range(k):
            for j in range(i, wp.min(k, i + bandwidth + 1)):
                block[pair, p] = (weight[i, p] * weight[j, p]) * own[p]
                pair += 1

    return locals()


class EmbeddedPoints:
    """p points on the nodes (p, k) of a scene with weights (p, k); 0 where a point needs fewer nodes."""

    def __init__(self, device: Device, nodes: np.ndarray, weights: np.ndarray):
        self.device, self.kernels = device, carrier_kernels(device.precision)
        self.nodes, self.weights = np.asarray(nodes), np.asarray(weights, float)
        self.count, self.k = self.nodes.shape
        real = device.types.real
        self.device_nodes, self.device_weights = (
            device.array(self.nodes.T, wp.int32),
            device.array(self.weights.T, real),
        )
        point, column = np.nonzero(self.weights)
        used, inverse = np.unique(self.nodes[point, column], return_inverse=True)
        starts, order = gather_lists(inverse, len(used))
        self._targets, self._starts = device.array(used, wp.int32), device.array(starts, wp.int32)
        self._points = device.array(point[order], wp.int32)
        self._shares = device.array(self.weights[point, column][order], real)
        self._assembly: BlockGather | None = None

    def carry(self, x: wp.array, out: wp.array) -> None:
        """out[p] = Σ w_j x_j."""
        self.device.launch(self.kernels.carry_points, self.count, self.device_nodes, self.device_weights, x, out, grain=1024)

    def spread(self, values: wp.array, out: wp.array) -> None:
        """out[n] += Σ w_n values over the points that ride on node n."""
        lists = (self._targets, self._starts, self._points, self._shares)
        self.device.launch(self.kernels.spread_points, self._targets.shape[0], *lists, values, out, grain=1024)

    def soften(self, compliance: wp.array, out: wp.array) -> None:
        """out[p] = Σ w_j² of the compliance of the nodes."""
        given = (self.device_nodes, self.device_weights, compliance, out)
        self.device.launch(self.kernels.soften_points, self.count, *given, grain=1024)

    def take_least(self, values: wp.array, out: wp.array) -> None:
        """out[n] = the least of it and the values at the points that ride on node n."""
        lists = (self._targets, self._starts, self._points)
        self.device.launch(self.kernels.least_of_points, len(self._targets), *lists, values, out, grain=1024)

    def attach(self, pattern: BlockMatrix) -> None:
        """Prepare ``blocks`` for this sparsity pattern."""
        if self._assembly is not None and self._assembly.matrix is pattern:
            return
        self._bandwidth = 0 if pattern.is_diagonal else self.k - 1
        pairs = [(i, j) for i in range(self.k) for j in range(i, min(self.k, i + self._bandwidth + 1))]
        self._assembly = BlockGather(self.device, pattern, self.nodes, pairs)

    def blocks(self, own: wp.array, pattern: BlockMatrix) -> None:
        """pattern.values += w_i w_j times each point's own matrix."""
        parts = (self.device_weights, self._bandwidth, own, self._assembly.parts)
        self.device.launch(self.kernels.spread_blocks, self.count, *parts, grain=256)
        self._assembly.add_to(pattern)
