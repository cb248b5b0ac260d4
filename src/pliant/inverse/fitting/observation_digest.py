"""Digest of observations: equal for equal data in any process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ...arguments.renamed import NAMES
from ...runtime.fingerprint import fingerprint
from ...simulate.simulation import Simulation

BEFORE = {new.rpartition(".")[2]: old for old, new in NAMES.items()}  # by which journals of before know them
Add = Callable[[bytes], None]


def digest(value: Any) -> str:
    """Hexadecimal digits for arrays, numbers, texts, functions, and lists, mappings and objects of them."""
    hashed = hashlib.sha256()
    _add(value, hashed.update, ())
    return hashed.hexdigest()


def _add(value: Any, add: Add, above: tuple[int, ...]) -> None:
    """Everything that a value holds, in a fixed order, each with its kind; ``above`` are the objects that hold it."""
    name = type(value).__qualname__
    add(f"<{BEFORE.get(name, name)}".encode())
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufcSU":
        add(f"{value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        add(repr(value).encode())
    elif isinstance(value, Mapping):
        for name, part in sorted(value.items(), key=lambda item: repr(item[0])):
            _parts((name, part), add, above, value)
    elif isinstance(value, set | frozenset):
        _parts(sorted(value, key=repr), add, above, value)
    elif isinstance(value, np.ndarray | list | tuple | range):
        _parts(value, add, above, value)
    elif is_dataclass(value) and not isinstance(value, type):
        _parts([(f.name, getattr(value, f.name)) for f in fields(value)], add, above, value)
    elif callable(value):
        add(fingerprint(value).encode())
    elif hasattr(value, "__dict__") and not (isinstance(value, Simulation) or type(value).__module__.startswith("warp")):
        # what is computed when asked for the first time may be there or not
        _parts([item for item in sorted(vars(value).items()) if not hasattr(type(value), item[0])], add, above, value)
    add(b">")


def _parts(parts: Any, add: Add, above: tuple[int, ...], holder: Any) -> None:
    if id(holder) not in above:
        for part in parts:
            _add(part, add, (*above, id(holder)))
