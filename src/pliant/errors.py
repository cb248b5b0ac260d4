"""Errors: what was given, what was expected, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["ArgumentError", "InputError", "NoMemory", "PliantError", "PliantWarning", "StepError", "StudyError"]

LONGEST = 600  # characters of a sentence; of a longer one, which quotes something long, the ends say enough


class PliantError(Exception):
    """Base of every error that Pliant raises on purpose."""


class InputError(PliantError, ValueError):
    """The caller's data or options cannot be used; nothing was changed. The shell exits with code 2."""

    def __init__(self, sentence: str):
        text = " ".join(part.strip() for part in sentence.splitlines())  # arrays quote themselves in lines
        super().__init__(text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 + 3 :]}")


class ArgumentError(InputError, TypeError):
    """The arguments of a call do not fit: one has no such name, is missing, or is one too many."""


class PliantWarning(UserWarning):
    """The request was carried out, but not as well as the caller may expect."""


class StepError(PliantError, RuntimeError):
    """A time step failed and was not kept; the last good state is still in place."""


class StudyError(PliantError, RuntimeError):
    """A study ended before its members did; ``dataset`` has those that are done, None where there are none."""

    dataset: Any = None


class NoMemory(PliantError, MemoryError):
    """There is not enough memory for the request; nothing was changed. The shell exits with code 1."""

    def __init__(self, what: str, size: float):
        super().__init__(
            f"there is no memory for {what}, {size / 1e6:,.1f} MB; try fewer, larger cells or tets, precision='f32', "
            "or a machine with more"
        )


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the closest choice, or an empty string."""
    close = difflib.get_close_matches(name, list(choices), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def first_few(indices: Sequence[int], limit: int = 5) -> str:
    """Return the first few indices as text: ``"3, 17, 40, …"``."""
    shown = ", ".join(str(int(i)) for i in list(indices[:limit]))
    return shown + (", …" if len(indices) > limit else "")
