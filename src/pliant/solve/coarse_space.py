"""The coarse space of a step: every piece of a body moved as a rigid body, six numbers each, by the forces between them.

Energies that depend on the shape of a piece alone give it no total force and no moment, whatever their forces are, so that only
inertia, contact and what acts from outside have a part here: no element is looked at. Their sum is minimised along finite rigid
motions by Newton's method with the reduced Hessian PᵀHP, P being the six rigid modes of each piece, by conjugate gradients with
the inertia of the pieces as preconditioner. Where it ends, the momentum of every piece is exact: what inertia asks for is what
contact gives. All launches, with scalars on the device, a row for each group of nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import warp as wp
from scipy import sparse
from scipy.sparse import csgraph

from ..energy.base import Energy
from ..energy.capabilities import Rechecked, Touching, evaluate_with_gradient
from ..energy.elastic import ElasticEnergy
from ..energy.hourglass import Hourglass
from ..energy.volume import AveragedVolume
from ..material.linear import LinearElastic
from ..vectors import Vectors
from . import lbfgs_kernels as columns
from .capabilities import has_barrier
from .coarse_kernels import coarse_kernels
from .contact_solve import Stiffened
from .lbfgs_kernels import lbfgs_kernels
from .line_search import NOISE, Armijo
from .objective import Objective
from .report import Report

CHUNK = 64  # nodes that one thread sums
MOST = 4, 8  # iterations, there and at the end; piles of 27 blocks take two and four
FAR = 0.05  # of the smallest piece: how far from where free motion leads it is, where other things may touch
# of the decrease [J] that the first iteration promised, where less ends the search: before other iterations, and at the end
ENOUGH = 1e-2, 1e-8
LEAST = {"f64": 1e-22, "f32": 1e-12}  # of all energies, which rounding makes of it
# times the motion and √residual: the error at least of a step with contact, whose last iteration may have been cut short or been
# that of some points alone; without it errors of piles after three iterations are underrated five times as a rule
UNEVEN = 0.5
RULE = Armijo(least=1e-4)
GROWTH = 1e12  # of steps from one iteration to the next: each may be whole


def of_shape(energy: Energy) -> bool:
    """Whether an energy stays as it is when a piece of a body moves as a rigid one."""
    laws = energy.material.terms if energy.material is not None else ()
    linear = any(isinstance(law, LinearElastic) for law in laws)
    return isinstance(energy, ElasticEnergy | AveragedVolume | Hourglass) and not linear


class CoarseSpace:
    """The pieces of an objective's bodies that nothing holds, where there is contact; they are found again after a tear."""

    def __init__(self, objective: Objective):
        self.objective, self.device, self.alive = objective, objective.device, -1
        self.count = 0

    def take(self) -> bool:
        """Find the pieces where there are others than before, outside of launches; whether there is anything to do."""
        objective = self.objective
        if not objective.moving or has_barrier(objective) or not objective.having(Touching):
            return False
        if self.alive != objective.alive:
            self.alive = objective.alive
            self._lay(pieces(objective))
        return self.count > 0 and any(energy.ahead is not None for energy in objective.energies)

    def begin(self, x: wp.array) -> None:
        """Correct x where a solve begins; and again where bodies then touch what free motion would not have brought together."""
        objective = self.objective
        self._replay(x, False)
        rechecked = objective.having(Rechecked)
        if not rechecked:
            return
        objective.vectors.apart(x, self.inertia.target, self.d)
        far = objective.vectors.longest(self.d) > FAR * self.least
        missed = [energy.missed_contact(x) for energy in rechecked] if far else []  # of all of them
        if any(missed):
            self._replay(x, False)

    def end(self, x: wp.array) -> None:
        """Correct x where a solve has ended."""
        self._replay(x, True)

    def _replay(self, x: wp.array, last: bool) -> None:
        self.objective.replay(lambda: self.correct(x, last), f"coarse space {last} {self.alive}", x)

    def _lay(self, piece: np.ndarray) -> None:
        """Take up the pieces, ``piece`` (n,) being that of each node or −1."""
        objective, device, t = self.objective, self.device, self.device.types
        inertia = next(energy for energy in objective.energies if energy.ahead is not None)
        mass = inertia.stiffness.numpy().astype(float)
        whole = np.bincount(piece[piece >= 0], mass[piece >= 0])
        kept = np.flatnonzero(whole > 0)
        number = np.full(len(whole) + 1, -1)
        number[kept] = np.arange(len(kept))
        piece = number[piece]
        self.count = len(kept)
        if not self.count:
            return
        order = np.flatnonzero(piece >= 0)[np.argsort(piece[piece >= 0], kind="stable")]
        bounds = np.searchsorted(piece[order], np.arange(self.count + 1))
        ends = [np.arange(a, b, CHUNK) for a, b in pairwise(bounds)]
        chunks, ends = np.cumsum([0, *map(len, ends)]), np.append(np.concatenate(ends), bounds[-1])
        group = np.searchsorted(objective.bounds, order[bounds[:-1]], "right") - 1
        rest, starts = objective.rest.numpy()[order], bounds[:-1]
        sides = np.maximum.reduceat(rest, starts) - np.minimum.reduceat(rest, starts)
        self.least = float(sides.max(axis=1).min())
        self.size, self.inertia = len(order), inertia
        self.order, self.ends, self.chunks = (device.array(a, wp.int32) for a in (order, ends, chunks))
        self.piece, self.group = device.array(piece, wp.int32), device.array(group, wp.int32)
        self.whole = device.array(whole[kept], wp.float64)
        self.centre, self.beyond = (device.zeros(self.count, wp.vec3d) for _ in range(2))
        self.inverse = device.zeros(self.count, wp.mat33d)
        self.tensors = device.zeros(len(ends) - 1, wp.mat33d)
        self.parts = device.zeros(2 * (len(ends) - 1), wp.vec3d)
        self.kernels, self.search = coarse_kernels(device.precision), lbfgs_kernels(device.precision)
        self.outside = [energy for energy in objective.energies if not of_shape(energy)]
        of = np.repeat(group, 2) if objective.groups > 1 else np.zeros(1)
        rows = 2 * np.searchsorted(group, np.arange(objective.groups + 1))
        self.vectors = Vectors(device, 2 * self.count, rows)
        self.solver = _Reduced(self, device.array(of, wp.int32))
        self.force, self.there, self.q = (self.vectors.new() for _ in range(3))
        self.g, self.trial_g, self.d = (objective.vectors.new() for _ in range(3))
        self.trial, groups = objective.vectors.positions(), objective.groups
        self.sums, self.sizes = device.zeros((groups, 2), wp.float64), objective.new_sizes()
        self.state, self.none = device.zeros((groups, columns.WIDTH), wp.float64), device.zeros((groups, 1), wp.float64)
        self.rows, self.soft = device.zeros((1, 1), t.vec3), device.zeros(1, t.real)  # of a history, which there is not
        self.limits = device.array(np.ones((groups, 2)), wp.float64)
        self.budgets = [device.array([k], wp.int32) for k in MOST]
        self.running, self.searching = (device.zeros(1, wp.int32) for _ in range(2))

    def correct(self, x: wp.array, last: bool = True) -> None:
        """Move the pieces of x as rigid bodies to where all forces on each of them balance, by launches alone;
        ``last``: of a solve."""
        kernels, device, sums = self.kernels, self.device, self.vectors.sums
        mesh = (self.order, self.ends)
        launch, chunks, mass = device.launch, self.tensors.shape[0], self.inertia.stiffness
        self.x, budget, enough = x, self.budgets[last], ENOUGH[last]
        launch(kernels.first_moments, chunks, *mesh, mass, x, self.parts)
        launch(kernels.put_centres, self.count, self.chunks, self.whole, self.parts, self.centre)
        launch(kernels.second_moments, chunks, *mesh, self.piece, mass, self.centre, x, self.tensors)
        launch(kernels.put_inverses, self.count, self.chunks, self.inertia.factor, self.tensors, self.inverse)
        device.clear(self.running)
        self._look(x, self.centre, self.g, self.force)
        self.solver.precondition(self.force, self.q)
        least, groups = LEAST[device.precision], self.objective.groups
        sums.use(kernels.note_first, least, self.vectors.dots(self.force, self.q), self.sums, self.sizes)
        launch(self.search.begin, groups, 1.0, budget, self.sums, self.sizes, self.none, self.state, self.running)
        device.loop(self.running, lambda: self._iterate(budget, enough))

    def _look(self, x: wp.array, centre: wp.array, gradient: wp.array, force: wp.array) -> None:
        """Energies at x, their gradient, and what it is for each piece."""
        self.device.clear(self.sums)
        self.device.clear(gradient)
        for energy in self.outside:
            evaluate_with_gradient(energy, x, self.sums, gradient)
        self.reduce(x, centre, gradient, force)

    def reduce(self, x: wp.array, centre: wp.array, f: wp.array, out: wp.array) -> None:
        """out = Pᵀ f."""
        launch, kernels = self.device.launch, self.kernels
        mesh = (self.order, self.ends, self.piece, centre, x)
        launch(kernels.sum_forces, self.tensors.shape[0], *mesh, f, self.parts)
        launch(kernels.put_forces, self.count, self.chunks, self.parts, out)

    def _iterate(self, budget: wp.array, enough: float) -> None:
        """A direction of Newton's method, and a search along the rigid motion that begins with it."""
        objective, device, search, sums = self.objective, self.device, self.search, self.vectors.sums
        launch, groups = device.launch, objective.groups
        device.clear(self.running)
        device.clear(self.searching)
        self.solver.linearise(self.x)
        self.solver.run(self.force, self.q)
        self.vectors.mix(-1.0, self.q, 0.0, self.q, self.q)
        slopes = self.vectors.dots(self.force, self.q)
        sums.use(search.judge, GROWTH, slopes, self.limits, self.none, self.state, self.searching)
        least = LEAST[device.precision]
        launch(self.kernels.note_step, groups, enough, least, self.state, self.sizes)
        device.loop(self.searching, self._try)
        history = (0, self.soft, self.state, self.d, self.trial, self.trial_g, self.x, self.g, self.rows, self.rows)
        launch(search.push, objective.count, objective.of, *history)
        launch(
            self.kernels.shift_centres,
            self.count,
            self.group,
            columns.ALPHA,
            self.state,
            self.q,
            self.centre,
            self.centre,
        )
        self.reduce(self.x, self.centre, self.g, self.force)
        launch(search.tally, groups, 1.0, budget, self.sizes, self.none, self.state, self.running)

    def _try(self) -> None:
        """One trial of the search."""
        launch, kernels, state, q = self.device.launch, self.kernels, self.state, self.q
        self.device.clear(self.searching)
        self.device.copy(self.x, self.trial)
        mesh = (self.order, self.piece, self.group, columns.ALPHA, state, self.centre, q)
        launch(kernels.move_pieces, self.size, *mesh, self.x, self.trial)
        launch(kernels.shift_centres, self.count, self.group, columns.ALPHA, state, q, self.centre, self.beyond)
        self._look(self.trial, self.beyond, self.trial_g, self.there)
        resolution = self.objective.residuals.resolution
        limits = (RULE.shrink, RULE.slope, RULE.least, NOISE[self.device.precision], columns.CLEAR, resolution)
        slopes = self.vectors.dots(self.there, q)
        self.vectors.sums.use(self.search.decide, *limits, self.sums, slopes, self.none, state, self.searching)


class _Reduced(Stiffened):
    """(G + PᵀKP) q = f with the inertia G of pieces and the tangents K of all else that acts from outside."""

    def __init__(self, coarse: CoarseSpace, of: wp.array):
        device = coarse.device
        free = device.array(np.ones((coarse.vectors.count, 3)), device.types.vec3)
        super().__init__(device, coarse.vectors, of, free)
        self.coarse, others = coarse, [energy for energy in coarse.outside if energy is not coarse.inertia]
        self.touching = [energy for energy in others if isinstance(energy, Touching)]
        self.others = [
            energy
            for energy in others
            if not isinstance(energy, Touching) and type(energy).tangent is not Energy.tangent
        ]
        self.d, self.Kd = (coarse.objective.vectors.new() for _ in range(2))

    def linearise(self, x: wp.array) -> None:
        """Take up the tangents at x."""
        for energy in self.touching:
            energy.linearise(x)

    def precondition(self, r: wp.array, z: wp.array) -> None:
        coarse = self.coarse
        given = (coarse.inertia.factor, coarse.whole, coarse.inverse)
        self.device.launch(coarse.kernels.divide, coarse.count, *given, r, z)

    def multiply(self, p: wp.array, out: wp.array) -> None:
        coarse, x = self.coarse, self.coarse.x
        mesh = (coarse.order, coarse.piece, coarse.centre, x)
        self.device.launch(coarse.kernels.lift, coarse.size, *mesh, p, self.d)
        self.device.clear(self.Kd)
        for energy in self.touching:
            energy.multiply(self.d, self.Kd)
        for energy in self.others:
            energy.tangent(x, self.d, self.Kd, project=True)
        coarse.reduce(x, coarse.centre, self.Kd, out)


def pieces(objective: Objective) -> np.ndarray:
    """(n,) the number of the piece of each node, −1 of those with a component that is held: nodes that elements join."""
    n, rows, others = objective.count, [], []
    for energy in objective.energies:
        cells = energy.cells() if of_shape(energy) or isinstance(energy, ElasticEnergy) else None
        if cells is not None and len(cells):
            rows.append(np.repeat(cells[:, 0], cells.shape[1] - 1))
            others.append(cells[:, 1:].ravel())
    if not rows:
        return np.full(n, -1)
    joined = np.concatenate(rows), np.concatenate(others)
    graph = sparse.csr_matrix((np.ones(len(joined[0]), bool), joined), shape=(n, n))
    _, piece = csgraph.connected_components(graph, directed=False)
    held = np.zeros(piece.max() + 1, bool)
    held[piece[~objective.moves.all(axis=1)]] = True
    return np.where(held[piece], -1, piece)


def balanced(objective: Objective, x: wp.array, solve: Callable[[], Report]) -> Report:
    """The report of a ``solve`` on a budget from and into x, between two corrections of the coarse space."""
    coarse = objective.state(CoarseSpace)
    if not coarse.take():
        return solve()
    coarse.begin(x)
    report = solve()
    if not report.kept:
        return report
    coarse.end(x)
    residual = objective.residual(x, coarse.g)
    if report.converged:
        return report.changed(residual=residual.value, worst=residual.body)
    objective.vectors.apart(x, objective.origin, coarse.d)
    left = UNEVEN * objective.vectors.longest(coarse.d) * math.sqrt(residual.value)
    return report.changed(residual=residual.value, worst=residual.body, error=max(report.error, left))
