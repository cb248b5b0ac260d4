"""A fit says whether its residuals are noise, and its intervals hold where they depend on each other or have outliers."""

import importlib.util
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import PliantWarning
from pliant.inverse import Free, GaussNewton, GemanMcClure, Huber, NodePositions
from pliant.inverse.fitting.uncertainty import uncertainty
from pliant.inverse.observations.goodness_of_fit import Robust, Spot, Worth, goodness

FRAMES, PLACES = 12, 16


def layout(seed=0):
    """Spots of three axes at places that stay, and two smooth columns of J."""
    draw = np.random.default_rng(seed)
    places = draw.random((PLACES, 3))
    n = 3 * PLACES
    spots = [Spot(0, slice(t * n, t * n + n), np.repeat(places, 3, axis=0), np.tile(np.arange(3), PLACES)) for t in range(FRAMES)]
    t, x = np.linspace(0, 1, FRAMES)[:, None, None], places[None, :, :1]
    columns = [np.sin(6 * t) * np.array([0, 0, 1.0]) + 0 * x, np.sin(9 * t + 1) * (1 + x) * np.array([0, 1.0, 0])]
    return places, spots, np.stack([column.ravel() for column in columns], axis=1)


def correlated(draw, places, along, reach):
    """Normal noise of variance 1 whose correlation is along^frames · exp(−distance/reach)."""
    frames = np.abs(np.subtract.outer(np.arange(FRAMES), np.arange(FRAMES)))
    a = np.linalg.cholesky(along**frames if along else np.eye(FRAMES))
    away = np.linalg.norm(places[:, None] - places, axis=2)
    b = np.linalg.cholesky(np.exp(-away / reach)) if reach else np.eye(PLACES)
    return np.einsum("ab,bmk,nm->ank", a, draw.standard_normal((FRAMES, PLACES, 3)), b).ravel()


def judged(noise, spots, jacobian, robust=None):
    """Values, tests and intervals of a linear fit whose truth is 0."""
    at = np.linalg.lstsq(jacobian, noise, rcond=None)[0]
    residuals = jacobian @ at - noise
    good = goodness(residuals, jacobian, spots, ["sigma"], [None])
    worth = Worth.of(residuals, jacobian, good, spots)
    return at, good[0], uncertainty(0.5 + at, residuals, jacobian, np.zeros((2, 2)), worth=worth)


def test_of_noise_one_test_in_a_thousand_says_no():
    places, spots, jacobian = layout()
    draw, chances, sizes = np.random.default_rng(1), [], []
    for _ in range(400):
        _, good, _ = judged(correlated(draw, places, 0, 0), spots, jacobian)
        chances.append((good.chi, good.along[1], good.near[1]))
        sizes.append(good.size)
        assert good.effective == good.count or good.correlated
    for chance in np.array(chances).T:  # uniform: below 1/10 in 40 ± 6 of 400, and so on
        for level in (0.1, 0.3, 0.5, 0.9):
            assert abs(np.mean(chance < level) - level) < 4 * np.sqrt(level * (1 - level) / 400)
        assert np.sum(chance < 1e-3) <= 4
    assert np.mean(sizes) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("along", "reach"), [(0.7, 0), (0.95, 0), (0, 0.3), (0.7, 0.3)])
def test_intervals_hold_where_noise_is_correlated(along, reach):
    """With independent noise in mind 0.63 to 0.9 of the truths are inside."""
    places, spots, jacobian = layout()
    draw, inside = np.random.default_rng(2), []
    for _ in range(200):
        at, good, sure = judged(correlated(draw, places, along, reach), spots, jacobian)
        assert good.correlated and good.effective < good.count / 1.3
        inside.append(np.abs(at) <= sure.half)
    assert np.mean(inside, axis=0).min() > 0.88


@pytest.mark.parametrize("loss", [GemanMcClure(4.0), Huber(2.0)])
def test_outliers_do_not_widen_intervals_of_robust_losses(loss):
    """A fifth of 576 residuals is 30 sigma off; 90 in 100 truths or more are inside intervals that are not twice as wide."""
    _, spots, jacobian = layout()
    single = [replace(spot, kinds=np.zeros(len(spot.kinds), int)) for spot in spots]  # as distances are
    draw, inside, widths, clean = np.random.default_rng(3), [], [], []
    for _ in range(200):
        noise = draw.standard_normal(len(jacobian))
        noise += 30 * (draw.random(len(noise)) < 0.2) * draw.choice([-1.0, 1.0], len(noise))
        at = np.zeros(2)
        for _ in range(30):
            r, slope = loss.scalars(jacobian @ at - noise)
            at = at - np.linalg.lstsq(slope[:, None] * jacobian, r, rcond=None)[0]
        r, slope = loss.scalars(jacobian @ at - noise)
        own = slope[:, None] * jacobian
        good = goodness(r, own, single, ["sigma"], [Robust(loss, 1.0)])
        sure = uncertainty(0.5 + at, r, own, np.zeros((2, 2)), worth=Worth.of(r, own, good, single))
        inside.append(np.abs(at) <= sure.half)
        widths.append(sure.half)
        clean.append(1.96 * np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian))))
        assert 0.9 < good[0].size < 1.7 and not good[0].large
    assert np.mean(inside, axis=0).min() > 0.9
    assert np.all(np.mean(widths, axis=0) < 2 * np.mean(clean, axis=0))


def bar(young, damping=0.0):
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=1100)
    body = pl.Body(
        pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)),
        law,
        pinned=lambda X: X[:, 0] < 1e-9,
        damping=pl.Damping(mass=damping),
    )
    return pl.Simulation(pl.Scene(body), pl.BDF2(0.02))


@pytest.mark.parametrize("sigma", [1e-3, None])
def test_damping_that_was_left_out_is_said(sigma):
    """Whether sigma is known or not; with damping in the model nothing is said."""
    positions = bar(2e4, 6.0).run(0.3, fields=()).positions
    noisy = positions + 1e-3 * np.random.default_rng(0).standard_normal(positions.shape)
    free = {(0, "young"): Free(1e3, 1e6, log=True)}
    with pytest.warns(PliantWarning, match=r"the model, the clock or the mesh does not explain the observation"):
        wrong = pl.fit(bar(3e4), NodePositions(noisy, sigma=sigma), free, progress=False)
    assert wrong.converged and wrong.explained is False and wrong.goodness[0].along[0] > 0.8
    assert ("times sigma" in wrong.warnings[0]) == (sigma is not None) and "residuals are not noise alone" in repr(wrong)
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        right = pl.fit(bar(3e4, 6.0), NodePositions(noisy, sigma=sigma), free, progress=False)
    low, high = right.intervals[0, "young"]
    assert right.explained and low < 2e4 < high and "residuals look like noise" in repr(right)
    unit = 1.0 if sigma else 1e-3
    assert right.distance / unit == pytest.approx(1, abs=0.1) and right.noise / unit == pytest.approx(1, abs=0.1)
    before = right.slices(5)["young"][1]
    sim = bar(3e4, 6.0)
    again = pl.fit(sim, NodePositions(noisy, sigma=sigma), free, progress=False)
    sim.run(0.1, fields=())  # slices begin where the fit did, wherever the simulation is
    assert np.array_equal(again.slices(5)["young"][1], before) and np.argmin(before) == 2
    assert sim.state.steps == 5


def test_a_late_clock_is_named():
    """50 ms are added to times that are right; damping that was left out is no clock."""
    free = {(0, "young"): Free(1e3, 1e6, log=True)}
    noise = 1e-3 * np.random.default_rng(0).standard_normal((11, 16, 3))
    for damping, delay, named in ((0.0, 0.05, True), (6.0, 0.0, False)):
        positions = bar(2e4, damping).run(0.2, fields=()).positions + noise
        with pytest.warns(PliantWarning, match="the model, the clock or the mesh"):
            found = pl.fit(bar(2e4), NodePositions(positions, sigma=1e-3, delay=delay), free, GaussNewton(), progress=False)
        share, change = found.goodness[0].clock
        assert ('free (None, "observation 0.delay")' in found.warnings[0]) == named == (share > 0.5)
        assert change == pytest.approx(-0.05, abs=5e-3) or not named


@pytest.mark.parametrize("sigma", [1e-3, None])
def test_another_minimum_is_left(sigma):
    """A swing that is seen late has a minimum where it is a whole swing too slow; the fit begins again by itself."""

    def swing(young):
        law = pl.StableNeoHookean(young=young, poisson=0.4, density=1100)
        body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (2, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)
        return pl.Simulation(pl.Scene(body), pl.Newmark(0.02))

    run = swing(2e5).run(0.8)
    positions = run.positions.copy()
    positions[: len(positions) // 2] = np.nan
    noisy = positions + 1e-3 * np.random.default_rng(0).standard_normal(positions.shape)
    free = {(0, "young"): Free(1e4, 1e7, log=True)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        stuck = pl.fit(swing(2e4), NodePositions(noisy, sigma=sigma), free, GaussNewton(), progress=False)
    assert abs(stuck.values[0, "young"] / 2e5 - 1) > 0.2 and stuck.explained is False
    found = pl.fit(swing(2e4), NodePositions(noisy, sigma=sigma), free, progress=False)
    assert "began again at 16 places" in found.why and found.explained and found.history[-1] == found.distance
    low, high = found.intervals[0, "young"]
    assert low < 2e5 < high


def test_motions_without_noise_are_explained():
    """Rounding is correlated, and no reason to warn."""
    positions = bar(2e4).run(0.1, fields=()).positions
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        found = pl.fit(bar(3e4), NodePositions(positions), {(0, "young"): Free(1e3, 1e6, log=True)}, progress=False)
    assert found.explained and found.distance < 1e-9
    blind = pl.fit(bar(3e4), NodePositions(positions), found.free, confidence=False, progress=False)
    assert blind.explained is None and "residuals were not tested" in repr(blind)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["right", "no damping", "late clock", "coarse"])
def test_truths_are_inside_or_it_is_said(model):
    """200 seeds of each kind of observation, by the study of the benchmarks."""
    path = Path(__file__).parents[2] / "benchmarks" / "coverage.py"
    spec = importlib.util.spec_from_file_location("coverage_study", path)
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    for kind in study.KINDS:
        row = study.row(kind, model, 200)
        if model == "right":
            assert row["inside"] >= 180 and row["said"] <= 3, row
        else:
            assert row["inside or said"] == 200, row
