"""Cutting a beam along while it moves, stage by stage, beside Table 5.1 of Zeng's thesis, and against building it anew."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from pliant.cut.blade import Blade
from pliant.cut.mesh_cut import opened
from pliant.cut.sides import sides as sides_of
from pliant.errors import InputError, PliantWarning
from pliant.geometry.mesh.mesh import TetMesh
from pliant.geometry.mesh.primitives import tet_grid
from pliant.integrate.schemes import ImplicitEuler
from pliant.linear.factor.direct import Direct
from pliant.linear.krylov.pcg import PCG
from pliant.material.laws.corotated import Corotated
from pliant.material.laws.rotation_tangents import Exact, Warped
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.newton.linear_system import linearised
from pliant.solve.newton.linearly_implicit import LinearlyImplicit
from pliant.solve.newton.newton_solver import Newton

Row = tuple[str, float, str]

# Zeng 2023, Table 5.1: beams of n × 2n × 4n cubes, Ryzen 9 5950X and RTX 3080 [ms]: to the boundary surface (point cloud, path,
# boundary), the virtual system (Delassus, PGS, correction), state and topology, stiffness and map, one solve by CG, all
THESIS = {
    4: (1.76, 1.94, 0.26, 0.43, 0.84, 7.01),
    5: (2.52, 3.53, 0.47, 0.70, 0.66, 10.03),
    6: (3.50, 6.72, 0.68, 0.85, 0.90, 15.46),
    7: (5.03, 11.78, 1.19, 1.42, 0.75, 24.06),
    8: (6.58, 18.96, 1.88, 1.60, 0.78, 34.80),
    9: (9.12, 31.31, 2.71, 2.24, 1.03, 53.22),
    10: (12.23, 48.21, 4.90, 2.56, 1.07, 77.59),
}
NAMES = ("faces along the blade", "snapping", "state and topology", "stiffness and map", "solve", "all")
DEPTH = 0.4  # [m] of the beam, which is 0.1 × 0.2 × 0.4 m


def beam(n: int, device: str, quick: bool = False) -> Simulation:
    """A beam of 48 n³ tets that is held below; ``quick`` with the steps of the thesis: one linear system, R K Rᵀ, and f32."""
    mesh = tet_grid((0.1, 0.2, 0.4), (n, 2 * n, 4 * n), 6)
    law = Corotated(young=2e5, poisson=0.3, density=1000.0, tangent=Warped() if quick else Exact())
    body = Body(mesh, law, pinned=lambda X: X[:, 2] < 1e-9)
    solver = LinearlyImplicit(linear=PCG()) if quick else Newton(iterations=1, linear=PCG())
    scheme = ImplicitEuler(dt=1 / 60, solver=solver)
    return Simulation(Scene([body]), scheme, device=device, precision="f32" if quick else "f64")


def blade(share: float, askew: float = 0.004) -> Blade:
    """Along the beam from above, through a share of its height."""
    return Blade([(0.05 - askew, -1.0, 0.5), (0.05 + askew, 1.2, 0.5)], depth=0.1 + share * DEPTH)


def run(device: str = "cpu", cells: int = 10, steps: int = 60, taken: int = 6, sizes: bool = True) -> Iterator[Row]:
    """One step of a cut that goes through in ``steps`` of them, on the mesh of ``cells`` cubes across (4 … 10 are the thesis').

    ``taken``: how many of the steps are measured, evenly spread; the medians are given. ``sizes``: whether to compare with a
    simulation built anew on growing meshes, and for cuts of growing area. On the CPU all times are CPU time, of all threads
    together, which tells on a busy machine what the work costs, but for "all by the clock"; on a GPU all are wall-clock times.
    "the steps of the thesis" are one linear system each, with the stiffness R K Rᵀ in f32; so they are where a thread works cuts
    out, and what the loop itself takes counts: on the CPU the time of its own thread, all of it with PLIANT_THREADS=1.
    """
    if cells < 2 or steps < 2 or not 1 <= taken <= steps:
        raise InputError(f"cells={cells}, steps={steps}, taken={taken}: expected cells ≥ 2, steps ≥ 2 and 1 ≤ taken ≤ steps")
    yield "tets", 48 * cells**3, ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)  # a step that is shorter than a tet may open nothing
        found = stages(device, cells, steps, taken)
        quick = stages(device, cells, steps, taken, quick=True)
        loop = beside(device, cells, steps)
    for name, ms in found.items():
        yield name, ms, "ms"
    for name, ms in quick.items():
        yield f"the steps of the thesis, {name}", ms, "ms"
    for name, value in loop.items():
        yield f"with a thread that cuts, {name}", value, "" if name == "steps from cut to cut" else "ms"
    for name, ms in virtual(cells).items() if device == "cpu" else ():
        yield f"snapping by a virtual system, {name}", ms, "ms"
    for name, ms in zip(NAMES, THESIS.get(cells, ())):
        yield f"the thesis, {name}", ms, "ms"
    if sizes:
        yield from against_anew(device)


def beside(device: str, cells: int, steps: int) -> dict[str, float]:
    """What ``steps`` steps of the loop take [ms] while a thread works out the cut of a blade that goes on with each of them.

    A step begins 1/60 s after the one before, or when that has ended; how many go by from one cut to the next is given, too.
    """
    sim = beam(cells, device, quick=True)
    now = time.thread_time if sim.device.is_cpu else time.perf_counter
    sim.step()
    sim.cut(blade(1 / steps))
    spent = []
    for k in range(-2, steps + 1):
        sim.device.synchronize()
        due, begin, before = time.perf_counter() + 1 / 60, now(), sim.world.alive
        if k > 1:
            sim.cut(blade(k / steps), wait=False)
        sim.step()
        sim.device.synchronize()
        if k > 1:
            spent.append((1e3 * (now() - begin), sim.world.alive > before))
        time.sleep(max(0.0, due - time.perf_counter()))
    sim.finish_cuts()
    every, last = np.array([ms for ms, _ in spent]), np.array([made for _, made in spent])
    found = {"median": np.median(every), "mean": every.mean(), "longest": every.max()}
    if last.any() and not last.all():
        found |= {"steps in which a cut is put in place": np.median(every[last]), "others": np.median(every[~last])}
    found["steps from cut to cut"] = len(last) / max(last.sum(), 1)
    return {name: float(value) for name, value in found.items()}


def virtual(cells: int) -> dict[str, float]:
    """What the thesis' way of snapping would take [ms] with the factor and the paths of elimination that contact uses.

    Its system is constant, so that it is factored once. A step in which the blade goes on by a row of vertices needs the
    compliance of these, that with the rows before, which grows, and a solve for where all nodes go; Gauss and Seidel's iterations
    over all rows so far come on top.
    """
    sim = beam(cells, "cpu")
    sim.step()
    clock, X, objective = Clock(sim), sim.world.rest, sim.world.objective
    made: list = []
    factor = clock(lambda: made.append(Direct().operator(linearised(objective, sim.state.x, 1.0))))
    sheet = np.flatnonzero(np.abs(X[:, 0] - 0.1 * (cells // 2) / cells) < 1e-9)
    row = 3 * sheet[np.argsort(-X[sheet, 2], kind="stable")][: 2 * cells + 1]
    b, out = objective.vectors.new(), objective.vectors.new()
    b.assign(np.eye(3)[np.zeros(len(X), int)] * np.isin(np.arange(len(X)), row // 3)[:, None])
    compliance = [clock(lambda: made[0].partial(row)) for _ in range(3)]
    solve = [clock(lambda: made[0].solve(b, out)) for _ in range(7)]
    return {
        "its factor, once": factor,
        "the compliance of a row of vertices": float(np.median(compliance)),
        "where all nodes go": float(np.median(solve)),
    }


def stages(device: str, cells: int, steps: int, taken: int, quick: bool = False) -> dict[str, float]:
    """Medians [ms] of the stages of one step in which the blade has gone on."""
    sim = beam(cells, device, quick)
    clock = Clock(sim)
    sim.step()
    spent: dict[str, list[float]] = {}

    def note(name: str, ms: float) -> None:
        spent.setdefault(name, []).append(ms)

    measured = set(np.linspace(2, steps, taken).round().astype(int).tolist())
    sim.cut(blade(1 / steps))
    sim.step()
    for k in range(2, steps + 1):
        if k not in measured:
            continue
        sim.cut(blade((k - 1) / steps))  # what was cut before
        for _ in range(3):  # as after a blade that goes on step by step: launches are recorded
            sim.step()
        mesh, x, now = sim.scene.bodies[0].shape.mesh, sim.bodies[0].x, blade(k / steps)
        first = clock(partial(sides_of, mesh, x, now))
        both = clock(partial(opened, mesh, now, x))
        begin = time.perf_counter()
        whole, after = clock(partial(sim.cut, now)), clock(sim.step)
        by_clock, again = 1e3 * (time.perf_counter() - begin), clock(sim.step)
        note("faces along the blade", first)
        note("snapping and topology", both - first)
        note("state, elements and layout", whole - both)
        note("matrix and preconditioner", after - again)
        note("one step of the solver", again)
        note("all", whole + after)
        note("all without the solver", whole + after - again)
        if sim.device.is_cpu:
            note("all by the clock", by_clock)
    return {name: float(np.median(values)) for name, values in spent.items()}


def against_anew(device: str) -> Iterator[Row]:
    """A cut and its first step against a simulation built of the mesh that it made: on growing meshes, and for growing cuts."""
    for cells in (4, 6, 8, 10):
        yield from _pair(device, cells, 0.25, f"{48 * cells**3} tets")
    for share in (0.05, 0.25, 0.5, 0.95):
        yield from _pair(device, 8, share, f"{48 * 8**3} tets, {100 * share:.0f} % cut")


def _pair(device: str, cells: int, share: float, name: str) -> Iterator[Row]:
    cuts, news = [], []
    for _ in range(3):
        sim = beam(cells, device)
        clock = Clock(sim)
        sim.step()
        cuts.append(clock(partial(_cut, sim, share)))
        news.append(clock(partial(_anew, sim)))
    yield f"{name}: cut and step", float(np.median(cuts)), "ms"
    yield f"{name}: its mesh built anew and step", float(np.median(news)), "ms"


def _cut(sim: Simulation, share: float) -> None:
    sim.cut(blade(share))
    sim.step()


def _anew(sim: Simulation) -> None:
    """The first step of a simulation that knows nothing of what is known of the mesh."""
    body = sim.scene.bodies[0]
    mesh = TetMesh(body.shape.mesh.vertices, body.shape.mesh.tets)
    other = Simulation(
        Scene([Body(mesh, body.material, pinned=body.pinned)]), sim.integrator, sim.device.name, sim.device.precision
    )
    other.step()


class Clock:
    """Milliseconds of CPU time of a piece of work, or of wall-clock time on a GPU."""

    def __init__(self, sim: Simulation):
        self.device = sim.device

    def __call__(self, work: Callable[[], object]) -> float:
        now = time.process_time if self.device.is_cpu else time.perf_counter
        self.device.synchronize()
        begin = now()
        work()
        self.device.synchronize()
        return 1e3 * (now() - begin)
