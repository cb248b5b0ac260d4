"""Where bodies touch, as the viewer marks it, for every response of contact and every kind of points."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.view.realtime import said
from pliant.view.scene.scene_description import solvers
from pliant.view.scene.snapshots import Snapshots

LAW = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000.0)
BLOCK = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0.0, 0.0, 0.0005))
SHAPES = {
    "nodes": lambda: pl.Body(BLOCK, LAW),
    "lattice": lambda: pl.Body(pl.Lattice(pl.box((0.1, 0.1, 0.1), (0.05, 0.05, 0.0505)), 0.04), LAW),
    "surface": lambda: pl.Body(BLOCK, LAW, surface=pl.meshes.box((0.1, 0.1, 0.1), (0.05, 0.05, 0.0505))),
}
FLOOR = [pl.Obstacle(pl.plane(z=0.0), name="floor")]
RESPONSES = {"none": None, "barrier": pl.contact.Barrier(), "complementarity": pl.contact.Complementarity()}


def marks(scene: pl.Scene, steps: int = 8, precision: str = "f64") -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """What is drawn, and the forces on things as they are measured."""
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision)
    for _ in range(steps):
        assert sim.step().kept
    return Snapshots(sim)._touching(), sim.forces()


def along(found: np.ndarray) -> np.ndarray:
    return found[:, 3:] / np.linalg.norm(found[:, 3:], axis=1)[:, None]


@pytest.mark.parametrize("shape", SHAPES)
def test_points_of_any_kind_are_marked_on_the_floor(shape):
    found, forces = marks(pl.Scene([SHAPES[shape]()], FLOOR))
    assert len(found) >= 4 and np.abs(found[:, 2]).max() < 2e-3
    assert np.allclose(along(found), [0, 0, 1], atol=1e-6)
    assert found[:, 5].sum() == pytest.approx(-forces["floor"][2], rel=1e-6)


@pytest.mark.parametrize("response", RESPONSES)
def test_every_response_marks_the_floor(response):
    found, forces = marks(pl.Scene([pl.Body(BLOCK, LAW)], FLOOR, contact=pl.Contact(response=RESPONSES[response])))
    assert len(found) >= 4 and np.abs(found[:, 2]).max() < 8e-3
    assert np.allclose(along(found), [0, 0, 1], atol=1e-6)
    assert found[:, 5].sum() == pytest.approx(-forces["floor"][2], rel=1e-6)


@pytest.mark.parametrize(
    "response",
    [pl.contact.Barrier(), pl.contact.Penalty(), pl.contact.Complementarity()],
    ids=lambda r: type(r).__name__,
)
def test_every_response_marks_where_bodies_meet(response):
    below = pl.Body(pl.tet_grid((0.2, 0.2, 0.05), (3, 3, 1), origin=(-0.05, -0.05, -0.05)), LAW, pinned=lambda X: X[:, 2] < -0.04)
    scene = pl.Scene([below, pl.Body(BLOCK, LAW, name="above")], contact=pl.Contact(response=response))
    found, forces = marks(scene)
    assert len(found) >= 4 and np.abs(found[:, 2]).max() < 8e-3
    assert np.allclose(np.abs(along(found)[:, 2]), 1, atol=0.1)
    assert np.abs(found[:, 5]).sum() == pytest.approx(forces["above"][2], rel=1e-4)


@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_a_heavier_body_is_pushed_harder_and_each_by_its_weight(response, precision):
    heavy = replace(LAW, density=3000.0, young=6e4)
    bodies = [pl.Body(BLOCK, LAW), pl.Body(BLOCK.translated((0.3, 0.0, 0.0)), heavy)]
    scene = pl.Scene(bodies, FLOOR, contact=pl.Contact(response=RESPONSES[response]))
    found, _ = marks(scene, 60, precision)
    right = found[:, 0] > 0.2
    weights = [9.81 * 0.001 * density for density in (1000, 3000)]
    assert [found[own, 5].sum() for own in (~right, right)] == pytest.approx(weights, rel=0.05)
    assert found[right, 5].mean() > 2.5 * found[~right, 5].mean()


def test_points_that_feel_a_smoothed_floor_from_afar_are_not_marked():
    contact = pl.Contact(smoothing=1e-3)
    found, forces = marks(pl.Scene([pl.Body(BLOCK, LAW)], FLOOR, contact=contact))
    assert len(found) == 9 and found[:, 5].sum() == pytest.approx(-forces["floor"][2], rel=1e-3)  # the lower side


def test_the_menu_has_only_solvers_that_take_the_contact_of_a_scene():
    for gap, response, quick in ((1e-3, "Barrier", False), (0.0, "Penalty", True)):
        sim = pl.Simulation(pl.Scene([pl.Body(BLOCK, LAW), pl.Body(BLOCK.translated((0, 0, 0.1 + gap)), LAW)]))
        assert sim.response.partition(",")[0] == response
        assert ("quasi-Newton × 10" in solvers(sim)) is quick
        assert said(sim).endswith(f"contact by {response}")
