"""Sheets and threads against theory: balloon, rolled sheets, curved rest shapes, hanging thread."""

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl
from benchmarks.sheets.meshes import KINDS, rectangle
from pliant.material.base import lame

QUASI = pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct()))


def balloon(pressure: float, subdivisions: int = 3) -> float:
    """Mean stretch of a thin neo-Hookean sphere of radius 0.1 m and 1 mm under pressure [Pa]."""
    mesh = pl.meshes.sphere(0.1, subdivisions)
    X = mesh.vertices
    # six nodes lie on the axes; each is held across its axis, which a round shape does not feel
    pins = [
        pl.Hold(
            np.flatnonzero(np.abs(np.delete(X, a, axis=1)).max(axis=1) < 1e-9),
            by=pl.hold.Rigidly("xyz".replace("xyz"[a], "")),
        )
        for a in range(3)
    ]
    body = pl.Body(
        pl.Membrane(mesh, thickness=1e-3, bending=False),
        pl.NeoHookean(young=1e5, poisson=0.45),
        effects=[*pins, pl.Pressure(pressure)],
    )
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic())
    report = sim.step()
    assert report.kept, report
    return float(np.mean(np.linalg.norm(sim.x, axis=1)) / 0.1)


@pytest.mark.parametrize("stretch", [1.05, 1.2])
def test_balloon(stretch):
    """p = 2 t P(s) / (R s²), with P of the equibiaxial sheet; within 2 % of the growth on 1280 triangles."""
    mu, lam = (float(v) for v in lame(1e5, 0.45))
    t = brentq(lambda t: mu * (t * t - 1) + lam * np.log(stretch**2 * t), 0.1, 2)
    P = mu * (stretch - t * t / stretch)
    assert balloon(2 * 1e-3 * P / (0.1 * stretch**2)) - 1 == pytest.approx(stretch - 1, rel=0.02)


@pytest.mark.parametrize("degrees", [0, 20, 45, 90])
@pytest.mark.parametrize("kind", KINDS)
def test_rolled_sheet_has_the_energy_of_a_plate(kind, degrees):
    """½ D κ² per area for a sheet of any mesh rolled up in any direction, to a third of a circle, within 1 %."""
    mesh, radius = rectangle(kind, (0, 0), (1, 0.6), 0.05), 0.5
    along = np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])
    across = np.array([-along[1], along[0]])
    s, t = mesh.vertices[:, :2] @ along, mesh.vertices[:, :2] @ across
    sim = pl.Simulation(pl.Scene([pl.Body(pl.Membrane(mesh, 0.01), pl.Corotated(young=1e6, poisson=0.3))]))
    sim.x = np.column_stack(
        [radius * np.outer(np.sin(s / radius), along) + np.outer(t, across), radius * (1 - np.cos(s / radius))]
    )
    D = 1e6 * 0.01**3 / (12 * (1 - 0.3**2))
    assert sim.energies()["bending"] == pytest.approx(0.5 * D / radius**2 * mesh.areas.sum(), rel=0.01)


def test_curved_sheet_rests_in_its_shape():
    """A bent strip with bending is at rest as it was made, and springs back."""
    flat = pl.cloth_grid((0.3, 0.1), (12, 4))
    X = flat.vertices
    mesh = pl.TriMesh(np.column_stack([0.2 * np.sin(X[:, 0] / 0.2), X[:, 1], 0.2 * (1 - np.cos(X[:, 0] / 0.2))]), flat.triangles)
    body = pl.Body(pl.Membrane(mesh, 1e-3), pl.Corotated(young=1e6), pinned=lambda Y: Y[:, 0] < 0.03)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), QUASI)
    assert sim.step().kept
    assert np.abs(sim.x - mesh.vertices).max() <= 1e-9
    sim.x = mesh.vertices + 1e-4 * np.random.default_rng(0).standard_normal(mesh.vertices.shape) * (sim.world.free > 0)
    assert sim.step().kept
    assert np.abs(sim.x - mesh.vertices).max() <= 1e-5


def test_barrier_law_on_a_sheet_and_on_threads():
    """Ogden's law has a barrier in solids; a hanging sheet and a hanging net of it settle like any other."""
    cloth, net = pl.cloth_grid((1, 1), (5, 5)), pl.meshes.net((1, 1), (4, 4))
    for shape in (pl.Membrane(cloth, 0.01), pl.Springs(net, 0.01)):
        body = pl.Body(shape, pl.Ogden(young=1e6), pinned=lambda X: X[:, 0] < 1e-9, damping=pl.Damping(mass=1.0))
        sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 30))
        for _ in range(10):
            report = sim.step()
            assert report.kept, report
        assert sim.x[:, 2].min() < -0.1


def test_hanging_thread_stretches_as_theory_says():
    """A thread of n segments under its own weight: each segment carries what hangs below it, exactly."""
    n, radius, young, density = 10, 1e-3, 1e6, 1000.0
    mesh = pl.meshes.rod((0, 0, 0), (0, 0, -1), n)
    body = pl.Body(pl.Springs(mesh, radius), pl.Corotated(young=young, density=density), pinned=[0])
    sim = pl.Simulation(pl.Scene([body]), pl.QuasiStatic())
    assert sim.step().kept
    area = np.pi * radius**2
    weight = density * area / n * 9.81
    tension = weight * (n - np.arange(n) - 0.5)
    expected = np.concatenate([[0], np.cumsum(1 / n * (1 + tension / (young * area)))])
    assert np.abs(-sim.x[:, 2] - expected).max() <= 1e-7
