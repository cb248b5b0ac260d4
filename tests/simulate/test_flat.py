"""Steps leave nothing behind: no array is made and no launch recorded once a scene has settled into its stride."""

import gc

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.runtime.device import Device

pytestmark = pytest.mark.usefixtures("settled")
WARM, STEPS = 30, 50
BLOCK = pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1), origin=(0, 0, 0.01))
FLOOR = pl.plane(z=0.0)
SOFT = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
SOLVERS = {
    "Newton, PCG": pl.Newton(iterations=3, tolerance=1e-4, linear=pl.linear.PCG()),
    "Newton, Direct": pl.Newton(iterations=3, tolerance=1e-4, linear=pl.linear.Direct()),
    "QuasiNewton": pl.QuasiNewton(iterations=3),
    "ProjectiveDynamics": pl.ProjectiveDynamics(iterations=3),
    "Mixed": pl.Mixed(tolerance=1e-3),
}
IMPLICIT = {
    name: getattr(pl, name)
    for name in ("ImplicitEuler", "ImplicitMidpoint", "BDF2", "HHT", "Newmark", "NewmarkTheta", "LinearAcceleration")
}
EXPLICIT = {name: getattr(pl, name) for name in ("SymplecticEuler", "CentralDifferences")}


class Growth:
    """Counts what is made on a device while it watches; factorisations work on one of their own."""

    def __init__(self, monkeypatch, device: Device):
        self.device, self.made = device, 0
        for name in ("zeros", "array"):
            monkeypatch.setattr(Device, name, self._counted(getattr(Device, name)))

    def _counted(self, function):
        def call(device, *args):
            self.made += device is self.device
            return function(device, *args)

        return call

    def now(self) -> dict[str, int]:
        gc.collect()
        arrays = sum(isinstance(thing, wp.array) for thing in gc.get_objects())
        return {"launches": len(self.device._recorded), "arrays": arrays, "made": self.made}


def flat(sim: pl.Simulation | pl.Batch, step, monkeypatch) -> None:
    """Run on and see that nothing grows."""
    for k in range(WARM):
        step(k)
    growth = Growth(monkeypatch, sim.device)
    before = growth.now()
    for k in range(WARM, WARM + STEPS):
        step(k)
    after = growth.now()
    seldom = after.pop("launches") - before.pop("launches")  # of branches that few steps take, not of every step
    assert after == before and 0 <= seldom <= 2


def scene(solver: str = "") -> pl.Scene:
    """A damped block on a floor with friction, one end of which pins shake."""
    volume = {"volume": pl.quadrature.Averaged()} if solver == "Mixed" else {}
    shape = pl.Lattice(pl.box((0.3, 0.1, 0.1), (0.15, 0.05, 0.06)), 0.1, **volume) if volume else BLOCK
    shaken = pl.Hold(lambda X: X[:, 0] < 0.01, lambda X, t: X + np.array([0, 0, 0.01 * np.sin(9 * t)]))
    law = pl.Arap(young=3e4) if solver == "ProjectiveDynamics" else SOFT
    damping = pl.Damping(mass=0.1) if solver in ("Mixed", "ProjectiveDynamics") else pl.Damping(0.1, 1e-3, 1.0)
    load = pl.Load((0, 0, 1.0), lambda X: X[:, 0] > 0.2, course=lambda t: np.sin(5 * t))
    body = pl.Body(shape, law, damping=damping, effects=[load, shaken])
    floor = [] if solver == "ProjectiveDynamics" else [FLOOR]
    return pl.Scene([body], obstacles=floor, contact=pl.Contact(friction=0.3))


@pytest.mark.parametrize(
    ("scheme", "precision"), [*((name, "f64") for name in IMPLICIT), ("ImplicitEuler", "f32"), ("HHT", "f32")]
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_implicit_steps(scheme, solver, precision, monkeypatch):
    dt = 1e-4 if scheme == "LinearAcceleration" else 1 / 240
    sim = pl.Simulation(scene(solver), IMPLICIT[scheme](dt=dt, solver=SOLVERS[solver]), precision=precision)
    held = []

    def step(k: int) -> None:
        if solver != "ProjectiveDynamics":
            held[:] = [sim.grab(5, (0.3, 0.1, 0.1 + 1e-4 * k), handle=held[0] if held else None)]
        sim.step()
        sim.energies()

    flat(sim, step, monkeypatch)


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("scheme", EXPLICIT)
def test_explicit_steps(scheme, precision, monkeypatch):
    sim = pl.Simulation(scene(), EXPLICIT[scheme](dt=1e-4), precision=precision)
    flat(sim, lambda k: (sim.step(), sim.energies()), monkeypatch)


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("scheme", ["ImplicitEuler", "ImplicitMidpoint"])
def test_batches(scheme, precision, monkeypatch):
    """The second of the scenes fails at every other step, so that its state is put back."""
    batch = pl.Batch([scene(), scene()], IMPLICIT[scheme](1 / 240, pl.QuasiNewton(iterations=3)), precision=precision)
    failed = 0

    def step(k: int) -> None:
        nonlocal failed
        if k % 2:
            batch.v = np.stack([batch.v[0], np.full_like(batch.v[1], 1e200 if precision == "f64" else 1e30)])
        failed += not batch.step()[1].kept
        if k % 2:
            batch.v = np.zeros_like(batch.v)

    flat(batch, step, monkeypatch)
    assert failed == (WARM + STEPS) // 2
