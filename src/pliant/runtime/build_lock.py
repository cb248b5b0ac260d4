"""One thread at a time where kernels are made, compiled and loaded: the modules of Warp belong to the whole process.

Two threads that make the same module, as two viewers do, would each find half of it, and free what the other runs.
"""

import functools
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P, R = ParamSpec("P"), TypeVar("R")

BUILDING = threading.RLock()


def alone(make: Callable[P, R]) -> Callable[P, R]:
    """Let one thread at a time into ``make`` and all others of its kind; what is made once has this outermost."""

    @functools.wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        with BUILDING:
            return make(*args, **kwargs)

    return made
