"""Work that a thread does beside the steps."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

PASSES = 4  # at a time


class BackgroundWork:
    """A piece of work in a thread of its own, which ends with it; not a daemon, so that the interpreter waits for compiled
    code to return before it goes."""

    def __init__(self, work: Callable[..., Any], *arguments: Any, name: str = "pliant-factor"):
        self._answer: list[Any] = []
        self._error: list[BaseException] = []
        given = (work, arguments, self._answer, self._error)
        self._thread = threading.Thread(target=_work, args=given, name=name, daemon=False)
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether ``end`` would not wait."""
        return not self._thread.is_alive()

    def end(self) -> Any:
        """Wait for it; what it returned, or the error that it met."""
        self._thread.join()
        if self._error:
            raise self._error[0]
        return self._answer[0]


def _work(work: Callable[..., Any], arguments: tuple, answer: list[Any], error: list[BaseException]) -> None:
    try:
        answer.append(work(*arguments))
    except BaseException as failure:  # told to the thread that waits
        error.append(failure)


class Pass:
    """A short piece of work that waits for no other, in one of a few threads that stay: a thread of its own takes a third of a
    millisecond to begin. With ``wait`` it is done at once, by the thread that asks."""

    _threads: ThreadPoolExecutor | None = None

    def __init__(self, work: Callable[..., Any], *arguments: Any, wait: bool = False):
        if wait:
            self._future = Future()
            self._future.set_result(work(*arguments))
            return
        if Pass._threads is None:
            Pass._threads = ThreadPoolExecutor(PASSES, thread_name_prefix="pliant-pass")
        self._future = Pass._threads.submit(work, *arguments)

    def end(self) -> Any:
        """Wait for it; what it returned, or the error that it met."""
        return self._future.result()

    @classmethod
    def forget(cls) -> None:
        """Go on without threads: a process that was forked has none."""
        cls._threads = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=Pass.forget)
