"""Symmetric QMR for indefinite systems (Freund & Nachtigal 1994)."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import warp as wp

from ...arguments import checks
from ...errors import InputError
from ..matrix.system import LinearResult
from .block_preconditioner import Block
from .saddle_point import Pair, Saddle


@dataclass(frozen=True)
class SQMR:
    """One product and one preconditioning per iteration, matrix-free.

    ``preconditioner`` Block() makes the iterations nearly independent of the number of cells and of the
    incompressibility; None is the method of the paper. ``iterations`` bounds one solve, 2000 by default. Residuals are
    measured in the norm of the preconditioner, in which they never rise: they are those of MINRES.
    """

    iterations: int = 2000
    preconditioner: Block | None = field(default_factory=Block)

    def __post_init__(self):
        checks.whole("SQMR(iterations=…)", self.iterations)
        if self.preconditioner is not None and not isinstance(self.preconditioner, Block):
            raise InputError(f"SQMR(preconditioner={self.preconditioner!r}): expected Block() or None")

    def solve(self, system: Saddle, b: Pair, u: Pair, tolerance: float) -> LinearResult:
        """Solve K u = b from u = 0 until the residual has fallen by ``tolerance``; b must be 0 where nodes are held."""
        work = system.work.get(SQMR) or _workspace(system)
        work.tolerance2.fill_(tolerance**2)
        if system.graph is None:
            self._run(system, work, b, u)
        else:
            key = (self, id(b.x), id(b.p), id(u.x), id(u.p), system.key)
            system.device.replayed(lambda: self._run(system, work, b, u), key, system.graph)
        done = work.scalars.numpy()
        residual = float(np.sqrt(max(done[7], 0.0) / done[5])) if done[5] > 0 else 0.0
        return LinearResult(int(done[3]), residual)

    def _run(self, system: Saddle, work: SimpleNamespace, b: Pair, u: Pair) -> None:
        """All launches of a solve."""
        pairs = system.pairs
        pairs.zero(u)
        pairs.zero(work.d)
        pairs.copy(b, work.r)
        system.precondition(work.r, work.z)
        pairs.copy(work.z, work.p)
        parts = pairs.dots(work.r, work.z)
        pairs.vectors.sums.use(pairs.kernels.begin, work.tolerance2, *parts, work.scalars, work.running)
        system.device.loop(work.running, lambda: _iterate(system, work, u, self.iterations))


def _iterate(system: Saddle, work: SimpleNamespace, u: Pair, most: int) -> None:
    """One iteration, with all its scalars on the device."""
    device, pairs, kernels, s = system.device, system.pairs, system.pairs.kernels, work.scalars
    n, m, sums = pairs.vectors.count, pairs.count, pairs.vectors.sums
    system.apply(work.p, work.t)
    sums.use(kernels.choose_step, *pairs.dots(work.p, work.t), s)
    device.launch(kernels.advance_nodes, n, system.free, s, work.t.x, work.r.x)
    device.launch(kernels.advance_cells, m, s, work.t.p, work.r.p)
    system.precondition(work.r, work.z)
    sums.use(kernels.choose_update, most, *pairs.dots(work.r, work.z), s, work.running)
    device.launch(kernels.turn_nodes, n, s, work.z.x, work.p.x, work.d.x, u.x)
    device.launch(kernels.turn_cells, m, s, work.z.p, work.p.p, work.d.p, u.p)


def _workspace(system: Saddle) -> SimpleNamespace:
    pairs, device = system.pairs, system.device
    work = SimpleNamespace(
        **{name: pairs.new() for name in ("r", "z", "p", "t", "d")},
        scalars=device.zeros(11, wp.float64),
        tolerance2=device.zeros(1, wp.float64),
        running=device.zeros(1, wp.int32),
    )
    system.work[SQMR] = work
    return work
