"""Scenes that contact is measured with: all of them can be built, begin apart, and step; closed forms they are held to."""

import numpy as np
import pytest

import pliant as pl
from pliant.bench.contact_scenes import SCENES, card, judge, least_thickness, stands
from pliant.bench.random_bodies import COUNT, FASTEST, KINDS, SIZES, bodies_at_random


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
def test_bodies_at_random_are_of_all_kinds_within_their_bounds_and_the_same_again():
    kinds = set()
    first, again = (bodies_at_random(np.random.default_rng(1))[0] for _ in range(2))
    assert all(np.array_equal(one.shape.rest, other.shape.rest) for one, other in zip(first, again))
    for seed in range(6):
        bodies, size = bodies_at_random(np.random.default_rng(seed))
        assert COUNT[0] <= len(bodies) <= COUNT[1] and SIZES[0] <= size <= SIZES[1]
        assert all(np.linalg.norm(body.velocity) <= FASTEST for body in bodies)
        kinds |= {body.name.split(" ", 1)[1] for body in bodies}
    assert kinds == set(KINDS)


@pytest.mark.filterwarnings("ignore")
def test_scenes_at_random_begin_apart():
    assert all(judge(SCENES["random"].make(seed)).clean for seed in (1, 3))


def test_the_least_arch_is_that_of_milankovitch():
    """0.1075 of the mean radius with many stones; few stones can do with less, since it can break between them alone."""
    assert least_thickness(101) == pytest.approx(0.1075, rel=2e-3)
    assert least_thickness(7) < least_thickness(25) < 0.1075
    assert stands(25, 0.2, 0.6) and not stands(25, 0.2, 0.2)


def test_cards_need_the_friction_of_a_thin_ladder_and_a_little_less():
    """Half of the tangent of the angle from the vertical, for cards without thickness."""
    assert 0.7 < card()[1] / (0.5 * np.tan(np.radians(15.0))) < 1.0
