"""Sums of contributions, each target adding up its own list in a fixed order: the opposite of atomic scatter."""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Types, family

# two loops without a branch, and sums of nine numbers in a row, which the compiler keeps in vector registers
SUMS = r"""
    const int AHEAD = 24;
    const real* __restrict source = (const real*)parts.data;
    real plain[9] = {}, turned[9] = {};
    const int middle = middles.data[n], end = starts.data[n + 1];
#if !defined(__CUDA_ARCH__)
    // parts lie wherever their elements do: those of sums to come are on their way while these are added up
    const int last = lists.shape[0] - 1;
    for (int i = starts.data[n] + AHEAD; i < end + AHEAD; ++i) {
        const real* part = source + 9LL * lists.data[i < last ? i : last];
        __builtin_prefetch(part);
        __builtin_prefetch(part + 8);
    }
#endif
    for (int i = starts.data[n]; i < middle; ++i) {
        const real* __restrict part = source + 9LL * lists.data[i];
        for (int k = 0; k < 9; ++k) plain[k] += part[k];
    }
    for (int i = middle; i < end; ++i) {
        const real* __restrict part = source + 9LL * lists.data[i];
        for (int k = 0; k < 9; ++k) turned[k] += part[k];
    }
    real* here = (real*)out.data + 9LL * targets.data[n];
    const int mirror = mirrors.data[n];
    real* there = mirror < 0 ? nullptr : (real*)out.data + 9LL * mirror;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            const real total = plain[3 * r + c] + turned[3 * c + r];
            here[3 * r + c] += total;
            if (there) there[3 * c + r] += total;
        }
"""


def gather_lists(targets: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each target 0 … count−1: where its contributions are, as (starts, indices), in ascending order."""
    n = len(targets)
    rows = sparse.csr_array((np.ones(n, np.int8), targets.astype(np.int32), np.arange(n + 1)), shape=(n, count))
    columns = rows.tocsc()  # sorts by counting, several times faster than by comparing
    return columns.indptr.astype(np.int32), columns.indices.astype(np.int32)


def _block_sums(t: Types) -> wp.Function:
    """The sum of number n of ``gather_blocks``."""
    ints, blocks = wp.array(dtype=wp.int32), wp.array(dtype=t.mat33)

    def sum_blocks(
        n: int, targets: ints, mirrors: ints, starts: ints, middles: ints, lists: ints, parts: blocks, out: blocks
    ): ...

    return t.native(sum_blocks, SUMS)


@family
def gather_kernels(t):
    vec3, mat33 = t.vec3, t.mat33

    @t.kernel
    def gather_vectors(
        start: int,
        # mesh:
        starts: wp.array(dtype=wp.int32),
        lists: wp.array(dtype=wp.int32),
        first: wp.int32,
        # in:
        parts: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        n = start + wp.tid()
        total = vec3()
        for i in range(starts[n], starts[n + 1]):
            total += parts[lists[i]]
        out[first + n] = out[first + n] + total

    sum_blocks = _block_sums(t)

    @t.kernel
    def gather_blocks(
        start: int,
        # mesh: for each sum the contributions as they are, from starts to middles, and those to be transposed; where it goes,
        # and its transpose, if that is another place
        targets: wp.array(dtype=wp.int32),
        mirrors: wp.array(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        middles: wp.array(dtype=wp.int32),
        lists: wp.array(dtype=wp.int32),
        # in:
        parts: wp.array(dtype=mat33),
        # out:
        out: wp.array(dtype=mat33),
    ):
        sum_blocks(start + wp.tid(), targets, mirrors, starts, middles, lists, parts, out)

    @t.kernel
    def add_blocks(
        start: int,
        # mesh: where each value goes, −1 for nowhere
        targets: wp.array(dtype=wp.int32),
        # in:
        scale: t.real,
        values: wp.array(dtype=mat33),
        # out:
        out: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        at = targets[i]
        if at >= 0:
            out[at] = out[at] + scale * values[i]

    @t.kernel
    def add_product(
        start: int,
        # mesh:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        # in:
        scale: t.real,
        values: wp.array(dtype=mat33),
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        """out += scale A x."""
        r = start + wp.tid()
        total = vec3()
        for i in range(rows[r], rows[r + 1]):
            total += values[i] * x[columns[i]]
        out[r] = out[r] + scale * total

    return locals()
