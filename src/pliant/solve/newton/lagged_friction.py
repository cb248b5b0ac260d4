"""Lagged friction: updates of expected forces between iterations."""

import warp as wp

from ...energy.capabilities import LaggedFriction
from ..objective.step_objective import Objective


def update_lagged(objective: Objective, x: wp.array, after: wp.array) -> None:
    """Let energies update the forces of their next tangents from an iteration from x to ``after``."""
    learning = [energy for energy in objective.having(LaggedFriction) if energy.learns]

    def work() -> None:
        for energy in learning:
            energy.update_lagged(x, after)

    if learning:
        objective.replay(work, f"expect {len(learning)}", x, after)


def clear_lagged(objective: Objective) -> None:
    """Reset tangents to those of the energies."""
    for energy in objective.having(LaggedFriction):
        if energy.learns:
            energy.clear_lagged()
