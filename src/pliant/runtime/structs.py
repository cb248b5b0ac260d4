"""Structs of kernels, filled by name."""

from typing import Any


def filled(kind: Any, **values: Any) -> Any:
    """A struct of ``kind`` with these values.

    A launch is recorded with the values of then: what gets other arrays gets a struct of its own, never new values in this one.
    """
    made = kind()
    for name, value in values.items():
        setattr(made, name, value)
    return made
