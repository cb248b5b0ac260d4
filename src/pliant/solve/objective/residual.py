"""Residual: force balance of the worst body.

A body's residual is |Σ f| / Σ |f| over all energies, inertia among them, norms taken over the nodes of the body: a light body
next to a heavy one has the same tolerance as alone. No force is negligible in absolute terms. But forces from
rounding must not be iterated on: in f64 an energy of stiffness k at nodes x away from the origin has a
force of ε k x even at rest. In f32 positions are double and differences of neighbours are rounded, so that it is ε k h, with
h the distance of neighbours. A body none of whose energies pushes harder than that is at rest, and its residual is 0.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

import numpy as np
import warp as wp

from ...energy.base import Energy
from ...energy.capabilities import Constraint, DoublePrecision
from ...energy.memory import Memory, Parents, Remembers
from ...runtime.device import Device
from ...runtime.vectors import Sums, vector_kernels
from .objective_kernels import objective_kernels

MOST_GROWN = 1.02  # nodes over those before a cut or a tear, above which stiffnesses are estimated again
TURNED = 8.0  # times that rounding, of a rigid body: its positions are rounded as it rotates, anywhere
SOLVED = 0.01  # of that rounding, with forces in double precision: the residual of linear solves in single precision
WIDTH = 5  # numbers of a group: size and scale of its worst body, its index, the residual beyond rounding, twice


@dataclass(frozen=True)
class Residual:
    """The scaled residual of the worst body: 0 where all forces cancel, 1 where none does.

    ``unexplained`` is the largest that rounding cannot be blamed for, ``resolved`` the largest above what rounding makes as a
    rule, ``body`` the name of the worst where there are several.
    """

    value: float
    unexplained: float
    body: str = ""
    resolved: float = math.inf

    @property
    def of(self) -> str:
        """For sentences: whose it is."""
        return f" of {self.body!r}" if self.body else ""


class Residuals(Remembers):
    """Magnitudes of forces over the nodes of each body; bodies are contiguous, and so are groups of bodies.

    ``bodies`` (b+1,) are the first rows of the bodies, ``bounds`` (g+1,) those of the groups. The memory is what rounding was
    found to make of each energy before a tear, which a few more nodes do not change.
    """

    def __init__(self, device: Device, energies: list[Energy], bounds: np.ndarray, bodies: np.ndarray, names: Sequence[str]):
        self.device, self.energies, self.starts, self.names = device, energies, np.asarray(bodies), tuple(names)
        self.kernels, self.dot = objective_kernels(device.precision), vector_kernels(device.precision).dot_chunk
        self.sums, self.count = Sums(device, self.starts), len(self.starts) - 1
        self.first = np.searchsorted(self.starts, bounds)
        named = self.names if len(self.names) == self.count else ("",) * self.count
        several = np.repeat(np.diff(self.first) > 1, np.diff(self.first))
        self._labels = [name if shown else "" for name, shown in zip(named, several)]
        self.relative = device.precision == "f32"  # positions are more precise than forces
        self.spacing = np.zeros(0)  # distance of each node from its neighbours [m], where rounding is relative to it
        self._groups = device.array(self.first, wp.int32)
        self._bodies = device.zeros((self.count, 4), wp.float64)
        self._reach = device.zeros(self.count, wp.float64)
        self._rounding: wp.array | None = None
        self._shaken: wp.array | None = None
        self.resolution = device.zeros(len(bounds) - 1, wp.float64)  # of the energy of each group [J]
        self.coarsest = 0.0  # of all of them
        self._known: dict[int, tuple[tuple, np.ndarray]] = {}
        self._given = np.zeros(0)  # the memory: (energies, 2, bodies), flattened
        self._versions: list[int] = []  # of the energies when it was given
        self._memory = {"sizes": device.array(self._given, wp.float64)}

    def refresh(self, rest: wp.array, mask: Callable[[wp.array], None], instead: Container[Energy] = ()) -> None:
        """Update changed stiffnesses at the rest positions; called before ``begin``, outside captured graphs.

        Energies in ``instead``, whose gradients a solver takes from elsewhere, are skipped.
        """
        changed = len(self._known) != len(self.energies)
        for i, energy in enumerate(self.energies):
            stamp = (energy in instead, *_stamp(energy))
            if i not in self._known or self._known[i][0] != stamp:
                none = energy in instead or type(energy).tangent is Energy.tangent  # forces independent of positions
                if none or not self._is_given(i):
                    probed = np.zeros((2, self.count)) if none else self._probe(energy, rest, mask)
                    self._renew(i, probed)
                else:
                    probed = self._given.reshape(-1, 2, self.count)[i]
                self._known[i], changed = (stamp, probed), True
        if changed:
            known = np.finfo(self.device.types.numpy).eps * np.array([probed for _, probed in self._known.values()])
            stiffness, energy = known[:, 0], np.add.reduceat(known[:, 1].sum(axis=0), self.first[:-1])
            if self._rounding is None or self._rounding.shape != stiffness.shape:
                self._rounding = self.device.array(stiffness, wp.float64)
            else:
                self._rounding.assign(stiffness)
            self.resolution.assign(energy)
            self.coarsest = float(energy.sum())

    def _is_given(self, i: int) -> bool:
        """Whether the memory is current for the energy of that number."""
        return bool(self._given.size) and i not in self._known and self._versions[i] == _version(self.energies[i])

    def _renew(self, i: int, probed: np.ndarray) -> None:
        """Store the estimates of one energy in the memory, unless it is empty."""
        if self._given.size and not np.array_equal(self._given.reshape(-1, 2, self.count)[i], probed):
            self._given.reshape(-1, 2, self.count)[i] = probed
            self._memory["sizes"].assign(self._packed(self._given))

    @property
    def memory(self) -> Memory:
        return self._memory

    def recall(self, memory: Memory) -> None:
        """Restore old estimates; an empty memory estimates again."""
        self._take(memory["sizes"].numpy())

    def _take(self, values: np.ndarray) -> None:
        fits = len(values) > 1 and values[0] == self._kinds and len(values) == 1 + 2 * self.count * len(self.energies)
        values = values[1:] if fits else np.zeros(0)  # a tear may add other energies
        if not np.array_equal(values, self._given):
            self._given, self._known = values.copy(), {}
            self._memory = {"sizes": self.device.array(self._packed(self._given), wp.float64)}
        self._versions = [_version(energy) for energy in self.energies]

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """All estimates, for a mesh with a few nodes more."""
        return {"sizes": self.device.array(self._for_more(nearest, count), wp.float64)}

    def carry(self, nearest: np.ndarray, count: int) -> None:
        """Use these on the same rows, some of them spare until now."""
        self._take(self._for_more(nearest, count))

    def _for_more(self, nearest: np.ndarray, count: int) -> np.ndarray:
        sizes = self._given
        if len(self._known) == len(self.energies):
            sizes = np.array([probed for _, probed in self._known.values()])
        few = len(nearest) <= MOST_GROWN * count
        return self._packed(sizes.ravel() if few else np.zeros(0))

    @property
    def _kinds(self) -> float:
        """A number that identifies the kinds of energies."""
        return float(zlib.crc32("|".join(type(energy).__name__ for energy in self.energies).encode()))

    def _packed(self, sizes: np.ndarray) -> np.ndarray:
        """Sizes preceded by the number of the energies' kinds, unless empty."""
        return np.append(self._kinds, sizes) if sizes.size else sizes

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        """Raise ValueError where arrays from a file cannot be such a memory."""
        sizes, whole = saved.get("sizes"), 1 + 2 * self.count * len(self.energies)
        if sizes is None or sizes.ndim != 1 or sizes.dtype.kind != "f" or len(sizes) not in (0, whole):
            raise ValueError(f"sizes of rounding are not a list of {whole} numbers, or an empty one")
        if not np.isfinite(sizes).all() or (sizes < 0).any():
            raise ValueError("sizes of rounding are not finite, or below 0")

    def _probe(self, energy: Energy, rest: wp.array, mask: Callable[[wp.array], None]) -> np.ndarray:
        """(2, b) of each body: the force if all nodes are shaken by 1 m along each axis [N/m], or ``relative`` by the
        distance of their neighbours [N], and the energy X·KX [J] that a strain of 1 would take: with ε, what rounding makes of
        the force and of the energy of a body at rest."""
        if self._shaken is None:
            signs, X = np.random.default_rng(0).integers(0, 2, (rest.shape[0], 3)) * 2.0 - 1.0, rest.numpy()
            if self.relative:
                self.spacing = _spacing(self.energies, X)
                signs, counts = signs * self.spacing[:, None], np.diff(self.starts)
                X = X - np.repeat(np.add.reduceat(X, self.starts[:-1], axis=0) / counts[:, None], counts, axis=0)
            self._strain, kind = X, self.device.types.vec3
            self._shaken = self.device.array(signs, kind)
            self._strained = self.device.array(X, kind) if self.relative else rest
            self._force = self.device.zeros(rest.shape[0], kind)
        products = []
        for d in (self._shaken, self._strained):
            self.device.clear(self._force)
            energy.tangent(rest, d, self._force)
            mask(self._force)
            products.append(self._force.numpy().astype(float))
        others = (products[0], self._strain)
        each = [np.einsum("ni,ni->n", *pair) for pair in zip(products, others)]
        each[1] = np.abs(each[1])
        sizes = np.array([np.add.reduceat(values, self.starts[:-1]) for values in each])
        sizes[0] = np.sqrt(sizes[0])
        if not self.relative and energy.rigid_rows:
            sizes[0] *= TURNED
        if self.relative and isinstance(energy, DoublePrecision) and not self._constrained:
            sizes *= SOLVED
        return np.where(np.isfinite(sizes), sizes, 0.0)

    @property
    def _constrained(self) -> bool:
        """Whether forces result from linear solves, which have the precision of the device."""
        return any(isinstance(energy, Constraint) for energy in self.energies)

    def begin(self, x: wp.array) -> None:
        """Forget the forces of before."""
        parts = self.sums.parts(self.dot, x, x)
        self.sums.use(self.kernels.begin, self.sums.bounds, int(self.relative), parts, self._reach, self._bodies)

    def take(self, energy: int, free: wp.array, force: wp.array, total: wp.array) -> None:
        """Count the force of the energy of that number, add what is ``free`` of it to the total, and clear it."""
        parts = self.sums.parts(self.kernels.take_force, free, force, total)
        self.sums.use(self.kernels.add_force, energy, self._rounding, self._reach, parts, self._bodies)

    def end(self, total: wp.array, out: wp.array) -> None:
        """out (groups, WIDTH), with the sum of all forces in ``total``."""
        self.sums.use(self.kernels.put_size, self.sums.parts(self.dot, total, total), self._bodies)
        self.device.launch(self.kernels.worst, out.shape[0], self._groups, self._bodies, out)

    def read(self, row: np.ndarray) -> Residual:
        """The residual in a row of ``out``."""
        size, scale, body, unexplained, resolved = row.tolist()
        value = (size / scale if scale > 0 else 0.0) if math.isfinite(size) else math.inf
        return Residual(value, unexplained, self._labels[int(body)], resolved if self.relative else math.inf)


def _spacing(energies: list[Energy], rest: np.ndarray) -> np.ndarray:
    """(n,) mean length [m] of the edges around each node, over all pairs coupled by energies."""
    total, times = np.zeros(len(rest)), np.zeros(len(rest))
    for cells in (energy.cells() for energy in energies):
        if cells is not None and len(cells) and cells.shape[1] > 1:
            first, length = rest[cells[:, 0]], np.zeros(len(cells))
            for corner in cells.T[1:]:  # one after the other: a table of all differences takes twice the time
                apart = rest[corner] - first
                length += np.sqrt(np.einsum("ij,ij->i", apart, apart))
            length /= cells.shape[1] - 1
            total += np.bincount(cells.ravel(), np.repeat(length, cells.shape[1]), len(rest))
            times += np.bincount(cells.ravel(), minlength=len(rest))
    return np.divide(total, times, out=np.zeros(len(rest)), where=times > 0)


def _version(energy: Energy) -> int:
    """Counts changes of an energy's parameters."""
    return getattr(energy, "version", 0)


def _stamp(energy: Energy) -> tuple:
    """Changes where the stiffness of an energy does."""
    return (*getattr(energy, "stamp", ()), energy.recordable)
