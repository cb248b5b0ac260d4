"""Fingerprint of a device function's computation.

Bytes of the code, annotations, and all that the body refers to: functions it calls, constants it captures, attributes
it asks of modules and namespaces. Two bodies under one name are told apart by it, as in a notebook where a law is
edited and run again.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

LENGTH = 8  # hexadecimal digits that are kept
_FOREIGN = ("warp", "numpy", "scipy", "math", "builtins", "typing")  # they do not change within a process


def fingerprint(*functions: Any) -> str:
    """Eight digits for the bodies of Python or Warp functions."""
    return _digest(part for function in functions for part in _parts(function, frozenset(), {}))


def _digest(parts: Iterator[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:LENGTH]


def _parts(value: Any, names: frozenset[str], seen: dict[int, str]) -> Iterator[str]:
    """What ``value`` stands for; of modules and other holders the attributes in ``names`` alone."""
    body = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
    if isinstance(body, functools.partial):
        yield from _parts((body.func, body.args, sorted(body.keywords.items())), names, seen)
    elif isinstance(body, FunctionType):
        if _foreign(body.__module__):
            yield f"{body.__module__}.{body.__qualname__}"
        elif body.__closure__ is None and _own(body.__module__):
            yield _settled(body)
        else:
            if id(body) not in seen:
                seen[id(body)] = "itself"  # where it is met again inside
                seen[id(body)] = _digest(_of_function(body, seen))
            yield seen[id(body)]
    elif isinstance(body, type):
        yield _of_type(body)
    elif isinstance(body, ModuleType | SimpleNamespace):
        if isinstance(body, SimpleNamespace) or not _foreign(body.__name__):
            for name in sorted(names & vars(body).keys()):
                yield name
                yield from _parts(vars(body)[name], names, seen)
    elif isinstance(body, tuple | list):
        for item in body:
            yield from _parts(item, names, seen)
    elif isinstance(body, np.ndarray):
        yield f"{body.dtype} {body.shape} {body.tobytes().hex()}"
    elif body is None or isinstance(body, bool | int | float | complex | str | bytes | np.generic):
        yield repr(body)
    elif hasattr(body, "value") and isinstance(body.value, bool | int | float):  # a scalar of Warp
        yield f"{type(body).__name__} {body.value!r}"
    else:  # something of Warp's own, such as a built-in function, or an object whose attributes are asked for
        yield f"{type(body).__module__}.{type(body).__qualname__} {getattr(body, 'key', '')}"
        if not callable(body) and hasattr(body, "__dict__"):
            yield from _parts(SimpleNamespace(**vars(body)), names, seen)


@functools.cache
def _settled(function: Callable) -> str:
    """The same for a function of the package that captures nothing, which stays as it is."""
    return _digest(_of_function(function, {id(function): "itself"}))


def _of_function(function: Callable, seen: dict[int, str]) -> Iterator[str]:
    codes = list(_nested(function.__code__))
    names = frozenset(name for code in codes for name in code.co_names)
    for code in codes:
        yield code.co_code.hex()
        yield repr((code.co_varnames, code.co_names, [c for c in code.co_consts if not isinstance(c, CodeType)]))
    for name, annotation in sorted(function.__annotations__.items()):
        yield f"{name}: {_of_type(annotation)}"
    yield repr(function.__defaults__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield name
        try:
            inside = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
        yield from _parts(inside, names, seen)
    for name in sorted(names & function.__globals__.keys()):
        yield name
        yield from _parts(function.__globals__[name], names, seen)


def _nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions defined inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _of_type(kind: Any) -> str:
    """A type by its name; Warp's vectors, matrices and arrays by what they hold as well."""
    if isinstance(kind, str):
        return kind
    inner = getattr(kind, "_wp_scalar_type_", None) or getattr(kind, "dtype", None)
    shape = getattr(kind, "_shape_", None) or getattr(kind, "ndim", "")
    name = getattr(kind, "__qualname__", getattr(kind, "key", type(kind).__qualname__))
    return f"{name} {shape}" + (f" of {_of_type(inner)}" if inner is not None and inner is not kind else "")


def _own(module: str | None) -> bool:
    return (module or "").split(".")[0] == __package__.split(".")[0]


def _foreign(module: str | None) -> bool:
    return (module or "").split(".")[0] in _FOREIGN
