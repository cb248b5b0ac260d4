"""Derivatives by where holds put what they hold, beside runs that put it elsewhere."""

import numpy as np
import pytest

import pliant as pl

from .agreement import DT, SCHEMES, Squares, run_cost

STEPS = 4


def places(count: int) -> np.ndarray:
    """(steps + 1, count, 3) of a motion, as ways from rest."""
    return 0.004 * np.random.default_rng(3).standard_normal((STEPS + 1, count, 3)).cumsum(axis=0)


def driven(ways: np.ndarray, by) -> pl.Scene:
    """The far end is held where a table of places says at each step."""

    def motion(X, t):
        k = min(int(t / DT + 1e-9), STEPS - 1)
        share = t / DT - k
        return X + (1 - share) * ways[k] + share * ways[k + 1]

    if isinstance(by, pl.hold.Weakly):
        shape, law = pl.Lattice(pl.box((0.2, 0.1, 0.1), (0.1, 0.05, 0.05)), 0.07), pl.Corotated(young=2e4, density=1100)
    else:
        shape, law = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), pl.StableNeoHookean(young=2e4, density=1100)
    hold = pl.Hold(lambda X: X[:, 0] > 0.19, motion, by)
    damping = pl.Damping(1.0, 0.01, 1.0, exact=True) if isinstance(by, pl.hold.Rigidly) else pl.Damping(1.0)
    return pl.Scene(pl.Body(shape, law, pinned=[0], effects=hold, damping=damping))


def held(by) -> int:
    """How many places a motion is of."""
    if isinstance(by, pl.hold.Weakly):
        shape = pl.Lattice(pl.box((0.2, 0.1, 0.1), (0.1, 0.05, 0.05)), 0.07)
        return shape.boundary_points(np.flatnonzero(shape.boundary.centres[:, 0] > 0.19)).positions.size // 3
    return 4


@pytest.mark.parametrize(
    ("by", "scheme"),
    [
        (pl.hold.Rigidly(), "Euler"),
        (pl.hold.Rigidly(), "midpoint"),
        (pl.hold.Rigidly(), "HHT"),
        (pl.hold.Rigidly("xz"), "BDF2"),
        (pl.hold.Springs(200.0), "Euler"),
        (pl.hold.Springs(200.0), "Newmark"),
        pytest.param(pl.hold.Weakly(), "Euler", marks=pytest.mark.slow),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, str) else given,
)
def test_places_of_each_step(by, scheme):
    count = held(by)
    ways, random = places(count), np.random.default_rng(0)

    def start(ways):
        return pl.Simulation(driven(ways, by), SCHEMES[scheme])

    sim = start(ways)
    found = pl.inverse.Adjoint(sim).gradient(STEPS, Squares(sim)).parameters[0, "hold 1.motion"]
    assert found.shape == ways.shape and np.any(found[STEPS])
    for k in range(STEPS + 1):
        direction = np.zeros_like(ways)
        direction[k] = random.standard_normal((count, 3))
        costs = [run_cost(start(ways + sign * 1e-6 * direction), STEPS) for sign in (1, -1)]
        slope = (costs[0] - costs[1]) / 2e-6
        assert np.sum(found * direction) == pytest.approx(slope, rel=1e-6, abs=1e-9), k


def test_what_stands_still_has_none():
    sim = pl.Simulation(driven(places(4), pl.hold.Rigidly()))
    found = pl.inverse.Adjoint(sim).gradient(2, Squares(sim)).parameters
    assert [key for key in found if key[1].endswith(".motion")] == [(0, "hold 1.motion")]
