"""Simulations that are made, stepped and dropped leave nothing behind."""

import gc
import weakref

import pytest
import warp as wp

import pliant as pl

pytestmark = pytest.mark.usefixtures("settled")


def memory() -> float:
    """Resident megabytes of this process."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096 / 1e6
    except OSError:
        pytest.skip("no /proc here")


def stepped(solver, k: int) -> weakref.ref:
    bar = pl.tet_grid(size=(0.4, 0.1, 0.1), cells=(8 + k % 3, 3, 3))
    body = pl.Body(bar, pl.StableNeoHookean(young=1e5 + k, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=solver))
    assert sim.step().kept
    return weakref.ref(sim.world)


@pytest.mark.parametrize(
    "solver",
    [pl.Newton(iterations=1), pl.Newton(linear=pl.linear.Direct(), iterations=1), pl.QuasiNewton(iterations=2)],
    ids=["Newton", "Direct", "QuasiNewton"],
)
def test_memory_is_flat_over_many_simulations(solver):
    seen = []
    for k in range(36):
        left = stepped(solver, k)
        if k % 12 == 11:
            gc.collect()
            assert left() is None
            seen.append((memory(), sum(isinstance(thing, wp.array) for thing in gc.get_objects())))
    assert seen[2][1] <= seen[1][1], "arrays that nobody owns"
    assert seen[2][0] - seen[1][0] < 3.0  # MB for 12 simulations
