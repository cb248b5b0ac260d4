"""User-defined effects in checkpoints, found by class name."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from typing import Any

from ..errors import InputError


def path_of(value: Any) -> str | None:
    """module:name of the class of an effect, if its fields and that name are enough to make it again."""
    kind = type(value)
    path = f"{kind.__module__}:{kind.__qualname__}"
    return path if _looked_up(path) is kind and _is_effect(kind) else None


def fields_of(value: Any) -> dict[str, Any]:
    """The arguments that make an effect again."""
    return {field.name: getattr(value, field.name) for field in fields(value) if field.init}


def class_at(path: str) -> type:
    """The class that ``path_of`` named. A file never makes a module be imported: that would run what it says."""
    kind = _looked_up(path)
    if kind is None:
        raise InputError(
            f"the effect {path.replace(':', '.')} is not known here; import the module that defines it before "
            "loading, or load with scene=…"
        )
    if not _is_effect(kind):
        raise ValueError(f"{path} is not an effect")
    return kind


def _is_effect(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind) and callable(getattr(kind, "energies", None))


def _looked_up(path: str) -> Any:
    module, _, name = path.partition(":")
    thing = sys.modules.get(module)
    for part in name.split("."):
        thing = vars(thing).get(part) if thing is not None and hasattr(thing, "__dict__") else None
    return thing
