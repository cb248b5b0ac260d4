"""How forces on points change with their springs: of nodes, of points that ride on some, and of the mouse's grabs."""

import warp as wp

from ..runtime.device import family


@family
def point_sensitivity_kernels(t):
    real, vec3 = t.real, t.vec3
    reals, vectors, positions = wp.array(dtype=real), wp.array(dtype=vec3), wp.array(dtype=t.position)

    @t.kernel
    def of_pull(
        start: int,
        # params:
        factor: real,
        target: positions,
        # in:
        x: positions,
        d: vectors,
        # out:
        stiffness: reals,
    ):
        i = start + wp.tid()
        stiffness[i] = stiffness[i] + factor * wp.dot(vec3(x[i] - target[i]), d[i])

    @t.kernel
    def of_target(
        start: int,
        # params:
        factor: real,
        stiffness: reals,
        # in:
        d: vectors,
        # out:
        target: vectors,
    ):
        i = start + wp.tid()
        target[i] = target[i] - factor * stiffness[i] * d[i]

    @t.kernel
    def of_springs(
        start: int,
        # mesh: nodes and weights, (k, points) or with ``by_point`` (points, k)
        nodes: wp.array2d(dtype=wp.int32),
        weight: wp.array2d(dtype=real),
        by_point: wp.int32,
        # params:
        stiffness: reals,
        target: positions,
        # in:
        x: positions,
        d: vectors,
        # out: r · δr of each point, and −k δr
        of_stiffness: reals,
        of_target: vectors,
    ):
        p = start + wp.tid()
        off = -target[p]
        dr = vec3()
        if by_point == 1:
            for i in range(nodes.shape[1]):
                off += wp.float64(weight[p, i]) * x[nodes[p, i]]
                dr += weight[p, i] * d[nodes[p, i]]
        else:
            for i in range(nodes.shape[0]):
                off += wp.float64(weight[i, p]) * x[nodes[i, p]]
                dr += weight[i, p] * d[nodes[i, p]]
        if of_stiffness.shape[0] > 0:
            of_stiffness[p] = of_stiffness[p] + wp.dot(vec3(off), dr)
        if of_target.shape[0] > 0:
            of_target[p] = of_target[p] - stiffness[p] * dr

    @t.kernel
    def of_pressure(
        start: int,
        # mesh:
        tri: wp.array2d(dtype=wp.int32),
        factor: reals,
        # in:
        x: positions,
        d: vectors,
        # out: −δV under each face
        value: reals,
    ):
        f = start + wp.tid()
        a, b, c = x[tri[0, f]], x[tri[1, f]], x[tri[2, f]]
        area = factor[f] * wp.cross(vec3(b - a), vec3(c - a)) / real(6.0)
        value[f] = -wp.dot(area, d[tri[0, f]] + d[tri[1, f]] + d[tri[2, f]])

    @t.kernel
    def of_hourglass(
        start: int,
        # mesh: (8, m) nodes; 8×8 matrix, row by row
        nodes: wp.array2d(dtype=wp.int32),
        shape: wp.array2d(dtype=real),
        # in:
        x: positions,
        d: vectors,
        # out:
        stiffness: reals,
    ):
        e = start + wp.tid()
        base = x[nodes[7, e]]
        total = real(0.0)
        for i in range(8):
            f = vec3()
            for j in range(7):  # rows of the matrix sum to zero
                f += shape[i, j] * vec3(x[nodes[j, e]] - base)
            total += wp.dot(f, d[nodes[i, e]])
        stiffness[e] = stiffness[e] + total

    return locals()
