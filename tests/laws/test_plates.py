"""Bent sheets against Kirchhoff's theory of plates, on equilateral, alternating, one-diagonal and random meshes."""

import pytest

from benchmarks.sheets.meshes import KINDS, rectangle
from benchmarks.sheets.plates import ANGLES, CURVATURES, PLATES, POINTS, cantilever, energy

WITHIN = 0.03


@pytest.mark.parametrize("name", CURVATURES)
@pytest.mark.parametrize("kind", KINDS)
def test_energy_of_a_curvature(kind, name):
    """½ ∫ D [(κ₁ + κ₂)² − 2(1−ν)(κ₁κ₂ − κ₁₂²)] of a cylinder, a dome and a saddle in every direction, rim and all."""
    assert energy(rectangle(kind, (0, 0), (1, 1), 0.1), CURVATURES[name]) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("name", PLATES)
@pytest.mark.parametrize("kind", KINDS)
def test_deflection_of_a_plate(kind, name):
    """Squares and discs under pressure, supported and clamped, a square twisted by its corners, an arch: within 3 % of theory."""
    assert PLATES[name](kind, 24) == pytest.approx(1, abs=WITHIN)


@pytest.mark.parametrize("degrees", ANGLES)
@pytest.mark.parametrize("kind", KINDS)
def test_deflection_of_a_strip(kind, degrees):
    """A cantilever cut out of a mesh at an angle sags by PL³/3EI within 3 %."""
    assert cantilever(kind, 20, degrees) == pytest.approx(1, abs=WITHIN)


RATIOS = {"point load": (1.067, 1.020), "pinched ring": (1.265, 1.064), "pinched cylinder": (1.272, 1.194)}


@pytest.mark.parametrize("edges", [12, pytest.param(24, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", POINTS)
def test_forces_at_points_converge_from_the_soft_side(name, edges):
    """A square, a ring and a cylinder under forces at points sag too far by what the page says, and less on finer meshes."""
    assert POINTS[name](edges) == pytest.approx(RATIOS[name][edges == 24], abs=2e-3)
