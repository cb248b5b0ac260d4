"""What contact adds to a constant matrix: the stiffness of the nodes that touch, factored anew where it has become another."""

import numpy as np
import warp as wp

from ..device import family
from ..linear.glued import Glued
from ..linear.prefactored import Prefactored
from ..vectors import Sums
from .objective import Objective

LITTLE = 0.05  # of what the matrix has at a node, below which the stiffness of contact is left out


@family
def node_stiffness_kernels(t):
    real = t.real
    reals = wp.array(dtype=real)

    @t.kernel
    def compare(
        start: int,
        # params: what is too little, and the stiffness that the matrix has
        least: reals,
        used: reals,
        # in: blocks of the nodes that touch
        blocks: wp.array(dtype=t.mat33),
        # out: the stiffness of each node, and 1 where it differs
        stiffness: reals,
        differs: reals,
    ):
        """A power of 2 near the largest stiffness, so that it stays the same while nodes stick and slip in turn."""
        i = start + wp.tid()
        K = blocks[i]
        now = real(0.0)
        for row in range(3):
            now = wp.max(now, wp.abs(K[row, 0]) + wp.abs(K[row, 1]) + wp.abs(K[row, 2]))
        near = wp.pow(real(2.0), wp.round(wp.log2(wp.max(now, real(1.0e-30)))))
        now = wp.where(now > least[i], near, real(0.0))
        stiffness[i] = now
        differs[i] = wp.where(now == used[i], real(0.0), real(1.0))

    return locals()


class NodeStiffness:
    """The stiffness of contact in a factored matrix, alike along all axes: k for a node that k n nᵀ holds."""

    def __init__(self, objective: Objective):
        self.objective, self.device = objective, objective.device
        self.energies = [energy for energy in objective.energies if energy.touches]
        real, n = self.device.types.real, objective.count
        self.used, self.least, self.stiffness, self.differs = (self.device.zeros(n, real) for _ in range(4))
        self.sums, self.total = Sums(self.device, np.array([0, n])), self.device.zeros((1, 2), wp.float64)
        self._read_total = self.device.reader(self.total)
        self.version: tuple | None = None  # which matrix has what ``used`` says

    def take(self, matrix: Prefactored | Glued, x: wp.array) -> None:
        """Bring ``matrix`` to what touches at x; one number is read back where that is what touched before."""
        if self.energies:
            if self.version != (matrix, matrix.factorisations):
                self.version = matrix, matrix.factorisations
                self.used.assign(matrix.stiffness.astype(self.device.types.numpy))
                self.least.assign((LITTLE * matrix.diagonal).astype(self.device.types.numpy))
                if not self.device.is_cpu and isinstance(matrix, Prefactored):
                    matrix.stiffen(self.used)  # so that the first contact finds all of it compiled and recorded
            diagonal = self.objective.matrix(diagonal=True)
            self.objective.replay(lambda: self._compare(x), "touching", x, diagonal.values)
            if self._read_total()[0, 0] > 0:
                self.device.copy(self.stiffness, self.used)
                matrix.stiffen(self.used)

    def _compare(self, x: wp.array) -> None:
        diagonal = self.objective.matrix(diagonal=True)
        diagonal.clear()
        for energy in self.energies:
            energy.blocks(x, diagonal)
        out = (self.stiffness, self.differs)
        kernel = node_stiffness_kernels(self.device.precision).compare
        self.device.launch(kernel, self.objective.count, self.least, self.used, diagonal.values, *out)
        self.device.clear(self.total)
        self.sums.add_to(self.total, 1.0, self.sums.kernels.sum_chunk, self.differs)
