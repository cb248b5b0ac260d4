"""What quasi-Newton does after a cut, by error against time: python benchmarks/after_cut.py [MACHINE [CELLS …]]

A moving beam of 48 CELLS³ tets is cut along, and 30 steps of ten iterations follow: from scratch, with ``Updated``, ``Kept`` and
``Background``; before that, what the factor takes in the first step after cuts of growing area: updated, in full in the order
that is known, and from scratch. Errors are those of positions against steps that Newton solves; times are those of the thread
that steps, alone, so that a busy machine does not tell and a thread beside it does not count; on a GPU, those of the clock.
MACHINE names the record in benchmarks/results/after_cut.json; without it nothing is written.
"""

import json
import sys
import time
from datetime import date
from pathlib import Path

import numpy as np
from studies.cutting import blade

import pliant as pl
from pliant.linear.cholesky.cpu.numeric_factor import Numeric
from pliant.solve.objective.step_objective import Objective
from pliant.solve.quasi_newton import constant_factor as constant_factor_module
from pliant.solve.quasi_newton.constant_factor import ConstantFactor, constant_factor

SHOWN = (1, 2, 5, 10, 20, 30)
ROUNDS = 2
SHARES = (0.05, 0.25, 0.6, 0.95)  # of the height of the beam
RESULTS = Path(__file__).parent / "results" / "after_cut.json"
WAYS = {
    "from scratch": pl.refactor.Updated(),
    "Updated()": pl.refactor.Updated(),
    "Kept()": pl.refactor.Kept(),
    "Background(2)": pl.refactor.Background(2),
    "Background(4)": pl.refactor.Background(4),
    "Background(8)": pl.refactor.Background(8),
}


def beam_mesh(cells: int) -> pl.TetMesh:
    return pl.tet_grid((0.1, 0.2, 0.4), (cells, 2 * cells, 4 * cells), 6)


def beam(cells: int, solver: object, device: str) -> pl.Simulation:
    """Held below, on its way to the side."""
    mesh = beam_mesh(cells)
    law = pl.Corotated(young=1e5, poisson=0.3, density=1000.0)
    body = pl.Body(mesh, law, pinned=lambda X: X[:, 2] < 1e-9, velocity=(0.3, 0, 0))
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=solver), device=device, threads=1)


def compared(cells: int, device: str = "cpu") -> list[dict]:
    """A row for each way, of all rounds by turns."""
    now = time.thread_time if device == "cpu" else time.perf_counter
    exact = beam(cells, pl.Newton(), device)
    for _ in range(3):
        exact.step()
    x, v = exact.x, exact.v
    exact.cut(blade(0.6))
    path = []
    for _ in range(SHOWN[-1]):
        exact.step()
        path.append(exact.x)
    rows = [
        {"tets": 48 * cells**3, "after the cut": name, "first step [ms]": [], "longest step [ms]": [], "all [s]": []}
        for name in WAYS
    ]
    for _ in range(ROUNDS):
        for row, way in zip(rows, WAYS.values()):
            sim = beam(cells, pl.QuasiNewton(iterations=10, after_cut=way), device)
            sim.step()
            sim.x, sim.v = x, v
            sim.step()  # with the scheme's memory of one step, as the others
            sim.x, sim.v = x, v
            sim.cut(blade(0.6))
            if row["after the cut"] == "from scratch":
                constant_factor(sim.world.objective).order = None
            spent, errors = [], []
            for there in path:
                begin = now()
                sim.step()
                sim.device.synchronize()
                spent.append(now() - begin)
                errors.append(1e3 * float(np.abs(sim.x - there).max()))
            row["first step [ms]"].append(round(1e3 * spent[0], 1))
            row["longest step [ms]"].append(round(1e3 * max(spent), 1))
            row["all [s]"].append(round(sum(spent), 3))
            row["error [mm] after step"] = {str(k): float(f"{errors[k - 1]:.3g}") for k in SHOWN}
    for row in rows:
        print(json.dumps(row, ensure_ascii=False), flush=True)
    return rows


class Watched:
    """While inside: what the factor of a step takes [ms], of that its matrix and its numbers, and how many fronts it redoes."""

    def __init__(self, now):
        self.now, self.spent, self.fronts = now, {}, (0, 0)

    def __enter__(self):
        self.patched = [
            (ConstantFactor, "exact"), (constant_factor_module, "checked"), (Numeric, "_run"), (Objective, "refresh")
        ]  # fmt: skip
        self.known = [getattr(owner, name) for owner, name in self.patched]
        for (owner, name), function in zip(self.patched, self.known):
            setattr(owner, name, self._timed(name, function))
        return self

    def __exit__(self, *error):
        for (owner, name), function in zip(self.patched, self.known):
            setattr(owner, name, function)

    @property
    def factor(self) -> float:
        """All but what residuals are compared with, which is found anew there too."""
        return self.spent["exact"] - self.spent["refresh"]

    def _timed(self, name, function):
        def work(*given):
            if name == "_run":
                plan = given[2]
                self.fronts = given[0].analysis.fronts, sum(map(len, plan.bins)) + len(plan.top)
            begin = self.now()
            answer = function(*given)
            self.spent[name] = self.spent.get(name, 0.0) + 1e3 * (self.now() - begin)
            return answer

        return work


def by_area(cells: int, device: str = "cpu") -> list[dict]:
    """What the factor takes [ms] in the first step after a cut through a share of a mesh: updated, in full in the same order, and
    from scratch; and, of what is updated, the sum of its matrix, its numbers, and the fronts that are redone."""
    now, rows = time.thread_time if device == "cpu" else time.perf_counter, []
    for share in SHARES:
        row = {"tets": 48 * cells**3, "share cut": share}
        for _ in range(3):
            for name in ("updated", "all fronts", "from scratch"):
                sim = beam(cells, pl.QuasiNewton(iterations=1), device)
                sim.step()
                sim.cut(blade(share))
                objective = sim.world.objective
                if name != "updated":
                    objective.inherited.clear()
                if name == "from scratch":
                    constant_factor(objective).order = None
                with Watched(now) as watched:
                    sim.step()
                factor = constant_factor(objective).now.parts[0].factor
                row.setdefault(name, []).append(round(watched.factor, 1))
                if name == "updated":
                    row["nodes doubled"] = len(sim.x) - len(beam_mesh(cells).vertices)
                    row["fronts"], row["fronts redone"] = watched.fronts
                    for part, key in (("of that the matrix", "checked"), ("and numbers", "_run")):
                        row.setdefault(part, []).append(round(watched.spent.get(key, 0.0), 1))
                    if isinstance(factor.numeric, Numeric):
                        row["MB of the factor"] = round(factor.numeric.tiles.bytes / 1e6, 2)
                        row["MB of updates kept"] = round(factor.numeric.updates.bytes / 1e6, 2)
                row[f"numbers in the factor, {name}"] = factor.nnz
        rows.append(row)
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    return rows


if __name__ == "__main__":
    machine, *sizes = sys.argv[1:] or [""]
    place = "cuda" if "h200" in machine else "cpu"
    sizes = [int(s) for s in sizes] or [5, 8, 10]
    areas = [row for cells in sizes for row in by_area(cells, place)]
    found = [row for cells in sizes for row in compared(cells, place)]
    if machine:
        known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        known.setdefault(machine, {}).update({"date": date.today().isoformat(), "factors": areas, "rows": found})
        RESULTS.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
