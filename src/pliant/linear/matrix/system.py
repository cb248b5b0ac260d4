"""What a linear solver is given: a symmetric operator over the free nodes, assembled or not."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.vectors import Vectors
from .block_matrix import BlockMatrix
from .cg_kernels import linear_kernels


@dataclass(frozen=True, eq=False)
class System:
    """A x = b with A symmetric.

    ``apply(d, out)`` is the product, ``matrix`` the assembled blocks, or the diagonal ones; ``stored``: the product is that
    with the matrix, 0 in held components. With the same
    ``key``, apply launches the same kernels on the same arrays every time, so that it may be recorded; None makes no
    such promise. ``positions`` (n, 3) of the
    nodes at rest, where they are known, guide an elimination order. ``insist``: an x is wanted also where A is not
    positive definite; False where that news is enough. ``first``: no system of the same solve went before it, so that
    what is kept from one to the next is rebuilt. ``again``: another matrix of the same x went before it. ``x`` are the
    positions where A was taken; ``start`` is a first guess of the solution, up to a factor. ``memory`` is what solvers keep
    from step to step, None for a system that is not of a step; ``work`` is what they keep with this matrix.
    """

    device: Device
    vectors: Vectors
    free: wp.array  # (n,) vec3 of 0 and 1
    matrix: BlockMatrix
    apply: Callable[[wp.array, wp.array], None]
    key: tuple | None = None
    stored: bool = False
    positions: np.ndarray | None = None
    insist: bool = True
    first: bool = True
    again: bool = False
    x: wp.array | None = None
    start: wp.array | None = None
    memory: dict[type, Any] | None = None
    work: dict[Hashable, Any] = field(default_factory=dict)

    def keep(self, owner: Hashable, make: Callable[[], Any]) -> Any:
        """The state of a solver or preconditioner, by its class or its settings, made on first use."""
        if owner not in self.work:
            self.work[owner] = make()
        return self.work[owner]

    def mask(self, x: wp.array) -> None:
        """Set held components to 0."""
        self.device.launch(linear_kernels(self.device.precision).mask, self.vectors.count, self.free, x)


@dataclass(frozen=True)
class LinearResult:
    """Iterations spent, relative residual reached, and whether negative curvature ended it."""

    iterations: int
    residual: float
    negative: bool = False


class LinearSolver(Protocol):
    """Solves systems; ``assembled`` says whether it needs the whole matrix or its diagonal blocks only."""

    assembled: bool

    def solve(self, system: System, b: wp.array[Any], x: wp.array[Any], tolerance: float) -> LinearResult:
        """Solve A x = b from x = 0, more or less to ``tolerance``."""
