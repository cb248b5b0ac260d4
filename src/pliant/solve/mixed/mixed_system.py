"""Mixed system: forces, tangent and merit over positions and pressures."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...energy.base import Energy
from ...energy.elastic.elastic_energy import ElasticEnergy
from ...energy.memory import Memory, Remembers
from ...energy.quadratic_bound import Majorised
from ...energy.volume.cell_kernels import FIXES
from ...energy.volume.cell_operator import CellOperator, sampled
from ...energy.volume.hourglass_energy import SHAPE, Hourglass, shear_modulus
from ...energy.volume.volume_energy import AveragedVolume
from ...errors import InputError
from ...geometry.lattice.fragments import shape_gradients
from ...linear.krylov.block_preconditioner import Block, BlockFactor, Coupling
from ...linear.krylov.saddle_point import Pair, Pairs, Saddle
from ...linear.matrix.scalar_matrix import ScalarMatrix
from ...material.mean_stiffness import fitted_stiffness
from ..objective.residual import Residual
from ..objective.step_objective import Objective
from .mixed_kernels import mixed_kernels

STRAIN = {"f64": 1e-6, "f32": 1e-2}  # negligible changes of volume, as root mean squares
SHARE = 4.0  # κ* / μ in the merit and the definiteness of the tangent, ν = 0.4


class Cells:
    """One body with averaged volume: its energy of volume and the rows of its cells in the law's table."""

    def __init__(self, volume: AveragedVolume, elastic: ElasticEnergy, at: int):
        self.volume, self.elastic, self.lattice = volume, elastic, volume.elements
        self.own = slice(at, at + volume.count)
        rows = elastic.rows.numpy()
        self.rows = rows[self.own] if len(rows) > 1 else None

    def moduli(self) -> tuple[np.ndarray, np.ndarray]:
        """(m,) μ and the stiffness k of the laplacian [Pa] of each cell."""
        moduli = (shear_modulus(self.elastic.material), fitted_stiffness(self.elastic.material))
        return tuple(np.broadcast_to(a if len(a) == 1 else a[self.rows], self.lattice.count) for a in moduli)

    def operator(self, order: int, weights: str, fix: str, alpha: float) -> CellOperator:
        volume, elastic = self.volume, self.elastic
        order, weights = self._reading(order, weights)
        measure, aggregate = volume.volume_measure
        kappa = volume.kappa.numpy().astype(float)
        return CellOperator(
            volume.device, self.lattice, elastic.material, kappa, measure, aggregate, order, weights, fix, alpha,
            volume.first, self.rows,
        )  # fmt: skip

    def points(self, order: int, weights: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(m, q, 8, 3) gradients and (m, q) weights of the operator, and (m,) the share of its stabilisation."""
        xi, w, share = sampled(self.lattice, *self._reading(order, weights))
        return shape_gradients(xi) / self.lattice.spacing, w, share

    def _reading(self, order: int, weights: str) -> tuple[int, str]:
        """Order and weights; the own rule of a lattice with one stabilised point is that of K₁."""
        return (1, "whole") if self.lattice.quadrature.stabilised else (order, weights)

    def laplacian(self, order: int, weights: str, count: int) -> sparse.csr_matrix:
        """Σ k ∫ ∇Nᵢ·∇Nⱼ; k SHAPE/2 is the stabilisation of a whole cell."""
        _mu, k = self.moduli()
        G, w, share = self.points(order, weights)
        blocks = np.einsum("mq,mqia,mqja->mij", w, G, G) + 0.5 * self.lattice.spacing * share[:, None, None] * SHAPE
        return self.volume.assembled(k[:, None, None] * blocks, count)


def check_mixed(objective: Objective) -> list[Cells]:
    """The bodies with averaged volume, or a refusal where Mixed() cannot solve for their pressures."""
    volumes = [e for e in objective.energies if isinstance(e, AveragedVolume)]
    if not volumes:
        raise InputError("Mixed() found no body with averaged volume; expected Lattice(…, volume=Averaged()), or use Newton()")
    if objective.groups > 1:
        raise InputError("Mixed() solves one scene at a time; expected QuasiNewton() for a Batch")
    cells = [_cells_of(objective, volume) for volume in volumes]
    for energy in {c.elastic for c in cells}:
        left = np.ones(energy.count, bool)
        for c in cells:
            if c.elastic is energy:
                left[c.own] = False
        if left.any():
            raise InputError(
                "Mixed() needs averaged volume in all lattice bodies of one law; give the others volume=Averaged() as well"
            )
    return cells


def _cells_of(objective: Objective, volume: AveragedVolume) -> Cells:
    """The elastic energy that holds the same cells; bodies of one law share one."""
    if volume.elements.volume is None or not volume.elements.cubic:
        raise InputError(
            f"Mixed() keeps a pressure for each cell of a Lattice; got {type(volume.elements).__name__}, use Newton()"
        )
    wanted = volume.cells()
    for energy in objective.energies:
        if energy.name == ElasticEnergy.name and energy.k == volume.k:
            at = int(np.argmax((energy.cells() == wanted[0]).all(axis=1)))
            if np.array_equal(energy.cells()[at : at + volume.count], wanted):
                return Cells(volume, energy, at)
    raise InputError("Mixed() found averaged volume without an elastic energy on the same cells")


class MixedSystem(Remembers):
    """Ê(x, p) of an objective (Patterson et al. 2012, Eq 7): ``s`` are the pressures α p [Pa] of all cells, kept from solve to
    solve. ``order``, ``weights`` and ``fix`` are those of CellOperator."""

    def __init__(self, objective: Objective, order: int, weights: str, fix: str, alpha: float | None, block: Block | None):
        self.objective, self.device = objective, objective.device
        self.order, self.weights, self.fix, self.block = order, weights, fix, block
        self.cells = check_mixed(objective)
        self.pairs = Pairs(objective.vectors, [c.volume.count for c in self.cells])
        self.kernels = mixed_kernels(self.device.precision)
        real = self.device.types.real
        self.count = self.pairs.count
        for name in ("s", "volume", "compliance", "star", "modulus", "give", "target", "_mean", "_merit_pressure"):
            setattr(self, name, self.device.zeros(self.count, real))
        self._parts = {name: self.pairs.of(None, getattr(self, name)).bodies for name in ("s", "_mean", "_merit_pressure")}
        ends = np.cumsum([0, *(c.volume.count for c in self.cells)])
        for c, a, b in zip(self.cells, ends, ends[1:]):  # to show pressures that no strain determines
            c.volume.solved = lambda a=a, b=b: self.s.numpy()[a:b]
        self._volume = np.concatenate([c.lattice.volumes for c in self.cells])
        self.volume.assign(self._volume.astype(self.device.types.numpy))
        self.others = self._others()
        self.given, self.alpha = alpha, 1.0
        self.kept: dict[type, Any] = {}  # memory of linear solvers between solves
        self.graphs: dict[str, dict] = {}  # the captured solve with each tangent
        self.factor: BlockFactor | None = None
        self._made = self._factored = self._last = None
        if objective.positions is not None:
            self._last = self.device.array(objective.positions, self.device.types.position)

    def _others(self) -> list[Energy]:
        """All energies with a separate tangent: neither the cells nor their stabilisation."""
        objective, inside = self.objective, {c.elastic for c in self.cells}
        stabilised = [c.volume.first for c in self.cells if c.lattice.quadrature.stabilised]
        others = []
        for energy in objective.energies:
            own = energy in inside or isinstance(energy, AveragedVolume)
            if not own and not (isinstance(energy, Hourglass) and energy.first in stabilised):
                others.append(energy)
        return others

    # --- what depends on the material and on held nodes

    def refresh(self) -> None:
        """Take over parameters and held nodes that have changed."""
        objective = self.objective
        stamp = tuple((c.volume.stamp, c.elastic.stamp) for c in self.cells)
        if stamp != self._made:
            self._made, kind = stamp, self.device.types.numpy
            moduli = [c.moduli() for c in self.cells]
            self._mu, self._stiffness = (np.concatenate(part) for part in zip(*moduli))
            mu = self._mu
            kappa = np.concatenate([c.volume.kappa.numpy() for c in self.cells]).astype(float)
            self.alpha = self.given or float(np.mean(mu) / np.mean([c.lattice.spacing for c in self.cells]))
            self.operators = [c.operator(self.order, self.weights, self.fix, self.alpha) for c in self.cells]
            self.compliance.assign((1.0 / kappa).astype(kind))
            self.star.assign(np.minimum(kappa, SHARE * mu).astype(kind))
            self._soft = 1.0 / kappa
        if self.block is None:
            return
        if self._factored != objective.stamp:
            self._factored, matrix = objective.stamp, self._matrix()
            coupling = self._coupling()
            if self.factor is None:
                self.factor = BlockFactor(self.device, self.pairs, objective.positions, coupling.centres)
            schur = self.alpha**2 * coupling.schur(matrix.diagonal(), objective.moves)
            self.factor.take(matrix, schur, objective.moves)
            self._held = ScalarMatrix(self.device, matrix)
        self.factor.nodes.add(objective.tethers)

    def _coupling(self) -> Coupling:
        parts = [c.points(self.order, self.weights) for c in self.cells]
        return Coupling(
            np.concatenate([c.volume.cells() for c in self.cells]),
            np.concatenate([np.einsum("mq,mqia->mia", w, G) for G, w, _ in parts]),
            np.concatenate([w.sum(axis=1) for _, w, _ in parts]),
            self._stiffness,
            self._soft,
            np.concatenate([c.lattice.lowest for c in self.cells]),
        )

    def _matrix(self) -> sparse.csr_matrix:
        n = self.objective.count
        parts = [c.laplacian(self.order, self.weights, n) for c in self.cells]
        known = (energy.laplacian(n) for energy in self.others if isinstance(energy, Majorised))
        parts += [part for part in known if part is not None]
        return sum(parts[1:], parts[0]).tocsr()

    # --- forces

    def means(self, x: wp.array) -> wp.array:
        """(m,) M̄ of all cells; good until asked for again."""
        for c, out in zip(self.cells, self._parts["_mean"]):
            c.volume.means(x, out)
        return self._mean

    def _pressure_gradients(self, parts: tuple[wp.array, ...]) -> dict:
        """Gradients of the energies of volume, if the pressures are those of ``parts``."""
        return {c.volume: lambda x, out, c=c, s=s: c.volume.pressure_gradient(x, s, out) for c, s in zip(self.cells, parts)}

    def forces(self, x: wp.array, g: Pair) -> Residual:
        """g = (∂Ê/∂x, ∂Ê/∂p). Returns the residual of both, of the worst body.

        Forces are compared with the sum of their sizes, M̄ − s/κ with |M̄| + |s| (1/κ + 1/μ) or STRAIN, as root mean squares.
        """
        force = self.objective.residual(x, g.x, self._pressure_gradients(self._parts["s"]))
        mean = self.means(x)
        self.device.launch(self.kernels.mismatch, self.count, self.volume, self.compliance, self.alpha, mean, self.s, g.p)
        M, s = mean.numpy().astype(float), self.s.numpy().astype(float)
        terms = (M - self._soft * s, M, (self._soft + 1.0 / self._mu) * s)
        for begin, end in itertools.pairwise(self.pairs.starts):
            W = self._volume[begin:end]
            off, *known = (float(np.sqrt(np.mean(W * term[begin:end] ** 2) / np.mean(W))) for term in terms)
            volume = off / max(sum(known), STRAIN[self.device.precision])
            if not volume <= force.value:
                force = replace(force, value=volume, unexplained=max(volume, force.unexplained))
        return force

    def follow(self, x: wp.array) -> None:
        """Let free nodes follow held ones that moved since the last solve, by Â, if that costs
        less energy than to leave them behind."""
        objective, vectors = self.objective, self.objective.vectors
        if self.factor is None or self._last is None:
            return
        gone, guess, there = self.work.gone, self.work.guess, self.work.trial
        vectors.apart(x, self._last, gone)
        vectors.copy(gone, guess)
        objective.mask(guess)
        vectors.move(gone, -1.0, guess, gone)  # the motion of held components
        if vectors.dot(gone, gone) == 0.0:
            return
        self.device.clear(guess)
        self._held.residual(guess, gone, guess)
        objective.mask(guess)
        self.factor.nodes.solve(guess, guess)
        objective.mask(guess)
        vectors.advance(x, 1.0, guess, there)
        objective.prefer(there, x)

    @property
    def memory(self) -> Memory:
        last = {} if self._last is None else {"last": self._last}
        return {"pressures": self.s} | last

    def settle(self, x: wp.array) -> None:
        """Store positions and pressures at the end of a solve."""
        self.objective.vectors.copy(x, self._last)

    def start(self, x: wp.array, g: Pair) -> None:
        """Begin with the pressures kept or with κ M̄(x), whichever leaves the smaller defect in the norm of the preconditioner."""
        self.forces(x, g)
        if not np.all(self._soft > 0):
            return
        kept, defect = self.s.numpy().copy(), self.defect(g)
        mean = self.means(x).numpy().astype(float)
        self.s.assign((mean / self._soft).astype(self.device.types.numpy))
        self.forces(x, g)
        if not self.defect(g) < defect:
            self.s.assign(kept)

    def defect(self, g: Pair) -> float:
        """g·M⁻¹g [J]."""
        self.precondition(g, self.work.z)
        return self.pairs.dot(g, self.work.z)

    @cached_property
    def work(self) -> MixedWork:
        """The vectors of the iteration."""
        return MixedWork(self)

    @property
    def precondition(self) -> Callable[[Pair, Pair], None]:
        return self.pairs.copy if self.factor is None else self.factor.apply

    # --- the tangent

    def saddle(self, x: wp.array, fix: str) -> Saddle:
        """K at x and the present pressures; ``fix`` "none" or that of the system."""
        for op, s in zip(self.operators, self._parts["s"]):
            op.fix = FIXES[fix]
            op.linearise(x, s)
        project = fix != "none"

        def apply(d: Pair, out: Pair) -> None:
            self.pairs.zero(out)
            for op, dp, out_p in zip(self.operators, d.bodies, out.bodies):
                op.apply(d.x, dp, out.x, out_p)
            for energy in self.others:
                energy.tangent(x, d.x, out.x, project=project)
            self.objective.mask(out.x)

        version = None if self.factor is None else self.factor.nodes.version
        key = (id(x), self.objective.recordable, self.objective.stamp, self._made, version)
        graph = None if self.objective.recordable is None else self.graphs.setdefault(fix, {})
        return Saddle(self.device, self.pairs, self.objective.free, apply, self.precondition, self.kept, graph, key)

    def advance(self, a: float, dp: wp.array) -> None:
        """s −= a α δp."""
        self.device.launch(self.pairs.kernels.move_reals, self.count, self.s, -a * self.alpha, dp, self.s)


class MixedWork:
    """The vectors of Newton's method on positions and pressures, kept from solve to solve."""

    def __init__(self, system: MixedSystem):
        vectors, self.merit = system.objective.vectors, Merit(system)
        self.g, self.d, self.z = (system.pairs.new() for _ in range(3))
        self.slope, self.gone, self.guess = (vectors.new() for _ in range(3))
        self.trial = vectors.positions()


class Merit:
    """Merit of a line search along (δx, δp), in place of an Objective: the energy with a soft volume.

    With the pressures s' at the end of the full step as multipliers of M̄ = y and the slack y in κ/2 y², the augmented
    Lagrangian, least over y, is Φ = Σ E_other + W [k/2 (M̄ + r s')² − r/2 s'²], 1/k = 1/κ + r. Where K (δx, δp) = g its slope is
    −δxᵀ(A + k BᵀW⁻¹B)δx. It has the same minimiser as E once s' is right, but its curvature has k and not κ, so steps
    need not be short where κ is large; with k = κ it is E.
    """

    def __init__(self, system: MixedSystem):
        self.system, self.device = system, system.device
        self.vectors, self.turning = system.objective.vectors, system.objective.turning
        self._sums = self.device.zeros((1, 2), wp.float64)

    def begin(self, dp: wp.array) -> None:
        """Take s' = s − α δp."""
        system = self.system
        kernels, m = system.kernels, system.count
        self.device.launch(system.pairs.kernels.move_reals, m, system.s, -system.alpha, dp, system.target)
        self.device.launch(kernels.soften, m, system.star, system.compliance, system.target, system.modulus, system.give)

    @property
    def resolution(self) -> float:
        return self.system.objective.resolution

    def step_limit(self, x: wp.array, d: wp.array, walls: bool = True) -> float:
        return self.system.objective.step_limit(x, d, walls)

    def value_and_magnitude(self, x: wp.array) -> tuple[float, float]:
        system = self.system
        volumes = {c.volume for c in system.cells}
        self.device.clear(self._sums)
        for energy in system.objective.energies:
            if energy not in volumes:
                energy.evaluate(x, self._sums)
        args = (system.volume, system.modulus, system.give, system.target, system.means(x), system._merit_pressure)
        self.device.launch(system.kernels.merit_value, system.count, *args)
        sums = system.pairs.sums
        sums.add_to(self._sums, 1.0, sums.kernels.sum_chunk, system._merit_pressure)
        return tuple(self._sums.numpy().sum(axis=0).tolist())

    def adopt(self, x: wp.array) -> None:
        """s = k (M̄ + r s'), the pressures of the merit."""
        self._press(x)
        self.device.copy(self.system._merit_pressure, self.system.s)

    def _press(self, x: wp.array) -> None:
        system = self.system
        args = (system.modulus, system.give, system.target, system.means(x), system._merit_pressure)
        self.device.launch(system.kernels.merit_pressure, system.count, *args)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        system = self.system
        self._press(x)
        instead = system._pressure_gradients(system._parts["_merit_pressure"])
        self.device.clear(out)
        for energy in system.objective.energies:
            instead.get(energy, energy.gradient)(x, out)
        system.objective.mask(out)
