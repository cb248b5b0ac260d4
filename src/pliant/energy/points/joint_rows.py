"""Joint rows: angles, products and lengths, kept, limited or driven."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.base import Elements
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ..base import Energy, OnElements, Step
from ..capabilities import Fused, Multiplied, WorkSource
from ..memory import Memory, Parents, Remembers
from ..quadratic_bound import Majorised
from ..sensitivity import Differentiable
from .joint_kernels import ANGLE as ANGLE
from .joint_kernels import DOT as DOT
from .joint_kernels import LENGTH as LENGTH
from .joint_kernels import joint_kernels, row_structs
from .joint_points import NO_DERIVATIVES, OVER_INERTIA

ROUND = 1e-3  # of a length at rest, below which it ends without a kink; it makes lengths 5e-7 too long

# (k,) nodes and (1, k, 3) slopes → (2, 1, 1): by inertia [1/kg], and by stiffness [m/N]
Mobility = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(eq=False)
class Row:
    """A number φ of vectors Σ W x + c: ``weights`` (vectors, k) over ``nodes`` (k,), ``shift`` (vectors, 3).

    ``side`` 0 keeps φ at ``goal``, 1 at most and −1 at least there. A spring has the ``spring`` K and the ``damping`` D, both
    per unit of φ; None is a constraint. ``effort`` is a force along −φ besides. ``mobility`` says how φ moves with a
    force on it, ``least`` how far it may stay from where it is to be.
    """

    kind: int
    nodes: np.ndarray
    weights: np.ndarray
    shift: np.ndarray
    mobility: Mobility
    least: float
    side: int = 0
    goal: float = 0.0
    spring: float | None = None
    damping: float = 0.0
    effort: float = 0.0
    keeps: bool = True  # whether it has a goal; without, it has the effort alone


class JointRows(WorkSource, Multiplied, Remembers, OnElements, Fused, Majorised, Differentiable, Energy):
    """The energies of some rows over a scene with rest positions ``rest`` (joint_kernels.py), all with as many vectors."""

    name = "joints"
    undifferentiable = NO_DERIVATIVES
    recordable = ()  # no number of its launches changes

    def __init__(self, device: Device, rest: np.ndarray, rows: Sequence[Row]):
        k, vectors, count = max(len(r.nodes) for r in rows), max(3, *(len(r.shift) for r in rows)), len(rows)
        nodes, weights = np.zeros((count, k), int), np.zeros((vectors, k, count))
        shift = np.zeros((vectors, count, 3))
        for i, row in enumerate(rows):
            own, v = len(row.nodes), len(row.shift)
            nodes[i, :own], nodes[i, own:] = row.nodes, row.nodes[0]
            weights[:v, :own, i], shift[:v, i] = row.weights, row.shift
        none = np.zeros((count, 0, k, 3))
        super().__init__(device, Elements(rest, nodes, none, none[:, :, 0, 0]), 0)
        t = device.types
        self.kernels, self.rows, self.vectors = joint_kernels(device.precision), list(rows), vectors
        self.weights, self.shift = weights, device.array(shift, t.position)
        self.weight = device.array(weights, t.real)
        self.kind = device.array([row.kind for row in rows], wp.int32)
        self.side = device.array([row.side for row in rows], wp.int32)
        self.u, self.slope = (device.zeros((vectors, count), t.position) for _ in range(2))
        self.corners = [np.array(self.pairs(width)) for width in (0, None)]  # of the diagonal, and of all
        self.couples = [[device.array(p[:, i], wp.int32) for i in range(2)] for p in self.corners]
        self.block = device.zeros((len(self.corners[1]), count), t.mat33)
        for name in ("phi", "pull", "bend", "stiffness", "share", "goal", "target", "firmness", "damping", "effort"):
            setattr(self, name, device.zeros(count, wp.float64))
        self.force, self.found, self.reached, self._kept, self.turn = (device.zeros(count, wp.float64) for _ in range(5))
        self.rounding = device.zeros((vectors, count), wp.float64)
        rows_of, measured = row_structs(device.precision)
        given = (self.weight, self.shift, self.kind, self.side, self.rounding, self.turn, self.stiffness, self.share)
        self._table = filled(rows_of, *given, self.target, self.force, self.effort)
        self._at = filled(measured, self.u, self.slope, self.phi, self.pull, self.bend)
        self.measure(device.array(rest, t.position))
        self.rounding.assign((ROUND * np.linalg.norm(self.u.numpy(), axis=2)) ** 2)
        slopes = np.einsum("vkr,vrc->rkc", weights, self.slope.numpy())
        self.sizes = np.linalg.norm(self.slope.numpy(), axis=2)
        moves = np.array([row.mobility(n, s[None])[:, 0, 0] for row, n, s in zip(rows, nodes, slopes)])
        self.mass, self.firm = np.where(moves > 0, 1 / np.where(moves > 0, moves, 1.0), 1.0).T
        self.least = np.array([row.least for row in rows])
        self._given: tuple | None = None
        self.settle(0.0, 0.0)

    def settle(self, inertia: float, rate: float, firmer: float = 1.0) -> None:
        """Take the values of the rows, in a step of a scheme with these numbers [1/s², 1/s], so many times as stiff."""
        values = [(row.spring, row.damping, row.keeps, row.effort, row.goal) for row in self.rows]
        if self._given == (inertia, rate, firmer, values):
            return
        before, self._given = self._given, (inertia, rate, firmer, values)
        stiff = OVER_INERTIA * inertia * self.mass if inertia > 0 else self.firm
        stiff = np.where([row.keeps for row in self.rows], firmer * stiff, 0.0)
        spring = np.array([0.0 if row.spring is None else row.spring for row in self.rows])
        damping = np.array([row.damping * rate for row in self.rows])
        rigid = np.array([row.spring is None for row in self.rows])
        total = np.where(rigid, np.inf, spring + damping)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(total > 0, 1 / (1 + stiff / total), 0.0)
            self.worth = np.minimum(1.0, np.where(stiff > 0, total / np.where(stiff > 0, stiff, 1.0), 0.0))
        self.constants = share * stiff
        for name, new in (("stiffness", stiff), ("share", share), ("firmness", spring), ("damping", damping)):
            getattr(self, name).assign(new)
        self.effort.assign([row.effort for row in self.rows])
        self.goal.assign([row.goal for row in self.rows])
        if before is None or before[3] != values:
            self.device.copy(self.goal, self.target)
        if before is None or before[:3] != self._given[:3] or [v[:3] for v in before[3]] != [v[:3] for v in values]:
            self.version += 1

    # --- life

    @property
    def stamp(self) -> tuple:
        return (self.version,)

    @property
    def memory(self) -> Memory:
        return {"force": self._kept, "turn": self.turn}

    def recall(self, memory: Memory) -> None:
        super().recall(memory)
        self._load()

    def _load(self) -> None:
        self.device.copy(self._kept, self.force)
        self.device.copy(self._kept, self.found)

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """Joints are the same on a new mesh."""
        return dict(self.memory)

    def begin(self, step: Step) -> None:
        """A step begins with the forces of the one before; where there is none, those of the last one stay."""
        if step.lasts <= 0:
            return
        self.settle(step.inertia, step.rate)
        self._load()
        if step.rate > 0 and any(row.damping for row in self.rows):
            self.measure(step.at)
            self.device.launch(self.kernels.recede, self.count, self.nodes, self._table, step.anchor, self._at)
            given = (self.goal, self.firmness, self.damping, self.phi)
            self.device.launch(self.kernels.aim_rows, self.count, *given, self.target)

    def accept(self, x: wp.array, time: float) -> None:
        self.device.copy(self.found, self._kept)
        self.measure(x)
        self.device.copy(self.phi, self.turn)

    def find_multipliers(self, x: wp.array) -> np.ndarray:
        self._press(x)
        self.device.copy(self.reached, self.found)
        stiff, force, found = self.device.reads(self.stiffness, self.force, self.found)
        moved = np.abs(found - force) * self.worth / np.where(stiff > 0, stiff, 1.0)
        return moved / self.least

    def take_multipliers(self, firmer: float = 1.0) -> None:
        self.device.copy(self.found, self.force)
        if firmer != 1.0:
            self.settle(*self._given[:2], firmer * self._given[2])

    # --- physics

    def measure(self, x: wp.array) -> None:
        """Fill the vectors, ``phi`` and its slopes at x."""
        self.device.launch(self.kernels.measure, self.count, self.nodes, self._table, x, self._at)

    def _press(self, x: wp.array) -> None:
        self.measure(x)
        self.device.launch(self.kernels.press, self.count, self._table, self._at, self.scalar, self.reached)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._press(x)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._press(x)
        self.device.launch(self.kernels.push_corners, self.count, self._table, self._at, self.corner)
        self.gather(out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        self.add_values(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._fill(x, project, self.couples[1], self.block)
        mesh = (self.nodes, *self.couples[1])
        self.device.launch(self.kernels.multiply_blocks, self.count, *mesh, self.block, d, self.corner)
        self.gather(out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        self._fill(x, project, self.couples[int(not pattern.is_diagonal)], self._assembly.parts)
        self._assembly.add_to(pattern)

    def _fill(self, x: wp.array, project: bool, couples: list[wp.array], out: wp.array) -> None:
        self._press(x)
        given = (*couples, self._table, int(project), self._at, out)
        self.device.launch(self.kernels.fill_blocks, self.count * couples[0].shape[0], *given)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Of each vector k' |∂φ/∂u|² at rest, times their number, which exceeds the part of E'' of the tangent."""
        size = self.constants * (self.sizes > 0).sum(axis=0) * self.sizes**2
        return self.assembled(np.einsum("vr,vir,vjr->rij", size, self.weights, self.weights), count)
