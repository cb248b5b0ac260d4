"""Additive plasticity: forces are those of an energy, flow is that of the rule, and bars creep and stop as closed forms say."""

import numpy as np
import pytest

import pliant as pl
from pliant.energy.base import Step
from pliant.energy.plasticity.plastic_energy import AdditiveEnergy

from .cases import Samples, rotations
from .test_plastic import BOX, HARDENING, INNER, SHAPES, TANGENT, YIELD, YOUNG, bar

ADDITIVE = pl.plasticity.Additive()
LAW = pl.Plastic(INNER, YIELD, HARDENING, flow=ADDITIVE)
MU = YOUNG / 2.6


class Flowed(Samples):
    """Elements whose F is given and in which ``E`` (m, 3, 3) has flowed."""

    def __init__(self, law, E, dimension=3, precision="f64", place="cpu"):
        super().__init__(INNER, len(E), dimension, precision, place)
        self.elastic = AdditiveEnergy(self.device, self.elastic.elements, law)
        self.elastic.Ep.assign(E[None])
        self.elastic.recall(self.elastic.memory)
        self.t = 0.0

    def step(self, F, dt):
        x = self._positions(F)
        self.t += dt
        self.elastic.begin(Step(x, self.t, lasts=dt))
        self.elastic.accept(x, self.t)

    @property
    def E(self):
        return self.elastic.Ep.numpy()[0]

    @property
    def alpha(self):
        return self.elastic.alpha.numpy()[0]


def some(count, dimension, seed=0, size=0.15):
    """F, dF and what has flowed, in the directions that elements of the dimension span."""
    rng = np.random.default_rng(seed)
    F = rotations(count, seed) @ (np.eye(3) + size * rng.standard_normal((count, 3, 3)))
    dF, E = (rng.standard_normal((count, 3, 3)) for _ in range(2))
    E = 0.5 * size * (E + E.transpose(0, 2, 1))
    E -= np.trace(E, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
    F[:, :, dimension:] = dF[:, :, dimension:] = E[:, :, dimension:] = E[:, dimension:] = 0
    return F, dF, E


@pytest.mark.parametrize("dimension", [3, 2, pytest.param(1, marks=pytest.mark.slow)])
def test_derivatives(dimension):
    """Forces and tangents of bodies that have flowed, at any angle, in solids, sheets and threads."""
    F, dF, E = some(40, dimension)
    samples, h = Flowed(LAW, E, dimension), 1e-6
    slope = (samples.energy(F + h * dF) - samples.energy(F - h * dF)) / (2 * h)
    assert np.allclose(np.einsum("nij,nij->n", samples.stress(F), dF), slope, atol=1e-7 * np.abs(slope).max())
    change = (samples.stress(F + h * dF) - samples.stress(F - h * dF)) / (2 * h)
    assert np.allclose(samples.tangent(F, dF), change, atol=1e-6 * np.abs(change).max())
    exact, definite = (samples.stiffness(F, project) for project in (False, True))
    assert np.allclose(np.einsum("nij,nj->ni", exact, dF.reshape(40, 9)), change.reshape(40, 9), atol=1e-6 * np.abs(change).max())
    assert np.linalg.eigvalsh(definite).min() > -1e-7 * YOUNG


def test_the_law_sees_what_is_left_of_the_strain(place):
    """ψ is that of the law at S − ε_p, and no work is done on a body that only turns."""
    F, _dF, E = some(30, 3)
    _U, s, Vt = np.linalg.svd(F)
    S = Vt.transpose(0, 2, 1) @ (s[:, :, None] * Vt)
    flowed, plain = Flowed(LAW, E, place=place), Samples(INNER, 30, place=place)
    assert np.allclose(flowed.energy(F), plain.energy(S - E), rtol=1e-9)
    P = flowed.stress(F)
    torque = P @ F.transpose(0, 2, 1)
    assert np.allclose(torque, torque.transpose(0, 2, 1), atol=1e-9 * np.abs(P).max())


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_flow_is_the_rule(precision):
    """ε_p += min(1, Δt/τ) (|ε_e| − y)/|ε_e| dev ε_e and |ε_p| ≤ most, the yield strain growing as it hardens."""
    tau, limit, digits = 0.5, 0.05, 1e-9 if precision == "f64" else 2e-5
    law = pl.Plastic(INNER, YIELD, HARDENING, creep_time=tau, limit=limit, flow=ADDITIVE)
    F, _dF, E = some(40, 3, size=0.04)
    E *= 0.3
    flowed, alpha = Flowed(law, E, precision=precision), np.zeros(40)
    for dt in (0.1, 0.2, 10.0):
        _U, s, Vt = np.linalg.svd(F)
        e = Vt.transpose(0, 2, 1) @ (s[:, :, None] * Vt) - np.eye(3) - E
        dev = e - np.trace(e, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
        size = np.linalg.norm(dev, axis=(1, 2))
        beyond = np.maximum(size - (YIELD + HARDENING * alpha) / (6**0.5 * MU), 0)
        share = min(dt / tau, 1 / (1 + HARDENING / (3 * MU)))
        after = E + (share * beyond / size)[:, None, None] * dev
        norm = np.linalg.norm(after, axis=(1, 2))
        after *= np.minimum(1, 1.5**0.5 * limit / norm)[:, None, None]
        alpha = alpha + np.linalg.norm(after - E, axis=(1, 2)) * (2 / 3) ** 0.5
        flowed.step(F, dt)
        E = after
        assert np.allclose(flowed.E, E, atol=digits) and np.allclose(flowed.alpha, alpha, atol=digits)
    assert np.abs(np.trace(flowed.E, axis1=1, axis2=2)).max() < 1e-6
    assert (np.linalg.norm(E, axis=(1, 2)) > 1.5**0.5 * limit * (1 - 1e-9)).any()


def pulled(sim, steps):
    """Plastic strain and stress along the bar, step by step."""
    seen = []
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why
        seen.append((sim.field("plastic strain").mean(), sim.field("stress xx").mean()))
    return np.array(seen).T


def test_a_bar_yields_and_hardens():
    """Slope of hardening and what stays, to 1 %; a step of any size overshoots by its own elastic stress, so steps are small."""
    top = 6e-3
    sim = bar(lambda t: top * np.interp(t, [0, 1, 2], [0, 1, 0]), LAW, dt=0.02)
    alpha, stress = pulled(sim, 50)
    strain = top * np.arange(1, 51) / 50
    assert not alpha[strain < 0.95 * YIELD / YOUNG].any()
    slope = np.polyfit(strain[25:], stress[25:] / (1 + strain[25:]), 1)[0]  # by the area at rest, flow keeping the volume
    assert slope == pytest.approx(TANGENT, rel=0.01)
    assert alpha[-1] == pytest.approx((top - YIELD / YOUNG) * YOUNG / (YOUNG + HARDENING), rel=0.01)


def test_creep_has_its_rate():
    """Under a constant stress α̇ = (σ − σ_y)/(3μ τ), whatever the step is."""
    stiff, tau, pull = INNER.replaced(young=2e7), 2.0, 500.0
    sim = bar(None, pl.Plastic(stiff, YIELD, creep_time=tau, flow=ADDITIVE), dt=0.05, load=pull)
    alpha, _stress = pulled(sim, 5)
    rate = (pull - YIELD) / (3 * float(stiff.mu) * tau)
    assert np.allclose(np.diff(alpha) / 0.05, rate, rtol=0.01)


def test_beyond_the_limit_it_is_elastic_again():
    limit = 4e-3
    sim = bar(lambda t: 0.02 * t, pl.Plastic(INNER, YIELD, limit=limit, flow=ADDITIVE), dt=0.1)
    alpha, stress = pulled(sim, 10)
    assert alpha[-1] == pytest.approx(limit, rel=1e-6) and alpha[0] < limit
    assert (stress[-1] - stress[-2]) / 2e-3 == pytest.approx(YOUNG, rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_flows_as_the_solid_bar(shape):
    ends = []
    for body in (BOX, SHAPES[shape]()):
        sim = bar(lambda t: 0.02 * t, LAW, dt=0.25, shape=body)
        for _ in range(4):
            assert sim.step().kept
        ends.append(sim.field("plastic strain"))
    assert ends[0].mean() > 0.01 and np.allclose(ends[1], ends[0].mean(), rtol=5e-3)


def test_what_is_below_yield_is_the_law():
    rng = np.random.default_rng(1)
    F = np.eye(3) + 2e-4 * rng.standard_normal((50, 3, 3))
    flowed = Flowed(LAW, np.zeros((50, 3, 3)))
    flowed.step(F, 1.0)
    assert not flowed.alpha.any() and not flowed.E.any()
    assert np.allclose(flowed.stress(F), Samples(INNER, 50).stress(F), rtol=1e-12, atol=1e-9)


def test_a_body_that_moves_in_single_precision_keeps_a_dent_and_goes_on_from_a_file(tmp_path):
    """A stiff block thrown against a wall; energy only falls, and a checkpoint goes on bit for bit."""
    block = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, 0.001))
    soft = pl.Plastic(pl.Corotated(young=2e5), yield_stress=2e3, hardening=1e4, flow=ADDITIVE)
    scene = pl.Scene([pl.Body(block, soft, velocity=(0, 0, -3.0))], obstacles=[pl.plane(z=0.0)], gravity=(0, 0, 0))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.005), precision="f32")
    total = []
    for step in range(24):
        report = sim.step()
        assert report.kept, report.why
        total.append(sum(sim.energies().values()))
        if step == 11:
            sim.save(tmp_path / "half.npz")
    assert np.diff(total).max() < 1e-4 * total[0] and sim.field("plastic strain").max() > 0.02
    again = pl.Simulation.load(tmp_path / "half.npz")
    for _ in range(12):
        again.step()
    assert np.array_equal(again.x, sim.x)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pl.Plastic(INNER, YIELD, flow="additive"), "plasticity.Multiplicative"),
        (lambda: pl.Plastic(pl.Ogden(young=1e4), YIELD, flow=ADDITIVE), "not defined for inverted strains"),
    ],
)  # fmt: skip
def test_refused_laws(make, words):
    with pytest.raises(pl.errors.InputError, match=words):
        make()


def test_no_adjoint():
    with pytest.raises(pl.errors.InputError, match="depends on the history"):
        pl.inverse.Adjoint(bar(lambda t: 0.0, LAW, scheme=pl.ImplicitEuler))


@pytest.mark.parametrize("axis", [1.0, -1.0])
def test_what_flows_leaves_every_direction_half_its_length(axis):
    """Without a limit too: a shape at rest that were turned over would have no rotation."""
    law = pl.Plastic(INNER, YIELD, flow=ADDITIVE)
    F = rotations(1, 3) @ np.diag([4.0, 0.6, 0.7] if axis > 0 else [0.2, 1.5, 1.4])[None]
    samples = Flowed(law, np.zeros((1, 3, 3)))
    for _ in range(4):
        samples.step(F, 1.0)
    values = np.linalg.eigvalsh(samples.E)
    assert np.isclose(values.min(), -0.5, atol=1e-12) and np.isclose(np.trace(samples.E[0]), 0.0, atol=1e-12)


def test_a_bar_is_drawn_to_three_times_its_length_and_let_go():
    """Newton's method failed where what had flowed was beyond 1, and no limit was the default."""
    pull = pl.Hold(lambda X: X[:, 0] > 0.299, motion=lambda X, t: X + np.array([0.6 * min(t, 2 - t), 0, 0]))
    law = pl.Plastic(pl.StableNeoHookean(young=1e5, poisson=0.3), yield_stress=2e3, flow=ADDITIVE)
    shape = pl.Tets(pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)))
    body = pl.Body(shape, law, pinned=lambda X: X[:, 0] < 1e-9, effects=[pull])
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.1))
    run = sim.run(2.0)
    assert all(report.kept for report in run.reports) and sim.field("plastic strain").max() > 1.0
