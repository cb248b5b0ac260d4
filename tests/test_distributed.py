"""Executors of processes, rounds and clusters: they answer as those of the standard library do, and say what is wrong."""

import functools
import os
import sys
import threading
import time
from pathlib import Path

import pytest
from sentences import check_sentence

from pliant import distributed
from pliant.errors import InputError


def test_workers_have_one_gpu_each(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    of = lambda executor: [worker.environment for worker in executor.each]
    assert of(distributed.processes(gpus=2)) == [{"CUDA_VISIBLE_DEVICES": "0"}, {"CUDA_VISIBLE_DEVICES": "1"}]
    assert of(distributed.processes(gpus=[3])) == [{"CUDA_VISIBLE_DEVICES": "3"}]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,6")
    assert of(distributed.processes(gpus=2)) == [{"CUDA_VISIBLE_DEVICES": "4"}, {"CUDA_VISIBLE_DEVICES": "6"}]
    with pytest.raises(InputError, match="CUDA_VISIBLE_DEVICES=4,6 has 2 of them"):
        distributed.processes(gpus=3)
    with pytest.raises(InputError, match="one worker for each of 2 GPUs"):
        distributed.processes(3, gpus=2)


def test_workers_share_the_cores(monkeypatch):
    monkeypatch.delenv("PLIANT_THREADS", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert [worker.environment for worker in distributed.processes(2).each] == [{"PLIANT_THREADS": "4"}] * 2
    assert distributed.workers(distributed.processes()) == 8 and distributed.workers(None) == 1


def test_a_worker_is_a_python_of_its_own(capfd):
    """With its environment, its own standard output, exceptions that arrive, and 20 ms at most for a task."""

    def where():
        print("a worker prints")
        return os.getpid(), os.environ["CUDA_VISIBLE_DEVICES"], distributed.__name__ in sys.modules

    def wrong():
        raise InputError("not so")

    with distributed.processes(gpus=["7"]) as executor:
        process, gpu, _ = executor.submit(where).result()
        assert (process, gpu) == (executor.each[0].process.pid, "7") and process != os.getpid()
        with pytest.raises(InputError, match="not so"):
            executor.submit(wrong).result()
        with pytest.raises(InputError, match="the answer cannot be sent to other processes"):
            executor.submit(threading.Lock).result()
        begin = time.process_time()
        assert [task.result() for task in [executor.submit(len, "ab") for _ in range(50)]] == [2] * 50
        assert time.process_time() - begin < 50 * 0.02
        late = executor.submit(time.sleep, 60)
        executor.shutdown(wait=False, cancel_futures=True)
        with pytest.raises(distributed.Lost, match="a worker ended by itself, with code"):
            late.result()
    assert "a worker prints" in capfd.readouterr().err


class Holder:
    def __init__(self):
        self.lock = threading.Lock()

    def act(self):
        return 1


LOCK = threading.Lock()
BAD = {
    "the lock in a closure": ((lambda held: lambda: held)(threading.Lock()), "processes: held is a lock"),
    "an attribute": (Holder(), "processes: lock is a lock"),
    "of a method": (Holder().act, "lock of self is a lock"),
    "in a partial": (functools.partial(print, threading.Lock()), "processes: argument 0 is a lock"),
    "in a list in a dictionary": ({"a": [1, threading.Lock()]}, "item 1 of a is a lock"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_pickled_is_named(name):
    thing, words = BAD[name]
    with pytest.raises(InputError) as caught:
        distributed.portable("it", thing)
    assert words in check_sentence(caught.value)


def test_rounds_of_joblib():
    pytest.importorskip("joblib")
    with distributed.joblib(2, "threading") as executor:
        tasks = [executor.submit(divmod, 7, n) for n in (2, 0, 3)]
        assert tasks[0].result() == (3, 1) and tasks[2].result() == (2, 1)
        assert isinstance(tasks[1].exception(), ZeroDivisionError)
        assert executor.submit(len, "abc").result() == 3
    with pytest.raises(RuntimeError):
        executor.submit(len, "")


def test_slurm_says_where_it_is_not(tmp_path):
    pytest.importorskip("submitit")
    with pytest.raises(InputError, match="expected a machine that has sbatch"):
        distributed.slurm(str(tmp_path / "slurm"))


@pytest.mark.slow
def test_jobs_of_submitit(tmp_path):
    """Those of SLURM but for who starts them: pickles in a folder, a Python for each."""
    with distributed.slurm(str(tmp_path), 1, "local", timeout_min=5) as executor:
        tasks = [executor.submit(divmod, 7, 2), executor.submit(divmod, 7, 0)]
        assert tasks[0].result() == (3, 1)
        with pytest.raises(distributed.Lost, match="gave no answer"):
            tasks[1].result()
    assert list(Path(tmp_path).glob("*_submitted.pkl"))


def test_dask_says_where_it_is_not():
    pytest.importorskip("distributed")
    with pytest.raises(InputError) as caught:
        distributed.dask("dask://127.0.0.1:1", patience=0.5)
    assert "no Dask scheduler answers at dask://127.0.0.1:1" in check_sentence(caught.value)
