"""Natural frequencies of NAFEMS, Leissa and Euler."""

from __future__ import annotations

import numpy as np

import pliant as pl

from .meshes import bent, box, near, rolled
from .problem import Problem, Quantity, Solved

NAFEMS = "Abbassian, Dawswell and Knowles 1987, Selected benchmarks for natural frequency analysis, NAFEMS"
TETS = "ten-node tets, LinearElastic"


def tapered_membrane() -> Solved:
    def place(u, v, w):
        return np.column_stack([10 * u, (5 - 4 * u) * (v - 0.5), 0.05 * (w - 0.5)])

    mesh, (u, _v, w) = bent((24, 10, 1), place)
    law = pl.LinearElastic(young=2e11, poisson=0.3, density=8000)
    effects = [rolled(near(u, 0), "xy"), rolled(near(w, 0.5), "z")]
    found = pl.modes(pl.Body(mesh, law, effects=effects), 6)
    return Solved(found.frequencies, found)


def free_plate() -> Solved:
    mesh = box((10, 10, 0.05), (40, 40, 1))
    law = pl.LinearElastic(young=2e11, poisson=0.3, density=8000)
    found = pl.modes(pl.Body(mesh, law), 3)
    return Solved(found.frequencies, found)


def clamped_bar() -> Solved:
    young, side = 1e9, 0.02
    mesh = box((1, side, side), (40, 1, 1))
    body = pl.Body(mesh, pl.LinearElastic(young=young, poisson=0.3, density=1000), pinned=mesh.vertices[:, 0] < 1e-9)
    found = pl.modes(body, 6)
    speed = np.sqrt(young * side**2 / (12 * 1000))
    return Solved(np.sqrt(2 * np.pi * found.frequencies[[0, 2, 4]] / speed), found)


PROBLEMS = (
    Problem(
        "FV32 tapered membrane",
        "dynamics",
        f"{NAFEMS}, test 32",
        tuple(Quantity(f"mode {i + 1}", f, "Hz") for i, f in enumerate((44.623, 130.03, 162.70, 246.05, 379.90, 391.44))),
        f"24×10×1 cells of five {TETS}",
        tapered_membrane,
        view=(-90, 89),
    ),
    Problem(
        "FV12 free square plate",
        "dynamics",
        f"{NAFEMS}, test 12",
        (Quantity("mode 4", 1.622, "Hz"), Quantity("mode 5", 2.360, "Hz"), Quantity("mode 6", 2.922, "Hz")),
        f"40×40×1 cells of five {TETS}",
        free_plate,
    ),
    Problem(
        "clamped bar",
        "dynamics",
        "Euler and Bernoulli's beam (Blevins 1979, Formulas for natural frequency and mode shape): βL",
        (Quantity("mode 1", 1.87510), Quantity("mode 2", 4.69409), Quantity("mode 3", 7.85476)),
        f"1 m × 2 cm × 2 cm, 40×1×1 cells of five {TETS}",
        clamped_bar,
        slow=False,
    ),
)
