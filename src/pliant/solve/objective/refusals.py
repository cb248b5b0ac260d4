"""Refusals of unsupported objectives, when a simulation is built."""

from __future__ import annotations

from ...energy.capabilities import Multiplied, Nonconservative
from ...errors import InputError
from .capabilities import constraint_of, has_barrier
from .step_objective import Objective


def refuse_rigid(objective: Objective, solver: str) -> None:
    """Refuse incompressible energies, for solvers without pressures."""
    if any(getattr(energy, "rigid", False) for energy in objective.energies):
        raise InputError(
            f"{solver} has no pressures for Averaged(incompressible=True); expected the solver Mixed(), with QuasiStatic or "
            "ImplicitEuler"
        )


def refuse_forces(objective: Objective, solver: str, expected: str = "Newton(line_search=None)") -> None:
    """Refuse nonconservative forces, for solvers that compare energies."""
    for energy in objective.having(Nonconservative):
        if not energy.conservative:
            law = energy.name if energy.material is None else energy.material.name
            raise InputError(f"{solver} compares energies, and the forces of {law} have none; expected {expected}")


def refuse_walls(objective: Objective, solver: str) -> None:
    """Refuse contact that no step may cross, for solvers without step limits."""
    if has_barrier(objective):
        raise InputError(f"{solver} does not support contact.Barrier(); expected Newton()")
    if constraint_of(objective) is not None:
        raise InputError(f"{solver} does not support contact.Complementarity(); expected Newton()")


def refuse_joints(objective: Objective, who: str, expected: str, rigid: bool = False) -> None:
    """Refuse joints, or those of scenes with moving rigid bodies, where they are not supported."""
    turning = objective.turning
    moves = turning is not None and any(objective.moves[n : n + 4].any() for n in turning.first)
    if objective.having(Multiplied) and (moves or not rigid):
        raise InputError(f"{who} cannot use joints{' where contact.Rigid bodies move' if rigid else ''}; expected {expected}")
