"""The symmetric QMR method for symmetric systems that are not definite (Freund & Nachtigal 1994)."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import warp as wp

from ..errors import InputError
from .block import Block
from .saddle import Pair, Saddle
from .system import LinearResult


@dataclass(frozen=True)
class SQMR:
    """One product and one preconditioning for each iteration; no matrix is kept.

    ``preconditioner`` Block() makes the iterations nearly independent of the number of cells and of the incompressibility;
    None is the method of the paper. ``iterations`` bounds one solve, 2000 unless told. Residuals are measured in the norm
    of the preconditioner, in which they never rise: they are those of MINRES.
    """

    iterations: int = 2000
    preconditioner: Block | None = field(default_factory=Block)

    BATCH = 8  # iterations between looks at the residual, on a GPU

    def __post_init__(self):
        if isinstance(self.iterations, bool) or not isinstance(self.iterations, int) or self.iterations < 1:
            raise InputError(f"SQMR(iterations={self.iterations!r}): expected a whole number of at least 1")
        if self.preconditioner is not None and not isinstance(self.preconditioner, Block):
            raise InputError(f"SQMR(preconditioner={self.preconditioner!r}): expected Block() or None")

    def solve(self, system: Saddle, b: Pair, u: Pair, tolerance: float) -> LinearResult:
        """Solve K u = b from u = 0 until the residual has fallen by ``tolerance``; b must be 0 where nodes are held."""
        device, pairs = system.device, system.pairs
        work = system.work.setdefault("sqmr", None) or _workspace(system)
        pairs.zero(u)
        pairs.zero(work.d)
        pairs.copy(b, work.r)
        system.precondition(work.r, work.z)
        pairs.copy(work.z, work.p)
        pairs.vectors.sums.use(pairs.kernels.begin, tolerance**2, *pairs.dots(work.r, work.z), work.scalars)
        times = 1 if device.is_cpu else self.BATCH
        batch = device.repeated(lambda: _iterate(system, work, u), times, system.graph)
        done, steps = work.read(), 0
        while not done[4] and steps < self.iterations:
            steps += batch()
            done = work.read()
        residual = float(np.sqrt(max(done[7], 0.0) / done[5])) if done[5] > 0 else 0.0
        return LinearResult(int(done[3]), residual)


def _iterate(system: Saddle, work: SimpleNamespace, u: Pair) -> None:
    """One iteration, with all its scalars on the device."""
    device, pairs, kernels, s = system.device, system.pairs, system.pairs.kernels, work.scalars
    n, m, sums = pairs.vectors.count, pairs.count, pairs.vectors.sums
    system.apply(work.p, work.t)
    sums.use(kernels.choose_step, *pairs.dots(work.p, work.t), s)
    device.launch(kernels.advance_nodes, n, system.free, s, work.t.x, work.r.x)
    device.launch(kernels.advance_cells, m, s, work.t.p, work.r.p)
    system.precondition(work.r, work.z)
    sums.use(kernels.choose_update, *pairs.dots(work.r, work.z), s)
    device.launch(kernels.turn_nodes, n, s, work.z.x, work.p.x, work.d.x, u.x)
    device.launch(kernels.turn_cells, m, s, work.z.p, work.p.p, work.d.p, u.p)


def _workspace(system: Saddle) -> SimpleNamespace:
    pairs, device = system.pairs, system.device
    scalars = device.zeros(11, wp.float64)
    view = scalars.numpy() if device.is_cpu else None
    work = SimpleNamespace(
        **{name: pairs.new() for name in ("r", "z", "p", "t", "d")},
        scalars=scalars,
        read=(lambda: view) if device.is_cpu else scalars.numpy,
    )
    system.work["sqmr"] = work
    return work
