"""Touches that begin and end, against when a ball in free flight must meet the floor and leave it."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.output.export import export
from pliant.output.reader import read
from pliant.simulate.record.events import Event

LAW = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000)
FLOOR = pl.Obstacle(pl.plane(z=0.0), name="floor")


def dropped(height: float = 0.05, **options) -> pl.Simulation:
    ball = pl.Body(pl.tet_grid((0.05,) * 3, (2, 2, 2), origin=(0, 0, height)), LAW, name="ball")
    other = pl.Body(pl.tet_grid((0.05,) * 3, (2, 2, 2), origin=(0, 0, height + 0.06)), LAW, name="other")
    scheme = pl.BDF2(dt=2e-3)
    return pl.Simulation(pl.Scene([ball, other], [FLOOR], **options), scheme)


def test_events_of_a_run_are_those_of_free_flight():
    run = dropped().run(0.25, fields=(), events=True)
    first = run.events[0]
    assert (first.first, first.second, first.began) == ("ball", "floor", True)
    assert first.time == pytest.approx(np.sqrt(2 * 0.05 / 9.81), abs=2 * 2e-3)
    couples = {(event.first, event.second) for event in run.events}
    assert couples == {("ball", "floor"), ("ball", "other")}
    for couple in couples:  # it leaves what it has touched, and touches what it has left
        own = [event.began for event in run.events if (event.first, event.second) == couple]
        assert own == [k % 2 == 0 for k in range(len(own))]
    assert any(not event.began for event in run.events)
    assert [event.time for event in run.events] == sorted(event.time for event in run.events)
    assert str(Event(0.25, "ball", "floor", False)) == "0.25 s: ball leaves floor"


def test_events_asked_after_each_step_are_those_of_the_run_and_change_nothing():
    plain, run = dropped().run(0.15, fields=()), dropped().run(0.15, fields=(), events=True)
    sim, asked = dropped(), []
    for _ in range(75):
        assert sim.step().kept
        asked += sim.events()
        assert sim.events() == ()
    assert tuple(asked) == run.events and plain.events == ()
    assert np.array_equal(plain.positions, run.positions)
    sim.reset()
    assert sim.events() == ()
    with pytest.raises(InputError, match="events"):
        dropped().run(0.1, events="yes")


def test_events_go_on_with_a_run_and_live_in_its_file(tmp_path):
    whole = dropped().run(0.2, fields=(), events=True)
    sim = dropped()
    half = sim.run(0.2, fields=(), events=True, on_step=lambda s, r: s.t > 0.13)
    sim.save(tmp_path / "half.npz")
    again = pl.Simulation.load(tmp_path / "half.npz")
    assert again.run(0.2, fields=(), events=True, after=half).events == whole.events
    export(whole, tmp_path / "run.npz")
    assert read(tmp_path / "run.npz").events == whole.events and len(whole.events) > 2
