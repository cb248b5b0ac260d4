"""Quasi-Newton on the bending beam of 25,000 tets and others: ms per L-BFGS iteration, split into its parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..geometry.grids import tet_grid
from ..integrate.schemes import ImplicitEuler
from ..material.base import Material
from ..material.corotated import Corotated
from ..material.neo_hookean import NeoHookean
from ..simulate.body import Body, Scene
from ..simulate.simulation import Simulation
from ..solve.quasi_newton import QuasiNewton

Row = tuple[str, float, str]
SIZES = {25_000: (50, 10, 10), 10_240: (32, 8, 8), 102_400: (80, 16, 16), 500_000: (125, 28, 28)}


def beam(cells: tuple[int, int, int], law: Material, device: str, precision: str, threads: int | None) -> Simulation:
    """The beam, clamped at one end and under way: a tenth of a second after its release."""
    mesh = tet_grid((1.0, 0.2, 0.2), cells, 5)
    body = Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)
    solver = QuasiNewton(iterations=10)
    sim = Simulation(Scene([body]), ImplicitEuler(1 / 30, solver), device=device, precision=precision, threads=threads)
    for _ in range(3):
        sim.step()
    return sim


def run(device: str = "cpu", precision: str = "f32", tets: int = 25_000, steps: int = 8) -> Iterator[Row]:
    """Medians over ``steps`` steps of ten iterations; ``tets`` is one of 10,240, 25,000, 102,400 and 500,000."""
    cells = SIZES[tets]
    for name, law in (("corotated", Corotated), ("neo-Hookean", NeoHookean)):
        for threads in (1, 2) if device == "cpu" else (1,):
            sim = beam(cells, law(young=1e7, poisson=0.3, density=1000), device, precision, threads)
            reports = [sim.step() for _ in range(steps)]
            label = f"{name} {tets} tets {device} {precision}" + (
                f" {threads} thread{'s' * (threads > 1)}" if device == "cpu" else ""
            )
            each = [[r.seconds[part] / r.iterations for part in ("elements", "linear", "vectors")] for r in reports]
            parts = 1e3 * np.median(each, axis=0)
            yield f"{label}, one iteration", float(parts.sum()), "ms"
            for part, value in zip(("element passes and line search", "solve", "vectors"), parts):
                yield f"{label}, {part}", float(value), "ms"
            yield (
                f"{label}, step of ten iterations",
                1e3 * float(np.median([r.seconds["total"] for r in reports])),
                "ms",
            )
            yield f"{label}, scaled residual after ten", float(np.median([r.residual for r in reports])), ""
