"""Checks of a checkpoint before its use."""

from __future__ import annotations

import contextlib
import types
import typing
from functools import cache

import numpy as np

PLAIN = (bool, int, float, str, type(None))


def whole(value: object, name: str, low: int = 0, high: int = 2**53) -> int:
    """A whole number from a file."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}; expected a whole number from {low} to {high}")
    return value


def real(value: object, name: str, low: float = -np.inf) -> float:
    """A finite number from a file."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value < np.inf:
        raise ValueError(f"{name} is {value!r}; expected a finite number" + (f", at least {low:g}" if low > -np.inf else ""))
    return float(value)


def reals(values: object, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """An array of finite reals of just that shape."""
    if not isinstance(values, np.ndarray) or values.shape != shape or values.dtype.kind != "f":
        given = f"{values.dtype} of shape {values.shape}" if isinstance(values, np.ndarray) else type(values).__name__
        raise ValueError(f"{name} is {given}; expected floats of shape {shape}")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} is not finite")
    return values


def check_kinds(kind: type, given: dict[str, object]) -> None:
    """Refuse arguments that are of none of the kinds their annotations name: a number where a line search should be.

    Numbers, text and our own classes are told apart; what an annotation says of arrays, lists and functions is left to
    the constructor.
    """
    for name, hint in _hints(kind).items():
        if given.get(name) is None or isinstance(given[name], np.ndarray):
            continue
        union = typing.get_origin(hint) in (typing.Union, types.UnionType)
        kinds = typing.get_args(hint) if union else (hint,)
        if not all(isinstance(k, type) and (k in PLAIN or k.__module__.startswith("pliant.")) for k in kinds):
            continue
        if not any(_is_a(given[name], k) for k in kinds):
            words = " or ".join(k.__name__ for k in kinds if k is not type(None))
            raise ValueError(f"{kind.__name__}.{name} is {str(given[name])[:40]!r}; expected {words}")


def _is_a(value: object, kind: type) -> bool:
    """Whether a value is of a kind, or of one that stands in for it: from the same folder, answering the same calls."""
    if isinstance(value, bool) or kind in PLAIN:
        return isinstance(value, int | float if kind is float else kind) and isinstance(value, bool) == (kind is bool)
    beside = type(value).__module__.split(".")[:2] == kind.__module__.split(".")[:2]
    calls = [name for name, part in vars(kind).items() if callable(part) and not name.startswith("_")]
    return isinstance(value, kind) or (beside and bool(calls) and all(hasattr(value, name) for name in calls))


@cache
def _hints(kind: type) -> dict[str, typing.Any]:
    hints = {}
    for source in (kind, kind.__init__):  # a dataclass, or a constructor of its own
        with contextlib.suppress(NameError, TypeError):  # names that exist for type checkers only
            hints |= typing.get_type_hints(source)
    return hints
