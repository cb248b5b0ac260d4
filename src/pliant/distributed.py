"""Executors for work elsewhere: processes, GPUs, Dask, SLURM, joblib."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import __version__
from .arguments import checks
from .arguments.argument_errors import published
from .arguments.atomic_files import why
from .errors import InputError, PliantError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["dask", "joblib", "processes", "slurm"]

VERSION = __version__  # of those who ask, and of those who answer
ROUND = 0.02  # [s] in which what is handed in goes on together
POLL = 0.2  # [s] between two looks at a queue of SLURM
DEEP = 3  # levels down to which an object is searched for what cannot be pickled
HEAD = 8  # bytes before each message, which say how long it is


class Lost(PliantError):
    """A worker has ended without an answer."""


def needed(module: str, extra: str = "sweep") -> ModuleType:
    """A module of an extra, or the sentence that names it."""
    try:
        return import_module(module)
    except ImportError as error:
        name = error.name or module
        raise InputError(f"this needs the Python package {name!r}; expected pip install 'pliant[{extra}]'") from None


def workers(executor: Executor | None) -> int:
    """How many tasks an executor takes at a time, the number of cores where it does not say."""
    if executor is None:
        return 1
    known = getattr(executor, "workers", None) or getattr(executor, "_max_workers", None)
    return max(1, int(known or os.cpu_count() or 1))


def check(what: str, executor: object) -> None:
    """Refuse what takes no tasks."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError(
            f"{what} is {checks.kind(executor)}; expected one of concurrent.futures, such as distributed.processes(4), or None"
        )


def handed(executor: Executor, function: Callable[..., Any], *arguments: Any) -> Future:
    """What an executor promises for a call; one that is shut down is told in a sentence."""
    try:
        return executor.submit(function, *arguments)
    except RuntimeError as error:
        raise InputError(f"the executor takes no more tasks ({why(error)}); expected one that is not shut down") from None


def portable(what: str, thing: object) -> bytes:
    """A pickle of something for another process, functions of scripts and notebooks with it."""
    try:
        return _pickled(thing)
    except Exception as error:
        place, held = _culprit(thing, what)
        raise InputError(
            f"{what} cannot be sent to other processes: {place} is {checks.kind(held)}, which cannot be pickled "
            f"({why(error)}); make it inside of the function, or move it to a module that the workers can import"
        ) from None


def _pickled(thing: object) -> bytes:
    with suppress(ImportError):
        return import_module("cloudpickle").dumps(thing)
    return pickle.dumps(thing)


def _culprit(thing: object, place: str, deep: int = DEEP) -> tuple[str, object]:
    """The innermost part that cannot be pickled, and where it is."""
    for name, part in _parts(thing).items() if deep else ():
        try:
            _pickled(part)
        except Exception:
            return _culprit(part, name if deep == DEEP else f"{name} of {place}", deep - 1)
    return place, thing


def _parts(thing: Any) -> dict[str, Any]:
    import functools
    import inspect

    if isinstance(thing, functools.partial):
        return {"function": thing.func, **{f"argument {i}": a for i, a in enumerate(thing.args)}, **thing.keywords}
    if inspect.ismethod(thing):
        return {"self": thing.__self__}
    if inspect.isfunction(thing):
        seen = inspect.getclosurevars(thing)
        return {**seen.nonlocals, **seen.globals, **(thing.__kwdefaults__ or {})}
    if isinstance(thing, dict):
        return {str(key): part for key, part in thing.items()}
    if isinstance(thing, list | tuple):
        return {f"item {i}": part for i, part in enumerate(thing)}
    return dict(getattr(thing, "__dict__", {}))


# --- processes of this machine


def processes(workers: int | None = None, gpus: int | Sequence[int | str] | None = None) -> Processes:
    """So many processes of this machine, one for each core by default, or one for each of ``gpus``, a number or a list.

    Each is a Python of its own with its share of the cores, or one GPU, by CUDA_VISIBLE_DEVICES. One that ends, by a signal or
    for want of memory, is started again for the next task. Scripts need no ``if __name__``.
    """
    if gpus is not None:
        shown = os.environ.get("CUDA_VISIBLE_DEVICES")
        count = len(gpus) if isinstance(gpus, list | tuple) else checks.whole("processes(gpus=…)", gpus)
        there = shown.split(",") if shown else [str(i) for i in range(count)]
        names = [str(gpu) for gpu in gpus] if isinstance(gpus, list | tuple) else there[:count]
        if len(names) < max(count, 1):
            raise InputError(f"processes(gpus={gpus!r}): CUDA_VISIBLE_DEVICES={shown} has {len(names)} of them")
        if workers not in (None, len(names)):
            raise InputError(f"processes(workers={workers!r}, gpus=…): expected one worker for each of {len(names)} GPUs")
        return Processes([{"CUDA_VISIBLE_DEVICES": name} for name in names])
    count = checks.whole("processes(workers=…)", workers if workers is not None else os.cpu_count() or 1)
    threads = str(max(1, (os.cpu_count() or 1) // count))
    return Processes([{"PLIANT_THREADS": os.environ.get("PLIANT_THREADS", threads)}] * count)


class Processes(Executor):
    """Workers with environments of their own, each started when it is first needed."""

    def __init__(self, environments: Sequence[dict[str, str]]):
        self.workers = len(environments)
        self.each = [_Worker(environment) for environment in environments]
        self._threads = ThreadPoolExecutor(self.workers, "pliant-worker")
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in self.each:
            self._idle.put(worker)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Have ``function(*args, **kwargs)`` called by the next worker that is free."""
        return self._threads.submit(self._answer, portable("the task", (function, args, kwargs)))

    def _answer(self, task: bytes) -> Any:
        worker = self._idle.get()
        try:
            return worker.answer(task)
        finally:
            self._idle.put(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks, and end the workers when those under way are done, or at once with ``wait=False``."""
        if not wait:
            for worker in self.each:
                worker.end()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for worker in self.each:
            worker.end()


class _Worker:
    def __init__(self, environment: dict[str, str]):
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None

    def answer(self, task: bytes) -> Any:
        if self.process is None or self.process.poll() is not None:
            self.process = self._started()
        process = self.process
        try:
            _put(process.stdin, task)
            good, value = pickle.loads(_taken(process.stdout))
        except (OSError, EOFError, ValueError):
            raise Lost(f"a worker ended by itself, with code {process.wait()}") from None
        if not good:
            raise value
        return value

    def _started(self) -> subprocess.Popen[bytes]:
        paths = {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
        command = [sys.executable, "-c", "from pliant.distributed import serve; serve()"]
        environment = {**os.environ, **paths, **self.environment}
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def serve() -> None:
    """Answer tasks from standard input until it ends; what they print goes to standard error."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the one who hands in tasks
    given, taken = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            function, args, kwargs = pickle.loads(_taken(given))
            answer = portable("the answer", (True, function(*args, **kwargs)))
        except EOFError:
            return
        except Exception as error:
            try:
                answer = _pickled((False, error))
            except Exception:
                answer = _pickled((False, PliantError(f"{type(error).__name__}: {why(error)}")))
        _put(taken, answer)


def _put(stream: Any, message: bytes) -> None:
    stream.write(len(message).to_bytes(HEAD, "little") + message)
    stream.flush()


def _taken(stream: Any) -> bytes:
    head = stream.read(HEAD)
    message = stream.read(int.from_bytes(head, "little")) if len(head) == HEAD else b""
    if len(head) < HEAD or len(message) < int.from_bytes(head, "little"):
        raise EOFError
    return message


# --- other machines


def dask(at: Client | str, patience: float = 10.0) -> Executor:
    """The workers of a Dask cluster, by its client or the scheduler's address, "tcp://host:8786".

    A task whose worker ends is done by another. ``patience`` [s]: how long to wait for the scheduler.
    """
    distributed = needed("distributed")
    if isinstance(at, distributed.Client):
        return _Dask(at, False)
    address = str(checks.text("dask(at=…)", at)).replace("dask://", "tcp://")
    patience = checks.positive("dask(patience=…)", patience, "seconds")
    try:
        return _Dask(distributed.Client(address, timeout=patience), True)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {at} ({why(error)}); start one by: dask scheduler") from None


class _Dask(Executor):
    def __init__(self, client: Client, own: bool):
        self.client, self.own = client, own
        self.inner = client.get_executor()
        self.workers = max(1, sum(client.nthreads().values()))

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        return self.inner.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.inner.shutdown(wait and not cancel_futures)
        if self.own:
            self.client.close()


class _Rounds(Executor):
    """A thread hands tasks on, those that came within a moment together."""

    def __init__(self, workers: int):
        self.workers = workers
        self._tasks: queue.SimpleQueue[tuple[Future, Any] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ended = self._left = False

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        if self._ended:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="pliant-tasks", daemon=True)
            self._thread.start()
        future: Future = Future()
        self._tasks.put((future, (function, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._ended, self._left = True, cancel_futures or self._left
        self._tasks.put(None)
        if wait and self._thread is not None:
            self._thread.join()

    def _serve(self) -> None:
        under_way, more = [], True
        while (more or under_way) and not self._left:
            new = [self._tasks.get()] if not under_way else []
            time.sleep(POLL if under_way else ROUND)
            with suppress(queue.Empty):
                while True:
                    new.append(self._tasks.get_nowait())
            more = more and None not in new
            fresh = [task for task in new if task is not None and task[0].set_running_or_notify_cancel()]
            try:
                under_way = self._step(fresh, under_way)
            except Exception as error:
                for future, *_ in [*fresh, *under_way]:
                    if not future.done():
                        future.set_exception(error)
                under_way = []
        for _, job in under_way:
            job.cancel()

    def _step(self, new: list[tuple[Future, Any]], under_way: list[Any]) -> list[Any]:
        """Hand new tasks on, and return those that have no answer yet."""
        raise NotImplementedError(f"{type(self).__name__} needs _step(new, under_way), as every _Rounds has")


def slurm(folder: str = "slurm", at_once: int = 100, cluster: str = "slurm", **parameters: Any) -> Executor:
    """Jobs of a SLURM array by submitit, whose logs and pickles go into ``folder``, which all nodes must see.

    ``at_once`` tasks at a time; ``parameters`` are submitit's: timeout_min, slurm_partition, gpus_per_node, cpus_per_task.
    ``cluster="local"`` runs the jobs on this machine, to try it.
    """
    submitit = needed("submitit")
    checks.whole("slurm(at_once=…)", at_once)
    try:
        executor = submitit.AutoExecutor(folder, cluster=cluster)
        limit = {"slurm_array_parallelism": at_once} if cluster == "slurm" else {}
        executor.update_parameters(**limit, **parameters)
    except (RuntimeError, ValueError, TypeError, NameError, OSError) as error:
        raise InputError(f"slurm(…) cannot be set up here: {why(error)}; expected a machine that has sbatch") from None
    return _Slurm(executor, at_once)


class _Slurm(_Rounds):
    def __init__(self, executor: Any, workers: int):
        super().__init__(workers)
        self.executor = executor

    def _step(self, new: list[tuple[Future, Any]], under_way: list[Any]) -> list[Any]:
        if new:
            with self.executor.batch():
                jobs = [self.executor.submit(function, *args, **kwargs) for _, (function, args, kwargs) in new]
            under_way = under_way + [(future, job) for (future, _), job in zip(new, jobs)]
        left = []
        for future, job in under_way:
            if not job.done():
                left.append((future, job))
            elif (error := job.exception()) is None:
                future.set_result(job.result())
            else:
                future.set_exception(Lost(f"job {job.job_id} gave no answer: {why(error)}"))
        return left


def joblib(workers: int = -1, backend: str | None = None) -> Executor:
    """joblib's ``backend``, "loky" or what was registered with it, such as "ray", or that of ``joblib.parallel_config``.

    Tasks go in rounds: what is handed in meanwhile waits for the last of a round. ``workers`` is joblib's ``n_jobs``.
    """
    needed("joblib")
    count = checks.whole("joblib(workers=…)", workers, -1)
    if count == 0:
        raise checks.refusal("joblib(workers=…)", workers, "a number of workers, or -1 for one on each core")
    return _Joblib(count, backend)


class _Joblib(_Rounds):
    def __init__(self, count: int, backend: str | None):
        from joblib import effective_n_jobs

        super().__init__(effective_n_jobs(count))
        self.count, self.backend = count, backend

    def _step(self, new: list[tuple[Future, Any]], under_way: list[Any]) -> list[Any]:
        from joblib import Parallel, delayed

        tasks = (delayed(_numbered)(i, portable("the task", task)) for i, (_, task) in enumerate(new))
        parallel = Parallel(self.count, backend=self.backend, return_as="generator_unordered")
        for i, good, value in parallel(tasks) if new else ():
            new[i][0].set_result(value) if good else new[i][0].set_exception(value)
        return []


def _numbered(i: int, task: bytes) -> tuple[int, bool, Any]:
    try:
        function, args, kwargs = pickle.loads(task)
        return i, True, function(*args, **kwargs)
    except Exception as error:
        return i, False, error


published(__name__)
