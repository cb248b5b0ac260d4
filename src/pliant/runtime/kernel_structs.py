"""Structs of arrays, as kernels take them."""

from typing import Any

import warp as wp

MOST = 16  # that are kept at a time, with their arrays


def filled(kind: Any, *fields: Any, **named: Any) -> Any:
    """A struct of these fields, in their order or by name.

    A launch is recorded with the values of then: what gets other arrays gets a struct of its own, never new values in this one.
    """
    made = kind()
    for name, value in (dict(zip(kind.vars, fields, strict=True)) if fields else named).items():
        setattr(made, name, value)
    return made


class Structs:
    """Structs by their arrays: where a launch gets the same arrays again it gets the same struct, and is recorded once."""

    def __init__(self) -> None:
        self._made: dict[tuple, Any] = {}

    def of(self, kind: Any, *arrays: wp.array) -> Any:
        key = (kind, *map(id, arrays))
        if key not in self._made:
            if len(self._made) >= MOST:
                self._made.clear()
            self._made[key] = filled(kind, *arrays)
        return self._made[key]
