"""Front panels of a CPU factor, as BLAS takes them."""

import numpy as np
import warp as wp

from ....runtime.device import Device, family
from ..symbolic.front_layout import COLUMNS, ROWS
from .triangular_solve import Solver

UNPACK = r"""
#if !defined(__CUDA_ARCH__)
    const int tiles = (pivots + below + ROWS - 1) / ROWS, first = strip * COLUMNS, top = first / ROWS;
    long long at = begin;
    for (int s = 0; s < strip; ++s) at += (long long)(tiles - s * COLUMNS / ROWS) * ROWS * COLUMNS;
    const real* tile = packed.data + at;
    const int wide = first + COLUMNS < pivots ? COLUMNS : pivots - first;
    double* inside = inverse.data + (long long)first * pivots;
    double* under = rest.data + (long long)first * below - pivots;
    for (int c = 0; c < wide; ++c)
        for (int i = 0; i < top * ROWS; ++i) inside[(long long)c * pivots + i] = 0.0;
    for (int i = top; i < tiles; ++i, tile += ROWS * COLUMNS)
        for (int c = 0; c < wide; ++c)
            for (int r = 0; r < ROWS; ++r) {
                const int row = i * ROWS + r;
                if (row < pivots) inside[(long long)c * pivots + row] = (double)tile[c * ROWS + r];
                else if (row < pivots + below) under[(long long)c * below + row] = (double)tile[c * ROWS + r];
            }
#endif
"""


@family
def cholesky_panel_kernels(t):
    reals, doubles = wp.array(dtype=t.real), wp.array(dtype=wp.float64)

    @t.native_kernel(UNPACK.replace("COLUMNS", str(COLUMNS)).replace("ROWS", str(ROWS[t.precision])))
    def unpack(
        strip: int,
        # params: rows of the front, and where its tiles begin
        pivots: int,
        below: int,
        begin: wp.int64,
        # in:
        packed: reals,
        # out: column after column
        inverse: doubles,
        rest: doubles,
    ):
        """A strip of columns of L₁₁⁻¹ and of L₂₁ L₁₁⁻¹."""

    return locals()


class Panels:
    """L₁₁⁻¹ and L₂₁ L₁₁⁻¹ of one front at a time, in the same memory."""

    def __init__(self, solver: Solver):
        a, place = solver.analysis, solver.device
        self.solver, self.device = solver, Device("cpu", place.precision, place.threads)
        self._inverse = self.device.zeros(int((a.pivots**2).max(initial=1)), wp.float64)
        self._rest = self.device.zeros(max(1, int((a.pivots * a.below).max(initial=1))), wp.float64)

    def of(self, f: int) -> tuple[np.ndarray, np.ndarray]:
        """(c, c) and (b, c) of a front of c pivots and b rows below them, column after column, until the next call."""
        a, solver = self.solver.analysis, self.solver
        c, b = int(a.pivots[f]), int(a.below[f])
        kernel = cholesky_panel_kernels(self.device.precision).unpack
        given = (c, b, int(solver.packed_start[f]), solver.packed)
        self.device.launch(kernel, -(-c // COLUMNS), *given, self._inverse, self._rest, grain=16)
        inverse, rest = self._inverse.numpy()[: c * c], self._rest.numpy()[: c * b]
        return inverse.reshape((c, c), order="F"), rest.reshape((b, c), order="F")
