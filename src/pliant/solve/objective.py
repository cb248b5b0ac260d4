"""The sum that a time step minimises: ½ c/h² ‖x−y‖²_M + Σ E(x), over the nodes that are free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..energy.base import Energy, Pattern
from ..vectors import Vectors
from .objective_kernels import objective_kernels


class Objective:
    """Energies over n nodes; ``free`` is (n, 3), 1 where a component may move and 0 where it is held.

    ``least_force`` [N] is the size of forces below which a body counts as free of them; ``positions`` (n, 3) say where
    nodes are at rest, for solvers that order them by place.
    """

    def __init__(
        self,
        device: Device,
        energies: Sequence[Energy],
        free: np.ndarray,
        least_force: float = 0.0,
        positions: np.ndarray | None = None,
    ):
        self.device, self.energies = device, list(energies)
        self.count = len(free)
        self.vectors = Vectors(device, self.count)
        self.kernels = objective_kernels(device.precision)
        self.free = device.array(free, device.types.vec3)
        self._part = self.vectors.new()
        self._work: dict[str, wp.array] = {}
        self._patterns: dict[bool, Pattern] = {}
        self._attached: Pattern | None = None
        self.least_force, self.holds = least_force, 0
        self.positions = positions
        self.evaluations = 0

    def pattern(self, diagonal: bool = False) -> Pattern:
        """Sparsity of the Hessian, or of its diagonal alone; made on first use."""
        if diagonal not in self._patterns:
            cells = [c for c in (e.cells() for e in self.energies) if c is not None and len(c)]
            self._patterns[diagonal] = Pattern(self.device, self.count, [] if diagonal else cells)
        pattern = self._patterns[diagonal]
        if self._attached is not pattern:
            for energy in self.energies:
                energy.attach(pattern)
            self._attached = pattern
        return pattern

    def work(self, name: str) -> wp.array:
        """A vector for a solver to work in, the same one for the same name."""
        if name not in self._work:
            self._work[name] = self.vectors.new()
        return self._work[name]

    def hold(self, free: np.ndarray) -> None:
        self.holds += 1
        self.free.assign(np.asarray(free, dtype=self.device.types.numpy))

    def value(self, x: wp.array) -> float:
        return self.value_and_scale(x)[0]

    def value_and_scale(self, x: wp.array) -> tuple[float, float]:
        """The sum, and the sum of magnitudes: the size against which rounding must be judged."""
        self.evaluations += 1
        parts = [energy.value(x) for energy in self.energies]
        return float(np.sum(parts)), float(np.sum(np.abs(parts)))

    def mask(self, out: wp.array) -> None:
        self.device.launch(self.kernels.mask, self.count, self.free, out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        out.zero_()
        for energy in self.energies:
            energy.gradient(x, out)
        self.mask(out)

    def gradient_and_scale(self, x: wp.array, out: wp.array) -> float:
        """The gradient, and Σ ‖gradient of each energy‖: what the forces would add up to if none cancelled."""
        out.zero_()
        scale = self.least_force
        for energy in self.energies:
            self._part.zero_()
            energy.gradient(x, self._part)
            self.mask(self._part)
            scale += self.vectors.norm(self._part)
            self.vectors.move(out, 1.0, self._part, out)
        return scale

    def value_and_gradient(self, x: wp.array, out: wp.array) -> tuple[float, float]:
        """The sum and the sum of magnitudes, and the gradient in ``out``: one pass over the elements."""
        out.zero_()
        self.evaluations += 1
        parts = [energy.value_and_gradient(x, out) for energy in self.energies]
        self.mask(out)
        return float(np.sum(parts)), float(np.sum(np.abs(parts)))

    def laplacian(self) -> sparse.csr_matrix:
        """The constant n×n matrix that stands in for the Hessian, with held nodes cut off."""
        total = sparse.csr_matrix((self.count, self.count))
        for energy in self.energies:
            part = energy.laplacian(self.count)
            if part is not None:
                total = total + part
        held = np.flatnonzero(~self.free.numpy().any(axis=1))
        keep = np.ones(self.count)
        keep[held] = 0.0
        return (sparse.diags(keep) @ total @ sparse.diags(keep) + sparse.diags(1.0 - keep)).tocsr()

    @property
    def stamp(self) -> tuple:
        """Changes whenever the laplacian does."""
        return (self.holds, *(energy.stamp for energy in self.energies))

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool) -> None:
        out.zero_()
        for energy in self.energies:
            energy.tangent(x, d, out, project=project)
        self.mask(out)

    def assemble(self, x: wp.array, project: bool, diagonal: bool = False) -> Pattern:
        """The Hessian at x, or only its diagonal blocks."""
        pattern = self.pattern(diagonal)
        pattern.clear()
        for energy in self.energies:
            energy.blocks(x, pattern, project=project)
        return pattern

    def step_limit(self, x: wp.array, d: wp.array) -> float:
        return min((energy.step_limit(x, d) for energy in self.energies), default=1.0)
