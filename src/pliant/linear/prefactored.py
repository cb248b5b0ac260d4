"""A scalar matrix factored once and applied to the three coordinates of every node."""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device, family
from ..energy.base import Tethers
from .cholesky.factor import factorise
from .cholesky.symbolic import analyse


@family
def tether_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def reach(
        start: int,
        nodes: wp.array2d(dtype=wp.int32),
        weights: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        # out: Uᵀ x
        out: wp.array(dtype=vec3),
    ):
        j = start + wp.tid()
        total = vec3()
        for k in range(nodes.shape[1]):
            total += weights[j, k] * x[nodes[j, k]]
        out[j] = total

    @t.kernel
    def take_back(
        start: int,
        # params: A⁻¹U S⁻¹ (r, n)
        spread: wp.array2d(dtype=real),
        # in: Uᵀ x
        reached: wp.array(dtype=vec3),
        # out: x −= A⁻¹U S⁻¹ Uᵀ x
        x: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        total = x[i]
        for j in range(spread.shape[0]):
            total -= spread[j, i] * reached[j]
        x[i] = total

    return locals()


class Prefactored:
    """A⁻¹ on (n,) vec3 arrays, for a symmetric positive definite n×n matrix A whose values change rarely.

    ``positions`` (n, 3) of the nodes guide the elimination order; without them it comes from the graph alone. ``stamp``
    tells one set of values from another. Springs that come and go need no factorisation: they lean on the factor by
    Woodbury's identity, (A + UKUᵀ)⁻¹ = A⁻¹ − A⁻¹U S⁻¹UᵀA⁻¹ with S = K⁻¹ + UᵀA⁻¹U, at one solve for each.
    """

    def __init__(
        self, device: Device, matrix: sparse.csr_matrix, stamp: tuple = (), positions: np.ndarray | None = None
    ):
        self.device, self.positions = device, positions
        self.kernels = tether_kernels(device.precision)
        self._analyse(matrix)
        self.stamp, self.tethers, self._leaning, self.version = stamp, None, None, 0
        self._kept: dict[int, tuple[wp.array, ...]] = {}

    def _analyse(self, matrix: sparse.csr_matrix) -> None:
        self._pattern = (matrix.indptr, matrix.indices)
        analysis = analyse(matrix, positions=self.positions)
        self.factor = factorise(
            analysis, matrix, precision=self.device.precision, device=self.device.name, threads=self.device.threads
        )
        self.factorisations = 1

    def refactor(self, matrix: sparse.csr_matrix, stamp: tuple = ()) -> None:
        """Take other values; a pattern that has changed as well is analysed anew."""
        if all(np.array_equal(a, b) for a, b in zip(self._pattern, (matrix.indptr, matrix.indices))):
            self.factor.refactor(matrix)
            self.factorisations += 1
        else:
            self._analyse(matrix)
        self.stamp = stamp

    def lean(self, tethers: Tethers | None) -> None:
        """Add springs to the matrix, in place of those that it had."""
        state = (self.stamp, tethers.version) if tethers is not None else None
        if state == self._leaning:
            return
        self._leaning, self.tethers = state, tethers
        self.version += 1
        if tethers is None:
            return
        n, r = self.factor.analysis.count, len(tethers.nodes)
        U = np.zeros((n, r))
        for j in range(r):
            np.add.at(U[:, j], tethers.nodes[j], tethers.weights[j])
        W = self.factor.solve(U)
        S = np.diag(1 / tethers.stiffness) + U.T @ W
        t = self.device.types
        if r not in self._kept:  # one set for each number of springs, so that recorded launches stay valid
            shapes = (((r, 4), wp.int32), ((r, 4), t.real), ((r, n), t.real), (r, t.vec3))
            self._kept[r] = tuple(self.device.zeros(shape, kind) for shape, kind in shapes)
        self._nodes, self._weights, self._spread, self._reached = self._kept[r]
        self._nodes.assign(tethers.nodes.astype(np.int32))
        self._weights.assign(tethers.weights.astype(t.numpy))
        self._spread.assign(np.linalg.solve(S, W.T).astype(t.numpy))

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b."""
        self.factor.solve_device(b, out)
        if self.tethers is not None:
            rank, n = len(self.tethers.nodes), self.factor.analysis.count
            self.device.launch(self.kernels.reach, rank, self._nodes, self._weights, out, self._reached)
            self.device.launch(self.kernels.take_back, n, self._spread, self._reached, out)
