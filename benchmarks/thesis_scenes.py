"""Tables 3.5 and 4.3 of Zeng 2023 beside ours: python benchmarks/thesis_scenes.py [--device cuda] [--json OUT] [--only TEXT]

Table 4.3 is nine scenes of contact by complementarity, here with bodies of the same number of unknowns (the shapes of the
thesis are not distributed): rows of W, whole steps, and W as it is made between two factors. Table 3.5
is a whole step of a hanging body by conjugate gradients, for three laws and three sizes: with a Cholesky factor made beside
the steps, and with a matrix that is never assembled (there with such a factor as well, here with blocks of the diagonal).
Times on a GPU are wall-clock times, on a CPU processor times of all threads.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import warp as wp

import pliant as pl

GAP, TOLERANCE = 1e-3, 1e-3  # [m], and gaps by which contacts may still move: 1 µm; the thesis says neither
REFRESH = 4  # steps that a factor serves; two to four in the thesis
FIRST, STEPS = 10, 30  # steps in which kernels are compiled, and steps that count
MOST = 100  # steps in which these are looked for
SOFT = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
CALM = pl.Damping(viscosity=20.0)

# Table 4.3: unknowns, contacts, step [ms], W [ms]; Ryzen 9 5950X and RTX 3080
APPLICATIONS = {
    "pushed through a ring": (31302, 227.7, 109.2, 2.19),
    "ten tori on pillars": (33570, 323.28, 89.81, 8.83),
    "rolling cylinder": (26082, 537.99, 36.56, 5.06),
    "two materials under a ball": (31302, 270.96, 156.17, 2.14),
    "needle": (12555, 96.84, 25.56, 3.29),
    "pad on a ball": (6561, 1235.40, 24.95, 2.03),
    "stack": (30240, 163.26, 121.54, 4.00),
    "stack of two materials": (2205, 240.0, 18.86, 1.69),
    "gripper": (30033, 486.59, 144.76, 0.73),
}
# Table 3.5: law, nodes, tets of each size, and [ms] assembled on the GPU and matrix-free on the CPU; Core i9-9900K and RTX 2070
SIZES = {"1": (2996, 8418), "2": (4104, 12580), "3": (5992, 19409)}
HANGING = {
    "Corotated": {"assembled": (14.58, 26.46, 46.84), "matrix-free": (43.18, 65.65, 118.33)},
    "MooneyRivlin": {"assembled": (48.73, 77.84, 124.53), "matrix-free": (56.76, 89.76, 152.11)},
    "StVenantKirchhoff": {"assembled": (16.60, 26.46, 42.86), "matrix-free": (24.18, 37.35, 64.67)},
}


def of_size(make: Callable[[float], pl.TetMesh], nodes: int, edge: float) -> pl.TetMesh:
    """The mesh with about so many nodes; ``edge`` is a first guess."""
    for _ in range(5):
        mesh = make(edge)
        if abs(len(mesh.vertices) / nodes - 1) < 0.03:
            break
        edge *= (len(mesh.vertices) / nodes) ** (1 / 3)
    return mesh


def filled(shape: object, nodes: int, edge: float) -> pl.TetMesh:
    return of_size(lambda e: pl.tetrahedralise(shape, edge=e), nodes, edge)


def box(cells: tuple[int, int, int], size: tuple[float, float, float], below: float, young: float, density: float, name):
    mesh = pl.tet_grid(size, cells, origin=(-size[0] / 2, -size[1] / 2, below))
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=density)
    return pl.Body(mesh, law, damping=CALM, name=name)


def lowered(speed: float, least: float) -> Callable[[float], np.ndarray]:
    """A motion down, to an end."""

    def pose(t: float) -> np.ndarray:
        at = np.eye(4)
        at[2, 3] = -min(speed * t, least)
        return at

    return pose


def through_a_ring():
    body = pl.Body(filled(pl.sphere(0.05, (0, 0, 0.05)), 10434, 0.006), SOFT, damping=CALM, name="ball")
    pusher = pl.Obstacle(pl.sphere(0.03, (0, 0, 0.131)), lowered(0.5, 0.2), name="pusher")
    return [body], [pl.torus(0.06, 0.02), pusher], {"friction": 0.1}


def tori():
    """Rings around pillars, lying on each other: three on two of the pillars, two on the others."""
    ring = filled(pl.torus(0.05, 0.016), 1119, 0.009)
    turn, bodies = np.random.default_rng(3), []
    for i in range(10):
        at = ((i % 2 - 0.5) * 0.18, (i // 2 % 2 - 0.5) * 0.18, 0.0165 + 0.033 * (i // 4))
        mesh = ring.rotated((0, 0, 1), float(turn.uniform(0, 90))).translated(at)
        bodies.append(pl.Body(mesh, SOFT, damping=CALM, name=f"torus {i}"))
    pillars = [pl.capsule((x, y, 0), (x, y, 0.1), 0.02) for x in (-0.09, 0.09) for y in (-0.09, 0.09)]
    return bodies, [pl.plane(z=0.0), *pillars], {"friction": 0.3}


def cylinder():
    mesh = filled(pl.cylinder((0, -0.06, 0), (0, 0.06, 0), 0.05), 8694, 0.006)
    normal = np.array([np.sin(0.15), 0, np.cos(0.15)])
    law = pl.StableNeoHookean(young=3e4, poisson=0.3, density=1000.0)
    body = pl.Body(mesh.translated(0.0502 * normal), law, name="cylinder")
    return [body], [pl.plane(point=(0, 0, 0), normal=normal)], {"friction": 0.5}


def two_materials():
    mesh = pl.tet_grid((0.2, 0.1, 0.2), (24, 14, 27), origin=(-0.1, -0.05, 0))
    stiff = mesh.vertices[mesh.tets].mean(axis=1)[:, 0] > 0.0
    mesh = pl.TetMesh(mesh.vertices, mesh.tets, regions=stiff.astype(int))
    law = pl.StableNeoHookean(young=(3e4, 3e5), poisson=0.4, density=1000.0)
    body = pl.Body(mesh, law, pinned=lambda X: X[:, 2] < 1e-9, damping=CALM, name="block")
    return [body], [pl.Obstacle(pl.sphere(0.06, (0, 0, 0.262)), lowered(0.2, 0.03), name="ball")], {"friction": 0.3}


def needle():
    mesh = pl.tet_grid((0.1, 0.04, 0.04), (30, 11, 11))
    gel = pl.Body(mesh, pl.StableNeoHookean(young=5e3, poisson=0.4), pinned=lambda X: X[:, 2] < 1e-9, damping=CALM, name="gel")
    shaft = pl.contact.Needle("gel", lambda t: np.array([0.2 * t, 0.02, 0.021]), (1, 0, 0), spacing=0.0015, hold=30.0, cut=0.05)
    return [gel], [], {"joints": [shaft], "gravity": (0, 0, 0)}


def pad():
    mesh = pl.tet_grid((0.1, 0.1, 0.008), (26, 26, 2), origin=(-0.05, -0.05, 0.1005))
    down = pl.Hold(lambda X: X[:, 2] > 0.108, lambda X, t: X - np.array([0, 0, min(0.05 * t, 0.004)]))
    ball = pl.sphere(0.25, (0, 0, -0.15))
    return [pl.Body(mesh, SOFT, damping=CALM, effects=[down], name="pad")], [ball], {"friction": 0.3}


def stack():
    """Five boxes, each four times as heavy as the one below."""
    bodies = [box((11, 11, 13), (0.1, 0.1, 0.1), 0.001 + 0.101 * k, 1e6 * 4**k, 200.0 * 4**k, f"box {k}") for k in range(5)]
    return bodies, [pl.plane(z=0.0)], {"friction": 0.5}


def pads():
    bodies = [box((6, 6, 2), (0.1, 0.1, 0.03), 0.001 + 0.031 * k, 5e5 if k % 2 else 5e4, 1000.0, f"pad {k}") for k in range(5)]
    return bodies, [pl.plane(z=0.0)], {"friction": 0.5}


def gripper():
    ball = filled(pl.sphere(0.05, (0, 0, 0.051)), 9695, 0.006)
    bodies = [pl.Body(ball, SOFT, damping=CALM, name="ball")]
    for side in (-1.0, 1.0):
        mesh = pl.tet_grid((0.06, 0.02, 0.1), (4, 2, 9), origin=(-0.03, side * 0.062 - 0.01, 0.01))
        back = (lambda X: X[:, 1] < -0.0719) if side < 0 else (lambda X: X[:, 1] > 0.0719)

        def close(X, t, side=side):
            return X + np.array([0, -side * min(0.1 * t, 0.008), max(0.0, 0.1 * (t - 0.15))])

        law = pl.StableNeoHookean(young=3e5, poisson=0.4)
        bodies.append(pl.Body(mesh, law, damping=CALM, effects=[pl.Hold(back, close)], name=f"finger {side:+.0f}"))
    return bodies, [pl.plane(z=0.0)], {"friction": 0.6}


SCENES = (through_a_ring, tori, cylinder, two_materials, needle, pad, stack, pads, gripper)


def simulation(make: Callable, device: str) -> pl.Simulation:
    bodies, obstacles, options = make()
    response = pl.contact.Complementarity(GAP, TOLERANCE, refresh=REFRESH, joints=options.get("joints", ()))
    contact = pl.Contact(friction=options.get("friction", 0.0), response=response)
    scene = pl.Scene(bodies, obstacles=obstacles, gravity=options.get("gravity", (0, 0, -9.81)), contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=pl.Newton(iterations=1)), device=device)


def applications(device: str, only: str) -> dict:
    """Each scene, in steps in which its bodies touch."""
    found, now = {}, clock(device)
    for (name, theirs), make in zip(APPLICATIONS.items(), SCENES, strict=True):
        if only not in name:
            continue
        sim = simulation(make, device)
        made = timed_compliance(sim, device)
        rows, spent, taken_by_W, failed = [], [], [], 0
        for k in range(FIRST + MOST):
            made.clear()
            begin = now()
            report = sim.step()
            taken = now() - begin
            failed += not report.kept
            if k >= FIRST and made:
                spent.append(taken)
                taken_by_W.append(sum(second for second, _ in made))
                rows.append(max(size for _, size in made))
            if len(spent) == STEPS:
                break
        row = {
            "unknowns": 3 * len(sim.x),
            "rows of W": float(np.mean(rows)),
            "step [ms]": 1e3 * float(np.median(spent)),
            "slowest step [ms]": 1e3 * float(np.max(spent)),
            "W [ms]": 1e3 * float(np.median(taken_by_W)),
            "steps": len(spent),
            "failed": failed,
            "thesis: unknowns, constraints, step, W": theirs,
        }
        found[name] = row
        print(name, json.dumps(row), flush=True)
    return found


def timed_compliance(sim: pl.Simulation, device: str) -> list[tuple[float, int]]:
    """Seconds that each W takes, as steps make them, and its rows."""
    contact, spent, now = sim.world.objective.constraint, [], clock(device)
    make = contact.compliance

    def timed(inverse: object, rows: object) -> object:
        wp.synchronize()
        begin = now()
        W = make(inverse, rows)
        wp.synchronize()
        spent.append((now() - begin, W.size))
        return W

    contact.compliance = timed
    return spent


def hanging(device: str, only: str) -> dict:
    """Whole steps of a beam that swings, by conjugate gradients with a factor made beside them."""
    found, now = {}, clock(device)
    for law_name, theirs in HANGING.items():
        for size, (nodes, tets) in SIZES.items():
            if only not in f"{law_name} {size}":
                continue
            long = {"1": (27, 10, 8), "2": (30, 11, 10), "3": (32, 13, 12)}[size]
            mesh = pl.tet_grid((0.4, 0.15, 0.13), long, 5)
            law = getattr(pl, law_name)(young=1e5, poisson=0.4, density=1000.0)
            for way in ("assembled", "matrix-free"):
                linear = pl.linear.PCG(preconditioner=pl.linear.AsyncCholesky())
                if way == "matrix-free":
                    linear = pl.linear.PCG(assembled=False)
                body = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9, damping=CALM)
                solver = pl.Newton(iterations=1, linear=linear)
                sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.02, solver=solver), device=device)
                spent, iterations = [], []
                for k in range(10 + STEPS):
                    begin = now()
                    report = sim.step()
                    if k >= 10:
                        spent.append(now() - begin)
                        iterations.append(report.linear_iterations)
                row = {
                    "nodes": len(sim.x),
                    "tets": len(mesh.tets),
                    "step [ms]": 1e3 * float(np.median(spent)),
                    "linear iterations": float(np.mean(iterations)),
                    "thesis: nodes, tets, ms": (nodes, tets, theirs[way][int(size) - 1]),
                }
                found[f"{law_name} {size}, {way}"] = row
                print(f"{law_name} {size}, {way}", json.dumps(row), flush=True)
    return found


def clock(device: str) -> Callable[[], float]:
    return time.process_time if device == "cpu" else time.perf_counter


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = {"applications": applications(args.device, args.only), "hanging": hanging(args.device, args.only)}
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
