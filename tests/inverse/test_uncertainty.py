"""Stated intervals hold, and what cannot be told apart is said."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, PliantWarning
from pliant.inverse import Free, GaussNewton, NodePositions
from pliant.inverse.fitting.uncertainty import uncertainty

from .test_fit import BOUNDS, beam, seen


def straight(draw, n=40, slope=(0.5, 0.25), sigma=0.1):
    """A line through noisy points, by linear least squares in closed form."""
    jacobian = np.stack([np.linspace(0, 1, n), np.ones(n)], axis=1)
    noise = sigma * draw.standard_normal(n)
    at = np.linalg.lstsq(jacobian, jacobian @ slope + noise, rcond=None)[0]
    return at, jacobian @ (at - slope) - noise, jacobian


def test_of_many_lines_95_in_100_hold():
    draw, inside = np.random.default_rng(3), []
    for _ in range(1000):
        at, residuals, jacobian = straight(draw)
        found = uncertainty(at, residuals, jacobian, np.zeros((2, 2)))
        inside.append(np.abs(at - (0.5, 0.25)) <= found.half)
    assert np.all(np.abs(np.mean(inside, axis=0) - 0.95) < 0.02)
    at, residuals, jacobian = straight(draw, n=1000)
    found = uncertainty(at, residuals, jacobian, np.zeros((2, 2)))
    boot = np.percentile(found.samples(1000, 1), [2.5, 97.5], axis=0)
    assert np.allclose((boot[1] - boot[0]) / 2, found.half, rtol=0.15)


def test_priors_count():
    at, residuals, jacobian = straight(np.random.default_rng(0))
    alone = uncertainty(at, residuals, jacobian, np.zeros((2, 2)))
    prior = np.diag([0.0, 1 / 1e-4**2])
    sure = uncertainty(at, residuals, jacobian, prior)
    assert sure.half[1] < 3e-4 < alone.half[1] and sure.half[0] < alone.half[0]
    boot = np.percentile(sure.samples(2000, 1), [2.5, 97.5], axis=0)  # what a prior says is drawn too
    assert np.allclose((boot[1] - boot[0]) / 2, sure.half, rtol=0.15)


def test_what_nothing_was_seen_of():
    jacobian = np.random.default_rng(0).standard_normal((30, 3))
    jacobian[:, 2] = -2 * jacobian[:, 0]
    found = uncertainty(np.full(3, 0.5), 0.01 * jacobian[:, 1], jacobian, np.zeros((3, 3)))
    assert found.blind.tolist() == [True, False, True] and np.isinf(found.half[[0, 2]]).all() and found.half[1] < 1
    (sentence,) = found.warnings(["young", "poisson", "density"])
    assert sentence.startswith("young and density cannot be told apart")
    assert np.isfinite(found.correlations).all() and np.isfinite(found.samples(5, 0)).all()


def test_a_value_at_its_bound():
    jacobian = np.eye(2)[[0, 1, 0, 1]]
    found = uncertainty(np.array([0.0, 0.5]), np.array([1.0, 0.1, 1.0, -0.1]), jacobian, np.zeros((2, 2)))
    assert found.at_bound.tolist() == [True, False] and np.isinf(found.half[0]) and np.isfinite(found.half[1])
    assert "young ended at its lower bound" in found.warnings(["young", "poisson"])[0]


def test_density_and_stiffness_of_a_fall_that_only_knows_their_ratio():
    """Under gravity alone a body that is twice as dense and twice as stiff moves alike."""
    truth = seen(beam(mass=0.0), 6)
    noisy = truth + 1e-4 * np.random.default_rng(0).standard_normal(truth.shape)
    free = {(0, "young"): Free(5e3, 1e5, log=True), (0, "density"): Free(500.0, 2000.0)}
    with pytest.warns(PliantWarning, match="young and density cannot be told apart"):
        found = pl.fit(beam(young=3e4, mass=0.0), NodePositions(noisy), free)
    ratio = found.values[0, "young"] / found.values[0, "density"]
    assert ratio == pytest.approx(2e4 / 1100, rel=0.01)
    assert "warning: young and density" in repr(found) and "± unknown" in repr(found)


def test_a_prior_decides_what_was_not_seen():
    truth = seen(beam(mass=0.0), 6)
    noisy = truth + 1e-4 * np.random.default_rng(0).standard_normal(truth.shape)
    known = Free(500.0, 2000.0, prior=(1100.0, 5.0))
    free = {(0, "young"): Free(5e3, 1e5, log=True), (0, "density"): known}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)  # they still go together
        found = pl.fit(beam(young=3e4, mass=0.0), NodePositions(noisy, sigma=1e-4), free)
    assert found.values[0, "density"] == pytest.approx(1100, abs=5)
    assert found.values[0, "young"] == pytest.approx(2e4, rel=0.01)
    assert found.errors[0, "density"] == pytest.approx(1.96 * 5, rel=0.1)
    assert found.noise == pytest.approx(1.0, rel=0.1)


def test_a_prior_asks_for_sigma():
    free = {(0, "young"): Free(5e3, 1e5, log=True, prior=(2e4, 1e3))}
    with pytest.warns(PliantWarning, match="an observation states no sigma: give it one"):
        found = pl.fit(beam(young=3e4), NodePositions(seen(beam(), 3)), free, GaussNewton(1), progress=False)
    assert not found.converged and "the search has not come to a minimum" in found.warnings[0]


def test_what_a_fit_shows():
    truth = seen(beam(), 6)
    noisy = truth + 1e-3 * np.random.default_rng(0).standard_normal(truth.shape)
    found = pl.fit(beam(young=3e4), NodePositions(noisy), BOUNDS)
    for key, value in {(0, "young"): 2e4, (0, "poisson"): 0.35}.items():
        low, high = found.intervals[key]
        assert low < value < high and found.errors[key] == pytest.approx((high - low) / 2)
        boot = found.bootstrap(500).intervals[key]
        assert (boot[1] - boot[0]) / 2 == pytest.approx(float(found.errors[key]), rel=0.5)
    assert found.noise == pytest.approx(1e-3, rel=0.15) and found.labels == ["young", "poisson"]
    assert repr(found).startswith("young 2.0") and "±" in repr(found) and "converged" in repr(found)
    unsure = pl.fit(beam(young=3e4), NodePositions(noisy), BOUNDS, GaussNewton(1), confidence=False)
    assert not unsure.converged and "1 iterations were made" in unsure.why and "±" not in repr(unsure)
    with pytest.raises(InputError, match="confidence=False"):
        unsure.bootstrap()


@pytest.mark.slow
def test_of_100_noisy_fits_90_to_99_truths_are_inside():
    truth, draw = seen(beam(), 8), np.random.default_rng(11)
    inside = dict.fromkeys(BOUNDS, 0)
    for _ in range(100):
        noisy = truth + 2e-3 * draw.standard_normal(truth.shape)
        found = pl.fit(beam(young=2.5e4, poisson=0.3), NodePositions(noisy), BOUNDS)
        for key, value in {(0, "young"): 2e4, (0, "poisson"): 0.35}.items():
            low, high = found.intervals[key]
            inside[key] += bool(low <= value <= high)
    assert all(90 <= count <= 99 for count in inside.values()), inside
