"""The operator that a solve returns beside its answer: the inverse of the matrix that it solved with.

An operator is any object with ``solve(b, out)`` on device vectors, ``solve_many(B)`` and ``partial(rows)`` on arrays of
the 3n unknowns (3 node + axis), and a ``version`` that changes whenever the matrix does. Unknowns that are held have no
inverse: their rows and columns are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
import warp as wp

from ...arguments.checks import floats
from ...errors import InputError
from .system import LinearSolver, System


class Operator(Protocol):
    """A⁻¹ over the components that are free."""

    version: int

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b for (n,) arrays of vec3 on the device; b is 0 in components that are held."""

    def solve_many(self, B: np.ndarray) -> np.ndarray:
        """A⁻¹ B for B (3n, k)."""

    def partial(self, rows: np.ndarray) -> np.ndarray:
        """(m, m) entries of A⁻¹ between the unknowns ``rows`` (m,)."""


class Iterative:
    """The inverse of a system by a solver that keeps no factor: every column costs a solve."""

    def __init__(self, system: System, method: LinearSolver, tolerance: float, version: int = 0):
        self.system, self.method, self.tolerance, self.version = system, method, tolerance, version
        self._right, self._left = system.vectors.new(), system.vectors.new()

    def solve(self, b: wp.array, out: wp.array) -> None:
        self.system.vectors.copy(b, self._right)
        self.system.mask(self._right)
        self.method.solve(self.system, self._right, out, self.tolerance)
        self.system = replace(self.system, first=False)  # a factor that preconditions serves all that follow

    def solve_many(self, B: np.ndarray) -> np.ndarray:
        B = columns_of(B, 3 * self.system.vectors.count)
        out, kind = np.empty(B.shape), self.system.device.types.numpy
        for j, column in enumerate(B.T):
            self._left.assign(column.reshape(-1, 3).astype(kind))
            self.solve(self._left, self._left)
            out[:, j] = self._left.numpy().reshape(-1)
        return out

    def partial(self, rows: np.ndarray) -> np.ndarray:
        rows = unknowns(rows, 3 * self.system.vectors.count)
        B = np.zeros((3 * self.system.vectors.count, len(rows)))
        B[rows, np.arange(len(rows))] = 1.0
        return self.solve_many(B)[rows]


class Lazy:
    """An operator that is made on first use: a step of which no more is wanted pays nothing."""

    def __init__(self, make: Callable[[], Operator], version: int):
        self._make, self.version = make, version

    @cached_property
    def made(self) -> Operator:
        return self._make()

    def solve(self, b: wp.array, out: wp.array) -> None:
        self.made.solve(b, out)

    def solve_many(self, B: np.ndarray) -> np.ndarray:
        return self.made.solve_many(B)

    def partial(self, rows: np.ndarray) -> np.ndarray:
        return self.made.partial(rows)


def columns_of(B: object, count: int) -> np.ndarray:
    """B as (count, k) numbers, or a refusal."""
    given = floats(B)
    if given.ndim != 2 or given.shape[0] != count or not np.isfinite(given).all():
        raise InputError(f"solve_many(B of shape {given.shape}): expected finite numbers, ({count}, k)")
    return given


def unknowns(rows: object, count: int) -> np.ndarray:
    """Distinct numbers of unknowns, or a refusal."""
    given = np.asarray(rows)
    whole = given.ndim == 1 and given.size and given.dtype.kind in "iu"
    if not whole or given.min() < 0 or given.max() >= count or len(np.unique(given)) < len(given):
        raise InputError(f"partial(rows={rows!r}): expected distinct unknowns 0 … {count - 1}, 3 node + axis")
    return given.astype(np.int64)
