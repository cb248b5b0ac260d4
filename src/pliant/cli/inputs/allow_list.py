"""Allow-list of what a scene file may call.

Allowed are public classes that are frozen dataclasses, public functions that return them, and, on what was made so far,
methods of such a class that return one. Everything else, above all what writes files and every method of an array, is
not there for a scene file.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

import pliant

from ...arguments.renamed import NAMES as RENAMED
from ...arguments.renamed import SPACES, say
from ...geometry.files import read

# folders of the package whose public names are parts of a scene, beside the looks of pictures
FOLDERS = ("geometry", "cut", "material", "elements", "linear", "energy", "contact", "solve", "integrate", "effects", "simulate")
LOOKS = ("Slice", "RayCast")
WHOLES = ("Scene", "Run", "Report")  # made by the file itself or by running it, never a part of it


def members(hint: Any) -> list:
    """The members of a union, None left out; empty where anything goes."""
    if hint is Any or hint is inspect.Parameter.empty:
        return []
    parts = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    return [part for part in parts if part is not type(None)]


def _is_value(thing: Any) -> bool:
    """Whether a class holds values and no more: a frozen dataclass of this package."""
    known = getattr(thing, "__dataclass_params__", None) if isinstance(thing, type) else None
    return known is not None and known.frozen and thing.__module__.startswith("pliant.")


def _is_part(name: str, thing: Any) -> bool:
    bare = name.rpartition(".")[2]
    folder = getattr(thing, "__module__", "").split(".")[1:2]
    return bare in LOOKS or (bool(folder) and folder[0] in FOLDERS and bare not in WHOLES)


# public name, with its namespace before it where it has one → what it stands for
_PARTS = {name: thing for name, thing in pliant._public() if _is_part(name, thing)}
_PARTS["read"] = read  # shapes and volumes alone: a run is no part of a scene
CLASSES = frozenset(thing for thing in _PARTS.values() if _is_value(thing))


def _returns_values(function: Callable) -> bool:
    """Whether a function's return annotation promises one of ``CLASSES``, a base of them or its own class only."""
    try:
        kinds = members(typing.get_type_hints(function).get("return", Any))
    except (NameError, TypeError):  # an annotation for type checkers only promises nothing here
        return False
    return bool(kinds) and all(
        kind is typing.Self or (_is_value(kind) and any(issubclass(known, kind) for known in CLASSES)) for kind in kinds
    )


NAMES = tuple(
    name
    for name, thing in _PARTS.items()
    if thing in CLASSES or (isinstance(thing, types.FunctionType) and _returns_values(thing))
)


BARE = tuple(dict.fromkeys(name.rpartition(".")[2] for name in NAMES))  # without their namespaces
TODAY = {old: new.rpartition(".")[2] for old, new in RENAMED.items() if new in NAMES}


def full(data: dict) -> dict:
    """A table whose keys that are namespaces, ``meshes.sphere = 0.1``, are put together with the name in them."""
    joined = {}
    for key, given in data.items():
        key, old = TODAY.get(key, key), key
        if key != old:
            say(old, key)
        inner = [f"{SPACES.get(key, key)}.{name}" for name in given] if isinstance(given, dict) and len(given) == 1 else []
        joined |= {inner[0]: next(iter(given.values()))} if inner and inner[0] in NAMES else {key: given}
    return joined


def known(name: Any) -> bool:
    """Whether a file may call it so, with or without its namespace."""
    return name in NAMES or name in BARE


def named(name: str, kinds: Iterable[type] = ()) -> Callable:
    """The class or function of a name; where several namespaces have it, the one that makes one of ``kinds``."""
    if name in _PARTS:
        names = [name] + [other for other in NAMES if other.endswith(f".{name}")]
    else:
        names = [other for other in NAMES if other.rpartition(".")[2] == name]
    return next((_PARTS[n] for n in names if any(makes(_PARTS[n], kind) for kind in kinds)), _PARTS[names[0]])


def makes(thing: Any, kind: Any) -> bool:
    """Whether a public name is a ``kind`` or a function that returns one."""
    if not isinstance(kind, type):
        return False
    if isinstance(thing, type):
        return issubclass(thing, kind)
    made = typing.get_type_hints(thing).get("return") if isinstance(thing, types.FunctionType) else None
    return isinstance(made, type) and issubclass(made, kind)


def method(kind: type, name: str) -> Callable | None:
    """The function behind a method that makes a value of a value, or None; looked up without asking any object."""
    thing = inspect.getattr_static(kind, name, None) if kind in CLASSES and not name.startswith("_") else None
    return thing if isinstance(thing, types.FunctionType) and _returns_values(thing) else None


def methods(kind: type) -> list[str]:
    """Names of the methods that may follow what is of this class."""
    return [name for name in dir(kind) if method(kind, name) is not None]


def constructor(kind: Any, name: str) -> bool:
    """Whether a class method makes a value: ``Corotated.from_lame``."""
    thing = inspect.getattr_static(kind, name, None) if kind in CLASSES and not name.startswith("_") else None
    return isinstance(thing, classmethod) and _returns_values(thing.__func__)
