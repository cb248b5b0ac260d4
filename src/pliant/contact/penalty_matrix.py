"""Pairs of four points in a block matrix: of all the places for pairs, only those where something may touch."""

import numpy as np
import warp as wp

from ..device import Device, family
from ..linear.matrix import BlockGather, BlockMatrix
from .pairs import Pairs


@family
def penalty_matrix_kernels(t):
    real, mat33 = t.real, t.mat33

    @t.kernel
    def couple_chosen(
        start: int,
        # mesh: which pairs, and the weights of the nodes of each point
        chosen: wp.array(dtype=wp.int32),
        pairs: wp.array(dtype=wp.vec4i),
        mixture: wp.array2d(dtype=real),
        # in:
        weight: wp.array(dtype=wp.vec4d),
        stiffness: wp.array(dtype=wp.mat33d),
        # out: upper triangle over the nodes of the four points of each pair
        block: wp.array2d(dtype=mat33),
    ):
        i = start + wp.tid()
        q, w, K = pairs[chosen[i]], weight[chosen[i]], stiffness[chosen[i]]
        k = mixture.shape[0]
        row = int(0)
        for first in range(4 * k):
            one = w[first // k] * wp.float64(mixture[first % k, q[first // k]])
            for second in range(first, 4 * k):
                other = w[second // k] * wp.float64(mixture[second % k, q[second // k]])
                block[row, i] = mat33((one * other) * K)
                row += 1

    return locals()


def listed(pairs: Pairs) -> np.ndarray:
    """(m, 4) points of the pairs that are there, and not only room for one."""
    quads = pairs.pairs.numpy()
    return quads[quads[:, 0] != quads[:, 1]]


class ChosenPairs:
    """The stiffness of the pairs that are there, laid into a matrix of points on ``nodes`` (p, k) with ``weights`` (p, k)."""

    def __init__(self, device: Device, pattern: BlockMatrix, pairs: Pairs, nodes: np.ndarray, weights: np.ndarray):
        self.device, self.pairs, self.kernels = device, pairs, penalty_matrix_kernels(device.precision)
        quads = pairs.pairs.numpy()
        chosen = np.flatnonzero(quads[:, 0] != quads[:, 1])
        self.count, wide = len(chosen), 4 * nodes.shape[1]
        if self.count:
            self.chosen = device.array(chosen, wp.int32)
            cells = np.where(weights != 0, nodes, -1)[quads[chosen]].reshape(self.count, wide)
            upper = [(i, j) for i in range(wide) for j in range(i, wide)]
            self.gather = BlockGather(device, pattern, cells, upper)

    def couple(self, pattern: BlockMatrix, mixture: wp.array) -> None:
        """pattern.values += their stiffness; ``mixture`` (k, points) are the weights of the nodes."""
        if self.count:
            pairs = self.pairs
            mesh = (self.chosen, pairs.pairs, mixture, pairs.weight, pairs.stiffness)
            self.device.launch(self.kernels.couple_chosen, self.count, *mesh, self.gather.parts, grain=64)
            self.gather.add_to(pattern)
