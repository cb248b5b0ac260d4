"""A plugin of pytest, for ``make bounds``: kernels check every index, and what passes in C++ write on lies between guards.

An index out of bounds ends the process with a line that names the check; with workers, pytest names the test. From −1 down to
minus the length Warp counts from the end of an array, and says nothing.
"""

import functools
import os
from pathlib import Path

import numpy as np
import warp as wp

from pliant.runtime import threads
from pliant.runtime.host_native import Routines

KERNELS = Path(__file__).parents[1] / "build" / "bounds"  # apart from those without checks
FILL, WIDE = 0xA5, 256  # each byte of a guard, and how many there are on either side


def guarded(name: str, writes: list[bool], call):
    """A routine whose arrays that it ``writes`` on are between guards while it runs."""

    def checked(*args):
        given = [_between_guards(arg) if written else (arg, None) for arg, written in zip(args, writes)]
        call(*(arg for arg, _ in given), *args[len(given) :])
        for i, (arg, (inside, whole)) in enumerate(zip(args, given)):
            if whole is not None:
                end = WIDE + arg.nbytes
                if (whole[:WIDE] != FILL).any() or (whole[end:] != FILL).any():
                    raise AssertionError(f"{name} writes beyond argument {i}, {arg.dtype} of shape {arg.shape}")
                arg[...] = inside

    return checked


def _between_guards(array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A copy of an array, and the bytes in whose middle it is."""
    whole = np.full(array.nbytes + 2 * WIDE, FILL, np.uint8)
    inside = whole[WIDE : WIDE + array.nbytes].view(array.dtype).reshape(array.shape)
    inside[...] = array
    return inside, whole


def _with_guards(add):
    @functools.wraps(add)
    def added(self, name, arguments, text):
        writes = ["*" in argument and "const" not in argument for argument in arguments.split(",")]
        return guarded(name, writes, add(self, name, arguments, text))

    return added


def pytest_configure() -> None:
    """Before anything of the package but what this file needs is imported."""
    wp.config.mode = "debug"
    wp.config.cpu_compiler_flags = "-march=native -O1"  # checks stay, at a tenth of the time
    os.environ["WARP_CACHE_PATH"] = str(KERNELS)
    Routines.add = _with_guards(Routines.add)
    # Warp's kernels for x86 keep the memory of tiles in one variable of a module, which checked ones read: one thread alone may
    threads.Pool.wake = lambda self, helpers: None
