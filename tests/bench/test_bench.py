"""Benchmarks run and their rows make sense, at sizes that take seconds."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse.linalg import splu

from pliant.bench import cholesky, elements, step
from pliant.errors import InputError


def test_elements_yields_times_growth_and_bytes():
    rows = list(elements.run(tets=2_000, quick=True))
    assert all(np.isfinite(value) and value > 0 for _, value, _ in rows)
    found = {name: (value, unit) for name, value, unit in rows}
    assert found["StableNeoHookean f64 gradient 1 thread"][1] == "ms/100k tets"
    assert 80 < found["bytes kept per tet, f32"][0] < 300
    exponent = next(value for name, value, _ in rows if name.startswith("growth exponent"))
    assert 0.5 < exponent < 1.5


def test_every_public_law_is_measured():
    from pliant import material

    measured = " ".join(elements.example_laws())
    assert all(name in measured for name in material.__all__)


def test_step_yields_stages():
    rows = {name.split("f64 ")[1]: value for name, value, _ in step.run(quick=True) if name.startswith("beam 1600")}
    assert rows["step"] >= rows["linear"] + rows["matrix"] > 0
    assert rows["Newton iterations"] >= 1


class _Solved:
    """What scikit-sparse's CHOLMOD gives back, played by SciPy."""

    def __init__(self, matrix):
        self.factor = splu(matrix)

    def __call__(self, b):
        return self.factor.solve(b)

    def L(self):
        return self.factor.L


def test_cholesky_yields_times_memory_and_others_beside(monkeypatch):
    monkeypatch.setattr(cholesky, "CELLS", (6,))
    fake = SimpleNamespace(analyze=lambda matrix, **options: SimpleNamespace(cholesky=_Solved))
    monkeypatch.setattr(cholesky.importlib.util, "find_spec", lambda name: name == "sksparse" or None)
    monkeypatch.setitem(sys.modules, "sksparse", SimpleNamespace(cholmod=fake))
    rows = {name: (value, unit) for name, value, unit in cholesky.run(largest=1000)}
    assert all(np.isfinite(value) and value > 0 for value, _ in rows.values())
    for precision in ("f64", "f32"):
        for what, unit in (("factor", "s"), ("solve 1", "ms"), ("solve 3", "ms"), ("solve 64 from the host", "ms"),
                           ("memory of the factor", "MB")):  # fmt: skip
            assert rows[f"343 nodes {precision} {what}"][1] == unit
        floor = rows[f"343 nodes {precision} floor of a solve of 1 to 4: L read twice"][0]
        entries, size = rows["343 nodes entries of L"][0], 4 if precision == "f32" else 8
        bandwidth = rows["bandwidth, reading by all threads"][0]
        assert floor == pytest.approx(2 * size * entries / bandwidth)
    for other in ("splu in our order,", "CHOLMOD"):
        assert {
            f"343 nodes {other} {what}" for what in ("factor", "solve 1", "solve 3", "solve 64", "entries of L")
        } <= set(rows)


def test_cholesky_says_which_sizes_there_are():
    with pytest.raises(InputError, match="10648, 50653, 148877"):
        next(cholesky.run(largest=100))


def test_lattice_yields_products_and_iterations(monkeypatch):
    """Products, their bytes, and Newton iterations plain and preconditioned, on a coarse figure."""
    from pliant.bench import lattice

    monkeypatch.setattr(lattice, "SPACINGS", {13_500: 0.06})
    rows = {name: (value, unit) for name, value, unit in lattice.run(rounds=2)}
    cells = next(int(name.split()[2]) for name in rows if name.startswith("figure of"))
    assert 300 < cells < 1500
    assert all(np.isfinite(value) and value > 0 for value, _ in rows.values())
    first = f"K1 force differential {cells} cells cpu f32 1 thread"
    assert rows[first][1] == "ms" and rows[f"{first}, bytes moved"][0] > 4 * 45
    assert rows[f"Newton iteration plain {cells} cells cpu f32 1 thread, QMR iterations"][0] <= 50
    assert rows[f"Newton iteration preconditioned {cells} cells cpu f32 1 thread, QMR iterations"][0] > 1
