"""A thin-walled tube, compressed and twisted, on coarse and fine lattices: ``python -m benchmarks.lattice.tube``.

After Fig 4 of Patterson et al. 2012: their lattices have 8 × 8 × 80 and 16 × 16 × 160 cells; neither wall nor load are given
there. Here the tube fills the lattice, its wall is 1.2 coarse cells thick, and its ends are held at planes of nodes while
one of them moves in and turns. ``Centre`` counts every cell that it touches as full.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pliant as pl

from .meshes import annulus, extruded
from .statics import extrapolated

CELL = 0.0125  # [m] of the coarse lattice; the tube is 8 cells wide and 80 long
OUTER, WALL, LENGTH = 3.9 * CELL, 1.2 * CELL, 80 * CELL  # [m]
SHORTER, TURN = 0.015, np.pi  # part of the length, about half of what buckles it, and angle
YOUNG, POISSON = 1e5, 0.3
CASES = {
    "Moments 8×8×80": (CELL, pl.quadrature.Moments(), 1), "Moments 8×8×80, refine=2": (CELL, pl.quadrature.Moments(), 2),
    "voxels 8×8×80": (CELL, pl.quadrature.Centre(), 1), "voxels 16×16×160": (CELL / 2, pl.quadrature.Centre(), 1),
}  # fmt: skip


def tube() -> pl.Sdf:
    """The solid along z."""
    return pl.cylinder((0, 0, 0), (0, 0, LENGTH), OUTER) - pl.cylinder((0, 0, -1), (0, 0, 1 + LENGTH), OUTER - WALL)


@dataclass(frozen=True, eq=False)
class Twisted:
    """A tube at rest between its ends: axial force [N], torque [N m], and the frame that can be drawn."""

    shape: pl.Lattice | pl.Tets
    cells: int
    force: float
    torque: float
    frame: pl.Run
    seconds: float


def helix(X: np.ndarray, turn: float) -> np.ndarray:
    """Where a straight bar is whose slices move in and turn evenly."""
    z = X[:, 2] / LENGTH
    c, s = np.cos(turn * z), np.sin(turn * z)
    return np.stack([c * X[:, 0] - s * X[:, 1], s * X[:, 0] + c * X[:, 1], X[:, 2] - SHORTER * LENGTH * z], axis=1)


def twisted(shape: pl.Lattice | pl.Tets, turn: float = TURN) -> Twisted:
    """Hold both ends, the upper one moved in and turned; from the even helix to equilibrium."""
    begin = time.perf_counter()
    top = lambda X: X[:, 2] > LENGTH - 1e-9
    pins = [pl.Hold(lambda X: X[:, 2] < 1e-9), pl.Hold(top, motion=lambda X, t: helix(X, turn))]
    law, drawn = pl.StableNeoHookean(young=YOUNG, poisson=POISSON), pl.surface(tube(), CELL / 2)
    body = pl.Body(shape, law, effects=pins, surface=drawn)
    solver = pl.Newton(tolerance=1e-6, linear=pl.linear.Direct())
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0, solver=solver))
    sim.x = helix(shape.rest, turn)
    report = sim.step()
    if not report.converged:
        raise pl.errors.StepError(report.why)
    x, f = sim.device.array(sim.x, sim.device.types.vec3), sim.vectors.new()
    for energy in (*sim.world["elastic"], *sim.world["hourglass"]):
        energy.gradient(x, f)
    held, f = top(shape.rest), f.numpy()
    torque = np.cross(sim.x[held], f[held]).sum(axis=0)[2]
    spent = time.perf_counter() - begin
    return Twisted(shape, shape.count, float(-f[held, 2].sum()), float(torque), sim.frame(), spent)


def reference(parts: Sequence[int] = (1, 2, 3)) -> dict:
    """Force and torque of conforming tets, ``parts`` of them across the wall, and what they tend to."""
    found = []
    for n in parts:
        slices = annulus(OUTER - WALL, OUTER, n, 12 * n)
        found.append(twisted(pl.Tets(extruded(*slices, np.linspace(0, LENGTH, 40 * n + 1), np.ones(40 * n + 1)))))
    steps = [1 / n for n in parts]
    return {name: extrapolated(steps, [getattr(t, name) for t in found]) for name in ("force", "torque")} | {
        "tets": [t.cells for t in found], "forces": [t.force for t in found], "torques": [t.torque for t in found],
    }  # fmt: skip


def study(cases: Sequence[str] = tuple(CASES), parts: Sequence[int] = (1, 2, 3)) -> tuple[dict, dict[str, Twisted]]:
    """Force and torque of every case, and what there is to draw."""
    found = {}
    for name in cases:
        spacing, rule, refine = CASES[name]
        found[name] = twisted(pl.Lattice(tube(), spacing, rule, refine=refine))
    results = {name: {key: getattr(t, key) for key in ("cells", "force", "torque", "seconds")} for name, t in found.items()}
    return {"wall": WALL / CELL, "tets": reference(parts), "lattices": results}, found


def table(results: dict) -> str:
    """Force and torque beside those of the tets and of the fine voxels."""
    exact, fine = results["tets"], results["lattices"].get("voxels 16×16×160")
    lines = ["| lattice | cells | force | torque | from tets | from voxels 16×16×160 |", "|---|---|---|---|---|---|"]
    rows = {"conforming tets, extrapolated": exact | {"cells": exact["tets"][-1]}} | results["lattices"]
    for name, row in rows.items():
        off = [_beside(row, other) for other in (exact, fine)]
        lines.append(f"| {name} | {row['cells']:,} | {row['force']:.2f} N | {row['torque']:.3f} N m | {off[0]} | {off[1]} |")
    return "\n".join(lines)


def _beside(row: dict, other: dict | None) -> str:
    return " / ".join(f"{row[k] / other[k] - 1:+.1%}" for k in ("force", "torque")) if other else ""


def picture(results: dict, found: dict[str, Twisted], path: Path) -> None:
    """All tubes side by side, each turned until its torque is that of the tets, coloured by how far they moved."""
    row = None
    for k, one in enumerate(found.values()):
        frame = twisted(one.shape, TURN * results["tets"]["torque"] / one.torque).frame
        row = frame if row is None else row.beside(frame, (0, 0.18 * k, 0))
    pl.picture(row, path, colour="displacement", view=(0, 4), size=(900, 900))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lattice.tube", description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the values, as JSON")
    parser.add_argument("--picture", type=Path, help="file for a picture, .png")
    options = parser.parse_args()
    results, found = study()
    print(table(results))
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if options.picture:
        picture(results, found, options.picture)


if __name__ == "__main__":
    main()
