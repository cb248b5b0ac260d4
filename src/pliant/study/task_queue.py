"""Tasks handed to an executor, and answers as they come; what a worker took with it when it ended is tried once more."""

from __future__ import annotations

import queue
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any

from ..arguments.atomic_files import why
from ..distributed import handed, portable
from ..errors import InputError, StudyError
from .members import Answer, Job, answers

TRIES = 2  # of a member whose worker ends without an answer
WAIT = 0.5  # [s] after which Ctrl-C is heard on systems where waiting does not hear it
Task = tuple[tuple[int, dict[str, Any]], ...]  # numbers of members and their values


class Crew:
    """Whoever answers the tasks of a job: an executor, or this process where that is None."""

    def __init__(self, job: Job, executor: Executor | None):
        self.job = job if executor is None else portable("make or measure", job)
        self.executor = executor
        self.here: deque[Task] = deque()
        self.waiting: dict[Future, Task] = {}
        self.done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self.tries: dict[int, int] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *error: object) -> None:
        for future in self.waiting:
            future.cancel()

    def hand(self, task: Task) -> None:
        """Have some members run together."""
        if self.executor is None:
            self.here.append(task)
            return
        future = handed(self.executor, answers, self.job, task)
        self.waiting[future] = task
        future.add_done_callback(self.done.put)

    def next(self) -> list[Answer]:
        """The answers that come next, or none where members are tried again; where nothing is under way, an error."""
        if self.executor is None:
            return answers(self.job, self.here.popleft())
        future = self._next()
        task = self.waiting.pop(future)
        try:
            return future.result()
        except InputError:
            raise
        except (BrokenExecutor, CancelledError) as error:
            name = type(error).__name__
            raise StudyError(
                f"the executor has lost its scheduler or workers ({name}); distributed.processes(4) replaces its own"
            ) from None
        except Exception as error:
            return self._again(task, f"{type(error).__name__}: {why(error)}")

    def _next(self) -> Future:
        while True:
            try:
                return self.done.get(timeout=WAIT)
            except queue.Empty:
                continue

    def _again(self, task: Task, what: str) -> list[Answer]:
        """Hand members in once more, each alone; those that were so before are failures."""
        given_up = []
        for number, values in task:
            self.tries[number] = self.tries.get(number, 0) + 1
            if self.tries[number] < TRIES:
                self.hand(((number, values),))
            else:
                given_up.append(Answer(number, why=f"there was no answer in {TRIES} tries: {what}"))
        return given_up
