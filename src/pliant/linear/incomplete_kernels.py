"""Kernels of the incomplete factor: elimination without fill, and both substitutions, for runs of nodes of one colour."""

import warp as wp

from ..device import family
from ..math3 import cofactor


@family
def incomplete_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    ints, blocks, vectors = wp.array(dtype=wp.int32), wp.array(dtype=t.mat33), wp.array(dtype=t.vec3)

    def cut(A: mat33, row: vec3, column: vec3):
        """Without the rows and columns that are held."""
        return wp.diag(row) * A * wp.diag(column)

    def is_definite(A: mat33, least: real):
        """Whether a symmetric A is safely positive definite, ``least`` being what counts as nothing."""
        minor = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
        det = wp.dot(A[0], cofactor(A)[0])
        return A[0, 0] > least and minor > least * least and det > least * least * least

    def symmetric(A: mat33):
        return real(0.5) * (A + wp.transpose(A))

    cut, is_definite = t.function("cut", cut), t.function("is_definite", is_definite)
    symmetric = t.function("symmetric_part", symmetric)

    @t.kernel
    def eliminate(
        start: int,
        # mesh: runs of nodes, those of one colour from ``first`` on; of each node its entries by rank, the first ``lower``
        # of them before the diagonal
        first: int,
        runs: ints,
        nodes: ints,
        rows: ints,
        entries: ints,
        columns: ints,
        mirrors: ints,
        lower: ints,
        rank: ints,
        free: vectors,
        # params: added to the diagonal, as a share of it
        shift: wp.array(dtype=real),
        # in:
        values: blocks,
        # out: W_ij = A_ij − Σ W_ik D_k⁻¹ W_jkᵀ and its transpose at (j, i); the inverse of D_i = A_ii − Σ W_ij D_j⁻¹ W_ijᵀ;
        # and 1 where that is not positive definite
        W: blocks,
        inverse: blocks,
        bad: ints,
    ):
        run = first + start + wp.tid()
        one = vec3(real(1.0), real(1.0), real(1.0))
        for at in range(runs[run], runs[run + 1]):
            i = nodes[at]
            begin = rows[i]
            count = lower[i]
            hold = free[i]
            own = symmetric(cut(values[entries[begin + count]], hold, hold)) * (real(1.0) + shift[0])
            own += wp.diag(one - hold)
            D = own
            for a in range(begin, begin + count):
                j = columns[a]
                block = cut(values[entries[a]], hold, free[j])
                b = rows[j]
                for c in range(begin, a):  # those k that both come after
                    k = columns[c]
                    while rank[columns[b]] < rank[k]:  # the diagonal of j is further on
                        b += 1
                    if columns[b] == k:
                        block -= W[c] * inverse[k] * wp.transpose(W[b])
                W[a] = block
                W[mirrors[a]] = wp.transpose(block)
                D -= block * inverse[j] * wp.transpose(block)
            D = symmetric(D)
            # whatever L is, L D Lᵀ is positive definite where D is: a block that elimination has used up stays as it was
            if not is_definite(D, real(1.0e-3) * wp.trace(own)):
                bad[0] = 1
                D = own
            if is_definite(D, real(1.0e-3) * wp.trace(own)):
                K = cofactor(D)
                inverse[i] = symmetric(wp.transpose(K) / wp.dot(D[0], K[0]))
            else:
                inverse[i] = wp.diag(one) * (real(3.0) / wp.max(wp.abs(wp.trace(own)), real(1.0e-30)))

    @t.kernel
    def forward(
        start: int,
        # mesh:
        first: int,
        runs: ints,
        nodes: ints,
        rows: ints,
        columns: ints,
        lower: ints,
        free: vectors,
        # in:
        W: blocks,
        inverse: blocks,
        r: vectors,
        # out: u = D⁻¹ (r − W u)
        u: vectors,
    ):
        run = first + start + wp.tid()
        for at in range(runs[run], runs[run + 1]):
            i = nodes[at]
            total = wp.cw_mul(free[i], r[i])
            for a in range(rows[i], rows[i] + lower[i]):
                total -= W[a] * u[columns[a]]
            u[i] = inverse[i] * total

    @t.kernel
    def backward(
        start: int,
        # mesh:
        first: int,
        runs: ints,
        nodes: ints,
        rows: ints,
        columns: ints,
        lower: ints,
        free: vectors,
        # in:
        W: blocks,
        inverse: blocks,
        u: vectors,
        # out: z = u − D⁻¹ Wᵀ z
        z: vectors,
    ):
        run = first + start + wp.tid()
        for back in range(runs[run + 1] - runs[run]):
            i = nodes[runs[run + 1] - 1 - back]
            total = vec3()
            for a in range(rows[i] + lower[i] + 1, rows[i + 1]):
                total += W[a] * z[columns[a]]
            z[i] = wp.cw_mul(free[i], u[i] - inverse[i] * total)

    return locals()
