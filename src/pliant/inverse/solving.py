"""Linear solves that derivatives rest on: to a residual that is measured, or refused."""

from __future__ import annotations

import numpy as np
import warp as wp

from ..errors import StepError
from ..linear.system import LinearSolver, System
from ..vectors import Vectors

ROUNDS = 4  # linear solves of one step, each for what the ones before left over
SAFE = 0.3  # how far below what is still missing a solve goes, since a solver measures its residual in its own norm


def solved(
    linear: LinearSolver,
    system: System,
    vectors: Vectors,
    tolerance: float,
    right: wp.array,
    out: wp.array,
    spare: tuple[wp.array, wp.array],
    where: str,
) -> bool:
    """out = −H⁻¹ right, to a relative residual of ``tolerance``; False, and out = 0, where ``right`` is 0."""
    rest, part = spare
    size = np.sqrt(vectors.dot(right, right))
    vectors.device.clear(out)
    if size == 0:
        return False
    if not np.isfinite(size):
        raise StepError(f"{where}: derivatives are not finite; use a smaller dt or fewer steps")
    vectors.copy(right, rest)
    asked = tolerance
    for _ in range(ROUNDS):
        if linear.solve(system, rest, part, asked).negative:
            raise StepError(
                f"{where}: the Hessian at its solution is not positive definite, so that it has no unique derivative; use a "
                "smaller dt"
            )
        vectors.move(out, -1.0, part, out)
        system.apply(out, rest)
        vectors.mix(1.0, right, 1.0, rest, rest)
        residual = np.sqrt(vectors.dot(rest, rest)) / size
        if residual <= tolerance:
            return True
        asked = min(max(SAFE * tolerance / residual, tolerance), SAFE)
    raise StepError(
        f"{where}: the linear solve left a relative residual of {residual:.1e}, tolerance {tolerance:.0e}, and there is no "
        "gradient; try linear=linear.Direct()"
    )
