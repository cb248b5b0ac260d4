"""One Newton step of a bending beam to convergence: ms, where they go, and how they grow with size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..geometry.mesh.primitives import tet_grid
from ..integrate.schemes import ImplicitEuler
from ..material.laws.neo_hookean import StableNeoHookean
from ..simulate.scene.body import Body, Scene
from ..simulate.simulation import Simulation

Row = tuple[str, float, str]


def run(device: str = "cpu", precision: str = "f64", quick: bool = False) -> Iterator[Row]:
    """Beams of growing size, released under gravity at dt = 1/60 s; medians over the first steps."""
    sizes = [(20, 4, 4), (40, 8, 8)] if quick or device == "cpu" else [(20, 4, 4), (40, 8, 8), (80, 16, 16), (120, 24, 24)]
    for cells in sizes:
        mesh = tet_grid((1.0, 0.2, 0.2), cells, 5)
        body = Body(mesh, StableNeoHookean(young=1e5, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9)
        sim = Simulation(Scene([body]), ImplicitEuler(dt=1 / 60), device=device, precision=precision)
        sim.step()
        reports = [sim.step() for _ in range(5)]
        label = f"beam {len(mesh.tets)} tets {device} {precision}"
        yield f"{label} step", 1e3 * float(np.median([r.seconds["total"] for r in reports])), "ms"
        for stage in ("gradient", "matrix", "linear", "line search"):
            yield f"{label} {stage}", 1e3 * float(np.median([r.seconds[stage] for r in reports])), "ms"
        yield f"{label} Newton iterations", float(np.mean([r.iterations for r in reports])), ""
        yield f"{label} linear iterations", float(np.mean([r.linear_iterations for r in reports])), ""
