"""Two-level kernels: rigid aggregates, and the matrix between them."""

import functools
from typing import Any

import warp as wp

from ...runtime.block_reduce import sum_of_block
from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from .two_level_native import FORCES, INVERT, MOTIONS, PAIRS

six = wp.types.vector(6, wp.float64)
six_by_six = wp.types.matrix((6, 6), wp.float64)
TINY = 1e-9  # of the stiffness of an aggregate


@alone
@functools.cache
def aggregates_struct(precision: str) -> Any:
    """The members of each aggregate, and the place of nodes in theirs."""
    t = Types(precision, "two_level_structs")
    ints, vectors = wp.array(dtype=wp.int32), wp.array(dtype=t.vec3)

    @functools.partial(wp.struct, module=t.module)
    class Aggregates:
        starts: ints
        members: ints
        free: vectors
        arm: vectors

    return Aggregates


@family
def two_level_kernels(t):
    return {**_pair_kernels(t), **_coarse_kernels(t), **_motion_kernels(t)}


def _pair_kernels(t: Types) -> dict:
    """Zᵀ A Z, part by part."""
    vec3, mat33, vec3d, mat33d, ints = t.vec3, t.mat33, wp.vec3d, wp.mat33d, wp.array(dtype=wp.int32)
    vectors, positions, tensors = wp.array(dtype=vec3), wp.array(dtype=t.position), wp.array(dtype=mat33)
    places, matrices = wp.array(dtype=vec3d), wp.array2d(dtype=mat33d)

    def masked(A: mat33, rows: vec3, columns: vec3):
        """A without the rows and columns of what is held."""
        M = mat33d()
        for i in range(3):
            M[i] = vec3d(rows[i] * wp.cw_mul(A[i], columns))
        return M

    def crossed(d: vec3d, A: mat33d):
        """d × each row of A, which is −A d×."""
        return wp.matrix_from_rows(wp.cross(d, A[0]), wp.cross(d, A[1]), wp.cross(d, A[2]))

    masked, crossed = t.function("masked", masked), t.function("crossed", crossed)

    @t.kernel
    def centres(start: int, starts: ints, members: ints, x: positions, out: places):
        """The mean place of each aggregate, by a block of threads."""
        thread = start + wp.tid()
        a = thread // wp.block_dim()
        total = vec3d()
        for i in range(starts[a] + thread % wp.block_dim(), starts[a + 1], wp.block_dim()):
            total += vec3d(x[members[i]])
        count = wp.float64(starts[a + 1] - starts[a])
        for k in range(3):
            whole = sum_of_block(total[k])
            if thread % wp.block_dim() == 0:
                out[a][k] = whole / count

    @t.kernel
    def arms(start: int, of: ints, centre: places, x: positions, arm: vectors):
        """From the centre of its aggregate to each node."""
        i = start + wp.tid()
        arm[i] = vec3(vec3d(x[i]) - centre[of[i]])

    @t.kernel
    def pair_parts(
        start: int,
        # mesh: where each part of a list begins, the entries of the matrix in it, and the row of each
        bounds: ints, entries: ints, rows: ints, columns: ints, free: vectors,
        # in:
        arm: vectors, values: tensors,
        # out: the corners of Σ Zᵢᵀ Aᵢⱼ Zⱼ with Zᵢ = [1, −dᵢ×]
        out: matrices,
    ):  # fmt: skip
        c = start + wp.tid()
        tt = mat33d()
        tr = mat33d()
        rt = mat33d()
        rr = mat33d()
        for k in range(bounds[c], bounds[c + 1]):
            e = entries[k]
            i = rows[k]
            j = columns[e]
            A = masked(values[e], free[i], free[j])
            turned = crossed(vec3d(arm[j]), A)
            tt += A
            tr += turned
            rt += wp.transpose(crossed(vec3d(arm[i]), wp.transpose(A)))
            rr += wp.transpose(crossed(vec3d(arm[i]), wp.transpose(turned)))
        out[0, c] = tt
        out[1, c] = tr
        out[2, c] = rt
        out[3, c] = rr

    @t.native_kernel(PAIRS)
    def pair_parts_by_row(
        c: int,
        # mesh:
        bounds: ints, entries: ints, rows: ints, columns: ints, free: vectors,
        # in:
        arm: vectors, values: tensors,
        # out:
        out: matrices,
    ):  # fmt: skip
        """The same on the CPU."""

    return locals()


def _coarse_kernels(t: Types) -> dict:
    """The matrix between aggregates, and its inverse."""
    mat33d, ints, numbers = wp.mat33d, wp.array(dtype=wp.int32), wp.array(dtype=wp.float64)
    blocks, matrices = wp.array2d(dtype=six_by_six), wp.array2d(dtype=mat33d)

    def firm(M: six_by_six):
        """M with a little on its diagonal, for motions that move nothing: turns of a single node, or what is held."""
        shift = wp.max(wp.max(M[0, 0], M[1, 1]), M[2, 2])
        turn = wp.max(wp.max(M[3, 3], M[4, 4]), M[5, 5])
        if shift <= wp.float64(0.0):
            shift = wp.float64(1.0)
        if turn <= wp.float64(0.0):
            turn = shift
        for k in range(3):
            M[k, k] = M[k, k] + wp.float64(TINY) * shift
            M[k + 3, k + 3] = M[k + 3, k + 3] + wp.float64(TINY) * turn
        return M

    def inverse_of(M: six_by_six):
        """M⁻¹ by Gauss and Jordan, and the least pivot: above 0 where M is positive definite. All indices are known when this is
        compiled, so that M stays in registers."""
        least = M[0, 0]
        for p in range(6):
            least = wp.min(least, M[p, p])
            share = wp.float64(1.0) / wp.where(M[p, p] > wp.float64(0.0), M[p, p], wp.float64(1.0))
            for i in range(6):
                if i != p:
                    for j in range(6):
                        if j != p:
                            M[i, j] = M[i, j] - (M[i, p] * share) * M[p, j]
                    M[i, p] = -M[i, p] * share
            for j in range(6):
                if j != p:
                    M[p, j] = M[p, j] * share
            M[p, p] = share
        return M, least

    firm, inverse_of = t.function("firm", firm), t.function("inverse_of", inverse_of)

    @t.kernel
    def coarse_matrix(
        start: int,
        # mesh: the parts of each pair of aggregates, and which they are
        bounds: ints, first: ints, second: ints,
        # in:
        parts: matrices,
        # out:
        out: blocks,
    ):  # fmt: skip
        """C = Zᵀ A Z, both halves."""
        p = start + wp.tid()
        M = six_by_six()
        for q in range(4):
            total = mat33d()
            for c in range(bounds[p], bounds[p + 1]):
                total += parts[q, c]
            for i in range(3):
                for j in range(3):
                    M[3 * (q // 2) + i, 3 * (q % 2) + j] = total[i, j]
        a = first[p]
        b = second[p]
        if a == b:
            out[a, a] = firm(M)
        else:
            out[a, b] = M
            out[b, a] = wp.transpose(M)

    @t.kernel
    def first_pivot(start: int, matrix: blocks, out: wp.array(dtype=six_by_six), sound: numbers):
        """The inverse of the first block; 0 in ``sound`` where it is not positive definite."""
        P, least = inverse_of(matrix[0, 0])
        out[0] = P
        if not least > wp.float64(0.0):
            sound[0] = wp.float64(0.0)

    @t.kernel
    def eliminate(
        start: int, p: int, count: int,
        # in: the inverse P of block (p, p), and all blocks; both also as numbers, which need no room in a thread
        pivot: wp.array(dtype=six_by_six), of_pivot: numbers, matrix: blocks, of_matrix: numbers,
        # out: and the inverse of the next block of the diagonal
        out: numbers, following: wp.array(dtype=six_by_six), sound: numbers,
    ):  # fmt: skip
        """One step of Gauss and Jordan, by blocks: a thread for each number, and one for the pivot of the next step."""
        n = start + wp.tid()
        if n < 36 * count * count:
            r = (n // 6) % 6
            c = n % 6
            i = n // (36 * count)
            j = (n // 36) % count
            x = six()  # column c of block (p, j), or of 1
            for k in range(6):
                if j != p:
                    x[k] = of_matrix[36 * (p * count + j) + 6 * k + c]
                elif k == c:
                    x[k] = wp.float64(1.0)
            total = wp.float64(0.0)
            if i == p:
                for k in range(6):
                    total += of_pivot[6 * r + k] * x[k]
                out[n] = total
            else:
                for k in range(6):
                    y = wp.float64(0.0)
                    for l in range(6):
                        y += of_pivot[6 * k + l] * x[l]
                    total += of_matrix[36 * (i * count + p) + 6 * r + k] * y
                out[n] = wp.where(j == p, wp.float64(0.0), of_matrix[n]) - total
        elif n == 36 * count * count and p + 1 < count:
            Q, least = inverse_of(matrix[p + 1, p + 1] - matrix[p + 1, p] * (pivot[0] * matrix[p, p + 1]))
            following[0] = Q
            if not least > wp.float64(0.0):
                sound[0] = wp.float64(0.0)

    @t.native_kernel(INVERT)
    def invert(item: int, count: int, matrix: blocks, scratch: blocks, sound: numbers):
        """C⁻¹ in the place of C, of which the upper half is read, on the CPU by one thread: others would wait for it longer than
        they could help."""

    return locals()


def _motion_kernels(t: Types) -> dict:
    """z = D⁻¹ r + Z C⁻¹ Zᵀ r."""
    vec3, vec3d, ints, blocks = t.vec3, wp.vec3d, wp.array(dtype=wp.int32), wp.array2d(dtype=six_by_six)
    Aggregates, vectors, tensors = aggregates_struct(t.precision), wp.array(dtype=vec3), wp.array(dtype=t.mat33)
    numbers, sixes = wp.array(dtype=wp.float64), wp.array(dtype=six)

    @t.kernel
    def restrict(
        start: int, of: Aggregates,
        # in:
        r: vectors,
        # out: force and moment on each aggregate, by a block of threads
        out: sixes,
    ):  # fmt: skip
        thread = start + wp.tid()
        a = thread // wp.block_dim()
        force = vec3d()
        moment = vec3d()
        for k in range(of.starts[a] + thread % wp.block_dim(), of.starts[a + 1], wp.block_dim()):
            i = of.members[k]
            f = vec3d(wp.cw_mul(of.free[i], r[i]))
            force += f
            moment += wp.cross(vec3d(of.arm[i]), f)
        for k in range(3):
            push = sum_of_block(force[k])
            turn = sum_of_block(moment[k])
            if thread % wp.block_dim() == 0:
                out[a][k] = push
                out[a][k + 3] = turn

    @t.kernel
    def correct(
        start: int, inverse: blocks, sound: numbers,
        # in:
        s: sixes,
        # out:
        out: sixes,
    ):  # fmt: skip
        """y = C⁻¹ s, each row by a block of threads; 0 where C is not positive definite."""
        thread = start + wp.tid()
        a = thread // wp.block_dim()
        total = six()
        for b in range(thread % wp.block_dim(), s.shape[0], wp.block_dim()):
            total += inverse[a, b] * s[b]
        for k in range(6):
            whole = sum_of_block(total[k])
            if thread % wp.block_dim() == 0:
                out[a][k] = sound[0] * whole

    @t.kernel
    def spread(
        start: int, of: ints, free: vectors, arm: vectors, inverse: tensors,
        # in:
        y: sixes, r: vectors,
        # out: z = D⁻¹ r + Z y
        z: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        w = y[of[i]]
        shift = vec3d(w[0], w[1], w[2]) + wp.cross(vec3d(w[3], w[4], w[5]), vec3d(arm[i]))
        z[i] = wp.cw_mul(free[i], inverse[i] * r[i] + vec3(shift))

    @t.native_kernel(FORCES)
    def forces_pass(
        a: int,
        # mesh:
        of: Aggregates,
        # in:
        s: numbers, p: vectors, q: vectors,
        # out: x += step p, r −= step q, and force and moment of r on each aggregate
        x: vectors, r: vectors, force: sixes,
    ): ...  # fmt: skip

    @t.native_kernel(MOTIONS)
    def motions_pass(
        a: int,
        # mesh:
        of: Aggregates,
        # in:
        inverse: tensors, coarse: blocks, sound: numbers, force: sixes, r: vectors,
        # out: z = D⁻¹ r + Z C⁻¹ force, and r·z of each aggregate
        z: vectors, parts: wp.array2d(dtype=wp.float64),
    ): ...  # fmt: skip

    return locals()
