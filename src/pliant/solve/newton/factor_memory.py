"""Factor memory of background factors in a state."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from ...cut.change import Change
from ...energy.memory import Memory, Parents, Remembers
from ...linear.preconditioner.background_cholesky import SIDES, AsyncFactor
from ..objective.step_objective import Objective

ORIGIN = "origin"


class KeepsFactors:
    """Mixin of step solvers whose linear solver, ``linear``, may keep factors between steps."""

    linear: Any

    @property
    def keeps_rows(self) -> tuple[Change, ...]:
        """Changes of a mesh that it supports in the same arrays."""
        return (Change.CUT,) if getattr(self.linear, "keeps_rows", False) else ()

    def memory(self, objective: Objective) -> FactorMemory:
        """The owner of these factors."""
        remembered = getattr(self.linear, "remembered", None)
        return FactorMemory(remembered(objective.device, objective.lasting) if remembered else None, objective.inherited)


class FactorMemory(Remembers):
    """The snapshots of an asynchronous factor, so that runs continue from any state bit for bit; empty without one."""

    def __init__(self, factor: AsyncFactor | None, inherited: dict[type, Any]):
        self.factor, self.inherited = factor, inherited

    @property
    def memory(self) -> Memory:
        return self.factor.memory if self.factor else {}

    def recall(self, memory: Memory) -> None:
        before = self.inherited.pop(AsyncFactor, None) if ORIGIN in memory else None
        if self.factor and isinstance(before, AsyncFactor):
            self.factor.inherit(before, memory[ORIGIN].numpy())
        elif self.factor:
            self.factor.recall(memory)

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """The origin of the nodes of a new mesh: objectives pass on the factor itself."""
        return {ORIGIN: wp.array(nearest, dtype=wp.int32, device="cpu")} if self.factor else {}

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        """Raise ValueError where arrays from a file cannot be a memory in a scene of ``count`` nodes."""
        shapes = {"clock": ((4,),)}
        for side in SIDES:
            entries = len(saved.get(side, ()))
            shapes |= {side: ((0, 3, 3), (entries, 3, 3)), f"{side} x": ((0, 3), (count, 3))}
        for name, allowed in shapes.items():
            values = saved.get(name)
            if values is None or values.shape not in allowed or not np.isfinite(values).all():
                given = "missing" if values is None else f"of shape {values.shape}"
                raise ValueError(f"{name} is {given}; expected finite numbers of shape {allowed[-1]}")
