"""Hessian choice of Newton: exact, projected or adaptive."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import warp as wp

from ...linear.matrix.operator import Operator
from ...linear.matrix.system import System
from ..objective.report import Clock
from ..objective.step_objective import Objective
from .hessian_blend import Blend
from .linear_system import linearised


@dataclass(frozen=True)
class Projected:
    """Element Hessians with their negative eigenvalues set to zero."""

    SHARES = (1.0,)


@dataclass(frozen=True)
class Exact:
    """The exact Hessian; conjugate gradients stop at negative curvature and return their iterate."""

    SHARES = (0.0,)


@dataclass(frozen=True)
class Adaptive:
    """The exact Hessian where it is positive definite, else the least projection that makes it so."""

    SHARES = (0.0, 0.0625, 0.25, 1.0)  # of the projection, tried in turn


Hessian = Adaptive | Projected | Exact


class Solved(NamedTuple):
    """Linear iterations spent, the index of the share of projection (one past the last if none did), a system to reuse, and the
    relative residual, infinite where H is not positive definite."""

    spent: int
    level: int
    system: System | None
    left: float = 0.0


@dataclass(frozen=True)
class NewtonSystem:
    """H d = g of one linear solver, with the first of the ``hessian``'s shares of projection that makes H positive definite."""

    hessian: Hessian
    linear: Any

    def operator(self, objective: Objective, x: wp.array) -> Operator:
        """The inverse of the Hessian at x; of the projected one where the solver supports no other."""
        system = linearised(objective, x, isinstance(self.hessian, Projected), self.linear.assembled)
        return self.linear.operator(system)

    def solve(
        self,
        objective: Objective,
        x: wp.array,
        g: wp.array,
        d: wp.array,
        forcing: float,
        clock: Clock,
        least: int = 0,
        first: bool = True,
        kept: System | None = None,
        tried: bool = False,
        start: wp.array | None = None,
        ahead: bool = False,
    ) -> Solved:
        """Solve to the relative residual ``forcing`` with shares from number ``least`` on, or with the system ``kept`` from the
        iteration before. ``tried``: the first share failed, and its matrix is assembled. ``first`` and ``start`` are those of
        System, ``ahead`` that of Objective.assemble."""
        linear, shares, spent = self.linear, self.hessian.SHARES, 0
        blend = Blend(objective, x, diagonal=not linear.assembled, ahead=ahead)
        if kept is not None:
            with clock("linear"):
                result = linear.solve(replace(kept, first=False), g, d, forcing)
            spent += result.iterations
            if not result.negative:
                return Solved(spent, 0, None, result.residual)
        if tried:
            blend.know(shares[0])
        for level in range(max(least, int(tried)), len(shares)):
            insist = level == len(shares) - 1  # or else the next share is tried
            options = {"first": first, "of_step": True, "again": tried or level > least, "start": start}
            with clock("matrix"):
                system = linearised(objective, x, shares[level], linear.assembled, insist, blend=blend, **options)
            with clock("linear"):
                result = linear.solve(system, g, d, forcing)
            spent += result.iterations
            if not result.negative:
                return Solved(spent, level, system if linear.assembled else None, result.residual)
        return Solved(spent, len(shares), None, math.inf)
