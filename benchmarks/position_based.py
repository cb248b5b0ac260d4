"""How stiff a chain looks under four solvers: python benchmarks/position_based.py [CHART.svg]

Position-based dynamics and step-and-project are written here, in NumPy, to be compared with only: after the first iteration
they forget the inertial target y, and what they tend to is a chain of rigid links, so that the number of iterations is
their stiffness (Eq 4.13–4.22). Projective dynamics and the quasi-Newton method tend to Newton's solution.
"""

import sys

import numpy as np

import pliant as pl

LINKS, LENGTH, RADIUS, YOUNG, DENSITY = 20, 1.0, 2e-3, 1e6, 1000.0  # [–, m, m, Pa, kg/m³]
DT, STEPS, DRAG = 1 / 30, 240, 3.0  # [s], steps until the chain hangs still, [1/s]
ITERATIONS = (1, 2, 5, 10, 20, 50, 100)
GRAVITY = np.array([0.0, 0.0, -9.81])


def chain() -> pl.Body:
    """A level chain of springs, held at its first node, that will swing down and hang."""
    mesh = pl.meshes.rod((0, 0, 0), (LENGTH, 0, 0), LINKS)
    law = pl.Arap(young=YOUNG, density=DENSITY)
    return pl.Body(pl.Springs(mesh, RADIUS), law, pinned=[0], damping=pl.Damping(mass=DRAG))


def masses() -> np.ndarray:
    """(n,) nodal masses [kg], and half a link for each of the two ends."""
    mass = np.full(LINKS + 1, DENSITY * np.pi * RADIUS**2 * LENGTH / LINKS)
    mass[[0, -1]] *= 0.5
    return mass


def stretch(x: np.ndarray) -> float:
    """How much longer than at rest the chain is, as a fraction."""
    return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum() / LENGTH - 1)


def position_based(iterations: int) -> tuple[float, float]:
    """Stretches under position-based dynamics: links made rigid one after the other, Gauss–Seidel (Eq 4.20–4.22)."""

    def project(x: np.ndarray, w: np.ndarray) -> None:
        for j in range(LINKS):
            d = x[j] - x[j + 1]
            length = np.linalg.norm(d)
            move = (length - LENGTH / LINKS) / (w[j] + w[j + 1]) * d / length
            x[j] -= w[j] * move
            x[j + 1] += w[j + 1] * move

    return _hung(project, iterations)


def step_and_project(iterations: int) -> tuple[float, float]:
    """Stretches under step-and-project: all links at once, δx = −M⁻¹Cᵀ(C M⁻¹Cᵀ)⁻¹c (Eq 4.13–4.19)."""

    def project(x: np.ndarray, w: np.ndarray) -> None:
        d = x[:-1] - x[1:]
        length = np.linalg.norm(d, axis=1)
        C = np.zeros((LINKS, LINKS + 1, 3))
        C[np.arange(LINKS), np.arange(LINKS)] = d / length[:, None]
        C[np.arange(LINKS), np.arange(1, LINKS + 1)] = -d / length[:, None]
        weighted = w[None, :, None] * C
        system = np.einsum("ink,jnk->ij", weighted, C)
        system += 1e-12 * np.trace(system) * np.eye(LINKS)  # a slack row of links would be singular
        x -= np.einsum("ink,i->nk", weighted, np.linalg.solve(system, length - LENGTH / LINKS))

    return _hung(project, iterations)


def _hung(project, iterations: int) -> tuple[float, float]:
    """Largest stretch on the way down, and that of the chain at rest; ``project(x, w)`` is one iteration, w = 1/mass."""
    x = chain().shape.rest.copy()
    v, w = np.zeros_like(x), 1 / masses()
    w[0] = 0.0
    found = []
    for _ in range(STEPS):
        y = x + DT * (v / (1 + DT * DRAG) + DT * GRAVITY) * (w > 0)[:, None]
        for _ in range(iterations):
            project(y, w)
        x, v = y, (y - x) / DT
        found.append(stretch(x))
    return max(found), found[-1]


def minimised(solver: pl.Newton | pl.QuasiNewton | pl.ProjectiveDynamics) -> tuple[float, float]:
    """Stretches under a solver of this library."""
    sim = pl.Simulation(pl.Scene(chain()), pl.ImplicitEuler(dt=DT, solver=solver))
    found = []
    for _ in range(STEPS):
        report = sim.step()
        if not report.kept:
            raise SystemExit(report.why)
        found.append(stretch(sim.x))
    return max(found), found[-1]


METHODS = {
    "position-based": position_based,
    "step and project": step_and_project,
    "projective dynamics": lambda n: minimised(pl.ProjectiveDynamics(iterations=n)),
    "quasi-Newton": lambda n: minimised(pl.QuasiNewton(iterations=n)),
}


def main(path: str | None = None) -> None:
    exact = minimised(pl.Newton(linear=pl.linear.Direct()))
    theory = DENSITY * 9.81 * LENGTH / (2 * YOUNG)
    print(f"stretch of a chain of {LINKS} links: largest while it swings down, and hanging still after {STEPS * DT:g} s")
    print(f"Newton {exact[0]:.4%}, {exact[1]:.4%}; theory of the hanging chain {theory:.4%}")
    print(f"{'iterations':>10s}" + "".join(f"{name:>24s}" for name in METHODS))
    rows = []
    for n in ITERATIONS:
        rows.append([method(n) for method in METHODS.values()])
        print(f"{n:10d}" + "".join(f"{a:13.4%}, {b:8.4%} " for a, b in rows[-1]), flush=True)
    if path is not None:
        chart = pl.render.Chart("Largest stretch of a swinging chain", "iterations", "stretch", log_x=True, log_y=True)
        for i, name in enumerate(METHODS):
            chart = chart.line(ITERATIONS, [max(row[i][0], 1e-6) for row in rows], name)
        chart.line(ITERATIONS, [exact[0]] * len(ITERATIONS), "Newton", "#aab2bd").save(path)


if __name__ == "__main__":
    main(*sys.argv[1:2])
