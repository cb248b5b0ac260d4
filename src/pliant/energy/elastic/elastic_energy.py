"""Elastic energy of one body: E(x) = Σ w ψ(F)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.base import Elements
from ...errors import InputError
from ...geometry.mesh.vertex_cells import rows_at
from ...linear.matrix.block_matrix import BlockGather, BlockMatrix, roomy
from ...linear.matrix.gather import BLOCK
from ...material.base import Material
from ...material.mean_stiffness import fitted_stiffness
from ...runtime.device import Device
from ...runtime.scatter_writes import write, write_columns
from ..base import Energy, OnElements, known_lists
from ..capabilities import Attached, Following, InversionPolicy, Invertible, Limited, Lookahead
from ..element_functions import folds, on_device
from ..element_matrix import ElementMatrix, element_matrix
from ..quadratic_bound import Majorised
from ..sensitivity import Differentiable, Segments, Slot
from .corotational_pairs import turned_kernels
from .elastic_kernels import FIELDS, elastic_kernels
from .elastic_sensitivity import add_sensitivity
from .point_stress import gradients_at_points
from .value_cache import ValueCache

GRAIN = 128  # elements per slice worth a thread
MANY = 1024  # elements whose values are worth remembering


class ElasticEnergy(OnElements, Lookahead, Limited, Invertible, Following, Majorised, Differentiable, Energy):
    """Elements of one material; ``first`` is the row of the body's first node in the scene, ``rows`` the parameter row
    of each element (or None for one row)."""

    name = "elastic"
    recordable = ()  # no number of its launches changes
    numbers: np.ndarray | None = None  # (m,) ascending, that elements keep across cuts; where None, how they come
    alone_in: BlockMatrix | None = None  # whose rows have nothing off the diagonal before its blocks are added
    averaged = False  # whether the volume of its elements is kept by another energy, as means

    def __init__(self, device: Device, elements: Elements, material: Material, first: int = 0, rows: np.ndarray | None = None):
        _m, q, k, _ = elements.gradients.shape
        super().__init__(device, elements, first, folded=not device.is_cpu and folds(k, elements.form))
        self.material = material
        t = device.types
        self.q = q
        self.kernels = elastic_kernels(material, k, q, elements.dimension, device.precision, elements.form)
        self.grad, self.scale = on_device(device, elements)
        self.weight = device.array(elements.weights.T, t.real)
        self.table = device.array(material.table(), t.vector(material.width))
        self.rows = device.array(np.zeros(1, np.int32) if rows is None else rows, wp.int32)
        self._laplacian: tuple[tuple, ElementMatrix, Elements] | None = None
        self._factors: tuple[tuple, np.ndarray] | None = None  # those of the laplacian, for some of its rows
        self._earlier: tuple[ElementMatrix, np.ndarray] | None = None  # that of before a cut, and where its nodes are

    @property
    def undifferentiable(self) -> str | None:
        return self.material.terms[0].inexact or None

    @property
    def bounded(self) -> bool:
        """Whether no tangent exceeds the laplacian, as with projective laws."""
        return self.material.projective is not None

    def _mesh(self) -> tuple:
        return self.nodes, self.grad, self.scale, self.weight, self.table, self.rows

    def _give(self, kernel: wp.Kernel, *args: Any) -> None:
        """Run a kernel whose elements give something to their corners."""
        self.device.launch(kernel, self.threads, *args, self.fold, self.corner, grain=GRAIN)

    def set_parameters(self, material: Material) -> None:
        """Change parameter values, keeping the law."""
        table = material.table()
        self.check_same_law(material, table.shape == (len(self.table), self.material.width))
        self.table.assign(table.astype(self.device.types.numpy))
        self.material = material
        self.version += 1
        self._forget()

    def check_same_law(self, material: Material, fits: bool) -> None:
        """Refuse another law, and rows of parameters that do not fit."""
        if material.key != self.material.key or not fits:
            raise InputError(f"cannot replace {self.material.name} by {material.name} in a running simulation; build a new one")

    @property
    def static_table(self) -> wp.array:
        """The rows of parameters by which stress follows from the state alone."""
        return self.table

    @property
    def static_rows(self) -> np.ndarray:
        """Which of them each element has; one for all."""
        return self.rows.numpy()

    def deformed(self, x: np.ndarray) -> np.ndarray:
        """(m, q, 3, 3) what the law sees of the deformation of nodes at x (n, 3)."""
        return gradients_at_points(self.elements, x)

    def element_values(self, x: wp.array) -> np.ndarray:
        """(m,) energy of each element [J]."""
        self._fill_values(x)
        return self.scalar.numpy()

    def _fill_values(self, x: wp.array) -> None:
        if self._found is not None:
            self._found.unless_at(x, lambda: self._run_by_four(self.kernels.energy_lanes, x, self.scalar))
        elif self._simd:
            self._run_by_four(self.kernels.energy_lanes, x, self.scalar)
        else:
            self.device.launch(self.kernels.energy, self.count, *self._mesh(), x, self.scalar, grain=GRAIN)

    @property
    def _simd(self) -> bool:
        """Whether kernels do four elements at a time."""
        return self.device.is_cpu and hasattr(self.kernels, "energy_lanes")

    def _run_by_four(self, kernel: wp.Kernel, *args: Any) -> None:
        self.device.launch(kernel, -(-self.count // 4), *self._mesh(), *args, grain=GRAIN // 4)

    @cached_property
    def _found(self) -> ValueCache | None:
        """Where the values of elements were found last, for many that are done by four, whose room nothing else is written on."""
        worth = self._simd and self.count >= MANY and not (self.memory or self.averaged or self.material.barrier)
        return ValueCache(self.device, self.first, self.rows_given) if worth else None

    def _forget(self) -> None:
        """The values of elements are others now."""
        if self.__dict__.get("_found") is not None:
            self._found.forget()

    def _forces_by_four(self, kernel: wp.Kernel, x: wp.array, *out: wp.array) -> None:
        """Values of elements, forces at their corners, and what else the kernel finds."""
        self._run_by_four(kernel, x, self.scalar, self.corner, *out)
        if self._found is not None:
            self._found.note(x)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._fill_values(x)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        if self._simd:
            self._forces_by_four(self.kernels.gradient_lanes, x)
        else:
            self._give(self.kernels.gradient, *self._mesh(), x)
        self.gather(out)

    def gradient_ahead(self, x: wp.array, out: wp.array) -> None:
        if self._simd:
            self._forces_by_four(self.kernels.both_lanes, x, self._turned)
            self.gather(out)
        else:
            self.gradient(x, out)

    def evaluate_ahead(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        if self._simd:
            self.gradient_ahead(x, gradient)
            self.add_values(out)
        else:
            self.evaluate_with_gradient(x, out, gradient)

    def blocks_ahead(self, x: wp.array, pattern: BlockMatrix) -> None:
        if self._simd and not pattern.is_diagonal:
            self._add_turned(pattern)
        else:
            self.blocks(x, pattern, project=False)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        if self._simd:
            self._forces_by_four(self.kernels.gradient_lanes, x)
        else:
            self._give(self.kernels.energy_gradient, *self._mesh(), x, self.scalar)
        self.gather(gradient)
        self.add_values(out)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Σ w k ∇Nᵢ·∇Nⱼ with the stiffness k fitted to the law's stress over the stretches 0.5 to 1.5 (Eq 7.13–7.14)."""
        return self.element_laplacian(count).matrix

    def element_laplacian(self, count: int) -> ElementMatrix:
        """The same with the entries that cancel."""
        known = self._laplacian
        if known is None or known[0] != self.stamp or known[2] is not self.elements:
            e, numbers = self.elements, np.arange(self.count) if self.numbers is None else self.numbers
            parts = (numbers, self.cells(), e.gradients, self.laplacian_factors())
            made = element_matrix(*parts, self.laplacian_blocks, count, self._earlier)
            self._laplacian, self._earlier = (self.stamp, made, e), None
        return self._laplacian[1]

    def laplacian_rows(self, nodes: np.ndarray, count: int) -> sparse.csr_matrix:
        """Its rows at some nodes, from the elements around them."""
        if type(self).laplacian is not ElasticEnergy.laplacian:
            return NotImplemented
        e, row, at = self.elements, np.full(self.local, -1), np.zeros(self.local, bool)
        row[nodes - self.first], at[nodes - self.first] = np.arange(len(nodes)), True
        near = rows_at(e.nodes, at)
        if self._factors is None or self._factors[0] != self.stamp:
            self._factors = self.stamp, self.laplacian_factors()
        blocks = self.laplacian_blocks(e.gradients[near], self._factors[1][near])
        at = row[e.nodes[near]]
        rows, columns = (
            np.broadcast_to(a, blocks.shape).ravel() for a in (at[:, :, None], (e.nodes[near] + self.first)[:, None, :])
        )
        own = rows >= 0
        return sparse.csr_matrix((blocks.ravel()[own], (rows[own], columns[own])), shape=(len(nodes), count))

    def laplacian_factors(self) -> np.ndarray:
        """(m, f) what the laplacian of each element depends on beside its gradients."""
        return self.weights_times(fitted_stiffness(self.material, self.elements.dimension), self.static_rows)

    @staticmethod
    def laplacian_blocks(gradients: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """(m, k, k) laplacians of some elements."""
        return np.einsum("mq,mqia,mqja->mij", factors, gradients, gradients)

    def weights_times(self, k: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """(m, q) weights times k [Pa], one for all or one for each of the rows that elements have."""
        rows = rows if len(rows) > 1 else np.zeros(self.count, int)
        return self.elements.weights * k[rows if len(k) > 1 else 0 * rows][:, None]

    def weighted_laplacian(self, k: np.ndarray, rows: np.ndarray, count: int) -> sparse.csr_matrix:
        """The laplacian for given k."""
        return self.assembled(self.laplacian_blocks(self.elements.gradients, self.weights_times(k, rows)), count)

    @cached_property
    def _turned(self) -> wp.array | None:
        """Room for the turned gradients of all corners, where a matrix is summed of these; None where it is not."""
        if not self._simd and (getattr(self.kernels, "turned_gradients", None) is None or not self.device.is_cpu):
            return None
        size = 4 if hasattr(self.kernels, "turned_gradients") else 7
        vec4, line = self.device.types.vec4, 64  # bytes: where a tet begins with one, fewer are touched
        whole = self.device.zeros(size * self.count + 4, vec4)
        made = wp.array(ptr=whole.ptr + -whole.ptr % line, dtype=vec4, shape=(size * self.count,), device=self.device.warp)
        made._ref = whole
        return made

    def follow(self, before: Energy, numbers: np.ndarray) -> None:
        if isinstance(before, ElasticEnergy):
            if before.kernels is self.kernels and before.count == self.count and "_turned" in before.__dict__:
                self._turned = before._turned  # it is written before it is read
            if before._laplacian is not None:
                self._earlier = before._laplacian[1], numbers
            elif before._earlier is not None:
                self._earlier = before._earlier[0], numbers[before._earlier[1]]

    def reserve(self, count: int) -> None:
        self.rows_given = count - self.first
        given = (array.numpy() for array in (self.fold, self.starts, self.lists))
        self.fold, self.starts, self.lists = (self.device.array(a, wp.int32) for a in self._roomy(*given))
        if self.folded:
            self.corner = self.device.zeros((1, len(self.lists)), self.device.types.vec3)
            self.corner_flat = self.corner.flatten()

    def _roomy(self, fold: np.ndarray, starts: np.ndarray, lists: np.ndarray) -> tuple[np.ndarray, ...]:
        """The lists of ``corner_lists`` for rows to spare, too, with room for a sum of each corner where they are folded."""
        starts, corners = roomy(starts, self.rows_given + 1, starts[-1]), self.k * self.count
        if self.folded:
            blocks = -(-self.count // BLOCK)
            fold, lists = roomy(fold, 3 + blocks + corners + corners // 2, 0), roomy(lists, corners, 0)
        return fold, starts, lists

    def on_more_nodes(self, elements: Elements) -> None:
        """Go on with the same elements on more nodes, some of which are elsewhere at rest, in the same arrays."""
        fold, starts, lists = known_lists(elements, self.folded)
        write(self.device, self.starts, roomy(starts, self.rows_given + 1, starts[-1]))
        write(self.device, self.lists, lists)
        if self.folded:
            write(self.device, self.fold, fold)
        self._forget()
        rows, _ = elements.changed_since(self.elements)
        self.elements, self.local, self._nodal = elements, len(elements.rest), {}
        write_columns(self.device, self.nodes, rows, elements.nodes[rows].T + self.first)
        t = self.device.types.numpy
        grad = elements.gradients_at(rows)[:, :, :-1].reshape(len(rows), self.q * (self.k - 1), 3).transpose(1, 0, 2)
        write_columns(self.device, self.grad, rows, grad.astype(t))
        write_columns(self.device, self.weight, rows, elements.weights[rows].T.astype(t))

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        """out += J p(x): the local step of projective dynamics, each element giving w k p ∇Nᵢ to its corners (Eq 6.7)."""
        if self.material.projective is None:
            return False
        self._give(self.kernels.projection, *self._mesh(), x)
        self.gather(out)
        return True

    def laplacian_product(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale L x of a projective law, through F, so that positions far from the origin lose no digits."""
        if getattr(self, "_product", None) != (scale, *self.stamp):
            k = np.broadcast_to(scale * self.material.projective, len(self.table))
            self._stiffness, self._product = self.device.array(k, self.device.types.real), (scale, *self.stamp)
        mesh = (self.nodes, self.grad, self.scale, self.weight, self._stiffness, self.rows)
        self._give(self.kernels.laplacian, *mesh, x)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._give(self.kernels.tangent, *self._mesh(), int(project), x, d)
        self.gather(out)

    def element_mean(self, name: str, x: wp.array, point: int = -1) -> np.ndarray:
        """(m,) one of ``FIELDS``, the mean over each element, or what it is at the ``point`` of that number.

        "stress" (von Mises) and "pressure" (−tr σ/3) [Pa] are of the Cauchy stress σ; "stretch" is the largest, "volume ratio" J.
        """
        what = FIELDS.index(name)
        self._forget()
        args = (*self._mesh(), what, point, x, self.scalar)
        self.device.launch(self.kernels.element_mean, self.count, *args, grain=GRAIN)
        return self.scalar.numpy()

    @property
    def inversion(self) -> InversionPolicy | None:
        """None for sheets and threads, which have no volume; stricter under a barrier, and where a mean may hide points."""
        if self.elements.dimension != 3:
            return None
        if not (self.material.barrier or self.averaged):
            return InversionPolicy.COUNTED
        return InversionPolicy.AT_REST if self.material.inversion_safe else InversionPolicy.ALWAYS

    @property
    def inversion_safe(self) -> bool:
        return self.elements.dimension != 3 or self.material.inversion_safe

    def count_inverted(self, x: wp.array, out: wp.array) -> None:
        """out[g, 0] += the number of points with det F ≤ 0."""
        if self.inversion:
            mesh = (self.nodes, self.grad, self.scale, self.weight)
            self.device.launch(self.kernels.turned, self.count, *mesh, x, self._inverted, grain=GRAIN)
            self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self._inverted)

    @cached_property
    def _inverted(self) -> wp.array:
        """Numbers of inverted points of each element."""
        return self.device.zeros(self.count, self.device.types.real)

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> None:
        if not self.material.barrier or self.elements.dimension != 3:
            return  # sheets and threads find their own thickness, so they have no volume that could invert
        mesh = (self.nodes, self.grad, self.scale)
        self.device.launch(self.kernels.inversion, self.count, *mesh, x, d, self.scalar, grain=GRAIN)
        self.sums.least(out, self.scalar)

    @property
    def parameters(self) -> dict[str, Slot]:
        """The rows of the material's table; Material.pulled_back leads from there to its own parameters."""
        return {"table": Slot(self.table.shape, self.table.dtype)}

    @cached_property
    def _sensitive(self) -> tuple[wp.array, wp.array, wp.array]:
        """What ``sensitivity`` writes on: stretches and weights of the points, and a row of parameters for each element."""
        device, t = self.device, self.device.types
        points = (device.zeros((self.q, self.count), t.vec3) for _ in range(2))
        return *points, device.zeros(self.count, t.vector(self.material.width))

    @cached_property
    def _by_row(self) -> Segments:
        rows = self.rows.numpy() if len(self.rows) > 1 else np.zeros(self.count, int)
        return Segments(self.device, rows, len(self.table), self.material.width)

    def element_sensitivity(self, x: wp.array, d: wp.array) -> wp.array:
        """(m,) d · ∂²E/∂x∂p of each element by its row of parameters [J per unit]; good until it is asked again."""
        s, w, value = self._sensitive
        self.device.clear(value)
        shape = (self.k, self.q, self.elements.dimension, self.elements.form)
        add_sensitivity(self.device, self.material, shape, self._mesh(), x, d, s, w, value)
        return value

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if "table" in into:
            self._by_row.add(self.element_sensitivity(x, d), into["table"])

    def fill(self, x: wp.array, assembly: BlockGather, project: bool) -> None:
        """Write the element matrices at x into ``assembly.parts``."""
        exact, args = getattr(self.kernels, "exact_blocks", None), (self.bandwidth(assembly), x, assembly.parts)
        if exact is not None and not project:
            self.device.launch(exact, self.count, *self._mesh(), *args, grain=64)
        else:
            self.device.launch(self.kernels.blocks, self.count, *self._mesh(), int(project), *args, grain=32)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        fixed = hasattr(self.kernels, "turned_gradients")  # positive semi-definite as it is
        if self._turned is None or pattern.is_diagonal or (project and not fixed):
            self.fill(x, self._assembly, project)
            self._assembly.add_to(pattern)
            return
        if self._simd:
            self._run_by_four(self.kernels.tangent_lanes, x, self._turned)
        else:
            self.device.launch(self.kernels.turned_gradients, self.count, *self._mesh(), x, self._turned, grain=GRAIN)
        self._add_turned(pattern)

    def _add_turned(self, pattern: BlockMatrix) -> None:
        """Sum up what was found of the tets."""
        of, fixed = turned_kernels(self.device.precision), hasattr(self.kernels, "turned_gradients")
        if pattern is not self.alone_in:
            self._assembly.add_by(of.gather_turned if fixed else of.gather_turning, self._turned, pattern)
            return
        self._assembly.add_by(of.gather_turned_beside if fixed else of.gather_turning_beside, self._turned, pattern)
        rows = (pattern.device_rows, pattern.device_diagonal, pattern.values)
        self.device.launch(of.balance, self.rows_given, self.first, *rows, grain=128)


def attach(energies: Sequence[Energy], matrix: BlockMatrix) -> None:
    """Prepare energies for a matrix in which all of them are added to zeros, one after the other; elements learn whether none
    before them couples nodes of theirs."""
    for i, energy in enumerate(energies):
        if isinstance(energy, Attached):
            energy.attach(matrix)
        if isinstance(energy, ElasticEnergy):
            alone = not matrix.is_diagonal and not any(_meet(energy, other) for other in energies[:i])
            energy.alone_in = matrix if alone else None


def _meet(one: Energy, other: Energy) -> bool:
    """Whether two energies may couple the same nodes: those between the first and the last of each."""
    cells = [other.cells()]
    if cells[0] is None or not cells[0].size:
        return False
    cells.append(one.cells())
    return bool(cells[0].min() <= cells[1].max() and cells[1].min() <= cells[0].max())
