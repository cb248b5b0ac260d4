"""Base of energies: a function of positions with derivatives."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ..elements.base import Elements
from ..errors import InputError
from ..linear.matrix.background import Pass
from ..linear.matrix.block_matrix import BlockGather, BlockMatrix
from ..linear.matrix.gather import BLOCK, folded_lists, gather_kernels, gather_lists
from ..linear.matrix.sparsity_pattern import Pattern
from ..material.base import Material
from ..runtime.device import Device
from ..runtime.vectors import Sums
from .capabilities import Attached, Fused, Lagged, Limited, Observable, Placed, Stopping
from .element_matrix import summed, without_zeros
from .memory import Memory, Remembers
from .quadratic_bound import Majorised
from .sensitivity import Differentiable


@dataclass(frozen=True, eq=False)
class Step:
    """What energies learn where a step begins: the time [s] at which forces act, and the scheme's numbers.

    ``at`` is where the scheme expects the step to end [m], or where the bodies are if there is no step. Damping sees the
    velocity rate (z − anchor) [1/s, m]; inertia pulls with c/h² [1/s²] times the mass towards ``target`` [m].
    Both are switched off where their factor is 0, and nobody looks at the arrays then.
    """

    at: wp.array
    time: float
    rate: float = 0.0
    anchor: wp.array | None = None
    inertia: float = 0.0
    target: wp.array | None = None
    start: wp.array | None = None  # where the bodies are as the step begins [m]
    begun: float = 0.0  # when it begins [s]
    lasts: float = 0.0  # how long it is until ``time`` [s]; 0 where forces are those of a state
    # ``start``, but for rigid bodies z less the way that their velocity at y is in this time [m]
    origin: wp.array | None = None


# verbs that are asked of energies with a capability alone; a stamp is asked of all that have one
ASKED = {
    owner: {
        name: verb for name, verb in vars(owner).items()
        if not name.startswith("_") and name != "stamp" and (callable(verb) or isinstance(verb, property))
    }
    for owner in (Limited, Fused, Attached, Placed, Majorised, Differentiable, Remembers, Lagged, Stopping, Observable)
}  # fmt: skip


class Energy:
    """Base of all energies. ``x`` is the scene's positions; a subclass overrides the verbs that are not zero for it.

    ``bounds`` cuts the nodes into groups whose values are kept apart, the scenes of a batch; None for one group.
    ``parts`` are the numbers of the parts whose material it stands for, if any. What only some energies can do is in
    capabilities.py, in classes to mix in.
    """

    name = "energy"
    ahead: wp.array | None = None  # where bodies would be after the step under way if nothing but inertia moved them
    rigid_rows: tuple[int, ...] = ()  # of the rigid bodies that it keeps so, the first of four nodes each
    parts: tuple[int, ...] = ()
    material: Material | None = None  # the law that it stands for, if any
    bounds: np.ndarray | None = None

    def __init__(self, device: Device):
        self.device = device

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        for owner, verbs in ASKED.items():
            own = [name for name, verb in verbs.items() if hasattr(cls, name) and getattr(cls, name) is not verb]
            name, kind = cls.__name__, f"capabilities.{owner.__name__}"
            if own and not issubclass(cls, owner):
                raise InputError(
                    f"{name}.{own[0]}: this method needs its capability to be called; expected class {name}({kind}, Energy), or "
                    "another name for the method"
                )
            if issubclass(cls, owner) and not own:
                raise InputError(f"class {name}({kind}): has none of its methods; expected {' or '.join(verbs)}")

    # --- life

    def begin(self, step: Step) -> None:
        """A step begins, or the time of a state at rest is set: move targets, take up the scheme's numbers."""

    def accept(self, x: wp.array, time: float) -> None:
        """A good step has ended at positions x and ``time`` [s]: change what ``memory`` holds, here and nowhere else."""

    @property
    def memory(self) -> Memory:
        """What a later step depends on and is no function of positions, time and values: name → array, whose items, those of
        ``sums``, run along the last axis."""
        return {}

    def adopt(self, where: Any) -> None:
        """Take over the values of the part or layout that the energy was made for: others, on the same shapes."""

    # --- physics

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        """out[g] += (E, |E|) [J] of each group's nodes, by launches alone: nothing is read back."""

    def value(self, x: wp.array) -> float:
        """E(x) [J]."""
        if not hasattr(self, "_value"):
            self._value = self.device.zeros((1 if self.bounds is None else len(self.bounds) - 1, 2), wp.float64)
        self.device.clear(self._value)
        self.evaluate(x, self._value)
        return float(self._value.numpy()[:, 0].sum())

    def gradient(self, x: wp.array, out: wp.array) -> None:
        """out += ∂E/∂x [N]."""

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        """out += ∂²E/∂x² · d [N]; positive semi-definite where ``project`` is set."""

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        """pattern.values += ∂²E/∂x²."""

    @property
    def recordable(self) -> tuple | None:
        """Plain numbers that launches take along: with the same ones, the verbs launch the same kernels on the same arrays
        every time, so that they may be recorded. None, unless overridden, for energies that make no such promise."""
        return None

    @cached_property
    def sums(self) -> Sums:
        """Sums over the items of each group: over all nodes, unless items are others."""
        return sums_over(self, np.arange(self.count))

    def cells(self) -> np.ndarray | None:
        """(m, k) groups of nodes that this energy couples, for the sparsity pattern."""
        return None

    sparsity = 0  # counts changes of ``cells``, after which the matrix is laid out anew


def sums_over(energy: Energy, nodes: np.ndarray) -> Sums:
    """Sums over the items of each group of an energy, which lie group by group; ``nodes`` has a node of each."""
    bounds = np.array([0, len(nodes)])
    if energy.bounds is not None:
        group = np.searchsorted(energy.bounds, nodes, "right") - 1
        bounds = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(energy.bounds) - 1))])
    return Sums(energy.device, bounds)


Lists = tuple[np.ndarray, np.ndarray, np.ndarray]
_FORESEEN: weakref.WeakKeyDictionary[Elements, tuple[bool, Pass]] = weakref.WeakKeyDictionary()


def corner_lists(elements: Elements, folded: bool) -> Lists:
    """What is folded, and for each node where what it sums begins and is: in the order of the corners, first ones first."""
    if folded:
        return folded_lists(elements.nodes, len(elements.rest))
    return np.zeros(1), *gather_lists(elements.nodes.T.reshape(-1), len(elements.rest))


def known_lists(elements: Elements, folded: bool) -> Lists:
    """The same, where they were foreseen without work."""
    foreseen, lists = _FORESEEN.pop(elements, (None, None))
    return lists.end() if foreseen is folded else corner_lists(elements, folded)


def foresee(elements: Elements, folded: bool, wait: bool) -> None:
    """Make these lists, or begin to in a thread, for an energy that is made of the elements later."""
    _FORESEEN[elements] = folded, Pass(corner_lists, elements, folded, wait=wait)


class OnElements(Attached):
    """Part of energies whose elements each write what they give to their corners, which every node then sums.

    ``first`` is the row of the body's first node in the scene. Where ``folded``, the threads of a block sum what they give to
    nodes that they share.
    """

    def __init__(self, device: Device, elements: Elements, first: int, folded: bool = False):
        super().__init__(device)
        t = device.types
        self.elements, self.first, self.version = elements, first, 0  # the version counts changes of the parameters
        self.folded = folded
        self.count, self.k = elements.nodes.shape
        self.local = len(elements.rest)
        self.nodes = device.array(elements.nodes.T + first, wp.int32)
        fold, starts, lists = known_lists(elements, folded)
        shape, self.threads = (self.k, self.count), self.count
        if folded:
            shape, self.threads = (1, len(lists)), -(-self.count // BLOCK) * BLOCK
        self.fold, self.starts, self.lists = (device.array(a, wp.int32) for a in (fold, starts, lists))
        self.corner = device.zeros(shape, t.vec3)
        self.corner_flat = self.corner.flatten()
        self.rows_given = self.local  # rows that ``gather`` adds to
        self.scalar = device.zeros(self.count, t.real)
        self._nodal: dict[int, sparse.csr_matrix] = {}
        self._assembly: Any = None

    @property
    def stamp(self) -> tuple:
        return (self.version,)

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, self.elements.nodes[:, 0] + self.first)

    def cells(self) -> np.ndarray:
        return self.elements.nodes_from(self.first)

    def gather(self, out: wp.array) -> None:
        """out += what the elements gave to their corners."""
        kernel = gather_kernels(self.device.precision).gather_vectors
        self.device.launch(kernel, self.rows_given, self.starts, self.lists, self.first, self.corner_flat, out, grain=128)

    def add_values(self, out: wp.array) -> None:
        """out[g] += the energies of the elements in ``scalar``."""
        self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self.scalar)

    def nodal(self, values: np.ndarray) -> np.ndarray:
        """(local,) means at the body's nodes of the values (m,) or (m, k) of the elements around each, weighted by volume."""
        if values.ndim not in self._nodal:
            nodes, volume = self.elements.nodes, self.elements.volumes
            width = self.k if values.ndim == 1 else 1
            columns = np.arange(nodes.size) // width
            entries = (np.repeat(volume, self.k), (nodes.ravel(), columns))
            spread = sparse.csr_matrix(entries, shape=(self.local, nodes.size // width))
            share = np.asarray(spread.sum(axis=1)).ravel()
            per_share = np.divide(1.0, share, out=np.zeros_like(share), where=share > 0)
            self._nodal[values.ndim] = sparse.diags(per_share) @ spread
        return self._nodal[values.ndim] @ values.ravel()

    def assembled(self, blocks: np.ndarray, count: int) -> sparse.csr_matrix:
        """(count, count) sum of symmetric element matrices (m, k, k)."""
        return without_zeros(summed(self.cells(), blocks, count))

    def pairs(self, bandwidth: int | None = None) -> list[tuple[int, int]]:
        """Corner pairs of the element matrix's upper triangle, up to ``bandwidth`` off the diagonal."""
        bandwidth = self.k - 1 if bandwidth is None else bandwidth
        return [(i, j) for i in range(self.k) for j in range(i, min(self.k, i + bandwidth + 1))]

    def assembly(self, matrix: BlockMatrix) -> BlockGather:
        """What ``fill`` writes the element matrices into, to be added up in ``matrix``."""
        return BlockGather(self.device, matrix, self.cells(), self.pairs(0 if matrix.is_diagonal else None))

    def attach(self, pattern: BlockMatrix) -> None:
        if getattr(self._assembly, "matrix", None) is not pattern:  # else it was renewed along with the matrix
            self._assembly = self.assembly(pattern)

    def pattern(self, count: int) -> Pattern | None:
        """The entries of its matrix among ``count`` nodes, where they are known to be fewer than all pairs; else None."""
        return None

    def constant(self, count: int) -> sparse.csr_matrix | None:
        """Its tangent among ``count`` nodes where no motion changes it and its blocks are numbers times I₃; else None."""
        return None

    def bandwidth(self, assembly: BlockGather) -> int:
        """How far off the diagonal the blocks of ``assembly`` go."""
        return 0 if assembly.parts.shape[0] == self.k else self.k - 1
