"""Kernels around a GPU factor: values, vectors, residuals."""

import warp as wp

from ...runtime.device import Types, family


@family
def factored_kernels(t):
    return {**_value_kernels(t), **_vector_kernels(t)}


def _value_kernels(t: Types) -> dict:
    ints, doubles = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64)
    vectors, tensors = wp.array(dtype=t.vec3), wp.array(dtype=t.mat33)

    @t.kernel
    def collect(
        start: int,
        # mesh: entry of the blocks, row and column of each entry of the lower triangle
        source: ints, rows: ints, columns: ints, free: vectors,
        # in:
        blocks: tensors,
        # out: 1 where something is not finite
        bad: ints, lower: doubles,
    ):  # fmt: skip
        """Values of the lower triangle, held rows and columns replaced by those of the identity."""
        e = start + wp.tid()
        row, column = rows[e], columns[e]
        within = source[e] % 9
        here = free[row / 3][row % 3]
        value = wp.float64(blocks[source[e] / 9][within / 3, within % 3] * here * free[column / 3][column % 3])
        if row == column:
            value += wp.float64(1.0) - wp.float64(here)
        if not wp.isfinite(value):
            bad[0] = 1
        lower[e] = value

    @t.kernel
    def measure(
        start: int,
        # mesh:
        diagonal: ints, free: vectors,
        # in:
        lower: doubles,
        # out:
        size: doubles,
    ):  # fmt: skip
        """Sizes of the entries on the diagonal, 0 where held."""
        i = start + wp.tid()
        size[i] = wp.abs(lower[diagonal[i]]) * wp.float64(free[i / 3][i % 3])

    @t.kernel
    def add_shift(
        start: int,
        # mesh:
        diagonal: ints, free: vectors,
        # in:
        shift: wp.float64, size: doubles,
        # out:
        values: doubles,
    ):  # fmt: skip
        i = start + wp.tid()
        values[diagonal[i]] = values[diagonal[i]] + shift * wp.float64(free[i / 3][i % 3]) * size[i]

    @t.kernel
    def put_diagonal(start: int, diagonal: ints, size: doubles, values: doubles):
        i = start + wp.tid()
        values[diagonal[i]] = size[i]

    return locals()


def _vector_kernels(t: Types) -> dict:
    vec3, ints, doubles = t.vec3, wp.array(dtype=wp.int32), wp.array(dtype=wp.float64)
    vectors, tensors = wp.array(dtype=vec3), wp.array(dtype=t.mat33)

    @t.kernel
    def widen(
        start: int,
        # mesh:
        free: vectors,
        # in:
        b: vectors,
        # out:
        right: doubles,
    ):
        """A vector in double precision, 0 where held."""
        i = start + wp.tid()
        masked = wp.cw_mul(free[i], b[i])
        for a in range(3):
            right[3 * i + a] = wp.float64(masked[a])

    @t.kernel
    def narrow(
        start: int,
        # mesh:
        free: vectors,
        # in:
        left: doubles,
        # out:
        x: vectors,
    ):
        """Back again."""
        i = start + wp.tid()
        x[i] = wp.cw_mul(free[i], vec3(t.real(left[3 * i]), t.real(left[3 * i + 1]), t.real(left[3 * i + 2])))

    @t.kernel
    def pick_free(start: int, unknowns: ints, free: vectors, out: doubles):
        """1 for each of some unknowns, 0 for those that are held."""
        i = start + wp.tid()
        out[i] = wp.float64(free[unknowns[i] / 3][unknowns[i] % 3])

    @t.kernel
    def subtract_product(
        start: int,
        # mesh:
        rows: ints, columns: ints, free: vectors,
        # in:
        blocks: tensors, x: doubles, b: doubles,
        # out: b − A x, 0 where held
        out: doubles,
    ):  # fmt: skip
        r = start + wp.tid()
        total = wp.vec3d(b[3 * r], b[3 * r + 1], b[3 * r + 2])
        for i in range(rows[r], rows[r + 1]):
            c = 3 * columns[i]
            block = blocks[i]
            for a in range(3):
                total[a] -= (
                    wp.float64(block[a, 0]) * x[c] + wp.float64(block[a, 1]) * x[c + 1] + wp.float64(block[a, 2]) * x[c + 2]
                )
        for a in range(3):
            out[3 * r + a] = total[a] * wp.float64(free[r][a])

    @t.kernel
    def add_to(start: int, given: doubles, out: doubles):
        i = start + wp.tid()
        out[i] = out[i] + given[i]

    return locals()
