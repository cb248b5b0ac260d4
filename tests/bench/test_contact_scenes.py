"""Scenes that contact is measured with: all of them can be built, begin apart, and step; closed forms they are held to."""

import numpy as np
import pytest

import pliant as pl
from pliant.bench.contact_scenes import SCENES, card, judge, least_thickness, stands
from pliant.bench.random_bodies import KINDS


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SCENES)
def test_every_scene_begins_apart_and_takes_two_steps(name):
    """With springs, which take all kinds of bodies."""
    case = SCENES[name]
    sim = case.make(*case.sizes[0], response=pl.contact.Penalty(), solver=pl.Newton(iterations=3))
    assert judge(sim).clean and judge(sim).below == 0
    for _ in range(2):
        assert sim.step().kept
    if case.watch is not None:
        assert np.isfinite(case.watch(sim)).all()


@pytest.mark.filterwarnings("ignore")
def test_scenes_at_random_have_all_kinds_and_begin_apart_and_are_the_same_again():
    kinds = set()
    for seed in range(8):
        sim, again = (SCENES["random"].make(seed, response=None) for _ in range(2))
        assert np.array_equal(sim.x, again.x) and 2 <= len(sim.bodies) <= 8
        kinds |= {name.split(" ", 1)[1] for name in sim.scene.names}
        assert judge(sim).clean and np.linalg.norm(sim.v, axis=1).max() <= 30.0
    assert kinds == set(KINDS)


def test_the_least_arch_is_that_of_milankovitch():
    """0.1075 of the mean radius with many stones; few stones can do with less, since it can break between them alone."""
    assert least_thickness(101) == pytest.approx(0.1075, rel=2e-3)
    assert least_thickness(7) < least_thickness(25) < 0.1075
    assert stands(25, 0.2, 0.6) and not stands(25, 0.2, 0.2)


def test_cards_need_the_friction_of_a_thin_ladder_and_a_little_less():
    """Half of the tangent of the angle from the vertical, for cards without thickness."""
    assert 0.7 < card()[1] / (0.5 * np.tan(np.radians(15.0))) < 1.0
