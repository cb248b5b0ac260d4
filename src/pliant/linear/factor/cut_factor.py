"""Cut factor: S A₀⁻¹ Sᵀ of the mesh before a cut."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import warp as wp
from scipy import sparse

from ...runtime.device import Device, family
from ...runtime.scatter_writes import write
from ..matrix.gather import gather_lists
from ..matrix.operator import columns_of, unknowns
from .bordered_factor import Border
from .low_rank import LowRank
from .scalar_factor import Prefactored


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
    def apart(start: int, origin: ints, share: reals, compliance: reals, b: vectors, sums: vectors, z: vectors, out: vectors):
        """S z, and D⁻¹ times what b differs by from its mean over the copies of a node."""
        i = start + wp.tid()
        j = origin[i]
        out[i] = z[j] + compliance[i] * (b[i] - share[i] * sums[j])

    return locals()


class Gluing:
    """S, which maps nodes to their origins ``origin`` (n,) among ``count`` old nodes, and D, by ``diagonal`` (count,).

    Vectors may have more ``rows`` than nodes: their output is undefined.
    """

    def __init__(self, device: Device, origin: np.ndarray, count: int, diagonal: np.ndarray, rows: int = 0):
        self.device, self.before, self.diagonal = device, count, diagonal
        self.kernels, t = glued_kernels(device.precision), device.types
        self.rows = max(rows, len(origin))
        self._starts = device.zeros(count + 1, wp.int32)
        self._copies, self._origin = (device.zeros(self.rows, wp.int32) for _ in range(2))
        self._share, self._compliance = (device.zeros(self.rows, t.real) for _ in range(2))
        self._sums, self._z = (device.zeros(count, t.vec3) for _ in range(2))
        self.take(origin)

    def take(self, origin: np.ndarray) -> None:
        """Take other copies, in the same arrays."""
        self.origin, self.count = np.asarray(origin), len(origin)
        self.copies = np.bincount(self.origin, minlength=self.before)[self.origin]
        self.share = 1.0 / self.copies
        # each copy has its share of the diagonal
        self.compliance = np.where(self.copies > 1, self.copies / self.diagonal[self.origin], 0.0)
        starts, listed = gather_lists(self.origin, self.before)
        write(self.device, self._starts, starts)
        real = self.device.types.numpy
        lists = ((self._copies, listed, np.int32), (self._origin, self.origin, np.int32))
        for array, values, kind in (*lists, (self._share, self.share, real), (self._compliance, self.compliance, real)):
            padded = np.zeros(self.rows, kind)
            padded[: self.count] = values
            write(self.device, array, padded)

    def apply(
        self, inverse: Callable[[wp.array, wp.array], None], b: wp.array, out: wp.array, border: Border | None = None
    ) -> None:
        """out = S A₀⁻¹ Sᵀ b + D⁻¹ (1 − S (SᵀS)⁻¹ Sᵀ) b, with ``inverse(b, out)`` A₀⁻¹, by launches alone; A⁻¹ b with a border."""
        launch = self.device.launch
        launch(self.kernels.together, self.before, self._starts, self._copies, b, self._sums)
        inverse(self._sums, self._z)
        if border is not None:
            border.correct(b, self._z)
            border.put(self._origin, self._z, out)
            return
        parts = (self._origin, self._share, self._compliance, b, self._sums, self._z)
        launch(self.kernels.apart, self.rows, *parts, out)


class Glued:
    """B⁻¹ = S A₀⁻¹ Sᵀ + (1 − S (SᵀS)⁻¹ Sᵀ) D⁻¹ on the nodes after a cut, copies of those of ``base`` by ``origin`` (n,).

    S (n, n₀) maps nodes to their origins. Copies that move together have the factor before the cut, which is that of the
    closed mesh; their separation has the diagonal, divided among copies. Symmetric and positive
    definite, an initial inverse for L-BFGS only.
    """

    def __init__(self, base: Prefactored, origin: np.ndarray, stamp: tuple = (), rows: int = 0):
        self.base, self.stamp, self.device = base, stamp, base.device
        self.gluing = Gluing(self.device, origin, base.count, base.diagonal, rows)
        self._took()
        self.factorisations = self.version = 0
        self.border: Border | None = None
        self.added = None
        base.add(None)

    def exact(self, matrix: sparse.csr_matrix, copies: np.ndarray, most: int, before: Border | None = None) -> bool:
        """Be the inverse of the torn matrix, whose rows at ``copies`` (k,) are ``matrix`` (k, n); False where there are more than
        ``most`` copies, or axes that differ. ``before`` is one for fewer copies."""
        if len(self.base.parts) > 1 or self.base.added is not None:
            return False
        border = self.border
        if border is None:
            border = Border(self.base, most, self.gluing.rows)
            if before is not None:
                border.inherit(before)
        if not border.take(self.origin, copies, matrix):
            return False
        if self.border is None:
            self.border = border
            self.version += 1
        return True

    @property
    def copies(self) -> np.ndarray:
        """(k,) nodes that share their origin with a node of lower number."""
        first = np.full(self.base.count, self.count)
        np.minimum.at(first, self.origin, np.arange(self.count))
        return np.flatnonzero(first[self.origin] != np.arange(self.count))

    def take(self, origin: np.ndarray) -> None:
        """Take other copies, in the same arrays."""
        self.gluing.take(origin)
        self._took()

    def _took(self) -> None:
        gluing = self.gluing
        self.origin, self.count, self.share, self.compliance = (
            gluing.origin, gluing.count, gluing.share, gluing.compliance,
        )  # fmt: skip

    @property
    def diagonal(self) -> np.ndarray:
        """(n,) of the matrix, divided among copies."""
        return self.base.diagonal[self.origin] * self.share

    def add(self, springs: LowRank | None) -> None:
        """Attach springs to the origins of their nodes."""
        state = springs.version if springs is not None else None
        if state != self.added:
            self.added = state
            self.version += 1
            self.base.added = None
            self.base.add(None if springs is None else replace(springs, nodes=self.origin[springs.nodes]))

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = B⁻¹ b, by launches alone."""
        self.gluing.apply(self.base.solve, b, out, self.border)

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
