"""Structs of arrays, as kernels take them."""

from typing import Any

import warp as wp

MOST = 64  # that are kept at a time


def filled(kind: Any, *arrays: Any) -> Any:
    """A struct of these arrays, in the order of its fields; recorded launches keep it as it is, so others need another."""
    made = kind()
    for name, array in zip(kind.vars, arrays, strict=True):
        setattr(made, name, array)
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
