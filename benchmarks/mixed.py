"""The mixed solver: volume kept, no locking, Krylov and Newton iterations: python -m benchmarks.mixed [STUDY …] [--largest N]

Studies are ``volume``, ``locking``, ``krylov`` and ``newton``; all of them unless some are named. Tables are printed and what
was found goes into benchmarks/results/mixed.json, study by study. ``--largest`` bounds the cells of ``krylov``.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from studies.figure import figure
from studies.lattice import SPACINGS, flesh

import pliant as pl

RESULTS = Path(__file__).parent / "results" / "mixed.json"
POISSON = 0.498
LENGTH, WIDTH, CELL = 0.4, 0.1, 0.025  # [m]


def volumes(sim: pl.Simulation) -> tuple[float, float, float]:
    """Change of the total volume, and the least and the largest change of a cell [%]."""
    cells = sim.scene.bodies[0].shape
    F = np.einsum("mki,mqkj->mqij", sim.x[cells.nodes], cells.gradients)
    J = (np.linalg.det(F) * cells.weights).sum(axis=1) / cells.volumes
    total = (J * cells.volumes).sum() / cells.volumes.sum()
    return tuple(100 * (float(v) - 1) for v in (total, J.min(), J.max()))


# --- volume


def rolled(X: np.ndarray, t: float) -> np.ndarray:
    """Drawn to 2.2 times its length between smooth plates that close to 1/2.2 of its height."""
    stretch = 2.2**t
    return X * [stretch, 1.0, 1.0 / stretch]


def bent(X: np.ndarray, t: float) -> np.ndarray:
    """The bar's axis becomes half a circle of its own length."""
    angle = max(np.pi * t, 1e-6)
    radius, turn, z = LENGTH / angle, angle * X[:, 0] / LENGTH, X[:, 2] - WIDTH / 2
    return np.column_stack([(radius - z) * np.sin(turn), X[:, 1], WIDTH / 2 + radius - (radius - z) * np.cos(turn)])


def drawn(X: np.ndarray, t: float) -> np.ndarray:
    """Twice as long, the ends glued."""
    return X * [1 + t, 1.0, 1.0]


def faces(axis: int, *places: float):
    return lambda X: np.any([np.abs(X[:, axis] - place) < 1e-9 for place in places], axis=0)


LOADS = {
    "rolled to 2.2 times its length": [
        pl.Hold(faces(0, 0.0, LENGTH), motion=rolled, by=pl.hold.Rigidly("x")),
        pl.Hold(faces(2, 0.0, WIDTH), motion=rolled, by=pl.hold.Rigidly("z")),
        pl.Hold(faces(1, 0.0), by=pl.hold.Rigidly("y")),
    ],
    "bent by 180°": [pl.Hold(faces(0, 0.0, LENGTH), motion=bent)],
    "drawn to twice its length": [pl.Hold(faces(0, 0.0, LENGTH), motion=drawn)],
}  # fmt: skip


def loaded(load: str, law: pl.Body, steps: int = 4) -> tuple[pl.Simulation, list[pl.extend.Report]]:
    shape = pl.Lattice(pl.box((LENGTH, WIDTH, WIDTH), (LENGTH / 2, WIDTH / 2, WIDTH / 2)), CELL, volume=pl.quadrature.Averaged())
    scene = pl.Scene(pl.Body(shape, law, effects=LOADS[load]), gravity=(0, 0, 0))
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1 / steps, solver=pl.Mixed()))
    reports = [sim.step() for _ in range(steps)]
    return sim, reports


def volume() -> list[dict]:
    """Figure 2 of the paper: what a bar of ν = 0.498 loses of its volume under large loads, law by law."""
    rows = []
    for load in LOADS:
        for law in (pl.NeoHookean, pl.Corotated):
            sim, reports = loaded(load, law(young=2e5, poisson=POISSON))
            total, least, most = volumes(sim)
            steps = sum(r.iterations for r in reports)
            rows.append({"load": load, "law": law.__name__, "ok": all(r.kept for r in reports), "newton": steps,
                         "total %": total, "least cell %": least, "largest cell %": most})  # fmt: skip
    return rows


# --- locking


def locking() -> list[dict]:
    """Sinking of a cantilever's tip over that of Timoshenko's beam with the same μ and E = 3μ, small load."""
    length, width, young, load = 1.0, 0.125, 1e6, 1e-2
    mu = young / 3
    beam = load * length**3 / (3 * young * width**4 / 12) + load * length / (5 / 6 * mu * width**2)
    rows = []
    for across in (2, 4):
        for poisson in (0.3, 0.49, 0.499, 0.4999, 0.49999, 0.5):
            exact = poisson == 0.5
            lam = 0.0 if exact else 2 * mu * poisson / (1 - 2 * poisson)
            shape = pl.Lattice(
                pl.box((length, width, width), (length / 2, width / 2, width / 2)),
                width / across,
                volume=pl.quadrature.Averaged(incompressible=exact),
            )
            tip = shape.rest[:, 0] > length - 1e-9
            body = pl.Body(shape, pl.NeoHookean.from_lame(mu, lam), pinned=faces(0, 0.0),
                           effects=[pl.Load((0, 0, -load), where=faces(0, length))])  # fmt: skip
            sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0, solver=pl.Mixed(tolerance=1e-8)))
            report = sim.step()
            sag = -float((sim.x - shape.rest)[tip, 2].mean())
            rows.append({"cells across": across, "ν": poisson, "ok": report.kept, "newton": report.iterations,
                         "krylov": report.linear_iterations, "tip / beam": sag / beam})  # fmt: skip
    return rows


# --- Krylov iterations


def standing(spacing: float, sideways: float = 3.0) -> pl.Scene:
    """The figure, held at its feet, leaning under a sideways pull [m/s²]."""
    shape = pl.Lattice(figure(), spacing, volume=pl.quadrature.Averaged())
    return pl.Scene(pl.Body(shape, flesh(), pinned=lambda X: X[:, 2] < 0.04), gravity=(sideways, 0.0, 0.0))


def krylov(largest: int = 101_000, most: int = 1000, orders: tuple[int, ...] = (1, 2)) -> list[dict]:
    """Iterations of the first linear system until its residual has fallen by 10² and 10⁴, in the norm of the method, and how
    far positions are off after the paper's budgets of 50 and 100 iterations."""
    rows = []
    sizes = {2_000: 0.0395} | SPACINGS
    for cells, spacing in sizes.items():
        if cells > largest:
            continue
        scene = standing(spacing)
        for order in orders:
            begin = time.perf_counter()
            systems = {}
            for name, block in (("Block()", pl.linear.Block()), ("None", None)):
                method = pl.Mixed(order=order, linear=pl.linear.SQMR(preconditioner=block))
                sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0))
                system = method.system(sim.world.objective)
                system.refresh()
                g, d = system.pairs.new(), system.pairs.new()
                system.forces(sim.state.x, g)
                systems[name] = (sim, system, g, d)
            setup = time.perf_counter() - begin
            exact = None
            for name, (sim, system, g, d) in systems.items():
                saddle = system.saddle(sim.state.x, "none")

                def solved(tolerance, count, saddle=saddle, g=g, d=d):
                    return pl.linear.SQMR(iterations=count).solve(saddle, g, d, tolerance), d.x.numpy().astype(float)

                if exact is None:
                    exact = solved(1e-6, 4 * most)[1]
                row = {
                    "cells": scene.bodies[0].shape.count,
                    "K": order,
                    "preconditioner": name,
                    "setup s": round(setup, 1),
                }
                reached = True
                for fall in (1e-2, 1e-4):
                    result = solved(fall, most)[0] if reached else None
                    reached = reached and result.residual <= fall
                    row[f"to {fall:.0e}"] = result.iterations if reached else f">{most}"
                for count in (50, 100):
                    _, x = solved(1e-9, count)
                    row[f"off after {count} %"] = 100 * float(np.abs(x - exact).max() / np.abs(exact).max())
                rows.append(row)
                show([row])
    return rows


# --- Newton iterations


def cylinder(radius: float) -> pl.Scene:
    """A cylinder of 8×8×12 cells along z, drawn by 5 % and turned by 10° at its ends."""

    def motion(X: np.ndarray, t: float) -> np.ndarray:
        t = min(t, 1.0)
        turn = np.deg2rad(10) * t * X[:, 2] / 1.5
        c, s = np.cos(turn), np.sin(turn)
        return np.column_stack([c * X[:, 0] - s * X[:, 1], s * X[:, 0] + c * X[:, 1], X[:, 2] * (1 + 0.05 * t)])

    shape = pl.Lattice(
        pl.cylinder((0, 0, 0), (0, 0, 1.5), radius), 0.125, volume=pl.quadrature.Averaged(), origin=(0.0625, 0.0625, 0)
    )
    ends = pl.Hold(lambda X: (X[:, 2] < 0.01) | (X[:, 2] > 1.49), motion=motion)
    return pl.Scene(pl.Body(shape, pl.NeoHookean(young=1e5, poisson=POISSON), effects=ends), gravity=(0, 0, 0))


def newton(most: int = 30) -> list[dict]:
    """Newton iterations until the surface is within 10, 3 and 1 % of the answer, with K₂ and with three readings of K₁."""
    rows = []
    scenes = {f"cylinder R = {r}": (lambda r=r: cylinder(r)) for r in (0.30, 0.36, 0.40)}
    for name, make in scenes.items():
        scene = make()
        sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=pl.Mixed(tolerance=1e-9)))
        report = sim.step()
        assert report.kept, report.why
        there, X = sim.bodies[0].surface, scene.bodies[0].shape.surface.vertices
        ways = {"K₂": {"order": 2}} | {f"K₁ {w}": {"order": 1, "weights": w} for w in ("filled", "half", "whole")}
        for way, options in ways.items():
            fill = float(scene.bodies[0].shape.fragments.volumes.min())
            row = {"scene": name, "least fill": fill, "tangent": way, "to 10 %": None, "to 3 %": None, "to 1 %": None}
            method = pl.Mixed(iterations=1, definiteness="none", **options)
            sim, spent = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=method)), 0
            for count in range(1, most + 1):  # a step each, as the loads stay what they are
                spent += sim.step().linear_iterations
                off = 100 * np.abs(sim.bodies[0].surface - there).max() / np.abs(X - there).max()
                for goal in (10, 3, 1):
                    row[f"to {goal} %"] = row[f"to {goal} %"] or (count if off <= goal else None)
                if off <= 1:
                    break
            rows.append(row | {"krylov": spent})
    return rows


def show(rows: list[dict]) -> None:
    for row in rows:
        cells = (f"{k} {v:.5g}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items())
        print(" · ".join(cells), flush=True)


STUDIES = {"volume": volume, "locking": locking, "newton": newton, "krylov": krylov}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("studies", nargs="*", choices=[*STUDIES, []], help="all unless named")
    parser.add_argument("--largest", type=int, default=101_000, help="cells of the largest figure")
    chosen = parser.parse_args()
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in chosen.studies or STUDIES:
        print(f"--- {name}: {STUDIES[name].__doc__.splitlines()[0]}")
        rows = krylov(chosen.largest) if name == "krylov" else STUDIES[name]()
        if name != "krylov":
            show(rows)
        found[name] = rows
        RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
