"""What an adjoint asks of an energy: how its forces change with parameters and with what a step began from.

Arrays belong to the caller and are added to, so that a run backwards allocates nothing and reads nothing back. Sums go over
fixed chunks in a fixed order, so they do not depend on threads.
"""

import functools
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from ..runtime.build_lock import alone
from ..runtime.device import Device, Types, family
from ..runtime.vectors import Sums, Vectors, sum_functions

Public = dict[tuple[int | None, str], np.ndarray]  # by number of a part, None for the whole scene, and public name
CHUNK = 256  # items that one thread adds up
STEP = {"f64": 2e-5, "f32": 5e-3}  # of an element's size, over which a tangent is compared with itself


@dataclass(frozen=True)
class Slot:
    """Shape and type of the array that belongs to a parameter; the shape None stands for one entry per node of the scene."""

    shape: tuple[int, ...] | None
    dtype: Any

    def new(self, device: Device, nodes: int) -> wp.array:
        return device.zeros((nodes,) if self.shape is None else self.shape, self.dtype)


class Differentiable:
    """Part of energies: derivatives of the forces by all that is no position of the step."""

    device: Device

    @property
    def parameters(self) -> dict[str, Slot]:
        """Name → kind of every quantity on the device that ``sensitivity`` knows, stored as the energy stores it."""
        return {}

    @property
    def past(self) -> dict[str, Slot]:
        """Name → kind of all that a step begins from and ``history`` knows.

        ``target``, ``anchor`` and ``at`` are those of Step; ``memory.name`` is an array of the energy's memory.
        """
        return {}

    @property
    def undifferentiable(self) -> str | None:
        """Why derivatives of this energy are missing or wrong, and what to use instead; None where all of them are there."""
        return None

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        """into[name] += d · ∂²E/∂x∂p for those of ``parameters`` that ``into`` has."""

    def history(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        """into[name] += d · ∂²E/∂x∂(what the step began from) for those of ``past`` that ``into`` has."""

    def accept_back(
        self, x: wp.array, time: float, memory: dict[str, wp.array], into: dict[str, wp.array], out: wp.array
    ) -> None:
        """The transpose of ``accept``, with what the energy remembered before it in place.

        ``memory`` has derivatives by what it remembers after the step, as named in ``past``, which become those by what it
        remembered before; into[name] += those by ``parameters``, out += those by x.
        """

    def pulled_back(self, where: Any, gradients: dict[str, np.ndarray]) -> Public:
        """Gradients by what a user writes, for those by ``parameters``; ``where`` is the layout or part as in ``adopt``.

        (None, "mass") stands for the masses of all nodes, which belong to the densities.
        """
        return {}

    def parameter_arrays(self, nodes: int) -> dict[str, wp.array]:
        """Arrays for ``sensitivity`` in a scene of so many nodes, all 0, to be kept as long as they are added to."""
        return {name: slot.new(self.device, nodes) for name, slot in self.parameters.items()}

    def past_arrays(self, nodes: int) -> dict[str, wp.array]:
        """The same for ``history``."""
        return {name: slot.new(self.device, nodes) for name, slot in self.past.items()}


@alone
@functools.cache
def segment_kernels(width: int, precision: str) -> SimpleNamespace:
    """Sums over lists of items; ``width`` entries each, 0 for plain numbers."""
    t = Types(precision, f"segments_{width}")
    kind = t.vector(width) if width else t.real
    ints, values_ = wp.array(dtype=wp.int32), wp.array(dtype=kind)

    @t.kernel
    def chunks(start: int, edges: ints, items: ints, values: values_, parts: values_):
        c = start + wp.tid()
        total = kind(t.real(0.0))
        for i in range(edges[c], edges[c + 1]):
            total += values[items[i]]
        parts[c] = total

    @t.kernel
    def rows(start: int, edges: ints, parts: values_, out: values_):
        r = start + wp.tid()
        total = out[r]
        for c in range(edges[r], edges[r + 1]):
            total += parts[c]
        out[r] = total

    return SimpleNamespace(chunks=chunks, rows=rows)


class Segments:
    """out[r] += Σ values[i] over the items i with owner r, of values with ``width`` entries (0 for plain numbers)."""

    def __init__(self, device: Device, owner: np.ndarray, rows: int, width: int):
        self.device, self.kernels, self.rows = device, segment_kernels(width, device.precision), rows
        owner = np.asarray(owner)
        counts = np.bincount(owner, minlength=rows)
        pieces = -(-counts // CHUNK)
        starts = np.concatenate([[0], np.cumsum(counts)])
        edges = [starts[r] + CHUNK * np.arange(n) for r, n in enumerate(pieces)]
        edges = np.concatenate([*edges, [len(owner)]])
        t = device.types
        self.count = int(pieces.sum())
        self.items = device.array(np.argsort(owner, kind="stable"), wp.int32)
        self.edges = device.array(edges, wp.int32)
        self.bounds = device.array(np.concatenate([[0], np.cumsum(pieces)]), wp.int32)
        self.parts = device.zeros(max(self.count, 1), t.vector(width) if width else t.real)

    def add(self, values: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.chunks, self.count, self.edges, self.items, values, self.parts, grain=4)
        self.device.launch(self.kernels.rows, self.rows, self.bounds, self.parts, out)


@family
def sensitivity_kernels(t):
    real, vec3, position = t.real, t.vec3, t.position
    of = sum_functions(t)
    doubles = wp.array2d(dtype=wp.float64)

    @t.kernel
    def add_total(start: int, scale: wp.float64, parts: doubles, out: wp.array(dtype=real)):
        """out[0] += scale times the sum; one block of threads."""
        i = start + wp.tid()
        total = of.row_sum(parts, i)
        if i == 0:
            out[0] = out[0] + real(scale * total)

    @t.kernel
    def minus_length(start: int, e: wp.array(dtype=vec3), out: wp.array(dtype=real)):
        i = start + wp.tid()
        out[i] = -wp.length(e[i])

    @t.kernel
    def longest(start: int, parts: doubles, out: wp.array(dtype=real)):
        i = start + wp.tid()
        least = of.row_least(parts, i)
        if i == 0:
            out[0] = real(-least)

    @t.kernel
    def beside(
        start: int,
        # params:
        step: real,
        scale: real,
        # in:
        longest: wp.array(dtype=real),
        at: wp.array(dtype=position),
        e: wp.array(dtype=vec3),
        d: wp.array(dtype=vec3),
        # out:
        after: wp.array(dtype=position),
        before: wp.array(dtype=position),
        ahead: wp.array(dtype=vec3),
        back: wp.array(dtype=vec3),
    ):
        """at ± ε e, and ± scale/(2ε) d, with ε so that the longest e moves by ``step``."""
        i = start + wp.tid()
        size = longest[0]
        move = (step / wp.max(size, real(1.0e-30))) * e[i]
        share = (real(0.5) * scale * size / step) * d[i]
        after[i] = at[i] + position(move)
        before[i] = at[i] - position(move)
        ahead[i] = share
        back[i] = -share

    @t.kernel
    def accumulate(start: int, scale: real, values: wp.array(dtype=real), out: wp.array(dtype=real)):
        i = start + wp.tid()
        out[i] = out[i] + scale * values[i]

    return locals()


def add_sum(sums: Sums, scale: float, parts: wp.array, out: wp.array) -> None:
    """out[0] += scale times the sum of ``parts`` of one group."""
    sums.use(sensitivity_kernels(sums.device.precision).add_total, float(scale), parts, out)


class Along:
    """The derivative along e of anything linear in d, by central differences: f(at + εe, d/2ε) + f(at − εe, −d/2ε)."""

    def __init__(self, device: Device, count: int, size: float):
        self.device, self.count, self.step = device, count, STEP[device.precision] * float(size)
        self.vectors, real = Vectors(device, count), device.types.real
        self.after, self.before = (self.vectors.positions() for _ in range(2))
        self.ahead, self.back = (self.vectors.new() for _ in range(2))
        self.lengths, self.longest = device.zeros(count, real), device.zeros(1, real)

    def pairs(self, at: wp.array, e: wp.array, d: wp.array, scale: float) -> tuple[tuple[wp.array, wp.array], ...]:
        """The two places with their directions; what is linear in the direction, added up over both, is the derivative."""
        kernels, sums = sensitivity_kernels(self.device.precision), self.vectors.sums
        self.device.launch(kernels.minus_length, self.count, e, self.lengths)
        sums.use(kernels.longest, sums.parts(sums.kernels.min_chunk, self.lengths), self.longest)
        out = (self.after, self.before, self.ahead, self.back)
        self.device.launch(kernels.beside, self.count, self.step, float(scale), self.longest, at, e, d, *out)
        return (self.after, self.ahead), (self.before, self.back)
