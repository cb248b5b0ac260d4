"""The comparison with position-based dynamics says what it says: their stiffness is the iterations, ours is the law's."""

import importlib.util
from pathlib import Path

import pytest

import pliant as pl

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "position_based.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("position_based", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_stretch_against_iterations(bench):
    exact = bench.minimised(pl.Newton(linear=pl.linear.Direct()))
    theory = bench.DENSITY * 9.81 * bench.LENGTH / (2 * bench.YOUNG)
    assert exact[1] == pytest.approx(theory, rel=1e-4)
    few, many = bench.position_based(2), bench.position_based(50)
    assert few[0] > 20 * many[0] and few[1] > 20 * many[1] and many[1] > 5 * theory
    assert bench.step_and_project(10)[1] < 1e-6  # converges, but to rigid links
    swing = [bench.minimised(pl.ProjectiveDynamics(iterations=n)) for n in (5, 50)]
    assert abs(swing[1][0] - exact[0]) < abs(swing[0][0] - exact[0]) < 0.25 * exact[0]
    assert all(hung == pytest.approx(theory, rel=1e-3) for _, hung in swing)
    quasi = bench.minimised(pl.QuasiNewton(iterations=50))
    assert quasi == pytest.approx(exact, rel=0.01)
