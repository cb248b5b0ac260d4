"""What an iteration of Newton's method tells of the forces where it ends, for energies whose tangents may go by it."""

import warp as wp

from ...energy.capabilities import LaggedFriction
from ..objective.step_objective import Objective


def update_lagged(objective: Objective, x: wp.array, after: wp.array) -> None:
    """Let energies learn from an iteration that went from x to ``after`` which forces their next tangents are to expect."""
    learning = [energy for energy in objective.having(LaggedFriction) if energy.learns]

    def work() -> None:
        for energy in learning:
            energy.update_lagged(x, after)

    if learning:
        objective.replay(work, f"expect {len(learning)}", x, after)


def clear_lagged(objective: Objective) -> None:
    """Tangents are those of the energies again."""
    for energy in objective.having(LaggedFriction):
        if energy.learns:
            energy.clear_lagged()
