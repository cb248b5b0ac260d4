"""Energy-safe cuts: stiffer meshes that gain no energy.

A vertex that moves at rest moves in the deformed body to the same point of the material, so an even stretch keeps its energy.
A bent body has another one on its new mesh, and most often more: 0.2 % in the median, up to 13 % where a coarse mesh is bent far.
Before the faces open, the vertices within ``RINGS`` of those that moved go to where their forces are those from before, the
minimum of E(x) − f·x with f = ∂E/∂x before the cut. Where E − f·x has then risen still, by ``MORE``, the vertices around which
energy has come go less far onto the blade. What little is left is taken out down the slope of E, to the very energy from before.
The same vertices go less far where a cut takes energy out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import warp as wp
from scipy import sparse
from scipy.sparse.linalg import splu

from ...cut.mesh_cut import Opened
from ...effects.effect_layout import Part
from ...effects.elasticity.elasticity import Elastic, local_material
from ...elements.base import Elements
from ...energy.elastic.elastic_energy import GRAIN, ElasticEnergy
from ...geometry.mesh.vertex_cells import renumbered, rows_at, tet_gradients
from ...runtime.device import Device
from ...runtime.scatter_writes import together, write, write_columns
from ...solve.objective.step_objective import Objective

if TYPE_CHECKING:
    from ..simulation import Simulation


SMALL = 1e-4  # of the elastic energy of the body: so much more is let be
RINGS = 2  # tets between a vertex that moved and those that give way
STEPS = 40  # of the way down
ROUNDING = {"f32": 1e-5, "f64": 1e-8}  # strains whose energy means nothing
PROBE = 1e-6  # of the size: how far the curvature is felt
SHIFT = 1e-8  # of its diagonal, for patches that nothing holds
FLAT = 1e-6  # of the energy: a step that promises less is the last
MEMORY = 8  # steps that are remembered
HALVINGS = 20  # between a place above an energy and one below
MORE = 5e-3  # of the elastic energy of the body: vertices go less far where so much more would be left
LESS = 0.5  # of its move is left of a vertex around which too much energy has come
MUCH = 0.2  # of the largest rise around a vertex: those with more go less far
TRIES = 5  # after these no vertex moves


@dataclass(frozen=True, eq=False)
class Patch:
    """Some tets of a body before its faces open, and what their nodes may do."""

    device: Device
    part: Part
    tets: np.ndarray  # (t,) their numbers
    nodes: np.ndarray  # (n,) nodes of the body
    corners: np.ndarray  # (t, 4) among these
    free: np.ndarray  # (n, 3) components that may give way

    @cached_property
    def _law(self) -> tuple:
        material, rows = local_material(self.part)
        return material, None if rows is None else rows[self.tets]

    def energy(self, *rests: np.ndarray) -> ElasticEnergy:
        """Of these tets, the nodes of the body being at each of ``rests`` (…, 3), one after the other."""
        X, (material, rows) = np.concatenate([rest[self.nodes] for rest in rests]), self._law
        corners = np.concatenate([self.corners + i * len(self.nodes) for i in range(len(rests))])
        volumes = np.linalg.det(X[corners[:, 1:]] - X[corners[:, :1]]) / 6
        elements = Elements(X, corners, tet_gradients(X, corners), volumes[:, None])
        return ElasticEnergy(self.device, elements, material, 0, None if rows is None else np.tile(rows, len(rests)))

    @cached_property
    def _arrays(self) -> tuple[wp.array, wp.array]:
        """Where positions and forces are on the device."""
        t = self.device.types
        return self.device.zeros(len(self.nodes), t.position), self.device.zeros(len(self.nodes), t.vec3)

    def evaluated(self, energy: ElasticEnergy, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(t,) energy of each tet [J] and (n, 3) ∂E/∂x [N], nodes (n,) at x."""
        place, force = self._arrays
        place.assign(x)
        force.zero_()
        energy.gradient(place, force)
        return energy.element_values(place).astype(float), force.numpy().astype(float)

    def settled(self, energy: ElasticEnergy, x: np.ndarray, pull: np.ndarray, most: float) -> tuple[np.ndarray, float]:
        """x (n, 3) on the way down E − ``pull`` · (x − x₀), no further than to where it is ``most`` [J], and what it is there."""
        loose = np.flatnonzero(self.free.any(axis=1))
        stiff = energy.weighted_laplacian(np.ones(1), np.zeros(1, int), len(x)).tocsc()[loose][:, loose]
        solve = splu(stiff + SHIFT * stiff.diagonal().mean() * sparse.identity(len(loose), format="csc")).solve

        def evaluate(y: np.ndarray) -> tuple[float, np.ndarray]:
            values, forces = self.evaluated(energy, y)
            return float(values.sum() - (pull * (y - x)).sum()), np.where(self.free, forces - pull, 0.0)

        def smooth(g: np.ndarray) -> np.ndarray:
            out = np.zeros_like(g)
            out[loose] = solve(g[loose])
            return np.where(self.free, out, 0.0)

        above, below, value = descend(evaluate, smooth, x, most)
        return (below, value) if value > most else (_between(lambda y: evaluate(y)[0], above, below, most), most)

    def as_before(self, energy: ElasticEnergy, x: np.ndarray, pull: np.ndarray, most: float, more: float) -> np.ndarray | None:
        """x (n, 3) with forces near ``pull`` and the energy ``most``; None where E − pull · x stays larger by ``more``."""
        if not self.free.any():
            return None
        settled, value = self.settled(energy, x, pull, most)
        if value > most + more:
            return None
        if self.evaluated(energy, settled)[0].sum() > most:
            settled, value = self.settled(energy, settled, 0.0 * pull, most)
            return settled if value <= most else None
        return _between(lambda y: float(self.evaluated(energy, y)[0].sum()), x, settled, most)


def _between(value: Callable[[np.ndarray], float], above: np.ndarray, below: np.ndarray, most: float) -> np.ndarray:
    """The place between two where a value that is larger than ``most`` at the first is so no more."""
    for _ in range(HALVINGS):
        middle = 0.5 * (above + below)
        above, below = (above, middle) if value(middle) <= most else (middle, below)
    return below


def descend(
    evaluate: Callable[[np.ndarray], tuple[float, np.ndarray]],
    smooth: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    most: float,
) -> tuple[np.ndarray, np.ndarray, float]:
    """The last two places on the way down from x to a value of ``most``, or to the bottom, and the value at the last: L-BFGS
    (Nocedal & Wright 2006, algorithm 7.4) that begins with ``smooth`` for the inverse of the curvature, up to a factor."""
    value, g = evaluate(x)
    before, pairs = x, []
    if value <= most:
        return x, x, value
    probe = smooth(g)
    probe *= PROBE * np.ptp(x, axis=0).max() / max(np.abs(probe).max(), 1e-300)
    s, y = -probe, evaluate(x - probe)[1] - g
    bends = (y * smooth(y)).sum()
    factor = (s * y).sum() / bends if bends > 0 else 0.0
    for _ in range(STEPS if factor > 0 else 0):
        q, shares = g.copy(), []
        for s, y, rho in reversed(pairs):
            shares.append(rho * (s * q).sum())
            q -= shares[-1] * y
        d = -factor * smooth(q)
        for (s, y, rho), share in zip(pairs, reversed(shares)):
            d -= (share + rho * (y * d).sum()) * s
        slope, length = float((g * d).sum()), 1.0
        if not slope < -FLAT * most:
            break
        while True:
            there = x + length * d
            now, other = evaluate(there)
            if now <= value + 1e-4 * length * slope or length < 1e-3:
                break
            length *= 0.5
        if not now < value:
            break
        s, y = there - x, other - g
        if (s * y).sum() > 0:
            pairs = [*pairs, (s, y, 1.0 / (s * y).sum())][-MEMORY:]
            factor = (s * y).sum() / (y * smooth(y)).sum()
        before, x, value, g = x, there, now, other
        if value <= most:
            break
    return before, x, value


def without_rise(
    simulation: Simulation, index: int, done: Opened, x: np.ndarray, again: Callable[[np.ndarray], Opened]
) -> tuple[Opened, np.ndarray | None]:
    """The cut of a body of tets with nodes at x (n, 3), whose vertices move as far as its elastic energy does not rise, and
    (n, 3) by how much its nodes give way [m], or None; ``again(share)`` is the cut with vertices that go a share (n,) of their
    way onto the blade."""
    body, part = simulation.scene.bodies[index], simulation.world.layout.parts[index]
    elastic = [energy for energy in simulation.world["elastic"] if index in energy.parts]
    if len(elastic) != 1 or type(elastic[0]) is not Elastic:  # what flows has a memory that says more than its shape
        return done, None
    mesh = body.shape.mesh
    count = len(mesh.vertices)
    if not done.moved[:count].any():
        return done, None
    old, new = _before_and_after(elastic[0], part, done, x, simulation.world.objective)
    if not np.isfinite(old) or abs(new - old) <= SMALL * old:
        return done, None
    patch = _patch(simulation, part, done.moved[:count], RINGS)
    energy, now = patch.energy(mesh.vertices), x[patch.nodes]
    before, pull = patch.evaluated(energy, now)
    most = float(before.sum())
    whole = float(elastic[0].element_values(simulation.state.x).astype(float).sum())
    strain = ROUNDING[simulation.device.precision]
    least = SMALL * whole + float(patch.evaluated(energy, (1.0 + strain) * mesh.vertices[patch.nodes])[0].sum())
    share = np.ones(count)
    for attempt in range(TRIES):
        energy, now = patch.energy(done.mesh.vertices), done.carried(x)[patch.nodes]
        after, _ = patch.evaluated(energy, now)
        if most - MORE * whole <= after.sum() <= most + least:
            return done, None
        if after.sum() > most:
            settled = patch.as_before(energy, now, pull, most, MORE * whole)
            if settled is not None:
                shift = np.zeros((count, 3))
                shift[patch.nodes] = settled - now
                return done, shift[done.origin]
        rise = np.zeros(count)
        np.add.at(rise, patch.nodes[patch.corners], np.abs(after - before)[:, None])
        rise[~done.moved[:count]] = 0.0
        last = attempt == TRIES - 1
        share = np.where(last | (rise > MUCH * rise.max()), 0.0 if last else LESS, 1.0) * share
        done = again(share)
    return done, None


class Around:
    """Tets around vertices that moved, as they were and as they are, whose energies are found in arrays that are kept."""

    def __init__(self, _: Objective, energy: Elastic, count: int):
        self.energy, self.count, device = energy, count, energy.device
        t, laws = device.types, count if len(energy.rows) > 1 else 1
        self.nodes, self.grad = device.zeros((4, count), wp.int32), device.zeros((3, count), t.vec3)
        self.scale, self.weight = device.zeros(1, t.real), device.zeros((1, count), t.real)
        self.rows, self.at = device.zeros(laws, wp.int32), device.zeros(4 * count, t.position)
        self.out = device.zeros(count, t.real)

    def values(
        self, nodes: np.ndarray, gradients: np.ndarray, volumes: np.ndarray, laws: np.ndarray | None, x: np.ndarray
    ) -> np.ndarray:
        """(m,) energies [J] of tets (m, 4) with their gradients, volumes and rows of the law's table, where it has several, nodes
        at x."""
        device, m = self.energy.device, len(nodes)
        some = np.arange(m)
        with together(device):
            write_columns(device, self.nodes, some, nodes.T)
            write_columns(device, self.grad, some, gradients[:, 0, :-1].transpose(1, 0, 2))
            write_columns(device, self.weight, some, volumes[None])
            write(device, self.at, x)
            if laws is not None:
                write(device, self.rows, laws)
        mesh = (self.nodes, self.grad, self.scale, self.weight, self.energy.table, self.rows)
        # as many as there is room for, those of before among them: a launch that is recorded once
        device.launch(self.energy.kernels.energy, self.count, *mesh, self.at, self.out, grain=GRAIN)
        return device.read(self.out)[:m].astype(float)


def _before_and_after(energy: Elastic, part: Part, done: Opened, x: np.ndarray, objective: Objective) -> tuple[float, float]:
    """Energy [J] of the tets around vertices that moved, before the cut and after it, nodes at x (n, 3) before."""
    e = part.elements
    rows = rows_at(e.nodes, done.moved[: len(x)], done.touched)
    nodes, corners = renumbered(e.nodes[rows], len(x))
    gradients = np.concatenate([e.gradients_at(rows), done.gradients[np.searchsorted(done.touched, rows)]])
    volumes = np.concatenate([e.volumes[rows], done.mesh.volumes[rows]])
    laws = None
    if len(energy.rows) > 1:
        laws = np.tile(energy.static_rows[sum(energy.sizes[: energy.parts.index(part.index)]) + rows], 2)
    both = np.concatenate([corners, corners + len(nodes)])
    size = 1 << int(len(both) - 1).bit_length()
    around = objective.state(Around, energy, size)
    values = around.values(both, gradients, volumes, laws, np.concatenate([x[nodes], done.carried_to(nodes, x)]))
    old, new = values.reshape(2, -1).sum(axis=1)
    return float(old), float(new)


def _patch(simulation: Simulation, part: Part, moved: np.ndarray, rings: int) -> Patch:
    """The tets around all that may give way to vertices that ``moved`` (n,): those up to ``rings`` tets away."""
    tets, near = part.elements.nodes, moved.copy()
    for _ in range(rings):
        near[tets[rows_at(tets, near)]] = True
    own = rows_at(tets, near)
    nodes, corners = renumbered(tets[own], len(moved))
    free = near[nodes][:, None] & simulation.world.layout.free[part.nodes][nodes].astype(bool)
    return Patch(simulation.device, part, own, nodes, corners, free)
