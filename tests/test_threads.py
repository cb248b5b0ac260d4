"""Slices of launches shared by threads: each is run once, whoever is awake, and nobody works when there is nothing to do."""

import gc
import multiprocessing
import os
import threading
import time
import warnings
import weakref

import numpy as np
import pytest
import warp as wp

from pliant.errors import PliantWarning
from pliant.runtime import threads
from pliant.runtime.device import Device, family
from pliant.runtime.threads import bound as threads_bound
from pliant.runtime.threads import pool


@family
def counting_kernels(t):
    @t.kernel
    def count(start: int, by: wp.int32, times: wp.array(dtype=wp.int32)):
        i = start + wp.tid()
        times[i] = times[i] + by

    return locals()


def counted(threads: int, launches: int, size: int) -> np.ndarray:
    device = Device("cpu", "f64", threads=threads)
    times = device.zeros(size, wp.int32)
    for k in range(launches):
        device.launch(counting_kernels("f64").count, size, 1 + k % 2, times, grain=1)
    return times.numpy()


@pytest.mark.parametrize("threads", (2, 3, 8))
def test_every_slice_is_run_once(threads):
    launches = 3000
    for size in (2, 7, 100):
        assert np.all(counted(threads, launches, size) == launches * 3 // 2)


def test_launches_of_several_python_threads_keep_apart():
    found = {}
    workers = [threading.Thread(target=lambda k=k: found.update({k: counted(3, 2000, 50 + k)})) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [len(found[k]) for k in range(4)] == [50, 51, 52, 53]
    assert all(np.all(times == 3000) for times in found.values())


@pytest.mark.alone
def test_helpers_that_slept_help_again_and_use_no_processor_meanwhile():
    counted(2, 200, 64)
    time.sleep(0.1)
    begin = time.process_time()
    time.sleep(0.4)
    assert time.process_time() - begin < 0.1
    assert not any(pool()._awake)
    assert np.all(counted(2, 200, 64) == 300)


def _child(pipe):
    pipe.send(counted(2, 100, 64).tolist())
    os._exit(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_helpers_of_its_own():
    counted(2, 100, 64)
    here, there = multiprocessing.get_context("fork").Pipe()
    child = multiprocessing.get_context("fork").Process(target=_child, args=(there,))
    child.start()
    assert here.poll(60) and here.recv() == [150] * 64
    child.join(10)
    assert not child.is_alive()


def untrusted(monkeypatch, broken) -> list:
    """What is said where the inside of Warp is not what it was."""
    monkeypatch.setattr(threads, "bound", broken)
    threads._slices_agree.__wrapped__.cache_clear()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        out = counted(4, 6, 100)
        counted(4, 2, 50)
    assert np.all(out == 9)
    return [str(w.message) for w in said if issubclass(w.category, PliantWarning)]


def moved(kernel, dim, args):
    raise AttributeError("'Launch' object has no attribute 'hooks'")


def other(kernel, dim, args):
    function, bounds, struct, kept = threads_bound(kernel, dim, args)
    struct.start = 0 if hasattr(struct, "factor") else struct.start
    return function, bounds, struct, kept


def test_later_launches_are_bound_like_the_first_and_checked(monkeypatch):
    """Without asking Warp; what is no array of the first one's kind is told by Warp, as ever."""
    counted(1, 1, 9)
    launched = []
    launch = wp.launch
    monkeypatch.setattr(wp, "launch", lambda *args, **options: (launched.append(args), launch(*args, **options))[1])
    assert np.all(counted(2, 4, 11) == 6) and not launched
    device = Device("cpu", "f64", threads=1)
    for wrong in (device.zeros(9, wp.int64), device.zeros((9, 1), wp.int32)):
        with pytest.raises(RuntimeError, match="argument 'times'"):
            device.launch(counting_kernels("f64").count, 9, 1, wrong)
    kept = device.zeros(9, wp.int32)
    device.launch(counting_kernels("f64").count, 9, 1, kept)
    gone = weakref.ref(kept)
    del kept, device, wrong
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("broken, words", [(moved, "no attribute 'hooks'"), (other, "gives other numbers")])
def test_another_inside_of_warp_is_told_once_and_gone_around(monkeypatch, broken, words):
    try:
        (said,) = untrusted(monkeypatch, broken)
    finally:
        threads._slices_agree.__wrapped__.cache_clear()
    assert words in said and "warp-lang>=1.19,<1.20" in said


def test_this_warp_is_trusted():
    assert threads.trusted(1) and threads.trusted(4)
