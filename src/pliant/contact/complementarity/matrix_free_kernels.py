"""Kernels of matrix-free compliance: forces to nodes, motions to gaps."""

import warp as wp

from ...runtime.device import family
from ..pairs.pair_coupling import place_function


@family
def unbuilt_kernels(t):
    ints, doubles, blocks_type = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64), wp.array(dtype=wp.mat33d)
    frees = wp.array(dtype=t.vec3)
    place_of = place_function(t)

    @wp.func(module=t.module)
    def in_frame(i: int, force: doubles, frames: blocks_type) -> wp.vec3d:
        return wp.transpose(frames[i]) * wp.vec3d(force[3 * i], force[3 * i + 1], force[3 * i + 2])

    @t.kernel
    def pull_nodes(
        start: int,
        # mesh: nodes that are reached, their contacts and weights
        sizes: ints, nodes: ints, begins: ints, contacts: ints, weights: doubles, frames: blocks_type, free: frees,
        # in:
        force: doubles,
        # out: 0 elsewhere
        right: doubles,
    ):  # fmt: skip
        """Jᵀ λ, 0 where held."""
        p = start + wp.tid()
        if p < sizes[1]:
            total = wp.vec3d()
            for e in range(begins[p], begins[p + 1]):
                total += weights[e] * in_frame(contacts[e], force, frames)
            for a in range(3):
                right[3 * nodes[p] + a] = total[a] * wp.float64(free[nodes[p]][a])

    @t.kernel
    def push_contacts(
        start: int,
        # mesh: contacts, their nodes by number and weights
        sizes: ints, begins: ints, nodes: ints, weights: doubles, frames: blocks_type, free: frees,
        # in:
        left: doubles,
        # out:
        gap: doubles,
    ):  # fmt: skip
        """J x."""
        i = start + wp.tid()
        if i < sizes[0]:
            total = wp.vec3d()
            for e in range(begins[i], begins[i + 1]):
                n = nodes[e]
                for a in range(3):
                    total[a] += weights[e] * left[3 * n + a] * wp.float64(free[n][a])
            local = frames[i] * total
            for a in range(3):
                gap[3 * i + a] = local[a]

    @t.kernel
    def give_way(
        start: int,
        # mesh:
        sizes: ints, begins: ints, nodes: ints, weights: doubles, frames: blocks_type, free: frees, rows: ints,
        columns: ints,
        # in: blocks of A
        values: wp.array(dtype=t.mat33),
        # out:
        blocks: blocks_type,
    ):  # fmt: skip
        """About how each contact gives way to its own force: as its nodes would if all others were held."""
        i = start + wp.tid()
        if i < sizes[0]:
            total = wp.mat33d()
            for e in range(begins[i], begins[i + 1]):
                n = nodes[e]
                own = wp.mat33d(values[place_of(n, n, rows, columns)])
                for a in range(3):
                    if free[n][a] == t.real(0.0):
                        for b in range(3):
                            own[a, b] = wp.float64(0.0)
                            own[b, a] = wp.float64(0.0)
                        own[a, a] = wp.float64(1.0)
                soft = wp.inverse(own)
                for a in range(3):
                    if free[n][a] == t.real(0.0):
                        soft[a, a] = wp.float64(0.0)
                total += weights[e] * weights[e] * soft
            block = frames[i] * total * wp.transpose(frames[i])
            least = wp.float64(1e-12) * wp.trace(block)
            for a in range(3):
                block[a, a] += least
            blocks[i] = block

    return locals()
