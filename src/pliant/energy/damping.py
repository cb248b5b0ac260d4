"""Damping as energies of one step: with v = rate (x − anchor), D v is the gradient of rate/2 (x−anchor)ᵀ D (x−anchor).

``rate`` and ``anchor`` come from the integrator, so the same damping serves them all. Rayleigh: D = α M + β K, K the
elastic tangent at the start of the step. Viscous: stress 2η Ė of the Green strain rate, which no rigid motion feels.
"""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..elements.base import Elements
from ..vectors import Vectors
from .base import BlockGather, Energy, Pattern
from .elastic import ElasticEnergy
from .gather import gather_kernels
from .hourglass import Hourglass
from .volume import AveragedVolume


class StiffnessDamping(Energy):
    """Rayleigh's β K of an energy on elements, K being its positive semi-definite tangent where the step began."""

    name = "damping"

    def __init__(
        self, device: Device, elastic: ElasticEnergy | Hourglass | AveragedVolume, seconds: float, count: int
    ):
        super().__init__(device)
        self.elastic, self.seconds, self.rate = elastic, float(seconds), 0.0
        self.count, self.vectors = count, Vectors(device, count)
        self.anchor, self.offset, self.force = (self.vectors.new() for _ in range(3))
        self.matrix = Pattern(device, count, [elastic.cells()])
        self.assembly = BlockGather(device, self.matrix, elastic.cells(), elastic.pairs())

    @property
    def scale(self) -> float:
        return self.rate * self.seconds

    def begin(self, x: wp.array, anchor: wp.array, rate: float) -> None:
        """Take K at the start of a step."""
        self.vectors.copy(anchor, self.anchor)
        self.rate = rate
        if rate > 0:
            self.matrix.clear()
            self.elastic.fill(x, self.assembly, project=True)
            self.assembly.add_to(self.matrix)

    def measure(self, x: wp.array, out: wp.array) -> None:
        if self.rate > 0:
            self.vectors.move(x, -1.0, self.anchor, self.offset)
            self.force.zero_()
            self.matrix.multiply(self.scale, self.offset, self.force)
            self.sums.add_to(out, 0.5, self.sums.kernels.dot_chunk, self.offset, self.force)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        if self.rate > 0:
            self.vectors.move(x, -1.0, self.anchor, self.offset)
            self.matrix.multiply(self.scale, self.offset, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if self.rate > 0:
            self.matrix.multiply(self.scale, d, out)

    def cells(self) -> np.ndarray:
        return self.elastic.cells()

    def attach(self, pattern: Pattern) -> None:
        rows = np.repeat(np.arange(self.matrix.count), np.diff(self.matrix.row_start))
        self._targets = self.device.array(pattern.find(rows, self.matrix.columns), wp.int32)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        if self.rate > 0:
            kernel = gather_kernels(self.device.precision).add_blocks
            values = (self.matrix.values, pattern.values)
            self.device.launch(kernel, self.matrix.entries, self._targets, self.scale, *values)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        return self.scale * self.elastic.laplacian(count)

    def project(self, x: wp.array, out: wp.array) -> bool:
        """b = L x − K (x − anchor): a bound where no tangent exceeds L."""
        if not self.elastic.bounded:
            return not self.rate > 0
        if self.rate > 0:
            self.elastic.laplacian_product(self.scale, x, out)
            self.vectors.move(self.anchor, -1.0, x, self.offset)
            self.matrix.multiply(self.scale, self.offset, out)
        return True

    @property
    def stamp(self) -> tuple:
        return self.scale, *self.elastic.stamp

    @property
    def baked(self) -> tuple:
        return (self.scale,)


def _points_alone(elements: Elements) -> Elements:
    """Each point as an element of its own, since each remembers its own strain."""
    m, q, k, _ = elements.gradients.shape
    if q == 1:
        return elements
    cubes = (elements.places.reshape(m * q, 1, 3), np.repeat(elements.edges, q)) if elements.cubic else ()
    alone = (elements.gradients.reshape(m * q, 1, k, 3), elements.weights.reshape(m * q, 1), elements.dimension, *cubes)
    return Elements(elements.rest, np.repeat(elements.nodes, q, axis=0), *alone)


class Viscosity(ElasticEnergy):
    """η rate |E(x) − E(anchor)|² per volume: the viscous stress of a Kelvin–Voigt solid, η [Pa s]."""

    name = "viscosity"

    def __init__(self, device: Device, elastic: ElasticEnergy, viscosity: float):
        from ..material.viscous import Viscous

        points = _points_alone(elastic.elements)
        rows = np.arange(points.count) if points.count > 1 else None
        super().__init__(device, points, Viscous(elements=points.count), elastic.first, rows)
        self.viscosity = float(viscosity)
        self.rate = 0.0

    def laplacian(self, count: int) -> None:
        return None  # in the gradient only

    def project(self, x: wp.array, out: wp.array) -> bool:
        return False

    @property
    def stamp(self) -> tuple:
        return ()

    def begin(self, x: wp.array, anchor: wp.array, rate: float) -> None:
        """Take the strain at ``anchor`` as the one to return to."""
        X = anchor.numpy().astype(float)
        nodes = self.elements.nodes + self.first
        F = np.einsum("mki,mkj->mij", X[nodes], self.elements.gradients[:, 0])
        E = 0.5 * (np.einsum("mki,mkj->mij", F, F) - np.eye(3))
        table = np.column_stack(
            [
                np.full(len(E), self.viscosity * rate),
                E[:, 0, 0],
                E[:, 1, 1],
                E[:, 2, 2],
                E[:, 0, 1],
                E[:, 0, 2],
                E[:, 1, 2],
            ]
        )
        self.table.assign(table.astype(self.device.types.numpy))
