"""Penalty parameters: stiffness, hardness, reach and damping of springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ...arguments import checks
from ...errors import InputError

HARDNESS = 10.0  # default stiffness of touching points over that of the material


def check_hardness(what: str, stiffness: float | None, hardness: float | None) -> None:
    """Refuse a bad hardness, or stiffness and hardness given together."""
    if hardness is None:
        return
    checks.positive(f"{what}(hardness=…)", hardness, "times the stiffness of the material, or None")
    if stiffness is not None:
        raise InputError(
            f"{what}(stiffness=…, hardness=…): hardness scales a stiffness taken from the material; expected one of the two"
        )


def hardness(law: Any) -> float:
    """The stiffness of points over that of the material under ``law``, for obstacles or bodies."""
    return HARDNESS if law.hardness is None else float(law.hardness)


@dataclass(frozen=True)
class Penalty:
    """Penalty springs between bodies, proportional to depth: contact for real time, for every solver.

    ``stiffness`` [N/m] is that of each point of a surface; None takes 10 E V^⅓ or 10 E A/h as against obstacles, E being that
    of the softer of the two; ``hardness`` replaces that 10.
    ``reach`` [m] is the distance from a face up to which a point, at the expected end of a step, is still
    watched; None takes half of the usual edge. Points meet faces and edges meet edges. Pieces
    separated by a cut or tear are separate bodies. Parts of one connected body push each other out with
    ``Contact(self_contact=True)``, except neighbours. ``damping`` [s] lets a spring resist being
    compressed by this multiple of its stiffness times the speed; it dissipates energy and never pulls.
    """

    stiffness: float | None = None
    reach: float | None = None
    damping: float = 0.0
    hardness: float | None = None

    CHANGES: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "hardness")  # while a simulation runs
    # whether obstacles that are not flat meet faces of bodies, not their points alone
    meets_faces: ClassVar[bool] = True

    def __post_init__(self):
        if self.stiffness is not None:
            checks.positive("Penalty(stiffness=…)", self.stiffness, "N/m, or None")
        check_hardness("Penalty", self.stiffness, self.hardness)
        if self.reach is not None:
            checks.positive("Penalty(reach=…)", self.reach, "metres, or None")
        checks.number("Penalty(damping=…)", self.damping, 0, expected="seconds, at least 0")
