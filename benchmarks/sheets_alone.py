"""Sheets alone on an obstacle: iterations of Newton's method, time of a step by part, and how far it ends from a tight solve.

``python benchmarks/sheets_alone.py``: five sheets of 20 × 20 nodes, 6 mm apart and turned against each other, which do not touch
one another, fall on a ball of 10 cm in steps of 1/60 s, solved with `Direct()`. Three materials: a soft one (1 MPa, 0.5 mm),
denim (20 MPa, 0.6 mm) and paper (2.5 GPa, 0.1 mm). Times are of the processor, since other work may go on beside. ``--compare``
solves each step of a second fall again, tightly; ``--direct`` is one solve of the 6,000 unknowns alone. ``--out FILE`` keeps
the rows.
"""

import argparse
import dataclasses
import json
import os
import platform
import time
from pathlib import Path

os.environ.setdefault("PLIANT_THREADS", "1")

import numpy as np
from machine import commit

import pliant as pl
from pliant import linear, solver
from pliant.solve.newton.linear_system import linearised

MATERIALS = {  # Young's modulus [Pa], thickness [m], density [kg/m³]
    "soft": (1e6, 5e-4, 500.0),
    "denim": (2e7, 6e-4, 700.0),
    "paper": (2.5e9, 1e-4, 800.0),
}
TIGHT = 1e-9  # scaled residual of the steps that others are compared with


def scene(name: str, count: int, nodes: int, size: float, stiffness: float | None) -> pl.Scene:
    """The sheets above the ball; ``stiffness`` [N/m] of contact, None for that of the material."""
    young, thickness, density = MATERIALS[name]
    law, bodies = pl.StableNeoHookean(young=young, poisson=0.3, density=density), []
    for i in range(count):
        flat = pl.cloth_grid((size, size), (nodes - 1, nodes - 1)).translated((-size / 2, -size / 2, 0.0))
        turned = flat.rotated((0, 0, 1), 5 + 17 * i).translated((0.004 + 0.003 * i, 0.002 * i, 0.26 + 0.006 * i))
        bodies.append(pl.Body(pl.Membrane(turned, thickness=thickness), law))
    ball = pl.Obstacle(pl.sphere(0.1).translated((0, 0, 0.15)))
    contact = pl.Contact(friction=0.3, thickness=True, response=None, stiffness=stiffness)
    return pl.Scene(bodies, obstacles=[ball], contact=contact)


@dataclasses.dataclass(frozen=True)
class Compared(pl.Newton):
    """Newton's method that goes on to a tight solution after each solve, and notes how far that is; steps keep the first."""

    away: list[float] = dataclasses.field(default_factory=list, compare=False)

    def solve(self, objective, x):
        found, vectors = super().solve(objective, x), objective.vectors
        kept, way = vectors.positions(), vectors.new()
        vectors.copy(x, kept)
        pl.Newton(linear=self.linear, tolerance=TIGHT).solve(objective, x)
        vectors.apart(x, kept, way)
        self.away.append(vectors.longest(way))
        vectors.copy(kept, x)
        return found


def falling(options: argparse.Namespace, name: str, compare: bool = False) -> dict[str, float]:
    """What the steps of one fall took, or how far they ended from a tight solve."""
    rule = solver.Distance(options.share) if options.share else None
    kind = Compared if compare else pl.Newton
    newton = kind(linear=linear.Direct(), tolerance=rule)
    given = scene(name, options.count, options.nodes, options.size, options.stiffness)
    sim = pl.Simulation(given, pl.ImplicitEuler(1 / 60, solver=newton, splits=0), precision=options.precision)
    reports, taken = [], []
    for _ in range(options.steps):
        begun = time.process_time()
        reports.append(sim.step())
        taken.append(time.process_time() - begun)
        if not reports[-1].kept:
            break
    first = 2  # steps of free fall, of which the first compiles
    turns, motion = np.array([r.iterations for r in reports]), np.array([r.motion for r in reports])
    row = {
        "steps": len(reports),
        "converged": sum(r.kept and r.converged for r in reports),
        "iterations median": float(np.median(turns)),
        "iterations p99": round(float(np.percentile(turns, 99)), 1),
        "iterations max": int(turns.max()),
    }
    if compare:
        share = np.array(newton.away) / motion[: len(newton.away)]
        row |= {"error over motion, median": float(f"{np.median(share):.2g}"), "largest": float(f"{share.max():.2g}")}
        row |= {"steps above 1e-4": int((share > 1e-4).sum())}  # an unstable equilibrium is far from what a tight solve finds
        return row
    for word, share in (("median", 50), ("p99", 99)):
        row[f"ms {word}"] = round(1e3 * float(np.percentile(taken[first:], share)), 1)
    wall = {part: sum(r.seconds.get(part, 0.0) for r in reports[first:]) for part in reports[0].seconds}
    whole = wall.pop("total", sum(wall.values()))
    return row | {f"{part} %": round(100 * seconds / whole) for part, seconds in wall.items()}


def direct(options: argparse.Namespace) -> dict[str, float]:
    """Processor time [ms] of one solve of the matrix as sheets begin to fall, in parts, the least of many."""
    given = scene("soft", options.count, options.nodes, options.size, options.stiffness)
    sim = pl.Simulation(given, pl.ImplicitEuler(1 / 60), precision=options.precision)
    sim.step()
    objective, x, method = sim.world.objective, sim.state.x, linear.Direct()
    g, d, random = objective.vectors.new(), objective.vectors.new(), np.random.default_rng(0)
    objective.gradient(x, g)
    least = dict.fromkeys(("assembly", "factor and solve", "solve alone"), np.inf)
    for _ in range(options.repeats):
        x.numpy()[:] += 1e-7 * random.standard_normal((objective.count, 3))  # or else the factor would be known
        at = [time.process_time()]
        system = linearised(objective, x, 1.0, of_step=True)
        at.append(time.process_time())
        method.solve(system, g, d, 1e-6)
        at.append(time.process_time())
        system.work[linear.Direct].solve_measured(g, d, 1e-6)
        at.append(time.process_time())
        least = {part: min(ms, 1e3 * step) for (part, ms), step in zip(least.items(), np.diff(at))}
    factor = system.work[linear.Direct]
    return {"unknowns": 3 * objective.count, "entries of L": factor.analysis.nnz} | {
        k: round(float(v), 2) for k, v in least.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--materials", nargs="+", default=list(MATERIALS), choices=list(MATERIALS))
    parser.add_argument("--count", type=int, default=5, help="sheets")
    parser.add_argument("--nodes", type=int, default=20, help="of a sheet along each side")
    parser.add_argument("--size", type=float, default=0.4, help="of a sheet [m]")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--share", type=float, default=1e-4, help="of the motion, at which a step ends; 0 for the residual")
    parser.add_argument("--stiffness", type=float, help="of contact [N/m]")
    parser.add_argument("--precision", default="f64", choices=("f64", "f32"))
    parser.add_argument("--compare", action="store_true", help="with a fall more, whose steps are solved tightly, too")
    parser.add_argument("--direct", action="store_true", help="one direct solve alone")
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--out", type=Path, help="a JSON file for the record")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    options, rows = parser.parse_args(), {}
    rows["direct solve [ms]"] = direct(options)
    print("direct solve [ms]", rows["direct solve [ms]"], flush=True)
    for name in () if options.direct else options.materials:
        rows[name] = falling(options, name)
        print(name, rows[name], flush=True)
        if options.compare:
            rows[f"{name}, compared"] = falling(options, name, compare=True)
            print(f"{name}, compared", rows[f"{name}, compared"], flush=True)
    if options.out:
        settings = {k: v for k, v in vars(options).items() if k not in ("out", "machine")}
        about = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
        about |= {"command": "python benchmarks/sheets_alone.py", "settings": settings, "result": rows}
        options.out.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
