"""Starts Warp, once in a process. A machine without a GPU is no fault, so Warp's message about that is not shown.

Warp 1.19 prints it from C to the descriptor 2, where neither ``wp.config.log_level`` nor
``wp_set_error_output_enabled`` has a say. So where no driver is found, and nowhere else, descriptor 2 leads to a file
while Warp starts; what else is written there meanwhile, by any thread, is passed on afterwards.
"""

import contextlib
import ctypes
import os
import sys
import tempfile
import threading
from collections.abc import Iterator

import warp as wp

DRIVERS = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so", "libcuda.so.1")
NOTE = b"CUDA driver"  # what the line has that is not shown

_lock = threading.Lock()
_started = False
_terminal: int | None = None  # what descriptor 2 was, while it leads to the file


def start_warp() -> None:
    """Start Warp unless it runs; threads that come meanwhile wait."""
    global _started
    if _started:
        return
    with _lock:
        if _started:
            return
        wp.config.log_level = wp.LOG_ERROR
        try:
            with contextlib.nullcontext() if has_driver() else without_note():
                wp.init()
        finally:
            wp.config.log_level = wp.LOG_WARNING
        _started = True


def has_driver() -> bool:
    """Whether one of the libraries can be loaded that Warp looks for, the first of which ends its search."""
    for name in DRIVERS:
        with contextlib.suppress(OSError):
            ctypes.CDLL(name)
            return True
    return False


@contextlib.contextmanager
def without_note() -> Iterator[None]:
    """Keep lines with ``NOTE`` off descriptor 2; if it is closed, or there is no room for a file, nothing is done."""
    global _terminal
    with contextlib.ExitStack() as stack:
        try:
            caught = stack.enter_context(tempfile.TemporaryFile())
            _terminal = os.dup(2)
        except OSError:
            yield
            return
        with contextlib.suppress(AttributeError, ValueError, OSError):  # none, or closed
            sys.stderr.flush()
        os.dup2(caught.fileno(), 2)
        try:
            yield
        finally:
            terminal, _terminal = _terminal, None
            os.dup2(terminal, 2)
            caught.seek(0)
            os.write(terminal, b"".join(line for line in caught.read().splitlines(True) if NOTE not in line))
            os.close(terminal)


def _after_fork() -> None:
    """A child that another thread began meanwhile writes where its parent did, and waits for nobody."""
    global _lock, _terminal
    _lock = threading.Lock()
    if _terminal is not None:
        os.dup2(_terminal, 2)
        _terminal = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
