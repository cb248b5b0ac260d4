"""Time integration as minimisation.

Every implicit scheme here asks for the z that minimises  c/(2h²) ‖z−y‖²_M + Σ E(z)  and then reads the new positions
and velocities off z. A scheme is its rows of coefficients (tableau.py); external forces are energies like all others,
so none appears in y.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..arguments.checks import real, shown
from ..errors import InputError
from ..solve.newton.newton_solver import Newton
from ..solve.objective.refusals import refuse_forces, refuse_joints
from ..solve.objective.step_objective import Objective
from .rigid_scheme import refuse_flights
from .state import State
from .tableau import Tableau

if TYPE_CHECKING:
    from ..solve.objective.solution import Solver
else:
    Solver = Newton  # for scene files and checkpoints: what is like it

# a brake on a body that turns by 0.8 rad a step settles at 0.43 (NewmarkTheta, θ = 0.7), and not at 0.54 (Newmark, γ = 0.8)
RECURRENCE = 0.5
HOLDS_JOINTS = "ImplicitEuler(), BDF2() or NewmarkTheta(theta=0.7)"


@dataclass(frozen=True)
class Implicit:
    """An implicit scheme with time step ``dt`` [s] and a solver; a subclass says its ``rows``."""

    dt: float = 1 / 60
    solver: Solver = field(default_factory=Newton)

    order = 1
    patience = 5  # steps in a row that may show energy which nothing put in (energy_balance.py); 0 to look at none
    stops_at_contact = False  # whether what is stopped in a step has no speed left of its own
    keeps_rows = False  # whether cuts and tears may be made in the arrays of its steps, see Change
    splits = 0  # times that a step which cannot be solved may be halved; 0 for schemes that make it in one
    check_every = 0  # steps between two checks of the largest stable step; 0 for schemes that have none

    def __post_init__(self):
        check_step(type(self).__name__, self.dt)
        if not hasattr(self.solver, "solve"):
            raise InputError(f"{type(self).__name__}(solver={self.solver!r}): expected a solver such as Newton()")

    def check(self, objective: Objective) -> None:
        """Raise InputError where the solver cannot minimise such an objective."""
        if hasattr(self.solver, "check"):
            self.solver.check(objective)
        elif objective.groups > 1:
            raise InputError(f"{self.solver!r} does not say whether it supports a Batch; expected QuasiNewton()")

        if self.check_every:
            refuse_flights(objective, f"{type(self).__name__}()")

        if self.patience:
            refuse_forces(objective, f"{type(self).__name__}()", "ImplicitEuler() or BDF2()")

        if self.check_every or not all(rows.ends_at_solution for rows in self._tableaux):
            refuse_joints(objective, f"{type(self).__name__}()", HOLDS_JOINTS)
        if self.rows().recurrence > RECURRENCE:  # forces of joints would swing from step to step, and grow where bodies turn
            refuse_joints(objective, f"{type(self).__name__}()", HOLDS_JOINTS, rigid=True)

        if objective.has_walls and not all(rows.ends_at_solution for rows in self._tableaux):
            raise InputError(
                f"{type(self).__name__}() extrapolates beyond the solution of a step, which contact.Barrier() does not check; "
                "expected ImplicitEuler(), BDF2() or Newmark()"
            )

        if objective.constraint is not None and not self.stops_at_contact:
            raise InputError(
                f"{type(self).__name__}() reverses velocities at contact, or extrapolates beyond the solution of a step, "
                "which violates contact.Complementarity(); expected ImplicitEuler(), BDF2() or QuasiStatic()"
            )

    def rows(self) -> Tableau:
        """The scheme's rows."""
        raise NotImplementedError(f"{type(self).__name__} needs rows(), as every Implicit has")

    def first_rows(self) -> Tableau:
        """The rows of a step before which nothing is known but x and v (and a)."""
        return self.rows()

    def tableau(self, state: State) -> Tableau:
        """The rows of the step that begins with ``state``."""
        return self._tableaux[min(state.steps, 1)]

    @cached_property
    def _tableaux(self) -> tuple[Tableau, Tableau]:
        return self.first_rows(), self.rows()

    @cached_property
    def halved(self) -> Implicit:
        """The same for the halves of a step."""
        return replace(self, dt=0.5 * self.dt, splits=self.splits - 1)

    @property
    def needs_acceleration(self) -> bool:
        """Whether the rows look at a, which must then be known at the start."""
        return any("a" in row.used for t in self._tableaux for row in (t.y, t.anchor, t.at, t.x, t.v, t.a))


def check_step(name: str, dt: object) -> None:
    """A time step is a number of seconds whose square, and that of its inverse, are numbers in single precision too."""
    if not 1e-15 <= real(dt) <= 1e15:
        raise InputError(f"{name}(dt={shown(dt)}): expected a positive number of seconds, such as 1/60")
