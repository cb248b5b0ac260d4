"""Lattice bodies of 13.5k and 101k cells: force differential, Krylov and Newton iterations, beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import warp as wp

from pliant.bench.timing import alternated, copy_bandwidth
from pliant.elements.lattice.lattice import Lattice
from pliant.elements.quadrature import Averaged
from pliant.energy.volume.cell_kernels import ENTRIES
from pliant.energy.volume.cell_operator import CellOperator
from pliant.geometry.tetrahedra.isosurface import surface
from pliant.integrate.schemes import QuasiStatic
from pliant.linear.krylov.block_preconditioner import Block
from pliant.linear.krylov.sqmr import SQMR
from pliant.material.laws.neo_hookean import NeoHookean
from pliant.runtime.device import Device
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.mixed.mixed_solver import Mixed

from .figure import figure

Row = tuple[str, float, str]
SPACINGS = {13_500: 0.01966, 101_000: 0.00967, 1_000_000: 0.00443}  # [m], cells about
# Patterson et al. 2012, Fig 6: cells and cores of a Core i7-2600, single precision with AVX [ms]; QMR iterations they
# take
QUOTED = {
    "force differential": {(13_500, 1): 5.0, (13_500, 2): 3.0, (101_000, 1): 41.0, (101_000, 2): 23.0},
    "QMR iteration": {(13_500, 1): 7.0, (13_500, 2): 5.0, (101_000, 1): 67.0, (101_000, 2): 37.0},
    "Newton iteration": {(13_500, 1): 422.0, (13_500, 2): 244.0, (101_000, 1): 7035.0, (101_000, 2): 4066.0},
}
TAKEN = {13_500: 50, 101_000: 100, 1_000_000: 100}


def flesh() -> NeoHookean:
    return NeoHookean(young=6e4, poisson=0.498)


class Problem:
    """The figure on a lattice of about ``cells`` cells, shaken, on one device."""

    def __init__(self, lattice: Lattice, device: Device, order: int):
        psi, kappa, measure = flesh().without_volume()
        self.device, self.cells, self.nodes = device, lattice.count, len(lattice.rest)
        self.operator = CellOperator(device, lattice, psi, kappa, measure, order=order)
        random, t = np.random.default_rng(0), device.types
        noise = 0.1 * lattice.spacing * random.standard_normal(lattice.rest.shape)
        self.x = device.array(lattice.rest + noise, t.position)
        self.pressure = device.array(1e3 * random.standard_normal(self.cells), t.real)
        self.d, self.dp = device.array(noise, t.vec3), device.array(random.standard_normal(self.cells), t.real)
        self.out, self.out_p = device.zeros(self.nodes, t.vec3), device.zeros(self.cells, t.real)
        self.operator.linearise(self.x, self.pressure)

    def apply(self) -> None:
        self.operator.apply(self.d, self.dp, self.out, self.out_p)

    @property
    def bytes_moved(self) -> int:
        """What one product must read and write: state and corner numbers of the cells, their forces out and in again with
        the lists of the nodes, the vectors."""
        real, q = 4 if self.device.precision == "f32" else 8, self.operator.points.shape[0]
        state = real * (ENTRIES * q + 3 * self.operator.B.shape[0] + 3) + 4 * 4 + (3 * real * q if q > 1 else 0)
        pressures, corners = 3 * real, 2 * 8 * 3 * real + 8 * 4
        return self.cells * (state + pressures + corners) + self.nodes * (3 * 3 * real + 4)


def run(device: str = "cpu", precision: str = "f32", largest: int = 101_000, rounds: int = 15) -> Iterator[Row]:
    """K₁ and K₂ products in (x, p) of a standing figure of 13,500, 101,000 and 1,000,000 cells up to ``largest``, and Newton
    iterations of it as gravity leans: the paper's, with a fixed number of plain QMR iterations, and ours,
    preconditioned.
    """
    cpu = device == "cpu"
    copy = copy_bandwidth(Device(device, precision), 512 if cpu else 2048)
    yield f"copy bandwidth {device}", copy / 1e9, "GB/s"
    for size, spacing in SPACINGS.items():
        if size > largest:
            continue
        lattice = Lattice(figure(), spacing)
        yield (
            f"figure of {lattice.count} cells, cut by the surface",
            100 * float(np.mean(~lattice.fragments.whole)),
            "%",
        )
        threads = tuple(dict.fromkeys((1, Device("cpu").threads))) if cpu else (1,)
        problems = {
            (order, t): Problem(lattice, Device(device, precision, threads=t), order) for order in (1, 2) for t in threads
        }
        best = _best(problems, cpu, rounds)
        for (order, t), taken in best.items():
            problem = problems[order, t]
            label = f"K{order} force differential {lattice.count} cells {device} {precision}"
            label += f" {t} thread{'s' * (t > 1)}" if cpu else ""
            yield label, 1e3 * taken, "ms"
            yield f"{label}, bytes moved", problem.bytes_moved / problem.cells, "B/cell"
            yield f"{label}, share of copy bandwidth", 100 * problem.bytes_moved / taken / copy, "%"
            if order == 1 and cpu:
                yield from _quoted("force differential", label, size, t)
            if t > 1:
                yield f"{label}, speed-up", best[order, 1] / taken, "x"
        for t in threads:
            yield from _newton(size, spacing, device, precision, t)


def _quoted(what: str, label: str, size: int, threads: int) -> Iterator[Row]:
    if (size, threads) in QUOTED[what]:
        cores = f"{threads} core{'s' * (threads > 1)}"
        yield f"{label}, the paper's, i7-2600 with {cores}, quoted", QUOTED[what][size, threads], "ms"


def _newton(size: int, spacing: float, device: str, precision: str, threads: int) -> Iterator[Row]:
    """One Newton iteration at a time, of a figure that stands on its feet and leans by its own weight."""
    lattice = Lattice(figure(), spacing, volume=Averaged())
    body = Body(lattice, flesh(), pinned=lambda X: X[:, 2] < 0.05, surface=surface(figure(), 0.02))
    cpu, scene = device == "cpu", Scene(body, gravity=(2.0, 0.0, -9.81))
    plain = SQMR(iterations=TAKEN[size], preconditioner=None)
    kinds = {"plain": (plain, "paper"), "preconditioned": (SQMR(preconditioner=Block()), "psd")}
    for kind, (linear, definiteness) in kinds.items():
        solver = Mixed(iterations=1, order=1, definiteness=definiteness, linear=linear)
        sim = Simulation(scene, QuasiStatic(1.0, solver), device=device, precision=precision, threads=threads)
        reports = [sim.step() for _ in range(4)][1:]
        label = f"{lattice.count} cells {device} {precision}" + (f" {threads} thread{'s' * (threads > 1)}" if cpu else "")
        rows = {
            "QMR iteration": [r.seconds["linear"] / r.linear_iterations for r in reports],
            "Newton iteration": [r.seconds["total"] for r in reports],
        }
        for what, taken in rows.items():
            yield f"{what} {kind} {label}", 1e3 * float(np.median(taken)), "ms"
            if kind == "plain" and cpu:
                yield from _quoted(what, f"{what} {kind} {label}", size, threads)
        count = float(np.mean([r.linear_iterations for r in reports]))
        yield f"Newton iteration {kind} {label}, QMR iterations", count, ""


def _best(problems: dict[tuple[int, int], Problem], cpu: bool, rounds: int) -> dict[tuple[int, int], float]:
    """Seconds of one product, all in turn; on a GPU ten at a time in a graph, so that the host does not count."""
    jobs, times = {}, 1 if cpu else 10
    for key, problem in problems.items():
        jobs[key] = problem.apply if cpu else _graph(problem, times)
    device = next(iter(problems.values())).device
    return {key: taken / times for key, taken in alternated(jobs, device, rounds).items()}


def _graph(problem: Problem, times: int) -> Callable[[], None]:
    problem.apply()
    with wp.ScopedCapture(problem.device.warp) as capture:
        for _ in range(times):
            problem.apply()
    return lambda graph=capture.graph: wp.capture_launch(graph)
