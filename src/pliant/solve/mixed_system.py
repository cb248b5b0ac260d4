"""Positions and pressures of a scene: who takes part, forces on both, the tangent, and a merit for line searches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import warp as wp
from scipy import sparse

from ..elements.lattice import Lattice
from ..energy.base import Energy
from ..energy.cell_kernels import FIXES
from ..energy.cell_operator import CellOperator, sampled
from ..energy.elastic import ElasticEnergy
from ..energy.hourglass import SHAPE, Hourglass, shear_modulus
from ..energy.volume import AveragedVolume
from ..errors import InputError
from ..geometry.fragments import shape_gradients
from ..linear.block import Block, BlockFactor, Coupling, identity
from ..linear.saddle import Pair, Pairs, Saddle
from ..linear.scalar import ScalarMatrix
from ..material.fit import fitted_stiffness
from .mixed_kernels import mixed_kernels
from .objective import Objective

STRAIN = {"f64": 1e-6, "f32": 1e-2}  # changes of volume, as root mean squares, that do not count for their own sake
SHARE = 4.0  # κ* / μ: what the merit and the definiteness of the tangent lean on, ν = 0.4


class Cells:
    """One body with averaged volume: its energy of volume and the rows of its cells in the law's table."""

    def __init__(self, volume: AveragedVolume, elastic: ElasticEnergy, at: int):
        self.volume, self.elastic, self.lattice = volume, elastic, volume.elements
        self.own = slice(at, at + volume.count)
        rows = elastic.rows.numpy()
        self.rows = rows[self.own] if len(rows) > 1 else None

    def moduli(self) -> tuple[np.ndarray, np.ndarray]:
        """(m,) μ and the stiffness k of the laplacian [Pa] of each cell."""
        found = (shear_modulus(self.elastic.material), fitted_stiffness(self.elastic.material))
        return tuple(np.broadcast_to(a if len(a) == 1 else a[self.rows], self.lattice.count) for a in found)

    def operator(self, order: int, weights: str, fix: str, alpha: float) -> CellOperator:
        volume, elastic = self.volume, self.elastic
        order, weights = self._reading(order, weights)
        measure, aggregate = volume.sees
        kappa = volume.kappa.numpy().astype(float)
        return CellOperator(
            volume.device, self.lattice, elastic.material, kappa, measure, aggregate, order, weights, fix, alpha,
            volume.first, self.rows,
        )  # fmt: skip

    def points(self, order: int, weights: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(m, q, 8, 3) gradients and (m, q) weights that the operator goes by, and (m,) the share of its stabilisation."""
        xi, w, share = sampled(self.lattice, *self._reading(order, weights))
        return shape_gradients(xi) / self.lattice.spacing, w, share

    def _reading(self, order: int, weights: str) -> tuple[int, str]:
        """Order and weights; the own rule of a lattice with one stabilised point is that of K₁."""
        return (1, "whole") if self.lattice.quadrature.stabilised else (order, weights)

    def laplacian(self, order: int, weights: str, count: int) -> sparse.csr_matrix:
        """Σ k ∫ ∇Nᵢ·∇Nⱼ; k SHAPE/2 is what the stabilisation adds to a whole cell's."""
        _mu, k = self.moduli()
        G, w, share = self.points(order, weights)
        blocks = np.einsum("mq,mqia,mqja->mij", w, G, G) + 0.5 * self.lattice.spacing * share[:, None, None] * SHAPE
        return self.volume.assembled(k[:, None, None] * blocks, count)


class MixedSystem:
    """Ê(x, p) of an objective (Patterson et al. 2012, Eq 7): ``s`` are the pressures α p [Pa] of all cells, kept from solve to
    solve. ``order``, ``weights`` and ``fix`` are those of CellOperator."""

    def __init__(
        self, objective: Objective, order: int, weights: str, fix: str, alpha: float | None, block: Block | None
    ):
        self.objective, self.device = objective, objective.device
        self.order, self.weights, self.fix, self.block = order, weights, fix, block
        volumes = [e for e in objective.energies if isinstance(e, AveragedVolume)]
        if not volumes:
            raise InputError(
                "Mixed() found no body with averaged volume; expected Lattice(…, volume=Averaged()), or use Newton()"
            )
        if objective.groups > 1:
            raise InputError("Mixed() solves one scene at a time; expected a Simulation, not a Batch")
        self.cells = [self._cells(volume) for volume in volumes]
        self.pairs = Pairs(objective.vectors, [c.volume.count for c in self.cells])
        self.kernels = mixed_kernels(self.device.precision)
        real = self.device.types.real
        self.count = self.pairs.count
        for name in ("s", "volume", "compliance", "star", "modulus", "give", "target", "_mean", "_leant"):
            setattr(self, name, self.device.zeros(self.count, real))
        self._parts = {name: self.pairs.of(None, getattr(self, name)).bodies for name in ("s", "_mean", "_leant")}
        self._volume = np.concatenate([c.lattice.volumes for c in self.cells])
        self.volume.assign(self._volume.astype(self.device.types.numpy))
        self.others = self._others()
        self.given, self.alpha = alpha, 1.0
        self.work: dict = {}
        self.factor: BlockFactor | None = None
        self._made = self._factored = self._last = None
        if objective.positions is not None:
            self._last = self.device.array(objective.positions, self.device.types.vec3)

    def _cells(self, volume: AveragedVolume) -> Cells:
        """The elastic energy that holds the same cells; bodies of one law share one."""
        if not isinstance(volume.elements, Lattice):
            raise InputError(
                f"Mixed() keeps a pressure for each cell of a Lattice; got {type(volume.elements).__name__}, use Newton()"
            )
        wanted = volume.cells()
        for energy in self.objective.energies:
            if type(energy) is ElasticEnergy and energy.k == volume.k:
                at = int(np.argmax((energy.cells() == wanted[0]).all(axis=1)))
                if np.array_equal(energy.cells()[at : at + volume.count], wanted):
                    return Cells(volume, energy, at)
        raise InputError("Mixed() found averaged volume without an elastic energy on the same cells")

    def _others(self) -> list[Energy]:
        """All that adds a tangent of its own: neither the cells nor what stabilises them."""
        objective, inside = self.objective, {c.elastic for c in self.cells}
        stabilised = [c.volume.first for c in self.cells if c.lattice.quadrature.stabilised]
        found = []
        for energy in objective.energies:
            if energy in inside:
                self._check_all_averaged(energy)
            elif not isinstance(energy, AveragedVolume) and not (
                isinstance(energy, Hourglass) and energy.first in stabilised
            ):
                found.append(energy)
        return found

    def _check_all_averaged(self, energy: ElasticEnergy) -> None:
        left = np.ones(energy.count, bool)
        for c in self.cells:
            if c.elastic is energy:
                left[c.own] = False
        if left.any():
            raise InputError(
                "Mixed() needs averaged volume in all lattice bodies of one law; give the others volume=Averaged() as well"
            )

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
        self.factor.nodes.lean(objective.tethers)

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
        parts += [part for part in (energy.laplacian(n) for energy in self.others) if part is not None]
        return sum(parts[1:], parts[0]).tocsr()

    # --- forces

    def means(self, x: wp.array) -> wp.array:
        """(m,) M̄ of all cells; good until asked for again."""
        for c, out in zip(self.cells, self._parts["_mean"]):
            c.volume.means(x, out)
        return self._mean

    def _pressed(self, parts: tuple[wp.array, ...]) -> dict:
        """Gradients of the energies of volume, if the pressures are those of ``parts``."""
        return {c.volume: lambda x, out, c=c, s=s: c.volume.pressed(x, s, out) for c, s in zip(self.cells, parts)}

    def forces(self, x: wp.array, g: Pair) -> tuple[float, float]:
        """g = (∂Ê/∂x, ∂Ê/∂p). Says how far both are from zero: scaled force and scaled volume.

        Forces are compared with the sum of their sizes, M̄ − s/κ with |M̄| + |s| (1/κ + 1/μ) or STRAIN, as root mean squares.
        """
        size, scale = self.objective.gradient_and_scale(x, g.x, self._pressed(self._parts["s"]))
        mean = self.means(x)
        self.device.launch(
            self.kernels.mismatch, self.count, self.volume, self.compliance, self.alpha, mean, self.s, g.p
        )
        M, s = mean.numpy().astype(float), self.s.numpy().astype(float)
        terms = (M - self._soft * s, M, (self._soft + 1.0 / self._mu) * s)
        off, *known = (float(np.sqrt(np.mean(self._volume * term * term) / np.mean(self._volume))) for term in terms)
        return size / scale if scale > 0 else 0.0, off / max(sum(known), STRAIN[self.device.precision])

    def follow(self, x: wp.array) -> None:
        """Let free nodes follow those that are held and have moved since the last solve, as Â would have it, if that costs
        less energy than to leave them behind."""
        objective, vectors = self.objective, self.objective.vectors
        if self.factor is None or self._last is None:
            return
        gone, guess = (objective.work(f"mixed {name}") for name in ("gone", "guess"))
        vectors.move(x, -1.0, self._last, gone)
        vectors.copy(gone, guess)
        objective.mask(guess)
        vectors.move(gone, -1.0, guess, gone)  # what held components have moved
        if vectors.dot(gone, gone) == 0.0:
            return
        guess.zero_()
        self._held.residual(guess, gone, guess)
        objective.mask(guess)
        self.factor.nodes.solve(guess, guess)
        objective.mask(guess)
        vectors.move(x, 1.0, guess, guess)
        objective.prefer(guess, x)

    def settle(self, x: wp.array) -> None:
        """Remember where everything is at the end of a solve."""
        self.objective.vectors.copy(x, self._last)

    def start(self, x: wp.array, g: Pair) -> None:
        """Begin with the pressures kept or with κ M̄(x), whichever leaves less amiss in the norm of the preconditioner."""
        self.forces(x, g)
        if not np.all(self._soft > 0):
            return
        kept, amiss = self.s.numpy().copy(), self.amiss(g)
        mean = self.means(x).numpy().astype(float)
        self.s.assign((mean / self._soft).astype(self.device.types.numpy))
        self.forces(x, g)
        if not self.amiss(g) < amiss:
            self.s.assign(kept)

    def amiss(self, g: Pair) -> float:
        """g·M⁻¹g [J]."""
        if "z" not in self.work:
            self.work["z"] = self.pairs.new()
        self.precondition(g, self.work["z"])
        return self.pairs.dot(g, self.work["z"])

    @property
    def precondition(self) -> Callable[[Pair, Pair], None]:
        return identity if self.factor is None else self.factor.apply

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

        return Saddle(self.device, self.pairs, self.objective.free, apply, self.precondition, self.work)

    def advance(self, a: float, dp: wp.array) -> None:
        """s −= a α δp."""
        self.device.launch(self.pairs.kernels.move_reals, self.count, self.s, -a * self.alpha, dp, self.s)


class Merit:
    """What a line search along (δx, δp) watches, in place of an Objective: the energy with a soft volume.

    With the pressures s' at the end of the full step as multipliers of M̄ = y and the slack y in κ/2 y², the augmented
    Lagrangian, least over y, is Φ = Σ E_other + W [k/2 (M̄ + r s')² − r/2 s'²], 1/k = 1/κ + r. Where K (δx, δp) = g its slope is
    −δxᵀ(A + k BᵀW⁻¹B)δx. It has the same minimiser as E once s' is right, but bends with k and not with κ, so steps
    need not be short where κ is large; with k = κ it is E.
    """

    def __init__(self, system: MixedSystem):
        self.system, self.device = system, system.device
        self.vectors = system.objective.vectors
        self._sums = self.device.zeros((1, 2), wp.float64)

    def begin(self, dp: wp.array) -> None:
        """Take s' = s − α δp."""
        system = self.system
        kernels, m = system.kernels, system.count
        self.device.launch(system.pairs.kernels.move_reals, m, system.s, -system.alpha, dp, system.target)
        self.device.launch(kernels.lean, m, system.star, system.compliance, system.target, system.modulus, system.give)

    def step_limit(self, x: wp.array, d: wp.array) -> float:
        return self.system.objective.step_limit(x, d)

    def value_and_scale(self, x: wp.array) -> tuple[float, float]:
        system = self.system
        volumes = {c.volume for c in system.cells}
        self._sums.zero_()
        for energy in system.objective.energies:
            if energy not in volumes:
                energy.measure(x, self._sums)
        args = (system.volume, system.modulus, system.give, system.target, system.means(x), system._leant)
        self.device.launch(system.kernels.merit_value, system.count, *args)
        sums = system.pairs.sums
        sums.add_to(self._sums, 1.0, sums.kernels.sum_chunk, system._leant)
        return tuple(self._sums.numpy().sum(axis=0).tolist())

    def adopt(self, x: wp.array) -> None:
        """s = k (M̄ + r s'), the pressures that the merit pushes with."""
        self._press(x)
        wp.copy(self.system.s, self.system._leant)

    def _press(self, x: wp.array) -> None:
        system = self.system
        args = (system.modulus, system.give, system.target, system.means(x), system._leant)
        self.device.launch(system.kernels.merit_pressure, system.count, *args)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        system = self.system
        self._press(x)
        instead = system._pressed(system._parts["_leant"])
        out.zero_()
        for energy in system.objective.energies:
            instead.get(energy, energy.gradient)(x, out)
        system.objective.mask(out)
