"""Four problems of linear elasticity with known answers, for any kind of element: cantilever, ball, plate, block."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import pliant as pl
from pliant.elements.base import Elements
from pliant.energy.points.node_energies import DeadForces

from .exact import HollowBall, Plate
from .loads import Traction, nodal_forces
from .meshes import hexahedral_octant, hollow_octant

YOUNG = 1e6  # [Pa]
BEAM, TIP = (1.0, 0.2, 0.2), 40.0  # [m], [N]
BALL = HollowBall(0.5, 1.0, 1e3, YOUNG, 0.3)
SHELL = pl.sphere(BALL.outer) - pl.sphere(BALL.inner)
PLATE = Plate(1.0, 0.2, 1e3, YOUNG, 0.3)
BLOCK, PRESSED = (0.5, 0.5, 0.5), 0.01  # [m] of an eighth, and part of its height
# limits of ever finer meshes, for which no closed form is known: quadratic tets and averaged lattices agree on them within 0.1 %
DEFLECTION, BENDING = 0.10174, 1.0055  # [m], and part of the stress that beams have by theory
WORK = 15.41  # [J]


@dataclass(frozen=True)
class Solved:
    """Unknowns, CPU seconds of the solve, and errors of displacement and stress as parts of the exact ones; NaN for none."""

    unknowns: int
    seconds: float
    displacement: float
    stress: float


def boxed(kind: str, size: Sequence[float], edge: float) -> Elements:
    """A box with a corner at the origin, elements of about ``edge`` [m] from node to node."""
    cells = [max(1, round(side / edge)) for side in size]
    if kind == "linear tets":
        return pl.Tets(pl.tet_grid(size, cells, 5))
    if kind == "quadratic tets":
        return pl.QuadraticTets(pl.tet_grid(size, [max(1, n // 2) for n in cells], 5))
    volume = pl.quadrature.Averaged() if "averaged" in kind else None
    if "hexahedra" in kind:
        return pl.Hexes(pl.meshes.hex_box(size, cells), volume)
    solid = pl.box(size, [side / 2 for side in size])
    return pl.Lattice(solid, edge, origin=(0, 0, 0), volume=volume)


def eighth_of_ball(kind: str, edge: float) -> Elements:
    """x, y, z ≥ 0 of the hollow ball."""
    layers = max(1, round((BALL.outer - BALL.inner) / edge))
    if kind == "linear tets":
        return pl.Tets(hollow_octant(2 * layers, layers, BALL.inner, BALL.outer))
    if kind == "quadratic tets":
        coarse = max(1, layers // 2)
        return pl.QuadraticTets(hollow_octant(2 * coarse, coarse, BALL.inner, BALL.outer).quadratic(onto=SHELL))
    volume = pl.quadrature.Averaged() if "averaged" in kind else None
    if "hexahedra" in kind:
        return pl.Hexes(hexahedral_octant(layers, layers, BALL.inner, BALL.outer), volume)
    size = 1.5 * BALL.outer
    return pl.Lattice(SHELL & pl.box(size, (size / 2,) * 3), edge, origin=(0, 0, 0), volume=volume, refine=4)


def inside(X: np.ndarray) -> np.ndarray:
    """Whether middles of faces are on the inner surface of the hollow ball, and not in a plane of symmetry."""
    return (np.linalg.norm(X, axis=1) < 1.2 * BALL.inner) & (X.min(axis=1) > 1e-9)


def symmetric(axes: str = "xyz") -> list[pl.Hold]:
    """Planes of symmetry through the origin."""
    along = {"x": 0, "y": 1, "z": 2}
    return [pl.Hold(lambda X, i=along[a]: X[:, i] < 1e-9, by=pl.hold.Rigidly(a)) for a in axes]


class Loaded:
    """Tractions [Pa] that depend on the place, as dead forces."""

    def __init__(self, traction: Traction, chosen: Callable[[np.ndarray], np.ndarray]):
        self.traction, self.chosen = traction, chosen

    def energies(self, part, device) -> list:
        return [DeadForces(device, nodal_forces(part.elements, self.traction, self.chosen))]


def solved(elements: Elements, effects: Sequence, poisson: float = 0.3) -> tuple[pl.Simulation, int, float]:
    """The body at rest, how many unknowns it has and how many CPU seconds the solve took, once kernels are there."""
    law = pl.LinearElastic(young=YOUNG, poisson=poisson)
    scene = pl.Scene([pl.Body(elements, law, effects=list(effects))], gravity=(0, 0, 0))
    for _ in range(2):
        sim = pl.Simulation(scene, pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct())))
        begin = time.process_time()
        report = sim.step()
        spent = time.process_time() - begin
        if not report.kept:
            raise pl.errors.StepError(report.why)
    return sim, int(sim.world.free.sum()), spent


def at(elements: Elements, values: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(s, …) nodal values at points."""
    nodes, weights = elements.embedded(points)
    return np.einsum("sk,sk...->s...", weights, values[nodes])


def von_mises(stress: np.ndarray) -> np.ndarray:
    s = stress - np.trace(stress, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * np.einsum("...ij,...ij->...", s, s))


def compared(sim: pl.Simulation, exact: HollowBall | Plate, points: np.ndarray) -> tuple[float, float]:
    """Errors of displacement and of von Mises' stress at points inside, root mean squares over those of the exact ones."""
    elements = sim.scene.bodies[0].shape
    u, right = at(elements, sim.x - elements.rest, points), exact.displacement(points)
    s, wanted = at(elements, sim.field("stress"), points), von_mises(exact.stress(points))
    return float(np.linalg.norm(u - right) / np.linalg.norm(right)), float(np.linalg.norm(s - wanted) / np.linalg.norm(wanted))


def probes(count: int, size: Sequence[float], inside: Callable[[np.ndarray], np.ndarray] | None = None) -> np.ndarray:
    """Points inside a box from the origin, or inside what is in it; the same in every run."""
    X = np.random.default_rng(0).uniform(0.02, 0.98, (8 * count, 3)) * size
    return (X if inside is None else X[inside(X)])[:count]


def cantilever(kind: str, edge: float) -> Solved:
    """A bar clamped at one end with a load at the other: how far that sinks, and the stress on top half-way."""
    elements, (length, width, height) = boxed(kind, BEAM, edge), BEAM
    area = width * height
    load = Loaded(lambda X, n: np.broadcast_to([0, 0, -TIP / area], X.shape), lambda X: X[:, 0] > length - 1e-9)
    sim, unknowns, seconds = solved(elements, [pl.Hold(lambda X: X[:, 0] < 1e-9), load])
    points = np.array([[length, y * width, z * height] for y in (0.25, 0.5, 0.75) for z in (0.25, 0.5, 0.75)])
    sunk = -at(elements, sim.x - elements.rest, points)[:, 2].mean()
    bending = TIP * 0.5 * length * 0.5 * height / (width * height**3 / 12)
    top = at(elements, sim.field("stress"), np.array([[0.5 * length, 0.5 * width, height]]))[0]
    return Solved(unknowns, seconds, abs(sunk / DEFLECTION - 1), abs(top / (BENDING * bending) - 1))


def ball(kind: str, edge: float, poisson: float = 0.3) -> Solved:
    """A thick-walled ball under pressure from inside: Lamé's solution."""
    exact = HollowBall(BALL.inner, BALL.outer, BALL.pressure, YOUNG, poisson)
    elements = eighth_of_ball(kind, edge)
    load = Loaded(lambda X, n: -exact.pressure * n, inside)
    sim, unknowns, seconds = solved(elements, [*symmetric(), load], poisson)
    points = probes(2000, (BALL.outer,) * 3, lambda X: SHELL(X) < -0.01)
    return Solved(unknowns, seconds, *compared(sim, exact, points))


def plate(kind: str, edge: float) -> Solved:
    """A quarter of a thick plate on rollers, pressed from above."""
    half, t = 0.5 * PLATE.side, PLATE.thickness
    elements = boxed(kind, (half, half, t), edge)
    lowered = _Lowered(PLATE)
    holds = [
        pl.Hold(lambda X: X[:, 0] < 1e-9, by=pl.hold.Rigidly("yz")),
        pl.Hold(lambda X: X[:, 1] < 1e-9, by=pl.hold.Rigidly("xz")),
        pl.Hold(lambda X: X[:, 0] > half - 1e-9, by=pl.hold.Rigidly("x")),
        pl.Hold(lambda X: X[:, 1] > half - 1e-9, by=pl.hold.Rigidly("y")),
    ]
    pressed = Loaded(lambda X, n: -PLATE.pressed(X)[:, None] * [0, 0, 1], lambda X: X[:, 2] > t - 1e-9)
    sim, unknowns, seconds = solved(elements, [*holds, pressed])
    return Solved(unknowns, seconds, *compared(sim, lowered, probes(2000, (half, half, t))))


@dataclass(frozen=True)
class _Lowered:
    """The plate with z from 0 up."""

    exact: Plate

    def displacement(self, X: np.ndarray) -> np.ndarray:
        return self.exact.displacement(X - [0, 0, 0.5 * self.exact.thickness])

    def stress(self, X: np.ndarray) -> np.ndarray:
        return self.exact.stress(X - [0, 0, 0.5 * self.exact.thickness])


def block(kind: str, edge: float, poisson: float = 0.4999) -> Solved:
    """An eighth of a block glued between two plates and pressed, nearly incompressible: the work that takes."""
    elements, height = boxed(kind, BLOCK, edge), BLOCK[2]
    push = pl.Hold(lambda X: X[:, 2] > height - 1e-9, motion=lambda X, t: X - [0, 0, PRESSED * height])
    sim, unknowns, seconds = solved(elements, [*symmetric(), push], poisson)
    work = sum(sim.energies().values())
    return Solved(unknowns, seconds, abs(work / WORK - 1), float("nan"))


PROBLEMS = {"cantilever": cantilever, "hollow ball": ball, "thick plate": plate, "incompressible block": block}
