"""Short words for values: what a prompt or a notebook shows of them instead of their arrays."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

import numpy as np

FULL = 6  # numbers of an array that are shown as they are


def brief(value: Any) -> str:
    """A dataclass by those of its fields that are not as by default, arrays by their shapes. Serves as ``__repr__``."""
    said = []
    for field in sorted(fields(value), key=lambda field: field.kw_only):  # as in a call
        own = getattr(value, field.name)
        if field.init and field.repr and not _same(own, _default(field)):
            plain = _default(field) is MISSING and not isinstance(own, int | float | np.ndarray)
            said.append(shown(own) if plain else f"{field.name}={shown(own)}")
    return f"{type(value).__name__}({', '.join(said)})"


def shown(value: Any) -> str:
    """One value, arrays by their shapes, sequences and tables by their items and functions by their names."""
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            return f"{value[()]:g}"
        if value.size <= FULL:
            return np.array2string(value, separator=", ", precision=4)
        return f"{value.dtype} {' × '.join(map(str, value.shape))}"
    if is_dataclass(value) and hasattr(type(value).__repr__, "__wrapped__"):  # the words that dataclasses make
        return brief(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {shown(own)}' for key, own in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if callable(value) and hasattr(value, "__name__"):
        return "a function" if value.__name__ == "<lambda>" else value.__name__
    return repr(value)


def extent(bounds: np.ndarray) -> str:
    """The sides of a box (2, 3) in metres."""
    return " × ".join(f"{side:.4g}" for side in bounds[1] - bounds[0]) + " m"


def _default(field: Field) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _same(a: Any, b: Any) -> bool:
    if b is MISSING:
        return False
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and bool(np.all(np.asarray(a) == np.asarray(b)))
    return a is b or (type(a) is type(b) and bool(a == b))
