"""Launch cache: launches bound to their arrays, started again."""

from __future__ import annotations

import copy
import ctypes
import functools
import itertools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import warp as wp

from .launch_graph import Program, Unrecordable
from .threads import NUMBERS, array_kind, bound, pool, trusted

if TYPE_CHECKING:
    from .device import Device


@functools.cache
def _recorded_places(kernel: wp.Kernel) -> list[int]:
    """Which arguments a recorded launch keeps: arrays, and structures as they are when it is recorded."""
    kinds = [a.type for a in kernel.adj.args[1:]]
    return [i for i, kind in enumerate(kinds) if _is_array(kind) or hasattr(kind, "vars")]


def _is_array(kind: Any) -> bool:
    """Whether an argument is an array; of a kernel's overloads Warp keeps descriptions of them."""
    return isinstance(kind, wp.array) or (hasattr(kind, "ndim") and hasattr(kind, "dtype"))


def overload_of(kernel: wp.Kernel, args: tuple) -> wp.Kernel:
    """The one of a kernel's declared kinds that fits the arrays; Warp would guess the types of numbers, and miss."""
    key = (kernel, *(arg.dtype for arg in args if type(arg) is wp.array))
    if key not in _OVERLOADS:
        _OVERLOADS[key] = _overload_of(kernel, args)
    return _OVERLOADS[key]


_OVERLOADS: dict[tuple, wp.Kernel] = {}


def _overload_of(kernel: wp.Kernel, args: tuple) -> wp.Kernel:
    for candidate in kernel.overloads.values():
        kinds = [a.type for a in candidate.adj.args[1:]]
        pairs = [(kind.dtype, arg.dtype) for kind, arg in zip(kinds, args) if _is_array(kind)]
        if all(wp.types.types_equal(kind, given) for kind, given in pairs):
            return candidate
    kinds = [arg.dtype.__name__ for arg in args if isinstance(arg, wp.array)]
    raise TypeError(f"{kernel.key} was not made for arrays of {', '.join(kinds)}")


@functools.cache
def arrays_of(kernel: wp.Kernel) -> Callable[[tuple], tuple]:
    """A function that picks the arrays and structures out of the arguments of ``kernel``."""
    places = _recorded_places(kernel)
    if len(places) > 1:
        return operator.itemgetter(*places)
    return lambda args: tuple(args[i] for i in places)


def _command(device: Device, kernel: wp.Kernel, dim: int, args: tuple) -> wp.Launch:
    """A launch that Warp starts."""
    like = _LIKE.get((kernel, device.name))
    made = None if like is None else like.with_args(dim, [0, *args])
    if made is None:
        made = wp.launch(kernel, dim, [0, *args], device=device.name, record_cmd=True)
        if like is None and trusted(1) and type(made) is wp.Launch and len(made.bounds.shape) == 1:
            _LIKE[kernel, device.name] = Like(made, [0, *args])
    return made


class Like:
    """What the first launch of a kernel on a device says of all others: Warp looks at each argument of each launch anew, which
    takes longer than to start it."""

    def __init__(self, command: wp.Launch, args: list[Any]):
        self.bounds, self.addressed = command.bounds, command.params_addr is not None
        self.kinds = [(type(p), *array_kind(a)) for p, a in zip(command.params[1:], args)]
        self.bare = copy.copy(command)  # without its arrays
        self.bare.params = self.bare.params_addr = self.bare.bounds = self.bare.fwd_args = None

    def with_args(self, dim: int, args: list[Any]) -> wp.Launch | None:
        """The same with other arguments; None where one is no plain number and no array such as the first one was."""
        bounds = type(self.bounds).from_buffer_copy(self.bounds)
        bounds.shape[0] = bounds.size = dim
        params: list[Any] = [bounds]
        for (kind, dtype, ndim), arg in zip(self.kinds, args):
            if dtype is not None:
                if type(arg) is not wp.array or arg.dtype is not dtype or arg.ndim != ndim:
                    return None
                params.append(arg.__ctype__())
            elif type(arg) in NUMBERS.get(kind, ()):
                params.append(kind(arg))
            elif type(getattr(arg, "_ctype", None)) is kind:  # a struct
                params.append(arg.__ctype__())
            else:
                return None
        made = copy.copy(self.bare)
        made.bounds, made.params, made.fwd_args = bounds, params, args
        if self.addressed:
            made.params_addr = (ctypes.c_void_p * len(params))(*map(ctypes.addressof, params))
        return made


_LIKE: dict[tuple[wp.Kernel, str], Like] = {}


class Recorded:
    """A kernel bound to its arrays, ready to run again with other scalars."""

    def __init__(self, device: Device, kernel: wp.Kernel, dim: int, args: tuple, slices: int):
        self.kernel, self.cpu, self.last = kernel, device.is_cpu and trusted(slices), args
        self.scalars = [i for i in range(len(args)) if i not in _recorded_places(kernel)]
        if not self.cpu:
            self.command = _command(device, kernel, dim, args)
            return
        self.names = [a.label for a in kernel.adj.args[1:]]
        self.parts = self._cut(kernel, [dim * i // slices for i in range(slices + 1)], args)
        self.structs = [struct for _, _, struct in self.parts]
        if slices > 1:
            self.program = Program(pool(), device.threads)
            self.program.add(self.parts)
        else:
            function, bounds, struct = self.parts[0]
            self.call = (function, ctypes.byref(bounds), ctypes.byref(struct))

    def _cut(self, kernel: wp.Kernel, edges: list[int], args: tuple) -> list[tuple]:
        """A slice between each two edges; those of one length are bound once and copied."""
        parts, self.kept = [], {}
        for begin, end in itertools.pairwise(edges):
            if end - begin not in self.kept:
                self.kept[end - begin] = bound(kernel, end - begin, [begin, *args])
            function, bounds, like, _ = self.kept[end - begin]
            struct = type(like).from_buffer_copy(like)
            struct.start = begin
            parts.append((function, bounds, struct))
        return parts

    def run(self, args: tuple) -> None:
        if not self.cpu:
            for i in self.scalars:
                if args[i] is not self.last[i] and args[i] != self.last[i]:
                    self.command.set_param_at_index(i + 1, args[i])
            self.last = args
            self.command.launch()
            return
        for i in self.scalars:
            if args[i] is not self.last[i] and args[i] != self.last[i]:  # vectors compare slowly
                for struct in self.structs:
                    setattr(struct, self.names[i], args[i])
        self.last = args
        if len(self.parts) > 1:
            self.program.run()
        else:
            function, bounds, struct = self.call
            function(bounds, struct)

    def write(self, program: Program, args: tuple) -> None:
        """Write it down in a program, with these scalars for good."""
        if not self.cpu:
            raise Unrecordable
        parts = []
        for function, bounds, like in self.parts:
            struct = type(like).from_buffer_copy(like)
            for i in self.scalars:
                setattr(struct, self.names[i], args[i])
            parts.append((function, bounds, struct))
        program.add(parts, self, args)
