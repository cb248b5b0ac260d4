"""Pairs of four points in a block matrix."""

import numpy as np
import warp as wp

from ..device import Device, family
from ..linear.matrix import BlockGather, BlockMatrix
from .pairs import Pairs


@family
def penalty_matrix_kernels(t):
    real, mat33 = t.real, t.mat33

    @t.kernel
    def couple_pairs(
        start: int,
        # mesh: pairs, and the weights of the nodes of each point
        pairs: wp.array(dtype=wp.vec4i),
        mixture: wp.array2d(dtype=real),
        # in:
        weight: wp.array(dtype=wp.vec4d),
        stiffness: wp.array(dtype=wp.mat33d),
        # out: upper triangle over the nodes of the four points of each pair
        block: wp.array2d(dtype=mat33),
    ):
        i = start + wp.tid()
        q, w, K = pairs[i], weight[i], stiffness[i]
        k = mixture.shape[0]
        row = int(0)
        for first in range(4 * k):
            one = w[first // k] * wp.float64(mixture[first % k, q[first // k]])
            for second in range(first, 4 * k):
                other = w[second // k] * wp.float64(mixture[second % k, q[second // k]])
                block[row, i] = mat33((one * other) * K)
                row += 1

    @t.kernel
    def couple_curved(
        start: int,
        # mesh: as above
        pairs: wp.array(dtype=wp.vec4i),
        mixture: wp.array2d(dtype=real),
        # in: block (a, b) of the four points in row 4 a + b
        whole: wp.array2d(dtype=wp.mat33d),
        # out:
        block: wp.array2d(dtype=mat33),
    ):
        i = start + wp.tid()
        q = pairs[i]
        k = mixture.shape[0]
        row = int(0)
        for first in range(4 * k):
            a = first // k
            for second in range(first, 4 * k):
                b = second // k
                share = wp.float64(mixture[first % k, q[a]]) * wp.float64(mixture[second % k, q[b]])
                block[row, i] = mat33(share * whole[4 * a + b, i])
                row += 1

    return locals()


class ChosenPairs:
    """The stiffness of the first ``count`` pairs, laid into a matrix of points on ``nodes`` (p, k) with ``weights`` (p, k)."""

    def __init__(
        self, device: Device, pattern: BlockMatrix, pairs: Pairs, count: int, nodes: np.ndarray, weights: np.ndarray
    ):
        self.device, self.pairs, self.kernels = device, pairs, penalty_matrix_kernels(device.precision)
        quads = pairs.pairs.numpy()[:count]
        self.count, wide = count, 4 * nodes.shape[1]
        if count:
            cells = np.where(weights != 0, nodes, -1)[quads].reshape(count, wide)
            upper = [(i, j) for i in range(wide) for j in range(i, wide)]
            self.gather = BlockGather(device, pattern, cells, upper)

    def couple(self, pattern: BlockMatrix, mixture: wp.array, whole: wp.array | None = None) -> None:
        """pattern.values += their stiffness; ``mixture`` (k, points) has the weights of nodes, ``whole`` all blocks of pairs."""
        if self.count:
            pairs = self.pairs
            of = (pairs.weight, pairs.stiffness) if whole is None else (whole,)
            kernel = self.kernels.couple_pairs if whole is None else self.kernels.couple_curved
            self.device.launch(kernel, self.count, pairs.pairs, mixture, *of, self.gather.parts, grain=64)
            self.gather.add_to(pattern)

    def forget(self) -> None:
        """Others take their place: drop the launches that hold these."""
        if self.count:
            self.device.forget(self.gather.parts, self.gather.targets)
