"""Bending matrix of plates, with corrections for curved rest shapes.

K = Σ w D [(Bᵢ·W Bⱼ) I − s (Bᵢ·q)(Bⱼ·q)(I − nnᵀ)] (material/laws/bending_law.py): all that varies is one 3×3 matrix for each
curved plate.
"""

import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import warp as wp

from ...linear.matrix.block_matrix import BlockMatrix
from ...linear.matrix.gather import gather_lists
from ...material.laws.bending_law import column_weights, rest_curvature, turned_part
from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from ...runtime.scatter_writes import write
from ..element_functions import element_functions

if TYPE_CHECKING:
    from .bending_energy import BendingEnergy


@alone
@functools.cache
def turning_kernels(k: int, precision: str) -> SimpleNamespace:
    t = Types(precision, f"bending_matrix_k{k}")
    real, vec3, mat33, params = t.real, t.vec3, t.mat33, t.vector(5)
    plate = element_functions(t, k)
    load, deformation, gradient = plate.load, plate.deformation, plate.gradient

    @t.kernel
    def turned(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params),
        curved: wp.array(dtype=wp.int32),
        project: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: −w D s (I − nnᵀ) of the curved plates, and their Bᵢ·q
        part: wp.array(dtype=mat33),
        along: wp.array2d(dtype=real),
    ):
        i = start + wp.tid()
        e = curved[i]
        p = table[e]
        q = wp.cw_mul(column_weights(p), rest_curvature(p))
        for j in range(k):
            along[i, j] = wp.dot(gradient(grad, scale, e, 0, j), q)
        n, s = turned_part(deformation(load(x, nodes, e), grad, scale, e, 0), p, project != 0)
        part[i] = (weight[0, e] * p[0] * s) * (wp.outer(n, n) - wp.identity(n=3, dtype=real))

    return SimpleNamespace(turned=turned)


@family
def bending_matrix(t):
    real, mat33 = t.real, t.mat33

    @t.kernel
    def add_flat(
        start: int,
        # mesh:
        targets: wp.array(dtype=wp.int32),
        # in:
        scalars: wp.array(dtype=real),
        # out:
        values: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        at = targets[i]
        values[at] = values[at] + scalars[i] * wp.identity(n=3, dtype=real)

    @t.kernel
    def add_turned(
        start: int,
        # mesh: pairs of corners i and j of plate e as (e k + i) k + j, e counting the curved ones
        targets: wp.array(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        lists: wp.array(dtype=wp.int32),
        k: wp.int32,
        # params: Bᵢ·q
        along: wp.array2d(dtype=real),
        # in:
        part: wp.array(dtype=mat33),
        # out:
        values: wp.array(dtype=mat33),
    ):
        n = start + wp.tid()
        total = mat33()
        for i in range(starts[n], starts[n + 1]):
            c = lists[i]
            e = c // (k * k)
            total += (along[e, (c // k) % k] * along[e, c % k]) * part[e]
        values[targets[n]] = values[targets[n]] + total

    return locals()


class PlateGather:
    """The tangent of ``BendingEnergy`` as it goes into one matrix."""

    def __init__(self, energy: "BendingEnergy", matrix: BlockMatrix):
        self.energy, self.device, self.stamp, self.count = energy, energy.device, energy.stamp, matrix.count
        device, k, t = energy.device, energy.k, energy.device.types
        flat = energy.element_laplacian(self.count).total.tocoo()
        self.there = matrix.find(flat.row, flat.col) >= 0
        self.entries = flat.row[self.there], flat.col[self.there]
        self.laid_out = matrix, matrix.pattern.lasting
        target = matrix.places_of(energy, *self.entries)
        self.targets = device.array(target, wp.int32)
        self.flat = device.array(flat.data[self.there], t.real)
        self.curved = energy.curved
        if len(self.curved):
            nodes, used = energy.cells()[self.curved], np.any(energy.elements.gradients[self.curved, 0] != 0, axis=2)
            pairs = np.flatnonzero((used[:, :, None] & used[:, None, :]).reshape(-1))
            e, i, j = pairs // (k * k), pairs // k % k, pairs % k
            target = matrix.find(nodes[e, i], nodes[e, j])
            pairs, target = pairs[target >= 0], target[target >= 0]
            turning, place = np.unique(target, return_inverse=True)
            self.turned = matrix.pattern.rows[turning], matrix.columns[turning]
            starts, order = gather_lists(place, len(turning))
            arrays = (turning, starts, pairs[order], self.curved)
            self.turning, self.starts, self.lists, self.chosen = (device.array(a, wp.int32) for a in arrays)
            self.along = device.zeros((len(self.curved), k), t.real)
            self.part = device.zeros(len(self.curved), t.mat33)

    def follows(self, matrix: BlockMatrix) -> bool:
        """Go on in the same arrays where the matrix has been joined with other pairs; False where it is another one."""
        if self.laid_out[1] is None or self.laid_out != (matrix, matrix.pattern.lasting):
            return False
        write(self.device, self.targets, matrix.places_of(self.energy, *self.entries))
        if len(self.curved):
            write(self.device, self.turning, matrix.find(*self.turned))
        return True

    def renew(self) -> None:
        """Take the parameters as they are now."""
        flat = self.energy.element_laplacian(self.count).total.data[self.there]
        self.flat.assign(flat.astype(self.device.types.numpy))
        self.stamp = self.energy.stamp

    def fill(self, x: wp.array, project: bool) -> None:
        if self.stamp != self.energy.stamp:
            self.renew()
        if len(self.curved):
            energy = self.energy
            mesh = (energy.nodes, energy.grad, energy.scale, energy.weight, energy.table, self.chosen, int(project))
            kernel = turning_kernels(energy.k, self.device.precision).turned
            self.device.launch(kernel, len(self.curved), *mesh, x, self.part, self.along, grain=512)

    def add_to(self, matrix: BlockMatrix) -> None:
        """matrix.values += what was filled in."""
        kernels, launch = bending_matrix(self.device.precision), self.device.launch
        launch(kernels.add_flat, self.flat.shape[0], self.targets, self.flat, matrix.values, grain=4096)
        if len(self.curved):
            pairs = (self.turning, self.starts, self.lists, self.energy.k, self.along)
            launch(kernels.add_turned, self.turning.shape[0], *pairs, self.part, matrix.values, grain=1024)
