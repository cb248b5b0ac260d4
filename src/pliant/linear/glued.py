"""The factor of a mesh before a cut, for the nodes after it: S A₀⁻¹ Sᵀ where copies go together, a diagonal where not."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import warp as wp

from ..device import Device, family
from .gather import gather_lists
from .low_rank import LowRank
from .operator import columns_of, unknowns
from .prefactored import Prefactored


@family
def glued_kernels(t):
    real, vec3 = t.real, t.vec3
    ints, reals, vectors = wp.array(dtype=wp.int32), wp.array(dtype=real), wp.array(dtype=vec3)

    @t.kernel
    def together(start: int, starts: ints, copies: ints, b: vectors, out: vectors):
        """Sᵀ b: the sum over the copies of each node before."""
        i = start + wp.tid()
        total = vec3()
        for k in range(starts[i], starts[i + 1]):
            total += b[copies[k]]
        out[i] = total

    @t.kernel
    def apart(
        start: int, origin: ints, share: reals, compliance: reals, b: vectors, sums: vectors, z: vectors, out: vectors
    ):
        """S z, and D⁻¹ times what b differs by from its mean over the copies of a node."""
        i = start + wp.tid()
        j = origin[i]
        out[i] = z[j] + compliance[i] * (b[i] - share[i] * sums[j])

    return locals()


class Gluing:
    """S, which says whose copy each node is, by ``origin`` (n,) among ``count`` nodes before, and D, by ``diagonal`` (count,)."""

    def __init__(self, device: Device, origin: np.ndarray, count: int, diagonal: np.ndarray):
        self.device, self.origin, self.count, self.before = device, np.asarray(origin), len(origin), count
        self.kernels, t = glued_kernels(device.precision), device.types
        self.copies = np.bincount(self.origin, minlength=count)[self.origin]
        self.share = 1.0 / self.copies
        # each copy has its share of the diagonal
        self.compliance = np.where(self.copies > 1, self.copies / diagonal[self.origin], 0.0)
        starts, listed = gather_lists(self.origin, count)
        self._starts, self._copies = (device.array(a, wp.int32) for a in (starts, listed))
        self._origin = device.array(self.origin, wp.int32)
        self._share, self._compliance = (device.array(a, t.real) for a in (self.share, self.compliance))
        self._sums, self._z = (device.zeros(count, t.vec3) for _ in range(2))

    def apply(self, inverse: Callable[[wp.array, wp.array], None], b: wp.array, out: wp.array) -> None:
        """out = S A₀⁻¹ Sᵀ b + D⁻¹ (1 − S (SᵀS)⁻¹ Sᵀ) b, with ``inverse(b, out)`` A₀⁻¹, by launches alone."""
        launch = self.device.launch
        launch(self.kernels.together, self.before, self._starts, self._copies, b, self._sums)
        inverse(self._sums, self._z)
        parts = (self._origin, self._share, self._compliance, b, self._sums, self._z)
        launch(self.kernels.apart, self.count, *parts, out)


class Glued:
    """B⁻¹ = S A₀⁻¹ Sᵀ + (1 − S (SᵀS)⁻¹ Sᵀ) D⁻¹ on the nodes after a cut, copies of those of ``base`` by ``origin`` (n,).

    S (n, n₀) says whose copy a node is. Copies that move alike have the factor from before the cut, which is that of the
    mesh glued together again; what parts them has the diagonal, of which each copy has its share. Symmetric and positive
    definite, an inverse to start L-BFGS from and no more.
    """

    def __init__(self, base: Prefactored, origin: np.ndarray, stamp: tuple = ()):
        self.base, self.origin, self.stamp = base, np.asarray(origin), stamp
        self.device, self.count = base.device, len(origin)
        self.gluing = Gluing(self.device, self.origin, base.count, base.diagonal)
        self.share, self.compliance, copies = self.gluing.share, self.gluing.compliance, self.gluing.copies
        # what touches at a doubled node is to be found anew
        held = base.stiffness[self.origin]
        self.stiffness = np.where((copies > 1) & (held > 0), -1.0, held)
        self.factorisations = self.version = 0
        self.added = None
        base.add(None)

    @property
    def diagonal(self) -> np.ndarray:
        """(n,) of the matrix, each copy having its share."""
        return self.base.diagonal[self.origin] * self.share

    def add(self, springs: LowRank | None) -> None:
        """Hang springs on the nodes whose copies theirs are."""
        state = springs.version if springs is not None else None
        if state != self.added:
            self.added = state
            self.version += 1
            self.base.added = None
            self.base.add(None if springs is None else replace(springs, nodes=self.origin[springs.nodes]))

    def stiffen(self, stiffness: wp.array) -> None:
        """Add ``stiffness`` (n,) to the diagonal, in place of what was added so before."""
        self.stiffness = self.device.read(stiffness).astype(float)
        sums = np.bincount(self.origin, self.stiffness, self.base.count)
        self.base.stiffen(self.device.array(sums, self.device.types.real))

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = B⁻¹ b, by launches alone."""
        self.gluing.apply(self.base.solve, b, out)

    def solve_many(self, B: np.ndarray) -> np.ndarray:
        """B⁻¹ times columns (3n, k), rows 3 node + axis; 0 where components are held."""
        moves = self.base.moves[self.origin].reshape(-1, 1)
        B = np.where(moves, columns_of(B, 3 * self.count), 0.0)
        rows = (3 * self.origin[:, None] + np.arange(3)).ravel()
        sums = np.zeros((3 * self.base.count, B.shape[1]))
        np.add.at(sums, rows, B)
        share, compliance = (np.repeat(a, 3)[:, None] for a in (self.share, self.compliance))
        return np.where(moves, self.base.solve_many(sums)[rows] + compliance * (B - share * sums[rows]), 0.0)

    def partial(self, rows: np.ndarray) -> np.ndarray:
        """(m, m) entries of B⁻¹ between the unknowns 3 node + axis in ``rows``."""
        rows = unknowns(rows, 3 * self.count)
        unit = np.zeros((3 * self.count, len(rows)))
        unit[rows, np.arange(len(rows))] = 1.0
        return self.solve_many(unit)[rows]
