"""Tets against lattices for every material: ``python -m benchmarks.lattice.materials`` prints the table.

A bar is clamped at one end and sinks under its weight by a fifth of its length: once of square section and aligned with the
lattice, once round, every cell at its surface cut. The shapes are compared at the same points; beside their difference stand
the changes of each from its coarse to its fine mesh, which estimate the error of the coarse one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import pliant as pl
from pliant import material

from .meshes import disc, extruded

LENGTH, WIDTH, YOUNG = 0.4, 0.1, 4e5  # [m], [m], [Pa]
ORIGIN = (0.0, 0.0042, 0.0071)  # [m] of the lattice around the round bar: aligned with its end alone


def law_of(name: str) -> pl.extend.Material:
    """An example of a law; those that do not stand alone together with one that does."""
    base = pl.StableNeoHookean(young=YOUNG, poisson=0.3)
    special = {
        "Arap": lambda: pl.Arap(young=YOUNG),
        "ValanisLandel": lambda: pl.ValanisLandel.neo_hookean_like(YOUNG, 0.3, compression=2.0, tension=1.5),
        "Fibres": lambda: base + pl.laws.Fibres(stiffness=YOUNG, direction=(1, 0, 0.3)),
        "Muscle": lambda: base + pl.laws.Muscle(peak_stress=0.1 * YOUNG, activation=0.5, direction=(1, 0, 0.3)),
        "StrainLimit": lambda: base + pl.laws.StrainLimit(stiffness=YOUNG, low=0.95, high=1.05),
        "VolumePreservation": lambda: base + pl.laws.VolumePreservation(stiffness=YOUNG),
    }
    return special[name]() if name in special else getattr(material, name)(young=YOUNG, poisson=0.3)


def bars(geometry: str, parts: int) -> tuple[pl.Tets, pl.Lattice]:
    """A bar along x with ``parts`` cells across, of tets and on a lattice."""
    h, along = WIDTH / parts, round(LENGTH / WIDTH * parts)
    if geometry == "square":
        mesh = pl.tet_grid((LENGTH, WIDTH, WIDTH), (along, parts, parts), 5, origin=(0, -WIDTH / 2, -WIDTH / 2))
        solid = pl.box((LENGTH, WIDTH, WIDTH), centre=(LENGTH / 2, 0, 0))
        return pl.Tets(mesh), pl.Lattice(solid, h, origin=(0, WIDTH / 2, WIDTH / 2))
    x = np.linspace(0, LENGTH, along + 1)
    turned = extruded(*disc(parts // 2 + 1), x, np.full(along + 1, WIDTH / 2))
    mesh = pl.TetMesh(turned.vertices[:, [2, 0, 1]], turned.tets)
    solid = pl.cylinder((0, 0, 0), (LENGTH, 0, 0), WIDTH / 2)
    return pl.Tets(mesh), pl.Lattice(solid, h, origin=ORIGIN, refine=2)


def probes() -> np.ndarray:
    """(n, 3) points inside both bars [m]."""
    x, angle = np.linspace(0, LENGTH, 9)[1:], np.linspace(0, 2 * np.pi, 6, endpoint=False)
    ring = 0.45 * WIDTH * np.stack([0 * angle, np.cos(angle), np.sin(angle)], axis=1)
    return (x[:, None, None] * [1, 0, 0] + np.concatenate([ring, np.zeros((1, 3))])).reshape(-1, 3)


def sunk(shape: pl.Tets | pl.Lattice, law: pl.extend.Material) -> np.ndarray:
    """(n, 3) where the probes are at rest [m]."""
    body = pl.Body(shape, law, pinned=lambda X: X[:, 0] < 1e-9)
    solver = pl.Newton(tolerance=1e-6, linear=pl.linear.Direct())
    sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic(dt=1.0, solver=solver))
    report = sim.step()
    if not report.converged:
        raise pl.errors.StepError(report.why)
    nodes, weights = shape.embedded(probes())
    return np.einsum("sk,skc->sc", weights, sim.x[nodes])


def compared(name: str, geometry: str, parts: Sequence[int] = (4, 8)) -> dict:
    """Differences of shapes as parts of the largest displacement."""
    law = law_of(name)
    (coarse_tets, coarse_cells), (tets, cells) = ([sunk(s, law) for s in bars(geometry, n)] for n in parts)
    size = float(np.linalg.norm(tets - probes(), axis=1).max())
    apart = lambda a, b: float(np.linalg.norm(a - b, axis=1).max() / size)
    return {
        "law": name, "bar": geometry, "sag": size / LENGTH, "coarse": apart(coarse_cells, coarse_tets),
        "difference": apart(cells, tets), "tets": apart(coarse_tets, tets), "lattice": apart(coarse_cells, cells),
    }  # fmt: skip


def table(rows: Sequence[dict]) -> str:
    """As a table of the documentation."""
    lines = [
        "| law | bar | moves by | tets to lattice, coarse | fine | tets, coarse to fine | lattice, coarse to fine |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        parts = " | ".join(f"{r[key]:.1%}" for key in ("coarse", "difference", "tets", "lattice"))
        lines.append(f"| {r['law']} | {r['bar']} | {r['sag']:.0%} of its length | {parts} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lattice.materials", description=__doc__)
    parser.add_argument("--laws", nargs="*", default=list(material.__all__), help="names of materials (default: all)")
    parser.add_argument("--out", type=Path, help="file for the values, as JSON")
    options = parser.parse_args()
    rows = []
    for name in options.laws:
        for geometry in ("square", "round"):
            rows.append(compared(name, geometry))
            print(table(rows[-1:]).splitlines()[-1], flush=True)
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
