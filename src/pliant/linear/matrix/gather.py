"""Sums of contributions, each target adding up its own list in a fixed order: the opposite of atomic scatter."""

from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Types, family
from .lists_native import fold, gather

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

BLOCK = 256  # threads of a GPU that sum together
FOLDED = 4  # nodes of the elements that do
GIVE = r"""
#if defined(__CUDA_ARCH__)
    if (fold.shape[0] > 1) {
        __shared__ real given[3][4 * BLOCK];
        const int t = threadIdx.x;
        for (int c = 0; c < 3; ++c) {
            real rest = real(0);
            for (int i = 0; i < 3; ++i) {
                given[c][i * BLOCK + t] = B.data[i][c];
                rest -= B.data[i][c];
            }
            given[c][3 * BLOCK + t] = rest;
        }
        const int* __restrict firsts = fold.data + 1;
        const int blocks = fold.data[0], begin = firsts[blockIdx.x], end = firsts[blockIdx.x + 1];
        const int* __restrict starts = firsts + blocks + 1;
        const unsigned short* __restrict entries = (const unsigned short*)(starts + firsts[blocks] + 1);
        real* __restrict out = (real*)corner.data;
        __syncthreads();
        for (int s = begin + t; s < end; s += BLOCK) {
            real sum[3] = {};
            for (int i = starts[s]; i < starts[s + 1]; ++i) {
                const int at = entries[i];
                for (int c = 0; c < 3; ++c) sum[c] += given[c][at];
            }
            for (int c = 0; c < 3; ++c) out[3LL * s + c] = sum[c];
        }
        return;
    }
#endif
    real* __restrict out = (real*)corner.data;
    const long long plane = 3LL * corner.shape[1], at = 3LL * e;
    for (int c = 0; c < 3; ++c) {
        real rest = real(0);
        for (int i = 0; i < 3; ++i) {
            out[i * plane + at + c] = B.data[i][c];
            rest -= B.data[i][c];
        }
        out[3 * plane + at + c] = rest;
    }
"""


def gather_lists(targets: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each target 0 … count−1: where its contributions are, as (starts, indices), in ascending order."""
    starts, lists = np.empty(count + 1, np.int32), np.empty(len(targets), np.int32)
    gather(np.ascontiguousarray(targets, np.int32), len(targets), count, starts, lists, np.empty(count, np.int32))
    if starts[0] < 0:
        raise IndexError(f"targets are not all in 0 … {count - 1}")
    return starts, lists


def folded_lists(nodes: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What each ``BLOCK`` of elements (m, 4) sums of its own, and for each node where those sums are, as (starts, indices).

    A block has one sum for each node that its elements share, and the sums of all blocks follow one another. The first array is
    the number of blocks; the first sum of each, and how many there are; the first entry of each sum, and how many there are; and
    the entries, two in a number: corner i of the element of thread t is entry i ``BLOCK`` + t. All are in ascending order.
    """
    of_node, order = gather_lists(nodes.reshape(-1), count)  # corners by node, and by element within
    corners, blocks, found = len(order), -(-len(nodes) // BLOCK), np.zeros(1, np.int64)
    folded, following = np.empty(3 + blocks + corners + corners // 2, np.int32), np.empty(blocks, np.int32)
    node_starts, numbers = np.empty(count + 1, np.int32), np.empty(corners, np.int32)
    begin, block_of = (np.empty(corners + 1, np.int32) for _ in range(2))
    fold(of_node, order, count, corners, BLOCK, blocks, folded, node_starts, numbers, begin, block_of, following, found)
    sums = int(found[0])
    return folded[: 3 + blocks + sums + corners // 2], node_starts, numbers[:sums]


def fold_forces(t: Types) -> wp.Function:
    """``give(B, e, fold, corner)``: what elements of four nodes give to all but the last, which takes the balance.

    On a GPU the threads of a block first sum what they give to nodes that they share, each sum in a fixed order.
    """
    differences, vectors = t.matrix(FOLDED - 1, 3), wp.array2d(dtype=t.vec3)

    def give(B: differences, e: int, fold: wp.array(dtype=wp.int32), corner: vectors): ...

    return t.native(give, GIVE.replace("BLOCK", str(BLOCK)))


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

    @t.native_kernel(SUMS)
    def gather_blocks(
        n: int,
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
    ): ...

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

    @t.kernel_of({"values": mat33}, {"values": t.real})
    def add_product(
        start: int,
        # mesh:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        # in:
        scale: t.real,
        values: wp.array(dtype=Any),
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        """out += scale A x, with blocks or numbers as entries of A."""
        r = start + wp.tid()
        total = vec3()
        for i in range(rows[r], rows[r + 1]):
            total += values[i] * x[columns[i]]
        out[r] = out[r] + scale * total

    return locals()
