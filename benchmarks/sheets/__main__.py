"""``python -m benchmarks.sheets``: every cell is a number that theory says is 1."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import pliant as pl
from pliant.elements.sheets.plates import plates
from pliant.linear.matrix.block_matrix import BlockMatrix

from .meshes import KINDS, rectangle
from .plates import ANGLES, CURVATURES, PLATES, POINTS, cantilever
from .plates import energy as energy_ratio


def table(title: str, columns: Sequence[str], cell: Callable[[str, str], float]) -> float:
    """Print a table with the kinds of mesh as rows; returns the largest error."""
    widest = max(map(len, KINDS)) + 2
    print(f"{title:<{widest}}" + "".join(f"{name:>18}" for name in columns))
    worst = 0.0
    for kind in KINDS:
        values = [cell(kind, name) for name in columns]
        worst = max(worst, *(abs(v - 1) for v in values))
        print(f"{kind:<{widest}}" + "".join(f"{v:>18.4f}" for v in values), flush=True)
    print()
    return worst


def cost(cells: int) -> None:
    """Print what each triangle costs: setting up, forces and matrix, in the plane and in bending."""
    for precision in ("f32", "f64"):
        for kind in ("alternating", "random"):
            mesh = rectangle(kind, (0, 0), (1, 1), 1 / cells)
            count = len(mesh.triangles)
            start = time.perf_counter()
            nodes = [group.nodes.shape[1] for group in plates(mesh)]
            setup = time.perf_counter() - start
            body = pl.Body(pl.Membrane(mesh, 1e-3), pl.Corotated(young=1e6))
            sim = pl.Simulation(pl.Scene([body]), precision=precision)
            print(f"{precision} {kind}, {count} triangles of {nodes} nodes, set up in {1e6 * setup / count:.1f} µs each")
            for name in ("elastic", "bending"):
                forces, matrix = (1e9 * seconds / count for seconds in times(sim, name))
                print(f"    {name}: forces {forces:.0f} ns, matrix {matrix:.0f} ns", flush=True)


def times(sim: pl.Simulation, name: str, repeat: int = 20) -> tuple[float, float]:
    """Seconds, the least of several, for the gradient and for the matrix of the energies of a name."""
    energies, x, out = list(sim.world[name]), sim.state.x, sim.vectors.new()
    pattern = BlockMatrix(sim.device, sim.world.count, [energy.cells() for energy in energies])
    for energy in energies:
        energy.attach(pattern)
    found = []
    for act in (lambda energy: energy.gradient(x, out), lambda energy: energy.blocks(x, pattern)):
        seconds = []
        for _ in range(repeat + 1):
            start = time.perf_counter()
            for energy in energies:
                act(energy)
            seconds.append(time.perf_counter() - start)
        found.append(min(seconds[1:]))
    return tuple(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sheets", description=__doc__)
    parser.add_argument("--cells", type=int, default=24, help="edges along a side of a plate, 24 unless told")
    parser.add_argument("--points", action="store_true", help="forces at points instead, on twice as many edges too")
    parser.add_argument("--cost", action="store_true", help="time for each triangle instead")
    given = parser.parse_args()
    if given.cost:
        cost(given.cells)
        return
    n = given.cells
    if given.points:
        for name, ratio in POINTS.items():
            print(f"{name:<18}" + "".join(f"{m:>6} edges {ratio(m):.4f}" for m in (n, 2 * n)), flush=True)
        return
    squares = {kind: rectangle(kind, (0, 0), (1, 1), 1 / n) for kind in KINDS}
    worst = [table("energy", list(CURVATURES), lambda kind, name: energy_ratio(squares[kind], CURVATURES[name]))]
    worst.append(table("deflection", list(PLATES), lambda kind, name: PLATES[name](kind, n)))
    strips = {f"strip at {a}°": a for a in ANGLES}
    worst.append(table("deflection", list(strips), lambda kind, name: cantilever(kind, n, strips[name])))
    print(f"largest error {100 * max(worst):.2f} %")


if __name__ == "__main__":
    main()
