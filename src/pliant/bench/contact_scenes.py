"""Scenes that contact is measured with: plain functions of their size, a response and a solver, that return a simulation.

``SCENES`` has all of them by name, with the sizes that are measured, how long they run, and the closed forms they are held to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq, linprog
from scipy.spatial.transform import Rotation

import pliant as pl

from .judge import judge  # noqa: F401  what goes with the scenes
from .random_bodies import bodies_at_random

GRAVITY = 9.81
FRAME = 1 / 60  # [s]
BLOCK = (0.06, 0.06, 0.09)  # [m] of a pile
BAR, IMPACT = 0.2, 0.5  # length of a bar [m], and how fast two meet [m/s]
CARD, THICK, LEAN = 0.1, 0.004, 15.0  # height and thickness of a card [m], its angle from the vertical [degrees]
KNOT, LOOPS = 11.0, 5.0  # length of thread in a tight knot, in thicknesses, and in segments on top
SLOPE, SLIPPERY = 20.0, 0.1  # degrees, and the friction of the block on it
RUBBER = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)


@dataclass(frozen=True)
class Case:
    """A scene: what makes it, sizes, the smallest first, the time it runs [s], and what is known about it.

    ``watch`` is a number or a vector that is kept after every step, ``truth`` makes named errors of times and all of these.
    ``driven`` is a scene that hands work on, so that its energy may grow.
    """

    make: Callable[..., pl.Simulation]
    sizes: tuple[tuple[int, ...], ...]
    seconds: float
    watch: Callable[[pl.Simulation], Any] | None = None
    truth: Callable[[np.ndarray, np.ndarray], dict[str, float]] | None = None
    driven: bool = False


@dataclass(frozen=True)
class Setup:
    """What solves a scene, and where: None for the solver and the response that are the default."""

    response: Any = None
    solver: Any = None
    where: dict[str, Any] = field(default_factory=dict)  # device, precision and threads of the simulation

    def contact(self, friction: float, itself: bool = False, **options: Any) -> pl.Contact:
        """The law of contact; with ``itself`` also between parts of a body."""
        law = pl.Contact(friction=friction, **options)
        law = law if self.response is None else replace(law, response=self.response)
        return replace(law, self_contact=itself or None)

    def gap(self, usual: float) -> float:
        """[m] between things that stand on one another: nearly the reach of a response that has one."""
        reach = getattr(self.response, "reach", None)
        return 0.95 * reach if reach else usual

    def simulation(self, scene: pl.Scene, dt: float, scheme: Any = pl.ImplicitEuler) -> pl.Simulation:
        return pl.Simulation(scene, scheme(dt, **({"solver": self.solver} if self.solver else {})), **self.where)


def cloth(layers: int = 5, nodes: int = 40, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """Sheets of ``nodes``² nodes, 40 cm wide and 6 mm apart, fall on a ball of 10 cm."""
    setup, side = Setup(response, solver, where), 0.4
    law = pl.Corotated(young=1e6, poisson=0.3, density=500.0)
    sheet = pl.cloth_grid((side, side), (nodes - 1, nodes - 1)).translated((-side / 2, -side / 2, 0.21))
    turn = np.random.default_rng(3).uniform(-5.0, 5.0, layers)  # so that no two lie in the same way
    bodies = [
        pl.Body(pl.Membrane(sheet.rotated((0, 0, 1), turn[k]).translated((0, 0, 6e-3 * k)), thickness=5e-4), law)
        for k in range(layers)
    ]
    ball = pl.sphere(0.1, centre=(0.0, 0.0, 0.1))
    contact = setup.contact(0.2, itself=True, thickness=True)
    return setup.simulation(pl.Scene(bodies, [ball], contact=contact), FRAME)


def pile(count: int = 25, cells: int = 5, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """``count`` blocks of rubber, each turned another way and ``cells`` cells wide, 5 for 1,000 tets, fall into a square pit."""
    setup, width, apart = Setup(response, solver, where), max(0.1 * count ** (1 / 3), 0.2), 0.126
    across = max(int(width / apart), 1)
    mesh = pl.tet_grid(BLOCK, (cells, cells, -(-3 * cells // 2)), origin=tuple(-0.5 * s for s in BLOCK))
    turns = Rotation.from_quat(np.random.default_rng(5).normal(size=(count, 4))).as_rotvec()
    bodies = []
    for k, turn in enumerate(turns):
        layer, place = divmod(k, across**2)
        x, y = (apart * (i - 0.5 * (across - 1)) for i in divmod(place, across))
        at = (x, y, 0.08 + apart * layer)
        block = mesh.rotated(turn, np.degrees(np.linalg.norm(turn))).translated(at)
        bodies.append(pl.Body(block, RUBBER, velocity=(0, 0, -1.0)))
    walls = [pl.plane(point=(-0.5 * width * n[0], -0.5 * width * n[1], 0), normal=(*n, 0)) for n in _AROUND]
    scene = pl.Scene(bodies, [pl.plane(z=0.0), *walls], contact=setup.contact(0.3))
    return setup.simulation(scene, FRAME)


_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


def knot(segments: int = 80, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """A thread of 3 mm with an overhand knot is drawn tight by its ends in half a second."""
    setup, radius = Setup(response, solver, where), 1.5e-3
    over, height = np.array([0.0, 0.52, 1.73, 1.93, 2.3]), np.array([0.0, 0.9, -1.0, 0.1, 1.5])
    rise = CubicSpline(np.concatenate([-over[:0:-1], over]), np.concatenate([-height[:0:-1], height]))
    t = np.linspace(-2.15, 2.15, 4001)
    line = 0.01 * np.stack([t**3 - 3 * t, t**4 - 4 * t**2, rise(t)], axis=1)  # polynomials of Shastri 1992
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    points = np.stack([np.interp(np.linspace(0, length[-1], segments + 1), length, c) for c in line.T], axis=1)
    along = np.arange(segments)
    mesh = pl.EdgeMesh(points, np.stack([along, along + 1], axis=1))
    way, left = (points[-1] - points[0], KNOT * 2 * radius + LOOPS * length[-1] / segments)  # what the knot itself takes up
    way *= (length[-1] - left) / np.linalg.norm(way) - 1.0
    held = [
        pl.Hold([end, end + 1], lambda X, t, side=side: X + 0.5 * side * min(2 * t, 1.0) * way)
        for end, side in ((0, -1), (segments - 1, 1))
    ]
    law = pl.Corotated(young=1e6, poisson=0.3, density=1000.0)
    body = pl.Body(pl.Springs(mesh, radius), law, effects=held, damping=pl.Damping(mass=10.0))
    scene = pl.Scene([body], gravity=(0, 0, 0), contact=setup.contact(0.1, itself=True, thickness=True))
    return setup.simulation(scene, 1 / 200)


def twist(nodes: int = 30, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """A sheet of 20 × 40 cm whose short sides turn against one another, half a turn a second each."""
    setup, size = Setup(response, solver, where), (0.4, 0.2)
    sheet = pl.cloth_grid(size, (2 * nodes, nodes), origin=(-0.2, -0.1, 0.0))
    held = [
        pl.Hold(
            lambda X, side=side: side * X[:, 0] > 0.2 - 1e-9,
            lambda X, t, side=side: X @ Rotation.from_rotvec([side * np.pi * t, 0, 0]).as_matrix().T,
        )
        for side in (-1, 1)
    ]
    law = pl.Corotated(young=1e6, poisson=0.3, density=500.0)
    body = pl.Body(pl.Membrane(sheet, thickness=5e-4), law, effects=held, damping=pl.Damping(mass=1.0))
    scene = pl.Scene([body], gravity=(0, 0, 0), contact=setup.contact(0.2, itself=True, thickness=True))
    return setup.simulation(scene, FRAME)


# --- rigid stones and cards


def prism(corners: np.ndarray, depth: float) -> pl.TriMesh:
    """A convex polygon (k, 2) of x and z [m], from x towards z, drawn out along y by ``depth`` [m] to both sides."""
    k = len(corners)
    points = [np.insert(corners, 1, y, axis=1) for y in (-depth, depth)]
    caps = [(0, i, i + 1) for i in range(1, k - 1)] + [(k, k + i + 1, k + i) for i in range(1, k - 1)]
    sides = [f for i in range(k) for j in [(i + 1) % k] for f in ((i, k + i, k + j), (i, k + j, j))]
    return pl.TriMesh(np.concatenate(points), np.array(caps + sides))


def stones(count: int, thickness: float, gap: float = 0.0) -> list[np.ndarray]:
    """The corners (4, 2) of the stones of half a ring of mean radius 1 m, from its right foot on, ``gap`` [m] apart."""
    found = []
    for k in range(count):
        corners = []
        for side, angle in ((1, np.pi * k / count), (-1, np.pi * (k + 1) / count)):
            out, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            corners.append([(1 + s * thickness / 2) * out + 0.5 * side * gap * along for s in (-1, 1)])
        (a, b), (d, c) = corners
        found.append(np.array([a, b, c, d]))
    return found


def _centre(corners: np.ndarray) -> tuple[float, np.ndarray]:
    """Area [m²] and centroid (2,) of a polygon."""
    a, b = corners, np.roll(corners, -1, axis=0)
    twice = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return 0.5 * twice.sum(), ((a + b) * twice[:, None]).sum(axis=0) / (3 * twice.sum())


def stands(count: int, thickness: float, friction: float) -> bool:
    """Whether an arch can stand: whether forces at the ends of its joints can balance every stone (Heyman 1966)."""
    shapes = stones(count, thickness)
    balance, weight = np.zeros((3 * count, 4 * (count + 1))), np.zeros(3 * count)
    cone = np.zeros((2 * (2 * count + 2), 4 * (count + 1)))
    for k in range(count + 1):
        angle = np.pi * k / count
        out, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        for end, radius in enumerate((1 - thickness / 2, 1 + thickness / 2)):
            for way, force in enumerate((along, out)):  # pressure, shear
                column = 4 * k + 2 * end + way
                for stone, sign in ((k, 1), (k - 1, -1)):
                    if 0 <= stone < count:
                        f, r = sign * force, radius * out - _centre(shapes[stone])[1]
                        balance[3 * stone : 3 * stone + 3, column] = *f, r[0] * f[1] - r[1] * f[0]
            row, column = 2 * (2 * k + end), 4 * k + 2 * end
            cone[row : row + 2, column : column + 2] = (-friction, 1), (-friction, -1)
    for k, shape in enumerate(shapes):
        weight[3 * k + 1] = _centre(shape)[0]
    bounds = [(0, None) if c % 2 == 0 else (None, None) for c in range(4 * (count + 1))]
    found = linprog(np.zeros(balance.shape[1]), cone, np.zeros(len(cone)), balance, weight, bounds)
    return found.status == 0


def least_thickness(count: int, friction: float = 0.6) -> float:
    """How thick an arch of so many stones has to be to stand [m], of mean radius 1 m; 0.1075 for ever more of them."""
    return brentq(lambda t: 0.5 - stands(count, t, friction), 0.02, 0.2, xtol=1e-5)


def arch(count: int = 25, percent: int = 103, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """Half a ring of rigid stones, ``percent`` of the least thickness with which it stands."""
    setup = Setup(response, solver, where)
    gap, thickness = setup.gap(1e-5), 0.01 * percent * least_thickness(count)
    meshes = [prism(corners, 0.2).translated((0, 0, 0.5 * gap)) for corners in stones(count, thickness, gap)]
    bodies = [pl.Body(pl.contact.Rigid(mesh, density=2000.0)) for mesh in meshes]
    scene = pl.Scene(bodies, [pl.plane(z=0.0)], contact=setup.contact(0.6))
    return setup.simulation(scene, FRAME)


def card(gap: float = 0.0) -> tuple[np.ndarray, float]:
    """The corners (4, 2) of the right one of two cards that lean on one another, and the friction under it that they need.

    Its foot is cut level and its top upright. The force H between the two is least where it acts at their upper end, and the
    ground's at the inner edge of the foot: H z = W (x − c).
    """
    wide, lean = THICK / np.cos(np.radians(LEAN)), np.tan(np.radians(LEAN))
    foot = CARD * lean
    corners = np.array([[foot, 0.0], [foot + wide, 0.0], [0.0, (foot + wide) / lean], [0.0, CARD]])
    needed = float((foot - _centre(corners)[1][0]) / corners[2, 1])
    return corners + 0.5 * gap * np.array([1.0, 0.0]), needed


def cards(percent: int = 102, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """Two rigid cards lean on one another, on a table with ``percent`` of the friction that they need."""
    setup = Setup(response, solver, where)
    gap = setup.gap(1e-6)
    corners, needed = card(gap)
    left = (corners * [-1.0, 1.0])[::-1]
    meshes = [prism(each, 0.03).translated((0, 0, gap)) for each in (corners, left)]
    bodies = [pl.Body(pl.contact.Rigid(mesh, density=1000.0)) for mesh in meshes]
    scene = pl.Scene(bodies, [pl.plane(z=0.0)], contact=setup.contact(0.01 * percent * needed))
    return setup.simulation(scene, 1 / 200)


def masses(count: int = 3, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """Rigid cubes of 10 cm on one another, each a hundred times as heavy as the one below, the lowest of 0.1 kg."""
    setup, side = Setup(response, solver, where), 0.1
    gap, bodies = setup.gap(1e-6), []
    for k in range(count):
        mesh = pl.meshes.box((side, side, side)).rotated((0, 0, 1), 7.0 * k).translated((0, 0, (k + 1) * gap + (k + 0.5) * side))
        bodies.append(pl.Body(pl.contact.Rigid(mesh, density=100.0 * 100.0**k)))
    return setup.simulation(pl.Scene(bodies, [pl.plane(z=0.0)], contact=setup.contact(0.5)), FRAME)


# --- closed forms of soft bodies


def slope(cells: int = 3, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """A soft block that slides down 20° with a friction of 0.1; gravity leans, the floor is level."""
    setup, angle = Setup(response, solver, where), np.radians(SLOPE)
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    mesh = pl.tet_grid((0.2, 0.2, 0.1), (2 * cells, 2 * cells, cells)).translated((0, 0, setup.gap(1e-6)))
    gravity = (GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle))
    body = pl.Body(mesh.rotated((0, 0, 1), 17.0), law, damping=pl.Damping(viscosity=100.0))
    return setup.simulation(pl.Scene([body], [pl.plane(z=0.0)], gravity, setup.contact(SLIPPERY)), FRAME)


def bars(cells: int = 20, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """Two equal bars of 20 cm without weight meet head-on at 1 m/s, one at rest at first; steps of the midpoint rule."""
    setup, side = Setup(response, solver, where), BAR / cells
    law = pl.LinearElastic(young=1e6, poisson=0.0, density=1000.0)
    mesh = pl.tet_grid((BAR, 2 * side, 2 * side), (cells, 2, 2))
    still = pl.Body(mesh.translated((BAR + 1e-3, 0, 0)), law)
    bodies = [pl.Body(mesh, law, velocity=(2 * IMPACT, 0, 0)), still]
    scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=setup.contact(0.0))
    return setup.simulation(scene, 1 / 2000, pl.ImplicitMidpoint)


def random(seed: int = 0, *, response: Any = None, solver: Any = None, **where: Any) -> pl.Simulation:
    """2 to 8 bodies of all kinds, 1e3 to 1e9 Pa, 1 mm to 1 m, that fly at one another and at a floor with up to 30 m/s."""
    setup, rng = Setup(response, solver, where), np.random.default_rng(seed)
    bodies, size = bodies_at_random(rng)
    floor = [pl.plane(z=-6.0 * size)] if rng.random() < 0.5 else []
    contact = setup.contact(float(rng.uniform(0.0, 1.0)), thickness=True)
    return setup.simulation(pl.Scene(bodies, floor, contact=contact), FRAME)


# --- what is known about them


def _top(sim: pl.Simulation) -> float:
    return float(sim.x[:, 2].max())


def _moved(sim: pl.Simulation) -> float:
    return float(np.linalg.norm(sim.x - sim.world.rest, axis=1).max())


def _speeds(sim: pl.Simulation) -> np.ndarray:
    """(bodies, 3) mean velocities, by mass [m/s]."""
    mass, v = sim.world.mass, sim.v
    return np.array([mass[b.rows] @ v[b.rows] / mass[b.rows].sum() for b in sim.bodies])


def _down(t: np.ndarray, v: np.ndarray) -> dict[str, float]:
    """The acceleration over the second half, against g (sin θ − μ cos θ)."""
    half, angle = len(t) // 2, np.radians(SLOPE)
    found = (v[-1, 0, 0] - v[half, 0, 0]) / (t[-1] - t[half])
    return {"acceleration, error": float(found / (GRAVITY * (np.sin(angle) - SLIPPERY * np.cos(angle))) - 1)}


def _exchanged(t: np.ndarray, v: np.ndarray) -> dict[str, float]:
    """Of two bars that have met: the share of the speed that went over, and what was lost of the momentum."""
    first, last = v[0, :, 0], v[-1, :, 0]
    return {"speed that went over": float(last[1] / first[0]), "momentum, error": float(last.sum() / first.sum() - 1)}


def _still(t: np.ndarray, moved: np.ndarray) -> dict[str, float]:
    return {"moved [mm]": float(1e3 * moved[-1]), "in the last half [mm]": float(1e3 * abs(moved[-1] - moved[len(t) // 2]))}


def _tops(t: np.ndarray, top: np.ndarray) -> dict[str, float]:
    """The top of a pile at every tenth of a second."""
    tenths = np.arange(1, int(10 * t[-1] + 1e-6) + 1) / 10
    return {f"top at {at:.1f} s [m]": float(np.interp(at, t, top)) for at in tenths}


SCENES: dict[str, Case] = {
    "cloth": Case(cloth, ((2, 12), (5, 20), (5, 40), (20, 70), (50, 70)), 1.0),
    "pile": Case(pile, ((4, 2), (25, 2), (25, 5), (100, 5), (400, 5), (1000, 5)), 1.0, _top, _tops),
    "knot": Case(knot, ((40,), (80,), (200,)), 0.6, driven=True),
    "twist": Case(twist, ((8,), (30,), (100,)), 3.0, driven=True),
    "arch": Case(arch, ((7, 103), (7, 97), (25, 103), (25, 97)), 1.0, _moved, _still),
    "cards": Case(cards, ((102,), (98,)), 1.0, _moved, _still),
    "masses": Case(masses, ((3,),), 10.0, _moved, _still),
    "slope": Case(slope, ((1,), (3,)), 0.5, _speeds, _down),
    "bars": Case(bars, ((6,), (20,)), 0.04, _speeds, _exchanged),
    "random": Case(random, tuple((seed,) for seed in range(10)), 1.0),
}
