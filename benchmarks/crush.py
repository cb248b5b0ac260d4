"""How many random collapses a block comes back from: python -m benchmarks.crush [COUNT] [POISSON] [ROTATION …]

A block of 72 tets is crushed onto a random plane, a line or a point, turned inside out through a plane, or has its nodes put
anywhere in a cube, then let go: implicit Euler at 1/30 s, three Newton iterations in a step, five seconds. It has recovered where
every node is back within 1 % of the block's length, whatever way it has turned. Prints the share of each kind and frame, the
steps that it took, and how many Newton iterations the first three steps need for a residual of 1e-3 (60 at most in each).
"""

import sys
import time
from dataclasses import dataclass

import numpy as np

import pliant as pl

KINDS = {"plane": (1, 1, 0), "line": (1, 0, 0), "point": (0, 0, 0), "inside out": (1, 1, -1), "stirred": None}
STEPS, CLOSE, NOISE = 150, 0.01, 1e-3
COUNTED = 3  # steps whose Newton iterations are counted
MESH = pl.tet_grid((0.6, 0.4, 0.4), (3, 2, 2), 6)


@dataclass(frozen=True)
class Outcome:
    """Whether the block came back, after how many steps, and the Newton iterations of the first steps where counted."""

    recovered: bool
    steps: int
    iterations: int = 0


def law(rotation: object, tangent: object = None, poisson: float = 0.25) -> pl.Dapd:
    return pl.Dapd(young=2e4, poisson=poisson, rotation=rotation, tangent=tangent or pl.tangents.Hybrid())


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


def study(material: pl.Dapd, count: int, counted: int = 0) -> list[tuple[str, Outcome]]:
    """What became of ``count`` collapses, kind after kind; ``counted`` steps are solved well to count iterations."""
    sim = simulation(material, pl.Newton(iterations=3, line_search=None))
    fine = simulation(material, pl.Newton(iterations=60, tolerance=1e-3, line_search=None)) if counted else None
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
            if not sim.step().ok:
                break
            recovered = steps % 10 == 0 and distance(sim.x) < CLOSE
        found.append((kind, Outcome(bool(recovered), steps, spent)))
    return found


def main(count: int = 200, poisson: float = 0.25, *names: str) -> None:
    print("| frame | all | " + " | ".join(KINDS) + " | steps, median | iterations in a step | CPU s |")
    print("|---" * (len(KINDS) + 5) + "|")
    for name in names or ("Smooth", "Project", "Reflect", "QR", "Polar", "Identity"):
        begin = time.process_time()
        found = study(law(getattr(pl.rotations, name)(), poisson=poisson), count, counted=COUNTED)
        shares = []
        for kind in KINDS:
            own = [outcome.recovered for k, outcome in found if k == kind]
            shares.append(f"{sum(own)} of {len(own)}")
        steps = np.median([o.steps for _, o in found if o.recovered] or [np.nan])
        iterations = np.mean([o.iterations for _, o in found]) / COUNTED
        total = f"{100 * np.mean([o.recovered for _, o in found]):.1f} %"
        seconds = time.process_time() - begin
        row = [f"`{name}()`", total, *shares, f"{steps:.0f}", f"{iterations:.2f}", f"{seconds:.0f}"]
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(*(cast(a) for cast, a in zip((int, float, *(str,) * 9), sys.argv[1:])))
