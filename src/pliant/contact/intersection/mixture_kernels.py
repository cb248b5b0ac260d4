"""Spring kernels between two mixtures of nodes with a fixed normal.

With d = Σ wᵢxᵢ, from the one mixture to the other, the gap is g = n·d, and the energy k/2 min(g − r, 0)², r being
the rest length of the spring; friction is a spring across n from the start of the step, which slides at its limit.
"""

import functools
from typing import Any

import warp as wp

from ...energy.contact_totals import FAR
from ...runtime.build_lock import alone
from ...runtime.device import Types, family

WIDE = 8  # nodes of a mixture


@alone
@functools.cache
def mixture_struct() -> Any:
    """Springs between mixtures, and for each node with any where they begin in the list of entries, ``WIDE`` for each."""
    t = Types("f64", "mixture_structs")
    ints, reals, points = wp.array(dtype=wp.int32), wp.array(dtype=t.real), wp.array(dtype=t.position)

    @functools.partial(wp.struct, module=t.module)
    class Mixtures:
        nodes: wp.array2d(dtype=wp.int32)  # (c, WIDE)
        weights: wp.array2d(dtype=t.real)
        normals: points
        stiffness: reals
        rest: reals
        limit: reals  # friction limit of each, and the initial d
        before: points
        starts: ints
        lists: ints

    return Mixtures


@family
def mixture_kernels(t):
    vec3, position, mat33, mat33d, double = t.vec3, t.position, t.mat33, wp.mat33d, wp.float64
    doubles, vectors, matrices = wp.array(dtype=double), wp.array(dtype=position), wp.array(dtype=mat33d)
    Mixtures = mixture_struct()

    @t.kernel
    def evaluate_mixtures(
        start: int, springs: Mixtures, x: wp.array(dtype=position),
        value: doubles, pull: vectors, block: matrices, gap: doubles, loss: doubles,
    ):  # fmt: skip
        """Energy, ∂E/∂d, ∂²E/∂d², the gap where it presses and FAR elsewhere, and what friction took."""
        i = start + wp.tid()
        k = springs.stiffness[i]
        total, lost, here = double(0.0), double(0.0), double(FAR)
        f = position()
        K = mat33d()
        if k > double(0.0):
            d = position()
            many = int(WIDE)
            for j in range(many):
                d += springs.weights[i, j] * x[springs.nodes[i, j]]
            n, rest = springs.normals[i], springs.rest[i]
            g = wp.dot(n, d)
            if g < rest:
                here = wp.min(g, double(0.0))
                total = double(0.5) * k * (g - rest) * (g - rest)
                f = k * (g - rest) * n
                K = k * wp.outer(n, n)
            most = springs.limit[i]
            if most > double(0.0):
                u = d - springs.before[i]
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
    def spread_mixtures(start: int, springs: Mixtures, pull: vectors, out: wp.array(dtype=vec3)):
        n = start + wp.tid()
        total = position()
        for i in range(springs.starts[n], springs.starts[n + 1]):
            e = springs.lists[i]
            total += springs.weights[e // WIDE, e % WIDE] * pull[e // WIDE]
        out[n] = out[n] + vec3(total)

    @t.kernel
    def spread_blocks(start: int, springs: Mixtures, block: matrices, out: wp.array(dtype=mat33)):
        """Of each node with itself."""
        n = start + wp.tid()
        total = wp.mat33d()
        for i in range(springs.starts[n], springs.starts[n + 1]):
            e = springs.lists[i]
            w = springs.weights[e // WIDE, e % WIDE]
            total += (w * w) * block[e // WIDE]
        out[n] = out[n] + mat33(total)

    @t.kernel
    def turn_mixtures(start: int, springs: Mixtures, block: matrices, d: wp.array(dtype=vec3), pull: vectors):
        """∂²E/∂d² · Σ w d."""
        i = start + wp.tid()
        total = position()
        many = int(WIDE)
        for j in range(many):
            total += springs.weights[i, j] * position(d[springs.nodes[i, j]])
        pull[i] = block[i] * total

    @t.kernel
    def couple_mixtures(start: int, springs: Mixtures, block: matrices, parts: wp.array2d(dtype=mat33)):
        """Upper triangle over the nodes."""
        i = start + wp.tid()
        many = int(WIDE)
        row = int(0)
        for a in range(many):
            for b in range(a, many):
                parts[row, i] = mat33((springs.weights[i, a] * springs.weights[i, b]) * block[i])
                row += 1

    return locals()
