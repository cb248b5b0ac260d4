"""Fibres along the harmonic field between two ends."""

import numpy as np
import pytest

import pliant as pl


def quarter() -> tuple[pl.Sdf, pl.Sdf, pl.Sdf]:
    """A quarter of a ring about z, and its two ends."""
    ring = pl.torus(0.1, 0.03)
    solid = ring & pl.box((0.2, 0.2, 0.2), (0.1, 0.1, 0.0))
    below = [pl.plane(point=(0, 0, 0), normal=n) for n in ((0, 1, 0), (1, 0, 0))]
    return solid, *below


def test_a_quarter_ring_has_fibres_around():
    """u = 2θ/π solves it, so w points around the axis: to 3° with cells of 10 mm and 1.3° at 5 mm, of mean 0.45° and 0.13°."""
    solid, start, end = quarter()
    random = np.random.default_rng(0)
    angle, r, z = random.uniform([0.1, 0.08, -0.02], [1.47, 0.12, 0.02], (500, 3)).T
    X = np.column_stack([r * np.cos(angle), r * np.sin(angle), z])
    around = np.column_stack([-np.sin(angle), np.cos(angle), 0 * angle])
    angles = []
    for h in (0.01, 0.005):
        w = pl.muscles.FibreField(solid, start, end, h)(X)
        assert np.abs(np.linalg.norm(w, axis=1) - 1).max() < 1e-12
        angles.append(np.degrees(np.arccos(np.clip(np.sum(w * around, axis=1), -1, 1))))
    assert angles[0].max() < 3 and angles[1].max() < 1.3
    assert angles[0].mean() < 0.45 and angles[1].mean() < 0.13


def test_potential_runs_from_zero_to_one():
    solid, start, end = quarter()
    field = pl.muscles.FibreField(solid, start, end, 0.006)
    u, X = field.potential, field.lattice.rest
    inside = (X[:, 0] > 0.006) & (X[:, 1] > 0.006)
    expected = np.arctan2(X[inside, 1], X[inside, 0]) / (np.pi / 2)
    assert u.min() == 0 and u.max() == 1 and np.abs(u[inside] - expected).max() < 0.04


def test_a_spindle_gathers_at_its_ends():
    """Fibres spread behind one end and gather before the other; on the axis they follow it."""
    field = pl.muscles.FibreField(pl.sdf.spindle((0, 0, 0), (0, 0, 1), 0.2), (0, 0, 0.02), (0, 0, 0.98), 0.04)
    w = field(np.array([[0, 0, 0.5], [0.08, 0, 0.2], [0.08, 0, 0.8]]))
    assert w[0, 2] > 0.9999 and w[1, 0] > 0.2 and w[2, 0] == pytest.approx(-w[1, 0], abs=0.01)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shape": 3}, "expected an Sdf"),
        ({"spacing": -1}, "positive number of metres"),
        ({"start": (0, 1)}, "unless it is an Sdf, is (0, 1); expected three finite numbers"),
        ({"end": "tip"}, "is 'tip'"),
    ],
)
def test_bad_input(change, words):
    with pytest.raises(pl.errors.InputError) as error:
        pl.muscles.FibreField(**({"shape": pl.sphere(0.1), "start": (0, 0, 0), "end": (0, 0, 0.1), "spacing": 0.02} | change))
    assert words in str(error.value)


def test_ends_that_do_not_fit():
    ball, two = pl.sphere(0.1), pl.sphere(0.05) | pl.sphere(0.05, (0.3, 0, 0))
    for field, words in (
        (pl.muscles.FibreField(ball, (0, 0, 5), (0, 0, 0.1), 0.02), "off the solid's lattice; expected 8 at most"),
        (pl.muscles.FibreField(ball, pl.sphere(0.1, (0, 0, 5)), (0, 0, 0.1), 0.02), "start=…): it holds no node"),
        (pl.muscles.FibreField(ball, (0, 0, 0.09), (0, 0, 0.1), 0.02), "share nodes"),
        (pl.muscles.FibreField(two, (0, 0, -0.05), (0, 0, 0.05), 0.02), "1 parts of the solid do not join"),
    ):
        with pytest.raises(pl.errors.InputError) as error:
            field(np.zeros((1, 3)))
        assert words in str(error.value)
