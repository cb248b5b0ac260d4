"""Bordered factor: inverse of a torn matrix by a border.

With x = S y + E u, S mapping nodes to their origins and E selecting the copies, the torn matrix A becomes

    ( A₀  B )        A₀ = Sᵀ A S  is the old matrix, since the elements are the same,
    ( Bᵀ  D )        B = Sᵀ A E,  D = Eᵀ A E,

so that u = C⁻¹ (Eᵀb − Bᵀ A₀⁻¹ Sᵀb) with C = D − Bᵀ A₀⁻¹ B, and y = A₀⁻¹ Sᵀb − W u with W = A₀⁻¹ B. A tear adds a column to W
for each copy, and does not change the others.
"""

import numpy as np
import warp as wp
from scipy import linalg, sparse

from ...runtime.device import family
from ...runtime.scatter_writes import write
from ..cholesky.cpu.blas import one_thread_each
from .scalar_factor import Prefactored


@family
def bordered_kernels(t):
    real, vec3 = t.real, t.vec3
    ints, vectors, table = wp.array(dtype=wp.int32), wp.array(dtype=vec3), wp.array2d(dtype=real)

    @t.kernel
    def left(
        start: int,
        # mesh: how many copies there are, their nodes, and B by columns
        many: ints,
        copies: ints,
        rows: wp.array2d(dtype=wp.int32),
        values: table,
        # in:
        b: vectors,
        z: vectors,
        # out: Eᵀb − Bᵀ z
        out: vectors,
    ):
        c = start + wp.tid()
        if c < many[0]:
            total = b[copies[c]]
            for k in range(rows.shape[1]):
                total -= values[c, k] * z[rows[c, k]]
            out[c] = total

    @t.kernel
    def small(start: int, many: ints, inverse: table, right: vectors, out: vectors):
        """u = C⁻¹ r."""
        c = start + wp.tid()
        if c < many[0]:
            total = vec3()
            for k in range(many[0]):
                total += inverse[c, k] * right[k]
            out[c] = total

    @t.kernel
    def spread(start: int, many: ints, W: table, u: vectors, z: vectors):
        """z −= W u, in four sums that do not wait for each other; W is 0 in columns after the last."""
        i = start + wp.tid()
        a, b, c, d = vec3(), vec3(), vec3(), vec3()
        for j in range((many[0] + 3) / 4):
            k = 4 * j
            a += W[i, k] * u[k]
            b += W[i, k + 1] * u[k + 1]
            c += W[i, k + 2] * u[k + 2]
            d += W[i, k + 3] * u[k + 3]
        z[i] = z[i] - ((a + b) + (c + d))

    @t.kernel
    def put(start: int, origin: ints, which: ints, z: vectors, u: vectors, out: vectors):
        """S z + E u."""
        i = start + wp.tid()
        here = z[origin[i]]
        if which[i] >= 0:
            here += u[which[i]]
        out[i] = here

    return locals()


class Border:
    """B, C⁻¹ and W for at most ``most`` copies of the nodes of ``base``, on vectors of ``rows`` rows."""

    WIDTH = 32  # neighbours of a copy, at most

    def __init__(self, base: Prefactored, most: int, rows: int):
        self.base, self.device, self.rows = base, base.device, rows
        self.most = most = -(-most // 4) * 4
        self.kernels, t, n = bordered_kernels(self.device.precision), self.device.types, base.count
        zeros = self.device.zeros
        self._many, self._copies, self._which = zeros(1, wp.int32), zeros(most, wp.int32), zeros(rows, wp.int32)
        self._rows, self._values = zeros((most, self.WIDTH), wp.int32), zeros((most, self.WIDTH), t.real)
        self._inverse, self._W = zeros((most, most), t.real), zeros((n, most), t.real)
        self._right, self._u = zeros(most, t.vec3), zeros(most, t.vec3)
        self._b, self._x = zeros(n, t.vec3), zeros(n, t.vec3)
        # of each copy: its node, rows and values of B, and W
        self.nodes, self.count = np.full(most, -1), 0
        self.numbers, self.values = np.zeros((most, self.WIDTH), np.int32), np.zeros((most, self.WIDTH))
        self.W = np.zeros((n, most))

    def inherit(self, other: "Border") -> None:
        """Reuse the columns of another border of the same base."""
        if other.base is self.base and other.count <= self.most:
            k = self.count = other.count
            self.nodes[:k], self.numbers[:k], self.values[:k] = other.nodes[:k], other.numbers[:k], other.values[:k]
            self.W[:, :k] = other.W[:, :k]
            self._W.assign(self.W.astype(self.device.types.numpy))

    def take(self, origin: np.ndarray, copies: np.ndarray, matrix: sparse.csr_matrix) -> bool:
        """Take the ``copies`` (k,) among nodes that come from those of ``base`` by ``origin`` (n,), and their rows (k, n) of the
        torn matrix; False, without a change, where there are too many."""
        k, B = len(copies), _mapped(matrix, origin, self.base.count)
        sizes = np.diff(B.indptr)
        if k > self.most or sizes.max(initial=0) > self.WIDTH:
            return False
        B.data[~self.base.parts[0].free[B.indices]] = 0.0
        row = np.repeat(np.arange(k), sizes)
        place = np.arange(len(row)) - B.indptr[row]
        numbers, values = np.zeros((self.most, self.WIDTH), np.int32), np.zeros((self.most, self.WIDTH))
        numbers[row, place], values[row, place] = B.indices, B.data
        known = min(k, self.count)
        same = np.zeros(k, bool)
        same[:known] = (self.nodes[:known] == copies[:known]) & (self.numbers[:known] == numbers[:known]).all(axis=1)
        same[:known] &= (self.values[:known] == values[:known]).all(axis=1)
        fresh = np.flatnonzero(~same)
        self.nodes[:k], self.numbers, self.values, self.count = copies, numbers, values, k
        self._solve(fresh)
        touched, B.indices = np.unique(B.indices, return_inverse=True)
        rest = sparse.csr_matrix((B.data, B.indices, B.indptr), shape=(k, len(touched)))
        C = matrix[:, copies].toarray() - rest @ self.W[touched, :k]
        with one_thread_each():  # its own threads are slower at this size, more so next to ours
            self._upload(fresh, linalg.inv(0.5 * (C + C.T)) if k else C)
        return True

    def _solve(self, fresh: np.ndarray) -> None:
        """Columns of W, three at a time: A₀ is the same along all axes."""
        for at in range(0, len(fresh), 3):
            some = fresh[at : at + 3]
            right = np.zeros((self.base.count, 3), self.device.types.numpy)
            for axis, c in enumerate(some):
                np.add.at(right[:, axis], self.numbers[c], self.values[c])
            write(self.device, self._b, right)
            self.base.solve(self._b, self._x)
            self.W[:, some] = self._x.numpy()[:, : len(some)]

    def _upload(self, fresh: np.ndarray, inverse: np.ndarray) -> None:
        k, real = self.count, self.device.types.numpy
        which = np.full(self.rows, -1, np.int32)
        which[self.nodes[:k]] = np.arange(k)
        whole = np.zeros((self.most, self.most), real)
        whole[:k, :k] = inverse
        pairs = (
            (self._many, np.array([k], np.int32)),
            (self._copies, self.nodes.astype(np.int32)),
            (self._which, which),
        )
        for array, given in (
            *pairs,
            (self._rows, self.numbers),
            (self._values, self.values.astype(real)),
            (self._inverse, whole),
        ):
            write(self.device, array, given)
        if self.device.is_cpu:
            self._W.numpy()[:, fresh] = self.W[:, fresh]
        elif len(fresh):
            self._W.assign(self.W.astype(real))

    def correct(self, b: wp.array, z: wp.array) -> None:
        """z = y, and u, for z = A₀⁻¹ Sᵀ b."""
        launch, few = self.device.launch, self.most
        launch(self.kernels.left, few, self._many, self._copies, self._rows, self._values, b, z, self._right)
        launch(self.kernels.small, few, self._many, self._inverse, self._right, self._u)
        launch(self.kernels.spread, self.base.count, self._many, self._W, self._u, z)

    def put(self, origin: wp.array, z: wp.array, out: wp.array) -> None:
        """out = S y + E u."""
        self.device.launch(self.kernels.put, self.rows, origin, self._which, z, self._u, out)


def _mapped(matrix: sparse.csr_matrix, origin: np.ndarray, count: int) -> sparse.csr_matrix:
    """Bᵀ (k, count): columns of copies added to those of their nodes."""
    matrix = matrix.tocsr()
    parts = (matrix.data.copy(), origin[matrix.indices], matrix.indptr.copy())  # which are added up in place
    mapped = sparse.csr_matrix(parts, shape=(matrix.shape[0], count))
    mapped.sum_duplicates()
    return mapped
