"""Projective dynamics: project every element by itself, then solve one linear system for all nodes (Ch. 5 and 6).

Energies of the form k/2 min ‖F − p‖² make the objective ½ xᵀ(c/h² M + L)x − x·(c/h² M y + J p + f) + constant, to be
minimised over x and p by turns (Eq 5.6). The local step finds p for the present x, the global step x for that p; neither
can raise the objective, so there is no line search.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import warp as wp

from ..energy.base import Energy
from ..errors import InputError
from ..linear.scalar import ScalarMatrix
from .objective import Objective
from .quasi_newton import prefactored
from .report import TOLERANCE, Report


@dataclass(frozen=True)
class ProjectiveDynamics:
    """Local and global steps by turns, for laws with projections: Arap, StrainLimit, VolumePreservation and their sums.

    ``iterations`` is a budget (10 unless told), kept whatever it reached: the report says how far. With a ``tolerance`` on
    the scaled residual and no budget it converges or fails, 5000 iterations at most. Convergence is linear: use
    QuasiNewton() or Newton() for exactness, for contact, and for every other law.
    """

    iterations: int | None = None
    tolerance: float | None = None

    BUDGET = 10
    MOST = 5000

    def __post_init__(self):
        n = self.iterations
        if n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 1):
            raise InputError(f"ProjectiveDynamics(iterations={n!r}): expected a whole number of at least 1")
        if self.tolerance is not None and not (isinstance(self.tolerance, int | float) and 0 < self.tolerance < 1):
            raise InputError(f"ProjectiveDynamics(tolerance={self.tolerance!r}): expected a number between 0 and 1")

    def solve(self, objective: Objective, x: wp.array) -> Report:
        """Minimise ``objective`` from and into ``x``; held components stay where they are."""
        vectors, clock = objective.vectors, time.perf_counter
        seconds = {"matrix": 0.0, "elements": 0.0, "linear": 0.0, "vectors": 0.0}
        begin = clock()
        step = GlobalStep(objective)
        seconds["matrix"] = clock() - begin
        right, d = (objective.work(f"projective {name}") for name in ("right", "d"))
        budget = self.iterations or (self.BUDGET if self.tolerance is None else self.MOST)
        residual, k = np.inf, 0
        while k < budget and residual > (self.tolerance or 0.0):
            begin = clock()
            local_step(objective, x, right)
            seconds["elements"] += clock() - begin
            begin = clock()
            step.solve(right, x, d)
            seconds["linear"] += clock() - begin
            begin = clock()
            vectors.move(x, 1.0, d, x)
            seconds["vectors"] += clock() - begin
            k += 1
            if self.tolerance is not None:
                residual = self._residual(objective, x)
        if self.tolerance is None:
            residual = self._residual(objective, x)
        if not np.isfinite(residual):
            why = "the positions are not finite; an element or a state is broken"
            return Report(False, why, k, residual, self.tolerance or 0.0, k, False, seconds)
        goal = self.tolerance or TOLERANCE[objective.device.precision]
        converged = residual <= goal
        ok = converged or self.tolerance is None or self.iterations is not None
        why = f"{k} iterations used, scaled residual {residual:.1e}"
        if not ok:
            reached = f"scaled residual {residual:.1e}, tolerance {goal:.0e}"
            why = f"no convergence in {k} iterations ({reached}); try QuasiNewton() or Newton()"
        return Report(ok, why, k, residual, goal, k, converged, seconds)

    @staticmethod
    def _residual(objective: Objective, x: wp.array) -> float:
        g = objective.work("projective residual")
        size, scale = objective.gradient_and_scale(x, g)
        return size / scale if scale > 0 else 0.0


def local_step(objective: Objective, x: wp.array, out: wp.array) -> None:
    """out = c/h² M y + J p(x) + f: the right-hand side of the global step (Eq 5.9, 6.7)."""
    out.zero_()
    for energy in objective.energies:
        if not energy.project(x, out):
            raise InputError(f"ProjectiveDynamics: {_described(energy)} has no projection; use QuasiNewton() instead")


def _described(energy: Energy) -> str:
    material = getattr(energy, "material", getattr(getattr(energy, "elastic", None), "material", None))
    if material is None:
        return f"the energy {energy.name!r}"
    lacking = [law.key for law in material.terms if law.projective is None] or [material.key]
    return f"the energy {energy.name!r} of {' + '.join(lacking)}"


class GlobalStep:
    """A⁻¹ for A = c/h² M + L, the same for x, y and z; made anew only where the matrix has changed.

    The system is solved for the change d = A⁻¹(b − A x), so that held nodes stay exactly and single precision suffices.
    """

    def __init__(self, objective: Objective):
        self.objective = objective
        self.factor = prefactored(objective)
        kept = objective.keep("global step", list)
        if not kept or kept[0] != objective.stamp:
            kept[:] = objective.stamp, ScalarMatrix(objective.device, objective.laplacian(cut=False))
        self.matrix = kept[1]

    def solve(self, b: wp.array, x: wp.array, d: wp.array) -> None:
        """The d that minimises ½ (x+d)ᵀA(x+d) − b·(x+d) with held components zero."""
        objective, work = self.objective, self.objective.work("projective residual")
        self.matrix.residual(b, x, work)
        objective.mask(work)
        self.factor.solve(work, d)
        objective.mask(d)
