"""Capabilities of energies: mix-in classes that solvers find by type."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
import warp as wp

from ..linear.matrix.block_matrix import BlockMatrix
from .memory import Remembers as Remembers
from .quadratic_bound import Majorised as Majorised
from .sensitivity import Differentiable as Differentiable

if TYPE_CHECKING:
    from .base import Energy
    from .contact_forces import Pressed

# what bodies act on: ("obstacle", number), ("hold", part, number), ("hand", handle), ("joint", number)
Thing = tuple[Any, ...]


class Attached:
    """An energy that prepares ``blocks`` for a sparsity pattern."""

    def attach(self, pattern: BlockMatrix) -> None:
        """Find the places of its blocks."""


class Placed(Attached):
    """An energy whose blocks lie elsewhere as bodies move, such as contact."""

    def seek_places(self, x: wp.array) -> None:
        """Look at x for blocks that the pattern has no place for, and change ``sparsity`` where there are some."""


class Fused:
    """An energy that shares work between its value and its gradient."""

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        """``gradient`` and ``evaluate`` in one pass."""


class Lookahead(Fused):
    """An energy that shares work with its exact blocks as well, where these are wanted next."""

    def gradient_ahead(self, x: wp.array, out: wp.array) -> None:
        """``gradient``; what ``blocks_ahead`` needs of it is kept."""

    def evaluate_ahead(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        """``evaluate_with_gradient``; what ``blocks_ahead`` needs of it is kept."""

    def blocks_ahead(self, x: wp.array, pattern: BlockMatrix) -> None:
        """The exact blocks at x, where one of the two came last."""


def evaluate_with_gradient(energy: Energy, x: wp.array, out: wp.array, gradient: wp.array, ahead: bool = False) -> None:
    """Add value and gradient, in one pass where the energy can; ``ahead``: its exact blocks at x are wanted next."""
    if ahead and isinstance(energy, Lookahead):
        energy.evaluate_ahead(x, out, gradient)
    elif isinstance(energy, Fused):
        energy.evaluate_with_gradient(x, out, gradient)
    else:
        energy.gradient(x, gradient)
        energy.evaluate(x, out)


class Limited:
    """An energy that is not defined, or not to be trusted, beyond a part of a step."""

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> None:
        """out[g, 0] = the largest safe fraction of d where that is less."""

    def step_limit(self, x: wp.array, d: wp.array) -> float:
        """Largest safe fraction of d, at most 1."""
        out = self.device.array(np.ones((1 if self.bounds is None else len(self.bounds) - 1, 1)), wp.float64)
        self.safe(x, d, out)
        return float(out.numpy().min())


class Wall(Limited):
    """Contact that no iterate may pass through."""

    def least_shares(self, share: wp.array) -> float:
        """share[n] = the least of it and the safe fractions of d for what rides on node n, as ``safe`` has left them; returns the
        fraction of d on which they were looked for."""
        return 1.0

    def overshoot(self) -> float:
        """How far bodies would go beyond each other, in sizes of the smaller, on the way that ``safe`` looked at last."""
        return 0.0

    def predict(self, x: wp.array, d: wp.array, compliance: wp.array) -> bool:
        """Constrain what the direction d presses through this wall, as ``safe`` has found it last, and let go what it parts, in
        the matrix from now on; False where that changes nothing. ``compliance`` [m/N]: that of each node by the Hessian's
        diagonal."""
        return False

    def add_predicted(self, out: wp.array) -> None:
        """Add the gradient of the constraints' springs at no direction to out."""

    def forget_predicted(self) -> None:
        """Constrain nothing, in the matrix either."""


class Driven(Wall):
    """A wall that moves by itself in a step, as far as bodies allow."""

    @property
    def has_way_left(self) -> bool:
        """Whether some of its way is still before it, after ``begin``."""

    def start_drive(self) -> None:
        """Let ``safe`` count, with d, all of the way that is left."""

    def advance_drive(self, part: float) -> None:
        """Go that part of the way that is left, and stand there."""


class Corrected(Wall):
    """A wall that may find, where a solve has ended, a crossing of places that it did not look at."""

    def missed_collision(self, x: wp.array, start: wp.array) -> bool:
        """Take in what crossed between ``start`` and the solution x; True if the step must be solved again from ``start``."""

    def replay_correction(self, start: wp.array) -> None:
        """Make the corrections of a step that has ended, after ``begin`` of the same step from ``start``."""


class Constraint:
    """Contact whose forces a solver finds, since they are unknowns of their own."""

    def find(self, x: wp.array, d: np.ndarray | None = None, trusted: bool = True) -> Any:
        """The rows of contacts with nodes at x that would go on by d (n, 3); ``trusted``: x keeps those of before already."""

    def compliance(self, inverse: Any, rows: Any) -> Any:
        """How gaps and slips of rows change with forces on them [m/N]."""

    def push(self, rows: Any, force: np.ndarray, x: wp.array) -> None:
        """Let forces on rows [N] act from x on."""


class Touching:
    """Contact, which reports count. ``remark`` is what the report of a step should say of it, ``looked`` the time [s] spent
    until now in finding what touches what (touching.timed)."""

    remark = ""
    looked: float = 0.0

    def touch(self, x: wp.array, out: wp.array) -> None:
        """out[g] += (contacts, least gap [m], energy that friction took [J]) of a step that ends at x, the least as such; before
        ``accept``."""

    def contacts(self, x: wp.array) -> Pressed:
        """What presses or rubs at x, and with which forces: their sum over all nodes is the gradient at x."""

    def linearise(self, x: wp.array) -> None:
        """Take up the positive semi-definite tangent at x, for ``multiply``."""
        self._linearised = x

    def multiply(self, d: wp.array, out: wp.array) -> None:
        """out += the tangent that ``linearise`` took up, times d [N]."""
        self.tangent(self._linearised, d, out, project=True)


class Reacting:
    """An energy that stands for things outside of the bodies, on which they act in turn."""

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        """These things, and of each its share of the gradient at x, (n, 3) [N]: by the third law, what the bodies do to it."""


class Fastening(Reacting):
    """An energy that holds bodies from outside, as springs, clamps and hands do."""


class Rechecked(Touching):
    """Contact that may find, where a solve has ended, what it did not look at."""

    def missed_contact(self, x: wp.array) -> bool:
        """Take in what touches at the solution x of a step with inertia; True if it must go on from there."""


class Rolling:
    """Contact whose friction on rigid bodies is that of where they press in the end."""

    def roll(self, x: wp.array) -> bool:
        """Take the friction of where rigid bodies press at the solution x; True if the step must be solved again."""


class Lagged:
    """An energy that keeps something fixed while equilibrium is searched for."""

    def refresh_lagged(self, x: wp.array) -> bool:
        """Refresh what was fixed where a search has ended at x; True if it must go on from there."""


class Multiplied(Lagged):
    """An energy with constraints whose forces, the multipliers, are found from solve to solve (augmented Lagrangian)."""

    def find_multipliers(self, x: wp.array) -> np.ndarray:
        """Find the forces that a solution x asks for, with which the next step begins; (c,) how far each constraint is from
        being kept, in parts of what it may be."""

    def take_multipliers(self, firmer: float = 1.0) -> None:
        """Let the forces found act in the step under way, with so many times the stiffness until the next one."""

    def refresh_lagged(self, x: wp.array) -> bool:
        apart = float(self.find_multipliers(x).max(initial=0.0)) > 1.0
        if apart:
            self.take_multipliers()
        return apart


class LaggedFriction:
    """Friction whose tangents follow what Newton's iterations have learnt of its forces (friction_functions.py)."""

    @property
    def learns(self) -> bool:
        """Whether there is friction to learn of."""

    def update_lagged(self, x: wp.array, after: wp.array) -> None:
        """Learn from an iteration that went from x to ``after``; of launches alone."""

    def clear_lagged(self) -> None:
        """Let tangents be those of the energy again."""


class Stopping:
    """An energy whose force turns around at single points of a step, where the tangent takes it for constant."""

    @property
    def stops(self) -> bool:
        """Whether there is such a force."""

    def stop(self, x: wp.array, d: wp.array) -> None:
        """Shorten d at these points, on the way from x to x + d: a hint for Newton's method, of launches alone."""


class OfStep:
    """An energy that exists only within a step, such as inertia and damping, and is none of a state."""


class WorkSource(OfStep):
    """An energy of a step that does work on bodies, such as wind and motors."""


class Nonconservative:
    """An energy whose forces may be the gradient of no value, which solvers that search along a line need."""

    @property
    def conservative(self) -> bool:
        """Whether they are the gradient of its value all the same."""

    @property
    def symmetric(self) -> bool:
        """Whether its tangent is symmetric."""


class InversionPolicy(Enum):
    """What a place with det F ≤ 0 says of a solution."""

    ALWAYS = 1  # there is none: a barrier was jumped
    AT_REST = 2  # no equilibrium; a motion may pass through it, since the law turns the point back
    REPORTED = 3  # it may be right, and is reported: a corner of a cell, which no point of the rule sees
    COUNTED = 4  # it may be right, and is reported: a point of a law without a barrier


class Invertible:
    """An energy of elements that may turn inside out. ``inversion_safe``: it is defined, and pushes back, where they are."""

    inversion: InversionPolicy | None = None  # None where nobody looks
    inversion_safe = True

    def count_inverted(self, x: wp.array, out: wp.array) -> None:
        """out[g, 0] += the number of places of each group with det F ≤ 0."""


class Observable:
    """An energy of which elements show fields. ``fields`` are those that other scenes do not have."""

    fields: tuple[str, ...] = ()

    def element_field(self, name: str, x: wp.array) -> np.ndarray | None:
        """What each element adds to a field of the material, such as "stress": (m,) or (m, k) at its nodes; None for nothing."""

    def element_tensor(self, kind: str, x: wp.array) -> np.ndarray | None:
        """What each element adds to Cauchy's "stress" [Pa] or Green's "strain": (m, 3, 3), or (m, k, 3, 3) at its nodes."""


class Damped:
    """An energy of a material whose tangent stiffness damping takes in, where ``damped``."""

    damped = True


class Viscous(Damped):
    """An energy of a material that may be viscous."""

    def viscous(self, eta: float, count: int) -> Energy:
        """The energy of a viscosity η [Pa s] of the material in a layout of ``count`` nodes."""


class Following:
    """An energy that can go on with work done for the one before a cut."""

    def follow(self, before: Energy, numbers: np.ndarray) -> None:
        """Take over what has not changed since an energy like it, whose node i is node ``numbers[i]`` here."""


class Tearable:
    """An energy that can go on in the same arrays where nodes are added, as long as ``tears``."""

    tears = True

    def reserve(self, count: int) -> None:
        """Work on ``count`` rows, more than there are nodes, the others to spare."""

    def tear(self, where: Any) -> None:
        """Go on with a layout of the same elements on more nodes."""


class DoublePrecision:
    """An energy whose forces are found in double precision, also on a device in single precision."""
