"""Up axis and length unit of shapes from files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arguments import checks
from ...errors import InputError, did_you_mean

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "um": 1e-6, "in": 0.0254, "ft": 0.3048}  # [m]
TURNS = {  # axis that points up → turn that brings it to z: axis and degrees
    "x": ((0, 1, 0), -90.0), "-x": ((0, 1, 0), 90.0), "y": ((1, 0, 0), 90.0), "-y": ((1, 0, 0), -90.0),
    "z": None, "-z": ((1, 0, 0), 180.0),
}  # fmt: skip


def metres(unit: str | float) -> float:
    """Metres that one unit has, given by its name or as a number."""
    if isinstance(unit, str):
        if unit not in UNITS:
            near = did_you_mean(unit, UNITS)
            raise InputError(f"unit is {unit!r}{near}; expected one of {', '.join(UNITS)}, or a number of metres")
        return UNITS[unit]
    return checks.positive("unit", unit, "m")


def upright(shape: Any, up: str, before: str = "z") -> Any:
    """A copy turned so that its axis ``up`` is z; ``before`` is the axis that a reader has brought to z already."""
    if not isinstance(up, str) or up not in TURNS:
        raise checks.refusal("up", up, f"one of {', '.join(TURNS)}")
    if up == before:
        return shape
    if not hasattr(shape, "rotated"):
        raise InputError(f"up={up!r}: a {type(shape).__name__} cannot be turned; turn the solid or the surface made of it")
    if TURNS[before] is not None:
        shape = shape.rotated(TURNS[before][0], -TURNS[before][1])
    return shape if TURNS[up] is None else shape.rotated(*TURNS[up])


def sized(shape: Any, unit: str | float | None, size: float | None) -> Any:
    """A copy in metres: ``unit`` says what one unit is, or ``size`` [m] how long the longest side shall be."""
    if unit is not None and size is not None:
        raise InputError("unit and size were given together; expected one of them")
    if size is not None:
        return shape.scaled(checks.positive("size", size, "m") / longest(shape))
    return shape if unit is None or metres(unit) == 1.0 else shape.scaled(metres(unit))


def longest(shape: Any) -> float:
    """The longest side of the box around a shape or of a volume's grid."""
    if hasattr(shape, "bounds"):
        return float(np.ptp(shape.bounds, axis=0).max())
    return float(max(n * step for n, step in zip(shape.values.shape, shape.spacing)))
