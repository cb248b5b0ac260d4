"""Time to accuracy: ms of one step of a swinging beam against its error |x − x*| / |x* − x₀|, solver by solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pliant.errors import InputError
from pliant.geometry.mesh.mesh import TetMesh
from pliant.geometry.mesh.primitives import tet_grid
from pliant.integrate.schemes import ImplicitEuler
from pliant.linear.factor.direct import Direct
from pliant.material.laws.neo_hookean import StableNeoHookean
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.newton.newton_solver import Newton
from pliant.solve.quasi_newton.quasi_newton_solver import QuasiNewton

Row = tuple[str, float, str]
CELLS = ((20, 4, 4), (32, 8, 8), (50, 10, 10), (80, 16, 16), (108, 21, 21))
SOLVERS = {
    **{f"QuasiNewton({k})": QuasiNewton(iterations=k) for k in (5, 10, 20, 80)},
    **{f"Newton(iterations={k}, PCG)": Newton(iterations=k) for k in (1, 2)},
    **{f"Newton({t:.0e}, PCG)": Newton(tolerance=t) for t in (1e-2, 1e-3, 1e-5)},
    **{f"Newton({t:.0e}, Direct)": Newton(tolerance=t, linear=Direct()) for t in (1e-2, 1e-3, 1e-5)},
}
EXACT = Newton(tolerance=1e-9)
DT = 1 / 60
SWUNG = 6  # steps from the blow that sets the beam swinging to the state that all solvers begin with


def run(
    device: str = "cpu",
    precision: str = "f32",
    tets: int = 10_240,
    young: float | Sequence[float] = (1e5, 1e6, 1e7),
    threads: int | None = None,
    repeats: int = 3,
    solver: str = "",
) -> Iterator[Row]:
    """A beam of 1,600, 10,240, 25,000, 102,400 or 238,140 ``tets``, for each modulus ``young`` [Pa]: medians over
    ``repeats`` steps from the same state, of all solvers or those whose name begins with ``solver``. The error compares
    with f64 solved to 1e-9; a step that fails leaves the beam where it was, which is an error of 1."""
    cells = {5 * int(np.prod(c)): c for c in CELLS}
    if tets not in cells:
        raise InputError(f"tets={tets!r}: expected one of {', '.join(map(str, cells))}")
    chosen = {name: value for name, value in SOLVERS.items() if name.startswith(solver)}
    if not chosen:
        raise InputError(f"solver={solver!r}: expected the beginning of one of {', '.join(SOLVERS)}")
    mesh = tet_grid((1.0, 0.2, 0.2), cells[tets], 5)
    on = f"{device} {precision}" + (f" {threads} thread{'s'[: threads - 1]}" if threads else "")
    for modulus in np.atleast_1d(young):
        x, v = swinging(mesh, float(modulus), device, threads)
        exact, _ = _step(_beam(mesh, float(modulus), EXACT, device, "f64", threads), x, v)
        for name, method in chosen.items():
            sim = _beam(mesh, float(modulus), method, device, precision, threads)
            _step(sim, x, v)  # compiles, and makes the factors that are kept
            taken = []
            for _ in range(repeats):
                end, report = _step(sim, x, v)
                taken.append(report.seconds["total"])
            label = f"{tets} tets {on} E={modulus:.0e} {name}"
            yield f"{label}, step", 1e3 * float(np.median(taken)), "ms"
            yield f"{label}, error", error(end, exact, x), ""
            yield f"{label}, iterations", float(report.iterations), ""


def error(x: np.ndarray, exact: np.ndarray, start: np.ndarray) -> float:
    """|x − x*| / |x* − x₀|: what a step got wrong, as a share of the motion."""
    return float(np.linalg.norm(x.astype(float) - exact) / np.linalg.norm(exact - start))


def swinging(mesh: TetMesh, young: float, device: str, threads: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of the beam a tenth of a second after a blow from the side and from above, while it falls."""
    sim = _beam(mesh, young, QuasiNewton(iterations=20), device, "f64", threads)
    reach = mesh.vertices[:, :1] / mesh.vertices[:, 0].max()
    sim.v = reach**2 * np.array([0.0, 2.0, -4.0])
    for _ in range(SWUNG):
        sim.step()
    return sim.x, sim.v


def table(rows: Sequence[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The rows side by side: a line for each solver and modulus."""
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        name, what = row["name"].rsplit(", ", 1)
        found.setdefault(name, {})[what] = row["value"]
    lines = []
    for name, values in found.items():
        where, solver = name.split(" E=")[0], name.split(" E=")[1]
        modulus, solver = solver.split(" ", 1)
        ms, wrong, turns = (values.get(what, np.nan) for what in ("step", "error", "iterations"))
        lines.append((where, modulus, solver, f"{ms:.1f}", f"{wrong:.1e}", f"{turns:.0f}"))
    return ("beam", "E [Pa]", "solver", "ms per step", "|x − x*| / |x* − x₀|", "iterations"), lines


def _beam(mesh: TetMesh, young: float, solver: Any, device: str, precision: str, threads: int | None) -> Simulation:
    law = StableNeoHookean(young=young, poisson=0.4, density=1000)
    body = Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)
    return Simulation(Scene([body]), ImplicitEuler(DT, solver), device=device, precision=precision, threads=threads)


def _step(sim: Simulation, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, Any]:
    """Where a step from x and v ends, and its report."""
    sim.x, sim.v = x, v
    report = sim.step()
    return sim.x, report
