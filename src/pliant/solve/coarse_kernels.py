"""Kernels of the coarse space: sums over the nodes of a piece of a body, and their rigid motion.

Nodes are listed piece by piece and cut into chunks. Vectors of the coarse space have two rows for a piece: its translation or
the force on it, and its rotation or the moment about its centre of mass.
"""

import warp as wp

from ..device import family
from ..vectors import sum_functions
from .lbfgs_kernels import MAGNITUDE, SLOPE, TURN


@family
def coarse_kernels(t):
    real, vec3, position = t.real, t.vec3, t.position
    ints, doubles = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.float64)
    nodes, places, reals = wp.array(dtype=vec3), wp.array(dtype=position), wp.array(dtype=real)
    vectors, tensors = wp.array(dtype=wp.vec3d), wp.array(dtype=wp.mat33d)
    row_sum = sum_functions(t).row_sum

    @t.kernel
    def first_moments(start: int, order: ints, ends: ints, mass: reals, x: places, out: vectors):
        """Σ m x of a chunk."""
        c = start + wp.tid()
        total = wp.vec3d()
        for k in range(ends[c], ends[c + 1]):
            i = order[k]
            total += wp.float64(mass[i]) * wp.vec3d(x[i])
        out[c] = total

    @t.kernel
    def put_centres(start: int, chunks: ints, whole: wp.array(dtype=wp.float64), parts: vectors, centre: vectors):
        b = start + wp.tid()
        total = wp.vec3d()
        for c in range(chunks[b], chunks[b + 1]):
            total += parts[c]
        centre[b] = total / whole[b]

    @t.kernel
    def second_moments(
        start: int, order: ints, ends: ints, piece: ints, mass: reals, centre: vectors, x: places, out: tensors
    ):
        """Σ m (|r|² − r rᵀ) of a chunk."""
        c = start + wp.tid()
        total = wp.mat33d()
        for k in range(ends[c], ends[c + 1]):
            i = order[k]
            r = wp.vec3d(x[i]) - centre[piece[i]]
            total += wp.float64(mass[i]) * (wp.dot(r, r) * wp.identity(n=3, dtype=wp.float64) - wp.outer(r, r))
        out[c] = total

    @t.kernel
    def put_inverses(start: int, chunks: ints, factor: wp.float64, parts: tensors, inverse: tensors):
        """The inverse of the inertia of rotation; threads and points have none about an axis."""
        b = start + wp.tid()
        total = wp.mat33d()
        for c in range(chunks[b], chunks[b + 1]):
            total += parts[c]
        least = wp.float64(1.0e-9) * wp.trace(total) + wp.float64(1.0e-300)
        inverse[b] = wp.inverse(factor * (total + least * wp.identity(n=3, dtype=wp.float64)))

    @t.kernel
    def sum_forces(
        start: int, order: ints, ends: ints, piece: ints, centre: vectors, x: places, f: nodes, out: vectors
    ):
        """Σ f and Σ r × f of a chunk."""
        c = start + wp.tid()
        force = wp.vec3d()
        moment = wp.vec3d()
        for k in range(ends[c], ends[c + 1]):
            i = order[k]
            u = wp.vec3d(f[i])
            force += u
            moment += wp.cross(wp.vec3d(x[i]) - centre[piece[i]], u)
        out[2 * c] = force
        out[2 * c + 1] = moment

    @t.kernel
    def put_forces(start: int, chunks: ints, parts: vectors, out: nodes):
        b = start + wp.tid()
        force = wp.vec3d()
        moment = wp.vec3d()
        for c in range(chunks[b], chunks[b + 1]):
            force += parts[2 * c]
            moment += parts[2 * c + 1]
        out[2 * b] = vec3(force)
        out[2 * b + 1] = vec3(moment)

    @t.kernel
    def lift(start: int, order: ints, piece: ints, centre: vectors, x: places, q: nodes, out: nodes):
        """out = t + ω × r at the nodes of pieces."""
        i = order[start + wp.tid()]
        b = piece[i]
        out[i] = vec3(wp.vec3d(q[2 * b]) + wp.cross(wp.vec3d(q[2 * b + 1]), wp.vec3d(x[i]) - centre[b]))

    @t.kernel
    def divide(start: int, factor: wp.float64, whole: wp.array(dtype=wp.float64), inverse: tensors, r: nodes, z: nodes):
        """z = G⁻¹ r with the inertia G of pieces that move as rigid bodies."""
        b = start + wp.tid()
        z[2 * b] = vec3(wp.vec3d(r[2 * b]) / (factor * whole[b]))
        z[2 * b + 1] = vec3(inverse[b] * wp.vec3d(r[2 * b + 1]))

    @t.kernel
    def move_pieces(
        start: int,
        # mesh:
        order: ints,
        piece: ints,
        group: ints,
        # params: how far, in that column of the state of each group
        column: int,
        state: doubles,
        # in:
        centre: vectors,
        q: nodes,
        x: places,
        # out:
        out: places,
    ):
        """out = c + α t + exp(αω) (x − c)."""
        i = order[start + wp.tid()]
        b = piece[i]
        alpha = state[group[b], column]
        w = alpha * wp.vec3d(q[2 * b + 1])
        angle = wp.length(w)
        r = wp.vec3d(x[i]) - centre[b]
        if angle > wp.float64(0.0):
            r = wp.quat_rotate(wp.quat_from_axis_angle(w / angle, angle), r)
        out[i] = position(centre[b] + alpha * wp.vec3d(q[2 * b]) + r)

    @t.kernel
    def shift_centres(start: int, group: ints, column: int, state: doubles, q: nodes, centre: vectors, out: vectors):
        """out = c + α t."""
        b = start + wp.tid()
        out[b] = centre[b] + state[group[b], column] * wp.vec3d(q[2 * b])

    @t.kernel
    def note_first(start: int, least: wp.float64, parts: doubles, sums: doubles, sizes: doubles):
        """What inertia alone would make of the forces [J], and what rounding makes of it."""
        j = start + wp.tid()
        size = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            g = j // wp.block_dim()
            sizes[g, 0] = size
            sizes[g, 1] = least * sums[g, 1]

    @t.kernel
    def note_step(start: int, share: wp.float64, least: wp.float64, state: doubles, sizes: doubles):
        """What the last step promised [J], and which share of what the first one did ends the search."""
        g = start + wp.tid()
        size = -state[g, SLOPE]
        if int(state[g, TURN]) == 0:
            sizes[g, 1] = wp.max(share * size, least * state[g, MAGNITUDE])
        sizes[g, 0] = size

    return locals()
