"""How steps of 25,000 tets get faster with threads, and how long error ≤ 1e-3 takes on all of them.

    python benchmarks/threads.py [--threads 1,2,4,8,16] [--repeats 3]

Prints a row for each number of threads: ms of arithmetic without memory, which is what the machine has to give, of a Newton
step (tolerance 1e-7, f64) and of a quasi-Newton step of ten iterations from the same swinging state, and how much faster than
on one thread; then the rows of `python -m benchmarks accuracy` in f32 on the most threads. Every step begins with the same state,
so that all do the same work. Takes about a minute and a half once kernels are compiled.
"""

import argparse
import time

import numpy as np
import warp as wp
from studies import accuracy

from pliant.geometry.mesh.primitives import tet_grid
from pliant.runtime.device import Device, family
from pliant.solve.newton.newton_solver import Newton
from pliant.solve.quasi_newton.quasi_newton_solver import QuasiNewton

TETS = 25_000
TURNS = wp.constant(20_000)
SOLVERS = {"Newton, f64": (Newton(), "f64"), "QuasiNewton(10), f32": (QuasiNewton(iterations=10), "f32")}


@family
def arithmetic_kernels(t):
    real = t.real

    @t.kernel
    def arithmetic(start: int, a: real, out: wp.array(dtype=real)):
        i = start + wp.tid()
        x = real(i)
        y = real(1.0)
        for _ in range(TURNS):
            x = x * a + y
            y = y * a + x
        out[i] = x + y

    return locals()


def arithmetic_ms(threads: int, repeats: int) -> tuple[float, float]:
    """Median and least ms of arithmetic that needs no memory."""
    device = Device("cpu", "f64", threads=threads)
    out, kernel = device.zeros(1024, wp.float64), arithmetic_kernels("f64").arithmetic
    taken = []
    for k in range(2 + repeats):
        begin = time.perf_counter()
        device.launch(kernel, 1024, 0.999, out, grain=1)
        if k > 1:
            taken.append(1e3 * (time.perf_counter() - begin))
    return float(np.median(taken)), min(taken)


def step_ms(mesh, state, solver, precision: str, threads: int, repeats: int) -> tuple[float, float]:
    """Median and least ms of a step from ``state``, after two that compile, record and factor."""
    sim = accuracy._beam(mesh, 1e5, solver, "cpu", precision, threads)
    taken = []
    for k in range(2 + repeats):
        _, report = accuracy._step(sim, *state)
        if k > 1:
            taken.append(1e3 * report.seconds["total"])
    return float(np.median(taken)), min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    counts, begin = [int(text) for text in given.threads.split(",")], time.perf_counter()
    mesh = tet_grid((1.0, 0.2, 0.2), {5 * int(np.prod(c)): c for c in accuracy.CELLS}[TETS], 5)
    state = accuracy.swinging(mesh, 1e5, "cpu", max(counts))
    works = {"arithmetic without memory": lambda n: arithmetic_ms(n, given.repeats)}
    for name, (solver, precision) in SOLVERS.items():
        works[f"{TETS} tets {name}"] = lambda n, s=solver, p=precision: step_ms(mesh, state, s, p, n, given.repeats)
    for name, work in works.items():
        base = None
        for threads in counts:
            median, least = work(threads)
            base = base or (median, least)
            times = f"{base[0] / median:.2f} x (least {base[1] / least:.2f} x)"
            print(f"{name}, {threads} threads: {median:.1f} ms (least {least:.1f}), {times}", flush=True)
    for solver in ("QuasiNewton(10)", "QuasiNewton(20)", "Newton(1e-02, PCG)", "Newton(1e-03, PCG)"):
        rows = accuracy.run("cpu", "f32", TETS, (1e5, 1e6, 1e7), max(counts), given.repeats, solver)
        for name, value, unit in rows:
            print(f"{name} {value:.3g} {unit}", flush=True)
    print(f"took {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
