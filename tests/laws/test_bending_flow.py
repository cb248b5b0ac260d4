"""Sheets that stay bent: the return mapping against a search by itself, and strips against the plastic hinge."""

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl
from pliant.energy.base import Step

YOUNG, POISSON, YIELD, HARDENING, THICK = 7e10, 0.3, 2e8, 5e9, 1e-3
TIN = pl.StableNeoHookean(young=YOUNG, poisson=POISSON, density=2700.0)
ADDITIVE = pl.plasticity.Additive()  # either will do: it is for the stretching


def sheet(law, cells=(6, 4), size=(0.6, 0.4), **options):
    mesh = pl.cloth_grid(size, cells)
    body = pl.Body(pl.Membrane(mesh, THICK), law)
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=0.01), **options)


def bent_by(sim, curvature, dt=0.01, steps=1):
    """Let the sheet flow where it is z = ½ X·κX, and return what has flowed, (m, 3) and (m,)."""
    flow = sim.world.by_name["bending flow"]
    X = sim.world.rest.copy()
    X[:, 2] = 0.5 * np.einsum("ni,ij,nj->n", X[:, :2], curvature, X[:, :2])
    x = sim.device.array(X, sim.device.types.position)
    for k in range(1, steps + 1):
        flow.begin(Step(x, k * dt, lasts=dt))
        flow.accept(x, k * dt)
    return flow.bent.numpy(), flow.alpha.numpy()


def parts(k):
    """The three parts of a curvature in the frame of the axes."""
    return np.array([k[0, 0] + k[1, 1], k[0, 0] - k[1, 1], 2 * k[0, 1]]) / 2**0.5


def expected(curvature, hardening, yield_stress=YIELD):
    """Size of the mean curvature that flows, of what is free of it, and α: by bisection."""
    D = YOUNG * THICK**3 / 12 / (1 - POISSON**2)
    C, P = D * np.array([1 + POISSON, 1 - POISSON, 1 - POISSON]), np.array([0.5, 1.5, 1.5])
    T, yields, thick = C * parts(curvature), yield_stress * THICK**2 / 4, THICK / 4

    def left(mu):
        M = T / (1 + mu * C * P)
        f = np.sqrt(np.sum(P * M * M))
        return f - yields - hardening * THICK**2 / 4 * thick * mu * f

    if left(0.0) <= 0:
        return 0.0, 0.0, 0.0
    mu = brentq(left, 0.0, 1e3 / D, xtol=1e-15 / D)
    M = T / (1 + mu * C * P)
    kappa = mu * P * M
    return abs(kappa[0]), np.hypot(kappa[1], kappa[2]), thick * mu * np.sqrt(np.sum(P * M * M))


@pytest.mark.parametrize("precision", ["f64", pytest.param("f32", marks=pytest.mark.slow)])
@pytest.mark.parametrize("hardening", [0.0, HARDENING])
def test_return_mapping(hardening, precision):
    sim = sheet(pl.Plastic(TIN, YIELD, hardening, flow=ADDITIVE), precision=precision)
    rng, digits = np.random.default_rng(3), 1e-5 if precision == "f64" else 2e-3
    flowed = 0
    for size in (2.0, 6.0, 30.0):
        k = size * rng.standard_normal((2, 2))
        k = 0.5 * (k + k.T)
        flow = sim.world.by_name["bending flow"]
        flow.recall(
            {
                "bent": sim.device.zeros(flow.count, flow.bent.dtype),
                "alpha": sim.device.zeros(flow.count, flow.alpha.dtype),
            }
        )
        bent, alpha = bent_by(sim, k)
        mean, other, strain = expected(k, hardening)
        assert np.allclose(np.abs(bent[:, 0]), mean, rtol=digits, atol=digits)
        assert np.allclose(np.hypot(bent[:, 1], bent[:, 2]), other, rtol=digits, atol=digits)
        assert np.allclose(alpha, strain, rtol=digits, atol=1e-9)
        flowed += strain > 0
    assert flowed >= 2


def test_creep_and_limit():
    """Held at a shape the part beyond yield falls by Δt/τ a step; α ends at its limit."""
    k = np.diag([40.0, 0.0])
    whole = bent_by(sheet(pl.Plastic(TIN, YIELD, flow=ADDITIVE)), k)[0][:, 1]
    slow = bent_by(sheet(pl.Plastic(TIN, YIELD, creep_time=0.1, flow=ADDITIVE)), k)[0][:, 1]
    assert np.allclose(slow, 0.1 * whole, rtol=1e-6)
    ended = bent_by(sheet(pl.Plastic(TIN, YIELD, limit=1e-3, flow=ADDITIVE)), k, steps=3)[1]
    assert np.allclose(ended, 1e-3, rtol=1e-9)
    assert not bent_by(sheet(pl.Plastic(TIN, YIELD, flow=ADDITIVE)), np.diag([1.0, 0.0]))[1].any()


def test_a_strip_that_was_bent_stays_bent_by_what_flowed():
    """Laid on a cylinder and let go, it springs back to the curvature that has flowed; below yield it is flat again."""
    weak, length = 1.2e6, 0.5
    mesh = pl.cloth_grid((length + 0.05, 0.05), (22, 2), origin=(-0.05, 0, 0))
    body = pl.Body(pl.Membrane(mesh, THICK), pl.Plastic(TIN, weak, flow=ADDITIVE), pinned=lambda X: X[:, 0] < 1e-9)
    for kappa in (0.04, 0.2):
        sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0))
        X = sim.world.rest.copy()
        along = np.maximum(X[:, 0], 0.0)
        X[:, 0], X[:, 2] = np.minimum(X[:, 0], 0) + np.sin(kappa * along) / kappa, (1 - np.cos(kappa * along)) / kappa
        sim.state.x.assign(X)
        flow = sim.world.by_name["bending flow"]
        flow.begin(Step(sim.state.x, 1.0, lasts=1.0))
        flow.accept(sim.state.x, 1.0)
        report = sim.step()
        assert report.kept, report.why
        mean, other, _alpha = expected(np.diag([kappa, 0.0]), 0.0, weak)
        stays = 0.5 * (mean + other) / 2**0.5 * length**2
        tip = sim.x[along > length - 1e-9, 2].mean()
        assert tip == pytest.approx(stays, rel=0.01, abs=1e-7), kappa
        assert (stays > 0) == (kappa > 0.1)


def test_what_has_flowed_outlasts_a_tear_and_a_file(tmp_path):
    """A tear sorts the plates anew; each triangle keeps what has flowed in it, and a checkpoint goes on bit for bit."""
    mesh = pl.cloth_grid((0.6, 0.4), (6, 4))
    pull = pl.Hold(lambda X: X[:, 0] > 0.599, motion=lambda X, t: X + np.array([t, 0, 0]))
    body = pl.Body(
        pl.Membrane(mesh, THICK),
        pl.Plastic(TIN.replaced(young=1e6), 1e9, flow=ADDITIVE),
        pinned=lambda X: X[:, 0] < 1e-9,
        effects=[pull, pl.Tearing(stretch=1.06)],
    )
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.03))
    flow = sim.world.by_name["bending flow"]
    bent = np.random.default_rng(0).standard_normal((flow.count, 3))
    flow.recall({"bent": sim.device.array(bent, flow.bent.dtype)})
    while len(sim.x) == len(mesh.vertices):
        assert sim.step().kept and sim.t < 0.2
    after = sim.world.by_name["bending flow"]
    assert after is not flow and np.array_equal(after.bent.numpy(), bent)
    for plates, triangles in zip(after.plates, after.triangles):
        assert np.allclose(plates.table.numpy()[:, 2:5], bent[triangles.numpy()], atol=1e-9)
    sim.save(tmp_path / "torn.npz")
    again = pl.Simulation.load(tmp_path / "torn.npz", scene=sim.scene)
    assert sim.step().kept and again.step().kept and np.array_equal(sim.x, again.x)
    sim.set(0, yield_stress=2e9)
    after = sim.world.by_name["bending flow"]
    assert np.allclose(after.limits[0].numpy()[:, 0], 2e9 * THICK**2 / 4)
    assert np.allclose(after.plates[0].table.numpy()[:, 2:5], bent[after.triangles[0].numpy()], atol=1e-9)
