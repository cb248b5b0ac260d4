"""Forces at pins: the weight of what hangs, derivatives by positions and parameters, and a pull test that is fitted."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Adjoint, Free, ObservationSet, PinForces

from .differences import check


def top(X: np.ndarray) -> np.ndarray:
    return X[:, 0] < 1e-9


def bar(young=2e4, pull=None, gravity=(9.81, 0, 0), law=pl.StableNeoHookean):
    """A bar that hangs along x, or is pulled slowly by its end."""
    ends = (pl.Hold(lambda X: X[:, 0] > 0.299, pull),) if pull is not None else ()
    body = pl.Body(
        pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)),
        law(young=young, poisson=0.35, density=1100),
        pinned=top,
        effects=ends,
    )
    return pl.Simulation(pl.Scene(body, gravity=gravity), pl.QuasiStatic(0.1, pl.Newton(tolerance=1e-11)))


def stretched(X: np.ndarray, t: float) -> np.ndarray:
    return X + np.array([0.2 * t, 0.0, 0.0])


def test_what_hangs_is_held_with_its_weight():
    sim = bar()
    assert sim.step().converged
    seen = PinForces(np.zeros((1, 3)), [0.1], top).bound(sim)
    weight = 1100 * 0.3 * 0.1 * 0.1 * 9.81
    assert np.allclose(seen.at(0, sim.x, seen.parameters).r, (-weight, 0, 0), atol=1e-6 * weight)


def test_derivatives_by_positions():
    sim = bar()
    rng = np.random.default_rng(0)
    x = sim.x + rng.normal(scale=0.004, size=sim.x.shape)
    seen = PinForces(np.array([[1.0, np.nan, 2.0]]), [0.1], top, sigma=0.2).bound(sim)
    residual = check(seen, x)
    assert residual.r.shape == (2,)
    before = sim.step().residual
    seen.at(0, x, seen.parameters)
    assert sim.step().converged and before < 1  # a look between steps leaves the run alone


def test_derivatives_by_what_a_user_writes():
    """Young's modulus of a bar that is pulled: it changes no positions to speak of, and all of the force."""
    forces = np.array([[-3.0, 0, 0], [-6.0, 0, 0]])
    runs = {}
    for young in (2e4, 2e4 + 1, 2e4 - 1):
        sim = bar(young, stretched)
        watch = ObservationSet(sim, PinForces(forces, [0.1, 0.17], top))
        run = Adjoint(sim).gradient(watch.steps, watch.cost, watch.see)
        direct = watch.direct()
        runs[young] = run.cost, {key: run.parameters[key] + direct[key] for key in ((0, "young"), (None, "gravity"))}
    difference = (runs[2e4 + 1][0] - runs[2e4 - 1][0]) / 2
    assert runs[2e4][1][0, "young"] == pytest.approx(difference, rel=1e-6)


def test_a_pull_test_is_fitted():
    sim, forces = bar(2e4, stretched), []
    seen = PinForces(np.zeros((3, 3)), [0.1, 0.2, 0.3], top).bound(sim)
    for frame in range(3):
        assert sim.step().converged
        forces.append(seen.at(frame, sim.x, seen.parameters).r)
    sim = bar(4e4, stretched)
    found = pl.fit(
        sim, PinForces(np.array(forces), [0.1, 0.2, 0.3], top), {(0, "young"): Free(5e3, 1e5, log=True)}, progress=False
    )
    assert found.values[0, "young"] == pytest.approx(2e4, rel=1e-4)


def test_what_cannot_be_is_said():
    for wrong, sentence in [
        (lambda: PinForces(np.zeros((2, 2)), [0, 1], top), r"\(frames, 3\) newtons"),
        (lambda: PinForces(np.full((1, 3), np.nan), [0], top), "newtons"),
        (lambda: PinForces(np.zeros((1, 3)), [0], lambda X: X[:, 0] > 0.2).bound(bar()), "free to move"),
        (lambda: PinForces(np.zeros((1, 3)), [0], top, body=2).bound(bar()), "number of a body"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
