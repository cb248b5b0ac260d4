"""Grabs come, move and go."""

import numpy as np
import pytest

import pliant as pl


def hung() -> pl.Simulation:
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e4), pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 60))


def test_a_grab_pulls_and_lets_go():
    sim = hung()
    vertex = int(np.argmax(sim.bodies[0].surface.sum(axis=1)))
    start, aside = sim.bodies[0].surface[vertex], np.array([0.05, 0, 0])
    handle = sim.grab(vertex, start + aside)
    for _ in range(60):
        assert sim.step().kept
    pulled = sim.bodies[0].surface[vertex]
    assert pulled[0] > start[0] + 0.01
    assert sim.energies()["grab"] > 0
    assert sim.grab(vertex, start - aside, handle=handle) == handle
    for _ in range(60):
        assert sim.step().kept
    assert sim.bodies[0].surface[vertex][0] < start[0] - 0.01
    sim.release(handle)
    assert sim.energies()["grab"] == 0
    for _ in range(120):
        assert sim.step().kept
    assert np.abs(sim.bodies[0].surface[vertex] - start).max() < 5e-3


def test_two_grabs_at_once():
    sim = hung()
    handles = [sim.grab(v, (0.3, 0.0, 0.0)) for v in (0, 5)]
    assert len(set(handles)) == 2
    assert sim.step().kept
    sim.release(handles[0])
    assert sim.step().kept


def test_grab_refuses():
    sim = hung()
    for options in (
        {"vertex": -1},
        {"vertex": 999},
        {"vertex": 0, "body": 3},
        {"vertex": 0, "target": (1, 2)},
        {"vertex": 0, "target": (np.nan, 0, 0)},
    ):
        with pytest.raises(pl.errors.InputError, match="grab"):
            sim.grab(**({"target": (0, 0, 0)} | options))
    with pytest.raises(pl.errors.InputError, match="release"):
        sim.release(7)
