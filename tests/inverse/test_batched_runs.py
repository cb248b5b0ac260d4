"""Starts of a search side by side in a batch cost what they cost one by one, and where there is no batch the fit says why."""

from concurrent.futures import Executor, Future

import numpy as np
import pytest

import pliant as pl
from pliant.distributed import Lost
from pliant.inverse import Free, GaussNewton, Markers, MultiStart, NodePositions
from pliant.inverse.fitting.batched_runs import SideBySide
from pliant.inverse.fitting.fit_problem import Problem

FREE = {
    (0, "young"): Free(5e3, 2e5, log=True),
    (0, "velocity"): Free(-1.0, 1.0),
    (None, "observation 0.delay"): Free(-0.02, 0.02),
}


def beam(young: float, obstacles: tuple = (), device: str = "cpu", precision: str = "f64") -> pl.Simulation:
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1100)
    body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)
    scene = pl.Scene(body, list(obstacles), contact=pl.Contact(smoothing=0.01))
    return pl.Simulation(scene, pl.BDF2(0.02), device=device, precision=precision)


@pytest.fixture(scope="module")
def run():
    return beam(2e4).run(0.12)


def markers(run: pl.Run) -> Markers:
    tip = np.flatnonzero(run.rest[:, 0] > 0.29)
    return Markers(run.positions[:, tip], run.times, at=run.rest[tip], sigma=1e-3)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_costs_are_those_of_runs_one_by_one(run, place, precision):
    """With values of the scene, of how it begins and of the clock, more of them than there is room for at a time."""
    problem = Problem(beam(5e4, (), place, precision), markers(run), FREE, 1)
    places = list(np.random.default_rng(1).uniform(0.1, 0.9, (5, 5)))
    before = problem.parameters.sim.x
    costs = problem.costs(places)
    alone = [problem.cost_at(shares) for shares in places]
    assert problem.said == "" and problem.runs == 5
    assert np.allclose(costs, alone, rtol=1e-4 if precision == "f64" else 1e-2)
    assert np.array_equal(problem.parameters.sim.x, before) and float(problem.watch.values[0]["delay"]) == 0.0


def test_there_is_room_for_a_few_at_a_time(run, monkeypatch):
    problem = Problem(beam(5e4), markers(run), {(0, "young"): FREE[0, "young"]}, 1)
    sizes, made = [], SideBySide.__init__
    monkeypatch.setattr("pliant.inverse.fitting.batched_runs.ROOM", 48 * 7 * problem.parameters.sim.world.count * 2)
    monkeypatch.setattr(
        SideBySide, "__init__", lambda self, p, w, places: (sizes.append(len(places)), made(self, p, w, places))[1]
    )
    costs = problem.costs([np.array([share]) for share in (0.2, 0.5, 0.8)])
    assert sizes == [2, 1] and len(set(costs)) == 3


def test_a_fit_from_several_starts_goes_on_after_a_kill(run, tmp_path, monkeypatch):
    free, many = {(0, "young"): FREE[0, "young"]}, MultiStart(GaussNewton(), 4, 1)
    found = pl.fit(beam(1e5), markers(run), free, many, checkpoint=tmp_path / "fit.npz", progress=False)
    assert found.values[0, "young"] == pytest.approx(2e4, rel=1e-5) and "one after the other" not in found.why
    monkeypatch.setattr(SideBySide, "costs", None)  # nothing may run again
    again = pl.fit(beam(1e5), markers(run), free, many, checkpoint=tmp_path / "fit.npz", progress=False)
    assert np.array_equal(again.history, found.history) and again.values == found.values


def test_where_there_is_no_batch_the_fit_says_why():
    """Scenes of a batch share their obstacles, and here the ground is looked for."""
    ground = pl.plane(z=-0.08)
    seen = NodePositions(beam(2e4, (ground,)).run(0.16).positions)
    free = {(None, "obstacle 0.height"): Free(-0.2, -0.05)}
    found = pl.fit(beam(2e4, (pl.plane(z=-0.1),)), seen, free, MultiStart(GaussNewton(), 3, 1), progress=False)
    assert found.values[None, "obstacle 0.height"] == pytest.approx(-0.08, abs=1e-5)
    assert "starts ran one after the other: Batch(scenes=…): scene 1 has other obstacles" in found.why


class Gone(Executor):
    """Whose workers end without an answer."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_exception(Lost("it was killed"))
        return future


def test_workers_share_the_starts(run):
    free, seen = {(0, "young"): FREE[0, "young"], (0, "velocity"): FREE[0, "velocity"]}, markers(run)
    places = list(np.random.default_rng(2).uniform(0.1, 0.9, (4, 4)))
    with pl.distributed.processes(1) as executor:
        alone, shared = Problem(beam(5e4), seen, free, 1), Problem(beam(5e4), seen, free, 1)
        assert shared.costs(places, executor) == alone.costs(places) and shared.said == ""
        found = pl.fit(beam(1e5), seen, free, MultiStart(GaussNewton(), 4, 1, executor=executor), progress=False)
        assert found.values[0, "young"] == pytest.approx(2e4, rel=1e-5)
    assert shared.costs(places, Gone()) == alone.costs(places)
    assert shared.said == "starts of a worker ran here, since it was killed"
    with pytest.raises(pl.errors.InputError, match="MultiStart"):
        MultiStart(executor=3)
