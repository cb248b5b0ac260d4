"""Damping energies of a step: quadratic in x − anchor.

``rate`` and ``anchor`` come from the integrator, so the same damping serves them all, and so does ``at``, where x is expected
to end up: the matrix D is taken there and not at x, or the step would minimise nothing, and not where the step began, or no
scheme would be of second order. Rayleigh: D = α M + β K, K the elastic tangent. Viscous: stress 2η Ė of the Green
strain rate, which no rigid motion feels.
"""

from functools import cached_property

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.base import Elements
from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...linear.matrix.gather import gather_kernels
from ...linear.matrix.scalar_matrix import ScalarBlocks
from ...material.base import Material
from ...runtime.device import Device
from ...runtime.scatter_writes import write
from ...runtime.vectors import Vectors
from ..base import Energy, Step
from ..capabilities import Attached, Following, Fused, OfStep
from ..elastic.elastic_energy import ElasticEnergy
from ..quadratic_bound import Majorised
from ..volume.hourglass_energy import Hourglass
from ..volume.volume_energy import AveragedVolume
from .damping_sensitivity import OfStiffnessDamping, OfViscosity
from .viscous_kernels import viscous_kernels


class StiffnessDamping(OfStiffnessDamping, OfStep, Attached, Fused, Following, Majorised, Energy):
    """Rayleigh's β K of an energy on elements, K being its positive semi-definite tangent near the step's end.

    ``exact`` takes the tangent as it is, which has derivatives and may feed energy where it is not positive.
    """

    name = "damping"

    def __init__(
        self,
        device: Device,
        elastic: ElasticEnergy | Hourglass | AveragedVolume,
        seconds: float,
        count: int,
        exact: bool = False,
    ):
        super().__init__(device)
        self.exact = exact
        self.elastic, self.seconds, self.rate = elastic, float(seconds), 0.0
        self.count, self.vectors = count, Vectors(device, count)
        self.anchor, self.at = (self.vectors.positions() for _ in range(2))
        self.offset, self.force = (self.vectors.new() for _ in range(2))
        self._before: tuple = ()  # the matrix of a body before a cut, and where its nodes are now
        self._kept: BlockGather | None = None
        self._targets: wp.array | None = None  # of the entries of K in the whole matrix
        self._program: dict = {}
        self._given: tuple[wp.array, ...] = ()  # what it was recorded for

    @cached_property
    def matrix(self) -> BlockMatrix:
        """K."""
        pattern = self.elastic.pattern(self.count)
        if pattern is not None:
            return BlockMatrix(self.device, self.count, [], pattern=pattern)
        return BlockMatrix(self.device, self.count, [self.elastic.cells()], *self._before)

    @cached_property
    def product(self) -> BlockMatrix | ScalarBlocks:
        """K, for products: of plates that are flat at rest numbers, which no motion changes."""
        constant = self.elastic.constant(self.count)
        self._taken = self.elastic.stamp
        return self.matrix if constant is None else ScalarBlocks(self.device, constant)

    @cached_property
    def assembly(self) -> BlockGather:
        """What the element matrices are written into, to be added up in K."""
        made = self.elastic.assembly(self.matrix)
        self.matrix.settle()
        self._before, self._kept = (), None
        return made

    def follow(self, before: Energy, numbers: np.ndarray) -> None:
        if isinstance(before, StiffnessDamping) and "assembly" in before.__dict__:
            self._kept, self._before = before.assembly, (before.matrix, numbers)

    def set_factor(self, seconds: float) -> None:
        """Change β [s]."""
        self.seconds = float(seconds)

    @property
    def material(self) -> Material | None:
        return self.elastic.material

    @property
    def factor(self) -> float:
        return self.rate * self.seconds

    @property
    def bounded(self) -> bool:
        return self.elastic.bounded

    def begin(self, step: Step) -> None:
        """Take K where the scheme expects the step to end."""
        self.rate = step.rate
        if step.rate > 0:
            known, self._given = self._known(), (step.anchor, step.at)
            key = (*map(id, self._given), id(known), *self.elastic.stamp)
            self.device.replayed(lambda: self._take(*self._given), key if self.device.is_cpu else None, self._program)

    def _known(self) -> BlockGather | ScalarBlocks:
        """What K is taken by, with the values of now where it is constant."""
        if not isinstance(self.product, ScalarBlocks):
            return self.assembly
        if self._taken != self.elastic.stamp:
            self.product.assign(self.elastic.constant(self.count).data)
            self._taken = self.elastic.stamp
        return self.product

    def _take(self, anchor: wp.array, at: wp.array) -> None:
        """Launches alone: K at ``at``."""
        self.vectors.copy(anchor, self.anchor)
        self.vectors.copy(at, self.at)
        if not isinstance(self.product, ScalarBlocks):
            self._assemble(at)

    def _assemble(self, at: wp.array) -> None:
        self.matrix.clear()
        self.elastic.fill(at, self.assembly, project=not self.exact)
        self.assembly.add_to(self.matrix)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        if self.rate > 0:
            self.vectors.apart(x, self.anchor, self.offset)
            self.device.clear(self.force)
            self.product.multiply(self.factor, self.offset, self.force)
            self.sums.add_to(out, 0.5, self.sums.kernels.dot_chunk, self.offset, self.force)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        if self.rate > 0:
            self.vectors.apart(x, self.anchor, self.offset)
            self.product.multiply(self.factor, self.offset, out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.evaluate(x, out)
        if self.rate > 0:
            self.vectors.move(gradient, 1.0, self.force, gradient)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if self.rate > 0:
            self.product.multiply(self.factor, d, out)

    def cells(self) -> np.ndarray:
        return self.elastic.cells()

    def attach(self, pattern: BlockMatrix) -> None:
        if isinstance(self.product, ScalarBlocks):
            self._assemble(self.at)  # what it takes is made now, and not while launches are captured
        own = self.matrix.pattern
        same = own.entries == pattern.entries and np.array_equal(own.keys, pattern.keys)
        targets = np.arange(own.entries) if same else pattern.places_of(self, own.rows, own.columns)
        if self._targets is not None and len(self._targets) == len(targets):
            write(self.device, self._targets, targets.astype(np.int32))  # recorded launches hold it
        else:
            self._targets = self.device.array(targets, wp.int32)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if self.rate > 0:
            if isinstance(self.product, ScalarBlocks):
                self._assemble(self.at)
            kernel = gather_kernels(self.device.precision).add_blocks
            values = (self.matrix.values, pattern.values)
            self.device.launch(kernel, self.matrix.entries, self._targets, self.factor, *values)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        return self.factor * self.elastic.laplacian(count)

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        """b = L x − K (x − anchor): a bound where no tangent exceeds L."""
        if not self.elastic.bounded:
            return not self.rate > 0
        if self.rate > 0:
            self.elastic.laplacian_product(self.factor, x, out)
            self.vectors.apart(self.anchor, x, self.offset)
            self.product.multiply(self.factor, self.offset, out)
        return True

    @property
    def stamp(self) -> tuple:
        return self.factor, *self.elastic.stamp

    @property
    def recordable(self) -> tuple:
        return (self.factor,)


def _points_alone(elements: Elements) -> Elements:
    """Each point as an element of its own, since each remembers its own strain."""
    m, q, k, _ = elements.gradients.shape
    if q == 1:
        return elements
    cubes = (elements.places.reshape(m * q, 1, 3), np.repeat(elements.edges, q)) if elements.cubic else ()
    alone = (elements.gradients.reshape(m * q, 1, k, 3), elements.weights.reshape(m * q, 1), elements.dimension, *cubes)
    every = np.repeat(elements.nodes, q, axis=0)
    return Elements(elements.rest, every, *alone, plane_strain=elements.plane_strain)


class Viscosity(OfViscosity, OfStep, ElasticEnergy):
    """η rate |E(x) − E₀|² per volume, E₀ near E(anchor): the viscous stress of a Kelvin–Voigt solid, η [Pa s]."""

    name = "viscosity"

    def __init__(self, device: Device, elastic: ElasticEnergy, viscosity: float):
        from ...material.laws.viscous_law import Viscous

        points = _points_alone(elastic.elements)
        rows = np.arange(points.count) if points.count > 1 else None
        super().__init__(device, points, Viscous(elements=points.count), elastic.first, rows)
        self.viscosity, self.parts_damped = float(viscosity), elastic.parts
        self.rate = 0.0
        self.at: wp.array | None = None
        self.anchor: wp.array | None = None

    def set_factor(self, viscosity: float) -> None:
        """Change η [Pa s]."""
        self.viscosity = float(viscosity)

    def laplacian(self, count: int) -> None:
        return None  # in the gradient only

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        return False

    @property
    def stamp(self) -> tuple:
        return ()

    def begin(self, step: Step) -> None:
        """Take E₀ = E(anchor) − ½ ΔᵀΔ with Δ = F(at) − F(anchor) as the strain to count from.

        E(x) − E(anchor) is the strain rate halfway between the two; with the second term it is that at x, to second order.
        """
        kernel = viscous_kernels(self.k, self.elements.form, self.device.precision).strain
        mesh, anchor = (self.nodes, self.grad, self.scale), step.anchor if step.rate > 0 else step.at
        self.rate = step.rate
        if step.rate > 0:
            if self.at is None:
                self.at, self.anchor = (self.device.zeros(step.at.shape, self.device.types.position) for _ in range(2))
            self.device.copy(step.at, self.at)
            self.device.copy(step.anchor, self.anchor)
        self.device.launch(kernel, self.count, *mesh, self.viscosity * step.rate, step.at, anchor, self.table)
