"""Large rotations and strains of solids: a bent bar, a twisted one, an elastica."""

from __future__ import annotations

import numpy as np

import pliant as pl

from .meshes import at, bent, box, near, slope
from .problem import Problem, Quantity, Solved, still

TETS = "ten-node tets, StVenantKirchhoff, Direct()"


def curved_bar() -> Solved:
    """An eighth of a circle of 100 in a plane, pushed out of it at its end."""

    def place(u, v, w):
        r, a = 100 + (v - 0.5), 0.25 * np.pi * u
        return np.column_stack([100 - r * np.cos(a), r * np.sin(a), w - 0.5])

    mesh, (u, v, w) = bent((32, 2, 2), place)
    law = pl.StVenantKirchhoff(young=1e7, poisson=0.0)
    push = pl.Load((0, 0, 600), near(u, 1), course=slope)
    sim = still(pl.Body(mesh, law, pinned=near(u, 0), effects=push), 4)
    return Solved(sim.x[at((u, 1), (v, 0.5), (w, 0.5))][0], sim)


def elastica() -> Solved:
    """A bar 40 times as long as thick, P L²/EI = 10 at its end."""
    mesh = box((1.0, 0.025, 0.025), (40, 1, 1))
    end = mesh.vertices[:, 0] > 1 - 1e-9
    law = pl.StVenantKirchhoff(young=1e7, poisson=0.0)
    load = pl.Load((0, 0, -10 * 1e7 * 0.025**4 / 12), end, course=slope)
    sim = still(pl.Body(mesh, law, pinned=mesh.vertices[:, 0] < 1e-9, effects=load), 10)
    moved = (sim.x - mesh.vertices)[end].mean(axis=0)
    return Solved([-moved[2], -moved[0]], sim)


RADIUS, TURN, MU = 0.05, 5.0, 1e5  # [m], [rad/m], [Pa]


def twisted_rubber() -> Solved:
    """A rubber rod of radius 5 cm and length 10 cm between two plates that turn and keep their distance."""
    length = 0.1

    def place(u, v, w):
        x, y = 2 * u - 1, 2 * v - 1  # a square made round
        disc = np.stack([x * np.sqrt(1 - y * y / 2), y * np.sqrt(1 - x * x / 2)], axis=1)
        return np.column_stack([RADIUS * disc, length * w])

    mesh, (_u, _v, w) = bent((6, 6, 10), place)
    law = pl.NeoHookean.from_lame(mu=MU, lam=1e3 * MU)

    def turned(X: np.ndarray, t: float) -> np.ndarray:
        a = TURN * length * t
        return X @ np.array([[np.cos(a), np.sin(a), 0], [-np.sin(a), np.cos(a), 0], [0, 0, 1]])

    effects = [
        pl.Hold(np.flatnonzero(near(w, 0)), name="lower"),
        pl.Hold(np.flatnonzero(near(w, 1)), turned, name="upper"),
    ]
    sim = still(pl.Body(mesh, law, effects=effects), 2)
    return Solved([-sim.torque("upper", about=(0, 0, length))[2], sim.force("upper")[2]], sim)


PROBLEMS = (
    Problem(
        "45° bend",
        "solid",
        "Bathe and Bolourchi 1979, Large displacement analysis of three-dimensional beam structures, IJNME 14:961; "
        "tip of Simo and Vu-Quoc 1986, CMAME 58:79",
        (Quantity("x", 15.79), Quantity("y", 47.23), Quantity("z", 53.37)),
        f"32×2×2 cells of five {TETS}, 4 steps",
        curved_bar,
        note="A solid bar: its torsion constant is 0.1406, where beams with the polar moment of a square have 1/6, and its end "
        "comes further round. Bathe and Bolourchi have 15.9, 47.2, 53.4.",
    ),
    Problem(
        "elastica",
        "solid",
        "Mattiasson 1981, Numerical results from large deflection beam and frame problems analysed by elliptic integrals, "
        "IJNME 17:145",
        (Quantity("sinks, of its length", 0.81061), Quantity("shortens, of its length", 0.55500)),
        f"40×1×1 cells of five {TETS}, 10 steps",
        elastica,
    ),
    Problem(
        "twisted rubber",
        "solid",
        "Rivlin 1949, Large elastic deformations of isotropic materials VI, Phil. Trans. R. Soc. A 242:173: torque πμψa⁴/2, "
        "push πμψ²a⁴/4 of an incompressible neo-Hookean rod",
        (
            Quantity("torque", 0.5 * np.pi * MU * TURN * RADIUS**4, "N m"),
            Quantity("push", 0.25 * np.pi * MU * TURN**2 * RADIUS**4, "N"),
        ),
        "6×6×10 cells of five ten-node tets, NeoHookean with λ = 1000 μ, Direct(), 2 steps",
        twisted_rubber,
    ),
)
