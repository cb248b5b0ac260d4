"""Argument checks: numbers, lengths, directions, arrays, kinds, functions.

Each check returns the value in the form that the code wants, or raises an InputError that says what was given and what
was expected. ``what`` names the argument as its user knows it: ``"sphere radius"`` or ``"Contact(friction=…)"``.
Booleans are no numbers; NumPy's scalars are, and so are whole numbers of any size that a float can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from ..errors import InputError, first_few

FAR = 1e100  # [m] or any other unit: three of it can still be multiplied
MANY = 2**31 - 1  # what a kernel can count to
Kind = TypeVar("Kind")


def shown(value: object) -> str:
    """A value as an error may quote it: short and on one line, whatever it is."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # somebody else's repr may raise anything, and an int of 5,000 digits has none
        return f"a {type(value).__name__}"
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 80 else text[:79] + "…"


def refusal(what: str, value: object, expected: str) -> InputError:
    """The error to raise about an argument."""
    return InputError(f"{what} is {shown(value)}; expected {expected}")


def real(value: object) -> float:
    """A number as a float; NaN where it is none, or too large for one."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return float("nan")
    try:
        return float(value)
    except (OverflowError, ValueError, TypeError):
        return float("nan")


def number(what: str, value: object, low: float = -np.inf, high: float = np.inf, expected: str = "a finite number") -> float:
    """A finite number from ``low`` to ``high``."""
    parsed = real(value)
    if not (low <= parsed <= high and abs(parsed) < np.inf):
        raise refusal(what, value, expected)
    return parsed


def is_positive(value: object) -> bool:
    """Whether ``value`` is a finite number above zero, and not a boolean."""
    return 0 < real(value) < np.inf


def positive(what: str, value: object, unit: str = "") -> float:
    """A finite number above zero; ``unit`` as in "a positive number of seconds"."""
    if not is_positive(value):
        raise refusal(what, value, "a positive number" + (f" of {unit}" if unit else ""))
    return real(value)


def length(what: str, value: object) -> float:
    """A positive length [m], small enough for its cube to be a number."""
    metres = positive(what, value, "metres")
    if metres >= FAR:
        raise refusal(what, value, f"a positive number of metres below {FAR:g}")
    return metres


def whole(what: str, value: object, low: int = 1, high: int = MANY, more: str = "") -> int:
    """A whole number from ``low`` to ``high``; ``more`` ends the sentence where it is refused."""
    fits = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not fits or not low <= value <= high:
        span = f"of at least {low}" if high == MANY and not (fits and value > high) else f"from {low} to {high}"
        raise refusal(what, value, f"a whole number {span}{more}")
    return int(value)


def flag(what: str, value: object) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if not isinstance(value, bool | np.bool_):
        raise refusal(what, value, "True or False")
    return bool(value)


def instance(what: str, value: object, kinds: type[Kind] | tuple[type[Kind], ...], expected: str) -> Kind:
    """A value of one of the given classes."""
    if not isinstance(value, kinds):
        raise InputError(f"{what} is {kind(value)}; expected {expected}")
    return value


def kind(value: object) -> str:
    """What a value is, for a sentence: itself where it is small, else the name of its class."""
    if value is None or isinstance(value, str | bytes | bool | Real):
        return shown(value)
    return f"a {type(value).__name__}" if not isinstance(value, type) else f"the class {value.__name__}"


def text(what: str, value: object, optional: bool = False) -> str | None:
    """Text, or None where it is ``optional``."""
    if not isinstance(value, str) and not (optional and value is None):
        raise refusal(what, value, "text, or None" if optional else "text")
    return value


def function(what: str, value: object, expected: str) -> Callable[..., Any] | None:
    """Something to call, or None; a class is nothing of the kind."""
    if value is not None and (not callable(value) or isinstance(value, type)):
        raise refusal(what, value, f"{expected}, or None")
    return value


def indices(what: str, value: object) -> None:
    """Whole numbers from 0 up in a list or an array, a flag for each, or None."""
    if value is None:
        return
    try:
        array = np.asarray(value) if isinstance(value, list | tuple | range | np.ndarray) else np.zeros(0)
    except ValueError:  # rows that differ in length
        array = np.zeros(0)
    if not array.size or array.dtype.kind not in "iub" or (array.dtype.kind == "i" and array.min() < 0):
        raise refusal(what, value, "numbers from 0 up in a list, or None")


def several(what: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """A tuple of values of the given classes."""
    if not isinstance(value, tuple) or not all(isinstance(one, kinds) for one in value):
        raise InputError(f"{what} is {kind(value)}; expected a tuple of {expected}")


def numeric(value: object) -> np.ndarray | None:
    """``value`` as float64, itself where it is that; None where it holds anything but numbers."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":  # whole numbers beyond 64 bits, or anything at all
            if not all(isinstance(item, Real) and not isinstance(item, bool) for item in array.flat):
                return None
            return np.array([real(item) for item in array.flat]).reshape(array.shape)
        return array.astype(np.float64, copy=False) if array.dtype.kind in "iuf" else None
    except Exception:  # rows that differ in length, and whatever the methods of a stranger's class raise
        return None


def floats(value: object) -> np.ndarray:
    """``value`` as float64; an empty array where it holds no numbers, for the caller to refuse by its shape."""
    array = numeric(value)
    return np.zeros(0) if array is None else array


def vector(what: str, value: object, unit: str = "") -> np.ndarray:
    """(3,) finite numbers; ``unit`` as in "three finite numbers in metres"."""
    array = floats(value)
    if array.shape != (3,) or not (np.abs(array) < FAR).all():
        raise refusal(what, value, "three finite numbers" + (f" in {unit}" if unit else ""))
    return array


def direction(what: str, value: object) -> np.ndarray:
    """(3,) of unit length, from a vector of any length but zero."""
    array = vector(what, value)
    largest = np.abs(array).max()
    if not largest > 0:
        raise refusal(what, value, "a direction of non-zero length")
    array = array / largest if largest < 1e-100 else array  # its square would vanish
    return array / np.linalg.norm(array)


def lengths(what: str, value: object, count: int, above_zero: bool = True) -> np.ndarray:
    """(count,) finite lengths [m], positive unless ``above_zero`` is False."""
    array = floats(value)
    if array.shape != (count,) or not (np.abs(array) < FAR).all() or (above_zero and (array <= 0).any()):
        raise refusal(what, value, f"{count} {'positive' if above_zero else 'finite'} numbers in metres")
    return array


def points(what: str, value: object) -> np.ndarray:
    """(n, 3) finite positions [m], in an array of their own."""
    array = numeric(value)
    if array is None:
        raise InputError(f"{what} cannot be read as numbers; expected an (n, 3) array of metres")
    if array.ndim != 2 or array.shape[1] != 3:
        raise InputError(f"{what} have shape {array.shape}; expected (n, 3)")
    for fault, fine in (("not finite", np.isfinite(array)), (f"beyond {FAR:g} m", ~(np.abs(array) >= FAR))):
        bad = np.flatnonzero(~fine.all(axis=1))
        if len(bad):
            raise InputError(f"{len(bad)} of {len(array)} {what} are {fault}, first at {first_few(bad)}")
    return array.copy() if array is value or array.base is not None else array


def called(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a caller's function returns; what it raises is reported as a fault of that function."""
    try:
        return function(*arguments)
    except InputError:
        raise
    except Exception as error:
        why = shown(str(error))[1:-1]
        raise InputError(f"{what} raised {type(error).__name__}: {why}") from error


def among(what: str, value: object, choices: Sequence[object]) -> Any:
    """One of a few values."""
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise refusal(what, value, " or ".join(map(repr, choices)))
    return value
