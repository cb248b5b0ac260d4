"""GMRES, matrix-free, for indefinite systems (Saad & Schultz 1986)."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ..matrix.cg_kernels import linear_kernels
from ..matrix.operator import Iterative, Operator
from ..matrix.system import LinearResult, System
from ..preconditioner.preconditioners import BlockJacobi


@dataclass(frozen=True)
class GMRES:
    """The least residual over a growing Krylov space, restarted every ``restart`` iterations.

    For tangents with negative eigenvalues, solver.Exact(), and for those that are not symmetric, Dapd(tangent=rotations.Exact()).
    Products are those of the energies, preconditioned by the inverse 3×3 diagonal blocks. Each iteration reads values back from
    the device, so that PCG() is much faster wherever it applies. ``iterations`` bounds one solve.
    """

    iterations: int = 1000
    restart: int = 40

    assembled = False
    EXACT = {"f32": 1e-5, "f64": 1e-10}  # tolerance of an operator

    def __post_init__(self):
        checks.whole("GMRES(iterations=…)", self.iterations)
        checks.whole("GMRES(restart=…)", self.restart)

    def solve(self, system: System, b: wp.array[Any], x: wp.array[Any], tolerance: float) -> LinearResult:
        """Solve A x = b from x = 0 until the residual has fallen by ``tolerance``."""
        vectors, work = system.vectors, system.keep(GMRES, lambda: _workspace(system))
        inverse = BlockJacobi().prepare(system)
        vectors.copy(b, work.r)
        vectors.copy(b, work.b)
        system.device.clear(work.x)
        first = size = np.sqrt(max(vectors.dot(b, b), 0.0))
        spent = 0
        while size > tolerance * first and spent < self.iterations:
            before, (turns, size) = size, self._cycle(system, inverse, work, size, tolerance * first, spent)
            spent += turns
            if not size < before:  # no further reduction possible
                break
        vectors.copy(work.x, x)
        return LinearResult(spent, float(size / first) if first > 0 else 0.0)

    def _cycle(
        self, system: System, inverse: wp.array, work: SimpleNamespace, size: float, goal: float, spent: int
    ) -> tuple[int, float]:
        """Iterations until a restart, from the residual work.r of this size on; work.x and work.r are those of its end."""
        vectors, basis = system.vectors, work.basis
        most = min(self.restart, self.iterations - spent)
        H = np.zeros((most + 1, most))
        right = np.zeros(most + 1)
        right[0] = size
        vectors.mix(1 / size, work.r, 0.0, work.r, _grown(system, basis, 0))
        y, turns, reached = np.zeros(0), 0, size
        for j in range(most):
            q = _grown(system, basis, j + 1)
            _precondition(system, inverse, basis[j], work.z)
            system.apply(work.z, q)
            for _ in range(2):  # once more, so that directions stay orthogonal in f32
                for i in range(j + 1):
                    part = vectors.dot(q, basis[i])
                    H[i, j] += part
                    vectors.move(q, -part, basis[i], q)
            H[j + 1, j] = np.sqrt(max(vectors.dot(q, q), 0.0))
            turns = j + 1
            if not np.isfinite(H[: j + 2, j]).all():
                return turns, np.nan
            y = np.linalg.lstsq(H[: j + 2, :turns], right[: j + 2], rcond=None)[0]
            reached = float(np.linalg.norm(right[: j + 2] - H[: j + 2, :turns] @ y))
            if reached <= goal or H[j + 1, j] <= 1e-14 * size:
                break
            vectors.mix(1 / H[j + 1, j], q, 0.0, q, q)
        system.device.clear(work.r)
        for i, part in enumerate(y):
            vectors.move(work.r, float(part), basis[i], work.r)
        _precondition(system, inverse, work.r, work.z)
        vectors.move(work.x, 1.0, work.z, work.x)
        if reached > goal:  # the residual at which the next cycle starts
            system.apply(work.x, work.z)
            vectors.mix(1.0, work.b, -1.0, work.z, work.r)
            reached = float(np.sqrt(max(vectors.dot(work.r, work.r), 0.0)))
        return turns, reached

    def operator(self, system: System) -> Operator:
        """The inverse of the system, solved separately for every right-hand side."""
        return Iterative(system, self, self.EXACT[system.device.precision])


def _precondition(system: System, inverse: wp.array, r: wp.array, z: wp.array) -> None:
    kernel = linear_kernels(system.device.precision).precondition
    system.device.launch(kernel, system.vectors.count, system.free, inverse, r, z)


def _grown(system: System, basis: list[wp.array], i: int) -> wp.array:
    """Direction i, allocated on first use."""
    if i == len(basis):
        basis.append(system.vectors.new())
    return basis[i]


def _workspace(system: System) -> SimpleNamespace:
    names = {name: system.vectors.new() for name in ("x", "r", "z", "b")}
    return SimpleNamespace(**names, basis=[])
