"""Parameters are found again from the motion that they made."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, StepError
from pliant.inverse import Free, NodePositions
from pliant.inverse.fitting.fit_problem import Problem

BOUNDS = {(0, "young"): Free(2e3, 2e5, log=True), (0, "poisson"): Free(0.05, 0.45)}


def beam(young=2e4, poisson=0.35, mass=0.5, gravity=(0, 0, -9.81), solver=None):
    law = pl.StableNeoHookean(young=young, poisson=poisson, density=1100)
    body = pl.Body(
        pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)),
        law,
        pinned=lambda X: X[:, 0] < 1e-9,
        damping=pl.Damping(mass=mass),
    )
    return pl.Simulation(pl.Scene(body, gravity=gravity), pl.BDF2(0.02, solver or pl.Newton()))


def seen(sim: pl.Simulation, steps: int = 12) -> np.ndarray:
    frames = [sim.x]
    for _ in range(steps):
        assert sim.step().converged
        frames.append(sim.x)
    return np.array(frames)


def test_stiffness_of_a_swinging_beam():
    sim = beam(young=6e4, poisson=0.15)
    found = pl.fit(sim, NodePositions(seen(beam())), BOUNDS)
    assert found.converged, found.why
    assert found.values[0, "young"] == pytest.approx(2e4, rel=1e-3)
    assert found.values[0, "poisson"] == pytest.approx(0.35, rel=1e-3)
    assert np.all(np.diff(found.history) <= 0) and found.distance < 1e-6 < found.history[0]
    assert sim.scene.bodies[0].material.young == found.values[0, "young"] and sim.state.steps == 0


def test_some_nodes_now_and_then_with_gaps():
    """Damping and gravity, which are told apart by when what happens."""
    truth, nodes = seen(beam(mass=2.0, gravity=(0, 1.0, -8.0)), 20), np.array([12, 5, 9])
    frames = truth[::4, nodes]
    frames[2, 1], frames[3, :, 0] = np.nan, np.nan
    free = {(0, "damping.mass"): Free(0.1, 10.0, log=True), (None, "gravity"): Free(-20.0, 20.0)}
    found = pl.fit(beam(), NodePositions(frames, nodes, every=4), free)
    assert found.values[0, "damping.mass"] == pytest.approx(2.0, rel=1e-3)
    assert np.allclose(found.values[None, "gravity"], (0, 1.0, -8.0), atol=1e-3)


def test_what_fits_already_is_left():
    found = pl.fit(beam(), NodePositions(seen(beam(), 3)), BOUNDS)
    assert found.runs == 1 and found.distance == 0 and found.converged
    assert found.values[0, "young"] == 2e4


def test_a_run_that_fails_raises_and_leaves_the_values():
    sim = beam(young=3e4, solver=pl.Newton(iterations=1))
    with pytest.raises(StepError, match=r"fit: with young = 30000\..*did not converge"):
        pl.fit(sim, NodePositions(seen(beam(), 3)), BOUNDS)
    assert sim.scene.bodies[0].material.young == 3e4


def test_short_names_in_a_sum_of_laws():
    """Where one law alone has such a number."""
    sum_of = pl.StableNeoHookean(young=2e4, poisson=0.35, density=1100) + pl.laws.Fibres(stiffness=1e4, direction=(1, 0, 0))
    shape = pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1))
    sim = pl.Simulation(pl.Scene(pl.Body(shape, sum_of, pinned=lambda X: X[:, 0] < 1e-9)), pl.BDF2(0.02))
    observed = NodePositions(seen(sim, 4))
    sim.reset()
    found = []
    for key in ((0, "young"), (0, "StableNeoHookean.young")):
        sim.set(young=2e4)
        problem = Problem(sim, observed, {key: BOUNDS[0, "young"]}, 1)
        away = problem.start + 0.1
        found.append((*problem.slope(away), *problem.normal(away)))
    assert all(np.array_equal(a, b) for a, b in zip(*found)) and abs(found[0][1]) > 0
    with pytest.raises(InputError, match="are the same; expected one of them"):
        Problem(sim, observed, {(0, "young"): BOUNDS[0, "young"], (0, "StableNeoHookean.young"): BOUNDS[0, "young"]}, 1)


def test_names_and_bounds_are_enough():
    found = pl.fit(beam(young=6e4), NodePositions(seen(beam())), {"young": (2e3, 2e5)}, progress=False)
    assert found.free == {(0, "young"): Free(2e3, 2e5, log=True)}
    assert found.values["young"] == found.values[0, "young"] == pytest.approx(2e4, rel=1e-3)
    assert found.errors["young"] < 2e4 and found.intervals["young"].shape == (2,)
    with pytest.raises(KeyError, match="poisson"):
        found.values["poisson"]
    body = beam().scene.bodies[0]
    pair = pl.Simulation(pl.Scene([body, body], contact=pl.Contact(response=None)), pl.ImplicitEuler(0.02))
    with pytest.raises(InputError, match=r"2 bodies have 'young'; expected one of them, \(0, 'young'\)"):
        pl.fit(pair, NodePositions(np.zeros((2, pair.world.count, 3))), {"young": (1e3, 1e5)})


def test_point_clouds_and_their_pace_are_enough():
    run = beam().run(0.1)
    clouds = [pl.PointCloud(x) for x in run.positions]
    found = pl.fit(beam(young=3e4), clouds, {"young": (1e3, 1e5)}, progress=False, fps=1 / run.times[1])
    assert found.values["young"] == pytest.approx(2e4, rel=1e-3)
    for given, fps, sentence in [
        (clouds, None, r"fit\(observed=…\): \d+ PointCloud have no times; expected fps="),
        (clouds, -1.0, r"fit\(fps=…\)"),
        (clouds[0], None, r"expected such as inverse\.Clouds\(points, times=…\)"),
        (NodePositions(run.positions), 30.0, "have times of their own"),
        ([], 30.0, "observations are \\[\\]; expected"),
    ]:
        with pytest.raises(InputError, match=sentence):
            pl.fit(beam(), given, {"young": (1e3, 1e5)}, fps=fps)


def test_what_cannot_be_fitted_is_said():
    observed = NodePositions(seen(beam(), 2))
    weightless = beam(gravity=(0, 0, 0))
    for sim, free, sentence in [
        (beam(), {(0, "yong"): Free(1, 2)}, "did you mean 'young'"),
        (beam(), {(0, "young"): Free(1e5, 2e5)}, "outside of its bounds"),
        (beam(mass=0.0), {(0, "damping.mass"): Free(0, 2)}, "is 0, and a term that a simulation lacks"),
        (beam(), {(0, "young"): 3}, r"has 3; expected bounds \(low, high\), or Free"),
        (beam(), {"young": (1, "a")}, r"expected bounds \(low, high\), or Free"),
        (beam(), {"yong": (1, 2)}, "did you mean 'young'"),
        (beam(), {"young": (2, 1)}, "the smaller one first"),
        (beam(), {}, "expected such as"),
        (weightless, BOUNDS, "no influence"),
    ]:
        with pytest.raises(InputError, match=sentence):
            pl.fit(sim, observed, free)
    for wrong, sentence in [
        (lambda: Free(2.0, 1.0), "the smaller one first"),
        (lambda: Free(0.0, 1.0, log=True), "positive number"),
        (lambda: NodePositions(np.zeros((4, 3))), "frames, nodes, 3"),
        (lambda: NodePositions(np.full((3, 2, 3), np.nan)), "finite numbers"),
        (lambda: pl.fit(beam(), NodePositions(np.zeros((3, 2, 3)), [1, 1]), BOUNDS), "1 of them distinct"),
        (lambda: pl.fit(beam(), NodePositions(np.zeros((3, 2, 3))), BOUNDS), "one position for each node"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
