"""Cholesky factor of a block matrix on a GPU."""

from __future__ import annotations

import numpy as np
import warp as wp

from ...runtime.device import Device
from ..cholesky.cpu.numeric_factor import NotPositiveDefinite
from ..cholesky.factor import Factor, on_device
from ..matrix.block_factor_kernels import factored_kernels
from ..matrix.block_matrix import BlockMatrix
from ..matrix.system import System
from .block_factor import ATTEMPTS, GROWTH, SEMIDEFINITE, Factored, block_analysis
from .free_factor import FreeFactor


class DeviceFactored(FreeFactor):
    """A⁻¹ of a block matrix, in f64 on the device of the matrix; otherwise as ``Factored``.

    Where no shift makes A positive definite, what is factorised is the size of its diagonal, so that the launches of a
    solve are the same and may be captured. Held unknowns are those at the time of ``take``.
    """

    def __init__(
        self,
        matrix: BlockMatrix,
        positions: np.ndarray | None,
        like: DeviceFactored | None = None,
        inverse: bool = False,
    ):
        self.block, self.device, self.version, self.shift = matrix, matrix.device, 0, None
        self.pattern = block_analysis(matrix, positions) if like is None else like.pattern
        self.analysis, source, diagonal = self.pattern
        d, given = self.device, self.analysis.pattern
        factor = on_device(self.analysis, Device(d.name, "f64", d.threads))
        self.factor: Factor = factor.inverted() if inverse else factor
        self.kernels = factored_kernels(d.precision)
        self._entries = tuple(d.array(a, wp.int32) for a in (source, given.lower_rows, given.lower_cols))
        self._diagonal = d.array(diagonal, wp.int32)  # sorted by row, as lower entries are
        self._free = d.zeros(matrix.count, d.types.vec3)
        self._bad, self._graph, self._plain = d.zeros(1, wp.int32), {}, {}
        self._lower, self._values = (d.zeros(len(source), wp.float64) for _ in range(2))
        self._size, self._right, self._left, self._rest = (self.room() for _ in range(4))

    def room(self) -> wp.array:
        """Buffer for a right-hand side or solution of the factor."""
        return self.device.zeros(self.analysis.count, wp.float64)

    @property
    def free(self) -> np.ndarray:
        """(3n,) 1 for unknowns that may change."""
        return self._free.numpy().reshape(-1).astype(np.float64)

    @property
    def held(self) -> wp.array:
        """(n,) the same on the device."""
        return self._free

    def take(self, free: wp.array, precision: str, insist: bool = True) -> None:
        """Factorise the present values of the matrix; with at most one shift, for rounding, unless a factor is required."""
        self.begin(free)
        self.finish(precision, insist)

    def begin(self, free: wp.array) -> None:
        """Factorise the present values of the matrix by launches alone; ``finish`` checks the result."""
        d, kernels, n = self.device, self.kernels, self.analysis.count
        wp.copy(self._free, free)
        self._bad.zero_()
        self.version += 1
        entries, held = len(self._lower), self._free
        d.launch(kernels.collect, entries, *self._entries, held, self.block.values, self._bad, self._lower)
        d.launch(kernels.measure, n, self._diagonal, held, self._lower, self._size)
        self.shift = None
        self.factor.begin_device(self._lower)

    def finish(self, precision: str, insist: bool = True) -> None:
        """Check whether the matrix was positive definite, and shift its diagonal until it is."""
        d, kernels, n, held = self.device, self.kernels, self.analysis.count, self._free
        definite = self._definite()
        self.finite = not self.device.read(self._bad)[0]
        if definite or not self.finite:
            self.shift = 0.0 if self.finite else None
            return
        size = self._size.numpy()
        largest = size.max(initial=0.0)
        self.finite = bool(largest > 0.0 or not held.numpy().any())
        self._size.assign(np.maximum(size, 1e-6 * largest if self.finite else 1.0))
        for shift in SEMIDEFINITE[precision] * GROWTH ** np.arange(ATTEMPTS if insist else 1):
            if self.finite and self._try(float(shift)):
                self.shift = float(shift)
                return
        self._values.zero_()
        d.launch(kernels.put_diagonal, n, self._diagonal, self._size, self._values)
        self.factor.take_device(self._values)

    def _try(self, shift: float) -> bool:
        """Factorise A + shift · size; False if that is not positive definite."""
        wp.copy(self._values, self._lower)
        if shift > 0:
            mesh = (self._diagonal, self._free)
            self.device.launch(self.kernels.add_shift, len(self._size), *mesh, shift, self._size, self._values)
        self.factor.begin_device(self._values)
        return self._definite()

    def _definite(self) -> bool:
        """Whether the factor just made is one."""
        try:
            self.factor.numeric.check()
        except NotPositiveDefinite:
            return False
        return True

    def apply(self, r: wp.array, z: wp.array) -> None:
        """z = L⁻ᵀ L⁻¹ r."""
        d, n = self.device, self.block.count
        d.launch(self.kernels.widen, n, self._free, r, self._right)
        d.replayed(lambda: self._answer(False), (False,), self._plain)
        d.launch(self.kernels.narrow, n, self._free, self._left, z)

    def _subtract(self) -> None:
        """rest = b − A x, 0 in held components."""
        d, m = self.device, self.block
        mesh = (m.device_rows, m.device_columns, self._free)
        d.launch(self.kernels.subtract_product, m.count, *mesh, m.values, self._left, self._right, self._rest)

    # --- as an operator

    def solve(self, b: wp.array, out: wp.array) -> None:
        """x for b, 0 where held: refined once for A as it is, scaled steepest descent without a factor."""
        d, n, held = self.device, self.block.count, self._free
        if not self.finite:
            out.fill_(np.nan)
            return
        d.launch(self.kernels.widen, n, held, b, self._right)
        refined = self.shift == 0 and d.precision == "f64"  # as Factored.answer says
        d.replayed(lambda: self._answer(refined), (refined,), self._graph)
        d.launch(self.kernels.narrow, n, held, self._left, out)

    def _answer(self, refined: bool) -> None:
        self.factor.solve_device(self._right, self._left)
        if refined:  # subtract the rounding error
            self._subtract()
            self.factor.solve_device(self._rest, self._rest)
            self.device.launch(self.kernels.add_to, len(self._rest), self._rest, self._left)

    def solve_measured(self, b: wp.array, x: wp.array, enough: float = 0.0) -> float:
        """The same, and its relative residual; infinite where x is not finite. Refined even where less is ``enough``:
        a check would synchronise with the device."""
        self.solve(b, x)
        if not self.finite:
            return float("inf")
        self._subtract()
        if not np.isfinite(self.device.read(self._left)).all():
            return float("inf")
        size = float(np.linalg.norm(self.device.read(self._right)))
        return float(np.linalg.norm(self.device.read(self._rest))) / size if size > 0 else 0.0


def factored(system: System, inverse: bool = False) -> Factored | DeviceFactored:
    """Storage for factors of the matrix of a system, on the best device; on a GPU with S = L⁻¹ for an ``inverse``."""
    if system.device.is_cpu:
        return Factored(system.matrix, system.device.threads, system.positions)
    return DeviceFactored(system.matrix, system.positions, inverse=inverse)
