"""Rigid cylinders and balls of some centimetres roll down a slope at 1/60 s as the closed forms say, with each response.

A prism of n sides rolls with g sin θ / (1 + I/mr²), I and r being its own: of 256 sides that is 1e-4 off 2/3 g sin θ, and it goes
up and down by r (1 − cos(π/n)), 2 micrometres. Of 64 sides it loses speed at every edge that strikes the floor, half a hundredth.
"""

import numpy as np
import pytest

import pliant as pl
from pliant.contact import Rigid

GRAVITY, ANGLE, DT = 9.81, np.radians(20.0), 1 / 60
RESPONSES = {
    "none": (None, 0.0),
    "penalty": (pl.contact.Penalty(), 0.0),
    "complementarity": (pl.contact.Complementarity(), 1e-6),
    "barrier": (pl.contact.Barrier(reach=0.002), 0.0019),
}
SLOW = pytest.mark.slow


def cylinder(radius: float, sides: int) -> pl.TriMesh:
    angle = 2 * np.pi * np.arange(sides) / sides
    ring = radius * np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)
    vertices = np.concatenate([ring - [0, radius, 0], ring + [0, radius, 0], [[0, -radius, 0], [0, radius, 0]]])
    i, j, n = np.arange(sides), np.roll(np.arange(sides), -1), sides
    parts = [(i, j, n + i), (j, n + j, n + i), (np.full(n, 2 * n), j, i), (np.full(n, 2 * n + 1), n + i, n + j)]
    return pl.TriMesh(vertices, np.concatenate([np.stack(part, axis=1) for part in parts])[:, ::-1])


def gained(mesh: pl.TriMesh, name: str, scheme: object, seconds: float, friction: float = 0.5) -> tuple[float, float]:
    """Speed of the centre, and that of its spin times its radius, over time, from rest [m/s²]."""
    response, gap = RESPONSES[name]
    mesh = mesh.translated((0, 0, gap - mesh.vertices[:, 2].min()))
    body = pl.Body(Rigid(mesh, density=1000.0))
    gravity = (GRAVITY * np.sin(ANGLE), 0.0, -GRAVITY * np.cos(ANGLE))
    scene = pl.Scene([body], [pl.plane(z=0.0)], gravity, pl.Contact(friction=friction, response=response))
    sim = pl.Simulation(scene, scheme)
    for _ in range(round(seconds / DT)):
        report = sim.step()
        assert report.ok, report.why
    x, v, mass = sim.x, sim.v, sim.world.mass[:, None]
    turning = (mass * np.cross(x - x.mean(axis=0), v)).sum(axis=0)[1] / body.shape.inertia[1, 1]
    return v.mean(axis=0)[0] / seconds, turning * np.ptp(mesh.vertices[:, 2]) / 2 / seconds


@pytest.mark.parametrize(
    "name, radius",
    [("none", 0.03), ("complementarity", 0.03), *((n, r) for n in ("penalty", "barrier") for r in (0.03,))],
)
def test_a_cylinder_rolls_with_two_thirds_of_g_sin(name, radius):
    """Within 1 % over half a second; four nodes in straight lines, and friction where they pressed before, had 30 % too little."""
    found = gained(cylinder(radius, 128 if name == "barrier" else 256), name, pl.ImplicitEuler(DT), 0.5)
    assert found == pytest.approx([2 / 3 * GRAVITY * np.sin(ANGLE)] * 2, rel=0.01)


@SLOW
@pytest.mark.parametrize("radius", [0.02, 0.05])
@pytest.mark.parametrize("name", RESPONSES)
def test_cylinders_of_other_sizes_roll_so_too(name, radius):
    found = gained(cylinder(radius, 256), name, pl.ImplicitEuler(DT), 0.5)
    assert found == pytest.approx([2 / 3 * GRAVITY * np.sin(ANGLE)] * 2, rel=0.01)


@pytest.mark.parametrize(
    "name", ["penalty", *(pytest.param(n, marks=SLOW) for n in ("none", "complementarity", "barrier"))]
)
def test_a_ball_rolls_with_five_sevenths_of_g_sin(name):
    """2,562 corners of a sphere, turned so that it rolls along none of its circles; its facets take half a hundredth at most."""
    ball = pl.meshes.sphere(0.05, 4).rotated((1.0, 0.3, 0.2), 33.0)
    found = gained(ball, name, pl.ImplicitEuler(DT), 0.5)
    assert found == pytest.approx([5 / 7 * GRAVITY * np.sin(ANGLE)] * 2, rel=0.01)


@pytest.mark.parametrize(
    "kind", [pl.BDF2, pl.HHT, pl.Newmark, pl.NewmarkTheta, pl.ImplicitMidpoint], ids=lambda k: k.__name__
)
def test_a_cylinder_rolls_with_every_scheme(kind):
    found = gained(cylinder(0.05, 128), "penalty", kind(DT), 0.5)
    assert found == pytest.approx([2 / 3 * GRAVITY * np.sin(ANGLE)] * 2, rel=0.01)


def test_with_little_friction_it_slides_and_turns_as_coulomb_s_law_says():
    """tan θ / 3 is what rolling needs: with half of it the centre gains g (sin θ − μ cos θ), the spin 2 μ g cos θ."""
    friction = np.tan(ANGLE) / 6
    found = gained(cylinder(0.03, 256), "penalty", pl.ImplicitEuler(DT), 0.5, friction)
    slides, turns = np.sin(ANGLE) - friction * np.cos(ANGLE), 2 * friction * np.cos(ANGLE)
    assert found == pytest.approx([GRAVITY * slides, GRAVITY * turns], rel=0.01)
