"""Contact by complementarity, stage by stage: a block of 58,800 unknowns on a floor with 2,262 rows, three ways to make W."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.contact.complementarity.contact_compliance import SelectedInverse
from pliant.contact.complementarity.contact_solver import Complementarity
from pliant.contact.complementarity.matrix_free import MatrixFree
from pliant.contact.complementarity.narrow_phase import Rows
from pliant.effects.contact.obstacle_contact import Contact
from pliant.errors import InputError
from pliant.geometry.distance.sdf import plane
from pliant.geometry.mesh.primitives import tet_grid
from pliant.integrate.schemes import ImplicitEuler
from pliant.linear.factor.block_factor import Factored
from pliant.linear.factor.direct import Direct
from pliant.material.laws.neo_hookean import StableNeoHookean
from pliant.runtime.device import Device
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.newton.linear_system import linearised
from pliant.solve.newton.newton_solver import Newton

Row = tuple[str, float, str]
Timer = Callable[..., tuple[float, object]]

# Zeng 2023, Table 4.1: 59,529 unknowns, 2,250 constraints, Ryzen 9 5950X and RTX 3080 [ms]
THESIS = {
    "solves": {"free motion": 41.45, "W": 554.15, "forces": 48.06, "correction": 3.60, "step": 674.35},
    "isolated": {"free motion": 42.20, "W": 13.53, "forces": 47.55, "correction": 3.83, "step": 134.08},
    "reuse": {"free motion": 42.45, "W": 6.56, "forces": 46.58, "correction": 3.82, "step": 125.63},
}
CELLS = (25, 28, 25)  # 26 × 29 × 26 nodes, 754 of them on the floor
SIZES = (6, 9, 13, 19)  # cells across, for the cost at a fixed set of contacts
FEW = 60  # contacts of that set
LENGTHS = (16, 32, 64, 128)  # cells along a bar that is longer and longer, at a fixed set of contacts at its end
ACROSS = 6  # cells across it
COUNTS = (30, 60, 120, 240)  # contacts, for the cost at a fixed mesh
MESH = 15  # cells across of that mesh
BLOCKS = ((8, 8, 4), (16, 16, 8), (6, 6, 24), (24, 24, 6))  # cells, for forces with W and without it


def block(cells: tuple[int, int, int], device: str, young: float = 5e4, refresh: int = 1) -> Simulation:
    """A block on a floor, all of whose lower nodes touch it after a step."""
    size = tuple(0.01 * n for n in cells)
    mesh = tet_grid(size, cells, 5)
    body = Body(mesh, StableNeoHookean(young=young, poisson=0.3, density=1000.0))
    contact = Contact(friction=0.3, response=Complementarity(refresh=refresh))
    scene = Scene([body], obstacles=[plane(z=0.0)], contact=contact)
    return Simulation(scene, ImplicitEuler(dt=0.02, solver=Newton(iterations=1, linear=Direct())), device=device)


def run(device: str = "cpu", columns: int = 64, sizes: bool = True, steps: int = 0) -> Iterator[Row]:
    """The stages of one step, and the cost of W against the size of the mesh and the number of contacts.

    ``columns``: rows that the plain way is timed with, and multiplied up to all of them; 0 for all. ``sizes``: whether to measure
    the cost at a fixed set of contacts on growing meshes, and at a fixed mesh with more and more contacts. ``steps``: whole
    steps of a simulation whose factor serves so many, 0 for none. On the CPU all times are CPU time, of all
    threads together, which tells on a busy machine what the work costs; on a GPU they are wall-clock times.
    """
    if columns < 0:
        raise InputError(f"columns is {columns}; expected a number of rows, or 0 for all")
    timed = clock(device)
    sim = block(CELLS, device)
    report = sim.step()
    yield "unknowns", 3 * len(sim.x), ""
    yield "the first step, with compilation", 1e3 * sum(report.seconds.values()), "ms"
    objective = sim.world.objective
    contact, x = objective.constraint, sim.state.x
    contact.detector.begin(x)
    wall, system = timed(lambda: linearised(objective, x, project=True))
    yield "matrix", wall, "ms"
    wall, inverse = timed(lambda: Direct().operator(system), 1 if device == "cpu" else 3)
    yield "factor", wall, "ms"
    g, d = objective.vectors.new(), objective.vectors.new()
    contact.release()
    objective.gradient(x, g)
    free, _ = timed(lambda: inverse.solve(g, d))
    yield "free motion", free, "ms"
    motion = -d.numpy().astype(float)
    wall, rows = timed(lambda: contact.find(x, motion, True))
    yield "detection", wall, "ms"
    yield "rows", 3 * rows.count, ""
    ways = {}
    for name, ms, made, unit in compliances(timed, inverse, rows, columns):
        ways[name], W = ms, made
        yield f"W {name}", ms, unit
    yield "W, reuse times faster than solves", ways["solves"] / ways["reuse"], ""
    b = rows.gaps(x.numpy() + motion)
    nothing = np.zeros(len(b))
    contact.solve(W, rows, b, nothing)  # compiles
    cold, answer = timed(lambda: contact.solve(W, rows, b, nothing))
    yield "forces from nothing", cold, "ms"
    yield "forces from nothing, sweeps", answer.sweeps, ""
    yield "forces from nothing, the last change over what is enough", answer.change / contact.enough, ""
    warm, answer = timed(lambda: contact.solve(W, rows, b, answer.force))
    yield "forces from those of the step before", warm, "ms"
    pull = objective.vectors.new()

    def correct() -> None:
        pull.assign(rows.pulled(answer.force).astype(objective.device.types.numpy))
        inverse.solve(pull, d)

    correction, _ = timed(correct)
    yield "correction", correction, "ms"
    for name, theirs in THESIS.items():
        yield f"step without factor, {name}", free + ways[name] + cold + correction, "ms"
        yield f"step without factor, {name}, the thesis", theirs["step"], "ms"
        yield f"W {name}, the thesis", theirs["W"], "ms"
    if steps:
        yield from whole_steps(device, steps)
    if sizes:
        yield from by_size(device)
        yield from by_length(device)
        yield from by_contacts(device)
        yield from by_product(device)


def compliances(timed: Timer, inverse: object, rows: Rows, columns: int) -> Iterator[tuple[str, float, object, str]]:
    """W by solves, along paths, and again with all unknowns known; on a GPU with lists of launches made before and anew."""
    J = rows.jacobian()
    count = min(columns or J.shape[0], J.shape[0])
    wall, _ = timed(lambda: J @ inverse.solve_many(J[:count].T.toarray()), 1)
    yield "solves", wall * J.shape[0] / count, None, f"ms, from {count} of {J.shape[0]} rows"
    kept: dict = {}
    wall, W = timed(lambda: SelectedInverse().matrix(kept, inverse, rows), 1)
    if not W.device.is_cpu:
        yield "isolated, of contacts never seen before", wall, W, "ms"
        anew = SelectedInverse(reuse=False)
        for _ in range(2):  # recorded, then replayed
            anew.matrix(kept, inverse, rows)
        wall, W = timed(lambda: anew.matrix(kept, inverse, rows), 5)
    yield "isolated", wall, W, "ms"
    wall, _ = timed(lambda: SelectedInverse().matrix(kept, inverse, turned(rows)))
    yield "reuse", wall, SelectedInverse().matrix(kept, inverse, rows), "ms"


def turned(rows: Rows) -> Rows:
    """The same contacts with other normals, as after a step."""
    normal = rows.normal + 0.01 * np.random.default_rng(0).normal(size=rows.normal.shape)
    return replace(rows, normal=normal / np.linalg.norm(normal, axis=1)[:, None])


def whole_steps(device: str, steps: int) -> Iterator[Row]:
    """Steps of a simulation, stage by stage: the median of those that keep the factor of the step before."""
    sim = block(CELLS, device, refresh=steps)
    timed = clock(device)
    for _ in range(3):
        sim.step()  # compiles, records
    taken = [timed(sim.step, 1) for _ in range(steps)]
    keeps = sorted(taken, key=lambda item: item[0])[: max(1, steps - 2)]  # without the one that makes a factor
    for stage in keeps[0][1].seconds:
        yield f"whole step, {stage}", 1e3 * float(np.median([report.seconds[stage] for _, report in keeps])), "ms"
    yield "whole step", float(np.median([wall for wall, _ in keeps])), "ms"
    yield f"whole step, mean of {steps} with a new factor among them", float(np.mean([t for t, _ in taken])), "ms"
    yield "whole step, solves with the matrix", keeps[0][1].linear_iterations, ""


def by_size(device: str) -> Iterator[Row]:
    """W of the same number of contacts on finer meshes of a cube, whose largest separators grow with it."""
    for cells in SIZES:
        inverse, rows = touching((cells, cells, cells), device)
        yield from costs(device, inverse, rows.chosen(np.arange(min(FEW, rows.count))))


def by_length(device: str) -> Iterator[Row]:
    """W of contacts at the end of a bar that is longer and longer: along paths it hardly grows, by solves it does."""
    for cells in LENGTHS:
        inverse, rows = touching((cells, ACROSS, ACROSS), device)
        yield from costs(device, inverse, rows.chosen(np.arange((ACROSS + 1) ** 2)))  # nodes are numbered along the bar


def by_contacts(device: str) -> Iterator[Row]:
    """W of more and more contacts on one mesh."""
    inverse, rows = touching((MESH, MESH, MESH), device)
    for count in COUNTS:
        spread = np.unique(np.linspace(0, rows.count - 1, min(count, rows.count)).astype(int))
        yield from costs(device, inverse, rows.chosen(spread))


def by_product(device: str) -> Iterator[Row]:
    """Forces of all contacts of a block, with W made anew, with W known but for its directions, and without W."""
    for cells in BLOCKS:
        sim = block(cells, device)
        sim.step()
        law, fall = sim.world.objective.constraint, np.tile([0.0, 0.0, -9.81 * 0.02**2], (len(sim.x), 1))
        law.detector.begin(sim.state.x)
        inverse = Direct().operator(linearised(sim.world.objective, sim.state.x, project=True))
        rows = law.find(sim.state.x, fall, True)
        for name, ms in force_costs(clock(device), law, inverse, rows, rows.gaps(sim.x + fall)):
            yield f"forces of {rows.count} contacts, {3 * len(sim.x)} unknowns, {name}", ms, "ms"


def force_costs(timed: Timer, law: Any, inverse: Factored, rows: Rows, b: np.ndarray) -> Iterator[tuple[str, float]]:
    """The cost of forces [ms], each way."""
    kept: dict = {}
    ways = {
        "W made anew": lambda: SelectedInverse(reuse=False).matrix({}, inverse, rows),
        "W known": lambda: SelectedInverse().matrix(kept, inverse, rows),
        "no W": lambda: MatrixFree().matrix(kept, inverse, rows),
    }
    for name, made in ways.items():
        law.solve(made(), rows, b, np.zeros(len(b)))  # compiles, and knows W
        yield name, timed(lambda made=made: law.solve(made(), rows, b, np.zeros(len(b))))[0]


def touching(cells: tuple[int, int, int], device: str) -> tuple[Factored, Rows]:
    """The factor of a block on a floor, and its contacts."""
    sim = block(cells, device)
    sim.step()
    objective = sim.world.objective
    objective.constraint.detector.begin(sim.state.x)
    rows = objective.constraint.find(sim.state.x, None, True)
    return Direct().operator(linearised(objective, sim.state.x, project=True)), rows


def costs(device: str, inverse: Factored, rows: Rows) -> Iterator[Row]:
    """What W costs, each way."""
    for name, ms, _, _ in compliances(clock(device), inverse, rows, 0 if device == "cpu" else 16):
        yield f"{3 * rows.mixture.shape[1]} unknowns, {rows.count} contacts, W {name}", ms, "ms"


def clock(device: str) -> Timer:
    """What measures least times [ms] of some runs, and returns the last result beside."""
    now, place = time.process_time if device == "cpu" else time.perf_counter, Device(device)

    def timed(work: Callable[[], object], repeats: int = 3) -> tuple[float, object]:
        best, result = np.inf, None
        for _ in range(repeats):
            place.synchronize()
            begin = now()
            result = work()
            place.synchronize()
            best = min(best, now() - begin)
        return 1e3 * best, result

    return timed
