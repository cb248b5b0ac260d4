"""Work that a thread does beside the steps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Beside:
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
