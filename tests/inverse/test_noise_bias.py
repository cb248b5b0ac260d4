"""Noise as large as a third of what is curved: distances less their averages are 0 on average, and fits find what was there."""

import importlib
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Camera, Clouds, Free, photographed, scanned
from pliant.inverse.observations.noise_bias import distances, expected

from .test_clouds import bent, on_triangles, ring

SIGMA = 0.015  # [m] on a tube of 0.05 m radius
ON_BAR = 0.02  # [m] on a bar of 0.1 m by 0.1 m
YOUNG = {(0, "young"): Free(5e3, 1e5, log=True)}


def bar(young=2e4):
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=1100)
    body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene(body), pl.BDF2(0.02))


def looks(pixels: int) -> list[Camera]:
    eyes = [(0.6, 0.2, 0.5), (-0.2, 0.5, 0.4), (0.1, -0.5, 0.4), (0.5, -0.4, -0.5), (0.3, 0.5, -0.5), (-0.3, 0.0, -0.5)]
    return [Camera.looking(eye, (0.15, 0.05, 0.03), (pixels, pixels), 1.2 * pixels) for eye in eyes]


def test_distances_less_their_averages_are_zero_on_average():
    """All round the tube, and so on each side of it; the distances themselves are not."""
    sim = ring()
    x = bent(sim.x)
    surfaces = Clouds([np.array([[0.12, 0, 0.05]] * 3)], [0.0]).bound(sim).surfaces
    vertices, n = surfaces.matrix @ x, 6000
    draw = np.random.default_rng(5)
    points = on_triangles(surfaces, vertices, n, seed=4) + SIGMA * draw.normal(size=(n, 3))
    near = distances(surfaces.away(x, points), points)
    left = near.d - expected(surfaces, x, near, SIGMA, seed=0)
    outer = np.einsum("nc,nc->n", near.u, near.places * (1, 1, 0)) > 0
    for side in (outer, ~outer):
        error = SIGMA / np.sqrt(side.sum())
        assert abs(left[side].mean()) < 3 * error
    assert near.d.mean() > 8 * SIGMA / np.sqrt(n)
    assert left.std() == pytest.approx(SIGMA, rel=0.1)


@pytest.fixture(scope="module")
def seen():
    return bar().run(0.2, progress=False)


def near_truth(found) -> bool:
    """Whether the truth is inside of twice the 95 % interval; correlated residuals, which count as fewer, widen it to 1 : 3."""
    low, high = np.log(found.intervals[0, "young"] / 2e4)
    return bool(abs(low + high) < 2 * (high - low) and high - low < np.log(3.0))


def test_a_fit_to_points_with_much_noise(seen, tmp_path):
    """And one that was ended goes the same way: what observations take from runs is taken from the same ones again."""
    observed = scanned(seen, looks(14), 10.0, noise=ON_BAR, seed=22)
    assert observed.noise == ON_BAR
    found, again = (pl.fit(bar(2.5e4), observed, YOUNG, checkpoint=tmp_path / "a.npz", progress=False) for _ in range(2))
    assert found.converged and near_truth(found)
    assert again.values[0, "young"] == found.values[0, "young"] and again.runs == found.runs


def test_a_fit_to_depths_with_much_noise(seen):
    observed = [photographed(seen, look, 10.0, ON_BAR, seed=k) for k, look in enumerate(looks(16)[::2])]
    found = pl.fit(bar(2.5e4), observed, YOUNG, progress=False)
    assert found.converged and near_truth(found)


def test_noise_is_a_length():
    with pytest.raises(InputError, match="metres of at least 0"):
        Clouds([np.zeros((3, 3))], [0.0], noise=-1.0)


def test_rounds_are_counted(seen, monkeypatch):
    monkeypatch.setattr(importlib.import_module("pliant.inverse.fitting.fit"), "ROUNDS", 1)
    observed = scanned(seen, looks(8), 20.0, noise=ON_BAR, seed=3)
    found = pl.fit(bar(2.2e4), observed, YOUNG, confidence=False, progress=False)
    assert not found.converged and "not settled" in found.why


def test_pixels_that_graze_do_not_count():
    """Where rays meet the surface edge-on, what was seen pulls at nothing; where they miss it, it pulls."""
    sim, look = bar(), Camera.looking((0.9, 0.05, 0.11), (0.15, 0.05, 0.105), (40, 40), 60.0)
    images = photographed(sim.run(0.02, progress=False), look, 50.0)
    sim.reset()
    bound = replace(images, images=images.images + 0.02).bound(sim)
    r = bound.at(0, sim.x, bound.parameters).r
    grazing = r == 0
    assert 0 < grazing.sum() < len(r) and np.abs(r[~grazing] + 0.02).max() < 1e-9
    missed = bound.at(0, sim.x + np.array([0.0, 0.0, 1.0]), bound.parameters).r
    assert np.all(missed != 0)
