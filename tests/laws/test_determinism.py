"""The same bits whatever happens: run twice, with one thread or two, in both precisions; and launches that cost little."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant.runtime.device import Device
from pliant.runtime.vectors import Vectors


def dropped(precision: str, threads: int, steps: int = 12) -> list[np.ndarray]:
    """A block with enough tets to be cut into slices falls on its edge, with friction, drag and viscosity."""
    mesh = pl.tet_grid((0.2, 0.2, 0.2), (7, 7, 7), 5).rotated((1, 1, 0), 25).translated((0, 0, 0.1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4, density=1000), damping=pl.Damping(mass=0.1, viscosity=1.0))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(iterations=3))
    sim = pl.Simulation(scene, integrator, precision=precision, threads=threads)
    low = []
    for _ in range(steps):
        assert sim.step().kept
        low.append(sim.x[:, 2].min())
    assert min(low) < 0  # it did touch
    return [sim.x, sim.v, sim.stress(), np.array(list(sim.energies().values()))]


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_identical_bits(precision):
    first = dropped(precision, threads=1)
    for again in (dropped(precision, threads=1), dropped(precision, threads=2), dropped(precision, threads=3)):
        for a, b in zip(first, again):
            assert a.tobytes() == b.tobytes()


@pytest.mark.alone
@pytest.mark.parametrize("count", [1000, 8192 * 3 + 17])
def test_dispatch_is_cheap(count):
    """Median of many launches of a small kernel: 40 µs, and what a slow machine needs for the items."""
    device = Device("cpu", "f32", threads=1)
    vectors = Vectors(device, count)
    a, b, out = (vectors.new() for _ in range(3))
    vectors.mix(1.0, a, 2.0, b, out)
    spent = []
    for _ in range(2000):
        begin = time.perf_counter()
        vectors.mix(1.0, a, 2.0, b, out)
        spent.append(time.perf_counter() - begin)
    assert np.median(spent) <= 40e-6 + 15e-9 * count


def test_recorded_launches_do_not_pile_up():
    """Steps, grabs that move, and damping leave the number of recorded launches as it is."""
    mesh = pl.tet_grid((1, 0.2, 0.2), (4, 2, 2), 5)
    body = pl.Body(
        mesh,
        pl.StableNeoHookean(young=1e5),
        pinned=lambda X: X[:, 0] < 1e-9,
        damping=pl.Damping(mass=1.0, stiffness=0.01, viscosity=1.0),
    )
    sim = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=-0.5)]))
    counts, handle = [], None
    for k in range(30):
        handle = sim.grab(5, (1, 0, 0.01 * k), handle=handle)
        assert sim.step().kept
        counts.append(len(sim.device._recorded))
    assert counts[-1] == counts[14]
