"""Damping as energies of one step: with v = rate (x − anchor), D v is the gradient of rate/2 (x−anchor)ᵀ D (x−anchor).

``rate`` and ``anchor`` come from the integrator, so the same damping serves them all. Rayleigh: D = α M + β K, K the
elastic tangent at the start of the step. Viscous: stress 2η Ė of the Green strain rate, which no rigid motion feels.
"""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..vectors import Vectors
from .base import Energy, Pattern
from .elastic import ElasticEnergy


class StiffnessDamping(Energy):
    """Rayleigh's β K of one elastic body, with K the positive semi-definite tangent where the step began."""

    name = "damping"

    def __init__(self, device: Device, elastic: ElasticEnergy, seconds: float, count: int):
        super().__init__(device)
        self.elastic, self.seconds = elastic, float(seconds)
        self.vectors = Vectors(device, count)
        self.rate = 0.0
        self.anchor, self.origin = self.vectors.new(), self.vectors.new()
        self.offset, self.force = self.vectors.new(), self.vectors.new()
        self._own: Pattern | None = None
        self._fresh = False

    def begin(self, x: wp.array, anchor: wp.array, rate: float) -> None:
        """Set the state at the start of a step."""
        self.vectors.copy(x, self.origin)
        self.vectors.copy(anchor, self.anchor)
        self.rate, self._fresh = rate, False

    def _product(self, d: wp.array) -> None:
        self.force.zero_()
        self.elastic.tangent(self.origin, d, self.force, project=True)

    def value(self, x: wp.array) -> float:
        self.vectors.move(x, -1.0, self.anchor, self.offset)
        self._product(self.offset)
        return 0.5 * self.rate * self.seconds * self.vectors.dot(self.offset, self.force)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.vectors.move(x, -1.0, self.anchor, self.offset)
        self._product(self.offset)
        self.vectors.move(out, self.rate * self.seconds, self.force, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._product(d)
        self.vectors.move(out, self.rate * self.seconds, self.force, out)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        return self.rate * self.seconds * self.elastic.laplacian(count)

    @property
    def stamp(self) -> tuple:
        return self.rate * self.seconds, *self.elastic.stamp

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        if not self._fresh:
            if self._own is None or self._own.entries != pattern.entries:
                self._own = pattern.like()
            self._own.clear()
            self.elastic.blocks(self.origin, self._own, project=True)
            self._fresh = True
        pattern.add(self.rate * self.seconds, self._own.values)


class Viscosity(ElasticEnergy):
    """η rate |E(x) − E(anchor)|² per volume: the viscous stress of a Kelvin–Voigt solid, η [Pa s]."""

    name = "viscosity"

    def __init__(self, device: Device, elastic: ElasticEnergy, viscosity: float):
        from ..material.viscous import Viscous

        rows = np.arange(elastic.count)
        super().__init__(
            device,
            elastic.elements,
            Viscous(elements=elastic.count),
            elastic.first,
            rows if elastic.count > 1 else None,
        )
        self.viscosity = float(viscosity)
        self.rate = 0.0

    def laplacian(self, count: int) -> None:
        return None  # in the gradient only

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
