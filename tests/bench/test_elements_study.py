"""The study of elements: its closed solutions solve the equations, and what it says of elements holds; in full when slow."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import PliantWarning
from pliant.material.base import lame

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.elements.__main__ import KINDS, line, study
from benchmarks.elements.exact import HollowBall, Plate
from benchmarks.elements.loads import nodal_forces
from benchmarks.elements.problems import PROBLEMS, boxed, eighth_of_ball, inside

SOLUTIONS = {
    "ball": (HollowBall(0.5, 1.0, 1e3, 1e6, 0.3), np.random.default_rng(0).uniform(0.35, 0.5, (5, 3))),
    "plate": (
        Plate(1.0, 0.2, 1e3, 1e6, 0.3),
        np.random.default_rng(0).uniform(0.1, 0.9, (5, 3)) * [1, 1, 0.2] - np.array([0, 0, 0.1]),
    ),
}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        yield


@pytest.mark.parametrize("name", SOLUTIONS)
def test_closed_solutions_solve_the_equations(name):
    """Stress is Hooke's law of the strain, and has no divergence; by central differences."""
    solution, X = SOLUTIONS[name]
    (mu, lam), h = lame(1e6, 0.3), 1e-5
    slope = lambda f: np.stack([(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)], axis=-1)
    G = slope(solution.displacement)
    stress = mu * (G + np.swapaxes(G, -1, -2)) + lam * np.trace(G, axis1=1, axis2=2)[:, None, None] * np.eye(3)
    assert stress == pytest.approx(solution.stress(X), abs=1e-4)
    assert np.einsum("nijj->ni", slope(solution.stress)) == pytest.approx(0, abs=1e-3)


def test_closed_solutions_carry_their_loads():
    ball, plate = (SOLUTIONS[name][0] for name in ("ball", "plate"))
    assert ball.stress(np.array([[0.5, 0, 0], [0, 1.0, 0]]))[[0, 1], [0, 1], [0, 1]] == pytest.approx([-1e3, 0], abs=1e-9)
    faces = np.array([[0.3, 0.4, 0.1], [0.3, 0.4, -0.1]])
    assert plate.stress(faces)[:, 2] == pytest.approx(np.array([[0, 0, -plate.pressed(faces[0])], [0, 0, 0]]), abs=1e-6)
    thin = Plate(1.0, 0.01, 1.0, 1e6, 0.3)
    kirchhoff = -1.0 / (4 * np.pi**4 * 1e6 * 0.01**3 / (12 * (1 - 0.3**2)))
    assert thin.displacement(np.array([0.5, 0.5, 0.0]))[2] == pytest.approx(kirchhoff, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_loads_have_the_resultant_of_their_traction(kind):
    """A quarter of π R² for pressure in an eighth of a ball; a face of a box pressed by x.

    Where planes of symmetry cut its surface, that of a lattice is off by a subcell.
    """
    f = nodal_forces(eighth_of_ball(kind, 0.125), lambda X, n: -n, inside)
    assert f.sum(axis=0) == pytest.approx(np.full(3, np.pi / 4 * 0.25), rel=0.07 if "lattice" in kind else 0.02)
    cube = boxed(kind, (1, 1, 1), 0.25)
    f = nodal_forces(cube, lambda X, n: X[:, :1] * n, lambda X: X[:, 2] > 1 - 1e-9)
    assert f.sum(axis=0) == pytest.approx([0, 0, 0.5])
    assert f[:, 2] @ cube.rest[:, 0] == pytest.approx(1 / 3, rel=0.02)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_quadratic_tets_are_closer_at_the_same_unknowns(problem):
    edge = {"hollow ball": 0.125, "incompressible block": 0.125}.get(problem, 0.05)
    linear, quadratic = (PROBLEMS[problem](kind, edge) for kind in ("linear tets", "quadratic tets"))
    assert quadratic.unknowns <= linear.unknowns
    assert quadratic.displacement < 0.16 * linear.displacement
    assert problem == "incompressible block" or quadratic.stress < 0.35 * linear.stress


def test_stress_on_the_surface_is_not_that_in_the_middle_of_cells():
    """Fields are extrapolated to the nodes: on top of a bar, two elements across, off by 5 % and 0.5 %; means were by 26 %."""
    assert PROBLEMS["cantilever"]("hexahedra", 0.05).stress < 0.06
    assert PROBLEMS["cantilever"]("quadratic tets", 0.05).stress < 0.01


@pytest.mark.slow
def test_all_of_it():
    """What the table of the page says, at the finest meshes."""
    found = {(row["problem"], row["element"]): row for row in study(list(PROBLEMS), list(KINDS), 3)}
    for problem, most in (("cantilever", 0.004), ("hollow ball", 0.002), ("thick plate", 0.0005)):
        assert found[problem, "quadratic tets"]["displacement"] < most
        assert found[problem, "linear tets"]["displacement"] > 5 * most
    assert found["incompressible block", "quadratic tets"]["displacement"] < 0.03
    assert found["incompressible block", "averaged lattice"]["displacement"] < 0.02
    assert "quadratic tets" in line(found["cantilever", "quadratic tets"])
    assert isinstance(eighth_of_ball("lattice", 0.25), pl.Lattice)
