"""What is compared, figure by figure. A study is {curve: {errors, seconds, once, evaluations}}, ready for JSON."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy import linalg

import pliant as pl

from .frame import Frame
from .initial import (
    FrameHessian,
    FrameHessianByPCG,
    Ours,
    OursByCG,
    RestHessian,
    ScaledIdentity,
    StiffnessWarping,
)
from .methods import LBFGS, Curve, Newton, descend, quickest
from .scenes import BARS, cube, curtain, twisting_bar

Method = LBFGS | Newton
JOLT = 0.3  # cell widths
INTERVALS = ((0.9, 1.1), (0.8, 1.2), (0.5, 1.5), (0.1, 2.0))
WINDOWS = (0, 2, 5, 10, 100)

# Fig 7.3: the matrix from which L-BFGS with five pairs starts
MATRICES: dict[str, Callable[[], Method]] = {
    "scaled identity": lambda: LBFGS(ScaledIdentity()),
    "rest Hessian": lambda: LBFGS(RestHessian()),
    "warped rest": lambda: LBFGS(StiffnessWarping()),
    "frame Hessian": lambda: LBFGS(FrameHessian()),
    "ours": lambda: LBFGS(Ours()),
}
# Fig 7.5
HISTORY: dict[str, Callable[[], Method]] = {f"window {w}": (lambda w=w: LBFGS(Ours(), w)) for w in WINDOWS}
HISTORY["5, restarted"] = lambda: LBFGS(Ours(), restart=0.3)
# Fig 7.6
FITS: dict[str, Callable[[], Method]] = {f"{a} to {b}": (lambda s=(a, b): LBFGS(Ours(s))) for a, b in INTERVALS}
# Fig 7.7
LINEAR: dict[str, Callable[[], Method]] = {
    "ours": lambda: LBFGS(Ours()),
    "ours, 5 CG": lambda: LBFGS(OursByCG(5)),
    "ours, 15 CG": lambda: LBFGS(OursByCG(15)),
    "Newton": lambda: Newton(),
    "Newton, 5 CG": lambda: Newton(5),
    "Newton, 15 CG": lambda: Newton(15),
    "Gast": lambda: Newton(200, exact=True),
}
# Fig 7.8
INCOMPLETE: dict[str, Callable[[], Method]] = {
    "ours": lambda: LBFGS(Ours()),
    "frame Hessian": lambda: LBFGS(FrameHessian()),
    "5 PCG, IC(rest)": lambda: LBFGS(FrameHessianByPCG(5, "rest")),
    "15 PCG, IC(rest)": lambda: LBFGS(FrameHessianByPCG(15, "rest")),
    "5 PCG, IC(ours)": lambda: LBFGS(FrameHessianByPCG(5)),
    "15 PCG, IC(ours)": lambda: LBFGS(FrameHessianByPCG(15)),
}
FIGURES = {
    "matrices": MATRICES,
    "windows": HISTORY,
    "intervals": FITS,
    "linear": LINEAR,
    "incomplete": INCOMPLETE,
}


SAME = {"window 5": "ours", "0.5 to 1.5": "ours"}  # other names of the default


def written(curve: Curve) -> dict:
    """A curve as numbers that JSON keeps, four digits each."""
    short = {key: [float(f"{v:.3e}") for v in getattr(curve, key)] for key in ("errors", "seconds")}
    return short | {"once": float(f"{curve.once:.3e}"), "evaluations": curve.evaluations}


def rounds(frame: Frame, best: float, methods: dict[str, Callable[[], Method]], iterations: int, times: int) -> dict:
    """Run every method, so many times in turn that a busy machine disturbs all alike."""
    runs: dict[str, list[Curve]] = {name: [] for name in methods}
    for _ in range(times):
        for name, make in methods.items():
            runs[name].append(descend(frame, make(), best, iterations))
    return {name: written(quickest(found)) for name, found in runs.items()}


def bar(tets: int = 4_000, jolt: float = 0.0, iterations: int = 60, times: int = 5) -> dict[str, dict]:
    """Figures 7.3 and 7.5 to 7.8 on one frame of the twisting bar; a method that is in several is run once."""
    frame = Frame(twisting_bar(tets, jolt))
    _, best = frame.minimum()
    every = {SAME.get(name, name): make for methods in FIGURES.values() for name, make in methods.items()}
    done = rounds(frame, best, every, iterations, times)
    return {figure: {name: done[SAME.get(name, name)] for name in methods} for figure, methods in FIGURES.items()}


def springs(cells: int, stiffness: float, frames: int = 50, every: int = 5, iterations: int = 100) -> list[float]:
    """Fig 5.3: error after 0, 1, 2 … local/global iterations, averaged over every fifth frame of a swinging curtain.

    The plain iteration (window 0) on springs is the local/global step of fast mass–spring systems (Eq 7.10–7.11).
    """
    sim = curtain(cells, stiffness)
    errors = []
    for i in range(frames):
        if i % every == every - 1:
            frame = Frame(sim)
            _, best = frame.minimum(1e-8, approach=100)
            curve = descend(frame, LBFGS(Ours(), window=0), best, iterations, least=1e-9)
            errors.append([curve.at(k) for k in range(iterations + 1)])
        report = sim.step()
        if not report.kept:
            raise pl.errors.StepError(report.why)
    return [float(f"{v:.3e}") for v in np.mean(errors, axis=0)]


def stiffness_sweep() -> dict[str, list[float]]:
    return {f"{k:g} N/m": springs(20, k) for k in (25.0, 100.0, 400.0, 1600.0)}


def resolution_sweep() -> dict[str, list[float]]:
    """Springs get stiffer in proportion to the resolution, so that the cloth stays the same."""
    return {f"{n + 1}² nodes": springs(n, 20.0 * n) for n in (10, 20, 30)}


def one_curtain_frame(after: int = 15) -> dict[str, dict]:
    """Fig 5.1: one frame of the curtain (441 nodes, 400 N/m), 1000 iterations, beside Newton by conjugate gradients."""
    sim = curtain(20, 400.0)
    for _ in range(after):
        sim.step()
    frame = Frame(sim)
    _, best = frame.minimum(approach=100)
    quasi = {"local/global": lambda: LBFGS(Ours(), 0), "L-BFGS": lambda: LBFGS(Ours(), 5)}
    found = rounds(frame, best, quasi, 1000, 3)
    return found | rounds(frame, best, {"Newton, PCG": lambda: Newton(1000)}, 20, 2)


def condition_numbers(stretch: float = 1.15) -> dict[str, list[float]]:
    """Table 7.1: cond(A⁽⁰⁾⁻¹ ∇²g) of the stretched cube as it lies and turned by 90°, for the rest-pose Hessian and ours."""
    frame = Frame(cube())
    n = frame.count
    matrices = {
        "rest Hessian": frame.hessian(frame.rest, project=False).toarray(),
        "ours": np.kron(frame.laplacian().toarray(), np.eye(3)),
    }
    quarter = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    shapes = [frame.rest * [stretch, 1, 1], frame.rest * [stretch, 1, 1] @ quarter.T]
    found = {}
    for name, A in matrices.items():
        found[name] = []
        for x in shapes:
            values = linalg.eigh(frame.hessian(x, project=False).toarray(), A, eigvals_only=True)
            assert len(values) == 3 * n
            found[name].append(float(values[-1] / values[0]))
    return found


def claim(sizes: tuple[int, ...] = tuple(BARS), repeats: int = 5) -> list[dict]:
    """Ten iterations of the library's QuasiNewton beside one of its Newton: error (Eq 7.15) and time of each solve."""
    solvers = {
        "QuasiNewton, 10 iterations": pl.QuasiNewton(iterations=10),
        "Newton, 1 iteration, Direct": pl.Newton(iterations=1, linear=pl.linear.Direct()),
        "Newton, 1 iteration, PCG": pl.Newton(iterations=1, linear=pl.linear.PCG()),
    }
    rows = []
    for tets in sizes:
        for name, jolt in (("calm", 0.0), ("jolted", JOLT)):
            frame = Frame(twisting_bar(tets, jolt))
            _, best = frame.minimum()
            worst = frame.value_and_gradient(frame.start)[0] - best
            times: dict[str, list[float]] = {solver: [] for solver in solvers}
            x = frame.objective.vectors.new()
            row = {"tets": tets, "frame": name, "error": {}, "ms": {}}
            for turn in range(repeats + 1):  # alternating; the first turn warms up
                for solver, value in solvers.items():
                    x.assign(frame.start)
                    begin = time.perf_counter()
                    value.solve(frame.objective, x)
                    if turn:
                        times[solver].append(time.perf_counter() - begin)
                    row["error"][solver] = float(f"{(frame.value_and_gradient(x.numpy())[0] - best) / worst:.3e}")
            row["ms"] = {solver: float(f"{1e3 * min(t):.3g}") for solver, t in times.items()}
            rows.append(row)
    return rows
