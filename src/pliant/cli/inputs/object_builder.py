"""Objects from plain data, by the signatures of public constructors.

A table is a call, ``{ tet_grid = { size = …, cells = … } }``; further keys act on its result in order, by a method or
as the first argument of a function: ``{ read = "a.stl", scaled = 0.001, tetrahedralise = { edge = 0.01 } }``. Where
only one class fits, its arguments may stand alone: ``contact = { friction = 0.3 }``. Only what ``allowed`` lists is
ever called, and every step is checked against the class that it acts on. Names of namespaces go without them,
``{ Springs = 5 }`` where a Hold asks how; ``{ meshes.sphere = 0.1 }`` says which of two is meant.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import operator
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments.argument_errors import MOVED
from ...errors import InputError, did_you_mean
from ...geometry.files import read, stays_in
from ...material.base import Material
from ..common.paths import inside
from .allow_list import BARE, CLASSES, NAMES, constructor, full, known, makes, members, method, methods, named

CONDITIONS = ("below", "above", "box")
TABLES = ("Table", "Keyframes")  # functions of time that are values
MISSING = object()  # stands for a value that could not be made; why is among the faults


@dataclass
class Builder:
    """Makes values from plain data and collects every fault.

    Paths are relative to ``folder``, and inside it if ``kept``.
    """

    folder: Path
    faults: list[str] = field(default_factory=list)
    kept: bool = False
    own: dict[str, type] = field(default_factory=dict)  # effects that are not the package's, by name

    def fault(self, place: str, what: str) -> Any:
        self.faults.append(f"{place}: {what}" if place else what)
        return MISSING

    def value(self, data: Any, hint: Any, place: str) -> Any:
        """``data`` as an argument annotated ``hint``."""
        kinds = members(hint)
        if any(_is_function(kind) for kind in kinds) and isinstance(data, dict) and next(iter(data), None) in TABLES:
            return self.chain(full(data), place, [])
        if kinds and all(_is_function(kind) for kind in kinds):
            return self.fault(
                place,
                f"is a function, which a scene file cannot hold; expected {' or '.join(TABLES)}, or build this scene in Python",
            )
        if isinstance(data, dict):
            numbers = any(typing.get_origin(kind) is collections.abc.Mapping for kind in kinds)
            if numbers and data and all(isinstance(v, int | float) and not isinstance(v, bool) for v in data.values()):
                return data  # by the names of groups of a mesh
            return self._table(data, kinds, place)
        if isinstance(data, list) and any(isinstance(k, type) and issubclass(k, Material) for k in kinds):
            laws = [self.value(part, hint, f"{place}[{i}]") for i, part in enumerate(data)]
            return MISSING if MISSING in laws or not laws else self._sum(laws, place)
        if isinstance(data, list):
            return self._list(data, kinds, place)
        if _fits(data, kinds):
            return data
        table = f", as {{ {data} = {{}} }}" if isinstance(data, str) and known(data) else ""
        return self.fault(place, f"is {_shown(data)}; expected {_words(kinds)}{table}")

    def _sum(self, laws: list, place: str) -> Any:
        try:
            return functools.reduce(operator.add, laws)
        except (InputError, TypeError) as error:
            return self.fault(place, _why(error))

    def _list(self, data: list, kinds: list, place: str) -> Any:
        inner = [typing.get_args(kind) for kind in kinds if _is_list(kind)]
        if kinds and not inner:
            return self.fault(place, f"is {_shown(data)}; expected {_words(kinds)}")
        parts = [kind for args in inner for arg in args if arg is not Ellipsis for kind in members(arg)]
        loose = any(kind is np.ndarray for kind in kinds) or not parts  # arrays may have any depth
        items = []
        for i, part in enumerate(data):
            where = f"{place}[{i}]"
            if isinstance(part, dict):
                items.append(self._table(part, parts, where))
            elif isinstance(part, list) or (loose and isinstance(part, int | float)) or _fits(part, parts):
                items.append(part)
            else:
                items.append(self.fault(where, f"is {_shown(part)}; expected {_words(parts) or 'a number'}"))
        return MISSING if any(part is MISSING for part in items) else items

    def _table(self, data: dict, kinds: list, place: str) -> Any:
        conditional = any(_is_function(kind) for kind in kinds)
        if conditional and any(key in CONDITIONS or did_you_mean(key, CONDITIONS) for key in data):
            return self._condition(data, place)
        alone = [k for k in kinds if isinstance(k, type) and not _is_list(k) and k not in (float, int, str, bool)]
        first = next(iter(full(data)), None)
        only = alone[0] if len(alone) == 1 and alone[0] in CLASSES else None
        if only and (not known(first) or set(data) <= set(inspect.signature(only).parameters)):
            return self.call(only, data, place)
        if first in self.own and len(data) == 1:
            return self.call(self.own[first], data[first], f"{place}.{first}")
        if not known(first):
            near = did_you_mean(str(first), (*BARE, *self.own))
            given = f"unknown name {first!r}{near}" if data else "is an empty table"
            return self.fault(place, f"{given}; expected {_words(kinds) or 'a table that names what to make'}")
        return self.chain(full(data), place, alone)

    def chain(self, data: dict, place: str, kinds: list) -> Any:
        """The first key makes something, each further one makes something of that; the last is to make one of ``kinds``."""
        result: Any = MISSING
        for step, (name, given) in enumerate(data.items()):
            where = f"{place}.{name}"
            if step == 0:
                result = self.call(named(name, kinds), given, where)
            elif result is not MISSING:
                step_of = method(type(result), name)
                if step_of is None and not known(name):
                    near = did_you_mean(name, [*methods(type(result)), *BARE])
                    return self.fault(place, f"unknown step {name!r}{near} after making a {type(result).__name__}")
                result = self.call(step_of or named(name, kinds), given, where, first=result)
            if result is not MISSING and type(result) not in CLASSES:
                return self.fault(where, f"makes a {type(result).__name__}; expected a step that makes a part of a scene")
        return result

    def call(self, function: Callable, data: Any, place: str, first: Any = MISSING) -> Any:
        """``function`` with the arguments in ``data``, after ``first`` where there is one."""
        other = _other_constructor(function, data)
        if other:
            return self.call(getattr(function, other), data[other], f"{place}.{other}")
        arguments = self.arguments(function, data, place, skip=0 if first is MISSING else 1)
        if arguments is MISSING:
            return MISSING
        try:
            return function(**arguments) if first is MISSING else function(first, **arguments)
        except InputError as error:
            return self.fault(place, str(error))
        except (TypeError, ValueError, ArithmeticError, LookupError, MemoryError, OSError) as error:
            return self.fault(place, f"cannot be used ({_why(error)})")

    def arguments(self, function: Callable, data: Any, place: str, skip: int = 0, leave: tuple = ()) -> Any:
        """Keyword arguments of ``function`` without its first ``skip``, or MISSING where any is faulty."""
        parameters = dict(list(inspect.signature(function).parameters.items())[skip:])
        plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        reads = self.kept and function is read
        leave = (*leave, "limit") if reads else leave  # who cannot be trusted raises no limit
        named = {n: p for n, p in parameters.items() if p.kind in plain and n not in leave}
        if not isinstance(data, dict):
            first = next(iter(named.values()), None)
            if first is None or first.kind is first.KEYWORD_ONLY:
                wanted = f"a table with {', '.join(named)}" if named else "an empty table {}"
                return self.fault(place, f"is {_shown(data)}; expected {wanted}")
            data = {first.name: data}
        hints, arguments, right, meant = _hints(function), {}, True, ""
        for name in data:
            if name not in named:
                known = ", ".join(named) or "none"
                near = did_you_mean(name, [n for n in named if n not in data])
                near = f"; it is now {MOVED[name]}" if name in MOVED else near
                meant += near
                self.fault(place, f"unknown key {name!r}{near}; expected {known}")
                right = False
        for name, parameter in named.items():
            where = f"{place}.{name}" if place else name
            if name in data:
                arguments[name] = self.value(data[name], hints.get(name, Any), where)
                if name == "path" and isinstance(arguments[name], str):
                    arguments[name] = self._path(arguments[name], where, reads)
            elif parameter.default is parameter.empty and repr(name) not in meant:
                self.fault(where, f"is missing; expected {_words(members(hints.get(name, Any))) or 'a value'}")
                right = False
        return arguments if right and not any(v is MISSING for v in arguments.values()) else MISSING

    def _path(self, name: str, place: str, reads: bool) -> Any:
        try:
            path = inside(self.folder, name) if self.kept else self.folder / name
        except InputError as error:
            return self.fault(place, str(error))
        if reads and not stays_in(path):
            return self.fault(place, f"{name!r} may name files elsewhere, so no page takes it; expected such as obj or vtu")
        return str(path)

    def _condition(self, data: dict, place: str) -> Any:
        """A function of X that is true where every given bound holds."""
        low, high = np.full(3, -np.inf), np.full(3, np.inf)
        for name, given in data.items():
            where = f"{place}.{name}"
            if name not in CONDITIONS:
                expected = ", ".join(CONDITIONS)
                return self.fault(place, f"unknown key {name!r}{did_you_mean(name, CONDITIONS)}; expected {expected}")
            if name == "box":
                try:
                    corners = np.array(given, dtype=float)
                except (TypeError, ValueError):
                    corners = np.zeros(0)
                if corners.shape != (2, 3) or np.isnan(corners).any():
                    return self.fault(where, f"is {_shown(given)}; expected two corners of three metres each")
                low, high = np.maximum(low, corners[0]), np.minimum(high, corners[1])
                continue
            if not isinstance(given, dict) or not given or set(given) - set("xyz"):
                return self.fault(where, f"is {_shown(given)}; expected metres by axis such as {{ x = 0.001 }}")
            for axis, bound in given.items():
                if isinstance(bound, bool) or not isinstance(bound, int | float) or np.isnan(bound):
                    return self.fault(f"{where}.{axis}", f"is {_shown(bound)}; expected a number of metres")
                side, tighter = (high, min) if name == "below" else (low, max)
                side["xyz".index(axis)] = tighter(side["xyz".index(axis)], bound)
        return lambda X: np.all(np.clip(X, low, high) == X, axis=1)


def _other_constructor(function: Callable, data: Any) -> str | None:
    """The class method that ``{ Class = { method = { … } } }`` calls, if that is what it says."""
    if not isinstance(function, type) or not isinstance(data, dict) or len(data) != 1:
        return None
    (name,) = data
    return name if name not in inspect.signature(function).parameters and constructor(function, name) else None


def _hints(function: Callable) -> dict[str, Any]:
    """Annotations of a callable, resolved where they can be."""
    generated = isinstance(function, type) and "__dataclass_params__" in vars(function)
    source = function if generated or not isinstance(function, type) else function.__init__
    try:
        return typing.get_type_hints(source)
    except (NameError, TypeError):  # a name that exists for type checkers only
        return {}


def _is_function(kind: Any) -> bool:
    return typing.get_origin(kind) is collections.abc.Callable


def _is_list(kind: Any) -> bool:
    origin = typing.get_origin(kind) or kind
    return isinstance(origin, type) and origin is not str and issubclass(origin, collections.abc.Sequence | np.ndarray)


def _fits(data: Any, kinds: list) -> bool:
    """Whether plain ``data`` is of one of the simple kinds; a kind that is not simple is left to its constructor."""
    if not kinds:
        return True
    if isinstance(data, bool):
        return bool in kinds
    if isinstance(data, int):
        return int in kinds or float in kinds
    if isinstance(data, float):
        return float in kinds
    return isinstance(data, str) and str in kinds


def _words(kinds: list) -> str:
    """What was expected, for people."""
    names = {float: "a number", int: "a whole number", str: "text", bool: "true or false"}
    words = [names[k] for k in kinds if k in (float, int, str, bool)]
    if any(_is_list(k) for k in kinds) and str not in kinds:
        words.append("a list")
    classes = [k for k in kinds if isinstance(k, type) and k not in names and not _is_list(k)]
    if classes:
        makers = [name.rpartition(".")[2] for name in NAMES if any(makes(named(name), k) for k in classes)]
        words.append("one of " + ", ".join(makers))
    if any(_is_function(k) for k in kinds):
        words.append(f"a condition ({', '.join(CONDITIONS)})")
    return " or ".join(dict.fromkeys(words))


def _shown(data: Any) -> str:
    text = f"text {data!r}" if isinstance(data, str) else repr(data)
    text = {"True": "true", "False": "false"}.get(text, text)
    return text if len(text) <= 60 else text[:57] + "…"


def _why(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
