"""Quasi-Newton on the bending beam of 25,000 tets and others: ms per L-BFGS iteration, its parts, and their floors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import warp as wp

from pliant.bench.reference import reference_gradient_ms
from pliant.bench.timing import copy_bandwidth
from pliant.errors import InputError
from pliant.geometry.mesh.primitives import tet_grid
from pliant.integrate.schemes import ImplicitEuler
from pliant.material.base import Material
from pliant.material.laws.corotated import Corotated
from pliant.material.laws.neo_hookean import NeoHookean
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.quasi_newton.constant_factor import prefactored
from pliant.solve.quasi_newton.quasi_newton_solver import Descent, QuasiNewton

from .cholesky import read_bandwidth

Row = tuple[str, float, str]
CELLS = ((32, 8, 8), (50, 10, 10), (80, 16, 16), (108, 21, 21), (125, 28, 28), (171, 34, 34))
LAWS = {"corotated": (Corotated, "FixedCorotated"), "neo-Hookean": (NeoHookean, "StableNeoHookean")}
# One iteration of the method's authors' C++ on one core of a 64-bit ARM server, for 25,000 tets [ms]
QUOTED = {"corotated": 32.0, "neo-Hookean": 19.0}


def beam(cells: tuple[int, int, int], law: Material, device: str, precision: str, threads: int | None) -> Simulation:
    """The beam, clamped at one end and under way: a tenth of a second after its release."""
    mesh = tet_grid((1.0, 0.2, 0.2), cells, 5)
    body = Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)
    solver = QuasiNewton(iterations=10)
    sim = Simulation(Scene([body]), ImplicitEuler(1 / 30, solver), device=device, precision=precision, threads=threads)
    for _ in range(3):
        sim.step()
    return sim


def run(
    device: str = "cpu", precision: str = "f32", smallest: int = 25_000, largest: int = 25_000, steps: int = 8
) -> Iterator[Row]:
    """Medians over ``steps`` steps of ten iterations, for beams of 10,240, 25,000, 102,400, 238,140, 490,000 and 988,380
    tets between ``smallest`` and ``largest``."""
    chosen = [cells for cells in CELLS if smallest <= 5 * int(np.prod(cells)) <= largest]
    if not chosen:
        sizes = ", ".join(str(5 * int(np.prod(cells))) for cells in CELLS)
        raise InputError(f"no beam between smallest={smallest} and largest={largest} tets; there are {sizes}")
    cpu = device == "cpu"
    for cells in chosen:
        tets = 5 * int(np.prod(cells))
        for name, (law, reference) in LAWS.items():
            for threads in (1, 2) if cpu else (1,):
                sim = beam(cells, law(young=1e7, poisson=0.3, density=1000), device, precision, threads)
                label = f"{name} {tets} tets {device} {precision}" + (f" {threads} thread{'s'[: threads - 1]}" if cpu else "")
                yield from (_on_cpu if cpu else _on_gpu)(sim, label, steps)
                if cpu and tets == 25_000:
                    yield f"{label}, the authors' C++ on one core, quoted", QUOTED[name], "ms"
                yield from _floors(sim, label, reference, threads)


def _on_cpu(sim: Simulation, label: str, steps: int) -> Iterator[Row]:
    reports = [sim.step() for _ in range(steps)]
    each = [[r.seconds[part] / r.iterations for part in ("elements", "linear", "vectors")] for r in reports]
    parts = 1e3 * np.median(each, axis=0)
    yield f"{label}, one iteration", float(parts.sum()), "ms"
    for part, value in zip(("element passes and line search", "solve", "vectors"), parts):
        yield f"{label}, {part}", float(value), "ms"
    yield from _steps(reports, label)


def _steps(reports: list, label: str) -> Iterator[Row]:
    total = float(np.median([r.seconds["total"] for r in reports]))
    yield f"{label}, step of ten iterations", 1e3 * total, "ms"
    yield f"{label}, steps of ten iterations", 1 / total, "1/s"
    yield (
        f"{label}, element passes for an iteration",
        float(np.mean([r.evaluations / r.iterations for r in reports])),
        "",
    )
    yield f"{label}, scaled residual after ten", float(np.median([r.residual for r in reports])), ""


def _on_gpu(sim: Simulation, label: str, steps: int) -> Iterator[Row]:
    """The whole by the clock; the parts by themselves, each many times over in a graph."""
    reports = [sim.step() for _ in range(max(steps, 20))]
    yield f"{label}, one iteration", 1e3 * float(np.median([r.seconds["solve"] / r.iterations for r in reports])), "ms"
    objective = sim.world.objective
    descent, matrix = objective.state(Descent, 5), prefactored(objective)
    yield (
        f"{label}, element pass",
        _graph(sim, lambda: objective.evaluate_with_gradient(sim.state.x, descent.sums, descent.trial_g)),
        "ms",
    )
    yield f"{label}, solve", _graph(sim, lambda: matrix.solve(descent.q, descent.d)), "ms"
    descent.matrix = _Nothing()
    yield f"{label}, vectors", _graph(sim, descent._direction), "ms"
    descent.matrix = matrix
    yield from _steps(reports, label)


class _Nothing:
    """A matrix that costs nothing, to time what is around it."""

    def solve(self, b: wp.array, out: wp.array) -> None:
        wp.copy(out, b)


def _graph(sim: Simulation, work: Callable[[], None], times: int = 20) -> float:
    """Time of ``work`` inside a captured graph [ms]."""
    from pliant.bench.timing import seconds

    work()
    with wp.ScopedCapture(sim.device.warp, force_module_load=False) as capture:
        for _ in range(times):
            work()
    return 1e3 * seconds(sim.device, lambda: wp.capture_launch(capture.graph), repeats=7)[0] / times


def _floors(sim: Simulation, label: str, reference: str, threads: int) -> Iterator[Row]:
    """What an iteration cannot do without: a gradient in C++ on as many cores, and L read twice."""
    factor = prefactored(sim.world.objective).factor
    tets, cpu = sim.world["elastic"][0].count, sim.device.is_cpu
    scalar = reference_gradient_ms(reference, sim.device.precision) if cpu else None
    if scalar is not None:
        yield (
            f"{label}, floor of an element pass: scalar C++ gradient of {reference}",
            scalar * tets / 101_400 / threads,
            "ms",
        )
    size = 4 if sim.device.precision == "f32" else 8
    speed = read_bandwidth() if cpu else copy_bandwidth(sim.device)
    yield f"{label}, floor of a solve: L read twice", 1e3 * 2 * size * factor.nnz / speed, "ms"
    yield f"{label}, memory of the factor", factor.bytes / 1e6, "MB"
