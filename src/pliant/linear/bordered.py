"""A factor from before a tear with a small dense border for the copies of nodes: the exact inverse of the torn matrix.

With x = S y + E u, S saying whose copy each node is and E picking the copies, the torn matrix A becomes

    ( A₀  B )        A₀ = Sᵀ A S  is the matrix from before, since the elements are the same,
    ( Bᵀ  D )        B = Sᵀ A E,  D = Eᵀ A E,

so that u = C⁻¹ (Eᵀb − Bᵀ A₀⁻¹ Sᵀb) with C = D − Bᵀ A₀⁻¹ B, and y = A₀⁻¹ Sᵀb − W u with W = A₀⁻¹ B. A tear adds a column to W
for each copy, and leaves the others as they are.
"""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import family
from .prefactored import Prefactored


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
        """z −= W u."""
        i = start + wp.tid()
        total = z[i]
        for k in range(many[0]):
            total -= W[i, k] * u[k]
        z[i] = total

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
        self.base, self.device, self.most, self.rows = base, base.device, most, rows
        self.kernels, t, n = bordered_kernels(self.device.precision), self.device.types, base.count
        zeros = self.device.zeros
        self._many, self._copies, self._which = zeros(1, wp.int32), zeros(most, wp.int32), zeros(rows, wp.int32)
        self._rows, self._values = zeros((most, self.WIDTH), wp.int32), zeros((most, self.WIDTH), t.real)
        self._inverse, self._W = zeros((most, most), t.real), zeros((n, most), t.real)
        self._right, self._u = zeros(most, t.vec3), zeros(most, t.vec3)
        self._b, self._x = zeros(n, t.vec3), zeros(n, t.vec3)
        self.columns: list[tuple[int, np.ndarray, np.ndarray]] = []  # node, and rows and values of B, of each copy
        self.W = np.zeros((n, most))

    def take(self, origin: np.ndarray, copies: np.ndarray, matrix: sparse.csr_matrix) -> bool:
        """Take the ``copies`` (k,) among nodes that come from those of ``base`` by ``origin`` (n,), and their rows (k, n) of the
        torn matrix; False, and nothing is taken, where there are too many."""
        k = len(copies)
        free = self.base.parts[0].free
        B = _mapped(matrix, origin, self.base.count)
        if k > self.most or (k and np.diff(B.indptr).max() > self.WIDTH):
            return False
        columns, fresh = [], []
        for c, node in enumerate(copies.tolist()):
            own = slice(B.indptr[c], B.indptr[c + 1])
            rows, values = B.indices[own], np.where(free[B.indices[own]], B.data[own], 0.0)
            columns.append((node, rows, values))
            if c >= len(self.columns) or not _alike(self.columns[c], columns[c]):
                fresh.append(c)
        self.columns = columns
        self._solve(fresh)
        D = matrix[:, copies].toarray()
        C = D - np.array([values @ self.W[rows, :k] for _, rows, values in columns]).reshape(k, k)
        inverse = np.linalg.inv(0.5 * (C + C.T)) if k else C
        self._upload(copies, fresh, inverse)
        return True

    def _solve(self, fresh: list[int]) -> None:
        """Columns of W, three at a time: A₀ is the same along all axes."""
        for at in range(0, len(fresh), 3):
            some = fresh[at : at + 3]
            right = np.zeros((self.base.count, 3), self.device.types.numpy)
            for axis, c in enumerate(some):
                right[self.columns[c][1], axis] = self.columns[c][2]
            self._b.assign(right)
            self.base.solve(self._b, self._x)
            self.W[:, some] = self._x.numpy()[:, : len(some)]

    def _upload(self, copies: np.ndarray, fresh: list[int], inverse: np.ndarray) -> None:
        k, real = len(copies), self.device.types.numpy
        which = np.full(self.rows, -1, np.int32)
        which[copies] = np.arange(k)
        numbers, values = np.zeros((self.most, self.WIDTH), np.int32), np.zeros((self.most, self.WIDTH), real)
        for c, (_, rows, entries) in enumerate(self.columns):
            numbers[c, : len(rows)], values[c, : len(rows)] = rows, entries
        every, whole = np.zeros(self.most, np.int32), np.zeros((self.most, self.most), real)
        every[:k], whole[:k, :k] = copies, inverse
        pairs = ((self._many, np.array([k], np.int32)), (self._copies, every), (self._which, which))
        for array, given in (*pairs, (self._rows, numbers), (self._values, values), (self._inverse, whole)):
            array.assign(given)
        if self.device.is_cpu:
            self._W.numpy()[:, fresh] = self.W[:, fresh]
        elif fresh:
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


def _alike(one: tuple[int, np.ndarray, np.ndarray], other: tuple[int, np.ndarray, np.ndarray]) -> bool:
    return one[0] == other[0] and np.array_equal(one[1], other[1]) and np.array_equal(one[2], other[2])
