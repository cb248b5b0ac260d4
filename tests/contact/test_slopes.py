"""Closed forms of friction on slopes with the barrier: what sticks does not creep, and where sliding begins."""

import numpy as np
import pytest

import pliant as pl

pytestmark = pytest.mark.slow
STILL = 1e-5  # [m/s] slip from which friction is full


def _on_slope(kind: str, young: float, degrees: float, friction: float) -> tuple[pl.Simulation, np.ndarray]:
    """Flat blocks, one or two, or a rigid one, on a slope; and the way down."""
    angle, height, gap = np.radians(degrees), 0.04, 0.0015
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1000.0)
    turned = lambda mesh: mesh.rotated((0, 1, 0), degrees)

    def soft(z: float) -> pl.Body:
        mesh = turned(pl.tet_grid((0.1, 0.1, height), (2, 2, 2), origin=(0, 0, z)))
        return pl.Body(mesh, law, damping=pl.Damping(viscosity=3e-3 * young))

    box = turned(pl.meshes.box((0.1, 0.1, height)).translated((0.05, 0.05, 0.5 * height + gap)))
    bodies = {
        "tets": lambda: [soft(gap)],
        "stacked": lambda: [soft(gap), soft(height + 2 * gap)],
        "rigid": lambda: [pl.Body(pl.contact.Rigid(box, density=1000.0))],
    }[kind]()
    slope = pl.plane(point=(0, 0, 0), normal=(np.sin(angle), 0, np.cos(angle)))
    law = pl.Contact(friction=friction, response=pl.contact.Barrier(reach=0.002, creep=STILL))
    down = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    return pl.Simulation(pl.Scene(bodies, obstacles=[slope], contact=law), pl.ImplicitEuler(1 / 100)), down


@pytest.mark.parametrize(
    "kind, young",
    [("tets", 1e4), ("tets", 1e5), ("tets", 1e7), ("stacked", 1e4), ("stacked", 1e7), ("rigid", 1e7)],
)
def test_what_sticks_at_twenty_degrees_creeps_by_less_than_a_hundredth_of_a_millimetre_a_second(kind, young):
    simulation, down = _on_slope(kind, young, 20.0, 0.5)
    for k in range(200):
        assert simulation.step().ok
        if k == 149:
            before = simulation.x.mean(axis=0)
    assert abs((simulation.x.mean(axis=0) - before) @ down) / 0.5 < 1e-5


@pytest.mark.parametrize("kind", ["tets", "rigid"])
@pytest.mark.parametrize("off", [-0.0005, 0.0005], ids=["slides", "sticks"])
def test_sliding_begins_at_the_tangent_of_the_slope_within_a_thousandth(kind, off):
    friction = np.tan(np.radians(10.0)) + off
    simulation, down = _on_slope(kind, 1e6, 10.0, friction)
    for _ in range(30):
        assert simulation.step().ok
    before = float(simulation.v.mean(axis=0) @ down)
    for _ in range(50):
        assert simulation.step().ok
    gained = (float(simulation.v.mean(axis=0) @ down) - before) / 0.5
    assert gained == pytest.approx(9.81 * np.cos(np.radians(10.0)) * -off, rel=0.01)
