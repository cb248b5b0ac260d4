"""Modal analysis: K φ = ω² M φ about a state."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ..arguments import checks
from ..energy.capabilities import Constraint
from ..errors import InputError, PliantError
from ..linear.factor.free_factor import renewed
from ..runtime.device import Device
from .record.run import Run, Skin
from .record.surface_embedding import skins_of
from .scene.body import Body, Scene
from .scene.world import World
from .simulation import Simulation

COSTS_NOTHING = 1e-8  # of the forces that cancel in it, what a motion may leave over and still be rigid
SHIFT = 1e-9  # of the largest ω², by which ω² of bodies that can move freely is raised while it is sought
FRAMES = 48  # of a swing


@dataclass(frozen=True, eq=False)
class Modes:
    """Natural ``frequencies`` (k,) [Hz], rising, and ``shapes`` (k, n, 3) whose modal mass Σ m |φ|² is 1 kg.

    ``rigid`` counts the motions that cost no energy, such as those of a free body, which are left out. ``run(i)`` swings in one.
    """

    frequencies: np.ndarray
    shapes: np.ndarray
    rigid: int
    rest: np.ndarray  # (n, 3) where the nodes are [m]
    skins: tuple[Skin, ...]

    def __len__(self) -> int:
        return len(self.frequencies)

    def __repr__(self) -> str:
        names = ", ".join(skin.name for skin in self.skins[:4]) + (", …" if len(self.skins) > 4 else "")
        said = ", ".join(f"{f:.4g}" for f in self.frequencies[:8]) + (", …" if len(self) > 8 else "")
        left = f"; {self.rigid} rigid ones left out" if self.rigid else ""
        return f"Modes({len(self)} of {names}: {said} Hz{left})"

    @property
    def mode_names(self) -> list[str]:
        """What each is called: its number and frequency."""
        return [f"mode {i}, {f:.4g} Hz" for i, f in enumerate(self.frequencies)]

    def run(self, mode: int = 0, size: float = 0.1, cycles: int = 2) -> Run:
        """A run that swings in one mode for some cycles, with ``size`` of the bodies' extent where it moves most: to be shown.

        ``view``, ``page``, ``picture`` and ``export`` take it; time is slowed down or sped up to one second a cycle.
        """
        mode = checks.whole("Modes.run(mode=…)", mode, 0)
        if mode >= len(self):
            raise InputError(f"Modes.run(mode={mode}): there are {len(self)} modes, numbered from 0")
        checks.positive("Modes.run(size=…)", size, "a share of the extent")
        cycles = checks.whole("Modes.run(cycles=…)", cycles, 1)
        shape = self.shapes[mode]
        extent = float(np.linalg.norm(np.ptp(self.rest, axis=0)))
        shape = shape * (size * extent / np.linalg.norm(shape, axis=1).max())
        times = np.arange(cycles * FRAMES + 1) / FRAMES
        swing, speed = np.sin(2 * np.pi * times), 2 * np.pi * np.cos(2 * np.pi * times)
        moved, speeds = swing[:, None, None] * shape, speed[:, None, None] * shape
        return Run.single(times, self.rest + moved, speeds, self.rest, self.skins, dt=1 / FRAMES)

    def side_by_side(self, most: int = 4, size: float = 0.1) -> Run:
        """The first few shapes beside each other, as a run of one frame coloured by ``displacement``: to be drawn."""
        sides = np.ptp(self.rest, axis=0)
        along = int(np.argmin(sides[:2]))  # the shorter way across the ground
        shown = None
        for mode in range(min(checks.whole("Modes.side_by_side(most=…)", most, 1), len(self))):
            frame = self.run(mode, size, 1).selected(np.array([FRAMES // 4])).changed(times=np.zeros(1))
            shift = np.zeros(3)
            shift[along] = mode * (1.2 * sides[along] + 2.2 * size * np.linalg.norm(sides))
            shown = frame if shown is None else shown.beside(frame, shift)
        return shown


def modes(of: Body | Scene | Simulation, count: int = 10) -> Modes:
    """The ``count`` lowest natural frequencies and shapes of a body or scene at rest, or of a simulation as it stands.

    What is pinned or held stays so; motions that cost no energy are counted and left out. Of a simulation the stiffness is that
    of its present state, which should be an equilibrium: stretched strings sound higher. Damping has no part in it.
    """
    count = checks.whole("modes(count=…)", count, 1)
    if isinstance(of, Body):
        of = Scene([of], gravity=(0, 0, 0))
    if not isinstance(of, Scene | Simulation):
        raise InputError(f"modes(of={type(of).__name__}): expected a Body, a Scene or a Simulation")
    if isinstance(of, Simulation):
        of._without_spare()
        world, x, time, skins = of.world, of.x, of.t, of.skins
    else:
        world, time, skins = World([of], Device("cpu", "f64")), 0.0, skins_of(of)
        x = world.held.everywhere(0.0)
    if world.objective.having(Constraint):
        raise InputError("modes(…): contact.Complementarity() has no stiffness; expected a scene without it")
    K, positions = _stiffness(world, x, time), np.repeat(x, 3, axis=0)
    free = np.flatnonzero(world.objective.moves.ravel())
    mass = np.repeat(world.mass, 3)[free]
    rigid = _rigid(K[free], K[free][:, free], x, free, world.starts)
    wanted = count + rigid
    if wanted >= len(free):
        raise InputError(
            f"modes(count={count}): {len(free)} coordinates can move, {rigid} of the motions rigid; expected fewer modes"
        )
    squared, found = _lowest(K[free][:, free], mass, wanted, rigid > 0, positions[free])
    shapes = np.zeros((wanted, len(positions)))
    shapes[:, free] = (found / np.sqrt(np.einsum("ik,i,ik->k", found, mass, found))).T
    frequencies = np.sqrt(np.maximum(squared[rigid:], 0.0)) / (2 * np.pi)
    return Modes(frequencies, shapes.reshape(wanted, -1, 3)[rigid:], rigid, x, skins)


def _stiffness(world: World, x: np.ndarray, time: float) -> sparse.csr_matrix:
    """(3n, 3n) ∂²E/∂x² of all that is an energy of the state."""
    objective = world.objective
    place = objective.vectors.positions()
    place.assign(x)
    world.still(place, time)
    matrix = objective.assemble(place, project=False)
    blocks = (matrix.blocks.astype(float), matrix.columns, matrix.row_start)
    K = sparse.bsr_matrix(blocks, shape=(3 * len(x), 3 * len(x))).tocsr()
    if not np.isfinite(K.data).all():
        raise InputError("modes(…): the stiffness is not finite; expected bodies without inverted elements")
    return (0.5 * (K + K.T)).tocsr()


def _rigid(rows: sparse.csr_matrix, K: sparse.csr_matrix, x: np.ndarray, free: np.ndarray, starts: np.ndarray) -> int:
    """How many motions of whole bodies, shifts and turns that move nothing that is held, cost no energy."""
    motions = np.zeros((6 * (len(starts) - 1), len(x), 3))
    for i, (a, b) in enumerate(pairwise(starts)):
        away = x[a:b] - x[a:b].mean(axis=0)
        size = max(float(np.abs(away).max()), 1e-300)
        for axis in range(3):
            motions[6 * i + axis, a:b, axis] = 1.0
            motions[6 * i + 3 + axis, a:b] = np.cross(np.eye(3)[axis], away / size)
    motions = motions.reshape(len(motions), -1)
    held = np.setdiff1d(np.arange(motions.shape[1]), free)
    if len(held):  # those that leave what is held where it is
        _, sizes, across = np.linalg.svd(motions[:, held].T, full_matrices=True)
        rank = int((sizes > 1e-9 * max(sizes.max(initial=0.0), 1e-300)).sum())
        motions = across[rank:] @ motions
    motions = motions[:, free]
    if not len(motions):
        return 0
    cancelled = np.einsum("ij,ij->i", np.abs(motions), (abs(K) @ np.abs(motions).T).T).max()
    return int((np.linalg.eigvalsh(motions @ (K @ motions.T)) < COSTS_NOTHING * cancelled).sum())


def _lowest(
    K: sparse.csr_matrix, mass: np.ndarray, count: int, loose: bool, positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The lowest ω² [1/s²], rising, and their shapes (free, count), by Lanczos' method on (K + s M)⁻¹."""
    largest = float((np.asarray(abs(K).sum(axis=1)).ravel() / mass).max())
    shift = SHIFT * largest if loose else 0.0
    try:
        factor = renewed(None, (K + sparse.diags(shift * mass)).tocsr(), Device("cpu", "f64"), positions)
    except InputError:
        raise InputError(
            "modes(…): the stiffness is not positive definite: bodies are unstable, or parts of them move without force; "
            "expected a stable equilibrium, or a Hold on the loose parts"
        ) from None
    inverse = LinearOperator(K.shape, matvec=lambda b: factor.solve(b.reshape(-1, 1))[:, 0], dtype=float)
    start = np.random.default_rng(0).standard_normal(len(mass))
    try:
        squared, found = eigsh(K, count, sparse.diags(mass), sigma=-shift, OPinv=inverse, v0=start)
    except ArpackNoConvergence as error:
        raise PliantError(f"modes(…): {len(error.eigenvalues)} of {count} frequencies found; ask for fewer") from None
    order = np.argsort(squared)
    return squared[order], found[:, order]
