"""What an approximate tangent of Corotated costs and gains: python -m benchmarks.tangents [SECONDS] [YOUNG] [CHART.svg] [MACHINE]

A beam of 4.2 m × 1.2 m × 0.6 m, held at one end, undamped, falls, stretches and swings. Implicit Euler at 1/30
to 1/240 s with 1 to 8 Newton iterations in a step, taken whole, each linear system to 1e-3: by conjugate gradients, or for the
exact tangent by GMRES. ``apart`` is the largest distance of the energy (kinetic, elastic and of gravity) from that of the same
step solved to convergence, over what gravity can give. One thread; CPU seconds for one second of motion. MACHINE names the record
in benchmarks/results/tangents.json, such as x86_2_cores; without it nothing is written.
"""

import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.solve.newton import newton_solver

MESH = pl.tet_grid((4.2, 1.2, 0.6), (14, 4, 2), 6)
STEPS = (30, 60, 120, 240)
ITERATIONS = (1, 2, 4, 8)
TANGENTS = ("Exact", "Truncated", "Warped", "Hybrid")
REFERENCE = 5e-4  # [s] step of symplectic Euler
RESULTS = Path(__file__).parent / "results" / "tangents.json"


class Fixed(pl.Newton):
    """Newton's method whose linear systems are all solved to 1e-3, as in the archived runs."""

    COUNTED = (1e-3, 1e3)
    FALL = 1e6


def beam(tangent: str, young: float) -> pl.Scene:
    law = pl.Corotated(young=young, poisson=0.3, density=100, tangent=getattr(pl.tangents, tangent)())
    return pl.Scene([pl.Body(MESH, law, pinned=lambda X: X[:, 0] < 1e-9)], gravity=(0, 0, -9.81))


def solver(tangent: str, iterations: int) -> newton_solver.Newton:
    linear = pl.linear.GMRES() if tangent == "Exact" else pl.linear.PCG(assembled=False)
    return Fixed(iterations=iterations, hessian=pl.solver.Exact(), linear=linear, line_search=None)


def swing(scene: pl.Scene, integrator: object, seconds: float) -> tuple[np.ndarray, float, float]:
    """(k,) energies at multiples of 1/30 s, CPU seconds for one second of motion, and linear iterations in a step."""
    sim = pl.Simulation(scene, integrator, threads=1)
    every, energies, linear = round(1 / (30 * integrator.dt)), [sim.energies()["total"]], 0
    begin = time.process_time()
    spent = 0.0
    for _ in range(round(30 * seconds)):
        for _ in range(every):
            report = sim.step()
            linear += report.linear_iterations
            if not report.kept:
                return np.array(energies), np.nan, np.nan
        spent += time.process_time() - begin
        energies.append(sim.energies()["total"])
        begin = time.process_time()
    return np.array(energies), spent / seconds, linear / (round(30 * seconds) * every)


def record(rate, tangent, iterations, apart, linear, cost, energies) -> dict:
    """A row of the results; energies of steps that are solved, and of one iteration in each."""
    return {
        "steps a second": rate,
        "tangent": tangent,
        "iterations": iterations,
        "apart": apart,
        "linear iterations in a step": linear,
        "CPU s/s": cost,
        "energies [J]": [round(float(e), 2) for e in energies] if iterations in (None, 1) else None,
    }


def main(seconds: float = 2.0, young: float = 6e3, chart: str = "", machine: str = "") -> None:
    scale = float(beam("Exact", young).bodies[0].material.density * 4.2 * 1.2 * 0.6 * 9.81 * 2.1)
    times = np.arange(round(30 * seconds) + 1) / 30
    drawn = pl.render.Chart(
        "Energy of a swinging beam, one iteration in a step of 1/30 s", "time", "energy", x_unit="s", y_unit="J"
    )
    exact, cost, _ = swing(beam("Exact", young), pl.SymplecticEuler(REFERENCE), seconds)
    drawn = drawn.line(times, exact, f"symplectic Euler at {1e3 * REFERENCE:g} ms")
    loss = f"{np.abs(exact - exact[0]).max() / scale:.3f}"
    print(
        f"symplectic Euler at {1e3 * REFERENCE:g} ms: energy within {loss} of what gravity can give, {cost:.2f} CPU s/s",
        flush=True,
    )
    rows = [record(1 / REFERENCE, "symplectic Euler", None, None, 0, round(cost, 3), exact)]
    print("| step | tangent | " + " | ".join(f"{n} iteration{'s' * (n > 1)}" for n in ITERATIONS) + " |")
    print("|---" * (len(ITERATIONS) + 2) + "|")
    for rate in STEPS:
        converged, cost, _ = swing(beam("Exact", young), pl.ImplicitEuler(1 / rate), seconds)
        print(f"| 1/{rate} s | converged | {cost:.2f} CPU s/s |" + " |" * (len(ITERATIONS) - 1), flush=True)
        rows.append(record(rate, "converged", None, 0.0, None, round(cost, 3), converged))
        if rate == STEPS[0]:
            drawn = drawn.line(times, converged, "implicit, converged")
        for tangent in TANGENTS:
            row = []
            for iterations in ITERATIONS:
                energies, cost, linear = swing(
                    beam(tangent, young), pl.ImplicitEuler(1 / rate, solver(tangent, iterations)), seconds
                )
                if np.isnan(cost):
                    row.append("failed")
                    rows.append(record(rate, tangent, iterations, None, None, None, energies))
                    continue
                apart = np.abs(energies - converged).max() / scale
                numbers = (round(float(apart), 5), round(linear, 1), round(cost, 3))
                rows.append(record(rate, tangent, iterations, *numbers, energies))
                row.append(f"{apart:.4f}, {linear:.0f} linear, {cost:.2f} s")
                if rate == STEPS[0] and iterations == 1:
                    drawn = drawn.line(times, energies, f"{tangent}()")
            print(f"| 1/{rate} s | `{tangent}()` | {' | '.join(row)} |", flush=True)
    if chart:
        drawn.save(chart)
        costs(rows).save(Path(chart).with_stem(Path(chart).stem + "_cost"))
    if machine:
        write(machine, seconds, young, rows)


def costs(rows: list[dict]) -> pl.render.Chart:
    """How far energies are from those of steps that are solved, over what they cost, with one iteration in a step."""
    title, cost = "One iteration in steps of 1/30 to 1/240 s", "CPU time for a second of motion"
    chart = pl.render.Chart(title, cost, "energy apart, of what gravity can give", x_unit="s", log_x=True, log_y=True)
    for tangent in TANGENTS:
        own = [row for row in rows if row["tangent"] == tangent and row["iterations"] == 1 and row["apart"]]
        chart = chart.line([row["CPU s/s"] for row in own], [row["apart"] for row in own], f"{tangent}()")
    return chart


def write(machine: str, seconds: float, young: float, rows: list[dict]) -> None:
    """Put the rows of a machine among the results."""
    every = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    every[machine] = {
        "commit": commit.stdout.strip(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": f"python -m benchmarks.tangents {seconds:g} {young:g} CHART.svg {machine}",
        "energies at": "multiples of 1/30 s",
        "rows": rows,
    }
    RESULTS.write_text(json.dumps(every, indent=1) + "\n")


if __name__ == "__main__":
    main(*(cast(a) for cast, a in zip((float, float, str, str), sys.argv[1:])))
