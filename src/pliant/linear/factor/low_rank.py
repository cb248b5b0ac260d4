"""Low-rank updates A + U K Uᵀ of a factor."""

from dataclasses import dataclass

import numpy as np
import warp as wp

from ...runtime.device import Device, family
from ..cholesky.factor import Factor

MOST_NODES = 8  # of a column of U: the corners of a lattice cell


@dataclass(frozen=True, eq=False)
class LowRank:
    """r springs of stiffness k that each hang on a few nodes: A + Σ k u uᵀ with u the weights of the nodes.

    ``version`` changes with any field.
    """

    nodes: np.ndarray  # (r, MOST_NODES)
    weights: np.ndarray  # (r, MOST_NODES), 0 where fewer nodes are meant
    stiffness: np.ndarray  # (r,)
    version: int

    def columns(self, count: int, keep: np.ndarray) -> np.ndarray:
        """U (count, r), without the nodes where ``keep`` is False."""
        U = np.zeros((count, len(self.nodes)))
        for j, (nodes, weights) in enumerate(zip(self.nodes, self.weights * keep[self.nodes])):
            np.add.at(U[:, j], nodes, weights)
        return U


@family
def low_rank_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def contract(
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
    def correct(
        start: int,
        # params: A⁻¹U S⁻¹ (r, n)
        spread: wp.array2d(dtype=real),
        # in: Uᵀ x
        contracted: wp.array(dtype=vec3),
        # out: x −= A⁻¹U S⁻¹ Uᵀ x
        x: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        total = x[i]
        for j in range(spread.shape[0]):
            total -= spread[j, i] * contracted[j]
        x[i] = total

    return locals()


class Woodbury:
    """(A + UKUᵀ)⁻¹ = A⁻¹ − A⁻¹U S⁻¹UᵀA⁻¹ with S = K⁻¹ + UᵀA⁻¹U: no factorisation, one solve for each spring."""

    def __init__(self, device: Device):
        self.device, self.rank = device, 0
        self.kernels = low_rank_kernels(device.precision)
        self._arrays: dict[int, tuple[wp.array, ...]] = {}

    def take(self, factor: Factor, springs: LowRank | None, keep: np.ndarray) -> None:
        """Replace the springs by these; ``keep`` (n,) is False at held nodes."""
        self.rank = 0 if springs is None else len(springs.nodes)
        if springs is None:
            return
        n, r, t = factor.analysis.count, self.rank, self.device.types
        weights = springs.weights * keep[springs.nodes]
        U = springs.columns(n, keep)
        W = factor.solve(U)
        S = np.diag(1 / springs.stiffness) + U.T @ W
        if r not in self._arrays:  # one set for each number of springs, so that recorded launches stay valid
            shapes = ((springs.nodes.shape, wp.int32), (weights.shape, t.real), ((r, n), t.real), (r, t.vec3))
            self._arrays[r] = tuple(self.device.zeros(shape, kind) for shape, kind in shapes)
        self._nodes, self._weights, self._spread, self._contracted = self._arrays[r]
        self._nodes.assign(springs.nodes.astype(np.int32))
        self._weights.assign(weights.astype(t.numpy))
        self.columns, self.inner, self.spread = U, W, np.linalg.solve(S, W.T)
        self._spread.assign(self.spread.astype(t.numpy))

    def correct(self, x: wp.array) -> None:
        """Turn x = A⁻¹ b into (A + UKUᵀ)⁻¹ b."""
        if self.rank:
            self.device.launch(self.kernels.contract, self.rank, self._nodes, self._weights, x, self._contracted)
            self.device.launch(self.kernels.correct, x.shape[0], self._spread, self._contracted, x)

    def corrected(self, X: np.ndarray) -> np.ndarray:
        """The same for columns X (n, k) = A⁻¹ B on the host."""
        return X - self.spread.T @ (self.columns.T @ X) if self.rank else X

    def share(self, nodes: np.ndarray) -> np.ndarray | float:
        """(m, m) decrease of A⁻¹ by the springs between a few nodes."""
        return self.spread[:, nodes].T @ self.inner[nodes].T if self.rank else 0.0
