"""Kernels of springs between two mixtures of nodes each, with a normal and a gap that a step keeps.

With d = Σ wᵢxᵢ, which goes from the one mixture to the other, the gap is g = n·d, and the energy k/2 min(g − r, 0)², r being
where the spring is at rest; friction is a spring across n from where the step began, which slides once it pulls with its limit.
"""

import warp as wp

from ..device import family
from ..energy.touching import FAR


@family
def mixture_kernels(t):
    real, vec3, position, mat33 = t.real, t.vec3, t.position, t.mat33
    double, mat33d = wp.float64, wp.mat33d
    nodes8, weights8 = wp.array2d(dtype=wp.int32), wp.array2d(dtype=wp.float64)
    doubles, ints = wp.array(dtype=wp.float64), wp.array(dtype=wp.int32)
    vectors, matrices = wp.array(dtype=position), wp.array(dtype=wp.mat33d)

    @t.kernel
    def evaluate_mixtures(
        start: int,
        # mesh: (c, 8) nodes and weights
        nodes: nodes8,
        weights: weights8,
        normals: vectors,
        stiffness: doubles,
        rest: doubles,
        # params: friction of each, at most, and where d was
        limit: doubles,
        before: vectors,
        # in:
        x: wp.array(dtype=position),
        # out: energy, ∂E/∂d, ∂²E/∂d², the gap where it presses and FAR elsewhere, and what friction took
        value: doubles,
        pull: vectors,
        block: matrices,
        gap: doubles,
        loss: doubles,
    ):
        i = start + wp.tid()
        k = stiffness[i]
        total, lost, here = double(0.0), double(0.0), double(FAR)
        f = position()
        K = mat33d()
        if k > double(0.0):
            d = position()
            many = int(8)
            for j in range(many):
                d += weights[i, j] * x[nodes[i, j]]
            n = normals[i]
            g = wp.dot(n, d)
            if g < rest[i]:
                here = wp.min(g, double(0.0))
                total = double(0.5) * k * (g - rest[i]) * (g - rest[i])
                f = k * (g - rest[i]) * n
                K = k * wp.outer(n, n)
            most = limit[i]
            if most > double(0.0):
                u = d - before[i]
                u = u - wp.dot(u, n) * n
                length = wp.length(u)
                across = wp.identity(n=3, dtype=double) - wp.outer(n, n)
                if k * length <= most:
                    total += double(0.5) * k * length * length
                    f += k * u
                    K += k * across
                else:
                    lost = most * (length - most / k)
                    total += most * (length - double(0.5) * most / k)
                    f += (most / length) * u
                    K += (most / length) * (across - wp.outer(u, u) / (length * length))
        value[i] = total
        pull[i] = f
        block[i] = K
        gap[i] = here
        loss[i] = lost

    @t.kernel
    def spread_mixtures(
        start: int,
        # mesh: for each node with mixtures, where they begin in the list of entries, 8 for each mixture
        starts: ints,
        lists: ints,
        weights: weights8,
        # in:
        pull: vectors,
        # out:
        out: wp.array(dtype=vec3),
    ):
        n = start + wp.tid()
        total = position()
        for i in range(starts[n], starts[n + 1]):
            e = lists[i]
            total += weights[e // 8, e % 8] * pull[e // 8]
        out[n] = out[n] + vec3(total)

    @t.kernel
    def spread_blocks(
        start: int,
        # mesh: as above
        starts: ints,
        lists: ints,
        weights: weights8,
        # in:
        block: matrices,
        # out: of each node with itself
        out: wp.array(dtype=mat33),
    ):
        n = start + wp.tid()
        total = wp.mat33d()
        for i in range(starts[n], starts[n + 1]):
            e = lists[i]
            w = weights[e // 8, e % 8]
            total += (w * w) * block[e // 8]
        out[n] = out[n] + mat33(total)

    @t.kernel
    def turn_mixtures(
        start: int,
        # mesh:
        nodes: nodes8,
        weights: weights8,
        # in:
        block: matrices,
        d: wp.array(dtype=vec3),
        # out: ∂²E/∂d² · Σ w d
        pull: vectors,
    ):
        i = start + wp.tid()
        total = position()
        many = int(8)
        for j in range(many):
            total += weights[i, j] * position(d[nodes[i, j]])
        pull[i] = block[i] * total

    @t.kernel
    def couple_mixtures(
        start: int,
        # mesh:
        weights: weights8,
        # in:
        block: matrices,
        # out: upper triangle over the eight nodes
        parts: wp.array2d(dtype=mat33),
    ):
        i = start + wp.tid()
        many = int(8)
        row = int(0)
        for a in range(many):
            for b in range(a, many):
                parts[row, i] = mat33((weights[i, a] * weights[i, b]) * block[i])
                row += 1

    return locals()
