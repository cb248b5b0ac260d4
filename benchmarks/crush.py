"""How many random collapses a block comes back from: python -m benchmarks.crush [COUNT] [POISSON] [ROTATION …]

A block of 72 tets is crushed onto a random plane, a line or a point, or turned inside out through a plane, fifty times each; or
has its nodes put anywhere in a cube, which is no collapse any more. Then it is let go: implicit Euler at 1/30 s, three Newton
iterations in a step, five seconds. It has recovered where every node is back within 1 % of the block's length, whatever way it
has turned. Prints the share of all collapses and inversions and of each kind, the steps that it took, and how many Newton
iterations the first three steps need for a residual of 1e-3 (60 at most in each). Then the same with every step solved to that
residual: how many come back, the iterations of the first ten steps, mean, median and the share that needs all 60, and of those
that do not come back how many lie still with no tet turned over.
"""

import sys
import time
from dataclasses import dataclass

import numpy as np

import pliant as pl

KINDS = {"plane": (1, 1, 0), "line": (1, 0, 0), "point": (0, 0, 0), "inside out": (1, 1, -1), "stirred": None}
STIRRED = "stirred"
FRAMES = ("Smooth", "Project", "Reflect", "QR", "Polar", "Identity")
STEPS, CLOSE, NOISE = 150, 0.01, 1e-3
COUNTED, MORE = 3, 10  # steps whose Newton iterations are counted, and where all steps are solved
ENOUGH, MOST = 1e-3, 60  # residual and iterations of a step that is solved
STILL = 1e-2  # m/s, below which a block lies still
MESH = pl.tet_grid((0.6, 0.4, 0.4), (3, 2, 2), 6)


@dataclass(frozen=True)
class Outcome:
    """Whether the block came back, after how many steps, and the Newton iterations of the first steps where counted."""

    recovered: bool
    steps: int
    iterations: int = 0


def law(rotation: object, tangent: object = None, poisson: float = 0.25) -> pl.Dapd:
    return pl.Dapd(young=2e4, poisson=poisson, rotation=rotation, tangent=tangent or pl.rotations.Hybrid())


def collapsed(kind: str, random: np.random.Generator) -> np.ndarray:
    """(n, 3) nodes of the block, crushed."""
    X, size = MESH.vertices, np.ptp(MESH.vertices)
    centre = X.mean(axis=0)
    if KINDS[kind] is None:
        return centre + size * (random.random(X.shape) - 0.5)
    Q = np.linalg.qr(random.standard_normal((3, 3)))[0]
    return centre + (X - centre) @ (Q * KINDS[kind]) @ Q.T + NOISE * size * random.standard_normal(X.shape)


def distance(x: np.ndarray) -> float:
    """How far the worst node is from the block at rest, as it lies best, over its length."""
    X = MESH.vertices
    a, b = x - x.mean(axis=0), X - X.mean(axis=0)
    U, _s, Vt = np.linalg.svd(a.T @ b)
    R = U @ np.diag([1, 1, np.linalg.det(U @ Vt)]) @ Vt
    return float(np.linalg.norm(a - b @ R.T, axis=1).max() / np.ptp(X))


def simulation(material: pl.Dapd, solver: pl.Newton, dt: float = 1 / 30) -> pl.Simulation:
    body = pl.Body(MESH, material, damping=pl.Damping(mass=1.0, stiffness=0.01))
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt, solver))


def _well() -> pl.Newton:
    return pl.Newton(iterations=MOST, tolerance=ENOUGH, line_search=None)


def _turned_over(x: np.ndarray) -> int:
    """How many tets are."""
    p = x[MESH.tets]
    return int(np.sum(np.linalg.det(p[:, 1:] - p[:, :1]) <= 0))


def solved(material: pl.Dapd, count: int) -> tuple[np.ndarray, np.ndarray, int]:
    """With every step solved: how many come back, of those collapsed and of those stirred, iterations of the first steps, and how
    many lie still in another shape."""
    sim, back, still = simulation(material, _well()), np.zeros(2, int), 0
    iterations: list[int] = []
    for i in range(count):
        sim.reset()
        kind = list(KINDS)[i % len(KINDS)]
        sim.x = collapsed(kind, np.random.default_rng(i))
        steps, recovered = 0, False
        while steps < STEPS and not recovered:
            steps += 1
            report = sim.step()
            if steps <= MORE:
                iterations.append(report.iterations)
            if not report.kept:
                break
            recovered = steps % 10 == 0 and distance(sim.x) < CLOSE
        back[int(kind == STIRRED)] += recovered
        still += not recovered and _turned_over(sim.x) == 0 and np.abs(sim.v).max() < STILL
    return back, np.array(iterations), still


def study(material: pl.Dapd, count: int, counted: int = 0) -> list[tuple[str, Outcome]]:
    """What became of ``count`` collapses, kind after kind; ``counted`` steps are solved well to count iterations."""
    sim = simulation(material, pl.Newton(iterations=3, line_search=None))
    fine = simulation(material, _well()) if counted else None
    found = []
    for i in range(count):
        kind = list(KINDS)[i % len(KINDS)]
        x = collapsed(kind, np.random.default_rng(i))
        spent = 0
        if fine:
            fine.reset()
            fine.x = x
            spent = sum(fine.step().iterations for _ in range(counted))
        sim.reset()
        sim.x = x
        steps = recovered = 0
        while steps < STEPS and not recovered:
            steps += 1
            if not sim.step().kept:
                break
            recovered = steps % 10 == 0 and distance(sim.x) < CLOSE
        found.append((kind, Outcome(bool(recovered), steps, spent)))
    return found


def main(count: int = 250, poisson: float = 0.25, *names: str) -> None:
    print("| frame | collapsed or turned over | " + " | ".join(KINDS) + " | steps, median | iterations in a step | CPU s |")
    print("|---" * (len(KINDS) + 5) + "|")
    for name in names or FRAMES:
        begin = time.process_time()
        found = study(law(getattr(pl.rotations, name)(), poisson=poisson), count, counted=COUNTED)
        shares = []
        for kind in KINDS:
            own = [outcome.recovered for k, outcome in found if k == kind]
            shares.append(f"{sum(own)} of {len(own)}")
        steps = np.median([o.steps for _, o in found if o.recovered] or [np.nan])
        iterations = np.mean([o.iterations for _, o in found]) / COUNTED
        crushed = [o.recovered for k, o in found if k != STIRRED]
        total = f"{sum(crushed)} of {len(crushed)}"
        seconds = time.process_time() - begin
        row = [f"`{name}()`", total, *shares, f"{steps:.0f}", f"{iterations:.2f}", f"{seconds:.0f}"]
        print(f"| {' | '.join(row)} |", flush=True)
    heads = (
        "collapsed or turned over, every step solved",
        "stirred",
        "iterations, mean",
        "median",
        "all 60",
        "still, in another shape",
    )
    print("\n| frame | " + " | ".join(heads) + " |")
    print("|---" * 7 + "|")
    for name in names or FRAMES:
        back, spent, still = solved(law(getattr(pl.rotations, name)(), poisson=poisson), count)
        row = [f"`{name}()`", *map(str, back), f"{spent.mean():.1f}", f"{np.median(spent):.0f}"]
        print(
            f"| {' | '.join(row)} | {100 * np.mean(spent >= MOST):.1f} % | {still} of {count - back.sum()} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*(cast(a) for cast, a in zip((int, float, *(str,) * 9), sys.argv[1:])))
