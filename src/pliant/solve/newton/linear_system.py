"""Linear system H d = b of an objective."""

from __future__ import annotations

from typing import Any

import warp as wp

from ...linear.matrix.block_matrix import BlockMatrix
from ...linear.matrix.cg_kernels import linear_kernels
from ...linear.matrix.system import System
from ..objective.step_objective import Objective
from .hessian_blend import Blend


def linearised(
    objective: Objective,
    x: wp.array,
    project: float = 0.0,
    assembled: bool = True,
    insist: bool = True,
    first: bool = True,
    blend: Blend | None = None,
    of_step: bool = False,
    again: bool = False,
    start: wp.array | None = None,
    ahead: bool = False,
) -> System:
    """∂²/∂x² of the objective at x; positive semi-definite where ``project`` is 1, partly projected between 0 and 1.

    ``assembled`` False keeps its diagonal blocks only and applies the energies' tangents at x, which must then stay as it is.
    ``insist``, ``first``, ``again`` and ``start`` are those of System; ``blend`` holds both matrices of this x where others may
    follow; ``of_step`` is for solvers of steps, whose linear solvers may remember from one to the next. ``ahead`` is that of
    Objective.assemble. The matrix is the objective's own: the next call writes over it.
    """
    blend = blend or Blend(objective, x, diagonal=not assembled, ahead=ahead)
    told = {"insist": insist, "first": first, "again": again, "of_step": of_step, "start": start}
    if assembled:
        return system_of(objective, x, blend.matrix(project), **told)
    matrix, recordable = blend.matrix(project), objective.recordable

    def differentiate(d: wp.array, out: wp.array) -> None:
        blend.product(project, d, out)

    key = None if recordable is None else (id(x), project, recordable)
    return _system(objective, x, matrix, differentiate, key, stored=False, **told)


def system_of(objective: Objective, x: wp.array, matrix: BlockMatrix, **told: Any) -> System:
    """The system of a matrix of the objective that was assembled at x."""
    kernel = linear_kernels(objective.device.precision).product
    mesh = (matrix.device_rows, matrix.device_columns, objective.free, matrix.values)

    def multiply(d: wp.array, out: wp.array) -> None:
        objective.device.launch(kernel, objective.count, *mesh, d, out, grain=128)

    return _system(objective, x, matrix, multiply, (), stored=True, **told)


def _system(
    objective: Objective, x: wp.array, matrix: BlockMatrix, apply, key: tuple | None, stored: bool, of_step=False, **told
) -> System:
    return System(
        objective.device,
        objective.vectors,
        objective.free,
        matrix,
        apply,
        key=key,
        stored=stored,
        positions=objective.positions,
        x=x,
        memory=objective.lasting if of_step else None,
        work=objective.work_of(matrix),
        **told,
    )
