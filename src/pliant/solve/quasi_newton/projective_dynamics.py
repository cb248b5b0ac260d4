"""Projective dynamics: local projections, one global solve (Ch. 5, 6).

Energies of the form k/2 min ‖F − p‖² make the objective ½ xᵀ(c/h² M + L)x − x·(c/h² M y + J p + f) + constant, to be
minimised over x and p alternately (Eq 5.6). The local step finds p for the present x, the global step x for that p; neither
can raise the objective, so there is no line search.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...energy.base import Energy
from ...energy.quadratic_bound import Majorised
from ...errors import InputError
from ...linear.cholesky.cpu.numeric_factor import NotPositiveDefinite
from ...linear.factor.direct import Direct
from ...linear.matrix.scalar_matrix import ScalarMatrix
from ...linear.preconditioner.sparse_inverse import SparseInverse
from ..objective.refusals import refuse_joints, refuse_rigid, refuse_walls
from ..objective.report import TOLERANCE, Clock, Report, linear_error
from ..objective.residual import Residual
from ..objective.solution import Solution
from ..objective.step_objective import Objective
from ..search.budget import Budget, Pace, check_iterations
from .constant_factor import ConstantFactor, constant_factor, prefactored
from .factor_after_cut import Updated


@dataclass(frozen=True)
class ProjectiveDynamics:
    """Alternating local and global steps, for laws with projections: Arap, StrainLimit, VolumePreservation and their sums.

    ``iterations`` is a budget (10 by default), kept at any residual, which the report gives. It may be a
    ``Budget(seconds=…)`` of time. With a ``tolerance`` on the scaled residual and no budget, and in a static step unless told
    otherwise, it converges or fails, 5000 iterations at most. Convergence is linear: use QuasiNewton() or Newton() for
    exactness, for contact, and for every other law. ``linear`` chooses the solve with the factor of the global step: by its
    substitutions, or by products with its SparseInverse(). The scenes of a batch are solved together.
    """

    iterations: int | Budget | None = None
    tolerance: float | None = None
    linear: Direct | SparseInverse = field(default_factory=Direct)

    BUDGET = 10
    MOST = 5000

    def __post_init__(self):
        check_iterations(type(self).__name__, self.iterations, self.tolerance)
        what = "ProjectiveDynamics(linear=…)"
        checks.instance(what, self.linear, (Direct, SparseInverse), "Direct() or SparseInverse()")

    def check(self, objective: Objective) -> None:
        """Refuse energies without a projection, and grabs, whose springs are not in the matrix."""
        refuse_rigid(objective, "ProjectiveDynamics()")
        refuse_walls(objective, "ProjectiveDynamics()")
        refuse_joints(objective, "ProjectiveDynamics()", "Newton()", rigid=True)
        for energy in objective.energies:
            if not (isinstance(energy, Majorised) and energy.bounded):
                raise InputError(_refusal(energy))
        if objective.tethers is not None:
            raise InputError("ProjectiveDynamics() does not support grabs; expected QuasiNewton() instead")

    def memory(self, objective: Objective) -> ConstantFactor:
        """The owner of the state left by a cut: the elimination order, and the untouched part of the factor."""
        factor = constant_factor(objective)
        factor.policy, factor.inverse = Updated(), isinstance(self.linear, SparseInverse)
        return factor

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Minimise ``objective`` from and into ``x``; a report for each separate group of nodes."""
        if self.iterations is None and self.tolerance is None and not objective.moving:
            return replace(self, tolerance=TOLERANCE[objective.device.precision]).solve(objective, x)
        clock = Clock("matrix", "elements", "linear")
        try:
            with clock("matrix"):
                step = GlobalStep(objective, isinstance(self.linear, SparseInverse))
                work = step.work
        except NotPositiveDefinite as failure:
            return Solution((Report(False, str(failure), residual=1.0, converged=False),) * objective.groups)
        pace, budget = None, self.iterations or (self.BUDGET if self.tolerance is None else self.MOST)
        if isinstance(budget, Budget):
            pace = work.paces.setdefault(budget, Pace(budget))
            budget = pace.begin(objective.begun + clock.seconds["matrix"], watched=True)
        lengths, recordable = work.lengths, objective.recordable
        key = None if recordable is None else (id(x), recordable, objective.stamp, id(step.factor))
        k, residuals = 0, None
        while k < budget and not (pace is not None and pace.over(k)):
            objective.device.replayed(lambda: self._turn(objective, step, x, clock), key, work.graph, clock)
            objective.vectors.sums.longest(lengths, work.d, k % 2)
            k += 1
            if self.tolerance is not None:
                residuals = self._residuals(objective, x)
                if all(residual.value <= self.tolerance for residual in residuals):
                    break
        if residuals is None:
            residuals = self._residuals(objective, x)
        if pace is not None:
            pace.end(k)
        precision, seconds = objective.device.precision, clock.seconds
        steps = np.roll(lengths.numpy(), k % 2, axis=1)  # of the last two turns
        reports = (self._report(k, *known, precision, seconds) for known in zip(residuals, steps.tolist()))
        return Solution(tuple(reports), step.factor)

    @staticmethod
    def _turn(objective: Objective, step: GlobalStep, x: wp.array, clock: Clock) -> None:
        """One local and one global step from and into x."""
        work = step.work
        with clock("elements"):
            local_step(objective, x, work.right)
        with clock("linear"):
            step.solve(work.right, x, work.d)
            objective.vectors.advance(x, 1.0, work.d, x)

    @staticmethod
    def _residuals(objective: Objective, x: wp.array) -> list[Residual]:
        """The residual of each group."""
        work = objective.state(GlobalWork)
        objective.sizes(x, work.residual, work.sizes)
        return [objective.residuals.read(row) for row in work.sizes.numpy()]

    def _report(self, k: int, residual: Residual, steps: list[float], precision: str, seconds: dict[str, float]) -> Report:
        goal = self.tolerance or TOLERANCE[precision]
        converged = residual.value <= goal
        kept = converged or self.tolerance is None or self.iterations is not None
        why = f"{k} iterations used, scaled residual {residual.value:.1e}{residual.of}"
        if not np.isfinite(residual.value):
            kept, why = False, "the positions are not finite; check the mesh and the state for invalid values"
        elif not kept:
            reached = f"scaled residual {residual.value:.1e}{residual.of}, tolerance {goal:.0e}"
            why = f"no convergence in {k} iterations ({reached}); try QuasiNewton() or Newton()"
        rate = steps[1] / steps[0] if k > 1 and steps[0] > 0 else 1.0
        error = 0.0 if converged else linear_error(steps[1], rate)
        return Report(kept, why, k, residual.value, goal, k, converged, seconds, worst=residual.body, error=error)


def local_step(objective: Objective, x: wp.array, out: wp.array) -> None:
    """out = c/h² M y + J p(x) + f: the right-hand side of the global step (Eq 5.9, 6.7)."""
    objective.device.clear(out)
    for energy in objective.energies:
        if not (isinstance(energy, Majorised) and energy.local_step(x, out)):
            raise InputError(_refusal(energy))


def _refusal(energy: Energy) -> str:
    apart = ", or Contact(response=None) where bodies do not touch" if energy.name == "body contact" else ""
    return f"ProjectiveDynamics: {_described(energy)} has no projection; use QuasiNewton() instead{apart}"


def _described(energy: Energy) -> str:
    material = energy.material
    if material is None:
        return f"the energy {energy.name!r}"
    lacking = [law.name for law in material.terms if law.projective is None] or [material.name]
    return f"the energy {energy.name!r} of {' + '.join(lacking)}"


class GlobalWork:
    """The state of projective dynamics from solve to solve: vectors, the constant matrix, recorded iterations and their pace."""

    def __init__(self, objective: Objective):
        self.objective = objective
        self.right, self.d, self.residual = (objective.vectors.new() for _ in range(3))
        self.sizes, self.lengths = objective.new_sizes(), objective.device.zeros((objective.groups, 2), wp.float64)
        self.graph: dict = {}
        self.paces: dict[Budget, Pace] = {}
        self._stamp: tuple | None = None

    def matrix(self) -> ScalarMatrix:
        """c/h² M + L, made on first use and where it has changed."""
        objective = self.objective
        if self._stamp != objective.stamp:
            self._stamp = objective.stamp
            self._matrix = ScalarMatrix(objective.device, objective.laplacian(cut=False))
        return self._matrix


class GlobalStep:
    """A⁻¹ for A = c/h² M + L, the same for x, y and z; recomputed only where the matrix has changed.

    The system is solved for the change d = A⁻¹(b − A x), so that held nodes stay exactly and single precision suffices.
    """

    def __init__(self, objective: Objective, inverse: bool | None = None):
        self.objective = objective
        self.factor = prefactored(objective, inverse)
        self.work = objective.state(GlobalWork)
        self.matrix = self.work.matrix()

    def solve(self, b: wp.array[Any], x: wp.array[Any], d: wp.array[Any]) -> None:
        """The d that minimises ½ (x+d)ᵀA(x+d) − b·(x+d) with held components zero."""
        objective, work = self.objective, self.work.residual
        self.matrix.residual(b, x, work)
        objective.mask(work)
        self.factor.solve(work, d)
        objective.mask(d)
