"""Benchmarks run and their rows make sense, at sizes that take seconds."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse.linalg import splu

from benchmarks.studies import accuracy, assembly, cholesky, complementarity, cutting, preconditioners
from pliant.bench import elements, step
from pliant.errors import InputError


@pytest.mark.slow
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


def test_accuracy_yields_times_and_errors():
    """More iterations, less error; an error is a share of the motion."""
    rows = {name: value for name, value, _ in accuracy.run(tets=1600, young=1e6, repeats=1, solver="QuasiNewton")}
    label = "1600 tets cpu f32 E=1e+06 QuasiNewton({}), {}"
    errors = [rows[label.format(k, "error")] for k in (5, 10, 20, 80)]
    assert all(rows[label.format(k, "step")] > 0 and rows[label.format(k, "iterations")] == k for k in (5, 10, 20, 80))
    assert 0.1 > errors[0] > errors[1] > errors[2] > errors[3] > 0 and errors[3] < 1e-4
    x = np.random.default_rng(0).standard_normal((2, 4, 3))
    assert accuracy.error(x[0], x[1], x[0]) == pytest.approx(1.0)  # a step that leaves everything where it was


def test_accuracy_says_what_there_is():
    with pytest.raises(InputError, match="tets=7: expected one of 1600, 10240, 25000"):
        next(accuracy.run(tets=7))
    with pytest.raises(InputError, match="expected the beginning of one of QuasiNewton"):
        next(accuracy.run(solver="Gauss"))


def test_accuracy_has_a_table():
    name = "1600 tets cpu f32 2 threads E=1e+07 Newton(1e-03, PCG)"
    values = {"step": 12.345, "error": 3.21e-6, "iterations": 4.0}
    head, lines = accuracy.table([{"name": f"{name}, {what}", "value": value} for what, value in values.items()])
    assert len(head) == len(lines[0])
    assert lines == [("1600 tets cpu f32 2 threads", "1e+07", "Newton(1e-03, PCG)", "12.3", "3.2e-06", "4")]


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
        assert {f"343 nodes {other} {what}" for what in ("factor", "solve 1", "solve 3", "solve 64", "entries of L")} <= set(rows)


def test_cholesky_says_which_sizes_there_are():
    with pytest.raises(InputError, match="10648, 50653, 148877"):
        next(cholesky.run(largest=100))


def test_lattice_yields_products_and_iterations(monkeypatch):
    """Products, their bytes, and Newton iterations plain and preconditioned, on a coarse figure."""
    from benchmarks.studies import lattice

    monkeypatch.setattr(lattice, "SPACINGS", {13_500: 0.06})
    rows = {name: (value, unit) for name, value, unit in lattice.run(rounds=2)}
    cells = next(int(name.split()[2]) for name in rows if name.startswith("figure of"))
    assert 300 < cells < 1500
    assert all(np.isfinite(value) and value > 0 for value, _ in rows.values())
    first = f"K1 force differential {cells} cells cpu f32 1 thread"
    assert rows[first][1] == "ms" and rows[f"{first}, bytes moved"][0] > 4 * 45
    assert rows[f"Newton iteration plain {cells} cells cpu f32 1 thread, QMR iterations"][0] <= 50
    assert rows[f"Newton iteration preconditioned {cells} cells cpu f32 1 thread, QMR iterations"][0] > 1


def test_complementarity_yields_stages_and_ways_to_make_the_compliance(monkeypatch):
    monkeypatch.setattr(complementarity, "CELLS", (2, 2, 2))
    monkeypatch.setattr(complementarity, "SIZES", (2,))
    monkeypatch.setattr(complementarity, "LENGTHS", (4,))
    monkeypatch.setattr(complementarity, "ACROSS", 2)
    monkeypatch.setattr(complementarity, "MESH", 2)
    monkeypatch.setattr(complementarity, "COUNTS", (3, 6))
    monkeypatch.setattr(complementarity, "BLOCKS", ((2, 2, 1),))
    rows = {name: value for name, value, _ in complementarity.run(columns=3, steps=3)}
    assert rows["rows"] == 27 and rows["unknowns"] == 81
    assert rows["whole step"] > 0 and rows["forces from nothing, the last change over what is enough"] <= 1
    assert {"81 unknowns, 3 contacts, W isolated", "81 unknowns, 6 contacts, W solves"} <= set(rows)
    assert all(rows[f"forces of 9 contacts, 54 unknowns, {way}"] > 0 for way in ("W made anew", "W known", "no W"))
    assert {"W solves", "W isolated", "W reuse", "W isolated, the thesis", "81 unknowns, 9 contacts, W reuse"} <= set(rows)


def test_assembly_agrees_with_scipy_and_is_faster():
    rows = {name.removeprefix("assembly of 1600 tets "): value for name, value, _ in assembly.run(largest=1600)}
    assert next(value for name, value in rows.items() if name.endswith("difference")) < 1e-14
    assert next(value for name, value in rows.items() if name.endswith("speed-up")) > 3.5  # it is 14 to 80
    assert all(value > 0 for value in rows.values())


def test_preconditioners_yield_iterations_and_times():
    found = list(preconditioners.run(tets=1600, ratios=1e4, repeats=1))
    rows = {name.split("ratio 1e+04 ")[1]: value for name, value, _ in found}
    counts = [rows[f"{kind}: iterations"] for kind in ("Cholesky", "TwoLevel", "BlockJacobi")]
    assert 1 <= counts[0] < counts[1] < counts[2]
    assert rows["Cholesky, 4 steps old and turned: iterations"] < 0.5 * rows["Cholesky, 4 steps old: iterations"]
    assert rows["Cholesky: making"] > rows["TwoLevel: making"] > 0
    head, lines = preconditioners.table([{"name": name, "value": value} for name, value, _ in found])
    assert len(lines) == len(preconditioners.KINDS) + 2 and all(len(line) == len(head) for line in lines)
    with pytest.raises(InputError, match="tets=7: expected one of 1600, 10240"):
        next(preconditioners.run(tets=7))


def test_inverse_yields_what_was_found_beside_the_thesis():
    from benchmarks.studies import inverse

    rows = [dict(zip(("name", "value", "unit"), row)) for row in inverse.run(coarse=7.0, steps=3, only="joint")]
    values = {row["name"]: row["value"] for row in rows}
    assert values["torus, nodes, joint: young"] == pytest.approx(2000, rel=1e-3)
    assert values["gradient / run"] > 0.5
    columns, lines = inverse.table(rows)
    assert columns[-2:] == ("found", "thesis") and len(lines) == 4
    assert lines[0][-1] == "1997 (-0.1 %)" and lines[0][2:4] == ("2000", "2500")
    assert len(inverse.cameras(10, 4)) == 10
    dragon = "dragon, 12 cameras, depths with noise of a voxel, from 2×: young"
    _, lines = inverse.table([{"name": dragon, "value": 5010.0}, {"name": f"{dragon}, error", "value": 0.2}])
    assert lines[0][2:4] == ("5000", "10000") and "+0.20 %" in lines[0][4] and lines[0][5] == "4348 (-13.0 %)"
    ground = {"ground, 10 cameras: lean, error": 0.25, "ground, 10 cameras: height, error": -1.5}
    _, lines = inverse.table([{"name": name, "value": value} for name, value in ground.items()])
    assert lines[0][1:] == ("lean", "0°", "21.6° off", "0.250° off", "3.8° off") and "-1.50 % of a voxel" in lines[1]


@pytest.mark.slow
def test_inverse_finds_the_ground_and_a_stiffness_that_is_ten_times_too_large():
    """Without noise on coarse lattices: the ground within 0.5° and 2 % of a voxel, the stiffness within 1 %."""
    from benchmarks.studies import inverse

    case = "ground, 10 cameras"
    values = {name: value for name, value, _ in inverse._ground(case, inverse.GROUNDS[case], 4.8, 0, 16, 1, "cpu")}
    assert values[f"{case}: lean, error"] < 0.5 and abs(values[f"{case}: height, error"]) < 2
    case = "torus, 10 cameras, stiffness from 10×"
    found = {name: value for name, value, _ in inverse.run(coarse=4.8, pixels=16, only=case)}
    assert abs(found[f"{case}: young, error"]) < 1


def test_cutting_yields_stages_beside_the_thesis():
    rows = {name: value for name, value, _ in cutting.run(cells=4, steps=4, taken=2, sizes=False)}
    assert rows["tets"] == 3072 and rows["the thesis, all"] == 7.01
    parts = (
        "faces along the blade",
        "snapping and topology",
        "state, elements and layout",
        "matrix and preconditioner",
    )
    assert all(rows[name] == rows[name] for name in parts) and rows["all"] > rows["one step of the solver"] > 0
    assert all(5 * ms[-1] > 5 * sum(ms[:-1]) for ms in cutting.THESIS.values())
    with pytest.raises(InputError, match="taken"):
        next(cutting.run(steps=4, taken=5))
