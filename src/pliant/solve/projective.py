"""Projective dynamics: project every element by itself, then solve one linear system for all nodes (Ch. 5 and 6).

Energies of the form k/2 min ‖F − p‖² make the objective ½ xᵀ(c/h² M + L)x − x·(c/h² M y + J p + f) + constant, to be
minimised over x and p by turns (Eq 5.6). The local step finds p for the present x, the global step x for that p; neither
can raise the objective, so there is no line search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ..energy.base import Energy
from ..errors import InputError
from ..linear.scalar import ScalarMatrix
from .budget import Budget, Pace, check_iterations
from .objective import Objective
from .quasi_newton import prefactored
from .report import TOLERANCE, Clock, Report, worst


@dataclass(frozen=True)
class ProjectiveDynamics:
    """Local and global steps by turns, for laws with projections: Arap, StrainLimit, VolumePreservation and their sums.

    ``iterations`` is a budget (10 unless told), kept whatever it reached: the report says how far. It may be a
    ``Budget(seconds=…)`` of time. With a ``tolerance`` on the scaled residual and no budget it converges or fails, 5000
    iterations at most. Convergence is linear: use QuasiNewton() or Newton() for exactness, for contact, and for every other
    law. The scenes of a batch are solved together.
    """

    iterations: int | Budget | None = None
    tolerance: float | None = None

    BUDGET = 10
    MOST = 5000

    def __post_init__(self):
        check_iterations(type(self).__name__, self.iterations, self.tolerance)

    def solve(self, objective: Objective, x: wp.array) -> Report:
        """Minimise ``objective`` from and into ``x``; held components stay where they are."""
        return worst(self.solve_groups(objective, x))

    def solve_groups(self, objective: Objective, x: wp.array) -> list[Report]:
        """The same, with a report for each group of nodes that the objective keeps apart."""
        clock = Clock("matrix", "elements", "linear")
        with clock("matrix"):
            step = GlobalStep(objective)
        pace, budget = None, self.iterations or (self.BUDGET if self.tolerance is None else self.MOST)
        if isinstance(budget, Budget):
            pace = objective.keep(f"pace {budget}", lambda: Pace(budget))
            budget = pace.begin(objective.begun + clock.seconds["matrix"], watched=True)
        graph, key = objective.keep("projective graph", dict), (id(x), objective.baked, objective.stamp)
        k, sizes = 0, None
        while k < budget and not (pace is not None and pace.over(k)):
            objective.device.replayed(lambda: self._turn(objective, step, x, clock), key, graph)
            k += 1
            if self.tolerance is not None:
                sizes = self._sizes(objective, x)
                if np.all(sizes[:, 0] <= self.tolerance * sizes[:, 1]):
                    break
        if sizes is None:
            sizes = self._sizes(objective, x)
        if pace is not None:
            pace.end(k)
        precision, seconds = objective.device.precision, clock.seconds
        return [self._report(k, size, scale, precision, seconds) for size, scale in sizes.tolist()]

    @staticmethod
    def _turn(objective: Objective, step: GlobalStep, x: wp.array, clock: Clock) -> None:
        """One local and one global step from and into x."""
        right, d = (objective.work(f"projective {name}") for name in ("right", "d"))
        with clock("elements"):
            local_step(objective, x, right)
        with clock("linear"):
            step.solve(right, x, d)
            objective.vectors.move(x, 1.0, d, x)

    def _sizes(self, objective: Objective, x: wp.array) -> np.ndarray:
        """(groups, 2) size of the sum of all forces, and sum of their sizes."""
        sizes = objective.keep("projective sizes", lambda: objective.device.zeros((objective.groups, 2), wp.float64))
        objective.sizes(x, objective.work("projective residual"), sizes)
        return sizes.numpy()

    def _report(self, k: int, size: float, scale: float, precision: str, seconds: dict[str, float]) -> Report:
        residual, goal = size / scale if scale > 0 else 0.0, self.tolerance or TOLERANCE[precision]
        converged = residual <= goal
        ok = converged or self.tolerance is None or self.iterations is not None
        why = f"{k} iterations used, scaled residual {residual:.1e}"
        if not np.isfinite(residual):
            ok, why = False, "the positions are not finite; an element or a state is broken"
        elif not ok:
            reached = f"scaled residual {residual:.1e}, tolerance {goal:.0e}"
            why = f"no convergence in {k} iterations ({reached}); try QuasiNewton() or Newton()"
        return Report(ok, why, k, residual, goal, k, converged, seconds)


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
