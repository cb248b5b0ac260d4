"""A sparse n×n matrix of numbers that acts on the three coordinates of every node alike."""

import numpy as np
import warp as wp
from scipy import sparse
from scipy.sparse.linalg import splu

from ..device import Device, family


@family
def scalar_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def reaction(
        start: int,
        # mesh: the nodes that are held along some axes only
        nodes: wp.array(dtype=wp.int32),
        # params: (3, nodes, nodes) what each axis has to push back with, 0 where it is free
        stiffness: wp.array3d(dtype=wp.float64),
        # in:
        d: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        force = wp.vec3d()
        for j in range(nodes.shape[0]):
            at = d[nodes[j]]
            for a in range(3):
                force[a] -= stiffness[a, i, j] * wp.float64(at[a])
        out[nodes[i]] = vec3(real(force[0]), real(force[1]), real(force[2]))

    @t.kernel
    def residual(
        start: int,
        # params:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        values: wp.array(dtype=wp.float64),
        # in:
        b: wp.array(dtype=vec3),
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        """b − A x, summed in double precision: the terms of a row nearly cancel wherever the body is far from the origin."""
        i = start + wp.tid()
        total = wp.vec3d(wp.float64(b[i][0]), wp.float64(b[i][1]), wp.float64(b[i][2]))
        for e in range(rows[i], rows[i + 1]):
            at = x[columns[e]]
            total -= values[e] * wp.vec3d(wp.float64(at[0]), wp.float64(at[1]), wp.float64(at[2]))
        out[i] = vec3(real(total[0]), real(total[1]), real(total[2]))

    return locals()


class ScalarMatrix:
    """A on a device, for products with (n,) vec3 arrays."""

    def __init__(self, device: Device, matrix: sparse.csr_matrix):
        self.device, self.count = device, matrix.shape[0]
        self.rows = device.array(matrix.indptr.astype(np.int32), wp.int32)
        self.columns = device.array(matrix.indices.astype(np.int32), wp.int32)
        self.values = device.array(matrix.data, wp.float64)

    def residual(self, b: wp.array, x: wp.array, out: wp.array) -> None:
        """out = b − A x."""
        kernel = scalar_kernels(self.device.precision).residual
        self.device.launch(kernel, self.count, self.rows, self.columns, self.values, b, x, out, grain=1024)


class SlidingNodes:
    """Nodes held along one or two axes, in a system that has one matrix for all three.

    A d = b + r with d = 0 where held: the reaction is r = −G⁻¹ A⁻¹b, G being the rows and columns of A⁻¹ that are held
    along the axis. G is dense, so this is for some thousand such nodes at most.
    """

    def __init__(self, device: Device, matrix: sparse.csr_matrix, held: np.ndarray):
        """``held`` is (n, 3), true where a component is held; nodes held along all axes are cut off in the matrix."""
        some = held.any(axis=1) & ~held.all(axis=1)
        nodes = np.flatnonzero(some)
        unit = np.zeros((len(held), len(nodes)))
        unit[nodes, np.arange(len(nodes))] = 1.0
        inverse = splu(matrix.tocsc()).solve(unit)[nodes]
        stiffness = np.zeros((3, len(nodes), len(nodes)))
        for axis in range(3):
            own = np.flatnonzero(held[nodes, axis])
            if len(own):
                stiffness[np.ix_([axis], own, own)] = np.linalg.inv(inverse[np.ix_(own, own)])
        self.device, self.count = device, len(nodes)
        self.nodes, self.stiffness = device.array(nodes, wp.int32), device.array(stiffness, wp.float64)

    def reaction(self, d: wp.array, out: wp.array) -> None:
        """out = r for d = A⁻¹ b."""
        out.zero_()
        kernel = scalar_kernels(self.device.precision).reaction
        self.device.launch(kernel, self.count, self.nodes, self.stiffness, d, out, grain=64)
