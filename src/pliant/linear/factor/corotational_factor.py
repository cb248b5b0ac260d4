"""Corotational factor: R L⁻ᵀ L⁻¹ Rᵀ with nodal rotations.

A rotating body rotates its stiffness, A ≈ R A₀ Rᵀ, so that the factor of an old matrix is useful as long as the
strains are similar (after Courtecuisse et al. 2010).
"""

from __future__ import annotations

import copy

import numpy as np
import warp as wp

from ..matrix.background import BackgroundWork
from ..matrix.block_matrix import BlockMatrix
from ..matrix.system import System
from .block_factor import Factored
from .block_factor_device import DeviceFactored
from .corotational_kernels import turned_kernels
from .cut_factor import Gluing


class CorotationalFactor:
    """A snapshot of a matrix and of the positions where it was taken, with its factor: ``note``, ``begin``, ``finish``.

    Between ``begin`` and ``finish`` the factor is computed: by a separate thread on the CPU, which ends with it, and
    on a second stream on a GPU. ``stale`` says that the factor is not that of the snapshot.
    """

    def __init__(self, system: System, like: CorotationalFactor | None = None):
        d, matrix = system.device, system.matrix
        self.device, self.free, self.stale = d, system.free, True
        self.block: BlockMatrix = copy.copy(matrix)
        self.block.values = d.zeros(matrix.entries, d.types.mat33)
        self.x = d.zeros(matrix.count, d.types.position)
        self.rotation = d.zeros(matrix.count, d.types.mat33)
        shared = None if like is None else like.factored
        if d.is_cpu:
            self.factored = Factored(self.block, d.threads, system.positions, shared, alone=True)
        else:
            self.factored = DeviceFactored(self.block, system.positions, shared)
        self._job: BackgroundWork | _Stream | None = None
        self.stream = None if d.is_cpu else wp.Stream(d.warp)
        self._right, self._left = (self.factored.room() for _ in range(2))

    def note(self, system: System) -> None:
        """Store the present values and positions."""
        self.finish()
        system.device.copy(system.matrix.values, self.block.values)
        if system.x is not None:
            system.device.copy(system.x, self.x)
        self.stale = True

    def begin(self) -> None:
        """Start to factorise the snapshot."""
        self.finish()
        precision = self.device.precision
        self._job = BackgroundWork(self.factored.take, self.free, precision) if self.device.is_cpu else _Stream(self)

    def take(self) -> None:
        """Factorise the snapshot now."""
        self.finish()
        self.factored.take(self.free, self.device.precision)
        self.stale = False

    @property
    def busy(self) -> bool:
        """Whether a factor was started and not fetched yet."""
        return self._job is not None

    @property
    def ready(self) -> bool:
        """Whether it can be fetched without waiting."""
        return self._job is not None and self._job.ready

    def finish(self) -> None:
        """Wait for the started factor, if any."""
        job, self._job = self._job, None
        if job is not None:
            job.end()
            self.stale = False

    def follow(self, x: wp.array | None) -> None:
        """Rotate the factor from the positions of the snapshot to x."""
        d, m, kernels = self.device, self.block, turned_kernels(self.device.precision)
        mesh = (m.device_rows, m.device_columns, self.free)
        d.launch(kernels.follow, m.count, *mesh, m.values, self.x, self.x if x is None else x, self.rotation)

    def apply(self, r: wp.array, z: wp.array) -> None:
        """z = R L⁻ᵀ L⁻¹ Rᵀ r, by launches alone."""
        d, n, kernels = self.device, self.block.count, turned_kernels(self.device.precision)
        d.launch(kernels.turn_back, n, self.free, self.rotation, r, self._right)
        self.factored.factor.solve_device(self._right, self._left)
        d.launch(kernels.turn_forth, n, self.free, self.rotation, self._left, z)

    def is_snapshot(self, values: np.ndarray, x: np.ndarray) -> bool:
        """Whether the snapshot equals these values."""
        return np.array_equal(self.block.values.numpy(), values) and np.array_equal(self.x.numpy(), x)

    def recall(self, values: wp.array, x: wp.array) -> None:
        """Restore another snapshot."""
        self.finish()
        self.block.device.copy(values, self.block.values)
        self.block.device.copy(x, self.x)
        self.stale = True


class CutFactor:
    """The rotated factor ``base`` of the old mesh, for the nodes after a cut, which are copies by ``origin`` (n,)."""

    def __init__(self, base: CorotationalFactor, origin: np.ndarray):
        d, count = base.device, base.block.count
        self.base, self.origin, self.count = base, np.asarray(origin), len(origin)
        blocks = base.block.values.numpy()[base.block.device_diagonal.numpy()].astype(float)
        mean = np.maximum(np.trace(blocks, axis1=1, axis2=2) / 3, 1e-300)
        self.gluing = Gluing(d, self.origin, count, mean)
        first = np.zeros(count, np.int64)
        first[self.origin[::-1]] = np.arange(self.count)[::-1]
        self._first, self._x = d.array(first, wp.int32), d.zeros(count, d.types.position)

    def follow(self, x: wp.array | None) -> None:
        """Rotate the factor to the positions x, copies being at the first of them."""
        d = self.base.device
        if x is not None:
            d.launch(turned_kernels(d.precision).pick, self.base.block.count, self._first, x, self._x)
        self.base.follow(None if x is None else self._x)

    def apply(self, r: wp.array, z: wp.array) -> None:
        """z = S R L⁻ᵀ L⁻¹ Rᵀ Sᵀ r, and the diagonal for the separation of copies."""
        self.gluing.apply(self.base.apply, r, z)


class _Stream:
    """A factorisation on a second stream of a GPU, which the first one waits for when it is needed."""

    def __init__(self, of: CorotationalFactor):
        self.of = of
        with wp.ScopedStream(of.stream, sync_enter=True):
            of.factored.begin(of.free)
            self._done = of.stream.record_event()

    @property
    def ready(self) -> bool:
        return self._done.is_complete

    def end(self) -> None:
        self.of.device.warp.stream.wait_event(self._done)
        self.of.factored.finish(self.of.device.precision)
