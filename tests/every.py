"""One test of many things that tells all of those that fail, not the first alone."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def check_every(things: Iterable[Any], check: Callable[[Any], None], name: Callable[[Any], object] = str) -> None:
    """Call ``check`` with each of ``things``, then fail with the names and reasons of all for which it raised."""
    failed, count = [], 0
    for thing in things:
        count += 1
        try:
            check(thing)
        except (Exception, pytest.fail.Exception) as error:
            failed.append(f"{name(thing)}: {type(error).__name__}: {' '.join(str(error).split())[:400]}")
    assert count, "nothing to check"
    assert not failed, f"{len(failed)} of {count} failed:\n" + "\n".join(failed)
