"""Launches bound to their arrays, so that they start again without being made anew, alone or inside a program."""

from __future__ import annotations

import ctypes
import functools
import itertools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import warp as wp

from .program import Program, Unrecordable
from .threads import bound, pool, trusted

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


class Recorded:
    """A kernel bound to its arrays, ready to run again with other scalars."""

    def __init__(self, device: Device, kernel: wp.Kernel, dim: int, args: tuple, slices: int):
        self.kernel, self.cpu, self.last = kernel, device.is_cpu and trusted(slices), args
        self.scalars = [i for i in range(len(args)) if i not in _recorded_places(kernel)]
        if not self.cpu:
            self.command = wp.launch(kernel, dim, [0, *args], device=device.name, record_cmd=True)
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
                self.command.set_param_at_index(i + 1, args[i])
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
