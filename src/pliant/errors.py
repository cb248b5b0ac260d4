"""What went wrong, in one sentence that says what was given, what was expected and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class PliantError(Exception):
    """Base of every error that Pliant raises on purpose."""


class InputError(PliantError, ValueError):
    """The caller's data or options cannot be used; nothing was changed. The shell exits with code 2."""

    def __init__(self, sentence: str):
        super().__init__(" ".join(part.strip() for part in sentence.splitlines()))  # arrays quote themselves in lines


class StepError(PliantError, RuntimeError):
    """A time step failed and was not kept; the last good state is still in place."""


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the closest choice, or an empty string."""
    close = difflib.get_close_matches(name, list(choices), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def floats(value: object) -> np.ndarray:
    """Return ``value`` as float64; an empty array where it holds no numbers, for the caller to refuse by its shape."""
    import numpy as np  # not above: importing pliant must not import NumPy

    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)


def positive(value: object) -> bool:
    """Whether ``value`` is a finite number above zero, and not a boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def first_few(indices: Sequence[int], limit: int = 5) -> str:
    """Return the first few indices as text: ``"3, 17, 40, …"``."""
    shown = ", ".join(str(int(i)) for i in list(indices[:limit]))
    return shown + (", …" if len(indices) > limit else "")
