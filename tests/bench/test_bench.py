"""Benchmarks run and their rows make sense, at sizes that take seconds."""

import numpy as np

from pliant.bench import elements, step


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
