"""Order of convergence of a ball and of a bow-tie under load: ``python -m benchmarks.lattice.orders``.

Both bodies float in a soft bedding under a body force and are free everywhere else, as pins on the nodes of cut cells would
spoil the order (Patterson et al. 2012, §7). The ball has a closed solution; the bow-tie, bent far beyond the linear range
as in their Fig 5, is compared with conforming tets, extrapolated. The error is that of the potential energy at rest, the
mean over places of the lattice.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import pliant as pl

from .meshes import disc, extruded
from .statics import Field, equilibrium, extrapolated, fitted_order

RULES = {
    "Moments": (pl.quadrature.Moments(), 1),
    "Moments, refine=2": (pl.quadrature.Moments(), 2),
    "Centre": (pl.quadrature.Centre(), 1),
}
LEAST = {"Moments": 1.8, "Moments, refine=2": 1.75, "Centre": 0.9}  # orders expected; dropped slivers are of the first
RADIUS, BEDDING = 0.5, 0.2  # of the ball [m]; [N/m⁴]
MAJOR, MINOR, RIM = 1.4, 1.2, 0.5  # [m] the torus around the waist of the bow-tie, and the radius of its ends
HALF = float(np.sqrt(MINOR**2 - (MAJOR - RIM) ** 2))  # [m] half its length
BEND = 0.15  # [N/m³]


def ball() -> pl.Sdf:
    return pl.sphere(RADIUS)


def ball_law() -> pl.LinearElastic:
    return pl.LinearElastic(young=1.0, poisson=0.3)


def ball_displacement(X: np.ndarray) -> np.ndarray:
    """u = (a + b |X|²) X, with no traction at the surface: (λ + 2μ)(a + 3bR²) + 2λ (a + bR²) = 0."""
    law, b = ball_law(), -0.4
    mu, lam = float(law.mu), float(law.lam)
    a = -b * RADIUS**2 * (5 * lam + 6 * mu) / (3 * lam + 2 * mu)
    return (a + b * np.sum(X * X, axis=-1, keepdims=True)) * X


def ball_force(X: np.ndarray) -> np.ndarray:
    """f = −div σ + k u = −10 (λ + 2μ) b X + k u [N/m³]."""
    law, b = ball_law(), -0.4
    return -10 * (float(law.lam) + 2 * float(law.mu)) * b * X + BEDDING * ball_displacement(X)


def ball_potential() -> float:
    """Π = −½ ∫ f·u over the ball, by Gauss points along the radius [J]."""
    t, w = np.polynomial.legendre.leggauss(8)
    r = 0.5 * RADIUS * (t + 1)
    X = np.stack([r, 0 * r, 0 * r], axis=1)
    return float(-0.5 * np.sum(0.5 * RADIUS * w * 4 * np.pi * r**2 * np.sum(ball_force(X) * ball_displacement(X), axis=1)))


def bow_tie() -> pl.Sdf:
    """Two flared ends and a waist of radius MAJOR − MINOR: a cylinder along x, turned down by a torus."""
    return pl.cylinder((-HALF, 0, 0), (HALF, 0, 0), RIM) - pl.torus(MAJOR, MINOR, axis=(1, 0, 0))


def bow_tie_law() -> pl.StableNeoHookean:
    return pl.StableNeoHookean(young=1.0, poisson=0.3)


def bow_tie_force(X: np.ndarray) -> np.ndarray:
    """Ends down, waist up, nothing in all [N/m³]: the bow-tie bends at its waist."""
    t, w = np.polynomial.legendre.leggauss(16)
    area = profile(HALF * t) ** 2
    square = np.sum(w * area * t**2) / np.sum(w * area)
    return BEND * np.stack([0 * X[:, 0], 0 * X[:, 0], square - (X[:, 0] / HALF) ** 2], axis=1)


def profile(x: np.ndarray) -> np.ndarray:
    """Radius of the bow-tie at x [m]."""
    return MAJOR - np.sqrt(MINOR**2 - x**2)


def bow_tie_mesh(rings: int) -> pl.TetMesh:
    """Conforming tets: slices of ``rings`` rings of triangles, brought to the profile's radius at each x."""
    x = np.linspace(-HALF, HALF, 4 * rings + 1)
    along = extruded(*disc(rings), x, profile(x))
    return pl.TetMesh(along.vertices[:, [2, 0, 1]], along.tets)


def reference(rings: Sequence[int] = (4, 8, 12)) -> dict:
    """Potential of the bow-tie on conforming tets of growing number, and what it tends to [J]."""
    found = [equilibrium(pl.Tets(bow_tie_mesh(n)), bow_tie_law(), bow_tie_force, BEDDING).potential for n in rings]
    steps = [1 / n for n in rings]
    limit = extrapolated(steps, found)
    # from the first two alone: what the extrapolation itself may be wrong by
    doubt = abs(extrapolated(steps[:-1], found[:-1]) - limit) if len(rings) > 2 else float("nan")
    return {"rings": list(rings), "potentials": found, "limit": limit, "doubt": doubt}


def errors(
    shape: pl.Sdf, law: pl.extend.Material, force: Field, exact: float, spacings: Sequence[float], places: int,
    rules: Sequence[str] = tuple(RULES),
) -> dict:  # fmt: skip
    """Relative error of the potential for each rule and spacing, the mean over places of the lattice, and the order."""
    out = {}
    for name in rules:
        rule, refine = RULES[name]
        found = []
        for h in spacings:
            starts = h * np.random.default_rng(3).random((places, 3))
            rest = [equilibrium(pl.Lattice(shape, h, rule, s, refine=refine), law, force, BEDDING) for s in starts]
            found.append(float(np.mean([abs(r.potential / exact - 1) for r in rest])))
        out[name] = {"errors": found, "order": fitted_order(spacings, found)}
    return out


def ball_errors(spacings: Sequence[float] = (0.25, 0.125, 0.0625), places: int = 4) -> dict:
    """The ball against its closed solution."""
    return {
        "spacings": list(spacings),
        "rules": errors(ball(), ball_law(), ball_force, ball_potential(), spacings, places),
    }


def bow_tie_errors(
    spacings: Sequence[float] = (1 / 15, 0.05, 0.04), places: int = 3, rings: Sequence[int] = (4, 8, 12),
    rules: Sequence[str] = tuple(RULES),
) -> dict:  # fmt: skip
    """The bow-tie against conforming tets."""
    tets = reference(rings)
    found = errors(bow_tie(), bow_tie_law(), bow_tie_force, tets["limit"], spacings, places, rules)
    return {"spacings": list(spacings), "reference": tets, "rules": found}


def table(results: dict) -> str:
    """Errors and orders, as a table of the documentation."""
    lines = ["| body | rule | spacing [m] | error of the energy | order |", "|---|---|---|---|---|"]
    for body, found in results.items():
        steps = ", ".join(f"{h:.3g}" for h in found["spacings"])
        for name, row in found["rules"].items():
            lines.append(f"| {body} | {name} | {steps} | {', '.join(f'{e:.2%}' for e in row['errors'])} | {row['order']:.2f} |")
    return "\n".join(lines)


def chart(found: dict, title: str) -> pl.render.Chart:
    """Error over spacing of one body."""
    made = pl.render.Chart(title, "cell", "relative error", "m", log_x=True, log_y=True, size=(640, 400))
    for name, row in found["rules"].items():
        label = f"{name}: order {row['order']:.2f}"
        made = made.line(found["spacings"], row["errors"], label).points(found["spacings"], row["errors"], label)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lattice.orders", description=__doc__)
    parser.add_argument("--out", type=Path, help="file for the values, as JSON")
    parser.add_argument("--picture", type=Path, help="file for the chart of the bow-tie, .png or .svg")
    options = parser.parse_args()
    results = {"ball": ball_errors(), "bow-tie": bow_tie_errors()}
    print(table(results))
    print("doubt about the reference of the bow-tie: {:.2%}".format(
        results["bow-tie"]["reference"]["doubt"] / abs(results["bow-tie"]["reference"]["limit"])))  # fmt: skip
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if options.picture:
        chart(results["bow-tie"], "Error of the energy of a bent bow-tie").save(options.picture)


if __name__ == "__main__":
    main()
