"""Hessian blend: just enough projection to descend."""

from __future__ import annotations

import warp as wp

from ...linear.matrix.block_matrix import BlockMatrix
from ..objective.step_objective import Objective


class Blend:
    """(1 − share) H + share H₊ at x, H₊ being H with the negative eigenvalues of its elements set to zero.

    Each of the two is assembled at most once, so x must stay as it is. ``diagonal`` leaves out all but the diagonal blocks;
    ``ahead`` is that of Objective.assemble.
    """

    of_rows = True  # its two arrays have all the room of the matrix

    def __init__(self, objective: Objective, x: wp.array, diagonal: bool = False, ahead: bool = False):
        self.objective, self.x, self.diagonal, self.ahead = objective, x, diagonal, ahead
        self._written: float | None = None  # the share whose matrix was assembled last
        self._both = False

    def know(self, share: float) -> None:
        """The matrix of that share, full or no projection, has been assembled at x."""
        self._written = share

    def matrix(self, share: float) -> BlockMatrix:
        """The matrix of that share; it is the objective's own, which the next call overwrites."""
        objective = self.objective
        if not self._both and share in (0.0, 1.0):
            self._written = share
            return objective.assemble(self.x, bool(share), self.diagonal, self.ahead and share == 0.0)
        if not self._both and self._written != 0.0:
            objective.assemble(self.x, False, self.diagonal)
        matrix = objective.matrix(self.diagonal)  # which assembly may have rebuilt for other pairs
        work = objective.work_of(matrix)
        if Blend not in work:
            work[Blend] = wp.empty_like(matrix.values), wp.empty_like(matrix.values)
        exact, projected = work[Blend]
        if not self._both:
            objective.device.copy(matrix.values, exact)
            objective.assemble(self.x, True, self.diagonal)
            objective.device.copy(matrix.values, projected)
            self._both = True
        given = (share, exact, projected, matrix.values)
        objective.device.launch(objective.kernels.blend, matrix.entries, *given)
        return matrix

    def product(self, share: float, d: wp.array, out: wp.array) -> None:
        """out = the matrix of that share times d, without it."""
        objective = self.objective
        objective.tangent(self.x, d, out, share > 0.0)
        if 0.0 < share < 1.0:
            exact = objective.state(_Product).exact
            objective.tangent(self.x, d, exact, False)
            objective.vectors.mix(share, out, 1.0 - share, exact, out)


class _Product:
    """Buffers of the product with the exact matrix."""

    def __init__(self, objective: Objective):
        self.exact = objective.vectors.new()
