"""The sum that a time step minimises: ½ c/h² ‖x−y‖²_M + Σ E(x), over the nodes that are free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..energy.base import Energy, Pattern, Tethers
from ..vectors import Vectors
from .objective_kernels import objective_kernels

Instead = dict[Energy, Callable[[wp.array, wp.array], None]]


class Objective:
    """Energies over n nodes; ``free`` is (n, 3), 1 where a component may move and 0 where it is held.

    ``least_force`` [N] is the size of forces below which a body counts as free of them; ``positions`` (n, 3) say where
    nodes are at rest, for solvers that order them by place. ``bounds`` cuts the nodes into groups that share nothing, the
    scenes of a batch: the sums of group g are row g of what ``measure`` and ``sizes`` fill.
    """

    def __init__(
        self,
        device: Device,
        energies: Sequence[Energy],
        free: np.ndarray,
        least_force: float | np.ndarray = 0.0,
        positions: np.ndarray | None = None,
        bounds: np.ndarray | None = None,
    ):
        self.device, self.energies = device, list(energies)
        self.count = len(free)
        self.bounds = np.array([0, self.count]) if bounds is None else np.asarray(bounds)
        self.groups = len(self.bounds) - 1
        self.vectors = Vectors(device, self.count, self.bounds)
        of = np.repeat(np.arange(self.groups), np.diff(self.bounds)) if self.groups > 1 else np.zeros(1)
        self.of = device.array(of, wp.int32)  # group of each node, one entry for one group
        for energy in self.energies:
            energy.bounds = self.bounds if self.groups > 1 else None
        self.kernels = objective_kernels(device.precision)
        self.free = device.array(free, device.types.vec3)
        self.moves = np.asarray(free) > 0  # (n, 3) the same on the host
        self._part = self.vectors.new()
        self._work: dict[str, wp.array] = {}
        self._kept: dict[str, Any] = {}
        self._patterns: dict[bool, Pattern] = {}
        self._attached: Pattern | None = None
        self.holds, self.positions = 0, positions
        self.begun = 0.0  # when the step began, for solvers that have a budget of time
        self._least = device.array(np.broadcast_to(least_force, self.groups).astype(float)[:, None] * [0, 1], wp.float64)
        self._sums, self._other_sums = (device.zeros((self.groups, 2), wp.float64) for _ in range(2))

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

    def keep(self, name: str, make: Callable[[], Any]) -> Any:
        """What a solver keeps from one solve to the next, made on first use."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def hold(self, free: np.ndarray) -> None:
        self.holds += 1
        self.moves = np.asarray(free) > 0
        self.free.assign(np.asarray(free, dtype=self.device.types.numpy))

    # --- on the device alone

    def measure(self, x: wp.array, out: wp.array) -> None:
        """out[g] = (sum, sum of magnitudes) of the energies of group g."""
        out.zero_()
        for energy in self.energies:
            energy.measure(x, out)

    def measure_and_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        """Both in one pass over the elements."""
        out.zero_()
        gradient.zero_()
        for energy in self.energies:
            energy.measure_and_gradient(x, out, gradient)
        self.mask(gradient)

    def sizes(self, x: wp.array, gradient: wp.array, out: wp.array, instead: Instead | None = None) -> None:
        """The gradient, and out[g] = (its size, what it would be if no force of group g cancelled another).

        ``instead`` names other gradients for some of the energies.
        """
        instead = instead or {}
        vectors, sums = self.vectors, self.vectors.sums
        wp.copy(out, self._least)
        gradient.zero_()
        for energy in self.energies:
            self._part.zero_()
            instead.get(energy, energy.gradient)(x, self._part)
            self.mask(self._part)
            sums.use(sums.kernels.add_root, vectors.dots(self._part, self._part), out)
            vectors.move(gradient, 1.0, self._part, gradient)
        sums.use(sums.kernels.put_root, vectors.dots(gradient, gradient), out)

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> None:
        """out[g, 0] = the largest safe fraction of d for group g, at most 1."""
        out.fill_(1.0)
        for energy in self.energies:
            energy.safe(x, d, out)

    def prefer(self, other: wp.array, x: wp.array) -> None:
        """Replace x by ``other`` where the objective likes that better."""
        self.measure(x, self._sums)
        self.measure(other, self._other_sums)
        self.device.launch(self.kernels.prefer, self.count, self.of, self._sums, self._other_sums, other, x)

    # --- numbers for the host

    def value(self, x: wp.array) -> float:
        return self.value_and_scale(x)[0]

    def value_and_scale(self, x: wp.array) -> tuple[float, float]:
        """The sum, and the sum of magnitudes: the size against which rounding must be judged."""
        self.measure(x, self._sums)
        return tuple(self._sums.numpy().sum(axis=0).tolist())

    def value_and_gradient(self, x: wp.array, out: wp.array) -> tuple[float, float]:
        """The sum and the sum of magnitudes, and the gradient in ``out``: one pass over the elements."""
        self.measure_and_gradient(x, self._sums, out)
        return tuple(self._sums.numpy().sum(axis=0).tolist())

    def gradient_and_scale(self, x: wp.array, out: wp.array, instead: Instead | None = None) -> tuple[float, float]:
        """The gradient; its size, and what it would be if no force cancelled another."""
        self.sizes(x, out, self._sums, instead)
        return tuple(np.linalg.norm(self._sums.numpy(), axis=0).tolist())

    def step_limit(self, x: wp.array, d: wp.array) -> float:
        self.safe(x, d, self._sums)
        return float(self._sums.numpy()[:, 0].min())

    def mask(self, out: wp.array) -> None:
        self.device.launch(self.kernels.mask, self.count, self.free, out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        out.zero_()
        for energy in self.energies:
            energy.gradient(x, out)
        self.mask(out)

    def laplacian(self, cut: bool = True) -> sparse.csr_matrix:
        """The constant n×n matrix that stands in for the Hessian; ``cut``: without nodes that are held along all axes."""
        total = sparse.csr_matrix((self.count, self.count))
        for energy in self.energies:
            part = energy.laplacian(self.count)
            if part is not None:
                total = total + part
        if not cut:
            return total
        keep = self.moves.any(axis=1).astype(float)
        return (sparse.diags(keep) @ total @ sparse.diags(keep) + sparse.diags(1.0 - keep)).tocsr()

    @property
    def stamp(self) -> tuple:
        """Changes whenever the laplacian does."""
        return (self.holds, *(energy.stamp for energy in self.energies))

    @property
    def baked(self) -> tuple:
        """Plain numbers in the launches of all energies: a captured graph holds for one set of them."""
        return tuple(energy.baked for energy in self.energies)

    @property
    def tethers(self) -> Tethers | None:
        """Springs that come and go, for solvers that keep them out of their matrix."""
        found = [energy.tethers for energy in self.energies if energy.tethers is not None]
        if not found:
            return None
        nodes, weights, stiffness = (
            np.concatenate([getattr(s, name) for s in found]) for name in ("nodes", "weights", "stiffness")
        )
        return Tethers(nodes, weights, stiffness, sum(s.version for s in found))

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
