"""The contract of every effect: an energy of the positions with a few verbs. Each verb adds to what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..elements.base import Elements
from ..vectors import Sums
from .gather import gather_kernels

REACH = 8  # nodes that a point may hang on: the corners of a lattice cell


@dataclass(frozen=True, eq=False)
class Tethers:
    """r springs of stiffness k that each hang on a few nodes: A + Σ k u uᵀ with u the weights of the nodes.

    ``version`` differs where anything else does.
    """

    nodes: np.ndarray  # (r, REACH)
    weights: np.ndarray  # (r, REACH), 0 where fewer nodes are meant
    stiffness: np.ndarray  # (r,)
    version: int


class Energy:
    """Base of all energies. ``x`` is the scene's positions; a subclass overrides the verbs that are not zero for it.

    ``bounds`` cuts the nodes into groups whose values are kept apart, the scenes of a batch; None for one group.
    """

    name = "energy"
    bounds: np.ndarray | None = None

    def __init__(self, device: Device):
        self.device = device

    def measure(self, x: wp.array, out: wp.array) -> None:
        """out[g] += (E, |E|) [J] of each group's nodes, with no word to the host."""

    def value(self, x: wp.array) -> float:
        """E(x) [J]."""
        if not hasattr(self, "_measured"):
            self._measured = self.device.zeros((1 if self.bounds is None else len(self.bounds) - 1, 2), wp.float64)
        self._measured.zero_()
        self.measure(x, self._measured)
        return float(self._measured.numpy()[:, 0].sum())

    def gradient(self, x: wp.array, out: wp.array) -> None:
        """out += ∂E/∂x [N]."""

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        """out += ∂²E/∂x² · d [N]; positive semi-definite where ``project`` is set."""

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        """pattern.values += ∂²E/∂x²."""

    def sensitivity(self, x: wp.array, d: wp.array) -> np.ndarray | None:
        """d · ∂²E/∂x∂p as (rows, parameters), or None where there are no parameters."""
        return None

    def measure_and_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        """Both at once, for energies that share work between them."""
        self.gradient(x, gradient)
        self.measure(x, out)

    def laplacian(self, count: int) -> sparse.csr_matrix | None:
        """A constant (count, count) matrix L such that L ⊗ I₃ stands in for the Hessian wherever the body is; None for none."""
        return None

    def project(self, x: wp.array, out: wp.array) -> bool:
        """out += b(x), where E ≤ ½ zᵀLz − b·z + constant for every z, with equality at z = x (Eq 5.6).

        L is the laplacian. For a projective energy b is J p(x) and its linear terms; False, and nothing added, where the
        energy has no such bound.
        """
        return False

    @property
    def stamp(self) -> tuple:
        """Changes whenever the laplacian does."""
        return ()

    @property
    def tethers(self) -> Tethers | None:
        """Stiff springs between few nodes that come and go, so that they are no part of the laplacian; None for none."""
        return None

    @property
    def baked(self) -> tuple:
        """Plain numbers that launches take along: those of a captured graph change only when it is captured anew."""
        return ()

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> bool:
        """out[g, 0] = the largest safe fraction of d where that is less; False for energies that no step can break."""
        return False

    def step_limit(self, x: wp.array, d: wp.array) -> float:
        """Largest safe fraction of d, at most 1."""
        out = self.device.array(np.ones((1 if self.bounds is None else len(self.bounds) - 1, 1)), wp.float64)
        return float(out.numpy().min()) if self.safe(x, d, out) else 1.0

    def items(self) -> np.ndarray:
        """A node of each item that ``sums`` adds up, group by group: every node, unless items are elements."""
        return np.arange(self.count)

    @cached_property
    def sums(self) -> Sums:
        """Sums over the items of each group."""
        nodes = self.items()
        bounds = np.array([0, len(nodes)])
        if self.bounds is not None:
            group = np.searchsorted(self.bounds, nodes, "right") - 1
            bounds = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(self.bounds) - 1))])
        return Sums(self.device, bounds)

    def cells(self) -> np.ndarray | None:
        """(m, k) groups of nodes that this energy couples, for the sparsity pattern."""
        return None

    def attach(self, pattern: Pattern) -> None:
        """Prepare ``blocks`` for this sparsity pattern."""


class Pattern:
    """A fixed block-sparse symmetric matrix over nodes: rows, columns and 3×3 values. Without cells it is its diagonal."""

    def __init__(self, device: Device, count: int, cells: list[np.ndarray]):
        self.device, self.count = device, count
        keys = [np.arange(count, dtype=np.int64) * (count + 1)]
        for group in cells:
            group = group.astype(np.int64)
            for i in range(group.shape[1]):
                for j in range(group.shape[1]):
                    if i != j:
                        keys.append(np.unique(group[:, i] * count + group[:, j]))
        self.keys = np.unique(np.concatenate(keys))
        rows = self.keys // count
        self.row_start = np.searchsorted(rows, np.arange(count + 1)).astype(np.int32)
        self.columns = (self.keys % count).astype(np.int32)
        self.diagonal = self.find(np.arange(count), np.arange(count))
        mat33 = device.types.mat33
        self.device_rows = device.array(self.row_start, wp.int32)
        self.device_columns = device.array(self.columns, wp.int32)
        self.device_diagonal = device.array(self.diagonal, wp.int32)
        self.values = device.zeros(len(self.columns), mat33)

    @property
    def entries(self) -> int:
        return len(self.columns)

    @property
    def is_diagonal(self) -> bool:
        return self.entries == self.count

    def find(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Positions of (row, column) entries in ``values``, −1 for those it does not have."""
        keys = np.asarray(rows, dtype=np.int64) * self.count + np.asarray(columns, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), self.entries - 1)
        return np.where(self.keys[at] == keys, at, -1).astype(np.int32)

    def clear(self) -> None:
        self.values.zero_()

    def multiply(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale A x."""
        kernel = gather_kernels(self.device.precision).add_product
        mesh = (self.device_rows, self.device_columns)
        self.device.launch(kernel, self.count, *mesh, float(scale), self.values, x, out, grain=1024)


def gather_lists(targets: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each target 0 … count−1: where its contributions are, as (starts, indices), in ascending order."""
    order = np.argsort(targets, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(targets, minlength=count))])
    return starts.astype(np.int32), order.astype(np.int32)


class BlockGather:
    """Element matrices, pair of corners by pair, summed into a pattern; a pair off the diagonal serves both its places."""

    def __init__(self, device: Device, pattern: Pattern, cells: np.ndarray, pairs: list[tuple[int, int]]):
        self.device, m = device, len(cells)
        nodes = cells.astype(np.int64)
        targets, sources = [], []
        for row, (i, j) in enumerate(pairs):
            here = np.arange(m) + row * m
            targets.append(pattern.find(nodes[:, i], nodes[:, j]))
            sources.append(here)
            if i != j:
                targets.append(pattern.find(nodes[:, j], nodes[:, i]))
                sources.append(-here - 1)  # the transpose
        target, source = np.concatenate(targets), np.concatenate(sources)
        target, source = target[target >= 0], source[target >= 0]
        used, inverse = np.unique(target, return_inverse=True)
        starts, order = gather_lists(inverse, len(used))
        self.targets = device.array(used, wp.int32)
        self.starts, self.lists = device.array(starts, wp.int32), device.array(source[order], wp.int32)
        self.parts = device.zeros((len(pairs), m), device.types.mat33)
        self._flat = self.parts.flatten()

    def add_to(self, pattern: Pattern) -> None:
        """pattern.values += the sums of ``parts``."""
        kernel = gather_kernels(self.device.precision).gather_blocks
        count = self.targets.shape[0]
        self.device.launch(kernel, count, self.targets, self.starts, self.lists, self._flat, pattern.values, grain=1024)


class OnElements:
    """Part of energies whose elements each write what they give to their corners, which every node then sums.

    ``first`` is the row of the body's first node in the scene.
    """

    def __init__(self, device: Device, elements: Elements, first: int):
        super().__init__(device)
        t = device.types
        self.elements, self.first, self.version = elements, first, 0  # the version counts changes of the parameters
        self.count, self.k = elements.nodes.shape
        self.local = len(elements.rest)
        self.nodes = device.array(elements.nodes.T + first, wp.int32)
        starts, lists = gather_lists(elements.nodes.T.reshape(-1), self.local)
        self.starts, self.lists = device.array(starts, wp.int32), device.array(lists, wp.int32)
        self.corner = device.zeros((self.k, self.count), t.vec3)
        self.corner_flat = self.corner.flatten()
        self.scalar = device.zeros(self.count, t.real)
        self._nodal: sparse.csr_matrix | None = None

    @property
    def stamp(self) -> tuple:
        return (self.version,)

    def items(self) -> np.ndarray:
        return self.elements.nodes[:, 0] + self.first

    def cells(self) -> np.ndarray:
        return self.elements.nodes + self.first

    def gather(self, out: wp.array) -> None:
        """out += what the elements gave to their corners."""
        kernel = gather_kernels(self.device.precision).gather_vectors
        self.device.launch(
            kernel, self.local, self.starts, self.lists, self.first, self.corner_flat, out, grain=512
        )

    def add_values(self, out: wp.array) -> None:
        """out[g] += the energies of the elements in ``scalar``."""
        self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self.scalar)

    def nodal(self, values: np.ndarray) -> np.ndarray:
        """(local,) means at the body's nodes of the values (m,) of the elements around each, weighted by volume."""
        if self._nodal is None:
            nodes, volume = self.elements.nodes, self.elements.volumes
            entries = (np.repeat(volume, self.k), (nodes.ravel(), np.repeat(np.arange(self.count), self.k)))
            spread = sparse.csr_matrix(entries, shape=(self.local, self.count))
            share = np.asarray(spread.sum(axis=1)).ravel()
            self._nodal = sparse.diags(np.divide(1.0, share, out=np.zeros_like(share), where=share > 0)) @ spread
        return self._nodal @ values

    def assembled(self, blocks: np.ndarray, count: int) -> sparse.csr_matrix:
        """(count, count) sum of symmetric element matrices (m, k, k)."""
        nodes = self.cells()
        i, j = np.broadcast_to(nodes[:, :, None], blocks.shape), np.broadcast_to(nodes[:, None, :], blocks.shape)
        total = sparse.coo_matrix((blocks.reshape(-1), (i.reshape(-1), j.reshape(-1))), shape=(count, count)).tocsr()
        lower = sparse.tril(total, -1, format="csr")  # mirrored, so that entries that cancel vanish on both sides
        return lower + lower.T + sparse.diags(total.diagonal(), format="csr")

    def pairs(self, reach: int | None = None) -> list[tuple[int, int]]:
        """Corner pairs of the element matrix's upper triangle, up to ``reach`` off the diagonal."""
        reach = self.k - 1 if reach is None else reach
        return [(i, j) for i in range(self.k) for j in range(i, min(self.k, i + reach + 1))]

    def attach(self, pattern: Pattern) -> None:
        self._assembly = BlockGather(self.device, pattern, self.cells(), self.pairs(0 if pattern.is_diagonal else None))

    def reach(self, assembly: BlockGather) -> int:
        """How far off the diagonal the blocks of ``assembly`` go."""
        return 0 if assembly.parts.shape[0] == self.k else self.k - 1
