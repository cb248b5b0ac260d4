"""Iterations and ms of conjugate gradients to 1e-6 with each preconditioner, on beams of slices soft and stiff."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.errors import InputError
from pliant.geometry.mesh.primitives import tet_grid
from pliant.integrate.schemes import ImplicitEuler
from pliant.linear.factor.corotational_factor import CorotationalFactor
from pliant.linear.krylov.pcg import PCG
from pliant.linear.matrix.system import System
from pliant.linear.preconditioner.preconditioners import BlockJacobi, Cholesky, Jacobi
from pliant.linear.preconditioner.sparse_inverse import SparseInverse
from pliant.linear.preconditioner.two_level import TwoLevel
from pliant.material.laws.neo_hookean import StableNeoHookean
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.newton.linear_system import linearised
from pliant.solve.quasi_newton.quasi_newton_solver import QuasiNewton

Row = tuple[str, float, str]
CELLS = ((20, 4, 4), (32, 8, 8), (50, 10, 10), (80, 16, 16))
KINDS = {
    "Jacobi": Jacobi(), "BlockJacobi": BlockJacobi(), "TwoLevel": TwoLevel(),
    "Cholesky": Cholesky(), "SparseInverse": SparseInverse(),
}  # fmt: skip
SLICES = 10  # of the beam, every other one stiff
TOLERANCE = 1e-6
TURNS = {False: "", True: " and turned"}
STALE = 4  # steps by which the matrix of a factor is older than the one that it is used for


def run(
    device: str = "cpu",
    precision: str = "f64",
    tets: int = 10_240,
    young: float = 1e5,
    ratios: float | Sequence[float] = (1.0, 1e2, 1e4),
    threads: int | None = None,
    repeats: int = 3,
) -> Iterator[Row]:
    """A swinging beam of 1,600, 10,240, 25,000 or 102,400 ``tets`` whose slices are of modulus ``young`` [Pa] and of
    ``ratios`` times that; dt = 1/60 s. Medians over ``repeats`` solves of a matrix of its motion: what the preconditioner
    takes to make, what the iterations take, and how many they are. "Cholesky, 4 steps old" is the factor of the matrix four
    steps before; turned with the nodes, it is what ``AsyncCholesky`` has at hand."""
    cells = {5 * int(np.prod(c)): c for c in CELLS}
    if tets not in cells:
        raise InputError(f"tets={tets!r}: expected one of {', '.join(map(str, cells))}")
    mesh = tet_grid((1.0, 0.2, 0.2), cells[tets], 5)
    middle = mesh.vertices[mesh.tets].mean(axis=1)[:, 0]
    stiff = np.floor(SLICES * middle).astype(int) % 2 == 1
    on = f"{device} {precision}" + (f" {threads} thread{'s'[: threads - 1]}" if threads else "")
    for ratio in np.atleast_1d(ratios):
        law = StableNeoHookean(young=np.where(stiff, young * ratio, young), poisson=0.4, density=1000)
        scene = Scene([Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)])
        scheme = ImplicitEuler(1 / 60, QuasiNewton(iterations=20))
        sim = Simulation(scene, scheme, device=device, precision=precision, threads=threads)
        sim.v = (mesh.vertices[:, :1] / mesh.vertices[:, 0].max()) ** 2 * np.array([0.0, 2.0, -4.0])
        sim.step()
        old = linearised(sim.world.objective, sim.state.x, project=True)
        aged = CorotationalFactor(old)
        aged.note(old)
        aged.take()
        for _ in range(STALE):
            sim.step()
        given = linearised(sim.world.objective, sim.state.x, project=True)
        b = given.device.array(np.random.default_rng(0).standard_normal((given.vectors.count, 3)), given.device.types.vec3)
        given.mask(b)
        label = f"{tets} tets {on} ratio {ratio:.0e}"
        stale = {f"Cholesky, {STALE} steps old{more}": _Aged(aged, turns) for turns, more in TURNS.items()}
        for name, kind in (KINDS | stale).items():
            found = _measured(replace(given, work={}), kind, b, repeats)
            for what, value, unit in zip(("iterations", "making", "solving"), found, ("", "ms", "ms")):
                yield f"{label} {name}: {what}", value, unit


@dataclass(frozen=True, eq=False)
class _Aged:
    """A factor that is there already, turned with the nodes or not."""

    factor: CorotationalFactor
    turns: bool
    assembled, batch = True, 1

    def prepare(self, system: System) -> Any:
        self.factor.follow(system.x if self.turns else self.factor.x)
        return self.factor.apply


class _Given:
    """A preconditioner that is there already."""

    assembled, batch = True, 1

    def __init__(self, apply: Any):
        self.apply = apply

    def prepare(self, system: System) -> Any:
        return self.apply


def _measured(given: System, kind: Any, b: Any, repeats: int) -> tuple[float, float, float]:
    """Iterations, ms of making the preconditioner and ms of solving with it."""
    device, x, making, solving = given.device, given.vectors.new(), [], []
    for _ in range(repeats + 2):  # the first two compile and record
        device.synchronize()
        begin = time.perf_counter()
        inverse = kind.prepare(given)
        device.synchronize()
        middle = time.perf_counter()
        result = PCG(iterations=20_000, preconditioner=_Given(inverse)).solve(given, b, x, TOLERANCE)
        device.synchronize()
        making.append(1e3 * (middle - begin))
        solving.append(1e3 * (time.perf_counter() - middle))
    return float(result.iterations), float(np.median(making[2:])), float(np.median(solving[2:]))


def table(rows: Sequence[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The rows side by side: a line for each ratio and preconditioner."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        name, what = row["name"].rsplit(": ", 1)
        where, kind = name.split(" ratio ")
        ratio, kind = kind.split(" ", 1)
        found.setdefault((f"{where} ratio {ratio}", kind), {})[what] = row["value"]
    lines = [
        (where, kind, f"{v['iterations']:.0f}", f"{v['making']:.1f}", f"{v['solving']:.1f}") for (where, kind), v in found.items()
    ]
    return ("beam", "preconditioner", "iterations to 1e-6", "ms to make", "ms to solve"), lines
