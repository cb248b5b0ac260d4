"""Linear solves of adjoints, to a measured residual."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import warp as wp

from ...errors import StepError
from ...linear.matrix.system import LinearSolver, System
from ...runtime.vectors import Vectors

ROUNDS = 20  # linear solves of one step, each for the remaining residual,
FALL = 0.5  # while each reduces it below this fraction
SAFE = 0.3  # safety factor of a solve's tolerance, since a solver measures its residual in its own norm
ROUNDED = 10.0  # times the rounding of a product with H: no solver goes further
LOOSE = 100.0  # times the tolerance, beyond which a solution limited by rounding is refused


def solved(
    linear: LinearSolver,
    system: System,
    vectors: Vectors,
    tolerance: float,
    right: wp.array,
    out: wp.array,
    spare: tuple[wp.array, wp.array],
    where: str,
) -> int:
    """out = −H⁻¹ right, to a relative residual of ``tolerance`` or of rounding, in how many iterations; 0 where ``right`` is."""
    rest, part = spare
    size = np.sqrt(vectors.dot(right, right))
    vectors.device.clear(out)
    if size == 0:
        return 0
    if not np.isfinite(size):
        raise StepError(f"{where}: derivatives are not finite; use a smaller dt or fewer steps")
    vectors.copy(right, rest)
    asked, residual, spent = tolerance, np.inf, 0
    for _ in range(ROUNDS):
        result = linear.solve(system, rest, part, asked)
        if result.negative:
            raise StepError(
                f"{where}: the Hessian at its solution is not positive definite, so that it has no unique derivative; use a "
                "smaller dt"
            )
        spent += max(result.iterations, 1)
        system = replace(system, first=False)  # reuse its factor
        vectors.move(out, -1.0, part, out)
        system.apply(out, rest)
        vectors.mix(1.0, right, 1.0, rest, rest)
        before, residual = residual, np.sqrt(vectors.dot(rest, rest)) / size
        if residual <= tolerance:
            return spent
        if not residual <= FALL * before:
            break
        asked = min(max(SAFE * tolerance / residual, tolerance), SAFE)
    if residual <= min(ROUNDED * _rounding(system, vectors, out, spare) / size, LOOSE * tolerance):
        return spent
    raise StepError(
        f"{where}: the linear solve left a relative residual of {residual:.1e}, tolerance {tolerance:.0e}, and there is no "
        "gradient; try linear=linear.Direct()"
    )


def _rounding(system: System, vectors: Vectors, d: wp.array, spare: tuple[wp.array, wp.array]) -> float:
    """The rounding error of H d: |3 H (d/3) − H d|, which is 0 in exact arithmetic."""
    whole, third = spare
    system.apply(d, whole)
    vectors.mix(1 / 3, d, 0.0, d, third)
    vectors.copy(third, d)
    system.apply(d, third)
    vectors.mix(3.0, third, -1.0, whole, whole)
    vectors.mix(3.0, d, 0.0, d, d)
    return float(np.sqrt(vectors.dot(whole, whole)))
