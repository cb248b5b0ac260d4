"""What a linear solver is given: a symmetric operator over the free nodes, assembled or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import warp as wp

from ..device import Device
from ..energy.base import Pattern
from ..vectors import Vectors


@dataclass(frozen=True, eq=False)
class System:
    """A x = b with A symmetric. ``apply(d, out)`` is the product; ``pattern`` holds the assembled blocks.

    ``fixed`` says that apply launches the same kernels on the same arrays every time, so that it may be recorded.
    ``positions`` (n, 3) of the nodes at rest, where they are known, guide an elimination order. ``insist``: an x is
    wanted also where A is not positive definite; False where that news is enough.
    """

    device: Device
    vectors: Vectors
    free: wp.array  # (n,) vec3 of 0 and 1
    pattern: Pattern
    apply: Callable[[wp.array, wp.array], None]
    fixed: bool = False
    positions: np.ndarray | None = None
    insist: bool = True


@dataclass(frozen=True)
class LinearResult:
    """Iterations spent, relative residual reached, and whether negative curvature ended it."""

    iterations: int
    residual: float
    negative: bool = False
