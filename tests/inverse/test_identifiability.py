"""What observations cannot tell is said before a fit, with what would."""

import numpy as np
import pytest

import pliant as pl
from pliant.inverse import Free, NodePositions, PinForces

from .test_fit import beam, seen

FREE = {(0, "young"): Free(5e3, 1e5, log=True), (0, "density"): Free(500.0, 2000.0)}


def test_stiffness_and_density_need_a_force():
    """A body under gravity alone moves alike if it is twice as dense and twice as stiff; its weight at the wall tells them."""
    sim = beam(mass=0.0)
    said = pl.inverse.identifiable(sim, FREE, NodePositions(seen(beam(mass=0.0), 6), sigma=1e-4))
    (sentence,) = said.sentences
    assert not said.ok and said.values[1] < 1e-6 * said.values[0] and np.isinf(said.errors).all()
    slopes = np.array([2e4 * np.log(20), 1500.0]) / (2e4, 1100.0)  # of ln(value), by shares
    assert said.ways[1] * slopes == pytest.approx((said.ways[1] * slopes)[0] * np.ones(2), rel=1e-5)
    assert "young by +10 % and density by +10 %" in sentence or "young by -10 % and density by -10 %" in sentence
    assert "observe the force at what is held as well" in sentence and "all nodes" not in sentence
    assert sim.scene.bodies[0].material.young == 2e4 and sim.state.steps == 0
    times = 0.02 * np.arange(1, 7)
    force = PinForces(np.zeros((6, 3)), times, lambda X: X[:, 0] < 1e-9, sigma=0.01)
    both = pl.inverse.identifiable(sim, FREE, [NodePositions(seen(beam(mass=0.0), 6), sigma=1e-4), force])
    assert both.ok and "all numbers can be told" in repr(both)


def test_expected_errors_are_those_of_the_fit():
    truth = seen(beam(), 6)
    noisy = truth + 1e-4 * np.random.default_rng(0).standard_normal(truth.shape)
    free = {(0, "young"): Free(2e3, 2e5, log=True), (0, "poisson"): Free(0.05, 0.45)}
    before = pl.inverse.identifiable(beam(), free, NodePositions(noisy, sigma=1e-4))
    found = pl.fit(beam(), NodePositions(noisy, sigma=1e-4), free, progress=False)
    assert before.ok and before.errors == pytest.approx(found.uncertainty.half, rel=0.1)
    unknown = pl.inverse.identifiable(beam(), free, NodePositions(noisy))
    assert unknown.ok and np.isnan(unknown.errors).all() and unknown.values == pytest.approx(1e-4 * before.values)


def test_a_prior_tells():
    sim, observed = beam(mass=0.0), NodePositions(seen(beam(mass=0.0), 6), sigma=1e-4)
    known = FREE | {(0, "density"): Free(500.0, 2000.0, prior=(1100.0, 5.0))}
    said = pl.inverse.identifiable(sim, known, observed)
    assert said.ok and said.errors[1] == pytest.approx(1.96 * 5 / 1500, rel=0.01)
