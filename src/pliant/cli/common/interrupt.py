"""Ctrl-C, SIGTERM and SIGHUP while stepping: the first ends the run after the current step, the second at once."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
GRACE = 1.0  # [s] after the second signal, to unwind before the process is ended wherever it is


class Halted(KeyboardInterrupt):
    """A run that was stopped and kept; its text says how to go on. The shell exits with code 130."""


class Stop:
    """Whether a stop was requested; as ``on_step`` of a run it ends the run then."""

    count = 0

    def __call__(self, simulation: Any, report: Any) -> bool:
        return self.count > 0


@contextlib.contextmanager
def stoppable() -> Iterator[Stop]:
    """Count signals in place of dying of them."""
    import socket

    stop = Stop()
    if threading.current_thread() is not threading.main_thread():  # signals are for the main thread alone
        yield stop
        return

    def count(number: int, frame: Any) -> None:
        stop.count += 1
        if stop.count > 1:
            raise KeyboardInterrupt

    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    left = threading.Event()
    listener = threading.Thread(target=_listen, args=(ours, left), name="pliant-signals", daemon=True)
    ignored = [number for number in SIGNALS if signal.getsignal(number) == signal.SIG_IGN]  # as nohup asks
    before = {number: signal.signal(number, count) for number in SIGNALS if number not in ignored}
    descriptor = signal.set_wakeup_fd(theirs.fileno())
    listener.start()
    try:
        yield stop
    finally:
        left.set()
        signal.set_wakeup_fd(descriptor)
        for number, handler in before.items():
            signal.signal(number, handler)
        theirs.close()  # ends the listener
        listener.join()
        ours.close()


def _listen(ours: socket.socket, left: threading.Event) -> None:
    """Answer signals at once, though the main thread may be deep in compiled code and hear of them later."""
    heard = 0
    while number := ours.recv(1):
        if number[0] not in SIGNALS:
            continue
        heard += 1
        if heard == 1:
            with contextlib.suppress(OSError):  # the terminal may be what is gone
                print("pliant: stopping after this step; Ctrl-C once more stops at once", file=sys.stderr, flush=True)
        elif not left.wait(GRACE):
            if sys.stderr.isatty():
                os.write(2, b"\x1b[?25h\n")  # a progress bar hides the cursor
            os._exit(130)
