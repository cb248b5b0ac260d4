"""Observations on the way forwards, what they pull on the way back, and clocks that are late."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Adjoint, Clouds, Free, NodePositions, ObservationSet


def beam(young=2e4):
    law = pl.StableNeoHookean(young=young, poisson=0.35, density=1100)
    body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene(body), pl.BDF2(0.02, pl.Newton(tolerance=1e-11)))


def positions(sim: pl.Simulation, steps: int) -> np.ndarray:
    frames = [sim.x]
    for _ in range(steps):
        assert sim.step().converged
        frames.append(sim.x)
    return np.array(frames)


def gradient(sim: pl.Simulation, watch: ObservationSet, values: dict) -> tuple[float, dict]:
    """½ r·r and its derivatives by Young's modulus and by all parameters of observations."""
    watch.put(values)
    sim.set(young=float(values[0, "young"]))
    run = Adjoint(sim).gradient(watch.steps, watch.cost, watch.see)
    assert run.cost == pytest.approx(0.5 * watch.residuals @ watch.residuals, rel=1e-12)
    direct = watch.direct()
    by = {key: run.parameters.get(key, 0.0) + direct.get(key, 0.0) for key in values}
    return run.cost, by


@pytest.mark.parametrize("delay", [0.0, 0.0137, -0.031])
def test_derivatives_between_steps(delay):
    """Frames on steps, between them, and before the start."""
    truth, nodes = positions(beam(), 6), np.array([12, 5, 9])
    sim = beam(3e4)
    watch = ObservationSet(
        sim, [NodePositions(truth[:4, nodes], nodes), NodePositions(truth[::2], every=2, sigma=0.5, delay=delay)]
    )
    late = (None, "observation 1.delay")
    assert watch.parameters[late] == delay and watch.numbers == 4 * 9 + 4 * 48
    values = {(0, "young"): 3e4, late: delay}
    by = gradient(sim, watch, values)[1]
    for key, step in (((0, "young"), 3.0), (late, 1e-7)):  # curvature jumps at steps
        costs = [gradient(sim, watch, values | {key: values[key] + change})[0] for change in (step, -step)]
        assert by[key] == pytest.approx((costs[0] - costs[1]) / (2 * step), rel=1e-6)


def test_residuals_along_a_change():
    """Jacobians of all frames: along changes of states, and by a delay."""
    truth = positions(beam(), 4)
    sim = beam(3e4)
    watch = ObservationSet(sim, NodePositions(truth, delay=0.007, sigma=0.1), jacobians=True)
    states = positions(beam(3e4), watch.steps)
    velocities = np.gradient(states, 0.02, axis=0)
    rng = np.random.default_rng(0)
    dx, dv = rng.normal(size=states.shape), rng.normal(size=states.shape)

    def residuals(share: float) -> np.ndarray:
        for k in range(watch.steps + 1):
            watch.see(k, states[k] + share * dx[k], velocities[k] + share * dv[k])
        return watch.residuals

    difference = (residuals(0.5) - residuals(-0.5)).copy()
    residuals(0.0)
    along = sum(watch.along(k, dx[k], dv[k]) for k in range(watch.steps + 1))
    assert np.allclose(along, difference, rtol=1e-10, atol=1e-9)
    key = (None, "observation 0.delay")
    by = watch.by_own(key)[:, 0]
    ends = []
    for change in (1e-6, -1e-6):
        watch.put({key: 0.007 + change})
        ends.append(residuals(0.0))
    assert np.allclose(by, (ends[0] - ends[1]) / 2e-6, rtol=1e-6, atol=1e-6 * np.abs(by).max())


def test_a_late_clock_is_found():
    """Frames that a clock half a step late took of a motion, with the stiffness."""
    sim = beam()
    watch = ObservationSet(sim, NodePositions(np.zeros((6, 16, 3)), delay=0.011))
    states = positions(sim, watch.steps)
    sim = beam()
    seen = []
    for k in range(watch.steps + 1):
        watch.see(k, states[k], sim.v)
        sim.step()
    seen = watch.residuals.reshape(6, 16, 3)  # of zeros: the positions themselves
    sim = beam(1.4e4)
    free = {(0, "young"): Free(1e4, 4e4, log=True), (None, "observation 0.delay"): Free(-0.02, 0.04)}
    found = pl.fit(sim, NodePositions(seen), free, progress=False)
    assert found.values[0, "young"] == pytest.approx(2e4, rel=1e-4)
    assert found.values[None, "observation 0.delay"] == pytest.approx(0.011, rel=1e-3)


def test_nodes_in_millimetres_are_refused():
    """And a few nodes close together are not, nor is a frame that nobody saw."""
    truth = positions(beam(), 2)
    for factor, sentence in ((1e3, "are these millimetres"), (1e-3, "is the body in millimetres")):
        with pytest.raises(InputError, match=sentence):
            ObservationSet(beam(), NodePositions(factor * truth))
    ObservationSet(beam(), NodePositions(truth[:, :3], np.arange(3)))
    truth[0] = np.nan
    ObservationSet(beam(), NodePositions(truth))


def test_what_is_no_observation_is_said():
    for wrong in (np.zeros((3, 16, 3)), [], [np.zeros(3)], None):
        with pytest.raises(InputError, match="expected such as NodePositions"):
            ObservationSet(beam(), wrong)


def test_times_in_other_units_are_refused():
    """Milliseconds and the time of day make runs without an end; few frames of a slow motion, or a late one alone, do not."""

    def steps(times: np.ndarray, dt: float = 0.02) -> int:
        sim = pl.Simulation(beam().scene, pl.ImplicitEuler(dt))
        return ObservationSet(sim, Clouds([sim.x[:4]] * len(times), times)).steps

    frames = np.arange(60) / 30
    for times, sentence in (
        (1e3 * frames, "are these milliseconds"),
        (1e6 * frames, "are these milliseconds"),
        (frames + 1.7e9, "take off the time of the first frame"),
        (8.3 * np.arange(120), "for each frame: are these milliseconds"),
    ):
        with pytest.raises(InputError, match=sentence):
            steps(times)
    assert steps(frames) == 99 and steps(np.array([20.0]), 1e-3) == 20_000
    assert steps(np.arange(10.0), 1e-3) == 9_000 and steps(600.0 * np.arange(20), 60.0) == 190
