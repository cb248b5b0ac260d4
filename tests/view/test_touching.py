"""Where bodies touch, as the viewer marks it, for every response of contact and every kind of points."""

import numpy as np
import pytest

import pliant as pl
from pliant.view.snapshots import Snapshots

LAW = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000.0)
BLOCK = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0.0, 0.0, 0.0005))
SHAPES = {
    "nodes": lambda: pl.Body(BLOCK, LAW),
    "lattice": lambda: pl.Body(pl.Lattice(pl.box((0.1, 0.1, 0.1), (0.05, 0.05, 0.0505)), 0.04), LAW),
    "surface": lambda: pl.Body(BLOCK, LAW, surface=pl.meshes.box((0.1, 0.1, 0.1), (0.05, 0.05, 0.0505))),
}
RESPONSES = {"none": None, "barrier": pl.contact.Barrier(), "complementarity": pl.contact.Complementarity()}


def marks(scene: pl.Scene, steps: int = 8) -> np.ndarray:
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    for _ in range(steps):
        assert sim.step().ok
    return Snapshots(sim)._touching()


@pytest.mark.parametrize("shape", SHAPES)
def test_points_of_any_kind_are_marked_on_the_floor(shape):
    found = marks(pl.Scene([SHAPES[shape]()], [pl.plane(z=0.0)]))
    assert len(found) >= 4 and np.abs(found[:, 2]).max() < 2e-3
    assert np.allclose(found[:, 3:], [0, 0, 1], atol=1e-6)


@pytest.mark.parametrize("response", RESPONSES)
def test_every_response_marks_the_floor(response):
    found = marks(pl.Scene([pl.Body(BLOCK, LAW)], [pl.plane(z=0.0)], contact=pl.Contact(response=RESPONSES[response])))
    assert len(found) >= 4 and np.abs(found[:, 2]).max() < 8e-3
    assert np.allclose(np.abs(found[:, 3:]), [0, 0, 1], atol=1e-6)


@pytest.mark.parametrize(
    "response",
    [pl.contact.Barrier(), pl.contact.Penalty(), pl.contact.Complementarity()],
    ids=lambda r: type(r).__name__,
)
def test_every_response_marks_where_bodies_meet(response):
    below = pl.Body(
        pl.tet_grid((0.2, 0.2, 0.05), (3, 3, 1), origin=(-0.05, -0.05, -0.05)), LAW, pinned=lambda X: X[:, 2] < -0.04
    )
    found = marks(pl.Scene([below, pl.Body(BLOCK, LAW)], contact=pl.Contact(response=response)))
    assert len(found) >= 4 and np.abs(found[:, 2]).max() < 8e-3
    assert np.allclose(np.abs(found[:, 5]), 1, atol=0.1)
