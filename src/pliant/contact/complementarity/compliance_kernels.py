"""Compliance kernels: W = H (I A⁻¹ Iᵀ) Hᵀ between contacts."""

import warp as wp

from ...runtime.device import family


@family
def compliance_kernels(t):
    ints, doubles, frames_type = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64), wp.array(dtype=wp.mat33d)

    @wp.func(module=t.module)
    def entry(i: int, j: int, size: int, inverse: doubles) -> wp.float64:
        """Of a symmetric matrix of which rows up to the diagonal are known."""
        row, column = wp.max(i, j), wp.min(i, j)
        return inverse[wp.int64(row) * wp.int64(size) + wp.int64(column)]

    @t.kernel
    def put_blocks(
        start: int,
        # params: contacts, and rows of the inverse
        contacts: int, size: int,
        # mesh: the nodes of each contact by their first place in the inverse, with weights
        begins: ints, places: ints, weights: doubles, frames: frames_type,
        # in:
        inverse: doubles,
        # out: row after row
        W: doubles,
    ):  # fmt: skip
        e = start + wp.tid()
        i, j = e / contacts, e % contacts
        if j <= i:
            between = wp.mat33d()
            for p in range(begins[i], begins[i + 1]):
                for q in range(begins[j], begins[j + 1]):
                    share = weights[p] * weights[q]
                    for a in range(3):
                        for b in range(3):
                            between[a, b] += share * entry(places[p] + a, places[q] + b, size, inverse)
            block = frames[i] * between * wp.transpose(frames[j])
            n = wp.int64(3 * contacts)
            for a in range(3):
                for b in range(3):
                    if i > j or a >= b:  # both halves the same
                        W[wp.int64(3 * i + a) * n + wp.int64(3 * j + b)] = block[a, b]
                        W[wp.int64(3 * j + b) * n + wp.int64(3 * i + a)] = block[a, b]

    return locals()
