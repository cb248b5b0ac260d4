"""Threads that share the slices of a launch on the CPU, without a word to Python while there is work.

A launch is a list of slices, each a compiled function with its arguments. Whoever is free takes the next one, by one atomic
word that holds the number of the launch, its slices and the next of them, so that nobody can take a slice of a launch that
is over. A helper that has nothing to do looks out for the next launch for some microseconds before it goes to sleep: the
launches of a step follow each other faster than a thread can be woken.
"""

import ctypes
import functools
import os
import platform
import queue
import sys
import threading
from typing import Any

import numpy as np
import warp as wp

from .errors import InputError

WORDS = 64  # of the pool; a line of the cache, eight words, for each thing that threads write
TICKET, DONE, SLICES, PAUSE, AWAKE = 0, 8, 16, 17, 24
MOST_SLICES = 0xFFFF

SHARE = r"""
#if !defined(__CUDA_ARCH__)
    typedef unsigned long long word;
    typedef void (*slice_t)(void*, void*);
    typedef void (*pause_t)(void);
    word* p = (word*)pool.data;
    word *ticket = p + TICKET, *done = p + DONE, *slices = p + SLICES, *awake = p + AWAKE + helper;
    const pause_t give_way = (pause_t)p[PAUSE];

    auto rest = [&](int turn) {
    #if defined(__x86_64__)
        __builtin_ia32_pause();
    #elif defined(__aarch64__)
        __builtin_arm_yield();
    #endif
        if (give_way && turn % 256 == 255) give_way();
    };
    // take one slice of the launch under way; false where none is left
    auto take = [&]() {
        word t = __atomic_load_n(ticket, __ATOMIC_ACQUIRE);
        while ((t & 0xffff) < ((t >> 16) & 0xffff)) {
            const word* list = (const word*)__atomic_load_n(slices, __ATOMIC_RELAXED);
            if (__atomic_compare_exchange_n(ticket, &t, t + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
                const word* mine = list + 3 * (t & 0xffff);
                ((slice_t)mine[0])((void*)mine[1], (void*)mine[2]);
                __atomic_fetch_add(done, 1, __ATOMIC_RELEASE);
                return true;
            }
        }
        return false;
    };

    if (helper < 0) {
        const word launch = (__atomic_load_n(ticket, __ATOMIC_RELAXED) >> 32) + 1;
        __atomic_store_n(done, 0, __ATOMIC_RELAXED);
        __atomic_store_n(slices, (word)list, __ATOMIC_RELAXED);
        __atomic_store_n(ticket, launch << 32 | (word)count << 16, __ATOMIC_RELEASE);
        while (take()) {}
        for (int turn = 0; __atomic_load_n(done, __ATOMIC_ACQUIRE) < (word)count; ++turn) rest(turn);
    } else {
        for (int turn = 0; turn < patience; ++turn) {
            if (take()) turn = 0;
            else rest(turn);
        }
        __atomic_store_n(awake, 0, __ATOMIC_RELEASE);
    }
#endif
"""


@functools.cache
def _share() -> wp.Kernel:
    """The kernel that is both sides: ``helper`` −1 launches ``count`` slices and takes part, others help."""
    words = wp.array(dtype=wp.uint64)
    names = {"TICKET": TICKET, "DONE": DONE, "SLICES": SLICES, "PAUSE": PAUSE, "AWAKE": AWAKE}
    head = "".join(f"constexpr int {name} = {value};\n" for name, value in names.items())

    @wp.func_native(head + SHARE)
    def share_slices(helper: int, patience: int, list: wp.uint64, count: int, pool: words): ...

    def share(start: int, helper: int, patience: int, list: wp.uint64, count: int, pool: words):
        share_slices(helper, patience, list, count, pool)

    return wp.kernel(share, module=wp.get_module("pliant_threads"), enable_backward=False)


def bound(kernel: wp.Kernel, dim: int, args: list[Any]) -> tuple[Any, Any, ctypes.Structure, tuple]:
    """A launch on the CPU as a function of two addresses: function, bounds, arguments, and what must be kept alive."""
    command = wp.launch(kernel, dim, args, device="cpu", record_cmd=True)
    fields = [(a.label, type(p)) for a, p in zip(kernel.adj.args, command.params[1:])]
    struct = type("Arguments", (ctypes.Structure,), {"_fields_": fields})()
    for (name, _), value in zip(fields, command.params[1:]):
        setattr(struct, name, value)
    return command.hooks.forward, command.params[0], struct, (command,)


class Slices:
    """The slices of one launch, to be run again and again."""

    def __init__(self, pool: "Pool", slices: list[tuple[Any, Any, ctypes.Structure]]):
        if len(slices) > MOST_SLICES:
            raise InputError(f"{len(slices)} slices in a launch; expected at most {MOST_SLICES}")
        self._pool, self._slices = pool, slices
        triples = [(ctypes.cast(f, ctypes.c_void_p).value, ctypes.addressof(b), ctypes.addressof(s)) for f, b, s in slices]
        self._list = np.array(triples, np.uint64)
        function, bounds, struct, self._kept = pool.entry(-1, self._list.ctypes.data, len(slices))
        self._call = (function, ctypes.byref(bounds), ctypes.byref(struct), bounds, struct)

    def run(self, helpers: int) -> None:
        """Run them all, with the help of so many other threads at most."""
        function, bounds, struct, *_ = self._call
        with self._pool.lock:
            self._pool.wake(helpers)
            function(bounds, struct)


class Pool:
    """The helpers of a process."""

    # turns of looking out before a helper sleeps: some 150 µs
    PATIENCE = 5_000 if platform.machine().lower() in ("x86_64", "amd64") else 60_000

    def __init__(self):
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """No helpers yet; after a fork there are none either."""
        self.lock = threading.Lock()  # one launch at a time
        self._doors: list[queue.SimpleQueue] = []
        if not hasattr(self, "_words"):
            self._share()
        self._words[[TICKET, DONE, *range(AWAKE, WORDS)]] = 0

    def _share(self) -> None:
        self._words = np.zeros(WORDS, np.uint64)
        self._words[PAUSE] = _give_way()
        self._pool = wp.array(self._words, dtype=wp.uint64, device="cpu", copy=False)
        self._awake = (ctypes.c_uint64 * (WORDS - AWAKE)).from_address(self._words.ctypes.data + 8 * AWAKE)

    def entry(self, helper: int, list: int = 0, count: int = 0) -> tuple:
        return bound(_share(), 1, [0, helper, self.PATIENCE, list, count, self._pool])

    def wake(self, helpers: int) -> None:
        """See to it that so many helpers look out for slices."""
        for k in range(min(helpers, WORDS - AWAKE)):
            if not self._awake[k]:
                if k == len(self._doors):
                    self._doors.append(queue.SimpleQueue())
                    threading.Thread(target=self._help, args=(k,), name=f"pliant-{k + 1}", daemon=True).start()
                self._awake[k] = 1
                self._doors[k].put(None)

    def _help(self, k: int) -> None:
        function, bounds, struct, _kept = self.entry(k)
        call, door = (ctypes.byref(bounds), ctypes.byref(struct)), self._doors[k]
        while True:
            door.get()
            function(*call)


def _give_way() -> int:
    """Address of the function that lets other threads go first, 0 where there is none."""
    if sys.platform == "win32":
        return ctypes.cast(ctypes.windll.kernel32.SwitchToThread, ctypes.c_void_p).value or 0
    return ctypes.cast(ctypes.CDLL(None).sched_yield, ctypes.c_void_p).value or 0


@functools.cache
def pool() -> Pool:
    return Pool()


def thread_count() -> int:
    """Number of CPU threads: ``PLIANT_THREADS`` or all cores."""
    text = os.environ.get("PLIANT_THREADS", "")
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if not text.isdigit() or int(text) < 1:
        raise InputError(f"PLIANT_THREADS is {text!r}; expected a whole number of at least 1")
    return int(text)
