"""Thread pool that runs launch graphs on the CPU.

A program is a list of instructions: a compiled function with its arguments, a list of such slices that threads share,
and jumps that look at a flag in memory. The thread that asks for it goes through them. Each thread has a queue of slices, as
many as any other and the same part of every launch, so that what it worked on is still in its own cache; whoever is through with
its own takes from those of others. A queue is one atomic word, which holds the number of the launch, where the queue ends and the
next slice. A helper that has nothing to do looks out for the next launch as long as the program runs, and for some microseconds
more before it goes to sleep: the launches of a step follow each other faster than a thread can be woken.
"""

import ctypes
import functools
import os
import platform
import queue
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np
import warp as wp

from ..errors import InputError, PliantWarning
from .build_lock import BUILDING, alone
from .kernel_cache import set_flags

# words of the pool; a line of the cache, eight words, for each thing that threads write
DONE, SLICES, PAUSE, CLOCK, CLOCK_ID, RUNNING, SHARERS, AWAKE, QUEUES = 0, 8, 9, 10, 11, 16, 17, 24, 64
HELPERS = QUEUES - AWAKE
WORDS = QUEUES + 8 * (HELPERS + 1)
MOST_SLICES = 0xFFFF
KNOWN = "1.19."  # versions of Warp whose recorded launches are known from the inside

# instructions, four words each: END; CALL function, bounds, arguments; SHARE list, count, threads; UNLESS flag, where to go if
# it is 0; JUMP where; TIC and TOC around what is timed, address of a sum and of the beginning
END, CALL, SHARE, UNLESS, JUMP, TIC, TOC = range(7)

NATIVE = r"""
#if !defined(__CUDA_ARCH__)
    typedef unsigned long long word;
    typedef void (*slice_t)(void*, void*);
    typedef void (*pause_t)(void);
    typedef void (*read_clock_t)(long long, long long*);
    word* p = (word*)pool.data;
    word *done = p + DONE, *slices = p + SLICES, *running = p + RUNNING, *sharers = p + SHARERS, *awake = p + AWAKE + helper;
    const pause_t give_way = (pause_t)p[PAUSE];

    auto rest = [&](int turn) {
    #if defined(__x86_64__)
        __builtin_ia32_pause();
    #elif defined(__aarch64__)
        __builtin_arm_yield();
    #endif
        if (give_way && turn % 256 == 255) give_way();
    };
    auto run = [](const word* slice) { ((slice_t)slice[0])((void*)slice[1], (void*)slice[2]); };
    // a queue: number of the launch, 24 bits; where it ends, 20 bits; its next slice, 20 bits
    auto queue = [&](word thread) { return p + QUEUES + 8 * thread; };
    auto left = [](word q) { return (q & 0xfffff) < ((q >> 20) & 0xfffff); };
    // run all slices of the launch under way that nobody has taken, beginning with those of ``thread``. A slice that was taken
    // keeps its launch from ending, so that the list of slices is still that of the launch
    auto work = [&](word thread) {
        const word count = __atomic_load_n(sharers, __ATOMIC_RELAXED);
        word ran = 0;
        for (word k = 0; k < count; ++k) {
            word* from = queue(thread + k < count ? thread + k : thread + k - count);
            while (left(__atomic_load_n(from, __ATOMIC_ACQUIRE))) {
                const word q = __atomic_fetch_add(from, 1, __ATOMIC_ACQ_REL);
                if (!left(q)) break;
                run((const word*)__atomic_load_n(slices, __ATOMIC_RELAXED) + 3 * (q & 0xfffff));
                ++ran;
            }
        }
        if (ran) __atomic_fetch_add(done, ran, __ATOMIC_RELEASE);
    };
    auto share = [&](const word* list, word count, word threads) {
        const word launch = ((__atomic_load_n(queue(0), __ATOMIC_RELAXED) >> 40) + 1) & 0xffffff;
        __atomic_store_n(done, 0, __ATOMIC_RELAXED);
        __atomic_store_n(slices, (word)list, __ATOMIC_RELAXED);
        __atomic_store_n(sharers, threads, __ATOMIC_RELAXED);
        for (word k = threads; k-- > 0;)
            __atomic_store_n(
                queue(k), launch << 40 | (count * (k + 1) / threads) << 20 | count * k / threads, __ATOMIC_RELEASE);
        work(0);
        for (int turn = 0; __atomic_load_n(done, __ATOMIC_ACQUIRE) < count; turn = (turn + 1) & 0xffff) rest(turn);
    };
    auto now = [&]() {
        long long read[2] = {0, 0};
        if (p[CLOCK]) ((read_clock_t)p[CLOCK])((long long)p[CLOCK_ID], read);
        return (word)(read[0] * 1000000000LL + read[1]);
    };

    if (helper < 0) {
        const word *code = (const word*)program, *at = code;
        if (together) __atomic_store_n(running, 1, __ATOMIC_RELAXED);
        while (at[0] != END) {
            const word* w = at;
            at += 4;
            if (w[0] == CALL) run(w + 1);
            else if (w[0] == SHARE && together) share((const word*)w[1], w[2], w[3]);
            else if (w[0] == SHARE) for (word i = 0; i < w[2]; ++i) run((const word*)w[1] + 3 * i);
            else if (w[0] == UNLESS) { if (*(volatile int*)w[1] == 0) at = code + 4 * w[2]; }
            else if (w[0] == JUMP) at = code + 4 * w[1];
            else if (w[0] == TIC) *(word*)w[2] = now();
            else if (w[0] == TOC) *(word*)w[1] += now() - *(word*)w[2];
        }
        if (together) __atomic_store_n(running, 0, __ATOMIC_RELAXED);
    } else {
        const word thread = helper + 1;
        word seen = 0xffffff;
        for (int turn = 0; turn < patience; ++turn) {
            const word launch = __atomic_load_n(queue(thread), __ATOMIC_ACQUIRE) >> 40;
            if (launch != seen) {
                work(thread);
                seen = launch;
                turn = 0;
            } else rest(turn);
            if (turn == patience - 1 && __atomic_load_n(running, __ATOMIC_RELAXED)) turn = 0;
        }
        __atomic_store_n(awake, 0, __ATOMIC_RELEASE);
    }
#endif
"""

# bytes of memory, for programs that clear and copy arrays
MEMORY = r"""
#if !defined(__CUDA_ARCH__)
    if (source) __builtin_memcpy((void*)target, (const void*)source, count);
    else __builtin_memset((void*)target, 0, count);
#endif
"""


@alone
@functools.cache
def _kernels() -> tuple[wp.Kernel, ...]:
    """The kernel of both sides (``helper`` −1 runs a program), one that copies memory, and one to try things on."""
    words = wp.array(dtype=wp.uint64)
    places = ("DONE", "SLICES", "PAUSE", "CLOCK", "CLOCK_ID", "RUNNING", "SHARERS", "AWAKE", "QUEUES")
    head = "".join(f"constexpr int {name} = {globals()[name]};\n" for name in places)
    for name in ("END", "CALL", "SHARE", "UNLESS", "JUMP", "TIC", "TOC"):
        head += f"constexpr unsigned long long {name} = {globals()[name]};\n"

    @wp.func_native(head + NATIVE)
    def run_program(helper: int, patience: int, together: int, program: wp.uint64, pool: words): ...

    @wp.func_native(MEMORY)
    def move_bytes(target: wp.uint64, source: wp.uint64, count: wp.uint64): ...

    def play(start: int, helper: int, patience: int, together: int, program: wp.uint64, pool: words):
        run_program(helper, patience, together, program, pool)

    def memory(start: int, target: wp.uint64, source: wp.uint64, count: wp.uint64):
        move_bytes(target, source, count)

    def probe(start: int, factor: wp.float64, x: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
        i = start + wp.tid()
        out[i] = factor * x[i] + wp.float64(i)

    module = wp.get_module("pliant_threads")
    set_flags(module)
    return tuple(wp.kernel(function, module=module, enable_backward=False) for function in (play, memory, probe))


def trusted(slices: int) -> bool:
    """Whether a launch may be taken apart into ``slices``: whole ones in a known version of Warp, others once tried."""
    return (slices == 1 and wp.config.version.startswith(KNOWN)) or _slices_agree()


@alone
@functools.cache
def _slices_agree() -> bool:
    """Whether launches that are cut into slices compute what Warp's own launch does, tried once in a process.

    ``bound`` reads the inside of a recorded launch, which another version of Warp may have changed. Then launches go
    the long way, on one thread, and that is said.
    """
    try:
        *_, probe = _kernels()
        x, count = 1.0 + np.arange(7) / 8, 7  # with products that are exact
        given, plain, sliced = (wp.array(a, dtype=wp.float64, device="cpu") for a in (x, 0 * x, 0 * x))
        wp.launch(probe, count, [0, 3.0, given, plain], device="cpu")
        for begin, end in ((0, 4), (4, count)):
            function, bounds, struct, _kept = bound(probe, end - begin, [begin, 2.0, given, sliced])
            struct.factor = 3.0  # as a recorded launch is run again with other numbers
            function(ctypes.byref(bounds), ctypes.byref(struct))
        if np.array_equal(plain.numpy(), sliced.numpy()) and np.array_equal(plain.numpy(), 3.0 * x + np.arange(count)):
            return True
        why = "a launch in slices gives other numbers than a whole one"
    except Exception as error:  # whatever has changed inside Warp
        why = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
    warnings.warn(
        f"Warp {wp.config.version} is not one that pliant can cut launches of ({why}): kernels run on one thread and "
        "start more slowly; install warp-lang>=1.19,<1.20",
        PliantWarning,
        stacklevel=2,
    )
    return False


@functools.cache
def _arguments(fields: tuple[tuple[str, type], ...]) -> type[ctypes.Structure]:
    """The structure of arguments of some names and kinds; a class takes longer to make than a launch."""
    return type("Arguments", (ctypes.Structure,), {"_fields_": list(fields)})


def bound(kernel: wp.Kernel, dim: int, args: list[Any]) -> tuple[Any, Any, ctypes.Structure, tuple]:
    """A launch on the CPU as a function of two addresses: function, bounds, arguments, and what must be kept alive."""
    known = _bound_before.get(kernel)
    struct = None if known is None else known.filled(args)
    if struct is not None:
        return known.function, known.bounds(dim), struct, (known, args)
    with BUILDING:
        command = wp.launch(kernel, dim, args, device="cpu", record_cmd=True)
    fields = tuple([(a.label, type(p)) for a, p in zip(kernel.adj.args, command.params[1:])])
    struct = _arguments(fields)()
    for (name, _), value in zip(fields, command.params[1:]):
        setattr(struct, name, value)
    if known is None and len(command.params[0].shape) == 1:
        _bound_before[kernel] = Bound(command, type(struct), args)
    return command.hooks.forward, command.params[0], struct, (command,)


class Bound:
    """What the first launch of a kernel says of all others: Warp looks at each argument of each launch anew, at length."""

    def __init__(self, command: Any, struct: type[ctypes.Structure], args: list[Any]):
        self.function, self.struct, self.like = command.hooks.forward, struct, command.params[0]
        self.code = command.module_exec, command.hooks  # not the command itself, which keeps its arrays
        self.kinds = [(n, k, *array_kind(a)) for (n, k), a in zip(struct._fields_, args)]

    def bounds(self, dim: int) -> Any:
        other = type(self.like).from_buffer_copy(self.like)
        other.shape[0] = other.size = dim
        return other

    def filled(self, args: list[Any]) -> ctypes.Structure | None:
        """The arguments; None where one is no plain number and no array such as the first one was."""
        struct = self.struct()
        for (name, kind, dtype, ndim), arg in zip(self.kinds, args):
            if dtype is not None:
                if type(arg) is not wp.array or arg.dtype is not dtype or arg.ndim != ndim or not arg.device.is_cpu:
                    return None
                setattr(struct, name, arg.__ctype__())
            elif type(arg) in NUMBERS.get(kind, ()):
                setattr(struct, name, arg)
            elif type(getattr(arg, "_ctype", None)) is kind:  # a struct
                setattr(struct, name, arg.__ctype__())
            else:
                return None
        return struct


NUMBERS = dict.fromkeys((ctypes.c_int32, ctypes.c_int64), (int, bool)) | dict.fromkeys(
    (ctypes.c_float, ctypes.c_double), (float,)
)
_bound_before: dict[wp.Kernel, Bound] = {}


def array_kind(arg: Any) -> tuple[Any, int]:
    """Type of the items and number of axes of an array; None of anything else."""
    return (arg.dtype, arg.ndim) if type(arg) is wp.array else (None, 0)


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
        self._words[[DONE, RUNNING, SHARERS, *range(AWAKE, WORDS)]] = 0

    def _share(self) -> None:
        self._words = np.zeros(WORDS, np.uint64)
        self._words[PAUSE] = _give_way()
        self._words[CLOCK], self._words[CLOCK_ID] = _clock()
        self._pool = wp.array(self._words, dtype=wp.uint64, device="cpu", copy=False)
        self._awake = (ctypes.c_uint64 * HELPERS).from_address(self._words.ctypes.data + 8 * AWAKE)

    def entry(self, helper: int) -> tuple:
        """A call of one of both sides: function, bounds, arguments, and what must be kept alive."""
        return bound(_kernels()[0], 1, [0, helper, self.PATIENCE, 0, 0, self._pool])

    @functools.cached_property
    def player(self) -> tuple:
        """The call that runs a program, for copies of its arguments."""
        return self.entry(-1)

    @functools.cached_property
    def mover(self) -> tuple:
        """The call that clears or copies memory, for copies of its arguments."""
        return bound(_kernels()[1], 1, [0, 0, 0, 0])

    def wake(self, helpers: int) -> None:
        """See to it that so many helpers look out for slices."""
        for k in range(min(helpers, HELPERS)):
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


def _clock() -> tuple[int, int]:
    """Address of a clock and the number of the one that counts nanoseconds; 0 where there is none."""
    if sys.platform == "win32":
        return 0, 0
    return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0, time.CLOCK_MONOTONIC


@alone
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
